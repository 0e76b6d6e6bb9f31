"""Model positions and moves as text (RULES 20, 21).

    2fv2a                                                     a course map as it begins
    25x19 F5,5:160 F18,5:160 A5,13:50 A18,13:50 F1            the same in full
    2fv2a_Obstacles F5,6:154 F- A5,13:50 A18,13:50 A2 eight   footman 2 is dead, archer 2 is to act

The ground is WIDTHxHEIGHT if it is open, the name of the course map whose trees it has, or its rows
with `/` between them: `T` is a tree, a number that many cells of ground.
"""

import re
from dataclasses import dataclass, field

from plywise.core.untrusted import shorten, whole_number
from plywise.games.skirmish.maps import NAMES, Ground, course_map
from plywise.games.skirmish.units import ARCHERS, FOOTMEN, KINDS, SIDES

SWITCHES = ("eight", "hasty", "script")
LARGEST = 255  # cells of a side, units of a side: more cannot be searched
_OPEN = re.compile(r"([0-9]++)x([0-9]++)")
_ROWS = re.compile(r"[0-9T]++(?:/[0-9T]++)*+")
_UNIT = re.compile(r"([FA])(?:([0-9]{1,4}),([0-9]{1,4}):([0-9]{1,6})|-)")
_NEXT = re.compile(r"([FA])([1-9][0-9]{0,3})")
_ORDER = re.compile(r"A([1-9][0-9]{0,3})(?:-(N|NE|E|SE|S|SW|W|NW|wait)|xF([1-9][0-9]{0,3}))")
_GAP = re.compile(r"\.++")
_DIGITS = re.compile(r"[0-9]++")

Place = tuple[int, int, int] | None  # x, y, health; None: dead


@dataclass(slots=True)
class Setup:
    """A model position as plain data. `orders` are the scripted archers', as in the text."""

    ground: Ground
    units: tuple[list[Place], list[Place]]
    turn: int = FOOTMEN
    acting: int = 0  # place in its side
    switches: set[str] = field(default_factory=set)
    orders: dict[int, str] = field(default_factory=dict)


def setup_of(name: str) -> Setup:
    """A course map as it begins."""
    map = course_map(name)
    sides: tuple[list[Place], list[Place]] = ([], [])
    for unit in map.units:
        sides[unit.side].append((unit.x, unit.y, unit.health))
    return Setup(map.ground, sides)


# --- writing --------------------------------------------------------------------------------------
def write(setup: Setup) -> str:
    """The position as text."""
    words = [write_ground(setup.ground)]
    for side in (FOOTMEN, ARCHERS):
        for place in setup.units[side]:
            cell = "-" if place is None else "{},{}:{}".format(*place)
            words.append(KINDS[side].letter + cell)
    words.append(f"{KINDS[setup.turn].letter}{setup.acting + 1}")
    words += [switch for switch in SWITCHES if switch in setup.switches]
    words += [setup.orders[i] for i in sorted(setup.orders)]
    return " ".join(words)


def write_ground(ground: Ground) -> str:
    if not ground.trees:
        return f"{ground.width}x{ground.height}"
    for name in NAMES:
        if course_map(name).ground == ground:
            return name
    rows = []
    for y in range(ground.height):
        row = "".join("T" if (x, y) in ground.trees else "." for x in range(ground.width))
        rows.append(_GAP.sub(lambda run: str(len(run[0])), row))
    return "/".join(rows)


