"""When to resign, to offer a draw, to take one."""

from plywise.core.history import History
from plywise.core.scores import is_sure

RESIGN_SCORE = -900  # hundredths; a rook and a queen down, and not for a moment only
RESIGN_MOVES = 4  # own moves in a row
DRAWISH_SCORE = 8  # hundredths that are nothing
DRAWISH_MOVES = 12  # own moves in a row before we offer a draw
OFFER_FROM = 80  # plies of a game before anybody should ask
OFFER_AGAIN = 40
ACCEPT_FROM = 30  # plies: before, nothing has been shown


class DrawPolicy:
    """Decides by the scores of our last searches; `draw_offered` is a draw offered while we think."""

    def __init__(self) -> None:
        self.resigns = True
        self.new_game()

    def new_game(self) -> None:
        self.scores: list[int] = []
        self.draw_offered = False
        self.last_offer = -OFFER_AGAIN

    def add_score(self, score: int, unit: int, history: History) -> None:
        """Remember the score of our move, in hundredths for us."""
        self.scores.append(score if is_sure(score) else round(score * 100 / unit))

    def should_resign(self) -> bool:
        """Whether every one of our last moves was hopeless, and it does not get better."""
        recent = self.scores[-RESIGN_MOVES:]
        return self.resigns and len(recent) == RESIGN_MOVES and max(recent) <= RESIGN_SCORE

    def accepts_draw(self, history: History) -> bool:
        """We take a draw when we do not stand better."""
        return bool(self.scores) and self.scores[-1] <= 0 and history.length >= ACCEPT_FROM

    def offers_draw(self, history: History) -> bool:
        """Whether to offer one: late, level for long, without progress, and not again and again."""
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
        """A draw that may be claimed is claimed unless we stand better; else the game goes on."""
        return history.claimable and bool(self.scores) and self.scores[-1] <= 0
