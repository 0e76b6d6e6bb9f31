"""Games that a game plays against itself, whole, in compiled code; positions are kept with score and result.

A game begins with a few random moves, one game in four with many: a net must judge what good play never
reaches, too. Later one move in 32 is random. Each other move is the best one of a search with a limit of
nodes; a game without an evaluation is played with noise at first. Quiet positions are kept: nothing is
urgent, the best move gains nothing, and the score is no win or loss. Their images by a symmetry of the game
are kept, too. `LEAVES` adds positions beside the game: one move off the line, with the score of a smaller
search and no result. Everything follows from the seed.
"""

from functools import cache
from types import FunctionType
from typing import Any, cast

from plywise.core.bits import mix, right
from plywise.core.compiled import compiled
from plywise.core.errors import BadGame
from plywise.core.evaluation import Evaluation
from plywise.core.game import Game
from plywise.core.layout import Layout, at
from plywise.core.mobility import MOBILITY, generic_default
from plywise.core.net_file import CORRECTION, Shape, base_function
from plywise.core.outcome import DRAWN, OPEN, WON
from plywise.core.rules import Position
from plywise.core.scores import INFINITE, MAX_EVALUATION, UNKNOWN, is_sure
from plywise.core.specialise import Changes
from plywise.core.wide_position import wide_fields, word_names, words_rule
from plywise.search.alphabeta import search_root
from plywise.search.engine import own_margins
from plywise.search.handle import UNLIMITED, new_flags
from plywise.search.margins import MARGIN_LAYOUT, scaled_margins
from plywise.search.specialisation import Specialisation, evaluation_changes
from plywise.search.switches import switches
from plywise.search.thread_state import MAX_PLY, ThreadRecord, ThreadState, weights_record
from plywise.search.transposition import SYMMETRIES, TranspositionTable

LONGEST = 512  # plies of a game; a longer one is drawn
HARD_LIMIT = 2  # times the nodes: a search that is not done by then is stopped
RANDOM_PLIES = 8  # 2 to 2 + RANDOM_PLIES - 1 random moves begin a game
MANY_PLIES = 32  # of one game in four, in place of RANDOM_PLIES
RANDOM_SHARE = 32  # one move in this number is random
LEAF_SHARE = 4  # a search beside the game takes this part of the nodes
NO_RESULT = 2  # of a position that is not of the game
TABLE_MEGABYTES = 1  # fits into the cache of a core: its searches are small
NOISE_RANGE = 64  # points between the least and the most that noise says

# What a game and its evaluation change.
ROW = Layout()
BOARDS = -1
LEAVES = -2


def row_layout(boards: int) -> Layout:
    """One kept position: its boards, score and result for side 0."""
    return Layout(
        ("boards", "i8", (boards,)),
        ("game", "i4"),
        ("score", "i2"),
        ("own", "i2"),  # what the game's own evaluation says, where a correction of it is learned
        ("ply", "i2"),
        ("turn", "i1"),
        ("result", "i1"),
    )


@compiled
def own_value(position: Position, thread: ThreadRecord) -> int:
    """What the net's output will be added to."""
    return 0


@compiled
def words_of(position: Position) -> Any:
    """What is kept of a position: its boards, or all its words where weights are fitted."""
    return position.boards()


@compiled
def think(position: Position, thread: ThreadRecord, nodes: int) -> int:
    """Search by iterative deepening; return the score, with the move in thread.best_root."""
    start = thread.nodes
    thread.stopped = 0
    score, depth = 0, 0
    best = thread.moves[0]
    while depth < MAX_PLY // 2 and 2 * (thread.nodes - start) < nodes:
        depth += 1
        # The first iteration is always finished: a score is needed.
        thread.most_nodes = start + HARD_LIMIT * nodes if depth > 1 else UNLIMITED
        thread.next_poll = thread.most_nodes
        thread.first_root, thread.end_root, thread.roots_done = 0, position.moves(thread.moves, 0), 0
        thread.all_roots, thread.roots_unordered = 1, 1
        thread.best_root, thread.iteration = -1, depth
        thread.guesses = thread.skips = thread.unknown_distances = thread.deepest = 0
        found = search_root(position, thread, depth, -INFINITE, INFINITE)
        if thread.stopped != 0:
            break
        score = found
        best = thread.best_root if thread.best_root >= 0 else best
        if thread.guesses == 0 or is_sure(score):
            break
    thread.best_root = best
    return score


