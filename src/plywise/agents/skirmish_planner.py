"""Planning against the scripted archers: a beam of worlds, turn by turn, until one is won.

The script answers every joint action of the footmen in one known way, so there is nobody to search
against: what remains is to find the shortest way to win. All worlds of a layer are equally old, which
no depth-first search can offer: progress is compared at equal times, and putting it off never pays.
"""

from pathlib import Path
from typing import Any

from plywise.core.bits import bits
from plywise.core.compiled import compiled
from plywise.core.errors import PlywiseError
from plywise.core.evaluation import Evaluation
from plywise.core.layout import Layout
from plywise.core.outcome import OPEN
from plywise.core.resources import Weights
from plywise.games.skirmish import GAME
from plywise.games.skirmish.evaluation import LAYOUT, PATHS
from plywise.games.skirmish.packing import ACTION_BITS, ACTION_MASK, members, total_health
from plywise.games.skirmish.rules import Skirmish
from plywise.games.skirmish.units import FOOTMEN
from plywise.search.node import begin, evaluate
from plywise.search.specialisation import Specialisation, evaluation_changes
from plywise.search.thread_state import weights_record

BEAM_WIDTH = 200  # worlds of a layer: half a second for a whole episode; more gain little
MIN_BEAM_WIDTH = 20  # what is left of it when more than two footmen make each world dearer
CROWD = 3  # times narrower with each footman beyond two, who has about six actions
MAX_BEAM_WIDTH = 4096
SLOT_BITS = 13
WORLD_WORDS = 10  # words kept of a world: living, orders, eight words of units
HASH_SLOTS = 1 << 17  # places to mark worlds that are in the next layer already
MAX_FOOTMEN = 4  # more have too many joint actions to try them all
HORIZON = 60  # turns; a win that is farther away is not looked for
WEIGHTS = Weights(LAYOUT, Path(__file__).with_name("skirmish_planner.json"))

BEAM = Layout(
    ("rows", "i8", (2 * MAX_BEAM_WIDTH * WORLD_WORDS,)),
    ("origins", "i8", (2 * MAX_BEAM_WIDTH,)),
    ("heap", "i8", (MAX_BEAM_WIDTH,)),
    ("marks", "i8", (HASH_SLOTS,)),
    ("layer", "i8"),
    ("wide", "i8"),
    ("next", "i8"),  # 0 or MAX_BEAM_WIDTH: where the next layer stands
    ("size", "i8"),
    ("health", "i8"),  # of the footmen in the best won world of the layer, -1: none is won
    ("answer", "i8"),
)


@compiled
def plan(position: Any, memory: Any, wide: int, horizon: int, spare: int) -> int:
    """The footmen's first joint action on the shortest way to win that the beam finds.

    Five bits a footman. The position has the switch `script` on and the first footman to act.
    """
    begin(position, memory)
    memory.nodes = 0
    memory.wide, memory.next, memory.size = wide, 0, 0
    memory.health = memory.answer = -1
    for i in range(HASH_SLOTS):
        memory.marks[i] = 0
    memory.layer = 0
    expand(position, memory, 0, 0)
    while memory.health < 0 and memory.size > 0 and memory.layer < horizon:
        here, size = memory.next, memory.size
        top = 0
        for k in range(size):
            if memory.heap[k] >> SLOT_BITS > memory.heap[top] >> SLOT_BITS:
                top = k
        memory.answer = memory.origins[here + (memory.heap[top] & (1 << SLOT_BITS) - 1)]
        memory.next, memory.size = MAX_BEAM_WIDTH - here, 0
        memory.layer += 1
        for i in range(HASH_SLOTS):
            memory.marks[i] = 0
        for k in range(size):
            expand(load_world(position, memory, here + k), memory, 0, memory.origins[here + k])
    return memory.answer


@compiled
def expand(position: Any, memory: Any, n: int, origin: int) -> None:
    """All joint actions of the footmen from here on, each carried through the archers' answer."""
    end = position.moves(memory.moves, n)
    for k in range(n, end):
        move = memory.moves[k]
        after = position.play(move)
        led = origin
        if memory.layer == 0:
            led |= (move & ACTION_MASK) << ACTION_BITS * position.acting
        if after.turn == 0:
            expand(after, memory, end, led)
            continue
        if after.outcome() == OPEN:
            while after.turn == 1:
                after.moves(memory.moves, end)
                after = after.play(memory.moves[end])
            consider(after, memory, led)
        elif after.living & members(after, 0) != 0 and total_health(after, 0) > memory.health:
            memory.health, memory.answer = total_health(after, 0), led


