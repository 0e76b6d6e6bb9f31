"""Polis in words: positions and moves as text, a board to draw, and what a move does, step by step."""

import re
from typing import TYPE_CHECKING

from plywise.core.bits import bits, wrap
from plywise.core.board import Board, Effect, Mark, Phase, Piece
from plywise.games.polis.squares import BIT, NAMES, PAIRS, RING, between, opposite, rotate_board
from plywise.games.polis.turn import BLUE_WINS, NOBODY, hops, resolve, staying_neighbours, stuns, winner

if TYPE_CHECKING:
    from plywise.games.polis.rules import Polis

SIDES = ("blue", "red")
MOST_DOGS = 15
_GAP = re.compile(r"\.++")
_MOVE = re.compile(r"([a-h][1-8])[\s\-x:>]*+([a-h][1-8])")
PIECES = {
    "D": Piece("D", "dog", 0, "●"),
    "C": Piece("C", "chariot", 0, "■"),
    "S": Piece("S", "chariot", 0, "□", "stunned"),
    "d": Piece("d", "dog", 1, "○"),
    "c": Piece("c", "chariot", 1, "▲"),
    "s": Piece("s", "chariot", 1, "△", "stunned"),
}


# --- positions ----------------------------------------------------------------------------------
def letter(position: "Polis", square: int) -> str:
    """What stands on the square, as the text writes it; `.` if nothing."""
    bit = BIT[square]
    if (position.blue | position.red) & bit == 0:
        return "."
    kind = "S" if position.stunned & bit else "C" if position.chariots & bit else "D"
    return kind if position.blue & bit else kind.lower()


def text(position: "Polis") -> str:
    """Ranks from 8 down to 1, gaps as numbers, and the side to move: `b` or `r`."""
    ranks = ("".join(letter(position, 8 * y + x) for x in range(8)) for y in reversed(range(8)))
    rows = "/".join(_GAP.sub(lambda gap: str(len(gap[0])), rank) for rank in ranks)
    return f"{rows} {'br'[position.turn]}"


def parse(text: str) -> tuple[int, int, int, int, int]:
    """Blue, red, chariots, stunned and the turn; ValueError says what is wrong, and where."""
    words = text.split()
    if len(words) != 2 or words[1] not in ("b", "r"):
        raise ValueError("a position is eight ranks and the side to move, 'b' or 'r', behind a space")
    pieces = _pieces(words[0])
    sides: list[int] = []
    chariots = stunned = 0
    for side, kinds in enumerate(("DCS", "dcs")):
        own = {square: kind for square, kind in pieces.items() if kind in kinds}
        carts = [square for square, kind in own.items() if kind != kinds[0]]
        if not carts:
            raise ValueError(f"{SIDES[side]} has no chariot, and needs one (RULES 1)")
        if len(carts) > 1:
            first, second = (NAMES[square] for square in sorted(carts)[:2])
            raise ValueError(
                f"{SIDES[side]} has chariots on {first} and {second}, and may have one (RULES 1)"
            )
        dogs = sorted(set(own) - set(carts))
        if len(dogs) > MOST_DOGS:
            raise ValueError(
                f"{SIDES[side]} has {len(dogs)} dogs, and may have {MOST_DOGS}: {NAMES[dogs[-1]]} is one"
                " too many (RULES 1)"
            )
        sides.append(sum(1 << square for square in own))
        chariots |= 1 << carts[0]
        stunned |= sum(1 << square for square in carts if own[square] == kinds[2])
    for square in bits(chariots):
        foes = sides[1] if sides[0] >> square & 1 else sides[0]
        _check_flag(square, foes, foes & ~chariots, bool(stunned >> square & 1))
    blue, red = sides
    return wrap(blue), wrap(red), wrap(chariots), wrap(stunned), "br".index(words[1])


def _pieces(rows: str) -> dict[int, str]:
    ranks = rows.split("/")
    if len(ranks) != 8:
        raise ValueError(f"there are {len(ranks)} ranks, and should be 8, from rank 8 down to rank 1")
    result: dict[int, str] = {}
    for y, rank in zip(reversed(range(8)), ranks, strict=True):
        x = 0
        for sign in rank:
            if sign in PIECES:
                if x < 8:
                    result[8 * y + x] = sign
                x += 1
            elif sign in "12345678":
                x += int(sign)
            else:
                place = NAMES[8 * y + x] if x < 8 else f"the end of rank {y + 1}"
                raise ValueError(f"{sign!r} at {place} is no piece; there are D, C, S, d, c, s and gaps 1-8")
        if x != 8:
            raise ValueError(f"rank {y + 1} ({rank!r}) has {x} squares, and should have 8")
    return result


def _check_flag(square: int, foes: int, dogs: int, stunned: bool) -> None:
    """The chariots may depend on each other, so only flags that no order could give are refused."""
    if stunned and _holders(square, foes) is None:
        raise ValueError(f"the chariot on {NAMES[square]} is stunned without two enemies around it (RULES 5)")
    pair = _holders(square, dogs)
    if not stunned and pair is not None:
        raise ValueError(
            f"the chariot on {NAMES[square]} is not stunned between the enemies on {pair} (RULES 5)"
        )


def _holders(square: int, foes: int) -> str | None:
    """The two foes on an axis around the square, as `c3 and e3`; None if there are no such two."""
    for pair in PAIRS[4 * square : 4 * square + 4]:
        if foes & pair == pair:
            return " and ".join(NAMES[foe] for foe in bits(pair))
    return None


def board(position: "Polis") -> Board:
    """The position as blue sees it."""
    order = [[8 * y + x for x in range(8)] for y in reversed(range(8))]
    return Board(
        rows=tuple(tuple(PIECES.get(letter(position, square)) for square in rank) for rank in order),
        left=tuple("87654321"),
        bottom=tuple("abcdefgh"),
        names=tuple(tuple(NAMES[square] for square in rank) for rank in order),
        checkered=True,
        padding=0.04,
    )


