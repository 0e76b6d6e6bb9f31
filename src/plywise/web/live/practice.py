"""Practice: what a live game counts and keeps for those who learn: hints, marks of a review, tries."""

from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any, Protocol

from plywise.web.live.tree import GameStatus, GameTree

OPEN, SOLVED, SHOWN = "open", "solved", "shown"  # how far a person has come with a mistake


class PractisedGame(Protocol):
    """What practice needs of a live game."""

    tree: GameTree
    status: GameStatus

    @property
    def lock(self) -> AbstractContextManager[Any]:
        """What makes threads take turns."""
        ...

    def save_status(self, status: GameStatus) -> None:
        """Save a status, and send the new state."""
        ...


def count_hint(game: PractisedGame) -> None:
    """Count a hint."""
    with game.lock:
        game.save_status(replace(game.status, hints=game.status.hints + 1))


def save_marks(game: PractisedGame, marks: dict[int, tuple[str | None, float]]) -> None:
    """Save what a review has found, in place of what an earlier one found."""
    with game.lock:
        game.save_status(replace(game.status, marks={**game.status.marks, **marks}))


def count_try(game: PractisedGame, n: int, good: bool) -> None:
    """Count a move in place of the mistake that led to a node; nothing counts once it is solved or shown."""
    with game.lock:
        wrong, state = game.status.tries.get(n, (0, OPEN))
        if state == OPEN:
            _save_try(game, n, (wrong, SOLVED) if good else (wrong + 1, OPEN))


def show_solution(game: PractisedGame, n: int) -> None:
    """Keep that the better move in place of a mistake was shown, unless it is solved already."""
    with game.lock:
        wrong, state = game.status.tries.get(n, (0, OPEN))
        if state == OPEN:
            _save_try(game, n, (wrong, SHOWN))


def _save_try(game: PractisedGame, n: int, one: tuple[int, str]) -> None:
    game.tree.node(n)  # refused if there is none
    game.save_status(replace(game.status, tries={**game.status.tries, n: one}))
