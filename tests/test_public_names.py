"""Every public name of 0.1.0 still works; those that were renamed warn."""

import importlib
import warnings

import pytest

# `__all__` of each module in 0.1.0.
NAMES = {
    "plywise": """
        DRAWN LOST OPEN WON Board Draws Engine Game History Kind Limits Line Outcome Piece PlywiseError
        Progress Result Table analyse compiled evaluation game load progress shipped
    """,
    "plywise.arena": """
        Cluster Control Estimate Executor Here Journal Match Meeting Model Processes Rating Rules Sprt
        Standing Verdict Writer begin from_games from_pairs rate
    """,
    "plywise.explain": """
        Alternative BadNode BadRecord Change Compared Counters Explanation Icicle Iteration Lesson Node
        Opened Place Record Skipped Step Turning WhyNot Yardstick answer compare counters explain explained
        icicle lesson load opened record save sentences skipped why_not with_why_not yardstick
    """,
}
OLD_NAMES = [(module, name) for module, names in NAMES.items() for name in names.split()]


@pytest.mark.parametrize(("module", "name"), OLD_NAMES)
def test_a_public_name_of_0_1_0_still_works(module: str, name: str) -> None:
    package = importlib.import_module(module)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = getattr(package, name)
    if name in package.__all__:
        assert not caught
        return
    assert [warning.category for warning in caught] == [DeprecationWarning]
    prefix, _, new = str(caught[0].message).rpartition(".")
    assert prefix == f"{module}.{name} is now {module}"
    assert new in package.__all__ and getattr(package, new) is value


@pytest.mark.parametrize("module", NAMES)
def test_an_unknown_name_is_an_attribute_error(module: str) -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        importlib.import_module(module).nonsense  # noqa: B018


def test_an_old_name_can_be_imported() -> None:
    with pytest.warns(DeprecationWarning, match=r"plywise.arena.Standing is now plywise.arena.Tally"):
        from plywise.arena import Standing  # type: ignore[attr-defined]
    assert Standing.__name__ == "Tally"
