"""What every node of a search asks: is it over, a draw, known to a database; what does it seem worth."""

from plywise.core.compiled import compiled
from plywise.core.layout import at
from plywise.core.monotonic import now
from plywise.core.outcome import DRAWN, WON
from plywise.core.rules import Position
from plywise.core.scores import DECISIVE, MAX_EVALUATION, UNKNOWN, WIN, is_decisive, is_sure, loss_in, win_in
from plywise.search.margins import POLL, POLL_TIME
from plywise.search.thread_state import FLAGS, PLY_ROWS, ThreadRecord
from plywise.search.transposition import SYMMETRIES, fold_key, prefetch, stored_generation, stored_sound

# What a game has of its own; set by the specialisation.
HAS_CANDIDATES = False  # it says which moves are worth a look
HAS_NOISY = True  # it says which moves are noisy
HAS_URGENT = True  # it says which positions are urgent
PREFETCH = True  # play the next move to fetch its entry; off where Python runs the search
ASSERT = False  # check the invariants of a node; on where Python runs the search, free where it is compiled


# --- what an evaluation replaces (see search/specialisation.py) -----------------------------------
@compiled
def evaluate(position: Position, thread: ThreadRecord, ply: int) -> int:
    """How good an open position is for the side to move."""
    return position.evaluate()


@compiled
def begin(position: Position, thread: ThreadRecord) -> None:
    """A search starts from this position."""
    return


@compiled
def follow(position: Position, move: int, after: Position, thread: ThreadRecord, ply: int) -> None:
    """A move (or -1, a pass) has led to `after`, the position at `ply`."""
    return


# --- the parts of a node --------------------------------------------------------------------------
@compiled
def poll(thread: ThreadRecord) -> None:
    """Look at the stop flag, the node limit and the clock.

    It is asked for every `poll_nodes` nodes: up to POLL of them, fewer where they take long. The first
    iteration goes on until `grace`, though told to stop: a move that was searched is better than any move.
    """
    flags, time = at(thread.flags, FLAGS, 0), now()
    is_told = flags.stop != 0 or 0 < flags.deadline <= time
    is_graced = thread.iteration == 1 and 0 < time < thread.grace
    if thread.nodes >= thread.most_nodes or is_told and not is_graced:
        thread.stopped = 1
    took, thread.poll_time = time - thread.poll_time, time
    if took > POLL_TIME:
        thread.poll_nodes = max(1, thread.poll_nodes // 2)
    elif 2 * took < POLL_TIME:
        thread.poll_nodes = min(POLL, 2 * thread.poll_nodes)
    thread.next_poll = min(thread.nodes + thread.poll_nodes, thread.most_nodes)


@compiled
def outcome_score(verdict: int, ply: int) -> int:
    """The score of a position that is over."""
    if verdict == DRAWN:
        return 0
    return win_in(ply) if verdict == WON else loss_in(ply)


@compiled
def static_evaluation(position: Position, thread: ThreadRecord, ply: int) -> int:
    """The evaluation, kept within its band; a guess."""
    thread.guesses += 1
    return max(-MAX_EVALUATION, min(MAX_EVALUATION, int(evaluate(position, thread, ply))))


@compiled
def probe_database(position: Position, thread: ThreadRecord, ply: int) -> int:
    """The score by a database, with distances counted from the root; UNKNOWN if it has none.

    It does not know the history: a win for which the draw counter may not leave time is not believed, nor one
    that may lead through a position of the game whose return is a draw.
    """
    score: int = position.probe(thread)
    if score == UNKNOWN:
        return UNKNOWN
    score = score - ply if score > DECISIVE else score + ply if score < -DECISIVE else score
    if is_win_too_late(thread, score, ply) or is_win_through_past(position, thread, score, ply):
        return UNKNOWN
    return score


@compiled
def is_win_too_late(thread: ThreadRecord, score: int, ply: int) -> bool:
    """Whether the draw counter may end the game before a win whose value ignores the history."""
    if thread.draw_plies == 0 or not is_decisive(score):
        return False
    return thread.reversible[ply] + WIN - abs(score) - ply > thread.draw_plies


@compiled
def is_win_through_past(position: Position, thread: ThreadRecord, score: int, ply: int) -> bool:
    """Whether a win by a database may lead through a position of the game whose return is a draw.

    Each ply of a shortest win brings it nearer, so only positions that are nearer to it can be on its way.
    `past_win_plies` has, for each side, the least distance of such a position, and one more; 0 is none.
    """
    if thread.past_plies == 0 or thread.reversible[ply] < ply or not is_sure(score):
        return False
    nearest = thread.past_win_plies[position.turn if score > 0 else 1 - position.turn]
    return nearest > 0 and (not is_decisive(score) or WIN - abs(score) - ply >= nearest)


@compiled
def count_unknown_distance(thread: ThreadRecord, score: int, alpha: int, beta: int) -> None:
    """Account for a score from a database: of two wins without a distance, either may be the shorter."""
    if is_sure(score) and not is_decisive(score):
        thread.guesses += 1
        thread.skips += 1
        if score > 0 and alpha >= DECISIVE or score < 0 and beta <= -DECISIVE:
            thread.unknown_distances += 1  # it may be the shorter win that is looked for


@compiled
def count_incomplete_entry(thread: ThreadRecord, data: int) -> None:
    """Account for a value from the table that is not complete; how far it looked, only its search knew."""
    thread.guesses += 1
    if not stored_sound(data):
        thread.skips += 1
    if stored_generation(data) != thread.generation:
        thread.old_entries += 1


@compiled
def is_repetition(thread: ThreadRecord, key: int, ply: int) -> bool:
    """Whether the position is on this line already, or was in the game so often that it is a draw now.

    `path` begins with the positions of the game whose return is a draw; those of the line, from ply 1
    on, follow.
    """
    clock, end = thread.reversible[ply], thread.past_plies + ply - 1
    i = end - clock if clock < ply else 0
    while i < end:
        if thread.path[i] == key:
            return True
        i += 1
    return False


@compiled
def path_draw_score(thread: ThreadRecord) -> int:
    """The score of a position that is a draw on this path only."""
    thread.guesses += 1
    thread.skips += 1
    return 0


@compiled
def table_key(thread: ThreadRecord, key: int, ply: int) -> int:
    """The key under which the table has the position at `ply`, together with its images.

    Where the game's history makes draws of positions that can still return, scores belong to that history;
    it has no images. `fetch_entry` has announced the position.
    """
    if thread.past_plies > 0 and thread.reversible[ply] >= ply:
        return key ^ thread.past_hash
    return thread.folded_keys[ply] if SYMMETRIES > 1 else key


@compiled
def fetch_entry(position: Position, thread: ThreadRecord, key: int, ply: int) -> None:
    """Announce the position at `ply`: prefetch its entry, and keep the key under which the table has it."""
    folded = fold_key(position, key)
    if SYMMETRIES > 1:
        thread.folded_keys[ply] = folded
    prefetch(thread, folded)


@compiled
def update_line(thread: ThreadRecord, ply: int, move: int) -> None:
    """Make the move, and the best line after it, the best line from this ply."""
    row, below = ply * PLY_ROWS, (ply + 1) * PLY_ROWS
    thread.lines[row] = move
    length = thread.line_lengths[ply + 1]
    for i in range(length):
        thread.lines[row + 1 + i] = thread.lines[below + i]
    thread.line_lengths[ply] = length + 1
