"""A game in the terminal: which one, who plays, and reading what is typed."""

import sys

from plywise.cli import console
from plywise.cli.terminal.commands import parse_level
from plywise.cli.terminal.game import TerminalGame
from plywise.core.errors import PlywiseError, UnknownName
from plywise.core.registry import load, shipped

SIDES = {"first": (0,), "second": (1,), "both": (0, 1), "none": ()}


def choose_game() -> None:
    """Offer the games, then play the one chosen."""
    known = shipped()
    names = list(known)
    wide = max(map(len, names))
    print("Plywise plays:")
    for place, name in enumerate(names, 1):
        print(console.paragraph(known[name], f" {place}  {name:{wide}}  ", " " * (wide + 6)))
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
    """Play a game to its end, or until the person has had enough.

    Two levels, `3,7`, seat the sides differently.
    """
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
    """A line that the person typed; None at the end of the input."""
    if sys.stdin.isatty():
        try:
            import readline  # noqa: F401  (arrow keys and what was typed before, where there is such a thing)
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
    # Nobody's keys show what was typed: a piped game should read as a whole all the same.
    print(line.strip())
    return line.strip() if line else None
