"""Maps: the ground, its trees and who stands where, as plain text that can be drawn by hand.

    . ground    T tree    F footman    A archer

One row a line, all of one length. Footmen are numbered from 0 in reading order, then the archers.
A line that begins with `;` is a comment. Below the map `unit X,Y id=N health=N` changes the number
or the health of the unit on a cell, and `footman X,Y` or `archer X,Y` (with the same behind it) puts
another one there.
"""

import re
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path

from plywise.core.errors import PlywiseError, UnknownName
from plywise.core.untrusted import check_size, shorten, whole_number
from plywise.games.skirmish.units import ARCHERS, FOOTMEN, KINDS, SIDES, Unit

FOLDER = Path(__file__).with_name("maps")
NAMES = ("2fv2a", "2fva", "2fv2a_Obstacles", "2fv1a_Obstacles")
_PLACED = ("footman", "archer", "unit")
_LINE = re.compile(r"(footman|archer|unit)\s++([0-9]++),([0-9]++)((?:\s++(?:id|health)=[0-9]++)*+)")
_CHANGE = re.compile(r"(id|health)=([0-9]++)")
MOST_ROWS = MOST_COLUMNS = 256
LARGEST = 1_000_000  # a number or a health


class BadMap(PlywiseError):
    """A map that cannot be played; the message names the file, line and column."""

    def __init__(self, source: str, line: int, column: int, reason: str) -> None:
        super().__init__(f"map {source}, line {line}, column {column}: {reason}")
        self.line, self.column, self.reason = line, column, reason


@dataclass(frozen=True, slots=True)
class Ground:
    """A rectangle of cells, some with trees; x grows east and y south, both from 0 (RULES 1)."""

    width: int
    height: int
    trees: frozenset[tuple[int, int]] = frozenset()

    def holds(self, x: int, y: int) -> bool:
        """The cell is on the map."""
        return 0 <= x < self.width and 0 <= y < self.height

    def free(self, x: int, y: int) -> bool:
        """The cell is on the map and without a tree."""
        return self.holds(x, y) and (x, y) not in self.trees


@dataclass(frozen=True, slots=True)
class Map:
    """A ground and the units that stand on it when an episode begins."""

    name: str
    ground: Ground
    units: tuple[Unit, ...] = field(default=())

    def text(self) -> str:
        """The map as it is drawn, without numbers and health."""
        return draw(self.ground, self.units)


def draw(ground: Ground, units: tuple[Unit, ...]) -> str:
    """Rows of letters: the ground with its trees and units."""
    letters = {(unit.x, unit.y): unit.kind.letter for unit in units}
    return "\n".join(
        "".join("T" if (x, y) in ground.trees else letters.get((x, y), ".") for x in range(ground.width))
        for y in range(ground.height)
    )


def read(text: str, name: str = "text") -> Map:
    """The map that a text draws; BadMap names the line and column of what is wrong."""
    try:
        check_size(text, "a map")
    except ValueError as error:
        raise BadMap(name, 1, 1, str(error)) from None
    trees: set[tuple[int, int]] = set()
    found: dict[tuple[int, int], _Found] = {}
    width, height, last = 0, 0, 1
    below: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.rstrip()
        if not line or line.startswith(";"):
            continue
        last = number
        if line.split()[0] in _PLACED:
            below.append((number, line))
            continue
        if below:
            raise BadMap(name, number, 1, "a row of the map comes after the lines about units")
        if height and len(line) != width:
            column = min(len(line), width) + 1
            raise BadMap(name, number, column, f"the row has {len(line)} cells, the first one {width}")
        width = len(line)
        if width > MOST_COLUMNS:
            raise BadMap(name, number, MOST_COLUMNS + 1, f"a row may have {MOST_COLUMNS} cells, not {width}")
        if height == MOST_ROWS:
            raise BadMap(name, number, 1, f"a map may have {MOST_ROWS} rows")
        for x, letter in enumerate(line):
            if letter == "T":
                trees.add((x, height))
            elif letter in "FA":
                found[x, height] = _Found("FA".index(letter))
            elif letter != ".":
                known = ". (ground), T (tree), F (footman), A (archer)"
                raise BadMap(name, number, x + 1, f"unknown letter {letter!r}; known are {known}")
        height += 1
    ground = Ground(width, height, frozenset(trees))
    owners: dict[int, tuple[int, int]] = {}
    for number, line in below:
        _note(found, owners, ground, name, number, line)
    for side in (FOOTMEN, ARCHERS):
        if not any(one.side == side for one in found.values()):
            raise BadMap(name, last, 1, f"the map has no {SIDES[side]} ({KINDS[side].letter})")
    return Map(name, ground, _units_by_id(found))


