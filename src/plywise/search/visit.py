"""The search: principal-variation alpha-beta over any game that keeps the contract.

Scores are for the side to move. The sign and the window change sides only when `turn` does, and
depth counts turns, so a side may act several times in a row. Two counters in the thread's memory
tell how far a value can be trusted: `guesses` grows with every value that is not known for sure or
not by its distance, `skips` with every unsound pruning; both with every draw that the path makes. A
value found while `guesses` stood still is complete: nothing beyond the depth can change it.
"""

from typing import Any

from plywise.core.outcome import DRAWN, OPEN, WON
from plywise.core.scores import DECISIVE, EVALUATED, INFINITE, SURE, UNKNOWN, WIN, is_decisive, is_sure
from plywise.core.words import at, compiled
from plywise.search.margins import (
    CLOCK_GUARD,
    DELTA_MARGIN,
    EXCHANGE_MARGIN,
    EXCHANGE_TO,
    FIRST,
    FUTILITY_BASE,
    FUTILITY_MARGIN,
    FUTILITY_TO,
    GAIN,
    HISTORY_TURN,
    INTERNAL_FROM,
    KILLER,
    LATE_BASE,
    LATE_TO,
    NOISY_BELOW,
    NOISY_MARGIN,
    NOISY_TO,
    NULL_FROM,
    NULL_LESS,
    NULL_MARGIN,
    NULL_MORE,
    NULL_PER,
    POLL,
    REDUCE_AFTER,
    REDUCE_BEYOND,
    REDUCE_FROM,
    SINGULAR_FROM,
    SINGULAR_MARGIN,
    SINGULAR_NEAR,
    SINGULAR_TWICE,
    STANDING_MARGIN,
    STANDING_TO,
    UNSOUND,
)
from plywise.search.margins import (
    REDUCTIONS as REDUCED_BY,
)
from plywise.search.memory import FLAGS, NODE, PLIES, WIDTH
from plywise.search.order import learn, pick, rank
from plywise.search.switches import (
    DELTA,
    EXCHANGES,
    EXTENSIONS,
    FUTILITY,
    INTERNAL,
    LATE_MOVES,
    NULL_MOVE,
    QUIESCENCE,
    REDUCTIONS,
    SHARP,
    SINGULAR,
    STANDING,
    TABLE,
)
from plywise.search.table import (
    EXACT,
    LOWER,
    UPPER,
    expect,
    fold,
    is_complete,
    lookup,
    store,
    stored_bound,
    stored_depth,
    stored_move,
    stored_score,
    stored_sound,
)

# What a variant of the search may change (see core/space.py).
RECORD = False  # write every node into the log

# How a node came to be searched, and how it ended.
ROOT, FULL, SCOUT, REDUCED, AGAIN, SKIP, NOISY, WITHOUT = range(8)
LEAF, TABLED, NULL, CUT, OVER, DRAW, DONE, STOPPED, PROBED, BEYOND, STOOD = range(11)

# What needs a first look at the position.
LOOKS = NULL_MOVE | STANDING | FUTILITY | LATE_MOVES | EXCHANGES | INTERNAL | SINGULAR


# --- what an evaluation supplies (see search/engine.py) ------------------------------------------
@compiled
def evaluate(position: Any, memory: Any, ply: int) -> int:
    """How good an open position is for the side to move."""
    return position.evaluate()


@compiled
def begin(position: Any, memory: Any) -> None:
    """A search starts from this position."""
    return


@compiled
def follow(position: Any, move: int, after: Any, memory: Any, ply: int) -> None:
    """A move (or -1, a pass) was made; `ply` is that of the position after it."""
    return


# --- the recorder: free when off ------------------------------------------------------------------
@compiled
def coming(memory: Any, why: int, move: int) -> None:
    """Tell the recorder about the next node."""
    memory.why, memory.move = why, move


