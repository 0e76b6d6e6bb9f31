"""The textbook players: minimax and alpha-beta as the books have them, for any game.

They are the oracle of the real search and the first thing a student should read. Both value a
position for the side to move (the negamax form): what is good for one side is as bad for the other,
so one function serves MAX and MIN, and the sign changes whenever the turn does.
"""

from typing import Any

from plywise.core.outcome import OPEN
from plywise.core.scores import INFINITE
from plywise.core.words import compiled
from plywise.search.memory import PLIES
from plywise.search.visit import begin, final, follow, note_line, opinion, poll, repeated


@compiled
def minimax(position: Any, memory: Any, depth: int, ply: int, n: int) -> int:
    """The value of a position, every line of `depth` turns looked at to its end."""
    memory.lengths[ply] = 0
    score = settled(position, memory, depth, ply)
    if score != OPEN_STILL:
        return score
    first, end = listed(position, memory, ply, n)
    if end == first:
        return final(position.stuck(), ply * memory.counted)
    best = -INFINITE
    for i in range(first, end):
        move = memory.moves[i]
        after = made(position, move, memory, ply)
        if after.turn == position.turn:
            score = minimax(after, memory, depth, ply + 1, end)
        else:
            score = -minimax(after, memory, depth - 1, ply + 1, end)
        if memory.stopped != 0:
            return 0
        if score > best:
            best = score
            note_best(memory, ply, move)
    return best


@compiled
def alphabeta(position: Any, memory: Any, depth: int, alpha: int, beta: int, ply: int, n: int) -> int:
    """The same value as minimax wherever it lies between alpha and beta.

    alpha is what the side to move is sure of already, beta what the enemy can hold it to: as soon
    as a move is worth beta or more, the enemy will not let it come to this, and the rest is cut.
    """
    memory.lengths[ply] = 0
    score = settled(position, memory, depth, ply)
    if score != OPEN_STILL:
        return score
    first, end = listed(position, memory, ply, n)
    if end == first:
        return final(position.stuck(), ply * memory.counted)
    best = -INFINITE
    for i in range(first, end):
        move = memory.moves[i]
        after = made(position, move, memory, ply)
        if after.turn == position.turn:
            score = alphabeta(after, memory, depth, alpha, beta, ply + 1, end)
        else:
            score = -alphabeta(after, memory, depth - 1, -beta, -alpha, ply + 1, end)
        if memory.stopped != 0:
            return 0
        if score > best:
            best = score
            note_best(memory, ply, move)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


OPEN_STILL = 1 << 20  # no score: the position has to be searched


@compiled
def settled(position: Any, memory: Any, depth: int, ply: int) -> int:
    """The score of a position that needs no search: over, drawn by the past, or at the last ply."""
    memory.nodes += 1
    if memory.nodes >= memory.poll:
        poll(memory)
    if ply > 0:
        verdict = position.outcome()
        if verdict != OPEN:
            return final(verdict, ply * memory.counted)
        key = position.key()
        memory.path[memory.past + ply - 1] = key
        clock = memory.clocks[ply]
        if clock > 0 and (
            (memory.repeats != 0 and repeated(memory, key, ply))
            or (
                memory.patience != 0
                and clock >= memory.patience
                and position.moves(memory.moves, memory.last) > memory.last
            )
        ):
            memory.guesses += 1  # true on this path only
            return 0
    if depth <= 0 or ply >= PLIES:
        return opinion(position, memory, ply)
    return OPEN_STILL


@compiled
def listed(position: Any, memory: Any, ply: int, n: int) -> tuple[int, int]:
    """Where the moves of a position stand; those of the root were put there before."""
    if ply == 0:
        return memory.first, memory.last
    end = position.moves(memory.moves, n)
    if end - n > memory.most:
        memory.overflow, memory.stopped = end - n, 1
    return n, end


@compiled
def made(position: Any, move: int, memory: Any, ply: int) -> Any:
    """The position after a move, with what goes with it noted."""
    after = position.play(move)
    follow(position, move, after, memory, ply + 1)
    memory.clocks[ply + 1] = 0 if position.resets(move) else memory.clocks[ply] + 1
    return after


@compiled
def note_best(memory: Any, ply: int, move: int) -> None:
    note_line(memory, ply, move)
    if ply == 0:
        memory.best = move


def minimax_root(position: Any, memory: Any, depth: int, alpha: int, beta: int) -> int:
    """Minimax from the root; the window is not looked at."""
    begin(position, memory)
    return minimax(position, memory, depth, 0, 0)


def alphabeta_root(position: Any, memory: Any, depth: int, alpha: int, beta: int) -> int:
    """Alpha-beta from the root with the window given."""
    begin(position, memory)
    return alphabeta(position, memory, depth, alpha, beta, 0, 0)
