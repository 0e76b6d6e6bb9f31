"""Games that nobody wrote: one class of positions whose rules are computed from a seed.

A position is a node of a random graph. The nodes stand in levels. A move that resets leads to a
higher level, so no earlier position can return; the other moves stay in their level, where they may
meet again and go round in circles. A hash of seed and position says who moves next, how many moves
there are and where they lead, whether the game is over, and all that a game may tell the search.
The bits of the seed are the game's `Shape`, so a new game costs no compiling.

Positions of some games have four images, in which the same moves have other numbers; every third node is
its own image. Moves lead from image to image, also round in circles, and only the same image is a repetition.
"""

import random
from dataclasses import astuple, dataclass, fields, replace
from typing import Any, ClassVar, NamedTuple

from plywise import DRAWN, LOST, OPEN, WON, Draws, Game, compiled, game
from plywise.core.bits import mix
from plywise.core.layout import byte
from plywise.core.mobility import generic_evaluation

UNKNOWN = 1 << 20
SIDES = ("first", "second")
MOST_MOVES = 8
IMAGES = 4


@dataclass(frozen=True)
class Shape:
    """What a game is like; each field with the bits that it takes in the seed."""

    width: int = 4  # nodes in a level
    levels: int = 6
    branch: int = 3  # moves of a position, at most
    cycles: int = 2  # eighths of the moves that stay in their level
    again: int = 0  # how often the same side acts again
    actions: int = 0  # at most so many more actions in a turn
    midway: int = 0  # whether further actions are the middle of a turn
    loops: int = 0  # whether moves may lead to the very same position
    urgent: int = 0
    noisy: int = 1
    over: int = 1  # how often a game ends early
    stuck: int = 1
    skips: int = 2
    opinions: int = 1  # what evaluations look like
    tail: int = 0  # levels at the end without circles, which a database may know
    stuck_is: int = 0
    chance: int = 0  # which of the games of this shape
    images: int = 0  # whether positions have images, which the game calls alike

    @property
    def seed(self) -> int:
        seed, shift = 0, 0
        for value, bits in zip(astuple(self), BITS, strict=True):
            assert 0 <= value < 1 << bits, self
            seed |= value << shift
            shift += bits
        return seed


BITS = (6, 5, 3, 3, 2, 2, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 22, 1)
LEAST = {"width": 1, "levels": 2, "branch": 1}
MOST = {field.name: (1 << bits) - 1 for field, bits in zip(fields(Shape), BITS, strict=True)}


def any_shape(dice: random.Random, size: int = 1) -> Shape:
    """A random shape; larger sizes have more levels and nodes."""
    pick = dice.choice
    return Shape(
        width=pick((1, 2, 3, 4, 5, 8, 12, 4 * size, 63 if size > 3 else 6)),
        levels=min(31, pick((3, 4, 5, 6, 8, 10, 6 * size))),
        branch=pick((1, 2, 2, 3, 3, 4, 5, 7)),
        cycles=pick((0, 1, 2, 3, 4, 6)),
        again=pick((0, 0, 1, 2, 3)),
        actions=pick((0, 1, 2, 3)),
        midway=pick((0, 1)),
        loops=pick((0, 0, 1)),
        urgent=pick((0, 0, 1, 2)),
        noisy=pick((0, 1, 2, 2)),
        over=pick((0, 1, 2, 3)),
        stuck=pick((0, 1, 2, 3)),
        skips=pick((0, 1, 2, 3)),
        opinions=pick((0, 1, 1, 2, 3)),
        tail=pick((0, 0, 1, 2, 3)),
        stuck_is=pick((0, 0, 1, 2, 3)),
        chance=dice.randrange(1 << 22),
    )


class Answers:
    """A database in memory: what the solver knows of the last levels, lent to the search."""

    name = "answers"

    def __init__(self) -> None:
        self.array: Any = None
        self.stamp = 0

    def put(self, array: Any) -> None:
        if array is not self.array:
            self.array, self.stamp = array, self.stamp + 1

    def current(self) -> tuple[Any, Any]:
        return self.array, self.stamp


ANSWERS = Answers()


# --- what the seed says ---------------------------------------------------------------------------
@compiled
def width(seed: int) -> int:
    return max(1, seed & 63)


@compiled
def levels(seed: int) -> int:
    return max(2, seed >> 6 & 31)


@compiled
def place(node: int, turn: int, acted: int) -> int:
    """The number of a position among all those of its game."""
    return (node * 2 + turn) * 4 + acted


@compiled
def dice(seed: int, node: int, turn: int, acted: int) -> int:
    """All that is random about a position, in 62 bits."""
    return mix(mix(seed, 77), place(node, turn, acted)) & (1 << 62) - 1


