"""Evaluations, and what they are made of: a position's value term by term, in the game's own words.

Nothing here is compiled. An author gives `terms` with an evaluation: a function of the position, or,
where the evaluation is linear in its weights, the words for the weights' fields. In the second case the
evaluation itself is run over weights that remember how often each was counted.
"""

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from plywise.core.errors import BadGame
from plywise.core.layout import Layout
from plywise.core.resources import Weights

# The words for the fields of some weights: one for a field, or one for each of its places.
FieldWords = Mapping[str, str | Sequence[str]]
Terms = Callable[[Any], Mapping[str, float]]
WHOLE = "evaluation"  # the one term of an evaluation that names none


@dataclass(frozen=True, eq=False)
class Evaluation:
    """An opinion about positions, chosen by its name.

    `function` takes a position, or a position and the weights at `weights.layout`. An evaluation
    that keeps sums from move to move names `memory` fields and the functions that keep them. `terms`
    says what it is made of; `unit` is how many points of it are one of what the game counts in.
    """

    name: str
    function: Callable[..., int] | None  # None: the position's own `evaluate`
    weights: Weights | None = None
    memory: Layout = field(default_factory=Layout)
    begin: Callable[..., None] | None = None
    follow: Callable[..., None] | None = None
    terms: Terms | None = None
    unit: int = 100


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

    def __ge__(self, other: int) -> bool:
        return self.value >= other


class _Field:
    def __init__(self, name: str, values: list[int]) -> None:
        self.name, self.values = name, values

    def __getitem__(self, i: int) -> Linear:
        return Linear(self.values[i], {(self.name, i): 1})


class TracedWeights:
    """Weights whose every use is remembered."""

    def __init__(self, weights: Weights, path: str | Path | None = None) -> None:
        self.values = weights.values(path)
        for name, value in self.values.items():
            traced = _Field(name, value) if isinstance(value, list) else Linear(value, {(name, 0): 1})
            setattr(self, name, traced)


class WeightTerms:
    """Terms of an evaluation that is linear in its weights: how much each word's weights add.

    Fields without a word are called by their own name. Whole numbers that add up to the evaluation:
    what its divisions lose is shared out.
    """

    def __init__(
        self, function: Callable[..., int], weights: Weights | None, words: FieldWords, **memory_options: Any
    ) -> None:
        if weights is None:
            raise BadGame(f"{function.__name__}: words for weights were given as terms, but no weights")
        fields = {name for name, *_ in weights.layout.fields}
        for name in words:
            if name not in fields:
                raise BadGame(f"{function.__name__}: terms name {name!r}, which is no field of the weights")
        self.function, self.weights, self.words, self.memory_options = (
            function,
            weights,
            words,
            memory_options,
        )
        self._traced: Any = None
        self._stamp: Any = None

    def __call__(self, position: Any, path: str | Path | None = None) -> dict[str, float]:
        weights = self.traced_weights(path)
        whole: Any = call_evaluation(self.function, position, weights, **self.memory_options)
        parts = whole.parts if isinstance(whole, Linear) else {}
        shares: dict[str, float] = {}
        for (name, i), times in parts.items():
            value = weights.values[name]
            word = self.word(name, i)
            shares[word] = shares.get(word, 0) + times * (value[i] if isinstance(value, list) else value)
        return round_to_total(shares, int(whole.value if isinstance(whole, Linear) else whole))

    def word(self, field: str, i: int) -> str:
        words = self.words.get(field, field.replace("_", " "))
        return words if isinstance(words, str) else words[i]

    def traced_weights(self, path: str | Path | None) -> Any:
        """The weights, read again only when their file is another one."""
        source = Path(path) if path is not None else self.weights.path
        try:
            info = os.stat(source)
            stamp: Any = source, info.st_mtime_ns, info.st_size, info.st_ino
        except OSError:
            stamp = None  # reading it will say why
        if stamp is None or stamp != self._stamp:
            self._traced, self._stamp = TracedWeights(self.weights, path), stamp
        return self._traced


def call_evaluation(
    function: Callable[..., Any],
    position: Any,
    weights: Any,
    memory: Layout | None = None,
    begin: Callable[..., None] | None = None,
) -> Any:
    """The evaluation function run in Python, with what it asks for."""
    wanted = function.__code__.co_argcount
    if wanted <= 2:
        return function(position) if wanted == 1 else function(position, weights)
    fields = {name: _zeros(shape) for name, _, *shape in (memory or Layout()).fields}
    memory_record = SimpleNamespace(**fields)
    if begin is not None:
        begin(position, weights, memory_record)
    return function(position, weights, memory_record, 0)


def round_to_total(shares: Mapping[str, float], whole: int) -> dict[str, float]:
    """The shares as whole numbers that add up to the whole, each as near to its own as can be."""
    result = {name: math.floor(share + 1e-9) for name, share in shares.items()}
    over = whole - sum(result.values())
    if not result:
        return {WHOLE: whole} if whole else {}
    by_loss = sorted(shares, key=lambda name: result[name] - shares[name])
    every, more = divmod(over, len(result))
    for place, name in enumerate(by_loss):
        result[name] += every + (place < more)
    return {name: float(value) for name, value in result.items()}


def _zeros(shape: list[Any]) -> Any:
    sizes = tuple(shape[0]) if shape else ()
    return [0] * sizes[0] if sizes else 0
