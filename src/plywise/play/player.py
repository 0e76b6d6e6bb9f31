"""A player has a seat: it thinks about a game state and chooses moves.

Thinking blocks the calling thread and can be stopped from any other. Players of one game share an engine
pool; what a player plays depends on its seed and the game alone.
"""

import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from plywise.core.endgame_index import find_database
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.scores import Kind
from plywise.play.clock import OVERHEAD, Allowance, Clock, Lag, allowance
from plywise.play.draw_offer import takes_draw
from plywise.play.engine_pool import STOP_POLL, EnginePool, shared_pool
from plywise.play.levels import Level
from plywise.play.levels import level as level_of
from plywise.play.seat import Seat
from plywise.play.state import GameState
from plywise.play.win_chance import win_chance
from plywise.search.engine import Engine
from plywise.search.handle import Search
from plywise.search.limits import Limits
from plywise.search.result import Line, Progress, Result

MOVE_TIME_LIMIT = 8.0  # seconds after which a level without a time of its own moves all the same
TEXTBOOK = ("minimax", "alphabeta", "sorted")  # players that do not deepen by themselves


@dataclass(frozen=True, slots=True)
class Decision:
    """What a player chose: moves for `GameState.play`; what it saw; whether it was stopped."""

    moves: tuple[str, ...]
    result: Result | None = None
    line: Line | None = None  # the line of the result that begins with the first move
    stopped: bool = False


def player_of_seat(
    game: Game, seat: Seat, *, seed: int | None = None, pool: EnginePool | None = None
) -> "Player":
    """The player who takes a seat that is no person's."""
    return Player(
        game,
        seat.strength(game),
        seed=seed,
        pool=pool or shared_pool(game, seat.evaluator, seat.player, seat.weights, seat.without),
        patient=seat.depth is not None or seat.nodes is not None,
    )


