"""`plywise learn`: a game teaches itself an evaluation, and a match proves it."""

import shlex
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.cli import INTERRUPTED, arguments
from plywise.cli.console import paragraph, progress_bar
from plywise.cli.json_output import print_json
from plywise.cli.option_types import Json, OptionalGame, Text, option
from plywise.core.cores import usable_cores
from plywise.core.errors import PlywiseError
from plywise.core.registry import load

if TYPE_CHECKING:
    from plywise.arena.executors import Executor
    from plywise.learn.batches import ClusterThreads, Threads
    from plywise.learn.run import Run

MINUTES = 30.0
MORE_MINUTES = 30  # that are advised where a test has not decided in its time


def learn(
    game: OptionalGame = None,
    minutes: Annotated[
        Text,
        option("--minutes", "M", "How long it may take; 30 by default. With --resume: from now on."),
    ] = None,
    hidden: Annotated[
        Text, option("--hidden", "N", "The size of the net: 16, 32, ... 128; 32 by default.")
    ] = None,
    form: Annotated[
        Text,
        option(
            "--form",
            "FORM",
            "correction (added to the game's own evaluation; the default), replacing (the default without"
            " one), patterns (for stones) or weights (of the old one).",
        ),
    ] = None,
    nodes: Annotated[
        Text, option("--nodes", "N", "Positions to search for each move of self-play; 1000 by default.")
    ] = None,
    from_net: Annotated[Text, option("--from", "FILE", "Let this net play the first games.")] = None,
    teacher: Annotated[
        Text,
        option("--teacher", "PLAYER", "Another engine that scores the positions: uci:COMMAND,nodes=200."),
    ] = None,
    workers: Annotated[Text, option("--workers", "N", "Processors to use; all by default.")] = None,
    cluster: Annotated[Text, option("--cluster", "ADDRESS", "Play on a Dask cluster.")] = None,
    seed: Annotated[Text, option("--seed", "N", "Seed of all random choices; 0 by default.")] = None,
    out: Annotated[
        Text, option("--out", "DIR", "The folder of the run; by default a new one in the data folder.")
    ] = None,
    resume: Annotated[Text, option("--resume", "DIR", "Continue a run.")] = None,
    list_nets: Annotated[
        bool, typer.Option("--list", help="List what has been learned and installed.")
    ] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Delete the installed net of GAME.")] = False,
    json: Json = False,
) -> int:
    """Let Plywise learn a game by playing itself. A net is installed only if a match proves it stronger."""
    if list_nets:
        return _list(game, json)
    if remove:
        return _remove(game, json)
    given = {
        "GAME": game,
        "--minutes": minutes,
        "--hidden": hidden,
        "--form": form,
        "--nodes": nodes,
        "--from": from_net,
        "--teacher": teacher,
        "--seed": seed,
        "--out": out,
    }
    from plywise.learn.run_state import BadRun, RunIsBusy

    players, executor = _players(arguments.worker_count(workers), cluster)
    run = _resume(resume, given) if resume is not None else _new_run(given)
    try:
        stopped = _go(run, players, executor, json)
    except RunIsBusy:
        raise
    except (PlywiseError, OSError) as error:
        text = f"{run.folder}: {error.strerror}" if isinstance(error, OSError) else str(error)
        if run.discard_empty():
            raise BadRun(text) from None
        again = f"`plywise learn --resume {shlex.quote(str(run.folder))}`"
        raise BadRun(f"{text}; what is finished is kept, and {again} goes on") from None
    result = run.data()
    if json:
        print_json(result)
    else:
        for line in verdict(run, stopped):
            print(line)
    return INTERRUPTED if stopped else 0


def _new_run(given: dict[str, Text]) -> "Run":
    from plywise.core.endgame_index import data_folder
    from plywise.core.errors import UnknownName
    from plywise.core.net_file import FORMS, WEIGHTS_FORM
    from plywise.learn.run import Run
    from plywise.learn.run_state import Settings
    from plywise.learn.shapes import usual_form

    name = given["GAME"]
    if name is None:
        raise arguments.BadOption("plywise learn wants GAME; `plywise learn --help` shows how")
    form = given["--form"]
    if form is not None and form not in (*FORMS, WEIGHTS_FORM):
        raise UnknownName("form", form, (*FORMS, WEIGHTS_FORM))
    chosen = load(name)
    out = given["--out"]
    source = given["--from"]
    settings = Settings(
        name if not name.partition(":")[0].endswith(".py") else _absolute(name),
        minutes=arguments.minutes_option("--minutes", given["--minutes"]) or MINUTES,
        form=form or usual_form(chosen),
        hidden=arguments.whole_option("--hidden", given["--hidden"]) or 32,
        nodes=arguments.whole_option("--nodes", given["--nodes"]) or 1000,
        seed=arguments.whole_option("--seed", given["--seed"], 0) or 0,
        teacher=given["--teacher"],
        from_net=None if source is None else str(Path(source).resolve()),
    )
    if out is not None:
        return Run.create(Path(out).resolve(), settings)
    stamp = time.strftime("%Y%m%d-%H%M%S")
    return Run.create(data_folder() / "learning" / f"{chosen.name}-{stamp}", settings)


