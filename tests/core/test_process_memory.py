"""Freed memory goes back to the system."""

import platform
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import sys, threading
from pathlib import Path
import numpy as np
from plywise.core.process_memory import return_large_blocks

if sys.argv[1] == "return":
    return_large_blocks()


def megabytes():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 >> 20


def make():
    for size in range(2, 16):  # each is freed, and the last one too
        np.ones(size << 20, np.uint8)
    kept.append(np.ones(1000, np.uint8))  # it keeps what lies below it


kept, before = [], megabytes()
for _ in range(4):
    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
print(megabytes() - before)
"""


SMALL_BLOCKS = """
from pathlib import Path
from plywise.core.process_memory import return_freed_memory


def megabytes():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 >> 20


before = megabytes()
blocks = [bytes(10_000) for _ in range(10_000)]
kept = blocks[-1]  # it keeps what lies below it
del blocks
return_freed_memory()
print(megabytes() - before)
"""
only_glibc = pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc" or not Path("/proc/self/statm").exists(),
    reason="only this C library keeps freed blocks so",
)


def growth(script: str, *words: str) -> int:
    ran = subprocess.run([sys.executable, "-c", script, *words], capture_output=True, text=True, check=True)
    return int(ran.stdout)


@only_glibc
def test_tables_that_are_dropped_are_the_systems_again() -> None:
    assert growth(SCRIPT, "return") <= 4, "megabytes"


@only_glibc
def test_small_blocks_that_were_freed_are_the_systems_again() -> None:
    assert growth(SMALL_BLOCKS) <= 4, "megabytes of a hundred"
