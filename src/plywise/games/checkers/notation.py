"""Checkers as text: the FEN of PDN, moves by the numbers of their squares, and the board.

Nothing here is compiled; positions are those of `rules.py`.
"""

import re
from typing import TYPE_CHECKING, Any

from plywise.core.board import Board, Mark, Piece
from plywise.core.untrusted import shorten, whole_number
from plywise.games.checkers.squares import (
    BLACK_CROWNS,
    STEPS,
    WHITE_CROWNS,
    bit_of,
    board_of,
    square_of,
    squares_of,
)

if TYPE_CHECKING:
    from plywise.games.checkers.rules import Checkers

SIDES = ("Black", "White")
LETTERS = "BW"
MOST_PIECES = 12
TAKEN, PATH, BOARD = 12, 47, (1 << 35) - 1  # the parts of a move's number: see rules.py
MEN = (Piece("b", "man", 0, "⛂"), Piece("w", "man", 1, "⛀"))
KINGS = (Piece("B", "king", 0, "⛃"), Piece("W", "king", 1, "⛁"))

_MOVE = re.compile(r"[0-9]++(?:\s*+[-x:*]\s*+[0-9]++)++")
_PLACE = re.compile(r"([Kk]?)([0-9]++)(?:-([0-9]++))?")
_DIGITS = re.compile(r"[0-9]++")


def colours(position: "Checkers") -> tuple[int, int]:
    """The pieces of Black and of White."""
    pair = position.own, position.other
    return pair if position.turn == 0 else pair[::-1]


# --- positions ----------------------------------------------------------------------------------
def fen(position: "Checkers") -> str:
    """The side to move, White's pieces, Black's pieces, each in the order of the squares."""
    black, white = colours(position)
    parts = []
    for letter, pieces in (("W", white), ("B", black)):
        places = [f"{'K' if position.kings >> bit_of(s) & 1 else ''}{s}" for s in squares_of(pieces)]
        parts.append(letter + ",".join(places))
    return ":".join([LETTERS[position.turn], *parts])


def read_fen(text: str) -> tuple[int, int, int, int]:
    """The fields of the position that a FEN means; ValueError says what is wrong with it."""
    parts = [part.strip() for part in text.strip().rstrip(".").split(":")]
    if parts[0].upper() not in ("B", "W"):
        raise ValueError(f"it should begin with the side to move, 'B:' or 'W:', not {shorten(parts[0])!r}")
    turn = LETTERS.index(parts[0].upper())
    men, kings = [0, 0], [0, 0]
    seen: list[int] = []
    for part in parts[1:]:
        if not part or part[0].upper() not in ("B", "W"):
            raise ValueError(f"{part!r} should begin with the colour of its pieces, 'B' or 'W'")
        side = LETTERS.index(part[0].upper())
        if side in seen:
            raise ValueError(f"{SIDES[side]}'s pieces are listed twice")
        seen.append(side)
        for place in filter(None, (place.strip() for place in part[1:].split(","))):
            king, squares = _place(place)
            board = board_of(squares)
            both = board & (men[0] | men[1] | kings[0] | kings[1])
            if both:
                raise ValueError(f"square {squares_of(both)[0]} is taken twice")
            (kings if king else men)[side] |= board
    if len(seen) < 2:
        raise ValueError("it should list the pieces of both colours, as in 'W:W22,27:B24'")
    for side, row in ((0, BLACK_CROWNS), (1, WHITE_CROWNS)):
        if men[side] & row:
            square = squares_of(men[side] & row)[0]
            raise ValueError(f"a {SIDES[side]} man on {square} would be a king (RULES 4): write K{square}")
        count = len(squares_of(men[side] | kings[side]))
        if count > MOST_PIECES:
            raise ValueError(f"{SIDES[side]} has {count} pieces, and never more than {MOST_PIECES}")
    pieces = men[0] | kings[0], men[1] | kings[1]
    return pieces[turn], pieces[1 - turn], kings[0] | kings[1], turn


def _place(text: str) -> tuple[bool, range]:
    """A square, a king's square, or a range of squares."""
    match = _PLACE.fullmatch(text)
    if match is None:
        raise ValueError(f"{shorten(text, 40)!r} is no square: write 1 to 32, with a K before a king's")
    low, high = _square(match[2]), _square(match[3] or match[2])
    return bool(match[1]), range(low, high + 1)


def _square(digits: str, rule: str = "") -> int:
    try:
        return whole_number(digits, 1, 32)
    except ValueError:
        square = shorten(digits, 20)
        raise ValueError(f"there is no square {square}: they are numbered 1 to 32{rule}") from None


# --- moves --------------------------------------------------------------------------------------
def legal_moves(position: "Checkers") -> list[int]:
    """The legal moves."""
    buffer: dict[int, int] = {}
    return [buffer[i] for i in range(position.moves(buffer, 0))]


def ends(move: int) -> tuple[int, int]:
    """The squares where a move begins and ends."""
    return square_of(move & 63), square_of(move >> 6 & 63)


def landings(move: int) -> list[int]:
    """Every square that the moving piece stands on, the first and the last included."""
    at, end = move & 63, move >> 6 & 63
    jumps = (move >> TAKEN & BOARD).bit_count()
    result = [square_of(at)]
    for i in range(jumps - 1):
        at += 2 * STEPS[move >> (PATH + 2 * i) & 3]
        result.append(square_of(at))
    return [*result, square_of(end)]


