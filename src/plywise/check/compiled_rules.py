"""The compiled rules against the very same source in Python: every answer on many positions, extremes too.

Whole numbers grow without end in Python and wrap in compiled code; that is how the two come to differ.
"""

import random
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from plywise.core.compiled import compiled
from plywise.core.evaluation import Evaluation
from plywise.core.game import Game
from plywise.core.layout import Layout
from plywise.core.outcome import LOST, OPEN, WON
from plywise.search.node import begin, evaluate, follow
from plywise.search.specialisation import Specialisation, evaluation_changes
from plywise.search.thread_state import weights_record
from plywise.search.transposition import SYMMETRIES

POSITIONS = 2000  # that are compared, if a game has as many
LONGEST = 400  # plies of a walk
IDLE = 25  # walks in a row that show nothing new: the game has no more
MOVES = 6  # of each position of which the rules about moves are asked
FEW = 4  # moves among which a walk chooses
NONE = 1 << 40  # as the first move to ask about: of none
LEASTS = (-400, 0, 100)  # that `brings` is asked for

# Each fact is three words: which rule, of which move (-1: of none), and what it says.
ASKED = (
    "outcome",
    "key",
    "moves",
    "stuck",
    "urgent",
    "midway",
    "noisy",
    "sharp",
    "candidates",
    "can_skip",
    "skip",
    "symmetry",
    "gain",
    "slot",
    "pattern",
    "resets",
    "sound",
    "brings",
    "threatens",
    "play",
    "evaluate",  # by the first evaluation; the others' numbers follow
)
OUTCOME, KEY, ALL, STUCK, URGENT, MIDWAY, NOISY, SHARP, CANDIDATES, CAN_SKIP, SKIPPED = range(11)
SYMMETRY, GAIN, SLOT, PATTERN, RESETS, SOUND, BRINGS, THREATENS, PLAY, EVALUATE = range(11, 21)
# What the comparison adds to a thread's memory: facts as (rule, move, value), and each evaluation's weights.
FACTS = Layout(("fact_count", "i8"), ("facts", "i8", (1 << 16,)), ("weights_of", "i8", (64,)))


@compiled
def note(memory: Any, rule: int, move: int, value: int) -> None:
    """One more fact."""
    at = 3 * memory.fact_count
    memory.facts[at], memory.facts[at + 1], memory.facts[at + 2] = rule, move, value
    memory.fact_count += 1


def facts(position: Any, memory: Any, first: int, step: int, move: int) -> int:
    """Ask a position all that the search may ask; return the end of the moves that were written.

    The rules about moves are asked of every `step`-th from the `first` on; evaluations that keep sums
    follow `move`, if it is not -1.
    """
    memory.fact_count = 0
    verdict = position.outcome()
    note(memory, OUTCOME, -1, verdict)
    note(memory, KEY, -1, position.key())
    for image in range(1, SYMMETRIES):
        note(memory, SYMMETRY, -1, position.symmetry(image).key())
    if verdict in (WON, LOST):
        return 0
    end = position.moves(memory.moves, 0)
    note(memory, ALL, -1, end)
    if end == 0:
        if verdict == OPEN:
            note(memory, STUCK, -1, position.stuck())
        return 0
    if verdict != OPEN:
        return end
    urgent, midway = position.urgent(), position.midway()
    note(memory, URGENT, -1, urgent)
    note(memory, MIDWAY, -1, midway)
    last = end
    if not midway:
        last = position.noisy(memory.moves, end)
        note(memory, NOISY, -1, last - end)
        before = last
        last = position.sharp(memory.moves, before)
        note(memory, SHARP, -1, last - before)
        before = last
        last = position.candidates(memory.moves, before)
        note(memory, CANDIDATES, -1, last - before)
        can_skip = position.can_skip()
        note(memory, CAN_SKIP, -1, can_skip)
        if can_skip:
            note(memory, SKIPPED, -1, position.skip().key())
        opinions(position, memory, move)
    for i in range(first, end, step):
        one = memory.moves[i]
        gain = position.gain(one)
        note(memory, GAIN, one, gain)
        note(memory, SLOT, one, position.slot(one))
        note(memory, PATTERN, one, position.pattern(one))
        note(memory, RESETS, one, position.resets(one))
        if gain > 0:
            note(memory, SOUND, one, position.sound(one))
        for j in range(len(LEASTS)):
            note(memory, BRINGS, one, position.brings(one, LEASTS[j]))
        note(memory, THREATENS, one, position.threatens(one))
        note(memory, PLAY, one, position.play(one).key())
    return last


