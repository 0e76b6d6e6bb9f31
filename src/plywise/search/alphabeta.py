"""The search: principal-variation alpha-beta over any game that keeps the contract.

Scores are for the side to move. The sign and the window change sides only when `turn` does, and
depth counts turns, so a side may act several times in a row. Two counters in the thread's memory
tell how far a value can be trusted: `guesses` grows with every value that is not table_depth for sure or
not by its distance, `skips` with every unsound pruning; both with every draw that the path makes. A
value found while `guesses` stood still is complete: nothing beyond the depth can change it.
"""

from typing import Any

from plywise.core.compiled import compiled
from plywise.core.layout import at
from plywise.core.outcome import DRAWN, OPEN, WON
from plywise.core.scores import DECISIVE, INFINITE, MAX_EVALUATION, SURE, UNKNOWN, WIN, is_decisive, is_sure
from plywise.search.margins import (
    BASE_REDUCTION,
    DELTA_MARGIN,
    DOUBLE_EXTENSION_MARGIN,
    DRAW_PLIES_GUARD,
    FUTILITY_BASE,
    FUTILITY_MARGIN,
    FUTILITY_MAX_DEPTH,
    HISTORY_PER_REDUCTION,
    INTERNAL_REDUCTION_MIN_DEPTH,
    LATE_MOVE_BASE,
    LATE_MOVE_MAX_DEPTH,
    NULL_MOVE_DEPTH_DIVISOR,
    NULL_MOVE_EVAL_DIVISOR,
    NULL_MOVE_EVAL_MAX,
    NULL_MOVE_MIN_DEPTH,
    NULL_MOVE_REDUCTION,
    ORDER_CAPTURE,
    ORDER_KILLER,
    ORDER_LOSING_CAPTURE,
    ORDER_QUIET_MIN,
    ORDER_TABLE_MOVE,
    POLL,
    REDUCTION_MIN_DEPTH,
    REDUCTION_MIN_MOVES,
    REDUCTION_MIN_PLY,
    REVERSE_FUTILITY_MARGIN,
    REVERSE_FUTILITY_MAX_DEPTH,
    SEE_NOISY_MARGIN,
    SEE_NOISY_MAX_DEPTH,
    SEE_QUIET_MARGIN,
    SEE_QUIET_MAX_DEPTH,
    SINGULAR_DEPTH_MARGIN,
    SINGULAR_MARGIN,
    SINGULAR_MIN_DEPTH,
)
from plywise.search.move_order import pick_move, score_moves, update_quiet_moves
from plywise.search.switches import (
    DELTA,
    EXTENSIONS,
    FUTILITY,
    INTERNAL_REDUCTION,
    LATE_MOVE_PRUNING,
    NULL_MOVE,
    QUIESCENCE,
    QUIESCENCE_CHECKS,
    REDUCTIONS,
    REVERSE_FUTILITY,
    SEE_PRUNING,
    SINGULAR,
    TABLE,
)
from plywise.search.thread_state import FLAGS, MAX_PLY, NODE, PLY_ROWS
from plywise.search.transposition import (
    EXACT,
    LOWER,
    UPPER,
    fold_move,
    is_complete,
    lookup,
    prefetch,
    store,
    stored_bound,
    stored_depth,
    stored_move,
    stored_score,
    stored_sound,
)

# What a variant of the search may change (see core/specialise.py).
RECORD = False  # write every node into the log

# How a node came to be searched, and how it ended.
ROOT, FULL, SCOUT, REDUCED, RE_SEARCH, NULL_SEARCH, NOISY, SINGULAR_SEARCH = range(8)
(
    LEAF,
    TABLE_HIT,
    NULL_MOVE_CUT,
    CUT,
    GAME_OVER,
    DRAW,
    DONE,
    STOPPED,
    DATABASE_HIT,
    PLY_LIMIT,
    REVERSE_FUTILITY_CUT,
) = range(11)

# What needs a first look at the position.
NEEDS_STATIC_EVAL = (
    NULL_MOVE | REVERSE_FUTILITY | FUTILITY | LATE_MOVE_PRUNING | SEE_PRUNING | INTERNAL_REDUCTION | SINGULAR
)


