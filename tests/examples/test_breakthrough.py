"""Breakthrough: published counts, a slow twin, and how it ends."""

import pytest

from plywise.search.specialisation import perft_counter
from tests.conftest import named, walk

BREAKTHROUGH = named("examples/breakthrough")
COUNTS = (22, 484, 11132)


def test_paths_are_counted_as_published() -> None:
    count = perft_counter(BREAKTHROUGH, compiled=False)
    assert tuple(count(BREAKTHROUGH.start(), depth) for depth in range(1, 4)) == COUNTS


@pytest.mark.thorough("compiles the game")
def test_more_paths_are_counted_as_published() -> None:
    count = perft_counter(BREAKTHROUGH)
    assert tuple(count(BREAKTHROUGH.start(), depth) for depth in range(1, 5)) == (*COUNTS, 256036)


def slow_moves(text: str) -> set[str]:
    """The legal moves, pawn by pawn."""
    rows, side = text.split()
    cells = {
        f"{'abcdefgh'[x]}{8 - y}": cell for y, row in enumerate(rows.split("/")) for x, cell in enumerate(row)
    }
    ahead = 1 if side == "w" else -1
    found = set()
    for name, cell in cells.items():
        for aside in (-1, 0, 1):
            there = f"{chr(ord(name[0]) + aside)}{int(name[1]) + ahead}"
            if cell == side and there in cells and cells[there] != side and (aside or cells[there] == "."):
                found.add(name + there)
    return found


def test_whole_games_go_as_in_the_slow_twin() -> None:
    for seed in range(12):
        *going, last = walk(BREAKTHROUGH, seed, 300)
        for history in going:
            assert set(history.moves) == slow_moves(history.text)
            position, enemy = history.position, "bw"[history.turn]
            buffer: dict[int, int] = {}
            noisy = [buffer[i] for i in range(position.noisy(buffer, 0))]
            assert sorted(noisy) == sorted(
                move for move in BREAKTHROUGH.moves(position) if position.gain(move)
            )
            for move in noisy:
                assert history.play(move).text[:71].count(enemy) == history.text[:71].count(enemy) - 1
        assert last.outcome is not None and last.outcome.winner == 1 - last.turn


def test_the_first_on_the_far_row_wins_and_so_does_who_captures_all() -> None:
    run = BREAKTHROUGH.history("......../w......./......../......../......../......../b......./........ w")
    arrived = run.play("a7b8")
    assert arrived.outcome is not None
    assert (arrived.outcome.winner, arrived.outcome.reason) == (0, "white has reached the far row")
    bare = BREAKTHROUGH.history("......../......../......../.b....../w......./......../......../........ w")
    taken = bare.play("a4b5")
    assert taken.outcome is not None
    assert (taken.outcome.winner, taken.outcome.reason) == (0, "white has captured every pawn")


def test_the_boards_are_the_pawns_of_each_side() -> None:
    white, black = BREAKTHROUGH.start().boards()
    assert (white, black) == (0xFFFF, -(1 << 48))