# --- reading --------------------------------------------------------------------------------------
def read(text: str) -> Setup:
    """The position that a text means; ValueError says what is wrong with which word."""
    first, *words = text.split()
    if len(words) > 3 * LARGEST:
        raise ValueError(f"there are {len(words)} words behind the map, and may be {3 * LARGEST}")
    if first in NAMES and not any(_UNIT.fullmatch(word) for word in words):
        setup = setup_of(first)
    else:
        setup = Setup(read_ground(first), ([], []))
        _read_units(setup, words)
    words = [word for word in words if not _UNIT.fullmatch(word)]
    named = [word for word in words if _NEXT.fullmatch(word)]
    if len(named) > 1:
        raise ValueError(f"two units to act: {named[0]} and {named[1]}")
    for word in words:
        if word in SWITCHES:
            setup.switches.add(word)
        elif match := _NEXT.fullmatch(word):
            setup.turn, setup.acting = "FA".index(match[1]), int(match[2]) - 1
        elif match := _ORDER.fullmatch(word):
            setup.orders[int(match[1]) - 1] = word
        else:
            shown = shorten(word, 40)
            raise ValueError(
                f"{shown!r} is no unit (F5,5:160), no unit to act (F1), and no switch ({', '.join(SWITCHES)})"
            )
    _check(setup, bool(named))
    return setup


def read_ground(word: str) -> Ground:
    if word in NAMES:
        return course_map(word).ground
    if match := _OPEN.fullmatch(word):
        return Ground(whole_number(match[1], 1, LARGEST), whole_number(match[2], 1, LARGEST))
    shown = shorten(word, 40)
    if not _ROWS.fullmatch(word):
        raise ValueError(f"{shown!r} is no map ({', '.join(NAMES)}), no WIDTHxHEIGHT and no rows like 3T2/6")
    if word.count("/") >= LARGEST:
        raise ValueError(f"the ground {shown} has more than {LARGEST} rows")
    rows = []
    for y, row in enumerate(word.split("/")):
        cells = row.count("T") + sum(whole_number(run, 0, LARGEST) for run in _DIGITS.findall(row))
        if cells > LARGEST:
            raise ValueError(f"row {y + 1} of the ground has {cells} cells, more than {LARGEST}")
        rows.append(_DIGITS.sub(lambda run: "." * int(run[0]), row))
    for y, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise ValueError(f"row {y + 1} of the ground has {len(row)} cells, the first {len(rows[0])}")
    trees = frozenset((x, y) for y, row in enumerate(rows) for x, letter in enumerate(row) if letter == "T")
    return Ground(len(rows[0]), len(rows), trees)


def _read_units(setup: Setup, words: list[str]) -> None:
    cells: dict[tuple[int, int], str] = {}
    for word in words:
        match = _UNIT.fullmatch(word)
        if match is None:
            continue
        side = "FA".index(match[1])
        if match[2] is None:
            setup.units[side].append(None)
            continue
        x, y, health = int(match[2]), int(match[3]), int(match[4])
        if not setup.ground.holds(x, y):
            raise ValueError(f"{word} is off the {setup.ground.width}x{setup.ground.height} map")
        if not setup.ground.free(x, y):
            raise ValueError(f"{word} stands on a tree")
        if (x, y) in cells:
            raise ValueError(f"{word} and {cells[x, y]} stand on one cell")
        cells[x, y] = word
        setup.units[side].append((x, y, health))


def _check(setup: Setup, named: bool) -> None:
    for side in (FOOTMEN, ARCHERS):
        if not setup.units[side]:
            raise ValueError(f"there are no {SIDES[side]}, not even dead ones ({KINDS[side].letter}-)")
    units = setup.units[setup.turn]
    there = [i for i, place in enumerate(units) if place is not None]
    if not named:
        setup.acting = there[0] if there else 0
    elif setup.acting not in there and (there or setup.acting != 0):
        raise ValueError(f"{KINDS[setup.turn].letter}{setup.acting + 1} is to act and is not there")
    if setup.orders and "script" not in setup.switches:
        raise ValueError("archers have orders only with the switch 'script'")
    for i, order in setup.orders.items():
        match = _ORDER.fullmatch(order)
        assert match is not None
        if i >= len(setup.units[ARCHERS]) or setup.units[ARCHERS][i] is None:
            raise ValueError(f"{order}: there is no archer {i + 1}")
        if match[3] is not None and int(match[3]) > len(setup.units[FOOTMEN]):
            raise ValueError(f"{order}: there is no footman {match[3]}")


def name_of(i: int, footmen: int) -> str:
    """What a unit is called: F1, F2, ..., A1, A2, ..."""
    return f"F{i + 1}" if i < footmen else f"A{i - footmen + 1}"