@compiled
def consider(position: Any, memory: Any, origin: int) -> None:
    """Keep the world for the next layer if it is new and among the best."""
    memory.nodes += 1
    value = evaluate(position, memory, 0)
    full = memory.size == memory.wide
    if full and value <= memory.heap[0] >> SLOT_BITS:
        return
    key = position.key()
    mark = key & HASH_SLOTS - 1
    while memory.marks[mark] != 0:
        if memory.marks[mark] == key:
            return
        mark = (mark + 1) & HASH_SLOTS - 1
    memory.marks[mark] = key
    if full:
        slot = memory.heap[0] & (1 << SLOT_BITS) - 1
        sift_down(memory, value << SLOT_BITS | slot)
    else:
        slot = memory.size
        memory.size += 1
        sift_up(memory, slot, value << SLOT_BITS | slot)
    store_world(position, memory, memory.next + slot, origin)


@compiled
def sift_up(memory: Any, k: int, word: int) -> None:
    """Put a word into the heap, the worst world on top, at place k or above."""
    while k > 0 and word < memory.heap[(k - 1) // 2]:
        memory.heap[k] = memory.heap[(k - 1) // 2]
        k = (k - 1) // 2
    memory.heap[k] = word


@compiled
def sift_down(memory: Any, word: int) -> None:
    """Put a word into the heap in place of the top."""
    k, size = 0, memory.size
    while 2 * k + 1 < size:
        child = 2 * k + 1
        if child + 1 < size and memory.heap[child + 1] < memory.heap[child]:
            child += 1
        if word <= memory.heap[child]:
            break
        memory.heap[k] = memory.heap[child]
        k = child
    memory.heap[k] = word


@compiled
def store_world(p: Any, memory: Any, k: int, origin: int) -> None:
    """Write a world down."""
    memory.origins[k] = origin
    k *= WORLD_WORDS
    memory.rows[k], memory.rows[k + 1] = p.living, p.intent
    memory.rows[k + 2], memory.rows[k + 3], memory.rows[k + 4], memory.rows[k + 5] = p.u0, p.u1, p.u2, p.u3
    memory.rows[k + 6], memory.rows[k + 7], memory.rows[k + 8], memory.rows[k + 9] = p.u4, p.u5, p.u6, p.u7


@compiled
def load_world(p: Any, memory: Any, k: int) -> Any:
    """A world that was written down; the ground is that of the first one."""
    k *= WORLD_WORDS
    living = memory.rows[k]
    acting = 0
    while living >> acting & 1 == 0:
        acting += 1
    return Skirmish(
        0, acting, p.shape, p.ground, living, memory.rows[k + 1],
        p.t0, p.t1, p.t2, p.t3, p.t4, p.t5, p.t6, p.t7,
        p.t8, p.t9, p.t10, p.t11, p.t12, p.t13, p.t14, p.t15,
        memory.rows[k + 2], memory.rows[k + 3], memory.rows[k + 4], memory.rows[k + 5],
        memory.rows[k + 6], memory.rows[k + 7], memory.rows[k + 8], memory.rows[k + 9],
    )  # fmt: skip


class Planner:
    """Plans from positions with scripted archers; `worlds` counts those that it has judged."""

    def __init__(self, wide: int = BEAM_WIDTH, weights: str | None = None, compiled: bool = True) -> None:
        if not 1 <= wide <= MAX_BEAM_WIDTH:
            raise PlywiseError(f"a beam is 1 to {MAX_BEAM_WIDTH} worlds wide, not {wide}")
        usual = GAME.evaluation()
        evaluation = Evaluation("plan", usual.function, WEIGHTS, PATHS + BEAM, usual.begin)
        self.wide, self.worlds = wide, 0
        self.specialisation = Specialisation(plan, GAME, evaluation, evaluation_changes(evaluation), compiled)
        self.memory = self.specialisation.new_thread()
        self.memory.bind(
            "weights", weights_record(LAYOUT, WEIGHTS.values(weights), self.specialisation.compiled)
        )

    def __call__(self, position: Skirmish, horizon: int = HORIZON) -> list[int]:
        """The actions of the living footmen, in their order."""
        living = position.living & members(position, FOOTMEN)
        crowd = CROWD ** max(0, living.bit_count() - 2)
        word = self.specialisation(
            position, self.memory, max(min(self.wide, MIN_BEAM_WIDTH), self.wide // crowd), horizon, 0
        )
        self.worlds += int(self.memory.record.nodes)
        return [word >> ACTION_BITS * i & ACTION_MASK for i in bits(living)]
