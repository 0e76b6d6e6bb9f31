"""An explanation in words. Sides, moves, pieces and terms have the names that the game gives them."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from plywise.core.evaluation import WHOLE
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.scores import Kind, distance, is_sure
from plywise.core.wording import (
    count_text,
    plies_text,
    points_text,
    side_first,
    side_score_text,
    wins_text,
    with_article,
)
from plywise.explain.reasons import AT_LEAST, AT_MOST, Alternative, Change, Explanation, WhyNot

MIN_CHANGE = 0.05  # of the unit: smaller changes of a term are left out
MOST_TERMS = 6  # named on each side of a sentence
MAX_SHOWN = 8  # rejected moves with a reason; the others are counted


# --- causes of nodes ------------------------------------------------------------------------------
class CauseText(NamedTuple):
    """A cause of a node (record.CAUSES) in words."""

    node: str  # a sentence about the node; it may name {side}, to move there, and {last}, the last move tried
    moves: str  # why a move was not searched there


CAUSE_TEXT = {
    "leaf": CauseText("The depth is used up, so the position was evaluated.", "the position was evaluated"),
    "table": CauseText(
        "Found in the hash table: the same position had been searched before.",
        "the position was found in the hash table",
    ),
    "null move": CauseText(
        "Null-move cut-off: {side} could even pass and would still be too well off.",
        "even a pass is good enough here",
    ),
    "cut": CauseText(
        "{last} is already good enough to refute the way here, so the rest was cut off.",
        "a move before it is already good enough to refute the way here",
    ),
    "over": CauseText("The game is over here.", "the game is over"),
    "draw": CauseText(
        "A draw by what went before: a repetition, or no progress for too long.",
        "a draw by the past: repetition, or no progress",
    ),
    "all moves": CauseText("Every move was searched that had to be.", "it looked hopeless at this depth"),
    "stopped": CauseText(
        "The search was ended here, before the node was done.", "the search was stopped here"
    ),
    "database": CauseText("The position is solved: a database knows its value.", "the position is solved"),
    "too deep": CauseText(
        "The line is as long as lines can be, so the position was evaluated.",
        "the line is as long as lines can be",
    ),
    "standing": CauseText(
        "{side} is already good enough (stand pat): no move was looked at.",
        "the position is already good enough (stand pat)",
    ),
    "probcut": CauseText(
        "Decided by a shallow search (ProbCut), which was far outside the window.",
        "a shallow search decided (ProbCut)",
    ),
}
MATE_DISTANCE_TEXT = (
    "Mate-distance pruning: a win from here would come too late to matter, so no move was looked at."
)
# Why a move was not searched (PrunedMove.reason): a cause of its node, or one of four other reasons.
PRUNED_TEXT = {
    **{cause: text.moves for cause, text in CAUSE_TEXT.items() if cause != "all moves"},
    "left out": CAUSE_TEXT["all moves"].moves,
    "quiet": "beyond the depth only noisy moves are looked at",
    "mate distance": "a win from here would come too late to matter",
    "not recorded": "the record ends here",
}
# How a node came to be searched (record.HOW); nothing where that is usual.
HOW_TEXT = {
    "root": "",
    "full": "",
    "scout": "The question was only whether this move is better than the best one so far.",
    "reduced": "It comes late in the order, so it was searched less deep.",
    "again": "A first, cheaper look was better than expected, so it was searched again.",
    "pass": "A pass, tried to see whether the position is good even without a move.",
    "without": "The same position without its best move: is another one as good?",
    "shallow": "The same position searched less deep: is it far outside the window?",
    "all": "The same position with all its moves: the ones worth a look all lose.",
    "noisy": "It is beyond the depth: only noisy moves are followed here, until the position is quiet.",
}


def explanation_sentences(explanation: Explanation, most: int = MAX_SHOWN) -> list[str]:
    """The explanation, a sentence or two in each string."""
    history, result = explanation.history, explanation.result
    game, turn, unit = history.game, history.turn, result.unit
    if explanation.outcome is not None or result.move is None:
        end = explanation.outcome.reason if explanation.outcome is not None else "there is no move"
        return [f"The game is over: {end}."]
    score = side_score_text(game, turn, result.score, result.kind, unit)
    text = [
        f"{side_first(game.sides[turn])} should play {label(history, result.move)}: {score} ({result.kind}), "
        f"depth {result.depth}, {count_text(result.nodes, 'node')}."
    ]
    if len(history.moves) == 1:
        text[0] = f"{label(history, result.move)} is the only move: {score} ({result.kind})."
    if len(result.line) > 1:
        text.append(f"The line: {' '.join(labels(history, result.line))}.")
    text.append(change_text(game, turn, explanation.change, unit, "the line"))
    if explanation.record.missing_text:
        text.append(f"The record is cut short: {explanation.record.missing_text}.")
    if explanation.asked is not None:
        text += why_not_text(explanation, explanation.asked)
        return [line for line in text if line]
    rejected = explanation.alternatives
    if rejected:
        # Where a search prunes what looks hopeless, its bounds are estimates, too.
        sound = "unsound" in explanation.record.without
        text.append("Why not another move?" if sound else "Why not another move? (estimates)")
    text += [f"{label(history, move.move)}: {reason_text(explanation, move)}." for move in rejected[:most]]
    if len(rejected) > most:
        text.append(f"and {count_text(len(rejected) - most, 'other move')}, none of them better.")
    return [line for line in text if line]


# --- what a line changes ----------------------------------------------------------------------------
def change_text(game: Game, turn: int, change: Change, unit: int, subject: str) -> str:
    """What a line gains and loses, for the side that begins it; empty if nothing."""
    parts = []
    pieces = _pieces(change)
    if pieces:
        parts.append(pieces)
    if change.outcome is not None:
        parts.append(f"ends the game: {change.outcome.short_reason}")
    elif change.terms:
        plus = {name: value for name, value in change.terms.items() if value > 0}
        minus = {name: -value for name, value in change.terms.items() if value < 0}
        if plus:
            parts.append(f"brings {_terms(plus, unit)}")
        if minus:
            parts.append(f"costs {_terms(minus, unit)}")
    return f"For {game.sides[turn]} {subject} {'; '.join(parts)}." if parts else ""


def _terms(terms: Mapping[str, float], unit: int) -> str:
    """`1.00 in material and 0.20 in king safety`, the largest first, without small changes.

    A net has a term for each piece: beyond the largest ones they are counted.
    """
    names = sorted(terms, key=lambda name: -terms[name])
    names = [name for name in names if terms[name] >= unit * MIN_CHANGE] or names[:1]
    named, others = (names, []) if len(names) <= MOST_TERMS + 1 else (names[:MOST_TERMS], names[MOST_TERMS:])
    if names == [WHOLE]:
        return points_text(terms[WHOLE], unit)
    parts = [f"{points_text(terms[name], unit)} in {name}" for name in named]
    if others:
        parts.append(f"{points_text(sum(terms[name] for name in others), unit)} in {len(others)} others")
    return join_text(parts)


def _pieces(change: Change) -> str:
    """`wins a pawn and trades 2 knights`, by the names on the board; empty if no piece is gone."""
    both = {name: min(number, change.lost.get(name, 0)) for name, number in change.taken.items()}
    groups = {
        "wins": {name: number - both[name] for name, number in change.taken.items()},
        "loses": {name: number - both.get(name, 0) for name, number in change.lost.items()},
        "trades": both,
        "gets": change.gained,
    }
    named = {verb: pieces_text(pieces) for verb, pieces in groups.items()}
    parts = [f"{verb} {pieces}" for verb, pieces in named.items() if pieces]
    return join_text(parts) if parts else ""


def pieces_text(pieces: Mapping[str, int]) -> str:
    parts = [_piece_text(name, number) for name, number in pieces.items() if number]
    return join_text(parts) if parts else ""


def _piece_text(name: str, number: int) -> str:
    if number == 1:
        return with_article(name)
    plural = name[:-3] + "men" if name.endswith("man") else name + "s"
    return f"{number} {plural}"


# --- the moves that were not chosen -----------------------------------------------------------------
def reason_text(explanation: Explanation, rejected: Alternative) -> str:
    """Why a move was rejected: its score or bound, and the reply that decides."""
    game, turn, unit = explanation.history.game, explanation.history.turn, explanation.result.unit
    text = bound_text(game, turn, rejected.score, rejected.kind, rejected.bound, unit)
    if rejected.depth < explanation.result.depth:
        text += f" at depth {rejected.depth}"
    if rejected.cost is not None and rejected.cost > 0:
        least = "at least " if rejected.bound == AT_MOST else ""
        text += f", {least}{points_text(rejected.cost, unit)} less"
    parts = [text]
    if rejected.cause == "draw" and rejected.bound is None:
        parts.append(CAUSE_TEXT["draw"].moves)
    elif rejected.cause == "database" and rejected.bound is None:
        parts.append("the ending is solved")
    if rejected.reply is not None:
        parts.append(f"the answer is {_reply_label(explanation.history, rejected.line, rejected.reply)}")
    if rejected.seen is not None:
        score, depth = rejected.seen
        parts[-1] += f", leaving {side_score_text(game, turn, score, None, unit)} at depth {depth}"
    pieces = _pieces(rejected.change)
    if rejected.change.outcome is not None:
        parts.append(f"the game ends: {rejected.change.outcome.short_reason}")
    elif pieces:
        parts.append(f"it {pieces}")
    return "; ".join(parts)


def bound_text(game: Game, turn: int, score: int, kind: Kind, bound: str | None, unit: int) -> str:
    """A score or a bound in words."""
    text = side_score_text(game, turn, score, kind, unit)
    if bound is None:
        return text
    mine = score > 0
    more = (bound == AT_LEAST) == mine  # the side that is named may have more than that
    plies = distance(score)
    if plies is not None:
        winner = turn if mine else 1 - turn
        side, least = game.sides[winner], f"{wins_text(game, winner)} in at most {plies_text(plies)}"
        return least if more else f"no faster win for {side} than in {plies_text(plies)}"
    if is_sure(score):
        return text if more else "no win"
    if score == 0:
        return "even at best" if bound == AT_MOST else "even or better"
    return f"{'at least' if more else 'at most'} {text}"


# --- why not? -----------------------------------------------------------------------------------------
def why_not_text(explanation: Explanation, asked: WhyNot) -> list[str]:
    """The answer to `why not this move?`."""
    game, turn, unit = explanation.history.game, explanation.history.turn, explanation.result.unit
    history = explanation.history
    score = side_score_text(game, turn, asked.score, asked.kind, unit)
    name, line = label(history, asked.move), " ".join(labels(history, asked.line))
    best = name if explanation.result.move is None else label(history, explanation.result.move)
    depth = f"searched alone to depth {asked.depth}"
    if asked.chosen:
        return [f"Why not {name}? It is the move chosen; {depth}: {score} ({asked.kind})."]
    text = [f"Why not {name}? {depth.capitalize()}: {score} ({asked.kind})"]
    if asked.cost is not None and asked.cost > 0:
        text[0] += f", {points_text(asked.cost, unit)} less than {best}."
    elif asked.score < explanation.result.score:
        text[0] += f", which is worse than {best}."
    elif asked.score == explanation.result.score:
        return [f"{text[0]}: as good as {best}.", f"Its line: {line}."]
    else:
        return [
            f"{text[0]}: searched so, no worse than {best}.",
            f"Its line: {line}.",
        ]
    if asked.reply is not None:
        text.append(f"The answer is {_reply_label(history, asked.line, asked.reply)}: {line}.")
    text.append(change_text(game, turn, asked.change, unit, "that line"))
    if is_sure(explanation.result.score) and explanation.result.score > 0 and not is_sure(asked.score):
        return [*text, "It lets the win go."]
    if asked.turning is not None and asked.turning.ply == 1:
        text.append(f"It goes wrong at once: it gives up what {best} brings.")
    elif asked.turning is not None:
        what = change_text(game, turn, asked.turning.change, unit, "this already")
        text.append(
            f"It goes wrong with {labels(history, asked.line)[asked.turning.ply - 1]}"
            f" (ply {asked.turning.ply}). {what}"
        )
    else:
        text.append("No single move of the line goes wrong: the difference is small, or lies deeper.")
    return [line.strip() for line in text if line]


# --- moves ------------------------------------------------------------------------------------------
def label(history: History, move: str) -> str:
    """A move as a list of moves shows it (SAN in chess)."""
    return history.game.label(history.position, history.game.read_move(history.position, move))


def labels(history: History, line: Sequence[str]) -> list[str]:
    """The moves of a line as a list of moves shows them."""
    found = []
    for move in line:
        found.append(label(history, move))
        history = history.play(move)
    return found


def _reply_label(history: History, line: Sequence[str], reply: str) -> str:
    """The other side's first move in a line, as a list of moves shows it."""
    turn = history.turn
    for move in line:
        if history.turn != turn and move == reply:
            return label(history, move)
        history = history.play(move)
    return reply


