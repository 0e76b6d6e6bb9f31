"""A real Dask cluster: a scheduler and two workers as processes of their own, some of which die."""

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

if importlib.util.find_spec("distributed") is None:  # importing it takes a second
    pytest.skip("Dask is an extra", allow_module_level=True)

from plywise.arena.cluster import Cluster
from plywise.arena.executors import InProcess, MatchFailed
from plywise.arena.match import Match
from plywise.core.errors import PlywiseError
from tests.arena.test_match import STRONG, WEAK, deadly, small
from tests.cli.terminal import process as command

pytestmark = pytest.mark.skipif(os.name == "nt", reason="ends processes by signals")
ROOT = Path(__file__).resolve().parents[2]


class Machines:
    """A scheduler and workers, each in a process and a folder of its own."""

    def __init__(self, folder: Path, *options: str, protocol: str = "tcp") -> None:
        self.folder, self.options = folder, options
        self.processes: list[subprocess.Popen[str]] = []
        self.scheduler = self.start(
            "scheduler", "--host", f"{protocol}://127.0.0.1", "--port", "0", "--no-dashboard"
        )
        self.address = self.heard(self.scheduler, "Scheduler at:").split()[-1]

    def start(self, kind: str, *words: str) -> "subprocess.Popen[str]":
        folder = self.folder / f"{kind}{len(self.processes)}"
        folder.mkdir()
        process = subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_" + kind, *words, *self.options],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.processes.append(process)
        return process

    def worker(self, threads: int = 1) -> "subprocess.Popen[str]":
        """A worker that is not started again when it dies."""
        process = self.start(
            "worker", self.address, "--nthreads", str(threads), "--no-nanny", "--no-dashboard"
        )
        self.heard(process, "Registered to:")
        return process

    def heard(self, process: "subprocess.Popen[str]", words: str) -> str:
        """Read on until the process says so."""
        lines = []
        for line in process.stderr:
            lines.append(line)
            if words in line:
                return line
        raise AssertionError("".join(lines))

    def close(self) -> None:
        for process in self.processes:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
            process.stderr.close()


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    cluster = Machines(tmp_path_factory.mktemp("cluster"))
    try:
        cluster.worker()
        cluster.worker(threads=2)
        yield cluster
    finally:
        cluster.close()


def results(match: Match, executor: Any) -> dict[int, Any]:
    done = {}
    match.run(executor, watch=lambda one: done.update({one.number: [game.moves for game in one.games]}))
    return done


@pytest.mark.thorough("a cluster of processes")
def test_a_cluster_plays_the_same_games(machines: Machines) -> None:
    assert results(small(seed=5), Cluster(machines.address)) == results(small(seed=5), InProcess())


@pytest.mark.thorough("a cluster of processes")
def test_a_match_on_a_cluster_can_be_stopped(machines: Machines) -> None:
    match = small(pairs=100_000)
    match.run(Cluster(machines.address), stopped=lambda: match.tally.games >= 4)
    assert 4 <= match.tally.games < 100


@pytest.mark.thorough("a cluster of processes")
def test_a_users_game_travels_to_the_machines(machines: Machines, tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    match = Match.of(deadly(tmp_path / "here", "False"), [WEAK, STRONG], pairs=4, openings_from="start")
    (tmp_path / "here").rename(tmp_path / "elsewhere")  # as on another machine
    match.run(Cluster(machines.address))
    assert match.tally.games == 8


@pytest.mark.thorough("a cluster of processes")
def test_a_rule_that_fails_there_is_named_here(machines: Machines, tmp_path: Path) -> None:
    match = Match.of(deadly(tmp_path, "1 / 0"), [WEAK, STRONG], pairs=4, openings_from="start")
    with pytest.raises(MatchFailed, match=r"deadly.py:\d+: moves fails: ZeroDivisionError"):
        match.run(Cluster(machines.address))


@pytest.mark.thorough("a cluster of processes")
def test_a_worker_killed_in_mid_match_costs_only_its_pair_which_is_played_again(tmp_path: Path) -> None:
    """Nobody restarts it: the other one plays the rest."""
    cluster = Machines(tmp_path)
    try:
        workers = [cluster.worker(), cluster.worker()]
        match = Match.of(deadly(tmp_path, "once()"), [WEAK, WEAK], pairs=10, openings_from="start")
        played = sorted(results(match, Cluster(cluster.address)))
        assert played == list(range(10))
        assert [worker.poll() is None for worker in workers].count(False) == 1
    finally:
        cluster.close()


@pytest.mark.thorough("a cluster of processes")
def test_the_command_plays_on_a_cluster(machines: Machines, tmp_path: Path) -> None:
    words = ("match", "tic_tac_toe", WEAK, STRONG, "--pairs", "3", "--json", "--file", str(tmp_path / "m"))
    assert command(*words, "--cluster", machines.address).json["games"] == 6


def test_where_there_is_no_cluster_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plywise.arena.cluster.CONNECT_TIMEOUT", 1)
    with pytest.raises(PlywiseError, match=r"tcp://127.0.0.1:9: no scheduler answers"):
        Cluster("tcp://127.0.0.1:9")
    with pytest.raises(PlywiseError, match=r"nonsense: no scheduler answers"):
        Cluster("nonsense")
    with pytest.raises(PlywiseError, match=r"--tls-ca /nowhere: there is no such file"):
        Cluster("tls://127.0.0.1:9", "/nowhere")


@pytest.mark.thorough("a cluster of processes")
def test_tls_is_passed_through(tmp_path: Path) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("openssl makes the certificate, and is not installed")
    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-days", "2", "-subj", "/CN=localhost", "-keyout", str(key), "-out", str(cert)],
        check=True, capture_output=True,
    )  # fmt: skip
    options = ("--tls-ca-file", str(cert), "--tls-cert", str(cert), "--tls-key", str(key))
    cluster = Machines(tmp_path, *options, protocol="tls")
    try:
        cluster.worker()
        assert cluster.address.startswith("tls://")
        match = small(pairs=2)
        match.run(Cluster(cluster.address, str(cert), str(cert), str(key)))
        assert match.tally.games == 4
        with pytest.raises(PlywiseError, match="no scheduler answers"):
            Cluster(cluster.address)
    finally:
        cluster.close()