def _absolute(name: str) -> str:
    """FILE.py[:NAME] with the whole path: a run can be resumed from any folder."""
    path, end, rest = name.partition(".py")
    return str(Path(path + end).resolve()) + rest


def _resume(folder: str, given: dict[str, Text]) -> "Run":
    from plywise.learn.run import Run

    more = arguments.minutes_option("--minutes", given["--minutes"])
    for name, value in given.items():
        if value is not None and name != "--minutes":
            raise arguments.BadOption(f"--resume takes all of the run from its folder: leave {name} out")
    run = Run.resume(Path(folder).resolve())
    if more is not None:
        run.extend(more)
    return run


def _players(workers: int | None, cluster: Text) -> "tuple[Threads | ClusterThreads, Callable[[], Executor]]":
    """Who plays the games, and who the matches."""
    from plywise.arena.cluster import Cluster
    from plywise.arena.executors import Processes
    from plywise.learn.batches import ClusterThreads, Threads

    if cluster is None:
        return Threads(workers or usable_cores()), lambda: Processes(workers)
    if workers is not None:
        raise arguments.BadOption("--workers is for this machine; a cluster has its own workers")
    return ClusterThreads(Cluster(cluster).client, cluster), lambda: Cluster(cluster)


def _go(
    run: "Run", players: "Threads | ClusterThreads", executor: "Callable[[], Executor]", json: bool
) -> bool:
    """Do what is left of a run, with a progress bar; return whether Ctrl-C stopped it."""
    from plywise.cli.searching import stop_on_interrupt
    from plywise.learn.run_report import write_report
    from plywise.learn.run_state import RunProgress

    title = f"{run.game.title}  "
    with (
        stop_on_interrupt(lambda: None) as stopped,
        progress_bar(title + "getting ready", 1.0) as update,
    ):

        def watch(progress: RunProgress) -> None:
            update(f"{title}{time_left(run)}  {progress.text}", min(1.0, progress.share))

        def say(line: str) -> None:
            if not json:
                print(paragraph(line, hanging="  "), flush=True)
            write_report(run)

        run.run(players, executor, watch, say, stopped)
        run.save()
        write_report(run)
        return stopped()


def time_left(run: "Run") -> str:
    """How long a run will take from now on, about."""
    left = run.seconds_left
    if left < 1:
        return "soon done"
    return f"{left:.0f} s left" if left < 100 else f"{left / 60:.0f} min left"


def verdict(run: "Run", stopped: bool) -> list[str]:
    """What came out, in a few lines."""
    if stopped:
        return [f"stopped; plywise learn --resume {run.folder} goes on"]
    result = run.data()
    if run.accepted and run.settings.form == "weights":
        lines = [f"accepted: these weights are stronger; play with --weights {result['file']}"]
    elif run.accepted:
        lines = [
            f"accepted: {run.game.name} now plays with what it has learned (evaluator learned);"
            f" `plywise learn {shlex.quote(run.settings.game)} --remove` takes it back"
        ]
    else:
        lines = [
            f"not accepted: {why_not(run)}; the old evaluation stays"
            + ("" if result["file"] is None else f", the candidate is {result['file']}")
        ]
        if _is_undecided(run):
            words = f"plywise learn --resume {shlex.quote(str(run.folder))} --minutes {MORE_MINUTES}"
            lines.append(f"`{words}` goes on with the test")
    return [*(paragraph(line, hanging="  ") for line in lines), f"kept in {run.folder} (report.html)"]


def why_not(run: "Run") -> str:
    """Why what was learned is not accepted."""
    from plywise.arena.sprt import Verdict

    if run.proof is None:
        # A run that begins with a net is measured by that one.
        rival = "the net of --from" if run.settings.from_net else "what the game plays with now"
        return f"the net lost to {rival}"
    if run.proof["verdict"] == Verdict.NOT_STRONGER:
        return "the test shows that the net is not stronger"
    return "the test did not show in its time that the net is stronger"


def _is_undecided(run: "Run") -> bool:
    """Whether the time ended before the proof did."""
    from plywise.arena.sprt import Verdict

    return run.proof is not None and run.proof["verdict"] == Verdict.OPEN


def _list(game: Text, json: bool) -> int:
    from plywise.learn.installed import describe_net, installed_nets

    wanted = None if game is None else load(game).name
    found = [(name, origin) for name, origin in installed_nets() if wanted in (None, name)]
    if json:
        print_json({"nets": [{"game": name, "origin": origin} for name, origin in found]})
        return 0
    if not found:
        print("nothing has been learned yet; `plywise learn GAME` does it")
    for name, origin in found:
        print(paragraph(describe_net(name, origin), hanging="  "))
    return 0


def _remove(game: Text, json: bool) -> int:
    from plywise.core.net_file import NoNet, installed_path

    if game is None:
        raise arguments.BadOption("--remove wants GAME: plywise learn GAME --remove")
    chosen = load(game)
    path = installed_path(chosen)
    try:
        path.unlink()
    except FileNotFoundError:
        raise NoNet(
            f"{chosen.name} has no installed net; `plywise learn --list` shows those there are"
        ) from None
    if json:
        print_json({"game": chosen.name, "removed": str(path)})
    else:
        print(f"{chosen.name} plays with its own evaluation again")
    return 0
