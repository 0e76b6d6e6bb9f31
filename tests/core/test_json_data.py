"""Dataclasses from JSON: what does not fit is refused by name."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import pytest

from plywise.core.json_data import from_json


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Inner:
    number: int
    text: str = ""


@dataclass(frozen=True)
class Outer:
    share: float
    is_on: bool = False
    name: str | None = None
    inner: Inner | None = None
    inners: list[Inner] = field(default_factory=list)
    sides: tuple[int, int] = (0, 1)
    words: tuple[str, ...] = ()
    colour: Colour = Colour.RED
    more: dict[str, Any] = field(default_factory=dict)


def test_what_fits_is_made() -> None:
    data = {"share": 1, "inner": {"number": 3}, "inners": [{"number": 4, "text": "x"}], "sides": [1, 0]}
    data |= {"words": ["a", "b"], "colour": "red", "name": None, "is_on": True, "more": {"a": [1]}}
    made = from_json(Outer, data)
    assert made == Outer(
        1.0, True, None, Inner(3), [Inner(4, "x")], (1, 0), ("a", "b"), Colour.RED, {"a": [1]}
    )


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"share": "1"}, "share cannot be '1'"),
        ({"share": True}, "share cannot be True"),
        ({"is_on": 1}, "is_on cannot be 1"),
        ({"name": 5}, "name cannot be 5"),
        ({"inner": []}, r"inner cannot be \[\]"),
        ({"inner": {"number": 1.5}}, "number cannot be 1.5"),
        ({"inner": {"number": 1 << 70}}, "number cannot be 1180591620717411303424"),
        ({"inner": {}}, "missing 1 required positional argument: 'number'"),
        ({"inners": {}}, "inners cannot be {}"),
        ({"inners": [1]}, "inners cannot be 1"),
        ({"sides": [1]}, r"sides cannot be \[1\]"),
        ({"words": "ab"}, "words cannot be 'ab'"),
        ({"colour": "blue"}, "'blue' is not a valid Colour"),
        ({"colour": 5}, "colour cannot be 5"),
        ({"more": []}, r"more cannot be \[\]"),
        ({"other": 1}, "Outer has no field 'other'"),
    ],
)
def test_what_does_not_fit_is_named(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        from_json(Outer, {"share": 0.5, **change})


@pytest.mark.parametrize("data", [None, [], 5, "x"])
def test_an_object_is_wanted(data: Any) -> None:
    with pytest.raises(ValueError, match="Outer wants an object"):
        from_json(Outer, data)
