"""Player specs: one text form for builtin players and external engines.

    plywise:SEAT                         builtin, as play/seat.py reads it (`plywise` alone: full strength)
    plywise:level=5
    plywise:evaluator=shannon,depth=6
    plywise:MinmaxAB                     a preset of the game
    uci:gnuchess --uci,option.Hash=16    an external engine by its command line
    xboard:phalanx,name=Phalanx
    @players.txt                         a file with one player a line; `#` begins a comment

Put values with commas in double quotes. Errors are raised before the first game.
"""

import shlex
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from plywise.arena.time_control import TimeControl
from plywise.core.errors import PlywiseError, UnknownName
from plywise.core.game import Game
from plywise.core.untrusted import check_size, seconds_number, shorten, whole_number
from plywise.play.seat import KEYS, expand_preset, read_options, split_options

KINDS = ("plywise", "uci", "xboard")
LIMITS = ("depth", "nodes", "time", "cpu", "control")
BUILTIN_OPTIONS = tuple(dict.fromkeys(("name", *KEYS, "margins", "hash", "threads", *LIMITS)))
EXTERNAL_OPTIONS = ("name", "folder", *LIMITS)
MAX_PLAYER = 4096  # characters of a player; command lines are split in quadratic time
OPTION_PREFIX = "option."  # before options of the external engine itself


class BadPlayer(PlywiseError):
    """A bad player spec; the message names the player, the option and the known ones."""


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """A parsed player spec: plain data that can be sent to other processes and machines."""

    text: str
    kind: str
    name: str
    command: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    own_options: tuple[tuple[str, str], ...] = ()  # of the external engine itself

    def option(self, key: str, default: str | None = None) -> str | None:
        return dict(self.options).get(key, default)

    def integer(self, key: str, least: int = 1) -> int | None:
        """An option as a whole number; None if it is not given."""
        text = self.option(key)
        if text is None:
            return None
        try:
            return whole_number(text, least)
        except ValueError:
            shown = shorten(text, 40)
            raise BadPlayer(
                f"player {shorten(self.text)!r}: {key} is a whole number from {least} up, not {shown!r}"
            ) from None

    def seconds(self, key: str) -> float | None:
        """An option as seconds; None if it is not given."""
        text = self.option(key)
        if text is None:
            return None
        try:
            return seconds_number(text)
        except ValueError:
            raise BadPlayer(f"player {self.text!r}: {key} is seconds above 0, not {text!r}") from None

    def for_game(self, game: Game) -> "PlayerSpec":
        """The same player with the options of the game's preset that it may name."""
        if self.kind != "plywise":
            return self
        return replace(self, options=tuple(expand_preset(game, dict(self.options)).items()))

    def control(self, default: TimeControl) -> TimeControl:
        """The player's own time control, or the default if it has none."""
        depth, nodes, time = self.integer("depth"), self.integer("nodes"), self.seconds("time")
        clock, cpu = self.option("control"), self.seconds("cpu")
        if clock is None and depth is None and nodes is None and time is None and cpu is None:
            return default
        try:
            base = TimeControl() if clock is None else TimeControl.parse(clock)
            return TimeControl(base.base, base.increment, base.moves, time, nodes, depth, cpu or base.cpu)
        except PlywiseError as error:
            raise BadPlayer(f"player {self.text!r}: {error}") from None


