"""Compiled code that came with the package, made for a baseline of processors when a wheel was built.

Its files are those of the disk cache, named by a digest in which the baseline stands in place of this very
processor. They are only read, and only if Python, Numba, LLVM and the processor are as they need it;
else the code is compiled as if they were not there, and one sentence says why.
"""

import json
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numba

from plywise.core.cache_folder import SUFFIX

FOLDER = Path(__file__).parent / "prebuilt_code"
MANIFEST = "manifest.json"

_V2 = ("cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3")
_V3 = (*_V2, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave")

# Baselines by the names of LLVM, and the features that a processor needs for them.
BASELINES: dict[str, tuple[str, ...]] = {"generic": (), "x86-64": (), "x86-64-v2": _V2, "x86-64-v3": _V3}

Platform = tuple[Any, ...]  # the part of a digest that says where code can run
_building: list[str] = []  # the baseline that this process makes code for


class PrebuiltUnused(UserWarning):
    """Compiled code came with the package and cannot be used here."""


def host_platform() -> Platform:
    """Where code runs that is compiled now: here, or on a baseline."""
    if _building:
        return baseline_platform(_building[0])
    from numba.core.registry import cpu_target

    return sys.version, cpu_target.target_context.codegen().magic_tuple()


def baseline_platform(baseline: str) -> Platform:
    """Where code of a baseline runs."""
    return "baseline", sys.implementation.cache_tag, llvm.get_process_triple(), baseline


@contextmanager
def build_for(baseline: str) -> Iterator[None]:
    """Within it, code is compiled for a baseline. Numba must have been told so before it was imported."""
    if baseline not in BASELINES:
        raise ValueError(f"{baseline} is no baseline; there are {', '.join(BASELINES)}")
    if baseline != numba.config.CPU_NAME or numba.config.CPU_FEATURES != "":
        raise ValueError(f"NUMBA_CPU_NAME must be {baseline}, and NUMBA_CPU_FEATURES empty")
    _building.append(baseline)
    try:
        yield
    finally:
        _building.pop()


def describe(baseline: str) -> dict[str, str]:
    """What code of a baseline that is compiled here needs, as its manifest says it."""
    return {
        "Python": str(sys.implementation.cache_tag),
        "Numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "system": llvm.get_process_triple(),
        "processor": baseline,
    }


@cache
def read_baseline() -> str | None:
    """The baseline of the code that came with the package, if it can be used here."""
    if not FOLDER.is_dir() or numba.config.CPU_NAME is not None or numba.config.CPU_FEATURES is not None:
        return None  # there is none, or another processor is asked for
    try:
        manifest = json.loads((FOLDER / MANIFEST).read_text(encoding="utf-8"))
        baseline = str(manifest["processor"])
        obstacle = _obstacle(manifest, baseline)
    except (OSError, ValueError, KeyError, TypeError):
        obstacle = "its manifest cannot be read"
    if obstacle:
        warn_unused(obstacle)
        return None
    return baseline


def _obstacle(manifest: dict[str, str], baseline: str) -> str:
    """What is not as the code needs it."""
    for name, value in describe(baseline).items():
        if manifest[name] != value:
            return f"it was made for {name} {manifest[name]}, and here is {value}"
    has = llvm.get_host_cpu_features()
    lacking = [name for name in BASELINES[baseline] if not has.get(name)]
    return f"it was made for {baseline}, and this processor lacks {', '.join(lacking)}" if lacking else ""


def find_file(tag: Callable[[Platform], str]) -> Path | None:
    """The file that came with the package, of a tag for its platform."""
    baseline = None if _building else read_baseline()
    if baseline is None:
        return None
    path = FOLDER / f"{tag(baseline_platform(baseline))}{SUFFIX}"
    return path if path.exists() else None


def warn_unused(reason: str) -> None:
    """Say once why the code that came with the package is not used."""
    if reason not in _said:
        _said.add(reason)
        text = (
            f"the compiled code that came with Plywise is not used: {reason}; games are compiled here instead"
        )
        warnings.warn(text, PrebuiltUnused, stacklevel=2)


_said: set[str] = set()
