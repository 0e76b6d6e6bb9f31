"""Who may do what in a game: its owner, a friend with the play link, and all who have its address."""

import json
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest

from plywise.web.access import new_key, side_of_key
from plywise.web.hub import new_id
from plywise.web.schema import Refused
from plywise.web.server import Server
from tests.web.page import Page, Refusal


@pytest.fixture
def other(server: Server) -> Iterator[Page]:
    with Page(server.port) as page:
        yield page


def invited(page: Page, other: Page, id: str, side: int = 1) -> str:
    """Let the other page open the play link of a side; its key."""
    links = page.ask("invite", game=id, side=side)
    assert links["watch"] == f"#game/{id}"
    key: str = links["play"].removeprefix(f"#game/{id}/")
    assert other.ask("open", game=id, key=key) == {"owner": False, "sides": [side]}
    other.state(id)
    return key


def refusals(page: Page, id: str, **requests: dict[str, Any]) -> dict[str, str]:
    """Why each request is refused; empty if it is not."""
    words = {}
    for do, fields in requests.items():
        try:
            page.ask(do, game=id, **fields)
            words[do] = ""
        except Refusal as error:
            words[do] = str(error)
    return words


OWNERS: dict[str, dict[str, Any]] = {
    "back": {},
    "forward": {},
    "go": {"node": 0},
    "pause": {"paused": True},
    "invite": {"side": 1},
}
PLAYERS: dict[str, dict[str, Any]] = {
    "play": {"node": 1, "move": "a1"},
    "resign": {"side": 1},
    "offer": {"side": 1},
    "hint": {"node": 1},
}
WATCHERS: dict[str, dict[str, Any]] = {
    "look": {"node": 1},
    "preview": {"node": 1, "move": "a1"},
    "terms": {"node": 1},
    "link": {"node": 1},
    "export": {"format": "text"},
    "analyse": {"node": 1},
    "quiet": {},
    "review": {"seconds": 0.05},
}
STOPS = ("quiet", "stop review")  # they stop what this page has begun, whatever the game


def test_who_has_the_address_watches_and_changes_nothing(page: Page, other: Page) -> None:
    id = page.new("tic_tac_toe")
    page.play(id, "b2")
    assert other.ask("open", game=id) == {"owner": False, "sides": []}
    before = other.state(id)
    assert set(refusals(other, id, **WATCHERS).values()) == {""}
    other.wait_for("review", lambda one: one["done"] == one["of"])
    words = refusals(other, id, **OWNERS, **PLAYERS, unchoose={})
    assert words.pop("unchoose") == "nothing is chosen yet"
    for do in OWNERS:
        assert words[do] == "only the owner of this game can do that; you watch"
    for do in PLAYERS:
        assert words[do] == "you cannot play o here; you watch"
    assert "you have no game" in refusals(other, id, delete={})["delete"]
    assert page.ask("open", game=id) == {"owner": True, "sides": [0, 1]}
    assert page.state(id)["version"] == before["version"]


def test_a_friend_plays_the_other_side_and_no_more(page: Page, other: Page) -> None:
    id = page.new("tic_tac_toe")
    invited(page, other, id)
    assert refusals(other, id, play={"node": 0, "move": "b2"}) == {
        "play": "you cannot play x here; you play o"
    }
    page.play(id, "b2")
    other.state(id, lambda one: one["tip"] == 1)
    assert other.play(id, "a1")["tip"] == 2
    page.play(id, "c3", node=2)
    other.state(id, lambda one: one["tip"] == 3)
    words = refusals(other, id, **OWNERS, play={"node": 1, "move": "a3"}, resign={"side": 0})
    assert words.pop("resign") == "you cannot play x here; you play o"
    assert set(words.values()) == {"only the owner of this game can do that; you play o"}
    assert other.ask("offer", game=id, side=1)["accepted"] is False
    assert other.ask("resign", game=id, side=1) == {}
    assert page.state(id, lambda one: one["outcome"])["outcome"]["winner"] == 0


