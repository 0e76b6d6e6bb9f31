"""The options of a player: their kinds, limits and defaults, and how a value is set."""

from dataclasses import dataclass
from typing import Any

from plywise.core.cores import memory
from plywise.core.errors import PlywiseError, UnknownName
from plywise.core.game import Game
from plywise.play.background import BackgroundPlayer
from plywise.play.elo import MAX_ELO, MAX_SKILL, MIN_ELO, level_of_elo, level_of_skill
from plywise.play.seat import Seat, read_seat
from plywise.search.engine import MAX_THREADS

MAX_HASH, MAX_LINES = 65536, 255


class BadOption(PlywiseError):
    """A value that an option does not take."""


@dataclass(frozen=True)
class Option:
    """One option: spin with limits, check, combo with choices, string, or button."""

    name: str
    type: str
    default: Any = None
    minimum: int = 0
    maximum: int = 0
    choices: tuple[str, ...] = ()

    def parse(self, text: str | None) -> Any:
        """The value that the text means."""
        text = (text or "").strip()
        if self.type == "spin":
            try:
                value = int(text)
            except ValueError:
                value = self.minimum - 1
            if not self.minimum <= value <= self.maximum:
                raise BadOption(
                    f"{self.name} is a whole number from {self.minimum} to {self.maximum}, not {text[:40]!r}"
                )
            return value
        if self.type == "check":
            if text.lower() not in ("true", "false", "1", "0"):
                raise BadOption(f"{self.name} is true or false, not {text[:40]!r}")
            return text.lower() in ("true", "1")
        if self.type == "combo":
            found = [choice for choice in self.choices if choice.lower() == text.lower()]
            if not found:
                raise UnknownName(self.name, text[:40], self.choices)
            return found[0]
        return text


class Options:
    """The options that both protocols offer, and their effect on the player."""

    def __init__(self, player: BackgroundPlayer, game: Game) -> None:
        self.player, self.game = player, game
        options = [
            Option("Hash", "spin", player.settings.hash, 1, MAX_HASH),
            Option("Threads", "spin", 1, 1, MAX_THREADS),
            Option("Clear Hash", "button"),
            Option("Ponder", "check", False),
            Option("MultiPV", "spin", 1, 1, MAX_LINES),
            Option("Move Overhead", "spin", round(player.settings.overhead * 1000), 0, 5000),
            Option("UCI_LimitStrength", "check", False),
            # In chess measured, with an error of about 100 Elo (play/elo.py); elsewhere an order.
            Option("UCI_Elo", "spin", 1800, MIN_ELO, MAX_ELO),
            Option("Skill Level", "spin", MAX_SKILL, 0, MAX_SKILL),
            Option("UCI_ShowWDL", "check", False),
            Option("UCI_AnalyseMode", "check", False),
            Option("Evaluator", "combo", "default", choices=tuple(game.evaluators)),
            Option("Seat", "string", ""),  # it comes before Evaluator and the limits of strength
        ]
        options += [Option(name, "check", False) for name in game.styles if name not in game.variants]
        if game.has_books:
            options.append(Option("Book", "string", ""))
        self.known = {option.name.lower(): option for option in options}
        self.values = {option.name: option.default for option in options}
        self.seat = Seat("")

    def __getitem__(self, name: str) -> Any:
        return self.values.get(name)

    def find(self, name: str) -> Option:
        option = self.known.get(" ".join(name.lower().split()))
        if option is None:
            raise UnknownName("option", name[:40], [one.name for one in self.known.values()])
        return option

    def set(self, name: str, text: str | None) -> None:
        """Set an option; a value that it does not take is refused and changes nothing."""
        option = self.find(name)
        value = option.parse(text)
        if option.name == "Hash" and value > memory():
            raise BadOption(f"Hash cannot be {value}: this computer has {memory()} megabytes of memory")
        if option.name == "Clear Hash":
            self.player.clear()
            return
        settings = self.player.settings
        if option.name == "Book":
            settings.book = _book(value)
        if option.name == "Seat":
            self.seat = _seat(self.game, value)
        self.values[option.name] = value
        settings.hash, settings.threads = self["Hash"], self["Threads"]
        settings.lines, seat = self["MultiPV"], self.seat
        settings.evaluator = seat.evaluator if seat.text else self["Evaluator"]
        settings.player, settings.weights, settings.without = seat.player, seat.weights, seat.without
        settings.overhead = self["Move Overhead"] / 1000
        settings.ponder, settings.analyse = self["Ponder"], self["UCI_AnalyseMode"]
        limited = level_of_elo(self.game, self["UCI_Elo"]) if self["UCI_LimitStrength"] else None
        settings.strength = limited or level_of_skill(self.game, self["Skill Level"])
        if seat.has_limits:
            settings.strength = seat.strength(self.game)


def _seat(game: Game, text: str) -> Seat:
    """The seat that the engine takes; empty: its usual one."""
    if text in ("", "<empty>"):
        return Seat("")
    seat = read_seat(game, text)
    if seat.is_person or seat.switch:
        raise BadOption(f"Seat is a level, an elo or a player, not {text[:40]!r}")
    return seat


def _book(path: str) -> Any:
    if path in ("", "<empty>"):
        return None
    from plywise.protocols.polyglot import Book

    return Book(path)