def marks(position: "Polis") -> tuple[Mark, ...]:
    """Stunned chariots, and the pair of dogs that holds each."""
    found = []
    for square in bits(position.stunned):
        foes = position.red if position.blue & BIT[square] else position.blue
        pair = _holders(square, foes & ~position.stunned) or _holders(square, foes)
        held = f", held between {pair}" if pair else ""
        found.append(
            Mark(NAMES[square], "stun", f"the chariot on {NAMES[square]} is stunned{held} (RULES 6)")
        )
    return tuple(found)


def reason(position: "Polis") -> str:
    """Why the game is over."""
    side = winner(position.blue, position.red, position.chariots)
    if side == NOBODY:
        return f"{SIDES[position.turn]} has no legal move (RULES 9)"
    own = position.blue if side == BLUE_WINS else position.red
    square = NAMES[bits(own & position.chariots)[0]]
    return f"{SIDES[side]}'s chariot has reached {square} on the far rank (RULES 8)"


# --- moves --------------------------------------------------------------------------------------
def move_text(move: int) -> str:
    """From and to, like `a2a3`."""
    return NAMES[move & 63] + NAMES[move >> 6 & 63]


def read_move(position: "Polis", text: str) -> int:
    """The legal move that the text means: `a2a3`, `A2-A3`, `a2 a3`; ValueError says why it is none."""
    found = _MOVE.fullmatch(text.strip().lower())
    if found is None:
        raise ValueError("a move is the square it leaves and the square it goes to, like a2a3 (RULES 2)")
    origin, target = NAMES.index(found[1]), NAMES.index(found[2])
    refusal = _refusal(position, origin, target)
    if refusal is not None:
        raise ValueError(refusal)
    buffer: dict[int, int] = {}
    legal = [buffer[i] for i in range(position.moves(buffer, 0))]
    return next(move for move in legal if move & 4095 == origin | target << 6)


def _refusal(position: "Polis", origin: int, target: int) -> str | None:
    """Why a piece may not go there, with the rule's number; None if it may."""
    own, other = (position.blue, position.red)[:: -1 if position.turn else 1]
    side, foe = SIDES[position.turn], SIDES[1 - position.turn]
    here, there = NAMES[origin], NAMES[target]
    if winner(position.blue, position.red, position.chariots) != NOBODY:
        return f"the game is over: {reason(position)}"
    if other & BIT[origin]:
        return f"the piece on {here} is {foe}'s, and {side} is to move (RULES 2)"
    if not own & BIT[origin]:
        return f"there is no piece on {here} (RULES 2)"
    if not RING[origin] & BIT[target]:
        return f"{there} is not next to {here}: a piece moves one square (RULES 2)"
    if (own | other) & BIT[target]:
        return f"{there} is occupied (RULES 2)"
    if position.stunned & BIT[origin]:
        return f"the chariot on {here} is stunned and cannot move (RULES 6)"
    _, foes, _, flags, taken = resolve(own, other, position.chariots, position.stunned, origin, target)
    pair = _holders(target, foes & ~flags) or _holders(target, other)
    by = f" between {pair}" if pair else ""
    if taken & BIT[target]:
        return f"the dog would be taken on {there}{by} (RULES 7)"
    if flags & BIT[target]:
        return f"the chariot would be stunned on {there}{by} (RULES 7)"
    return None


# --- what a move does ---------------------------------------------------------------------------
def effects(position: "Polis", move: int) -> tuple[Phase, ...]:
    """The phases of a turn in which something happens: move, hops, stuns, captures, stuns (RULES 2-5)."""
    own, other = (position.blue, position.red)[:: -1 if position.turn else 1]
    origin, target = move & 63, move >> 6 & 63
    chariots, before = position.chariots, position.stunned
    own ^= BIT[origin] | BIT[target]
    if chariots & BIT[origin]:
        chariots ^= BIT[origin] | BIT[target]
    staying, spared = staying_neighbours(other, before, target)
    facing = opposite(rotate_board(own), target), opposite(rotate_board(other), target)
    own_from, _, other_from, _ = hops(own, other, *facing, staying, spared, target)
    jumps = [(square, 2 * target - square) for square in bits(own_from | other_from)]
    for here, there in jumps:
        step = BIT[here] | BIT[there]
        own, other = (own ^ step, other) if own & BIT[here] else (own, other ^ step)
        chariots ^= step if chariots & BIT[here] else 0
    between_times = stuns(own, other, chariots, before)
    taken = own & between(other & ~between_times) | other & between(own & ~between_times)
    taken &= ~chariots
    after = stuns(own & ~taken, other & ~taken, chariots, between_times)
    blue = (other if position.turn else own) & chariots
    phases = (
        Phase("move", (Effect("move", NAMES[origin], NAMES[target]),)),
        Phase("hops", tuple(Effect("hop", NAMES[here], NAMES[there]) for here, there in jumps)),
        Phase("stuns", _flags(blue, before, between_times)),
        Phase("captures", tuple(Effect("capture", NAMES[square]) for square in bits(taken))),
        Phase("stuns", _flags(blue, between_times, after)),
    )
    return tuple(phase for phase in phases if phase.effects)


def _flags(blue: int, before: int, after: int) -> tuple[Effect, ...]:
    """The chariots whose stun begins or ends."""
    result = []
    for square in bits(before ^ after):
        letter = "S" if after >> square & 1 else "C"
        piece = PIECES[letter if blue >> square & 1 else letter.lower()]
        result.append(Effect("stun" if letter == "S" else "free", NAMES[square], piece=piece))
    return tuple(result)
