"""`plywise solve`: who wins with best play, proven."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plywise.cli import INTERRUPTED, arguments
from plywise.cli.console import paragraph, progress_bar
from plywise.cli.json_output import print_json
from plywise.cli.option_types import GameName, Hash, Json, OnePosition, Text, Threads, Uncompiled
from plywise.core.registry import load
from plywise.core.wording import large_number, plies_text, wins_text

if TYPE_CHECKING:
    from plywise.search.solving import Solution

HASH = "1024"  # megabytes


def solve(
    game: GameName,
    position: OnePosition = None,
    hash: Hash = HASH,
    threads: Threads = "1",
    minutes: Annotated[Text, typer.Option("--minutes", metavar="M", help="Stop after M minutes.")] = None,
    resume: Annotated[
        Text, typer.Option("--resume", metavar="DIR", help="Save the work in a folder, and continue from it.")
    ] = None,
    anyway: Annotated[bool, typer.Option("--anyway", help="Try it even if the game is large.")] = False,
    uncompiled: Uncompiled = False,
    json: Json = False,
) -> int:
    """Prove who wins with best play, by searching the whole game. Ctrl-C stops and shows what is known."""
    from plywise.cli.searching import progress_while_compiling, stop_on_interrupt
    from plywise.core.scores import Kind
    from plywise.search.solve_folder import SolveFolder
    from plywise.search.solving import SolveProgress, Solver

    megabytes = arguments.whole_option("--hash", hash) or 1
    processors = arguments.whole_option("--threads", threads) or 1
    limit = arguments.minutes_option("--minutes", minutes)
    chosen = load(game)
    history = arguments.read_history(chosen, position or ())
    folder = None if resume is None else SolveFolder(Path(resume), history)
    with progress_while_compiling(chosen):
        solver = Solver(chosen, hash=megabytes, threads=processors, compiled=not uncompiled, folder=folder)
    with (
        stop_on_interrupt(solver.stop) as stopped,
        progress_bar("solving", None if limit is None else 60 * limit) as update,
    ):

        def show(report: SolveProgress) -> None:
            known = f"{report.known}; " if report.known else ""
            update(
                f"{known}{report.question}  {large_number(report.nodes)} nodes"
                f"  table {report.full / 10:.0f} %",
                None if limit is None else report.seconds,
            )

        found = solver.solve(
            history, seconds=None if limit is None else 60 * limit, anyway=anyway, progress=show
        )
    if folder is not None:
        folder.close()
    if json:
        print_json(solve_json(found))
    else:
        for line in solve_lines(found):
            print(paragraph(line, hanging="   "))
        if found.kind is not Kind.PROVEN and resume is not None:
            print(f"plywise solve {game} ... --resume {resume} goes on")
    return INTERRUPTED if stopped() and found.kind is not Kind.PROVEN else 0


def solve_json(found: "Solution") -> dict[str, Any]:
    """What was proven, as scripts read it; `winner` is a side's number, None for a draw."""
    return {
        "game": found.history.game.name,
        "position": found.history.text,
        "winner": found.winner,
        "plies": found.plies,
        "move": found.move,
        "kind": str(found.kind),
        "nodes": found.nodes,
        "seconds": round(found.seconds, 3),
        "line": list(found.line),
    }


def solve_lines(found: "Solution") -> list[str]:
    """What was proven, as people read it."""
    game, history = found.history.game, found.history
    outcome = history.outcome
    if outcome is not None:
        return [f"the game is over: {outcome.reason}"]
    work = f"{large_number(found.nodes)} nodes in {found.seconds:.1f} s"
    if found.kind != "proven":
        return [f"not solved: {found.known or 'nothing is proven yet'}", work]
    if found.winner is None:
        value = "a draw with best play (proven)"
    else:
        soon = "" if found.plies is None else f" in {plies_text(found.plies)}"
        value = f"{wins_text(game, found.winner)}{soon} (proven)"
    return [f"{value}; {game.sides[history.turn]} should play {found.move}", work, " ".join(found.line)]
