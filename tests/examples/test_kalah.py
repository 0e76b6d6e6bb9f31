"""Kalah: small boards that were solved, and the same rules written for another board in the tests."""

import pytest

from plywise import WON, Engine, Kind
from plywise.core.outcome import DRAWN, LOST
from tests.conftest import interpreted, named, walk

KALAH = named("examples/kalah")
SMALL = named("samples/kalah")  # compiled, three pits: written for the search's tests

# What the first side reaches with this many pits and stones in each: Irving, Donkers and Uiterwijk, "Solving
# Kalah", ICGA Journal 23 (2000), table 1.
SOLVED = {
    (1, 1): DRAWN,
    (1, 2): LOST,
    (1, 3): WON,
    (1, 4): LOST,
    (2, 1): WON,
    (2, 2): LOST,
    (2, 3): LOST,
    (3, 1): DRAWN,
    (3, 2): WON,
}


@pytest.mark.parametrize(("size", "verdict"), SOLVED.items())
def test_small_boards_end_as_published(size: tuple[int, int], verdict: int) -> None:
    pits, count = size
    row = "-".join([str(count)] * pits + ["0"])
    result = Engine(KALAH, hash=16).search(KALAH.history(f"{row}/{row} south"), depth=60)
    assert result.kind in (Kind.PROVEN, Kind.EXACT)
    assert (result.score > 0) - (result.score < 0) == {WON: 1, LOST: -1, DRAWN: 0}[verdict]


def test_games_on_three_pits_go_as_in_the_other_source() -> None:
    """The moves there are pits 0 to 2, and the text has commas and the number of the side."""
    for seed in range(30):
        one = KALAH.history("2-2-2-0/2-2-2-0 south")
        with interpreted():
            for other in walk(SMALL, seed, 80):
                if other.move is not None:
                    one = one.play("abcABC"[3 * one.turn + other.move])
                words = one.text.replace("-", ",").replace("south", "0").replace("north", "1")
                assert words == other.text
                assert len(one.moves) == len(other.moves)
                assert (one.outcome and one.outcome.winner) == (other.outcome and other.outcome.winner)
        assert one.outcome is not None


def test_stones_go_around_past_the_enemys_store() -> None:
    history = KALAH.history("0-1-0-0-0-9-0/4-0-0-0-0-0-3 south").play("f")
    assert history.text == "1-2-0-0-0-0-1/5-1-1-1-1-1-3 north"
    taken = KALAH.history("1-0-0-0-0-1-0/4-4-4-4-4-4-0 south").play("a")
    assert taken.text == "0-0-0-0-0-1-5/4-4-4-4-0-4-0 north"
    again = KALAH.history().play("c")
    assert again.turn == 0 and again.text.startswith("4-4-0-5-5-5-1/")
