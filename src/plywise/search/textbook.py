"""The textbook players: minimax and alpha-beta as textbooks print them, for any game.

First without an order of moves, then with one: `sorted_alphabeta` is `alphabeta` and a line.

Tests compare the real search with them, and they are the first thing a student should read. Both value a
position for the side to move (the negamax form): what is good for one side is as bad for the other,
so one function serves MAX and MIN, and the sign changes whenever the turn does.
"""

from typing import Any

from plywise.core.compiled import compiled
from plywise.core.outcome import OPEN
from plywise.core.rules import Position
from plywise.core.scores import INFINITE
from plywise.search.node import (
    begin,
    follow,
    is_repetition,
    outcome_score,
    poll,
    static_evaluation,
    update_line,
)
from plywise.search.thread_state import MAX_PLY, ThreadRecord


@compiled
def minimax(position: Position, thread: ThreadRecord, depth: int, ply: int, n: int) -> int:
    """The value of a position by searching every line of `depth` turns."""
    thread.line_lengths[ply] = 0
    score = leaf_score(position, thread, depth, ply)
    if score != NOT_A_LEAF:
        return score
    first, end = list_moves(position, thread, ply, n)
    if end == first:
        return outcome_score(position.stuck(), ply * thread.distance_factor)
    best = -INFINITE
    for i in range(first, end):
        move = thread.moves[i]
        after = play_move(position, move, thread, ply)
        if after.turn == position.turn:
            score = minimax(after, thread, depth, ply + 1, end)
        else:
            score = -minimax(after, thread, depth - 1, ply + 1, end)
        if thread.stopped != 0:
            return 0
        if score > best:
            best = score
            update_best(thread, ply, move)
    return best


@compiled
def alphabeta(
    position: Position, thread: ThreadRecord, depth: int, alpha: int, beta: int, ply: int, n: int
) -> int:
    """The same value as minimax wherever it lies between alpha and beta.

    alpha is what the side to move is sure of already, beta what the enemy can hold it to: as soon
    as a move is worth beta or more, the enemy will not let it come to this, and the rest is cut.
    """
    thread.line_lengths[ply] = 0
    score = leaf_score(position, thread, depth, ply)
    if score != NOT_A_LEAF:
        return score
    first, end = list_moves(position, thread, ply, n)
    if end == first:
        return outcome_score(position.stuck(), ply * thread.distance_factor)
    best = -INFINITE
    for i in range(first, end):
        move = thread.moves[i]
        after = play_move(position, move, thread, ply)
        if after.turn == position.turn:
            score = alphabeta(after, thread, depth, alpha, beta, ply + 1, end)
        else:
            score = -alphabeta(after, thread, depth - 1, -beta, -alpha, ply + 1, end)
        if thread.stopped != 0:
            return 0
        if score > best:
            best = score
            update_best(thread, ply, move)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


@compiled
def sorted_alphabeta(
    position: Position, thread: ThreadRecord, depth: int, alpha: int, beta: int, ply: int, n: int
) -> int:
    """The same value as alpha-beta, from fewer nodes: each node sorts its moves before it tries them.

    The line with `sort_moves` is all that is new. A good move tried first raises alpha at once, and the
    rest is cut sooner.
    """
    thread.line_lengths[ply] = 0
    score = leaf_score(position, thread, depth, ply)
    if score != NOT_A_LEAF:
        return score
    first, end = list_moves(position, thread, ply, n)
    if end == first:
        return outcome_score(position.stuck(), ply * thread.distance_factor)
    sort_moves(position, thread, first, end)
    best = -INFINITE
    for i in range(first, end):
        move = thread.moves[i]
        after = play_move(position, move, thread, ply)
        if after.turn == position.turn:
            score = sorted_alphabeta(after, thread, depth, alpha, beta, ply + 1, end)
        else:
            score = -sorted_alphabeta(after, thread, depth - 1, -beta, -alpha, ply + 1, end)
        if thread.stopped != 0:
            return 0
        if score > best:
            best = score
            update_best(thread, ply, move)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


@compiled
def sort_moves(position: Position, thread: ThreadRecord, first: int, end: int) -> None:
    """Sort moves by what the game says they gain, the best first; equal ones stay as the game lists them.

    In chess that is the worth of what a move captures, and then of the piece that captures.
    """
    for i in range(first, end):
        move = thread.moves[i]
        gain = position.gain(move)
        j = i
        while j > first and thread.order[j - 1] < gain:
            thread.moves[j], thread.order[j] = thread.moves[j - 1], thread.order[j - 1]
            j -= 1
        thread.moves[j], thread.order[j] = move, gain


NOT_A_LEAF = 1 << 20  # no score: the position has to be searched


@compiled
def leaf_score(position: Position, thread: ThreadRecord, depth: int, ply: int) -> int:
    """The score of a position that needs no search: over, a draw by the history, or at the last ply."""
    thread.nodes += 1
    if thread.nodes >= thread.next_poll:
        poll(thread)
    if ply > 0:
        verdict = position.outcome()
        if verdict != OPEN:
            return outcome_score(verdict, ply * thread.distance_factor)
        key = position.key()
        thread.path[thread.past_plies + ply - 1] = key
        reversible = thread.reversible[ply]
        if reversible > 0 and (
            (thread.repetition_draws != 0 and is_repetition(thread, key, ply))
            or (
                thread.draw_plies != 0
                and reversible >= thread.draw_plies
                and position.moves(thread.moves, thread.end_root) > thread.end_root
            )
        ):
            thread.guesses += 1  # true on this path only
            return 0
    if depth <= 0:
        return static_evaluation(position, thread, ply)
    if ply >= MAX_PLY:
        thread.deepest = ply
        return static_evaluation(position, thread, ply)
    return NOT_A_LEAF


@compiled
def list_moves(position: Position, thread: ThreadRecord, ply: int, n: int) -> tuple[int, int]:
    """List the moves of a position: where they begin and end. Those of the root are listed already."""
    if ply == 0:
        return thread.first_root, thread.end_root
    end = position.moves(thread.moves, n)
    if end - n > thread.most_moves:
        thread.overflow, thread.stopped = end - n, 1
    return n, end


@compiled
def play_move(position: Position, move: int, thread: ThreadRecord, ply: int) -> Any:
    """The position after a move; the thread state follows it."""
    after = position.play(move)
    follow(position, move, after, thread, ply + 1)
    thread.reversible[ply + 1] = 0 if position.resets(move) else thread.reversible[ply] + 1
    return after


@compiled
def update_best(thread: ThreadRecord, ply: int, move: int) -> None:
    update_line(thread, ply, move)
    if ply == 0:
        thread.best_root = move


def minimax_root(position: Position, thread: ThreadRecord, depth: int, alpha: int, beta: int) -> int:
    """Minimax from the root; it has no use for the window."""
    begin(position, thread)
    return minimax(position, thread, depth, 0, 0)


def alphabeta_root(position: Position, thread: ThreadRecord, depth: int, alpha: int, beta: int) -> int:
    """Alpha-beta from the root with the window given."""
    begin(position, thread)
    return alphabeta(position, thread, depth, alpha, beta, 0, 0)


def sorted_alphabeta_root(position: Position, thread: ThreadRecord, depth: int, alpha: int, beta: int) -> int:
    """Alpha-beta with sorted moves from the root with the window given."""
    begin(position, thread)
    return sorted_alphabeta(position, thread, depth, alpha, beta, 0, 0)
