"""The share of a compilation: it grows, is never whole before the end, and what is left fits the pace."""

from pathlib import Path

import pytest

from plywise.native import progress
from plywise.native.progress import FUNCTIONS_SHARE, MOST, Pace, report_compile_progress
from plywise.search.specialisation import PerftCounter
from tests.conftest import sample


def test_the_share_grows_with_the_functions_and_then_with_the_time() -> None:
    pace = Pace(1000, now=100.0)
    assert pace.share(101.0) == 0.0
    assert pace.seconds_left(101.0) == 1000 * progress.SECONDS_A_BYTE
    pace.add(500)
    assert pace.share(103.0) == FUNCTIONS_SHARE / 2
    pace.add(500)
    pace.end_functions(106.0)
    assert pace.share(106.0) == FUNCTIONS_SHARE
    assert pace.seconds_left(106.0) == pytest.approx(2.0), "a quarter of the whole is left"
    assert FUNCTIONS_SHARE < pace.share(107.0) < pace.share(107.5) < 1
    assert pace.share(1000.0) == MOST, "late, and still not done"
    assert pace.seconds_left(1000.0) > 0


def test_more_functions_than_were_found_are_no_more_than_all() -> None:
    pace = Pace(1000, now=0.0)
    pace.add(5000)
    assert pace.share(1.0) == FUNCTIONS_SHARE


def test_a_compilation_is_watched_from_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_CACHE", str(tmp_path))
    monkeypatch.setattr(progress, "REPORT_INTERVAL", 0.001)
    shares: list[float] = []
    found: list[Pace] = []
    compiled: list[int] = []

    class Watched(Pace):
        def __init__(self, total: int, now: float) -> None:
            super().__init__(total, now)
            found.append(self)

        def add(self, size: int) -> None:
            super().add(size)
            compiled.append(size)

    monkeypatch.setattr(progress, "Pace", Watched)
    with report_compile_progress(lambda share, left: shares.append(share)):
        PerftCounter(sample("duel"))
    assert len(found) == 1, "one compilation, whatever it calls"
    assert found[0].functions_ended is not None
    assert sum(compiled) == pytest.approx(found[0].total, rel=0.1), "what would be compiled was found before"
    assert shares == sorted(shares)
    assert shares and shares[-1] <= MOST
    shares.clear()
    with report_compile_progress(lambda share, left: shares.append(share)):
        PerftCounter(sample("duel"))
    assert shares == [], "loading is no work"
