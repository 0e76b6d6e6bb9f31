"""Mobility: what positions are worth in a game whose author wrote no evaluation.

The moves of the side to move are counted, less those that the other side would have in its place. That pays
where the sides have moves of their own (benchmarks/search_strength.md). Where every empty cell is a move of
both, it says nothing, and such a game is searched for its ends only. So is one in which a player that goes
by mobility loses to dice, as where it wins to have no move.
"""

import dataclasses
import random
from functools import cache
from typing import TYPE_CHECKING, Any

from plywise.core.contract import source_place
from plywise.core.errors import BadGame, UnknownName
from plywise.core.evaluation import Evaluation, call_evaluation
from plywise.core.layout import Layout
from plywise.core.outcome import LOST, OPEN, WON

if TYPE_CHECKING:
    from plywise.core.game import Game

MOBILITY, OUTCOME = "mobility", "outcome"
GENERIC = (MOBILITY, OUTCOME)  # the evaluations that need nothing of an author
MOVE, UNIT = 10, 100  # points for a move, and for one of what players count in
DECIDED = 1 << 20  # more than any number of moves
SPARE = 4096  # room for more moves than a game declares
POSITIONS, GAMES, PLIES = 90, 45, 30  # of random games that show whether mobility tells the sides apart
LEAST = 0.1  # of their positions, in which the sides have different numbers of moves
TRIALS, TRIAL_PLIES, TRIAL_MOVES = 20, 200, 1500  # games of mobility against dice, and the moves looked at
ENOUGH = 6  # wins with which it is no worse than dice; games that must be lost, if there are no more


def mobility(position: Any, weights: Any, memory: Any, ply: int) -> int:
    """The moves of the side to move, less those of the other side if it were its turn: 10 points each."""
    own = position.moves(memory.mobility_moves, 0)
    exchanged = position._replace(turn=1 - position.turn)
    verdict = exchanged.outcome()
    if verdict in (WON, LOST):  # it is over then, and has no moves
        return MOVE * own
    return MOVE * (own - exchanged.moves(memory.mobility_moves, 0))


def generic_evaluators(game: "Game") -> tuple[str, ...]:
    """The evaluations that a game has without its author's doing; none if he wrote one of his own."""
    if game.has_evaluation:
        return ()
    return GENERIC if _can_exchange(game.author) else (OUTCOME,)


@cache
def generic_evaluation(game: "Game", name: str) -> Evaluation:
    """One of `generic_evaluators`, or the default among them."""
    if name == "default":
        return _GenericDefault(game)
    if name == OUTCOME:
        return Evaluation(name, None, unit=UNIT)
    memory = Layout(("mobility_moves", "i8", (game.most_moves + SPARE,)))

    def terms(own: Any) -> dict[str, float]:
        return {MOBILITY: float(call_evaluation(mobility, game.wrap(own), None, memory))}

    return Evaluation(name, mobility, memory=memory, terms=terms, unit=UNIT)


class _GenericDefault(Evaluation):
    """Mobility or the outcome alone, found out when somebody is about to evaluate.

    Its name and its unit are known before, so that games are named and shown without playing any.
    """

    def __init__(self, game: "Game") -> None:
        super().__init__("default", None, unit=UNIT)
        self.__dict__.update(game=game)

    def __getattribute__(self, name: str) -> Any:
        if name not in ("function", "memory", "terms"):
            return super().__getattribute__(name)
        game = self.__dict__["game"]
        return getattr(generic_evaluation(game, generic_default(game)), name)


def generic_default(game: "Game") -> str:
    """Mobility or the outcome alone: what the author chose, else what tells the sides apart."""
    if game.generic is None:
        pays = _can_exchange(game.author) and tells_sides_apart(game) and not misleads(game)
        game.generic = MOBILITY if pays else OUTCOME
    return game.generic


def choose_generic(game: "Game", name: str) -> None:
    """Let an author choose the default of a game that has no evaluation."""
    if name not in GENERIC:
        raise UnknownName("evaluator for @game", name, GENERIC)
    if game.has_evaluation:
        place = source_place(game.author, "evaluate")
        raise BadGame(f"{place}: evaluate() and @game(evaluator={name!r}) are two defaults; leave one out")
    if name not in generic_evaluators(game):
        cure = "make them a NamedTuple or a dataclass with a field 'turn'"
        raise BadGame(
            f"{source_place(game.author)}: mobility exchanges the turn, which these positions cannot; {cure}"
        )
    game.generic = name


def _can_exchange(cls: type) -> bool:
    """Whether positions can be made again with another turn."""
    if dataclasses.is_dataclass(cls):
        return any(field.name == "turn" and field.init for field in dataclasses.fields(cls))
    return "turn" in getattr(cls, "_fields", ())


def exchange_turn(position: Any) -> Any:
    """The position with the other side to move and all else as it is; None if it cannot be made."""
    try:
        return position._replace(turn=1 - int(position.turn))
    except Exception:  # not every class can be made from its fields
        return None


def tells_sides_apart(game: "Game") -> bool:
    """Whether the sides often have different numbers of moves, by a few random games.

    Rules that cannot answer for the other side say no.
    """
    dice, seen, different = random.Random(0), 0, 0
    try:
        for _ in range(GAMES):
            if seen >= POSITIONS:
                break
            position = game.start()
            for _ in range(PLIES):
                moves = game.moves(position)
                if not moves:
                    break
                if not position.midway():
                    others = len(game.moves(position._replace(turn=1 - position.turn)))
                    if others > game.most_moves:
                        return False
                    seen, different = seen + 1, different + (others != len(moves))
                position = position.play(dice.choice(moves))
    except (
        Exception
    ):  # if the rules are broken where they are asked as they should be, the search will say so
        return False
    return seen > 0 and different >= LEAST * seen


@cache
def misleads(game: "Game") -> bool:
    """Whether a player that takes the move with the best mobility loses to dice, by up to 20 games.

    A game whose rules take long is tried less often; what is not clear then counts for mobility.
    """
    dice, won, lost, looked_at = random.Random(0), 0, 0, 0
    try:
        for trial in range(TRIALS):
            position, side = game.start(), trial % 2
            for _ in range(TRIAL_PLIES):
                moves = game.moves(position)
                if position.outcome() != OPEN or not moves or looked_at > TRIAL_MOVES:
                    break
                if position.turn == side:
                    looked_at += len(moves)
                    worths = [_worth(game, position.play(move), side) for move in moves]
                    moves = [move for move, worth in zip(moves, worths, strict=True) if worth == max(worths)]
                position = position.play(dice.choice(moves))
            worth = _worth(game, position, side)
            won, lost = won + (worth == DECIDED), lost + (worth == -DECIDED)
            if won >= ENOUGH or looked_at > TRIAL_MOVES:
                break
    except Exception:  # as above
        return False
    return won == 0 and lost >= ENOUGH if looked_at > TRIAL_MOVES else won < ENOUGH and lost > TRIALS // 2


def _worth(game: "Game", position: Any, side: int) -> int:
    """How good a position is for a side: DECIDED if it has won, the moves that it has more if it is open."""
    verdict, moves = position.outcome(), game.moves(position)
    if verdict == OPEN and not moves:
        verdict = position.stuck()
    if verdict == OPEN:
        worth = len(moves) - len(game.moves(exchange_turn(position)))
    else:
        worth = {WON: DECIDED, LOST: -DECIDED}.get(verdict, 0)
    return worth if position.turn == side else -worth
