"""The plain form: any immutable hashable object as a position of the very same search.

The object has `turn`, `moves()` and `play(move)`, where moves are any hashable values; of the other
rules it has those it wants, without buffers: `noisy()` returns moves as `moves()` does.
"""

from collections.abc import Hashable
from typing import Any

from plywise.core.bits import mix
from plywise.core.outcome import OPEN
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

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plain) and bool(self.object == other.object)

    def __hash__(self) -> int:
        return hash(self.object)

    def key(self) -> int:
        if self._key is None:
            self._key = mix(1, self.numbers[self.object])
        return self._key

    def moves(self, buffer: Any, n: int) -> int:
        names = self.names
        for move in self.object.moves():
            buffer[n] = names[move]
            n += 1
        return n

    def play(self, move: int) -> "Plain":
        return type(self)(self.object.play(self.names.values_by_number[move]))

    def move(self, number: int) -> Any:
        """The game's own value of a move."""
        return self.names.values_by_number[number]


def plain_class(cls: type) -> type[Plain]:
    """The positions of a plain game: what its class leaves out keeps the default of `Rules`."""

    def asked(name: str) -> Any:
        return lambda self: getattr(self.object, name)()

    def asked_of_move(name: str) -> Any:
        return lambda self, move, *more: getattr(self.object, name)(self.names.values_by_number[move], *more)

    def verdict(name: str) -> Any:
        def rule(self: Any) -> int:
            result = getattr(self.object, name)()
            return OPEN if result is None else int(result)

        return rule

    def noisy(self: Any, buffer: Any, n: int) -> int:
        for move in self.object.noisy():
            buffer[n] = self.names[move]
            n += 1
        return n

    def sharp(self: Any, buffer: Any, n: int) -> int:
        for move in self.object.sharp():
            buffer[n] = self.names[move]
            n += 1
        return n

    def candidates(self: Any, buffer: Any, n: int) -> int:
        for move in self.object.candidates():
            buffer[n] = self.names[move]
            n += 1
        return n

    def skip(self: Any) -> Any:
        return type(self)(self.object.skip())

    def symmetry(self: Any, image: int) -> Any:
        return type(self)(self.object.symmetry(image))

    members: dict[str, Any] = {"__slots__": (), "numbers": Numbers(ROOM), "names": Moves()}
    for name in RULES:
        if not hasattr(cls, name) or name in ("moves", "play", "key", "probe"):
            continue
        if name in ("outcome", "stuck"):
            members[name] = verdict(name)
        elif name in ("gain", "sound", "brings", "slot", "pattern", "resets"):
            members[name] = asked_of_move(name)
        else:
            own = {
                "noisy": noisy,
                "sharp": sharp,
                "candidates": candidates,
                "skip": skip,
                "symmetry": symmetry,
            }
            members[name] = own.get(name) or asked(name)
    return type(cls.__name__, (Plain,), members)