@compiled
def enter(memory: Any, depth: int, alpha: int, beta: int, ply: int) -> None:
    """Note a node as it is entered."""
    node = memory.nodes - 1
    # A search of the other moves stands below the very node that asks for it, at the same ply.
    parent = memory.trail[ply] if memory.why == WITHOUT else memory.trail[ply - 1] if ply > 0 else -1
    memory.trail[ply] = node
    if node < memory.room:
        row = at(memory.log, NODE, node)
        row.move, row.why, row.iteration = memory.move, memory.why, memory.iteration
        row.parent = parent
        row.depth, row.ply, row.alpha, row.beta = min(depth, 127), ply, alpha, beta  # as its field can hold


@compiled
def leave(memory: Any, ply: int, value: int, cause: int, bound: int) -> int:
    """The value, noted on its way back."""
    if RECORD:
        node = memory.trail[ply]
        if node < memory.room:
            row = at(memory.log, NODE, node)
            row.value, row.cause, row.bound = value, cause, bound
    return value


# --- small parts -----------------------------------------------------------------------------------
@compiled
def poll(memory: Any) -> None:
    """A look at the stop flag and the node limit, every so many nodes."""
    if at(memory.flags, FLAGS, 0).stop != 0 or memory.nodes >= memory.most_nodes:
        memory.stopped = 1
    memory.poll = min(memory.nodes + POLL, memory.most_nodes)


@compiled
def final(verdict: int, ply: int) -> int:
    """The score of a position that is over."""
    if verdict == DRAWN:
        return 0
    return WIN - ply if verdict == WON else ply - WIN


@compiled
def opinion(position: Any, memory: Any, ply: int) -> int:
    """The evaluation, kept within its band; a guess."""
    memory.guesses += 1
    return max(-EVALUATED, min(EVALUATED, evaluate(position, memory, ply)))


@compiled
def looked_up(position: Any, memory: Any, ply: int) -> int:
    """What a database says, with distances counted from the root; UNKNOWN if it says nothing.

    It does not know the past: a win for which the draw counter may not leave time is not believed.
    """
    known: int = position.probe(memory)
    if known == UNKNOWN:
        return UNKNOWN
    known = known - ply if known > DECISIVE else known + ply if known < -DECISIVE else known
    return UNKNOWN if too_far(memory, known, ply) else known


@compiled
def too_far(memory: Any, score: int, ply: int) -> bool:
    """Whether the draw counter may end the game before a win that is known without the past."""
    if memory.patience == 0 or not is_decisive(score):
        return False
    return memory.clocks[ply] + WIN - abs(score) - ply > memory.patience


@compiled
def of_unknown_length(memory: Any, score: int, alpha: int, beta: int) -> None:
    """Account for a value from a database: of a win without a distance, one may be shorter than another."""
    if is_sure(score) and not is_decisive(score):
        memory.guesses += 1
        memory.skips += 1
        if score > 0 and alpha >= DECISIVE or score < 0 and beta <= -DECISIVE:
            memory.vague += 1  # it may be the shorter win that is looked for


@compiled
def repeated(memory: Any, key: int, ply: int) -> bool:
    """The position was there before on this line, or so often in the game that this time is a draw.

    Below the positions of the line, from ply 1 on, stand those of the game whose return is a draw.
    """
    clock, end = memory.clocks[ply], memory.past + ply - 1
    i = end - clock if clock < ply else 0
    while i < end:
        if memory.path[i] == key:
            return True
        i += 1
    return False


@compiled
def drawn_by_past(memory: Any) -> int:
    """The score of a draw that is one on this path only."""
    memory.guesses += 1
    memory.skips += 1
    return 0


@compiled
def table_key(memory: Any, key: int, ply: int) -> int:
    """The key under which the table has the position.

    Where the past makes draws of positions that can still return, it is another past's table.
    """
    return key ^ memory.salt if memory.clocks[ply] >= ply else key


@compiled
def note_line(memory: Any, ply: int, move: int) -> None:
    """The best line from this ply is the move and the best line behind it."""
    row, below = ply * WIDTH, (ply + 1) * WIDTH
    memory.lines[row] = move
    length = memory.lengths[ply + 1]
    for i in range(length):
        memory.lines[row + 1 + i] = memory.lines[below + i]
    memory.lengths[ply] = length + 1