def parse(text: str) -> PlayerSpec:
    """Parse one player spec.

    >>> parse("uci:gnuchess --uci,option.Hash=16").command
    ('gnuchess', '--uci')
    """
    try:
        check_size(text, "a player", MAX_PLAYER)
    except ValueError as error:
        raise BadPlayer(str(error)) from None
    text = " ".join(text.split())
    kind, colon, rest = text.partition(":")
    if kind not in KINDS:
        known = "plywise:OPTION=VALUE,..., uci:COMMAND,... or xboard:COMMAND,..."
        raise BadPlayer(f"player {text!r}: there are players {known}, and @FILE with one a line")
    try:
        words = split_options(rest) if colon else []
    except PlywiseError as error:
        raise BadPlayer(f"player {text!r}: {error}") from None
    command: tuple[str, ...] = ()
    if kind != "plywise":
        try:
            command = tuple(shlex.split(words.pop(0))) if words else ()
        except ValueError as error:
            raise BadPlayer(f"player {text!r}: the command line cannot be read: {error}") from None
        if not command:
            raise BadPlayer(f"player {text!r}: the command line is missing, as in {kind}:/usr/bin/engine")
    words = [word.replace('"', "") for word in words]  # only the command is split once more
    own = [word for word in words if kind != "plywise" and word.startswith(OPTION_PREFIX)]
    try:
        options = _read_options(kind, [word for word in words if word not in own])
        own_options = tuple(_engine_option(word) for word in own)
    except PlywiseError as error:
        raise BadPlayer(f"player {text!r}: {error}") from None
    name = options.pop("name", None) or _default_name(kind, command, words)
    spec = PlayerSpec(text, kind, name, command, tuple(options.items()), own_options)
    spec.control(TimeControl())
    return spec


def _read_options(kind: str, words: list[str]) -> dict[str, str]:
    if kind == "plywise":
        return read_options(words, BUILTIN_OPTIONS)
    try:
        if words and "=" not in words[0] and words[0] not in EXTERNAL_OPTIONS:
            raise UnknownName("option", words[0], EXTERNAL_OPTIONS)  # only ours begin with a player's name
        return read_options(words, EXTERNAL_OPTIONS)
    except UnknownName as error:
        raise BadPlayer(f"{error}; the engine's own are written {OPTION_PREFIX}NAME=VALUE") from None


def _engine_option(word: str) -> tuple[str, str]:
    """An option of the external engine itself."""
    key, equals, value = (part.strip() for part in word.partition("="))
    if not equals or not value:
        raise BadPlayer(f"option {key} wants a value, as in {key}=VALUE")
    return key.removeprefix(OPTION_PREFIX), value


def _default_name(kind: str, command: tuple[str, ...], words: list[str]) -> str:
    return " ".join(["plywise" if kind == "plywise" else Path(command[0]).name, *words])


def read_players(texts: Iterable[str], folder: Path | None = None) -> list[PlayerSpec]:
    """Parse all player specs, also those in files, and make their names distinct."""
    specs: list[PlayerSpec] = []
    for text in texts:
        if not text.startswith("@"):
            specs.append(parse(text))
            continue
        path = (folder or Path()) / text[1:]
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except OSError as error:
            raise BadPlayer(f"players {text[1:]}: {error.strerror}") from None
        except UnicodeDecodeError:
            raise BadPlayer(f"players {text[1:]}: the file is not text (UTF-8)") from None
        for number, line in enumerate(lines, 1):
            line = line.partition("#")[0].strip()
            if line.startswith("@"):
                raise BadPlayer(f"players {text[1:]}, line {number}: a file cannot name another file")
            if line:
                try:
                    specs.append(parse(line))
                except BadPlayer as error:
                    raise BadPlayer(f"players {text[1:]}, line {number}: {error}") from None
    return _with_distinct_names(specs)


def _with_distinct_names(specs: list[PlayerSpec]) -> list[PlayerSpec]:
    """The same specs, with a number after each name that was used before."""
    names: set[str] = set()
    numbers: dict[str, int] = {}  # the last one after each name, so that not all are tried again
    result = []
    for spec in specs:
        name = spec.name
        while name in names:
            numbers[spec.name] = numbers.get(spec.name, 1) + 1
            name = f"{spec.name} #{numbers[spec.name]}"
        names.add(name)
        fields: dict[str, Any] = {field: getattr(spec, field) for field in PlayerSpec.__slots__}
        result.append(PlayerSpec(**{**fields, "name": name}))
    return result
