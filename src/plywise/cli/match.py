"""`plywise match`: many games between players, and how strong they are."""

import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plywise.cli import INTERRUPTED, arguments
from plywise.cli.console import paragraph, progress_bar
from plywise.cli.errors import print_error
from plywise.cli.json_output import print_json
from plywise.cli.option_types import Json, OptionalGame, Text, option
from plywise.core.errors import PlywiseError
from plywise.core.untrusted import visible

if TYPE_CHECKING:
    from plywise.arena.executors import Executor
    from plywise.arena.journal import Journal
    from plywise.arena.match import Match
    from plywise.arena.sprt import Sprt

NOT_FOR_AGENTS = (
    *("--opening-plies", "--control", "--time", "--nodes", "--depth", "--margin", "--patience"),
    *("--call-win", "--call-draw"),
)
LABORATORY_NODES = 20_000  # positions a move of a player who has no limit of its own
TEXTBOOK_SEATS = ["alphabeta,depth=3,name=alphabeta", "greedy,name=greedy", "random,name=random"]


def match(
    game: OptionalGame = None,
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PLAYER...",
            help="plywise:level=5,evaluator=NAME,... or uci:COMMAND,... or xboard:COMMAND,... or @FILE;"
            " none: the game's own players (else textbook players), and the search.",
        ),
    ] = None,
    pairs: Annotated[
        Text, option("--pairs", "N", "Pairs of games that two players play; 10 by default.")
    ] = None,
    gauntlet: Annotated[
        bool, typer.Option("--gauntlet", help="Let only the first player meet the others.")
    ] = False,
    openings: Annotated[
        Text, option("--openings", "SOURCE", "A file, start, starts (those with names) or random:PLIES.")
    ] = None,
    opening_plies: Annotated[
        Text, option("--opening-plies", "N", "Use at most N plies of each opening.")
    ] = None,
    control: Annotated[
        Text, option("--control", "CLOCK", "MOVES/SECONDS+INCREMENT, like 10+0.1, or cpu=S a move.")
    ] = None,
    seconds: Annotated[Text, option("--time", "S", "Seconds a move; 0.1 if no limit is given.")] = None,
    nodes: Annotated[Text, option("--nodes", "N", "Positions to search for each move.")] = None,
    depth: Annotated[Text, option("--depth", "N", "Turns to look ahead.")] = None,
    margin: Annotated[Text, option("--margin", "S", "How late a move may come; 0.2 by default.")] = None,
    patience: Annotated[
        Text, option("--patience", "S", "How long to wait for an engine without a clock; 60 by default.")
    ] = None,
    call_win: Annotated[
        Text,
        option(
            "--call-win",
            "MOVES,SCORE",
            "End a game as won if both agree on SCORE for MOVES moves, like 4,900.",
        ),
    ] = None,
    call_draw: Annotated[
        Text,
        option(
            "--call-draw",
            "FROM,MOVES,SCORE",
            "End a game as drawn if from move FROM on both stay within SCORE for MOVES moves, like 40,8,10.",
        ),
    ] = None,
    longest: Annotated[
        Text, option("--longest", "PLIES", "A longer game is a draw; 1000 by default.")
    ] = None,
    sprt: Annotated[
        Text, option("--sprt", "ELO0,ELO1", "Sequential test: play until one of the two is accepted.")
    ] = None,
    logistic: Annotated[
        bool, typer.Option("--logistic", help="Use logistic Elo for --sprt, not normalised Elo.")
    ] = False,
    alpha: Annotated[
        Text, option("--alpha", "P", "How often ELO1 may be accepted wrongly; 0.05 by default.")
    ] = None,
    beta: Annotated[
        Text, option("--beta", "P", "How often ELO0 may be accepted wrongly; 0.05 by default.")
    ] = None,
    anchor: Annotated[
        Text,
        option("--anchor", "NAME[=ELO]", "The player whose rating is fixed; by default the first, at 0."),
    ] = None,
    seed: Annotated[Text, option("--seed", "N", "Seed of all random choices; 0 by default.")] = None,
    opponents: Annotated[
        Text, option("--opponents", "NAME", "The opponent of agents that play one side only.")
    ] = None,
    file: Annotated[Text, option("--file", "FILE", "Save the match to this file, pair by pair.")] = None,
    resume: Annotated[Text, option("--resume", "FILE|last", "Continue a match.")] = None,
    records: Annotated[
        Text,
        option("--records", "FILE", "Write the games to a file: PGN, PDN or text, depending on the game."),
    ] = None,
    workers: Annotated[
        Text, option("--workers", "N", "How many processes; by default one for each processor.")
    ] = None,
    cluster: Annotated[Text, option("--cluster", "ADDRESS", "Play on a Dask cluster.")] = None,
    tls_ca: Annotated[Text, option("--tls-ca", "FILE", "The certificate authority of the cluster.")] = None,
    tls_cert: Annotated[Text, option("--tls-cert", "FILE", "Your certificate for the cluster.")] = None,
    tls_key: Annotated[Text, option("--tls-key", "FILE", "The key of your certificate.")] = None,
    json: Json = False,
) -> int:
    """Play many games: who is stronger, and how sure that is. Ctrl-C stops."""
    from plywise.arena import report
    from plywise.arena.export import GameWriter
    from plywise.arena.match import create_journal
    from plywise.cli.compiling import compile_for_match

    options = {
        "--openings": openings,
        "--opening-plies": opening_plies,
        "--control": control,
        "--time": seconds,
        "--nodes": nodes,
        "--depth": depth,
        "--margin": margin,
        "--patience": patience,
        "--call-win": call_win,
        "--call-draw": call_draw,
        "--longest": longest,
        "--sprt": sprt,
        "--alpha": alpha,
        "--beta": beta,
        "--seed": seed,
        "--opponents": opponents,
        "--file": file,
        "--gauntlet": gauntlet or None,
        "--logistic": logistic or None,
    }
    pair_count = arguments.whole_option("--pairs", pairs)
    with ExitStack() as stack:
        journal: Journal | None = None
        if resume is not None:
            given = ["GAME"] * (game is not None) + [name for name in options if options[name] is not None]
            if given:
                raise arguments.BadOption(
                    f"--resume takes all of the match from the file: leave {given[0]} out"
                )
            chosen, journal = _resume_match(resume, pair_count)
            stack.callback(journal.close)
        elif game is not None:
            chosen = _new_match(game, players or [], pair_count, options)
        else:
            raise arguments.BadOption(
                "plywise match wants GAME and PLAYERs; `plywise match --help` shows how"
            )
        # All errors are found before anything is written or played.
        anchored = report.parse_anchor(chosen, anchor)
        _warn_of_repeats(chosen)
        executor = make_executor(workers, cluster, (tls_ca, tls_cert, tls_key))
        if journal is None:
            _try_players(chosen, executor)
        compile_for_match(chosen, executor)
        writer = None
        if records is not None:
            writer = stack.enter_context(GameWriter(chosen, Path(records), again=journal is not None))
        if journal is None:
            try:
                journal = create_journal(chosen, _journal_path(chosen) if file is None else Path(file))
            except PlywiseError:
                if records is not None:
                    Path(records).unlink()  # we have just created it, and it is empty
                raise
            stack.callback(journal.close)
        elif writer is not None:
            writer.write_all(journal)
        stopped = _play(chosen, executor, journal, writer)
    if json:
        print_json({**report.data(chosen, anchored), "file": str(journal.path), "stopped": stopped})
        return INTERRUPTED if stopped else 0
    for line in report.lines(chosen, anchored):
        print(visible(line) if line[:1] == " " or "  " in line else paragraph(line, hanging="  "))
    print()
    more = f"; plywise match --resume {journal.path} goes on" if stopped else ""
    print(visible(f"kept in {journal.path}{more}"))  # one line: a path that is broken cannot be copied
    return INTERRUPTED if stopped else 0


