"""The study of a live game: variations, comments and glyphs, and undo of every edit.

The game itself is never changed here: a move of the game stays, and so does the node at which it goes on.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from plywise.web.live.annotation import GLYPHS, MAX_EDITS, MAX_SAID, Annotation, Edit
from plywise.web.live.tree import GameStatus, GameTree, Node, ranks_first
from plywise.web.schema import Refused


class StudiedGame(Protocol):
    """What a study needs of a live game. The caller holds the game's lock."""

    tree: GameTree
    status: GameStatus

    def save_status(self, status: GameStatus, notes: dict[int, Annotation]) -> None:
        """Save a status and the annotations of nodes, and send the new state."""
        ...


def comment(game: StudiedGame, n: int, words: str) -> None:
    """Say something of a move, or of the beginning; no words take the comment away."""
    node, words = game.tree.node(n), " ".join(words.split())
    if len(words) > len(node.note.comment):  # a page is sent all that is said with each change
        said = sum(one.note.size for one in game.tree.nodes) - len(node.note.comment) + len(words)
        if said > MAX_SAID:
            raise Refused(f"the comments of a game may have {MAX_SAID} characters, not {said}")
    _edit(game, f"comment on {name(node)}", {n: replace(node.note, comment=words)})


def set_nags(game: StudiedGame, n: int, nags: Sequence[int]) -> None:
    """Give a move its glyphs; of those that judge the move (!, ?, ...) one at most."""
    node = _move(game, n)
    if sum(nag in GLYPHS for nag in nags) > 1:
        raise Refused("a move has one glyph of !, ?, !!, ??, !? and ?!")
    _edit(game, f"glyph of {name(node)}", {n: replace(node.note, nags=tuple(dict.fromkeys(nags)))})


def promote(game: StudiedGame, n: int) -> None:
    """Let the variation that a move is in come before those beside it, at the place where it begins."""
    start = _variation_start(_move(game, n))
    if start is None:
        raise Refused("this move is in the main line already")
    _edit(game, f"promote {name(start)}", first_place(start))


def make_main_line(game: StudiedGame, n: int) -> None:
    """Let the main line lead to a move."""
    node = _move(game, n)
    notes: dict[int, Annotation] = {}
    start = _variation_start(node)
    if start is None:
        raise Refused("this move is in the main line already")
    while start is not None:
        notes |= first_place(start)
        assert start.parent is not None
        start = _variation_start(start.parent)
    _edit(game, f"main line to {name(node)}", notes)


def delete(game: StudiedGame, n: int) -> None:
    """Delete a move that was tried, with all that follows it."""
    node = _move(game, n)
    if node in game.tree.tip.path:
        raise Refused(f"{node.label} was played in this game; take it back instead")
    _edit(game, f"delete {name(node)}", {n: replace(node.note, deleted=True)})


def add_variation(game: StudiedGame, node: Node) -> GameStatus:
    """The status after a move was tried that made this node; undo deletes it."""
    edit = Edit(name(node), {node.n: replace(node.note, deleted=True)}, {node.n: node.note})
    return _with_edit(game.status, edit)


def undo(game: StudiedGame) -> None:
    """Undo the last edit."""
    if not game.status.edits:
        raise Refused("there is no edit to undo")
    *edits, last = game.status.edits
    status = replace(game.status, edits=tuple(edits), undone=(*game.status.undone, last))
    _save(game, status, last.before)


def redo(game: StudiedGame) -> None:
    """Make the edit again that was undone last."""
    if not game.status.undone:
        raise Refused("there is no edit to redo")
    *undone, last = game.status.undone
    status = replace(game.status, undone=tuple(undone), edits=(*game.status.edits, last))
    _save(game, status, last.after)


def name(node: Node) -> str:
    """A move with its number, as a list shows it: `12... Qxd5`."""
    return f"{node.move}{'...' if node.side == 1 else '.'} {node.label}" if node.parent else "the beginning"


def _move(game: StudiedGame, n: int) -> Node:
    node = game.tree.node(n)
    if node.parent is None:
        raise Refused("this is the start; choose a move first")
    return node


def _variation_start(node: Node) -> Node | None:
    """The first move of the innermost variation that a node is in; None in the main line."""
    while node.parent is not None:
        if node.parent.children[0] is not node:
            return node
        node = node.parent
    return None


def first_place(node: Node) -> dict[int, Annotation]:
    """The annotation by which a node continues the line of its parent; none if it does so already."""
    assert node.parent is not None
    if node.parent.children[0] is node:
        return {}
    rank = ranks_first(child.note.rank for child in node.parent.children)
    return {node.n: replace(node.note, rank=rank)}


def _with_edit(status: GameStatus, edit: Edit) -> GameStatus:
    edits = (*status.edits, edit)[-MAX_EDITS:]
    while len(edits) > 1 and sum(one.size for one in edits) > MAX_SAID:
        edits = edits[1:]
    return replace(status, edits=edits, undone=())


def _edit(game: StudiedGame, words: str, notes: dict[int, Annotation]) -> None:
    before = {n: game.tree.node(n).note for n in notes}
    if before != notes:
        _save(game, _with_edit(game.status, Edit(words, before, notes)), notes)


def _save(game: StudiedGame, status: GameStatus, notes: dict[int, Annotation]) -> None:
    if any(notes[node.n].deleted for node in game.tree.tip.path if node.n in notes):
        raise Refused("the game continues in this variation; continue from another move first")
    game.save_status(status, notes)