# --- evaluations -------------------------------------------------------------------------------------
@compiled
def opinions(position: Any, memory: Any, move: int) -> None:
    """What each evaluation says; `_facts_of` puts those of a game here, one linked to the next."""
    return


def _opinion(position: Any, memory: Any, move: int) -> None:
    """One evaluation of a position, and of the one after a move if it keeps sums from move to move."""
    memory.weights = memory.weights_of[PLACE]  # type: ignore[name-defined] # noqa: F821
    BEGIN(position, memory)  # type: ignore[name-defined] # noqa: F821
    note(memory, EVALUATE + PLACE, -1, JUDGE(position, memory, 0))  # type: ignore[name-defined] # noqa: F821
    if KEEPS and move >= 0:  # type: ignore[name-defined] # noqa: F821
        after = position.play(move)
        FOLLOW(position, move, after, memory, 1)  # type: ignore[name-defined] # noqa: F821
        if after.outcome() == OPEN and not after.midway():
            note(memory, EVALUATE + PLACE, move, JUDGE(after, memory, 1))  # type: ignore[name-defined] # noqa: F821
    REST(position, memory, move)  # type: ignore[name-defined] # noqa: F821


def all_evaluations(game: Game) -> list[Evaluation]:
    """The evaluations of a game as they are searched with."""
    return [game.evaluation(name) for name in game.evaluations]


def _facts_of(game: Game) -> Any:
    """`facts` with all evaluations of a game: one function, so that the rules are compiled once."""
    linked: Any = opinions
    for place, evaluation in reversed(list(enumerate(all_evaluations(game)))):
        changes = evaluation_changes(evaluation)
        space = {
            **globals(),
            "PLACE": place,
            "BEGIN": changes.get("begin", begin),
            "JUDGE": changes.get("evaluate", evaluate),
            "KEEPS": evaluation.follow is not None,
            "FOLLOW": changes.get("follow", follow),
            "REST": linked,
        }
        linked = compiled(FunctionType(_opinion.__code__, space, f"opinion_{place}"))
    return FunctionType(facts.__code__, {**globals(), "opinions": linked}, "facts")


class Form:
    """The facts of a game in one form: compiled, or in Python."""

    def __init__(self, game: Game, native: bool) -> None:
        kept = {field[0]: field for one in all_evaluations(game) for field in one.memory.fields}
        every = Evaluation("all", None, memory=FACTS + Layout(*kept.values()))
        self.specialisation = Specialisation(_facts_of(game), game, every, compiled=native)
        self.memory = self.specialisation.new_thread()
        self.weights = []  # an address is good only as long as its array lives
        for place, one in enumerate(all_evaluations(game)):
            if one.weights is not None:
                values = one.weights.values(None)
                self.weights.append(weights_record(one.weights.layout, values, self.specialisation.compiled))
                self.memory.bind("weights", self.weights[-1])
                self.memory.record.weights_of[place] = self.memory.record.weights
        for resource in game.lends:
            self.memory.bind(resource.name, resource.current()[0])

    def __call__(self, position: Any, first: int, step: int, move: int) -> tuple[list[int], list[int]]:
        """The facts of a position, and the moves that were written."""
        end = self.specialisation(position, self.memory, first, step, move)
        record = self.memory.record
        return list(record.facts[: 3 * int(record.fact_count)]), list(record.moves[:end])

    def glance(self, position: Any) -> tuple[int, int]:
        """How many moves a position has, and how large its evaluation is."""
        facts = self(position, NONE, 1, -1)[0]
        values = dict(zip(facts[::3], facts[2::3], strict=True))
        return values.get(ALL, 0), abs(values.get(EVALUATE, 0))


