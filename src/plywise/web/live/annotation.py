"""What a study adds to the moves of a game: comments, glyphs, the order of variations; and edits of them."""

from dataclasses import dataclass, replace
from typing import Any

MAX_EDITS = 100  # that can be undone; they are written with each change
MAX_COMMENT = 4000  # characters
MAX_TAGS = 60  # of a game
MAX_SAID = 256 << 10  # characters of all comments of a game, and of the edits that can be undone
LAST_NAG, MAX_NAGS = 255, 20  # the highest glyph, and how many a move has
GLYPHS = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}  # NAGs that judge a move: one at a time


def is_tag_name(name: str) -> bool:
    """Whether a tag may have this name: it stands in brackets, before its value in quotes."""
    return name.isprintable() and not set(name) & set('"[]')


@dataclass(frozen=True)
class Annotation:
    """What is said of one move, and its place among the other moves there. The names are keys on disk."""

    comment: str = ""
    before: str = ""  # a comment before the move, at the beginning of a variation
    nags: tuple[int, ...] = ()  # numeric annotation glyphs, as PGN numbers them
    rank: int = 0  # the lowest continues the line
    deleted: bool = False

    @property
    def size(self) -> int:
        """The characters that are said."""
        return len(self.comment) + len(self.before)

    def to_json(self) -> dict[str, Any]:
        """As the store keeps it; what is empty is left out."""
        given = {**vars(self), "nags": list(self.nags)}
        return {name: value for name, value in given.items() if value}

    def within_bounds(self) -> "Annotation":
        """What a page may say of a move, from a text that says more: all of it is sent to every page."""
        nags = [nag for nag in dict.fromkeys(self.nags) if 0 <= nag <= LAST_NAG]
        return replace(
            self,
            comment=self.comment[:MAX_COMMENT],
            before=self.before[:MAX_COMMENT],
            nags=tuple(nags[:MAX_NAGS]),
        )

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Annotation":
        """The annotation among the other keys of a node."""
        return cls(
            str(data.get("comment", "")),
            str(data.get("before", "")),
            tuple(int(nag) for nag in data.get("nags", ())),
            int(data.get("rank", 0)),
            bool(data.get("deleted", False)),
        )


@dataclass(frozen=True)
class Edit:
    """One edit of a study: the annotations of the nodes it touches, before and after."""

    words: str
    before: dict[int, Annotation]
    after: dict[int, Annotation]

    @property
    def size(self) -> int:
        """The characters that it takes to keep it, about."""
        return sum(50 + note.size for notes in (self.before, self.after) for note in notes.values())

    def to_json(self) -> dict[str, Any]:
        """As the store keeps it."""
        sides = {"before": self.before, "after": self.after}
        notes = {name: {str(n): note.to_json() for n, note in some.items()} for name, some in sides.items()}
        return {"words": self.words, **notes}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Edit":
        """The edit that the store has."""
        before, after = (
            {int(n): Annotation.from_json(note) for n, note in data[name].items()}
            for name in ("before", "after")
        )
        return cls(str(data["words"]), before, after)
