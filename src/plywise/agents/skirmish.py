"""Agents that give orders in the world of skirmish, and episodes in which they meet.

An agent sees the world before a turn and gives orders to the units of its side. Agents that look ahead
search the model; what happens is decided by the world and its dice.
"""

import random
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import zip_longest
from typing import Any, Protocol

from plywise.agents.skirmish_planner import HORIZON, MAX_FOOTMEN, Planner
from plywise.agents.skirmish_record import EpisodeRecord as EpisodeRecord
from plywise.core.errors import UnknownName
from plywise.core.history import History
from plywise.core.outcome import OPEN, Outcome
from plywise.games.skirmish import GAME, archer
from plywise.games.skirmish.dice import Dice
from plywise.games.skirmish.maps import Map, draw
from plywise.games.skirmish.packing import ACTION_BITS, ACTION_MASK, ATTACK, STEP, WAIT
from plywise.games.skirmish.rules import Skirmish
from plywise.games.skirmish.units import ARCHERS, CARDINAL, DIRECTIONS, FOOTMEN, SIDES, Unit
from plywise.games.skirmish.world import TURN_LIMIT, Attack, Order, Step, Turn, World
from plywise.search.engine import Engine
from plywise.search.switches import switches as parts

PLIES = 6  # the default depth of the search
TEXTBOOK_PLIES = 4  # textbook players are slower
SCRIPT_PLIES = 10  # five turns: with known answers the tree is smaller
MAX_NODES = 1_000_000  # of one search: many units would make full depth take minutes
CROWD_PLIES = 4  # for more footmen than joint actions can be tried for


class Agent(Protocol):
    """Orders for one side; `nodes` counts the positions that it has looked at so far."""

    side: int
    nodes: int

    def orders(self, world: World) -> list[Order]:
        """The orders of its units in this world."""
        ...


# --- without looking ahead --------------------------------------------------------------------------
class ScriptedAgent:
    """The classic archers (RULES 11); their rare whims are seeded."""

    side = ARCHERS

    def __init__(self, seed: int = 0) -> None:
        self.whims, self.nodes = random.Random(seed), 0

    def orders(self, world: World) -> list[Order]:
        return archer.orders(world, self.whims)


class RandomAgent:
    """A random attack in reach or cardinal step, also one that will be refused."""

    def __init__(self, side: int = FOOTMEN, seed: int = 0) -> None:
        self.side, self.nodes, self.random = side, 0, random.Random(seed)

    def orders(self, world: World) -> list[Order]:
        result: list[Order] = []
        for unit in world.side(self.side):
            choices: list[Order] = [Step(unit.id, direction) for direction in CARDINAL]
            choices += [Attack(unit.id, other.id) for other in in_reach(world, unit)]
            result.append(self.random.choice(choices))
        return result


class GreedyAgent:
    """Attack the weakest enemy in reach, else step straight towards the nearest one."""

    def __init__(self, side: int = FOOTMEN) -> None:
        self.side, self.nodes = side, 0

    def orders(self, world: World) -> list[Order]:
        return [self.order(world, unit) for unit in world.side(self.side)]

    def order(self, world: World, unit: Unit) -> Order:
        reachable = in_reach(world, unit)
        if reachable:
            return Attack(unit.id, min(reachable, key=lambda other: (other.health, other.id)).id)
        enemies = world.side(1 - self.side)
        prey = min(enemies, key=lambda other: (unit.distance(other.x, other.y), other.id))
        dx, dy = prey.x - unit.x, prey.y - unit.y
        if abs(dx) >= abs(dy):
            return Step(unit.id, "E" if dx > 0 else "W")
        return Step(unit.id, "S" if dy > 0 else "N")


def in_reach(world: World, unit: Unit) -> list[Unit]:
    """The enemies that a unit can hit from where it stands."""
    return [
        other for other in world.side(1 - unit.side) if unit.distance(other.x, other.y) <= unit.kind.reach
    ]


# --- searching the model ------------------------------------------------------------------------------
class SearchAgent:
    """Searches the model with a player of the library; assumes that the other side plays as well."""

    def __init__(
        self,
        side: int = FOOTMEN,
        plies: int = PLIES,
        *,
        player: str = "default",
        evaluator: str = "default",
        weights: str | None = None,
        switches: Iterable[str] = (),
        without: Iterable[str] = (),
    ) -> None:
        self.side, self.plies, self.nodes, self.switches = side, plies, 0, tuple(switches)
        self.engine = Engine(GAME, evaluator, player=player, hash=16, weights=weights, without=without)

    def orders(self, world: World) -> list[Order]:
        return self.best_orders(world, Skirmish.of_world(world, self.side, self.switches))

    def best_orders(self, world: World, position: Skirmish) -> list[Order]:
        """The side's best joint action as orders: the beginning of the best line."""
        ids = [unit.id for side in (FOOTMEN, ARCHERS) for unit in world.side(side)]
        result = []
        while position.turn == self.side and position.outcome() == OPEN:
            most = MAX_NODES if self.engine.player == "default" else None
            found = self.engine.search(History(GAME, position), depth=self.plies, nodes=most)
            self.nodes += found.nodes
            for move in found.lines[0].numbers:
                if position.turn != self.side:
                    break
                result += to_orders(ids[move >> ACTION_BITS], move & ACTION_MASK, ids)
                position = position.play(move)
        return result


