"""The world of a skirmish as it is played: both sides choose unit by unit, then the turn is carried out.

Sides choose from the model of the same moment, so a choice is written as the model's moves are; what
comes of it is the world's business, with its refusals, dice and deaths. Orders last one turn here:
each turn asks for new ones, and who waits, waits.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from plywise.core.board import Effect, Phase
from plywise.core.outcome import Outcome
from plywise.core.world import Dice as AnyDice
from plywise.core.world import TurnResult
from plywise.games.skirmish import archer
from plywise.games.skirmish.dice import Dice
from plywise.games.skirmish.notation import Place, Setup, name_of
from plywise.games.skirmish.packing import ACTION_BITS, ACTION_MASK, ATTACK, STEP, WAIT
from plywise.games.skirmish.rules import Skirmish, unit_piece
from plywise.games.skirmish.units import ARCHERS, DIRECTIONS, FOOTMEN, STEPS, Unit
from plywise.games.skirmish.world import Attack, Done, Order, Step, Turn, World


@dataclass(frozen=True)
class Battle:
    """A world whose units are numbered as the model counts them, and the switches of its model.

    Numbers are never used again, so that F2 is F2 to the end.
    """

    agents: ClassVar[str] = "skirmish"  # which of the agents in plywise.agents lead its sides

    world: World
    armies: tuple[int, int]  # how many units each side began with
    switches: frozenset[str] = frozenset()

    @property
    def number(self) -> int:
        return self.world.number

    @classmethod
    def begin(cls, position: Skirmish) -> "Battle":
        """The world in a position of the model; whose turn it is there does not matter."""
        setup = position.setup()
        first = len(setup.units[FOOTMEN])
        units = tuple(
            Unit(place + (first if side else 0), side, *where)
            for side in (FOOTMEN, ARCHERS)
            for place, where in enumerate(setup.units[side])
            if where is not None
        )
        armies = (first, len(setup.units[ARCHERS]))
        return cls(World(setup.ground, units), armies, frozenset(setup.switches))

    @classmethod
    def dice(cls, seed: int) -> Dice:
        return Dice(seed)

    @property
    def leads(self) -> tuple[int, ...]:
        """With the switch `script` the world leads the archers itself (RULES 11, 18)."""
        return (ARCHERS,) if "script" in self.switches else ()

    def view(self, side: int) -> Skirmish:
        """With `script` the footmen know the archers' orders, as in the model (RULES 18)."""
        places: tuple[list[Place], list[Place]] = ([None] * self.armies[0], [None] * self.armies[1])
        for unit in self.world.units:
            places[unit.side][unit.id - (self.armies[0] if unit.side else 0)] = (unit.x, unit.y, unit.health)
        there = [place for place, where in enumerate(places[side]) if where is not None]
        switches, words = set(self.switches), dict[int, str]()
        if side == FOOTMEN and self.leads:
            words = self._scripted_orders()
        elif side == ARCHERS:
            switches.discard("script")  # whoever chooses for them is free
        return Skirmish.of(Setup(self.world.ground, places, side, there[0] if there else 0, switches, words))

    def _scripted_orders(self) -> dict[int, str]:
        """The orders of the scripted archers by their places, as positions write them."""
        words = {}
        for order in archer.orders(self.world):
            action = self.world.action(order)
            what = f"-{action.direction}" if isinstance(action, Step) else f"x{self._name(action.target)}"
            words[order.unit - self.armies[0]] = self._name(order.unit) + what
        return words

    def outcome(self) -> Outcome | None:
        return self.world.outcome()

    def play(self, choices: Mapping[int, Sequence[int]], dice: AnyDice) -> TurnResult:
        """One turn. Units for which the model saw nothing left to do strike whoever is in reach."""
        assert isinstance(dice, Dice)
        orders = [self._orders(side, choices.get(side, ())) for side in (FOOTMEN, ARCHERS)]
        if self.leads and ARCHERS not in choices:
            # Their whims come from the dice without a throw, so that a turn can be played again.
            orders[ARCHERS] = archer.orders(self.world, random.Random(dice.state))
        turn = self.world.turn(orders[FOOTMEN], orders[ARCHERS], dice)
        after = replace(self, world=replace(turn.after, standing={}))
        return TurnResult(after, tuple(self._phases(turn)), tuple(self._event_texts(turn)))

    def read_choice(self, side: int, moves: Sequence[str]) -> list[int]:
        """What a side chose in a turn that was played, also what the model would not offer.

        Agents may wait, or try what the world refuses; their games are replayed.
        """
        numbers = {self._name(unit.id): unit.id for unit in self.world.side(side)}
        others = {self._name(unit.id): unit.id for unit in self.world.side(1 - side)}
        chosen = {}
        for move in moves:
            name, sign, what = next(
                (parts for sign in "-x" if (parts := move.partition(sign))[1]), (move, "", "")
            )
            if sign == "x" and what in others:
                action = ATTACK + others[what]
            elif sign == "-" and what in (*DIRECTIONS, "wait"):
                action = WAIT if what == "wait" else STEP + DIRECTIONS.index(what)
            else:
                raise ValueError(f"{move} is no order")
            if name not in numbers or name in chosen:
                raise ValueError(f"{move}: each living unit has one order")
            chosen[name] = numbers[name] << ACTION_BITS | action
        if set(chosen) != set(numbers):
            raise ValueError("each living unit has one order")
        return list(chosen.values())

    def _orders(self, side: int, moves: Sequence[int]) -> list[Order]:
        given: list[Order] = []
        ordered = set()
        for move in moves:
            id, action = move >> ACTION_BITS, move & ACTION_MASK
            ordered.add(id)
            if action >= ATTACK:
                given.append(Attack(id, action - ATTACK))
            elif action != WAIT:
                given.append(Step(id, DIRECTIONS[action - STEP]))
        for unit in self.world.side(side):
            # The model counts with mean damage: it may take the fight to be over before all have acted.
            if unit.id not in ordered:
                near = [
                    other
                    for other in self.world.side(1 - side)
                    if unit.distance(other.x, other.y) <= unit.kind.reach
                ]
                if near:
                    given.append(Attack(unit.id, min(near, key=lambda other: (other.health, other.id)).id))
        return given

    # --- what happened ------------------------------------------------------------------------------
    def _name(self, id: int) -> str:
        return name_of(id, self.armies[0])

    def _phases(self, turn: Turn) -> Iterator[Phase]:
        """Steps and hits in the order in which they were done, neighbours of one kind together."""
        units = {unit.id: unit for unit in turn.before.units}
        hits = iter(turn.hits)
        kind, effects = "", [Effect("move", 0)][:0]
        for done in turn.done:
            if done.refused:
                continue
            if isinstance(done.action, Step):
                here = units[done.action.unit]
                dx, dy = STEPS[DIRECTIONS.index(done.action.direction)]
                there = replace(here, x=here.x + dx, y=here.y + dy)
                units[here.id] = there
                effect = Effect("move", self._cell(here), self._cell(there))
            else:
                hit = next(hits)
                target = units[hit.target]
                target = replace(target, health=max(0, target.health - hit.damage))
                units[target.id] = target
                piece = unit_piece(
                    target.side,
                    target.id - (self.armies[0] if target.side else 0),
                    target.health,
                )
                effect = Effect("damage", self._cell(target), piece=piece, amount=hit.damage)
            if effects and (kind != effect.kind or any(one.at == effect.at for one in effects)):
                yield Phase(kind, tuple(effects))
                effects = []
            kind = effect.kind
            effects.append(effect)
        if effects:
            yield Phase(kind, tuple(effects))
        if turn.deaths:
            yield Phase("deaths", tuple(Effect("capture", self._cell(units[id])) for id in turn.deaths))

    def _cell(self, unit: Unit) -> int:
        return unit.y * self.world.ground.width + unit.x

    def _event_texts(self, turn: Turn) -> Iterator[str]:
        health = {unit.id: unit.health for unit in turn.before.units}
        hits = iter(turn.hits)
        for done in turn.done:
            name = self._name(done.action.unit)
            if done.refused:
                yield f"{name} {self._attempt(done)} and cannot: {self._reason(done.refused)}"
            elif isinstance(done.action, Step):
                yield f"{name} steps {done.action.direction}"
            else:
                hit = next(hits)
                health[hit.target] = max(0, health[hit.target] - hit.damage)
                yield f"{name} hits {self._name(hit.target)}: {hit.damage} damage, {health[hit.target]} left"
        for id in turn.deaths:
            yield f"{self._name(id)} dies"

    def _attempt(self, done: Done) -> str:
        if isinstance(done.action, Step):
            return f"wants to step {done.action.direction}"
        return f"wants to hit {self._name(done.action.target)}"

    def _reason(self, words: str) -> str:
        """The world's reason with units called as moves call them."""
        for unit in self.world.units:
            words = words.replace(f"the {unit.name} ", f"{self._name(unit.id)} ")
        return words
