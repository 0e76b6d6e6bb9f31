"""The clock of compiled code is Python's."""

from plywise.core import monotonic


def test_compiled_code_reads_the_clock_of_python() -> None:
    import numba

    import plywise.native.monotonic  # noqa: F401  (registers it)

    now = monotonic.now
    read = numba.njit(lambda: now())
    read()
    times = [read() if i % 2 else monotonic.now() for i in range(1000)]
    assert times == sorted(times)
    assert times[-1] - times[0] < 60 * 10**9