@dataclass(slots=True)
class _Found:
    """A unit of a map while it is read."""

    side: int
    id: int | None = None
    health: int | None = None


def _note(
    found: dict[tuple[int, int], _Found],
    owners: dict[int, tuple[int, int]],
    ground: Ground,
    name: str,
    number: int,
    line: str,
) -> None:
    """Take in a line `unit X,Y ...`, which changes a unit, or `footman X,Y ...`, which adds one."""
    match = _LINE.fullmatch(line)
    if match is None:
        word = line.split()[0]
        shown = shorten(line, 60)
        raise BadMap(name, number, 1, f"{shown!r} should read '{word} X,Y', with id=N or health=N behind it")
    place = match.start(2) + 1
    try:
        x, y = whole_number(match[2], 0, ground.width - 1), whole_number(match[3], 0, ground.height - 1)
    except ValueError:
        cell = shorten(f"{match[2]},{match[3]}", 40)
        size = f"{ground.width}x{ground.height}"
        raise BadMap(name, number, place, f"the cell {cell} is off the {size} map") from None
    if (x, y) in ground.trees:
        raise BadMap(name, number, place, f"there is a tree on {x},{y}")
    if match[1] != "unit":
        if (x, y) in found:
            raise BadMap(
                name, number, place, f"two units on {x},{y}: a {KINDS[found[x, y].side].name} stands there"
            )
        found[x, y] = _Found(_PLACED.index(match[1]))
    elif (x, y) not in found:
        raise BadMap(name, number, place, f"there is no unit on {x},{y}")
    for part in _CHANGE.finditer(match[4]):
        column = match.start(4) + part.start() + 1
        try:
            value = whole_number(part[2], 0, LARGEST)
        except ValueError as error:
            raise BadMap(name, number, column, f"{part[1]}: {error}") from None
        if part[1] == "health":
            if value < 1:
                raise BadMap(name, number, column, "a unit needs health from 1 up")
            found[x, y].health = value
            continue
        owner = owners.setdefault(value, (x, y))
        if owner != (x, y):
            raise BadMap(name, number, column, "id {} belongs to the unit on {},{}".format(value, *owner))
        before = found[x, y].id
        if before is not None and before != value:
            del owners[before]
        found[x, y].id = value


def _units_by_id(found: dict[tuple[int, int], _Found]) -> tuple[Unit, ...]:
    """The units by id: those without one are numbered in reading order, footmen first."""
    used = {one.id for one in found.values()}
    spare = (number for number in count() if number not in used)
    units = []
    for (x, y), one in sorted(found.items(), key=lambda item: (item[1].side, item[0][1], item[0][0])):
        number = next(spare) if one.id is None else one.id
        units.append(Unit(number, one.side, x, y, one.health or KINDS[one.side].health))
    return tuple(sorted(units, key=lambda unit: unit.id))


@cache
def course_map(name: str) -> Map:
    """One of the four maps of the course."""
    if name not in NAMES:
        raise UnknownName("map", name, NAMES)
    return read((FOLDER / f"{name}.txt").read_text(encoding="utf-8"), name)


def find(name: str) -> Map:
    """The course map of that name, else the map in that file."""
    if name in NAMES:
        return course_map(name)
    path = Path(name)
    if not path.exists() and path.suffix == "" and "/" not in name:
        raise UnknownName("map", name, NAMES)
    try:
        return read(path.read_text(encoding="utf-8"), name)
    except OSError as error:
        raise PlywiseError(f"map {name}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise PlywiseError(f"map {name}: the file is not text (UTF-8)") from None
