"""Players of this library in a match."""

import random
import time
from dataclasses import dataclass, replace

from plywise.arena.player_spec import BadPlayer, PlayerSpec
from plywise.arena.time_control import TimeControl
from plywise.core.errors import PlywiseError
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.scores import is_sure
from plywise.core.untrusted import whole_number
from plywise.play import elo
from plywise.play.clock import Clock, Lag, allowance
from plywise.play.levels import level
from plywise.play.seat import make_seat
from plywise.search.engine import Engine
from plywise.search.limits import Limits
from plywise.search.margins import check_margins, read_margins
from plywise.search.result import Result
from plywise.search.switches import switches

HASH = 16  # megabytes of table a player, cleared for every game
OVERHEAD = 0.005  # seconds a move between our clock and the arena's, which is in the same process
DECISIVE = 30_000  # hundredths at which a score is a result


@dataclass(frozen=True, slots=True)
class Choice:
    """A move, as the game numbers it or as text, and what the player says about it.

    `score` is in hundredths of the evaluation's unit for the player; None where it has no opinion.
    """

    move: int | str
    score: int | None = None
    depth: int = 0
    nodes: int = 0


def check(game: Game, spec: PlayerSpec) -> None:
    """Refuse bad options of a player before anything is compiled or played."""
    try:
        make_seat(game, spec.text, dict(spec.options))
        margins(game, spec)
        spec.integer("hash")
        spec.integer("threads")
        spec.control(TimeControl())
    except BadPlayer:
        raise
    except PlywiseError as error:
        raise BadPlayer(f"player {spec.text!r}: {error}") from None


def check_search(game: Game, spec: PlayerSpec) -> None:
    """Refuse unknown evaluations, weights, margins and switches."""
    margins(game, spec)
    game.weights(spec.option("evaluator", "default") or "", spec.option("weights"))
    switches(without(spec))


def without(spec: PlayerSpec) -> list[str]:
    """The switches to turn off; in the option they are joined by `+`."""
    return [name for name in (spec.option("without") or "").split("+") if name]


def margins(game: Game, spec: PlayerSpec) -> dict[str, int] | None:
    """The player's margins: `default`, a file, or NAME:NUMBER joined by `+`; None: those of the game."""
    text = spec.option("margins", "default") or ""
    if text == "default":
        return None
    if ":" not in text or text.endswith(".json"):
        return read_margins(text, game.name)
    values: dict[str, int] = {}
    for word in text.split("+"):
        name, _, number = word.partition(":")
        try:
            values[name] = whole_number(number, 0)
        except ValueError:
            raise PlywiseError(f"margins are NAME:NUMBER joined by +, or a file, not {word!r}") from None
    return check_margins(values)


def is_deterministic(spec: PlayerSpec, control: TimeControl) -> bool:
    """Whether the player always answers the same position with the same move."""
    own = spec.control(control)
    return (
        spec.kind == "plywise"
        and spec.option("player") != "random"
        and spec.option("level") is None
        and spec.option("elo") is None
        and (spec.integer("threads") or 1) == 1
        and not own.is_timed
        and own.cpu is None
    )


class BuiltinPlayer:
    """A player of the library, ready for many games, one at a time."""

    def __init__(self, game: Game, spec: PlayerSpec, control: TimeControl) -> None:
        check(game, spec)
        spec = spec.for_game(game)
        self.game, self.control = game, spec.control(control)
        self.player = spec.option("player", "default") or ""
        number, rating = spec.integer("level"), spec.integer("elo")
        self.level = None if number is None else level(game, number)
        if rating is not None:
            self.level = elo.level_of_elo(game, rating)
        if self.level is not None and self.control is control:
            # A level has its own limits; only a clock limits it further.
            self.control = TimeControl(control.base, control.increment, control.moves)
        self.dice, self.lag = random.Random(0), Lag()
        self.engine: Engine | None = None
        if self.player != "random":
            self.engine = Engine(
                game,
                spec.option("evaluator", "default") or "",
                player=self.player,
                hash=spec.integer("hash") or HASH,
                threads=spec.integer("threads") or 1,
                without=without(spec),
                weights=spec.option("weights"),
                margins=margins(game, spec),
            )

    def prepare(self) -> None:
        """Do what is done only once, before a clock runs."""
        if self.engine is not None:
            self.engine.search(self.game.history(), depth=1)

    def start_game(self, start: History, side: int, seed: int) -> None:
        """Begin a game."""
        self.dice, self.lag = random.Random(seed), Lag()
        if self.engine is not None:
            self.engine.clear()

    def choose(self, history: History, clock: Clock | None, other: Clock | None) -> Choice:
        """The move to play."""
        if self.engine is None:
            return Choice(self.dice.choice(self.game.moves(history.position)))
        lines = 1 if self.level is None else self.level.lines
        began, limits = time.perf_counter(), self._limits(history, clock)
        result: Result = self.engine.search(history, limits, lines=lines)
        if clock is not None and limits.time is not None:
            self.lag.send(time.perf_counter() - began, limits.time)
        line = result.lines[0]
        if self.level is not None:
            line = result.lines[self.level.choose(result.lines, self.game, self.dice, result.unit)]
        return Choice(line.numbers[0], _centipawns(line.score, result.unit), result.depth, result.nodes)

    def _limits(self, history: History, clock: Clock | None) -> Limits:
        control = self.control
        limits = Limits(control.depth, control.nodes, control.time, cpu=control.cpu)
        if self.level is not None:
            limits = self.level.within(limits)
        if clock is None:
            return limits
        self.lag.receive(clock, history.length)
        time_for = allowance(clock, OVERHEAD, self.lag)
        return replace(limits, time=time_for.hard, soft=time_for.soft)

    def end_game(self, outcome: str) -> None:
        """The game is over."""

    def close(self) -> None:
        """Nothing has to be released."""


def _centipawns(score: int, unit: int) -> int:
    if is_sure(score):
        return DECISIVE if score > 0 else -DECISIVE
    return round(score * 100 / unit)
