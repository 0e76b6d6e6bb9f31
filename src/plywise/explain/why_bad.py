"""Why a move is bad: what the other side answers, what that wins, and what the best move would have kept.

The move and the best one are searched to the same depth, each from the position that it leads to, so their
scores compare. Nothing is claimed that the next iteration denies, or a search with an empty table: where two
iterations differ, both moves are searched deeper, and if they still differ, that is what is said. Before a
move is called good, the best one is looked for once more, as deep as the claim. A score is told by the pieces
on the board only where a line was found whose end stands for it. Everything here is data;
`why_bad_wording.py` makes sentences of it. Scores are for the side that moves.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from plywise.core.history import History
from plywise.core.outcome import Outcome
from plywise.core.scores import WIN, Kind, add_plies, is_sure
from plywise.explain.marks import MARKS, move_mark
from plywise.explain.reasons import first_reply, piece_changes, side_terms
from plywise.play.win_chance import win_chance
from plywise.search.engine import Engine
from plywise.search.limits import Limits
from plywise.search.result import Progress, Result

SMALL = [name for _, name in MARKS[1:]]  # marks that only three iterations in a row can give
MAX_DEEPER = 2  # turns that are searched beyond the limits' depth until two iterations agree
MAX_DEEPER_TIMED = 1  # where the limits are seconds: somebody waits for the answer
# Of the chance: a move that may lose this much is not passed over; marked by the last iterations, or not.
DOUBTFUL = MARKS[0][0], MARKS[1][0]
CONFIRMED = 0.025  # of the chance: an answer that gives away more, searched a turn deeper, is not confirmed
RIVAL = 0.05  # of the chance: an answer that is better by less may not be the best
SETTLED = 0.5  # of the unit: an evaluation this near to a score stands for it
MAX_BETTER = 2  # times that another move takes the best one's place, before a move is called good
MAX_BETTER_TIMED = 1
MIN_DEPTH = 2  # turns that each search looks ahead at least, whatever its limits
MAX_MORE_PLIES = 8  # that a line is played on to come to such a position
MORE_NODES = 2000  # of each of these searches


@dataclass(frozen=True, slots=True)
class Pieces:
    """What a line does to the pieces of the side that moves, and of the other side, by name."""

    taken: dict[str, int]
    lost: dict[str, int]
    gained: dict[str, int]  # own promotions
    given: dict[str, int]  # promotions of the other side


@dataclass(frozen=True, slots=True)
class Continuation:
    """A move with its score and the line that follows."""

    move: str
    score: int
    kind: Kind
    depth: int
    line: tuple[str, ...]  # the move comes first
    outcome: Outcome | None  # how the game ends, if the line is played to its end
    shown: tuple[str, ...]  # the line, perhaps played on, to a position that stands for the score; or empty
    pieces: Pieces | None  # what it does to the pieces by then
    terms: dict[str, float] | None  # the evaluation there, for the side that moves

    def reply(self, history: History) -> str | None:
        """The other side's first move."""
        return first_reply(history, self.line)


@dataclass(frozen=True, slots=True)
class WhyBad:
    """The answer to "why is this move bad?"; `best` is `played` itself if there is no better one."""

    history: History
    played: Continuation
    best: Continuation
    unit: int
    drop: float  # the chance that is lost for sure, from 0 to 1
    risk: float  # the chance that may be lost, by whichever search says most
    nodes: int
    checked: int  # the depth of the iteration that confirms it, a turn deeper where there is one
    # What an earlier iteration found that the last one denies; then nothing is claimed.
    denied: "DepthComparison | None" = None
    reply_confirmed: bool = True  # the answer is as good when it is searched deeper
    reply_best: bool = True  # and no other answer is nearly as good

    @property
    def cost(self) -> int | None:
        """The score that is lost; None if one of the moves wins or loses by force."""
        if is_sure(self.played.score) or is_sure(self.best.score):
            return None
        return max(0, self.best.score - self.played.score)

    @property
    def is_bad(self) -> bool:
        """Whether the move is worse, by more than searches differ: by a mark, or in a win or a loss."""
        if self.denied is not None:
            return False
        if self.played.move == self.best.move or self.played.score >= self.best.score:
            return False
        if is_sure(self.played.score) and is_sure(self.best.score) and not self.drop:
            return self.played.kind is self.best.kind is Kind.PROVEN  # only then the distances are sure
        return self.cost is None or self.mark is not None

    @property
    def mark(self) -> str | None:
        """`blunder`, `mistake` or `inaccuracy`, by the chance that is lost."""
        return move_mark(self.drop, 0.0)

    @property
    def is_good(self) -> bool:
        """Whether it gives away too little of its side's chance to be marked, be that mark sure or not.

        Where one search marks it and another does not, it may be good, and counts so.
        """
        return self.is_doubted or move_mark(self.risk, 0.0) is None

    @property
    def is_doubted(self) -> bool:
        """Whether one search marks the move and another does not; else they differ in how much it loses."""
        if self.denied is None:
            return False
        best, played = (
            win_chance(one.score, self.history.game, self.unit) for one in (self.best, self.played)
        )
        return self.denied.mark is None or move_mark(best, played) is None

    @property
    def is_reliable(self) -> bool:
        """Whether both moves were searched at all; a stop may have come before the first iteration ended."""
        return all(one.depth > 0 or one.kind is Kind.PROVEN for one in (self.played, self.best))

    @property
    def piece_loss(self) -> Pieces | None:
        """What the move does to the pieces, if the best move does not do the same."""
        if self.played.pieces is None or self.played.pieces == self.best.pieces:
            return None
        return self.played.pieces


