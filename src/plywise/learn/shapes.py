"""The shape of a game's net: what its boards show, and how large the net is."""

import random
import time
from dataclasses import replace

from plywise.check.boards import board_faults
from plywise.core.bits import popcount, wrap
from plywise.core.errors import PlywiseError
from plywise.core.game import Game
from plywise.core.net_file import (
    CORRECTION,
    PATTERNS,
    REPLACING,
    WEIGHTS_FORM,
    Shape,
    boards_of,
    names_boards,
)
from plywise.core.rules import Position
from plywise.core.vectors import LANES
from plywise.core.wide_position import word_names
from plywise.learn.run_state import NODES
from plywise.learn.windows import entry_count, windows_of
from plywise.search.engine import Engine

HIDDEN = 32
STAGES = 8
PATTERN_STAGES = 4  # a table has a number for each stage: more of them learn less each
RANDOM_GAMES = 6
MAX_PLIES = 120
PROBE_NODES, PROBE_SECONDS = 500, 1.0  # of the search that shows how slow a plain game is
MANY_POSITIONS = 1_000_000  # what a net is fitted to
MAX_CHANGES = 12  # bits that a move may change on average in a word that is a board; a key changes half


class CannotLearn(PlywiseError):
    """A game that cannot be learned, with the reason."""


def check_learnable(game: Game) -> None:
    """Refuse games that play too slowly, or are not what is searched."""
    if game.world is not None:
        raise CannotLearn(
            f"{game.name} is played with dice or at the same time by both sides: there is no result of a"
            " searched position to learn from"
        )
    if not game.compiled:
        raise CannotLearn(
            f"{game.name} is of the plain form, which is too slow: a million positions, searched by"
            f" {NODES} nodes each, would take {_hours_text(seconds_a_node(game))}; write it in the compiled"
            " form (a NamedTuple whose moves go into a buffer)"
        )
    for words in board_faults(game, game.start()):
        raise CannotLearn(f"{game.name}: {words.rstrip(',')}")


def seconds_a_node(game: Game) -> float:
    """How long the search takes for a node, by a short one from the start."""
    engine = Engine(game, hash=1)
    start = time.process_time()
    nodes = engine.search(game.history(), nodes=PROBE_NODES, time=PROBE_SECONDS).nodes
    return (time.process_time() - start) / max(1, nodes)


def _hours_text(seconds_each: float) -> str:
    hours = seconds_each * NODES * MANY_POSITIONS / 3600
    return f"about {hours:,.0f} hours" if hours >= 2 else f"about {60 * hours:,.0f} minutes"


def has_no_evaluation(game: Game) -> bool:
    """Whether its author wrote none: nobody knows more of the game than its moves and its outcome."""
    return not game.has_evaluation


def usual_form(game: Game) -> str:
    """What is learned if nobody says: a correction of the game's own evaluation, where it has one.

    What replaces a good evaluation has all of it to learn first.
    """
    return REPLACING if has_no_evaluation(game) else CORRECTION


def shape_of(game: Game, hidden: int = HIDDEN, stages: int = STAGES, form: str = REPLACING) -> Shape:
    """The shape of a net for a game, from random games: its boards, and which of its words are some."""
    if form == WEIGHTS_FORM:
        own = game.evaluation("default")
        if own.weights is None:
            raise CannotLearn(f"the default evaluation of {game.name} has no weights to fit")
        return Shape(len(word_names(game.position)), hidden, stages, 1, 0, -1, -1, form)
    dice = random.Random(0)
    count = len(_boards(game, game.start(), None))
    union, changes, moves, both = [0] * count, [0] * count, 0, 0
    for _ in range(RANDOM_GAMES):
        position = game.start()
        before = _boards(game, position, count)
        for _ in range(MAX_PLIES):
            legal = game.moves(position)
            if not legal:
                break
            position = position.play(dice.choice(legal))
            after = _boards(game, position, count)
            moves += 1
            both |= after[0] & after[-1]
            for i in range(count):
                union[i] |= after[i]
                changes[i] += popcount(after[i] ^ before[i])
            before = after
    named = names_boards(game)
    seen = -1
    if not named:
        turn = word_names(game.position).index("turn")
        seen = wrap(
            sum(1 << i for i in range(count) if i != turn and changes[i] <= MAX_CHANGES * max(1, moves))
        )
    own_columns = int(game.perspective == "same" or not named)
    last = max((word & (1 << 64) - 1).bit_length() for word in union) - 1
    shape = Shape(
        count,
        hidden,
        stages,
        own_columns,
        56 if named and game.perspective == "flipped" else 0,
        last if named and game.perspective == "rotated" else -1,
        seen,
        form,
    )
    if form == PATTERNS:
        shape = _with_windows(game, shape, bool(both))
    problem = shape.problem()
    if problem is not None:
        raise CannotLearn(f"{game.name}: {problem}")
    return shape


def _with_windows(game: Game, shape: Shape, both: bool) -> Shape:
    """The shape of tables for a game of stones; refused with the reason if the game is none."""
    if shape.boards != 2 or not names_boards(game) or both:
        raise CannotLearn(
            f"{game.name}: --form patterns is for games of stones: boards() must be the stones of each side,"
            " two sets of cells that have none in common"
        )
    windows = windows_of(game)
    if not windows:
        raise CannotLearn(
            f"{game.name}: --form patterns needs lines of four cells or more on the drawn board, and finds"
            " none on which boards() has its stones"
        )
    return replace(
        shape,
        hidden=-(-len(windows) // LANES) * LANES,
        stages=min(shape.stages, PATTERN_STAGES),
        windows=len(windows),
        entries=entry_count(windows, bool(shape.own_columns)),
    )


def _boards(game: Game, position: Position, count: int | None) -> tuple[int, ...]:
    boards = boards_of(game, position)
    if count is not None and len(boards) != count:
        raise CannotLearn(
            f"{game.name}: boards() gives {len(boards)} boards in {game.text(position)} and {count} at the"
            " start; it must always give the same number"
        )
    return boards
