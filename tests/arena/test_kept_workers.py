"""Worker processes that wait for the next match: they play it as fresh ones would, and end with the block."""

import os
import subprocess
from typing import Any

import pytest

from plywise.arena.executors import InProcess, Processes
from plywise.arena.match import Match
from tests.arena.test_match import small


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list["subprocess.Popen[bytes]"]:
    """The processes that were started, in order."""
    result: list[subprocess.Popen[bytes]] = []

    class Noted(subprocess.Popen[bytes]):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            result.append(self)

    monkeypatch.setattr(subprocess, "Popen", Noted)
    return result


def games(executor: Any, match: Match) -> dict[int, list[Any]]:
    done = {}
    match.run(executor, watch=lambda finished: done.update({finished.number: finished}))
    return {number: [game.moves for game in one.games] for number, one in done.items()}


def test_kept_processes_play_match_after_match(started: list["subprocess.Popen[bytes]"]) -> None:
    executor = Processes(2)
    with executor.keep_ready():
        found = [games(executor, small(seed=seed)) for seed in (3, 4, 3)]
        assert len(started) == 2
        assert all(process.poll() is None for process in started)
    assert found == [games(InProcess(), small(seed=seed)) for seed in (3, 4, 3)]
    assert all(process.poll() is not None and process.stdin.closed for process in started)


def test_a_stopped_match_leaves_no_half_played_pair_to_the_next_one() -> None:
    executor = Processes(1)
    with executor.keep_ready():
        seen: list[int] = []
        small(seed=3).run(executor, watch=lambda one: seen.append(one.number), stopped=lambda: bool(seen))
        assert games(executor, small(seed=4)) == games(InProcess(), small(seed=4))


@pytest.mark.skipif(os.name == "nt", reason="kills processes by signals")
def test_a_kept_process_that_has_died_is_replaced(started: list["subprocess.Popen[bytes]"]) -> None:
    executor = Processes(1)
    with executor.keep_ready():
        games(executor, small(seed=3))
        started[0].kill()
        started[0].wait()
        assert games(executor, small(seed=4)) == games(InProcess(), small(seed=4))
    assert len(started) == 2
