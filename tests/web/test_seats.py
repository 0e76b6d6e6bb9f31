"""Seats on the page: any player by its text, a preset by its name, the scripted archers."""

import pytest

from tests.web.page import Page, Refusal

PERSON = {"kind": "person"}


def player(text: str) -> dict[str, str]:
    return {"kind": "player", "seat": text}


def new(page: Page, game: str, first: object, second: object, **fields: object) -> str:
    id: str = page.ask("new", game=game, seats=[first, second], **fields)["game"]
    page.state(id)
    return id


def test_a_textbook_player_takes_a_seat(page: Page) -> None:
    id = new(page, "tic_tac_toe", PERSON, player("alphabeta,depth=9"), position="xx.oo.... x")
    assert page.states[id]["seats"] == [PERSON, player("alphabeta,depth=9")]
    page.play(id, "a1")
    state = page.wait_for_turn(id)
    assert state["outcome"]["words"].startswith("o wins")


def test_a_level_as_text_is_a_level(page: Page) -> None:
    id = new(page, "tic_tac_toe", player("person"), player("level=3"))
    assert page.states[id]["seats"] == [PERSON, {"kind": "level", "level": 3}]


def test_the_dialog_is_told_the_players_of_each_game(page: Page) -> None:
    games = {game["name"]: game["players"] for game in page.greeting["games"]}
    assert [one["name"] for one in games["chess"]][-1] == "MinmaxAB"
    assert [(one["name"], one["side"]) for one in games["skirmish"]][-1] == ("scripted", 1)
    assert games["tic_tac_toe"] == []


def test_a_seat_as_text_is_described_or_refused(page: Page) -> None:
    said = page.ask("seat", game="chess", side=0, seat="minmaxab")["words"]
    assert said.startswith("Minmax with alpha-beta, captures first")
    assert page.ask("seat", game="chess", side=0, seat="minimax,depth=2")["words"] == "minimax,depth=2"
    for text, words in (
        ("minmax,depth=0", "whole number from 1 up"),
        ("MinmaxB", "did you mean 'MinmaxAB'"),
        ("evaluator=rings", "unknown evaluator of chess 'rings'"),
        ("weights=x.json", "weights are files"),
    ):
        with pytest.raises(Refusal, match=words):
            page.ask("seat", game="chess", side=0, seat=text)
        with pytest.raises(Refusal, match=words):
            page.ask("new", game="chess", seats=[PERSON, player(text)])


def test_the_scripted_archers_play_on_the_page(page: Page) -> None:
    id = new(page, "skirmish", PERSON, player("scripted"))
    state = page.states[id]
    assert state["view"]["choosing"] == [0] and state["seats"][1] == player("scripted")
    for _ in range(2):
        page.play(id, "F1-S")
        state = page.play(id, "F2-S")
    assert any(words.startswith("A1 hits F1") for words in state["view"]["told"])
    again = page.ask("rematch", game=id)["game"]
    assert page.state(again)["seats"] == [PERSON, player("scripted")]


def test_a_position_with_the_switch_seats_the_scripted_archers(page: Page) -> None:
    id = new(page, "skirmish", PERSON, {"kind": "level", "level": 3}, position="2fva script")
    assert page.states[id]["seats"][1] == player("scripted")
    with pytest.raises(Refusal, match="archers are led by 'scripted'"):
        page.ask("new", game="skirmish", seats=[PERSON, PERSON], position="2fva script")
    with pytest.raises(Refusal, match="scripted plays archers only"):
        page.ask("new", game="skirmish", seats=[player("scripted"), PERSON])
