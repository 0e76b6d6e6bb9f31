"""What rules may return, checked where Python asks them: a broken rule is named with its place.

Compiled code checks nothing while it runs. So the start position of a game is looked at before anything is
compiled (`verify_start`), and `plywise check` looks at many positions.
"""

import inspect
import operator
import sys
from typing import TYPE_CHECKING, Any

from plywise.core.errors import BrokenRule
from plywise.core.outcome import LOST, OPEN
from plywise.core.presentation import find_hook
from plywise.core.untrusted import shorten

if TYPE_CHECKING:
    from plywise.core.game import Game

WORD_SPAN = 1 << 63
FIRST = 5  # where `moves` is told to begin, to see that it does
FEW = 3  # moves of the start position that are played
CHANGING_MOVES = (
    "moves() lists other moves when it is asked again; a position must always list the same moves in the same"
    " order"
)


def source_place(cls: type, member: str | None = None) -> str:
    """FILE:LINE of a class or one of its methods, as far as they are known."""
    value = inspect.getattr_static(cls, member, None) if member else None
    code = getattr(getattr(value, "__func__", value), "__code__", None)
    if code is not None:
        return f"{code.co_filename}:{code.co_firstlineno}"
    module = sys.modules.get(cls.__module__)
    file = str(getattr(module, "__file__", None) or cls.__module__)
    try:
        return f"{file}:{inspect.getsourcelines(cls)[1]}"
    except (OSError, TypeError, IndentationError):
        return file


def is_bool(value: Any) -> bool:
    """Python's truth values, and NumPy's."""
    return isinstance(value, bool) or type(value).__name__ in ("bool", "bool_")


def broken_rule(cls: type, rule: str, words: str) -> BrokenRule:
    """The error that a rule deserves, with its place."""
    return BrokenRule(rule, f"{source_place(cls, rule)}: {words}")


def returned_integer(cls: type, rule: str, value: Any) -> int:
    """The whole number that a rule returned; NumPy's are taken for Python's."""
    if type(value) is int:
        return value
    try:
        return operator.index(value)
    except TypeError:
        cure = "; use // or round()" if isinstance(value, float) else ""
        raise broken_rule(cls, rule, f"{rule}() is {_show(value)}, no whole number{cure}") from None


def verdict(cls: type, rule: str, value: Any, plain: bool) -> int:
    """What `outcome` or `stuck` returned, as LOST, DRAWN, WON or OPEN."""
    if type(value) is int and LOST <= value <= OPEN:
        return value
    if value is None and plain:
        return OPEN
    if not is_bool(value) and hasattr(value, "__index__") and LOST <= operator.index(value) <= OPEN:
        return operator.index(value)
    goes_on = f", and {'None' if plain else 'OPEN'} where the game goes on" if rule == "outcome" else ""
    words = f"{rule}() is {_show(value)}; return WON, LOST or DRAWN for the side to move{goes_on}"
    raise broken_rule(cls, rule, words)


# --- the plain form ----------------------------------------------------------------------------------
def listed_moves(cls: type, rule: str, value: Any) -> Any:
    """The moves that a rule of the plain form returned."""
    if value is None:
        raise broken_rule(cls, rule, f"{rule}() returned None; return a list of moves, [] for none")
    try:
        return iter(value)
    except TypeError:
        raise broken_rule(cls, rule, f"{rule}() returned {_show(value)}, no list of moves") from None


def unhashable(cls: type, value: Any) -> BrokenRule:
    """Why a position or a move of the plain form cannot be hashed."""
    for name in _field_names(value):
        part = getattr(value, name, None)
        try:
            hash(part)
        except TypeError:
            kind = _an(type(part).__name__)
            cure = "use a tuple, a string or a frozenset"
            return BrokenRule(
                "hash", f"{source_place(cls)}: field {name!r} is {kind}, which can change; {cure}"
            )
    cure = "use @dataclass(frozen=True), and tuples in place of lists"
    return BrokenRule("hash", f"{source_place(cls)}: {_an(type(value).__name__)} cannot be hashed; {cure}")


def next_position(cls: type, rule: str, value: Any) -> Any:
    """The position that `play` or `skip` returned."""
    if value is None:
        raise broken_rule(cls, rule, f"{rule}() returned None; return the position after the move")
    if not hasattr(value, "turn"):
        raise broken_rule(cls, rule, f"{rule}() returned {_show(value)}; return {_an(cls.__name__)}")
    return value


