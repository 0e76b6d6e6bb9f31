"""A recorded search as the page shows it: its nodes, their windows and why they ended.

Scores are for the side that moves first in the game, whoever is to move at the node.
"""

from typing import TYPE_CHECKING, Any

from plywise.core.board import Phase
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.scores import WIN, Kind
from plywise.core.wording import count_text, score_text, side_first
from plywise.search.result import Result
from plywise.web.payloads import board_payload, last_move_payload, result_words, score_words

if TYPE_CHECKING:  # the explanations are imported when the first search is recorded
    from plywise.explain import Node, PrunedMoveResult, Record

MINUS = "\N{MINUS SIGN}"

# Nodes whose moves were looked at, or would have been if that had been needed.
NO_PLACE = {
    "pass": "a pass",
    "without": "all moves but the best",
    "shallow": "a shallow search",
    "all": "all moves",
}
CAUSES_WITH_STUBS = ("cut", "all moves", "null move", "standing", "probcut", "stopped", "table")


def number_text(score: int, unit: int) -> str:
    """A score for the first side: `+0.25`, `win in 3`, `−∞`."""
    if abs(score) > WIN:
        return "∞" if score > 0 else f"{MINUS}∞"
    return score_text(score, unit).replace("-", MINUS)


def for_first_side(turn: int, score: int) -> int:
    """A score for the first side, from one for the side to move."""
    return score if turn == 0 else -score


def value_text(turn: int, value: int, bound: str, unit: int, long: bool = False) -> str:
    """A value for the first side; a bound is shown as a bound."""
    words = number_text(for_first_side(turn, value), unit)
    if bound == "exact":
        return words
    least = (bound == "lower") == (turn == 0)
    if long:
        return f"at {'least' if least else 'most'} {words}"
    return f"{'≥' if least else '≤'} {words}"


def ordinal(number: int) -> str:
    """`1st`, `2nd`, `11th`."""
    tail = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{tail}"


# --- the whole record -----------------------------------------------------------------------------
def summary_payload(record: "Record", result: Result, change: str, note: str) -> dict[str, Any]:
    """What a page is sent when a search has been recorded.

    `change` is what the best line changes, `note` why the search ended early; either may be empty.
    """
    import numpy as np

    from plywise.explain.record import CAUSES as CAUSE_NAMES
    from plywise.explain.wording import labels

    game, turn, position = record.game, record.history.turn, record.history.position
    line = labels(record.history, result.line)
    score = result_words(record.history, result)
    notes = [note] if note else []
    if record.missing_text:
        notes.append(record.missing_text)
    return {
        "turn": turn,
        "evaluator": record.evaluator,
        "nodes": record.nodes,
        "recorded": len(record),
        "depth": result.depth,
        "seconds": round(result.seconds, 2),
        "move": result.move,
        "line": line,
        "change": change,
        "words": f"{side_first(game.sides[turn])} should play {line[0] if line else result.move}: {score}",
        "moves": [
            {"move": game.move_text(position, one), "said": game.label(position, one)}
            for one in game.moves(position)
        ],
        "notes": notes,
        "causes": sorted(CAUSE_NAMES[one] for one in np.unique(record.cause)),
        "iterations": iterations_payload(record, game.evaluation(record.evaluator).unit),
    }


def iterations_payload(record: "Record", unit: int) -> list[dict[str, Any]]:
    """The passes of the search, for the slider."""
    turn, result = record.history.turn, []
    for one in record.iterations():
        low, high = sorted((for_first_side(turn, one.alpha), for_first_side(turn, one.beta)))
        result.append(
            {
                "root": one.root,
                "depth": one.depth,
                "nodes": one.nodes,
                "value": value_text(turn, one.value, one.bound, unit),
                "window": [number_text(low, unit), number_text(high, unit)],
                "cause": one.cause,
                "cut_short": not record.complete and one.root + one.nodes == len(record),
            }
        )
    return result


