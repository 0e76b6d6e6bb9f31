"""The tab "Why" at the server: recorded searches, their trees in words, stubs, switches and lessons."""

from typing import Any

import pytest

import plywise
import plywise.web.why.recording as recording
from plywise.search.result import Progress
from plywise.web.why import handlers
from plywise.web.why.recording import RecordCache, Recording
from plywise.web.why.wording import number_text, ordinal, value_text
from tests.web.page import TIMEOUT, Page, Refusal

NEAR_THE_END = "xo.o..x.. x"


def record(page: Page, game: str, position: str = "start", **limits: Any) -> dict[str, Any]:
    """A recorded search of a new game; what the page is told when it has ended."""
    id = page.new(game, position=position)
    return again(page, id, **limits)


def again(page: Page, id: str, **limits: Any) -> dict[str, Any]:
    number = page.ask("why-record", game=id, node=page.states[id]["tip"], **limits)["record"]
    done = page.wait_for("why", lambda one: one["record"] == number and one["state"] in ("done", "failed"))
    assert done["state"] == "done", done
    return done


def walk(page: Page, done: dict[str, Any], root: int) -> dict[int, dict[str, Any]]:
    """All nodes at and below one, by walking the children page by page, and what is not a child."""
    found: dict[int, dict[str, Any]] = {}
    open_ = [root]
    while open_:
        node = open_.pop()
        rows: list[dict[str, Any]] = []
        while True:
            part = page.ask("why-children", record=done["record"], node=node, start=len(rows), count=3)
            rows += part["rows"]
            if len(rows) == part["total"]:
                break
        for row in rows:
            if "node" in row:
                found[row["node"]] = row
                if row["opens"]:
                    open_.append(row["node"])
    return found


@pytest.mark.parametrize("game", [*plywise.shipped(), "duel"])
def test_any_game_is_recorded_and_its_first_nodes_are_told_in_words(page: Page, game: str) -> None:
    done = record(page, game, nodes=150)
    assert done["recorded"] == done["nodes"] == sum(one["nodes"] for one in done["iterations"])
    root = done["iterations"][-1]["root"]
    told = page.ask("why-node", record=done["record"], node=root)
    assert {fact["name"] for fact in told["facts"]} >= {"Window", "Value", "Bound", "Cause", "Order", "Below"}
    assert told["view"]["board"]["cells"] == page.states[done["game"]]["view"]["board"]["cells"]
    first = page.ask("why-children", record=done["record"], node=root)["rows"][0]
    below = page.ask("why-node", record=done["record"], node=first["node"])
    assert [step["said"] for step in below["path"]] == [None, first["said"]]
    assert below["view"]["board"] != told["view"]["board"]
    assert below["words"]


def test_the_table_has_every_node_of_an_iteration_and_the_picture_too(page: Page) -> None:
    done = record(page, "tic_tac_toe", NEAR_THE_END, depth=4)
    last = done["iterations"][-1]
    rows = walk(page, done, last["root"])
    assert sorted(rows) == list(range(last["root"] + 1, last["root"] + last["nodes"]))
    bars = page.ask("why-picture", record=done["record"], node=last["root"], share=1e-7, levels=64)
    assert bars["bars"] == [last["root"], *sorted(rows)]
    assert dict(zip(bars["bars"][1:], bars["sizes"][1:], strict=True)) == {n: rows[n]["nodes"] for n in rows}


def test_a_picture_of_a_part_has_the_bars_of_that_part_only(page: Page) -> None:
    done = record(page, "connect_four", nodes=2000)
    number, root = done["record"], done["iterations"][-1]["root"]
    whole = page.ask("why-picture", record=number, node=root, share=1e-7, levels=64)
    begin, end = root + 40, root + 90
    part = page.ask("why-picture", record=number, node=root, share=1e-7, levels=64, begin=begin, end=end)
    ends = zip(whole["bars"], whole["sizes"], strict=True)
    assert part["bars"] == [left for left, size in ends if left < end and left + size > begin]
    narrow = page.ask("why-picture", record=number, node=root, share=0.1, levels=2)
    assert all(size >= 0.1 * narrow["nodes"] for size in narrow["sizes"])
    assert max(narrow["levels"]) <= 2 and 1 in narrow["folded"]


