"""Games on more than 64 cells are seen as the words of their sets."""

from pathlib import Path

import pytest

import plywise
from plywise.core.net_file import boards_of, names_boards
from plywise.core.wide_position import from_words, word_names
from plywise.learn.selfplay import SelfPlay
from plywise.learn.shapes import shape_of

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(("name", "words"), [("hex", 4), ("gomoku", 8)])
def test_sets_of_cells_are_seen_word_by_word(name: str, words: int) -> None:
    game = plywise.load(str(EXAMPLES / f"{name}.py"))
    position = game.history().play(game.history().moves[0]).position
    assert not names_boards(game)
    assert word_names(game.position).count("turn") == 1
    boards = boards_of(game, position)
    assert from_words(game.position, boards) == position
    shape = shape_of(game, hidden=16)
    assert shape.boards == len(boards)
    assert bin(shape.seen & (1 << shape.boards) - 1).count("1") == words


@pytest.mark.thorough("compiles self-play twice")
def test_such_a_game_plays_itself_compiled_as_interpreted() -> None:
    game = plywise.load(str(EXAMPLES / "hex.py"))
    shape = shape_of(game, hidden=16)
    for whole in (False, True):
        there, here = (SelfPlay(game, shape, compiled=way, whole=whole) for way in (True, False))
        rows = there.play(3, range(1), 5)
        assert len(rows) > 5
        assert rows.tobytes() == here.play(3, range(1), 5).tobytes()
