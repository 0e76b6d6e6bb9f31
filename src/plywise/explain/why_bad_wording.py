"""Why a move is bad, in plain words: the mark, the answer and what it wins, the cost, the better move.

Moves are written as the game's list of moves writes them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from plywise.core.history import History
from plywise.core.scores import Kind, distance, is_sure
from plywise.core.wording import is_plural, points_text, side_score_text
from plywise.explain.why_bad import Continuation, WhyBad
from plywise.explain.wording import join_text, label, labels, pieces_text

MIN_COST = 0.3  # of the unit: moves nearer than this are about equally good
MAX_TERMS = 2  # terms of the evaluation that are named
MIN_TERM = 0.25  # of the cost: smaller terms are no reason


def why_bad_sentences(found: WhyBad) -> list[str]:
    """The answer to "why is this move bad?", a sentence in each string, the most important first."""
    history, played, best = found.history, found.played, found.best
    name = label(history, played.move)
    if played.move == best.move:
        return [f"{name} is the best move that Plywise finds: {_score(found, played)}."]
    other = label(history, best.move)
    if not found.is_bad:
        equal = (found.cost or 0) < MIN_COST * found.unit
        what = f"is about as good as {other}" if equal else "changes little"
        return [f"{name} {what}: {_score(found, played)}; after {other}: {_score(found, best)}."]
    return [_verdict(found, name, other), *_answer(found, name), _better(found, other)]


def _verdict(found: WhyBad, name: str, other: str) -> str:
    """What kind of error it is, and what it costs."""
    best, played = found.best, found.played
    what = f"{name} is {_with_article(found.mark)}: it" if found.mark else name
    if is_sure(best.score) and best.score > 0:
        if is_sure(played.score) and played.score > 0:
            return f"{name} still wins, but {other} wins faster."
        return f"{what} {'throws the win away' if found.mark else 'misses a forced win'}."
    if is_sure(played.score) and is_sure(best.score):
        return f"{name} loses faster than {other}."
    if is_sure(played.score):
        saved = ", and the draw was there" if best.kind is Kind.PROVEN and best.score == 0 else ""
        return f"{what} loses by force{saved}."
    cost = found.cost or 0
    terms = "" if _wins_text(found) else _terms_text(found, cost)
    return f"{what} costs {points_text(cost, found.unit)}{terms}."


def _answer(found: WhyBad, name: str) -> list[str]:
    """The other side's answer, and what it wins."""
    history, played = found.history, found.played
    other = history.game.sides[1 - history.turn]
    verb = "answer" if is_plural(other) else "answers"
    line = labels(history, played.line)
    after = _score(found, played)
    reply = played.reply(history)
    if reply is None:
        if played.outcome is not None and len(played.line) == 1:
            return [f"After {name} the game is over: {played.outcome.reason}."]
        return [f"The line {' '.join(line)} shows it: {after}."]
    place = played.line.index(reply, 1)
    # A side may be called by a letter, as in tic-tac-toe: that stays as it is.
    start = f"{other if len(other) == 1 else other[:1].upper() + other[1:]} {verb} {line[place]}"
    if is_sure(played.score):
        return [f"{start}: {after}."]
    wins = _wins_text(found)
    return [f"{start} and {wins}: {after}." if wins else f"{start}: {after}."]


def _better(found: WhyBad, other: str) -> str:
    """The better move; how deep was searched, unless both are proven."""
    pair = found.best, found.played
    sure = all(one.kind is Kind.PROVEN for one in pair)
    depth = (
        ""
        if sure
        else f" (searched to depth {min(one.depth for one in pair if one.kind is not Kind.PROVEN)})"
    )
    return f"Better is {other}: {_score(found, found.best)}{depth}."


def _score(found: WhyBad, one: Continuation) -> str:
    """A score in words; a win that the line shows to its end is counted in moves of the winner."""
    history = found.history
    winner = history.turn if one.score > 0 else 1 - history.turn
    moves = None
    if distance(one.score) == len(one.line):
        moves = _moves_of(history, one.line, winner)
    return side_score_text(history.game, history.turn, one.score, one.kind, found.unit, moves)


def _moves_of(history: History, line: Sequence[str], side: int) -> int:
    count = 0
    for move in line:
        count += history.turn == side
        history = history.play(move)
    return count


# --- pieces and terms -------------------------------------------------------------------------------
def _wins_text(found: WhyBad) -> str:
    """`wins a rook for a bishop`, as the other side sees it; empty if it wins no piece."""
    pieces = found.piece_loss
    if pieces is None:
        return ""
    end = "" if is_plural(found.history.game.sides[1 - found.history.turn]) else "s"
    won, paid = _net(pieces.lost, pieces.taken), _net(pieces.taken, pieces.lost)
    parts = []
    if won:
        parts.append(f"win{end} {pieces_text(won)}" + (f" for {pieces_text(paid)}" if paid else ""))
    if pieces.given:
        parts.append(f"get{end} {pieces_text(pieces.given)}")
    return join_text(parts) if parts else ""


def _net(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    """The pieces of one account that the other has not."""
    left = {name: number - other.get(name, 0) for name, number in one.items()}
    return {name: number for name, number in left.items() if number > 0}


def _terms_text(found: WhyBad, cost: int) -> str:
    """`, most of it in king safety`: the terms in which the two lines end differently."""
    one, other = found.best.terms, found.played.terms
    if one is None or other is None:
        return ""
    lost = {name: one.get(name, 0.0) - other.get(name, 0.0) for name in dict.fromkeys([*one, *other])}
    names = sorted((name for name in lost if lost[name] >= MIN_TERM * cost), key=lambda name: -lost[name])
    return f", most of it in {join_text(names[:MAX_TERMS])}" if names else ""


def _with_article(mark: str | None) -> str:
    return f"{'an' if mark == 'inaccuracy' else 'a'} {mark}"


# --- as data ------------------------------------------------------------------------------------------
def why_bad_data(found: WhyBad) -> dict[str, Any]:
    """The answer as data for JSON. Scores are for the side that moves."""
    return {
        "mark": found.mark,
        "is_bad": found.is_bad,
        "is_good": found.is_good,
        "cost": found.cost,
        "unit": found.unit,
        "nodes": found.nodes,
        "played": _continuation_data(found.history, found.played),
        "best": _continuation_data(found.history, found.best),
        "text": why_bad_sentences(found),
    }


def _continuation_data(history: History, one: Continuation) -> dict[str, Any]:
    return {
        "move": one.move,
        "label": label(history, one.move),
        "score": one.score,
        "kind": str(one.kind),
        "depth": one.depth,
        "line": list(one.line),
        "labels": labels(history, one.line),
        "reply": one.reply(history),
    }
