"""What holds at a node of a live game: who chooses there, and what is chosen already."""

from dataclasses import dataclass

from plywise.core.history import History
from plywise.core.outcome import Outcome
from plywise.play.state import GameState
from plywise.web.live.tree import Choices, Node
from plywise.web.payloads import history_after
from plywise.web.schema import Refused


@dataclass(frozen=True)
class NodeContext:
    """What holds at a node: who chooses there; at the tip also what is chosen already, and an agreed end."""

    node: Node
    side: int  # the side whose choice the page shows
    chosen: Choices  # parts of choices; none but at the tip
    outcome: Outcome | None

    @property
    def state(self) -> GameState:
        return self.node.state

    @property
    def history(self) -> History:
        """The side's view of the position, after its part of a choice."""
        return history_after(self.state, self.side, self.chosen.get(self.side, ()))

    def require_running(self) -> None:
        """Refuse what makes no sense where the game is over."""
        if self.outcome is not None:
            raise Refused(f"the game is over: {self.outcome.short_reason}")