# --- what an evaluation supplies (see search/engine.py) ------------------------------------------
@compiled
def evaluate(position: Any, thread: Any, ply: int) -> int:
    """How good an open position is for the side to move."""
    return position.evaluate()


@compiled
def begin(position: Any, thread: Any) -> None:
    """A search starts from this position."""
    return


@compiled
def follow(position: Any, move: int, after: Any, thread: Any, ply: int) -> None:
    """A move (or -1, a pass) was made; `ply` is that of the position after it."""
    return


# --- the recorder: free when off ------------------------------------------------------------------
@compiled
def announce_node(thread: Any, why: int, move: int) -> None:
    """Tell the recorder about the next node."""
    thread.why, thread.move = why, move


@compiled
def enter(thread: Any, depth: int, alpha: int, beta: int, ply: int) -> None:
    """Note a node as it is entered."""
    node = thread.nodes - 1
    # A search of the other moves stands below the very node that asks for it, at the same ply.
    parent = (
        thread.path_nodes[ply]
        if thread.why == SINGULAR_SEARCH
        else thread.path_nodes[ply - 1]
        if ply > 0
        else -1
    )
    thread.path_nodes[ply] = node
    if node < thread.log_rows:
        row = at(thread.log, NODE, node)
        row.move, row.why, row.iteration = thread.move, thread.why, thread.iteration
        row.parent = parent
        row.depth, row.ply, row.alpha, row.beta = depth, ply, alpha, beta


@compiled
def leave(thread: Any, ply: int, value: int, cause: int, bound: int) -> int:
    """The value, noted on its way back."""
    if RECORD:
        node = thread.path_nodes[ply]
        if node < thread.log_rows:
            row = at(thread.log, NODE, node)
            row.value, row.cause, row.bound = value, cause, bound
    return value


# --- small parts -----------------------------------------------------------------------------------
@compiled
def poll(thread: Any) -> None:
    """A look at the stop flag and the node limit, every so many nodes."""
    if at(thread.flags, FLAGS, 0).stop != 0 or thread.nodes >= thread.most_nodes:
        thread.stopped = 1
    thread.next_poll = min(thread.nodes + POLL, thread.most_nodes)


@compiled
def outcome_score(verdict: int, ply: int) -> int:
    """The score of a position that is over."""
    if verdict == DRAWN:
        return 0
    return WIN - ply if verdict == WON else ply - WIN


@compiled
def static_evaluation(position: Any, thread: Any, ply: int) -> int:
    """The evaluation, kept within its band; a guess."""
    thread.guesses += 1
    return max(-MAX_EVALUATION, min(MAX_EVALUATION, evaluate(position, thread, ply)))


@compiled
def probe_database(position: Any, thread: Any, ply: int) -> int:
    """What a database says, with distances counted from the root; UNKNOWN if it says nothing.

    It does not know the past: a win for which the draw counter may not leave time is not believed.
    """
    score: int = position.probe(thread)
    if score == UNKNOWN:
        return UNKNOWN
    score = score - ply if score > DECISIVE else score + ply if score < -DECISIVE else score
    return UNKNOWN if is_win_too_late(thread, score, ply) else score


@compiled
def is_win_too_late(memory: Any, score: int, ply: int) -> bool:
    """Whether the draw counter may end the game before a win that is table_depth without the past."""
    if memory.draw_plies == 0 or not is_decisive(score):
        return False
    return memory.reversible[ply] + WIN - abs(score) - ply > memory.draw_plies


@compiled
def count_unknown_distance(memory: Any, score: int, alpha: int, beta: int) -> None:
    """Account for a value from a database: of a win without a distance, one may be shorter than another."""
    if is_sure(score) and not is_decisive(score):
        memory.guesses += 1
        memory.skips += 1
        if score > 0 and alpha >= DECISIVE or score < 0 and beta <= -DECISIVE:
            memory.unknown_distances += 1  # it may be the shorter win that is looked for


