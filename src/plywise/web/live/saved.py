"""A saved game: its tree, its status, and every change on the disk before anybody hears of it."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from plywise.core.game import Game
from plywise.core.outcome import Outcome
from plywise.play.clock import GameClock
from plywise.play.state import GameState, restore_game
from plywise.web.live.tree import MAX_NODES, PERSON, GameStatus, Node
from plywise.web.payloads import history_after, outcome_payload
from plywise.web.schema import Refused
from plywise.web.store import Row, StaleVersion

if TYPE_CHECKING:
    from plywise.web.hub import Hub


class SavedGame:
    """A game in the store and in memory. Who calls holds its lock."""

    def __init__(
        self, hub: "Hub", row: Row, game: Game, *, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.hub, self.id, self.owner, self.now = hub, row.id, row.owner, now
        self.game, self.name, self.settings = game, row.game, row.settings
        self.lock = threading.RLock()
        self._load(row)

    def _load(self, row: Row) -> None:
        """Take over what the store has."""
        root = restore_game(self.game, [row.settings["root"]])
        turn = root.turn
        self.nodes = [Node(0, None, {}, "", 0, turn, None, cached_state=root)]
        for n, parent, body in row.nodes:
            above = self.nodes[parent]
            choices = {int(side): tuple(moves) for side, moves in body["choices"].items()}
            node = Node(
                n, above, choices, body["said"], body["number"], body["turn"], body["side"], body["clocks"]
            )
            above.last_child = node
            self.nodes.append(node)
        self.status = GameStatus.from_json(row.state)
        node = self.tip
        while node.parent is not None:  # playing on again leads back to where it was
            node.parent.last_child, node = node, node.parent
        self.version = row.version
        clock = row.settings.get("clock")
        self.clocks = None
        if clock:
            left = row.state.get("left") or [clock["base"]] * 2
            self.nodes[0].clocks = [float(clock["base"])] * 2
            self.clocks = GameClock(list(left), clock["increment"])

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
        return self.nodes[self.status.tip]

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended, by the rules or by those who play."""
        if self.status.ended is not None:
            return Outcome(*self.status.ended)
        return self.tip.state.outcome

    @property
    def people(self) -> tuple[int, ...]:
        """The sides that people play."""
        return tuple(side for side in (0, 1) if self.seats[side] == PERSON)

    def node(self, n: int) -> Node:
        """The node of that number."""
        if n >= len(self.nodes):
            raise Refused(f"this game has no node {n}; its last is {len(self.nodes) - 1}")
        return self.nodes[n]

    def side_to_choose(self, state: GameState, chosen: dict[int, tuple[str, ...]]) -> int:
        """The side whose choice the page shows: a person's that is not complete, else the turn."""
        for side in state.sides_to_move:
            if side in self.people and not state.is_complete(
                side, history_after(state, side, chosen.get(side, ()))
            ):
                return side
        return state.turn if len(state.sides_to_move) < 2 else next(iter(self.people), state.turn)

    def summary(self) -> dict[str, Any]:
        """What a list of saved games shows."""
        tip = self.tip
        return {
            "title": self.game.title,
            "seats": self.seats,
            "moves": tip.number,
            "outcome": outcome_payload(self.game, self.outcome),
            "text": tip.state.text,
        }

    def _undo_target(self) -> Node | None:
        """The moment before at which a person had to choose."""
        if self.status.chosen:
            return self.tip
        node = self.tip.parent
        while node is not None and self.people and not set(self._sides_choosing(node)) & set(self.people):
            node = node.parent
        return node

    def _sides_choosing(self, node: Node) -> Sequence[int]:
        return (0, 1) if self.game.world is not None else (node.turn,)

    def _redo_target(self) -> Node | None:
        """The moment that was taken back last."""
        node = self.tip.last_child
        while node is not None and self.people and node.last_child is not None:
            if set(self._sides_choosing(node)) & set(self.people):
                break
            node = node.last_child
        return node

    # --- keeping ----------------------------------------------------------------------------------
    def _save(self, status: GameStatus, added: Node | None = None) -> None:
        """Make a change true: on the disk first, then here. If the disk refuses, nothing has happened."""
        before = self.status
        now = self.now()
        left = None if self.clocks is None else [round(one, 3) for one in self.clocks.remaining(now)]
        if added is not None:
            self.nodes.append(added)
        self.status = status
        try:
            new = (
                () if added is None or added.parent is None else ((added.n, added.parent.n, added.to_json()),)
            )
            self.version = self.hub.store.change(
                self.id, self.version, status.to_json(left), self.summary(), new
            )
        except BaseException as error:
            self.status = before
            if added is not None:
                self.nodes.pop()
            if isinstance(error, StaleVersion):
                self._reload()
            raise
        if added is not None and added.parent is not None:
            added.parent.last_child = added

    def _reload(self) -> None:
        """Another server has gone on with this game."""

    def advance_to(self, state: GameState) -> None:
        """Play a new game, before it is saved, up to a state."""
        path = state.path[1:]
        if len(path) >= MAX_NODES:
            raise Refused(f"a game keeps at most {MAX_NODES} positions, not {len(path) + 1}")
        for one in path:
            above = self.nodes[-1]
            left = None if self.clocks is None else list(self.clocks.left)
            above.last_child = self._new_node(above, one, left)
            self.nodes.append(above.last_child)
        self.status = replace(self.status, tip=len(self.nodes) - 1)

    def _new_node(self, above: Node, state: GameState, clocks: list[float] | None) -> Node:
        """A node for a state, below another."""
        side = next(iter(state.moves)) if len(state.moves) == 1 else None
        return Node(
            len(self.nodes),
            above,
            state.moves,
            state.label,
            state.number,
            state.turn,
            side,
            clocks,
            cached_state=state,
        )

    def row(self) -> Row:
        """All of it, as the store keeps it."""
        left = None if self.clocks is None else list(self.clocks.left)
        nodes = tuple(
            (node.n, node.parent.n, node.to_json()) for node in self.nodes if node.parent is not None
        )
        return Row(
            self.id,
            self.owner,
            self.name,
            self.settings,
            self.status.to_json(left),
            self.summary(),
            nodes=nodes,
        )
