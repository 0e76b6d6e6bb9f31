"""Write the games of a match to a file: in the game's format if it has one, else as plain text."""

import textwrap
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

from plywise.arena import openings
from plywise.arena.journal import checked_pairs
from plywise.arena.match import Match
from plywise.arena.schedule import PairResult
from plywise.arena.single_game import GameResult
from plywise.core.errors import PlywiseError
from plywise.core.history import History
from plywise.core.opening import opening_tags
from plywise.core.outcome import Outcome
from plywise.core.wording import result_text

TERMINATIONS = {
    "rules": "normal",
    "called": "adjudication",
    "resigned": "normal",
    "time": "time forfeit",
    "illegal": "rules infraction",
    "crash": "abandoned",
}


class GameWriter:
    """Writes games to a file as they finish. The file must be new; with `again` it is overwritten."""

    def __init__(self, match: Match, path: Path, again: bool = False) -> None:
        self.match, self.path = match, path
        self.game = match.game
        format = None if self.game.world is not None else next(iter(self.game.formats.values()))
        self.format = None if format is None or format.name == "text" else format
        try:
            self.file = path.open("w" if again else "x", encoding="utf-8")
        except FileExistsError:
            raise PlywiseError(f"--records {path}: there is such a file already; name a new one") from None
        except OSError as error:
            raise PlywiseError(f"--records {path}: {error.strerror}") from None

    def __enter__(self) -> "GameWriter":
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.file.close()

    def write_all(self, pairs: Iterable[dict[str, Any]]) -> None:
        """Write the pairs of a journal."""
        for pair in checked_pairs(pairs, len(self.match.names)):
            self.write(pair)

    def write(self, finished: PairResult) -> None:
        """Write both games of a pair."""
        for number, game in enumerate(finished.games, 1):
            self.file.write(self.text(game, f"{finished.number + 1}.{number}") + "\n")
        self.file.flush()

    def text(self, game: GameResult, round: str) -> str:
        """One game as text."""
        names = self.match.names[game.sides[0]], self.match.names[game.sides[1]]
        termination = TERMINATIONS.get(game.how, game.how)
        tags = {"Event": f"{self.game.title} match", "Round": round, "Termination": termination}
        if self.format is not None:
            sides = dict(zip(self.game.sides, names, strict=True))
            if game.how != "rules":
                tags["Reason"] = game.reason
            history = self.history(game)
            tags |= opening_tags(history)
            return self.format.write(history, {**tags, **sides, "Result": _result_text(game)})
        return self.plain_text(game, names, tags)

    def history(self, game: GameResult) -> History:
        """The history of a game, with its opening."""
        history = openings.history(self.game, game.start)
        for move in game.moves:
            history = history.play(move)
        return history

    def plain_text(self, game: GameResult, names: tuple[str, str], tags: dict[str, str]) -> str:
        """A game as plain text, for a game without a format."""
        lines = [f"{name}: {value}" for name, value in tags.items()]
        lines += [f"{side}: {name}" for side, name in zip(self.game.sides, names, strict=True)]
        lines += [
            f"Result: {_result_text(game)} ({game.reason})",
            f"Start: {game.start}",
        ]
        if self.game.world is not None:
            return "\n".join([*lines, *(f"{n}. {orders}" for n, orders in enumerate(game.moves, 1)), ""])
        words = [move if i % 2 else f"{i // 2 + 1}. {move}" for i, move in enumerate(game.moves)]
        return "\n".join([*lines, textwrap.fill(" ".join(words), 80, break_on_hyphens=False), ""])


def _result_text(game: GameResult) -> str:
    return result_text(Outcome(game.winner, game.reason))
