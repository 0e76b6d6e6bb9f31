"""The search: principal-variation alpha-beta over any game that keeps the contract.

Scores are for the side to move. The sign and the window change sides only when `turn` does, and
depth counts turns, so a side may act several times in a row. Two counters in the thread state say how
far a value can be trusted: `guesses` grows with every value that is not sure, or not by its distance;
`skips` grows with every unsound pruning; both grow with every draw that holds on this path only. A value
found while `guesses` stayed the same is complete: nothing beyond the depth can change it.
"""

from plywise.core.compiled import compiled
from plywise.core.layout import at
from plywise.core.outcome import OPEN
from plywise.core.rules import Position
from plywise.core.scores import DECISIVE, INFINITE, MAX_EVALUATION, SURE, UNKNOWN, loss_in, win_in
from plywise.search.margins import (
    DRAW_PLIES_GUARD,
    MARGIN_LAYOUT,
    ORDER_CAPTURE,
    ORDER_KILLER,
    ORDER_LOSING_CAPTURE,
    ORDER_QUIET_MIN,
    ORDER_TABLE_MOVE,
    PROBCUT_ROWS,
)
from plywise.search.move_order import pick_move, score_moves, update_quiet_moves
from plywise.search.node import (
    ASSERT,
    HAS_CANDIDATES,
    HAS_URGENT,
    PREFETCH,
    begin,
    count_incomplete_entry,
    count_unknown_distance,
    fetch_entry,
    follow,
    is_repetition,
    is_win_too_late,
    outcome_score,
    path_draw_score,
    poll,
    probe_database,
    static_evaluation,
    table_key,
    update_line,
)
from plywise.search.pruning import base_reduction, is_prunable
from plywise.search.quiescence import quiescence
from plywise.search.recorder import (
    ALL_MOVES_SEARCH,
    CUT,
    DATABASE_HIT,
    DONE,
    DRAW,
    FULL,
    GAME_OVER,
    LEAF,
    NULL_MOVE_CUT,
    NULL_SEARCH,
    PLY_LIMIT,
    PROBCUT_CUT,
    RE_SEARCH,
    RECORD,
    REDUCED,
    REVERSE_FUTILITY_CUT,
    ROOT,
    SCOUT,
    SHALLOW_SEARCH,
    SINGULAR_SEARCH,
    STOPPED,
    TABLE_HIT,
    announce_node,
    enter,
    leave,
)
from plywise.search.switches import (
    CANDIDATES,
    EXTENSIONS,
    INTERNAL_REDUCTION,
    LATE_MOVE_PRUNING,
    NEEDS_STATIC_EVAL,
    NULL_MOVE,
    PROBCUT,
    QUIESCENCE,
    REDUCTIONS,
    REVERSE_FUTILITY,
    SINGULAR,
    TABLE,
    TABLE_CUTS,
)
from plywise.search.table_cuts import find_table_cut
from plywise.search.thread_state import MAX_PLY, ThreadRecord
from plywise.search.transposition import (
    EXACT,
    LOWER,
    UPPER,
    fold_key,
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


@compiled
def alphabeta(
    position: Position,
    thread: ThreadRecord,
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

    Exact within (alpha, beta), else a bound beyond it (fail-soft). Moves are written from n on. The caller
    passes the key, so that it can prefetch the table's entry, and whether the position is `urgent`.
    `allow_null` says that a null move may be tried, `cut_node` that a cut is expected.
    """
    if ASSERT:
        assert -INFINITE <= alpha < beta <= INFINITE
    switches, margins = thread.switches, at(thread.margins, MARGIN_LAYOUT, 0)
    # Extension: an urgent position is searched a turn deeper, in some games only if it answers another one.
    thread.urgent[ply] = 1 if urgent else 0
    answers_urgent = ply > 0 and thread.urgent[ply - 1] != 0
    if urgent and switches & EXTENSIONS != 0 and margins.urgent_extension + (1 if answers_urgent else 0) >= 2:
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

    # 1. Over, a draw by the game's history, or known to a database?
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
        # No evaluation is a win or a loss: its exact value does not matter here.
        thread.guesses += 1
        if alpha >= DECISIVE:
            return leave(thread, ply, MAX_EVALUATION, LEAF, UPPER)
        return leave(thread, ply, -MAX_EVALUATION, LEAF, LOWER)
    if depth <= 0:
        return leave(thread, ply, static_evaluation(position, thread, ply), LEAF, EXACT)
    if ply >= MAX_PLY:
        return leave(thread, ply, static_evaluation(position, thread, ply), PLY_LIMIT, EXACT)

    # 2. Mate distance pruning: a win cannot come sooner than with the next move, unless having no move
    #    wins; nor a loss sooner than here.
    if win_in(ply + 1) <= alpha:
        if ply > 0 and win_in(ply) <= alpha:
            return leave(thread, ply, win_in(ply), CUT, UPPER)
        if ply > 0 and position.moves(thread.moves, n) == n:
            return leave(thread, ply, outcome_score(position.stuck(), ply), GAME_OVER, EXACT)
        return leave(thread, ply, win_in(ply + 1), CUT, UPPER)
    if loss_in(ply) >= beta:
        return leave(thread, ply, loss_in(ply), CUT, LOWER)
    scout = beta - alpha == 1

    # 3. Static evaluation: what the position seems worth, and whether that is more than a turn ago. It is
    #    trusted in calm positions only: at the beginning of a turn, with nothing urgent. It comes before the
    #    table, whose entry is on its way from memory meanwhile.
    calm = (
        switches & NEEDS_STATIC_EVAL != 0
        and ply > 0
        and not strict
        and thread.proving == 0
        and not urgent
        and not position.midway()
    )
    guesses, skips = thread.guesses, thread.skips

    static_eval = thread.static_evals[ply - 2] if ply > 1 else -INFINITE
    improving = False
    if calm:
        earlier_eval, static_eval = static_eval, static_evaluation(position, thread, ply)
        thread.guesses = guesses
        improving = static_eval > earlier_eval
    # 4. The table: a move to try first, and perhaps the answer.
    table_move, data, score, bound, table_depth, table_complete = 0, 0, 0, EXACT, 0, False
    # Where exact minimax values are wanted, only scores that no path can change are taken from the table.
    pathless = (
        thread.exact_minimax == 0
        or reversible == 0
        or (thread.repetition_draws == 0 and thread.draw_plies == 0)
    )
    stored_key = table_key(thread, key, ply)
    excluded = thread.excluded[ply]  # the move left out in a singular search (5e)
    if switches & TABLE != 0:
        data = lookup(thread, stored_key)
        if data != 0:
            table_move = stored_move(data, stored_key, key)
            score, bound, table_depth = stored_score(data, ply), stored_bound(data), stored_depth(data)
            table_complete = is_complete(data)
            if thread.exact_minimax == 0:
                enough = table_complete or table_depth >= depth
            else:  # a deeper search is not minimax of this depth
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
                and (not (strict or thread.proving != 0) or table_complete or stored_sound(data))
                and (thread.draw_plies == 0 or reversible + DRAW_PLIES_GUARD < thread.draw_plies)
                and not is_win_too_late(thread, score, ply)
                and (bound == EXACT or bound == (LOWER if score >= beta else UPPER))
            ):
                if not table_complete:
                    count_incomplete_entry(thread, data)
                return leave(thread, ply, score, TABLE_HIT, bound)

    # 5. Before any move is searched: what trusts the static evaluation.
    thread.static_evals[ply] = own_eval = static_eval
    if calm and data != 0 and abs(score) < SURE and bound == (LOWER if score > static_eval else UPPER):
        static_eval = score  # the table has looked deeper

    # 5a. Reverse futility: so far above beta that the few turns left will not lose it again.
    if (
        calm
        and switches & REVERSE_FUTILITY != 0
        and scout
        and excluded == 0
        and depth <= margins.reverse_futility_max_depth
        and abs(beta) < SURE
        and static_eval - margins.reverse_futility_margin * (depth - (1 if improving else 0)) >= beta
    ):
        thread.guesses, thread.skips = guesses + 1, skips + 1
        return leave(thread, ply, static_eval, REVERSE_FUTILITY_CUT, LOWER)

    # 5b. Null move: if even passing is good enough for a cut, a move will be too.
    if (
        calm
        and switches & NULL_MOVE != 0
        and scout
        and allow_null
        and excluded == 0
        and depth >= margins.null_move_min_depth
        and static_eval >= beta
        and position.can_skip()
    ):
        after = position.skip()
        follow(position, -1, after, thread, ply + 1)
        thread.reversible[ply + 1] = 0
        thread.patterns[ply] = -1
        if RECORD:
            announce_node(thread, NULL_SEARCH, -1)
        null_reduction = (
            margins.null_move_reduction
            + depth // margins.null_move_depth_divisor
            + min(margins.null_move_eval_max, (static_eval - beta) // margins.null_move_eval_divisor)
        )
        null_depth, child_key, child_urgent = depth - null_reduction, after.key(), after.urgent()
        fetch_entry(after, thread, child_key, ply + 1)
        null_score = -alphabeta(
            after,
            thread,
            child_key,
            null_depth,
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
            # A win after a pass is no proof of a win.
            return leave(thread, ply, null_score if null_score < SURE else beta, NULL_MOVE_CUT, LOWER)
        thread.guesses, thread.skips = guesses, skips

    # 5c. ProbCut: a shallow search foretells the deep one. Where it is beyond the window by more than its
    #     usual error, fitted for the game, the deep search is not made. Only the likely side is tried.
    fit = min(depth, PROBCUT_ROWS - 1)
    if (
        calm
        and switches & PROBCUT != 0
        and scout
        and excluded == 0
        and margins.probcut_shallow[fit] > 0
        and abs(beta) < SURE
    ):
        error = margins.probcut_confidence * margins.probcut_spread[fit] // 100
        offset, slope = margins.probcut_offset[fit], margins.probcut_slope[fit]
        high = -(-100 * (beta - offset + error) // slope)
        low = 100 * (alpha - offset - error) // slope
        shallow_beta = high if static_eval >= high else low + 1 if static_eval <= low else INFINITE
        if abs(shallow_beta) < MAX_EVALUATION:
            if RECORD:
                announce_node(thread, SHALLOW_SEARCH, -1)
            shallow_depth = margins.probcut_shallow[fit]
            shallow_score = alphabeta(
                position,
                thread,
                key,
                shallow_depth,
                shallow_beta - 1,
                shallow_beta,
                ply,
                n,
                False,
                False,
                cut_node,
            )
            if RECORD:
                thread.path_nodes[ply] = node
            if thread.stopped != 0:
                return leave(thread, ply, 0, STOPPED, EXACT)
            thread.guesses, thread.skips = guesses, skips
            thread.line_lengths[ply] = 0
            thread.static_evals[ply] = own_eval
            if shallow_beta == high and shallow_score >= high:
                thread.guesses, thread.skips = guesses + 1, skips + 1
                return leave(thread, ply, beta, PROBCUT_CUT, LOWER)
            if shallow_beta != high and shallow_score <= low:
                thread.guesses, thread.skips = guesses + 1, skips + 1
                return leave(thread, ply, alpha, PROBCUT_CUT, UPPER)

    # 5d. Internal iterative reduction: without a move from the table the order is poor, and a full search
    #     costs more than it is worth.
    if (
        calm
        and switches & INTERNAL_REDUCTION != 0
        and table_move == 0
        and depth >= margins.internal_reduction_min_depth
    ):
        depth -= 1
        thread.skips += 1

    # 5e. Singular extension: if a shallow search of all other moves finds none nearly as good as the table's
    #     move, that move decides the position and is searched deeper.
    extension = 0
    if (
        calm
        and switches & SINGULAR != 0
        and table_move != 0
        and excluded == 0
        and depth >= margins.singular_min_depth
        and bound != UPPER
        and table_depth + margins.singular_depth_margin >= depth
        and not table_complete
        and abs(score) < SURE
        and ply < 2 * thread.iteration
    ):
        singular_beta, singular_depth = score - margins.singular_margin * depth, (depth - 1) // 2
        thread.excluded[ply] = table_move
        if RECORD:
            announce_node(thread, SINGULAR_SEARCH, -1)
        guesses, skips = thread.guesses, thread.skips
        singular_score = alphabeta(
            position,
            thread,
            key,
            singular_depth,
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
            extension = 2 if scout and singular_score < singular_beta - margins.double_extension_margin else 1
        elif scout and singular_beta >= beta:  # multi-cut: two moves are good enough, so one will be
            thread.guesses, thread.skips = guesses + 1, skips + 1
            return leave(thread, ply, singular_beta, CUT, LOWER)
        elif score >= beta:
            extension = -1

    # 6. List and order the moves. At the root they are listed already; after the first iteration, in the
    #    order of the one before.
    few = False  # only the moves that the game calls candidates
    if ply > 0:
        end = n
        if HAS_CANDIDATES and switches & CANDIDATES != 0 and depth <= margins.candidates_max_depth:
            few = not strict and not urgent and excluded == 0 and thread.all_moves[ply] == thread.proving == 0
            if few:
                end = position.candidates(thread.moves, n)
                few = end > n
        if not few:
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

    # 6a. Enhanced table cuts: does the table know a move that is good enough?
    if (
        switches & TABLE != 0
        and switches & TABLE_CUTS != 0
        and ply > 0
        and scout
        and depth >= margins.table_cut_min_depth
        and excluded == 0
        and not strict
        and thread.proving == 0
        and thread.exact_minimax == 0
    ):
        table_score = find_table_cut(position, thread, ply, n, end, depth, beta)
        if table_score >= beta:
            return leave(thread, ply, table_score, TABLE_HIT, LOWER)

    turn = position.turn
    best, best_move, original_alpha = -INFINITE, -1, alpha
    guesses, skips = thread.guesses, thread.skips
    quiet_limit, skip_quiets, noisy_table_move = end, False, False
    if calm and scout and switches & LATE_MOVE_PRUNING != 0 and depth <= margins.late_move_max_depth:
        quiet_limit = n + (margins.late_move_base + depth * depth) // (1 if improving else 2)

    # 7. Search each move: all but the first with a null window (principal variation search), late ones
    #    less deep (late move reductions); again, wider or deeper, if they turn out better than that.
    fetched = -1  # the move that was picked already, to fetch its entry
    for i in range(n, end):
        order_value = thread.order[i] if skip_quiets or i == fetched else pick_move(thread, i, n, end)
        move = thread.moves[i]
        while order_value > ORDER_CAPTURE and order_value < ORDER_TABLE_MOVE and not position.sound(move):
            # It loses by the exchange: it is tried after the quiet moves.
            thread.order[i] = order_value - ORDER_CAPTURE + ORDER_LOSING_CAPTURE
            order_value = pick_move(thread, i, n, end)
            move = thread.moves[i]
        if excluded != 0 and fold_move(move) == excluded:
            continue
        if order_value == ORDER_TABLE_MOVE:
            noisy_table_move = position.gain(move) > 0
        # Pruning: what looks hopeless is left out, once there is a move that does not lose. That
        # a position is lost is proven by searching every move.
        if calm and scout and best > -SURE and order_value < ORDER_KILLER:
            # Late move pruning leaves out all further quiet moves: their order does not matter any more.
            late = order_value > ORDER_QUIET_MIN and (skip_quiets or i >= quiet_limit)
            if (
                late or is_prunable(position, thread, move, order_value, depth, i - n, static_eval, alpha)
            ) and not (HAS_URGENT and position.threatens(move)):
                skip_quiets = skip_quiets or late
                thread.guesses += 1
                thread.skips += 1
                continue
        guesses_before, skips_before = thread.guesses, thread.skips
        nodes = thread.nodes
        after = position.play(move)
        child_key = after.key()
        fetch_entry(after, thread, child_key, ply + 1)
        child_urgent = after.urgent()
        follow(position, move, after, thread, ply + 1)
        thread.reversible[ply + 1] = 0 if position.resets(move) else reversible + 1
        thread.patterns[ply] = position.pattern(move)
        # The next move's entry comes from memory while this one is searched: it takes longer than a leaf.
        # That would be for nothing where the first move is to cut, or late move pruning leaves out the next.
        if PREFETCH and (not cut_node or i > n) and i + 1 < end:
            fetched = i + 1
            next_value = thread.order[fetched] if skip_quiets else pick_move(thread, fetched, n, end)
            if fetched < quiet_limit or next_value < ORDER_QUIET_MIN or next_value >= ORDER_KILLER:
                next_position = position.play(thread.moves[fetched])
                prefetch(thread, fold_key(next_position, next_position.key()))
        reduction, full_window, why = 0, i == n, FULL if i == n else SCOUT
        move_extension = extension if order_value == ORDER_TABLE_MOVE else 0
        if (
            switches & REDUCTIONS != 0
            and depth >= margins.reduction_min_depth
            and ply >= margins.reduction_min_ply
            and i - n >= margins.reduction_min_moves
            and order_value < ORDER_KILLER
            and not urgent
            and not strict
            and thread.proving == 0
        ):
            reduction = base_reduction(thread, depth, i - n)
            if calm:
                reduction += (0 if improving else 1) - (1 if child_urgent else 0)
                reduction -= 0 if scout else margins.main_line_reduction
                if cut_node:
                    reduction += 1
                if noisy_table_move:
                    reduction += margins.noisy_table_reduction
                if order_value > ORDER_QUIET_MIN:
                    reduction -= order_value // margins.history_per_reduction
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
                # In a null window every other node is expected to be cut.
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
                    # 8. A beta cut: the moves before this one no longer matter to the value.
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

    # 8a. Of candidates alone nothing is proven but a win; that they all lose is a question to all moves.
    if few and best < beta:
        thread.guesses, thread.skips = guesses + 1, skips + 1
        if best < -SURE:
            thread.guesses, thread.skips = guesses, skips
            thread.all_moves[ply] = 1
            if RECORD:
                announce_node(thread, ALL_MOVES_SEARCH, -1)
            best = alphabeta(
                position, thread, key, depth, original_alpha, beta, ply, n, False, allow_null, cut_node
            )
            thread.all_moves[ply] = 0
            if RECORD:
                thread.path_nodes[ply] = node
            if thread.stopped != 0:
                return leave(thread, ply, 0, STOPPED, EXACT)
            bound = LOWER if best >= beta else EXACT if best > original_alpha else UPPER
            return leave(thread, ply, best, CUT if bound == LOWER else DONE, bound)

    # 9. A forced win is true however it was found, and so is a loss: nothing unsound makes one.
    if bound == LOWER and best > SURE or bound == UPPER and best < -SURE:
        thread.guesses, thread.skips = guesses, skips
    if switches & TABLE != 0 and excluded == 0 and (ply > 0 or thread.all_roots != 0):
        complete = 1 if thread.guesses == guesses else 0
        sound = 1 if thread.skips == skips and pathless else 0
        move = best_move if bound != UPPER else -1
        store(thread, stored_key, key, move, best, ply, depth, bound, sound, complete)
    return leave(thread, ply, best, CUT if bound == LOWER else DONE, bound)


@compiled
def search_root(position: Position, thread: ThreadRecord, depth: int, alpha: int, beta: int) -> int:
    """One iteration over the root moves, which are listed in thread.moves[first_root:end_root]."""
    begin(position, thread)
    if RECORD:
        announce_node(thread, ROOT, -1)
    key = position.key()
    fetch_entry(position, thread, key, 0)
    return alphabeta(position, thread, key, depth, alpha, beta, 0, 0, position.urgent(), False, False)
