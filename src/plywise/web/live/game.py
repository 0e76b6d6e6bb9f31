"""A live game: one game on the server, with its tree, clocks, watchers and engines.

Every method may be called from any thread: the game's lock makes them take turns. Every change is on disk
before any page is told of it (`_save`).
"""

import json
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from plywise.core.errors import PlywiseError
from plywise.core.game import Game
from plywise.core.outcome import Outcome
from plywise.play.levels import STRONGEST
from plywise.play.player import Player, player_of_seat
from plywise.play.seat import Seat
from plywise.play.state import GameState, restore_game
from plywise.search.result import Progress
from plywise.web.access import Access, new_key
from plywise.web.live import study
from plywise.web.live.annotation import MAX_TAGS, Annotation
from plywise.web.live.broadcast import Broadcast, Watcher
from plywise.web.live.engine_turn import REPORT_INTERVAL, EngineTurn, EngineTurns
from plywise.web.live.live_clock import LiveClock
from plywise.web.live.node_context import NodeContext
from plywise.web.live.seats import seat_of
from plywise.web.live.services import GameServices
from plywise.web.live.state_payload import state_payload, summary
from plywise.web.live.tree import MAX_NODES, PERSON, Choices, GameStatus, GameTree, Node
from plywise.web.payloads import history_after, line_words, view_payload
from plywise.web.schema import Refused
from plywise.web.store import NotSaved, Row, StaleVersion

Notes = dict[int, Annotation]  # annotations by node
MIN_MOVE_SECONDS = 0.7  # seconds a move at least where engines play each other: somebody wants to see it


