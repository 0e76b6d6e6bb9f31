"""A lesson: textbook minimax or alpha-beta, one step at a time, as a student would draw it.

Values, alpha and beta are for the side to move at the root, MAX; the other side is MIN. The nodes, their
order and the value are those of `search/textbook.py`; a test compares them.
"""

from dataclasses import asdict, dataclass, field
from typing import Any

from plywise.core.errors import BadLimits
from plywise.core.history import History
from plywise.core.outcome import DRAWN, OPEN, WON
from plywise.core.scores import WIN

MAX_NODES = 5000  # of a lesson: more cannot be drawn
PLAYERS = ("minimax", "alphabeta")


@dataclass(slots=True)
class LessonNode:
    """A node of the drawn tree."""

    number: int
    parent: int | None
    move: str | None
    maximal: bool  # MAX is to move
    ply: int
    depth: int
    text: str  # the position
    value: int | None = None  # None until the node is finished
    cause: str = "all moves"  # or: leaf, over, draw, cut
    cut: list[str] = field(default_factory=list)  # moves that were not searched


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One step of the search.

    enter    a node is entered with its window
    value    a leaf gets its value
    update   a child is finished: the node's best value so far, and its new window
    cut      alpha has reached beta: the remaining moves are not searched
    leave    the node is finished
    """

    event: str
    node: int
    value: int | None  # the best so far
    alpha: int | None  # None: minus infinity (for beta: infinity)
    beta: int | None
    child: int | None = None  # the finished child, in `update`


@dataclass(frozen=True, slots=True)
class Lesson:
    """A small tree, and the steps of its search."""

    player: str
    value: int
    line: tuple[str, ...]  # the principal variation
    places: tuple[LessonNode, ...]
    steps: tuple[LessonStep, ...]

    def _repr_html_(self) -> str:
        """What a notebook shows: the tree as it is drawn on paper."""
        from plywise.explain.lesson_svg import lesson_html

        return lesson_html(self)

    def as_dict(self) -> dict[str, Any]:
        """As data for JSON."""
        return asdict(self)


class _TooLarge(Exception):
    pass


def lesson(
    history: History,
    depth: int,
    *,
    player: str = "alphabeta",
    evaluator: str = "default",
    most: int = MAX_NODES,
) -> Lesson:
    """The textbook search of a position, step by step."""
    if player not in PLAYERS:
        raise BadLimits(f"a lesson shows {' or '.join(PLAYERS)}, not {player!r}")
    if depth < 1:
        raise BadLimits(f"a lesson looks 1 turn ahead or more, not {depth}")
    search = _LessonSearch(history, player == "alphabeta", evaluator, most)
    try:
        value, line = search.search(history, None, None, depth, 0, None, None)
    except _TooLarge:
        raise BadLimits(
            f"this tree has more than {most:,} nodes at depth {depth}: choose a smaller depth for a lesson"
        ) from None
    return Lesson(player, value, tuple(line), tuple(search.places), tuple(search.steps))


class _LessonSearch:
    """Searches, and appends every step to `steps`."""

    def __init__(self, history: History, prunes: bool, evaluator: str, most: int) -> None:
        self.game, self.turn, self.prunes = history.game, history.turn, prunes
        self.evaluator, self.most = evaluator, most
        self.drawn_on_return = frozenset(history.keys_drawn_on_return(history.clock + 1))
        self.places: list[LessonNode] = []
        self.steps: list[LessonStep] = []

    def search(
        self,
        history: History,
        parent: int | None,
        move: str | None,
        depth: int,
        ply: int,
        alpha: int | None,
        beta: int | None,
    ) -> tuple[int, list[str]]:
        if len(self.places) >= self.most:
            raise _TooLarge
        maximal = history.turn == self.turn
        node = LessonNode(len(self.places), parent, move, maximal, ply, depth, history.text)
        self.places.append(node)
        if not self.prunes:
            alpha = beta = None
        self.steps.append(LessonStep("enter", node.number, None, alpha, beta))
        final = self.final_value(history, depth, ply)
        if final is not None:
            node.value, node.cause = final[0] if maximal else -final[0], final[1]
            self.steps.append(LessonStep("value", node.number, node.value, alpha, beta))
            return node.value, []
        best: int | None = None
        line: list[str] = []
        moves = self.game.moves(history.position)
        for i, number in enumerate(moves):
            text = self.game.move_text(history.position, number)
            after = History(self.game, history.position.play(number), history, number)
            left = depth if after.turn == history.turn else depth - 1
            child = len(self.places)
            value, rest = self.search(after, node.number, text, left, ply + 1, alpha, beta)
            if best is None or (value > best if maximal else value < best):
                best, line = value, [text, *rest]
            if self.prunes and maximal:
                alpha = best if alpha is None else max(alpha, best)
            elif self.prunes:
                beta = best if beta is None else min(beta, best)
            self.steps.append(LessonStep("update", node.number, best, alpha, beta, child))
            if alpha is not None and beta is not None and alpha >= beta and i + 1 < len(moves):
                node.cut = [self.game.move_text(history.position, other) for other in moves[i + 1 :]]
                node.cause = "cut"
                self.steps.append(LessonStep("cut", node.number, best, alpha, beta))
                break
        assert best is not None
        node.value = best
        self.steps.append(LessonStep("leave", node.number, best, alpha, beta))
        return best, line

    def final_value(self, history: History, depth: int, ply: int) -> tuple[int, str] | None:
        """The value of a position that is not searched further, for its side to move, and the cause."""
        position, game = history.position, self.game
        if ply > 0:
            verdict = int(position.outcome())
            if verdict != OPEN:
                return _final(verdict, ply), "over"
            no_progress = bool(game.draws.plies) and history.clock >= game.draws.plies
            if self.is_repetition(history, ply) or (no_progress and game.moves(position)):
                return 0, "draw"
        if depth <= 0:
            return game.evaluate(position, self.evaluator), "leaf"
        if not game.moves(position):
            return _final(game.verdict(position), ply), "over"
        return None

    def is_repetition(self, history: History, ply: int) -> bool:
        """Whether the position is a draw as the search counts it.

        It occurred before on this line, from ply 1 on, or in the game so often that this time is a draw.
        """
        if not self.game.draws.repetition:
            return False
        earlier = history.before
        for _ in range(min(history.clock, ply - 1)):
            assert earlier is not None
            if earlier.key == history.key:
                return True
            earlier = earlier.before
        return history.clock >= ply and history.key in self.drawn_on_return


def _final(verdict: int, ply: int) -> int:
    if verdict == DRAWN:
        return 0
    return WIN - ply if verdict == WON else ply - WIN