@dataclass(frozen=True, slots=True)
class DepthResult:
    """What a finished iteration says of a move; the score is for the side that moves."""

    depth: int
    score: int
    kind: Kind
    line: tuple[str, ...]  # the move comes first


@dataclass(frozen=True, slots=True)
class DepthComparison:
    """The best move and the one in question, after iterations of one depth."""

    depth: int
    best: DepthResult
    played: DepthResult
    drop: float  # the chance that is lost

    @property
    def mark(self) -> str | None:
        return move_mark(self.drop, 0.0)

    def agrees(self, deeper: "DepthComparison") -> bool:
        """Whether a deeper iteration says much the same: the same mark, or a loss between half and double."""
        if self.mark is None or deeper.mark is None:
            return self.mark is deeper.mark
        return self.is_near(deeper)

    def is_near(self, other: "DepthComparison") -> bool:
        """Whether the loss is between half and double that of another comparison."""
        return self.drop <= 2 * other.drop and other.drop <= 2 * self.drop

    def takes_back(self, earlier: "DepthComparison") -> bool:
        """Whether an earlier iteration says more: a far greater loss, or a forced win that is none here."""
        pairs = (earlier.best, self.best), (earlier.played, self.played)
        if any(is_sure(one.score) and not is_sure(other.score) for one, other in pairs):
            return True
        return not earlier.agrees(self) and self.drop < earlier.drop

    @property
    def is_proven(self) -> bool:
        """Whether no deeper search can change it."""
        return self.best.kind is self.played.kind is Kind.PROVEN


def why_bad(engine: Engine, history: History, move: str, limits: Limits) -> WhyBad:
    """Search a position, and then the best move and `move` to one depth; BadMove if it is not legal here.

    `limits` are those of each search; a few more, a turn or two deeper, follow where iterations differ. None
    ends before it has looked MIN_DEPTH turns ahead, unless the engine is stopped; `is_reliable` says whether
    it was.

    >>> import plywise
    >>> game = plywise.load("tic_tac_toe")
    >>> found = why_bad(Engine(game, compiled=False), game.history("x...o.... x"), "b3", Limits(depth=9))
    >>> found.is_bad, found.best.kind
    (False, <Kind.PROVEN: 'proven'>)
    """
    return _Question(engine, history, move, limits).answer()


