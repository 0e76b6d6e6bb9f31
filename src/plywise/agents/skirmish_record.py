"""An episode as a saved game of skirmish: what `play.state.restore_game` reads, so that a page can replay it.

Agents know units by the numbers of the map; a saved game calls them F1, F2, A1. Orders that last several
turns are written as what came of them, turn by turn.
"""

from typing import Any

from plywise.games.skirmish.dice import Dice
from plywise.games.skirmish.maps import Map
from plywise.games.skirmish.notation import Place, Setup, write
from plywise.games.skirmish.units import ARCHERS, FOOTMEN
from plywise.games.skirmish.world import Step, Turn


class EpisodeRecord:
    """The start of an episode with its dice, then what each unit tried in each turn."""

    def __init__(self, map: Map, dice: Dice) -> None:
        sides = [unit.side for unit in map.units]  # by number, as units act
        # In a saved game all footmen act before the archers: only such maps can be replayed.
        self.can_be_replayed = sides == sorted(sides)
        places: tuple[list[Place], list[Place]] = ([], [])
        self._names: dict[int, str] = {}
        for unit in map.units:
            places[unit.side].append((unit.x, unit.y, unit.health))
            self._names[unit.id] = f"{'FA'[unit.side]}{len(places[unit.side])}"
        self.entries: list[dict[str, Any]] = [{"start": write(Setup(map.ground, places)), "dice": dice.state}]

    def add(self, turn: Turn) -> None:
        """Write a turn."""
        tried = {done.action.unit: done.action for done in turn.done}
        entry: dict[str, list[str]] = {}
        for side in (FOOTMEN, ARCHERS):
            entry[str(side)] = words = []
            for unit in turn.before.side(side):
                action = tried.get(unit.id)
                if action is None:
                    what = "-wait"
                elif isinstance(action, Step):
                    what = f"-{action.direction}"
                else:
                    what = f"x{self._names[action.target]}"
                words.append(self._names[unit.id] + what)
        self.entries.append(entry)