def test_a_picture_has_so_many_bars_the_widest_ones(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """All who play would wait for a picture of a million nodes."""
    done = record(page, "connect_four", nodes=2000)
    asked = {"record": done["record"], "node": done["iterations"][-1]["root"], "share": 1e-7, "levels": 64}
    whole = page.ask("why-picture", **asked)
    monkeypatch.setattr(handlers, "MAX_BARS", 100)
    few = page.ask("why-picture", **asked)
    assert 0 < len(few["bars"]) <= 100 < len(whole["bars"])
    least = min(few["sizes"])
    shown = [left for left, size in zip(whole["bars"], whole["sizes"], strict=True) if size >= least]
    assert few["bars"] == shown and 1 in few["folded"]


def test_a_stub_is_opened_and_the_cut_was_right(page: Page) -> None:
    done = record(page, "tic_tac_toe", "xo....... x", depth=3, sound=True)
    opened = 0
    for node, row in walk(page, done, done["iterations"][-1]["root"]).items():
        if row["cause"] != "cut":
            continue
        stubs = page.ask("why-children", record=done["record"], node=node, count=200)["rows"]
        for stub in (one for one in stubs if "stub" in one):
            assert stub["reason"]
            found = page.ask("why-open", record=done["record"], node=node, move=stub["stub"])
            assert found["matters"] is False and "right" in found["words"]
            assert found["line"][0] == stub["said"]
            opened += 1
    assert opened > 5


def test_a_limit_that_cuts_the_record_short_is_said_and_the_rest_shown(page: Page) -> None:
    done = record(page, "tic_tac_toe", depth=4, most=100)
    assert done["recorded"] == 100 < done["nodes"]
    assert f"only the first 100 of {done['nodes']} nodes" in done["notes"][0]
    assert done["iterations"][-1]["cut_short"]
    assert page.ask("why-node", record=done["record"], node=99)["words"]
    with pytest.raises(Refusal, match="there is no node 100 in this record: it has nodes 0 to 99"):
        page.ask("why-node", record=done["record"], node=100)


def test_what_is_not_there_is_refused_in_a_sentence(page: Page) -> None:
    with pytest.raises(Refusal, match="nothing is recorded yet"):
        page.ask("why-node", record=1, node=0)
    done = record(page, "tic_tac_toe", depth=2)
    with pytest.raises(Refusal, match="was replaced by record"):
        page.ask("why-picture", record=done["record"] + 1000, node=0)
    with pytest.raises(Refusal, match=r"z9"):
        page.ask("why-open", record=done["record"], node=0, move="z9")
    with pytest.raises(Refusal, match=r"why-compare\.without"):
        page.ask("why-compare", record=done["record"], depth=2, without=["luck"])
    with pytest.raises(Refusal, match=r"why-record\.nodes must be from 1 to 1000000"):
        page.ask("why-record", game=done["game"], node=0, nodes=2_000_000)
    page.ask("why-forget")
    with pytest.raises(Refusal, match="nothing is recorded yet"):
        page.ask("why-stop")


def test_a_game_that_is_over_has_nothing_to_search(page: Page) -> None:
    id = page.new("tic_tac_toe", position="xx.oo.... x")
    page.play(id, "c3")
    with pytest.raises(Refusal, match=r"the game is over here: .*; there is nothing to search"):
        page.ask("why-record", game=id, node=page.states[id]["tip"], depth=2)
    with pytest.raises(Refusal, match="the game is over here"):
        page.ask("why-lesson", game=id, node=page.states[id]["tip"], depth=2, player="minimax")


def test_a_search_that_is_stopped_keeps_what_it_has(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    send_progress = Recording._send_progress

    def send_and_wait(self: Recording, report: Progress) -> None:
        send_progress(self, report)
        assert self.finishing.wait(TIMEOUT)  # the search does not end by itself before the stop

    whole = record(page, "tic_tac_toe", nodes=1_000_000)["recorded"]
    monkeypatch.setattr(Recording, "_send_progress", send_and_wait)
    id = page.new("tic_tac_toe")
    number = page.ask("why-record", game=id, node=0, nodes=1_000_000)["record"]
    page.wait_for("why", lambda one: one["state"] == "searching" and one["nodes"] > 0)
    page.ask("why-stop")
    done = page.wait_for("why", lambda one: one["record"] == number and one["state"] != "searching")
    assert done["state"] == "done" and 0 < done["recorded"] < whole


def test_counters_and_yardsticks_of_an_iteration(page: Page) -> None:
    done = record(page, "tic_tac_toe", depth=3)
    last = done["iterations"][-1]
    counted = page.ask("why-counters", record=done["record"], node=last["root"])
    assert counted["nodes"] == last["nodes"] == sum(counted["causes"].values())
    assert 0 <= counted["first_cuts"] <= counted["cuts"]
    stick = page.ask("why-yardstick", record=done["record"], depth=3)
    assert stick["minimax"] == 1 + 9 + 72 + 504 and stick["counted"]
    assert stick["minimal"] < stick["minimax"]


def test_switches_change_the_nodes_but_not_the_value_of_a_sound_search(page: Page) -> None:
    done = record(page, "connect_four", nodes=100)
    rows = [
        page.ask("why-compare", record=done["record"], depth=5, without=off)
        for off in (["guesses"], ["guesses", "table"])
    ]
    assert rows[0]["value"] == rows[1]["value"]
    assert rows[0]["nodes"] < rows[1]["nodes"]


def test_why_not_is_told_as_the_command_line_tells_it(page: Page) -> None:
    done = record(page, "tic_tac_toe", "xx.oo.... x", depth=3)
    assert done["move"] == "c3" and {"move": "c1", "said": "c1"} in done["moves"]
    words = page.ask("why-not", record=done["record"], move="c1")["words"]
    assert words[0].startswith("x should play c3") and any("c1" in text for text in words[1:])
    with pytest.raises(Refusal, match="a3"):
        page.ask("why-not", record=done["record"], move="a3")


@pytest.mark.parametrize("player", ["minimax", "alphabeta"])
def test_a_lesson_ends_with_the_value_of_the_root(page: Page, player: str) -> None:
    id = page.new("tic_tac_toe", position=NEAR_THE_END)
    taught = page.ask("why-lesson", game=id, node=0, depth=2, player=player)
    last = taught["steps"][-1]
    assert (last["event"], last["node"], last["value"]) == ("leave", 0, taught["value"])
    assert taught["side"] == "x" and taught["places"][0]["max"]
    assert any(one["cut"] for one in taught["places"]) == (player == "alphabeta")
    view = page.ask("why-look", game=id, node=0, moves=taught["line"])["view"]
    assert sum(cell is not None for cell in view["board"]["cells"]) == 6
    with pytest.raises(Refusal, match="more than 600 nodes at depth 5: choose a smaller depth"):
        page.ask("why-lesson", game=page.new("tic_tac_toe"), node=0, depth=5, player=player)
    with pytest.raises(Refusal, match="a lesson shows minimax or alphabeta"):
        page.ask("why-lesson", game=id, node=0, depth=2, player="greedy")


def test_records_of_all_pages_have_a_bound_and_the_oldest_goes(
    server: Any, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "RECORD_CACHE", RecordCache(150))
    first = record(page, "tic_tac_toe", nodes=100)
    with Page(server.port) as other:
        second = record(other, "tic_tac_toe", nodes=100)
        assert other.ask("why-node", record=second["record"], node=0)["node"] == 0
        with pytest.raises(Refusal, match="deleted to make room for newer ones"):
            page.ask("why-node", record=first["record"], node=0)


def test_scores_are_said_for_the_first_side() -> None:
    assert value_text(0, 25, "lower", 100) == "≥ +0.25"
    assert value_text(1, 25, "lower", 100) == "≤ \N{MINUS SIGN}0.25"
    assert value_text(1, 25, "upper", 100, long=True) == "at least \N{MINUS SIGN}0.25"
    assert number_text(31997, 100) == "win in 3"
    assert number_text(-32500, 100) == "\N{MINUS SIGN}∞"
    assert [ordinal(one) for one in (1, 2, 3, 11, 22)] == ["1st", "2nd", "3rd", "11th", "22nd"]


def test_examples_can_be_asked_for_and_played_from(page: Page) -> None:
    found = page.ask("why-examples", game="connect_four")["examples"]
    assert len(found) == 5 and all(one["about"] for one in found)
    id = page.new("connect_four", position=found[0]["position"])
    assert page.states[id]["view"]["moves"]
    assert page.ask("why-examples", game="duel")["examples"] == []
