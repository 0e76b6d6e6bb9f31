"""All legal moves at once: pins and checks become masks first, so that no move need be tried.

A move is a whole number: from (6 bits), to (6), the kind that moves (5), the kind that a pawn
becomes (5, else 0). Castling is written as the king taking its own rook, which no other move does.
"""

from typing import TYPE_CHECKING, Any

from plywise.core.bits import first, left, rest, right
from plywise.core.compiled import compiled
from plywise.games.chess.attacks import bishop_attacks, en_passant_is_legal, is_attacked, rook_attacks
from plywise.games.chess.tables import (
    BETWEEN,
    BISHOP_KIND,
    BISHOP_RAYS,
    KING,
    KING_KIND,
    KNIGHT,
    KNIGHT_KIND,
    NOT_A,
    NOT_H,
    PAWN,
    PAWN_KIND,
    QUEEN_KIND,
    RANK_1,
    RANK_2,
    RANK_3,
    RANK_6,
    RANK_7,
    RANK_8,
    ROOK_KIND,
    ROOK_RAYS,
)

if TYPE_CHECKING:
    from plywise.games.chess.rules import Chess

TO, KIND, BECOMES = 6, 12, 17  # where the parts of a move begin
EVERYWHERE = -1
LAST_RANKS = RANK_1 | RANK_8


@compiled
def rotate_left(x: int, n: int) -> int:
    """x with its bits turned left by n, 0 < n < 64: a shift up for n, a shift down for 64 - n."""
    return left(x, n) | right(x, 64 - n)


@compiled
def add(buffer: Any, n: int, move: int, targets: int) -> int:
    """A move to each target; `move` has the rest of it."""
    while targets != 0:
        buffer[n] = move | first(targets) << TO
        targets = rest(targets)
        n += 1
    return n


@compiled
def add_pawns(buffer: Any, n: int, targets: int, step: int) -> int:
    """Pawn moves that end on the targets, each from `step` squares behind."""
    while targets != 0:
        # to - step | to << 6, in one multiplication
        buffer[n] = (first(targets) * 65 - step) | PAWN_KIND << KIND
        targets = rest(targets)
        n += 1
    return n


@compiled
def add_promotions(buffer: Any, n: int, targets: int, step: int) -> int:
    """The four promotions on each target (RULES 4), the queen first."""
    while targets != 0:
        move = (first(targets) * 65 - step) | PAWN_KIND << KIND
        buffer[n] = move | QUEEN_KIND << BECOMES
        buffer[n + 1] = move | KNIGHT_KIND << BECOMES
        buffer[n + 2] = move | ROOK_KIND << BECOMES
        buffer[n + 3] = move | BISHOP_KIND << BECOMES
        targets = rest(targets)
        n += 4
    return n


@compiled
def generate_pawns(buffer: Any, n: int, turn: int, pawns: int, empty: int, takes: int, steps: int) -> int:
    """Moves of these pawns: captures that end on `takes`, advances that end on `steps` (RULES 3)."""
    up = 56 if turn != 0 else 8
    step = -8 if turn != 0 else 8
    last = pawns & (RANK_2 if turn != 0 else RANK_7)
    pawns ^= last
    n = add_pawns(buffer, n, rotate_left(pawns & NOT_A, up - 1) & takes, step - 1)
    n = add_pawns(buffer, n, rotate_left(pawns & NOT_H, up + 1) & takes, step + 1)
    if last != 0:
        n = add_promotions(buffer, n, rotate_left(last & NOT_A, up - 1) & takes, step - 1)
        n = add_promotions(buffer, n, rotate_left(last & NOT_H, up + 1) & takes, step + 1)
        n = add_promotions(buffer, n, rotate_left(last, up) & empty & steps, step)
    single = rotate_left(pawns, up) & empty
    double = rotate_left(single & (RANK_6 if turn != 0 else RANK_3), up) & empty
    n = add_pawns(buffer, n, single & steps, step)
    return add_pawns(buffer, n, double & steps, 2 * step)


@compiled
def generate_pinned(
    position: "Chess", buffer: Any, n: int, pinned: int, line: int, takes: int, steps: int
) -> int:
    """Moves of a pinned piece: it stays on the line to its king (RULES 7); a knight never can."""
    square = first(pinned)
    occupied = position.own | position.other
    targets = (takes | steps) & line
    if position.pawns & pinned != 0:
        return generate_pawns(buffer, n, position.turn, pinned, ~occupied, takes & line, steps & line)
    if BISHOP_RAYS[square] & line != 0:
        if position.diagonals & pinned != 0:
            kind = QUEEN_KIND if position.orthogonals & pinned != 0 else BISHOP_KIND
            return add(buffer, n, square | kind << KIND, bishop_attacks(square, occupied) & targets)
    elif position.orthogonals & pinned != 0:
        kind = QUEEN_KIND if position.diagonals & pinned != 0 else ROOK_KIND
        return add(buffer, n, square | kind << KIND, rook_attacks(square, occupied) & targets)
    return n


