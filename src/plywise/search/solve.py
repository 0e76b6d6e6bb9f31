"""Solving: who wins with best play, by a search to the end of the game that guesses nothing.

A null window asks one question at a time: does the side to move get at least `beta`, 1 for a win and 0 for
a draw? A table of its own remembers answers, one word a position and its images. Before a child is searched,
all children are looked at: one that is over, or known to the table, may answer at once. The others are tried
in the order of history and evaluation, which changes the work and never the answer.

The history of a game is not seen, so this is for games without draws by repetition or by a counter.
"""

from plywise.core.bits import left
from plywise.core.compiled import compiled
from plywise.core.layout import Layout, at, fetch
from plywise.core.outcome import LOST, OPEN, WON
from plywise.core.rules import SLOTS, Position
from plywise.search.node import poll
from plywise.search.thread_state import MAX_PLY, PLY_ROWS, SPARE_MOVES, ThreadRecord
from plywise.search.transposition import fold_key

# A word of the table is a key whose low bits, which its place says anyway, have made room for what is known:
# from the low end, the lower bound + 1 (2 bits), the upper bound + 1 (2), the logarithm of the work (6).
WORD = Layout(("word", "i8"))
PAYLOAD_BITS = 10
PAYLOAD = (1 << PAYLOAD_BITS) - 1
BUCKET_WORDS = 4
DECIDED = -(1 << 60)  # the order value of a move that is not searched
MOST_VALUE = 1 << 40  # of a move's evaluation and gain in the order of moves
# History points that a point of evaluation is worth in the order of moves: history decides between moves that
# look alike. In Connect Four 16 takes four times the nodes (44533: 19.7 instead of 5.1 million).
EVALUATION_WEIGHT = 5000


def solver_memory(most_moves: int) -> Layout:
    """What solving adds to a thread state: the keys of the children of each ply."""
    return Layout(("child_keys", "i8", (PLY_ROWS * most_moves + SPARE_MOVES,)))


@compiled
def lookup_bounds(thread: ThreadRecord, key: int) -> int:
    """The payload of a key's word; 0 if there is none."""
    slot = (key & thread.buckets) * BUCKET_WORDS
    for i in range(slot, slot + BUCKET_WORDS):
        word = at(thread.table, WORD, i).word
        if word != 0 and (word ^ key) >> PAYLOAD_BITS == 0:
            return word & PAYLOAD
    return 0


@compiled
def store_bounds(thread: ThreadRecord, key: int, lower: int, upper: int, nodes: int) -> None:
    """Store what is known of a key, over its older word, else over the one that took the least work."""
    slot = (key & thread.buckets) * BUCKET_WORDS
    place, least = slot, 1 << 20
    for i in range(slot, slot + BUCKET_WORDS):
        word = at(thread.table, WORD, i).word
        if word == 0:
            place, least = i, -1
            break
        if (word ^ key) >> PAYLOAD_BITS == 0:
            lower, upper = max(lower, (word & 3) - 1), min(upper, (word >> 2 & 3) - 1)
            place = i
            break
        work = word >> 4 & 63
        if work < least:
            place, least = i, work
    work = 1
    while nodes > 1 and work < 62:
        work, nodes = work + 2, nodes >> 1
    payload = lower + 1 | (upper + 1) << 2 | work << 4
    at(thread.table, WORD, place).word = left(key >> PAYLOAD_BITS, PAYLOAD_BITS) | payload


@compiled
def solve_node(position: Position, thread: ThreadRecord, key: int, beta: int, ply: int, n: int) -> int:
    """A bound on the value of an open position, -1, 0 or 1: a lower one from `beta` up, else an upper one.

    Moves are written from n on. The key is that of the position and its images.
    """
    thread.nodes += 1
    if thread.nodes >= thread.next_poll:
        poll(thread)
    if thread.stopped != 0:
        return 0
    if ply >= MAX_PLY:  # the game goes on longer than a line can be: nothing is proven
        thread.overflow, thread.stopped = -1, 1
        return 0
    started, turn = thread.nodes, position.turn
    end = position.moves(thread.moves, n)
    if end == n:
        return position.stuck()
    if end - n > thread.most_moves:
        thread.overflow, thread.stopped = end - n, 1
        return 0

    # 1. Look at all children: one that is over may answer at once. A move that did so elsewhere on this ply
    #    is the first to be looked at.
    best = LOST
    killer = thread.killers[ply]
    for i in range(n + 1, end):
        if thread.moves[i] == killer:
            thread.moves[i], thread.moves[n] = thread.moves[n], thread.moves[i]
    for i in range(n, end):
        move = thread.moves[i]
        after = position.play(move)
        verdict = after.outcome()
        if verdict == OPEN:
            child_key = fold_key(after, after.key())
            thread.child_keys[i] = child_key
            fetch(thread.table, WORD, (child_key & thread.buckets) * BUCKET_WORDS)
            value = 0 if after.midway() else after.evaluate()
            value = (value if after.turn == turn else -value) + position.gain(move)
            value = max(-MOST_VALUE, min(MOST_VALUE, value))  # else it could look decided
            history = thread.history[turn * SLOTS + position.slot(move)]
            thread.order[i] = EVALUATION_WEIGHT * value + history
            continue
        value = verdict if after.turn == turn else -verdict
        if value >= beta:
            thread.killers[ply] = move
            if ply == 0:
                thread.best_root = move
            store_bounds(thread, key, value, WON, 1)
            return value
        best = max(best, value)
        thread.order[i] = DECIDED

    # 2. What the table knows of the others.
    for i in range(n, end):
        if thread.order[i] == DECIDED:
            continue
        data = lookup_bounds(thread, thread.child_keys[i])
        if data == 0:
            continue
        lower, upper = (data & 3) - 1, (data >> 2 & 3) - 1
        if position.play(thread.moves[i]).turn != turn:
            lower, upper = -upper, -lower
        if lower >= beta:
            if ply == 0:
                thread.best_root = thread.moves[i]
            store_bounds(thread, key, lower, WON, 1)
            return lower
        if upper < beta:
            best = max(best, upper)
            thread.order[i] = DECIDED

    # 3. Search the rest, the most promising first.
    for i in range(n, end):
        top = i
        for j in range(i + 1, end):
            if thread.order[j] > thread.order[top]:
                top = j
        if thread.order[top] == DECIDED:
            break
        move, child_key = thread.moves[top], thread.child_keys[top]
        thread.moves[top], thread.moves[i] = thread.moves[i], move
        thread.order[top], thread.order[i] = thread.order[i], thread.order[top]
        thread.child_keys[top] = thread.child_keys[i]
        after = position.play(move)
        if after.turn == turn:
            value = solve_node(after, thread, child_key, beta, ply + 1, end)
        else:
            value = -solve_node(after, thread, child_key, 1 - beta, ply + 1, end)
        if thread.stopped != 0:
            return 0
        if value >= beta:
            for j in range(n, i):
                thread.history[turn * SLOTS + position.slot(thread.moves[j])] -= 1
            thread.history[turn * SLOTS + position.slot(move)] += i - n
            if ply == 0:
                thread.best_root = move
            store_bounds(thread, key, value, WON, thread.nodes - started)
            return value
        best = max(best, value)
        if ply == 0:
            thread.roots_done = i + 1
    store_bounds(thread, key, LOST, best, thread.nodes - started)
    return best


def solve_root(position: Position, thread: ThreadRecord, beta: int, spare: int, more: int) -> int:
    """Ask one question of an open position; `best_root` is then the move that proves a yes."""
    return solve_node(position, thread, fold_key(position, position.key()), beta, 0, 0)
