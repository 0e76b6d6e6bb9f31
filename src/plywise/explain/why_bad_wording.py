"""Why a move is bad, in plain words: the mark, the answer and what it wins, the cost, the better move.

Moves are written as the game's list of moves writes them.
"""

from collections.abc import Mapping
from typing import Any

from plywise.core.alternation import winner_moves
from plywise.core.evaluation import WHOLE
from plywise.core.history import History
from plywise.core.scores import Kind, is_sure
from plywise.core.wording import is_plural, points_text, side_first, side_score_text, with_article
from plywise.explain.why_bad import SMALL, Continuation, DepthComparison, WhyBad
from plywise.explain.wording import join_text, label, labels, pieces_text
from plywise.play.win_chance import win_chance

MIN_COST = 0.3  # of the unit: moves nearer than this are about equally good
MAX_TERMS = 2  # terms of the evaluation that are named
MIN_TERM = 0.25  # of the cost: smaller terms are no reason
MOST = 0.5  # of the cost: what the named terms make at least
FAR_AHEAD = 0.8  # of the chance: whoever has more has nearly won


def why_bad_sentences(found: WhyBad, reveal: bool = True) -> list[str]:
    """The answer to "why is this move bad?", a sentence in each string, the most important first.

    Without `reveal` the better move is not named: somebody is looking for it.
    """
    history, played, best = found.history, found.played, found.best
    name = label(history, played.move)
    if played.move == best.move:
        return [f"{name} is the best move that Plywise finds: {_score(found, played)}{_depth(found)}."]
    other = label(history, best.move) if reveal else "another move"
    if found.denied is not None:
        return [_doubt(found, found.denied, name, other)]
    if not found.is_bad:
        what = f"is not much worse than {other}"
        if not found.is_good:
            what = f"may be worse than {other}"
        elif (found.cost or 0) < MIN_COST * found.unit:
            what = f"is about as good as {other}"
        elif (ahead := _far_ahead(found)) is not None:
            what = f"changes little, {_side_is(found, ahead)} far ahead either way"
        after = f"after {other if reveal else 'that one'}: {_score(found, best)}"
        return [f"{name} {what}: {_score(found, played)}; {after}{_depth(found)}."]
    said = [_verdict(found, name, other), *_answer(found, name)]
    if reveal:
        return [*said, _better(found, other)]
    depth = "" if played.kind is Kind.PROVEN else _depth(found)
    return [*said[:-1], f"{said[-1].removesuffix('.')}{depth}."]


def _doubt(found: WhyBad, denied: DepthComparison, name: str, other: str) -> str:
    """What two iterations say of the move, where they differ too much for a claim."""
    depth = max(found.best.depth, found.played.depth)
    old = _difference(found, denied.best.score, denied.played.score)
    new = _difference(found, found.best.score, found.played.score)
    seen = f"searched to depth {denied.depth} it {old}, to depth {depth} it {new}"
    if old == new:
        seen = f"searched to depth {denied.depth} and to depth {depth} it {new}, but the scores still change"
    unsure = f"about {name} and {other}" if found.is_doubted else f"how much worse {name} is than {other}"
    return f"Plywise is not sure {unsure}: {seen}."


def _difference(found: WhyBad, best: int, played: int) -> str:
    """What one iteration says of the move beside the other one."""
    if played >= best:
        return "is no worse"
    if is_sure(best) or is_sure(played):
        return "loses" if is_sure(played) and played < 0 else "misses a win"
    return f"costs {points_text(best - played, found.unit)}"


