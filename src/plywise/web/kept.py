"""A game as it is kept: its tree, how it stands, and every change on the disk before anybody hears of it."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from plywise.core.game import Game
from plywise.core.outcome import Outcome
from plywise.play.stage import Stage, rebuild
from plywise.web.clocks import Clocks
from plywise.web.requests import Refused
from plywise.web.store import Elsewhere, Row
from plywise.web.tree import MOST_NODES, PERSON, Node, Standing
from plywise.web.views import outcome_data, played_from

if TYPE_CHECKING:
    from plywise.web.house import House


class Kept:
    """A game in the store and in memory. Who calls holds its lock."""

    def __init__(
        self, house: "House", row: Row, game: Game, *, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.house, self.id, self.owner, self.now = house, row.id, row.owner, now
        self.game, self.name, self.settings = game, row.game, row.settings
        self.lock = threading.RLock()
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
        node = self.tip
        while node.parent is not None:  # playing on again leads back to where it was
            node.parent.latest, node = node, node.parent
        self.version = row.version
        clock = row.settings.get("clock")
        self.clocks = None
        if clock:
            left = row.state.get("left") or [clock["base"]] * 2
            self.nodes[0].clocks = [float(clock["base"])] * 2
            self.clocks = Clocks(list(left), clock["increment"])

    # --- what there is ----------------------------------------------------------------------------
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
                self._elsewhere()
            raise
        if added is not None and added.parent is not None:
            added.parent.latest = added

    def _elsewhere(self) -> None:
        """Another server has gone on with this game."""

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
