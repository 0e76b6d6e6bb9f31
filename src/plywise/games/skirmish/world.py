"""The world: what really happens in a turn of a skirmish, with simultaneous orders and dice.

A world is a value; `World.turn` takes the orders of both sides and the dice and tells everything
that happened, down to the next world. It knows nothing of searches.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from plywise.core.outcome import Outcome
from plywise.games.skirmish.dice import Dice
from plywise.games.skirmish.maps import Ground, Map
from plywise.games.skirmish.paths import path
from plywise.games.skirmish.units import ARCHERS, DIRECTIONS, FOOTMEN, SIDES, STEPS, Unit

TURN_LIMIT = 500  # then the episode is a draw (RULES 9)


@dataclass(frozen=True, slots=True)
class Step:
    """Move one cell."""

    unit: int
    direction: str

    def __str__(self) -> str:
        return f"{self.unit} steps {self.direction}"


@dataclass(frozen=True, slots=True)
class Attack:
    """Hit a unit that is in reach."""

    unit: int
    target: int

    def __str__(self) -> str:
        return f"{self.unit} attacks {self.target}"


@dataclass(frozen=True, slots=True)
class Hunt:
    """Go within reach of a unit and hit it once: an order for as many turns as it takes (RULES 10)."""

    unit: int
    target: int

    def __str__(self) -> str:
        return f"{self.unit} hunts {self.target}"


Action = Step | Attack
Order = Step | Attack | Hunt


@dataclass(frozen=True, slots=True)
class Done:
    """An action that was tried; a refused one has the reason."""

    action: Action
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """Damage that was done."""

    attacker: int
    target: int
    damage: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """An order that was not accepted, and why."""

    order: Order
    reason: str


@dataclass(frozen=True, slots=True)
class PendingOrder:
    """What a unit is still to do: its order, and the rest of the plan if the order has one."""

    order: Order
    plan: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """Everything that happened in one turn; `orders` are those accepted, by unit."""

    before: "World"
    orders: tuple[Order, ...]
    refusals: tuple[Refusal, ...]
    done: tuple[Done, ...]
    hits: tuple[Hit, ...]
    deaths: tuple[int, ...]
    after: "World"


@dataclass(frozen=True)
class World:
    """The ground, the living units by id, what they are still to do, and the number of the turn."""

    ground: Ground
    units: tuple[Unit, ...]
    number: int = 0
    standing: Mapping[int, PendingOrder] = field(default_factory=dict)

    @classmethod
    def of(cls, map: Map) -> "World":
        """The world as an episode on this map begins."""
        return cls(map.ground, map.units)

    def unit(self, id: int) -> Unit | None:
        """The living unit of that number."""
        return next((unit for unit in self.units if unit.id == id), None)

    def side(self, side: int) -> tuple[Unit, ...]:
        """The living units of a side, by id."""
        return tuple(unit for unit in self.units if unit.side == side)

    def health(self, side: int) -> int:
        """All health of a side."""
        return sum(unit.health for unit in self.side(side))

    def action(self, order: Order) -> Action:
        """The action with which an order of a living unit begins, as things stand now."""
        return _Field(self.ground, {unit.id: unit for unit in self.units}, Dice()).plan(order)[0]

    def outcome(self, limit: int | None = TURN_LIMIT) -> Outcome | None:
        """Who has won: a side without units has lost; if both are, the archers win (RULES 9)."""
        if not self.side(FOOTMEN):
            return Outcome(ARCHERS, "no footman is left")
        if not self.side(ARCHERS):
            return Outcome(FOOTMEN, "no archer is left")
        if limit is not None and self.number >= limit:
            return Outcome(None, f"{limit} turns are over")
        return None

    def turn(self, footmen: Iterable[Order], archers: Iterable[Order], dice: Dice) -> Turn:
        """One turn: both sides' orders, chosen from this world, carried out by ascending id."""
        given: dict[int, Order] = {}
        refusals = []
        for side, orders in ((FOOTMEN, footmen), (ARCHERS, archers)):
            for order in orders:
                reason = self._refusal(order, side)
                if reason:
                    refusals.append(Refusal(order, reason))
                else:
                    given[order.unit] = order
        field = _Field(self.ground, {unit.id: unit for unit in self.units}, dice)
        standing = dict(self.standing)
        for id, order in given.items():
            standing[id] = PendingOrder(order, field.plan(order))
        for id in sorted(standing):
            left = field.carry_out(standing[id]) if id in field.units else None
            if left is None:
                del standing[id]
            else:
                standing[id] = left
        deaths = tuple(id for id, unit in sorted(field.units.items()) if unit.health == 0)
        units = tuple(unit for _, unit in sorted(field.units.items()) if unit.health > 0)
        for id in deaths:
            standing.pop(id, None)
        after = World(self.ground, units, self.number + 1, standing)
        orders = tuple(given[id] for id in sorted(given))
        return Turn(self, orders, tuple(refusals), tuple(field.done), tuple(field.hits), deaths, after)

    def _refusal(self, order: Order, side: int) -> str:
        """Why the engine does not take an order from this side; empty if it does."""
        unit = self.unit(order.unit)
        if unit is None:
            return f"there is no living unit {order.unit}"
        if unit.side != side:
            return f"unit {order.unit} belongs to the {SIDES[unit.side]}, not to the {SIDES[side]}"
        if isinstance(order, Step) and order.direction not in DIRECTIONS:
            return f"{order.direction!r} is no direction ({', '.join(DIRECTIONS)})"
        return ""


