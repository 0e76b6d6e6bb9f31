"""Processor time of a call, in seconds of a quiet processor: for tests of what grows faster than its input.

Other work on the machine, and a processor that others share, make a call slower, and are no reason to fail.
What took too long is therefore measured again, and in units of a count that takes a second on a processor
with nothing else to do. How long something takes in milliseconds is a question for benchmarks/.
"""

import time
from collections.abc import Callable
from typing import Any

COUNT_OF_A_SECOND = 10_000_000  # squares added in that time
TRIES = 4


def measured(call: Callable[[], Any], longest: float) -> tuple[float, Any]:
    """Seconds for a call, and what it gave; it is tried again if they are `longest` or more."""
    for _ in range(TRIES):
        began = time.thread_time()
        result = call()
        took = time.thread_time() - began
        if took < longest:
            break
        began = time.thread_time()
        sum(i * i for i in range(COUNT_OF_A_SECOND // 4))
        took /= max(1.0, 4 * (time.thread_time() - began))
        if took < longest:
            break
    return took, result
