"""Names of openings and ballots."""

import pytest

import plywise
from plywise.games.checkers.ballots import BALLOTS
from plywise.games.checkers.opening_names import openings_by_key, read_lines

GAME = plywise.load("checkers")


def test_each_line_is_played_and_leads_to_a_position_of_its_own() -> None:
    lines = list(read_lines())
    assert len(openings_by_key()) == len(lines) == len({moves for moves, _ in lines})
    assert {one.name for _, one in lines} >= {ballot.name for ballot in BALLOTS if ballot.name}


@pytest.mark.parametrize(
    ("moves", "name"),
    [
        ("11-15 23-19 8-11 22-17 11-16", "Glasgow"),
        ("11-15 23-19 8-11 22-17 4-8 17-13", "Old Fourteenth"),
        ("10-15 24-20 12-16", "Skunk"),  # the ballot is 12-16 24-20 10-15
        ("11-15 22-18 15x22 25x18", "Single Corner"),
    ],
)
def test_a_game_goes_by_its_opening(moves: str, name: str) -> None:
    assert str(GAME.history(f"start moves {moves}").opening) == name