class _Question:
    """One "why is this bad?" and its searches."""

    def __init__(self, engine: Engine, history: History, move: str, limits: Limits) -> None:
        game = history.game
        self.engine, self.history, self.limits, self.unit = engine, history, limits, engine.evaluation.unit
        self.move = game.move_text(history.position, game.read_move(history.position, move))
        self.nodes = 0
        self.played: list[DepthResult] = []  # the iterations of the move

    def answer(self) -> WhyBad:
        first = self.search(self.history, self.limits)[0]
        assert first.move is not None, "there is a legal move"
        if first.kind is Kind.PROVEN:
            # Nothing can be better, and the move gets all that the limits allow.
            best = [DepthResult(first.depth, first.score, first.kind, first.line)]
            limits = self.limits
        else:
            # One turn deeper than the first search looked: the choice is checked as well as the move.
            limits = replace(self.limits, depth=max(1, first.depth))
            best = self.iterations(first.move, limits)
        self.played = best if self.move == first.move else self.iterations(self.move, limits)
        found = self.confirm(best)
        for _ in range(MAX_BETTER_TIMED if self.limits.is_timed else MAX_BETTER):
            if found.is_bad or found.denied is not None or first.kind is Kind.PROVEN:
                break
            better = self.find_better(found)
            if better is None:
                break
            found = self.confirm(better)
        return found

    def find_better(self, found: WhyBad) -> list[DepthResult] | None:
        """The iterations of a better move than those of an answer, if a search with an empty table finds one.

        The first search, whose choice the best move is, did not look as deep as the claim, and the limits may
        have ended it in the middle of an iteration.
        """
        self.engine.clear()
        choice = self.search(self.history, self.twice(found.checked + 1))[0].move
        if choice is None or choice in (found.played.move, found.best.move):
            return None
        self.engine.clear()
        better = self.iterations(choice, self.twice(found.checked))
        return better if better[-1].score > found.best.score else None

    def confirm(self, best: list[DepthResult]) -> WhyBad:
        """The last claim that the iteration after it confirms; both moves are searched deeper to find one."""
        if best is self.played:
            pair = self.compare(best, best)[-1]
            return self.make_answer(pair, pair, 0.0, 0.0)
        most = MAX_DEEPER_TIMED if self.limits.is_timed else MAX_DEEPER
        for more in range(most + 1):
            pairs = self.compare(best, self.played)
            old, new = pairs[-2] if len(pairs) > 1 else pairs[-1], pairs[-1]
            if (old.agrees(new) and self.confirms_answer(old, new)) or new.is_proven or more == most:
                break
            best, self.played = (self.deepen(one, new.depth + 1) for one in (best, self.played))
            if self.compare(best, self.played)[-1].depth == new.depth:
                break  # the limits ended it
        risk = max(old.drop, new.drop)
        if not new.is_proven:
            fresh = self.search_afresh(new)
            pairs = _cut_to(pairs, fresh)
            old, new = pairs[-2] if len(pairs) > 1 else pairs[-1], pairs[-1]
            risk = max(risk, old.drop, new.drop, fresh.drop)
        drop = self.sure_drop(pairs)
        least_doubtful = DOUBTFUL[old.mark is None or new.mark is None]
        doubtful = move_mark(drop, 0.0) is None and risk + self.change(old, new) >= least_doubtful
        differ = bool(old.mark) != bool(new.mark) and not old.is_near(new)
        if (doubtful or differ) and not new.is_proven:
            return self.make_answer(new, new, 0.0, risk, denied=old)
        # Where the deeper iteration takes something back, it alone is what is claimed.
        claim = new if new.takes_back(old) else old
        found = self.make_answer(claim, new, drop, risk)
        if not found.is_bad:
            return found
        confirmed = self.confirms_answer(old, new)
        best_reply = confirmed and (old.mark is None or not self.has_rival(old.played, new.depth))
        return replace(found, reply_confirmed=confirmed, reply_best=best_reply, nodes=self.nodes)

    def search_afresh(self, last: DepthComparison) -> DepthComparison:
        """The last comparison again, by searches with an empty table; less deep if the limits end one.

        Iterations of one search share what is in its table, so they may agree in an error.
        """
        some = []
        for one in (last.best, last.played):
            if one.kind is Kind.PROVEN:
                some.append([one])
            else:
                self.engine.clear()
                some.append(self.iterations(one.line[0], self.twice(last.depth)))
        return self.compare(*some)[-1]

    def sure_drop(self, pairs: list[DepthComparison]) -> float:
        """The chance that is lost by the last two iterations, whichever says less.

        A small loss must be in three iterations, and is less what the scores change from one to the next.
        """
        old, new = pairs[-2:] if len(pairs) > 1 else (pairs[-1], pairs[-1])
        drop = min(old.drop, new.drop)
        if move_mark(drop, 0.0) not in SMALL:
            return drop
        return max(0.0, min(drop - self.change(old, new), *(pair.drop for pair in pairs[-3:])))

    def change(self, old: DepthComparison, new: DepthComparison) -> float:
        """How much the chances change from one iteration to the next: they may change as much once more."""
        changes = (old.best.score, new.best.score), (old.played.score, new.played.score)
        return max(abs(self.chance(one) - self.chance(other)) for one, other in changes)

    def compare(self, best: list[DepthResult], played: list[DepthResult]) -> list[DepthComparison]:
        """Iterations of one depth beside each other; what is proven stands beside all of them."""
        open_ones = [one for one in (best, played) if one[-1].kind is not Kind.PROVEN]
        most = min((one[-1].depth for one in open_ones), default=max(best[-1].depth, played[-1].depth))
        depths = [one.depth for some in open_ones[:1] for one in some if one.depth <= most] or [most]
        pairs = []
        for depth in depths:
            good, bad = (_at_depth(some, depth) for some in (best, played))
            pairs.append(DepthComparison(depth, good, bad, self.drop(good.score, bad.score)))
        return pairs

    def deepen(self, some: list[DepthResult], depth: int) -> list[DepthResult]:
        """The same move's iterations, with those down to a greater depth."""
        if some[-1].kind is Kind.PROVEN:
            return some
        found = self.iterations(some[-1].line[0], replace(self.limits, depth=depth))
        return [*some, *(one for one in found if one.depth > some[-1].depth)]

    def chance(self, score: int) -> float:
        return win_chance(score, self.history.game, self.unit)

    def drop(self, best: int, played: int) -> float:
        return max(0.0, self.chance(best) - self.chance(played))

    def confirms_answer(self, old: DepthComparison, new: DepthComparison) -> bool:
        """Whether the other side's answer to a bad move is confirmed; that to a good one is not named."""
        return old.mark is None or self.confirms_reply(old.played, new.played)

    def confirms_reply(self, claim: DepthResult, deeper: DepthResult) -> bool:
        """Whether the answer stays as good when it is searched a turn deeper."""
        history = self.history
        reply = first_reply(history, claim.line)
        if reply is None or is_sure(claim.score):
            return True
        if first_reply(history, deeper.line) != reply:
            return False
        place = claim.line.index(reply, 1)
        asked = _play(history, claim.line[:place])
        if asked.play(reply).outcome is not None:
            return True
        score = self.answer_score(asked, reply, claim.depth)
        return self.drop(score, min(claim.score, deeper.score)) <= CONFIRMED

    def has_rival(self, claim: DepthResult, depth: int) -> bool:
        """Whether another answer is nearly as good, or better: then nobody can say which one is the best."""
        reply = first_reply(self.history, claim.line)
        if reply is None or is_sure(claim.score):
            return False
        asked = _play(self.history, claim.line[: claim.line.index(reply, 1)])
        if len(asked.moves) < 2:
            return False
        result = self.engine.search(asked, self.twice(depth), lines=2)
        self.nodes += result.nodes
        if result.move != reply or len(result.lines) < 2:
            return True
        return self.drop(result.lines[0].score, result.lines[1].score) < RIVAL

    def twice(self, depth: int) -> Limits:
        """Limits of a search to a depth that has twice the work: for two lines, or with an empty table."""
        nodes, time, cpu = self.limits.nodes, self.limits.time, self.limits.cpu
        return replace(
            self.limits,
            depth=depth,
            nodes=None if nodes is None else 2 * nodes,
            time=None if time is None else 2 * time,
            cpu=None if cpu is None else 2 * cpu,
        )

    def answer_score(self, asked: History, answer: str, depth: int) -> int:
        """The score after an answer, searched to a depth from there."""
        after = asked.play(answer)
        if after.outcome is not None:
            winner = after.outcome.winner
            return 0 if winner is None else WIN - 1 if winner == self.history.turn else 1 - WIN
        depth += after.turn == asked.turn  # its turn may go on
        result = self.search(after, replace(self.limits, depth=depth))[0]
        return result.score if after.turn == self.history.turn else -result.score

    def make_answer(
        self,
        claim: DepthComparison,
        check: DepthComparison,
        drop: float,
        risk: float,
        denied: DepthComparison | None = None,
    ) -> WhyBad:
        """The answer by one comparison, and by the next one, which confirms it, or the one that it denies."""
        played = _make_continuation(self.engine, self.history, claim.played)
        best = played
        if claim.best.score > claim.played.score or denied is not None:
            best = _make_continuation(self.engine, self.history, claim.best)
        return WhyBad(self.history, played, best, self.unit, drop, risk, self.nodes, check.depth, denied)

    # --- searches -------------------------------------------------------------------------------------
    def search(self, history: History, limits: Limits) -> tuple[Result, list[DepthResult]]:
        """Search within the limits; to MIN_DEPTH if they end before that, as on a slow or busy machine."""
        finished: dict[int, Progress] = {}

        def keep(report: Progress) -> None:
            if report.current is None and report.lines:
                finished.setdefault(report.depth, report)  # a second one is of an iteration that was stopped

        result = self.engine.search(history, limits, progress=keep)
        self.nodes += result.nodes
        asked = MIN_DEPTH if limits.depth is None else min(MIN_DEPTH, limits.depth)
        if result.depth < asked and result.kind is not Kind.PROVEN:
            finished.clear()
            result = self.engine.search(history, depth=asked, progress=keep)
            self.nodes += result.nodes
        return result, [
            DepthResult(depth, report.lines[0].score, report.lines[0].kind, report.lines[0].moves)
            for depth, report in finished.items()
            if depth <= result.depth
        ]

    def iterations(self, move: str, limits: Limits) -> list[DepthResult]:
        """What the finished iterations of a search after a move found."""
        after = self.history.play(move)
        if after.outcome is not None:
            winner = after.outcome.winner
            score = 0 if winner is None else WIN - 1 if winner == self.history.turn else 1 - WIN
            return [DepthResult(limits.depth or 1, score, Kind.PROVEN, (move,))]
        result, found = self.search(after, limits)
        sign = 1 if after.turn == self.history.turn else -1
        if not found:
            found = [DepthResult(result.depth, result.score, result.kind, result.line)]
        return [replace(one, score=add_plies(sign * one.score, 1), line=(move, *one.line)) for one in found]