@compiled
def is_repetition(thread: Any, key: int, ply: int) -> bool:
    """The position was there before on this line, or so often in the game that this time is a draw.

    Below the positions of the line, from ply 1 on, stand those of the game whose return is a draw.
    """
    clock, end = thread.reversible[ply], thread.past_plies + ply - 1
    i = end - clock if clock < ply else 0
    while i < end:
        if thread.path[i] == key:
            return True
        i += 1
    return False


@compiled
def path_draw_score(memory: Any) -> int:
    """The score of a draw that is one on this path only."""
    memory.guesses += 1
    memory.skips += 1
    return 0


@compiled
def table_key(memory: Any, key: int, ply: int) -> int:
    """The key under which the table has the position.

    Where the past makes draws of positions that can still return, it is another past's table.
    """
    return key ^ memory.past_hash if memory.reversible[ply] >= ply else key


@compiled
def update_line(thread: Any, ply: int, move: int) -> None:
    """The best line from this ply is the move and the best line behind it."""
    row, below = ply * PLY_ROWS, (ply + 1) * PLY_ROWS
    thread.lines[row] = move
    length = thread.line_lengths[ply + 1]
    for i in range(length):
        thread.lines[row + 1 + i] = thread.lines[below + i]
    thread.line_lengths[ply] = length + 1


@compiled
def is_prunable(
    position: Any,
    thread: Any,
    move: int,
    order_value: int,
    depth: int,
    move_index: int,
    static_eval: int,
    alpha: int,
) -> bool:
    """Whether a quiet or losing move promises nothing at this depth (see margins.py)."""
    switches = thread.switches
    if order_value < ORDER_QUIET_MIN:
        return (
            switches & SEE_PRUNING != 0
            and depth <= SEE_NOISY_MAX_DEPTH
            and not position.brings(move, -SEE_NOISY_MARGIN * depth)
        )
    reduced_depth = max(1, depth - BASE_REDUCTION[min(depth, 63) * 64 + min(move_index, 63)])
    if switches & FUTILITY != 0 and reduced_depth <= FUTILITY_MAX_DEPTH:
        if static_eval + FUTILITY_BASE + FUTILITY_MARGIN * reduced_depth <= alpha:
            return True
    return (
        switches & SEE_PRUNING != 0
        and reduced_depth <= SEE_QUIET_MAX_DEPTH
        and not position.brings(move, -SEE_QUIET_MARGIN * reduced_depth * reduced_depth)
    )


