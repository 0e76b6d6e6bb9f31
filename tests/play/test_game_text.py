"""Whole games as text: written, read again, and refused with a reason."""

import pytest

from plywise import load
from plywise.core.errors import PlywiseError
from plywise.core.registry import shipped
from plywise.play.game_text import formats, read, write
from plywise.play.state import start_game
from tests.play.test_state import played


@pytest.mark.parametrize("name", sorted(shipped()))
def test_every_format_gives_the_stage_back(name: str) -> None:
    state = played(name, 10)
    for format in formats(state.game):
        again, _ = read(state.game, write(state, format))
        assert [one.text for one in again.path] == [one.text for one in state.path], format


def test_tags_survive_where_the_format_has_them() -> None:
    state = start_game(load("chess"), "start moves e4")
    for format in ("pgn", "json"):
        assert read(state.game, write(state, format, {"White": "Ann"}))[1]["White"] == "Ann"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("chess", "1. e4 e5 2. Nf3", ["e4", "e5", "Nf3"]),
        ("chess", "start moves e2e4", ["e4"]),
        ("chess", "8/8/8/8/8/5k2/6q1/7K w - - 0 1", []),
        ("checkers", "1. 11-15 23-19 *", ["11-15", "23-19"]),
        ("checkers", '[Event "x"]\n\n1. 11-15 *', ["11-15"]),
        ("connect_four", "445", []),
    ],
)
def test_what_people_paste_is_read(name: str, text: str, said: list[str]) -> None:
    state, _ = read(load(name), text)
    assert [one.label for one in state.path][1:] == said


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("chess", "", "empty"),
        ("chess", "hello", "bad position 'hello'"),
        ("chess", "1. e4 e5 2. Qh9", "Qh9"),
        ("chess", "{", "no JSON"),
        ("chess", '{"game": "polis"}', "polis"),
        ("chess", '{"game": "chess", "record": [1]}', "list of objects"),
        ("chess", '{"game": "chess", "tags": 3, "record": []}', "tags"),
        ("connect_four", "start moves 9", "'9'"),
        ("skirmish", "nowhere", "bad position"),
    ],
)
def test_what_is_no_game_is_refused_with_the_reason(name: str, text: str, reason: str) -> None:
    with pytest.raises(PlywiseError, match=reason):
        read(load(name), text)


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(PlywiseError, match="unknown format of checkers 'pgn'; did you mean 'pdn'"):
        write(start_game(load("checkers")), "pgn")
