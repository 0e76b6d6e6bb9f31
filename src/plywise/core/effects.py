"""What a move does on a board, seen by comparing the board before with the board after.

Games that say nothing of their own are animated and entered by hand through this.
"""

import functools
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from plywise.core.board import Board, Effect, MoveEntry, Phase, Piece

_BETWEEN = re.compile(r"[\W_x]++")


def move_entry(board: Board, text: str) -> MoveEntry:
    """The cells that a move's text names, in order; what it says beyond them is a choice.

    >>> from plywise import load
    >>> chess = load("chess")
    >>> move_entry(chess.board(chess.start()), "e7e8q")
    MoveEntry(steps=('e7', 'e8'), choice='q')
    """
    pattern = _names(board.names)
    if pattern is None:
        return MoveEntry(())
    return MoveEntry(tuple(pattern.findall(text)), _BETWEEN.sub("", pattern.sub(" ", text)))


@functools.lru_cache(16)
def _names(rows: tuple[tuple[str, ...], ...]) -> re.Pattern[str] | None:
    """What finds the names of a board's cells in a text, the longest first."""
    names = sorted({name for row in rows for name in row if name}, key=lambda name: (-len(name), name))
    return re.compile("|".join(re.escape(name) for name in names)) if names else None


def phases_by_cell(board: Board, phases: Iterable[Phase]) -> tuple[Phase, ...]:
    """The same phases with all cells counted row by row, in place of their names."""

    def by_cell(effect: Effect) -> Effect:
        to = None if effect.to is None else board.cell(effect.to)
        return replace(effect, at=board.cell(effect.at), to=to)

    return tuple(Phase(phase.name, tuple(map(by_cell, phase.effects))) for phase in phases)


def touched_cells(phases: Iterable[Phase]) -> list[int]:
    """The cells, counted row by row, where something happens in these phases."""
    found = {cell for phase in phases for effect in phase.effects for cell in (effect.at, effect.to)}
    return sorted(cell for cell in found if isinstance(cell, int))


def compare_boards(before: Board, after: Board, steps: Sequence[str] = ()) -> tuple[Phase, ...]:
    """The phases that lead from one board to the other; `steps` are the cells the move names."""
    old, new = before.pieces, after.pieces
    if len(old) != len(new):
        return ()
    changed = [cell for cell in range(len(old)) if old[cell] != new[cell]]
    path = _path(before, old, new, steps)
    gone = [cell for cell in changed if old[cell] is not None and cell not in path]
    come = [cell for cell in changed if new[cell] is not None and cell not in path]
    going: list[Effect] = []
    for cell in list(gone):  # the castled rook: the same piece, elsewhere
        piece = old[cell]
        if piece is not None and piece.count is not None:
            continue  # as many stones in another pit are other stones
        there = next((to for to in come if new[to] == old[cell]), None)
        if there is not None:
            going.append(Effect("move", cell, there))
            gone.remove(cell)
            come.remove(there)
    result: list[Phase] = []
    for leg, (here, there) in enumerate(pairwise(path)):
        kind = "hop" if len(path) > 2 else "move"
        taken = [Effect("capture", there)] if leg == len(path) - 2 and old[there] and there != path[0] else []
        result.append(Phase(kind, (*taken, Effect(kind, here, there), *(going if leg == 0 else ()))))
    if not path and going:
        result.append(Phase("move", tuple(going)))
    arrived = {effect.to for effect in going}
    struck = tuple(Effect("capture", cell) for cell in gone if cell not in come and cell not in arrived)
    if struck:
        result.append(Phase("captures", struck))
    if steps and before.shape == "pits":  # stones are taken up, then sown
        taken_up = [cell for cell in come if cell in gone and cell in _cells_of(before, steps)]
        if taken_up:
            result.append(Phase("take", tuple(Effect("change", cell, piece=new[cell]) for cell in taken_up)))
        come = [cell for cell in come if cell not in taken_up]
    placed = [Effect("change" if cell in gone else "place", cell, piece=new[cell]) for cell in come]
    if path and old[path[0]] != new[path[-1]]:
        placed.append(Effect("promote", path[-1], piece=new[path[-1]]))
    if placed:
        result.append(Phase("changes", tuple(placed)))
    return tuple(result)


def _cells_of(board: Board, names: Sequence[str]) -> set[int]:
    """The cells that have one of the names."""
    return {cell for cell, name in enumerate(name for row in board.names for name in row) if name in names}


def _path(before: Board, old: list[Piece | None], new: list[Piece | None], steps: Sequence[str]) -> list[int]:
    """The cells that one piece passes, if the steps are such a way; else none."""
    names = [name for row in before.names for name in row]
    if len(set(steps)) < 2 or any(names.count(step) != 1 for step in steps):
        return []
    path = [names.index(step) for step in steps]
    moved, landed = old[path[0]], new[path[-1]]
    if moved is None or landed is None or moved.side != landed.side:
        return []
    victim = old[path[-1]]
    if path[0] != path[-1] and victim is not None and victim.side == moved.side:
        return []  # both pieces are ours: not a way but a meeting, like a king and a rook that castle
    return path
