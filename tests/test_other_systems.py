"""The list of docs/other-systems.md, checked where only Linux is run: by reading the source."""

import ast
import os
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import ClassVar

import pytest

from plywise.core.file_lock import FileLock
from plywise.core.process_group import own_group

SOURCE = Path(__file__).resolve().parents[1] / "src" / "plywise"
POSIX_MODULES = {
    "fcntl",
    "termios",
    "tty",
    "pty",
    "pwd",
    "grp",
    "resource",
    "posix",
    "curses",
    "readline",
    "syslog",
}
POSIX_NAMES = {
    "os": {
        *(
            "fork",
            "forkpty",
            "kill",
            "killpg",
            "getuid",
            "geteuid",
            "getgid",
            "getpgid",
            "setsid",
            "setpgid",
            "nice",
        ),
        *(
            "sched_getaffinity",
            "set_blocking",
            "mkfifo",
            "chown",
            "getloadavg",
            "sysconf",
            "statvfs",
            "uname",
            "wait",
        ),
        *("waitpid", "umask", "chroot", "openpty", "ttyname"),
    },
    "signal": {
        "SIGKILL",
        "SIGHUP",
        "SIGUSR1",
        "SIGUSR2",
        "SIGALRM",
        "SIGCHLD",
        "SIGPIPE",
        "alarm",
        "setitimer",
        "pause",
    },
    "socket": {"AF_UNIX", "SO_REUSEPORT", "SO_REUSEADDR"},
    "time": {"clock_gettime", "tzset"},
}
GUARDS = ("sys.platform", "os.name", "hasattr")
TEXT_CALLS = {"open", "fdopen", "read_text", "write_text", "Popen", "run", "check_output"}
Check = Callable[[str], Iterator[str]]
PLACES = ("/tmp", "/dev/", "/etc/", "/usr/", "/var/", "/home/")


@cache
def nodes_of(code: str) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(code)))


def with_parents(nodes: tuple[ast.AST, ...]) -> dict[ast.AST, ast.AST]:
    return {child: parent for parent in nodes for child in ast.iter_child_nodes(parent)}


