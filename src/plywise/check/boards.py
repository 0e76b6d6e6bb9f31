"""The proof that a game's `boards` are what a learned evaluation can rely on."""

from collections.abc import Iterator
from typing import Any

from plywise.core.bits import popcount
from plywise.core.game import Game
from plywise.core.net_file import MAX_BOARDS, names_boards

_SPAN = 1 << 63


def board_faults(game: Game, position: Any) -> Iterator[str]:
    """What is wrong with the boards of a position, in words; nothing if they keep the contract.

    Where side 1 sees the board turned, the first half is of side 0 and the second of side 1 alike: the
    start, which is fair, must look the same to both.
    """
    if not game.compiled or not names_boards(game):
        return
    boards, start = position.boards(), game.start().boards()
    if not isinstance(boards, tuple) or not all(type(board) is int for board in boards):
        yield f"boards() is {boards!r}, not a tuple of whole numbers,"
        return
    if not 1 <= len(boards) <= MAX_BOARDS or len(boards) != len(start):
        yield f"boards() gives {len(boards)} boards, and {len(start)} at the start,"
        return
    if not all(-_SPAN <= board < _SPAN for board in boards):
        yield "boards() gives a number that is no signed 64-bit word (core.bits.wrap makes one),"
        return
    if game.perspective == "same":
        return
    if len(boards) % 2:
        yield f"boards() gives {len(boards)} boards, which is not the same number for each side,"
        return
    half = len(start) // 2
    first, second = ([popcount(board) for board in part] for part in (start[:half], start[half:]))
    if first != second:
        yield f"boards() gives {first} cells to side 0 and {second} to side 1 at the start: no mirror image,"
