"""Whole games over the wire: persons, engines, branches, clocks, ends."""

import threading
from pathlib import Path
from typing import Any

import pytest

import plywise
from plywise.core.errors import PlywiseError
from plywise.learn.installed import install
from plywise.play.player import Player
from plywise.play.state import GameState
from plywise.web.catalogue import game_info
from plywise.web.server import Server
from plywise.web.store import NotSaved
from tests.core.test_learned import saved_net
from tests.web.page import TIMEOUT, Page, Refusal


def test_two_persons_play_a_whole_game(page: Page) -> None:
    id = page.new("tic_tac_toe")
    for move in ("a1", "a2", "b1", "b2", "c1"):
        state = page.play(id, move)
    assert state["outcome"]["winner"] == 0
    assert state["outcome"]["words"].startswith("x wins: ")
    assert [node["said"] for node in state["nodes"]][1:] == ["a1", "a2", "b1", "b2", "c1"]
    assert state["view"]["moves"] == [] and not state["view"]["player"]
    assert page.ask("list")["games"][0]["outcome"]["winner"] == 0
    with pytest.raises(Refusal, match="the game is over"):
        page.ask("play", game=id, node=5, move="a3")


def test_a_game_is_judged_by_the_net_that_the_user_has_installed(page: Page, tmp_path: Path) -> None:
    game = plywise.load("connect_four")
    place = install(game, Path(saved_net(game, tmp_path)))
    try:
        state = page.states[page.new("connect_four")]
        assert state["evaluator"] == "learned"
        assert game_info("connect_four", game, "", own=False)["evaluator"] == "learned"
        chosen = page.new("connect_four", evaluator="default")
        assert page.states[chosen]["evaluator"] == "default"
    finally:
        place.unlink()
    assert page.states[page.new("connect_four")]["evaluator"] == "default"


def test_the_engine_answers(page: Page) -> None:
    id = page.new("tic_tac_toe", None, 10)
    while not (state := page.wait_for_turn(id))["outcome"]:
        page.play(id, state["view"]["moves"][0]["move"])
    assert state["outcome"]["winner"] != 0, "full strength does not lose this game"


def test_the_engine_begins(page: Page) -> None:
    id = page.new("tic_tac_toe", 3, None)
    state = page.wait_for_turn(id)
    assert state["view"]["turn"] == 1 and len(state["nodes"]) == 2
    page.ask("pause", game=id, paused=True)
    page.ask("go", game=id, node=0)
    with pytest.raises(Refusal, match="x is played by the engine"):
        page.ask("play", game=id, node=0, move=state["view"]["moves"][0]["move"])


def test_illegal_moves_are_refused_and_change_nothing(page: Page) -> None:
    id = page.new("chess")
    before = page.ask("look", game=id, node=0)
    for move in ("e2e5", "e7e5", "\t", "x" * 100, "0000", "e2e4 e7e5", "e2e4;e7e5"):
        with pytest.raises(Refusal) as refusal:
            page.ask("play", game=id, node=0, move=move)
        assert "pppppppp" not in str(refusal.value), "the board is before everybody's eyes"
    assert page.ask("look", game=id, node=0) == before


def test_moves_may_be_typed_as_people_write_them(page: Page) -> None:
    id = page.new("chess")
    assert page.play(id, "Nf3")["nodes"][1]["said"] == "Nf3"
    view = page.states[id]["view"]
    assert view["last"]["cells"] and view["last"]["phases"][0]["effects"][0]["kind"] == "move"
    assert {"move": "e7e5", "said": "e5", "steps": ["e7", "e5"], "choice": ""} in view["moves"]


def test_a_branch_begins_where_another_move_is_played(page: Page) -> None:
    id = page.new("chess")
    for move in ("e4", "e5"):
        page.play(id, move)
    state = page.play(id, "d4", node=0)
    assert state["tip"] == 2, "the game stays where it was"
    assert [(node["n"], node["parent"]) for node in state["nodes"]] == [(0, None), (1, 0), (2, 1), (3, 0)]
    assert page.ask("play", game=id, node=0, move="e4") == {"node": 1}, "the same move again is no variation"


def test_moves_are_taken_back_and_played_again(page: Page) -> None:
    id = page.new("tic_tac_toe", None, 1)
    page.play(id, "b2")
    page.wait_for_turn(id)
    assert page.states[id]["can"] == {"back": True, "forward": False, "offer": True}
    page.ask("back", game=id)
    state = page.state(id)
    assert (state["tip"], state["can"]["forward"]) == (0, True)
    page.ask("forward", game=id)
    assert page.state(id)["tip"] == 2
    with pytest.raises(Refusal, match="nothing to redo"):
        page.ask("forward", game=id)
    page.ask("go", game=id, node=0)
    assert page.state(id)["tip"] == 0
    with pytest.raises(Refusal, match="nothing to take back"):
        page.ask("back", game=id)


