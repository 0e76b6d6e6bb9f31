"""Seats: who plays a side, in one text form for terminal, page, protocols and matches.

    person                              somebody at the board
    level=5                             one of the ten levels
    elo=1500                            the same scale without steps
    alphabeta,evaluator=ring,depth=4    a player with options
    MinmaxAB                            a preset of the game: a player with its options, by name
    MinmaxAB,depth=2                    the same with another depth

A player is `default`, the search itself, or a textbook player. Without a limit it thinks as long as
the strongest level. `plies` is another word for `depth`, which counts turns.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from plywise.core.errors import PlywiseError, UnknownName
from plywise.core.game import Game
from plywise.core.preset import Preset
from plywise.core.untrusted import check_size, seconds_number, shorten, whole_number
from plywise.play.elo import MAX_ELO, MIN_ELO, level_of_elo
from plywise.play.levels import STRONGEST, Level
from plywise.play.levels import level as level_of
from plywise.search.engine import PLAYERS
from plywise.search.switches import switches

PERSON = "person"
KEYS = ("player", "evaluator", "depth", "plies", "nodes", "time", "weights", "without", "level", "elo")
MAX_SEAT = 1000  # characters of a seat
WHOLE_NUMBERS = ("depth", "nodes", "level", "elo")


class BadSeat(PlywiseError):
    """A seat that nobody can take; the message says what would be right."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays one side; `text` says it as it was given. `read_seat` makes one."""

    text: str
    player: str = "default"
    evaluator: str = "default"
    depth: int | None = None
    nodes: int | None = None
    time: float | None = None
    weights: str | None = None
    without: tuple[str, ...] = ()
    level: int | None = None
    elo: int | None = None
    preset: Preset | None = field(default=None, compare=False)

    @property
    def is_person(self) -> bool:
        return self.text == PERSON

    @property
    def switch(self) -> str:
        """The word of the position with which the world leads this side; empty if it does not."""
        return "" if self.preset is None else self.preset.switch

    @property
    def has_limits(self) -> bool:
        """Whether it says anything about how long or how well it thinks."""
        return any(value is not None for value in (self.level, self.elo, self.depth, self.nodes, self.time))

    def strength(self, game: Game) -> Level:
        """The limits within which it thinks, and how it errs."""
        own = (self.depth, self.nodes, self.time)
        if self.level is not None or self.elo is not None:
            limit = level_of_elo(game, self.elo) if self.elo is not None else level_of(game, self.level or 1)
            return limit if own == (None, None, None) else limit.with_limits(*own)
        if own == (None, None, None):
            return level_of(game, STRONGEST)
        return Level(0, self.text, "", *own)

    def describe(self, game: Game) -> str:
        """The seat in a few words."""
        if self.level is not None and self.text.startswith(f"level={self.level}"):
            name = f"level {self.level} ({level_of(game, self.level).name})"
            return name + self.text.removeprefix(f"level={self.level}").replace(",", ", ")
        return "a person" if self.is_person else self.text


def read_seat(game: Game, text: str, side: int | None = None) -> Seat:
    """The seat that a text means; BadSeat if the game has nothing of the kind.

    With a `side`, a preset of the other side is refused.

    >>> from plywise import load
    >>> read_seat(load("chess"), "alphabeta,evaluator=shannon,plies=3").depth
    3
    """
    text = " ".join(text.split())
    try:
        check_size(text, "a seat", MAX_SEAT)
        if not text:
            raise BadSeat("it is person, level=N, elo=N, or PLAYER,KEY=VALUE,...")
        if text == PERSON:
            return Seat(PERSON)
        return make_seat(game, text, read_options(split_options(text), KEYS), side)
    except (PlywiseError, ValueError) as error:
        raise BadSeat(f"seat {shorten(text, 80)!r}: {error}") from None


