"""A table: one game that is being played, with its branches, its clocks and those who watch.

All that matters is kept by the store before anybody is told of it. Every method may be called from any
thread; the table's lock makes them take turns.
"""

import json
import random
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from plywise.core.game import Game
from plywise.core.outcome import Outcome
from plywise.play.player import Player
from plywise.play.stage import Stage, rebuild
from plywise.web.clocks import Clocks
from plywise.web.requests import Refused
from plywise.web.store import Elsewhere, Row, Unkept
from plywise.web.thinking import Job
from plywise.web.views import outcome_data, played_from, view_data

if TYPE_CHECKING:
    from plywise.web.house import House
    from plywise.web.visit import Visit

MOST_NODES = 2000  # of one game, with all branches
VIEWS = 64  # kept for those who walk to and fro
PERSON = {"kind": "person"}


@dataclass(eq=False)
class Node:
    """A moment in the tree of a game."""

    n: int
    parent: "Node | None"
    choices: dict[int, tuple[str, ...]]
    said: str
    number: int
    turn: int
    side: int | None  # who moved; None where both did, and at the start
    clocks: list[float] | None = None
    latest: "Node | None" = None  # the child that was played or visited last
    mark: str | None = None
    chance: float | None = None
    stage_: Stage | None = None

    @property
    def stage(self) -> Stage:
        """The moment itself; branches that nobody has looked at yet are played through now."""
        way: list[Node] = []
        node = self
        while node.stage_ is None:
            way.append(node)
            assert node.parent is not None, "the first stage is always there"
            node = node.parent
        for one in reversed(way):
            assert one.parent is not None and one.parent.stage_ is not None
            one.stage_ = one.parent.stage_.play(one.choices)
        assert self.stage_ is not None
        return self.stage_

    def body(self) -> dict[str, Any]:
        """What the store keeps."""
        return {
            "choices": {str(side): list(moves) for side, moves in self.choices.items()},
            "said": self.said,
            "number": self.number,
            "turn": self.turn,
            "side": self.side,
            "clocks": self.clocks,
        }

    def data(self) -> dict[str, Any]:
        """What the page's list of moves shows."""
        told: dict[str, Any] = {
            "n": self.n,
            "parent": None if self.parent is None else self.parent.n,
            "said": self.said,
            "number": self.number,
            "turn": self.turn,
            "side": self.side,
        }
        if self.mark is not None:
            told["mark"] = self.mark
        if self.chance is not None:
            told["chance"] = self.chance
        return told


@dataclass(frozen=True)
class Standing:
    """How a game stands, apart from its tree: all of it is kept at each change."""

    tip: int = 0
    hints: int = 0
    paused: bool = False
    ended: tuple[int | None, str] | None = None  # by resignation, flag or agreement: winner, reason
    resigned: int | None = None
    offered: int | None = None  # the side that has offered a draw
    chosen: dict[int, tuple[str, ...]] = field(default_factory=dict)  # parts of choices at the tip
    orientation: int = 0

    def data(self, left: list[float] | None) -> dict[str, Any]:
        """As the store keeps it."""
        chosen = {str(side): list(moves) for side, moves in self.chosen.items()}
        return {**vars(self), "ended": self.ended and list(self.ended), "chosen": chosen, "left": left}

    @classmethod
    def of(cls, data: dict[str, Any]) -> "Standing":
        """As it was kept."""
        known = {name: value for name, value in data.items() if name != "left"}
        known["ended"] = tuple(known["ended"]) if known.get("ended") else None
        known["chosen"] = {int(side): tuple(moves) for side, moves in known.get("chosen", {}).items()}
        return cls(**known)


