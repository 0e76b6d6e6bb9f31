"""`plywise explain`: what it prints, its keys, and what it refuses."""

import json
from pathlib import Path

import pytest

import plywise as library
from plywise.explain import load
from tests.cli.terminal import plywise

KEYS = {"move", "score", "kind", "line", "terms", "alternatives", "nodes", "recorded"}


def test_the_keys_that_scripts_rely_on() -> None:
    found = plywise("explain", "connect_four", "4453", "--depth", "5", "--uncompiled", "--json").json
    assert set(found) >= KEYS
    assert found["nodes"] == found["recorded"]
    for one in found["alternatives"]:
        assert set(one) >= {"move", "score", "kind", "line", "reason"}
        assert (one["kind"] == "bound") == (one["bound"] is not None)
    same = library.analyse(library.load("connect_four").history("4453"), depth=5, compiled=False)
    assert (found["move"], found["score"], found["line"]) == (same.move, same.score, list(same.line))


def test_the_words_name_the_move_the_line_and_the_other_moves() -> None:
    text = plywise("explain", "tic_tac_toe", "xx.oo....", "x", "--depth", "3").out
    assert "x should play c3: x wins in 1 ply (proven)" in text
    assert "For x the line ends the game: three in a row." in text
    assert "Why not another move?" in text


def test_why_not_is_answered_in_words_and_as_data() -> None:
    words = ("explain", "tic_tac_toe", "xx.oo....", "x", "--depth", "3", "--move", "a1")
    text = " ".join(plywise(*words).out.split())
    assert (
        "Why not a1? Searched alone to depth 1:" in text or "Why not a1? Searched alone to depth 3:" in text
    )
    data = plywise(*words, "--json").json["why_not"]
    assert data["move"] == "a1"
    assert data["refutation"] is None or data["refutation"] == data["line"][1]
    assert set(data) >= {"score", "kind", "line", "goes_wrong", "cost", "reason"}


def test_the_record_can_be_kept(tmp_path: Path) -> None:
    file = tmp_path / "a.record"
    words = ("explain", "connect_four", "44", "--depth", "4", "--uncompiled", "--record", str(file), "--json")
    found = plywise(*words).json
    kept = load(file)
    assert len(kept) == found["recorded"]
    assert kept.result["move"] == found["move"]


def test_a_record_may_be_short_and_says_so() -> None:
    done = plywise("explain", "connect_four", "--depth", "5", "--uncompiled", "--most", "50")
    assert "The record is cut short: only the first 50 of" in done.out


def test_positions_by_the_line_are_answered_by_the_line() -> None:
    words = ("explain", "connect_four", "-", "--depth", "3", "--uncompiled")
    lines = plywise(*words, typed="44\n1212121\n9\n\n").out.splitlines()
    found = [json.loads(line) for line in lines]
    assert [one.get("position") for one in found] == ["44", "1212121", None, "start"]
    assert found[1]["move"] is None
    assert "is no column from 1 to 7" in found[2]["error"]
    refused = plywise(*words, "--record", "file", typed="")
    assert (refused.status, "give one position" in refused.error) == (2, True)


def test_a_finished_game_is_no_error() -> None:
    done = plywise("explain", "connect_four", "1212121", "--uncompiled")
    assert done.status == 0
    assert done.out.splitlines()[-1] == "The game is over: x has four in a row."


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--move", "9"], "illegal move '9'"),
        (["--depth", "0"], "--depth wants a whole number from 1 up"),
        (["--time", "soon"], "--time wants seconds above 0"),
        (["--most", "none"], "--most wants a whole number from 1 up"),
        (["--evaluator", "defaul"], "did you mean 'default'?"),
        (["--mov", "3"], "has no option --mov; did you mean --move?"),
        (["--depth", "2", "--uncompiled", "--record", "/no/such/folder/file"], "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(words: list[str], reason: str) -> None:
    done = plywise("explain", "connect_four", *words)
    assert done.status == 2
    assert reason in done.error
    assert len(done.error.strip().splitlines()) == 1