def make_seat(game: Game, text: str, options: Mapping[str, str], side: int | None = None) -> Seat:
    """The seat of these options, all of which are checked; others than KEYS are left alone."""
    preset = find_preset(game, options.get("player", ""))
    if preset is not None and preset.side is not None and side not in (None, preset.side):
        raise BadSeat(f"{preset.name} plays {game.sides[preset.side]} only")
    if preset is not None and preset.switch:
        if len(options) > 1:
            raise BadSeat(f"{preset.name} takes no options")
        return Seat(preset.name, preset=preset)
    options = expand_preset(game, options)
    numbers = {key: _whole(key, options[key]) for key in WHOLE_NUMBERS if key in options}
    seat = Seat(
        text,
        options.get("player", "default"),
        options.get("evaluator", "default"),
        time=_seconds(options["time"]) if "time" in options else None,
        weights=options.get("weights"),
        without=tuple(name for name in options.get("without", "").split("+") if name),
        preset=preset,
        **numbers,
    )
    if seat.player not in PLAYERS:
        raise UnknownName("player", seat.player, [*PLAYERS, *game.presets])
    game.weights(seat.evaluator, seat.weights)
    switches(seat.without)
    if seat.level is not None:
        level_of(game, seat.level)
    if seat.elo is not None and not MIN_ELO <= seat.elo <= MAX_ELO:
        raise BadSeat(f"elo goes from {MIN_ELO} to {MAX_ELO}, not {seat.elo}")
    if seat.level is not None and seat.elo is not None:
        raise BadSeat("a player has a level or an elo, not both")
    if (seat.level is not None or seat.elo is not None) and seat.player != "default":
        raise BadSeat(f"a level is of the default player, not of {seat.player!r}")
    return seat


# --- presets ----------------------------------------------------------------------------------------
def find_preset(game: Game, name: str) -> Preset | None:
    """The game's preset of that name, in any case of letters."""
    return next((preset for preset in game.presets.values() if preset.name.lower() == name.lower()), None)


def expand_preset(game: Game, options: Mapping[str, str]) -> dict[str, str]:
    """The options with those of the preset that `player` may name; what is given comes first."""
    preset = find_preset(game, options.get("player", ""))
    if preset is None or preset.switch:
        return dict(options)
    given = {key: value for key, value in options.items() if key != "player"}
    return {**read_options(split_options(preset.seat), KEYS), **given}


def led_seat(game: Game, side: int) -> Seat:
    """The seat of a side that the world leads itself."""
    for preset in game.presets.values():
        if preset.switch and preset.side == side:
            return Seat(preset.name, preset=preset)
    raise BadSeat(f"{game.name} has no preset for the side that its world leads")


def position_with_switches(game: Game, position: str, seats: Iterable[Seat]) -> str:
    """The text of the position with the switches that seats need: the world leads those sides itself."""
    words = [seat.switch for seat in seats if seat.switch and seat.switch not in position.split()]
    if not words:
        return position
    return " ".join([game.text(game.start()) if position in ("", "start") else position, *words])


def seats_in(game: Game, seats: tuple[Seat, Seat], led_sides: Iterable[int]) -> tuple[Seat, Seat]:
    """The seats with those of the sides that the world leads; a person there is refused."""
    result = list(seats)
    for side in led_sides:
        result[side] = led_seat(game, side)
        if seats[side].is_person:
            raise BadSeat(
                f"here {game.sides[side]} are led by {result[side].text!r}; leave the word"
                f" {result[side].switch!r} out of the position to lead them"
            )
    return result[0], result[1]


# --- options as text ----------------------------------------------------------------------------------
def split_options(text: str) -> list[str]:
    """The words between the commas; commas within double quotes do not count."""
    commas, quoted = [-1], False
    for place, letter in enumerate(text):
        if letter == '"':
            quoted = not quoted
        elif letter == "," and not quoted:
            commas.append(place)
    if quoted:
        raise BadSeat("a quote is not closed")
    words = (text[before + 1 : after].strip() for before, after in pairwise([*commas, len(text)]))
    return [word for word in words if word]


def read_options(words: Iterable[str], known: Iterable[str]) -> dict[str, str]:
    """The options that the words write as KEY=VALUE; the first may be the name of a player alone."""
    known, options = tuple(known), dict[str, str]()
    for place, word in enumerate(words):
        key, equals, value = (part.strip() for part in word.replace('"', "").partition("="))
        if place == 0 and not equals and key not in known:
            key, equals, value = "player", "=", key
        if key not in known:
            raise UnknownName("option", shorten(key, 40), known)
        if not equals or not value:
            raise BadSeat(f"option {key} wants a value, as in {key}=VALUE")
        key = "depth" if key == "plies" else key
        if key in options:
            raise BadSeat(f"option {key} is given twice")
        options[key] = value
    return options


def _whole(key: str, text: str) -> int:
    try:
        return whole_number(text, 1)
    except ValueError:
        raise BadSeat(f"{key} is a whole number from 1 up, not {shorten(text, 40)!r}") from None


def _seconds(text: str) -> float:
    try:
        return seconds_number(text)
    except ValueError:
        raise BadSeat(f"time is seconds above 0, not {shorten(text, 40)!r}") from None
