"""Moves as text: e2e4 (long algebraic, as programs write it), Nf3 (SAN) and Ng1-f3, in and out."""

import re
from typing import TYPE_CHECKING

from plywise.core.bits import first, left, rest, right
from plywise.games.chess.attacks import bishop_attacks, en_passant_is_legal, in_check, kind_at, rook_attacks
from plywise.games.chess.fen import FILES, KINDS, LETTERS, NAMES, SIDES, pieces_of, square_name, square_number
from plywise.games.chess.generate import BECOMES, KIND, TO, generate, generate_castling
from plywise.games.chess.tables import (
    BISHOP_KIND,
    BISHOP_RAYS,
    KING,
    KING_KIND,
    KNIGHT,
    KNIGHT_KIND,
    PAWN,
    PAWN_KIND,
    QUEEN_KIND,
    ROOK_KIND,
    ROOK_RAYS,
)

if TYPE_CHECKING:
    from plywise.games.chess.rules import Chess

_COORDINATES = re.compile(r"([a-h][1-8])[-x:]?([a-h][1-8])(?:=?\(?([nbrqNBRQ])\)?)?")
_ALGEBRAIC = re.compile(
    r"([NBRQKP])?([a-h])?([1-8])?[-x:]?([a-h][1-8])(?:\s?e\.?p\.?)?(?:[=/]?\(?([NBRQnbrq])\)?)?"
)
_CASTLING = re.compile(r"([O0o])-?\1(-?\1)?")
PROMOTIONS = (QUEEN_KIND, KNIGHT_KIND, ROOK_KIND, BISHOP_KIND)
_EN_PASSANT = ("e.p.", "ep.", "e.p", "ep")


def legal_moves(position: "Chess") -> list[int]:
    """The legal moves, as numbers."""
    buffer: dict[int, int] = {}
    return [buffer[i] for i in range(position.moves(buffer, 0))]


def legal_moves_to(position: "Chess", kind: int, to: int) -> list[int]:
    """The legal moves of one kind of piece that end on a square, castling left out.

    A text of 256 KB has eighty thousand moves. To list all legal ones each time takes five times as long, so
    this looks from the square for the pieces that reach it, and tries those out.
    """
    if kind == KING_KIND:
        buffer: dict[int, int] = {}
        square = left(1, to)
        generate(position, buffer, 0, square, square, 0)
        return [move for move in buffer.values() if move >> KIND & 31 == KING_KIND]
    found = _pawns_reaching(position, to) if kind == PAWN_KIND else _reaching(position, kind, to)
    becomes = PROMOTIONS if kind == PAWN_KIND and to >> 3 in (0, 7) else (0,)
    moves = []
    while found:
        moves += [first(found) | to << TO | kind << KIND | new << BECOMES for new in becomes]
        found = rest(found)
    return [move for move in moves if _is_legal(position, move)]


def _reaching(position: "Chess", kind: int, to: int) -> int:
    """The squares of own pieces, neither pawns nor the king, that see a square and may go there."""
    occupied, diagonals, orthogonals = position.own | position.other, position.diagonals, position.orthogonals
    if right(position.own, to) & 1:
        return 0
    if kind == KNIGHT_KIND:
        found = KNIGHT[to] & position.knights
    elif kind == BISHOP_KIND:
        found = bishop_attacks(to, occupied) & diagonals & ~orthogonals
    elif kind == ROOK_KIND:
        found = rook_attacks(to, occupied) & orthogonals & ~diagonals
    else:
        found = (bishop_attacks(to, occupied) | rook_attacks(to, occupied)) & diagonals & orthogonals
    return found & position.own


def _pawns_reaching(position: "Chess", to: int) -> int:
    """The squares of own pawns that take on a square or step to it (RULES 3, 5)."""
    pawns, turn, square = position.pawns & position.own, position.turn & 1, left(1, to)
    if square & (position.other | position.passant):
        return PAWN[(1 - turn) << 6 | to] & pawns
    ahead = -8 if turn else 8
    behind = to - ahead
    if square & position.own or not 8 <= behind < 56:
        return 0
    if not right(position.own | position.other, behind) & 1 and to >> 3 == (4 if turn else 3):
        behind -= ahead
    return left(1, behind) & pawns


def _is_legal(position: "Chess", move: int) -> bool:
    """Whether the king is safe after a move of another piece (RULES 7)."""
    start, to = move & 63, move >> TO & 63
    square = left(1, to)
    if square == position.passant and move >> KIND & 31 == PAWN_KIND:
        return en_passant_is_legal(position, start)
    king = first(position.kings & position.own)
    enemies = position.other & ~square
    leapers = PAWN[(position.turn & 1) << 6 | king] & position.pawns | KNIGHT[king] & position.knights
    if leapers & enemies:
        return False
    after = (position.own | position.other) & ~left(1, start) | square
    lines = position.diagonals & enemies
    if BISHOP_RAYS[king] & lines and bishop_attacks(king, after) & lines:
        return False
    lines = position.orthogonals & enemies
    return not (ROOK_RAYS[king] & lines and rook_attacks(king, after) & lines)