# --- lists --------------------------------------------------------------------------------------------
def join_text(parts: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


# --- as data ------------------------------------------------------------------------------------------
def explanation_data(explanation: Explanation) -> dict[str, Any]:
    """The explanation as data for JSON. Scores and terms are for the side to move."""
    result, history = explanation.result, explanation.history
    outcome = explanation.outcome
    return {
        "game": history.game.name,
        "position": history.text,
        "turn": history.turn,
        "evaluator": explanation.record.evaluator,
        "unit": result.unit,
        "move": result.move,
        "score": result.score,
        "kind": str(result.kind),
        "plies": result.plies,
        "depth": result.depth,
        "line": list(result.line),
        **_change_data(explanation.change),
        "alternatives": [
            {
                "move": one.move,
                "score": one.score,
                "kind": str(one.kind),
                "bound": one.bound,
                "line": list(one.line),
                "reply": one.reply,
                "cost": one.cost,
                "seen": None if one.seen is None else {"score": one.seen[0], "depth": one.seen[1]},
                "depth": one.depth,
                "cause": one.cause,
                "reason": reason_text(explanation, one),
                **_change_data(one.change),
            }
            for one in explanation.alternatives
        ],
        "why_not": None if explanation.asked is None else _why_not_data(explanation, explanation.asked),
        "nodes": result.nodes,
        "recorded": len(explanation.record),
        "outcome": None if outcome is None else {"winner": outcome.winner, "reason": outcome.reason},
        "text": explanation_sentences(explanation),
    }


def _change_data(change: Change) -> dict[str, Any]:
    return {
        "terms": change.terms or {},
        "pieces": {"taken": change.taken, "lost": change.lost, "gained": change.gained},
        "ends": None if change.outcome is None else change.outcome.reason,
    }


def _why_not_data(explanation: Explanation, asked: WhyNot) -> dict[str, Any]:
    turning = asked.turning
    return {
        "move": asked.move,
        "score": asked.score,
        "kind": str(asked.kind),
        "depth": asked.depth,
        "nodes": asked.nodes,
        "line": list(asked.line),
        "refutation": None if asked.chosen or asked.score >= explanation.result.score else asked.reply,
        "cost": asked.cost,
        "chosen": asked.chosen,
        **_change_data(asked.change),
        "goes_wrong": None
        if turning is None
        else {
            "ply": turning.ply,
            "move": turning.move,
            "position": turning.position,
            **_change_data(turning.change),
        },
        "reason": " ".join(why_not_text(explanation, asked)),
    }
