"""Types of arguments and options that several commands have."""

from typing import Annotated, Any

import typer

Text = str | None  # of an option that may be left out


def option(name: str, metavar: str, help: str) -> Any:
    """An option whose help says what holds without it."""
    return typer.Option(name, metavar=metavar, help=help, show_default=False)


GAME_HELP = "A shipped or installed game, or FILE.py[:NAME]."
GameName = Annotated[str, typer.Argument(metavar="GAME", help=GAME_HELP)]
OptionalGame = Annotated[Text, typer.Argument(metavar="GAME", help=GAME_HELP)]
Position = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="POSITION",
        help="A position as text, then `moves M M ...` if you like; `start` by default;"
        " `-` reads one from each line.",
    ),
]
OnePosition = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="POSITION",
        help="A position as text, then `moves M M ...` if you like; `start` by default.",
    ),
]
Depth = Annotated[Text, typer.Option("--depth", metavar="N", help="Turns to look ahead.")]
Nodes = Annotated[Text, typer.Option("--nodes", metavar="N", help="Positions to visit.")]
Seconds = Annotated[Text, typer.Option("--time", metavar="S", help="Seconds; 1 if no limit is given.")]
Hash = Annotated[str, typer.Option("--hash", metavar="MB", help="Size of the hash table.")]
Threads = Annotated[str, typer.Option("--threads", metavar="N", help="Processors to use.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on one line.")]
Uncompiled = Annotated[
    bool, typer.Option("--uncompiled", help="Do not compile: run the same code in Python, which is slow.")
]
Evaluator = Annotated[
    str,
    typer.Option(
        "--evaluator",
        metavar="NAME",
        help="The evaluation to use; by default the learned one, if there is one.",
        show_default=False,
    ),
]
WeightsFile = Annotated[
    Text, typer.Option("--weights", metavar="FILE", help="A file of other weights for the evaluation.")
]
