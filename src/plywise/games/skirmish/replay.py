"""Replaying recorded episodes: every turn is computed anew and compared with the recording.

A recording is JSON lines, plain or gzip: a header that names the map, one line a turn, and an end
line. The footmen's orders are taken from it, everything else is computed: the archers' orders, what
was done and refused, damage, deaths and the units after the turn.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from plywise.core.broken_files import refuse_broken, unpack_gzip
from plywise.core.errors import PlywiseError
from plywise.core.untrusted import read_json
from plywise.games.skirmish import archer
from plywise.games.skirmish.dice import Dice
from plywise.games.skirmish.maps import NAMES, Ground, course_map
from plywise.games.skirmish.units import ARCHERS, CARDINAL, DIRECTIONS, FOOTMEN, KINDS, SIDES, Unit
from plywise.games.skirmish.world import Action, Attack, Hunt, Order, Step, Turn, World

SEED = 6  # of the dice of every recording; they go on through its episodes (RULES 7)
OPEN_GROUND = Ground(25, 19)  # of a map that is not one of the course's

_LONG = dict(
    zip(
        ("NORTH", "NORTHEAST", "EAST", "SOUTHEAST", "SOUTH", "SOUTHWEST", "WEST", "NORTHWEST"),
        DIRECTIONS,
        strict=True,
    )
)


class BadRecording(PlywiseError):
    """A file that is no recording of episodes; the message names the file and line."""


@dataclass
class Report:
    """What a replay found. A turn, or an end line, with anything in it that differs counts once."""

    episodes: int = 0
    turns: int = 0
    differences: int = 0
    unpredictable: int = 0
    notes: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"episodes {self.episodes} turns {self.turns}"
            f" differences {self.differences} unpredictable {self.unpredictable}"
        )

    def add(self, other: "Report") -> None:
        """Take another report in."""
        self.episodes += other.episodes
        self.turns += other.turns
        self.differences += other.differences
        self.unpredictable += other.unpredictable
        self.notes += other.notes


def replay(path: str | Path) -> Report:
    """Replay all episodes of a recording."""
    return _Replay(str(path)).run()


class _Replay:
    """One recording and the world that follows it."""

    def __init__(self, path: str) -> None:
        self.path, self.line, self.report = path, 0, Report()
        self.dice = Dice(SEED)
        self.map = ""
        self.ground = OPEN_GROUND
        self.world: World | None = None

    def run(self) -> Report:
        for record in self.lines():
            with refuse_broken(f"{self.path}, line {self.line}", BadRecording):
                self.take(record)
        if self.line == 0:
            raise BadRecording(f"{self.path}: the file is empty; a recording begins with a header line")
        if self.world is not None:
            self.differ("the recording breaks off without an end line")
        return self.report

    def lines(self) -> Iterator[dict[str, Any]]:
        with refuse_broken(self.path, BadRecording):
            data = Path(self.path).read_bytes()
            text = (unpack_gzip(data) if data[:2] == b"\x1f\x8b" else data).decode()
        for line in text.splitlines():
            self.line += 1
            if not line.strip():
                continue
            try:
                record = read_json(line)
            except ValueError as error:
                raise BadRecording(f"{self.path}, line {self.line}: not JSON ({error})") from None
            if not isinstance(record, dict) or "type" not in record:
                raise BadRecording(f"{self.path}, line {self.line}: not an object with a 'type'")
            yield record

    def take(self, record: dict[str, Any]) -> None:
        kind = record["type"]
        if kind == "header":
            self.map = record["map"].removesuffix(".xml").removeprefix("Game")
            self.ground = course_map(self.map).ground if self.map in NAMES else OPEN_GROUND
        elif kind == "step":
            self.step(record)
        elif kind == "end":
            self.end(record)
        else:
            raise ValueError(f"the type {kind!r} is not header, step or end")

    def differ(self, *notes: str) -> None:
        self.report.differences += 1
        self.report.notes += [f"{self.path}, line {self.line}: {note}" for note in notes]

    # --- one turn -------------------------------------------------------------------------------
    def step(self, record: dict[str, Any]) -> None:
        notes: list[str] = []
        before, after = _units(record["before"]), _units(record["after"])
        if self.world is None:
            known = self.map in NAMES
            self.world = World(self.ground, course_map(self.map).units if known else before)
        world = self.world
        compare(notes, "turn", record["turn"], world.number)
        if world.outcome(limit=None) is not None:
            notes.append("the recording goes on after the end")
        compare(notes, "units before", before, world.units)
        if before != world.units:
            world = replace(world, units=before)
        orders = [_order(order) for order in record["orders"]]
        given: tuple[list[Order], list[Order]] = ([], [])
        for order in orders:
            unit = world.unit(order.unit)
            given[FOOTMEN if unit is None else unit.side].append(order)
        self.predict(world, given[ARCHERS], notes)
        turn = world.turn(*given, self.dice)
        self.compare_turn(record, turn, notes)
        compare(notes, "units after", after, turn.after.units)
        self.world = replace(turn.after, units=after)
        self.report.turns += 1
        if notes:
            self.differ(*notes)

    def predict(self, world: World, given: list[Order], notes: list[str]) -> None:
        """Compare the archers' orders with the script's; count the whims that it allows."""
        script = {order.unit: order for order in archer.orders(world)}
        recorded = {order.unit: order for order in given}
        for id in sorted(script.keys() | recorded.keys()):
            was, want = recorded.get(id), script.get(id)
            if was == want:
                continue
            if archer.may_stray(world, want) and isinstance(was, Step) and was.direction in CARDINAL:
                self.report.unpredictable += 1
            else:
                notes.append(f"archer {id}: recorded '{was}', by the script '{want}'")

    def compare_turn(self, record: dict[str, Any], turn: Turn, notes: list[str]) -> None:
        done = [(_action(one["action"]), _is_completed(one["feedback"])) for one in record["primitives"]]
        compare(notes, "actions", done, [(one.action, not one.refused) for one in turn.done])
        hits = [(hit["attacker"], hit["defender"], hit["amount"]) for hit in record["damage"]]
        compare(notes, "damage", hits, [(hit.attacker, hit.target, hit.damage) for hit in turn.hits])
        compare(notes, "deaths", sorted(record["deaths"]), sorted(turn.deaths))

    # --- the end --------------------------------------------------------------------------------
    def end(self, record: dict[str, Any]) -> None:
        notes: list[str] = []
        if self.world is None:
            raise ValueError("an end without a turn before it")
        outcome = self.world.outcome(limit=None)
        winner = "timeout" if outcome is None or outcome.winner is None else SIDES[outcome.winner]
        compare(notes, "winner", record["winner"], winner)
        compare(notes, "turns", record["turns"], self.world.number)
        self.report.episodes += 1
        self.world = None
        if notes:
            self.differ(*notes)


def compare(notes: list[str], what: str, recorded: object, computed: object) -> None:
    """Note a difference."""
    if recorded != computed:
        notes.append(f"{what}: recorded {recorded}, computed {computed}")


def _units(rows: list[dict[str, Any]]) -> tuple[Unit, ...]:
    units = []
    for row in rows:
        side = row["player"]
        if side not in (FOOTMEN, ARCHERS) or row["type"].lower() != KINDS[side].name:
            raise ValueError(f"player {side} has no {row['type']}")
        units.append(Unit(row["id"], side, row["x"], row["y"], row["hp"]))
    return tuple(sorted(units, key=lambda unit: unit.id))


def _action(row: dict[str, Any]) -> Action:
    if row["kind"] == "PRIMITIVEMOVE":
        return Step(row["unit"], _LONG[row["dir"]])
    if row["kind"] == "PRIMITIVEATTACK":
        return Attack(row["unit"], row["target"])
    raise ValueError(f"the action {row['kind']!r} is not PRIMITIVEMOVE or PRIMITIVEATTACK")


def _order(row: dict[str, Any]) -> Order:
    return Hunt(row["unit"], row["target"]) if row["kind"] == "COMPOUNDATTACK" else _action(row)


def _is_completed(feedback: str) -> bool:
    if feedback not in ("COMPLETED", "FAILED"):
        raise ValueError(f"the feedback {feedback!r} is not COMPLETED or FAILED")
    return feedback == "COMPLETED"
