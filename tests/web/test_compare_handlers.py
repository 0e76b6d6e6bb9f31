"""Side by side on the page: two seats on one position, and what cannot be compared."""

from dataclasses import replace

import pytest

import plywise
from plywise.explain.side_by_side import view
from plywise.play.seat import read_seat
from plywise.web import compare_handlers
from plywise.web.compare_handlers import view_payload
from tests.web.page import Page, Refusal


def test_two_seats_are_shown_beside_each_other(page: Page) -> None:
    id = page.new("tic_tac_toe", position="x.x.o.... o")
    found = page.ask("side-by-side", game=id, node=0, seats=["level=1", "default"], nodes=500)
    weak, strong = found["views"]
    assert strong["said"] == "b3" and strong["lines"] and strong["tree"]["left"][0] == 0
    assert weak["depth"] == 1 and weak["name"].startswith("level 1")


def test_an_order_that_scores_deny_is_explained() -> None:
    game = plywise.load("chess")
    history = game.history()
    found = view(history, read_seat(game, "default"), 100, compiled=False)
    first, second = found.lines[0], replace(found.lines[1], score=found.lines[0].score + 11)
    assert view_payload(history, replace(found, lines=(first,)))["note"] == ""
    note = view_payload(history, replace(found, lines=(first, second)))["note"]
    label = game.label(history.position, second.numbers[0])
    assert note.startswith(f"{label} scores higher") and note.endswith("two searches may differ.")


@pytest.mark.parametrize("seat", ["person", "nobody", "level=11", "default,weights=/etc/passwd"])
def test_what_cannot_be_compared_is_refused_in_a_sentence(page: Page, seat: str) -> None:
    id = page.new("tic_tac_toe")
    with pytest.raises(Refusal):
        page.ask("side-by-side", game=id, node=0, seats=["default", seat])


def test_what_is_not_compiled_yet_is_compiled_for_the_next_time(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(compare_handlers, "is_cached", lambda *_, **__: False)
    monkeypatch.setattr(
        compare_handlers, "start_compiling", lambda source, evaluator: asked.append(evaluator)
    )
    id = page.new("connect_four")
    seats = ["level=1", "alphabeta,depth=2"]
    found = page.ask("side-by-side", game=id, node=0, seats=seats, nodes=5000)
    assert found["nodes"] < 5000 and found["preparing"] and asked == ["default"]
    plain = page.ask(
        "side-by-side", game=page.new("tic_tac_toe"), node=0, seats=["level=1", "level=2"], nodes=5000
    )
    assert not plain["preparing"] and asked == ["default"], "a plain game is never compiled"
