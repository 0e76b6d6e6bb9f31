"""`plywise learn`: a game teaches itself an evaluation, and a match proves it."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plywise.cli import arguments
from plywise.cli.console import paragraph, progress_bar
from plywise.cli.json_output import print_json
from plywise.core.registry import load

if TYPE_CHECKING:
    from plywise.learn.run import Run

INTERRUPTED = 130
Text = str | None


def _option(name: str, metavar: str, help: str) -> Any:
    return typer.Option(name, metavar=metavar, help=help, show_default=False)


def learn(
    game: Annotated[
        Text, typer.Argument(metavar="GAME", help="A shipped game, or FILE.py[:NAME] for your own.")
    ] = None,
    minutes: Annotated[Text, _option("--minutes", "M", "How long it may take; 30.")] = None,
    hidden: Annotated[Text, _option("--hidden", "N", "The size of the net: 16, 32, ... 128; 32.")] = None,
    form: Annotated[
        Text,
        _option("--form", "FORM", "replacing (the old evaluation), correction (of it) or weights (of it)."),
    ] = None,
    nodes: Annotated[Text, _option("--nodes", "N", "Positions a move in its own games; 1000.")] = None,
    from_net: Annotated[Text, _option("--from", "FILE", "Begin with the games of this net.")] = None,
    teacher: Annotated[
        Text, _option("--teacher", "PLAYER", "Let uci:COMMAND label the positions; nodes=200 each.")
    ] = None,
    workers: Annotated[Text, _option("--workers", "N", "Processors to use; all.")] = None,
    cluster: Annotated[Text, _option("--cluster", "ADDRESS", "Play on a Dask cluster.")] = None,
    seed: Annotated[Text, _option("--seed", "N", "Of all dice; 0.")] = None,
    out: Annotated[Text, _option("--out", "DIR", "The folder of the run; one in the data folder.")] = None,
    resume: Annotated[Text, _option("--resume", "DIR", "Go on with a run.")] = None,
    list_nets: Annotated[bool, typer.Option("--list", help="What has been learned and installed.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Delete the installed net of GAME.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object on one line.")] = False,
) -> int:
    """Let a game teach itself: it plays, fits a net, and installs it if a match proves it stronger."""
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
    run = _resume(resume, given) if resume is not None else _new_run(given)
    stopped = _go(run, arguments.whole_option("--workers", workers), cluster, json)
    result = run.data()
    if json:
        print_json(result)
    else:
        for line in _verdict(run, stopped):
            print(line)
    return INTERRUPTED if stopped else 0


def _new_run(given: dict[str, Text]) -> "Run":
    from plywise.core.endgame_index import data_folder
    from plywise.core.errors import UnknownName
    from plywise.core.net_file import FORMS, WEIGHTS_FORM
    from plywise.learn.run import Run
    from plywise.learn.run_state import Settings

    name = given["GAME"]
    if name is None:
        raise arguments.BadOption("plywise learn wants GAME; `plywise learn --help` shows how")
    form = given["--form"] or "replacing"
    if form not in (*FORMS, WEIGHTS_FORM):
        raise UnknownName("form", form, (*FORMS, WEIGHTS_FORM))
    chosen = load(name)
    out = given["--out"]
    source = given["--from"]
    settings = Settings(
        name if not name.partition(":")[0].endswith(".py") else _absolute(name),
        minutes=_minutes(given["--minutes"]),
        form=form,
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


def _minutes(text: Text) -> float:
    if text is None:
        return 30.0
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 60 * 24 * 30:
        raise arguments.BadOption(f"--minutes wants a number above 0, like 30, not {text!r}")
    return value


def _resume(folder: str, given: dict[str, Text]) -> "Run":
    from plywise.learn.run import Run

    for name, value in given.items():
        if value is not None:
            raise arguments.BadOption(f"--resume takes all of the run from its folder: leave {name} out")
    return Run.resume(Path(folder).resolve())


def _go(run: "Run", workers: int | None, cluster: Text, json: bool) -> bool:
    """Do what is left of a run, with a progress bar; return whether Ctrl-C stopped it."""
    from plywise.arena.cluster import Cluster
    from plywise.arena.executors import Executor, Processes, cpu_count
    from plywise.cli.searching import stop_on_interrupt
    from plywise.learn.batches import ClusterThreads, Threads
    from plywise.learn.run_report import write_report
    from plywise.learn.run_state import Progress

    players: Threads | ClusterThreads = Threads(workers or cpu_count())

    def executor() -> Executor:
        return Processes(workers) if cluster is None else Cluster(cluster)

    if cluster is not None:
        if workers is not None:
            raise arguments.BadOption("--workers is for this machine; a cluster has its own workers")
        players = ClusterThreads(Cluster(cluster).client, cluster)
    title = f"{run.game.title}  "
    with (
        stop_on_interrupt(lambda: None) as stopped,
        progress_bar(title + "getting ready", 1.0) as update,
    ):

        def watch(progress: Progress) -> None:
            left = max(0.0, run.budget - run.seconds)
            update(f"{title}{progress.text}  {left / 60:.0f} min left", min(1.0, progress.share))

        def say(line: str) -> None:
            if not json:
                print(paragraph(line, hanging="  "), flush=True)
            write_report(run)

        run.run(players, executor, watch, say, stopped)
        run.save()
        write_report(run)
        return stopped()


def _verdict(run: "Run", stopped: bool) -> list[str]:
    """What came out, in a few lines."""
    if stopped:
        return [f"stopped; plywise learn --resume {run.folder} goes on"]
    result = run.data()
    if run.accepted and run.settings.form == "weights":
        lines = [f"accepted: these weights are stronger; play with --weights {result['file']}"]
    elif run.accepted:
        lines = [
            f"accepted: {run.game.name} now plays with what it has learned (evaluator learned);"
            f" `plywise learn {run.game.name} --remove` takes it back"
        ]
    else:
        lines = [
            "not accepted: the test did not show that the net is stronger; the old evaluation stays"
            + ("" if result["file"] is None else f", the candidate is {result['file']}")
        ]
    return [*(paragraph(line, hanging="  ") for line in lines), f"kept in {run.folder} (report.html)"]


def _list(game: Text, json: bool) -> int:
    from plywise.learn.installed import installed_nets

    wanted = None if game is None else load(game).name
    found = [(name, page) for name, page in installed_nets() if wanted in (None, name)]
    if json:
        print_json({"nets": [{"game": name, "origin": page.get("origin")} for name, page in found]})
        return 0
    if not found:
        print("nothing has been learned yet; `plywise learn GAME` does it")
    for name, page in found:
        origin = page.get("origin") or {}
        print(
            f"{name}: generation {origin.get('generation')}, {origin.get('games'):,} games,"
            f" {origin.get('positions'):,} positions"
        )
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
