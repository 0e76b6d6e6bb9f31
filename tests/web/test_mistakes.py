"""Why is this bad, and learning from mistakes: what the page asks for, and what is kept."""

import pytest

from plywise.web.server import Server
from tests.web.page import Page, Refusal

START = "x.x.o.... o"  # o must play b3: a few nodes show it


def played(page: Page) -> str:
    """A game in which o has just blundered; its node is 1."""
    id = page.new("tic_tac_toe", position=START)
    page.play(id, "a1")
    return id


def test_a_move_of_the_game_is_explained_with_the_answer_and_the_lines(page: Page) -> None:
    id = played(page)
    found = page.ask("why-bad", game=id, node=1)
    assert (found["from"], found["mark"], found["good"]) == (0, "blunder", False)
    assert found["words"][0].startswith("a1 is a blunder: ")
    assert found["words"][1] == "x answers b3: x wins in 1 move."
    assert found["played"]["said"] == ["a1", "b3"] and found["played"]["reply"] == 1
    assert found["played"]["steps"] == [["a1"], ["b3"]]
    assert found["best"]["move"] == "b3"


def test_a_move_that_was_not_played_can_be_asked_about(page: Page) -> None:
    id = played(page)
    assert page.ask("why-bad", game=id, node=0, move="b3")["good"]
    with pytest.raises(Refusal, match="a3"):
        page.ask("why-bad", game=id, node=0, move="a3")
    with pytest.raises(Refusal, match="no move leads to the beginning"):
        page.ask("why-bad", game=id, node=0)


def test_tries_are_judged_counted_and_kept(server: Server, page: Page) -> None:
    id = played(page)
    assert not page.ask("try", game=id, node=1, move="c1")["good"]
    assert page.state(id, lambda one: one["tries"])["tries"] == {"1": [1, "open"]}
    assert page.ask("try", game=id, node=1, move="b3")["good"]
    page.state(id, lambda one: one["tries"]["1"] == [1, "solved"])
    assert not page.ask("try", game=id, node=1, move="a2")["good"]  # only to see: it is solved
    page.ask("close", game=id)
    with Page(server.port, page.visitor) as again:
        assert again.open(id)["tries"] == {"1": [1, "solved"]}
    with Page(server.port) as stranger:
        stranger.open(id)
        with pytest.raises(Refusal):
            stranger.ask("try", game=id, node=1, move="b3")


def test_a_solution_that_is_shown_is_not_solved(page: Page) -> None:
    id = played(page)
    shown = page.ask("solution", game=id, node=1)
    assert shown["best"]["move"] == "b3"
    page.state(id, lambda one: one["tries"] == {"1": [0, "shown"]})


def test_orders_of_a_world_are_explained_too(page: Page) -> None:
    id = page.new("skirmish", None, None)
    state = page.states[id]
    found = page.ask("why-bad", game=id, node=0, move=state["view"]["moves"][0]["move"])
    assert found["words"] and found["played"]["line"]