def is_guarded(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether a node runs only after a look at the system, or where a missing module is caught."""
    while node in parents:
        node, child = parents[node], node
        if isinstance(node, ast.If | ast.IfExp) and any(guard in ast.unparse(node.test) for guard in GUARDS):
            return True
        if isinstance(node, ast.Try) and child in node.body:
            caught = " ".join(ast.unparse(handler.type) for handler in node.handlers if handler.type)
            if "ImportError" in caught or "AttributeError" in caught:
                return True
        if isinstance(node, ast.FunctionDef) and child in node.body:
            before = node.body[: node.body.index(child)]
            for step in before:  # `if sys.platform == "win32": return ...`
                if (
                    isinstance(step, ast.If)
                    and any(guard in ast.unparse(step.test) for guard in GUARDS)
                    and isinstance(step.body[-1], ast.Return | ast.Raise)
                ):
                    return True
    return False


def posix_only(code: str) -> Iterator[str]:
    """What only POSIX has, and no guard stands before."""
    for node in nodes_of(code):
        found = ""
        if isinstance(node, ast.Import):
            found = ", ".join(name.name for name in node.names if name.name in POSIX_MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module in POSIX_MODULES:
            found = str(node.module)
        elif (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.attr in POSIX_NAMES.get(node.value.id, ())
        ):
            found = ast.unparse(node)
        if found and not is_guarded(node, with_parents(nodes_of(code))):
            yield f"{node.lineno}: {found}"  # type: ignore[attr-defined]


def without_encoding(code: str) -> Iterator[str]:
    """Text that is read or written in whatever encoding the system has."""
    for node in nodes_of(code):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name not in TEXT_CALLS:
            continue
        keywords = {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords}
        owner = ast.unparse(node.func.value) if isinstance(node.func, ast.Attribute) else ""
        if "encoding" in keywords:
            continue
        is_text = name in ("read_text", "write_text") or (
            name in ("Popen", "run", "check_output")
            and bool({"text", "universal_newlines"} & keywords.keys())
        )
        if (name == "open" and owner != "os") or name == "fdopen":
            place = 0 if name == "open" and owner and owner not in ("io", "os") else 1
            mode = keywords.get("mode") or (
                ast.unparse(node.args[place]) if len(node.args) > place else "'r'"
            )
            looks_like_mode = mode[:1] in "'\"" and set(mode.strip("'\"")) <= set("rwxabt+")
            is_text = looks_like_mode and "b" not in mode
            if owner and not node.args and not keywords.get("mode") and not is_path(owner):
                is_text = False  # a method of another kind: hub.open(...) has arguments, parser.open() none
        if is_text:
            yield f"{node.lineno}: {ast.unparse(node)[:80]}"


def is_path(owner: str) -> bool:
    return "path" in owner.lower() or "file" in owner.lower() or owner.startswith("Path(")


def other_ways(code: str) -> Iterator[str]:
    """Start methods, shells, renames and places that other systems have not, or have otherwise."""
    for node in nodes_of(code):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [name.name for name in node.names] + [getattr(node, "module", "") or ""]
            if any(name.split(".")[0] == "multiprocessing" for name in names):
                yield f"{node.lineno}: multiprocessing starts processes in other ways on other systems"
        elif isinstance(node, ast.Call):
            keywords = {keyword.arg for keyword in node.keywords}
            if keywords & {"preexec_fn", "process_group", "shell", "start_new_session"}:
                yield f"{node.lineno}: {ast.unparse(node)[:80]}"
            if isinstance(node.func, ast.Attribute) and node.func.attr in ("rename", "symlink", "symlink_to"):
                yield f"{node.lineno}: {ast.unparse(node)[:80]}: os.replace works on Windows too"
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith(PLACES):
            yield f"{node.lineno}: {node.value[:80]!r}"


@pytest.mark.parametrize(
    "check", [posix_only, without_encoding, other_ways], ids=lambda check: check.__name__
)
def test_the_source_runs_on_other_systems_as_far_as_reading_shows(check: Check) -> None:
    found = [
        f"{path.relative_to(SOURCE)}:{line}"
        for path in sorted(SOURCE.rglob("*.py"))
        for line in check(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    "code",
    [
        "import fcntl",
        "def lock():\n    import termios",
        "try:\n    pass\nexcept ImportError:\n    import fcntl",
        "import os\nos.fork()",
        "import os, signal\nos.killpg(1, signal.SIGKILL)",
        "import os\ndef end():\n    if late:\n        return\n    os.nice(5)",
    ],
)
def test_what_only_posix_has_is_found(code: str) -> None:
    assert list(posix_only(code))


@pytest.mark.parametrize(
    "code",
    [
        "try:\n    import readline\nexcept ImportError:\n    pass",
        "import sys\nif sys.platform != 'win32':\n    import fcntl",
        "import sys\ndef lock():\n    if sys.platform == 'win32':\n        return\n    import fcntl",
        "import os\nif hasattr(os, 'nice'):\n    os.nice(5)",
    ],
)
def test_what_is_guarded_is_not(code: str) -> None:
    assert not list(posix_only(code))


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ("open(name)", True),
        ("open(name, 'w')", True),
        ("open(name, 'rb')", False),
        ("open(name, encoding='utf-8')", False),
        ("path.open()", True),
        ("path.open('a')", True),
        ("path.open('xb')", False),
        ("os.open(path, os.O_RDWR)", False),
        ("os.fdopen(1, 'w')", True),
        ("os.fdopen(1, 'wb')", False),
        ("path.read_text()", True),
        ("path.write_text(words, encoding='utf-8')", False),
        ("subprocess.run(command, text=True)", True),
        ("hub.open(connection, id)", False),
    ],
)
def test_text_without_an_encoding_is_found(code: str, wrong: bool) -> None:
    assert bool(list(without_encoding(code))) is wrong


@pytest.mark.parametrize(
    "code",
    [
        "import multiprocessing",
        "from multiprocessing import Pool",
        "Popen(command, preexec_fn=f)",
        "run('ls', shell=True)",
        "path.rename(other)",
        "place = '/tmp/plywise'",
    ],
)
def test_other_ways_are_found(code: str) -> None:
    assert list(other_ways(code))


def test_a_process_group_of_its_own_on_each_system() -> None:
    assert own_group("linux") == own_group("darwin") == {"process_group": 0}
    assert own_group("win32") == {"creationflags": 0x200}


class Msvcrt(ModuleType):
    """Windows locks the first byte of a file, for one who has opened it, until that one closes it."""

    LK_NBLCK = 2
    locked: ClassVar[dict[tuple[int, int], int]] = {}

    def locking(self, file: int, mode: int, size: int) -> None:
        about = os.fstat(file)
        assert (mode, size) == (self.LK_NBLCK, 1)
        holder = self.locked.setdefault((about.st_dev, about.st_ino), file)
        if holder != file:
            raise PermissionError("another process has it")


def test_locks_hold_on_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setitem(sys.modules, "msvcrt", Msvcrt("msvcrt"))
    first, second = FileLock(tmp_path / "code"), FileLock(tmp_path / "code")
    assert first.acquire(timeout=0.0)
    assert not second.acquire(timeout=0.0), "another has it"
    first.release()
    Msvcrt.locked.clear()  # closing the file frees it
    assert second.acquire(timeout=0.0)
    second.release()
