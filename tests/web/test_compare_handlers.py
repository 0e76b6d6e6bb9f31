"""Side by side on the page: two seats on one position, and what cannot be compared."""

import pytest

from plywise.web import compare_handlers
from tests.web.page import Page, Refusal


def test_two_seats_are_shown_beside_each_other(page: Page) -> None:
    id = page.new("tic_tac_toe", position="x.x.o.... o")
    found = page.ask("side-by-side", game=id, node=0, seats=["level=1", "default"], nodes=500)
    weak, strong = found["views"]
    assert strong["said"] == "b3" and strong["lines"] and strong["tree"]["left"][0] == 0
    assert weak["depth"] == 1 and weak["name"].startswith("level 1")


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
