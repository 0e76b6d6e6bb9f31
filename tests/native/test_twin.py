"""The compiled twin means what the source says. Each trap of compiling has its test here."""

import subprocess
import sys
from importlib.metadata import requires
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plywise
from plywise.core import bits
from plywise.core.compiled import compiled
from plywise.core.errors import BadGame
from plywise.core.layout import Layout
from plywise.native.compiler import compile, jit
from plywise.search.alphabeta import search_root
from plywise.search.specialisation import NotCompiled, is_cached
from tests.conftest import sample

NONE = Layout(("spare", "i8"))


class Room:
    """The smallest memory: one address."""

    def __init__(self) -> None:
        import numpy as np

        self.array = np.zeros(1, np.int64)
        self.address = int(self.array.ctypes.data)


ROOM = Room()


def words_of(position: object, memory: object, x: int, n: int, which: int) -> int:
    if which == 0:
        return bits.popcount(x)
    if which == 1:
        return bits.first(x)
    if which == 2:
        return bits.last(x)
    if which == 3:
        return bits.rest(x)
    if which == 4:
        return bits.left(x, n)
    if which == 5:
        return bits.right(x, n)
    if which == 6:
        return bits.swap(x)
    if which == 7:
        return bits.mix(x, n)
    return bits.wrap(x * n)


# Rules import names, not modules: the helpers under their own names.
popcount, first, last, rest = bits.popcount, bits.first, bits.last, bits.rest
left, right, swap, mix, wrap = bits.left, bits.right, bits.swap, bits.mix, bits.wrap


def named(position: object, memory: object, x: int, n: int, which: int) -> int:
    if which == 0:
        return popcount(x)
    if which == 1:
        return first(x)
    if which == 2:
        return last(x)
    if which == 3:
        return rest(x)
    if which == 4:
        return left(x, n)
    if which == 5:
        return right(x, n)
    if which == 6:
        return swap(x)
    if which == 7:
        return mix(x, n)
    return wrap(x * n)


@settings(max_examples=300)
@given(st.integers(-(1 << 63), (1 << 63) - 1).filter(bool), st.integers(0, 63), st.integers(0, 8))
def test_words_are_the_same_compiled_and_uncompiled(x: int, n: int, which: int) -> None:
    native = compile(named, sample("pebbles").position, NONE, {})
    assert native((1, 0), ROOM, x, n, which) == words_of(None, None, x, n, which)


def test_each_function_of_the_search_has_one_signature() -> None:
    """Trap 1: literal arguments would make several, which crash when they come from the cache."""
    engine = plywise.Engine(sample("runners"), hash=1)
    native = engine.specialisation.native
    for function, dispatcher in native.specialiser.copies.items():
        assert len(dispatcher.signatures) <= 1, function.__name__


def test_the_search_says_whether_its_code_is_cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = sample("runners")
    path = plywise.Engine(game, hash=1).specialisation.native.disk_cache.path
    assert path.exists()
    assert is_cached(game, "default")
    monkeypatch.setenv("PLYWISE_CACHE", str(tmp_path))
    assert not is_cached(game, "default")
    (tmp_path / path.name).write_bytes(path.read_bytes())
    assert is_cached(game, "default")
    assert not is_cached(game, "default", record=True)


def test_no_cache_file_has_unresolved_symbols() -> None:
    """Traps 1 and 14: what recursion leaves unresolved crashes in the next process."""
    engine = plywise.Engine(sample("runners"), hash=1)
    path = engine.specialisation.native.disk_cache.path
    assert b"numba.unresolved" not in path.read_bytes()


def test_a_recursive_function_has_one_copy() -> None:
    """A function met again while its namespace is walked must not be compiled twice."""
    engine = plywise.Engine(sample("runners"), hash=1)
    names = [function.__name__ for function in engine.specialisation.native.specialiser.copies]
    assert len(names) == len(set(names))
    space = engine.specialisation.native.specialiser.namespaces[id(search_root.__globals__)]
    assert space["alphabeta"].py_func.__globals__ is space
    assert space["alphabeta"] is space["alphabeta"].py_func.__globals__["alphabeta"]


@pytest.mark.thorough("compiles a game of its own")
def test_the_search_passes_no_arrays() -> None:
    """Trap 7: an array argument costs seven words a call; all data is behind one pointer."""
    code = "import plywise; from tests.conftest import sample; import os\n"
    code += "e = plywise.Engine(sample('runners'), hash=1)\n"
    code += "s = {f.__name__: d.signatures for f, d in e.specialisation.native.specialiser.copies.items()}\n"
    code += "print(str(s['alphabeta']))"
    result = run(code, PLYWISE_CACHE="fresh")
    assert "array" not in result.stdout.lower().replace("nestedarray", "")
    assert "Record" in result.stdout


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Python code in a process of its own, from the project's root."""
    import os
    import tempfile

    env = os.environ | environment
    with tempfile.TemporaryDirectory() as folder:
        if environment.get("PLYWISE_CACHE") == "fresh":
            env["PLYWISE_CACHE"] = folder
        return subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env=env,
            cwd=Path(__file__).resolve().parents[2],
        )


def test_helpers_run_uncompiled_too() -> None:
    """Trap 6: every helper is a Python function; tables are lists uncompiled, arrays compiled."""
    engine = plywise.Engine(plywise.load("connect_four"), hash=1)
    rules = sys.modules["plywise.games.connect_four.rules"]
    assert isinstance(rules.CENTRE_FIRST, list)
    space = engine.specialisation.native.specialiser.namespaces.get(id(vars(rules)))
    if space is not None:  # walked only when it was compiled in this process
        assert type(space["CENTRE_FIRST"]).__name__ == "ndarray"


