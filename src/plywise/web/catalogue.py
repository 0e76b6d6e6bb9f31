"""The games that the page offers: shipped ones, installed ones, and files named on the command line."""

import functools
from collections.abc import Sequence
from typing import Any

from plywise.core.endgame_index import find_database
from plywise.core.errors import UnknownName
from plywise.core.game import Game
from plywise.core.presentation import find_hook
from plywise.core.registry import installed_games, load, shipped
from plywise.play.game_text import formats
from plywise.play.levels import levels


class Catalogue:
    """Games by name. A file of a user's own is read once, when the server starts."""

    def __init__(self, files: Sequence[str] = ()) -> None:
        self.notes: list[str] = []  # why an installed game is not offered
        self._installed = installed_games(self.notes.append)
        self.sources: dict[str, str] = {name: name for name in (*shipped(), *self._installed)}
        self._own: dict[str, Game] = {}
        self._drawn: dict[str, Game] = {}  # the others, as the page shows them
        for source in files:
            game = load(source).as_drawn()
            name = game.name
            while name in self.sources:  # a user's game may have the name of a shipped one
                name += "_"
            self.sources[name], self._own[name] = source, game

    def game(self, name: str) -> Game:
        """The game of that name; its sides are called as the page draws them."""
        if name in self._own:
            return self._own[name]
        if name not in self.sources:
            raise UnknownName("game", name[:60], self.sources)
        if name not in self._drawn:
            self._drawn[name] = load(name).as_drawn()
        return self._drawn[name]

    def source(self, name: str) -> str:
        """The name or path by which another process loads this game."""
        return self.sources[name]

    def name_of(self, game: Game) -> str:
        """The name under which a game is offered."""
        return next((name for name, own in self._own.items() if own is game), game.name)

    @functools.cached_property
    def game_infos(self) -> list[dict[str, Any]]:
        """What the page's dialog shows of each game; the user's own games first."""
        about = {**self._installed, **shipped()}
        names = [*self._own, *about]
        return [game_info(name, self.game(name), about.get(name, ""), name in self._own) for name in names]


def game_info(name: str, game: Game, about: str, own: bool) -> dict[str, Any]:
    """A game as the new-game dialog shows it."""
    words = about or game.description.partition("\n")[0]
    return {
        "name": name,
        "title": game.title,
        "about": words,
        "sides": list(game.sides),
        "world": game.world is not None,
        "evaluators": game.evaluators,
        "evaluator": game.usual_evaluator,
        "levels": [{"number": one.number, "name": one.name, "about": one.about} for one in levels(game)],
        "players": [
            {"name": one.name, "about": one.about, "side": one.side} for one in game.presets.values()
        ],
        "starts": [{"name": label, "position": text} for label, text in game.starts.items()],
        "formats": formats(game),
        "openings": find_hook(game.author, "opening") is not None,
        "endgames": find_database(game) is not None,
        "own": own,
    }
