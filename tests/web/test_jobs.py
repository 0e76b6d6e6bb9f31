"""What the page can ask about a game: hints, analysis, terms, a review, and games in and out."""

from typing import Any

import pytest

from plywise.play.engine_pool import STAND_IN_SECONDS, EnginePool
from plywise.web.jobs.analysis import Analysis
from plywise.web.server import Server
from tests.web.page import Page, Refusal

MATE = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"


def test_a_hint_is_given_and_counted(page: Page) -> None:
    id = page.new("tic_tac_toe", position="xx.oo.... x")
    hint = page.ask("hint", game=id, node=0)
    assert (hint["move"], hint["steps"]) == ("c3", ["c3"])
    assert "x wins in 1 move, proven" in hint["words"]
    assert page.state(id)["hints"] == 1


def test_analysis_is_streamed_until_quiet(page: Page) -> None:
    id = page.new("connect_four")
    page.ask("analyse", game=id, node=0, lines=3)
    news = page.wait_for("analysis", lambda one: one["depth"] >= 4)
    assert news["node"] == 0 and len(news["lines"]) == 3
    best = news["lines"][0]
    assert best["moves"] and best["said"] and best["steps"] and 0 <= best["chance"] <= 1
    page.ask("quiet", game=id)
    page.news.clear()
    page.ask("look", game=id, node=0)
    page.ask("look", game=id, node=0)
    assert not [one for one in page.news if one["tell"] == "analysis"]


def test_analysis_ends_where_everything_is_proven(page: Page) -> None:
    id = page.new("tic_tac_toe", position="xx.oo.... x")
    page.ask("analyse", game=id, node=0)
    news = page.wait_for("analysis", lambda one: one["over"])
    assert news["lines"][0]["words"] == "x wins in 1 move, proven"
    assert news["lines"][0]["chance"] == 1
    page.play(id, "c3")
    page.ask("analyse", game=id, node=1)
    assert page.wait_for("analysis", lambda one: one["node"] == 1)["over"]


def test_analysis_of_another_node_replaces_the_first(page: Page) -> None:
    id = page.new("connect_four")
    page.play(id, "4")
    page.ask("analyse", game=id, node=0)
    page.wait_for("analysis", lambda one: one["node"] == 0)
    page.ask("analyse", game=id, node=1)
    page.wait_for("analysis", lambda one: one["node"] == 1)
    page.ask("look", game=id, node=0)
    assert not [one for one in page.news if one["tell"] == "analysis" and one["node"] == 0]
    page.ask("quiet", game=id)


def test_a_players_move_comes_before_analysis(server: Server) -> None:
    lookers = [Page(server.port) for _ in range(server.hub.scheduler.count + 1)]
    for looker in lookers:
        id = looker.new("connect_four")
        looker.ask("analyse", game=id, node=0, lines=2)
    for looker in lookers:
        looker.wait_for("analysis")  # each gets its turn
    with Page(server.port) as player:
        id = player.new("connect_four", None, 2)
        player.play(id, "4")
        assert player.wait_for_turn(id)["tip"] == 2
    for looker in lookers:
        looker.ask("quiet", game=id)
        looker.close()


