"""Why is this bad, and learning from mistakes: what the page asks for, and what is kept."""

from dataclasses import replace

import pytest

import plywise
from plywise.core.scores import Kind
from plywise.explain import why_bad
from plywise.explain.why_bad import DepthComparison, DepthResult
from plywise.search.limits import Limits
from plywise.web.live.practice import save_marks
from plywise.web.mistake_handlers import payload
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
    with pytest.raises(Refusal, match="this is the start"):
        page.ask("why-bad", game=id, node=0)


def test_a_review_that_marked_a_move_otherwise_is_named(server: Server, page: Page) -> None:
    id = played(page)
    save_marks(server.hub.live_games[id], {1: ("mistake", 0.3)})
    last = "The review marked it as a mistake; two searches may differ."
    assert page.ask("why-bad", game=id, node=1)["words"][-1] == last
    save_marks(server.hub.live_games[id], {1: ("blunder", 0.0)})
    assert last not in page.ask("why-bad", game=id, node=1)["words"]


def test_a_line_goes_on_to_the_position_in_which_the_loss_is_seen() -> None:
    history = plywise.load("chess").history("4k3/8/8/3q4/8/8/3R4/3K4 b - - 0 1")
    found = why_bad(plywise.Engine(history.game, hash=1, compiled=False), history, "d5d6", Limits(depth=2))
    found = replace(found, played=replace(found.played, line=("d5d6",), shown=("d5d6", "d2d6", "e8e7")))
    answer = payload(found, start=0)["played"]
    assert answer["said"] == ["Qd6", "Rxd6", "Ke7"] and len(answer["steps"]) == 3


def test_tries_are_judged_counted_and_kept(server: Server, page: Page) -> None:
    id = played(page)
    wrong = page.ask("try", game=id, node=1, move="c1")
    assert (
        not wrong["good"] and wrong["best"] is None and not any("Better is" in one for one in wrong["words"])
    )
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


def test_of_several_orders_each_is_explained_and_the_line_begins_with_the_first(page: Page) -> None:
    id = page.new("skirmish")
    while page.states[id]["tip"] == 0:
        page.play(id, page.states[id]["view"]["moves"][0]["move"])
    found = page.ask("why-bad", game=id, node=1)
    line = found["played"]
    shown = page.ask("why-look", game=id, node=found["from"], moves=line["line"][: line["first"] + 1])
    assert shown["view"]["board"]
    if not found["bad"]:
        assert [words.split()[0] for words in found["words"]] == line["said"][:2]


def test_a_line_after_other_orders_begins_with_them_and_names_the_one_in_question() -> None:
    history = plywise.load("skirmish").history()
    engine = plywise.Engine(history.game, hash=1, compiled=False)
    first = why_bad(engine, history, history.moves[0], Limits(depth=1))
    after = history.play(history.moves[0])
    second = why_bad(engine, after, after.moves[0], Limits(depth=1))
    answer = payload(second, 0, [first])["played"]
    assert answer["line"][:2] == [first.played.move, second.played.move]
    assert (answer["first"], answer["line"][answer["first"]]) == (1, answer["move"])
    assert len(answer["steps"]) == len(answer["said"]) == len(answer["line"])
    reply = second.played.reply(after)
    assert reply is None or answer["line"][answer["reply"]] == reply


def test_a_try_that_searches_disagree_about_is_not_called_good_without_doubt() -> None:
    history = plywise.load("tic_tac_toe").history(START)
    found = why_bad(plywise.Engine(history.game, hash=1, compiled=False), history, "b3", Limits(depth=9))
    pair = DepthResult(1, 0, Kind.ESTIMATE, ("b3",))
    doubted = replace(found, denied=DepthComparison(1, pair, pair, 0.0))
    assert payload(doubted, 0)["doubted"] and not payload(found, 0)["doubted"]