# --- the compiled form -------------------------------------------------------------------------------
class MoveBuffer(dict[int, int]):
    """A buffer that says so when it is taken for a list."""

    def append(self, move: int) -> None:
        """Refuse: compiled code has no such buffer."""
        raise TypeError("a buffer is no list: write buffer[n] = move, then add 1 to n")

    extend = insert = append


def written_moves(position: Any, first: int = 0, rule: str = "moves") -> list[int]:
    """The moves that a position of the search writes, with the buffer looked at."""
    cls, buffer = type(position), MoveBuffer()
    end = getattr(position, rule)(buffer, first)
    if end is None:
        raise broken_rule(cls, rule, f"{rule}() returned None; return n, the end of the moves that it wrote")
    end = returned_integer(cls, rule, end)
    if first > 0 and any(place < first for place in buffer):
        words = f"{rule}() was told to begin at n = {first} and wrote buffer[{min(buffer)}]"
        raise broken_rule(cls, rule, f"{words}; begin at n, do not set it")
    for place in range(first, end):
        if place not in buffer:
            words = f"{rule}() returned {end} and did not write buffer[{place}]"
            raise broken_rule(cls, rule, f"{words}; write buffer[n] first, then add 1 to n")
    return [returned_integer(cls, rule, buffer[place]) for place in range(first, end)]


def verify_position(cls: type, position: Any, rule: str | None = None) -> None:
    """The fields of a position of the compiled form; `rule` made it."""
    if not isinstance(position, cls):
        raise broken_rule(cls, rule or "start", f"{rule}() is {_show(position)}; return {_an(cls.__name__)}")
    fields: Any = position
    for name, value in zip(fields._fields, fields, strict=True):
        if type(value) is not int and type(value).__module__ != "plywise.core.wide_bits":  # sets of cells
            words = f"field {name!r} is {_show(value)}, no whole number, as the compiled form wants"
            cure = (
                "make it one with int()"
                if isinstance(value, float) or hasattr(value, "__index__")
                else "use the bits of whole numbers, or the plain form, where moves(self) returns a list"
            )
            raise BrokenRule("fields", f"{source_place(cls, rule)}: {words}; {cure}")
        if type(value) is int and not -WORD_SPAN <= value < WORD_SPAN:
            words = f"field {name!r} is {_show(value)}, more than a signed word of 64 bits holds"
            cure = "shift with left() and right() of plywise.core.bits, and wrap() constants"
            raise BrokenRule("fields", f"{source_place(cls, rule)}: {words}; {cure}")


# --- both forms --------------------------------------------------------------------------------------
def verify_turn(cls: type, position: Any, rule: str | None = None) -> None:
    """Whose turn it is: 0 or 1; `rule` made the position."""
    if is_bool(position.turn) or position.turn not in (0, 1):
        words = f"turn is {_show(position.turn)}; it is 0 for the side that moves first in the game, else 1"
        raise BrokenRule("turn", f"{source_place(cls, rule)}: {words}")


def verify_start(game: "Game") -> None:
    """Ask the start what every search asks first; the error says which rule breaks."""
    cls, position = game.author, game.start()
    if game.compiled:
        verify_position(cls, position, "start" if find_hook(cls, "start") else None)
    verify_turn(cls, position)
    if verdict(cls, "outcome", position.outcome(), plain=False) != OPEN:
        return
    moves = written_moves(position)
    if len(written_moves(position, FIRST)) != len(moves):
        raise broken_rule(cls, "moves", CHANGING_MOVES)
    before = repr(position)
    for move in moves[:FEW]:
        after = position.play(move)
        if repr(position) != before:
            raise changed_position(game, before)
        if game.compiled:
            verify_position(cls, after, "play")
    if moves and not position.midway():
        returned_integer(cls, "evaluate", position.evaluate())


def changed_position(game: "Game", before: str) -> BrokenRule:
    """A move that was played on the position itself."""
    words = f"play() changed the position it was asked of [{shorten(before)}]; return a new position"
    return BrokenRule("immutable", f"{source_place(game.author, 'play')}: {words}")


def _field_names(value: Any) -> list[str]:
    names = getattr(value, "_fields", None) or getattr(value, "__dataclass_fields__", None)
    return list(names or getattr(value, "__dict__", {}))


def _an(name: str) -> str:
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def _show(value: Any) -> str:
    return shorten(repr(value), 60)
