"""Adjudication: end a game early when both players agree on the score, or when it is too long."""

from dataclasses import dataclass, field

from plywise.core.errors import PlywiseError
from plywise.core.outcome import Outcome
from plywise.core.untrusted import shorten, whole_number
from plywise.core.wording import count_text

MAX_NUMBER = 999_999  # in a rule
MAX_PLIES = 1000  # of a game: games without a draw rule must end, too


@dataclass(frozen=True, slots=True)
class AdjudicationRules:
    """When to end a game early. Scores are in hundredths of the game's unit.

    `win`: MOVES, SCORE: for that many moves of each side, both saw at least that score for one side.
    `draw`: FROM, MOVES, SCORE: the same with at most that score, from a move number on. A game of
    `longest` plies is drawn.
    """

    win: tuple[int, int] | None = None
    draw: tuple[int, int, int] | None = None
    longest: int = MAX_PLIES

    @classmethod
    def parse(
        cls, win: str | None = None, draw: str | None = None, longest: int | None = None
    ) -> "AdjudicationRules":
        """Parse `MOVES,SCORE` and `FROM,MOVES,SCORE`.

        >>> AdjudicationRules.parse("4,900", "40,8,10").draw
        (40, 8, 10)
        """
        wins = _numbers("win", "MOVES,SCORE, like 4,900", win, 2)
        draws = _numbers("draw", "FROM,MOVES,SCORE, like 40,8,10", draw, 3)
        return cls(
            (wins[0], wins[1]) if wins else None,
            (draws[0], draws[1], draws[2]) if draws else None,
            MAX_PLIES if longest is None else longest,
        )


def _numbers(rule: str, form: str, text: str | None, count: int) -> list[int]:
    if text is None:
        return []
    words = text.split(",")
    try:
        numbers = [whole_number(word.strip(), 0, MAX_NUMBER) for word in words[: count + 1]]
    except ValueError:
        numbers = []
    if len(numbers) != count:
        raise PlywiseError(f"the rule for calling a {rule} reads {form}, not {shorten(text)!r}")
    if min(numbers[:-1]) < 1:
        raise PlywiseError(f"the rule for calling a {rule} counts moves from 1 up, not {text!r}")
    return numbers


@dataclass(slots=True)
class Adjudicator:
    """Counts the scores of one game, and decides when to end it."""

    rules: AdjudicationRules
    # By side, the own moves in a row with a winning, a losing and an even score.
    ahead: list[int] = field(default_factory=lambda: [0, 0])
    behind: list[int] = field(default_factory=lambda: [0, 0])
    balanced: list[int] = field(default_factory=lambda: [0, 0])

    def add_score(self, side: int, score: int | None) -> None:
        """Count the score of a move, for the side that moved; None if it gave none."""
        win, draw = self.rules.win, self.rules.draw
        sure = score is not None and win is not None and abs(score) >= win[1]
        self.ahead[side] = self.ahead[side] + 1 if sure and score is not None and score > 0 else 0
        self.behind[side] = self.behind[side] + 1 if sure and score is not None and score < 0 else 0
        low = score is not None and draw is not None and abs(score) <= draw[2]
        self.balanced[side] = self.balanced[side] + 1 if low else 0

    def outcome(self, plies: int) -> Outcome | None:
        """The outcome if the game is to end now, after `plies` plies."""
        win, draw = self.rules.win, self.rules.draw
        if win is not None:
            for side in (0, 1):
                if self.ahead[side] >= win[0] and self.behind[1 - side] >= win[0]:
                    moves = count_text(win[0], "move")
                    return Outcome(side, f"called: both saw {win[1]} or more for {moves}")
        if draw is not None and plies >= 2 * draw[0] and min(self.balanced) >= draw[1]:
            moves = count_text(draw[1], "move")
            return Outcome(None, f"called: both saw no more than {draw[2]} for {moves}")
        if plies >= self.rules.longest:
            return Outcome(None, f"called: {plies} plies")
        return None
