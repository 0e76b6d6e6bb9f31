"""Quiescence search: at the leaves, captures and other noisy moves are played out.

An evaluation is only worth something in a quiet position: in the middle of an exchange it counts a piece
that is about to be lost.
"""

from plywise.core.compiled import compiled
from plywise.core.layout import at
from plywise.core.outcome import OPEN
from plywise.core.rules import Position
from plywise.core.scores import INFINITE, SURE, UNKNOWN, loss_in
from plywise.search.margins import DRAW_PLIES_GUARD, MARGIN_LAYOUT, ORDER_TABLE_MOVE
from plywise.search.move_order import pick_move
from plywise.search.node import (
    ASSERT,
    HAS_NOISY,
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
from plywise.search.recorder import (
    CUT,
    DATABASE_HIT,
    DONE,
    DRAW,
    GAME_OVER,
    LEAF,
    NOISY,
    PLY_LIMIT,
    RECORD,
    STOPPED,
    TABLE_HIT,
    announce_node,
    enter,
    leave,
)
from plywise.search.switches import DELTA, QUIESCENCE_CHECKS, TABLE
from plywise.search.thread_state import MAX_PLY, ThreadRecord
from plywise.search.transposition import (
    EXACT,
    LOWER,
    UPPER,
    fold_move,
    is_complete,
    lookup,
    store,
    stored_bound,
    stored_move,
    stored_score,
)


@compiled
def quiescence(
    position: Position,
    thread: ThreadRecord,
    key: int,
    alpha: int,
    beta: int,
    ply: int,
    n: int,
    urgent: bool,
    first_ply: bool,
) -> int:
    """The value of a position after its noisy moves are played out.

    A side may stand pat on its evaluation, except where it has to look at all moves: in an urgent position,
    and in the middle of a turn. At the `first_ply` quiet threats such as checks are tried, too.
    """
    if ASSERT:
        assert -INFINITE <= alpha < beta <= INFINITE
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

    # 1. Over, a draw by the game's history, or known to a database?
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

    # 2. Static evaluation, where the side to move may stand pat. It comes before the table, whose entry is on
    #    its way from memory meanwhile.
    forced = urgent or position.midway()
    guesses, stand_pat = thread.guesses, 0
    if not forced:
        stand_pat = static_evaluation(position, thread, ply)

    # 3. The table: an entry of any depth is deep enough.
    table_move, data, stored_key = 0, 0, key
    if switches & TABLE != 0:
        stored_key = table_key(thread, key, ply)
        data = lookup(thread, stored_key)
        if data != 0:
            table_move = stored_move(data, stored_key, key)
            score, bound = stored_score(data, ply), stored_bound(data)
            if (
                ply > 0
                and beta - alpha == 1
                and abs(beta) < SURE
                and (thread.draw_plies == 0 or reversible + DRAW_PLIES_GUARD < thread.draw_plies)
                and not is_win_too_late(thread, score, ply)
                and (bound == EXACT or bound == (LOWER if score >= beta else UPPER))
            ):
                thread.guesses = guesses
                if not is_complete(data):
                    count_incomplete_entry(thread, data)
                return leave(thread, ply, score, TABLE_HIT, bound)

    # 4. Stand pat: the side to move need not capture, so the evaluation is a lower bound. Where it may
    #    not stand pat, all moves are searched.
    best, original_alpha, min_gain = loss_in(ply), alpha, 0
    if forced:
        end = position.moves(thread.moves, n)
        if end == n:
            return leave(thread, ply, outcome_score(position.stuck(), ply), GAME_OVER, EXACT)
    else:
        best = stand_pat
        if best >= beta:
            return leave(thread, ply, best, LEAF, LOWER)
        if switches & DELTA != 0 and abs(alpha) < SURE:
            min_gain = max(0, alpha - best - at(thread.margins, MARGIN_LAYOUT, 0).delta_margin)
        alpha = max(alpha, best)
        if first_ply and switches & QUIESCENCE_CHECKS != 0:
            end = position.sharp(thread.moves, n)
        else:
            end = position.noisy(thread.moves, n)
    if end - n > thread.most_moves:
        thread.overflow, thread.stopped = end - n, 1
        return leave(thread, ply, 0, STOPPED, EXACT)

    # 5. The moves, most promising first. Delta pruning: unless all must be searched, those are left out
    #    that lose by the exchange or cannot raise the score to alpha.
    for i in range(n, end):
        move = thread.moves[i]
        thread.order[i] = ORDER_TABLE_MOVE if fold_move(move) == table_move else position.gain(move)
    turn, best_move = position.turn, -1
    for i in range(n, end):
        order_value = pick_move(thread, i, n, end)
        move = thread.moves[i]
        # A quiet threat has no gain of its own.
        if not forced and not position.brings(move, min_gain if order_value != 0 else 0):
            continue
        after = position.play(move)
        child_key = after.key()
        fetch_entry(after, thread, child_key, ply + 1)
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
    # In a game without noisy moves the entry would say no more than the evaluation, which comes sooner.
    if switches & TABLE != 0 and data == 0 and abs(best) < SURE and (HAS_NOISY or forced):
        store(thread, stored_key, key, best_move, best, ply, 0, bound, 0, 0)
    return leave(thread, ply, best, CUT if bound == LOWER else LEAF if end == n else DONE, bound)