def is_castling(position: "Chess", move: int) -> bool:
    """Whether the move is a king's onto its own rook."""
    return bool(position.own >> (move >> TO & 63) & 1)


def is_capture(position: "Chess", move: int) -> bool:
    """Whether the move takes a piece, en passant included."""
    to = move >> TO & 63
    passing = move >> KIND & 31 == PAWN_KIND and bool(position.passant >> to & 1)
    return passing or bool(position.other >> to & 1)


# --- writing ------------------------------------------------------------------------------------
def coordinates(position: "Chess", move: int, chess960: bool = False) -> str:
    """`e2e4`, `e7e8q`; castling `e1g1`, or the king takes its rook if it must be told apart."""
    start, to = move & 63, move >> TO & 63
    if is_castling(position, move) and not chess960 and start & 7 == 4 and to & 7 in (0, 7):
        to = start + 2 if to > start else start - 2
    return square_name(start) + square_name(to) + LETTERS.get(move >> BECOMES & 31, "")


def algebraic(position: "Chess", move: int) -> str:
    """The move in standard algebraic notation: `Nbd2`, `exd6`, `e8=Q+`, `O-O#`."""
    start, to, kind = move & 63, move >> TO & 63, move >> KIND & 31
    if is_castling(position, move):
        text = "O-O" if to > start else "O-O-O"
    else:
        text = _origin(position, move) + ("x" if is_capture(position, move) else "") + square_name(to)
        if kind != PAWN_KIND:
            text = LETTERS[kind].upper() + text
        text += _becomes(move)
    return text + _check(position, move)


def _becomes(move: int) -> str:
    kind = move >> BECOMES & 31
    return "=" + LETTERS[kind].upper() if kind else ""


def _check(position: "Chess", move: int) -> str:
    after = position.play(move)
    if not in_check(after):
        return ""
    return "+" if legal_moves(after) else "#"


def _origin(position: "Chess", move: int) -> str:
    """As much of the square of origin as tells the move from the other legal ones."""
    start, to, kind = move & 63, move >> TO & 63, move >> KIND & 31
    if kind == PAWN_KIND:
        return FILES[start & 7] if is_capture(position, move) else ""
    rivals = [other & 63 for other in legal_moves_to(position, kind, to) if other & 63 != start]
    if not rivals or kind == KING_KIND:
        return ""
    if all(rival & 7 != start & 7 for rival in rivals):
        return FILES[start & 7]
    if all(rival >> 3 != start >> 3 for rival in rivals):
        return str((start >> 3) + 1)
    return square_name(start)


# --- reading ------------------------------------------------------------------------------------
def read_move(position: "Chess", text: str) -> int:
    """The legal move that the text means; ValueError says what is wrong with it."""
    bare = _without_suffix(text.strip())
    found = _ALGEBRAIC.fullmatch(bare)
    has_both_squares = found is None or (not found[1] and found[2] and found[3])
    squares = _COORDINATES.fullmatch(bare) if has_both_squares else None
    if found is not None and squares is None:
        return _read_algebraic(position, found)
    castling = _CASTLING.fullmatch(bare)
    if castling is not None:
        return _read_castling(position, bool(castling[2]))
    if squares is not None:
        start, to = square_number(squares[1]), square_number(squares[2])
        kind = kind_at(position, start) if right(position.own, start) & 1 else 0
        if kind and kind != KING_KIND:
            direct = [move for move in legal_moves_to(position, kind, to) if move & 63 == start]
            if direct:
                return _read_squares(position, direct, start, to, squares[3])
    legal = legal_moves(position)
    if not legal:
        raise ValueError("the game is over")
    if squares is not None:
        return _read_squares(position, legal, start, to, squares[3])
    raise ValueError("it is neither like e2e4 nor like Nf3, exd5, e8=Q or O-O (RULES 10)")


def _without_suffix(text: str) -> str:
    """The move without what is said behind it: `+`, `#`, `!`, `?` and `e.p.`, in any order and number."""
    end = len(text)
    while True:
        if end and text[end - 1] in "+#!?":
            end -= 1
            continue
        tail = next((tail for tail in _EN_PASSANT if text.endswith(tail, 1, end)), None)
        if tail is None:
            return text[:end]
        end -= len(tail)
        while text[end - 1].isspace():
            end -= 1


def _read_castling(position: "Chess", left_side: bool) -> int:
    buffer: dict[int, int] = {}
    if not in_check(position):
        king = first(position.own & position.kings)
        generate_castling(position, buffer, 0, king, position.own | position.other)
    for move in buffer.values():
        if (move >> TO & 63 < move & 63) == left_side:
            return move
    if not legal_moves(position):
        raise ValueError("the game is over")
    side = SIDES[position.turn]
    where = "queen's" if left_side else "king's"
    if in_check(position):
        raise ValueError(f"{side} is in check and cannot castle (RULES 6)")
    raise ValueError(
        f"{side} cannot castle on the {where} side: no right, no room, or an attacked square (RULES 6)"
    )


