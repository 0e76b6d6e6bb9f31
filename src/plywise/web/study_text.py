"""A studied game as text and back: its main line, variations, comments, glyphs, tags and result.

PGN and PDN have all of it. JSON keeps the same for every game, a world's dice too.
"""

import json
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from plywise.core.broken_files import WRONG_CONTENTS
from plywise.core.errors import PlywiseError, exception_text
from plywise.core.formats import Format, RecordedGame, Step
from plywise.core.game import Game
from plywise.core.untrusted import check_size, read_json, shorten
from plywise.core.wording import WINNERS
from plywise.play import game_text
from plywise.play.state import GameState, start_game
from plywise.web.hub import Hub
from plywise.web.live.annotation import MAX_COMMENT, MAX_TAGS, Annotation, is_tag_name
from plywise.web.live.game import LiveGame
from plywise.web.live.tree import PERSON, Choices, Node
from plywise.web.refusal_text import without_clause
from plywise.web.schema import Refused

OWN_TAGS = ("Result", "FEN", "SetUp", "GameType")  # written anew from the game itself
MAX_MOVES = 5000  # of the variations of a record; each unit of a world moves
TIME_FORFEIT = "time forfeit"  # as PGN's tag Termination calls it


# --- writing ----------------------------------------------------------------------------------------
def steps(root: Node) -> list[Step]:
    """All moves below the root as steps: the main line, with the variations at their moves."""
    main: list[Step] = []
    waiting = [(root.children[0], main)] if root.children else []
    while waiting:
        node, line = waiting.pop()
        while True:
            assert node.parent is not None
            line.append(_step(node))
            if node is node.parent.children[0]:
                for other in node.parent.children[1:]:
                    variation: list[Step] = []
                    line[-1].variations.append(variation)
                    waiting.append((other, variation))
            if not node.children:
                break
            node = node.children[0]
    return main


def _step(node: Node) -> Step:
    assert node.parent is not None
    view = node.parent.state.view(node.parent.state.turn)
    move = view.game.read_move(view.position, node.choices[view.turn][0])
    return Step(move, node.note.before, node.note.comment, list(node.note.nags))


def write_study(live_game: LiveGame, format: Format, tags: dict[str, str]) -> str:
    """The game with all its variations in a format that has them."""
    assert format.annotate is not None
    root = live_game.tree.nodes[0]
    start = root.state.view(root.state.turn).position
    return format.annotate(start, steps(root), live_game.status.comment, tags)


def write_json(live_game: LiveGame, tags: dict[str, str]) -> str:
    """The exact record of the game up to its tip, with all variations beside it."""
    saved = json.loads(game_text.write(live_game.tip.state, game_text.JSON_FORMAT, tags))
    numbers = {node.n: place for place, node in enumerate(live_game.tree.visible)}
    saved["study"] = {
        "comment": live_game.status.comment,
        "tip": numbers[live_game.tip.n],
        "nodes": [
            [
                numbers[node.parent.n],
                {str(side): list(moves) for side, moves in node.choices.items()},
                node.note.to_json(),
            ]
            for node in live_game.tree.visible
            if node.parent is not None
        ],
    }
    return json.dumps(saved, ensure_ascii=False) + "\n"


# --- reading ----------------------------------------------------------------------------------------
def read_recorded(game: Game, text: str) -> RecordedGame | None:
    """The first game of a text in a format that has variations; None if the text is in none of them."""
    text = text.strip().removeprefix("\ufeff")
    if text.startswith("{"):
        return None
    for format in game.formats.values():
        if format.annotate is None:
            continue
        found = next(iter(format.read(text)), None)
        if found is not None and (found.steps or (found.tags.keys() - OWN_TAGS and not found.problem)):
            return found
    return None


def first_state(recorded: RecordedGame) -> GameState:
    """The state in which a recorded game begins."""
    root = recorded.history
    while root.before is not None:
        root = root.before
    return start_game(root.game, "start" if root.position == root.game.start() else root.text)


def fill(live_game: LiveGame, recorded: RecordedGame) -> str:
    """Put a recorded game into a new live game; what had to be left out, in a sentence, or nothing."""
    tree, left_out = live_game.tree, recorded.problem or recorded.left_out
    waiting: list[tuple[Node, list[Step], bool]] = [(tree.nodes[0], recorded.steps, True)]
    while waiting:
        node, line, main = waiting.pop()
        for step in line:
            parent = node
            try:
                node = _add(live_game, parent, step)
            except PlywiseError as error:
                left_out = left_out or str(error)
                break
            if main:
                tree.tip = node
            waiting.extend((parent, variation, False) for variation in reversed(step.variations))
    comment = recorded.comment[:MAX_COMMENT]
    # What a record does not say is unknown; it is not today's, and not ours.
    unknown = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?"}
    unknown |= {side.capitalize(): "?" for side in live_game.game.sides}
    tags = {**unknown, **kept_tags(recorded.tags.items())}
    status = replace(live_game.status, comment=comment, tags=tags, imported=True)
    live_game.status = replace(status, ended=_recorded_end(live_game, recorded.tags))
    tree.nodes[0].note = Annotation(comment=comment)
    return left_out