# --- quiescence ------------------------------------------------------------------------------------
@compiled
def quiescence(
    position: Any,
    thread: Any,
    key: int,
    alpha: int,
    beta: int,
    ply: int,
    n: int,
    urgent: bool,
    first_ply: bool,
) -> int:
    """The value of a position once its noisy moves are seen through.

    A side may stand on its evaluation, except where all its moves must be looked at: in an urgent
    position, and in the middle of a turn. At its `fresh` start threats are tried, too.
    """
    thread.nodes += 1
    if thread.nodes >= thread.next_poll:
        poll(thread)
    if RECORD:
        enter(thread, 0, alpha, beta, ply)
    thread.line_lengths[ply] = 0
    if ply > thread.deepest:
        thread.deepest = ply
    if thread.stopped != 0:
        return leave(thread, ply, 0, STOPPED, EXACT)

    # 1. Over, drawn by the past, or known to a database?
    verdict = position.outcome()
    if verdict != OPEN:
        return leave(thread, ply, outcome_score(verdict, ply), GAME_OVER, EXACT)
    reversible = thread.reversible[ply]
    switches = thread.switches
    if ply > 0:
        thread.path[thread.past_plies + ply - 1] = key
        if reversible > 0:
            if thread.repetition_draws != 0 and is_repetition(thread, key, ply):
                return leave(thread, ply, path_draw_score(thread), DRAW, EXACT)
            if thread.draw_plies != 0 and reversible >= thread.draw_plies:
                if position.moves(thread.moves, n) == n:  # the last move may have ended the game
                    return leave(thread, ply, outcome_score(position.stuck(), ply), GAME_OVER, EXACT)
                return leave(thread, ply, path_draw_score(thread), DRAW, EXACT)
        database_score = probe_database(position, thread, ply)
        if database_score != UNKNOWN:
            count_unknown_distance(thread, database_score, alpha, beta)
            return leave(thread, ply, database_score, DATABASE_HIT, EXACT)
    if ply >= MAX_PLY:
        return leave(thread, ply, static_evaluation(position, thread, ply), PLY_LIMIT, EXACT)

    # 2. The table may know it, to any depth.
    table_move, data, stored_key = 0, 0, key
    if switches & TABLE != 0:
        stored_key = table_key(thread, key, ply)
        data = lookup(thread, stored_key)
        if data != 0:
            table_move = stored_move(data)
            score, bound = stored_score(data, ply), stored_bound(data)
            if (
                ply > 0
                and beta - alpha == 1
                and abs(beta) < SURE
                and (thread.draw_plies == 0 or reversible + DRAW_PLIES_GUARD < thread.draw_plies)
                and not is_win_too_late(thread, score, ply)
                and (bound == EXACT or bound == (LOWER if score >= beta else UPPER))
            ):
                if not is_complete(data):
                    thread.guesses += 1
                    if not stored_sound(data):
                        thread.skips += 1
                return leave(thread, ply, score, TABLE_HIT, bound)

    # 3. Stand on the evaluation, or look at all moves.
    best, original_alpha, min_gain = ply - WIN, alpha, 0
    forced = urgent or position.midway()
    if forced:
        end = position.moves(thread.moves, n)
        if end == n:
            return leave(thread, ply, outcome_score(position.stuck(), ply), GAME_OVER, EXACT)
    else:
        best = static_evaluation(position, thread, ply)
        if best >= beta:
            return leave(thread, ply, best, LEAF, LOWER)
        if switches & DELTA != 0 and abs(alpha) < SURE:
            min_gain = max(0, alpha - best - DELTA_MARGIN)
        alpha = max(alpha, best)
        if first_ply and switches & QUIESCENCE_CHECKS != 0:
            end = position.sharp(thread.moves, n)
        else:
            end = position.noisy(thread.moves, n)
    if end - n > thread.most_moves:
        thread.overflow, thread.stopped = end - n, 1
        return leave(thread, ply, 0, STOPPED, EXACT)

    # 4. The moves, most promising first; without a need, none that loses by the exchange or cannot
    #    bring enough.
    for i in range(n, end):
        move = thread.moves[i]
        thread.order[i] = ORDER_TABLE_MOVE if fold_move(move) == table_move else position.gain(move)
    turn, best_move = position.turn, -1
    for i in range(n, end):
        order_value = pick_move(thread, i, n, end)
        move = thread.moves[i]
        # A threat brings nothing by itself.
        if not forced and not position.brings(move, min_gain if order_value != 0 else 0):
            continue
        after = position.play(move)
        child_key = after.key()
        prefetch(thread, child_key)
        follow(position, move, after, thread, ply + 1)
        thread.reversible[ply + 1] = 0 if position.resets(move) else reversible + 1
        child_urgent = after.urgent()
        if RECORD:
            announce_node(thread, NOISY, move)
        if after.turn == turn:
            score = quiescence(after, thread, child_key, alpha, beta, ply + 1, end, child_urgent, False)
        else:
            score = -quiescence(after, thread, child_key, -beta, -alpha, ply + 1, end, child_urgent, False)
        if thread.stopped != 0:
            return leave(thread, ply, 0, STOPPED, EXACT)
        if score > best:
            best = score
            if score > alpha:
                alpha, best_move = score, move
                update_line(thread, ply, move)
                if score >= beta:
                    break
    bound = LOWER if best >= beta else EXACT if best > original_alpha else UPPER
    if switches & TABLE != 0 and data == 0 and abs(best) < SURE:
        store(thread, stored_key, best_move, best, ply, 0, bound, 0, 0)
    return leave(thread, ply, best, CUT if bound == LOWER else LEAF if end == n else DONE, bound)


