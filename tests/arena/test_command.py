"""`plywise match` as a person types it."""

import json
import os
import signal
from pathlib import Path

import pytest

from plywise.cli import main
from tests.cli.terminal import Screen, plain, start
from tests.cli.terminal import process as command

MATCH = ("match", "tic_tac_toe", "plywise:depth=1,name=ours", "plywise:player=random,name=dice")


def test_a_match_ends_with_its_table(tmp_path: Path) -> None:
    done = command(*MATCH, "--pairs", "4", "--file", str(tmp_path / "m"), "--records", str(tmp_path / "r"))
    assert done.status == 0, done.error
    assert "ours v dice: +" in done.out and "in 8 games" in done.out and f"kept in {tmp_path}/m" in done.out
    assert (tmp_path / "r").read_text(encoding="utf-8").count("Result: ") == 8
    refused = command(*MATCH, "--file", str(tmp_path / "m"), "--records", str(tmp_path / "s"))
    assert refused.status == 2 and "--resume" in refused.error and not (tmp_path / "s").exists()
    refused = command(*MATCH, "--file", str(tmp_path / "n"), "--records", str(tmp_path / "r"))
    assert refused.status == 2 and "such a file already" in refused.error and not (tmp_path / "n").exists()
    words = ("match", "--resume", str(tmp_path / "m"), "--pairs", "6", "--json")
    more = command(*words, "--records", str(tmp_path / "r"))
    assert (tmp_path / "r").read_text(encoding="utf-8").count("Result: ") == 12
    assert more.json["games"] == 12 and more.json["players"][0]["name"] == "ours"
    again = command("match", "--resume", str(tmp_path / "m"), "--pairs", "6", "--json")
    assert again.json == more.json


def test_a_match_is_kept_where_nobody_has_to_say_so(tmp_path: Path) -> None:
    first = command(*MATCH, "--pairs", "2", "--json", PLYWISE_DATA=str(tmp_path))
    assert Path(first.json["file"]).parent == tmp_path / "matches"
    more = command("match", "--resume", "last", "--pairs", "3", "--json", PLYWISE_DATA=str(tmp_path))
    assert more.json["pairs"] == 3 and more.json["file"] == first.json["file"]


NIM = """
from typing import NamedTuple

from plywise import game
from plywise.core.preset import Preset


@game(sides=("left", "right"))
class Nim(NamedTuple):
    turn: int = 0
    left: int = 9

    def moves(self):
        return [take for take in (1, 2, 3) if take <= self.left]

    def play(self, take):
        return Nim(1 - self.turn, self.left - take)

    @classmethod
    def presets(cls):
        return Preset("Dice", "random", "Any move."), Preset("Deep", "minimax,depth=9", "All moves.")
"""


def test_a_match_without_players_is_between_all_that_the_game_names(tmp_path: Path) -> None:
    """The laboratory: the same games for the same seed, and a table that says who beats whom."""
    (tmp_path / "nim.py").write_text(NIM)
    words = ("match", str(tmp_path / "nim.py"), "--pairs", "2", "--seed", "3", "--workers", "1")
    done = command(*words, PLYWISE_DATA=str(tmp_path))
    assert done.status == 0, done.error
    lines = done.out.splitlines()
    table = next(place for place, line in enumerate(lines) if "points against" in line)
    assert lines[table].split() == ["points", "against", "1", "2", "3"]
    rows = {line.split()[1]: line.split()[2:] for line in lines[table + 1 : table + 4]}
    assert set(rows) == {"Dice", "Deep", "plywise"} and list(rows)[-1] == "Dice"
    places = {name: place for place, name in enumerate(rows)}
    for one, cells in rows.items():
        for other, place in places.items():
            if one == other:
                assert cells[place] == "-"
            else:
                assert float(cells[place]) + float(rows[other][places[one]]) == 4
    again = command(*words, PLYWISE_DATA=str(tmp_path / "again"))
    assert again.out.splitlines()[:table] == lines[:table]


