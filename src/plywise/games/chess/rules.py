"""Chess as a position of words: five sets of pieces, two sides, and what the past left behind."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from plywise.core.bits import Table, first, left, mix, right
from plywise.core.board import Board, Detail, Mark, Piece
from plywise.core.compiled import compiled
from plywise.core.define import game
from plywise.core.formats import Format
from plywise.core.game import Draws
from plywise.core.opening import Opening
from plywise.core.outcome import DRAWN, LOST, OPEN
from plywise.core.preset import Preset
from plywise.games.chess.attacks import can_en_passant, in_check, kind_at
from plywise.games.chess.dead import is_dead
from plywise.games.chess.exchange import WORTH, see_at_least
from plywise.games.chess.fen import (
    FILES,
    NAMES,
    SIDES,
    START,
    details_of,
    fen_with,
    letter_of,
    pieces_of,
    read_fen,
    square_name,
    write_fen,
)
from plywise.games.chess.generate import BECOMES, EVERYWHERE, KIND, LAST_RANKS, TO, generate, generate_sharp
from plywise.games.chess.notation import algebraic, coordinates, is_castling, read_move
from plywise.games.chess.presets import PRESETS
from plywise.games.chess.shuffled import chess960_start
from plywise.games.chess.tables import (
    KING_KIND,
    KNIGHT_KIND,
    PAWN_KIND,
    PIECE_KEYS,
    QUEEN_KIND,
    RANK_1,
    RANK_8,
    ROOK_KIND,
    STATE_KEYS,
)

PLACE = Table([0, 0, 1, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 5])  # kinds without gaps
MIDDLEGAMES = (
    ("start", 15),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 12),
    ("r1bq1rk1/pp2bppp/2n2n2/2pp4/3P4/2N2NP1/PP2PPBP/R1BQ1RK1 w - - 0 9", 14),
    ("2rq1rk1/pb1nbppp/1p2pn2/2pp4/2PP1B2/1P1BPN2/P2N1PPP/R2Q1RK1 b - - 3 11", 13),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 20),
    ("6k1/5ppp/1p6/p1p1n3/P3P3/1PN2P2/2P3PP/6K1 w - - 0 28", 18),
)


@game(
    "chess",
    title="Chess",
    sides=SIDES,
    draws=Draws(repetition=3, plies=100, last_repetition=5, last_plies=150),  # RULES 8
    perspective="flipped",
    most_moves=416,  # 15 queens of 27 moves and a king's 8; in play 218 are the most known
    bench=MIDDLEGAMES,
    margins="margins.json",
)
class Chess(NamedTuple):
    """The pieces by the way they move and by side; queens are both diagonal and orthogonal."""

    pawns: int
    knights: int
    diagonals: int
    orthogonals: int
    kings: int
    own: int  # the pieces of the side to move
    other: int
    turn: int  # 0 White, 1 Black
    castling: int  # the rooks that may still castle (RULES 6)
    passant: int  # the square that a pawn has just passed over, after every double step (RULES 5)
    fifty: int  # plies since the last capture or pawn move (RULES 8)
    number: int  # plies since the first move of the game, as its text counts them
    hash: int  # the keys of all pieces

    # --- text ---------------------------------------------------------------------------------
    @classmethod
    def presets(cls) -> tuple[Preset, ...]:
        """Players by name (presets.py)."""
        return PRESETS

    @classmethod
    def start(cls) -> "Chess":
        return cls.parse(START)

    @classmethod
    def parse(cls, text: str) -> "Chess":
        """A FEN of four to six fields, castling rights in either style (RULES 10)."""
        return cls(*read_fen(text))

    def text(self) -> str:
        return write_fen(self)

    def move_text(self, move: int) -> str:
        return coordinates(self, move)

    def move_text_in_style(self, move: int, style: str) -> str:
        """Castling as `e1h1` in style "960", as `O-O` in style "letters" (RULES 9)."""
        if style == "letters" and is_castling(self, move):
            return "O-O" if move >> TO & 63 > move & 63 else "O-O-O"
        return coordinates(self, move, chess960=style == "960")

    @staticmethod
    def variants() -> tuple[str, ...]:
        return ("normal", "fischerandom")

    @staticmethod
    def styles() -> dict[str, str]:
        """Chess960 writes castling otherwise: in XBoard's variant, and under UCI's option."""
        return {"fischerandom": "letters", "UCI_Chess960": "960"}

    def polyglot(self) -> tuple[int, Callable[[int], int]]:
        """The key in opening books, and how moves are numbered there."""
        from plywise.games.chess.polyglot import key, number

        return key(self), number

    def opening(self) -> Opening | None:
        """Openings with a name, by position (opening_names.txt)."""
        from plywise.games.chess.opening_names import opening

        return opening(self)

    def read_move(self, text: str) -> int:
        return read_move(self, text)

    def label(self, move: int) -> str:
        return algebraic(self, move)

    def move_number(self) -> int:
        return self.number // 2 + 1

    def details(self) -> tuple[Detail, ...]:
        """Castling rights, en passant and the two counters (RULES 10)."""
        return details_of(self)

    def text_with(self, details: Mapping[str, bool | int | str]) -> str:
        return fen_with(self, details)

    @classmethod
    def starts(cls) -> dict[str, str]:
        """The 960 positions of Chess960 by number; 518 is the usual one."""
        return {f"Chess960 {number}": chess960_start(number) for number in range(960)}

    @classmethod
    def formats(cls) -> tuple[Format, ...]:
        from plywise.games.chess.pgn import PGN

        return (PGN,)

    def reason(self) -> str:
        if self.outcome() == DRAWN:
            return "dead position: no mate is possible"
        if in_check(self):
            return f"{SIDES[1 - self.turn]} mates"
        return f"stalemate: {SIDES[self.turn]} has no move"

    def short_reason(self) -> str:
        if self.outcome() == DRAWN:
            return "dead position, no mate is possible"
        return "checkmate" if in_check(self) else "stalemate"

    def board(self) -> Board:
        return draw_board(self)

    def marks(self) -> tuple[Mark, ...]:
        """The king in check."""
        return check_marks(self)

    # --- moves --------------------------------------------------------------------------------
    def moves(self, buffer: Any, n: int) -> int:
        return generate(self, buffer, n, EVERYWHERE, EVERYWHERE, 0)

    def noisy(self, buffer: Any, n: int) -> int:
        """Captures and promotions."""
        return generate(self, buffer, n, EVERYWHERE, 0, LAST_RANKS & ~(self.own | self.other))

    def sharp(self, buffer: Any, n: int) -> int:
        """Captures, promotions, and quiet moves by which the moved piece itself gives check."""
        return generate_sharp(self, buffer, n)

    def play(self, move: int) -> "Chess":
        start, to, kind = move & 63, move >> TO & 63, move >> KIND & 31
        a, b = left(1, start), left(1, to)
        if self.own & b != 0:
            return castle(self, start, to)
        turn = self.turn & 1
        mine, yours = turn * 17, 17 - turn * 17
        both = a | b
        pawns, knights = self.pawns, self.knights
        diagonals, orthogonals = self.diagonals, self.orthogonals
        other, castling, hash = self.other, self.castling, self.hash
        passant, fifty = 0, self.fifty + 1
        if other & b != 0:
            victim = kind_at(self, to)
            pawns &= ~b
            knights &= ~b
            diagonals &= ~b
            orthogonals &= ~b
            other ^= b
            hash ^= PIECE_KEYS[(yours + victim) << 6 | to]
            fifty = 0
        landed = kind
        pawns ^= both & -(kind & 1)
        knights ^= both & -(kind >> 1 & 1)
        diagonals ^= both & -(kind >> 2 & 1)
        orthogonals ^= both & -(kind >> 3 & 1)
        kings = self.kings ^ both & -(kind >> 4 & 1)
        if kind == PAWN_KIND:
            fifty = 0
            if move >> BECOMES != 0:
                landed = move >> BECOMES & 15
                pawns ^= b
                knights |= b & -(landed >> 1 & 1)
                diagonals |= b & -(landed >> 2 & 1)
                orthogonals |= b & -(landed >> 3 & 1)
            elif b == self.passant:
                at = to + 8 if turn != 0 else to - 8
                pawns ^= left(1, at)
                other ^= left(1, at)
                hash ^= PIECE_KEYS[(yours + PAWN_KIND) << 6 | at]
            elif (to - start) & 15 == 0:
                passant = left(1, (to + start) >> 1)
        if castling != 0:
            castling &= ~both
            if kind == KING_KIND:
                castling &= ~(RANK_8 if turn != 0 else RANK_1)
        hash ^= PIECE_KEYS[(mine + kind) << 6 | start] ^ PIECE_KEYS[(mine + landed) << 6 | to]
        return Chess(
            pawns,
            knights,
            diagonals,
            orthogonals,
            kings,
            other,
            self.own ^ both,
            1 - turn,
            castling,
            passant,
            fifty,
            self.number + 1,
            hash,
        )

    # --- the end of the game --------------------------------------------------------------------
    def outcome(self) -> int:
        """A dead position is drawn (RULES 8); only few pieces can make one."""
        if self.orthogonals != 0:
            return OPEN
        return DRAWN if is_dead(self) else OPEN

    def stuck(self) -> int:
        """Mate or stalemate (RULES 7)."""
        return LOST if in_check(self) else DRAWN

    # --- opinions -------------------------------------------------------------------------------
    def urgent(self) -> bool:
        return in_check(self)

    def gain(self, move: int) -> int:
        """The most valuable victim first, by the least valuable piece; a new queen is a gain too."""
        to, kind, becomes = move >> TO & 63, move >> KIND & 31, move >> BECOMES & 15
        result = 0
        if right(self.other, to) & 1 != 0:
            result = 16 * WORTH[kind_at(self, to)] - WORTH[kind] + 1000
        elif kind == PAWN_KIND and left(1, to) == self.passant:
            result = 16 * WORTH[PAWN_KIND] - WORTH[kind] + 1000
        if becomes == QUEEN_KIND:
            return result + 16 * (WORTH[QUEEN_KIND] - WORTH[PAWN_KIND])
        if becomes != 0:
            return -2 if becomes == KNIGHT_KIND else -3
        return result

    def sound(self, move: int) -> bool:
        return see_at_least(self, move, 0)

    def brings(self, move: int, least: int) -> bool:
        return see_at_least(self, move, least)

    def slot(self, move: int) -> int:
        return move & 4095

    def pattern(self, move: int) -> int:
        """The piece and where it goes."""
        return PLACE[move >> KIND & 31] << 6 | move >> TO & 63

    # --- turns ----------------------------------------------------------------------------------
    def can_skip(self) -> bool:
        """Not in check, and with a piece besides king and pawns: else zugzwang is common."""
        pieces = self.knights | self.diagonals | self.orthogonals
        return pieces & self.own != 0 and not in_check(self)

    def skip(self) -> "Chess":
        """A pass is no move: nothing is counted, so two of them lead back."""
        return Chess(
            self.pawns,
            self.knights,
            self.diagonals,
            self.orthogonals,
            self.kings,
            self.other,
            self.own,
            1 - self.turn,
            self.castling,
            0,
            self.fifty,
            self.number,
            self.hash,
        )

    def boards(self) -> tuple[int, ...]:
        """Pawns, knights, bishops, rooks, queens and king of each side."""
        white, black = (self.own, self.other) if self.turn == 0 else (self.other, self.own)
        bishops, rooks = self.diagonals & ~self.orthogonals, self.orthogonals & ~self.diagonals
        queens = self.diagonals & self.orthogonals
        return (
            white & self.pawns,
            white & self.knights,
            white & bishops,
            white & rooks,
            white & queens,
            white & self.kings,
            black & self.pawns,
            black & self.knights,
            black & bishops,
            black & rooks,
            black & queens,
            black & self.kings,
        )

    # --- the past -------------------------------------------------------------------------------
    def resets(self, move: int) -> bool:
        """Captures and pawn moves can never be taken back."""
        return move >> KIND & 31 == PAWN_KIND or right(self.other, move >> TO & 63) & 1 != 0

    def clock(self) -> int:
        return self.fifty

    def key(self) -> int:
        """Pieces, side to move, castling rights, and a capture in passing if it is legal (RULES 8)."""
        key = self.hash
        if self.turn != 0:
            key ^= STATE_KEYS[0]
        if self.castling != 0:
            key = mix(key, self.castling)
        if self.passant != 0 and can_en_passant(self):
            key ^= STATE_KEYS[1 + (first(self.passant) & 7)]
        return key


@compiled
def castle(position: Any, start: int, rook: int) -> Any:
    """The position after castling: the king to the c- or g-file, the rook to its other side."""
    row, turn = start & 56, position.turn & 1
    to, beside = (row + 6, row + 5) if rook > start else (row + 2, row + 3)
    king_way = left(1, start) ^ left(1, to)
    rook_way = left(1, rook) ^ left(1, beside)
    king_row, rook_row = (turn * 17 + KING_KIND) << 6, (turn * 17 + ROOK_KIND) << 6
    hash = position.hash
    hash ^= PIECE_KEYS[king_row | start] ^ PIECE_KEYS[king_row | to]
    hash ^= PIECE_KEYS[rook_row | rook] ^ PIECE_KEYS[rook_row | beside]
    return Chess(
        position.pawns,
        position.knights,
        position.diagonals,
        position.orthogonals ^ rook_way,
        position.kings ^ king_way,
        position.other,
        position.own ^ king_way ^ rook_way,
        1 - turn,
        position.castling & ~(RANK_8 if turn != 0 else RANK_1),
        0,
        position.fifty + 1,
        position.number + 1,
        hash,
    )


def check_marks(position: Any) -> tuple[Mark, ...]:
    """The king in check, if it is."""
    if not in_check(position):
        return ()
    king = next(
        square
        for square, piece in pieces_of(position).items()
        if NAMES[piece[1]] == "king" and piece[0] == position.turn
    )
    return (Mark(square_name(king), "check", f"{SIDES[position.turn]} is in check"),)


SYMBOLS = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True))


def draw_board(position: Any) -> Board:
    """The board from White's side; White's pieces are capitals."""
    pieces = pieces_of(position)
    drawn = {
        square: Piece(letter_of(side, kind), NAMES[kind], side, SYMBOLS[letter_of(side, kind)])
        for square, (side, kind) in pieces.items()
    }
    rows = [[8 * y + x for x in range(8)] for y in reversed(range(8))]
    return Board(
        tuple(tuple(drawn.get(square) for square in row) for row in rows),
        left=tuple("87654321"),
        bottom=tuple(FILES),
        names=tuple(tuple(square_name(square) for square in row) for row in rows),
        checkered=True,
        notes=(f"{SIDES[position.turn]} is in check",) if in_check(position) else (),
    )
