"""Scores, counts, lines of moves and results in words, for every front end alike."""

from collections.abc import Iterable

from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.outcome import Outcome
from plywise.core.scores import Kind, distance, is_sure

UNFINISHED = "*"  # the result of a game that has not ended, as PGN writes it


def score_text(score: int, unit: int = 100) -> str:
    """The score for the side to move: `win in 3`, `loss in 8`, `+0.25`."""
    plies = distance(score)
    if plies is not None:
        return f"{'win' if score > 0 else 'loss'} in {plies}"
    if is_sure(score):
        return "won" if score > 0 else "lost"
    return "0" if score == 0 else f"{score / unit:+.2f}" if unit > 1 else f"{score:+d}"


def side_score_text(
    game: Game, turn: int, score: int, kind: Kind | None, unit: int, moves: int | None = None
) -> str:
    """The score in words that name the side ahead, so that no sign can be misread: `black wins in 3 plies`.

    `turn` is the side to move, for which scores count; `unit` is the evaluation's. A win is counted in the
    winner's own `moves` where they are given, else in plies.
    """
    winner = turn if score > 0 else 1 - turn
    side, plies = game.sides[winner], distance(score)
    if plies == 0:
        return f"{side} {'have' if is_plural(side) else 'has'} won"
    if plies is not None:
        many = plies_text(plies) if moves is None else count_text(moves, "move")
        if kind is Kind.ESTIMATE:  # a search that was stopped has not looked at every move
            return f"{side} may win in {many}"
        return f"{wins_text(game, winner)} in {'' if kind is Kind.PROVEN else 'at most '}{many}"
    if is_sure(score):
        return f"{side} may win" if kind is Kind.ESTIMATE else wins_text(game, winner)
    if score == 0:
        # The only bound of 0 is the answer of a search for a win within so many turns: there is none.
        return "a draw" if kind is Kind.PROVEN else "no win so soon" if kind is Kind.BOUND else "even"
    return f"{side} +{points_text(score, unit)}"


def wins_text(game: Game, side: int, first: bool = False) -> str:
    """`White wins`, `footmen win`; `Footmen win` at the start of a sentence."""
    name = game.sides[side]
    return f"{side_first(name) if first else name} {'win' if is_plural(name) else 'wins'}"


def is_plural(side: str) -> bool:
    """Whether the name of a side means several: `archers`, `footmen`."""
    word = side.split()[-1].lower() if side.split() else ""
    return word.endswith("men") or (word.endswith("s") and not word.endswith("ss"))


def side_first(side: str) -> str:
    """A side's name at the start of a sentence; a letter, as in tic-tac-toe, stays as it is.

    >>> side_first("red"), side_first("x")
    ('Red', 'x')
    """
    return side if len(side) == 1 else side[:1].upper() + side[1:]


def points_text(points: float, unit: int) -> str:
    """Points without a sign, in the evaluation's unit: `0.35`, or whole where its unit is one."""
    return f"{abs(points) / unit:.2f}" if unit > 1 else f"{abs(points):.0f}"


def count_text(number: int, word: str) -> str:
    """`1 move`, `2,000 moves`."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def with_article(word: str) -> str:
    """`a mistake`, `an inaccuracy`."""
    return f"{'an' if word[:1] in 'aeiou' else 'a'} {word}"


def plies_text(plies: int) -> str:
    """`1 ply`, `2 plies`."""
    return f"{plies} {'ply' if plies == 1 else 'plies'}"


def line_labels(history: History, numbers: Iterable[int]) -> list[str]:
    """The moves of a line from here, by their numbers, as a list of moves shows them."""
    position, found = history.position, []
    for number in numbers:
        found.append(history.game.label(position, number))
        position = position.play(number)
    return found


def large_number(number: float) -> str:
    """A large number as people say it: `1.2 million`."""
    for size, word in ((1e9, "billion"), (1e6, "million")):
        if number >= size:
            return f"{number / size:.1f} {word}"
    return f"{number:,.0f}"


WINNERS = {"1-0": 0, "0-1": 1, "1/2-1/2": None}  # by the result of a game that has ended


def result_text(outcome: Outcome | None) -> str:
    """The result as PGN and the protocols write it, the first side's points first: `1-0`, `1/2-1/2`, `*`."""
    if outcome is None:
        return UNFINISHED
    return next(text for text, winner in WINNERS.items() if winner == outcome.winner)
