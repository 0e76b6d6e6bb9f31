"""Gomoku: five in a row against a slow twin, and the sums of the evaluation."""

import random

import pytest

from plywise import Engine
from plywise.core.scores import Kind
from plywise.search.specialisation import perft_counter
from plywise.search.switches import UNSOUND
from tests.conftest import named, walk

GOMOKU = named("examples/gomoku")
WAYS = ((1, 0), (0, 1), (1, 1), (1, -1))


def stretches(cells: dict[tuple[int, int], str]) -> list[str]:
    """All stretches of five cells."""
    lines = ([(x + i * dx, y + i * dy) for i in range(5)] for x, y in cells for dx, dy in WAYS)
    return [
        "".join(cells[place] for place in line) for line in lines if all(place in cells for place in line)
    ]


def read(text: str) -> dict[tuple[int, int], str]:
    return {(x, y): cell for y, row in enumerate(text.split()[0].split("/")) for x, cell in enumerate(row)}


def test_whole_games_end_with_five_in_a_row() -> None:
    for seed in range(4):
        *going, last = walk(GOMOKU, seed, 300)
        for history in going[::9]:
            cells = read(history.text)
            assert len(history.moves) == len(set(history.moves)) == list(cells.values()).count(".")
            assert not {"xxxxx", "ooooo"} & set(stretches(cells))
        assert last.outcome is not None
        won = {"xxxxx": 0, "ooooo": 1}
        assert [won[one] for one in set(stretches(read(last.text))) if one in won] == [last.outcome.winner]


def test_a_full_board_without_five_is_drawn() -> None:
    rows = ["xxoo" * 4, "ooxx" * 4]
    text = "/".join(rows[y % 2][:15] for y in range(15))
    assert not {"xxxxx", "ooooo"} & set(stretches(read(text)))
    outcome = GOMOKU.history(f"{text} x").outcome
    assert outcome is not None and (outcome.winner, outcome.reason) == (None, "the board is full")


def test_the_evaluation_adds_up_stretches_as_a_slow_count_does() -> None:
    worth = {2: 1, 3: 4, 4: 30}
    dice = random.Random(5)
    for _ in range(60):
        share = dice.choice((4, 8, 20))
        cells = ["".join(dice.choice("xo" + "." * share) for _ in range(15)) for _ in range(15)]
        text = "/".join(cells) + " " + dice.choice("xo")
        position = GOMOKU.parse(text)
        own, enemy = "xo" if position.turn == 0 else "ox"
        found = stretches(read(text))
        total = sum(worth.get(one.count(own), 0) for one in found if enemy not in one and one != own * 5)
        total -= sum(worth.get(one.count(enemy), 0) for one in found if own not in one and one != enemy * 5)
        # Five in a row are digits 1 and 4, so they count as four; such a game is over.
        total += 30 * (found.count(own * 5) - found.count(enemy * 5))
        assert position.evaluate() == total + 4


def test_candidates_are_the_cells_beside_stones_and_come_first() -> None:
    buffer: dict[int, int] = {}
    assert [buffer[i] for i in range(GOMOKU.start().candidates(buffer, 0))] == [16 * 7 + 7]
    for history in walk(GOMOKU, 2, 60):
        if history.length == 0 or history.outcome is not None:
            continue
        cells, position = read(history.text), history.position
        beside = {
            f"{'abcdefghijklmno'[x]}{15 - y}"
            for (x, y), cell in cells.items()
            if cell == "."
            and any(cells.get((x + dx, y + dy), ".") != "." for dx in (-1, 0, 1) for dy in (-1, 0, 1))
        }
        end = position.candidates(buffer, 0)
        assert {position.move_text(buffer[i]) for i in range(end)} == beside == set(history.moves[:end])


def test_a_result_says_that_moves_were_left_out() -> None:
    history = GOMOKU.history("start moves h8 h9 i9 g7 j8")
    sound = Engine(GOMOKU, hash=1, compiled=False, without=["unsound"])
    some = Engine(GOMOKU, hash=1, compiled=False, without=set(UNSOUND) - {"candidates"})
    every, few = (engine.search(history, depth=2) for engine in (sound, some))
    assert few.nodes < every.nodes
    assert (every.kind, few.kind) == (Kind.EXACT, Kind.ESTIMATE)


@pytest.mark.thorough("compiles the game")
def test_it_searches_the_same_compiled() -> None:
    assert perft_counter(GOMOKU).specialisation.compiled
    assert perft_counter(GOMOKU)(GOMOKU.start(), 3) == 225 * 224 * 223
    history = GOMOKU.history("start moves h8 h9 i9 g7 j8")
    native, plain = Engine(GOMOKU, hash=16), Engine(GOMOKU, hash=16, compiled=False)
    one, other = native.search(history, depth=2), plain.search(history, depth=2)
    assert (one.nodes, one.score, one.move) == (other.nodes, other.score, other.move)