class ScriptSearchAgent(SearchAgent):
    """Searches against the exact model of the scripted archers: their orders are known."""

    def __init__(
        self,
        plies: int = SCRIPT_PLIES,
        *,
        evaluator: str = "default",
        weights: str | None = None,
        switches: Iterable[str] = (),
        without: Iterable[str] = (),
    ) -> None:
        switches = ("script", *switches)
        super().__init__(
            FOOTMEN, plies, evaluator=evaluator, weights=weights, switches=switches, without=without
        )

    def orders(self, world: World) -> list[Order]:
        return self.best_orders(world, scripted_position(world, self.switches))


class PlanningAgent:
    """Plans the shortest way to win against the exact model of the scripted archers.

    It plans anew each turn, since the dice differ from their mean.
    """

    side = FOOTMEN

    def __init__(
        self, turns: int = HORIZON, *, weights: str | None = None, switches: Iterable[str] = ()
    ) -> None:
        self.turns, self.nodes, self.switches = turns, 0, ("script", *switches)
        self.planner = Planner(weights=weights)
        self.fallback: ScriptSearchAgent | None = None

    def orders(self, world: World) -> list[Order]:
        if len(world.side(FOOTMEN)) > MAX_FOOTMEN:
            return self.search_orders(world)
        before = self.planner.worlds
        actions = self.planner(scripted_position(world, self.switches), self.turns)
        self.nodes += self.planner.worlds - before
        ids = [unit.id for side in (FOOTMEN, ARCHERS) for unit in world.side(side)]
        return [
            order for id, action in zip(ids, actions, strict=False) for order in to_orders(id, action, ids)
        ]

    def search_orders(self, world: World) -> list[Order]:
        """Too many joint actions to try them all: search, unit by unit."""
        if self.fallback is None:
            self.fallback = ScriptSearchAgent(CROWD_PLIES, switches=self.switches)
        before = self.fallback.nodes
        orders = self.fallback.orders(world)
        self.nodes += self.fallback.nodes - before
        return orders


def scripted_position(world: World, switches: Iterable[str]) -> Skirmish:
    """The world as the search against the script sees it: the archers' orders are known (RULES 18)."""
    ranks = {unit.id: i + 1 for side in (FOOTMEN, ARCHERS) for i, unit in enumerate(world.side(side))}
    words = {}
    for order in archer.orders(world):
        action = world.action(order)
        what = f"-{action.direction}" if isinstance(action, Step) else f"xF{ranks[action.target]}"
        words[ranks[order.unit] - 1] = f"A{ranks[order.unit]}{what}"
    return Skirmish.of_world(world, FOOTMEN, switches, words)


def to_orders(id: int, action: int, ids: list[int]) -> list[Order]:
    """An action of the model as an order of the world; none for waiting."""
    if action >= ATTACK:
        return [Attack(id, ids[action - ATTACK])]
    return [] if action == WAIT else [Step(id, DIRECTIONS[action - STEP])]


# --- agents by name -------------------------------------------------------------------------------------
AGENTS = {
    "plan": "a beam of plans against the exact model of the scripted archers (the default)",
    "script": "the search against the exact model of the scripted archers",
    "search": "the search against archers as clever as itself",
    "sorted": "the textbook's alpha-beta on the model, its moves sorted: the course's own agent",
    "alphabeta": "the textbook's alpha-beta on the model",
    "minimax": "the textbook's minimax on the model",
    "greedy": "attack, else go straight to the nearest enemy",
    "random": "any attack or step",
}
OPPONENTS = {
    "scripted": "the classic archers (the default)",
    **{name: AGENTS[name] for name in ("search", "sorted", "alphabeta", "minimax", "greedy", "random")},
}


WEIGHTLESS = {"scripted", "random", "greedy"}  # agents that evaluate nothing


def check_agent(name: str, side: int) -> None:
    """Refuse a name that no agent of that side has."""
    known = AGENTS if side == FOOTMEN else OPPONENTS
    if name not in known:
        raise UnknownName("agent" if side == FOOTMEN else "agent for archers", name, known)


