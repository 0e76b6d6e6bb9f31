"""The truth about small games: slow, obvious, and written without a look at the search.

**What is true.** The rules are those of `History.outcome`: a position that is over, or whose side to
move is stuck, ends the game; else the n-th occurrence of a position is a draw, and so are so many
plies without a reset. The value of a history is a win or a loss if a side can force one under these
rules, with the number of plies that it takes if the winner hurries and the loser delays; else a draw
(a game that never ends is nobody's win).

**Why the path can be forgotten.** From a history on, only two things of the past matter: how many
plies the counter stands at, and which positions were there so often that their next occurrence is a
draw. What is repeated after that does not matter. A winner who hurries comes nearer to the end with
every ply, so no position comes twice on the way; and a side that can hold a draw where repetitions do
not count holds it where they do. A counter that stands higher can only help the side that wants a
draw, so this holds with both rules. Hence the value is that of a graph of (position, counter), in
which positions that were there often enough are draws, and what lies behind a reset does not know the
past at all.
"""

from collections.abc import Mapping
from typing import Any

from plywise import OPEN, History
from plywise.core.scores import DECISIVE, WIN, is_decisive

Score = int
Node = tuple[Any, int]  # a position and its counter
Seen = dict[tuple[Any, int], Score]  # minimax values by position and depth


def nearer(score: Score) -> Score:
    """A score one ply earlier: wins and losses are a ply further away."""
    return score - 1 if score > DECISIVE else score + 1 if score < -DECISIVE else score


class Facts:
    """What the rules say of one game's positions, asked once."""

    def __init__(self, game: Any, evaluator: str = "default") -> None:
        self.game, self.evaluator = game, evaluator
        self._facts: dict[Any, tuple[int, int, list[tuple[Any, bool]]]] = {}
        self._evaluations: dict[Any, Score] = {}

    def __call__(self, position: Any) -> tuple[int, int, list[tuple[Any, bool]]]:
        """The outcome without a look at the moves, the verdict, and where moves lead, and if they reset."""
        found = self._facts.get(position)
        if found is None:
            moves = self.game.moves(position)
            after = [(position.play(move), bool(position.resets(move))) for move in moves]
            outcome = int(position.outcome())
            verdict = outcome if outcome != OPEN or moves else int(position.stuck())
            found = self._facts[position] = outcome, verdict, after
        return found

    def evaluation(self, position: Any) -> Score:
        """What the game's evaluation says."""
        found = self._evaluations.get(position)
        if found is None:
            found = self._evaluations[position] = self.game.evaluate(position, self.evaluator)
        return found


class Solver:
    """The truth about the positions of one game; `patience` plies without a reset are a draw (0: never)."""

    def __init__(self, game: Any, patience: int, facts: Facts | None = None) -> None:
        self.patience = patience
        self.facts = facts or Facts(game)
        self.known: dict[Node, Score] = {}

    def settled(self, node: Node, drawn: frozenset[Any]) -> Score | None:
        """The score of a node where the game ends; None where it goes on."""
        position, clock = node
        verdict = self.facts(position)[1]
        if verdict != OPEN:
            return verdict * WIN
        if position in drawn or (self.patience and clock >= self.patience):
            return 0
        return None

    def after(self, node: Node) -> list[Node]:
        """The nodes that the moves lead to; the counter stands still where it does not count."""
        position, clock = node
        ways = self.facts(position)[2]
        return [(then, 0 if resets or not self.patience else clock + 1) for then, resets in ways]

    def value(self, position: Any, clock: int, drawn: frozenset[Any] = frozenset()) -> Score:
        """The true score of an open position for its side to move, by plies from here."""
        root = (position, clock if self.patience else 0)
        if not drawn and root in self.known:
            return self.known[root]
        # All nodes that can be reached without a reset; what lies behind one is solved before.
        scores: dict[Node, Score] = {}
        ways: dict[Node, list[Node]] = {}
        todo = [root]
        while todo:
            node = todo.pop()
            if node in ways:
                continue
            ways[node] = self.after(node)
            for then, (_, resets) in zip(ways[node], self.facts(node[0])[2], strict=True):
                end = self.settled(then, frozenset() if resets else drawn)
                if end is not None:
                    scores[then] = end
                elif resets:
                    scores[then] = self.value(*then)
                elif not drawn and then in self.known:
                    scores[then] = self.known[then]
                else:
                    todo.append(then)
        scores.pop(root, None)
        if self.patience:
            self._score_by_counter(ways, scores)
        else:
            self._score_by_distance(ways, scores)
        if not drawn:
            self.known.update((node, scores.get(node, 0)) for node in ways)
        return scores.get(root, 0)

    def _score_by_counter(self, ways: dict[Node, list[Node]], scores: dict[Node, Score]) -> None:
        """Add the scores of nodes whose moves count up: the higher counters first, and no circle is left."""
        for node in sorted(set(ways) - set(scores), key=lambda node: -node[1]):
            turn = node[0].turn
            scores[node] = max(
                nearer(scores[then] if then[0].turn == turn else -scores[then]) for then in ways[node]
            )

    def _score_by_distance(self, ways: dict[Node, list[Node]], scores: dict[Node, Score]) -> None:
        """Add the wins and losses in 1, 2, 3 ... plies; what is left at the end is drawn."""
        open_nodes = set(ways) - set(scores)
        plies, seen = 1, True
        while seen or plies <= 1 + max((WIN - abs(s) for s in scores.values() if s), default=0):
            seen = False
            for node in list(open_nodes):
                mine = [s if then[0].turn == node[0].turn else -s for then, s in self._of(ways[node], scores)]
                if max(mine, default=0) == WIN - plies + 1:
                    scores[node], seen = WIN - plies, True
                elif len(mine) == len(ways[node]) and max(mine) == plies - 1 - WIN:
                    scores[node], seen = plies - WIN, True
            open_nodes -= set(scores)
            plies += 1

    @staticmethod
    def _of(nodes: list[Node], scores: dict[Node, Score]) -> list[tuple[Node, Score]]:
        return [(node, scores[node]) for node in nodes if node in scores]


