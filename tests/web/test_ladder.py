"""Beat the level: what counts, for which level, and how a level is changed in a game."""

from typing import Any

import pytest

import plywise
from plywise.web.ladder import LevelResults, next_level, results_by_level
from plywise.web.server import Server
from tests.web.page import Page, Refusal

GAME = plywise.load("tic_tac_toe")
START = GAME.text(GAME.start())
PERSON = {"kind": "person"}


def summary(winner: int | None = 0, level: int = 3, person: int = 0, **more: Any) -> dict[str, Any]:
    seats: list[dict[str, Any]] = [{"kind": "level", "level": level}] * 2
    seats[person] = PERSON
    return {"seats": seats, "outcome": {"winner": winner}, "start": START, "helped": 0, **more}


def test_games_are_counted_for_their_level_and_side() -> None:
    played = [
        summary(0),
        summary(1),
        summary(None),
        summary(1, person=1),
        summary(0, level=5),
        summary(0, helped=2),
    ]
    assert results_by_level(GAME, played) == {
        3: LevelResults(won=3, clean=2, drawn=1, lost=1),
        5: LevelResults(won=1, clean=1),
    }


def test_what_does_not_count() -> None:
    odd = [
        summary(start="xx.oo.... x"),
        summary(outcome=None),
        summary(seats=[PERSON, PERSON]),
        summary(seats=[PERSON, {"kind": "player", "seat": "Random"}]),
    ]
    assert results_by_level(GAME, odd) == {}


def test_a_changed_level_counts_for_the_weakest() -> None:
    assert list(results_by_level(GAME, [summary(level=9, weakest=2)])) == [2]


def test_the_next_level_is_above_the_strongest_that_was_beaten_cleanly() -> None:
    assert next_level({}) == 1
    assert next_level({2: LevelResults(won=1, clean=1), 6: LevelResults(won=1)}) == 3
    assert next_level({10: LevelResults(won=1, clean=1)}) == 10


def test_a_take_back_is_counted_and_kept(server: Server, page: Page) -> None:
    id = page.new("tic_tac_toe", None, 1)
    page.play(id, "b2")
    page.wait_for_turn(id)
    page.ask("back", game=id)
    assert page.state(id, lambda one: one["tip"] == 0)["takebacks"] == 1
    page.ask("close", game=id)
    with Page(server.port, page.visitor) as again:
        assert again.open(id)["takebacks"] == 1


def test_between_persons_nothing_is_counted(page: Page) -> None:
    id = page.new("tic_tac_toe")
    page.play(id, "b2")
    page.ask("back", game=id)
    assert page.state(id, lambda one: one["tip"] == 0)["takebacks"] == 0


def test_the_level_can_be_changed_in_a_game(server: Server, page: Page) -> None:
    id = page.new("tic_tac_toe", None, 4)
    page.ask("change level", game=id, side=1, level=2)
    assert page.state(id, lambda one: one["seats"][1]["level"] == 2)
    page.ask("change level", game=id, side=1, level=7)
    with pytest.raises(Refusal, match="person"):
        page.ask("change level", game=id, side=0, level=7)
    page.play(id, "b2")
    page.wait_for_turn(id)
    page.ask("resign", game=id, side=0)
    page.ask("close", game=id)
    with Page(server.port, page.visitor) as again:
        assert again.open(id)["seats"][1] == {"kind": "level", "level": 7}
        found = again.ask("ladder", game="tic_tac_toe")
        assert [one["lost"] for one in found["levels"]][:4] == [0, 1, 0, 0]
        assert found["next"] == 1 and found["levels"][0]["name"]