def make_agent(
    name: str = "plan",
    side: int = FOOTMEN,
    *,
    plies: int | None = None,
    evaluator: str = "default",
    weights: str | None = None,
    switches: Iterable[str] = (),
    without: Iterable[str] = (),
    seed: int = 0,
) -> Agent:
    """Make the agent of that name. An option that the agent does not use must still be valid.

    `switches` are those of the model (RULES 15, 17), `without` are parts of the search.
    """
    GAME.weights(evaluator, weights)
    parts(without)
    check_agent(name, side)
    if name == "scripted":
        return ScriptedAgent(seed)
    if name == "random":
        return RandomAgent(side, seed)
    if name == "greedy":
        return GreedyAgent(side)
    if name == "plan":
        turns = HORIZON if plies is None else max(1, plies // 2)
        return PlanningAgent(turns, weights=weights, switches=switches)
    if name == "script":
        return ScriptSearchAgent(
            plies or SCRIPT_PLIES, evaluator=evaluator, weights=weights, switches=switches, without=without
        )
    return SearchAgent(
        side,
        plies or (PLIES if name == "search" else TEXTBOOK_PLIES),
        player="default" if name == "search" else name,
        evaluator=evaluator,
        weights=weights,
        switches=switches,
        without=without,
    )


# --- episodes -------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Episode:
    """The result of an episode; `nodes` are those of both agents."""

    outcome: Outcome
    turns: int
    health: tuple[int, int]
    nodes: int

    def __str__(self) -> str:
        winner = self.outcome.winner
        who = "a draw after" if winner is None else f"the {SIDES[winner]} win in"
        left = f"health left {self.health[FOOTMEN]} : {self.health[ARCHERS]}"
        return f"{who} {self.turns} turns ({self.outcome.reason}), {left}, {self.nodes} nodes"

    def as_dict(self) -> dict[str, Any]:
        """For JSON. The winner is named as in recordings; `outcome` is as everywhere else."""
        winner = self.outcome.winner
        return {
            "winner": None if winner is None else SIDES[winner],
            "turns": self.turns,
            "health": dict(zip(SIDES, self.health, strict=True)),
            "nodes": self.nodes,
            "outcome": {"winner": winner, "reason": self.outcome.reason},
        }


def episode_turns(
    map: Map, footmen: Agent, archers: Agent, dice: Dice, limit: int = TURN_LIMIT
) -> Iterator[Turn]:
    """The turns of one episode as they happen."""
    world = World.of(map)
    while world.outcome(limit) is None:
        turn = world.turn(footmen.orders(world), archers.orders(world), dice)
        yield turn
        world = turn.after


def play_episode(map: Map, footmen: Agent, archers: Agent, dice: Dice, limit: int = TURN_LIMIT) -> Episode:
    """One episode from its first turn to its end."""
    world, before = World.of(map), footmen.nodes + archers.nodes
    for turn in episode_turns(map, footmen, archers, dice, limit):
        world = turn.after
    return episode_result(world, limit, footmen.nodes + archers.nodes - before)


def episode_result(world: World, limit: int, nodes: int) -> Episode:
    """The result of an episode that is over."""
    outcome = world.outcome(limit)
    assert outcome is not None
    return Episode(outcome, world.number, (world.health(FOOTMEN), world.health(ARCHERS)), nodes)


def turn_text(turn: Turn) -> str:
    """A turn for the terminal: what was done and refused, hits and deaths, and the map after it."""
    lines = [f"turn {turn.before.number}"]
    lines += [f"  order refused: {refusal.order}: {refusal.reason}" for refusal in turn.refusals]
    hits = iter(turn.hits)
    for done in turn.done:
        if done.refused:
            lines.append(f"  {done.action}: refused, {done.refused}")
        elif isinstance(done.action, Attack):
            lines.append(f"  {done.action}: {next(hits).damage} damage")
        else:
            lines.append(f"  {done.action}")
    lines += [f"  {id} dies" for id in turn.deaths]
    rows = draw(turn.after.ground, turn.after.units).splitlines()
    who = [f"{unit.name} at {unit.x},{unit.y}: {unit.health}" for unit in turn.after.units]
    rows += [""] * (len(who) - len(rows))
    return "\n".join(
        [*lines, *(f"{row}  {text}".rstrip() for row, text in zip_longest(rows, who, fillvalue=""))]
    )


# --- comparing agents -------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class MapResult:
    """How an agent did on a map; turns, health and nodes are means over its episodes."""

    agent: str
    map: str
    won: int
    episodes: int
    turns: float
    health: tuple[float, float]
    nodes: float

    def __str__(self) -> str:
        won = f"{self.won}/{self.episodes}"
        return (
            f"{self.agent:10} {self.map:16} {won:>7} {self.turns:6.1f}"
            f" {self.health[0]:8.1f} {self.health[1]:8.1f} {self.nodes:12.0f}"
        )

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self) | {"health": dict(zip(SIDES, self.health, strict=True))}


def compare_on_map(
    name: str, map: Map, plies: int | None = None, seed: int = 6, episodes: int = 1, limit: int = TURN_LIMIT
) -> MapResult:
    """Let an agent play episodes on a map against the scripted archers."""
    leader, dice = make_agent(name, plies=plies, seed=seed), Dice(seed)
    archers = ScriptedAgent(seed)
    played = [play_episode(map, leader, archers, dice, limit) for _ in range(episodes)]
    won = sum(one.outcome.winner == FOOTMEN for one in played)
    health = tuple(sum(one.health[side] for one in played) / episodes for side in (FOOTMEN, ARCHERS))
    return MapResult(
        name,
        map.name,
        won,
        episodes,
        sum(one.turns for one in played) / episodes,
        (health[0], health[1]),
        sum(one.nodes for one in played) / episodes,
    )