class Table:
    """One running game."""

    def __init__(
        self, house: "House", row: Row, game: Game, *, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.house, self.id, self.owner, self.now = house, row.id, row.owner, now
        self.game, self.name, self.settings = game, row.game, row.settings
        self.lock = threading.RLock()
        self.watchers: set[Visit] = set()
        self.jobs: dict[int, Job] = {}
        self.ready: dict[int, tuple[str, ...]] = {}  # whole choices of engines in a world
        self._flag: threading.Timer | None = None
        self._views: dict[Any, dict[str, Any]] = {}
        self._gone = False
        self._load(row)

    def _load(self, row: Row) -> None:
        """Take over what the store has."""
        root = rebuild(self.game, [row.settings["root"]])
        turn = root.turn
        self.nodes = [Node(0, None, {}, "", 0, turn, None, stage_=root)]
        for n, parent, body in row.nodes:
            above = self.nodes[parent]
            choices = {int(side): tuple(moves) for side, moves in body["choices"].items()}
            node = Node(
                n, above, choices, body["said"], body["number"], body["turn"], body["side"], body["clocks"]
            )
            above.latest = node
            self.nodes.append(node)
        self.standing = Standing.of(row.state)
        self.version = row.version
        clock = row.settings.get("clock")
        self.clocks = None
        if clock:
            left = row.state.get("left") or [clock["base"]] * 2
            self.nodes[0].clocks = [float(clock["base"])] * 2
            self.clocks = Clocks(list(left), clock["increment"])
        self._views.clear()

    # --- looking ----------------------------------------------------------------------------------
    @property
    def seats(self) -> list[dict[str, Any]]:
        seats: list[dict[str, Any]] = self.settings["seats"]
        return seats

    @property
    def evaluator(self) -> str:
        return str(self.settings["evaluator"])

    @property
    def tip(self) -> Node:
        return self.nodes[self.standing.tip]

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended, by the rules or by those who play."""
        if self.standing.ended is not None:
            return Outcome(*self.standing.ended)
        return self.tip.stage.outcome

    @property
    def people(self) -> tuple[int, ...]:
        """The sides that people play."""
        return tuple(side for side in (0, 1) if self.seats[side] == PERSON)

    def node(self, n: int) -> Node:
        """The node of that number."""
        if n >= len(self.nodes):
            raise Refused(f"this game has no node {n}; its last is {len(self.nodes) - 1}")
        return self.nodes[n]

    def side_choosing(self, stage: Stage, chosen: dict[int, tuple[str, ...]]) -> int:
        """The side whose choice the page shows: a person's that is not complete, else the turn."""
        for side in stage.choosing:
            if side in self.people and not stage.complete(
                side, played_from(stage, side, chosen.get(side, ()))
            ):
                return side
        return stage.turn if len(stage.choosing) < 2 else next(iter(self.people), stage.turn)

    def view(self, n: int) -> dict[str, Any]:
        """The moment of a node as the page draws it."""
        with self.lock:
            node = self.node(n)
            stage = node.stage
            here = n == self.standing.tip
            chosen = self.standing.chosen if here else {}
            side = self.side_choosing(stage, chosen)
            outcome = self.outcome if here else stage.outcome
            key = n, side, chosen.get(side, ()), outcome
            if key not in self._views:
                if len(self._views) >= VIEWS:
                    self._views.pop(next(iter(self._views)))
                person = side in self.people
                self._views[key] = view_data(stage, n, side, chosen.get(side, ()), outcome, person)
            return self._views[key]

    def state(self) -> dict[str, Any]:
        """All that a page shows of a running game."""
        with self.lock:
            outcome = self.outcome
            person = bool(self.people)
            open_ = outcome is None
            return {
                "tell": "state",
                "game": self.id,
                "version": self.version,
                "name": self.name,
                "title": self.game.title,
                "seats": self.seats,
                "evaluator": self.evaluator,
                "orientation": self.standing.orientation,
                "nodes": [node.data() for node in self.nodes],
                "tip": self.standing.tip,
                "view": self.view(self.standing.tip),
                "thinking": sorted(self.jobs),
                "clock": self._clock_data(),
                "hints": self.standing.hints,
                "paused": self.standing.paused,
                "outcome": outcome_data(self.game, outcome),
                "offered": self.standing.offered,
                "resigned": self.standing.resigned,
                "can": {
                    "back": self.tip.parent is not None and self._back() is not None,
                    "forward": self._forward() is not None,
                    "offer": open_ and person,
                    "claim": False,
                },
            }

    def _clock_data(self) -> dict[str, Any] | None:
        if self.clocks is None:
            return None
        return {
            "left": [round(left, 3) for left in self.clocks.shows(self.now())],
            "running": min(self.clocks.running, default=None),
            "increment": self.clocks.increment,
        }

    def summary(self) -> dict[str, Any]:
        """What a list of saved games shows."""
        tip = self.tip
        return {
            "title": self.game.title,
            "seats": self.seats,
            "moves": tip.number,
            "outcome": outcome_data(self.game, self.outcome),
            "text": tip.stage.text,
        }

    # --- telling ----------------------------------------------------------------------------------
    def tell(self, message: dict[str, Any], key: Any, every: float = 0.0) -> None:
        """Tell all who watch."""
        if self.watchers:
            words = json.dumps(message)
            for visit in list(self.watchers):
                visit.tell((self.id, key), words, every)

    def tell_state(self) -> None:
        """Tell all who watch how the game stands now."""
        if self.watchers:
            self.tell(self.state(), "state")

    # --- keeping ----------------------------------------------------------------------------------
    def _keep(self, standing: Standing, added: Node | None = None) -> None:
        """Make a change true: on the disk first, then here. If the disk refuses, nothing has happened."""
        before = self.standing
        now = self.now()
        left = None if self.clocks is None else [round(one, 3) for one in self.clocks.shows(now)]
        if added is not None:
            self.nodes.append(added)
        self.standing = standing
        try:
            new = () if added is None or added.parent is None else ((added.n, added.parent.n, added.body()),)
            self.version = self.house.store.change(
                self.id, self.version, standing.data(left), self.summary(), new
            )
        except BaseException as error:
            self.standing = before
            if added is not None:
                self.nodes.pop()
            if isinstance(error, Elsewhere):
                self._read_again()
            raise
        if added is not None and added.parent is not None:
            added.parent.latest = added

    def _read_again(self) -> None:
        """Another server has gone on with this game: take over what it has done."""
        self._quiet()
        row = self.house.store.get(self.id)
        if row is None:
            self._gone = True
            self.tell({"tell": "error", "game": self.id, "words": "this game has been deleted"}, "error")
            return
        self._load(row)
        self._go_on()
        self.tell_state()

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
            if not here:
                self._quiet()
            if not stage.complete(side, after) or set(stage.choosing) != {side}:
                self._part(node, chosen)
            else:
                self._play_on(node, {side: chosen[side]})

    def _part(self, node: Node, chosen: dict[int, tuple[str, ...]]) -> None:
        """Keep a part of a turn's choices; go on if it is the last that was missing."""
        here = node.n == self.standing.tip
        if not here and self.clocks is not None and node.clocks is not None:
            self.clocks.left = list(node.clocks)
        self._keep(replace(self.standing, tip=node.n, chosen=chosen, ended=None, resigned=None, offered=None))
        if not here:
            self.ready = {}
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
            self.tell_state()

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
        except BaseException:
            if before is not None:
                self.clocks = before
            raise
        self._go_on()
        self.tell_state()

    def follow(self, stage: Stage) -> None:
        """Let a new game, before it is kept, go on to a stage."""
        way = stage.path[1:]
        if len(way) >= MOST_NODES:
            raise Refused(f"a game keeps at most {MOST_NODES} positions, not {len(way) + 1}")
        for one in way:
            above = self.nodes[-1]
            left = None if self.clocks is None else list(self.clocks.left)
            above.latest = self._node(above, one, left)
            self.nodes.append(above.latest)
        self.standing = replace(self.standing, tip=len(self.nodes) - 1)

    def _node(self, above: Node, stage: Stage, clocks: list[float] | None) -> Node:
        """The node of a stage below another."""
        side = next(iter(stage.moves)) if len(stage.moves) == 1 else None
        return Node(
            len(self.nodes),
            above,
            stage.moves,
            stage.said,
            stage.number,
            stage.turn,
            side,
            clocks,
            stage_=stage,
        )

    def row(self) -> Row:
        """All of it, as the store keeps it."""
        left = None if self.clocks is None else list(self.clocks.left)
        nodes = tuple((node.n, node.parent.n, node.body()) for node in self.nodes if node.parent is not None)
        return Row(
            self.id,
            self.owner,
            self.name,
            self.settings,
            self.standing.data(left),
            self.summary(),
            nodes=nodes,
        )

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

    def _go_on(self) -> None:
        """Let engines think and clocks run, as the present moment wants it."""
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
                    self.jobs[side].start()
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
            if self.tip.stage.choosing == (job.side,):
                self._play_on(self.tip, {job.side: choice})
            else:
                del self.jobs[job.side]
                self.ready[job.side] = choice
                self._meet()

    def failed(self, job: Job, words: str) -> None:
        """An engine could not choose: the game waits, and says so."""
        with self.lock:
            if self.jobs.get(job.side) is not job:
                return
            self._quiet()
            self.standing = replace(self.standing, paused=True)
            self.tell({"tell": "error", "game": self.id, "words": words}, "error")
            self.tell_state()

    # --- going to and fro -------------------------------------------------------------------------
    def _back(self) -> Node | None:
        """The moment before at which a person had to choose."""
        if self.standing.chosen:
            return self.tip
        node = self.tip.parent
        while node is not None and self.people and not set(self._choosing(node)) & set(self.people):
            node = node.parent
        return node

    def _choosing(self, node: Node) -> Sequence[int]:
        return (0, 1) if self.game.world is not None else (node.turn,)

    def _forward(self) -> Node | None:
        """The moment that was taken back last."""
        node = self.tip.latest
        while node is not None and self.people and node.latest is not None:
            if set(self._choosing(node)) & set(self.people):
                break
            node = node.latest
        return node

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
        self.tell_state()

    def unchoose(self) -> None:
        """Take back the part of a choice that has been made."""
        with self.lock:
            if not self.standing.chosen:
                raise Refused("nothing is chosen yet")
            self._keep(replace(self.standing, chosen={}))
            self._go_on()
            self.tell_state()

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
            self.tell_state()

    def mark(self, marks: dict[int, tuple[str | None, float]]) -> None:
        """Note what a review has found; it is not kept, since another review may know better."""
        with self.lock:
            for n, (mark, chance) in marks.items():
                if n < len(self.nodes):
                    self.nodes[n].mark, self.nodes[n].chance = mark, chance

    # --- those who watch --------------------------------------------------------------------------
    def watch(self, visit: "Visit") -> None:
        """A page opens the game: what was resting goes on."""
        with self.lock:
            self.watchers.add(visit)
            self._go_on()
            visit.tell((self.id, "state"), json.dumps(self.state()))

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


def new_id() -> str:
    """An id that nobody can guess."""
    return secrets.token_urlsafe(12)


def new_seed() -> int:
    """A seed for the dice of a world."""
    return random.SystemRandom().randrange(1 << 31)