def test_a_game_without_players_by_name_has_the_textbook_players(tmp_path: Path) -> None:
    (tmp_path / "nim.py").write_text(NIM.partition("    @classmethod\n    def presets")[0])
    words = ("match", str(tmp_path / "nim.py"), "--pairs", "1", "--workers", "1")
    done = command(*words, PLYWISE_DATA=str(tmp_path))
    assert done.status == 0, done.error
    table = done.out.partition("points against")[2].splitlines()[1:5]
    assert {line.split()[1] for line in table} == {"alphabeta", "greedy", "random", "plywise"}


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["match"], "wants GAME and PLAYERs"),
        (["match", "tictactoe", "plywise", "plywise"], "did you mean 'tic_tac_toe'"),
        (["match", "tic_tac_toe", "plywise"], "two players"),
        (["match", "tic_tac_toe", "plywise", "plywise:deth=3"], "did you mean 'depth'"),
        ([*MATCH, "--pairs", "0"], "--pairs"),
        ([*MATCH, "--sprt", "five"], "--sprt wants two numbers like 0,5"),
        ([*MATCH, "--sprt", "5,0"], "elo0 below elo1"),
        ([*MATCH, "--alpha", "0.1"], "--alpha belongs to --sprt"),
        ([*MATCH, "--control", "soon"], "MOVES/SECONDS+INCREMENT"),
        ([*MATCH, "--control", "5", "--time", "1"], "exclude each other"),
        ([*MATCH, "--call-win", "much"], "MOVES,SCORE"),
        ([*MATCH, "--anchor", "nobody"], "anchor"),
        ([*MATCH, "--openings", "nothing"], "unknown openings 'nothing'"),
        ([*MATCH, "--resume", "m"], "leave GAME out"),
        (["match", "--resume", "m", "--seed", "3"], "leave --seed out"),
        (["match", "--resume", "/nowhere/m"], "/nowhere/m: No such file"),
        (["match", "--resume", "last"], "no match is kept in"),
        ([*MATCH, "--file", "/nowhere/at/all"], "/nowhere"),
        ([*MATCH, "--records", "/nowhere/at/all"], "/nowhere"),
        ([*MATCH, "--tls-ca", "x"], "belong to --cluster"),
        ([*MATCH, "--workers", "none"], "--workers"),
    ],
)
def test_what_is_refused(words: list[str], reason: str, tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.setenv("PLYWISE_DATA", str(tmp_path))
    if os.geteuid() == 0 and "/nowhere/at/all" in words:
        words = [word.replace("/nowhere/at", "/proc") for word in words]
        reason = "/proc/all"
    assert main(words) == 2
    out, error = capsys.readouterr()
    assert out == "" and error.count("\n") == 1
    assert reason in error


@pytest.mark.skipif(os.name == "nt", reason="presses Ctrl-C by a signal")
def test_ctrl_c_stops_cleanly_with_the_table_and_the_match_goes_on_later(tmp_path: Path) -> None:
    place = tmp_path / "m"
    process = start(*MATCH, "--pairs", "100000", "--file", str(place), "--workers", "1")
    while not place.exists() or place.read_bytes().count(b"\n") < 4:
        assert process.poll() is None, process.communicate()
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=300)
    assert process.returncode == 130, error
    assert b"ours v dice" in out and b"--resume" in out and b"Traceback" not in error
    played = place.read_bytes().count(b"\n") - 1
    done = command("match", "--resume", str(place), "--pairs", str(played + 1), "--json")
    assert done.json["pairs"] == played + 1


@pytest.mark.skipif(os.name == "nt", reason="kills by a signal")
def test_a_match_that_was_killed_goes_on_without_losing_or_replaying_any(tmp_path: Path) -> None:
    place = tmp_path / "m"
    process = start(*MATCH, "--pairs", "100000", "--file", str(place))
    while not place.exists() or place.read_bytes().count(b"\n") < 6:
        assert process.poll() is None, process.communicate()
    process.kill()
    process.communicate()
    rows = place.read_bytes().splitlines(keepends=True)
    before = [json.loads(row[9:])["pair"] for row in rows[1:] if row.endswith(b"\n")]
    last = max(before) + 3
    done = command("match", "--resume", str(place), "--pairs", str(last), "--json")
    assert done.json["pairs"] == last
    after = [json.loads(row[9:])["pair"] for row in place.read_bytes().splitlines()[1:]]
    assert after[: len(before)] == before and sorted(after) == list(range(last))


@pytest.mark.skipif(os.name == "nt", reason="wants a terminal")
def test_a_terminal_shows_how_it_stands(tmp_path: Path) -> None:
    options = ("--pairs", "60", "--sprt=-1,1", "--file", str(tmp_path / "m"))
    screen = Screen("match", "tic_tac_toe", *["plywise:player=random"] * 2, *options, columns=120)
    screen.wait_for(r"\d+/120 games  \+\d+ =\d+ -\d+  Elo .* LLR")
    assert screen.finish() == 0
    assert "test of -1 against 1 normalised Elo: LLR" in plain(screen.shown)
    assert "): not decided" in plain(screen.shown)
