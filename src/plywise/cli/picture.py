"""`plywise picture`: a position as a picture, or a whole game as a moving one, in SVG."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from plywise.cli import arguments
from plywise.cli.option_types import GameName, OnePosition
from plywise.core.errors import PlywiseError, UnknownName
from plywise.core.looks import LOOKS
from plywise.core.registry import load
from plywise.core.untrusted import MAX_TEXT

STANDARD = "-"


def picture(
    game: GameName,
    position: OnePosition = None,
    read: Annotated[
        str | None,
        typer.Option(
            "--read", metavar="FILE", help="Read the game from a file: PGN, PDN or JSON; `-` is the input."
        ),
    ] = None,
    moving: Annotated[
        bool, typer.Option("--moving", help="Show all moves of the game, one after the other.")
    ] = False,
    seconds: Annotated[
        str, typer.Option("--seconds", metavar="S", help="Seconds for each move of a moving picture.")
    ] = "1",
    flip: Annotated[bool, typer.Option("--flip", help="Show the board from the other side.")] = False,
    look: Annotated[
        str, typer.Option("--look", metavar="NAME", help=f"One of {', '.join(LOOKS)}.")
    ] = "green",
    out: Annotated[
        str, typer.Option("--out", metavar="FILE", help="The file to write; `-` is the terminal.")
    ] = STANDARD,
) -> None:
    """Draw a position, or a whole game as a moving picture, in SVG."""
    from plywise.play import game_text
    from plywise.play.game_svg import draw_game, draw_state

    if look not in LOOKS:
        raise UnknownName("look", look, LOOKS)
    known, pace = load(game), arguments.seconds("--seconds", seconds) or 1.0
    if read is not None and position:
        raise arguments.BadOption("plywise picture takes a POSITION or --read FILE, not both")
    if read is not None:
        state, _ = game_text.read(known, _read_text(read))
    else:
        history = arguments.read_history(known, position or [])
        state = game_text.state_from_history(history)
    drawn = draw_game(state, flip, pace, look) if moving else draw_state(state, flip, look)
    if out == STANDARD:
        print(drawn)
    else:
        try:
            Path(out).write_text(drawn + "\n", encoding="utf-8")
        except OSError as error:
            raise PlywiseError(f"{out}: {error.strerror}") from None


def _read_text(name: str) -> str:
    """The text of a game from a file or from standard input."""
    try:
        if name == STANDARD:
            return sys.stdin.read(MAX_TEXT + 1)
        with open(name, encoding="utf-8") as file:
            return file.read(MAX_TEXT + 1)
    except OSError as error:
        raise PlywiseError(f"{name}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise PlywiseError(f"{name}: this is no text in UTF-8") from None