@compiled
def generate_castling(position: "Chess", buffer: Any, n: int, king: int, occupied: int) -> int:
    """Castling with each rook that still may (RULES 6); in Chess960 from any file (RULES 9)."""
    row = king & 56
    rooks = position.castling & (RANK_8 if position.turn != 0 else RANK_1)
    while rooks != 0:
        rook = first(rooks)
        rooks = rest(rooks)
        if BETWEEN[king << 6 | rook] & occupied != 0:
            continue
        to, beside = (row + 6, row + 5) if rook > king else (row + 2, row + 3)
        others = occupied & ~left(1, king) & ~left(1, rook)
        way = BETWEEN[king << 6 | to] | left(1, to)
        if (way | BETWEEN[rook << 6 | beside] | left(1, beside)) & others != 0:
            continue
        safe = True
        while way != 0 and safe:
            safe = not is_attacked(position, first(way), others)
            way = rest(way)
        if safe:
            buffer[n] = king | rook << TO | KING_KIND << KIND
            n += 1
    return n


@compiled
def generate(position: "Chess", buffer: Any, n: int, takes: int, steps: int, promotions: int) -> int:
    """Legal moves that end on an enemy in `takes` or on an empty square in `steps`.

    Pawns may also advance to `promotions`. Castling belongs to the moves to everywhere.
    """
    own, other, turn = position.own, position.other, position.turn
    occupied = own | other
    empty = ~occupied
    king = first(position.kings & own)

    # 1. Who gives check, and which own piece stands alone between the king and a line piece?
    checkers = (PAWN[(turn & 1) << 6 | king] & position.pawns | KNIGHT[king] & position.knights) & other
    snipers = other & (ROOK_RAYS[king] & position.orthogonals | BISHOP_RAYS[king] & position.diagonals)
    pinners, pinned = 0, 0
    while snipers != 0:
        sniper = first(snipers)
        path = BETWEEN[king << 6 | sniper] & occupied
        if path == 0:
            checkers |= left(1, sniper)
        elif rest(path) == 0 and path & own != 0:
            pinned |= path
            pinners |= left(1, sniper)
        snipers = rest(snipers)

    # 2. The king goes where nothing attacks it, its own shadow included.
    targets = KING[king] & (other & takes | empty & steps)
    away = occupied ^ left(1, king)
    while targets != 0:
        to = first(targets)
        targets = rest(targets)
        if not is_attacked(position, to, away):
            buffer[n] = king | to << TO | KING_KIND << KIND
            n += 1

    # 3. Two checks only the king can answer; one check also a capture or a piece in between.
    takes &= other
    if checkers != 0:
        if rest(checkers) != 0:
            return n
        takes &= checkers
        between = BETWEEN[king << 6 | first(checkers)]
        steps &= between
        promotions &= between
    else:
        if steps == EVERYWHERE and position.castling != 0:
            n = generate_castling(position, buffer, n, king, occupied)
        steps &= empty
        while pinners != 0:
            pinner = first(pinners)
            pinners = rest(pinners)
            line = BETWEEN[king << 6 | pinner]
            n = generate_pinned(position, buffer, n, line & own, line | left(1, pinner), takes, steps)
    targets = takes | steps

    # 4. The free pieces.
    free = own & ~pinned
    pieces = position.knights & free
    while pieces != 0:
        square = first(pieces)
        pieces = rest(pieces)
        n = add(buffer, n, square | KNIGHT_KIND << KIND, KNIGHT[square] & targets)
    pieces = position.diagonals & free
    while pieces != 0:
        square = first(pieces)
        pieces = rest(pieces)
        kind = BISHOP_KIND | (right(position.orthogonals, square) & 1) << 3
        n = add(buffer, n, square | kind << KIND, bishop_attacks(square, occupied) & targets)
    pieces = position.orthogonals & free
    while pieces != 0:
        square = first(pieces)
        pieces = rest(pieces)
        kind = ROOK_KIND | (right(position.diagonals, square) & 1) << 2
        n = add(buffer, n, square | kind << KIND, rook_attacks(square, occupied) & targets)
    n = generate_pawns(buffer, n, turn, position.pawns & free, empty, takes, steps | promotions)

    # 5. Capturing in passing can open two lines at once: it is tried out (RULES 5).
    if position.passant != 0:
        to = first(position.passant)
        pieces = PAWN[(1 - turn & 1) << 6 | to] & position.pawns & own
        while pieces != 0:
            square = first(pieces)
            pieces = rest(pieces)
            if en_passant_is_legal(position, square):
                buffer[n] = square | to << TO | PAWN_KIND << KIND
                n += 1
    return n


@compiled
def generate_sharp(position: "Chess", buffer: Any, n: int) -> int:
    """Captures, promotions, and quiet moves by which the moved piece itself gives check."""
    occupied = position.own | position.other
    king = first(position.kings & position.other)
    slanted, straight = bishop_attacks(king, occupied), rook_attacks(king, occupied)
    by_pawn = PAWN[(1 - position.turn & 1) << 6 | king]
    steps = ~occupied & (slanted | straight | KNIGHT[king] | by_pawn)
    promotions = LAST_RANKS & ~occupied
    end = generate(position, buffer, n, EVERYWHERE, steps, promotions)
    kept = n
    for i in range(n, end):
        move = buffer[i]
        to, kind = left(1, move >> TO & 63), move >> KIND & 31
        if to & steps != 0 and move >> BECOMES == 0:
            reach = KNIGHT[king] if kind == KNIGHT_KIND else by_pawn if kind == PAWN_KIND else 0
            if kind & BISHOP_KIND != 0:
                reach |= slanted
            if kind & ROOK_KIND != 0:
                reach |= straight
            # A capture in passing ends on an empty square, too.
            if reach & to == 0 and (kind != PAWN_KIND or to != position.passant):
                continue
        buffer[kept] = move
        kept += 1
    return kept