def _add(live_game: LiveGame, parent: Node, step: Step) -> Node:
    """The node of a step; a move that is there already gets the words of both."""
    tree, state = live_game.tree, parent.state
    view = state.view(state.turn)
    choices: Choices = {state.turn: (view.game.move_text(view.position, step.move),)}
    note = Annotation(step.comment, step.before, tuple(step.nags)).within_bounds()
    known = tree.child(parent, choices)
    if known is not None:
        words = " ".join(filter(None, (known.note.comment, note.before, note.comment)))
        known.note = replace(known.note, comment=words, nags=known.note.nags + note.nags).within_bounds()
        return known
    live_game.require_room()
    node = tree.new_node(parent, state.follow(choices), None, first=False)
    node.note = replace(note, rank=node.note.rank)
    tree.add(node)
    return node


def _recorded_end(live_game: LiveGame, tags: dict[str, str]) -> tuple[int | None, str] | None:
    """How a game ended that its last position does not end: by its tags."""
    result, ended = tags.get("Result", "*"), live_game.tip.state.outcome
    if result not in WINNERS:
        return None
    winner = WINNERS[result]
    if ended is not None and (ended.winner == winner or _is_over(live_game.tip.state)):
        return None
    if winner is None:
        return None, "agreed"
    late = TIME_FORFEIT in tags.get("Termination", "").lower()
    return winner, f"{live_game.game.sides[1 - winner]} {'ran out of time' if late else 'resigned'}"


def _is_over(state: GameState) -> bool:
    """Whether the position itself ends the game; a draw by the past may have been passed by."""
    return state.game.outcome(state.view(state.turn).position) is not None


def fill_from_json(live_game: LiveGame, text: str) -> None:
    """Put the variations of a record into a new live game that has its main line."""
    study = read_json(text).get("study")
    if study is None:
        return
    live_game.tree.tip = live_game.tree.nodes[0]
    nodes = [live_game.tree.nodes[0]]
    try:
        if sum(len(moves) for _, choices, _ in study["nodes"] for moves in choices.values()) > MAX_MOVES:
            raise Refused(f"the variations of a record may have {MAX_MOVES} moves")
        for parent, choices, note in study["nodes"]:
            chosen = {int(side): tuple(map(str, moves)) for side, moves in choices.items()}
            said = Annotation.from_json(note).within_bounds()
            nodes.append(_add_choices(live_game, nodes[parent], chosen, said))
        live_game.tree.tip = nodes[study["tip"]]
        comment = str(study["comment"])[:MAX_COMMENT]
    except WRONG_CONTENTS as error:
        reason = shorten(exception_text(error))
        raise Refused(f"the variations of this record cannot be read: {reason}") from None
    live_game.status = replace(live_game.status, comment=comment)
    live_game.tree.nodes[0].note = Annotation(comment=comment)


def _add_choices(live_game: LiveGame, parent: Node, choices: Choices, note: Annotation) -> Node:
    tree = live_game.tree
    node = tree.child(parent, choices)
    if node is None:
        state = parent.state.follow(choices)
        node = tree.child(parent, state.moves)  # the same move may be written in another way
        if node is None:
            live_game.require_room()
            node = tree.new_node(parent, state, None)
            tree.add(node)
    node.note = note
    return node


def kept_tags(tags: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Tags from outside, without those that are written anew: each state that a page is sent has them."""
    found = (
        (name[:60], " ".join(value[:400].split()))
        for name, value in tags
        if name not in OWN_TAGS and value and is_tag_name(name)
    )
    return dict(islice(found, MAX_TAGS))


def import_study(hub: Hub, owner: str, name: str, text: str) -> tuple[str, str]:
    """Save the first game of a text as a new game: its id, and what had to be left out, or nothing."""
    game, left_out = hub.game(name), ""
    try:
        check_size(text, "the text of a game")
    except ValueError as error:
        raise PlywiseError(str(error)) from None
    position = game_text.read_position(game, text)
    recorded = None if isinstance(position, GameState) else read_recorded(game, text)

    def fill_recorded(live_game: LiveGame) -> None:
        nonlocal left_out
        assert recorded is not None
        left_out = fill(live_game, recorded)

    def fill_record(live_game: LiveGame) -> None:
        live_game.status = replace(live_game.status, tags=kept_tags(tags.items()), imported=bool(tags))
        if text.lstrip("\ufeff \n\t\r").startswith("{"):
            fill_from_json(live_game, text.strip().removeprefix("\ufeff"))
        live_game.status = replace(live_game.status, ended=_recorded_end(live_game, tags))

    if recorded is not None:
        made = hub.new_game(owner, name, [PERSON, PERSON], first_state(recorded), fill=fill_recorded)
    else:
        state, tags = (
            (position, {}) if isinstance(position, GameState) else game_text.read(game, text, position)
        )
        made = hub.new_game(owner, name, [PERSON, PERSON], state, fill=fill_record)
    return made.id, without_clause(left_out)
