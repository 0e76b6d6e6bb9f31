"""Moves made by touching cells, one after the other: with the cursor or the mouse of a full-screen game."""

from dataclasses import dataclass, field

from plywise.core.history import History


@dataclass
class Touches:
    """The cells touched so far, by name, and the moves that they can still become."""

    view: History
    names: tuple[str, ...] = ()
    entries: list[tuple[str, tuple[str, ...]]] = field(init=False)  # moves as text, with the cells to touch

    def __post_init__(self) -> None:
        game, position = self.view.game, self.view.position
        moves = game.moves(position)
        self.entries = [
            (game.move_text(position, move), game.move_entry(position, move).steps) for move in moves
        ]

    @property
    def possible(self) -> list[tuple[str, tuple[str, ...]]]:
        """The moves that begin with the cells touched."""
        return [one for one in self.entries if one[1][: len(self.names)] == self.names]

    @property
    def goals(self) -> set[str]:
        """The cells that can be touched next, once one is; also where a long jump ends."""
        if not self.names:
            return set()
        return {steps[-1] for _, steps in self.possible if len(steps) > len(self.names)} | {
            steps[len(self.names)] for _, steps in self.possible if len(steps) > len(self.names)
        }

    def touch(self, name: str) -> list[str]:
        """Touch a cell; the moves that are complete by it: one is played, several are chosen from."""
        before, self.names = self.names, (*self.names, name)
        if not self.possible:
            begun = [one for one in self.entries if one[1][: len(before)] == before]
            straight = [move for move, steps in begun if steps[-1:] == (name,)]
            if before and straight:  # straight to the end of a long jump
                self.names = ()
                return straight
            self.names = (name,) if before != (name,) and self._begins(name) else ()
        complete = [move for move, steps in self.possible if steps == self.names]
        if self.names and len(complete) == len(self.possible):
            self.names = ()
            return complete
        return []

    def _begins(self, name: str) -> bool:
        return any(steps[:1] == (name,) for _, steps in self.entries)