# --- the search ------------------------------------------------------------------------------------
@compiled
def alphabeta(
    position: Any,
    thread: Any,
    key: int,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    n: int,
    urgent: bool,
    allow_null: bool,
    cut_node: bool,
) -> int:
    """The value of a position searched `depth` turns deep.

    Exact within (alpha, beta), else a bound beyond it (fail-soft). Moves are written from n on.
    The key comes with the position, so that its place in the table is fetched in the meantime, and so
    does whether it is `urgent`. `allow_null` says that a null move may be tried, `cut_node` that a cut is
    expected.
    """
    switches = thread.switches
    if urgent and switches & EXTENSIONS != 0:
        depth += 1
    if depth <= 0 and switches & QUIESCENCE != 0:
        return quiescence(position, thread, key, alpha, beta, ply, n, urgent, True)
    thread.nodes += 1
    if thread.nodes >= thread.next_poll:
        poll(thread)
    node = thread.nodes - 1
    if RECORD:
        enter(thread, depth, alpha, beta, ply)
    thread.line_lengths[ply] = 0
    if ply > thread.deepest:
        thread.deepest = ply
    if thread.stopped != 0:
        return leave(thread, ply, 0, STOPPED, EXACT)

    # 1. Over, drawn by the past, or known to a database?
    reversible = thread.reversible[ply]
    # Whether a win is the shortest, a loss the longest, is answered without any unsound pruning.
    strict = alpha >= DECISIVE or beta <= -DECISIVE
    if ply > 0:
        thread.path[thread.past_plies + ply - 1] = key
        verdict = position.outcome()
        if verdict != OPEN:
            return leave(thread, ply, outcome_score(verdict, ply), GAME_OVER, EXACT)
        if reversible > 0:
            if thread.repetition_draws != 0 and is_repetition(thread, key, ply):
                return leave(thread, ply, path_draw_score(thread), DRAW, EXACT)
            if thread.draw_plies != 0 and reversible >= thread.draw_plies:
                if position.moves(thread.moves, n) == n:  # the last move may have ended the game
                    return leave(thread, ply, outcome_score(position.stuck(), ply), GAME_OVER, EXACT)
                return leave(thread, ply, path_draw_score(thread), DRAW, EXACT)
        database_score = probe_database(position, thread, ply)
        if database_score != UNKNOWN:
            count_unknown_distance(thread, database_score, alpha, beta)
            return leave(thread, ply, database_score, DATABASE_HIT, EXACT)
    if depth <= 0 and strict:
        # No evaluation is a win or a loss: what it would be does not matter here.
        thread.guesses += 1
        if alpha >= DECISIVE:
            return leave(thread, ply, MAX_EVALUATION, LEAF, UPPER)
        return leave(thread, ply, -MAX_EVALUATION, LEAF, LOWER)
    if depth <= 0:
        return leave(thread, ply, static_evaluation(position, thread, ply), LEAF, EXACT)
    if ply >= MAX_PLY:
        return leave(thread, ply, static_evaluation(position, thread, ply), PLY_LIMIT, EXACT)

    # 2. A win cannot come sooner than with this move, unless having none wins; nor a loss sooner than here.
    if WIN - ply - 1 <= alpha:
        if WIN - ply > alpha and ply > 0 and position.moves(thread.moves, n) == n:
            return leave(thread, ply, outcome_score(position.stuck(), ply), GAME_OVER, EXACT)
        return leave(thread, ply, WIN - ply - 1, CUT, UPPER)
    if ply - WIN >= beta:
        return leave(thread, ply, ply - WIN, CUT, LOWER)
    scout = beta - alpha == 1

    # 3. The table: a move to try first, and perhaps the answer.
    table_move, data, score, bound, table_depth, table_complete = 0, 0, 0, EXACT, 0, False
    # Minimax is exact about the path, too: then only what no path can change is taken from the table.
    pathless = (
        thread.exact_minimax == 0
        or reversible == 0
        or (thread.repetition_draws == 0 and thread.draw_plies == 0)
    )
    stored_key = table_key(thread, key, ply)
    excluded = thread.excluded[ply]  # the move to do without, in a search for one as good
    if switches & TABLE != 0:
        data = lookup(thread, stored_key)
        if data != 0:
            table_move = stored_move(data)
            score, bound, table_depth = stored_score(data, ply), stored_bound(data), stored_depth(data)
            table_complete = is_complete(data)
            if thread.exact_minimax == 0:
                enough = table_complete or table_depth >= depth
            else:  # deeper than asked for is not what minimax sees
                enough = (
                    pathless
                    and stored_sound(data)
                    and (table_depth == depth or table_complete and table_depth < depth)
                )
            if (
                ply > 0
                and scout
                and enough
                and excluded == 0
                and (not strict or table_complete or stored_sound(data))
                and (thread.draw_plies == 0 or reversible + DRAW_PLIES_GUARD < thread.draw_plies)
                and not is_win_too_late(thread, score, ply)
                and (bound == EXACT or bound == (LOWER if score >= beta else UPPER))
            ):
                if not table_complete:
                    thread.guesses += 1
                    if not stored_sound(data):
                        thread.skips += 1
                return leave(thread, ply, score, TABLE_HIT, bound)

    # 4. A first look, where passing would prove something. If the position stands far enough above
    #    beta, or if even passing does, a move will too.
    calm = (
        switches & NEEDS_STATIC_EVAL != 0
        and ply > 0
        and not strict
        and not urgent
        and not position.midway()
        and position.can_skip()
    )
    static_eval = thread.static_evals[ply - 2] if ply > 1 else -INFINITE
    improving = False
    extension = 0
    if calm:
        guesses, skips = thread.guesses, thread.skips
        earlier_eval, static_eval = static_eval, static_evaluation(position, thread, ply)
        thread.guesses = guesses
        improving = static_eval > earlier_eval
        thread.static_evals[ply] = static_eval
        if data != 0 and abs(score) < SURE and bound == (LOWER if score > static_eval else UPPER):
            static_eval = score  # the table has looked deeper
        if (
            switches & REVERSE_FUTILITY != 0
            and scout
            and excluded == 0
            and depth <= REVERSE_FUTILITY_MAX_DEPTH
            and abs(beta) < SURE
            and static_eval - REVERSE_FUTILITY_MARGIN * (depth - (1 if improving else 0)) >= beta
        ):
            thread.guesses, thread.skips = guesses + 1, skips + 1
            return leave(thread, ply, static_eval, REVERSE_FUTILITY_CUT, LOWER)
        if (
            switches & NULL_MOVE != 0
            and scout
            and allow_null
            and excluded == 0
            and depth >= NULL_MOVE_MIN_DEPTH
            and static_eval >= beta
        ):
            after = position.skip()
            follow(position, -1, after, thread, ply + 1)
            thread.reversible[ply + 1] = 0
            thread.patterns[ply] = -1
            if RECORD:
                announce_node(thread, NULL_SEARCH, -1)
            reduction = (
                NULL_MOVE_REDUCTION
                + depth // NULL_MOVE_DEPTH_DIVISOR
                + min(NULL_MOVE_EVAL_MAX, (static_eval - beta) // NULL_MOVE_EVAL_DIVISOR)
            )
            child_key, child_urgent = after.key(), after.urgent()
            null_score = -alphabeta(
                after,
                thread,
                child_key,
                depth - reduction,
                -beta,
                1 - beta,
                ply + 1,
                n,
                child_urgent,
                False,
                not cut_node,
            )
            if thread.stopped != 0:
                return leave(thread, ply, 0, STOPPED, EXACT)
            if null_score >= beta:
                thread.guesses, thread.skips = guesses + 1, skips + 1
                # A win after a pass is no win.
                return leave(thread, ply, null_score if null_score < SURE else beta, NULL_MOVE_CUT, LOWER)
            thread.guesses, thread.skips = guesses, skips
        if switches & INTERNAL_REDUCTION != 0 and table_move == 0 and depth >= INTERNAL_REDUCTION_MIN_DEPTH:
            depth -= 1
            thread.skips += 1

        # Is the table's move much better than all others? Then it is worth looking deeper.
        if (
            switches & SINGULAR != 0
            and table_move != 0
            and excluded == 0
            and depth >= SINGULAR_MIN_DEPTH
            and bound != UPPER
            and table_depth + SINGULAR_DEPTH_MARGIN >= depth
            and not table_complete
            and abs(score) < SURE
            and ply < 2 * thread.iteration
        ):
            singular_beta = score - SINGULAR_MARGIN * depth
            thread.excluded[ply] = table_move
            if RECORD:
                announce_node(thread, SINGULAR_SEARCH, -1)
            guesses, skips = thread.guesses, thread.skips
            singular_score = alphabeta(
                position,
                thread,
                key,
                (depth - 1) // 2,
                singular_beta - 1,
                singular_beta,
                ply,
                n,
                False,
                False,
                cut_node,
            )
            thread.excluded[ply] = 0
            if RECORD:
                thread.path_nodes[ply] = node
            if thread.stopped != 0:
                return leave(thread, ply, 0, STOPPED, EXACT)
            thread.guesses, thread.skips = guesses, skips
            thread.line_lengths[ply] = 0
            if singular_score < singular_beta:
                extension = 2 if scout and singular_score < singular_beta - DOUBLE_EXTENSION_MARGIN else 1
            elif scout and singular_beta >= beta:  # two moves are good enough: one will be
                thread.guesses, thread.skips = guesses + 1, skips + 1
                return leave(thread, ply, singular_beta, CUT, LOWER)
            elif score >= beta:
                extension = -1
    else:
        thread.static_evals[ply] = static_eval

    # 5. The moves. At the root they stand ready, after the first iteration in the order of the last one.
    if ply > 0:
        end = position.moves(thread.moves, n)
        if end == n:
            return leave(thread, ply, outcome_score(position.stuck(), ply), GAME_OVER, EXACT)
        if end - n > thread.most_moves:
            thread.overflow, thread.stopped = end - n, 1
            return leave(thread, ply, 0, STOPPED, EXACT)
        score_moves(position, thread, ply, n, end, table_move)
    else:
        n, end = thread.first_root, thread.end_root
        if thread.roots_unordered != 0:
            score_moves(position, thread, ply, n, end, table_move)
    turn = position.turn
    best, best_move, original_alpha = -INFINITE, -1, alpha
    guesses, skips = thread.guesses, thread.skips
    quiet_limit, skip_quiets = end, False
    if calm and scout and switches & LATE_MOVE_PRUNING != 0 and depth <= LATE_MOVE_MAX_DEPTH:
        quiet_limit = n + (LATE_MOVE_BASE + depth * depth) // (1 if improving else 2)

    # 6. Each move: late ones less deep and all but the first with a narrow window, again if they
    #    promise more.
    for i in range(n, end):
        order_value = thread.order[i] if skip_quiets else pick_move(thread, i, n, end)
        move = thread.moves[i]
        while order_value > ORDER_CAPTURE and order_value < ORDER_TABLE_MOVE and not position.sound(move):
            # It loses by the exchange: its turn comes after the quiet moves.
            thread.order[i] = order_value - ORDER_CAPTURE + ORDER_LOSING_CAPTURE
            order_value = pick_move(thread, i, n, end)
            move = thread.moves[i]
        if excluded != 0 and fold_move(move) == excluded:
            continue
        guesses_before, skips_before = thread.guesses, thread.skips
        nodes = thread.nodes
        after = position.play(move)
        child_urgent = after.urgent()
        # What looks hopeless is left out, once there is a move that does not lose: a loss must be
        # found by looking at every move.
        if calm and scout and best > -SURE and order_value < ORDER_KILLER and not child_urgent:
            # After enough quiet moves the others are all left out: their order does not matter any more.
            skip_quiets = skip_quiets or i >= quiet_limit and order_value > ORDER_QUIET_MIN
            if (
                skip_quiets
                and order_value > ORDER_QUIET_MIN
                or is_prunable(position, thread, move, order_value, depth, i - n, static_eval, alpha)
            ):
                thread.guesses += 1
                thread.skips += 1
                continue
        child_key = after.key()
        prefetch(thread, child_key)
        follow(position, move, after, thread, ply + 1)
        thread.reversible[ply + 1] = 0 if position.resets(move) else reversible + 1
        thread.patterns[ply] = position.pattern(move)
        reduction, full_window, why = 0, i == n, FULL if i == n else SCOUT
        move_extension = extension if order_value == ORDER_TABLE_MOVE else 0
        if (
            switches & REDUCTIONS != 0
            and depth >= REDUCTION_MIN_DEPTH
            and ply >= REDUCTION_MIN_PLY
            and i - n >= REDUCTION_MIN_MOVES
            and order_value < ORDER_KILLER
            and not urgent
            and not strict
        ):
            reduction = BASE_REDUCTION[min(depth, 63) * 64 + min(i - n, 63)]
            if calm:
                reduction += (0 if improving else 1) - (0 if scout else 1) - (1 if child_urgent else 0)
                if cut_node:
                    reduction += 1
                if order_value > ORDER_QUIET_MIN:
                    reduction -= order_value // HISTORY_PER_REDUCTION
                reduction = max(0, min(reduction, depth - 2))
            why = REDUCED if reduction > 0 else SCOUT
        while True:
            high = beta if full_window else alpha + 1
            if RECORD:
                announce_node(thread, why, move)
            if after.turn == turn:
                new_depth = max(1, depth - reduction)
                score = alphabeta(
                    after,
                    thread,
                    child_key,
                    new_depth,
                    alpha,
                    high,
                    ply + 1,
                    end,
                    child_urgent,
                    True,
                    cut_node,
                )
            else:
                # Where the window is narrow, cuts are expected of every other node.
                child_cut_node = reduction > 0 or not cut_node if high - alpha == 1 else False
                new_depth = depth - 1 + move_extension - reduction
                score = -alphabeta(
                    after,
                    thread,
                    child_key,
                    new_depth,
                    -high,
                    -alpha,
                    ply + 1,
                    end,
                    child_urgent,
                    True,
                    child_cut_node,
                )
            if thread.stopped != 0:
                return leave(thread, ply, 0, STOPPED, EXACT)
            if score <= alpha or reduction == 0 and (full_window or score >= beta):
                break
            full_window, reduction, why = reduction == 0, 0, RE_SEARCH
        if (reduction > 0 or move_extension < 0) and thread.guesses != guesses_before:
            thread.skips += 1
        if ply == 0:
            thread.efforts[i] += thread.nodes - nodes
            thread.order[i] = score
            thread.roots_done = i + 1
        if score > best:
            best, best_move = score, move
            if score > alpha:
                alpha = score
                update_line(thread, ply, move)
                if ply == 0:
                    thread.best_root = move
                if score >= beta:
                    # 7. A cut: the moves before this one no longer matter to the value.
                    if thread.guesses == guesses_before:
                        thread.guesses, thread.skips = guesses, skips
                    elif thread.skips == skips_before:
                        thread.skips = skips
                    if position.gain(move) == 0:
                        update_quiet_moves(position, thread, ply, n, i, depth)
                    break
    if best_move < 0 and best == -INFINITE:
        best = original_alpha  # there is no other move
    bound = LOWER if best >= beta else EXACT if best > original_alpha else UPPER

    # 8. A forced win is true however it was found, and so is a loss: nothing unsound makes one.
    if bound == LOWER and best > SURE or bound == UPPER and best < -SURE:
        thread.guesses, thread.skips = guesses, skips
    if switches & TABLE != 0 and excluded == 0 and (ply > 0 or thread.all_roots != 0):
        complete = 1 if thread.guesses == guesses else 0
        sound = 1 if thread.skips == skips and pathless else 0
        move = best_move if bound != UPPER else -1
        store(thread, stored_key, move, best, ply, depth, bound, sound, complete)
    return leave(thread, ply, best, CUT if bound == LOWER else DONE, bound)


def search_root(position: Any, thread: Any, depth: int, alpha: int, beta: int) -> int:
    """One iteration over the root moves that stand ready in thread.moves[first_root:end_root]."""
    begin(position, thread)
    if RECORD:
        announce_node(thread, ROOT, -1)
    return alphabeta(
        position, thread, position.key(), depth, alpha, beta, 0, 0, position.urgent(), False, False
    )
