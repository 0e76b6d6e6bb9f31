"""What an endgame database says of one position and of each of its moves, for people who look it up."""

from bisect import bisect_right
from dataclasses import dataclass
from types import SimpleNamespace

from plywise.core.endgame_index import EndgameDatabase, find_database
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.outcome import DRAWN, OPEN, WON
from plywise.core.rules import Position
from plywise.core.scores import UNKNOWN, add_plies, distance, loss_in, win_in
from plywise.search.engine import past_win_plies

MAX_LOOK = 8  # plies from a position that the file leaves out to those that it has; captures take few


@dataclass(frozen=True, slots=True)
class KnownEnding:
    """A position that the database covers: its score and that of each move, all for the side to move.

    A move that leads to positions beyond the database has the score UNKNOWN, and so has the position if
    one of its moves has. The database does not know the past of the game, which may make a draw of a win:
    such moves are `doubtful`.
    """

    pieces: int  # up to how many the database is solved
    score: int
    moves: dict[int, int]
    doubtful: frozenset[int] = frozenset()

    @property
    def is_doubtful(self) -> bool:
        """Whether the win or the loss here may become a draw by the past of the game."""
        best = {move for move, score in self.moves.items() if score == self.score}
        return best <= self.doubtful if self.score > 0 else bool(self.doubtful) and self.score < 0

    @property
    def is_known(self) -> bool:
        """Whether the database says anything here."""
        return any(score != UNKNOWN for score in self.moves.values())


def look_up(history: History) -> KnownEnding | None:
    """What the database of the game says here; None for a game without one, and where the game is over."""
    game, position, database = history.game, history.position, find_database(history.game)
    if database is None or history.outcome is not None:
        return None
    lookup = _Lookup(game, database)
    moves, doubtful = dict[int, int](), set[int]()
    for move in game.moves(position):
        after = history.play(move)
        score = moves[move] = lookup.after(position, move, MAX_LOOK)
        if after.outcome is not None and after.outcome.winner is None:
            moves[move] = 0  # by the past, if not by the rules
        elif score != UNKNOWN and lookup.is_doubtful(after, score if after.turn == history.turn else -score):
            doubtful.add(move)
    return KnownEnding(lookup.pieces, _best(list(moves.values())), moves, frozenset(doubtful))


def is_small(game: Game, position: Position) -> bool:
    """Whether a database of the game could have this position, solved or not."""
    database = find_database(game)
    return database is not None and database.index.index(position) >= 0


class _Lookup:
    def __init__(self, game: Game, database: EndgameDatabase) -> None:
        self.game, self.index = game, database.index
        self.pieces = database.pieces
        self.memory = SimpleNamespace(**{database.name: database.current()[0]})
        self.firsts = [group.first for group in database.index.groups]

    def after(self, position: Position, move: int, look: int) -> int:
        """The score of a move for the side that makes it."""
        child = position.play(move)
        score = self.score(child, look)
        if score == UNKNOWN:
            return UNKNOWN
        score = add_plies(score, 1)
        return score if child.turn == position.turn else -score

    def score(self, position: Position, look: int) -> int:
        """The score of a position: by the rules, by the file, or by its moves if the file leaves it out."""
        verdict = self.game.verdict(position)
        if verdict != OPEN:
            return 0 if verdict == DRAWN else win_in(0) if verdict == WON else loss_in(0)
        if not self.covers(position):
            return UNKNOWN
        score = int(position.probe(self.memory))
        if score != UNKNOWN or look == 0:
            return score
        return _best([self.after(position, move, look - 1) for move in self.game.moves(position)])

    def is_doubtful(self, history: History, score: int) -> bool:
        """Whether a draw by the past may come before a win; `score` is that of a ply earlier."""
        plies, draws = distance(score), self.game.draws
        if plies is None:
            return False
        if draws.plies and history.clock + plies - 1 > draws.plies:
            return True
        drawn = history.positions_drawn_on_return(history.clock + 1).values()
        nearest = past_win_plies(drawn, lambda position: self.score(position, MAX_LOOK))
        side = nearest[history.turn if score > 0 else 1 - history.turn]
        return 0 < side <= plies - 1

    def covers(self, position: Position) -> bool:
        """Whether the position is one of those that are solved."""
        number = int(self.index.index(position))
        return number >= 0 and self.index.groups[bisect_right(self.firsts, number) - 1].pieces <= self.pieces


def _best(scores: list[int]) -> int:
    """The score of a position by those of its moves; it is not known unless all of them are."""
    return UNKNOWN if not scores or UNKNOWN in scores else max(scores)
