"""The commands that search or count: `perft`, `analyse`, `explain` and `evaluate`, with their options."""

from typing import Annotated, Any

import typer

from plywise.cli import INTERRUPTED, arguments, console
from plywise.cli.json_output import (
    analyse_json,
    answer_lines,
    input_lines,
    perft_json,
    print_json,
)
from plywise.cli.option_types import (
    Depth,
    Evaluator,
    GameName,
    Hash,
    Json,
    Nodes,
    Position,
    Seconds,
    Threads,
    Uncompiled,
    WeightsFile,
)
from plywise.core.game import Game
from plywise.core.registry import load
from plywise.core.wording import count_text, large_number


def _evaluator(game: Game, name: str, weights: str | None) -> str:
    """The evaluation asked for; without a name, the usual one of the game, or that of the weights."""
    return name or ("default" if weights is not None else game.usual_evaluator)


def perft(
    game: GameName,
    depth: Annotated[str, typer.Argument(metavar="DEPTH", help="How many moves deep.")],
    position: Position = None,
    divide: Annotated[bool, typer.Option("--divide", help="Show the count after each first move.")] = False,
    uncompiled: Uncompiled = False,
    json: Json = False,
) -> None:
    """Count all ways to play DEPTH moves: a check of the rules."""
    from plywise.cli.searching import count_paths, make_counter
    from plywise.core.history import History
    from plywise.search.thread_state import MAX_PLY

    plies = arguments.whole_option("DEPTH", depth, 0) or 0
    if plies > MAX_PLY:
        raise arguments.BadOption(f"DEPTH goes up to {MAX_PLY}, not {plies}")
    chosen = load(game)
    batch = arguments.is_batch(position or ())
    history = None if batch else arguments.read_history(chosen, position or ())
    counter = make_counter(chosen, not uncompiled)

    def answer(history: History) -> dict[str, Any]:
        return perft_json(history, plies, *count_paths(counter, history, plies))

    if history is None:
        answer_lines(chosen, input_lines(), answer)
        return
    result = answer(history)
    if json:
        print_json(result)
        return
    if divide:
        for move, below in result["divide"].items():
            print(f"{move}: {below:,}")
    took = result["seconds"]
    speed = f", {large_number(result['nodes'] / took)} a second" if took > 0.001 else ""
    total = f"{count_text(result['nodes'], 'path')} of depth {plies} in {took:.2f} s{speed}"
    print(console.paragraph(total, hanging="  "))


def analyse(
    game: GameName,
    position: Position = None,
    depth: Depth = None,
    nodes: Nodes = None,
    time: Seconds = None,
    mate: Annotated[
        str | None, typer.Option("--mate", metavar="N", help="Only look for a win in at most N moves.")
    ] = None,
    lines: Annotated[str, typer.Option("--lines", metavar="N", help="Show the N best moves.")] = "1",
    threads: Threads = "1",
    hash: Hash = "64",
    player: Annotated[
        str,
        typer.Option(
            "--player",
            metavar="NAME",
            help="default, minimax, alphabeta, sorted, greedy or random.",
            show_default=False,
        ),
    ] = "default",
    evaluator: Evaluator = "",
    weights: WeightsFile = None,
    without: Annotated[
        list[str] | None,
        typer.Option(
            "--without",
            metavar="NAME",
            help="Switch off a part of the search (repeatable); `unsound` is all risky pruning.",
        ),
    ] = None,
    uncompiled: Uncompiled = False,
    json: Json = False,
) -> int:
    """The best move, and why. Ctrl-C stops and shows what is known."""
    from plywise.cli.searching import make_engine, result_lines, search
    from plywise.core.history import History
    from plywise.search.limits import Limits

    limits = Limits(
        arguments.whole_option("--depth", depth),
        arguments.whole_option("--nodes", nodes),
        arguments.seconds("--time", time),
        mate=arguments.whole_option("--mate", mate),
    )
    if limits == Limits() and player not in ("greedy", "random"):
        limits = Limits(time=1.0)
    line_count = arguments.whole_option("--lines", lines) or 1
    options = {
        "hash": arguments.whole_option("--hash", hash),
        "threads": arguments.whole_option("--threads", threads),
        "without": without or (),
        "weights": weights,
        "player": player,
        "compiled": not uncompiled,
    }
    chosen = load(game)
    batch = arguments.is_batch(position or ())
    history = None if batch else arguments.read_history(chosen, position or ())
    engine = make_engine(chosen, _evaluator(chosen, evaluator, weights), **options)

    def answer(history: History) -> dict[str, Any]:
        engine.clear()  # an answer must not depend on the lines before it
        result, stopped = search(engine, history, limits, line_count)
        if stopped:
            print_json(analyse_json(history, result))
            raise KeyboardInterrupt
        return analyse_json(history, result)

    if history is None:
        answer_lines(chosen, input_lines(), answer)
        return 0
    result, stopped = search(engine, history, limits, line_count)
    if json:
        print_json(analyse_json(history, result))
    else:
        from plywise.cli.terminal.board import print_headline, print_position

        print_headline(history)
        print_position(history)
        for text in result_lines(history, result):
            print(console.paragraph(text, hanging="   "))
    return INTERRUPTED if stopped else 0


def explain(
    game: GameName,
    position: Position = None,
    move: Annotated[
        str | None, typer.Option("--move", metavar="M", help="Explain why this move was not chosen.")
    ] = None,
    depth: Depth = None,
    nodes: Nodes = None,
    time: Seconds = None,
    evaluator: Evaluator = "",
    weights: WeightsFile = None,
    hash: Hash = "64",
    most: Annotated[
        str,
        typer.Option(
            "--most", metavar="N", help="How many nodes to record; a million by default.", show_default=False
        ),
    ] = "1000000",
    record: Annotated[
        str | None, typer.Option("--record", metavar="FILE", help="Save the recorded search to a file.")
    ] = None,
    uncompiled: Uncompiled = False,
    json: Json = False,
) -> int:
    """Explain in words why a move was chosen, and why not another one."""
    from plywise.cli.explain import explain_lines, explain_position
    from plywise.search.limits import Limits

    limits = Limits(
        arguments.whole_option("--depth", depth),
        arguments.whole_option("--nodes", nodes),
        arguments.seconds("--time", time),
    )
    options = {
        "hash": arguments.whole_option("--hash", hash),
        "record": arguments.whole_option("--most", most),
        "weights": weights,
        "compiled": not uncompiled,
    }
    chosen = load(game)
    evaluator = _evaluator(chosen, evaluator, weights)
    if arguments.is_batch(position or ()):
        if record is not None:
            raise arguments.BadOption("--record keeps one search; give one position, not `-`")
        explain_lines(chosen, limits, move, evaluator, **options)
        return 0
    return explain_position(
        arguments.read_history(chosen, position or ()), limits, move, record, json, evaluator, **options
    )


def evaluate(
    game: GameName,
    position: Position = None,
    evaluator: Evaluator = "",
    weights: WeightsFile = None,
    json: Json = False,
) -> None:
    """The evaluation of a position without a search, term by term."""
    from plywise.cli.explain import evaluate_json, print_evaluation

    chosen = load(game)
    evaluator = _evaluator(chosen, evaluator, weights)
    if arguments.is_batch(position or ()):
        answer_lines(chosen, input_lines(), lambda history: evaluate_json(history, evaluator, weights))
        return
    history = arguments.read_history(chosen, position or ())
    if json:
        print_json(evaluate_json(history, evaluator, weights))
    else:
        print_evaluation(history, evaluator, weights)