def _at_depth(some: list[DepthResult], depth: int) -> DepthResult:
    """The iteration of a depth, or the last one before it; what is proven is true at every depth."""
    if some[-1].kind is Kind.PROVEN:
        return some[-1]
    return next((one for one in reversed(some) if one.depth <= depth), some[0])


def _cut_to(pairs: list[DepthComparison], fresh: DepthComparison) -> list[DepthComparison]:
    """The comparisons to the depth of one with an empty table; the last is the one that confirms least.

    What was found deeper, by searches that shared a table, can deny a claim, but not confirm it.
    """
    known = [pair for pair in pairs if pair.depth < fresh.depth]
    deeper = [pair for pair in pairs if pair.depth >= fresh.depth]
    before = known[-1].drop if known else fresh.drop
    least = max((*deeper, fresh), key=lambda one: abs(one.drop - before))
    return [*known, replace(least, depth=fresh.depth)]


def _make_continuation(engine: Engine, history: History, found: DepthResult) -> Continuation:
    """A line with what its end shows."""
    line, score = found.line, found.score
    if is_sure(score):
        shown = line if _play(history, line).outcome is not None else ()
    else:
        shown = _settled_line(engine, history, line, score)
    end = _play(history, shown)
    return Continuation(
        line[0],
        score,
        found.kind,
        found.depth,
        line,
        end.outcome if shown else None,
        shown,
        _pieces(history, end) if shown else None,
        side_terms(end, history.turn, engine) if shown and end.outcome is None else None,
    )


def _play(history: History, line: Sequence[str]) -> History:
    for move in line:
        history = history.play(move)
    return history


def _pieces(start: History, end: History) -> Pieces:
    taken, lost, gained = piece_changes(start, end, start.turn)
    given = piece_changes(start, end, 1 - start.turn)[2]
    return Pieces(taken, lost, gained, given)


def _settled_line(engine: Engine, history: History, line: tuple[str, ...], score: int) -> tuple[str, ...]:
    """The line to a position whose evaluation is near the score: on it the score can be seen.

    The line of a search ends at its depth, perhaps between two captures: it is played on by short searches.
    Empty if there is no such position.
    """
    near = SETTLED * engine.evaluation.unit
    end, moves = _play(history, line), list(line)
    for _ in range(MAX_MORE_PLIES):
        if end.outcome is not None:
            return tuple(moves) if (end.outcome.winner is None and abs(score) <= near) else ()
        if abs(sum(side_terms(end, history.turn, engine).values()) - score) <= near:
            return tuple(moves)
        more = engine.search(end, Limits(depth=2, nodes=MORE_NODES))
        if more.move is None:
            return ()
        moves.append(more.move)
        end = end.play(more.move)
    return ()
