"""Polis on bitboards: fifteen dogs and a chariot a side, and every move makes its neighbours hop.

A move is a number: the square it leaves, the square it goes to (times 64), and above them what it
does, worked out when it is written: dogs of the enemy taken, own dogs taken, and whether it ends
the game. The order of moves and the draw counter then cost nothing.
"""

from typing import Any, NamedTuple

from plywise.core.bits import first, left, mix, popcount, rest, wrap
from plywise.core.board import Board, Mark, Phase
from plywise.core.compiled import compiled, inline
from plywise.core.define import game
from plywise.core.game import Draws
from plywise.core.outcome import LOST, OPEN, WON
from plywise.core.preset import Preset
from plywise.games.polis import notation
from plywise.games.polis.presets import PRESETS
from plywise.games.polis.squares import (
    BIT,
    BOTTOM,
    RING,
    TOP,
    TURNING,
    around,
    between,
    capture_targets,
    opposite,
    rotate_board,
)
from plywise.games.polis.turn import NOBODY, resolve, resolve_prepared, staying_neighbours, winner

TAKES, LOSES, ENDS = 12, 16, 20  # where a move says what it does: four bits, four bits, two bits
WINS, GIVES_UP = 1, 2  # how a move ends the game, for the side that moves
ILLEGAL = -1
FLAG_KEY = 0x5DEECE66D  # spreads the stun flags over the key


@inline
def encode_move(
    own: int,
    other: int,
    facing_own: int,
    facing_other: int,
    staying: int,
    spared: int,
    chariots: int,
    stunned: int,
    turn: int,
    origin: int,
    target: int,
) -> int:
    """The move as a number that says what it does, or ILLEGAL (RULES 7)."""
    after, foes, carts, flags, taken = resolve_prepared(
        own, other, facing_own, facing_other, staying, spared, chariots, stunned, origin, target
    )
    if (taken | flags) & BIT[target] != 0:
        return ILLEGAL
    move = origin | target << 6
    if taken != 0:
        move |= (popcount(other) - popcount(foes)) << TAKES
        move |= (popcount(own) - popcount(after)) << LOSES
    if carts & (TOP | BOTTOM) != 0:
        side = winner(foes, after, carts) if turn != 0 else winner(after, foes, carts)
        if side != NOBODY:
            move |= (WINS if side == turn else GIVES_UP) << ENDS
    return move


@compiled
def is_calm(own: int, other: int, chariots: int, stunned: int) -> bool:
    """Nothing is left over that a far move could set off.

    Nobody is stunned, the chariots do not touch, and no dog stands between two enemies: then only
    the piece that moves and those that hop over it can close a pair. (See `is_far_move` for what follows.)
    """
    return (
        stunned == 0
        and RING[first(chariots)] & rest(chariots) == 0
        and (own & between(other) | other & between(own)) & ~chariots == 0
    )


@compiled
def is_far_move(touched: int, loud: int, facing_own: int, target: int) -> bool:
    """Nothing can be taken, and no chariot comes home, by a dog's move to here in a calm position.

    A pair has enemies of its middle at both ends. If the moved piece is in it, or an enemy that
    hops, an enemy is next to the target (`loud`, with the own chariot). If a friend that hops is in
    it, an enemy is next to where it lands (`touched`).
    """
    return loud & RING[target] == 0 and facing_own & TURNING[target] & touched == 0


@compiled
def comes_home(
    own: int, other: int, chariots: int, stunned: int, turn: int, origin: int, target: int
) -> bool:
    """This move is legal and wins."""
    staying, spared = staying_neighbours(other, stunned, target)
    here, there = opposite(rotate_board(own), target), opposite(rotate_board(other), target)
    move = encode_move(own, other, here, there, staying, spared, chariots, stunned, turn, origin, target)
    return move >> ENDS == WINS


@compiled
def steps_from_home(square: int, turn: int) -> int:
    """How many ranks a chariot still has to go."""
    return square >> 3 if turn != 0 else 7 - (square >> 3)


