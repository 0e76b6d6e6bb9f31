"""Who may do what in a game: its owner everything, a friend with a play link one side's moves, others watch.

A game's id is its watch link. A play link has a key behind the id, one for each side, made when the owner
asks for it. A visitor's token makes it the owner of the games that it began.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from plywise.web.schema import Refused

KEY_BYTES = 16


def new_key() -> str:
    """A key that nobody can guess."""
    return secrets.token_urlsafe(KEY_BYTES)


def side_of_key(keys: Mapping[int, str], key: str) -> int:
    """The side that a play link is for; Refused if it is none of this game's."""
    for side, known in keys.items():
        if secrets.compare_digest(known.encode(), key.encode("utf-8", "replace")):
            return side
    raise Refused("this play link is not valid; ask the owner of the game for a new one")


@dataclass(frozen=True)
class Access:
    """What one page may do in one game; `names` are those of the sides."""

    is_owner: bool
    sides: tuple[int, ...]  # it may choose for them
    names: tuple[str, ...]

    def require_owner(self) -> None:
        """Refuse what only the owner may do."""
        if not self.is_owner:
            raise Refused(f"only the owner of this game can do that; you {self._what}")

    def require_side(self, side: int) -> None:
        """Refuse what only who plays the side may do."""
        if side not in self.sides:
            raise Refused(f"you cannot play {self.names[side]} here; you {self._what}")

    @property
    def _what(self) -> str:
        return f"play {self.names[self.sides[0]]}" if self.sides else "watch"
