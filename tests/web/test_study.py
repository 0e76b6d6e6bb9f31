"""Studies over the wire: edits, their bounds, the bin, and the position editor."""

import pytest

from plywise.web.server import Server
from tests.web.page import Page, Refusal


def test_a_study_is_edited_over_the_wire(page: Page) -> None:
    id = page.new("tic_tac_toe")
    page.play(id, "b2")
    tried = page.ask("play", game=id, node=0, move="a1")["node"]
    page.ask("comment", game=id, node=tried, text="a corner")
    page.ask("glyphs", game=id, node=tried, nags=[5])
    state = page.state(id, lambda one: any(node.get("nags") for node in one["nodes"]))
    node = next(node for node in state["nodes"] if node["n"] == tried)
    assert (node["comment"], node["nags"]) == ("a corner", [5])
    assert state["edits"] == {"undo": "glyph of 1. a1", "redo": None}
    page.ask("undo edit", game=id)
    page.ask("delete variation", game=id, node=tried)
    state = page.state(id, lambda one: all(node["n"] != tried for node in one["nodes"]))
    assert state["tip"] == 1


def test_only_the_owner_edits(server: Server, page: Page) -> None:
    id = page.new("tic_tac_toe")
    page.play(id, "b2")
    with Page(server.port) as other:
        other.open(id)
        for do, fields in (
            ("comment", {"node": 1, "text": "x"}),
            ("tags", {"tags": {"Event": "x"}}),
            ("undo edit", {}),
        ):
            with pytest.raises(Refusal, match="only the owner"):
                other.ask(do, game=id, **fields)
        with pytest.raises(Refusal, match="you have no game"):
            other.ask("bin", game=id, binned=True)


def test_a_game_in_the_bin_comes_back(page: Page) -> None:
    id = page.new("tic_tac_toe")
    page.ask("tags", game=id, tags={"Event": "Club  night", "X": "Anna"})
    page.ask("bin", game=id, binned=True)
    listed = next(one for one in page.ask("list")["games"] if one["id"] == id)
    assert listed["binned"] and listed["tags"] == {"Event": "Club night", "X": "Anna"}
    page.ask("close", game=id)
    page.ask("bin", game=id, binned=False)
    assert next(one for one in page.ask("list")["games"] if one["id"] == id)["binned"] is None
    assert page.open(id)["tags"]["Event"] == "Club night"


@pytest.mark.parametrize(
    "tags",
    [
        *([], {"": "x"}, {"a": 3}, {str(n): "x" for n in range(61)}, {"a": "x" * 401}),
        *({'A "x"]\n[Result': "1-0"}, {"a\nb": "x"}, {'a"': "x"}, {"a]": "x"}, {"\u202ea": "x"}),
    ],
)
def test_tags_have_bounds(page: Page, tags: object) -> None:
    id = page.new("tic_tac_toe")
    with pytest.raises(Refusal):
        page.ask("tags", game=id, tags=tags)


def test_tags_of_many_requests_have_one_bound(page: Page) -> None:
    id = page.new("tic_tac_toe")
    page.ask("tags", game=id, tags={f"A{n}": "x" for n in range(60)})
    with pytest.raises(Refusal, match="60 tags"):
        page.ask("tags", game=id, tags={"B": "x"})
    page.ask("tags", game=id, tags={"A0": "", "B": "x"})


def test_a_position_is_set_up_over_the_wire(page: Page) -> None:
    pieces = page.ask("pieces", game="tic_tac_toe")["pieces"]
    cross = next(n for n, piece in enumerate(pieces) if piece["name"] == "cross")
    cells = [{"cell": 4, "piece": cross}]
    answer = page.ask("set up", game="tic_tac_toe", position="start", cells=cells, turn=1)
    assert (answer["position"], answer["turn"]) == ("....x.... o", 1)
    with pytest.raises(Refusal, match="kinds of pieces"):
        page.ask("set up", game="tic_tac_toe", position="start", cells=[{"cell": 4, "piece": 99}])


def test_a_line_is_followed_without_being_played(page: Page) -> None:
    id = page.new("tic_tac_toe")
    answer = page.ask("follow", game=id, node=0, moves=["b2", "a1"])
    assert sum(cell is not None for cell in answer["board"]["cells"]) == 2
    assert page.ask("look", game=id, node=0)["view"]["last"] is None
    with pytest.raises(Refusal, match="not possible"):
        page.ask("follow", game=id, node=0, moves=["b2", "b2"])