@compiled
def wins_at_once(own: int, other: int, chariots: int, stunned: int, turn: int) -> bool:
    """Whether `own`, on the move, can bring its chariot home this turn (RULES 8)."""
    cart = own & chariots & ~stunned
    if cart == 0:
        return False
    square = first(cart)
    steps = steps_from_home(square, turn)
    if steps == 0 or steps > 2:
        return False
    empty = ~(own | other)
    rank = steps - 1 if turn != 0 else 8 - steps
    ahead = RING[square] & left(BOTTOM, 8 * rank) & empty
    while ahead != 0:
        target = first(ahead)
        ahead = rest(ahead)
        if steps == 1:
            if comes_home(own, other, chariots, stunned, turn, square, target):
                return True
            continue
        if TURNING[target] & cart == 0:
            continue
        # Two steps from home: a dog goes in between, and the chariot hops over it.
        landing = BIT[2 * target - square]
        dogs = RING[target] & own & ~cart
        while dogs != 0:
            dog = first(dogs)
            dogs = rest(dogs)
            if landing & (empty | BIT[dog]) != 0 and comes_home(
                own, other, chariots, stunned, turn, dog, target
            ):
                return True
    return False


@game(
    "polis",
    title="Polis",
    sides=("blue", "red"),
    draws=Draws(repetition=3, plies=100),
    perspective="rotated",
    most_moves=128,  # sixteen pieces, eight directions
    bench=(
        ("start", 9),
        ("d1dd2d1/d3dddd/1d1cd3/3d4/1d1D3D/1CDDD2D/DD1DD3/1D3DDD b", 8),
        ("4d3/d1dd2d1/dd4d1/Cd3D1d/6s1/4DD1D/DDDDDDD1/5D2 b", 8),
        ("3d4/d2dd1d1/dd6/5d2/5DC1/1DsD1D2/7D/d2D1D2 b", 7),
        ("6d1/d7/1c2d1d1/2C5/4d3/D3D1D1/1D4D1/1d6 r", 9),
    ),
)
class Polis(NamedTuple):
    """The pieces of each side, which of them are chariots, and which chariots are stunned."""

    blue: int = 0xFFFF
    red: int = wrap(0xFFFF << 48)
    chariots: int = wrap(1 | 1 << 63)
    stunned: int = 0
    turn: int = 0

    def moves(self, buffer: Any, n: int) -> int:
        """A piece goes to an empty neighbouring square, if it survives there (RULES 2, 6, 7)."""
        own, other = (self.red, self.blue) if self.turn != 0 else (self.blue, self.red)
        chariots, stunned, turn = self.chariots, self.stunned, self.turn
        cart, able = own & chariots, own & ~stunned
        settled = is_calm(own, other, chariots, stunned)
        deadly = between(other & ~chariots)
        half, foes = rotate_board(own), rotate_board(other)
        touched = around(other)
        targets = around(able) & ~(own | other)
        while targets != 0:
            target = first(targets)
            targets = rest(targets)
            origins = RING[target] & able
            if deadly & BIT[target] != 0:
                origins &= cart  # a dog would be taken; a chariot may free itself by a capture
            here, there = opposite(half, target), opposite(foes, target)
            if settled and is_far_move(touched, other | cart, here, target):
                while origins != 0:
                    buffer[n] = first(origins) | target << 6
                    origins = rest(origins)
                    n += 1
                continue
            staying, spared = staying_neighbours(other, stunned, target)
            while origins != 0:
                origin = first(origins)
                origins = rest(origins)
                move = encode_move(
                    own, other, here, there, staying, spared, chariots, stunned, turn, origin, target
                )
                if move != ILLEGAL:
                    buffer[n] = move
                    n += 1
        return n

    def play(self, move: int) -> "Polis":
        origin, target = move & 63, move >> 6 & 63
        own, other = (self.red, self.blue) if self.turn != 0 else (self.blue, self.red)
        own, other, chariots, stunned, _ = resolve(own, other, self.chariots, self.stunned, origin, target)
        blue, red = (other, own) if self.turn != 0 else (own, other)
        return Polis(blue, red, chariots, stunned, 1 - self.turn)

    def outcome(self) -> int:
        """A chariot is home, whoever brought it there (RULES 8)."""
        if self.chariots & (TOP | BOTTOM) == 0:
            return OPEN
        side = winner(self.blue, self.red, self.chariots)
        if side == NOBODY:
            return OPEN
        return WON if side == self.turn else LOST

    # A side without a move has lost (RULES 9): `stuck` says so by default.

    def resets(self, move: int) -> bool:
        """Only a capture starts the count to a draw again (RULES 10)."""
        return move >> TAKES & 255 != 0

    def key(self) -> int:
        flags = self.chariots ^ wrap(self.stunned * FLAG_KEY)
        return mix(mix(mix(self.turn, self.blue), self.red), flags)

    # --- opinions -------------------------------------------------------------------------------
    def gain(self, move: int) -> int:
        """Dogs won less dogs lost; a move that ends the game goes before or after all others."""
        if move >> ENDS != 0:
            return 100 if move >> ENDS == WINS else -100
        takes, loses = move >> TAKES & 15, move >> LOSES & 15
        return takes - loses

    def slot(self, move: int) -> int:
        """From and to alone: what a move takes varies."""
        return move & 4095

    def noisy(self, buffer: Any, n: int) -> int:
        """Captures that gain, and a chariot that comes home."""
        own, other = (self.red, self.blue) if self.turn != 0 else (self.blue, self.red)
        chariots, stunned, turn = self.chariots, self.stunned, self.turn
        cart, able = own & chariots & ~stunned, own & ~stunned
        targets = capture_targets(able, other | stunned, other & ~chariots)
        if cart != 0 and steps_from_home(first(cart), turn) <= 2:
            targets |= RING[first(cart)] & ~(own | other)
        half, foes = rotate_board(own), rotate_board(other)
        while targets != 0:
            target = first(targets)
            targets = rest(targets)
            origins = RING[target] & able
            staying, spared = staying_neighbours(other, stunned, target)
            here, there = opposite(half, target), opposite(foes, target)
            while origins != 0:
                origin = first(origins)
                origins = rest(origins)
                move = encode_move(
                    own, other, here, there, staying, spared, chariots, stunned, turn, origin, target
                )
                if move != ILLEGAL and self.gain(move) > 0:
                    buffer[n] = move
                    n += 1
        return n

    def urgent(self) -> bool:
        """The enemy's chariot would come home next turn."""
        if self.turn != 0:
            return wins_at_once(self.blue, self.red, self.chariots, self.stunned, 0)
        return wins_at_once(self.red, self.blue, self.chariots, self.stunned, 1)

    def threatens(self, move: int) -> bool:
        """A chariot that has more than four ranks to go cannot come within two of home by a step or a hop."""
        cart = (self.red if self.turn != 0 else self.blue) & self.chariots
        if steps_from_home(first(cart), self.turn) > 4:
            return False
        return self.play(move).urgent()

    def evaluate(self) -> int:
        """Dogs, ten to a piece."""
        ahead = popcount(self.blue) - popcount(self.red)
        return -10 * ahead if self.turn != 0 else 10 * ahead

    def boards(self) -> tuple[int, ...]:
        """Dogs, chariot and stunned chariot of each side; to red the board looks turned half round."""
        blue, red, chariots, stunned = self.blue, self.red, self.chariots, self.stunned
        return (
            blue & ~chariots,
            blue & chariots,
            blue & stunned,
            red & ~chariots,
            red & chariots,
            red & stunned,
        )

    # --- text: never compiled -------------------------------------------------------------------
    @classmethod
    def presets(cls) -> tuple[Preset, ...]:
        """Players by name (presets.py)."""
        return PRESETS

    @classmethod
    def level_names(cls) -> tuple[str, ...]:
        return (
            "Shepherd",
            "Potter",
            "Oarsman",
            "Hoplite",
            "Horseman",
            "Captain",
            "Strategist",
            "Archon",
            "Oracle",
            "Athena",
        )

    def text(self) -> str:
        return notation.text(self)

    @classmethod
    def parse(cls, text: str) -> "Polis":
        return cls(*notation.parse(text))

    def move_text(self, move: int) -> str:
        return notation.move_text(move)

    def read_move(self, text: str) -> int:
        return notation.read_move(self, text)

    def reason(self) -> str:
        return notation.reason(self)

    def board(self) -> Board:
        return notation.board(self)

    def effects(self, move: int) -> tuple[Phase, ...]:
        """What the move does, step by step, for whoever draws it."""
        return notation.effects(self, move)

    def marks(self) -> tuple[Mark, ...]:
        """The stunned chariots."""
        return notation.marks(self)
