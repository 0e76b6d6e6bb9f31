"""The model of a skirmish that is searched: sides alternate, units act one by one, damage is fixed.

A turn of a side is the actions of its units in a fixed order, each a move of the contract; depth
counts turns, as the plies of the course do (RULES 12-19).
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from plywise.core.bits import first, left, mix, rest
from plywise.core.board import Board, Piece
from plywise.core.compiled import compiled, inline
from plywise.core.define import game
from plywise.core.errors import PlywiseError
from plywise.core.game import Draws
from plywise.core.outcome import LOST, OPEN, WON
from plywise.core.preset import Preset
from plywise.games.skirmish.maps import NAMES, Ground, Map
from plywise.games.skirmish.notation import SWITCHES, Place, Setup, name_of, read, setup_of, write
from plywise.games.skirmish.packing import (
    ACTION_BITS,
    ACTION_MASK,
    ATTACK,
    DX,
    DY,
    EIGHT,
    HASTY,
    MEAN,
    MOST_ARCHERS,
    MOST_CELLS,
    MOST_HEALTH,
    MOST_UNITS,
    REACH,
    SCRIPT,
    STEP,
    TREE_WORDS,
    WAIT,
    chebyshev,
    count,
    footmen,
    health_of,
    is_blocked,
    is_occupied,
    manhattan,
    members,
    pack_unit,
    switches,
    tree_word,
    unit,
    unit_word,
    x_of,
    y_of,
)
from plywise.games.skirmish.presets import PRESETS
from plywise.games.skirmish.script import SPARE, decide
from plywise.games.skirmish.units import ARCHERS, DIRECTIONS, FOOTMEN, KINDS, SIDES, STEPS
from plywise.games.skirmish.world import World


class TooLarge(PlywiseError, ValueError):
    """A map or an army for which the searched model has no room; the world plays any."""


TREE = Piece("T", "tree", None, "♣")


def unit_piece(side: int, place: int, health: int) -> Piece:
    """A unit as the board shows it, with its name and health."""
    kind = KINDS[side]
    name = f"{kind.letter}{place + 1}"
    return Piece(kind.letter, kind.name, side, name, f"{name}: {health}", reach=kind.reach)


@game(
    "skirmish",
    title="Skirmish",
    sides=SIDES,
    draws=Draws(plies=400),
    most_moves=8 + MOST_UNITS,
    unit=100,
    slope=0.06,  # a step of distance counts a unit here, and says little
    bench=(
        ("2fv2a", 11),
        ("2fva", 12),
        ("2fv2a_Obstacles", 11),
        ("2fv1a_Obstacles", 12),
        ("2fv2a script", 12),
        ("25x19 F10,9:100 F14,10:120 A12,12:50 A12,6:39 A1", 8),
    ),
)
class Skirmish(NamedTuple):
    """Who is where, whose unit acts next, and the ground with its trees. See `packing` for the words."""

    turn: int
    acting: int
    shape: int
    ground: int
    living: int
    intent: int
    t0: int
    t1: int
    t2: int
    t3: int
    t4: int
    t5: int
    t6: int
    t7: int
    t8: int
    t9: int
    t10: int
    t11: int
    t12: int
    t13: int
    t14: int
    t15: int
    u0: int
    u1: int
    u2: int
    u3: int
    u4: int
    u5: int
    u6: int
    u7: int

    def moves(self, buffer: Any, n: int) -> int:
        """The actions of the unit whose turn it is: attacks, steps, and waiting if there is neither."""
        i, bits, start = self.acting, switches(self), n
        if bits & SCRIPT != 0 and self.turn == 1:
            buffer[n] = i << ACTION_BITS | decide(self, i, buffer, n + SPARE)
            return n + 1
        here, enemies = unit(self, i), self.living & members(self, 1 - self.turn)
        while enemies != 0:
            j = first(enemies)
            enemies = rest(enemies)
            if chebyshev(here, unit(self, j)) <= REACH[self.turn] and health_of(unit(self, j)) > 0:
                buffer[n] = i << ACTION_BITS | (ATTACK + j)
                n += 1
        if n > start and bits & HASTY != 0:
            return n
        for d in range(0, 8, 1 if bits & EIGHT != 0 else 2):
            x, y = x_of(here) + DX[d], y_of(here) + DY[d]
            if not is_blocked(self, x, y) and not is_occupied(self, x, y):
                buffer[n] = i << ACTION_BITS | (STEP + d)
                n += 1
        if n == start:
            buffer[n] = i << ACTION_BITS | WAIT
            n += 1
        return n

    def play(self, move: int) -> "Skirmish":
        action, i = move & ACTION_MASK, self.acting
        script = switches(self) & SCRIPT != 0
        if script and self.turn == 1:
            order = left(action, ACTION_BITS * (i - footmen(self)))
            after = with_unit(self, self.living, self.intent | order, i, unit(self, i))
        else:
            after = apply_action(self, i, action, script)
        later = after.living & members(self, self.turn) & ~((2 << i) - 1)
        if later != 0:
            return with_acting(after, self.turn, first(later), after.intent)
        if script and self.turn == 0:
            after = resolve_orders(after)
        others = after.living & members(self, 1 - self.turn)
        unit_to_act = first(others) if others != 0 else first(members(self, 1 - self.turn))
        return with_acting(after, 1 - self.turn, unit_to_act, 0 if self.turn == 0 else after.intent)

    def outcome(self) -> int:
        """A side without units has lost; where both have none the archers win (RULES 9)."""
        if self.living & members(self, 0) == 0:
            return LOST if self.turn == 0 else WON
        if self.living & members(self, 1) == 0:
            return WON if self.turn == 0 else LOST
        return OPEN

    def midway(self) -> bool:
        return self.acting != first(self.living & members(self, self.turn))

    def key(self) -> int:
        key = mix(self.ground, self.intent)
        key = mix(key, self.living | self.acting << 16 | self.turn << 24)
        for k in range((count(self) + 1) >> 1):
            key = mix(key, unit_word(self, k))
        return key

    def slot(self, move: int) -> int:
        return move

    def resets(self, move: int) -> bool:
        """Health that is lost never comes back."""
        return move & ACTION_MASK >= ATTACK

    def gain(self, move: int) -> int:
        """The seed's order: attack; then a footman goes towards the archers, an archer away."""
        action = move & ACTION_MASK
        if action >= ATTACK:
            return 1000 - min(999, health_of(unit(self, action - ATTACK)))
        if action == WAIT:
            return 0
        here, enemies = unit(self, self.acting), self.living & members(self, 1 - self.turn)
        nearest, dx, dy = 1 << 20, 0, 0
        while enemies != 0:
            other = unit(self, first(enemies))
            enemies = rest(enemies)
            if manhattan(here, other) < nearest:
                nearest = manhattan(here, other)
                dx, dy = x_of(other) - x_of(here), y_of(other) - y_of(here)
        d = action - STEP
        towards = DX[d] * dx + DY[d] * dy
        if self.turn == 1:
            towards = -towards
        return max(0, towards)

    # --- text -----------------------------------------------------------------------------------
    @classmethod
    def presets(cls) -> tuple[Preset, ...]:
        """Players by name (presets.py)."""
        return PRESETS

    @classmethod
    def start(cls) -> "Skirmish":
        return cls.of(setup_of("2fv2a"))

    @classmethod
    def starts(cls) -> dict[str, str]:
        """The maps of the course."""
        return {name: name for name in NAMES}

    @classmethod
    def level_names(cls) -> tuple[str, ...]:
        return (
            "Recruit",
            "Watchman",
            "Soldier",
            "Corporal",
            "Sergeant",
            "Lieutenant",
            "Captain",
            "Colonel",
            "General",
            "Marshal",
        )

    @classmethod
    def level_heat(cls) -> float:
        """A turn is a choice for each unit, and a fight takes dozens of turns: errors add up."""
        return 0.16

    @classmethod
    def parse(cls, text: str) -> "Skirmish":
        return cls.of(read(text))

    def text(self) -> str:
        return write(self.setup())

    @classmethod
    def of(cls, setup: Setup) -> "Skirmish":
        """The position that plain data describes; ValueError if the model has no room for it."""
        ground, units = setup.ground, [*setup.units[0], *setup.units[1]]
        if ground.width * ground.height > MOST_CELLS or max(ground.width, ground.height) > 255:
            raise TooLarge(
                f"the map has {ground.width}x{ground.height} cells;"
                f" the searched model has room for {MOST_CELLS}"
            )
        if len(units) > MOST_UNITS or len(setup.units[ARCHERS]) > MOST_ARCHERS:
            raise TooLarge(
                f"{len(units)} units, {len(setup.units[ARCHERS])} of them archers: the searched model"
                f" has room for {MOST_UNITS}, at most {MOST_ARCHERS} of them archers"
            )
        trees, words, living = [0] * TREE_WORDS, [0] * (MOST_UNITS // 2), 0
        for x, y in ground.trees:
            cell = y * ground.width + x
            trees[cell >> 6] |= 1 << (cell & 63)
        for i, place in enumerate(units):
            if place is None:
                continue
            if not 1 <= place[2] <= MOST_HEALTH:
                raise TooLarge(f"health is from 1 to {MOST_HEALTH}, not {place[2]}")
            living |= 1 << i
            words[i >> 1] |= pack_unit(*place) << 32 * (i & 1)
        f, a = len(setup.units[FOOTMEN]), len(setup.units[ARCHERS])
        bits = sum(1 << k for k, name in enumerate(SWITCHES) if name in setup.switches)
        shape = ground.width | ground.height << 8 | f << 16 | a << 24 | bits << 32
        digest = 0
        for word in (shape, *(left(word, 0) for word in trees)):
            digest = mix(digest, word)
        intent = 0
        for i, order in setup.orders.items():
            intent |= _action(order.split("-")[-1].split("x")[-1], f) << ACTION_BITS * i
        acting = setup.acting + (f if setup.turn == ARCHERS else 0)
        return cls(
            setup.turn,
            acting,
            shape,
            digest,
            living,
            intent,
            *(left(word, 0) for word in trees),
            *(left(word, 0) for word in words),
        )

    @classmethod
    def of_map(cls, map: Map, *names: str) -> "Skirmish":
        """The position in which an episode on the map begins, with these switches on."""
        return cls.of_world(World.of(map), FOOTMEN, names)

    @classmethod
    def of_world(
        cls,
        world: World,
        turn: int = FOOTMEN,
        names: Iterable[str] = (),
        orders: dict[int, str] | None = None,
    ) -> "Skirmish":
        """A world as the search sees it: the living units of each side by id, a side to act."""
        sides: tuple[list[Place], list[Place]] = ([], [])
        for one in world.units:
            sides[one.side].append((one.x, one.y, one.health))
        return cls.of(Setup(world.ground, sides, turn, 0, set(names), orders or {}))

    def setup(self) -> Setup:
        """The position as plain data."""
        wide, high = self.shape & 255, self.shape >> 8 & 255
        trees = frozenset(
            (cell % wide, cell // wide)
            for cell in range(wide * high)
            if tree_word(self, cell >> 6) >> (cell & 63) & 1
        )
        f = footmen(self)
        sides: tuple[list[Place], list[Place]] = ([], [])
        orders = {}
        for i in range(count(self)):
            word = unit(self, i)
            there = self.living >> i & 1
            sides[int(i >= f)].append((x_of(word), y_of(word), health_of(word)) if there else None)
            order = self.intent >> ACTION_BITS * (i - f) & ACTION_MASK if i >= f else 0
            if order:
                orders[i - f] = name_of(i, f) + _action_text(order, f)
        on = {name for k, name in enumerate(SWITCHES) if switches(self) >> k & 1}
        acting = self.acting - (f if self.turn == ARCHERS else 0)
        return Setup(Ground(wide, high, trees), sides, self.turn, acting, on, orders)

    def move_text(self, move: int) -> str:
        """F1-N: a step; F1xA2: an attack; F1-wait."""
        f = footmen(self)
        return name_of(move >> ACTION_BITS, f) + _action_text(move & ACTION_MASK, f)

    def read_move(self, text: str) -> int:
        """The move of the unit that is to act; its name may be left out: N, xA2."""
        f = footmen(self)
        name = name_of(self.acting, f)
        word = text if text[:1] in ("x", "-") else f"-{text}" if text in (*DIRECTIONS, "wait") else text
        full = word if word[:1] not in ("x", "-") else name + word
        buffer: dict[int, int] = {}
        legal = {self.move_text(buffer[k]): buffer[k] for k in range(self.moves(buffer, 0))}
        if full in legal:
            return legal[full]
        if not full.startswith(name):
            raise ValueError(f"{name} is the unit to act (RULES 13)")
        part = full[len(name) :]
        if part.startswith("-") and part[1:] in DIRECTIONS:
            here, d = unit(self, self.acting), DIRECTIONS.index(part[1:])
            if d % 2 and not switches(self) & EIGHT:
                raise ValueError("units step N, E, S and W only, unless the switch 'eight' is on (RULES 15)")
            cell = f"{x_of(here) + DX[d]},{y_of(here) + DY[d]}"
            raise ValueError(f"{cell} is off the map, or a tree or a unit is there (RULES 5)")
        if part.startswith("x"):
            raise ValueError(f"{part[1:] or 'nobody'} is no enemy within reach of {name} (RULES 6)")
        raise ValueError(f"{name} can play {', '.join(legal)}")

    def reason(self) -> str:
        return f"no {KINDS[0 if self.living & members(self, 0) == 0 else 1].name} is left"

    def steps(self, move: int) -> tuple[str, ...]:
        """The unit's cell, and the cell it goes to or strikes; its own again to wait."""
        word, action = unit(self, move >> ACTION_BITS), move & ACTION_MASK
        x, y = x_of(word), y_of(word)
        here = f"{x},{y}"
        if action >= ATTACK:
            target = unit(self, action - ATTACK)
            return here, f"{x_of(target)},{y_of(target)}"
        if action == WAIT:
            return here, here
        dx, dy = STEPS[action - STEP]
        return here, f"{x + dx},{y + dy}"

    def board(self) -> Board:
        setup = self.setup()
        ground = setup.ground
        pieces = dict.fromkeys(ground.trees, TREE)
        for side, places in enumerate(setup.units):
            for k, place in enumerate(places):
                if place is not None:
                    pieces[place[:2]] = unit_piece(side, k, place[2])
        xs, ys = range(ground.width), range(ground.height)
        return Board(
            tuple(tuple(pieces.get((x, y)) for x in xs) for y in ys),
            left=tuple(str(y) for y in ys),
            bottom=tuple(str(x) for x in xs),
            names=tuple(tuple(f"{x},{y}" for x in xs) for y in ys),
            ground="grass",
        )


# --- how a position changes -------------------------------------------------------------------------
@compiled
def with_unit(p: Skirmish, living: int, intent: int, i: int, word: int) -> Skirmish:
    """The position with another unit i."""
    d, k = left(unit(p, i) ^ word, 32 * (i & 1)), i >> 1
    return p._replace(
        living=living,
        intent=intent,
        u0=p.u0 ^ (d if k == 0 else 0),
        u1=p.u1 ^ (d if k == 1 else 0),
        u2=p.u2 ^ (d if k == 2 else 0),
        u3=p.u3 ^ (d if k == 3 else 0),
        u4=p.u4 ^ (d if k == 4 else 0),
        u5=p.u5 ^ (d if k == 5 else 0),
        u6=p.u6 ^ (d if k == 6 else 0),
        u7=p.u7 ^ (d if k == 7 else 0),
    )


@compiled
def with_acting(p: Skirmish, turn: int, acting: int, intent: int) -> Skirmish:
    """The position with another unit to act."""
    return p._replace(turn=turn, acting=acting, intent=intent)


@inline
def apply_action(p: Any, i: int, action: int, lingering: bool) -> Skirmish:
    """After one action. The dead are gone at once, unless they linger until the turn ends."""
    if action >= ATTACK:
        j = action - ATTACK
        other = unit(p, j)
        health = max(0, health_of(other) - MEAN[0 if i < footmen(p) else 1])
        if health == 0 and not lingering:
            return with_unit(p, p.living & ~(1 << j), p.intent, j, 0)
        return with_unit(p, p.living, p.intent, j, pack_unit(x_of(other), y_of(other), health))
    here = unit(p, i)
    x, y = x_of(here), y_of(here)
    if action >= STEP:
        x, y = x + DX[action - STEP], y + DY[action - STEP]
    return with_unit(p, p.living, p.intent, i, pack_unit(x, y, health_of(here)))


@compiled
def resolve_orders(p: Any) -> Skirmish:
    """The scripted archers' orders carried out as the world does it, then the dead removed (RULES 18)."""
    f = footmen(p)
    after = with_unit(p, p.living, p.intent, 0, unit(p, 0))
    for i in range(f, count(p)):
        action = p.intent >> ACTION_BITS * (i - f) & ACTION_MASK
        if p.living >> i & 1 == 0 or action == WAIT:
            continue
        here = unit(after, i)
        if action >= ATTACK:
            j = action - ATTACK
            if after.living >> j & 1 != 0 and chebyshev(here, unit(after, j)) <= REACH[1]:
                after = apply_action(after, i, action, True)
        else:
            x, y = x_of(here) + DX[action - STEP], y_of(here) + DY[action - STEP]
            if not is_blocked(after, x, y) and not is_occupied(after, x, y):
                after = apply_action(after, i, action, True)
    for i in range(count(p)):
        if after.living >> i & 1 != 0 and health_of(unit(after, i)) == 0:
            after = with_unit(after, after.living & ~(1 << i), 0, i, 0)
    return after


def _action(word: str, f: int) -> int:
    """An action from its text without the unit and the sign: N, wait, F2 or A1."""
    if word == "wait":
        return WAIT
    if word in DIRECTIONS:
        return STEP + DIRECTIONS.index(word)
    return ATTACK + int(word[1:]) - 1 + (f if word[0] == "A" else 0)


def _action_text(action: int, f: int) -> str:
    if action >= ATTACK:
        return f"x{name_of(action - ATTACK, f)}"
    return "-wait" if action == WAIT else f"-{DIRECTIONS[action - STEP]}"
