"""English checkers on bitboards: a capture, however many jumps it has, is one move.

A move's number is, from the low end: the bit it starts from (6), the bit it ends on (6), the bits of
the pieces that it takes (35), and the directions of its first eight jumps (2 each). No piece makes
more than nine jumps, and the ninth follows from the rest, so different paths have different numbers.
"""

from typing import Any, NamedTuple

from plywise.core.bits import first, keys, mix, popcount, rest, wrap
from plywise.core.board import Board, Mark
from plywise.core.compiled import compiled
from plywise.core.define import game
from plywise.core.formats import Format
from plywise.core.game import Draws
from plywise.core.opening import Opening
from plywise.core.preset import Preset
from plywise.core.scores import UNKNOWN
from plywise.games.checkers import notation
from plywise.games.checkers.endings import ENDGAMES, MOST, probe_score
from plywise.games.checkers.presets import PRESETS
from plywise.games.checkers.squares import BLACK_CROWNS, ROWS, SQUARES, WHITE_CROWNS

BLACK, WHITE = 0, 1  # Black moves first (RULES 1)
CROWNS = BLACK_CROWNS | WHITE_CROWNS
BLACK_START, WHITE_START = ROWS[0] | ROWS[1] | ROWS[2], ROWS[5] | ROWS[6] | ROWS[7]
TAKEN, PATH = 12, 47  # where the taken pieces and the directions begin in a move's number
BOARD = (1 << 35) - 1
FORWARD_BLACK, FORWARD_WHITE, ANY_WAY = 0b0011, 0b1100, 0b1111  # directions, as bits: see STEPS
KEY_OWN, KEY_OTHER, KEY_KINGS = (word | 1 for word in keys(21, 3))
MOST_MOVES = 184  # no king has more than 16 captures, no twelve pieces more than this (see the tests)


@compiled
def jumpers(own: int, other: int, kings: int, turn: int) -> int:
    """The pieces of the side to move that can capture (RULES 3)."""
    empty = SQUARES & ~(own | other)
    up, down = (own, own & kings) if turn == BLACK else (own & kings, own)
    ahead = other >> 4 & empty >> 8 | other >> 5 & empty >> 10
    behind = other << 4 & empty << 8 | other << 5 & empty << 10
    return up & ahead | down & behind


@compiled
def generate_captures(
    buffer: Any, n: int, start: int, at: int, other: int, empty: int, ways: int, taken: int, count: int
) -> int:
    """Write every complete capture of a piece that has come from `start` to `at`.

    `ways` are the directions it may jump in, as bits: all four for a king, two for a man. `taken`
    holds the pieces jumped so far and, above them, the path, as in a move's number.
    """
    here, more = 1 << at, False
    for way in range(4):
        if ways >> way & 1 == 0:
            continue
        if way == 0:
            victim, to, landing = here << 4, here << 8, at + 8
        elif way == 1:
            victim, to, landing = here << 5, here << 10, at + 10
        elif way == 2:
            victim, to, landing = here >> 4, here >> 8, at - 8
        else:
            victim, to, landing = here >> 5, here >> 10, at - 10
        if victim & other & ~taken == 0 or to & empty == 0:
            continue
        more = True
        gone = taken | victim
        if count < 8:
            gone |= way << (PATH - TAKEN + 2 * count)
        if ways != ANY_WAY and to & CROWNS != 0:
            # Reaching the king row ends the turn (RULES 4): a fresh king must not jump on.
            buffer[n] = start | landing << 6 | gone << TAKEN
            n += 1
        else:
            n = generate_captures(buffer, n, start, landing, other, empty, ways, gone, count + 1)
    if not more:
        buffer[n] = start | at << 6 | taken << TAKEN
        n += 1
    return n


