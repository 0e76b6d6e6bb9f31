"""The decorators by which an author makes a game: `@game` and `@evaluation`."""

import inspect
import math
import os
import re
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

from plywise.core.compiled import compiled as compiled_mark
from plywise.core.contract import source_place
from plywise.core.errors import BadGame, UnknownName, near_names
from plywise.core.evaluation import Evaluation, FieldWords, Terms, WeightTerms
from plywise.core.game import PERSPECTIVES, SLOPE, Draws, Game
from plywise.core.layout import Layout
from plywise.core.mobility import choose_generic
from plywise.core.plain import plain_class
from plywise.core.presentation import HOOKS
from plywise.core.resources import Resource, Weights
from plywise.core.rule_output import game_files
from plywise.core.rules import REQUIRED, RULES
from plywise.core.wide_position import key_rule, wide_fields, words_rule
from plywise.core.world import World

C = TypeVar("C", bound=type)
_NAME = re.compile(r"\w[\w-]{0,59}")
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
    bench: tuple[tuple[str, int], ...] = (),
    lends: tuple[Resource, ...] = (),
    margins: str | os.PathLike[str] | None = None,
    probcut: tuple[tuple[int, ...], ...] = (),
    world: type[World] | None = None,
    perspective: str = "same",
    evaluator: str | None = None,
) -> Callable[[C], C]:
    """Make a class of positions a game that Plywise can play.

    A NamedTuple of whole numbers whose `moves` takes a buffer is compiled; any other class with
    `turn`, `moves()` and `play(move)` is played in the plain form. Where a game names a `world`,
    that is what is played, and the positions are the model that is searched. `unit` is the score of
    what players count in (a pawn), `slope` how much one unit says about who will win. `bench` names positions
    and depths to measure the search by; without them it is a number of nodes from the start. `symmetries` is
    the number of images of a position that are alike, itself included (see `Rules.symmetry`). `margins` is a
    file of numbers for the search, beside the game's own file, `probcut` what benchmarks/probcut_fit.py has
    found. `perspective` is how the `boards` look to side 1: the `same`, `flipped` (upside down, by rows of 8)
    or `rotated` (last cell first). `evaluator` is for a game without `evaluate`: `mobility` (more moves are
    better) or `outcome` (nothing is said before the end); without it, mobility where random games show that
    it tells the sides apart. `alternating` is accepted for old files and has no effect: a position says
    whose turn it is.
    """
    if perspective not in PERSPECTIVES:
        raise UnknownName("perspective", perspective, PERSPECTIVES)

    def register(cls: C) -> C:
        if not isinstance(sides, tuple | list) or len(sides) != 2 or len({str(side) for side in sides}) != 2:
            raise BadGame(
                f"{source_place(cls)}: sides={sides!r}: sides are two different names, as in"
                " @game(sides=('white', 'black'))"
            )
        _check_numbers(cls, most_moves=most_moves, unit=unit, slope=slope)
        _check_name(cls, name)
        compiled = _is_compiled_form(cls)
        _check_symmetries(cls, symmetries)
        if compiled:
            for rule in ("moves", "noisy", "sharp"):
                if inspect.isgeneratorfunction(vars(cls).get(rule)):
                    setattr(cls, rule, _write_yielded(vars(cls)[rule]))
            wide = {"key": key_rule(cls), "boards": words_rule(cls)} if wide_fields(cls) else {}
            defaults = {**RULES, **wide}
            for rule, function in defaults.items():
                if rule not in vars(cls):
                    setattr(cls, rule, function)
        source = _source_file(cls)
        if not cls.__module__.startswith("plywise."):
            game_files.add(str(source))
        words = _NEXT_WORD.sub("_", cls.__name__).lower()
        result = Game(
            name=name or words,
            title=title or (name or words).replace("_", " ").capitalize(),
            position=cls if compiled else plain_class(cls),
            compiled=compiled,
            source=source,
            sides=(str(sides[0]), str(sides[1])),
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
            perspective=perspective,
        )
        result.evaluations["default"] = Evaluation("default", None, unit=unit)
        if evaluator is not None:
            choose_generic(result, evaluator)
        cls.game = result  # type: ignore[attr-defined]
        if not hasattr(cls, "_repr_svg_"):
            cls._repr_svg_ = _repr_svg  # type: ignore[attr-defined]
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


def _source_file(cls: type) -> Path:
    """The file of a class; of one that was typed into a notebook or a console, what its code says."""
    try:
        return Path(inspect.getsourcefile(cls) or ".")
    except (OSError, TypeError):
        bodies = [value.__code__ for value in vars(cls).values() if inspect.isfunction(value)]
        return Path(next((body.co_filename for body in bodies), "."))


def _repr_svg(self: Any) -> str | None:
    """What a notebook shows of a position."""
    from plywise.core.notebook import draw_position

    game: Game = type(self).game
    return draw_position(game, game.wrap(self))


