"""The disk cache: hit when it may be, never stale, and no trouble when the disk is."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from plywise.core import cache_folder

ROOT = Path(__file__).resolve().parents[2]

GAME = """
from typing import NamedTuple
from plywise import game, evaluation
{imports}

@game()
class Heap(NamedTuple):
    heap: int = 9
    turn: int = 0
    def moves(self, buffer, n):
        for take in range(1, min(MOST, self.heap) + 1):
            buffer[n] = take
            n += 1
        return n
    def play(self, move):
        return Heap(self.heap - move, 1 - self.turn)
    def evaluate(self):
        return bonus(self.heap)

@evaluation(Heap)
def flat(position):
    return 7
"""
HELPER = """
from plywise import compiled
MOST = {most}

@compiled
def bonus(heap):
    return {bonus}
"""
ASK = """
import sys, plywise
game = plywise.load(sys.argv[1])
from plywise.search.specialisation import PerftCounter
counter = PerftCounter(game)
engine = plywise.Engine(game, sys.argv[2] if len(sys.argv) > 2 else "default", player="minimax", hash=1)
score = engine.search(game.history(), depth=1).score
print(counter(game.start(), 3), score, counter.specialisation.native.cached)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "heap.py").write_text(GAME.format(imports="from heap_helper import MOST, bonus"))
    (tmp_path / "heap_helper.py").write_text(HELPER.format(most=3, bonus="heap"))
    return tmp_path


def ask(folder: Path, *more: str, code: str = ASK, **environment: str) -> str:
    env = os.environ | {"PLYWISE_CACHE": str(folder / "cache")} | environment
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder / "heap.py"), *more],
        capture_output=True,
        text=True,
        env=env,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_second_process_finds_the_compiled_code(folder: Path) -> None:
    assert ask(folder) == "27 -6 False"
    assert ask(folder) == "27 -6 True"


@pytest.mark.thorough("compiles several times")
def test_an_edit_in_another_file_is_seen(folder: Path) -> None:
    """Trap 2: Numba looks only at the file of the cached function."""
    assert ask(folder) == "27 -6 False"
    (folder / "heap_helper.py").write_text(HELPER.format(most=2, bonus="heap + 1"))
    assert ask(folder) == "8 -8 False"
    (folder / "heap_helper.py").write_text(HELPER.format(most=3, bonus="heap"))
    assert ask(folder) == "27 -6 True"


@pytest.mark.thorough("compiles several times")
def test_a_game_in_main_is_found_again(folder: Path) -> None:
    """Trap 3: a class of __main__ is pickled by value; the entry takes plain words."""
    script = folder / "main.py"
    helper = "MOST = 3\nfrom plywise import compiled\n@compiled\ndef bonus(heap):\n    return heap\n"
    body = GAME.format(imports=helper)
    body += "\nimport plywise\nengine = plywise.Engine(Heap.game, player='minimax', hash=1)\n"
    body += "print(engine.search(Heap.game.history(), depth=2).score, engine.specialisation.native.cached)\n"
    script.write_text(body)
    env = os.environ | {"PLYWISE_CACHE": str(folder / "cache")}
    runs = [
        subprocess.run([sys.executable, str(script)], capture_output=True, text=True, env=env, check=True)
        for _ in range(2)
    ]
    assert [done.stdout.split()[1] for done in runs] == ["False", "True"]
    assert runs[0].stdout.split()[0] == runs[1].stdout.split()[0]


BOTH = """
import sys, plywise
game = plywise.load(sys.argv[1])
scores = []
for name in sys.argv[2:]:
    engine = plywise.Engine(game, name, player="minimax", hash=1)
    scores.append((name, engine.search(game.history(), depth=1).score, engine.specialisation.native.cached))
print(sorted(scores))
"""


@pytest.mark.thorough("compiles several times")
def test_specialisations_compiled_apart_do_not_mix(folder: Path) -> None:
    """Traps 4 and 13: symbols of the same name would silently run the other's code."""
    alone = [ask(folder, name, code=BOTH) for name in ("default", "flat")]
    assert alone == ["[('default', -6, False)]", "[('flat', -7, False)]"]
    together = "[('default', -6, True), ('flat', -7, True)]"
    assert ask(folder, "default", "flat", code=BOTH) == together
    assert ask(folder, "flat", "default", code=BOTH) == together


@pytest.mark.thorough("compiles several times")
def test_bounds_checked_code_is_kept_apart(folder: Path) -> None:
    assert ask(folder) == "27 -6 False"
    assert ask(folder, NUMBA_BOUNDSCHECK="1") == "27 -6 False"
    assert ask(folder) == "27 -6 True"


@pytest.mark.thorough("compiles several times")
def test_a_folder_that_cannot_be_made_costs_only_time(folder: Path) -> None:
    (folder / "cache").write_text("a file stands where the folder should be")
    assert ask(folder) == "27 -6 False"
    assert ask(folder) == "27 -6 False"


