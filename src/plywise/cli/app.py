"""The commands: their names, arguments and options. The other modules of `cli` do the work.

Nothing here imports Numba or rich, so that `plywise games` and `plywise moves` start at once.
Commands that search import what they need when they are called.
"""

import os
from typing import Annotated, Any

import typer

from plywise.cli import arguments, console, learn, match, picture, search_commands, skirmish, solve, tune
from plywise.cli.json_output import answer_lines, input_lines, moves_json, print_json
from plywise.cli.option_types import Evaluator, GameName, Json, Position, WeightsFile
from plywise.core.errors import UnknownName, near_names
from plywise.core.registry import load
from plywise.core.wording import count_text

app = typer.Typer(
    name="plywise",
    help="Plywise looks ahead in any two-player game of perfect information.",
    epilog="Without a command, the page opens in your browser; the options of `serve` work here too.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(skirmish.app, name="skirmish")

# What the library of the command line says of words that it cannot place; they stand behind it.
EXTRA_WORDS = "Got unexpected extra argument"
NO_COMMAND = "No such command"


def run(words: list[str]) -> int:
    """Run a command; return the exit status."""
    command: Any = typer.main.get_command(app)
    name = next(iter(words), "--help")
    if name.partition("=")[0] in (
        known for param in command.commands["serve"].params for known in param.opts
    ):
        words = ["serve", *words]  # `plywise` alone is the page, and takes its options
    elif not name.startswith("-") and name not in command.commands:
        raise UnknownName("command", name, command.commands)
    settings = {"terminal_width": min(console.width(), 100)}
    try:
        with command.make_context("plywise", words, **settings) as context:
            status = command.invoke(context)
        return status if isinstance(status, int) else 0
    except typer.Exit as end:
        return end.exit_code
    except typer.Abort:
        raise KeyboardInterrupt from None
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        raise arguments.BadOption(_usage_error(error)) from None


def _usage_error(error: Any) -> str:
    """A usage error in one sentence."""
    where = error.ctx.command_path if getattr(error, "ctx", None) else "plywise"
    help = f"; `{where} --help` shows how"
    if type(error).__name__ == "NoSuchOption":
        known = [name for param in error.ctx.command.params for name in param.opts]
        near = near_names(error.option_name, known)
        return f"{where} has no option {error.option_name}" + (f"; did you mean {near[0]}?" if near else help)
    if type(error).__name__ == "MissingParameter" and error.param is not None:
        return f"{where} wants {error.param.metavar or error.param.name}{help}"
    text = error.format_message().rstrip(".")
    if text.startswith(EXTRA_WORDS):
        words = text.partition(" (")[2].removesuffix(")")
        return f"{where} has no use for {words!r}{help}"
    if text.startswith(NO_COMMAND):
        name = text.partition("'")[2].partition("'")[0]
        return str(UnknownName(f"command of {where}", name, error.ctx.command.commands))
    return text + help


def _print_version(wanted: bool) -> None:
    if wanted:
        from plywise import __version__

        print(f"plywise {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def main(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    if context.invoked_subcommand is not None:
        return
    from plywise.cli.serve import serve_or_open

    serve_or_open()


# --- looking things up --------------------------------------------------------------------------
@app.command()
def games(json: Json = False) -> None:
    """List all games that there are, with evaluations and players."""
    from plywise.cli.lookup import choices, print_games

    known = arguments.known_games()
    if json:
        found = {name: choices(load(name)) for name in known}
        kinds = {kind: {name: found[name][kind] for name in found} for kind in ("evaluations", "players")}
        print_json({"games": known, **kinds})
        return
    print_games(known)


@app.command()
def rules(game: GameName) -> None:
    """The rules of a game in words, its evaluations and its players."""
    from plywise.cli.lookup import rules_text

    text = rules_text(load(game))
    console.print_markdown(text, text)


@app.command()
def moves(game: GameName, position: Position = None, json: Json = False) -> None:
    """The legal moves of a position."""
    chosen = load(game)
    if arguments.is_batch(position or ()):
        answer_lines(chosen, input_lines(), moves_json)
        return
    history = arguments.read_history(chosen, position or ())
    if json:
        print_json(moves_json(history))
        return
    from plywise.cli.terminal.board import print_headline, print_position

    print_headline(history)
    print_position(history)
    legal, outcome = history.moves, history.outcome
    if outcome is not None:
        print(console.paragraph(f"over: {outcome.reason}"))
    if legal:
        print(console.paragraph(f"{count_text(len(legal), 'move')}: {'  '.join(legal)}", hanging="  "))


# --- searching ----------------------------------------------------------------------------------
app.command()(search_commands.perft)
app.command()(search_commands.analyse)
app.command()(search_commands.explain)
app.command()(search_commands.evaluate)


# --- playing ------------------------------------------------------------------------------------
@app.command()
def play(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]", help="A shipped game, or FILE.py[:NAME]; you are asked if you name none."
        ),
    ] = None,
    level: Annotated[
        str | None,
        typer.Option(
            "--level", metavar="N", help="From 1 (weak) to 10 (strong), 5 by default; N,M for two sides."
        ),
    ] = None,
    side: Annotated[
        str | None,
        typer.Option(
            "--side", metavar="SIDE", help="The side you play: first (default), second, both or none."
        ),
    ] = None,
    position: Annotated[
        str, typer.Option("--position", metavar="TEXT", help="The position to begin with.")
    ] = "start",
    seats: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            metavar="SIDE=SEAT",
            help="Who plays a side (repeatable): person, level=N, elo=N, or PLAYER,KEY=VALUE,...",
        ),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(
            "--player",
            metavar="NAME",
            help="Who plays for Plywise: a textbook player, or one of the game's own.",
        ),
    ] = None,
    depth: Annotated[
        str | None, typer.Option("--depth", metavar="N", help="How many turns Plywise looks ahead.")
    ] = None,
    evaluator: Evaluator = "",
    weights: WeightsFile = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue your last game.")] = False,
    full_screen: Annotated[
        bool,
        typer.Option("--full-screen", help="Use the whole terminal, with a cursor and the mouse."),
    ] = False,
) -> None:
    """Play a game in the terminal. With `--side none` Plywise plays itself."""
    from plywise.cli.play import EngineSeat, choose_game
    from plywise.cli.play import play as play_game

    if game is None:
        choose_game()
        return
    if not evaluator:
        evaluator = "default" if weights is not None or player is not None else load(game).usual_evaluator
    engine = EngineSeat(level, player, depth, evaluator, weights)
    play_game(game, side, seats or (), engine, position, resume, full_screen)