@game(
    "checkers",
    title="English checkers",
    sides=("Black", "White"),
    draws=Draws(repetition=3, plies=80),
    perspective="rotated",
    margins="margins.json",
    most_moves=MOST_MOVES,
    slope=0.75,  # fitted by benchmarks/levels_ladder.py --fit
    bench=(
        ("start", 15),
        ("W:W15,17,18,19,22,26,27,28,30,32:B1,3,6,8,9,10,11,12,13,20", 15),
        ("B:W17,18,20,22,23,24,30,31,32:B1,4,6,8,9,10,11,12,16,21", 15),
        ("W:WK4,9,K13,27,32:B3,5,K10,28", 15),
    ),
    lends=(ENDGAMES,),
)
class Checkers(NamedTuple):
    """The pieces of the side to move, those of the other side, and which of all are kings."""

    own: int = BLACK_START
    other: int = WHITE_START
    kings: int = 0
    turn: int = BLACK

    def moves(self, buffer: Any, n: int) -> int:
        """Captures if there are any (RULES 3), else steps (RULES 2)."""
        own, other, kings = self.own, self.other, self.kings
        pieces = jumpers(own, other, kings, self.turn)
        empty = SQUARES & ~(own | other)
        forward = FORWARD_BLACK if self.turn == BLACK else FORWARD_WHITE
        if pieces != 0:
            while pieces != 0:
                at = first(pieces)
                pieces = rest(pieces)
                here = 1 << at
                ways = ANY_WAY if kings & here != 0 else forward
                n = generate_captures(buffer, n, at, at, other, empty | here, ways, 0, 0)
            return n
        up, down = (own, own & kings) if self.turn == BLACK else (own & kings, own)
        for step in (4, 5):
            targets = up << step & empty
            while targets != 0:
                to = first(targets)
                targets = rest(targets)
                buffer[n] = to - step | to << 6
                n += 1
        for step in (4, 5):
            targets = down >> step & empty
            while targets != 0:
                to = first(targets)
                targets = rest(targets)
                buffer[n] = to + step | to << 6
                n += 1
        return n

    def play(self, move: int) -> "Checkers":
        start, end = 1 << (move & 63), 1 << (move >> 6 & 63)
        taken = move >> TAKEN & BOARD
        kings = self.kings
        if kings & start != 0:
            kings ^= start | end if start != end else 0  # a capture may end where it began
        elif end & CROWNS != 0:
            kings |= end  # RULES 4
        return Checkers(self.other & ~taken, self.own & ~start | end, kings & ~taken, 1 - self.turn)

    # --- for the search ---------------------------------------------------------------------------
    def noisy(self, buffer: Any, n: int) -> int:
        """Captures only; where there is one, all moves are captures and the position is urgent."""
        return self.moves(buffer, n) if self.urgent() else n

    def urgent(self) -> bool:
        """A capture is compulsory: there is no standing still here."""
        return jumpers(self.own, self.other, self.kings, self.turn) != 0

    def gain(self, move: int) -> int:
        """What a capture takes, a king for half as much again as a man."""
        taken = move >> TAKEN & BOARD
        return 2 * popcount(taken) + popcount(taken & self.kings)

    def slot(self, move: int) -> int:
        """By both ends, and apart for men and kings."""
        king = self.kings >> (move & 63) & 1
        return (king * 36 + (move & 63)) * 36 + (move >> 6 & 63)

    def resets(self, move: int) -> bool:
        """A capture and a man's move cannot be taken back (RULES 6)."""
        return move >> TAKEN != 0 or self.kings >> (move & 63) & 1 == 0

    def key(self) -> int:
        """All bits of the position, each board multiplied by a number of its own."""
        boards = self.own * KEY_OWN + self.other * KEY_OTHER + self.kings * KEY_KINGS
        return mix(wrap(boards), self.turn)

    def boards(self) -> tuple[int, ...]:
        """Men and kings of each side; to White the board looks turned half round."""
        black, white = (self.own, self.other) if self.turn == BLACK else (self.other, self.own)
        return black & ~self.kings, black & self.kings, white & ~self.kings, white & self.kings

    def probe(self, memory: Any) -> int:
        """With few pieces and no capture due, what the endgame database says, to the very ply."""
        own, other = self.own, self.other
        if popcount(own | other) > MOST or jumpers(own, other, self.kings, self.turn) != 0:
            return UNKNOWN
        return probe_score(memory.endgames, own, other, self.kings, self.turn)

    def reason(self) -> str:
        side = ("Black", "White")[self.turn]
        return f"{side} has no piece left" if self.own == 0 else f"{side} has no legal move (RULES 5)"

    # --- text -------------------------------------------------------------------------------------
    def text(self) -> str:
        """The position in the FEN of PDN: `W:W22,27:B24`."""
        return notation.fen(self)

    @classmethod
    def presets(cls) -> tuple[Preset, ...]:
        """Players by name (presets.py)."""
        return PRESETS

    @classmethod
    def parse(cls, text: str) -> "Checkers":
        return cls(*notation.read_fen(text))

    def move_text(self, move: int) -> str:
        """`11-15`, `15x22`; with every landing square where the ends alone fit two captures."""
        return notation.move_text(self, move)

    @classmethod
    def starts(cls) -> dict[str, str]:
        """The ballots of the three-move restriction that are played across the board (RULES 7)."""
        from plywise.games.checkers.ballots import playable

        return {str(one): one.text for one in playable()}

    @classmethod
    def formats(cls) -> tuple[Format, ...]:
        from plywise.games.checkers.pdn import PDN

        return (PDN,)

    def opening(self) -> Opening | None:
        """Openings and ballots with a name, by position (opening_names.py)."""
        from plywise.games.checkers.opening_names import opening

        return opening(self)

    def read_move(self, text: str) -> int:
        return notation.read_move(self, text)

    def board(self) -> Board:
        return notation.board(self)

    def steps(self, move: int) -> tuple[str, ...]:
        """The square it leaves and every square it lands on."""
        return notation.steps(move)

    def marks(self) -> tuple[Mark, ...]:
        """The pieces that must capture (RULES 3)."""
        return notation.marks(self)
