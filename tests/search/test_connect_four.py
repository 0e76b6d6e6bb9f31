"""Connect Four solved by proof: exact scores, by the general search."""

import pytest

import plywise
from connect_four_solve import published
from tests.oracles import oracle

GAME = plywise.load("connect_four")

# Positions of our own, with what exhaustive minimax over the rest of the board says.
KNOWN = {
    "2252576253462244111563365343671351441": (-1, 4),
    "7422341735647741166133573473242566": (1, 7),
    "23163416124767223154467471272416755633": (0, None),
}


@pytest.fixture(scope="module")
def engine() -> plywise.Engine:
    return plywise.Engine(GAME, hash=4)


@pytest.mark.parametrize(("columns", "known"), KNOWN.items())
def test_endings_equal_minimax(engine: plywise.Engine, columns: str, known: tuple[int, int]) -> None:
    history = GAME.history(columns)
    result = engine.search(history)
    assert (published(columns, result.score), result.plies) == known
    assert result.kind == "proven"
    minimax = plywise.Engine(GAME, player="minimax").search(history)
    assert (minimax.score, minimax.kind) == (result.score, "proven")


@pytest.mark.parametrize("file", ["end_easy.txt", "middle_easy.txt"])
def test_fifty_published_positions_are_solved(engine: plywise.Engine, file: str) -> None:
    lines = oracle(f"connect4/{file}").read_text().splitlines()
    for line in lines[:: len(lines) // 25][:25]:
        columns, score = line.split()
        engine.clear()
        result = engine.search(GAME.history(columns))
        assert (published(columns, result.score), result.kind) == (int(score), "proven"), line


def test_the_lines_of_text_round_trip_and_bad_ones_name_the_move() -> None:
    for text, reason in (
        ("44444444", r"move 7 \('4'\) goes into a full column"),
        ("12121212", r"move 8 \('2'\) comes after the end: x has four in a row"),
        ("4x", r"move 2 \('x'\) is no column from 1 to 7"),
    ):
        with pytest.raises(plywise.PlywiseError, match=reason):
            GAME.history(text)
