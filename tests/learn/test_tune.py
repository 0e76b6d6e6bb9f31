"""Tuning: the numbers move to where they win, a run goes on where it was cut off, a test decides."""

import functools
import itertools
import json
import shlex
from pathlib import Path

import pytest

import plywise
from plywise.arena.builtin import margins
from plywise.arena.match import Match
from plywise.arena.player_spec import BadPlayer, parse
from plywise.arena.time_control import TimeControl
from plywise.core.errors import PlywiseError
from plywise.core.file_lock import FileLock
from plywise.learn import tune
from plywise.learn.tune import BadTuning, Tuning, active_margins
from plywise.search.margins import MARGINS, read_margins
from tests.cli.terminal import plywise as command
from tests.conftest import interpreted

GAME = "connect_four"
CONTROL = TimeControl(nodes=60)


@pytest.fixture(autouse=True)
def _look_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which margins matter to a game is looked for once, and not for every test."""
    monkeypatch.setattr(tune, "active_margins", lambda game, base, seed: active(game.name))


@functools.cache
def active(name: str) -> tuple[str, ...]:
    base = {margin: value.default for margin, value in MARGINS.items()}
    return active_margins(plywise.load(name), base, 0)


def opened(folder: Path, **changes: object) -> Tuning:
    return Tuning.open(folder, **{"game": GAME, "control": CONTROL, "seed": 3, **changes})  # type: ignore[arg-type]


def played(tuning: Tuning, rounds: int, monkeypatch: pytest.MonkeyPatch) -> tune.TuneResult:
    """Run until this many rounds are done, with players that differ much: their games are short."""
    monkeypatch.setattr(tune, "PAIRS", 1)
    monkeypatch.setattr(tune, "FIRST_STEP", 0.9)
    with interpreted():
        found = tuning.run(1.0, now=lambda: 0.0, stopped=lambda: tuning.rounds >= rounds)
    assert tuning.rounds == rounds
    return found


def test_numbers_move_to_where_they_win(tmp_path: Path) -> None:
    """Whoever is nearer to the best numbers wins in proportion."""
    tuning = opened(tmp_path / "run")
    best = {name: min(MARGINS[name].high, 1.5 * tuning.base[name] + 1) for name in tuning.names}

    def far(values: dict[str, int]) -> float:
        return sum(abs(values[name] - best[name]) / best[name] for name in tuning.names)

    before = far(tuning.numbers())
    for _ in range(600):
        up, down, steps = tuning.players()
        for name, margin in MARGINS.items():
            assert margin.low <= min(up[name], down[name]) and max(up[name], down[name]) <= margin.high
            assert abs(up[name] - down[name]) <= max(3, 0.7 * tuning.values[name])  # both play sensibly
        tuning.learn_from(max(-1.0, min(1.0, far(down) - far(up))), steps)
        tuning.rounds += 1
    assert far(tuning.numbers()) < 0.5 * before


def test_numbers_that_change_no_search_are_left_alone(tmp_path: Path) -> None:
    """In Connect Four nobody may pass, and nothing is urgent."""
    tuning = opened(tmp_path / "run")
    assert {"reverse_futility_margin", "reduction_divisor", "late_move_base"} <= set(tuning.names)
    idle = {"null_move_reduction", "urgent_extension", "see_quiet_margin", "probcut_confidence"}
    assert not idle & set(tuning.names)
    up, down, steps = tuning.players()
    assert set(steps) == set(tuning.names)
    assert all(up[name] == down[name] == tuning.base[name] for name in idle)
    assert opened(tmp_path / "run").names == tuning.names


def test_a_run_that_was_cut_off_goes_on_as_if_nothing_had_been(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = opened(tmp_path / "whole")
    played(whole, 4, monkeypatch)
    assert whole.values != opened(tmp_path / "fresh").values
    played(opened(tmp_path / "parts"), 2, monkeypatch)
    rounds = tmp_path / "parts" / "rounds.jsonl"
    rounds.write_text(rounds.read_text() + '{"round": 3, "val')  # killed while it wrote
    again = opened(tmp_path / "parts")
    assert again.rounds == 2
    played(again, 4, monkeypatch)
    assert again.values == whole.values


@pytest.mark.parametrize("content", ["", '{"match": '])
def test_a_test_that_was_killed_before_it_began_begins_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    played(opened(tmp_path / "run"), 1, monkeypatch)
    (tmp_path / "run" / "proof-1.match").write_text(content)
    assert played(opened(tmp_path / "run"), 1, monkeypatch).rounds == 1
    assert (tmp_path / "run" / "proof-1.match").stat().st_size > 100


def test_one_process_works_in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tuning, lock = opened(tmp_path / "run"), FileLock(tmp_path / "run" / "tune.json")
    assert lock.acquire(0.0)
    with pytest.raises(BadTuning, match="in use by another process"):
        played(tuning, 1, monkeypatch)
    lock.release()
    played(tuning, 1, monkeypatch)


def test_the_command_that_goes_on_is_one_that_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = tune.TuneResult(GAME, False, 0.0, None, 0, 0, 0.0, tmp_path / "candidate.json")
    monkeypatch.setattr(tune.Tuning, "run", lambda self, *_, **__: result)
    monkeypatch.setattr("plywise.cli.compiling.compile_if_kept", lambda searchers: None)
    words = ["--minutes", "3", "--control", "cpu=0.002", "--seed", "3", "--resume", str(tmp_path / "a run")]
    said = command("tune", GAME, *words).out.splitlines()[-1]
    assert said.endswith(" goes on") and "--minutes 6" in said
    again = command(*shlex.split(said.removesuffix(" goes on"))[1:])
    assert again.status == 0, again.error


def test_without_a_verdict_nothing_is_accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = played(opened(tmp_path / "run"), 1, monkeypatch)
    assert list(found.as_dict()) == [
        "game", "accepted", "elo", "error", "games", "rounds", "seconds", "file"
    ]  # fmt: skip
    assert not found.accepted and found.rounds == 1
    assert "not accepted" in json.loads(found.file.read_text())["origin"]


def test_what_the_test_accepts_is_written_for_its_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tune, "TEST", tune.Sprt(-900.0, -100.0))  # anything is stronger than that
    tuning = opened(tmp_path / "run")
    tuning.values["futility_base"] = 20.0
    with interpreted():
        found = tuning.run(1e6, now=itertools.chain([0.0], itertools.repeat(0.8e6)).__next__)
    assert found.accepted and found.file == tmp_path / "run" / "margins.json"
    assert read_margins(found.file, GAME) == {"futility_base": 20}
    with pytest.raises(PlywiseError, match="for 'connect_four', not for 'chess'"):
        read_margins(found.file, "chess")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"game": "tic_tac_toe"}, "was begun with game 'connect_four'"),
        ({"seed": 4}, "was begun with seed 3"),
        ({"control": TimeControl(nodes=9)}, "was begun with control '60 nodes a move'"),
    ],
)
def test_a_folder_belongs_to_one_run(tmp_path: Path, changes: dict[str, object], said: str) -> None:
    opened(tmp_path / "run")
    with pytest.raises(BadTuning, match=said):
        opened(tmp_path / "run", **changes)


def test_what_is_no_folder_of_a_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(BadTuning, match="no folder of `tune`"):
        opened(tmp_path)
    opened(tmp_path / "run")
    (tmp_path / "run" / "tune.json").write_text("{")
    with pytest.raises(BadTuning, match="damaged"):
        opened(tmp_path / "run")
    with pytest.raises(BadTuning, match="agents"):
        opened(tmp_path / "other", game="skirmish")


def test_players_have_margins_of_their_own(tmp_path: Path) -> None:
    game = plywise.load(GAME)
    assert margins(game, parse("plywise")) is None
    text = "plywise:margins=futility_base:20+reduction_min_ply:2"
    assert margins(game, parse(text)) == {"futility_base": 20, "reduction_min_ply": 2}
    file = tmp_path / "own.json"
    file.write_text('{"game": "connect_four", "version": 1, "values": {"futility_base": 30}}')
    match = Match.of(GAME, [f"plywise:margins={file}", "plywise:player=random"])
    assert margins(game, match.setup.players[0]) == {"futility_base": 30}
    assert str(file) in match.setup.digests
    for words, said in (
        ("futility:20", "did you mean"),
        ("futility_base:x", "NAME:NUMBER"),
        ("futility_base:9999", "from 0 to 500"),
        ("nowhere.json", "No such file"),
    ):
        with pytest.raises(BadPlayer, match=said):
            Match.of(GAME, [f"plywise:margins={words}", "plywise:player=random"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([GAME, "--minutes", "0"], "--minutes"),
        ([GAME, "--control", "soon"], "MOVES/SECONDS"),
        ([GAME, "--workers", "2", "--cluster", "tcp://x:1"], "--workers"),
        (["skirmish"], "agents"),
        ([GAME, "--out", "nowhere/margins.json"], "there is no folder"),
    ],
)
def test_what_the_command_refuses(words: list[str], said: str) -> None:
    done = command("tune", *words)
    assert done.status == 2 and done.out == "" and done.error.count("\n") == 1
    assert said in done.error


@pytest.mark.thorough("plays in other processes")
def test_the_command_tunes(tmp_path: Path) -> None:
    words = [
        "--minutes",
        "0.2",
        "--control",
        "cpu=0.001",
        "--workers",
        "1",
        "--resume",
        str(tmp_path / "run"),
    ]
    found = command("tune", GAME, *words, "--json").json
    assert found["game"] == GAME and found["rounds"] >= 1 and found["games"] >= 16