@compiled
def hopeless(
    position: Any,
    memory: Any,
    move: int,
    value: int,
    depth: int,
    place: int,
    static: int,
    alpha: int,
) -> bool:
    """Whether a quiet or losing move promises nothing at this depth (see margins.py)."""
    switches = memory.switches
    if value < NOISY_BELOW:
        return (
            switches & EXCHANGES != 0
            and depth <= NOISY_TO
            and not position.brings(move, -NOISY_MARGIN * depth)
        )
    late = max(1, depth - REDUCED_BY[min(depth, 63) * 64 + min(place, 63)])
    if switches & FUTILITY != 0 and late <= FUTILITY_TO:
        if static + FUTILITY_BASE + FUTILITY_MARGIN * late <= alpha:
            return True
    return (
        switches & EXCHANGES != 0
        and late <= EXCHANGE_TO
        and not position.brings(move, -EXCHANGE_MARGIN * late * late)
    )


# --- quiescence ------------------------------------------------------------------------------------
@compiled
def quiesce(
    position: Any, memory: Any, key: int, alpha: int, beta: int, ply: int, n: int, urgent: bool, fresh: bool
) -> int:
    """The value of a position once its noisy moves are seen through.

    A side may stand on its evaluation, except where all its moves must be looked at: in an urgent
    position, and in the middle of a turn. At its `fresh` start threats are tried, too.
    """
    memory.nodes += 1
    if memory.nodes >= memory.poll:
        poll(memory)
    if RECORD:
        enter(memory, 0, alpha, beta, ply)
    memory.lengths[ply] = 0
    if ply > memory.deepest:
        memory.deepest = ply
    if memory.stopped != 0:
        return leave(memory, ply, 0, STOPPED, EXACT)

    # 1. Over, drawn by the past, or known to a database?
    verdict = position.outcome()
    if verdict != OPEN:
        return leave(memory, ply, final(verdict, ply), OVER, EXACT)
    clock = memory.clocks[ply]
    switches = memory.switches
    if ply > 0:
        memory.path[memory.past + ply - 1] = key
        if clock > 0:
            if memory.repeats != 0 and repeated(memory, key, ply):
                return leave(memory, ply, drawn_by_past(memory), DRAW, EXACT)
            if memory.patience != 0 and clock >= memory.patience:
                if position.moves(memory.moves, n) == n:  # the last move may have ended the game
                    return leave(memory, ply, final(position.stuck(), ply), OVER, EXACT)
                return leave(memory, ply, drawn_by_past(memory), DRAW, EXACT)
        known = looked_up(position, memory, ply)
        if known != UNKNOWN:
            of_unknown_length(memory, known, alpha, beta)
            return leave(memory, ply, known, PROBED, EXACT)
    if ply >= PLIES:
        return leave(memory, ply, opinion(position, memory, ply), BEYOND, EXACT)

    # 2. The table may know it, to any depth.
    hint, data, place = 0, 0, key
    if switches & TABLE != 0:
        place = table_key(memory, key, ply)
        data = lookup(memory, place)
        if data != 0:
            hint = stored_move(data)
            score, bound = stored_score(data, ply), stored_bound(data)
            if (
                ply > 0
                and beta - alpha == 1
                and abs(beta) < SURE
                and (memory.patience == 0 or clock + CLOCK_GUARD < memory.patience)
                and not too_far(memory, score, ply)
                and (bound == EXACT or bound == (LOWER if score >= beta else UPPER))
            ):
                if not is_complete(data):
                    memory.guesses += 1
                    if not stored_sound(data):
                        memory.skips += 1
                return leave(memory, ply, score, TABLED, bound)

    # 3. Stand on the evaluation, or look at all moves.
    best, floor, least = ply - WIN, alpha, 0
    forced = urgent or position.midway()
    if forced:
        end = position.moves(memory.moves, n)
        if end == n:
            return leave(memory, ply, final(position.stuck(), ply), OVER, EXACT)
    else:
        best = opinion(position, memory, ply)
        if best >= beta:
            return leave(memory, ply, best, LEAF, LOWER)
        if switches & DELTA != 0 and abs(alpha) < SURE:
            least = max(0, alpha - best - DELTA_MARGIN)
        alpha = max(alpha, best)
        if fresh and switches & SHARP != 0:
            end = position.sharp(memory.moves, n)
        else:
            end = position.noisy(memory.moves, n)
    if end - n > memory.most:
        memory.overflow, memory.stopped = end - n, 1
        return leave(memory, ply, 0, STOPPED, EXACT)

    # 4. The moves, most promising first; without a need, none that loses by the exchange or cannot
    #    bring enough.
    for i in range(n, end):
        move = memory.moves[i]
        memory.order[i] = FIRST if fold(move) == hint else position.gain(move)
    turn, chosen = position.turn, -1
    for i in range(n, end):
        value = pick(memory, i, n, end)
        move = memory.moves[i]
        # A threat brings nothing by itself.
        if not forced and not position.brings(move, least if value != 0 else 0):
            continue
        after = position.play(move)
        below = after.key()
        expect(memory, below)
        follow(position, move, after, memory, ply + 1)
        memory.clocks[ply + 1] = 0 if position.resets(move) else clock + 1
        urgent_then = after.urgent()
        if RECORD:
            coming(memory, NOISY, move)
        if after.turn == turn:
            score = quiesce(after, memory, below, alpha, beta, ply + 1, end, urgent_then, False)
        else:
            score = -quiesce(after, memory, below, -beta, -alpha, ply + 1, end, urgent_then, False)
        if memory.stopped != 0:
            return leave(memory, ply, 0, STOPPED, EXACT)
        if score > best:
            best = score
            if score > alpha:
                alpha, chosen = score, move
                note_line(memory, ply, move)
                if score >= beta:
                    break
    bound = LOWER if best >= beta else EXACT if best > floor else UPPER
    if switches & TABLE != 0 and data == 0 and abs(best) < SURE:
        store(memory, place, chosen, best, ply, 0, bound, 0, 0)
    return leave(memory, ply, best, CUT if bound == LOWER else LEAF if end == n else DONE, bound)