def victims(move: int) -> list[int]:
    """The squares of the pieces that a move takes."""
    return squares_of(move >> TAKEN & BOARD)


def move_text(position: "Checkers", move: int) -> str:
    """`11-15` for a step; `15x22` for a capture, or every landing square if that fits two."""
    if move >> TAKEN == 0:
        return "{}-{}".format(*ends(move))
    return short(move) if is_unambiguous(move, legal_moves(position)) else long(move)


def is_unambiguous(move: int, moves: list[int]) -> bool:
    """No other of the moves has the same ends."""
    return sum(ends(other) == ends(move) for other in moves) < 2


def short(move: int) -> str:
    return "{}x{}".format(*ends(move))


def long(move: int) -> str:
    return "x".join(map(str, landings(move)))


def steps(move: int) -> tuple[str, ...]:
    """The squares that a hand touches: where it leaves, and each landing."""
    return tuple(map(str, landings(move) if move >> TAKEN else ends(move)))


def marks(position: "Checkers") -> tuple[Mark, ...]:
    """The pieces that must capture (RULES 3); none where nothing can."""
    must = sorted({ends(move)[0] for move in legal_moves(position) if move >> TAKEN})
    return tuple(
        Mark(str(square), "must", f"the piece on {square} must capture (RULES 3)") for square in must
    )


def read_move(position: "Checkers", text: str) -> int:
    """The legal move that a text means, in the short form or the long; ValueError names the rule."""
    match = _MOVE.fullmatch(text.strip())
    if match is None:
        raise ValueError("it is no move: write 11-15, or 15x22 for a capture")
    path = [_square(digits, " (RULES 1)") for digits in _DIGITS.findall(text)]
    moves = legal_moves(position)
    fits = [move for move in moves if ends(move) == (path[0], path[-1])]
    exact = [move for move in fits if landings(move) == path]
    fits = exact if exact or len(path) > 2 else fits
    if len(fits) == 1:
        return fits[0]
    if fits:
        raise ValueError(f"it fits {len(fits)} captures: {', '.join(map(long, fits))}; write all squares")
    raise ValueError(refusal(position, path, moves))


def refusal(position: "Checkers", path: list[int], moves: list[int]) -> str:
    """Why a move is not legal, by the rule it breaks, and what would be legal."""
    start, end, side = path[0], path[-1], SIDES[position.turn]
    bit, target = 1 << bit_of(start), 1 << bit_of(end)
    if not moves:
        return "the game is over"
    if position.other & bit:
        return f"the piece on {start} is {SIDES[1 - position.turn]}'s, and it is {side}'s turn (RULES 1)"
    if not position.own & bit:
        return f"there is no piece on {start} (RULES 1)"
    captures = [move for move in moves if move >> TAKEN]
    if captures:
        longer = [m for m in captures if landings(m)[: len(path)] == path and len(path) > 1]
        longer = longer or [m for m in captures if ends(m)[0] == start and end in landings(m)[1:]]
        if longer:
            return f"the capture must go on: {_choice(longer, moves)} (RULES 3)"
        return f"you must capture: {_choice(captures, moves)} (RULES 3)"
    if target & (position.own | position.other) and start != end:
        return f"there is a piece on {end} (RULES 2)"
    king = bool(position.kings & bit)
    step = bit_of(end) - bit_of(start)
    own = [f"{s}-{e}" for s, e in map(ends, moves) if s == start]
    here = f"; from {start} it can go {', '.join(own)}" if own else f"; the piece on {start} cannot move"
    if len(path) > 2 or abs(step) in (8, 10):
        return f"there is no capture from {start} to {end} (RULES 3){here}"
    if not king and step in ((-4, -5) if position.turn == 0 else (4, 5)):
        return f"a man moves forward only (RULES 2){here}"
    return f"a {'king' if king else 'man'} moves one square diagonally (RULES 2){here}"


def _choice(captures: list[int], moves: list[int]) -> str:
    """Captures to choose from; with its victims if there is one only."""
    if len(captures) > 1:
        return " or ".join(short(m) if is_unambiguous(m, moves) else long(m) for m in captures)
    taken = victims(captures[0])
    what = f"the piece on {taken[0]}" if len(taken) == 1 else f"those on {', '.join(map(str, taken))}"
    return f"{short(captures[0])} takes {what}"


# --- the board ----------------------------------------------------------------------------------
def board(position: "Checkers") -> Board:
    """The board as Black sees it, with square 1 in the lower right half."""
    black, white = colours(position)
    rows: list[tuple[Any, ...]] = []
    names: list[tuple[str, ...]] = []
    for row in reversed(range(8)):
        cells: list[Piece | None] = [None] * 8
        labels = [""] * 8
        for square in range(4 * row + 1, 4 * row + 5):
            column = 7 - (2 * ((square - 1) % 4) + (1 if row % 2 == 0 else 0))
            labels[column] = str(square)
            at = 1 << bit_of(square)
            if (black | white) & at:
                cells[column] = (KINGS if position.kings & at else MEN)[0 if black & at else 1]
        rows.append(tuple(cells))
        names.append(tuple(labels))
    return Board(tuple(rows), names=tuple(names), checkered=True, padding=0.03)