@app.command()
def serve(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE.py[:NAME] | FOLDER ...]", help="Games of your own."),
    ] = None,
    port: Annotated[
        str | None,
        typer.Option(
            "--port", metavar="N", help="The port of the page; 8642 by default, or the next free one."
        ),
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Open no browser; only print the address.")
    ] = False,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-origin",
            metavar="ORIGIN",
            help="A page of yours that may ask for moves, like http://localhost:8000 (repeatable).",
        ),
    ] = None,
    watch: Annotated[
        list[str] | None,
        typer.Option(
            "--watch",
            metavar="PATH",
            help="A match, a learning run or a folder of them to show (repeatable).",
        ),
    ] = None,
) -> None:
    """Open the page in your browser. Games are saved after each move."""
    from plywise.cli.serve import serve as run_server

    run_server(files or (), port, not no_browser, allow_origin or (), watch or ())


# --- strength, proofs and pictures ----------------------------------------------------------------
app.command()(solve.solve)
app.command()(match.match)
app.command()(learn.learn)
app.command()(tune.tune)
app.command()(picture.picture)


# --- maintenance -------------------------------------------------------------------------------------
@app.command()
def bench(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="All shipped games by default.")] = None,
    json: Json = False,
) -> None:
    """Search fixed positions to a fixed depth: nodes and speed."""
    from plywise.cli.maintenance import bench as run_bench

    run_bench(game, json)


@app.command()
def check(
    game: Annotated[str, typer.Argument(metavar="FILE.py|GAME", help="Your game's file, or a shipped game.")],
    json: Json = False,
) -> int:
    """Check the rules of a game; each problem comes with its position."""
    from plywise.cli.maintenance import check as run_check

    return run_check(game, json)


@app.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the game is called: my_game.")],
    form: Annotated[
        str, typer.Option("--form", metavar="FORM", help="plain (any Python), or compiled (for speed).")
    ] = "plain",
) -> None:
    """Create a package for a game of your own. It has rules, tests, and what pip needs."""
    from plywise.cli.new_game import write_package

    write_package(name, form)


@app.command("compile")
def compile_games(
    games: Annotated[list[str] | None, typer.Argument(metavar="GAME", help="All games by default.")] = None,
    json: Json = False,
) -> None:
    """Compile games now, so that their first search starts at once."""
    from plywise.cli.maintenance import fill_compile_cache

    fill_compile_cache({name: load(name) for name in games or arguments.known_games()}, json)


@app.command()
def endgames(
    game: GameName,
    pieces: Annotated[
        str, typer.Option("--pieces", metavar="N", help="Solve all positions of up to N pieces.")
    ] = "4",
    threads: Annotated[str | None, typer.Option("--threads", metavar="N", help="Processors to use.")] = None,
    json: Json = False,
) -> None:
    """Solve all positions with few pieces, for searches and the page. Ctrl-C stops, and can continue."""
    from plywise.cli.maintenance import solve_endgames

    piece_count = arguments.whole_option("--pieces", pieces, 2) or 4
    solve_endgames(load(game), piece_count, arguments.whole_option("--threads", threads), json)


@app.command()
def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Delete the compiled code.")] = False,
    json: Json = False,
) -> None:
    """Show where compiled code is kept, and how much there is."""
    from plywise.core import cache_folder as compile_cache

    folder, files, size = compile_cache.cache_folder(), len(compile_cache.files()), compile_cache.size()
    cleared = compile_cache.clear(folder) if clear else 0
    if json:
        answer = {
            "folder": os.fspath(folder),
            "files": files - cleared,
            "bytes": compile_cache.size(),
            "cleared": cleared,
        }
        print_json(answer)
        return
    print(folder)
    amount = f"{count_text(files, 'file')}, {console.bytes_text(size)}"
    print(f"cleared {amount}" if clear else amount)


@app.command()
def doctor(json: Json = False) -> int:
    """Check what works here, and say what to do about the rest."""
    from plywise.cli import doctor as checks

    return checks.doctor(json)


# --- protocols ----------------------------------------------------------------------------------
ProtocolGame = Annotated[str, typer.Argument(metavar="[GAME]", help="The game to play; chess by default.")]
LogFile = Annotated[str | None, typer.Option("--log", metavar="FILE", help="Write all messages to a file.")]


@app.command()
def uci(game: ProtocolGame = "chess", log: LogFile = None) -> None:
    """Play for a program that speaks UCI."""
    from plywise.protocols import uci as protocol
    from plywise.protocols.stdio import serve

    serve(protocol.Uci, load(game), log)


@app.command()
def xboard(game: ProtocolGame = "chess", log: LogFile = None) -> None:
    """Play for XBoard, WinBoard, or another program that speaks CECP 2."""
    from plywise.protocols import xboard as protocol
    from plywise.protocols.stdio import serve

    serve(protocol.XBoard, load(game), log)