# --- the search ------------------------------------------------------------------------------------
@compiled
def visit(
    position: Any,
    memory: Any,
    key: int,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    n: int,
    urgent: bool,
    null: bool,
    cut: bool,
) -> int:
    """The value of a position searched `depth` turns deep.

    Exact within (alpha, beta), else a bound beyond it (fail-soft). Moves are written from n on.
    The key comes with the position, so that its place in the table is fetched in the meantime, and so
    does whether it is `urgent`. `null` says that passing may be tried, `cut` that a cut is expected.
    """
    switches = memory.switches
    if urgent and switches & EXTENSIONS != 0:
        depth += 1
    if depth <= 0 and switches & QUIESCENCE != 0:
        return quiesce(position, memory, key, alpha, beta, ply, n, urgent, True)
    memory.nodes += 1
    if memory.nodes >= memory.poll:
        poll(memory)
    here = memory.nodes - 1
    if RECORD:
        enter(memory, depth, alpha, beta, ply)
    memory.lengths[ply] = 0
    if ply > memory.deepest:
        memory.deepest = ply
    if memory.stopped != 0:
        return leave(memory, ply, 0, STOPPED, EXACT)

    # 1. Over, drawn by the past, or known to a database?
    clock = memory.clocks[ply]
    # Whether a win is the shortest, a loss the longest, is answered without any unsound pruning.
    strict = alpha >= DECISIVE or beta <= -DECISIVE
    if ply > 0:
        memory.path[memory.past + ply - 1] = key
        verdict = position.outcome()
        if verdict != OPEN:
            return leave(memory, ply, final(verdict, ply), OVER, EXACT)
        if clock > 0:
            if memory.repeats != 0 and repeated(memory, key, ply):
                return leave(memory, ply, drawn_by_past(memory), DRAW, EXACT)
            if memory.patience != 0 and clock >= memory.patience:
                if position.moves(memory.moves, n) == n:  # the last move may have ended the game
                    return leave(memory, ply, final(position.stuck(), ply), OVER, EXACT)
                return leave(memory, ply, drawn_by_past(memory), DRAW, EXACT)
        known = looked_up(position, memory, ply)
        if known != UNKNOWN:
            of_unknown_length(memory, known, alpha, beta)
            return leave(memory, ply, known, PROBED, EXACT)
    if depth <= 0 and strict:
        # No evaluation is a win or a loss: what it would be does not matter here.
        memory.guesses += 1
        if alpha >= DECISIVE:
            return leave(memory, ply, EVALUATED, LEAF, UPPER)
        return leave(memory, ply, -EVALUATED, LEAF, LOWER)
    if depth <= 0:
        return leave(memory, ply, opinion(position, memory, ply), LEAF, EXACT)
    if ply >= PLIES:
        return leave(memory, ply, opinion(position, memory, ply), BEYOND, EXACT)

    # 2. A win cannot come sooner than with this move, unless having none wins; nor a loss sooner than here.
    if WIN - ply - 1 <= alpha:
        if WIN - ply > alpha and ply > 0 and position.moves(memory.moves, n) == n:
            return leave(memory, ply, final(position.stuck(), ply), OVER, EXACT)
        return leave(memory, ply, WIN - ply - 1, CUT, UPPER)
    if ply - WIN >= beta:
        return leave(memory, ply, ply - WIN, CUT, LOWER)
    scout = beta - alpha == 1

    # 3. The table: a move to try first, and perhaps the answer.
    hint, data, score, bound, known, done = 0, 0, 0, EXACT, 0, False
    # Minimax is exact about the path, too: then only what no path can change is taken from the table.
    pathless = memory.exact == 0 or clock == 0 or (memory.repeats == 0 and memory.patience == 0)
    place = table_key(memory, key, ply)
    barred = memory.barred[ply]  # the move to do without, in a search for one as good
    if switches & TABLE != 0:
        data = lookup(memory, place)
        if data != 0:
            hint = stored_move(data)
            score, bound, known = stored_score(data, ply), stored_bound(data), stored_depth(data)
            done = is_complete(data)
            if memory.exact == 0:
                enough = done or known >= depth
            else:  # deeper than asked for is not what minimax sees
                enough = pathless and stored_sound(data) and (known == depth or done and known < depth)
            if (
                ply > 0
                and scout
                and enough
                and barred == 0
                and (not strict or done or stored_sound(data))
                and (memory.patience == 0 or clock + CLOCK_GUARD < memory.patience)
                and not too_far(memory, score, ply)
                and (bound == EXACT or bound == (LOWER if score >= beta else UPPER))
            ):
                if not done:
                    memory.guesses += 1
                    if not stored_sound(data):
                        memory.skips += 1
                return leave(memory, ply, score, TABLED, bound)

    # 4. A first look, where passing would prove something. If the position stands far enough above
    #    beta, or if even passing does, a move will too.
    calm = (
        switches & LOOKS != 0
        and ply > 0
        and not strict
        and not urgent
        and not position.midway()
        and position.can_skip()
    )
    static = memory.statics[ply - 2] if ply > 1 else -INFINITE
    improving = False
    extra = 0
    if calm:
        guesses, skips = memory.guesses, memory.skips
        before, static = static, opinion(position, memory, ply)
        memory.guesses = guesses
        improving = static > before
        memory.statics[ply] = static
        if data != 0 and abs(score) < SURE and bound == (LOWER if score > static else UPPER):
            static = score  # the table has looked deeper
        if (
            switches & STANDING != 0
            and scout
            and barred == 0
            and depth <= STANDING_TO
            and abs(beta) < SURE
            and static - STANDING_MARGIN * (depth - (1 if improving else 0)) >= beta
        ):
            memory.guesses, memory.skips = guesses + 1, skips + 1
            return leave(memory, ply, static, STOOD, LOWER)
        if (
            switches & NULL_MOVE != 0
            and scout
            and null
            and barred == 0
            and depth >= NULL_FROM
            and static >= beta
        ):
            after = position.skip()
            follow(position, -1, after, memory, ply + 1)
            memory.clocks[ply + 1] = 0
            memory.patterns[ply] = -1
            if RECORD:
                coming(memory, SKIP, -1)
            less = NULL_LESS + depth // NULL_PER + min(NULL_MORE, (static - beta) // NULL_MARGIN)
            below, urgent_then = after.key(), after.urgent()
            value = -visit(
                after, memory, below, depth - less, -beta, 1 - beta, ply + 1, n, urgent_then, False, not cut
            )
            if memory.stopped != 0:
                return leave(memory, ply, 0, STOPPED, EXACT)
            if value >= beta:
                memory.guesses, memory.skips = guesses + 1, skips + 1
                # A win after a pass is no win.
                return leave(memory, ply, value if value < SURE else beta, NULL, LOWER)
            memory.guesses, memory.skips = guesses, skips
        if switches & INTERNAL != 0 and hint == 0 and depth >= INTERNAL_FROM:
            depth -= 1
            memory.skips += 1

        # Is the table's move much better than all others? Then it is worth looking deeper.
        if (
            switches & SINGULAR != 0
            and hint != 0
            and barred == 0
            and depth >= SINGULAR_FROM
            and bound != UPPER
            and known + SINGULAR_NEAR >= depth
            and not done
            and abs(score) < SURE
            and ply < 2 * memory.iteration
        ):
            goal = score - SINGULAR_MARGIN * depth
            memory.barred[ply] = hint
            if RECORD:
                coming(memory, WITHOUT, -1)
            guesses, skips = memory.guesses, memory.skips
            value = visit(position, memory, key, (depth - 1) // 2, goal - 1, goal, ply, n, False, False, cut)
            memory.barred[ply] = 0
            if RECORD:
                memory.trail[ply] = here
            if memory.stopped != 0:
                return leave(memory, ply, 0, STOPPED, EXACT)
            memory.guesses, memory.skips = guesses, skips
            memory.lengths[ply] = 0
            if value < goal:
                extra = 2 if scout and value < goal - SINGULAR_TWICE else 1
            elif scout and goal >= beta:  # two moves are good enough: one will be
                memory.guesses, memory.skips = guesses + 1, skips + 1
                return leave(memory, ply, goal, CUT, LOWER)
            elif score >= beta:
                extra = -1
    else:
        memory.statics[ply] = static

    # 5. The moves. At the root they stand ready, after the first iteration in the order of the last one.
    if ply > 0:
        end = position.moves(memory.moves, n)
        if end == n:
            return leave(memory, ply, final(position.stuck(), ply), OVER, EXACT)
        if end - n > memory.most:
            memory.overflow, memory.stopped = end - n, 1
            return leave(memory, ply, 0, STOPPED, EXACT)
        rank(position, memory, ply, n, end, hint)
    else:
        n, end = memory.first, memory.last
        if memory.fresh != 0:
            rank(position, memory, ply, n, end, hint)
    turn = position.turn
    best, chosen, floor = -INFINITE, -1, alpha
    guesses, skips = memory.guesses, memory.skips
    most, late = end, False
    if calm and scout and switches & LATE_MOVES != 0 and depth <= LATE_TO:
        most = n + (LATE_BASE + depth * depth) // (1 if improving else 2)

    # 6. Each move: late ones less deep and all but the first with a narrow window, again if they
    #    promise more.
    for i in range(n, end):
        value = memory.order[i] if late else pick(memory, i, n, end)
        move = memory.moves[i]
        while value > GAIN and value < FIRST and not position.sound(move):
            # It loses by the exchange: its turn comes after the quiet moves.
            memory.order[i] = value - GAIN + UNSOUND
            value = pick(memory, i, n, end)
            move = memory.moves[i]
        if barred != 0 and fold(move) == barred:
            continue
        before, missed = memory.guesses, memory.skips
        nodes = memory.nodes
        after = position.play(move)
        urgent_then = after.urgent()
        # What looks hopeless is left out, once there is a move that does not lose: a loss must be
        # found by looking at every move.
        if calm and scout and best > -SURE and value < KILLER and not urgent_then:
            # After enough quiet moves the others are all left out: their order does not matter any more.
            late = late or i >= most and value > NOISY_BELOW
            if (
                late
                and value > NOISY_BELOW
                or hopeless(position, memory, move, value, depth, i - n, static, alpha)
            ):
                memory.guesses += 1
                memory.skips += 1
                continue
        below = after.key()
        expect(memory, below)
        follow(position, move, after, memory, ply + 1)
        memory.clocks[ply + 1] = 0 if position.resets(move) else clock + 1
        memory.patterns[ply] = position.pattern(move)
        less, wide, why = 0, i == n, FULL if i == n else SCOUT
        more = extra if value == FIRST else 0
        if (
            switches & REDUCTIONS != 0
            and depth >= REDUCE_FROM
            and ply >= REDUCE_BEYOND
            and i - n >= REDUCE_AFTER
            and value < KILLER
            and not urgent
            and not strict
        ):
            less = REDUCED_BY[min(depth, 63) * 64 + min(i - n, 63)]
            if calm:
                less += (0 if improving else 1) - (0 if scout else 1) - (1 if urgent_then else 0)
                if cut:
                    less += 1
                if value > NOISY_BELOW:
                    less -= value // HISTORY_TURN
                less = max(0, min(less, depth - 2))
            why = REDUCED if less > 0 else SCOUT
        while True:
            high = beta if wide else alpha + 1
            if RECORD:
                coming(memory, why, move)
            if after.turn == turn:
                new = max(1, depth - less)
                score = visit(after, memory, below, new, alpha, high, ply + 1, end, urgent_then, True, cut)
            else:
                # Where the window is narrow, cuts are expected of every other node.
                then = less > 0 or not cut if high - alpha == 1 else False
                new = depth - 1 + more - less
                score = -visit(
                    after, memory, below, new, -high, -alpha, ply + 1, end, urgent_then, True, then
                )
            if memory.stopped != 0:
                return leave(memory, ply, 0, STOPPED, EXACT)
            if score <= alpha or less == 0 and (wide or score >= beta):
                break
            wide, less, why = less == 0, 0, AGAIN
        if (less > 0 or more < 0) and memory.guesses != before:
            memory.skips += 1
        if ply == 0:
            memory.efforts[i] += memory.nodes - nodes
            memory.order[i] = score
            memory.done = i + 1
        if score > best:
            best, chosen = score, move
            if score > alpha:
                alpha = score
                note_line(memory, ply, move)
                if ply == 0:
                    memory.best = move
                if score >= beta:
                    # 7. A cut: the moves before this one no longer matter to the value.
                    if memory.guesses == before:
                        memory.guesses, memory.skips = guesses, skips
                    elif memory.skips == missed:
                        memory.skips = skips
                    if position.gain(move) == 0:
                        learn(position, memory, ply, n, i, depth)
                    break
    if chosen < 0 and best == -INFINITE:
        best = floor  # there is no other move
    bound = LOWER if best >= beta else EXACT if best > floor else UPPER

    # 8. A forced win is true however it was found, and so is a loss: nothing unsound makes one.
    if bound == LOWER and best > SURE or bound == UPPER and best < -SURE:
        memory.guesses, memory.skips = guesses, skips
    if switches & TABLE != 0 and barred == 0 and (ply > 0 or memory.whole != 0):
        complete = 1 if memory.guesses == guesses else 0
        sound = 1 if memory.skips == skips and pathless else 0
        move = chosen if bound != UPPER else -1
        store(memory, place, move, best, ply, depth, bound, sound, complete)
    return leave(memory, ply, best, CUT if bound == LOWER else DONE, bound)


def iterate(position: Any, memory: Any, depth: int, alpha: int, beta: int) -> int:
    """One iteration over the root moves that stand ready in memory.moves[first:last]."""
    begin(position, memory)
    if RECORD:
        coming(memory, ROOT, -1)
    return visit(position, memory, position.key(), depth, alpha, beta, 0, 0, position.urgent(), False, False)