def _warn_of_repeats(match: "Match") -> None:
    if match.repeats:
        print_error(
            f"warning: openings: {len(match.openings)}, pairs: {match.pairs or 'any number'}; these players"
            " have neither dice nor clocks, so the same games will be counted again"
        )


def _new_match(game: str, players: list[str], pairs: int | None, options: dict[str, Any]) -> "Match":
    """The match that the command line describes."""
    from plywise.arena.adjudication import AdjudicationRules
    from plywise.arena.match import Match
    from plywise.arena.setup import PATIENCE
    from plywise.arena.time_control import DEFAULT_MOVE_TIME, MARGIN, TimeControl

    _refuse_options_without_effect(game, options)
    clock = TimeControl() if options["--control"] is None else TimeControl.parse(options["--control"])
    limits = (
        arguments.seconds("--time", options["--time"]),
        arguments.whole_option("--nodes", options["--nodes"]),
        arguments.whole_option("--depth", options["--depth"]),
    )
    if clock.base is None and clock.cpu is None and limits == (None, None, None):
        limits = (DEFAULT_MOVE_TIME, None, None)
    if not players:
        players = laboratory(game)
        if clock.base is None and limits == (DEFAULT_MOVE_TIME, None, None):
            limits = (None, LABORATORY_NODES, None)  # a clock would play other games each time
    return Match.of(
        game,
        players,
        openings_from=options["--openings"],
        plies=arguments.whole_option("--opening-plies", options["--opening-plies"], 0),
        pairs=pairs,
        gauntlet=bool(options["--gauntlet"]),
        seed=arguments.whole_option("--seed", options["--seed"], 0) or 0,
        sprt=_sprt(options),
        control=TimeControl(clock.base, clock.increment, clock.moves, *limits, clock.cpu),
        rules=AdjudicationRules.parse(
            options["--call-win"],
            options["--call-draw"],
            arguments.whole_option("--longest", options["--longest"]),
        ),
        margin=0.0
        if options["--margin"] == "0"
        else arguments.seconds("--margin", options["--margin"]) or MARGIN,
        patience=arguments.seconds("--patience", options["--patience"]) or PATIENCE,
        opponents=options["--opponents"] or "",
    )


