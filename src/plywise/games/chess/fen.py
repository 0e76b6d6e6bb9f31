"""Positions as text: FEN, with castling rights as KQkq (X-FEN) or by files (Shredder-FEN)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from plywise.core.bits import bits, left, wrap
from plywise.core.board import Detail
from plywise.core.untrusted import shorten
from plywise.games.chess.attacks import is_attacked
from plywise.games.chess.tables import (
    BISHOP_KIND,
    KING_KIND,
    KNIGHT_KIND,
    PAWN_KIND,
    PIECE_KEYS,
    QUEEN_KIND,
    ROOK_KIND,
)

if TYPE_CHECKING:
    from plywise.games.chess.rules import Chess

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
FILES = "abcdefgh"
KINDS = {
    "p": PAWN_KIND,
    "n": KNIGHT_KIND,
    "b": BISHOP_KIND,
    "r": ROOK_KIND,
    "q": QUEEN_KIND,
    "k": KING_KIND,
}
PIECES = "pnbrqkPNBRQK"  # not letter.lower(): the Kelvin sign is no king
LETTERS = {kind: letter for letter, kind in KINDS.items()}
NAMES = {
    PAWN_KIND: "pawn",
    KNIGHT_KIND: "knight",
    BISHOP_KIND: "bishop",
    ROOK_KIND: "rook",
    QUEEN_KIND: "queen",
    KING_KIND: "king",
}
SIDES = ("White", "Black")
Pieces = dict[int, tuple[int, int]]  # square -> side, kind


_SQUARES = tuple(file + rank for rank in "12345678" for file in FILES)


def square_name(square: int) -> str:
    """`e4` for 28."""
    return _SQUARES[square]


def square_number(name: str) -> int:
    """28 for `e4`."""
    if len(name) != 2 or name[0] not in FILES or name[1] not in "12345678":
        raise ValueError(f"{shorten(name, 40)!r} is no square from a1 to h8")
    return FILES.index(name[0]) + 8 * (int(name[1]) - 1)


# --- reading ------------------------------------------------------------------------------------
class PartialPosition:
    """The words of a position as they are gathered; enough of one to ask who attacks what."""

    def __init__(self, pieces: Pieces, turn: int) -> None:
        self.pawns = self.knights = self.diagonals = self.orthogonals = self.kings = 0
        self.own = self.other = self.castling = self.passant = self.hash = 0
        self.turn = turn
        for square, (side, kind) in pieces.items():
            bit = left(1, square)
            self.pawns |= bit if kind & 1 else 0
            self.knights |= bit if kind & 2 else 0
            self.diagonals |= bit if kind & 4 else 0
            self.orthogonals |= bit if kind & 8 else 0
            self.kings |= bit if kind & 16 else 0
            if side == turn:
                self.own |= bit
            else:
                self.other |= bit
            self.hash ^= PIECE_KEYS[(17 * side + kind) << 6 | square]


def read_fen(text: str) -> tuple[int, ...]:
    """The fields of the position that a FEN means, in the order of the class; ValueError says why not."""
    fields = text.split()
    if not 4 <= len(fields) <= 6:
        raise ValueError(
            f"a FEN has six fields (pieces, side, castling, en passant, two counters), not {len(fields)}"
        )
    pieces = _read_pieces(fields[0])
    if fields[1] not in ("w", "b"):
        raise ValueError(f"field 2, the side to move, is 'w' or 'b', not {shorten(fields[1], 40)!r}")
    turn = "wb".index(fields[1])
    words = PartialPosition(pieces, turn)
    king = bits(words.kings & words.other)[0]
    over = PartialPosition(pieces, 1 - turn)
    if is_attacked(over, king, words.own | words.other):
        raise ValueError(f"{SIDES[turn]} is to move and could take the king on {square_name(king)} (RULES 7)")
    _check_checks(pieces, words)
    castling = _read_castling(fields[2], pieces)
    passant = _read_passant(fields[3], pieces, turn)
    fifty = _counter(fields, 4, "the half-move clock", 0)
    number = 2 * (_counter(fields, 5, "the move number", 1) - 1) + turn
    return (
        words.pawns,
        words.knights,
        words.diagonals,
        words.orthogonals,
        words.kings,
        words.own,
        words.other,
        turn,
        castling,
        passant,
        fifty,
        number,
        words.hash,
    )


def _read_pieces(field: str) -> Pieces:
    pieces: Pieces = {}
    rows = field.split("/")
    if len(rows) != 8:
        raise ValueError(f"field 1, the pieces, has {len(rows)} ranks and needs 8, divided by '/'")
    for y, row in zip(range(7, -1, -1), rows, strict=True):
        x, digit = 0, ""
        for letter in row:
            if letter in "12345678":
                x += int(letter)
                if digit:
                    raise ValueError(f"field 1, rank {y + 1}: {digit}{letter} should be one number")
                digit = letter
                continue
            digit = ""
            if letter in PIECES and x < 8:
                pieces[x + 8 * y] = int(letter.islower()), KINDS[letter.lower()]
                x += 1
            elif letter not in PIECES:
                raise ValueError(
                    f"field 1, rank {y + 1}: {letter!r} is neither a piece nor a number from 1 to 8"
                )
            else:
                x += 1
        if x != 8:
            raise ValueError(f"field 1, rank {y + 1}: {shorten(row, 40)!r} has {x} squares, not 8")
    _check_pieces(pieces)
    return pieces


def _check_pieces(pieces: Pieces) -> None:
    for side, name in enumerate(SIDES):
        kinds = [kind for owner, kind in pieces.values() if owner == side]
        kings = [square for square, piece in sorted(pieces.items()) if piece == (side, KING_KIND)]
        if len(kings) != 1:
            where = f" (on {', '.join(map(square_name, kings))})" if kings else ""
            raise ValueError(f"field 1: {name} has {len(kings)} kings{where}, not 1")
        for most, count, what in ((8, kinds.count(PAWN_KIND), "pawns"), (16, len(kinds), "pieces")):
            if count > most:
                raise ValueError(f"field 1: {name} has {count} {what}, more than {most}")
    for square, (_, kind) in sorted(pieces.items()):
        if kind == PAWN_KIND and not 8 <= square < 56:
            raise ValueError(f"field 1: a pawn cannot stand on {square_name(square)}")


def _check_checks(pieces: Pieces, words: PartialPosition) -> None:
    """Refuse more checks than a move can give (RULES 7): two.

    Some pairs are impossible too, but collections of positions for counting moves have them.
    """
    king, everything = bits(words.kings & words.own)[0], words.own | words.other
    if not is_attacked(words, king, everything):
        return
    checkers = []
    for square in bits(words.other):
        alone = PartialPosition({square: pieces[square], king: pieces[king]}, words.turn)
        if is_attacked(alone, king, everything):
            checkers.append(square)
    if len(checkers) > 2:
        where = " and ".join(map(square_name, checkers))
        raise ValueError(f"field 1: no move gives check from {where} at once (RULES 7)")


def _read_castling(field: str, pieces: Pieces) -> int:
    """The rooks that may castle. K and Q mean the outermost rook on their side of the king."""
    rights = 0
    for letter in "" if field == "-" else field:
        side, row = (0, 0) if letter.isupper() else (1, 56)
        if not letter.isascii() or letter.lower() not in "kq" + FILES:
            raise ValueError(f"field 3, castling: {letter!r} is not one of KQkq, a file, or '-'")
        king = next(square for square, piece in pieces.items() if piece == (side, KING_KIND))
        place = f"field 3, castling {letter!r}"
        if king & 56 != row:
            raise ValueError(f"{place}: the king on {square_name(king)} has left its first rank (RULES 6)")
        rooks = [square for square in range(row, row + 8) if pieces.get(square) == (side, ROOK_KIND)]
        if letter.lower() == "k":
            found = [square for square in rooks if square > king][-1:]
        elif letter.lower() == "q":
            found = [square for square in rooks if square < king][:1]
        else:
            found = [square for square in rooks if square == row + FILES.index(letter.lower())]
        if not found:
            where = {"k": f"right of {square_name(king)}", "q": f"left of {square_name(king)}"}.get(
                letter.lower(), f"on {letter.lower()}{row // 8 + 1}"
            )
            raise ValueError(f"{place}: {SIDES[side]} has no rook {where}")
        if rights >> found[0] & 1:
            raise ValueError(f"{place}: the rook on {square_name(found[0])} is named twice")
        rights |= 1 << found[0]
    for side, row in enumerate((0, 56)):
        king = next(square for square, piece in pieces.items() if piece == (side, KING_KIND))
        for right, where in ((True, "right"), (False, "left")):
            if len([s for s in bits(rights) if s & 56 == row and (s > king) == right]) > 1:
                raise ValueError(f"field 3, castling: {SIDES[side]} has two rights {where} of its king")
    return wrap(rights)


def _read_passant(field: str, pieces: Pieces, turn: int) -> int:
    if field == "-":
        return 0
    place = f"field 4, en passant {shorten(field, 40)!r}"
    try:
        square = square_number(field)
    except ValueError as error:
        raise ValueError(f"field 4, en passant: {error}") from None
    rank, ahead = (5, -8) if turn == 0 else (2, 8)
    if square >> 3 != rank:
        raise ValueError(f"{place}: with {SIDES[turn]} to move it is a square on rank {rank + 1} (RULES 5)")
    if pieces.get(square + ahead) != (1 - turn, PAWN_KIND):
        raise ValueError(
            f"{place}: there is no {SIDES[1 - turn]} pawn on {square_name(square + ahead)} that has passed it"
        )
    for empty in (square, square - ahead):
        if empty in pieces:
            raise ValueError(f"{place}: the pawn came over {square_name(empty)}, which is not empty")
    return left(1, square)


def _counter(fields: list[str], i: int, name: str, default: int) -> int:
    if len(fields) <= i:
        return default
    if not (fields[i].isascii() and fields[i].isdigit() and len(fields[i]) <= 5):
        raise ValueError(
            f"field {i + 1}, {name}, is a whole number from 0 up, not {shorten(fields[i], 40)!r}"
        )
    return int(fields[i])


# --- writing ------------------------------------------------------------------------------------
def pieces_of(position: "Chess") -> Pieces:
    """The pieces on the board: square -> side (0 White), kind."""
    result: Pieces = {}
    for square in bits(position.own | position.other):
        kind = sum(
            bit
            for bit, words in (
                (1, position.pawns),
                (2, position.knights),
                (4, position.diagonals),
                (8, position.orthogonals),
                (16, position.kings),
            )
            if words >> square & 1
        )
        side = position.turn if position.own >> square & 1 else 1 - position.turn
        result[square] = side, kind
    return result


def letter_of(side: int, kind: int) -> str:
    """`N` for a white knight, `n` for a black one."""
    return LETTERS[kind].upper() if side == 0 else LETTERS[kind]


def write_fen(position: "Chess", shredder: bool = False) -> str:
    """The six fields. Rights are KQkq where the outermost rook has them, else by file."""
    passant = square_name(bits(position.passant)[0]) if position.passant else "-"
    return " ".join(
        (
            write_pieces(position),
            "wb"[position.turn],
            write_castling(position, shredder),
            passant,
            str(position.fifty),
            str(position.number // 2 + 1),
        )
    )


def write_pieces(position: "Chess") -> str:
    """The first field of a FEN."""
    pieces, rows = pieces_of(position), []
    for y in range(7, -1, -1):
        row = "".join(letter_of(*pieces[s]) if s in pieces else "1" for s in range(8 * y, 8 * y + 8))
        for run in range(8, 1, -1):
            row = row.replace("1" * run, str(run))
        rows.append(row)
    return "/".join(rows)


def write_castling(position: "Chess", shredder: bool = False) -> str:
    """The third field of a FEN."""
    pieces, result = pieces_of(position), ""
    for side, row in enumerate((0, 56)):
        king = next(square for square, piece in pieces.items() if piece == (side, KING_KIND))
        rooks = [square for square in range(row, row + 8) if pieces.get(square) == (side, ROOK_KIND)]
        for rook in sorted((s for s in bits(position.castling) if s & 56 == row), reverse=True):
            outermost = rook == (max(rooks) if rook > king else min(rooks))
            letter = FILES[rook & 7] if shredder or not outermost else "k" if rook > king else "q"
            result += letter if side else letter.upper()
    return result or "-"


# --- details ------------------------------------------------------------------------------------
RIGHTS = {"White O-O": "K", "White O-O-O": "Q", "Black O-O": "k", "Black O-O-O": "q"}
MOST_COUNTED = 99999  # by the counters


def details_of(position: "Chess") -> tuple[Detail, ...]:
    """Castling rights, en passant and the two counters."""
    rights = _rights(position)
    passed = square_name(bits(position.passant)[0]) if position.passant else "-"
    rank = 6 if position.turn == 0 else 3
    return (
        *(Detail(name, letter in rights) for name, letter in RIGHTS.items()),
        Detail("en passant", passed, choices=("-", *(f"{file}{rank}" for file in FILES))),
        Detail("half-move clock", int(position.fifty), most=MOST_COUNTED),
        Detail("move number", int(position.number) // 2 + 1, least=1, most=MOST_COUNTED),
    )


def fen_with(position: "Chess", details: Mapping[str, bool | int | str]) -> str:
    """The FEN with other details; rights that stay are written as they are."""
    fields, rights = write_fen(position).split(), _rights(position)
    for name, letter in RIGHTS.items():
        if details.get(name, letter in rights) != (letter in rights):
            rights = {**rights, letter: letter} if details[name] else _without(rights, letter)
    fields[2] = "".join(rights.values()) or "-"
    for place, name in ((3, "en passant"), (4, "half-move clock"), (5, "move number")):
        fields[place] = str(details.get(name, fields[place]))
    return " ".join(fields)


def _without(rights: dict[str, str], letter: str) -> dict[str, str]:
    return {one: written for one, written in rights.items() if one != letter}


def _rights(position: "Chess") -> dict[str, str]:
    """The rights to castle: K, Q, k or q, each with the letter that the FEN has for it."""
    field = write_castling(position)
    result = {}
    for letter in "" if field == "-" else field:
        side = 0 if letter.isupper() else 1
        king = next(square for square, piece in pieces_of(position).items() if piece == (side, KING_KIND))
        wing = letter.lower()
        if wing not in "kq":
            wing = "k" if FILES.index(wing) > king & 7 else "q"
        result[wing if side else wing.upper()] = letter
    return result
