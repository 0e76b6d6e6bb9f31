"""Commands that wait for the end of a perft, a bench or a slow search, in their order."""

from collections import deque
from dataclasses import dataclass

from plywise.core.errors import PlywiseError
from plywise.play.background import BackgroundPlayer
from plywise.protocols.channel import MAX_LINE

MAX_DEFERRED = 1000  # commands; a client has no reason to send more than a few
PATIENCE = 0.03  # seconds to wait for the end of a search; compiled ones end within a thousandth


def ends_soon(player: BackgroundPlayer) -> bool:
    """Stop the search of a player; whether it ends within a moment. Rules in Python may take long."""
    task = player.task
    if task is None or task.finished.is_set():
        return True
    player.stop()
    return task.finished.wait(PATIENCE)


@dataclass
class DeferredCommand:
    """One command, when it came, and whether a stop came after it."""

    words: list[str]
    now: float
    stopped: bool = False

    @property
    def size(self) -> int:
        return sum(map(len, self.words))


class DeferredCommands:
    """The commands that wait: at most MAX_DEFERRED, and together not longer than one line may be."""

    def __init__(self) -> None:
        self._commands: deque[DeferredCommand] = deque()
        self._size = 0

    def __len__(self) -> int:
        return len(self._commands)

    def add(self, words: list[str], now: float) -> None:
        command = DeferredCommand(words, now)
        if len(self._commands) >= MAX_DEFERRED or self._size + command.size > MAX_LINE:
            raise PlywiseError(f"too many commands wait already, so this one is ignored: {words[0]}")
        self._commands.append(command)
        self._size += command.size

    @property
    def first(self) -> DeferredCommand:
        """The command that has waited longest; it goes on waiting."""
        return self._commands[0]

    def take(self) -> DeferredCommand:
        """The command that has waited longest."""
        command = self._commands.popleft()
        self._size -= command.size
        return command

    def stop(self) -> None:
        """Note a stop: whatever these commands begin ends at once."""
        for command in self._commands:
            command.stopped = True
