"""The processors and the memory of this computer."""

import os

UNKNOWN_MEMORY = 1024  # megabytes that are taken for granted where the system does not tell


def usable_cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS and Windows
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def memory() -> int:
    """The megabytes of memory that this computer has."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20
    except (AttributeError, OSError, ValueError):  # not on this system
        return UNKNOWN_MEMORY
