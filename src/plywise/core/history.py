"""The history of a game: the positions that led to the present one. Only it knows repetitions."""

from typing import Any

from plywise.core.errors import BadMove, BadPosition
from plywise.core.game import Game
from plywise.core.opening import Opening, find_opening
from plywise.core.outcome import Outcome
from plywise.core.presentation import find_hook
from plywise.core.untrusted import check_plies


class History:
    """A game from its start to the present position. Playing a move gives a new history.

    >>> import plywise
    >>> history = plywise.load("connect_four").history()
    >>> history.play("4").play("4").text
    '44'
    """

    __slots__ = ("_repetitions", "_text", "before", "clock", "game", "key", "length", "move", "position")

    def __init__(
        self,
        game: Game,
        position: Any,
        before: "History | None" = None,
        move: int | None = None,
    ) -> None:
        self.game, self.position, self.before, self.move = game, position, before, move
        self.key: int = position.key()
        self._text: str | None = None
        self._repetitions = 0  # not counted yet
        if before is None or move is None:
            self.length, self.clock = 0, int(position.clock())
        else:
            self.length = before.length + 1
            self.clock = 0 if before.position.resets(move) else before.clock + 1

    @classmethod
    def parse(cls, game: Game, text: str) -> "History":
        """`POSITION`, or `POSITION moves M M ...` so that repetitions count."""
        words = text.split()
        at = words.index("moves") if "moves" in words else len(words)
        try:
            check_plies(len(words) - at - 1)
        except ValueError as error:
            raise BadPosition(text, str(error)) from None
        start = " ".join(words[:at])
        history = cls(game, game.parse(start))
        if start and find_hook(game.author, "extend") is not None:
            history._text = start
        for word in words[at + 1 :]:
            history = history.play(word)
        return history

    def __repr__(self) -> str:
        return f"<History {self.game.name} {self.text!r} after {self.length} moves>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the board and the moves."""
        from plywise.core.notebook import history_html

        return history_html(self)

    @property
    def text(self) -> str:
        """The present position in the game's text form."""
        if self._text is None:
            extend = find_hook(self.game.author, "extend")
            unknown, node = [self], self
            while extend is not None and node._text is None and node.before is not None:
                node = node.before
                unknown.append(node)
            for node in reversed(unknown):  # a game is longer than Python calls are deep
                if node._text is not None:
                    continue
                if extend is not None and node.before is not None and node.move is not None:
                    move = node.game.move_text(node.before.position, node.move)
                    node._text = str(extend(node.before._text, move))
                else:
                    node._text = node.game.text(node.position)
        return str(self._text)

    @property
    def turn(self) -> int:
        """The side to move: 0 moves first in the game."""
        return int(self.position.turn)

    @property
    def moves(self) -> list[str]:
        """The legal moves, as text."""
        return self.game.move_texts(self.position)

    @property
    def played(self) -> list[str]:
        """The moves that led here, as text."""
        result: list[str] = []
        node: History | None = self
        while node is not None and node.before is not None and node.move is not None:
            result.append(node.game.move_text(node.before.position, node.move))
            node = node.before
        return result[::-1]

    def play(self, move: int | str) -> "History":
        """The history after a legal move, given as text or as the game's number."""
        if isinstance(move, str):
            number = self.game.read_move(self.position, move)
        elif move in self.game.moves(self.position):
            number = move
        else:
            raise BadMove(str(move), "not a legal move here", self.text)
        return History(self.game, self.position.play(number), self, number)

    @property
    def repetitions(self) -> int:
        """How often the present position has occurred, this time included."""
        if not self._repetitions:
            count, node = 1, self.before
            for _ in range(self.clock):
                if node is None:
                    break
                if node.key == self.key:
                    if node._repetitions:  # those before it are counted already
                        count += node._repetitions
                        break
                    count += 1
                node = node.before
            self._repetitions = count
        return self._repetitions

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended: by its position, or by a draw of its history, claimed where that is needed."""
        ended = self.game.outcome(self.position)
        if ended is not None:
            return ended
        draws = self.game.draws
        if draws.repetition and self.repetitions >= draws.repetition:
            return Outcome(None, f"the position has occurred {self.repetitions} times")
        if draws.plies and self.clock >= draws.plies:
            return Outcome(None, f"{self.clock} plies without progress")
        return None

    @property
    def opening(self) -> Opening | None:
        """The last opening with a name that the game went through; None if it went through none."""
        return find_opening(self)

    @property
    def claimable(self) -> bool:
        """Whether the outcome is a draw only if a side claims it; another program may go on."""
        if self.outcome is None or self.game.outcome(self.position) is not None:
            return False
        draws = self.game.draws
        repeated = draws.repetition and self.repetitions >= (draws.last_repetition or draws.repetition)
        waited = draws.plies and self.clock >= (draws.last_plies or draws.plies)
        return not (repeated or waited)

    def keys_drawn_on_return(self, most: int) -> list[int]:
        """The keys of positions whose next occurrence is a draw, this one among them; at most `most`."""
        return list(self.positions_drawn_on_return(most))

    def positions_drawn_on_return(self, most: int) -> dict[int, Any]:
        """The same positions, by key."""
        times, counts = self.game.draws.repetition, {self.key: 1}
        found, node = {self.key: self.position}, self.before
        for _ in range(self.clock):
            if node is None or not times:
                break
            counts[node.key] = counts.get(node.key, 0) + 1
            found[node.key] = node.position
            node = node.before
        drawn = sorted(key for key, count in counts.items() if times and count >= times - 1)
        return {key: found[key] for key in drawn[:most]}
