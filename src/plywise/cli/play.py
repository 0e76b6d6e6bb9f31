"""`plywise play`: choose a game and the seats, and read typed lines."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from plywise.cli import arguments, console
from plywise.cli.arguments import BadOption, whole_option
from plywise.cli.compiling import Searcher, warn_if_not_kept
from plywise.cli.terminal.commands import parse_level
from plywise.cli.terminal.game import TerminalGame
from plywise.core.errors import PlywiseError, UnknownName
from plywise.core.game import Game
from plywise.core.registry import load
from plywise.core.untrusted import shorten
from plywise.play.levels import DEFAULT_LEVEL
from plywise.play.seat import PERSON, Seat, read_seat

SIDES = {"first": (0,), "second": (1,), "both": (0, 1), "none": ()}


def choose_game() -> None:
    """Ask which game to play, then play it."""
    descriptions = arguments.known_games()
    names = list(descriptions)
    width = max(map(len, names))
    print("Plywise plays:")
    for number, name in enumerate(names, 1):
        print(console.paragraph(descriptions[name], f" {number}  {name:{width}}  ", " " * (width + 6)))
    while True:
        try:
            answer = input(f"Which game? [{names[0]}] ").strip() or names[0]
        except EOFError:
            print()
            return
        if answer in ("q", "quit"):
            return
        if answer.isdecimal() and 1 <= int(answer) <= len(names):
            answer = names[int(answer) - 1]
        try:
            load(answer)
        except PlywiseError as error:
            print(error)
            continue
        play(answer)
        return


@dataclass(frozen=True)
class EngineSeat:
    """The short options for the seat of the engine: one for each thing that can be said of it."""

    level: str | None = None
    player: str | None = None
    depth: str | None = None
    evaluator: str = "default"
    weights: str | None = None

    def text(self, side: int) -> str:
        """The seat of a side as text; `level` may have one number for each side: `3,7`."""
        words = [] if self.player is None else [self.player]
        if self.level is not None:
            levels = self.level.split(",") if self.level.count(",") == 1 else [self.level] * 2
            words.append(f"level={parse_level(levels[side].strip())}")
        if self.depth is not None:
            words.append(f"depth={whole_option('--depth', self.depth)}")
        if not words:
            words.append(f"level={DEFAULT_LEVEL}")
        if self.evaluator != "default":
            words.append(f"evaluator={self.evaluator}")
        if self.weights is not None:
            words.append(f'weights="{self.weights}"')
        return ",".join(words)


def read_seats(game: Game, side: str | None, seats: Sequence[str], engine: EngineSeat) -> tuple[Seat, Seat]:
    """The two seats: those named by `--seat`, then people by `--side`, then the engine."""
    if side is not None and side not in SIDES:
        raise UnknownName("side", side, SIDES)
    game.evaluation(engine.evaluator)
    if engine.player is None:  # a preset may have weights of another evaluation
        game.weights(engine.evaluator, engine.weights)
    named: dict[int, Seat] = {}
    for text in seats:
        word, equals, seat = (part.strip() for part in text.partition("="))
        sides = {"first": 0, "second": 1, **{name.lower(): place for place, name in enumerate(game.sides)}}
        if not equals or word.lower() not in sides:
            known = ", ".join(sides)
            raise BadOption(f"--seat wants SIDE=SEAT, with a side of: {known}; not {shorten(text, 40)!r}")
        place = sides[word.lower()]
        if place in named:
            raise BadOption(f"--seat is given twice for {game.sides[place]}")
        named[place] = read_seat(game, seat, place)
    # Who names one seat sits at the other, unless a person has the named one.
    people = SIDES[side or "first"]
    if side is None and named:
        people = () if any(seat.is_person for seat in named.values()) else (0, 1)
    usual = [read_seat(game, PERSON if place in people else engine.text(place), place) for place in (0, 1)]
    return named.get(0, usual[0]), named.get(1, usual[1])


def play(
    name: str,
    side: str | None = None,
    seats: Sequence[str] = (),
    engine: EngineSeat | None = None,
    position: str = "start",
    resume: bool = False,
    full_screen: bool = False,
) -> None:
    """Play a game until it ends or the person quits."""
    engine = engine or EngineSeat()
    game = load(name)
    given = name, read_seats(game, side, seats, engine), " ".join(position.split()), engine.evaluator
    warn_if_not_kept(Searcher(name))
    if full_screen:
        from plywise.cli.terminal.full_screen import ScreenGame, open_screen

        with open_screen() as screen:
            run_game(ScreenGame(screen, *given), resume)
        return
    run_game(TerminalGame(*given, read_line), resume)


def run_game(terminal_game: TerminalGame, resume: bool) -> None:
    """Play a game, from the beginning or where it was left."""
    if resume:
        terminal_game.resume()
    try:
        terminal_game.run()
    except KeyboardInterrupt:
        print()
        terminal_game.print_how_to_resume()
        raise


def read_line(prompt: str) -> str | None:
    """Read a line that a person types; None at the end of the input."""
    if sys.stdin.isatty():
        try:
            import readline  # noqa: F401  (gives `input` arrow keys and a history)
        except ImportError:
            pass
        try:
            return input(prompt).strip()
        except EOFError:
            print()
            return None
    sys.stdout.write(prompt)
    sys.stdout.flush()
    line = sys.stdin.readline()
    # Piped input is not echoed by a terminal; print it, so that the output reads as a whole game.
    print(line.strip())
    return line.strip() if line else None
