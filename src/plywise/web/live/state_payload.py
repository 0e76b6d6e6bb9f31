"""A live game as pages are sent it, and as a list of saved games shows it."""

from typing import TYPE_CHECKING, Any

from plywise.web.payloads import outcome_payload

if TYPE_CHECKING:
    from plywise.web.live.game import LiveGame


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