FULL_DISK = (
    "import resource, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    "resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))\n"
)


@pytest.mark.skipif(
    sys.platform == "win32", reason="a limit on file sizes stands for a full disk: POSIX only"
)
@pytest.mark.thorough("compiles several times")
def test_a_full_disk_leaves_nothing_behind(folder: Path) -> None:
    assert ask(folder, code=FULL_DISK + ASK) == "27 -6 False"
    assert cache_folder.files(folder / "cache") == []


@pytest.mark.thorough("compiles several times")
def test_a_damaged_file_is_made_anew(folder: Path) -> None:
    ask(folder)
    for path in cache_folder.files(folder / "cache"):
        content = path.read_bytes()
        path.write_bytes(content[: len(content) // 2])
    assert ask(folder) == "27 -6 False"
    for path in cache_folder.files(folder / "cache"):
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
    assert ask(folder) == "27 -6 False"
    assert ask(folder) == "27 -6 True"


def start(folder: Path, **environment: str) -> "subprocess.Popen[str]":
    """Ask in a process that goes on while the test does."""
    env = os.environ | {"PLYWISE_CACHE": str(folder / "cache")} | environment
    command = [sys.executable, "-c", ASK, str(folder / "heap.py")]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env, cwd=ROOT
    )


def test_processes_that_need_the_same_code_compile_it_once(folder: Path) -> None:
    log = folder / "log"
    for process in [start(folder, PLYWISE_COMPILE_LOG=str(log)) for _ in range(3)]:
        out, err = process.communicate(timeout=300)
        assert out.startswith("27 -6"), err
    compiled = [line.split()[0] for line in log.read_text().splitlines()]
    assert len(compiled) == len(set(compiled)) == 2, "one for the counter, one for the engine"
    assert ask(folder) == "27 -6 True"
    assert {path.suffix for path in (folder / "cache").iterdir()} == {".native"}, "no lock is left"


@pytest.mark.skipif(sys.platform == "win32", reason="a process is stopped as POSIX has it")
@pytest.mark.thorough("compiles several times")
def test_the_lock_of_a_killed_process_locks_nothing(folder: Path) -> None:
    """Neither does the file that it left: the next process compiles at once, and tidies up."""
    # With the lock it writes to the log of compilations: to a pipe that nobody reads, and waits there.
    os.mkfifo(folder / "log")
    process = start(folder, PLYWISE_COMPILE_LOG=str(folder / "log"))
    while not list((folder / "cache").glob(".*.lock")):
        assert process.poll() is None
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert list((folder / "cache").glob(".*.lock")), "it was killed while it compiled"
    assert ask(folder) == "27 -6 False"
    assert {path.suffix for path in (folder / "cache").iterdir()} == {".native"}


@pytest.mark.thorough("compiles several times")
def test_a_game_that_moved_to_another_folder_is_played(folder: Path, tmp_path: Path) -> None:
    """Loaded code looks for its modules by name, and a file's module is named by its place."""
    assert ask(folder) == "27 -6 False"
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    for name in ("heap.py", "heap_helper.py"):
        (folder / name).rename(moved / name)
    assert ask(moved, PLYWISE_CACHE=str(folder / "cache")).startswith("27 -6")
    assert ask(moved, PLYWISE_CACHE=str(folder / "cache")) == "27 -6 True"


@pytest.mark.thorough("compiles several times")
def test_a_killed_compile_does_no_harm(folder: Path) -> None:
    process = start(folder)
    for _ in range(3000):  # until the first of its two files is there: then it compiles the second
        if list((folder / "cache").glob("*.native")):
            break
        time.sleep(0.01)
    process.kill()
    process.communicate()
    assert ask(folder).startswith("27 -6")
    assert ask(folder) == "27 -6 True"


def test_old_and_left_over_files_are_pruned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_700_000_000.0
    ages = {
        "new.native": 0,
        "older.native": 10,
        "stale.native": 61,
        ".x.part": 1,
        ".fresh.part": 0,
        ".y.lock": 1,
    }
    for name, days in ages.items():
        path = tmp_path / name
        path.write_bytes(b"x" * 1000)
        os.utime(path, (now - days * 86400, now - days * 86400))
    cache_folder.prune(tmp_path, now)
    assert {path.name for path in tmp_path.iterdir()} == {"new.native", "older.native", ".fresh.part"}
    monkeypatch.setattr(cache_folder, "KEEP_BYTES", 2500)
    cache_folder.prune(tmp_path, now)
    assert "older.native" not in {path.name for path in tmp_path.iterdir()}
    assert cache_folder.size(tmp_path) == 2000
    assert cache_folder.clear(tmp_path) == 2
    assert cache_folder.files(tmp_path) == []