@compiled
def ackermann(m: int, n: int) -> int:
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def recursive(position: object, memory: object, m: int, n: int, spare: int) -> int:
    return ackermann(m, n)


def test_recursion_in_a_marked_function_compiles() -> None:
    """Trap 8: methods cannot recurse, marked functions can."""
    native = compile(recursive, sample("pebbles").position, NONE, {})
    assert native((1, 0), ROOM, 2, 3, 0) == 9


@compiled
def even(n: int) -> bool:
    return True if n == 0 else not even(n - 1)


def recursive_flag(position: object, memory: object, n: int, spare: int, more: int) -> int:
    return 1 if even(n) else 0


def test_recursion_that_returns_no_int_is_inferred() -> None:
    """The short cut for functions annotated to return an int must not touch the others."""
    native = compile(recursive_flag, sample("pebbles").position, NONE, {})
    assert [native((1, 0), ROOM, n, 0, 0) for n in range(4)] == [1, 0, 1, 0]


def test_jit_strips_literals() -> None:
    dispatcher = jit(lambda x: x)  # type: ignore[arg-type]
    from numba import types

    _, args = dispatcher._compiler.fold_argument_types((types.literal(3),), {})
    assert args == (types.int64,)


def test_numba_is_pinned_because_its_private_parts_are_used() -> None:
    """Trap 12."""
    wanted = [line for line in requires("plywise") or [] if line.startswith("numba")]
    assert wanted == ["numba<0.69,>=0.68"]


BAD = """
from typing import NamedTuple
from plywise import game

@game()
class Odd(NamedTuple):
    heap: int = 5
    turn: int = 0
    def moves(self, buffer, n):
        for take in range(1, min(2, self.heap) + 1):
            buffer[n] = take
            n += 1
        return n
    def play(self, move):
        names = {"one": move}
        return Odd(self.heap - names["one"], 1 - self.turn)
    def evaluate(self):
        return open("x").read() and 1
"""


@pytest.mark.thorough("compiles, and what fails is compiled piece by piece")
def test_a_rule_that_cannot_be_compiled_is_named_and_played_uncompiled(tmp_path: Path) -> None:
    """Trap 11: one sentence with file, line and reason instead of a page, and the game still plays."""
    file = tmp_path / "odd.py"
    file.write_text(BAD.replace('open("x").read() and 1', "int(format(self.heap, 'd'))"))
    game = plywise.load(str(file))
    with pytest.warns(NotCompiled) as caught:
        engine = plywise.Engine(game, hash=1)
    message = str(caught[0].message)
    assert message.startswith(f"{file}:")
    assert "Odd." in message
    assert "cannot be compiled" in message
    assert "\n" not in message
    assert not engine.specialisation.compiled
    assert engine.search(game.history(), depth=6).kind == "proven"


@pytest.mark.thorough("compiles, and what fails is compiled piece by piece")
def test_play_must_return_a_position(tmp_path: Path) -> None:
    file = tmp_path / "odd.py"
    body = BAD.replace('return open("x").read() and 1', "return 0").replace('{"one": move}', "move")
    file.write_text(body.replace('Odd(self.heap - names["one"], 1 - self.turn)', "(self.heap - names, 1)"))
    with pytest.warns(NotCompiled, match=r"Odd.play cannot be compiled: it returns .* should return a Odd"):
        plywise.Engine(plywise.load(str(file)), hash=1)


@pytest.mark.thorough("compiles a game of its own")
def test_too_many_moves_are_noticed_in_compiled_code() -> None:
    """Trap 9: there are no bounds checks, so the promise is checked where it is relied on."""
    from dataclasses import replace

    game = replace(sample("pebbles"), most_moves=2)
    with pytest.raises(BadGame, match="a position has 3 moves, more than the 2 promised"):
        plywise.Engine(game, hash=1).search(game.history(), depth=3)


def test_ctrl_c_ends_a_compiled_search_at_once() -> None:
    """Trap 10: the search runs in a thread of its own, the main thread hears the signal."""
    import os
    import signal

    code = (
        "import plywise, sys\n"
        "game = plywise.load('connect_four'); engine = plywise.Engine(game, hash=1)\n"
        "try:\n    print('ready', flush=True); engine.search(game.history(), infinite=True)\n"
        "except KeyboardInterrupt:\n    print('interrupted', flush=True)\n"
    )
    env = dict(os.environ)
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    assert process.stdout is not None
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert out == "interrupted\n", err
    assert process.returncode == 0


def key_of_two(position: object, memory: object, own: int, other: int, which: int) -> int:
    """A key of two boards of which the compiler knows that they are small."""
    own, other = own & (1 << 49) - 1, other & (1 << 49) - 1
    return mix(0, own + (own | other) + 0x40810204081)


def test_boards_of_which_the_compiler_knows_much_have_their_own_keys() -> None:
    """LLVM 22 folds the product in `mix` to one number for all of them, unless it is kept from looking."""
    native = compile(key_of_two, sample("pebbles").position, NONE, {})
    for own, other in ((0, 0), (1, 128), (2, 1 << 44), (12345, 99)):
        wanted = key_of_two(None, None, own, other, 0)
        assert native(sample("pebbles").start(), ROOM, own, other, 0) == wanted
