"""External engines: real processes that behave, and that misbehave in every way."""

import os
import shlex
import shutil
import sys
import threading
import time
from pathlib import Path

import pytest

import plywise
from plywise.arena import external, process
from plywise.arena.executors import InProcess, Processes
from plywise.arena.external import try_engine
from plywise.arena.faults import Fault
from plywise.arena.match import Match
from plywise.arena.player_spec import BadPlayer, parse
from plywise.arena.setup import Setup
from plywise.arena.time_control import TimeControl
from plywise.arena.uci_client import UciClient
from plywise.arena.xboard_client import XBoardClient
from tests.cli.terminal import process as command

ENGINES = Path(__file__).with_name("engines")
RANDOM = "plywise:player=random"
LONG = 300.0  # seconds: who answers at all has time to, on a machine that is busy or stands still for a while


def engine(kind: str, *manner: str, options: str = "") -> str:
    words = [sys.executable, str(ENGINES / f"{kind}.py"), *manner]
    return f"{kind}:{shlex.join(words)}" + (f",{options}" if options else "")


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Engines that answer have time to; a test shortens what it waits for in vain."""
    for name in ("uci_client.START_TIMEOUT", "xboard_client.START_TIMEOUT", "xboard_client.FEATURE_TIMEOUT"):
        monkeypatch.setattr(f"plywise.arena.{name}", LONG)
    monkeypatch.setattr("plywise.arena.xboard_client.CLAIM_GRACE", 0.2)  # nobody claims and moves
    monkeypatch.setattr(external, "STOP_GRACE", LONG)
    monkeypatch.setattr(process, "EXIT_TIMEOUT", LONG)
    return monkeypatch


@pytest.fixture
def no_features(patience: pytest.MonkeyPatch) -> None:
    """Engines of version 1 name no features: they are not waited for."""
    patience.setattr("plywise.arena.xboard_client.FEATURE_TIMEOUT", 0.1)


def played(player: str, **options) -> Match:
    """A pair against random moves, in this process."""
    options = {
        "pairs": 1,
        "openings_from": "start",
        "control": TimeControl(depth=1),
        "patience": LONG,
        **options,
    }
    match = Match.of("tic_tac_toe", [player, RANDOM], **options)
    match.run(InProcess())
    assert not process._running, "an engine was left running"
    assert match.tally.games == 2 * options["pairs"]
    return match


def blame(match: Match) -> tuple[dict[str, int], str]:
    conduct = match.tally.player_tallies[0]
    assert not match.tally.player_tallies[1].faults, "the wrong side was blamed"
    return dict(conduct.faults), conduct.last_fault


@pytest.mark.parametrize("kind", ["uci", "xboard"])
@pytest.mark.parametrize(
    "control",
    [TimeControl(depth=1), TimeControl(time=LONG), TimeControl(LONG, 0.1), TimeControl(LONG, 0, 3)],
)
def test_engines_that_behave_play_whole_games(kind: str, control: TimeControl) -> None:
    match = played(engine(kind, "good"), control=control, openings_from="random:2")
    assert blame(match) == ({}, "")
    conduct = match.tally.player_tallies[0]
    assert conduct.depth == (3 if kind == "uci" else 4)
    assert conduct.work.nodes >= 40


def test_two_protocols_meet() -> None:
    players = [engine("uci", "good"), engine("xboard", "good")]
    match = Match.of("tic_tac_toe", players, pairs=2, control=TimeControl(depth=1), patience=LONG)
    match.run(Processes(1))
    assert not any(conduct.faults for conduct in match.tally.player_tallies)


def test_a_manner_of_moving_of_old_engines_is_understood(no_features: None) -> None:
    assert blame(played(engine("xboard", "old"))) == ({}, "")
    assert blame(played(engine("xboard", "bare"))) == ({}, "")


def test_an_engine_that_plays_one_game_is_started_for_each() -> None:
    assert blame(played(engine("xboard", "once"))) == ({}, "")


def test_plywise_can_be_an_outside_engine() -> None:
    ours = f"uci:{shlex.join([sys.executable, '-m', 'plywise', 'uci', 'tic_tac_toe'])}"
    assert blame(played(ours)) == ({}, "")


@pytest.mark.parametrize(
    ("kind", "manner", "vain", "words"),
    [
        ("uci", "late", "uci_client.START_TIMEOUT", "does not say uciok"),
        ("uci", "hangs", "external.STOP_GRACE", "it hangs"),
        ("uci", "flood", "external.STOP_GRACE", "it hangs"),
        ("xboard", "waits", "xboard_client.START_TIMEOUT", "not done"),
    ],
)
def test_an_engine_that_does_not_answer_is_blamed(
    patience: pytest.MonkeyPatch, kind: str, manner: str, vain: str, words: str
) -> None:
    patience.setattr(f"plywise.arena.{vain}", 0.5)
    patience.setattr(process, "EXIT_TIMEOUT", 0.5)  # nor does it end when it is told to
    faults, last = blame(played(engine(kind, manner), patience=0.5 if words == "it hangs" else LONG))
    assert set(faults) == {"crash"} and words in last


@pytest.mark.parametrize(
    ("kind", "manner", "fault", "words"),
    [
        ("uci", "illegal", "illegal", "illegal move"),
        ("uci", "nothing", "illegal", "'(none)'"),
        ("uci", "dies", "crash", "ended with status 3"),
        ("xboard", "illegal", "illegal", "illegal move"),
        ("xboard", "dies", "crash", "ended with status 3"),
        ("xboard", "refuses", "crash", "refuses the legal move"),
        ("xboard", "claims", "crash", "claims '1/2-1/2 {I am tired}'"),
    ],
)
def test_an_engine_that_misbehaves_is_blamed_and_the_match_goes_on(kind, manner, fault, words) -> None:
    match = played(engine(kind, manner))
    faults, last = blame(match)
    assert set(faults) == {fault} and faults[fault] >= 1
    assert words in last


def test_rubbish_is_passed_over() -> None:
    assert blame(played(engine("uci", "rubbish"))) == ({}, "")


@pytest.mark.parametrize("kind", ["uci", "xboard"])
def test_an_engine_that_moves_only_when_told_loses_on_time(kind: str) -> None:
    match = played(engine(kind, "slow", options="control=0.2"), margin=0.05)  # the other has no clock
    faults, last = blame(match)
    assert faults == {"time": 2} and "were over" in last


def test_part_of_a_second_is_told_to_an_engine_that_counts_whole_ones() -> None:
    assert blame(played(engine("xboard", "slow"), control=TimeControl(time=0.1), margin=LONG)) == ({}, "")


@pytest.mark.skipif(os.name == "nt", reason="Windows has neither sessions nor groups of this kind")
def test_an_engine_has_a_group_of_its_own_in_our_session() -> None:
    # Linux shares the processor among sessions: in one of its own an engine may wait for seconds.
    started = process.EngineProcess([sys.executable, "-c", "input()"])
    try:
        pid = started.process.pid
        assert os.getpgid(pid) == pid != os.getpgid(0)  # Ctrl-C does not reach it
        assert os.getsid(pid) == os.getsid(0)
    finally:
        started.kill()


def test_a_thread_that_reads_late_takes_nothing_from_the_next_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    go_on, read, late = threading.Event(), os.read, []

    def read_late(pipe: int, size: int) -> bytes:
        data = read(pipe, size)
        if b"first" in data:  # this thread reads again only when it is told to
            late.append(threading.current_thread())
            go_on.wait()
        return data

    monkeypatch.setattr(process.os, "read", read_late)
    code = "import sys; print(sys.argv[1], flush=True); input(); print('more', flush=True); input()"
    first = process.EngineProcess([sys.executable, "-c", code, "first"])
    while not late:
        time.sleep(0.01)
    first.kill()
    second = process.EngineProcess([sys.executable, "-c", code, "second"])
    assert second.read_line(LONG) == "second"
    go_on.set()
    time.sleep(0.1)  # the first thread reads again
    second.send("")
    assert second.read_line(LONG) == "more"
    late[0].join(LONG)
    assert not late[0].is_alive()
    second.kill()


@pytest.mark.parametrize("manner", ["resigns", "lost"])
def test_an_engine_may_give_up_without_blame(manner: str) -> None:
    match = played(engine("xboard", manner))
    assert blame(match) == ({}, "")
    assert match.tally.meetings[0, 1].losses >= 1


def test_a_program_that_does_not_start_is_blamed_in_each_game() -> None:
    faults, last = blame(played("uci:/nowhere/engine", pairs=2))
    assert faults == {"crash": 4} and "/nowhere" not in last and "does not start: No such file" in last


def test_what_a_program_complains_about_is_told() -> None:
    faults, last = blame(played(f"uci:{sys.executable} /nowhere/engine.py"))
    assert faults == {"crash": 2} and "ended with status 2" in last and "/nowhere/engine.py" in last


def test_both_engines_failing_is_nobodys_win() -> None:
    match = Match.of("tic_tac_toe", ["uci:/nowhere/a", "uci:/nowhere/b"], pairs=1)
    match.run(InProcess())
    assert match.tally.meetings[0, 1].draws == 2
    assert [conduct.faults["crash"] for conduct in match.tally.player_tallies] == [2, 2]


# --- processes ------------------------------------------------------------------------------------------
def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


def gone(*pids: int) -> None:
    """Wait until the system has put an end to them."""
    until = time.monotonic() + LONG
    while any(is_running(pid) for pid in pids):
        assert time.monotonic() < until, "a child of the engine lives on"
        time.sleep(0.01)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")
def test_an_engine_is_killed_with_its_children(tmp_path: Path) -> None:
    file = tmp_path / "children"
    match = played(engine("uci", "child", str(file)))
    assert match.tally.games == 2
    children = [int(line) for line in file.read_text().split()]
    assert children
    gone(*children)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")
def test_engines_end_with_a_match_that_was_killed(tmp_path: Path) -> None:
    """The leading process gets no chance to tidy up; its workers notice and end the engines."""
    from tests.cli.terminal import start

    file = tmp_path / "children"
    process = start(
        "match", "tic_tac_toe", engine("uci", "child", str(file)), engine("uci", "slow"),
        "--time", "500", "--workers", "1", "--file", str(tmp_path / "m"),
    )  # fmt: skip
    # The first child belongs to the rehearsal, the second to the game.
    while not file.exists() or len(file.read_text().split()) < 2:
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    child = int(file.read_text().split()[1])
    assert is_running(child)
    process.kill()
    process.wait()
    gone(child)
    for pipe in (process.stdin, process.stdout, process.stderr):
        pipe.close()


# --- options ----------------------------------------------------------------------------------------------
def test_options_reach_the_engine_and_unknown_ones_are_refused_before_the_first_game(tmp_path: Path) -> None:
    setup = Setup("tic_tac_toe", (), TimeControl(depth=1))
    assert try_engine("tic_tac_toe", parse(engine("uci", "good", options="option.hash=4")), setup) is None
    with pytest.raises(BadPlayer, match="did you mean 'Hash'"):
        try_engine("tic_tac_toe", parse(engine("uci", "good", options="option.Hsh=4")), setup)
    spec = parse(engine("xboard", "good", options="option.Book File=x.bin"))
    assert try_engine("tic_tac_toe", spec, setup) is None
    with pytest.raises(BadPlayer, match="Book File"):
        try_engine("tic_tac_toe", parse(engine("xboard", "good", options="option.Books=4")), setup)
    assert "does not start" in try_engine("tic_tac_toe", parse("uci:/nowhere/x"), setup)
    place = tmp_path / "m"
    done = command(
        "match", "tic_tac_toe", engine("uci", "good", options="option.Hsh=4"), RANDOM, "--file", str(place)
    )
    assert done.status == 2 and "did you mean 'Hash'" in done.error and not place.exists()


@pytest.mark.parametrize(
    ("player", "control"), [("xboard:x,nodes=5", TimeControl(5.0)), ("xboard:x", TimeControl(nodes=5))]
)
def test_xboard_cannot_count_nodes(player: str, control: TimeControl) -> None:
    with pytest.raises(BadPlayer, match="XBoard has no limit by nodes; give depth, time or control"):
        Match.of("chess", [player, RANDOM], control=control)


def test_uci_cannot_count_processor_time() -> None:
    with pytest.raises(BadPlayer, match="UCI has no limit by processor time; give depth, nodes, time"):
        Match.of("chess", ["uci:x", RANDOM], control=TimeControl(cpu=0.1))


def test_an_engine_with_the_feature_counts_processor_time(tmp_path: Path) -> None:
    assert blame(played(engine("xboard", "good"), control=TimeControl(cpu=0.1))) == ({}, "")
    heard = engine("xboard", "good", str(tmp_path / "heard"))
    played(heard, control=TimeControl(cpu=0.1))
    assert "nps 0\nst 0.1\n" in (tmp_path / "heard").read_text()


def test_an_engine_without_the_feature_is_not_asked_to_count_it(no_features: None) -> None:
    faults, last = blame(played(engine("xboard", "old"), control=TimeControl(cpu=0.1)))
    assert faults == {"crash": 2} and "no feature nps=1" in last


def test_a_deaf_program_cannot_make_us_wait() -> None:
    deaf = process.EngineProcess(
        [sys.executable, "-c", "import time; print('up', flush=True); time.sleep(600)"]
    )
    try:
        assert deaf.read_line(LONG) == "up"
        with pytest.raises(process.ReadTimeout):
            deaf.read_line(0.0)
        before, process.WRITE_TIMEOUT = process.WRITE_TIMEOUT, 0.2
        with pytest.raises(Fault, match="reads nothing"):
            deaf.send("x" * (1 << 20))
    finally:
        process.WRITE_TIMEOUT = before
        deaf.kill()


# --- chess, for real ----------------------------------------------------------------------------------------
def installed(name: str) -> str:
    path = shutil.which(name) or shutil.which(name, path="/usr/games")
    if path is None:
        pytest.skip(f"{name} is not installed")
    return path


@pytest.mark.parametrize(
    "players",
    [
        ("uci:{gnuchess} --uci", "uci:{glaurung}"),
        ("xboard:{phalanx}", "xboard:{hoichess}"),
        ("uci:{stockfish}", "xboard:{fairymax}"),
    ],
)
@pytest.mark.thorough("chess engines of others")
def test_chess_engines_of_others_play_a_pair(players: tuple[str, str], tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("plywise.arena.xboard_client.FEATURE_TIMEOUT", 30.0)
    texts = []
    for text in players:
        name = text[text.index("{") + 1 : text.index("}")]
        texts.append(text.replace("{" + name + "}", installed(name)))
    rules = plywise.arena.adjudication.AdjudicationRules.parse(longest=30)
    match = Match.of(
        "chess",
        texts,
        pairs=1,
        control=TimeControl(LONG, 0.0, 40, depth=2),
        openings_from="random:2",
        rules=rules,
    )
    match.run(InProcess())
    assert [dict(conduct.faults) for conduct in match.tally.player_tallies] == [{}, {}]


def test_a_bound_is_no_score() -> None:
    """What an engine says about a depth that it searches again is not what it thinks in the end."""
    spoken = UciClient.__new__(UciClient)
    spoken.last_info = {}
    for line in (
        "info depth 9 score cp 30 nodes 100 pv a",
        "info depth 10 score cp 400 lowerbound nodes 200 pv a",
    ):
        assert spoken.handle_line(None, line) is None  # type: ignore[arg-type]
    choice = spoken.handle_line(None, "bestmove a")  # type: ignore[arg-type]
    assert choice is not None and (choice.score, choice.depth) == (30, 9)
    other = XBoardClient.__new__(XBoardClient)
    other.last_info = None, 0, 0
    for line in ("9 30 12 100\ta b", "10 400 12 200\ta! b", "10 -400 12 200\ta?"):
        assert other.handle_line(None, line) is None  # type: ignore[arg-type]
    choice = other.handle_line(None, "move a")  # type: ignore[arg-type]
    assert choice is not None and (choice.score, choice.depth) == (30, 9)
