"""A clock that compiled code can read, too."""

import time


def now() -> int:
    """Nanoseconds of a clock that never goes back: Python's `time.monotonic_ns`.

    Compiled it is a call of the system (`native/monotonic.py`); 0 on systems where it has none.
    """
    return time.monotonic_ns()
