"""A whole game of each game, by mouse, by keyboard and by touch."""

from collections.abc import Callable

import pytest

import plywise
from plywise.web.payloads import outcome_payload
from tests.page.games import WHOLE
from tests.page.visitor import Visitor

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.mark.parametrize("hand", ["mouse", "keys", "touch"])
@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_game_is_played(name: str, hand: str, visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(**(PHONE if hand == "touch" else {}))
    game = plywise.load(name)
    visitor.begin(name)
    history = visitor.play(game, WHOLE[name].split(), hand)
    assert history.outcome is not None
    ended = visitor.see("#status .outcome strong").inner_text()
    said = outcome_payload(game.as_drawn(), history.outcome)  # the sides as the page calls them
    assert said is not None and ended.lower().startswith(said["words"].lower())
    board = game.board(history.position)
    assert visitor.pieces() == sum(piece is not None for piece in board.pieces)


@pytest.mark.parametrize("hand", ["mouse", "keys", "touch"])
def test_a_skirmish_is_fought_to_its_end(hand: str, visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(**(PHONE if hand == "touch" else {}))
    # Both sides give orders, then the turn is shown. Archers with 5 left die: a footman hits for 6 to 16.
    visitor.begin("skirmish", "5x4 F1,1:160 F3,3:160 A2,1:5 A4,3:5 F1")
    act = getattr(visitor, f"by_{hand}")
    act(["2,1"])  # F1 is in hand already: it is the only one that can act
    visitor.see("#status >> text=Chosen: F1xA1.")
    act(["4,3"])
    visitor.see("#status >> text=Orders for the archers")
    act(["1,1"])
    visitor.see("#status >> text=Chosen: A1xF1.")
    act(["3,3"])
    ended = visitor.see("#status .outcome strong").inner_text()
    assert "footmen" in ended.lower()
    assert visitor.moves() == ["F1xA1 F2xA2 | A1xF1 A2xF2"]
    assert visitor.pieces() == 2
