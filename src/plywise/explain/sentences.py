"""An explanation in words: the game's own for sides, moves, pieces and terms, and no others."""

from collections.abc import Mapping
from typing import Any

from plywise.core.game import Game
from plywise.core.scores import distance, is_sure
from plywise.explain.reasons import AT_LEAST, AT_MOST, Alternative, Change, Explanation, WhyNot
from plywise.search.result import Kind, said

CHANGE = 0.05  # of the unit: terms that change less are not told
SHOWN = 8  # rejected moves that are told one by one; the others are counted


def sentences(told: Explanation, most: int = SHOWN) -> list[str]:
    """All that there is to say, a sentence or two in each string."""
    history, result = told.history, told.result
    game, turn, unit = history.game, history.turn, result.unit
    if told.outcome is not None or result.move is None:
        end = told.outcome.reason if told.outcome is not None else "there is no move"
        return [f"The game is over: {end}."]
    score = said(game, turn, result.score, result.kind, unit)
    text = [
        f"{game.sides[turn]} should play {result.move}: {score} ({result.kind}), "
        f"depth {result.depth}, {_counted(result.nodes, 'node')}."
    ]
    if len(history.moves) == 1:
        text[0] = f"{result.move} is the only move: {score} ({result.kind})."
    if len(result.line) > 1:
        text.append(f"The line: {' '.join(result.line)}.")
    text.append(change_in_words(game, turn, told.change, unit, "the line"))
    if told.record.limit_in_words:
        text.append(f"The record is cut short: {told.record.limit_in_words}.")
    if told.asked is not None:
        text += why_not_in_words(told, told.asked)
        return [line for line in text if line]
    rejected = told.alternatives
    if rejected:
        text.append("Why not another move?")
    text += [f"{one.move}: {reason(told, one)}." for one in rejected[:most]]
    if len(rejected) > most:
        text.append(f"and {_counted(len(rejected) - most, 'other move')}, none of them better.")
    return [line for line in text if line]


# --- what a line changes ----------------------------------------------------------------------------
def change_in_words(game: Game, turn: int, change: Change, unit: int, subject: str) -> str:
    """What a line brings and costs, for the side that begins it; empty if nothing."""
    parts = []
    pieces = _pieces(change)
    if pieces:
        parts.append(pieces)
    if change.outcome is not None:
        parts.append(f"ends the game: {change.outcome.reason}")
    elif change.terms:
        plus = {name: value for name, value in change.terms.items() if value > 0}
        minus = {name: -value for name, value in change.terms.items() if value < 0}
        if plus:
            parts.append(f"brings {_terms(plus, unit)}")
        if minus:
            parts.append(f"costs {_terms(minus, unit)}")
    return f"For {game.sides[turn]} {subject} {'; '.join(parts)}." if parts else ""


def _terms(terms: Mapping[str, float], unit: int) -> str:
    """`1.00 in material and 0.20 in king safety`, the largest first, small change left out."""
    names = sorted(terms, key=lambda name: -terms[name])
    names = [name for name in names if terms[name] >= unit * CHANGE] or names[:1]
    return _listed([f"{amount(terms[name], unit)} in {name}" for name in names])


def _pieces(change: Change) -> str:
    """`wins a pawn and trades 2 knights`, by the names on the board; empty if none went."""
    both = {name: min(number, change.lost.get(name, 0)) for name, number in change.taken.items()}
    groups = {
        "wins": {name: number - both[name] for name, number in change.taken.items()},
        "loses": {name: number - both.get(name, 0) for name, number in change.lost.items()},
        "trades": both,
        "gets": change.gained,
    }
    named = {verb: _named(pieces) for verb, pieces in groups.items()}
    parts = [f"{verb} {pieces}" for verb, pieces in named.items() if pieces]
    return _listed(parts) if parts else ""


def _named(pieces: Mapping[str, int]) -> str:
    parts = [_piece(name, number) for name, number in pieces.items() if number]
    return _listed(parts) if parts else ""


def _piece(name: str, number: int) -> str:
    if number == 1:
        return f"{'an' if name[:1] in 'aeiou' else 'a'} {name}"
    plural = name[:-3] + "men" if name.endswith("man") else name + "s"
    return f"{number} {plural}"


# --- the moves that were not chosen -----------------------------------------------------------------
def reason(told: Explanation, one: Alternative) -> str:
    """Why a move was not chosen: its worth, said as a bound if it is one, and the reply behind it."""
    game, turn, unit = told.history.game, told.history.turn, told.result.unit
    text = bounded(game, turn, one.score, one.kind, one.bound, unit)
    if one.depth < told.result.depth:
        text += f" at depth {one.depth}"
    if one.cost is not None and one.cost > 0:
        least = "at least " if one.bound == AT_MOST else ""
        text += f", {least}{amount(one.cost, unit)} less"
    parts = [text]
    if one.cause == "draw" and one.bound is None:
        parts.append("a draw by the past: repetition, or no progress")
    elif one.cause == "database" and one.bound is None:
        parts.append("the ending is solved")
    if one.reply is not None:
        parts.append(f"the answer is {one.reply}")
    if one.seen is not None:
        parts[-1] += f", leaving {said(game, turn, one.seen[0], None, unit)} at depth {one.seen[1]}"
    pieces = _pieces(one.change)
    if one.change.outcome is not None:
        parts.append(f"the game ends: {one.change.outcome.reason}")
    elif pieces:
        parts.append(f"it {pieces}")
    return "; ".join(parts)


