"""One process at a time, and nobody locked out by the dead, the hanging or the disk."""

import multiprocessing
import os
import signal
import sys
import time
from pathlib import Path

import pytest

from plywise.core.file_lock import FileLock

SPAWN = multiprocessing.get_context("spawn")


def hold(path: Path, ready: str) -> None:
    FileLock(path).acquire()
    Path(ready).write_text("held")
    time.sleep(600)


def add_one(path: Path, times: int) -> None:
    """A read and a write with a lock around them: without it, additions would get lost."""
    counter = path.with_suffix(".count")
    for _ in range(times):
        lock = FileLock(path)
        assert lock.acquire()
        value = int(counter.read_text())
        time.sleep(0.001)
        counter.write_text(str(value + 1))
        lock.release()


def test_a_lock_is_held_by_one_and_given_on(tmp_path: Path) -> None:
    first, second = FileLock(tmp_path / "x"), FileLock(tmp_path / "x")
    assert first.acquire()
    assert not second.acquire(timeout=0.2)
    first.release()
    assert second.acquire()
    assert second.held and not first.held
    second.release()
    assert list(tmp_path.iterdir()) == []


def test_locks_of_different_paths_do_not_meet(tmp_path: Path) -> None:
    assert FileLock(tmp_path / "x").acquire(timeout=0)
    assert FileLock(tmp_path / "y").acquire(timeout=0)


def test_processes_take_turns_though_the_file_comes_and_goes(tmp_path: Path) -> None:
    (tmp_path / "x.count").write_text("0")
    workers = [SPAWN.Process(target=add_one, args=(tmp_path / "x", 20)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(300)
        assert worker.exitcode == 0
    assert (tmp_path / "x.count").read_text() == "60"


@pytest.mark.skipif(sys.platform == "win32", reason="processes are stopped as POSIX has it")
def test_the_dead_lock_nobody_out_and_the_stopped_not_for_ever(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    holder = SPAWN.Process(target=hold, args=(tmp_path / "x", str(ready)))
    holder.start()
    while not ready.exists():
        assert holder.is_alive()
        time.sleep(0.01)
    lock = FileLock(tmp_path / "x")
    assert holder.pid is not None
    os.kill(holder.pid, signal.SIGSTOP)
    assert not lock.acquire(timeout=0.2), "the caller goes on without it"
    os.kill(holder.pid, signal.SIGKILL)
    holder.join()
    assert (tmp_path / ".x.lock").exists(), "the file is left"
    assert lock.acquire(timeout=300), "and locks nothing"


def test_where_no_file_can_be_made_there_is_no_lock(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    assert not FileLock(tmp_path / "file" / "x").acquire()