def _verdict(found: WhyBad, name: str, other: str) -> str:
    """What kind of error it is, and what it costs."""
    best, played = found.best, found.played
    what = f"{name} is {with_article(found.mark)}: it" if found.mark else name
    if is_sure(best.score) and best.score > 0:
        if is_sure(played.score) and played.score > 0:
            return f"{name} still wins, but {other} wins faster."
        if is_sure(played.score):
            return f"{what} throws the win away and loses."
        if played.kind is Kind.PROVEN:
            return f"{what} {'throws the win away' if found.mark else 'misses a forced win'}."
        # A deeper search may find a win there, too.
        mark = f"{name} is {with_article(found.mark)}: " if found.mark else ""
        return f"{mark}{other} wins by force, and after {name} Plywise sees no win."
    if is_sure(played.score) and is_sure(best.score):
        return f"{name} loses faster than {other}."
    if is_sure(played.score):
        saved = ", and the draw was there" if best.kind is Kind.PROVEN and best.score == 0 else ""
        return f"{what} loses by force{saved}."
    cost = found.cost or 0
    terms = "" if _wins_text(found) else _terms_text(found, cost)
    return f"{what} costs {points_text(cost, found.unit)}{terms}{_still_ahead(found)}."


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
            return [f"After {name} the game is over: {played.outcome.short_reason}."]
        return [f"The line {' '.join(line)} shows it: {after}."]
    place = played.line.index(reply, 1)
    other = side_first(other)
    start = f"{other} {verb} {line[place]}"
    if is_sure(played.score):
        return [f"{start}: {after}."]
    if not found.reply_confirmed:
        return [f"After {name}: {after}."]
    wins = _wins_text(found, bare=not found.reply_best)
    if not found.reply_best:
        start = f"{other} can answer {line[place]}"
    return [f"{start} and {wins}: {after}." if wins else f"{start}: {after}."]


def _better(found: WhyBad, other: str) -> str:
    """The better move."""
    return f"Better is {other}: {_score(found, found.best)}{_depth(found)}."


def _depth(found: WhyBad) -> str:
    """How deep was searched, unless both moves are proven."""
    depths = [one.depth for one in (found.best, found.played) if one.kind is not Kind.PROVEN]
    if not depths:
        return ""
    depth = min(depths)
    confirmed = f", confirmed at depth {found.checked}" if found.checked > depth else ""
    return f" (searched to depth {depth}{confirmed})"


def _still_ahead(found: WhyBad) -> str:
    """Why so high a cost is no blunder: `, but White is still far ahead`."""
    ahead = _far_ahead(found)
    if found.mark not in SMALL or ahead is None:
        return ""
    if ahead == found.history.turn:
        return f", but {_side_is(found, ahead)} still far ahead"
    side = found.history.game.sides[ahead]
    return f", but {side} {'were' if is_plural(side) else 'was'} far ahead already"


def _far_ahead(found: WhyBad) -> int | None:
    """The side that has nearly won, whichever of the two moves is played."""
    history = found.history
    chances = [win_chance(one.score, history.game, found.unit) for one in (found.played, found.best)]
    if min(chances) >= FAR_AHEAD:
        return history.turn
    return 1 - history.turn if max(chances) <= 1 - FAR_AHEAD else None


def _side_is(found: WhyBad, side: int) -> str:
    name = found.history.game.sides[side]
    return f"{name} {'are' if is_plural(name) else 'is'}"


def _score(found: WhyBad, one: Continuation) -> str:
    """A score in words; a win that the line shows to its end is counted in moves of the winner."""
    history, numbers = found.history, list[int]()
    after = history
    for move in one.line:
        after = after.play(move)
        assert after.move is not None
        numbers.append(after.move)
    moves = winner_moves(history, numbers, one.score)
    return side_score_text(history.game, history.turn, one.score, one.kind, found.unit, moves)


# --- pieces and terms -------------------------------------------------------------------------------
def _wins_text(found: WhyBad, bare: bool = False) -> str:
    """`wins a rook`, or `takes a rook for a bishop`, as the other side sees it; empty if it wins no piece.

    What is worth more, only the score says. `bare` gives `win a rook`, which follows `can`.
    """
    pieces = found.piece_loss
    if pieces is None:
        return ""
    end = "" if bare or is_plural(found.history.game.sides[1 - found.history.turn]) else "s"
    won, paid = _net(pieces.lost, pieces.taken), _net(pieces.taken, pieces.lost)
    parts = []
    if won:
        text = pieces_text(won)
        parts.append(f"take{end} {text} for {pieces_text(paid)}" if paid else f"win{end} {text}")
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
    if one is None or other is None or one.keys() | other.keys() == {WHOLE}:
        return ""
    lost = {name: one.get(name, 0.0) - other.get(name, 0.0) for name in dict.fromkeys([*one, *other])}
    names = sorted((name for name in lost if lost[name] >= MIN_TERM * cost), key=lambda name: -lost[name])
    if sum(lost[name] for name in names[:MAX_TERMS]) < MOST * cost:
        return ""
    return f", most of it in {join_text(names[:MAX_TERMS])}" if names else ""


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
