"""The decorators by which an author makes a game: `@game` and `@evaluation`."""

import inspect
import os
import re
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import TypeVar

from plywise.core.errors import BadGame
from plywise.core.evaluation import Evaluation, FieldWords, Terms, WeightTerms
from plywise.core.game import SLOPE, Draws, Game
from plywise.core.layout import Layout
from plywise.core.plain import plain_class
from plywise.core.resources import Resource, Weights
from plywise.core.rules import REQUIRED, RULES
from plywise.core.world import World

C = TypeVar("C", bound=type)
_NEXT_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def game(
    name: str | None = None,
    *,
    title: str | None = None,
    sides: tuple[str, str] = ("first", "second"),
    draws: Draws | None = None,
    most_moves: int = 512,
    symmetries: int = 1,
    alternating: bool = True,
    unit: int = 100,
    slope: float = SLOPE,
    bench: tuple[tuple[str, int], ...] = (("start", 6),),
    lends: tuple[Resource, ...] = (),
    margins: str | os.PathLike[str] | None = None,
    probcut: tuple[tuple[int, ...], ...] = (),
    world: type[World] | None = None,
) -> Callable[[C], C]:
    """Make a class of positions a game that Plywise can play.

    A NamedTuple of whole numbers whose `moves` takes a buffer is compiled; any other class with
    `turn`, `moves()` and `play(move)` is played in the plain form. Where a game names a `world`,
    that is what is played, and the positions are the model that is searched. `unit` is the score of
    what players count in (a pawn), `slope` how much one unit says about who will win. `margins` is a file
    of numbers for the search, beside the game's own file, `probcut` what benchmarks/probcut_fit.py has
    found. `symmetries` is the number of images of a position that are alike, itself included (see
    `Rules.symmetry`). `alternating` is accepted for old files and has no effect: a position says whose turn
    it is.
    """

    def register(cls: C) -> C:
        compiled = _is_compiled_form(cls)
        _check_symmetries(cls, symmetries)
        if compiled:
            for rule, function in RULES.items():
                if rule not in vars(cls):
                    setattr(cls, rule, function)
        source = Path(inspect.getsourcefile(cls) or ".")
        words = _NEXT_WORD.sub("_", cls.__name__).lower()
        result = Game(
            name=name or words,
            title=title or (name or words).replace("_", " ").capitalize(),
            position=cls if compiled else plain_class(cls),
            compiled=compiled,
            source=source,
            sides=sides,
            draws=draws or Draws(),
            most_moves=most_moves,
            symmetries=symmetries,
            unit=unit,
            slope=slope,
            bench=bench,
            lends=lends,
            probcut=probcut,
            margins=None if margins is None else source.parent / margins,
            author=cls,
            world=world,
        )
        result.evaluations["default"] = Evaluation("default", None, unit=unit)
        cls.game = result  # type: ignore[attr-defined]
        return cls

    return register


def evaluation(
    cls: type,
    name: str | None = None,
    *,
    weights: Weights | None = None,
    memory: Layout | None = None,
    begin: Callable[..., None] | None = None,
    follow: Callable[..., None] | None = None,
    terms: Terms | FieldWords | None = None,
    unit: int | None = None,
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Add an evaluation to a game: chosen by the function's name, or by the name given.

    `terms` says what it is made of: a function that gives a position's terms by name, which add up to
    the evaluation, or, for one that is linear in its weights, the words for their fields. `unit` is the
    game's unless it counts in another one.
    """

    def register(function: Callable[..., int]) -> Callable[..., int]:
        target: Game = cls.game  # type: ignore[attr-defined]
        label, opinion = name or function.__name__, function if target.compiled else _on_own_object(function)
        parts = (
            WeightTerms(opinion, weights, terms, memory=memory, begin=begin)
            if isinstance(terms, Mapping)
            else terms
        )
        target.evaluations[label] = Evaluation(
            label,
            opinion,
            weights,
            memory or Layout(),
            begin,
            follow,
            parts,
            target.unit if unit is None else unit,
        )
        return function

    return register


def _on_own_object(function: Callable[..., int]) -> Callable[..., int]:
    """An evaluation of a plain game's own objects as one of the positions that the search has."""
    if function.__code__.co_argcount == 1:
        return wraps(function)(lambda position: function(position.object))
    return wraps(function)(lambda position, weights: function(position.object, weights))


def _check_symmetries(cls: type, symmetries: int) -> None:
    """Refuse a number of images without the rule that gives them, and the rule without the number."""
    if not isinstance(symmetries, int) or symmetries < 1:
        raise BadGame(
            f"{_source_place(cls)}: @game(symmetries=...) is a whole number from 1 up, not {symmetries!r}"
        )
    if (symmetries > 1) != (getattr(cls, "symmetry", RULES["symmetry"]) is not RULES["symmetry"]):
        missing = "method 'symmetry'" if symmetries > 1 else "@game(symmetries=...), the number of its images"
        raise BadGame(f"{_source_place(cls)}: {cls.__name__} has no {missing}")


def _source_place(cls: type, member: str | None = None) -> str:
    """FILE:LINE of a class or one of its methods, as far as they are known."""
    value = getattr(cls, member, cls) if member else cls
    code = getattr(value, "__code__", None)
    if code is not None:
        return f"{code.co_filename}:{code.co_firstlineno}"
    module = sys.modules.get(cls.__module__)
    return str(getattr(module, "__file__", None) or cls.__module__)


def _is_compiled_form(cls: type) -> bool:
    """Whether the class is of the compiled form; refuses a class that is of neither."""
    fields = getattr(cls, "_fields", None)
    if fields is None and not any(
        "turn" in vars(base) or "turn" in getattr(base, "__annotations__", {}) for base in cls.__mro__
    ):
        body = getattr(vars(cls).get("__init__"), "__code__", None)
        if body is None or "turn" not in body.co_names:
            raise BadGame(f"{_source_place(cls)}: {cls.__name__} has no 'turn' (0 or 1: the side to move)")
    if fields is not None and "turn" not in fields and not hasattr(cls, "turn"):
        raise BadGame(f"{_source_place(cls)}: {cls.__name__} has no field 'turn' (0 or 1: the side to move)")
    for rule in REQUIRED:
        if not callable(getattr(cls, rule, None)):
            raise BadGame(f"{_source_place(cls)}: {cls.__name__} has no method {rule!r}")
    parameters = list(inspect.signature(cls.moves).parameters)  # type: ignore[attr-defined]
    compiled = fields is not None and len(parameters) == 3
    for rule, function in RULES.items():
        own = getattr(cls, rule, None)
        if fields is not None and rule in fields:
            raise BadGame(
                f"{_source_place(cls)}: the field {rule!r} has the name of a rule; call it otherwise"
            )
        if own is None or rule == "turn":
            continue
        want = list(inspect.signature(function).parameters)
        if not compiled:
            want = [part for part in want if part not in ("buffer", "n", "memory")]
        have = list(inspect.signature(own).parameters)
        if len(have) != len(want):
            raise BadGame(
                f"{_source_place(cls, rule)}: {cls.__name__}.{rule} takes ({', '.join(have)})"
                f" and should take ({', '.join(want)})"
            )
    return compiled
