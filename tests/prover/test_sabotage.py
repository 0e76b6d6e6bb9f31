"""The prover notices a search that lies."""

import pytest

from tests.prover.prove import Prover
from tests.prover.sabotage import SABOTAGES, Sabotage, sabotage, small_case

CASES = 60  # of eight searches each: with all guards they hold


def check_cases(change: Sabotage) -> None:
    prover = Prover(compiled=False)
    for number in range(CASES) if change.case is None else (change.case,):
        prover.check(small_case(number))


def test_cases_that_find_a_missing_guard_hold_with_all_of_them() -> None:
    prover = Prover(compiled=False)
    for number in range(CASES):
        prover.check(small_case(number))
    assert min(prover.claims[kind] for kind in ("proven decisive", "proven", "exact")) > 9, prover.claims


@pytest.mark.thorough("takes the guards of the search away, one after the other")
@pytest.mark.parametrize("change", SABOTAGES, ids=lambda change: change.name)
def test_a_guard_that_is_gone_is_noticed(change: Sabotage) -> None:
    if change.case is not None:
        check_cases(change)
    with sabotage(change), pytest.raises(AssertionError):
        check_cases(change)
