"""A live game: one game that is being played, with its engines, its clocks and its watchers.

Every method may be called from any thread; the game's lock makes them take turns.
"""

import json
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from plywise.core.errors import PlywiseError
from plywise.core.game import Game
from plywise.play.player import Player
from plywise.web.live.broadcast import WatchedGame
from plywise.web.live.engine_turn import EngineTurn
from plywise.web.live.tree import MAX_NODES, PERSON, Node
from plywise.web.payloads import history_after
from plywise.web.schema import Refused
from plywise.web.store import NotSaved, Row, StaleVersion

if TYPE_CHECKING:
    from plywise.web.connection import Connection
    from plywise.web.hub import Hub


class LiveGame(WatchedGame):
    """One running game."""

    def __init__(self, hub: "Hub", row: Row, game: Game) -> None:
        super().__init__(hub, row, game)
        self.engine_choices: dict[int, tuple[str, ...]] = {}  # whole choices of engines in a world
        self._flag_timer: threading.Timer | None = None
        self._closed = False

    def _reload(self) -> None:
        """Another server has gone on with this game: take over what it has done."""
        self._stop_engines()
        row = self.hub.store.get(self.id)
        if row is None:
            self._closed = True
            self.broadcast({"tell": "error", "game": self.id, "words": "this game has been deleted"}, "error")
            return
        self._load(row)
        self._plan_engines()
        self._announce()

    # --- playing ----------------------------------------------------------------------------------
    def play(self, n: int, move: str) -> None:
        """A person's move, from any node; it may be a part of a choice."""
        with self.lock:
            node = self.node(n)
            state = node.state
            at_tip = n == self.status.tip
            outcome = self.outcome if at_tip else state.outcome
            if outcome is not None:
                raise Refused(f"the game is over: {outcome.reason}")
            chosen = dict(self.status.chosen) if at_tip else {}
            side = self.side_to_choose(state, chosen)
            if side not in self.people:
                raise Refused(f"{self.game.sides[side]} is played by the engine")
            if at_tip and self.clocks is not None and self.clocks.flagged_side(self.now()) is not None:
                self._check_flag()
                raise Refused("the time is up")
            view = history_after(state, side, chosen.get(side, ()))
            if chosen.get(side) and state.is_complete(side, view):
                raise Refused("the choice is made; take it back to change it")
            # As the game writes it, so that the store and the page have one spelling.
            after = view.play(move)
            text = after.played[-1]
            chosen[side] = (*chosen.get(side, ()), text)
            if not state.is_complete(side, after) or set(state.sides_to_move) != {side}:
                self._save_partial_choice(node, chosen)
            else:
                self._play_turn(node, {side: chosen[side]})

    def _save_partial_choice(self, node: Node, chosen: dict[int, tuple[str, ...]]) -> None:
        """Keep a part of a turn's choices; go on if it is the last that was missing."""
        if node.n != self.status.tip:
            self._stop_engines()
            if self.clocks is not None and node.clocks is not None:
                self.clocks.run((), self.now())
                self.clocks.left = list(node.clocks)
        self._save(replace(self.status, tip=node.n, chosen=chosen, ended=None, resigned=None, offered=None))
        self._play_if_all_chose()

    def _play_if_all_chose(self) -> None:
        """Where both sides choose: play the turn when both have."""
        state, chosen = self.tip.state, self.status.chosen
        complete = dict(self.engine_choices)
        for side in state.sides_to_move:
            if side in self.people and state.is_complete(
                side, history_after(state, side, chosen.get(side, ()))
            ):
                complete[side] = chosen[side]
        if set(complete) == set(state.sides_to_move) and complete:
            self._play_turn(self.tip, complete)
        else:
            self._plan_engines()
            self._announce()

    def _play_turn(self, node: Node, choices: dict[int, tuple[str, ...]]) -> None:
        """Play a turn from a node: it becomes a new node, and the tip."""
        known = self._known_child(node, choices)
        if known is not None:  # the same move again is no branch of its own
            self._stop_engines()
            self._set_tip(known)
            return
        if len(self.nodes) >= MAX_NODES:
            raise Refused(f"a game keeps at most {MAX_NODES} positions; begin a new one from here")
        state = node.state.play(choices)
        clocks = self._clocks_after(node, choices)
        added = self._new_node(node, state, clocks)
        before = None if self.clocks is None else replace(self.clocks, left=list(self.clocks.left))
        self._stop_engines()
        if self.clocks is not None and clocks is not None:
            self.clocks.run((), self.now())
            self.clocks.left = list(clocks)
        try:
            self._save(
                replace(self.status, tip=added.n, chosen={}, ended=None, resigned=None, offered=None), added
            )
        except NotSaved:
            if before is not None:
                self.clocks = before
            self._plan_engines()
            self._start_engines()
            raise
        self._plan_engines()
        self._announce()

    def _clocks_after(self, node: Node, choices: dict[int, tuple[str, ...]]) -> list[float] | None:
        """What the clocks show after a turn from this node."""
        if self.clocks is None:
            return None
        if node.n != self.status.tip and node.clocks is not None:
            left = list(node.clocks)
        else:
            left = self.clocks.remaining(self.now())
        for side in choices:
            left[side] += self.clocks.increment
        return [round(one, 3) for one in left]

    def _known_child(self, node: Node, choices: dict[int, tuple[str, ...]]) -> Node | None:
        """The node that these choices have led to before; in a world the dice would be the same."""
        return next(
            (one for one in self.nodes[node.n + 1 :] if one.parent is node and one.choices == choices), None
        )

    # --- engines and clocks -----------------------------------------------------------------------
    def _stop_engines(self) -> None:
        """Stop what thinks and runs for the present moment."""
        for engine_turn in self.engine_turns.values():
            engine_turn.cancel()
        self.engine_turns.clear()
        self.engine_choices = {}
        if self._flag_timer is not None:
            self._flag_timer.cancel()
            self._flag_timer = None

    def _announce(self) -> None:
        """Tell how the game stands; only then may engines compete for the processor."""
        self.broadcast_state()
        self._start_engines()

    def _start_engines(self) -> None:
        """Let engines think that do not yet."""
        for engine_turn in self.engine_turns.values():
            engine_turn.start()

    def _plan_engines(self) -> None:
        """Seat the engines that have to choose and let clocks run, as the present moment wants it."""
        state = self.tip.state
        going = self.outcome is None and not self.status.paused and bool(self.watchers)
        waiting = []
        for side in state.sides_to_move if going else ():
            seat = self.seats[side]
            if seat == PERSON:
                view = history_after(state, side, self.status.chosen.get(side, ()))
                if not state.is_complete(side, view):
                    waiting.append(side)
            elif side not in self.engine_choices:
                waiting.append(side)
                if side not in self.engine_turns:
                    self.engine_turns[side] = EngineTurn(self, side)
        if self.clocks is not None:
            now = self.now()
            self.clocks.run(waiting, now)
            if self._flag_timer is not None:
                self._flag_timer.cancel()
            soonest = self.clocks.seconds_to_flag(now)
            if soonest is not None:
                self._flag_timer = threading.Timer(max(soonest, 0.0) + 0.005, self._check_flag)
                self._flag_timer.daemon = True
                self._flag_timer.start()

    def _check_flag(self) -> None:
        """A flag may have fallen."""
        with self.lock:
            if self.clocks is None or self.outcome is not None:
                return
            side = self.clocks.flagged_side(self.now())
            if side is None:
                self._plan_engines()
                self._start_engines()
                return
            self._stop_engines()
            self.clocks.run((), self.now())
            self.clocks.left[side] = 0.0
            try:
                self._save(replace(self.status, ended=(1 - side, f"{self.game.sides[side]} ran out of time")))
            except (NotSaved, StaleVersion):
                return
            self.broadcast_state()

    def player(self, side: int) -> Player:
        """The engine that sits at a side."""
        engines = self.hub.engines(self)
        seed = int(self.settings["seed"]) + side
        return Player(self.game, self.seats[side]["level"], seed=seed, pool=engines)

    def finish_engine_turn(self, engine_turn: EngineTurn, choice: tuple[str, ...]) -> None:
        """An engine has made its choice."""
        with self.lock:
            if self.engine_turns.get(engine_turn.side) is not engine_turn or self._closed:
                return
            if self.clocks is not None and self.clocks.flagged_side(self.now()) is not None:
                self._check_flag()
                return
            del self.engine_turns[engine_turn.side]
            try:
                if self.tip.state.sides_to_move == (engine_turn.side,):
                    self._play_turn(self.tip, {engine_turn.side: choice})
                else:
                    self.engine_choices[engine_turn.side] = choice
                    self._play_if_all_chose()
            except StaleVersion:
                pass  # it has been read anew and told
            except PlywiseError as error:
                self._pause_with_error(str(error))

    def fail_engine_turn(self, engine_turn: EngineTurn, words: str) -> None:
        """An engine could not choose: the game waits, and says so."""
        with self.lock:
            if self.engine_turns.get(engine_turn.side) is engine_turn:
                self._pause_with_error(words)

    def _pause_with_error(self, words: str) -> None:
        """Wait for a person to mend what is wrong, and to let the game go on."""
        self._stop_engines()
        self.status = replace(self.status, paused=True)
        self.broadcast({"tell": "error", "game": self.id, "words": words}, "error")
        self.broadcast_state()

    # --- going to and fro -------------------------------------------------------------------------
    def undo(self) -> None:
        """Take back to the person's turn before."""
        with self.lock:
            node = self._undo_target()
            if node is None or (node is self.tip and not self.status.chosen):
                raise Refused("there is nothing to take back")
            self._stop_engines()
            self._set_tip(node, paused=self.status.paused or not self.people)

    def redo(self) -> None:
        """Play again what was taken back."""
        with self.lock:
            node = self._redo_target()
            if node is None:
                raise Refused("there is nothing to play again")
            self._stop_engines()
            self._set_tip(node, paused=self.status.paused or not self.people)

    def go_to(self, n: int) -> None:
        """Go on with the game from a node."""
        with self.lock:
            node = self.node(n)
            self._stop_engines()
            self._set_tip(node, paused=self.status.paused or not self.people)

    def _set_tip(self, node: Node, paused: bool | None = None) -> None:
        """Make a node the tip, with the clocks as they were there."""
        if self.clocks is not None and node.clocks is not None:
            self.clocks.run((), self.now())
            self.clocks.left = list(node.clocks)
        paused = self.status.paused if paused is None else paused
        self._save(
            replace(
                self.status, tip=node.n, chosen={}, ended=None, resigned=None, offered=None, paused=paused
            )
        )
        one = node
        while one.parent is not None:
            one.parent.last_child, one = one, one.parent
        self._plan_engines()
        self._announce()

    def clear_choice(self) -> None:
        """Take back the part of a choice that has been made."""
        with self.lock:
            if not self.status.chosen:
                raise Refused("nothing is chosen yet")
            self._save(replace(self.status, chosen={}))
            self._plan_engines()
            self._announce()

    # --- ends -------------------------------------------------------------------------------------
    def end(self, winner: int | None, reason: str, resigned: int | None = None) -> None:
        """End the game by the will of those who play."""
        with self.lock:
            self.require_running()
            self._stop_engines()
            if self.clocks is not None:
                self.clocks.run((), self.now())
            self._save(replace(self.status, ended=(winner, reason), resigned=resigned, offered=None))
            self.broadcast_state()

    def require_running(self) -> None:
        """Refuse what only a running game allows."""
        outcome = self.outcome
        if outcome is not None:
            raise Refused(f"the game is over: {outcome.reason}")

    def require_person(self, side: int) -> None:
        """Refuse what only a person may do."""
        if side not in self.people:
            raise Refused(f"{self.game.sides[side]} is played by the engine")

    def offer_draw(self, side: int) -> bool:
        """A draw is offered to the other person; whether that one has offered it, too."""
        with self.lock:
            self.require_running()
            if self.status.offered == 1 - side:
                self.end(None, "agreed")
                return True
            self._save(replace(self.status, offered=side))
            self.broadcast_state()
            return False

    def count_hint(self) -> None:
        """Count a hint."""
        with self.lock:
            self._save(replace(self.status, hints=self.status.hints + 1))
            self.broadcast_state()

    def set_paused(self, paused: bool) -> None:
        """Let engines and clocks rest, or go on."""
        with self.lock:
            if paused == self.status.paused:
                return
            if paused:
                self._stop_engines()
                if self.clocks is not None:
                    self.clocks.run((), self.now())
            self._save(replace(self.status, paused=paused))
            self._plan_engines()
            self._announce()

    def save_marks(self, marks: dict[int, tuple[str | None, float]]) -> None:
        """Keep what a review has found, in place of what one found before."""
        with self.lock:
            self._save(replace(self.status, marks={**self.status.marks, **marks}))
            self.broadcast_state()

    # --- those who watch --------------------------------------------------------------------------
    def add_watcher(self, connection: "Connection") -> None:
        """A page opens the game: what was resting goes on."""
        with self.lock:
            self.watchers.add(connection)
            self._plan_engines()
            connection.send((self.id, "state"), json.dumps(self.state_payload()))
            self._start_engines()

    def remove_watcher(self, connection: "Connection") -> bool:
        """A page closes the game; whether nobody is left and nothing goes on."""
        with self.lock:
            self.watchers.discard(connection)
            if self.watchers:
                return False
            if self.clocks is not None and self.clocks.running:
                self.clocks.run((), self.now())
                try:
                    self._save(self.status)
                except (NotSaved, StaleVersion):
                    pass
            if self.engine_turns and not self.people:
                self._stop_engines()
            if self._flag_timer is not None:
                self._flag_timer.cancel()
            return not self.engine_turns

    def close(self) -> None:
        """The server ends, or the game is deleted."""
        with self.lock:
            self._closed = True
            self._stop_engines()
