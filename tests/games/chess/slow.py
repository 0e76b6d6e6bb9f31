"""Chess the slow and obvious way: a dictionary of squares, every move tried out on a copy.

It shares no code with the game and is never made faster. Squares are (file, rank) from (0, 0) for
a1; moves are (from, to, promotion letter or ""), castling is the king going onto its own rook.
"""

from dataclasses import dataclass

Square = tuple[int, int]
Move = tuple[Square, Square, str]

STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
SLANTED = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
JUMPS = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
RIDERS = {"b": SLANTED, "r": STRAIGHT, "q": STRAIGHT + SLANTED}
STEPPERS = {"n": JUMPS, "k": STRAIGHT + SLANTED}


def on_board(square: Square) -> bool:
    return 0 <= square[0] < 8 and 0 <= square[1] < 8


@dataclass
class SlowChess:
    pieces: dict[Square, str]  # upper case is White
    white_moves: bool
    castling: set[Square]  # rooks that may castle
    passant: Square | None
    fifty: int
    number: int

    @classmethod
    def read(cls, fen: str) -> "SlowChess":
        board, side, castling, passant, fifty, number = fen.split()
        pieces = {}
        for down, row in enumerate(board.split("/")):
            file = 0
            for letter in row:
                if letter.isdigit():
                    file += int(letter)
                else:
                    pieces[file, 7 - down] = letter
                    file += 1
        rooks: set[Square] = set()
        for letter in castling.replace("-", ""):
            rank = 0 if letter.isupper() else 7
            king_file = next(s[0] for s, p in pieces.items() if p == ("K" if letter.isupper() else "k"))
            mine = [f for f in range(8) if pieces.get((f, rank)) == ("R" if letter.isupper() else "r")]
            if letter in "Kk":
                rooks.add((max(f for f in mine if f > king_file), rank))
            elif letter in "Qq":
                rooks.add((min(f for f in mine if f < king_file), rank))
            else:
                rooks.add(("abcdefgh".index(letter.lower()), rank))
        square = None if passant == "-" else ("abcdefgh".index(passant[0]), int(passant[1]) - 1)
        return cls(pieces, side == "w", rooks, square, int(fifty), int(number))

    def mine(self, square: Square) -> bool:
        return square in self.pieces and self.pieces[square].isupper() == self.white_moves

    def theirs(self, square: Square) -> bool:
        return square in self.pieces and self.pieces[square].isupper() != self.white_moves

    def attacked(self, target: Square, by_white: bool) -> bool:
        for square, letter in self.pieces.items():
            if letter.isupper() != by_white:
                continue
            kind = letter.lower()
            if kind == "p":
                rank = square[1] + (1 if by_white else -1)
                if target in ((square[0] - 1, rank), (square[0] + 1, rank)):
                    return True
            elif kind in STEPPERS:
                if any((square[0] + dx, square[1] + dy) == target for dx, dy in STEPPERS[kind]):
                    return True
            else:
                for dx, dy in RIDERS[kind]:
                    at = (square[0] + dx, square[1] + dy)
                    while on_board(at):
                        if at == target:
                            return True
                        if at in self.pieces:
                            break
                        at = (at[0] + dx, at[1] + dy)
        return False

    def in_check(self, white: bool) -> bool:
        king = next(s for s, p in self.pieces.items() if p == ("K" if white else "k"))
        return self.attacked(king, not white)

    def candidates(self) -> list[Move]:
        """Moves by the way the pieces go, without a thought for the king."""
        moves: list[Move] = []
        up = 1 if self.white_moves else -1
        for square, letter in list(self.pieces.items()):
            if not self.mine(square):
                continue
            kind, (x, y) = letter.lower(), square
            if kind == "p":
                targets = []
                if (x, y + up) not in self.pieces:
                    targets.append((x, y + up))
                    if y == (1 if self.white_moves else 6) and (x, y + 2 * up) not in self.pieces:
                        targets.append((x, y + 2 * up))
                sides = ((x - 1, y + up), (x + 1, y + up))
                targets += [to for to in sides if self.theirs(to) or to == self.passant]
                for to in targets:
                    moves += [(square, to, letter) for letter in ("qrbn" if to[1] in (0, 7) else [""])]
            elif kind in STEPPERS:
                for dx, dy in STEPPERS[kind]:
                    to = (x + dx, y + dy)
                    if on_board(to) and not self.mine(to):
                        moves.append((square, to, ""))
            else:
                for dx, dy in RIDERS[kind]:
                    to = (x + dx, y + dy)
                    while on_board(to) and not self.mine(to):
                        moves.append((square, to, ""))
                        if to in self.pieces:
                            break
                        to = (to[0] + dx, to[1] + dy)
        return moves

    def castlings(self) -> list[Move]:
        moves: list[Move] = []
        rank = 0 if self.white_moves else 7
        king = next(s for s, p in self.pieces.items() if p == ("K" if self.white_moves else "k"))
        if self.in_check(self.white_moves):
            return []
        for rook in self.castling:
            if rook[1] != rank:
                continue
            king_to, rook_to = (6, 5) if rook[0] > king[0] else (2, 3)
            way = range(min(king[0], king_to), max(king[0], king_to) + 1)
            rook_way = range(min(rook[0], rook_to), max(rook[0], rook_to) + 1)
            if any((x, rank) in self.pieces and (x, rank) not in (king, rook) for x in [*way, *rook_way]):
                continue
            bare = SlowChess({s: p for s, p in self.pieces.items() if s not in (king, rook)},
                             self.white_moves, set(), None, 0, 1)  # fmt: skip
            if any(bare.attacked((x, rank), not self.white_moves) for x in way):
                continue
            moves.append((king, rook, ""))
        return moves

    def moves(self) -> list[Move]:
        legal = [move for move in self.candidates() if not self.play(move).in_check(self.white_moves)]
        return legal + self.castlings()

    def play(self, move: Move) -> "SlowChess":
        start, to, promotion = move
        pieces, castling = dict(self.pieces), set(self.castling)
        letter = pieces.pop(start)
        fifty, passant, rank = self.fifty + 1, None, start[1]
        if self.mine(to):
            rook = pieces.pop(to)
            king_to, rook_to = (6, 5) if to[0] > start[0] else (2, 3)
            pieces[king_to, rank], pieces[rook_to, rank] = letter, rook
        else:
            if to in pieces or letter in "Pp":
                fifty = 0
            if letter in "Pp" and to == self.passant:
                del pieces[to[0], rank]
            if letter in "Pp" and abs(to[1] - rank) == 2:
                passant = (start[0], (to[1] + rank) // 2)
            pieces[to] = letter if not promotion else promotion.upper() if self.white_moves else promotion
        castling -= {start, to}
        if letter in "Kk":
            castling = {rook for rook in castling if rook[1] != (0 if self.white_moves else 7)}
        number = self.number + (0 if self.white_moves else 1)
        return SlowChess(pieces, not self.white_moves, castling, passant, fifty, number)

    def same(self) -> tuple:
        """What makes two positions the same for repetition: en passant only where it is legal."""
        takes = any(to == self.passant and self.pieces[start] in "Pp" for start, to, _ in self.moves())
        return (
            frozenset(self.pieces.items()),
            self.white_moves,
            frozenset(self.castling),
            self.passant if takes else None,
        )

    def perft(self, depth: int) -> int:
        moves = self.moves()
        return len(moves) if depth == 1 else sum(self.play(move).perft(depth - 1) for move in moves)
