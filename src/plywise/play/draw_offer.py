"""Whether Plywise takes a draw that it is offered: one rule for the terminal, the page and XBoard."""

EARLY_PLIES = 30  # of a game: so early an offer is declined, for nearly everything is still to be played
AS_GOOD_AS_LOST = 0.1  # the chance up to which a draw is welcome at any time


def takes_draw(plies: int, chance: float) -> bool:
    """Whether to take a draw after so many plies with this share of the points to expect.

    Late it takes one unless it stands better; early only if it is as good as lost.

    >>> takes_draw(3, 0.45), takes_draw(3, 0.05), takes_draw(40, 0.5), takes_draw(40, 0.6)
    (False, True, True, False)
    """
    return chance <= (0.5 if plies >= EARLY_PLIES else AS_GOOD_AS_LOST)