@compiled
def chance(seed: int, node: int, turn: int, acted: int, move: int) -> int:
    """All that is random about a move, in 62 bits."""
    return mix(mix(seed, 78), place(node, turn, acted) * 8 + move) & (1 << 62) - 1


@compiled
def image_at(node: int, image: int) -> int:
    """The image in which a node is reached; every third node is its own image."""
    return image if node % 3 else 0


@compiled
def loops(seed: int, random: int) -> bool:
    """The move leads to the same position."""
    return seed >> 22 & 1 != 0 and random >> 4 & 15 == 0


@compiled
def stays(seed: int, node: int, random: int) -> bool:
    """The move stays in its level, so the position before it may return."""
    level, tail = node // width(seed), seed >> 35 & 3
    if loops(seed, random):
        return True
    return level < levels(seed) - 1 - 2 * tail and (random & 7) < (seed >> 14 & 7)


@compiled
def how_many(seed: int, node: int, turn: int, acted: int) -> int:
    """How many moves a position has; none where the side to move is stuck."""
    random = dice(seed, node, turn, acted)
    last = node // width(seed) == levels(seed) - 1
    if last or (node >= width(seed) and (random & 31) < (0, 1, 2, 4)[seed >> 29 & 3]):
        return 0
    return 1 + (random >> 5 & 1023) % max(1, seed >> 11 & 7)


@compiled
def chance_of(position: "Random", move: int) -> int:
    """All that is random about a move of a position, the same for the same move of each image."""
    seed, node, turn, acted = position.seed, position.node, position.turn, position.acted
    if position.image != 0:
        move = (move + position.image) % how_many(seed, node, turn, acted)
    return chance(seed, node, turn, acted, move)


@compiled
def kind_of_end(random: int) -> int:
    end = random & 7
    return LOST if end < 3 else DRAWN if end < 5 else WON


@compiled
def is_urgent(seed: int, node: int, turn: int, acted: int) -> bool:
    random = dice(seed, node, turn, acted)
    return acted == 0 and (random >> 15 & 15) < (0, 1, 2, 4)[seed >> 23 & 3]


@compiled
def opinion(seed: int, random: int) -> int:
    """An evaluation: small, large, at and beyond the edges of the band, or rarely different."""
    kind, noise = seed >> 33 & 3, random >> 20 & 4095
    if kind == 0:
        return noise % 129 - 64
    if kind == 1:
        return noise % 1001 - 500
    if kind == 2:
        edge = noise & 15
        if edge < 6:
            return (20000, -20000, 19999, -19999, 40000, -40000)[edge]
        return noise - 2048
    return (noise % 5 - 2) * 100


