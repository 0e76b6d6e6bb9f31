"""Sharing from the page: pictures, and links that carry a whole game."""

import base64
import random
import string
import zlib

import pytest

from plywise.web.game_link import MAX_LINK, read_link
from plywise.web.schema import Refused
from tests.web.page import Page, Refusal

PGN = '[Event "Club"]\n[White "Anna"]\n[Result "*"]\n\n1. e4 {best} e5 (1... c5 2. Nf3) 2. Nf3 *\n'


def packed(text: str) -> str:
    return base64.urlsafe_b64encode(zlib.compress(text.encode())).decode().rstrip("=")


def test_a_position_and_a_game_are_drawn(page: Page) -> None:
    id = page.ask("import", game="chess", text=PGN)["game"]
    still = page.ask("picture", game=id, node=0)
    assert still["name"] == "chess.svg"
    assert still["text"].startswith("<svg") and "animate" not in still["text"]
    tip = page.state(id)["tip"]
    moving = page.ask("picture", game=id, node=tip, moving=True, flipped=True, look="brown")
    assert moving["name"] == "chess-game.svg"
    assert "2. Nf3" in moving["text"] and "#b58863" in moving["text"]
    with pytest.raises(Refusal, match="unknown look 'pink'"):
        page.ask("picture", game=id, node=0, look="pink")


def test_a_link_carries_the_whole_game_with_its_variations_and_names(page: Page) -> None:
    id = page.ask("import", game="chess", text=PGN)["game"]
    fragment = page.ask("game link", game=id)["fragment"]
    start, name, data = fragment.split("/")
    assert (start, name) == ("#import", "chess")
    assert set(data) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    again = page.ask("open link", game=name, data=data)
    assert again["left_out"] == ""
    assert again["game"] != id
    texts = [page.ask("export", game=one, format="pgn")["text"] for one in (id, again["game"])]
    assert texts[0] == texts[1]
    assert "1... c5 2. Nf3" in texts[1] and "{best}" in texts[1]


@pytest.mark.parametrize("game", ["connect_four", "skirmish", "checkers"])
def test_every_kind_of_game_goes_through_a_link(page: Page, game: str) -> None:
    id = page.new(game)
    for _ in range(2):
        page.play(id, page.wait_for_turn(id)["view"]["moves"][0]["move"])
    _, name, data = page.ask("game link", game=id)["fragment"].split("/")
    again = page.ask("open link", game=name, data=data)["game"]
    state, copy = page.states[id], page.state(again)
    assert copy["view"]["text"] == state["view"]["text"]
    assert len(copy["nodes"]) == len(state["nodes"])


def test_a_game_too_long_for_a_link_is_said_in_words(page: Page) -> None:
    """Random words do not become shorter."""
    rng = random.Random(1)
    comments = ["".join(rng.choices(string.ascii_letters, k=4000)) for _ in range(3)]
    moves = " ".join(f"{move} {{{words}}}" for move, words in zip(("e4", "e5", "Nf3"), comments, strict=True))
    id = page.ask("import", game="chess", text=f"1. {moves} *\n")["game"]
    answer = page.ask("game link", game=id)
    assert answer["fragment"] is None
    assert f"{MAX_LINK:,} arrive safely" in answer["words"]
    assert "too long for a link" in answer["words"]


@pytest.mark.parametrize("data", ["abcd", "A", packed(PGN)[:-9], packed("\x00\x01")[:7] + "zzzz"])
def test_a_damaged_link_is_refused_in_one_sentence(page: Page, data: str) -> None:
    with pytest.raises(Refusal, match="This link is damaged"):
        page.ask("open link", game="chess", data=data)


def test_a_link_that_unpacks_to_too_much_is_refused_before_it_is_unpacked() -> None:
    with pytest.raises(Refused, match="too long"):
        read_link(packed("a" * 10_000_000))


def test_a_link_with_no_game_in_it_is_refused(page: Page) -> None:
    with pytest.raises(Refusal):
        page.ask("open link", game="chess", data=packed("this is no game"))
