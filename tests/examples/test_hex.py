"""Hex: the winner against a slow twin, the swap, and that every full board has one winner."""

import random

import pytest

from plywise.search.specialisation import perft_counter
from tests.conftest import named

HEX = named("examples/hex")
BESIDE = ((0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1))  # row, column


def joins(rows: list[str], stone: str) -> bool:
    """Whether a side has joined its edges; red goes from the top down, blue from left to right."""
    cells = {(y, x) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell == stone}
    way = 0 if stone == "r" else 1
    front = [cell for cell in cells if cell[way] == 0]
    seen = set(front)
    while front:
        y, x = front.pop()
        if (y, x)[way] == 10:
            return True
        more = {(y + dy, x + dx) for dy, dx in BESIDE} & cells - seen
        seen |= more
        front += more
    return False


def test_the_winner_is_who_joins_the_edges() -> None:
    dice = random.Random(3)
    won = 0
    for _ in range(300):
        stones = dice.choice((60, 90, 121))
        cells = list("rb" * 61)[:stones] + ["."] * (121 - stones)
        dice.shuffle(cells)
        rows = ["".join(cells[i : i + 11]) for i in range(0, 121, 11)]
        red, blue = joins(rows, "r"), joins(rows, "b")
        assert not (red and blue)
        assert stones < 121 or red or blue
        if red or blue:
            text = "/".join(rows) + (" b" if red else " r")
            outcome = HEX.history(text).outcome
            assert outcome is not None and outcome.winner == (0 if red else 1)
            won += 1
        else:
            assert all(HEX.history("/".join(rows) + side).outcome is None for side in (" r", " b"))
    assert won > 100


def test_the_second_move_may_take_over_the_first() -> None:
    first = HEX.history("start moves c2")
    assert first.moves[0] == "swap" and len(first.moves) == 121
    swapped = first.play("swap")
    assert swapped.turn == 0
    assert swapped.text.split("/")[2] == ".b........."  # c2 mirrored: b3
    assert "swap" not in swapped.moves and "swap" not in HEX.history("start moves c2 d4 e5").moves


def test_the_evaluation_counts_the_stones_to_go() -> None:
    assert HEX.start().evaluate() == 50
    rows = ["." * 11] * 11
    column = HEX.parse("/".join(["...r......."] * 6 + rows[6:]) + " r")
    assert column.evaluate() == 100 * (11 - 5) + 50  # blue has to go around or through: eleven stones
    assert HEX.parse("/".join(["...r......."] * 6 + rows[6:]) + " b").evaluate() == -600 + 50


@pytest.mark.thorough("compiles the game")
def test_paths_are_counted_compiled() -> None:
    counter = perft_counter(HEX)
    assert counter.specialisation.compiled
    # After the swap one stone lies on the board and 120 cells are empty, as after any reply but one.
    assert counter(HEX.start(), 3) == 121 * (120 * 119 + 120)