def test_a_play_link_comes_again_and_another_key_is_refused(server: Server, page: Page, other: Page) -> None:
    id = page.new("tic_tac_toe")
    key = invited(page, other, id)
    assert page.ask("invite", game=id, side=1)["play"].endswith(key)
    with Page(server.port) as third:
        with pytest.raises(Refusal, match="play link is not valid"):
            third.ask("open", game=id, key="x" * 22)
        with pytest.raises(Refusal, match="open the game"):
            third.ask("look", game=id, node=0)
        assert third.ask("open", game=id, key=key)["sides"] == [1]
        third.ask("close", game=id)
        assert third.ask("open", game=id) == {"owner": False, "sides": []}, "the link alone opens the seat"
    assert key not in json.dumps(other.states) + json.dumps(page.states)
    assert key not in other.ask("export", game=id, format="json")["text"]


def test_there_is_no_play_link_where_an_engine_plays(page: Page) -> None:
    id = page.new("tic_tac_toe", None, 1)
    assert "only in a game of two persons" in refusals(page, id, invite={"side": 1})["invite"]


def test_a_page_has_one_visitor(server: Server, page: Page) -> None:
    """Its hash table, for one, is given back when the last page of its visitor ends."""
    assert page.ask("hello", visitor=page.visitor)["version"]
    with pytest.raises(Refusal, match="another visitor's already"):
        page.ask("hello", visitor="b" * 40)
    assert page.new("tic_tac_toe")


def test_deletion_ends_a_game_for_all(page: Page, other: Page) -> None:
    id = page.new("tic_tac_toe")
    key = invited(page, other, id)
    page.ask("delete", game=id)
    assert other.wait_for("error")["words"] == "this game has been deleted"
    requests: dict[str, Any] = {**WATCHERS, **PLAYERS, "open": {"key": key}}
    del requests["quiet"]
    assert set(refusals(other, id, **{do: {} for do in STOPS}).values()) == {""}
    words = refusals(other, id, **requests)
    assert set(words.values()) == {f"there is no game '{id}'; it may have been deleted"}, words


def test_a_game_that_is_deleted_while_it_is_loaded_is_not_opened(
    server: Server, page: Page, other: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = page.new("tic_tac_toe")
    page.ask("close", game=id)
    usual = server.hub.saved_row

    def deleted_meanwhile(wanted: str) -> Any:
        row = usual(wanted)
        monkeypatch.setattr(server.hub, "saved_row", usual)
        page.ask("delete", game=id)
        return row

    monkeypatch.setattr(server.hub, "saved_row", deleted_meanwhile)
    assert "may have been deleted" in refusals(other, id, open={})["open"]
    assert id not in server.hub.live_games


def test_a_saved_game_of_an_older_plywise_opens_for_its_owner(
    server: Server, page: Page, other: Page
) -> None:
    id = page.new("tic_tac_toe")
    page.play(id, "b2")
    page.ask("close", game=id)
    with sqlite3.connect(server.hub.store.path) as file:
        (text,) = file.execute("SELECT state FROM games WHERE id = ?", (id,)).fetchone()
        state = json.loads(text)
        del state["play_keys"]
        file.execute("UPDATE games SET state = ? WHERE id = ?", (json.dumps(state), id))
    assert page.open(id)["tip"] == 1
    invited(page, other, id)
    assert other.play(id, "a1")["tip"] == 2


@pytest.mark.parametrize("key", ["", "x" * 1000, "schlüssel", "\ud800", "鍵"])
def test_another_key_is_refused_whatever_it_is(key: str) -> None:
    with pytest.raises(Refused, match="play link is not valid"):
        side_of_key({0: new_key()}, key)


def test_links_cannot_be_guessed() -> None:
    """An id has 96 bits and a key 128, from the system's own random numbers."""
    for make, bits in ((new_id, 96), (new_key, 128)):
        made = {make() for _ in range(2000)}
        assert len(made) == 2000 and min(map(len, made)) * 6 >= bits
