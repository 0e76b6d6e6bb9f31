"""The proof that a game's `boards` are what a learned evaluation can rely on."""

from collections.abc import Iterable, Iterator
from typing import Any

from plywise.check.finding import Finding
from plywise.core.bits import bits, popcount
from plywise.core.contract import source_place
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.net_file import MAX_BOARDS, names_boards

_SPAN = 1 << 63
LEAST = 20  # plies that must speak for an advice
MOST_EXCHANGED = 0.9  # of them, in which the halves look exchanged
LAST_ROW = 56  # the first cell of the last of eight rows: XOR with it turns the board upside down


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
    elif not _same_to_both(start[:half], start[half:], game.perspective):
        yield (
            f"the start does not look the same to both sides with perspective={game.perspective!r}: another"
            " perspective is right for these boards(), or 'same',"
        )


def check_order(game: Game, histories: Iterable[History]) -> Iterator[Finding]:
    """Advice if the boards of the side to move come first: a move then seems to change all of them."""
    if not game.compiled or not names_boards(game):
        return
    kept = exchanged = 0
    for history in histories:
        if history.before is None or history.before.position.turn == history.position.turn:
            continue
        before, after = history.before.position.boards(), history.position.boards()
        half = len(after) // 2
        as_they_are, swapped = _changes(before, after), _changes(before, after[half:] + after[:half])
        kept, exchanged = kept + (as_they_are < swapped), exchanged + (as_they_are > swapped)
    if exchanged >= LEAST and exchanged > MOST_EXCHANGED * (kept + exchanged):
        place = source_place(game.author, "boards")
        words = "boards() seems to give those of the side to move first"
        cure = "first come those of side 0, then those of side 1, whoever is to move"
        yield Finding("boards", f"{place}: {words}; {cure}", advice=True)


def _changes(one: tuple[int, ...], two: tuple[int, ...]) -> int:
    return sum(popcount(board ^ other) for board, other in zip(one, two, strict=True))


def _same_to_both(first: tuple[int, ...], second: tuple[int, ...], perspective: str) -> bool:
    """Whether side 1 sees of its own boards what side 0 sees of its."""
    own, other = ([set(bits(board)) for board in part] for part in (first, second))
    cells = set[int]().union(*own, *other)
    ends = min(cells, default=0) + max(cells, default=0)
    turned = [
        {cell ^ LAST_ROW if perspective == "flipped" else ends - cell for cell in each} for each in other
    ]
    return own == turned
