"""Every claim of a search, held against the truth."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from plywise import History, Kind, Outcome, Result
from plywise.core.scores import WIN, is_decisive, is_sure
from tests.prover.solver import Seen, Solver, TooLarge, drawn_by_return, minimax, nearer, patience_of


@dataclass
class Truth:
    """What is true of a history: the value of each root move, and minimax where it is asked for."""

    history: History
    solver: Solver
    answers: dict[Any, int] = field(default_factory=dict)  # what the database tells
    seen: Seen = field(default_factory=dict)  # minimax values, for histories of the same patience
    _minimax: dict[int, dict[int, int] | None] = field(default_factory=dict)
    _ends: dict[tuple[int, ...], "End"] = field(default_factory=dict)
    checked: set[Any] = field(default_factory=set)  # claims that were found true

    def __post_init__(self) -> None:
        game, position = self.history.game, self.history.position
        assert self.solver.patience == patience_of(self.history)
        drawn = drawn_by_return(self.history)
        self.moves = game.moves(position)
        self.values: dict[int, int] = {}
        for move in self.moves:
            resets = bool(position.resets(move))
            then = (position.play(move), 0 if resets else self.history.clock + 1)
            behind = frozenset() if resets else drawn
            score = self.solver.settled(then, behind)
            if score is None:
                score = self.solver.value(*then, behind)
            self.values[move] = nearer(score if then[0].turn == position.turn else -score)

    def minimax(self, depth: int) -> dict[int, int] | None:
        """The minimax values of the root moves at a depth; None if that takes too long."""
        if depth not in self._minimax:
            try:
                self._minimax[depth] = minimax(
                    self.history,
                    depth,
                    self.solver.facts,
                    self.answers,
                    self.seen,
                )
            except TooLarge:
                self._minimax[depth] = None
        return self._minimax[depth]

    def end(self, numbers: tuple[int, ...]) -> "End":
        """Where a line leads; its moves are legal, and none comes after the end of the game."""
        found = self._ends.get(numbers)
        if found is None:
            game = self.history.game
            if not numbers:
                found = End(self.history, (), game.outcome(self.history.position))
            else:
                before = self.end(numbers[:-1])
                assert before.ended is None or len(numbers) == 1, f"the line goes on after the end: {numbers}"
                text = game.move_text(before.history.position, numbers[-1])
                history = before.history.play(numbers[-1])
                found = End(history, (*before.texts, text), game.outcome(history.position))
            self._ends[numbers] = found
        return found


class End(NamedTuple):
    """The end of a line: its history, its moves as text, and the outcome if the position is over."""

    history: History
    texts: tuple[str, ...]
    ended: Outcome | None


def check_lines(
    truth: Truth, lines: Sequence[Any], roots: list[int], depth: int, exact: bool, whole: bool = True
) -> None:
    """Lines are legal, unique and ordered, and what they call proven, exact or a bound is true.

    `exact` says that the search has nothing unsound, `whole` that proven lines are played to the end.
    """
    values = truth.values
    firsts = [line.numbers[0] for line in lines]
    assert len(set(firsts)) == len(firsts), f"a move has two lines: {firsts}"
    assert set(firsts) <= set(roots), f"not asked for: {firsts}"
    scores = [line.score for line in lines]
    assert scores == sorted(scores, reverse=True), f"not in order: {scores}"
    for i, line in enumerate(lines):
        # The same claim about the same moves is true again; only what is exact speaks of a depth.
        of_depth = depth if line.kind is Kind.EXACT else 0
        claim = (line, tuple(roots) if i == 0 else None, of_depth, exact, whole)
        if claim in truth.checked:
            continue
        _, texts, ended = truth.end(line.numbers)
        assert line.moves == texts, f"the moves are {texts}: {line}"
        true = values[line.numbers[0]]
        best = max(values[root] for root in roots)
        of = [true, best] if i == 0 else [true]
        score = line.score
        if line.kind is Kind.PROVEN:
            for value in of:
                if is_decisive(score):
                    assert value == score, f"called proven: {said(score)}, the truth is {said(value)}: {line}"
                elif is_sure(score):
                    assert is_sure(value) and value * score > 0, f"proven {score}, truth {said(value)}"
                else:
                    assert score == value == 0, f"called proven: {said(score)}, the truth is {said(value)}"
            if whole and is_decisive(score):
                assert line.plies == len(line.numbers), f"not complete: {line}"
                assert ended is not None and ended.winner is not None, f"does not end: {line}"
        elif line.kind is Kind.BOUND and is_sure(score):
            for value in of:
                assert is_sure(value) and value * score > 0, f"bound {said(score)}, truth {said(value)}"
                if is_decisive(score):
                    assert abs(value) >= abs(score), f"bound {said(score)}, truth {said(value)}: {line}"
        elif line.kind is Kind.EXACT:
            assert exact, f"exact, with unsound pruning: {line}"
            expected = truth.minimax(depth)
            if expected is not None:
                assert score == expected[line.numbers[0]], (
                    f"called exact: {score}, minimax at depth {depth} is {expected[line.numbers[0]]}: {line}"
                )
                if i == 0:
                    most = max(expected[root] for root in roots)
                    assert score == most, f"called exact: {score}, the best at depth {depth} is {most}"
        truth.checked.add(claim)


def check_mate(truth: Truth, result: Result, roots: list[int], moves: int) -> None:
    """A search for a win that was not stopped finds it if there is one of so few plies.

    A database that knows of a win but not of its length may hide it.
    """
    best = max(truth.values[root] for root in roots)
    if best >= WIN - (2 * moves - 1) and not truth.answers:
        assert result.kind is Kind.PROVEN, f"a win was missed: {said(best)}"
    if result.kind is Kind.PROVEN:
        assert result.score > 0


def said(score: int) -> str:
    """A score for a message."""
    if is_decisive(score):
        return f"{'win' if score > 0 else 'loss'} in {WIN - abs(score)}"
    return "won" if score > 0 and is_sure(score) else "lost" if is_sure(score) else str(score)
