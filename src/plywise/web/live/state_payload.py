"""A live game as pages are sent it, and as a list of saved games shows it."""

from typing import TYPE_CHECKING, Any

from plywise.web.payloads import outcome_payload
from plywise.web.schema import (
    FieldKind,
    Refused,
    check_fields,
    list_of,
    nullable,
    number,
    optional,
    text,
    whole,
)

if TYPE_CHECKING:
    from plywise.web.live.game import LiveGame


def _with(**kinds: Any) -> FieldKind:
    """An object that has these fields; others are those of another version."""

    def check(name: str, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise Refused(f"{name} must be an object")
        return check_fields(name, kinds, {field: value[field] for field in kinds if field in value})

    return check


def _seat(name: str, value: Any) -> dict[str, Any]:
    seat = _with(kind=text(), level=optional(whole(1, 10)), seat=optional(text()))(name, value)
    if seat["kind"] == "level" and seat["level"] is None:
        raise Refused(f"{name} has no level")
    return seat


def _tags(name: str, value: Any) -> dict[str, str]:
    if not isinstance(value, dict):
        raise Refused(f"{name} must be an object")
    return {tag: text()(name, words) for tag, words in value.items()}


_SUMMARY = _with(
    title=optional(text()),
    seats=list_of(_seat, 2, 2),
    moves=whole(0, 1 << 53),
    outcome=optional(nullable(_with(winner=nullable(whole(0, 1)), words=text()))),
    text=optional(text(1 << 20)),
    tags=optional(_tags),
    binned=optional(nullable(number(0, 1e12))),
    helped=optional(whole(0, 1 << 53)),
    weakest=optional(nullable(whole(1, 10))),
    start=optional(text(1 << 20)),
)


def is_summary(given: dict[str, Any]) -> bool:
    """Whether a list of saved games can show this; a damaged row may hold anything."""
    try:
        _SUMMARY("a saved game", given)
    except Refused:
        return False
    return True


def summary(game: "LiveGame") -> dict[str, Any]:
    """What a list of saved games shows."""
    tip, status = game.tip, game.status
    return {
        "title": game.game.title,
        "seats": game.seats,
        "moves": tip.number,
        "outcome": outcome_payload(game.game, game.outcome),
        "text": tip.state.text,
        "tags": status.tags,
        "binned": status.binned,
        "helped": status.hints + status.takebacks,
        "weakest": status.weakest,
        "start": game.settings["root"]["start"],
    }


def state_payload(game: "LiveGame") -> dict[str, Any]:
    """All that a page shows of a running game. The caller holds the game's lock."""
    outcome, status, tip = game.outcome, game.status, game.tip
    return {
        "tell": "state",
        "game": game.id,
        "version": game.version,
        "name": game.name,
        "title": game.game.title,
        "seats": game.seats,
        "evaluator": game.evaluator,
        "orientation": status.orientation,
        "nodes": [node.payload(status.marks.get(node.n)) for node in game.tree.visible],
        "tip": tip.n,
        "view": game.view_payload(tip.n),
        "thinking": game.engine_turns.sides,
        "clock": game.clock.payload(),
        "hints": status.hints,
        "takebacks": status.takebacks,
        "tries": {str(n): list(one) for n, one in status.tries.items()},
        "paused": status.paused,
        "outcome": outcome_payload(game.game, outcome),
        "offered": status.offered,
        "resigned": status.resigned,
        "can": {
            "back": game.undo_target is not None,
            "forward": game.tree.redo_target(game.person_sides) is not None,
            "offer": outcome is None and bool(game.person_sides),
        },
        "tags": status.tags,
        "edits": {
            "undo": status.edits[-1].words if status.edits else None,
            "redo": status.undone[-1].words if status.undone else None,
        },
    }