def test_taking_back_while_the_engine_thinks_stops_it(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = threading.Event()

    def think_until_stopped(self: Player, state: GameState, side: int, **how: Any) -> Any:
        assert stopped.wait(TIMEOUT)
        raise PlywiseError("it was stopped")

    monkeypatch.setattr(Player, "think", think_until_stopped)
    monkeypatch.setattr(Player, "stop", lambda self: stopped.set())
    id = page.new("connect_four", None, 10)
    page.play(id, "4")
    assert page.states[id]["thinking"] == [1]
    page.ask("back", game=id)
    state = page.state(id)
    assert (state["tip"], state["thinking"]) == (0, [])
    assert stopped.wait(TIMEOUT)
    page.ask("resign", game=id, side=0)


def test_both_sides_of_a_world_choose_step_by_step(page: Page) -> None:
    id = page.new("skirmish", None, 1)
    first = page.wait_for_turn(id)["view"]
    assert first["choosing"] == [0, 1] and first["turn"] == 0
    page.play(id, first["moves"][-1]["move"])
    state = page.states[id]
    assert state["view"]["chosen"] == [first["moves"][-1]["move"]] and state["tip"] == 0
    page.ask("unchoose", game=id)
    page.state(id, lambda one: one["view"]["chosen"] == [])
    with pytest.raises(Refusal, match="nothing is chosen"):
        page.ask("unchoose", game=id)
    while (state := page.wait_for_turn(id))["tip"] == 0:  # play only in the first turn
        page.play(id, state["view"]["moves"][-1]["move"])
    assert state["nodes"][1]["side"] is None and " | " in state["nodes"][1]["said"]
    assert state["view"]["told"]


def test_a_side_that_resigns_has_lost(page: Page) -> None:
    id = page.new("chess", None, 5)
    with pytest.raises(Refusal, match="played by the engine"):
        page.ask("resign", game=id, side=1)
    page.ask("resign", game=id, side=0)
    state = page.state(id)
    assert state["outcome"] == {
        "winner": 1,
        "reason": "White resigned",
        "words": "Black wins: White resigned",
    }
    assert state["resigned"] == 0
    assert state["view"]["player"], "what might have been can be tried"
    for do in ("resign", "offer"):
        with pytest.raises(Refusal, match="the game is over"):
            page.ask(do, game=id, side=0)


def test_two_persons_agree_on_a_draw(page: Page) -> None:
    id = page.new("chess")
    assert not page.ask("offer", game=id, side=0)["accepted"]
    assert page.state(id)["offered"] == 0
    page.play(id, "e4")
    assert page.states[id]["offered"] is None, "a move declines"
    page.ask("offer", game=id, side=1)
    assert page.ask("offer", game=id, side=0)["accepted"]
    assert page.state(id, lambda one: one["outcome"])["outcome"]["reason"] == "agreed"
    with pytest.raises(Refusal, match="over"):
        page.ask("offer", game=id, side=0)


def test_the_engine_answers_an_offer(page: Page) -> None:
    lost = page.new("tic_tac_toe", None, 5, position="xx.oo.... x")
    answer = page.ask("offer", game=lost, side=0)
    assert set(answer) == {"accepted", "words"} and answer["accepted"], "it would lose"


def test_a_rematch_swaps_the_sides(page: Page) -> None:
    id = page.new("tic_tac_toe", None, 2, clock={"base": 60, "increment": 1})
    again = page.ask("rematch", game=id)["game"]
    state = page.state(again)
    assert [seat["kind"] for seat in state["seats"]] == ["level", "person"]
    assert state["clock"]["increment"] == 1 and again != id


def test_clocks_run_for_whoever_chooses(page: Page) -> None:
    id = page.new("chess", clock={"base": 600, "increment": 5})
    clock = page.states[id]["clock"]
    assert clock["running"] is None and clock["left"] == [600, 600], "the first move takes no time"
    clock = page.play(id, "e4")["clock"]
    assert clock["running"] == 1
    assert clock["left"][0] == 605, "the increment is added"
    page.ask("pause", game=id, paused=True)
    state = page.state(id)
    assert state["paused"] and state["clock"]["running"] is None
    page.ask("back", game=id)
    assert page.state(id)["clock"]["left"] == [600, 600], "as it was there"


def test_whose_time_is_up_has_lost(page: Page) -> None:
    id = page.new("chess", clock={"base": 1, "increment": 0})
    page.play(id, "e4")
    state = page.wait_for_state(id, lambda one: one["outcome"])
    assert state["outcome"]["words"] == "White wins: Black ran out of time"
    assert state["clock"]["left"] == [1, 0] and state["clock"]["running"] is None


def test_engines_play_each_other_until_they_are_paused(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on, think = threading.Event(), Player.think

    def think_when_told(self: Player, state: GameState, side: int, **how: Any) -> Any:
        assert state.number < 2 or go_on.wait(TIMEOUT)
        return think(self, state, side, **how)

    monkeypatch.setattr(Player, "think", think_when_told)
    id = page.new("tic_tac_toe", 1, 1)
    page.wait_for_state(id, lambda one: one["tip"] == 2)
    page.ask("pause", game=id, paused=True)
    state = page.state(id, lambda one: one["paused"])
    assert state["thinking"] == []
    go_on.set()
    page.ask("pause", game=id, paused=False)
    state = page.wait_for_state(id, lambda one: one["outcome"])
    assert len(state["nodes"]) == state["tip"] + 1, "what was thought of before the pause was not played"


def test_all_pages_of_a_game_see_it(server: Server, page: Page) -> None:
    id = page.new("tic_tac_toe")
    with Page(server.port, page.visitor) as other:
        assert other.open(id)["tip"] == 0
        page.play(id, "b2")
        assert other.state(id)["tip"] == 1
        other.play(id, "a1")
        assert page.state(id)["tip"] == 2
        other.ask("close", game=id)
        page.play(id, "c3")
        with pytest.raises(Refusal, match="open the game"):
            other.ask("look", game=id, node=0)


def test_a_page_that_comes_again_finds_its_games(server: Server) -> None:
    with Page(server.port) as page:
        id = page.new("tic_tac_toe", None, 2)
        page.play(id, "b2")
        state = page.wait_for_turn(id)
    with Page(server.port, page.visitor) as again:
        saved = again.greeting["running"]
        assert [(one["id"], one["moves"], one["outcome"]) for one in saved] == [(id, state["tip"], None)]
        assert again.open(id)["nodes"] == state["nodes"]
        assert again.wait_for_turn(id)["view"] == state["view"]
    with Page(server.port) as stranger:
        assert stranger.greeting["running"] == []


def test_visitors_play_at_the_same_time(server: Server) -> None:
    pages = [Page(server.port) for _ in range(4)]
    ids = [page.new("connect_four", None, 1) for page in pages]
    for _ in range(3):
        for page, id in zip(pages, ids, strict=True):
            page.play(id, page.wait_for_turn(id)["view"]["moves"][0]["move"])
    for page, id in zip(pages, ids, strict=True):
        assert page.wait_for_turn(id)["tip"] == 6
        page.close()


def test_a_move_that_cannot_be_kept_has_not_happened(
    server: Server, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*rest: object) -> int:
        raise NotSaved("the disk is full")

    id = page.new("tic_tac_toe", None, 3, clock={"base": 60, "increment": 0})
    before = page.states[id]
    with monkeypatch.context() as change:
        change.setattr(server.hub.store, "change", refuse)
        with pytest.raises(Refusal, match="the disk is full"):
            page.ask("play", game=id, node=0, move="b2")
        assert page.ask("look", game=id, node=0)["view"] == before["view"]
    page.play(id, "b2")
    assert page.wait_for_turn(id)["tip"] == 2


def test_an_engine_whose_move_cannot_be_kept_waits(
    server: Server, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*rest: object) -> int:
        raise NotSaved("the disk is full")

    with monkeypatch.context() as change:
        change.setattr(server.hub.store, "change", refuse)
        id = page.new("tic_tac_toe", 3, None)
        assert page.wait_for("error")["words"] == "the disk is full"
        if not page.states[id]["paused"]:  # an engine may be faster than the first state
            page.state(id, lambda one: one["paused"])
        assert page.states[id]["tip"] == 0
    page.ask("pause", game=id, paused=False)
    assert page.wait_for_turn(id)["tip"] == 1


@pytest.mark.parametrize("name", [*plywise.shipped(), "duel"])
def test_every_game_is_played_and_drawn(page: Page, name: str) -> None:
    id = page.new(name, None, 1)
    for _ in range(2):
        state = page.wait_for_turn(id)
        if state["outcome"]:
            break
        view = state["view"]
        board = view["board"]
        assert len(board["cells"]) == board["width"] * board["height"]
        assert len(board["names"]) in (0, len(board["cells"]))
        assert all(set(move) - {"also"} == {"move", "said", "steps", "choice"} for move in view["moves"])
        for move in view["moves"][:3]:
            for phase in page.ask("preview", game=id, node=state["tip"], move=move["move"])["phases"]:
                for effect in phase["effects"]:
                    assert 0 <= effect["at"] < len(board["cells"])
        page.play(id, view["moves"][0]["move"])
    assert page.states[id]["tip"] > 0 or page.states[id]["view"]["chosen"]


def test_two_persons_choose_one_after_the_other_in_a_world(page: Page) -> None:
    id = page.new("skirmish")
    sides = []
    while page.states[id]["tip"] == 0:
        view = page.states[id]["view"]
        sides.append(view["turn"])
        page.play(id, view["moves"][0]["move"])
    assert sides == [0, 0, 1, 1]
    assert page.states[id]["nodes"][1]["side"] is None


def test_a_reopened_game_goes_forward_where_it_was(server: Server) -> None:
    with Page(server.port) as page:
        id = page.new("chess")
        for move in ("e4", "e5"):
            page.play(id, move)
        page.play(id, "d4", node=0)
        page.ask("back", game=id)
        page.state(id, lambda one: one["tip"] == 1)
    with Page(server.port, page.visitor) as again:
        again.open(id)
        again.ask("forward", game=id)
        assert again.state(id, lambda one: one["tip"] != 1)["tip"] == 2
