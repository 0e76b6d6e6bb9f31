"""The plain form: any immutable hashable object as a position of the very same search.

The object has `turn`, `moves()` and `play(move)`, where moves are any hashable values; of the other
rules it has those it wants, without buffers: `noisy()` returns moves as `moves()` does.
"""

import dataclasses
from collections.abc import Hashable
from typing import Any

from plywise.core import contract
from plywise.core.bits import mix
from plywise.core.rules import RULES, Rules

ROOM = 1 << 19  # positions remembered in each of two generations


class Numbers:
    """Gives equal values equal numbers, and never two values the same one.

    Numbers, unlike hashes, are the same in every process and have no collisions. Of positions only
    the most recent are remembered; a forgotten one gets a new number, which costs time, not truth.
    """

    def __init__(self, room: int) -> None:
        self.room, self.count = room, 0
        self.young: dict[Hashable, int] = {}
        self.old: dict[Hashable, int] = {}

    def __getitem__(self, value: Hashable) -> int:
        number = self.young.get(value)
        if number is None:
            number = self.old.get(value)
            if number is None:
                number, self.count = self.count, self.count + 1
            if len(self.young) >= self.room:
                self.old, self.young = self.young, {}
            self.young[value] = number
        return number


class Moves(dict[Hashable, int]):
    """The moves of a plain game, by value; `values_by_number` has them back."""

    def __init__(self) -> None:
        super().__init__()
        self.values_by_number: list[Any] = []

    def __missing__(self, value: Hashable) -> int:
        number = self[value] = len(self.values_by_number)
        self.values_by_number.append(value)
        return number


class Plain(Rules):
    """A plain object as the search sees it. One subclass a game, made by `plain_class`."""

    __slots__ = ("_key", "object", "turn")
    numbers: Numbers
    names: Moves

    def __init__(self, value: Any) -> None:
        self.object, self.turn = value, value.turn
        self._key: int | None = None

    def __repr__(self) -> str:
        return repr(self.object)

    def _repr_svg_(self) -> str | None:
        """What a notebook shows, unless the object has its own picture."""
        draw = getattr(self.object, "_repr_svg_", None)
        return None if draw is None else draw()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plain) and bool(self.object == other.object)

    def __hash__(self) -> int:
        return hash(self.object)

    def key(self) -> int:
        if self._key is None:
            try:
                self._key = mix(1, self.numbers[self.object])
            except TypeError:
                raise contract.unhashable(type(self.object), self.object) from None
        return self._key

    def moves(self, buffer: Any, n: int) -> int:
        return self.write("moves", buffer, n)

    def write(self, rule: str, buffer: Any, n: int) -> int:
        """Write the moves that a rule returns, by their numbers."""
        cls, names = type(self.object), self.names
        for move in contract.listed_moves(cls, rule, getattr(self.object, rule)()):
            try:
                buffer[n] = names[move]
            except TypeError:
                words = f"{rule}() lists {move!r}, which can change; make moves of numbers, strings or tuples"
                raise contract.broken_rule(cls, rule, words) from None
            n += 1
        return n

    def play(self, move: int) -> "Plain":
        after = self.object.play(self.names.values_by_number[move])
        return type(self)(contract.next_position(type(self.object), "play", after))

    def _replace(self, **fields: Any) -> "Plain":
        """The position with some fields of its object exchanged, as a NamedTuple or a dataclass can be."""
        own = self.object
        return type(self)(
            own._replace(**fields) if hasattr(own, "_replace") else dataclasses.replace(own, **fields)
        )

    def move(self, number: int) -> Any:
        """The game's own value of a move."""
        return self.names.values_by_number[number]


def plain_class(cls: type) -> type[Plain]:
    """The positions of a plain game: what its class leaves out keeps the default of `Rules`."""

    def ask(name: str) -> Any:
        return lambda self: getattr(self.object, name)()

    def ask_of_move(name: str) -> Any:
        return lambda self, move, *more: getattr(self.object, name)(self.names.values_by_number[move], *more)

    def verdict(name: str) -> Any:
        return lambda self: contract.verdict(cls, name, getattr(self.object, name)(), plain=True)

    def evaluate(self: Any) -> int:
        return contract.returned_integer(cls, "evaluate", self.object.evaluate())

    def write_moves(name: str) -> Any:
        return lambda self, buffer, n: self.write(name, buffer, n)

    def skip(self: Any) -> Any:
        return type(self)(contract.next_position(cls, "skip", self.object.skip()))

    def symmetry(self: Any, image: int) -> Any:
        return type(self)(contract.next_position(cls, "symmetry", self.object.symmetry(image)))

    own = {
        "evaluate": evaluate,
        "noisy": write_moves("noisy"),
        "sharp": write_moves("sharp"),
        "candidates": write_moves("candidates"),
        "skip": skip,
        "symmetry": symmetry,
    }
    members: dict[str, Any] = {"__slots__": (), "numbers": Numbers(ROOM), "names": Moves()}
    for name in RULES:
        if not hasattr(cls, name) or name in ("moves", "play", "key", "probe"):
            continue
        if name in ("outcome", "stuck"):
            members[name] = verdict(name)
        elif name in ("threatens", "gain", "sound", "brings", "slot", "pattern", "resets"):
            members[name] = ask_of_move(name)
        else:
            members[name] = own.get(name) or ask(name)
    return type(cls.__name__, (Plain,), members)