# --- positions ---------------------------------------------------------------------------------------
def differences(game: Game, dice: random.Random, wanted: int = POSITIONS) -> Iterator[tuple[str, str, Any]]:
    """Where the two forms differ: the rule, both answers in words, and the position."""
    plain, native = Form(game, False), Form(game, True)
    for position, move, step in walks(game, dice, native, wanted):
        first = dice.randrange(step)
        (facts, moves), (other, others) = (form(position, first, step, move) for form in (plain, native))
        for rule, words in _different(game, position, facts, other):
            yield rule, words, position
        if facts == other and moves != others:
            yield "moves", "moves(), noisy() or sharp() list other moves compiled than uncompiled", position


def _different(game: Game, position: Any, facts: list[int], other: list[int]) -> Iterator[tuple[str, str]]:
    """The rules that answer otherwise compiled, up to where the two forms ask different questions."""
    for i in range(0, max(len(facts), len(other)), 3):
        one, two = facts[i : i + 3], other[i : i + 3]
        if one == two:
            continue
        rule, move, _ = one or two
        of = "" if move < 0 else game.move_text(position, int(move))
        called = list(game.evaluations)[rule - EVALUATE] if rule > EVALUATE else ASKED[rule]
        if one[:2] != two[:2]:
            yield ASKED[min(rule, EVALUATE)], f"{called}({of}) is asked in one form and not in the other"
            return
        words = f"{called}({of}) is {int(one[2])} uncompiled and {int(two[2])} compiled"
        yield ASKED[min(rule, EVALUATE)], words


def walks(game: Game, dice: random.Random, form: Form, wanted: int) -> Iterator[tuple[Any, int, int]]:
    """Positions of walks from every start: at random, and to where moves are most or fewest, or worth most.

    With each a move to follow, and the step between the moves that are asked about.
    """
    texts = (*game.starts.values(), *(text for text, _ in game.bench))
    starts = [game.start(), *(game.history(text).position for text in texts)]
    seen: set[int] = set()
    idle = walk = 0
    while len(seen) < wanted and idle < IDLE:
        position = starts[walk % len(starts)]
        prefer = PREFERENCES[walk % len(PREFERENCES)]
        walk, before = walk + 1, len(seen)
        for _ in range(LONGEST):
            moves = game.moves(position) if position.outcome() == OPEN else []
            move = prefer(position, moves, dice, form) if moves else -1
            key = position.key()
            if key not in seen:
                seen.add(key)
                yield position, move, max(1, len(moves) // MOVES)
            if not moves or len(seen) >= wanted:
                break
            position = position.play(move)
        idle = 0 if len(seen) > before else idle + 1


Preference = Callable[[Any, list[int], random.Random, Form], int]


def _any(position: Any, moves: list[int], dice: random.Random, form: Form) -> int:
    return dice.choice(moves)


def _gain(position: Any, moves: list[int], dice: random.Random, form: Form) -> int:
    return max(dice.sample(moves, len(moves)), key=position.gain)


def _after(worth: Callable[[int, int], int]) -> Preference:
    """The move, out of a few, after which the number of moves or the evaluation is largest (or smallest)."""

    def choose(position: Any, moves: list[int], dice: random.Random, form: Form) -> int:
        if dice.random() < 0.1:  # or it would walk in a circle
            return dice.choice(moves)
        some = dice.sample(moves, min(FEW, len(moves)))
        return max(some, key=lambda move: worth(*form.glance(position.play(move))))

    return choose


PREFERENCES: tuple[Preference, ...] = (
    _any,
    _after(lambda moves, size: moves),
    _after(lambda moves, size: size),
    _gain,
    _after(lambda moves, size: -moves),
    _after(lambda moves, size: -size),
)