@compiled
def keep(
    position: Position, thread: ThreadRecord, row: int, game: int, ply: int, score: int, result: int
) -> int:
    """Write a position with its score, and its images alike; return the next free row."""
    own = max(-MAX_EVALUATION, min(MAX_EVALUATION, own_value(position, thread)))
    for image in range(SYMMETRIES):
        kept = at(thread.log, ROW, row)
        boards = words_of(position.symmetry(image))
        for i in range(BOARDS):
            kept.boards[i] = boards[i]
        kept.game, kept.ply, kept.turn = game, ply, position.turn
        kept.score = score if position.turn == 0 else -score
        kept.own = own if position.turn == 0 else -own
        kept.result = result
        row += 1
    return row


@compiled
def is_quiet(position: Position, thread: ThreadRecord, score: int) -> bool:
    """Whether a searched position is worth keeping."""
    return (
        thread.overflow == 0
        and not is_sure(score)
        and not position.urgent()
        and not position.midway()
        and position.gain(thread.best_root) <= 0
    )


@compiled
def keep_leaf(
    position: Position, thread: ThreadRecord, dice: int, nodes: int, game: int, ply: int, row: int
) -> int:
    """Keep a position one random move off the game, searched by itself; return the next free row."""
    end = position.moves(thread.moves, 0)
    after = position.play(thread.moves[(right(dice, 7) & 65535) % end])
    if after.outcome() != OPEN or after.midway() or after.moves(thread.moves, 0) < 2:
        return row
    past, clock = thread.past_plies, thread.reversible[0]
    thread.past_plies, thread.reversible[0] = 0, 0
    score = think(after, thread, nodes // LEAF_SHARE)
    if is_quiet(after, thread, score):
        row = keep(after, thread, row, game, ply, score, NO_RESULT)
    thread.past_plies, thread.reversible[0] = past, clock
    return row


@compiled
def is_repeated(thread: ThreadRecord, key: int) -> bool:
    """Whether the position was in the game since the last move that cannot be taken back."""
    for i in range(thread.past_plies):
        if thread.path[i] == key:
            return True
    return False


def play_game(position: Position, thread: ThreadRecord, seed: int, nodes: int, game: int) -> int:
    """Play a game and write its positions to thread.log; return how many."""
    row, ply, result = 0, 0, 0
    dice = mix(mix(12345, seed), game)
    opening = 2 + (right(dice, 40) % (MANY_PLIES if right(dice, 16) & 3 == 0 else RANDOM_PLIES))
    thread.past_plies, thread.past_hash, thread.reversible[0] = 0, 0, 0
    while True:
        # 1. Is it over, by the rules, the history or a database?
        verdict = position.outcome()
        if verdict == OPEN and position.moves(thread.moves, 0) == 0:
            verdict = position.stuck()
        if verdict != OPEN:
            if verdict != DRAWN:
                result = 1 if (verdict == WON) == (position.turn == 0) else -1
            break
        known = position.probe(thread)
        if known != UNKNOWN:
            if known != 0:
                result = 1 if (known > 0) == (position.turn == 0) else -1
            break
        key, clock = position.key(), thread.reversible[0]
        if ply >= LONGEST or thread.overflow != 0:
            break
        if clock > 0 and thread.draw_plies != 0 and clock >= thread.draw_plies:
            break
        if clock > 0 and thread.repetition_draws != 0 and is_repeated(thread, key):
            break
        # 2. Choose a move.
        dice = mix(dice, ply + 1)
        end = position.moves(thread.moves, 0)
        move = thread.moves[(right(dice, 33) & 65535) % end]
        if ply >= opening and end > 1:
            random_move = right(dice, 20) % RANDOM_SHARE == 0
            score = think(position, thread, nodes)
            if is_sure(score):
                result = 1 if (score > 0) == (position.turn == 0) else -1
                break
            if not random_move:
                move = thread.best_root
            if is_quiet(position, thread, score):
                row = keep(position, thread, row, game, ply, score, 0)
                if LEAVES != 0 and right(dice, 25) % 2 == 0:
                    row = keep_leaf(position, thread, dice, nodes, game, ply, row)
        # 3. Play it.
        if position.resets(move):
            thread.past_plies, thread.reversible[0] = 0, 0
        else:
            thread.path[thread.past_plies] = key
            thread.past_plies += 1
            thread.reversible[0] = clock + 1
        position = position.play(move)
        ply += 1
    for i in range(row):
        kept = at(thread.log, ROW, i)
        if kept.result != NO_RESULT:
            kept.result = result
    return row


def noise(position: Position) -> int:
    """A random value for each position, for a first generation that knows nothing else.

    The search chooses among many such values where it has many moves, so it plays for mobility; without
    any, it would play the first move it is shown in every position.
    """
    return right(mix(77, position.key()), 40) % NOISE_RANGE - NOISE_RANGE // 2


NOISE = Evaluation("noise", noise)


def player_without_net(game: Game, generation: int) -> str:
    """The evaluation that plays a generation if no net does: the game's own.

    A game that has none plays with noise first. If what was learned from that is too weak to play, it plays
    by mobility, where mobility says something.
    """
    if game.has_evaluation or (generation > 1 and generic_default(game) == MOBILITY):
        return "default"
    return NOISE.name


class SelfPlay:
    """Plays games of one game with one evaluation. One thread at a time uses it.

    With `whole`, the rows hold all words of the positions in place of their boards.
    """

    def __init__(
        self,
        game: Game,
        shape: Shape,
        evaluator: str = "default",
        weights: str | None = None,
        leaves: bool = False,
        compiled: bool = True,
        whole: bool = False,
    ) -> None:
        import numpy as np

        self.game, self.shape = game, shape
        own = NOISE if evaluator == NOISE.name else game.evaluation(evaluator, weights)
        values = {} if own is NOISE else game.weights(evaluator, weights)
        base = game.evaluation("default") if shape.form == CORRECTION else None
        words = len(word_names(game.position)) if whole else shape.boards
        constants = _constants(words, leaves, base, own, game.position if whole else None)
        self.specialisation = Specialisation(
            play_game, game, own, evaluation_changes(own), compiled, constants
        )
        native = self.specialisation.compiled
        self.weights = None if own.weights is None else weights_record(own.weights.layout, values, native)
        margins = scaled_margins(own_margins(game), own.unit, game.probcut)
        self.margins = weights_record(MARGIN_LAYOUT, margins, native)
        self.table = TranspositionTable(TABLE_MEGABYTES, native)
        self.dtype = np.dtype(list(row_layout(words).fields))
        self.nodes = 0

    def play(self, seed: int, games: range, nodes: int) -> Any:
        """The kept positions of some games, as an array of rows; the same for the same arguments."""
        import numpy as np

        thread, start = self._new_thread(), self.game.start()
        room = np.zeros(2 * self.game.symmetries * (LONGEST + 1), self.dtype)
        thread.bind("log", room if self.specialisation.compiled else room.view(np.recarray))
        kept = []
        for number in games:
            rows = self.specialisation(start, thread, seed, nodes, number)
            if thread.record.overflow:
                raise BadGame(
                    f"{self.game.name}: a position has {thread.record.overflow} moves, more than the"
                    f" {self.game.most_moves} promised by @game(most_moves=...)"
                )
            kept.append(room[:rows].copy())
        self.nodes += int(thread.record.nodes)
        return np.concatenate(kept) if kept else room[:0].copy()

    def _new_thread(self) -> ThreadState:
        """A thread state that knows nothing of earlier games."""
        thread, game = self.specialisation.new_thread(), self.game
        record = thread.record
        self.table.clear()
        self.table.bind(thread)
        thread.bind("weights", self.weights)
        thread.bind("margins", self.margins)
        for resource in game.lends:
            thread.bind(resource.name, resource.current()[0])
        thread.bind("flags", new_flags(self.specialisation.compiled))
        record.switches, record.distance_factor = switches(()), 1
        record.draw_plies, record.most_moves = game.draws.plies, game.most_moves
        record.repetition_draws = int(game.draws.repetition > 0)
        for i in range(len(record.killers)):
            record.killers[i] = -1
        return thread


def _all_words(position: Position) -> Any:
    return position


def _without_weights(position: Position, thread: ThreadRecord) -> int:
    return FUNCTION(position, 0, thread, 0)  # type: ignore[name-defined] # noqa: F821


def _with_weights(position: Position, thread: ThreadRecord) -> int:
    return FUNCTION(position, at(thread.weights, WEIGHTS, 0), thread, 0)  # type: ignore[name-defined] # noqa: F821


@cache
def _constants(
    boards: int, leaves: bool, base: Evaluation | None, playing: Evaluation, whole: type | None
) -> Changes:
    """The names of this module for rows of this number of boards, and with the value of a base evaluation.

    `whole` is the class of positions of which all words are kept.
    """
    changes: dict[str, tuple[Any, Any]] = {
        "ROW": (ROW, row_layout(boards)),
        "BOARDS": (BOARDS, boards),
        "LEAVES": (LEAVES, int(leaves)),
    }
    if whole is not None:
        changes["words_of"] = (words_of, compiled(words_rule(whole) if wide_fields(whole) else _all_words))
    if base is not None:
        template = _without_weights if base.weights is None else _with_weights
        weights = Layout() if playing.weights is None else playing.weights.layout
        names = {"__name__": __name__, "FUNCTION": base_function(base), "WEIGHTS": weights, "at": at}
        code = cast(FunctionType, template).__code__
        changes["own_value"] = (own_value, compiled(FunctionType(code, names, "own_value")))
    return changes
