"""Errors of others are said in one way, with the place in the author's file."""

from pathlib import Path

import pytest

import plywise
from plywise.core.errors import PlywiseError, author_frame, exception_text

FAILING = """
import json
from dataclasses import dataclass
from plywise import game

@game("failing")
@dataclass(frozen=True)
class Failing:
    turn: int = 0

    def moves(self):
        return json.loads("{")

    def play(self, move):
        return self
"""


def test_an_error_is_said_by_its_kind_and_its_words() -> None:
    assert exception_text(TypeError("no number")) == "TypeError: no number"
    assert exception_text(KeyError()) == "KeyError"


def test_the_place_of_an_error_is_in_the_file_of_the_author(tmp_path: Path) -> None:
    file = tmp_path / "failing.py"
    file.write_text(FAILING)
    game = plywise.load(str(file))
    with pytest.raises(ValueError, match="Expecting property name") as error:
        game.moves(game.start())
    frame = author_frame(error.value)
    assert frame is not None
    assert (frame.filename, frame.lineno, frame.name) == (str(file), 12, "moves")


def test_an_error_that_never_left_plywise_has_no_author() -> None:
    assert author_frame(ValueError("made here, raised nowhere")) is None


def test_what_an_error_quotes_is_no_command_to_a_terminal() -> None:
    error = PlywiseError("weights \x1b]0;evil\x07\u202e\x9b2J.json:\r\nbad \udcff é 日本")
    assert str(error) == r"weights \x1b]0;evil\x07\u202e\x9b2J.json: bad \udcff é 日本"
    assert len(str(PlywiseError("\x1b" * 100_000))) < 3000