class LiveGame:
    """One game that is being played."""

    def __init__(
        self, services: GameServices, row: Row, game: Game, *, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.id, self.owner, self.name, self.settings = row.id, row.owner, row.game, row.settings
        self.game, self._now = game, now
        self.lock = threading.RLock()
        self.broadcast = Broadcast(row.id)
        self.engine_turns = EngineTurns(services.scheduler, services.turn_threads, row.owner, self)
        self._services, self._store = services, services.store
        self._closed = False
        self._load(row)

    def _load(self, row: Row) -> None:
        """Take over what the store has."""
        root = restore_game(self.game, [row.settings["root"]])
        self.tree = GameTree.from_rows(root, row.nodes, row.state.get("tip", 0))
        self.status = GameStatus.from_json(row.state)
        self.version = row.version
        self.tree.nodes[0].note = Annotation(comment=self.status.comment)
        self.broadcast.forget_views()
        self.clock = LiveClock(row.settings.get("clock"), row.state.get("left"), self._check_flag, self._now)
        self.tree.nodes[0].clocks = self.clock.start

    # --- what there is ----------------------------------------------------------------------------
    @property
    def seats(self) -> list[dict[str, Any]]:
        seats: list[dict[str, Any]] = self.settings["seats"]
        return seats if self.status.seats is None else list(self.status.seats)

    @property
    def evaluator(self) -> str:
        return str(self.settings["evaluator"])

    @property
    def tip(self) -> Node:
        """The node at which the game goes on."""
        return self.tree.tip

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended, by the rules or by those who play."""
        if self.status.ended is not None:
            return Outcome(*self.status.ended)
        return self.tip.state.outcome

    @property
    def person_sides(self) -> tuple[int, ...]:
        """The sides that persons play."""
        return tuple(side for side in (0, 1) if self.seats[side] == PERSON)

    def node(self, n: int) -> Node:
        """The node of that number."""
        return self.tree.node(n)

    def context(self, n: int) -> NodeContext:
        """What holds at a node."""
        with self.lock:
            node = self.node(n)
            if self.is_study(node):
                return NodeContext(node, node.state.turn, {}, node.state.outcome)
            if node is not self.tip:
                return NodeContext(node, self.side_to_choose(node.state, {}), {}, node.state.outcome)
            chosen = self.status.chosen
            return NodeContext(node, self.side_to_choose(node.state, chosen), chosen, self.outcome)

    def is_study(self, node: Node) -> bool:
        """Whether a move there is a variation for study, and not a move of the game.

        So it is everywhere but at the tip, and at the tip of a game that was given up or agreed drawn. In a
        world, with its dice, there is only the game.
        """
        return self.game.world is None and (node is not self.tip or self.status.ended is not None)

    def side_to_choose(self, state: GameState, chosen: Choices) -> int:
        """The side whose choice the page shows: a person's that is not complete, else the turn."""
        persons = self.person_sides
        for side in state.sides_to_move:
            if side in persons and not self._has_chosen(state, side, chosen):
                return side
        return state.turn if len(state.sides_to_move) < 2 else next(iter(persons), state.turn)

    def _has_chosen(self, state: GameState, side: int, chosen: Choices) -> bool:
        """Whether a side's choice is complete."""
        return state.is_complete(side, history_after(state, side, chosen.get(side, ())))

    def require_running(self) -> None:
        """Refuse what only a running game allows."""
        outcome = self.outcome
        if outcome is not None:
            raise Refused(f"the game is over: {outcome.short_reason}")

    def require_person(self, side: int) -> None:
        """Refuse what only a person may do."""
        if side not in self.person_sides:
            raise Refused(f"{self.game.sides[side]} is played by the engine")

    # --- what pages are sent ----------------------------------------------------------------------
    def view_payload(self, n: int) -> dict[str, Any]:
        """A node as the page draws it."""
        with self.lock:
            at = self.context(n)
            chosen = at.chosen.get(at.side, ())
            person = at.side in self.person_sides or self.is_study(at.node)
            return self.broadcast.view(
                (n, at.side, chosen, at.outcome, person),
                lambda: view_payload(at.state, n, at.side, chosen, at.outcome, person),
            )

    def state_payload(self) -> dict[str, Any]:
        """All that a page shows of a running game."""
        with self.lock:
            return state_payload(self)

    def _send_state(self) -> None:
        """Send the present state to all who watch."""
        if self.broadcast:
            self.broadcast.send(self.state_payload(), "state")

    # --- saving -----------------------------------------------------------------------------------
    def to_row(self) -> Row:
        """The whole game, as the store keeps it."""
        state = self.status.to_json(self.tip.n, self.clock.left)
        nodes = self.tree.rows()
        return Row(self.id, self.owner, self.name, self.settings, state, summary(self), nodes=nodes)

    def advance_to(self, state: GameState) -> None:
        """Play a new game, before it is saved, up to a state."""
        path = state.path[1:]
        if len(path) >= MAX_NODES:
            raise Refused(f"a game keeps at most {MAX_NODES} positions, not {len(path) + 1}")
        for step in path:
            node = self.tree.new_node(self.tip, step, self.clock.left)
            self.tree.add(node)
            self.tree.tip = node

    def _save(
        self,
        status: GameStatus,
        tip: Node | None = None,
        *,
        tried: Node | None = None,
        notes: dict[int, Annotation] | None = None,
    ) -> None:
        """Change the status, the tip and annotations: on disk first, then here.

        A new tip is added to the tree, and so is a node that was `tried` beside the game. If the disk
        refuses, nothing has happened.
        """
        before = self.status, self.tip
        tip = tip or self.tip
        new = [node for node in (tip, tried) if node is not None and node not in self.tree]
        notes = notes or {}
        if 0 in notes:
            status = replace(status, comment=notes[0].comment)
        rows = tuple(node.row() for node in new)
        changed = tuple(self.node(n).row(note) for n, note in notes.items() if n)
        self.status, self.tree.tip = status, tip  # the summary is that of the new state
        try:
            self.version = self._store.change(
                self.id,
                self.version,
                status.to_json(tip.n, self.clock.left),
                summary(self),
                rows,
                changed,
            )
        except BaseException as error:
            self.status, self.tree.tip = before
            if isinstance(error, StaleVersion):
                self._reload()
            raise
        for node in new:
            self.tree.add(node, played=node is tip)
        for n, note in notes.items():
            self.node(n).note = note

    def save_status(self, status: GameStatus, notes: Notes | None = None) -> None:
        """Save a status and the annotations of nodes, and send the new state."""
        self._save(status, notes=notes)
        self._send_state()

    def _reload(self) -> None:
        """Another server has gone on with this game: take over what it has done."""
        self._stop_engines()
        row = self._store.get(self.id)
        if row is None:
            self._closed = True
            self.broadcast.send_error("this game has been deleted")
            return
        self._load(row)
        self._go_on()

    # --- playing ----------------------------------------------------------------------------------
    def play(self, n: int, move: str, access: Access | None = None) -> int:
        """A person's move, from any node; it may be a part of a choice. Gives the node that it leads to.

        With `access`, it is the move of a page that may do no more than that; only the owner leaves the tip.
        """
        with self.lock:
            at = self.context(n)
            at.require_running()
            if access is not None and (at.node is not self.tip or self.is_study(at.node)):
                access.require_owner()
            if self.is_study(at.node):
                return self._try_move(at, move)
            self.require_person(at.side)
            if access is not None:
                access.require_side(at.side)
            if at.node is self.tip and self.clock.flagged_side is not None:
                self._check_flag()
                raise Refused("the time is up")
            view, side, chosen = at.history, at.side, dict(at.chosen)
            if chosen.get(side) and at.state.is_complete(side, view):
                raise Refused("you have chosen already; take it back to change it")
            # As the game writes it, so that the store and the page have one spelling.
            after = view.play(move)
            chosen[side] = (*chosen.get(side, ()), after.played[-1])
            if not at.state.is_complete(side, after) or set(at.state.sides_to_move) != {side}:
                self._save_partial_choice(at.node, chosen)
            else:
                self._play_turn(at.node, {side: chosen[side]})
            return self.tip.n

    def _try_move(self, at: NodeContext, move: str) -> int:
        """A variation beside the game, for either side; the node that it leads to."""
        choices: Choices = {at.side: (at.history.play(move).played[-1],)}
        known = self.tree.child(at.node, choices)
        if known is not None:
            return known.n
        self.require_room()
        added = self.tree.new_node(at.node, at.state.play(choices), at.node.clocks, first=False)
        self._save(study.add_variation(self, added), tried=added)
        self._send_state()
        return added.n

    def require_room(self) -> None:
        """Refuse a position more than a game keeps."""
        if len(self.tree) >= MAX_NODES:
            raise Refused(f"a game keeps at most {MAX_NODES} positions; begin a new one from here")

    def _save_partial_choice(self, node: Node, chosen: Choices) -> None:
        """Save a part of a turn's choices; play the turn if it was the last that was missing."""
        if node is not self.tip:
            self._stop_engines()
            self.clock.show(node.clocks)
        self._save(replace(self.status, chosen=chosen, ended=None, resigned=None, offered=None), node)
        self._play_if_all_chose()

    def _play_if_all_chose(self) -> None:
        """Where both sides choose: play the turn when both have."""
        state, chosen = self.tip.state, self.status.chosen
        complete = dict(self.engine_turns.choices)
        for side in state.sides_to_move:
            if side in self.person_sides and self._has_chosen(state, side, chosen):
                complete[side] = chosen[side]
        if set(complete) == set(state.sides_to_move) and complete:
            self._play_turn(self.tip, complete)
        else:
            self._go_on()

    def _play_turn(self, node: Node, choices: Choices) -> None:
        """Play a turn from a node: it becomes a new node, and the tip."""
        # A game that was played to its end stays the main line, whatever is played from its middle.
        stays = self.tree.main_line()[-1].state.outcome is not None
        known = self.tree.child(node, choices)
        if known is not None:  # the same move again is no variation of its own
            self._stop_engines()
            self._set_tip(known, notes={} if stays else study.first_place(known))
            return
        self.require_room()
        left = self.clock.after_turn(choices, None if node is self.tip else node.clocks)
        added = self.tree.new_node(node, node.state.play(choices), left, first=not stays)
        clocks_before = self.clock.snapshot()
        self._stop_engines()
        self.clock.show(left)
        try:
            self._save(replace(self.status, chosen={}, ended=None, resigned=None, offered=None), added)
        except NotSaved:
            self.clock.restore(clocks_before)
            self._plan_engines()
            self.engine_turns.start()
            raise
        self._go_on()

    # --- undo and redo ----------------------------------------------------------------------------
    @property
    def undo_target(self) -> Node | None:
        """Where `undo` leads; None if there is nothing to take back."""
        return self.tip if self.status.chosen else self.tree.undo_target(self.person_sides)

    def undo(self) -> None:
        """Go back to the person's turn before, or take back the part of a choice that is made."""
        with self.lock:
            node = self.undo_target
            if node is None:
                raise Refused("there is nothing to take back")
            self._visit(node, taken_back=True)

    def redo(self) -> None:
        """Play again what was taken back."""
        with self.lock:
            node = self.tree.redo_target(self.person_sides)
            if node is None:
                raise Refused("there is nothing to redo")
            self._visit(node)

    def go_to(self, n: int) -> None:
        """Go on with the game from a node."""
        with self.lock:
            self._visit(self.node(n), taken_back=True)

    def _visit(self, node: Node, taken_back: bool = False) -> None:
        """Make a node the tip; engines that play each other wait there. Against one a take-back counts."""
        counted = taken_back and node is not self.tip and len(self.person_sides) == 1
        self._stop_engines()
        self._set_tip(node, self.status.paused or not self.person_sides, taken_back=counted)

    def _set_tip(
        self, node: Node, paused: bool | None = None, notes: Notes | None = None, taken_back: bool = False
    ) -> None:
        """Make a node the tip, with the clocks as they were there."""
        self.clock.show(node.clocks)
        paused = self.status.paused if paused is None else paused
        status = replace(self.status, chosen={}, ended=None, resigned=None, offered=None, paused=paused)
        status = replace(status, takebacks=status.takebacks + taken_back)
        self._save(status, node, notes=notes)
        self.tree.prefer_path_to(node)
        self._go_on()

    def clear_choice(self, access: Access) -> None:
        """Take back the part of a choice that has been made."""
        with self.lock:
            if not self.status.chosen:
                raise Refused("nothing is chosen yet")
            for side in self.status.chosen:
                access.require_side(side)
            self._save(replace(self.status, chosen={}))
            self._go_on()

    # --- ends and other changes -------------------------------------------------------------------
    def end(self, winner: int | None, reason: str, resigned: int | None = None) -> None:
        """End the game by the will of those who play."""
        with self.lock:
            self.require_running()
            self._stop_engines()
            self.clock.stop()
            self._save(replace(self.status, ended=(winner, reason), resigned=resigned, offered=None))
            self._send_state()

    def offer_draw(self, side: int) -> bool:
        """Offer a draw to the other person; whether that one has offered it, too."""
        with self.lock:
            self.require_running()
            if self.status.offered == 1 - side:
                self.end(None, "agreed")
                return True
            self._save(replace(self.status, offered=side))
            self._send_state()
            return False

    def play_key(self, side: int) -> str:
        """The key of the link by which a friend plays a side; it is made when it is first asked for."""
        with self.lock:
            if len(self.person_sides) < 2:
                raise Refused("a friend can play only in a game of two persons; begin one first")
            if side not in self.status.play_keys:
                self._save(replace(self.status, play_keys={**self.status.play_keys, side: new_key()}))
            return self.status.play_keys[side]

    def set_paused(self, paused: bool) -> None:
        """Let engines and clocks rest, or go on."""
        with self.lock:
            if paused == self.status.paused:
                return
            if paused:
                self._stop_engines()
                self.clock.stop()
            self._save(replace(self.status, paused=paused))
            self._go_on()

    def set_tags(self, tags: dict[str, str]) -> None:
        """Give the game its names: of the event, the players, the date; an empty value takes one away."""
        with self.lock:
            kept = {name: value for name, value in {**self.status.tags, **tags}.items() if value}
            if len(kept) > MAX_TAGS:
                raise Refused(f"a game may have {MAX_TAGS} tags, not {len(kept)}")
            self._save(replace(self.status, tags=kept))
            self._send_state()

    def set_binned(self, binned: float | None) -> None:
        """Put the game into the bin at that time, or take it out."""
        with self.lock:
            self._save(replace(self.status, binned=binned))

    def change_seat(self, side: int, seat: dict[str, Any]) -> None:
        """Let another level or player take an engine's seat from now on."""
        with self.lock:
            self.require_running()
            if side in self.person_sides:
                raise Refused(f"{self.game.sides[side]} is played by a person; begin a new game for that")
            levels = [one["level"] for one in (self.seats[side], seat) if one["kind"] == "level"]
            weakest = min([*levels, self.status.weakest or STRONGEST])
            seats = tuple(seat if one == side else self.seats[one] for one in (0, 1))
            self._stop_engines()
            self._save(replace(self.status, seats=seats, weakest=weakest))
            self._go_on()

    # --- engines ----------------------------------------------------------------------------------
    def player(self, side: int) -> Player:
        """The player that has a side's seat."""
        seat = self.seat(side)
        seed = int(self.settings["seed"]) + side
        return player_of_seat(self.game, seat, seed=seed, pool=self._services.seat_engines(self, seat))

    def seat(self, side: int) -> Seat:
        """Who plays a side."""
        return seat_of(self.game, self.seats[side], side, self.evaluator)

    @property
    def engine_seats(self) -> list[Seat]:
        """The seats of those who search."""
        led = self.tip.state.led_sides
        return [self.seat(side) for side in (0, 1) if side not in (*self.person_sides, *led)]

    def _go_on(self) -> None:
        """Send the new state; only then may engines compete for the processor."""
        self._plan_engines()
        self._send_state()
        self.engine_turns.start()

    def _plan_engines(self) -> None:
        """Let the engines choose that have to, and the clocks run, as the tip wants it."""
        state = self.tip.state
        going = self.outcome is None and not self.status.paused and bool(self.broadcast)
        waiting = []
        for side in state.sides_to_move if going else ():
            if self.seats[side] == PERSON:
                if not self._has_chosen(state, side, self.status.chosen):
                    waiting.append(side)
            elif side not in self.engine_turns.choices:
                waiting.append(side)
                pace = 0.0 if self.person_sides else MIN_MOVE_SECONDS
                self.engine_turns.plan(side, state, self.clock.clock_of(side), pace)
        self.clock.run(waiting if self.tip.parent is not None else ())  # the first move takes no time

    def _stop_engines(self) -> None:
        """Stop what thinks and runs for the present tip."""
        self.engine_turns.cancel()
        self.clock.stop_timer()

    def engine_reported(self, turn: EngineTurn, report: Progress) -> None:
        """Show what an engine has found so far."""
        best = report.lines[0]
        unit = self.game.evaluation(self.seat(turn.side).evaluator).unit
        message = {
            "tell": "thinking",
            "game": self.id,
            "side": turn.side,
            "depth": report.depth,
            "nodes": report.nodes,
            "words": line_words(turn.state.view(turn.side), best, unit),
            "line": list(best.moves),
        }
        self.broadcast.send(message, ("thinking", turn.side), REPORT_INTERVAL)

    def engine_chose(self, turn: EngineTurn, moves: tuple[str, ...]) -> None:
        """Play an engine's choice, unless it comes too late."""
        with self.lock:
            if not self.engine_turns.is_current(turn) or self._closed:
                return
            if self.clock.flagged_side is not None:
                self._check_flag()
                return
            self.engine_turns.finish(turn)
            try:
                if self.tip.state.sides_to_move == (turn.side,):
                    self._play_turn(self.tip, {turn.side: moves})
                else:
                    self.engine_turns.choices[turn.side] = moves
                    self._play_if_all_chose()
            except StaleVersion:
                pass  # the game has been loaded again, and its pages know
            except PlywiseError as error:
                self._pause_with_error(str(error))

    def engine_failed(self, turn: EngineTurn, words: str) -> None:
        """An engine cannot choose: the game waits, and says so."""
        with self.lock:
            if self.engine_turns.is_current(turn):
                self._pause_with_error(words)

    def engine_ended(self) -> None:
        """Nobody may be left who needs the game in memory."""
        if not self.broadcast and not self.engine_turns.sides:
            self._services.unload(self)

    def _pause_with_error(self, words: str) -> None:
        """Wait for a person to correct what is wrong, and to let the game go on."""
        self._stop_engines()
        self.status = replace(self.status, paused=True)
        self.broadcast.send_error(words)
        self._send_state()

    # --- the flag ---------------------------------------------------------------------------------
    def _check_flag(self) -> None:
        """End the game if a flag has fallen."""
        with self.lock:
            if self.outcome is not None:
                return
            side = self.clock.flagged_side
            if side is None:
                self._plan_engines()
                self.engine_turns.start()
                return
            self._stop_engines()
            self.clock.drop_flag(side)
            try:
                self._save(replace(self.status, ended=(1 - side, f"{self.game.sides[side]} ran out of time")))
            except (NotSaved, StaleVersion):
                return
            self._send_state()

    # --- watchers ---------------------------------------------------------------------------------
    def add_watcher(self, watcher: Watcher) -> None:
        """Show the game to a page, and let engines and clocks that were resting go on."""
        with self.lock:
            self.broadcast.add(watcher)
            self._plan_engines()
            watcher.send((self.id, "state"), json.dumps(self.state_payload()))
            self.engine_turns.start()

    def remove_watcher(self, watcher: Watcher) -> bool:
        """Stop showing the game to a page; whether nobody watches and no engine thinks any more."""
        with self.lock:
            self.broadcast.remove(watcher)
            if self.broadcast:
                return False
            if self.clock.is_running:
                self.clock.stop()
                try:
                    self._save(self.status)
                except (NotSaved, StaleVersion):
                    pass
            if not self.person_sides:
                self._stop_engines()
            self.clock.stop_timer()
            return not self.engine_turns.sides

    def close(self) -> None:
        """Stop the engines: the server ends, or the game is deleted."""
        with self.lock:
            self._closed = True
            self._stop_engines()
