"""`doctor`: what works here, one line each, and what to do about what does not."""

import os
import platform
import shutil
import sys
import webbrowser
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from plywise.cli.console import bytes_text, can_encode, has_colours, is_terminal, say, width
from plywise.cli.json_output import print_json
from plywise.core import cache_folder
from plywise.core.cores import usable_cores
from plywise.core.endgame_index import data_folder
from plywise.core.errors import exception_text
from plywise.core.file_lock import FileLock
from plywise.core.user_folders import is_without_home
from plywise.core.wording import count_text

OLDEST_PYTHON = (3, 11)
ENOUGH_MEMORY = 1 << 30  # bytes: a server with its tables, and a compilation beside it
ENOUGH_DISK = 100 << 20  # bytes: the compiled code of all shipped games, several times over
WIDE = 60  # columns from which lines are set below each other
NEEDED = {"Python", "Numba", "cache", "data"}  # without the others one plays as well, in another way
PIECES = "♔♕♖●○"  # what boards are drawn with


class Unfit(Exception):
    """Something does not work here: what was found, and what to do about it."""

    def __init__(self, found: str, advice: str) -> None:
        super().__init__(found)
        self.found, self.advice = found, advice


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check found, and what to do if it is not well (else nothing)."""

    name: str
    ok: bool
    found: str
    advice: str = ""


def doctor(json: bool) -> int:
    """Check what Plywise uses; return 1 if something that it needs does not work."""
    results = [_run(name, check) for name, check in CHECKS.items()]
    failures = [result for result in results if not result.ok]
    ok = not any(result.name in NEEDED for result in failures)
    if json:
        print_json({"ok": ok, "checks": [asdict(result) for result in results]})
        return 0 if ok else 1
    for result in results:
        mark = "ok" if result.ok else "--"
        advice = f". {result.advice}" if result.advice else ""
        hanging = " " * (13 if width() >= WIDE else 4)
        say(f"{mark}  {result.name:<9}{result.found}{advice}", hanging=hanging)
    say("everything works" if not failures else f"{count_text(len(failures), 'thing')} to look at: marked --")
    return 0 if ok else 1


def _run(name: str, check: Callable[[], str]) -> CheckResult:
    try:
        return CheckResult(name, True, check())
    except Unfit as unfit:
        return CheckResult(name, False, unfit.found, unfit.advice)


# --- the checks: each says what it found, or raises Unfit --------------------------------------------
def check_python() -> str:
    """The version of Python, and the system."""
    found = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    if sys.version_info < OLDEST_PYTHON:
        raise Unfit(found, f"Plywise needs Python {'.'.join(map(str, OLDEST_PYTHON))} or newer")
    return found


def check_numba() -> str:
    """Numba, by compiling something."""
    try:
        from plywise.native.try_out import try_compiling

        return try_compiling()
    except Exception as error:  # an import, a library or a processor: it fails in many ways
        advice = "Games are played uncompiled, which is slow; `pip install --force-reinstall numba` may help"
        raise Unfit(f"does not work: {exception_text(error)}", advice) from None


def check_cache() -> str:
    """The folder of compiled code."""
    place = cache_folder.cache_folder()
    _check_folder(place, "PLYWISE_CACHE", "Games are compiled anew in each process")
    return f"{place}: {count_text(len(cache_folder.files()), 'file')}, {bytes_text(cache_folder.size())}"


def check_data() -> str:
    """The folder of saved games, solved endings and what was learned."""
    place = data_folder()
    _check_folder(place, "PLYWISE_DATA", "Games and solved endings cannot be saved")
    return str(place)


def check_browser() -> str:
    """A browser that the page can be opened in."""
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        advice = "Open the address that `plywise serve` prints in a browser of any computer that reaches it"
        raise Unfit("none was found here", advice) from None
    return str(getattr(browser, "name", "") or "the system's own")


def check_terminal() -> str:
    """The terminal: what it can show."""
    if not is_terminal(sys.stdout):
        return "none: output goes to a file or a program"
    found = f"{width()} columns, {'colours' if has_colours(sys.stdout) else 'no colours'}"
    if not can_encode(PIECES, sys.stdout):
        advice = "Pieces are shown as letters; PYTHONUTF8=1 and a UTF-8 locale show them as pieces"
        raise Unfit(f"{found}, encoding {sys.stdout.encoding}", advice)
    return f"{found}, {sys.stdout.encoding}"


def check_cores() -> str:
    """The processors that this process may use."""
    return str(usable_cores())


def check_memory() -> str:
    """The memory that is free."""
    free = free_memory()
    if free is None:
        return "this system does not say"
    if free < ENOUGH_MEMORY:
        raise Unfit(f"{bytes_text(free)} free", "Close other programs, or use small tables: --hash 16")
    return f"{free / 1e9:.1f} GB free"


CHECKS: dict[str, Callable[[], str]] = {
    "Python": check_python,
    "Numba": check_numba,
    "cache": check_cache,
    "data": check_data,
    "browser": check_browser,
    "terminal": check_terminal,
    "cores": check_cores,
    "memory": check_memory,
}


def _check_folder(place: Path, variable: str, loss: str) -> None:
    """Write a file there, lock it, and look at the space that is left."""
    if is_without_home(place):
        raise Unfit(f"no home folder; {place} for now", f"Name a folder that lasts in ${variable}")
    trial = place / f".doctor-{os.getpid()}"
    lock = FileLock(trial)
    try:
        cache_folder.write_whole(trial, b"trial")
        locked = lock.acquire(timeout=1.0)
        free = shutil.disk_usage(place).free
    except OSError as error:
        advice = f"{loss}; name a folder you may write to in ${variable}"
        raise Unfit(f"{place} cannot be written to: {error.strerror or error}", advice) from None
    finally:
        lock.release()
        cache_folder.remove(trial)
    if free < ENOUGH_DISK:
        raise Unfit(f"{place}: {bytes_text(free)} left on the disk", f"Make room, or move it by ${variable}")
    if not locked:
        advice = f"Two processes may do the same work twice; name a folder on a local disk in ${variable}"
        raise Unfit(f"{place}: this disk has no file locks", advice)


def free_memory(meminfo: Path = Path("/proc/meminfo")) -> int | None:
    """The bytes of memory that are free for programs; None where the system does not say so in a file."""
    try:
        lines = meminfo.read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    for line in lines:
        name, _, amount = line.partition(":")
        if name == "MemAvailable":
            return int(amount.split()[0]) * 1024
    return None
