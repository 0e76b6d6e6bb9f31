"""How this process gives back memory that it has freed."""

import ctypes
import gc

LARGE_BLOCK = 1 << 20  # bytes from which on a block is the system's again as soon as it is freed
_MMAP_THRESHOLD = -3  # the name of this number for glibc's mallopt


def return_large_blocks() -> None:
    """Let every large block that is freed go back to the system, whichever thread had it.

    By itself the C library of Linux keeps freed blocks of up to 32 MB, and apart for each of many threads:
    where engines come and go their tables would pile up, some hundred megabytes of them. Where the
    library has no such setting nothing is done.
    """
    try:
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, LARGE_BLOCK)
    except (AttributeError, OSError, TypeError):  # another system, another C library
        pass


def return_freed_memory() -> None:
    """Give the system all that is free, small blocks too, in whichever thread's heap they are.

    Objects that hold each other are dropped first: tasks of connections that ended with an exception do.
    Where the library has no such call nothing else is done.
    """
    gc.collect()
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError, TypeError):  # another system, another C library
        pass
