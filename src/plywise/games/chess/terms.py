"""The default evaluation term by term: the same function, run over weights that remember."""

from collections import defaultdict
from pathlib import Path
from typing import Any

from plywise.games.chess.evaluation import LAYOUT, WEIGHTS, default


class Linear:
    """A number that knows which weights it is made of: value and, for each weight, how often."""

    __slots__ = ("parts", "value")

    def __init__(self, value: float, parts: dict[tuple[str, int], float]) -> None:
        self.value, self.parts = value, parts

    def __add__(self, other: "Linear | int") -> "Linear":
        if isinstance(other, int):
            return Linear(self.value + other, self.parts)
        parts = dict(self.parts)
        for key, times in other.parts.items():
            parts[key] = parts.get(key, 0) + times
        return Linear(self.value + other.value, parts)

    __radd__ = __add__

    def __neg__(self) -> "Linear":
        return self * -1

    def __sub__(self, other: "Linear | int") -> "Linear":
        return self + (-other)

    def __rsub__(self, other: int) -> "Linear":
        return -self + other

    def __mul__(self, times: int) -> "Linear":
        return Linear(self.value * times, {key: old * times for key, old in self.parts.items()})

    __rmul__ = __mul__

    def __floordiv__(self, whole: int) -> "Linear":
        return Linear(self.value // whole, {key: old / whole for key, old in self.parts.items()})

    def __gt__(self, other: int) -> bool:
        return self.value > other


class _Field:
    def __init__(self, name: str, values: list[int]) -> None:
        self.name, self.values = name, values

    def __getitem__(self, i: int) -> Linear:
        return Linear(self.values[i], {(self.name, i): 1})


class Traced:
    """Weights whose every use is remembered."""

    def __init__(self, path: str | Path | None = None) -> None:
        self.values = WEIGHTS.values(path)
        for name, *_ in LAYOUT.fields:
            setattr(self, name, _Field(name, self.values[name]))


def traced(position: Any, weights: Traced | None = None) -> Linear:
    """The evaluation of a position with all that it is made of."""
    result: Any = default(position, weights or Traced())
    assert isinstance(result, Linear)
    return result


def terms(position: Any, path: str | Path | None = None) -> dict[str, float]:
    """What each group of weights adds to the evaluation, for the side to move, in hundredths of a pawn.

    The terms add up to the evaluation exactly; what whole numbers lose is called `rounding`.
    """
    weights = Traced(path)
    whole = traced(position, weights)
    result: dict[str, float] = defaultdict(float)
    for (name, i), times in whole.parts.items():
        result[name.rsplit("_", 1)[0]] += times * weights.values[name][i]
    result["rounding"] = whole.value - sum(result.values())
    return dict(result)
