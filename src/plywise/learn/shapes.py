"""The shape of a game's net: what its boards show, and how large the net is."""

import random
from typing import Any

from plywise.core.bits import popcount, wrap
from plywise.core.errors import PlywiseError
from plywise.core.game import Game
from plywise.core.net_file import REPLACING, WEIGHTS_FORM, Shape, boards_of, names_boards
from plywise.core.rules import Rules

HIDDEN = 32
STAGES = 8
RANDOM_GAMES = 6
MAX_PLIES = 120
MAX_CHANGES = 12  # bits that a move may change on average in a word that is a board; a key changes half


class CannotLearn(PlywiseError):
    """A game that cannot be learned, with the reason."""


def check_learnable(game: Game) -> None:
    """Refuse games that play too slowly, or are not what is searched."""
    if game.world is not None:
        raise CannotLearn(
            f"{game.name} is played with dice or at the same time by both sides: there is no result of a"
            " searched position to learn from"
        )
    if not game.compiled:
        raise CannotLearn(
            f"{game.name} is of the plain form, which plays some ten positions a second against itself: a"
            " million would take about 28 hours; write it in the compiled form (a NamedTuple whose moves"
            " go into a buffer)"
        )


def has_no_evaluation(game: Game) -> bool:
    """Whether the game knows nothing but its outcome."""
    own = game.evaluation("default")
    return own.function is None and getattr(game.position, "evaluate", None) is Rules.evaluate


def shape_of(game: Game, hidden: int = HIDDEN, stages: int = STAGES, form: str = REPLACING) -> Shape:
    """The shape of a net for a game, from random games: its boards, and which of its words are some."""
    if form == WEIGHTS_FORM:
        own = game.evaluation("default")
        if own.weights is None:
            raise CannotLearn(f"the default evaluation of {game.name} has no weights to fit")
        return Shape(len(game.position._fields), hidden, stages, 1, 0, -1, -1, form)  # type: ignore[attr-defined]
    dice = random.Random(0)
    count = len(_boards(game, game.start(), None))
    union, changes, moves = [0] * count, [0] * count, 0
    for _ in range(RANDOM_GAMES):
        position = game.start()
        before = _boards(game, position, count)
        for _ in range(MAX_PLIES):
            legal = game.moves(position)
            if not legal:
                break
            position = position.play(dice.choice(legal))
            after = _boards(game, position, count)
            moves += 1
            for i in range(count):
                union[i] |= after[i]
                changes[i] += popcount(after[i] ^ before[i])
            before = after
    named = names_boards(game)
    seen = -1
    if not named:
        turn = list(game.position._fields).index("turn")  # type: ignore[attr-defined]
        seen = wrap(
            sum(1 << i for i in range(count) if i != turn and changes[i] <= MAX_CHANGES * max(1, moves))
        )
    own_columns = int(game.perspective == "same" or not named)
    last = max((word & (1 << 64) - 1).bit_length() for word in union) - 1
    shape = Shape(
        count,
        hidden,
        stages,
        own_columns,
        56 if named and game.perspective == "flipped" else 0,
        last if named and game.perspective == "rotated" else -1,
        seen,
        form,
    )
    problem = shape.problem()
    if problem is not None:
        raise CannotLearn(f"{game.name}: {problem}")
    return shape


def _boards(game: Game, position: Any, count: int | None) -> tuple[int, ...]:
    boards = boards_of(game, position)
    if count is not None and len(boards) != count:
        raise CannotLearn(
            f"{game.name}: boards() gives {len(boards)} boards in {game.text(position)} and {count} at the"
            " start; it must always give the same number"
        )
    return boards
