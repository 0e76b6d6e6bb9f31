"""`plywise play`: choose a game and the seats, and read typed lines."""

import sys

from plywise.cli import arguments, console
from plywise.cli.terminal.commands import parse_level
from plywise.cli.terminal.game import TerminalGame
from plywise.core.errors import PlywiseError, UnknownName
from plywise.core.registry import load

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


def play(
    name: str,
    level: str = "5",
    side: str = "first",
    position: str = "start",
    evaluator: str = "default",
    resume: bool = False,
) -> None:
    """Play a game until it ends or the person quits. `level` may have one number for each side: `3,7`."""
    if side not in SIDES:
        raise UnknownName("side", side, SIDES)
    words = level.split(",") if level.count(",") == 1 else [level, level]
    levels = parse_level(words[0].strip()), parse_level(words[1].strip())
    terminal_game = TerminalGame(name, levels, SIDES[side], " ".join(position.split()), evaluator, read_line)
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