def drawn_by_return(history: History) -> frozenset[Any]:
    """The positions of the past whose next occurrence is a draw."""
    times = history.game.draws.repetition
    if not times:
        return frozenset()
    counts: dict[Any, int] = {history.position: 1}
    node = history.before
    for _ in range(history.clock):
        if node is None:
            break
        counts[node.position] = counts.get(node.position, 0) + 1
        node = node.before
    return frozenset(position for position, count in counts.items() if count >= times - 1)


def patience_of(history: History) -> int:
    """The counter's limit: the first that is not yet reached (a draw that nobody claimed goes on)."""
    draws = history.game.draws
    return next((plies for plies in (draws.plies, draws.last_plies) if history.clock < plies), 0)


class TooLarge(Exception):
    """Minimax would take too long."""


def minimax(
    history: History,
    depth: int,
    facts: Facts,
    answers: Mapping[Any, Score],
    seen: Seen,
    most: int = 20_000,
) -> dict[int, Score]:
    """The value of each root move, every line looked at until `depth` turns are spent.

    Depth is spent when the turn changes. In the tree any position that comes again is a draw; a
    position of the past, the root among them, is one when it has been there often enough. `answers` is
    what a database tells that knows no counter: a win that the counter may forestall is not believed.
    `seen` keeps the values of positions that know no past, whatever the root.
    """
    game, patience = history.game, patience_of(history)
    drawn, repeats = drawn_by_return(history), game.draws.repetition > 0
    count = 0

    def value(position: Any, clock: int, left: int, path: tuple[Any, ...]) -> Score:
        nonlocal count
        count += 1
        if count > most:
            raise TooLarge
        outcome, verdict, ways = facts(position)
        if outcome != OPEN:
            return outcome * WIN
        if repeats and clock and position in path:
            return 0
        if patience and clock >= patience:
            return 0 if verdict == OPEN else verdict * WIN
        answer = answers.get(position)
        late = answer is not None and is_decisive(answer) and clock + WIN - abs(answer) > patience > 0
        if answer is not None and not late:
            return answer
        if left <= 0:
            return facts.evaluation(position)
        memory = clock == 0 or not (repeats or patience)
        if memory and (position, left) in seen:
            return seen[position, left]
        line = (*path, position) if clock else (position,)
        scores = [move_value(position.turn, way, clock, left, line) for way in ways]
        best = max(scores) if scores else verdict * WIN
        if memory:
            seen[position, left] = best
        return best

    def move_value(turn: int, way: tuple[Any, bool], clock: int, left: int, path: tuple[Any, ...]) -> Score:
        after, clock = way[0], 0 if way[1] else clock + 1
        same = after.turn == turn
        score = value(after, clock, left if same else left - 1, path if clock else ())
        return nearer(score if same else -score)

    path = tuple(drawn)
    moves, ways = game.moves(history.position), facts(history.position)[2]
    turn, clock = history.turn, history.clock
    return {move: move_value(turn, way, clock, depth, path) for move, way in zip(moves, ways, strict=True)}
