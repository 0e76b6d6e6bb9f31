"""When to resign, and when to offer, accept or claim a draw."""

from plywise.core.history import History
from plywise.core.scores import is_sure
from plywise.play.draw_offer import takes_draw
from plywise.play.win_chance import win_chance

HUNDREDTHS = 100  # the unit of our scores here
RESIGN_SCORE = -900  # hundredths; a rook and a queen down, and not for a moment only
RESIGN_MOVES = 4  # own moves in a row
DRAWISH_SCORE = 8  # hundredths up to which a position counts as level
DRAWISH_MOVES = 12  # own moves in a row before we offer a draw
OFFER_FROM = 80  # plies of a game before we offer a draw
OFFER_AGAIN = 40


class DrawPolicy:
    """Decides by the scores of our last searches; `draw_offered` is a draw offered while we think."""

    def __init__(self) -> None:
        self.resigns = True
        self.new_game()

    def new_game(self) -> None:
        self.scores: list[int] = []
        self.draw_offered = False
        self.last_offer = -OFFER_AGAIN

    def add_score(self, score: int, unit: int) -> None:
        """Remember the score of our move, in hundredths for us."""
        self.scores.append(score if is_sure(score) else round(score * 100 / unit))

    def should_resign(self) -> bool:
        """Whether all our last scores were hopeless and do not improve."""
        recent = self.scores[-RESIGN_MOVES:]
        return self.resigns and len(recent) == RESIGN_MOVES and max(recent) <= RESIGN_SCORE

    def accepts_draw(self, history: History) -> bool:
        """Whether we take a draw, by the score of our last move."""
        return bool(self.scores) and takes_draw(
            history.length, win_chance(self.scores[-1], history.game, HUNDREDTHS)
        )

    def offers_draw(self, history: History) -> bool:
        """Whether to offer a draw: late, level for long, without progress, and not too often."""
        recent = self.scores[-DRAWISH_MOVES:]
        due = (
            history.length >= OFFER_FROM
            and history.length - self.last_offer >= OFFER_AGAIN
            and len(recent) == DRAWISH_MOVES
            and max(map(abs, recent)) <= DRAWISH_SCORE
            and history.clock >= 16
        )
        if due:
            self.last_offer = history.length
        return due

    def claims_draw(self, history: History) -> bool:
        """Whether to claim a draw that may be claimed: unless our score is better than level."""
        return history.claimable and bool(self.scores) and self.scores[-1] <= 0