# --- one node -------------------------------------------------------------------------------------
def node_payload(record: "Record", number: int) -> dict[str, Any]:
    """What the panel and the board show of a node."""
    from plywise.explain import pruned_moves
    from plywise.explain.wording import PRUNED_TEXT

    node, game = record.node(number), record.game
    stubs = pruned_moves(record, number)
    position = record.position(number)
    return {
        "node": number,
        "parent": node.parent,
        "path": [{"node": step, "said": record.label(step)} for step in record.path(number)],
        "turn": node.turn,
        "cause": node.cause,
        "nodes": node.nodes,
        "children": node.children,
        "facts": node_facts(record, node),
        "words": node_text(record, node),
        "skipped": [
            {
                "move": stub.move,
                "said": game.label(position, game.read_move(position, stub.move)),
                "reason": PRUNED_TEXT[stub.reason],
            }
            for stub in stubs
        ],
        "opens": has_stubs(node),
        "view": position_payload(record.past(number), node.parent is not None),
    }


def has_stubs(node: "Node") -> bool:
    """Whether the moves that were not searched here are shown as stubs."""
    return node.cause in CAUSES_WITH_STUBS


def node_facts(record: "Record", node: "Node") -> list[dict[str, str]]:
    """Window, value, bound, cause, place and size, each in a few words."""
    game = record.game
    unit, side = game.evaluation(record.evaluator).unit, game.sides[0]
    low, high = sorted((for_first_side(node.turn, node.alpha), for_first_side(node.turn, node.beta)))
    tried = 0
    if node.parent is not None:
        tried = max((one.place for one in record.children(node.parent)), default=0)
    place = (
        f"{ordinal(node.place)} of {tried} tried"
        if node.place
        else f"none: {NO_PLACE.get(node.how, 'the position searched')}"
    )
    kind = {
        "exact": "exact",
        "lower": f"a bound: {game.sides[node.turn]} has at least this",
        "upper": f"a bound: {game.sides[node.turn]} has at most this",
    }[node.bound]
    below = node.nodes - 1
    rows = {
        "To move": f"{game.sides[node.turn]}, {count_text(max(0, node.depth), 'turn')} left to look ahead",
        "Window": f"{number_text(low, unit)} to {number_text(high, unit)} for {side}",
        "Value": f"{value_text(node.turn, node.value, node.bound, unit, long=True)} for {side}",
        "Bound": kind,
        "Cause": node.cause,
        "Order": place,
        "Below": count_text(below, "node") if below else "nothing",
    }
    return [{"name": name, "words": text} for name, text in rows.items()]


def node_text(record: "Record", node: "Node") -> str:
    """What happened at a node, in one to three sentences."""
    from plywise.explain.wording import CAUSE_TEXT, HOW_TEXT, MATE_DISTANCE_TEXT

    game = record.game
    side = game.sides[node.turn]
    last = ""
    if node.cause == "cut":
        below = list(record.below(node.number))
        last = (record.label(below[-1]) if below else None) or "The best move so far"
        if last == "others":
            last = "More than one move"
        if node.parent is None:
            last = f"{last} is better than the window foresaw: the search begins again with a wider one."
    text = CAUSE_TEXT[node.cause].node.format(side=side, last=last)
    if node.cause == "cut" and node.parent is None:
        text = last
    if record.by_mate_distance(node.number) and not node.cut_short:
        text = MATE_DISTANCE_TEXT
    if node.cause == "over":
        outcome = record.past(node.number).outcome
        text = f"The game is over here: {outcome.short_reason}." if outcome is not None else text
    if node.cause == "all moves" and node.bound == "upper":
        text += f" None brings {side} as much as it has elsewhere, so the value is only a bound."
    parts = [text, HOW_TEXT[node.how]]
    if node.how == "full" and node.beta - node.alpha <= 1:
        parts.append("The window has no width: the search only asks on which side of it the value is.")
    if node.again:
        parts.append("It turned out better than expected: see the same move searched again, after it.")
    if node.cut_short:
        parts.append("The record ends inside this node: what is shown of it is not all of it.")
    return " ".join(part for part in parts if part)