def _write_yielded(rule: Any) -> Any:
    """A rule that yields its moves as one that writes them; both run compiled too."""
    space = {"__name__": rule.__module__, "YIELDED": compiled_mark(rule)}
    place = {"co_filename": rule.__code__.co_filename, "co_firstlineno": rule.__code__.co_firstlineno}
    result = FunctionType(_write_each.__code__.replace(**place), space, rule.__name__)
    result.__qualname__, result.__doc__ = rule.__qualname__, rule.__doc__
    return result


def _write_each(self: Any, buffer: Any, n: int) -> int:
    for move in YIELDED(self, buffer, n):  # type: ignore[name-defined] # noqa: F821
        buffer[n] = move
        n += 1
    return n


def _on_own_object(function: Callable[..., int]) -> Callable[..., int]:
    """An evaluation of a plain game's own objects as one of the positions that the search has."""
    if function.__code__.co_argcount == 1:
        return wraps(function)(lambda position: function(position.object))
    return wraps(function)(lambda position, weights: function(position.object, weights))


def _check_numbers(cls: type, *, slope: float, **whole: int) -> None:
    """Refuse options of @game that are no numbers above 0."""
    for option, value in whole.items():
        if type(value) is not int or value < 1:
            words = f"@game({option}=...) is a whole number from 1 up, not {value!r}"
            raise BadGame(f"{source_place(cls)}: {words}")
    if type(slope) not in (int, float) or not 0 < slope < math.inf:
        raise BadGame(f"{source_place(cls)}: @game(slope=...) is a number above 0, not {slope!r}")


def _check_name(cls: type, name: str | None) -> None:
    """Refuse a name that commands, links and files cannot use."""
    if name is not None and not (isinstance(name, str) and _NAME.fullmatch(name)):
        words = (
            f"@game({name!r}): a game is called by letters, digits, _ and -; title=... is what people read"
        )
        raise BadGame(f"{source_place(cls)}: {words}")


def _check_symmetries(cls: type, symmetries: int) -> None:
    """Refuse a number of images without the rule that gives them, and the rule without the number."""
    if not isinstance(symmetries, int) or symmetries < 1:
        raise BadGame(
            f"{source_place(cls)}: @game(symmetries=...) is a whole number from 1 up, not {symmetries!r}"
        )
    if (symmetries > 1) != (getattr(cls, "symmetry", RULES["symmetry"]) is not RULES["symmetry"]):
        missing = "method 'symmetry'" if symmetries > 1 else "@game(symmetries=...), the number of its images"
        raise BadGame(f"{source_place(cls)}: {cls.__name__} has no {missing}")


def _is_compiled_form(cls: type) -> bool:
    """Whether the class is of the compiled form; refuses a class that is of neither."""
    fields = getattr(cls, "_fields", None)
    if fields is None and not any(
        "turn" in vars(base) or "turn" in getattr(base, "__annotations__", {}) for base in cls.__mro__
    ):
        body = getattr(vars(cls).get("__init__"), "__code__", None)
        if body is None or "turn" not in body.co_names:
            raise BadGame(f"{source_place(cls)}: {cls.__name__} has no 'turn' (0 or 1: the side to move)")
    if fields is not None and "turn" not in fields and not hasattr(cls, "turn"):
        raise BadGame(f"{source_place(cls)}: {cls.__name__} has no field 'turn' (0 or 1: the side to move)")
    for rule in REQUIRED:
        if not callable(getattr(cls, rule, None)):
            methods = {name for name, value in vars(cls).items() if inspect.isfunction(value)}
            others = sorted(methods - {*RULES, *HOOKS})  # those are what they are called
            near = near_names(rule, others, 0.5)
            hint = f"; rename {near[0]!r} if it is that" if near else ""
            raise BadGame(f"{source_place(cls)}: {cls.__name__} has no method {rule!r}{hint}")
    if fields is None and cls.__hash__ is None:
        raise BadGame(
            f"{source_place(cls)}: positions of {cls.__name__} cannot be hashed; make them unchangeable, with"
            " @dataclass(frozen=True)"
        )
    parameters = list(inspect.signature(cls.moves).parameters)  # type: ignore[attr-defined]
    compiled = fields is not None and len(parameters) == 3
    for rule, function in RULES.items():
        own = getattr(cls, rule, None)
        if fields is not None and rule in fields:
            raise BadGame(
                f"{source_place(cls)}: the field {rule!r} has the name of a rule; call it otherwise"
            )
        if own is None or rule == "turn":
            continue
        want = list(inspect.signature(function).parameters)
        if not compiled:
            want = [part for part in want if part not in ("buffer", "n", "memory")]
        have = list(inspect.signature(own).parameters)
        if len(have) != len(want):
            raise BadGame(
                f"{source_place(cls, rule)}: {cls.__name__}.{rule} takes ({', '.join(have)})"
                f" and should take ({', '.join(want)})"
            )
    return compiled
