"""A table: one game that is being played, with its engines, its clocks and those who watch.

Every method may be called from any thread; the table's lock makes them take turns.
"""

import json
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from plywise.core.errors import PlywiseError
from plywise.core.game import Game
from plywise.play.player import Player
from plywise.web.requests import Refused
from plywise.web.shown import Shown
from plywise.web.store import Elsewhere, Row, Unkept
from plywise.web.thinking import Job
from plywise.web.tree import MOST_NODES, PERSON, Node
from plywise.web.views import played_from

if TYPE_CHECKING:
    from plywise.web.house import House
    from plywise.web.visit import Visit


class Table(Shown):
    """One running game."""

    def __init__(self, house: "House", row: Row, game: Game) -> None:
        super().__init__(house, row, game)
        self.ready: dict[int, tuple[str, ...]] = {}  # whole choices of engines in a world
        self._flag: threading.Timer | None = None
        self._gone = False

    def _elsewhere(self) -> None:
        """Another server has gone on with this game: take over what it has done."""
        self._quiet()
        row = self.house.store.get(self.id)
        if row is None:
            self._gone = True
            self.tell({"tell": "error", "game": self.id, "words": "this game has been deleted"}, "error")
            return
        self._load(row)
        self._go_on()
        self._show()

    # --- playing ----------------------------------------------------------------------------------
    def play(self, n: int, move: str) -> None:
        """A person's move, from any node; it may be a part of a choice."""
        with self.lock:
            node = self.node(n)
            stage = node.stage
            here = n == self.standing.tip
            outcome = self.outcome if here else stage.outcome
            if outcome is not None:
                raise Refused(f"the game is over: {outcome.reason}")
            chosen = dict(self.standing.chosen) if here else {}
            side = self.side_choosing(stage, chosen)
            if side not in self.people:
                raise Refused(f"{self.game.sides[side]} is played by the engine")
            if here and self.clocks is not None and self.clocks.fallen(self.now()) is not None:
                self._fall()
                raise Refused("the time is up")
            view = played_from(stage, side, chosen.get(side, ()))
            if chosen.get(side) and stage.complete(side, view):
                raise Refused("the choice is made; take it back to change it")
            # As the game writes it, so that the store and the page have one spelling.
            after = view.play(move)
            written = after.played[-1]
            chosen[side] = (*chosen.get(side, ()), written)
            if not stage.complete(side, after) or set(stage.choosing) != {side}:
                self._part(node, chosen)
            else:
                self._play_on(node, {side: chosen[side]})

    def _part(self, node: Node, chosen: dict[int, tuple[str, ...]]) -> None:
        """Keep a part of a turn's choices; go on if it is the last that was missing."""
        if node.n != self.standing.tip:
            self._quiet()
            if self.clocks is not None and node.clocks is not None:
                self.clocks.run((), self.now())
                self.clocks.left = list(node.clocks)
        self._keep(replace(self.standing, tip=node.n, chosen=chosen, ended=None, resigned=None, offered=None))
        self._meet()

    def _meet(self) -> None:
        """Where both sides choose: play the turn when both have."""
        stage, chosen = self.tip.stage, self.standing.chosen
        whole = dict(self.ready)
        for side in stage.choosing:
            if side in self.people and stage.complete(side, played_from(stage, side, chosen.get(side, ()))):
                whole[side] = chosen[side]
        if set(whole) == set(stage.choosing) and whole:
            self._play_on(self.tip, whole)
        else:
            self._go_on()
            self._show()

    def _play_on(self, node: Node, choices: dict[int, tuple[str, ...]]) -> None:
        """Play a turn from a node: it becomes a new node, and the tip."""
        known = self._child(node, choices)
        if known is not None:  # the same move again is no branch of its own
            self._quiet()
            self._arrive(known)
            return
        if len(self.nodes) >= MOST_NODES:
            raise Refused(f"a game keeps at most {MOST_NODES} positions; begin a new one from here")
        stage = node.stage.play(choices)
        clocks = self._charged(node, choices)
        added = self._node(node, stage, clocks)
        before = None if self.clocks is None else replace(self.clocks, left=list(self.clocks.left))
        self._quiet()
        if self.clocks is not None and clocks is not None:
            self.clocks.run((), self.now())
            self.clocks.left = list(clocks)
        try:
            self._keep(
                replace(self.standing, tip=added.n, chosen={}, ended=None, resigned=None, offered=None), added
            )
        except Unkept:
            if before is not None:
                self.clocks = before
            self._go_on()
            self._begin()
            raise
        self._go_on()
        self._show()

    def _charged(self, node: Node, choices: dict[int, tuple[str, ...]]) -> list[float] | None:
        """What the clocks show after a turn from this node."""
        if self.clocks is None:
            return None
        if node.n != self.standing.tip and node.clocks is not None:
            left = list(node.clocks)
        else:
            left = self.clocks.shows(self.now())
        for side in choices:
            left[side] += self.clocks.increment
        return [round(one, 3) for one in left]

    def _child(self, node: Node, choices: dict[int, tuple[str, ...]]) -> Node | None:
        """The node that these choices have led to before; in a world the dice would be the same."""
        return next(
            (one for one in self.nodes[node.n + 1 :] if one.parent is node and one.choices == choices), None
        )

    # --- engines and clocks -----------------------------------------------------------------------
    def _quiet(self) -> None:
        """Stop what thinks and runs for the present moment."""
        for job in self.jobs.values():
            job.cancel()
        self.jobs.clear()
        self.ready = {}
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None

    def _show(self) -> None:
        """Tell how the game stands; only then may engines compete for the processor."""
        self.tell_state()
        self._begin()

    def _begin(self) -> None:
        """Let engines think that do not yet."""
        for job in self.jobs.values():
            job.start()

    def _go_on(self) -> None:
        """Seat the engines that have to choose and let clocks run, as the present moment wants it."""
        stage = self.tip.stage
        going = self.outcome is None and not self.standing.paused and bool(self.watchers)
        waiting = []
        for side in stage.choosing if going else ():
            seat = self.seats[side]
            if seat == PERSON:
                view = played_from(stage, side, self.standing.chosen.get(side, ()))
                if not stage.complete(side, view):
                    waiting.append(side)
            elif side not in self.ready:
                waiting.append(side)
                if side not in self.jobs:
                    self.jobs[side] = Job(self, side)
        if self.clocks is not None:
            now = self.now()
            self.clocks.run(waiting, now)
            if self._flag is not None:
                self._flag.cancel()
            soonest = self.clocks.soonest(now)
            if soonest is not None:
                self._flag = threading.Timer(max(soonest, 0.0) + 0.005, self._fall)
                self._flag.daemon = True
                self._flag.start()

    def _fall(self) -> None:
        """A flag may have fallen."""
        with self.lock:
            if self.clocks is None or self.outcome is not None:
                return
            side = self.clocks.fallen(self.now())
            if side is None:
                self._go_on()
                self._begin()
                return
            self._quiet()
            self.clocks.run((), self.now())
            self.clocks.left[side] = 0.0
            try:
                self._keep(
                    replace(self.standing, ended=(1 - side, f"{self.game.sides[side]} ran out of time"))
                )
            except (Unkept, Elsewhere):
                return
            self.tell_state()

    def player(self, side: int) -> Player:
        """The engine that sits at a side."""
        engines = self.house.engines(self)
        seed = int(self.settings["seed"]) + side
        return Player(self.game, self.seats[side]["level"], seed=seed, engines=engines)

    def chose(self, job: Job, choice: tuple[str, ...]) -> None:
        """An engine has made its choice."""
        with self.lock:
            if self.jobs.get(job.side) is not job or self._gone:
                return
            if self.clocks is not None and self.clocks.fallen(self.now()) is not None:
                self._fall()
                return
            del self.jobs[job.side]
            try:
                if self.tip.stage.choosing == (job.side,):
                    self._play_on(self.tip, {job.side: choice})
                else:
                    self.ready[job.side] = choice
                    self._meet()
            except Elsewhere:
                pass  # it has been read anew and told
            except PlywiseError as error:
                self._stuck(str(error))

    def failed(self, job: Job, words: str) -> None:
        """An engine could not choose: the game waits, and says so."""
        with self.lock:
            if self.jobs.get(job.side) is job:
                self._stuck(words)

    def _stuck(self, words: str) -> None:
        """Wait for a person to mend what is wrong, and to let the game go on."""
        self._quiet()
        self.standing = replace(self.standing, paused=True)
        self.tell({"tell": "error", "game": self.id, "words": words}, "error")
        self.tell_state()

    # --- going to and fro -------------------------------------------------------------------------
    def back(self) -> None:
        """Take back to the person's turn before."""
        with self.lock:
            node = self._back()
            if node is None or (node is self.tip and not self.standing.chosen):
                raise Refused("there is nothing to take back")
            self._quiet()
            self._arrive(node, paused=self.standing.paused or not self.people)

    def forward(self) -> None:
        """Play again what was taken back."""
        with self.lock:
            node = self._forward()
            if node is None:
                raise Refused("there is nothing to play again")
            self._quiet()
            self._arrive(node, paused=self.standing.paused or not self.people)

    def go(self, n: int) -> None:
        """Go on with the game from a node."""
        with self.lock:
            node = self.node(n)
            self._quiet()
            self._arrive(node, paused=self.standing.paused or not self.people)

    def _arrive(self, node: Node, paused: bool | None = None) -> None:
        """Make a node the tip, with the clocks as they were there."""
        if self.clocks is not None and node.clocks is not None:
            self.clocks.run((), self.now())
            self.clocks.left = list(node.clocks)
        paused = self.standing.paused if paused is None else paused
        self._keep(
            replace(
                self.standing, tip=node.n, chosen={}, ended=None, resigned=None, offered=None, paused=paused
            )
        )
        one = node
        while one.parent is not None:
            one.parent.latest, one = one, one.parent
        self._go_on()
        self._show()

    def unchoose(self) -> None:
        """Take back the part of a choice that has been made."""
        with self.lock:
            if not self.standing.chosen:
                raise Refused("nothing is chosen yet")
            self._keep(replace(self.standing, chosen={}))
            self._go_on()
            self._show()

    # --- ends -------------------------------------------------------------------------------------
    def end(self, winner: int | None, reason: str, resigned: int | None = None) -> None:
        """End the game by the will of those who play."""
        with self.lock:
            self.must_be_open()
            self._quiet()
            if self.clocks is not None:
                self.clocks.run((), self.now())
            self._keep(replace(self.standing, ended=(winner, reason), resigned=resigned, offered=None))
            self.tell_state()

    def must_be_open(self) -> None:
        """Refuse what only a running game allows."""
        outcome = self.outcome
        if outcome is not None:
            raise Refused(f"the game is over: {outcome.reason}")

    def must_be_person(self, side: int) -> None:
        """Refuse what only a person may do."""
        if side not in self.people:
            raise Refused(f"{self.game.sides[side]} is played by the engine")

    def offer(self, side: int) -> bool:
        """A draw is offered to the other person; whether that one has offered it, too."""
        with self.lock:
            self.must_be_open()
            if self.standing.offered == 1 - side:
                self.end(None, "agreed")
                return True
            self._keep(replace(self.standing, offered=side))
            self.tell_state()
            return False

    def hinted(self) -> None:
        """Count a hint."""
        with self.lock:
            self._keep(replace(self.standing, hints=self.standing.hints + 1))
            self.tell_state()

    def pause(self, paused: bool) -> None:
        """Let engines and clocks rest, or go on."""
        with self.lock:
            if paused == self.standing.paused:
                return
            if paused:
                self._quiet()
                if self.clocks is not None:
                    self.clocks.run((), self.now())
            self._keep(replace(self.standing, paused=paused))
            self._go_on()
            self._show()

    def mark(self, marks: dict[int, tuple[str | None, float]]) -> None:
        """Keep what a review has found, in place of what one found before."""
        with self.lock:
            self._keep(replace(self.standing, marks={**self.standing.marks, **marks}))
            self.tell_state()

    # --- those who watch --------------------------------------------------------------------------
    def watch(self, visit: "Visit") -> None:
        """A page opens the game: what was resting goes on."""
        with self.lock:
            self.watchers.add(visit)
            self._go_on()
            visit.tell((self.id, "state"), json.dumps(self.state()))
            self._begin()

    def leave(self, visit: "Visit") -> bool:
        """A page closes the game; whether nobody is left and nothing goes on."""
        with self.lock:
            self.watchers.discard(visit)
            if self.watchers:
                return False
            if self.clocks is not None and self.clocks.running:
                self.clocks.run((), self.now())
                try:
                    self._keep(self.standing)
                except (Unkept, Elsewhere):
                    pass
            if self.jobs and not self.people:
                self._quiet()
            if self._flag is not None:
                self._flag.cancel()
            return not self.jobs

    def close(self) -> None:
        """The server ends, or the game is deleted."""
        with self.lock:
            self._gone = True
            self._quiet()
