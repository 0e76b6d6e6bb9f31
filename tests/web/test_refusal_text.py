"""What the page says when it refuses: short, and without what everybody sees."""

import pytest

import plywise
from plywise.core.errors import PlywiseError
from plywise.web.refusal_text import refusal_text


def words(game: str, move: str, position: str = "start") -> str:
    with pytest.raises(PlywiseError) as refused:
        plywise.load(game).history(position).play(move)
    return refusal_text(refused.value)


def test_a_move_is_refused_in_a_short_sentence() -> None:
    assert words("chess", "Ke5") == "Ke5 is not possible: the king on e1 cannot go to e5."
    assert words("tic_tac_toe", "zz").startswith("zz is not possible: x can play ")


def test_a_position_is_refused_without_its_text() -> None:
    refused = words("chess", "e4", "rnbqkbnr/pppp/8 w")
    assert refused.startswith("This position cannot be set up: a FEN has six fields")
    assert "pppp" not in refused


def test_other_refusals_stay_as_they_are() -> None:
    assert refusal_text(PlywiseError("the disk is full")) == "the disk is full"
