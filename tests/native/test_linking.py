"""Functions that compiled code alone calls are linked late: once, into the function that Python runs."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
import numba
import pytest
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from plywise.native.linking import CALLED_ONLY, LateLibrary, link_late


def make(**options: Any) -> tuple[Any, Any, Callable[[int], int]]:
    """A function, one that calls it, and one that calls both: compiled late."""

    @numba.njit(**CALLED_ONLY)
    def half(n: int) -> int:
        if n % 2:
            raise ValueError("odd")
        return n // 2

    @numba.njit(**CALLED_ONLY)
    def quarter(n: int) -> int:
        return half(half(n))

    @numba.njit(**options)
    def entry(n: int) -> int:
        return quarter(n) + half(n)

    with global_compiler_lock, link_late():
        entry.compile((numba.int64,))
    return half, quarter, entry


ARRAYS_AFTER_NUMBERS = """
import numba, numpy
from numba.core.compiler_lock import global_compiler_lock
from plywise.native.linking import link_late

def numbers(n):
    return n + 1

def arrays(n):
    return numpy.arange(n).sum()

for function in (numbers, arrays):
    dispatcher = numba.njit(function)
    with global_compiler_lock, link_late():
        dispatcher.compile((numba.int64,))
    print(dispatcher(5))
"""


def library(dispatcher: Any) -> Any:
    (result,) = dispatcher.overloads.values()
    return result.library


def test_only_the_function_that_python_runs_is_linked() -> None:
    half, quarter, entry = make()
    assert entry(12) == 9
    assert [library(each)._linked for each in (half, quarter, entry)] == [False, False, True]


@numba.njit(**CALLED_ONLY)
def fibonacci(n: int) -> int:
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def test_functions_that_are_linked_in_are_private() -> None:
    """So LLVM may change how they are called."""

    @numba.njit
    def entry(n: int) -> int:
        return fibonacci(n)

    with global_compiler_lock, link_late():
        entry.compile((numba.int64,))
    assert entry(12) == 144
    defined = [each for each in library(entry)._final_module.functions if not each.is_declaration]
    (linked,) = [each for each in defined if "fibonacci" in each.name]
    assert linked.linkage == llvm.Linkage.internal


def test_a_function_that_is_linked_in_raises_its_exception() -> None:
    *_, entry = make()
    with pytest.raises(ValueError, match="odd"):
        entry(6)


def test_a_function_compiled_late_serves_numbas_own_way_of_linking() -> None:
    _, quarter, _ = make()

    @numba.njit
    def later(n: int) -> int:
        return quarter(n) + 1

    assert later(40) == 11
    assert type(library(later)) is JITCodeLibrary


def test_the_first_function_of_a_process_leaves_the_runtime_ready_for_the_next() -> None:
    done = subprocess.run([sys.executable, "-c", ARRAYS_AFTER_NUMBERS], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("6\n10\n", 0), done.stderr


def test_numba_has_its_own_libraries_again_afterwards() -> None:
    codegen = cpu_target.target_context.codegen()
    with global_compiler_lock, link_late():
        assert codegen._library_class is LateLibrary
    assert codegen._library_class is JITCodeLibrary
    assert "set_env" not in vars(codegen)


def test_what_was_linked_can_be_written_and_read_again() -> None:
    *_, entry = make()
    (result,) = entry.overloads.values()
    codegen = cpu_target.target_context.codegen()
    with global_compiler_lock, link_late():
        again = codegen.unserialize_library(result.library.serialize_using_object_code())
        assert again.get_pointer_to_function(result.fndesc.llvm_cpython_wrapper_name) != 0