# ProbCut of a game without sense: any fit is wrong, and nothing proven may become false by it.
PROBCUT = tuple((depth, depth // 2, 100, 0, 60) for depth in range(2, 20))


@game(
    "random",
    most_moves=MOST_MOVES,
    symmetries=IMAGES,
    lends=(ANSWERS,),
    bench=(("start", 4),),
    probcut=PROBCUT,
)
class Random(NamedTuple):
    """A node of a random graph."""

    seed: int = 0
    node: int = 0
    turn: int = 0
    acted: int = 0  # actions of the side to move in this turn
    image: int = 0

    # --- rules ----------------------------------------------------------------------------------
    def moves(self, buffer: Any, n: int) -> int:
        for move in range(how_many(self.seed, self.node, self.turn, self.acted)):
            buffer[n] = move
            n += 1
        return n

    def play(self, move: int) -> "Random":
        seed, node, turn, acted = self.seed, self.node, self.turn, self.acted
        random, image = chance_of(self, move), self.image
        if loops(seed, random):
            return Random(seed, node, turn, acted, image)
        level = node // width(seed)
        if not stays(seed, node, random):
            level = min(levels(seed) - 1, level + (2 if random >> 8 & 7 == 0 else 1))
        node = level * width(seed) + (random >> 11 & 1023) % width(seed)
        same = acted < (seed >> 19 & 3) and (random >> 21 & 7) < (0, 1, 2, 4)[seed >> 17 & 3]
        if seed >> 61 & 1:
            image = image_at(node, image ^ random >> 55 & 3)
        return Random(seed, node, turn if same else 1 - turn, acted + 1 if same else 0, image)

    def outcome(self) -> int:
        random = dice(self.seed, self.node, self.turn, self.acted)
        level = self.node // width(self.seed)
        if level == levels(self.seed) - 1:
            return OPEN if random >> 40 & 3 == 0 else kind_of_end(random >> 42)
        if level > 0 and (random >> 45 & 31) < (0, 1, 4, 8)[self.seed >> 27 & 3]:
            return kind_of_end(random >> 42)
        return OPEN

    def stuck(self) -> int:
        kind = self.seed >> 37 & 3
        if kind == 3:
            return kind_of_end(dice(self.seed, self.node, self.turn, self.acted) >> 50)
        return (LOST, DRAWN, WON)[kind]

    # --- opinions ---------------------------------------------------------------------------------
    def evaluate(self) -> int:
        return opinion(self.seed, dice(self.seed, self.node, self.turn, self.acted))

    def noisy(self, buffer: Any, n: int) -> int:
        for move in range(how_many(self.seed, self.node, self.turn, self.acted)):
            if self.gain(move) > 0:
                buffer[n] = move
                n += 1
        return n

    def sharp(self, buffer: Any, n: int) -> int:
        for move in range(how_many(self.seed, self.node, self.turn, self.acted)):
            random = chance_of(self, move)
            if self.gain(move) > 0 or (random >> 24 & 3 == 0 and not stays(self.seed, self.node, random)):
                buffer[n] = move
                n += 1
        return n

    def candidates(self, buffer: Any, n: int) -> int:
        for move in range(how_many(self.seed, self.node, self.turn, self.acted)):
            if chance_of(self, move) >> 53 & 3 != 0:
                buffer[n] = move
                n += 1
        return n

    def urgent(self) -> bool:
        return is_urgent(self.seed, self.node, self.turn, self.acted)

    def gain(self, move: int) -> int:
        random = chance_of(self, move)
        if not stays(self.seed, self.node, random) and (random >> 26 & 7) < (0, 1, 2, 4)[self.seed >> 25 & 3]:
            return 1 + (random >> 30 & 255)
        return -5 if random >> 38 & 15 == 0 else 0

    def sound(self, move: int) -> bool:
        return chance_of(self, move) >> 42 & 3 != 0

    def brings(self, move: int, least: int) -> bool:
        return (chance_of(self, move) >> 44 & 511) - 128 >= least

    def pattern(self, move: int) -> int:
        return (self.node & 7) * 8 + move if self.node & 31 else -1

    # --- turns --------------------------------------------------------------------------------------
    def midway(self) -> bool:
        return self.acted > 0 and self.seed >> 21 & 1 != 0

    def can_skip(self) -> bool:
        if self.acted > 0 or is_urgent(self.seed, self.node, self.turn, self.acted):
            return False
        random = dice(self.seed, self.node, self.turn, self.acted)
        return (random >> 54 & 7) < (0, 4, 7, 8)[self.seed >> 31 & 3]

    def skip(self) -> "Random":
        return Random(self.seed, self.node, 1 - self.turn, 0, self.image)

    # --- symmetry -----------------------------------------------------------------------------------
    def symmetry(self, image: int) -> "Random":
        there = image_at(self.node, self.image ^ image)
        return Random(self.seed, self.node, self.turn, self.acted, there)

    # --- the past -----------------------------------------------------------------------------------
    def resets(self, move: int) -> bool:
        random = chance_of(self, move)
        return not stays(self.seed, self.node, random)

    def clock(self) -> int:
        return self.seed >> 39 & 3

    # --- a database -----------------------------------------------------------------------------------
    def probe(self, memory: Any) -> int:
        tail = self.seed >> 35 & 3
        if memory.answers != 0 and self.node // width(self.seed) >= levels(self.seed) - 1 - 2 * tail:
            at = 2 * place(self.node, self.turn, self.acted)
            answer = byte(memory.answers, at) + 256 * byte(memory.answers, at + 1)
            if answer != 0:
                return answer - 32768
        return UNKNOWN

    # --- text -----------------------------------------------------------------------------------------
    def text(self) -> str:
        return "/".join(str(word) for word in self)

    @classmethod
    def parse(cls, text: str) -> "Random":
        return cls(*map(int, text.split("/")))


class Remembered(Random):
    """The same node; what its rules say is computed once and remembered."""

    __slots__ = ()
    memory: ClassVar[dict[Any, Any]] = {}

    def moves(self, buffer: Any, n: int) -> int:
        memory = self.memory
        if self not in memory:
            memory[self] = Random.moves(self, {}, 0)
        for move in range(memory[self]):  # as in the rules: moves are numbered from 0
            buffer[n] = move
            n += 1
        return n

    def play(self, move: int) -> "Remembered":
        found = self.memory.get((self, move))
        if found is None:
            found = self.memory[self, move] = Remembered(*Random.play(self, move))
        return found

    def resets(self, move: int) -> bool:
        found = self.memory.get((self, move, "resets"))
        if found is None:
            found = self.memory[self, move, "resets"] = Random.resets(self, move)
        return found

    def outcome(self) -> int:
        found = self.memory.get((self, "outcome"))
        if found is None:
            found = self.memory[self, "outcome"] = Random.outcome(self)
        return found

    def key(self) -> int:
        found = self.memory.get((self, "key"))
        if found is None:
            found = self.memory[self, "key"] = Random.key(self)  # type: ignore[attr-defined]
        return found


@game("random_plain", most_moves=MOST_MOVES, symmetries=2, probcut=PROBCUT)
@dataclass(frozen=True)
class PlainRandom:
    """The same games in the plain form: a position holds the other, and moves are words.

    Each position has a mirror image, in which its moves have other names.
    """

    node: Random = Random()  # noqa: RUF009 (immutable)
    image: int = 0

    @property
    def turn(self) -> int:
        return self.node.turn

    def name(self, move: int) -> str:
        return f"{'mw'[self.image]}{move}"

    def moves(self) -> list[str]:
        buffer: dict[int, int] = {}
        return [self.name(buffer[i]) for i in range(self.node.moves(buffer, 0))]

    def noisy(self) -> list[str]:
        buffer: dict[int, int] = {}
        return [self.name(buffer[i]) for i in range(self.node.noisy(buffer, 0))]

    def candidates(self) -> list[str]:
        buffer: dict[int, int] = {}
        return [self.name(buffer[i]) for i in range(self.node.candidates(buffer, 0))]

    def sharp(self) -> list[str]:
        buffer: dict[int, int] = {}
        return [self.name(buffer[i]) for i in range(self.node.sharp(buffer, 0))]

    def play(self, move: str) -> "PlainRandom":
        number = int(move[1:])
        # Only a move that resets may change the image: what repeats is the same as without images.
        changes = self.node.resets(number) and mix(self.node.node, number) & 1
        return PlainRandom(self.node.play(number), self.image ^ int(changes))

    def symmetry(self, image: int) -> "PlainRandom":
        return PlainRandom(self.node, self.image ^ image)

    def outcome(self) -> int | None:
        verdict = self.node.outcome()
        return None if verdict == OPEN else verdict

    def stuck(self) -> int:
        return self.node.stuck()

    def evaluate(self) -> int:
        assert not self.node.midway(), f"evaluated in the middle of a turn: {self}"
        return self.node.evaluate()

    def urgent(self) -> bool:
        return self.node.urgent()

    def gain(self, move: str) -> int:
        return self.node.gain(int(move[1:]))

    def sound(self, move: str) -> bool:
        return self.node.sound(int(move[1:]))

    def brings(self, move: str, least: int) -> bool:
        return self.node.brings(int(move[1:]), least)

    def midway(self) -> bool:
        return self.node.midway()

    def can_skip(self) -> bool:
        return self.node.can_skip()

    def skip(self) -> "PlainRandom":
        return PlainRandom(self.node.skip(), self.image)

    def resets(self, move: str) -> bool:
        return self.node.resets(int(move[1:]))

    def clock(self) -> int:
        return self.node.clock()

    def text(self) -> str:
        return f"{self.node.text()}/{self.image}"

    @classmethod
    def parse(cls, text: str) -> "PlainRandom":
        node, image = text.rsplit("/", 1)
        return cls(Random.parse(node), int(image))


DRAWS = (
    Draws(),
    Draws(repetition=3),
    Draws(repetition=2),
    Draws(plies=5),
    Draws(repetition=3, plies=8),
    Draws(repetition=2, plies=14, last_plies=20),
    Draws(repetition=3, plies=40),
    Draws(repetition=2, last_repetition=4, plies=4, last_plies=9),
)


def variant(draws: int, plain: bool = False, images: bool = False) -> Game:
    """The game with one of the draw rules; with `images` it says that they are alike.

    Its evaluations are the hash of the position, and `mobility` as games have it whose authors wrote none.
    """
    return _VARIANTS[draws, plain, images and not plain]


def _variants() -> dict[tuple[int, bool, bool], Game]:
    base: Game = Random.game  # type: ignore[attr-defined]
    plain: Game = PlainRandom.game  # type: ignore[attr-defined]
    base.evaluations["mobility"] = generic_evaluation(base, "mobility")
    return {
        (i, *form): replace(game, draws=draws, symmetries=symmetries)
        for i, draws in enumerate(DRAWS)
        for form, game, symmetries in (
            ((False, False), base, 1),
            ((False, True), base, IMAGES),
            ((True, False), plain, plain.symmetries),
        )
    }


_VARIANTS = _variants()