class Player:
    """One who chooses for a side. `level` is 1 to 10, or a Level of one's own; equal seeds play equal games.

    `pool` lends the engines of its search or textbook player. A `patient` one keeps to its limits however
    long that takes, and waits for the compiled engine.
    """

    def __init__(
        self,
        game: Game,
        level: int | Level,
        *,
        evaluator: str = "default",
        seed: int | None = None,
        pool: EnginePool | None = None,
        patient: bool = False,
    ) -> None:
        self.game, self.patient = game, patient
        self.level = level if isinstance(level, Level) else level_of(game, level)
        self.pool = pool or shared_pool(game, evaluator)
        self.seed = random.randrange(1 << 32) if seed is None else seed
        self._running: Search | None = None
        self._stopped = threading.Event()
        self._lag = Lag()  # of its moves in this game

    # --- thinking -------------------------------------------------------------------------------
    def think(
        self,
        state: GameState,
        side: int,
        *,
        clock: Clock | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> Decision:
        """A whole choice for `side`; after `stop` the best one so far. Call it from one thread at a time."""
        self._stopped.clear()
        if clock is None:
            return self._choose(state, side, None, progress)
        began = time.perf_counter()
        self._lag.receive(clock, state.number)
        time_for = allowance(clock, OVERHEAD, self._lag)
        decision = self._choose(state, side, time_for, progress)
        self._lag.send(time.perf_counter() - began, time_for.hard)
        return decision

    def stop(self) -> None:
        """Ask for the answer now; returns at once."""
        # Without a lock: a signal handler may call this in the midst of `think`.
        self._stopped.set()
        search = self._running
        if search is not None:
            search.stop()

    def accepts_draw(self, state: GameState, side: int) -> bool:
        """Whether the player, asked at any moment of the game, takes a draw."""
        view = state.view(state.turn)
        if state.outcome is not None or state.game.world is not None or self.pool.player == "random":
            return False
        result = self._search(view, Limits(depth=None, nodes=50_000, time=1.0), 1, None)
        if result is None or not result.lines:
            return False
        score = result.score
        if result.depth == 0 and result.kind is Kind.ESTIMATE:  # too slow a machine: nothing was searched
            score = self.game.evaluate(view.position, self.pool.evaluator)
        own = win_chance(score, self.game, result.unit)
        return takes_draw(state.number, own if view.turn == side else 1 - own)

    def _choose(
        self,
        state: GameState,
        side: int,
        time_for: Allowance | None,
        progress: Callable[[Progress], None] | None,
    ) -> Decision:
        dice = random.Random(f"{self.seed} {state.number} {side}")
        limits = self._limits(time_for)
        view, moves = state.view(side), list[str]()
        first: tuple[Result, Line] | None = None
        while not state.is_complete(side, view):
            legal = view.moves
            if self.pool.player == "random":
                moves.append(dice.choice(legal))
                view = view.play(moves[-1])
                continue
            result = self._search(view, limits, self.level.lines, progress) if len(legal) > 1 else None
            if result is None or not result.lines:
                moves.append(legal[0])
                view = view.play(legal[0])
                continue
            line = (
                self._hardest_move(view, result)
                or result.lines[self.level.choose(result.lines, self.game, dice, result.unit)]
            )
            first = first or (result, line)
            # A level without errors plays its line to the end of the turn; others search again for each move.
            for move in line.moves if self.level.heat == 0 else line.moves[:1]:
                if state.is_complete(side, view):
                    break
                moves.append(move)
                view = view.play(move)
        result, line_seen = first or (None, None)
        return Decision(tuple(moves), result, line_seen, self._stopped.is_set())

    def _hardest_move(self, view: History, result: Result) -> Line | None:
        """In an ending proven drawn, the move that is hardest to answer; for levels without errors."""
        if self.level.heat or result.score != 0 or result.kind is not Kind.PROVEN:
            return None
        if find_database(self.game) is None:
            return None
        from plywise.endgames import hardest_drawing_move

        with self.pool.borrow(stopped=self._stopped) as engine:
            move = None if engine is None else hardest_drawing_move(engine, view)
        if move is None:
            return None
        return Line(0, Kind.PROVEN, (move,), (self.game.read_move(view.position, move),))

    def _limits(self, time_for: Allowance | None) -> Limits:
        own = self.level
        seconds = own.seconds or (None if self.patient else MOVE_TIME_LIMIT)
        if time_for is None:
            return Limits(own.depth, own.nodes, seconds)
        if own.seconds is None:
            return Limits(own.depth, own.nodes, min(seconds or time_for.hard, time_for.hard))
        return Limits(own.depth, own.nodes, time_for.hard, soft=time_for.soft)

    def _search(
        self,
        view: History,
        limits: Limits,
        lines: int,
        progress: Callable[[Progress], None] | None,
    ) -> Result | None:
        """One search; None if it was stopped before it could begin."""
        self.pool.prepare()
        while self.patient and not self.pool.ready.wait(STOP_POLL) and not self._stopped.is_set():
            pass
        if self._stopped.is_set():
            return None
        with self.pool.borrow(self.level.seconds is not None, self._stopped) as engine:
            if engine is None:
                return None
            stand_in = self.pool.stand_in_seconds
            if stand_in is not None and not engine.specialisation.compiled:
                limits = replace(limits, time=min(limits.time or stand_in, stand_in))
            found = None
            for one in self._steps(limits):
                result = self._search_once(engine, view, one, lines, progress)
                if found is None or result.lines:
                    found = result
                if self._stopped.is_set():
                    break
            return found

    def _steps(self, limits: Limits) -> Iterator[Limits]:
        """The searches that lead to a result, one after the other.

        A textbook player searches its depth at once, in the order in which the game lists the moves. A stop
        would leave it with nothing, so shallower searches come first; the last one is what it was without.
        """
        straight = not limits.is_timed and limits.nodes is None
        if self.pool.player in TEXTBOOK and straight and limits.depth is not None:
            yield from (replace(limits, depth=depth) for depth in range(1, limits.depth))
        yield limits

    def _search_once(
        self,
        engine: Engine,
        view: History,
        limits: Limits,
        lines: int,
        progress: Callable[[Progress], None] | None,
    ) -> Result:
        with engine.start(view, limits, lines=lines) as search:
            self._running = search
            if self._stopped.is_set():  # it may have come before the search could be reached
                search.stop()
            try:
                for report in search:
                    if progress is not None:
                        progress(report)
                return search.result()
            finally:
                self._running = None
