"""`plywise tune`: find the margins of the search for a game."""

import shlex
import time
from pathlib import Path
from typing import Annotated

import typer

from plywise.cli import INTERRUPTED, arguments
from plywise.cli.console import paragraph, progress_bar
from plywise.cli.json_output import print_json
from plywise.cli.match import make_executor
from plywise.cli.option_types import GameName, Json, Text

MINUTES, CONTROL = "60", "cpu=0.02"


def tune(
    game: GameName,
    minutes: Annotated[
        str,
        typer.Option("--minutes", metavar="M", help="How long it may take, all runs of a folder together."),
    ] = MINUTES,
    control: Annotated[
        str,
        typer.Option(
            "--control", metavar="CLOCK", help="Time of the games: cpu=S for each move, or a clock."
        ),
    ] = CONTROL,
    workers: Annotated[
        Text,
        typer.Option("--workers", metavar="N", help="How many processes; by default one for each processor."),
    ] = None,
    cluster: Annotated[
        Text, typer.Option("--cluster", metavar="ADDRESS", help="Play on a Dask cluster.")
    ] = None,
    seed: Annotated[str, typer.Option("--seed", metavar="N", help="Seed of all random choices.")] = "0",
    out: Annotated[
        Text, typer.Option("--out", metavar="FILE", help="Save margins that the test accepts to this file.")
    ] = None,
    resume: Annotated[
        Text, typer.Option("--resume", metavar="DIR", help="Save the run in a folder, and continue from it.")
    ] = None,
    json: Json = False,
) -> int:
    """Tune the search of a game by playing, and test the result. Ctrl-C stops."""
    from plywise.arena.time_control import TimeControl
    from plywise.cli.compiling import Searcher, compile_if_kept
    from plywise.cli.searching import stop_on_interrupt
    from plywise.core.endgame_index import data_folder
    from plywise.core.registry import load
    from plywise.learn.tune import Tuning

    if out is not None and not Path(out).resolve().parent.is_dir():  # better now than after an hour
        raise arguments.BadOption(f"--out {out}: there is no folder {Path(out).resolve().parent}")
    limit = 60 * (arguments.minutes_option("--minutes", minutes) or 1)
    first_seed = arguments.whole_option("--seed", seed, 0) or 0
    clock = TimeControl.parse(control)
    name = load(game).name
    stamp = time.strftime("%Y%m%d-%H%M%S")
    folder = data_folder() / "tuning" / f"{name}-{stamp}" if resume is None else Path(resume)
    executor = make_executor(workers, cluster, (None, None, None))
    tuning = Tuning.open(folder, game, clock, first_seed)
    if cluster is None:
        compile_if_kept([Searcher(game)])
    with stop_on_interrupt(lambda: None) as stopped, progress_bar(f"tuning {name}", limit) as update:
        found = tuning.run(
            limit,
            executor,
            progress=lambda text, seconds: update(f"tuning {name}  {text}", seconds),
            stopped=stopped,
            out=None if out is None else Path(out),
        )
        was_stopped = stopped()
    if json:
        print_json(found.as_dict())
        return INTERRUPTED if was_stopped else 0
    error = "" if found.error is None else f" +- {found.error:.0f}"
    verdict = "accepted by the test" if found.accepted else "not accepted by the test"
    print(
        paragraph(
            f"{name}: {verdict}, {found.elo:+.0f}{error} Elo; {found.games} games, {found.rounds} rounds"
            f" in {found.seconds:.0f} s",
            hanging="  ",
        )
    )
    print(found.file)
    if not found.accepted:
        print(f"{_advice(game, control, seed, folder, limit / 60)} goes on")
    return INTERRUPTED if was_stopped else 0


def _advice(game: str, control: str, seed: str, folder: Path, minutes: float) -> str:
    """The command that goes on, for as long again: a folder belongs to one control and one seed."""
    words = ["plywise", "tune", game, "--resume", str(folder), "--minutes", f"{2 * minutes:g}"]
    words += ["--control", control] if control != CONTROL else []
    words += ["--seed", seed] if seed != "0" else []
    return shlex.join(words)
