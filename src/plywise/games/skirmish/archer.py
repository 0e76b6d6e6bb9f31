"""The scripted archer, the classic opponent: a pure function of the world, but for one rare whim."""

import math
import random

from plywise.games.skirmish.units import ARCHERS, CARDINAL, DIRECTIONS, FOOTMEN, STEPS, Unit
from plywise.games.skirmish.world import Hunt, Order, Step, World

NEAR = 4  # a target at least this far away is shot at
WHIM = 0.05  # how often an archer that flees from the last footman steps at random instead


def orders(world: World, whims: random.Random | None = None) -> list[Order]:
    """The orders of all archers (RULES 11). Without `whims` none of them ever has one."""
    if world.number == 0:
        return []
    result: list[Order] = []
    for archer in world.side(ARCHERS):
        order = decide(world, archer)
        if order is None:
            continue
        if whims is not None and may_stray(world, order) and whims.random() < WHIM:
            order = Step(archer.id, whims.choice(CARDINAL))
        result.append(order)
    return result


def may_stray(world: World, order: Order | None) -> bool:
    """A random step may take the place of this order: a flight from the only footman left."""
    return isinstance(order, Step) and len(world.side(FOOTMEN)) == 1


def decide(world: World, archer: Unit) -> Order | None:
    """What one archer does, whims apart."""
    footmen = world.side(FOOTMEN)
    if not footmen:
        return None
    target = min(footmen, key=lambda unit: (unit.distance(archer.x, archer.y), unit.id))
    distance = target.distance(archer.x, archer.y)
    if distance >= NEAR or target.health < 2 * distance:
        return Hunt(archer.id, target.id)
    best, chosen = appeal(world, archer.x, archer.y), None
    for direction in CARDINAL:
        dx, dy = STEPS[DIRECTIONS.index(direction)]
        x = min(max(archer.x + dx, 0), world.ground.width - 1)
        y = min(max(archer.y + dy, 0), world.ground.height - 1)
        value = appeal(world, x, y)
        if value >= best:
            best, chosen = value, direction
    return Hunt(archer.id, target.id) if chosen is None else Step(archer.id, chosen)


def appeal(world: World, x: int, y: int) -> float:
    """How an archer likes a cell: central and away from the footmen; trees are not looked at."""
    width, height = world.ground.width, world.ground.height
    inner = width**2 + height**2 - (x**2 + (width - x) ** 2 + y**2 + (height - y) ** 2)
    score = 2 * math.sqrt(inner)
    for footman in world.side(FOOTMEN):
        distance = footman.distance(x, y)
        if distance == 0:
            score = -1000.0
        elif distance == 1:
            score -= 100
        elif distance < NEAR:
            score -= 20 * (NEAR - distance)
        else:
            score += distance
    return score