def bounded(game: Game, turn: int, score: int, kind: Kind, bound: str | None, unit: int) -> str:
    """A score in words, a bound as a bound."""
    text = said(game, turn, score, kind, unit)
    if bound is None:
        return text
    mine = score > 0
    more = (bound == AT_LEAST) == mine  # the side that is named may have more than that
    plies = distance(score)
    if plies is not None:
        side = game.sides[turn if mine else 1 - turn]
        least = f"{side} wins in at most {_plies(plies)}"
        return least if more else f"no faster win for {side} than in {_plies(plies)}"
    if is_sure(score):
        return text if more else "no win"
    if score == 0:
        return "even at best" if bound == AT_MOST else "even or better"
    return f"{'at least' if more else 'at most'} {text}"


# --- why not? -----------------------------------------------------------------------------------------
def why_not_in_words(told: Explanation, asked: WhyNot) -> list[str]:
    """The answer to `why not this move?`."""
    game, turn, unit = told.history.game, told.history.turn, told.result.unit
    score = said(game, turn, asked.score, asked.kind, unit)
    depth = f"searched alone to depth {asked.depth}"
    if asked.chosen:
        return [f"Why not {asked.move}? It is the move chosen; {depth}: {score} ({asked.kind})."]
    text = [f"Why not {asked.move}? {depth.capitalize()}: {score} ({asked.kind})"]
    if asked.cost is not None and asked.cost > 0:
        text[0] += f", {amount(asked.cost, unit)} less than {told.result.move}."
    elif asked.score < told.result.score:
        text[0] += f", which is worse than {told.result.move}."
    elif asked.score == told.result.score:
        return [f"{text[0]}: as good as {told.result.move}.", f"Its line: {' '.join(asked.line)}."]
    else:
        return [
            f"{text[0]}: searched so, no worse than {told.result.move}.",
            f"Its line: {' '.join(asked.line)}.",
        ]
    if asked.reply is not None:
        text.append(f"The answer is {asked.reply}: {' '.join(asked.line)}.")
    text.append(change_in_words(game, turn, asked.change, unit, "that line"))
    if is_sure(told.result.score) and told.result.score > 0 and not is_sure(asked.score):
        return [*text, "It lets the win go."]
    if asked.turning is not None and asked.turning.ply == 1:
        text.append(f"It goes wrong at once: it gives up what {told.result.move} brings.")
    elif asked.turning is not None:
        what = change_in_words(game, turn, asked.turning.change, unit, "this already")
        text.append(f"It goes wrong with {asked.turning.move} (ply {asked.turning.ply}). {what}")
    else:
        text.append("No single move of the line goes wrong: the difference is small, or lies deeper.")
    return [line.strip() for line in text if line]


# --- small words --------------------------------------------------------------------------------------
def amount(points: float, unit: int) -> str:
    """Points as the evaluation counts them: `0.35`, or whole where its unit is one."""
    return f"{abs(points) / unit:.2f}" if unit > 1 else f"{abs(points):.0f}"


def _listed(parts: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _plies(number: int) -> str:
    return f"{number} {'ply' if number == 1 else 'plies'}"


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


# --- as data ------------------------------------------------------------------------------------------
def answer(told: Explanation) -> dict[str, Any]:
    """The explanation as data, for JSON. Scores and terms are for the side to move."""
    result, history = told.result, told.history
    outcome = told.outcome
    return {
        "game": history.game.name,
        "position": history.text,
        "turn": history.turn,
        "evaluator": told.record.evaluator,
        "unit": result.unit,
        "move": result.move,
        "score": result.score,
        "kind": str(result.kind),
        "plies": result.plies,
        "depth": result.depth,
        "line": list(result.line),
        **_change(told.change),
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
                "reason": reason(told, one),
                **_change(one.change),
            }
            for one in told.alternatives
        ],
        "why_not": None if told.asked is None else _asked(told, told.asked),
        "nodes": result.nodes,
        "recorded": len(told.record),
        "outcome": None if outcome is None else {"winner": outcome.winner, "reason": outcome.reason},
        "text": sentences(told),
    }


def _change(change: Change) -> dict[str, Any]:
    return {
        "terms": change.terms or {},
        "pieces": {"taken": change.taken, "lost": change.lost, "gained": change.gained},
        "ends": None if change.outcome is None else change.outcome.reason,
    }


def _asked(told: Explanation, asked: WhyNot) -> dict[str, Any]:
    turning = asked.turning
    return {
        "move": asked.move,
        "score": asked.score,
        "kind": str(asked.kind),
        "depth": asked.depth,
        "nodes": asked.nodes,
        "line": list(asked.line),
        "refutation": None if asked.chosen or asked.score >= told.result.score else asked.reply,
        "cost": asked.cost,
        "chosen": asked.chosen,
        **_change(asked.change),
        "goes_wrong": None
        if turning is None
        else {
            "ply": turning.ply,
            "move": turning.move,
            "position": turning.position,
            **_change(turning.change),
        },
        "reason": " ".join(why_not_in_words(told, asked)),
    }