def _refuse_options_without_effect(game: str, options: dict[str, Any]) -> None:
    """Agents have neither clocks nor limits nor scores; players of other games have no named opponents."""
    from plywise.agents import agents_of
    from plywise.core.registry import load

    chosen = load(game)
    if agents_of(chosen) is None:
        if options["--opponents"] is not None:
            raise arguments.BadOption(f"--opponents is for games that agents play; {chosen.name} is none")
        return
    for name in NOT_FOR_AGENTS:
        if options[name] is not None:
            raise arguments.BadOption(
                f"{name} has no effect in {chosen.name}: its agents have neither clocks nor limits nor scores"
            )


def laboratory(name: str) -> list[str]:
    """All players of a game by name, or the textbook players where it has none; and the search itself."""
    from plywise.core.registry import load

    presets = list(load(name).presets)
    seats = [f"{preset},name={preset}" for preset in presets] or TEXTBOOK_SEATS
    return [*(f"plywise:{seat}" for seat in seats), "plywise"]


def _sprt(options: dict[str, Any]) -> "Sprt | None":
    from plywise.arena.sprt import Model, Sprt

    if options["--sprt"] is None:
        for name in ("--alpha", "--beta", "--logistic"):
            if options[name] is not None:
                raise arguments.BadOption(f"{name} belongs to --sprt ELO0,ELO1")
        return None
    try:
        elo0, elo1 = (float(word) for word in options["--sprt"].split(","))
        alpha, beta = (float(options[name] or 0.05) for name in ("--alpha", "--beta"))
    except ValueError:
        raise arguments.BadOption(
            "--sprt wants two numbers like 0,5 (and --alpha, --beta one like 0.05),"
            f" not {options['--sprt']!r}"
        ) from None
    return Sprt(elo0, elo1, alpha, beta, Model.LOGISTIC if options["--logistic"] else Model.NORMALISED)


def _resume_match(path: str, pairs: int | None) -> "tuple[Match, Journal]":
    from plywise.arena.journal import Journal
    from plywise.arena.match import Match

    journal = Journal.resume(_newest_journal() if path == "last" else Path(path))
    match = Match.resume(journal, pairs)
    if journal.damaged:
        print_error(f"warning: {path}: damaged lines: {journal.damaged}; their pairs are played again")
    return match, journal


def _newest_journal() -> Path:
    from plywise.core.endgame_index import data_folder

    found = sorted((data_folder() / "matches").glob("*.match"), key=lambda path: path.stat().st_mtime)
    if not found:
        raise arguments.BadOption(f"--resume last: no match is kept in {data_folder() / 'matches'}")
    return found[-1]


def _journal_path(match: "Match") -> Path:
    """The default file of a match: in the data folder, under an unused name."""
    from plywise.core.endgame_index import data_folder

    stamp = time.strftime("%Y%m%d-%H%M%S")
    places = (
        data_folder() / "matches" / f"{match.game.name}-{stamp}{more}.match" for more in ("", *"bcdefghij")
    )
    return next(place for place in places if not place.exists())


def make_executor(workers: Text, cluster: Text, tls: tuple[Text, Text, Text]) -> "Executor":
    """Where games are played: processes on this machine, or a cluster."""
    from plywise.arena.executors import Processes

    if cluster is None:
        if any(tls):
            raise arguments.BadOption("--tls-ca, --tls-cert and --tls-key belong to --cluster ADDRESS")
        return Processes(arguments.worker_count(workers))
    if workers is not None:
        raise arguments.BadOption("--workers is for this machine; a cluster has its own workers")
    import logging

    from plywise.arena.cluster import Cluster

    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # we print one line about what matters
    return Cluster(cluster, *tls)


def _try_players(match: "Match", executor: "Executor") -> None:
    """Start each external engine once, and warn of those that fail: they will lose their games."""
    from plywise.arena.external import try_engine

    for spec in match.setup.players:
        if spec.kind != "plywise":
            failure = executor.call(try_engine, match.setup.game, spec, match.setup)
            if failure is not None:
                print_error(f"warning: player {spec.text!r}: {failure}; its games will be lost so")


def _play(match: "Match", executor: "Executor", journal: "Journal", writer: Any) -> bool:
    """Play the remaining pairs, with a progress bar; return whether Ctrl-C stopped it."""
    from plywise.arena import report
    from plywise.arena.schedule import PairResult
    from plywise.cli.searching import stop_on_interrupt

    title = f"{match.game.title}  "
    with (
        stop_on_interrupt(lambda: None) as stopped,
        progress_bar(title + report.progress_line(match), match.total) as update,
    ):
        update(title + report.progress_line(match), len(match.tally.done))

        def watch(finished: PairResult) -> None:
            update(title + report.progress_line(match), len(match.tally.done))
            if writer is not None:
                writer.write(finished)

        match.run(executor, journal, watch=watch, stopped=stopped)
        return stopped()