def test_a_preview_shows_what_a_move_would_do(page: Page) -> None:
    id = page.new("chess", position="4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    phases = page.ask("preview", game=id, node=0, move="exd5")["phases"]
    kinds = [effect["kind"] for phase in phases for effect in phase["effects"]]
    assert sorted(kinds) == ["capture", "move"]
    with pytest.raises(Refusal, match="is not possible"):
        page.ask("preview", game=id, node=0, move="e4e6")


def test_terms_add_up_for_the_first_side(page: Page) -> None:
    id = page.new("chess")
    page.play(id, "e4")
    answer = page.ask("terms", game=id, node=1, evaluator="material")
    assert answer["total"] == sum(term["value"] for term in answer["terms"]) == 0
    assert page.ask("terms", game=id, node=1)["unit"] == 100
    with pytest.raises(Refusal, match="unknown evaluator"):
        page.ask("terms", game=id, node=1, evaluator="nosuch")


def test_a_review_marks_the_mistakes(page: Page) -> None:
    # Second x leaves a row open; o does not take it.
    id = page.new("tic_tac_toe", moves=["a1", "b2", "c3", "a3", "b1", "c2"])
    page.ask("review", game=id, seconds=5)  # each position is solved far sooner, in Python too
    review = page.wait_for("review", lambda one: one["done"] == one["of"])
    assert review["of"] == 7
    marks = {int(n): entry["mark"] for n, entry in review["nodes"].items()}
    assert marks[5] == "blunder", "c1 would have stopped o"
    assert marks[6] == "blunder", "o had won with c1"
    assert review["nodes"]["6"]["best"] == "c1"
    assert review["nodes"]["5"]["accuracy"] < 20 < review["nodes"]["1"]["accuracy"] <= 100
    assert review["nodes"]["0"]["accuracy"] is None
    if "mark" not in page.states[id]["nodes"][6]:  # the state may overtake the review
        page.state(id)
    nodes = page.states[id]["nodes"]
    assert nodes[6]["mark"] == "blunder" and "chance" in nodes[3]


def test_a_game_goes_out_and_comes_in_again(page: Page) -> None:
    id = page.new("chess", None, 4, moves=["e4", "e5", "Nf3"])
    page.ask("resign", game=id, side=0)
    page.state(id, lambda one: one["outcome"])
    out = page.ask("export", game=id, format="pgn")
    assert out["name"].endswith(".pgn") and "1. e4 e5 2. Nf3" in out["text"] and "0-1" in out["text"]
    for format in ("pgn", "text", "json"):
        text = page.ask("export", game=id, format=format)["text"]
        again = page.ask("import", game="chess", text=text)["game"]
        assert [node["said"] for node in page.state(again)["nodes"]][:4] == ["", "e4", "e5", "Nf3"], format
    with pytest.raises(Refusal, match="unknown format"):
        page.ask("export", game=id, format="gif")


def test_a_position_comes_in(page: Page) -> None:
    id = page.ask("import", game="chess", text=MATE)["game"]
    assert page.state(id)["view"]["text"] == MATE
    with pytest.raises(Refusal):
        page.ask("import", game="chess", text="this is no game")
    answer = page.ask("import", game="chess", text="1. e4 e5 2. Qh6 Nc6 *\n")
    assert "Qh6" in answer["left_out"], "what could be read is kept, and the rest is said"
    assert len(page.state(answer["game"])["nodes"]) == 3


def test_a_link_leads_to_the_position(page: Page) -> None:
    id = page.new("chess", position=MATE)
    fragment = page.ask("link", game=id, node=0)["fragment"]
    assert fragment.startswith("#new/chess/6k1%2F5ppp%2F") and " " not in fragment


def test_rules_are_there_for_every_game(page: Page) -> None:
    for game in page.greeting["games"]:
        assert page.ask("rules", game=game["name"])["text"]


def test_a_world_goes_out_and_comes_in_with_its_dice(page: Page) -> None:
    id = page.new("skirmish")
    while page.states[id]["tip"] < 3:
        page.play(id, page.wait_for_turn(id)["view"]["moves"][0]["move"])
    text = page.ask("export", game=id, format="json")["text"]
    again = page.ask("import", game="skirmish", text=text)["game"]
    state = page.state(again)
    assert state["nodes"] == page.states[id]["nodes"]
    assert state["view"]["board"] == page.ask("look", game=id, node=3)["view"]["board"]


def test_a_review_goes_on_while_an_analysis_ends(page: Page) -> None:
    id = page.new("tic_tac_toe", moves=["b2", "a1"])
    page.ask("review", game=id, seconds=0.05)
    page.ask("quiet", game=id)
    assert page.wait_for("review", lambda one: one["done"] == one["of"])["of"] == 3


def test_an_uncompiled_analysis_that_has_seen_nothing_looks_again(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game with slow rules may need more than the first glance."""
    looks: list[float | None] = []
    search = Analysis._search_slice

    def search_late(self: Analysis, engine: Any, ready: Any, lease: Any, seconds: float | None) -> bool:
        looks.append(seconds)
        return True if len(looks) == 1 else search(self, engine, ready, lease, seconds)

    monkeypatch.setattr(Analysis, "_search_slice", search_late)
    monkeypatch.setattr(EnginePool, "_build", lambda self: None)
    id = page.new("chess", position=MATE)
    page.ask("analyse", game=id, node=0, evaluator="control")
    assert page.wait_for("analysis", lambda one: one["game"] == id)["lines"]
    assert looks == [STAND_IN_SECONDS, STAND_IN_SECONDS]
    page.ask("quiet", game=id)