def _read_squares(position: "Chess", legal: list[int], start: int, to: int, letter: str | None) -> int:
    for move in legal:
        castling = is_castling(position, move) and move & 63 == start
        if castling and to != move >> TO & 63:
            # e1g1 for a king from the e-file: two squares towards the rook.
            near = start + 2 if move >> TO & 63 > start else start - 2
            if to == near and start & 7 == 4 and not position.own >> to & 1:
                return move
        elif move & 63 == start and move >> TO & 63 == to:
            if move >> BECOMES == 0:
                if letter is not None:
                    raise ValueError(f"nothing is promoted on {square_name(to)} (RULES 4)")
                return move
            if letter is None:
                raise ValueError(
                    f"say what the pawn becomes: {square_name(start)}{square_name(to)}q, r, b or n"
                )
            if move >> BECOMES == KINDS[letter.lower()]:
                return move
    raise ValueError(why_not(position, start, to))


def _read_algebraic(position: "Chess", found: "re.Match[str]") -> int:
    letter, file, rank, target, promotion = found.groups()
    kind = KINDS[letter.lower()] if letter else PAWN_KIND
    to = square_number(target)

    def fits(square: int) -> bool:
        return (not file or FILES[square & 7] == file) and (not rank or square >> 3 == int(rank) - 1)

    matches = [move for move in legal_moves_to(position, kind, to) if fits(move & 63)]
    if kind == PAWN_KIND and not file:
        straight = [move for move in matches if move & 7 == to & 7]
        matches = straight or matches
    if any(move >> BECOMES for move in matches):
        if promotion is None:
            raise ValueError(f"say what the pawn becomes: {target}=Q, R, B or N (RULES 4)")
        matches = [move for move in matches if move >> BECOMES == KINDS[promotion.lower()]]
    elif promotion is not None and matches:
        raise ValueError(f"nothing is promoted on {target} (RULES 4)")
    if len(matches) == 1:
        return matches[0]
    if matches:
        names = " or ".join(sorted(algebraic(position, move) for move in matches))
        raise ValueError(f"it could be {names}")
    if not legal_moves(position):
        raise ValueError("the game is over")
    standing = [s for s, piece in pieces_of(position).items() if piece == (position.turn, kind) and fits(s)]
    if len(standing) == 1:
        raise ValueError(why_not(position, standing[0], to))
    near = [why_not(position, square, to) for square in standing if to in reach(position, square)]
    if near:
        raise ValueError(near[0])
    raise ValueError(f"{SIDES[position.turn]} has no {NAMES[kind]} that can go to {target}")


def reach(position: "Chess", square: int) -> list[int]:
    """Where the piece of the side to move on the square could go, its king's safety aside."""
    side, kind = pieces_of(position)[square]
    occupied = position.own | position.other
    if kind == PAWN_KIND:
        ahead = -8 if side else 8
        targets = PAWN[side * 64 + square] & (position.other | position.passant)
        if not occupied >> square + ahead & 1:
            targets |= left(1, square + ahead)
            if square >> 3 == (6 if side else 1) and not occupied >> square + 2 * ahead & 1:
                targets |= left(1, square + 2 * ahead)
    elif kind == KNIGHT_KIND:
        targets = KNIGHT[square]
    elif kind == KING_KIND:
        targets = KING[square]
    else:
        targets = bishop_attacks(square, occupied) if kind & BISHOP_KIND else 0
        targets |= rook_attacks(square, occupied) if kind & ROOK_KIND else 0
    return [to for to in range(64) if (targets & ~position.own) >> to & 1]


def why_not(position: "Chess", start: int, to: int) -> str:
    """Why the side to move cannot play from one square to the other."""
    pieces, side = pieces_of(position), SIDES[position.turn]
    if start not in pieces:
        return f"there is no piece on {square_name(start)}"
    owner, kind = pieces[start]
    if owner != position.turn:
        return f"the {NAMES[kind]} on {square_name(start)} is {SIDES[owner]}'s, and {side} is to move"
    if pieces.get(to, (1 - owner, 0))[0] == owner:
        return f"{square_name(to)} is taken by {side}'s own {NAMES[pieces[to][1]]}"
    if to not in reach(position, start):
        rule = 3 if kind == PAWN_KIND else 6 if kind == KING_KIND and abs(to - start) == 2 else 2
        return f"the {NAMES[kind]} on {square_name(start)} cannot go to {square_name(to)} (RULES {rule})"
    if kind == KING_KIND:
        return f"{square_name(to)} is attacked (RULES 7)"
    if in_check(position):
        return f"{side} is in check and this does not end it (RULES 7)"
    return f"the {NAMES[kind]} on {square_name(start)} is pinned: {side}'s king would be in check (RULES 7)"