def position_payload(history: History, moved: bool) -> dict[str, Any]:
    """A position as the page's board draws it; `moved`: with the move that led to it."""
    game = history.game
    phases: tuple[Phase, ...] = ()
    if moved and history.before is not None and history.move is not None:
        phases = game.effects(history.before.position, history.move)
    return {
        "text": history.text,
        "turn": history.turn,
        "board": board_payload(game.board(history.position)),
        "marks": [
            {"cell": mark.cell, "kind": mark.kind, "reason": mark.reason}
            for mark in game.marks(history.position)
        ],
        "last": last_move_payload(phases),
        "moves": [],
    }


# --- the children of a node -----------------------------------------------------------------------
def children_payload(record: "Record", number: int, start: int, count: int) -> dict[str, Any]:
    """A page of a node's children: first those that were searched, then those that were not."""
    from plywise.explain import pruned_moves
    from plywise.explain.wording import PRUNED_TEXT

    game = record.game
    node = record.node(number)
    unit = game.evaluation(record.evaluator).unit
    below = record.children(number)
    stubs = pruned_moves(record, number) if has_stubs(node) else []
    rows: list[dict[str, Any]] = [
        {
            "node": child.number,
            "said": record.label(child.number),
            "value": value_text(child.turn, child.value, child.bound, unit),
            "nodes": child.nodes,
            "cause": child.cause,
            "how": child.how,
            "place": child.place,
            "opens": child.children > 0 or child.cause in ("null move", "standing", "probcut"),
        }
        for child in below[start : start + count]
    ]
    position = record.position(number)
    begin = max(0, start - len(below))
    for stub in stubs[begin : max(0, start + count - len(below))]:
        label = game.label(position, game.read_move(position, stub.move))
        rows.append({"stub": stub.move, "said": label, "reason": PRUNED_TEXT[stub.reason]})
    return {"from": start, "total": len(below) + len(stubs), "rows": rows}


def opened_text(game: Game, turn: int, value: int, opened: "PrunedMoveResult", unit: int) -> str:
    """What the search of a stub has shown."""
    score = score_words(game, turn, opened.score, Kind.ESTIMATE, unit)
    result = f"{score} (depth {opened.depth}, {count_text(opened.nodes, 'node')})"
    if opened.matters:
        was = score_words(game, turn, value, Kind.ESTIMATE, unit)
        return (
            f"{result}. That is better for {game.sides[turn]} than the value found, {was}, and would have"
            " changed it: the search left it out on a guess, or did not look so deep."
        )
    return f"{result}. It changes nothing before this node, so leaving it out was right."


# --- lessons --------------------------------------------------------------------------------------
def lesson_payload(lesson: Any, unit: int) -> dict[str, Any]:
    """A lesson to draw: values as words, for MAX, the side to move at the root."""

    def text(value: int | None, unknown: str | None = None) -> str | None:
        # Short enough for a drawn node: `win 3` for `win in 3`.
        return unknown if value is None else number_text(value, unit).replace(" in ", " ")

    return {
        "player": lesson.player,
        "value": text(lesson.value),
        "line": list(lesson.line),
        "places": [
            {
                "parent": one.parent,
                "move": one.move,
                "max": one.maximal,
                "ply": one.ply,
                "cause": one.cause,
                "cut": one.cut,
            }
            for one in lesson.places
        ],
        "steps": [
            {
                "event": one.event,
                "node": one.node,
                "value": text(one.value),
                "alpha": text(one.alpha, f"{MINUS}∞"),
                "beta": text(one.beta, "∞"),
                "child": one.child,
            }
            for one in lesson.steps
        ],
    }