class _Field:
    """The units while a turn is carried out: the dead act and block until it ends (RULES 8)."""

    def __init__(self, ground: Ground, units: dict[int, Unit], dice: Dice) -> None:
        self.ground, self.units, self.dice = ground, units, dice
        self.done: list[Done] = []
        self.hits: list[Hit] = []

    def unit_at(self, x: int, y: int) -> Unit | None:
        return next((unit for unit in self.units.values() if (unit.x, unit.y) == (x, y)), None)

    def plan(self, order: Order) -> tuple[Action, ...]:
        """The actions that an order asks for, as things stand now."""
        if not isinstance(order, Hunt):
            return (order,)
        hunter, target = self.units[order.unit], self.units.get(order.target)
        strike = Attack(order.unit, order.target)
        if target is None or hunter.distance(target.x, target.y) <= hunter.kind.reach:
            return (strike,)
        taken = {(unit.x, unit.y) for unit in self.units.values()}
        way = path(
            (hunter.x, hunter.y),
            (target.x, target.y),
            hunter.kind.reach,
            lambda x, y: self.ground.free(x, y) and (x, y) not in taken,
        )
        return (*(Step(order.unit, direction) for direction in way or ()), strike)

    def carry_out(self, standing: PendingOrder) -> PendingOrder | None:
        """Try the next action; what is left of the order, None if nothing is."""
        order, (action, *rest) = standing.order, standing.plan
        if isinstance(order, Hunt) and order.target not in self.units:
            return None  # its target is dead: the order vanishes (RULES 10)
        reason = self.step(action) if isinstance(action, Step) else self.attack(action)
        self.done.append(Done(action, reason))
        if reason:
            return PendingOrder(order, self.plan(order))
        return PendingOrder(order, tuple(rest)) if rest else None

    def step(self, step: Step) -> str:
        unit = self.units[step.unit]
        dx, dy = STEPS[DIRECTIONS.index(step.direction)]
        x, y = unit.x + dx, unit.y + dy
        if not self.ground.holds(x, y):
            return f"{x},{y} is off the map"
        if not self.ground.free(x, y):
            return f"there is a tree on {x},{y}"
        other = self.unit_at(x, y)
        if other is not None:
            return f"the {other.name} stands on {x},{y}"
        self.units[unit.id] = replace(unit, x=x, y=y)
        return ""

    def attack(self, attack: Attack) -> str:
        """A hit in reach; whose side the target is on is not asked (RULES 6)."""
        unit, target = self.units[attack.unit], self.units.get(attack.target)
        if target is None:
            return f"there is no living unit {attack.target}"
        distance = unit.distance(target.x, target.y)
        if distance > unit.kind.reach:
            return f"the {target.name} is {distance} cells away, the reach is {unit.kind.reach}"
        damage = self.dice.damage(unit.kind.base(target.kind))
        self.hits.append(Hit(unit.id, target.id, damage))
        self.units[target.id] = replace(target, health=max(0, target.health - damage))
        return ""
