"""`bench`, `check`, `endgames` and `compile`: commands that measure, check and prepare games."""

import sys
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from plywise.cli.compiling import Searcher, compile_missing
from plywise.cli.console import bytes_text, is_terminal, paragraph, progress_bar
from plywise.cli.json_output import bench_json, print_json
from plywise.cli.searching import make_engine, progress_while_compiling, stop_on_interrupt
from plywise.core import cache_folder
from plywise.core.errors import PlywiseError
from plywise.core.game import LEARNED, Game
from plywise.core.registry import load, shipped
from plywise.core.wording import count_text, large_number
from plywise.search.engine import Engine
from plywise.search.limits import Limits
from plywise.search.specialisation import Specialisation, perft_counter

if TYPE_CHECKING:
    from plywise.check.finding import Finding

BENCH_HASH = 64  # megabytes: a part of the signature


def bench(name: str | None, json: bool) -> None:
    """Search the bench positions of each game: one thread, the table empty before each."""
    chosen = [load(each) for each in ([name] if name else shipped())]
    results = {}
    for game in chosen:
        nodes, took = _bench_game(game)
        results[game.name] = bench_json(game.name, nodes, took)
        if not json:
            speed = f"{large_number(results[game.name]['nps'])} a second"
            print(paragraph(f"{game.name}: {nodes} nodes in {took:.2f} s, {speed}", hanging="  "), flush=True)
    if name:
        if json:
            print_json(results[chosen[0].name])
        return
    all_nodes = sum(result["nodes"] for result in results.values())
    all_time = sum(result["seconds"] for result in results.values())
    if json:
        print_json({**bench_json("all", all_nodes, all_time), "games": results})
    else:
        print(f"signature: {all_nodes}")


def _bench_game(game: Game) -> tuple[int, float]:
    engine = make_engine(game, hash=BENCH_HASH)
    nodes, took = 0, 0.0
    searches = game.bench_searches
    with progress_bar(f"bench {game.name}", len(searches)) as update:
        for done, (text, limit) in enumerate(searches):
            update(f"bench {game.name}  {text}", done)
            engine.clear()
            with stop_on_interrupt(engine.stop) as stopped:
                result = engine.search(game.history(text), Limits(**limit))
            if stopped():
                raise KeyboardInterrupt
            nodes, took = nodes + result.nodes, took + result.seconds
    return nodes, took


def check(source: str, json: bool) -> int:
    """Check a game; return 1 if it breaks a rule of the contract. Advice is no failure."""
    from plywise.check.child import check_in_child

    findings: list[Finding] = []
    games: dict[str, Any] = {}
    name = source
    with progress_bar(f"checking {source}") as update:

        def call(own_name: str) -> None:
            nonlocal name
            name = own_name

        def show(seen: dict[str, Any]) -> None:
            games.update(seen)
            words = games.pop("words")
            if not json:
                print(paragraph(words, hanging="  "), flush=True)

        def step(text: str) -> None:
            update(f"{name}: {text}", None)

        for finding in check_in_child(source, name=call, step=step, games=show):
            findings.append(finding)
            if not json:
                print(f"{'advice: ' if finding.advice else ''}{finding}", flush=True)
    failures = [finding for finding in findings if not finding.advice]
    if json:
        answer = {"game": name, "findings": [asdict(finding) for finding in findings]}
        print_json({**answer, "random_games": games or None})
    elif failures:
        print(f"{name}: {count_text(len(failures), 'finding')}")
    else:
        print(f"{name} keeps the contract{'; think about the advice' if findings else ''}")
    return 1 if failures else 0


def solve_endgames(game: Game, pieces: int, threads: int | None, json: bool) -> None:
    """Build the endgame database of a game, unless it is there already."""
    from plywise.endgames import BuildProgress, build

    started = time.perf_counter()
    with progress_bar(f"solving {game.name}", 1.0) as update:

        def progress(report: BuildProgress) -> None:
            update(f"solving {game.name}  {report.name}", report.done / max(1, report.total))

        path = build(game, pieces, progress=progress, threads=threads)
    size, took = path.stat().st_size, time.perf_counter() - started
    if json:
        answer = {"game": game.name, "pieces": pieces, "file": str(path), "bytes": size}
        print_json({**answer, "seconds": round(took, 3)})
    else:
        print(f"{path}\n{bytes_text(size)}, all endings of up to {pieces} pieces, in {took:.1f} s")


def fill_compile_cache(chosen: dict[str, Game], json: bool = False) -> None:
    """Compile the search of each game, by its source, with each evaluation, and perft; say what there is."""
    work = [
        (source, name)
        for source, game in chosen.items()
        if game.compiled
        for name in [*_own_evaluators(game), None]
    ]
    searchers = [Searcher(source, name) for source, name in work if name is not None]
    missing = sum(not each.is_cached for each in searchers)
    problem = cache_folder.find_problem() if missing else None
    if problem is not None:
        raise PlywiseError(cache_folder.unusable_text(problem))
    if missing > 1 and not json and not is_terminal(sys.stderr):  # where no bar is shown
        print(f"compiling {missing} searches, some seconds each", file=sys.stderr, flush=True)
    # One is compiled here, where it is needed to say how big it is.
    spent = compile_missing(searchers) if missing > 1 else {}
    answers = []
    for source, game in chosen.items():
        started = time.perf_counter()
        natives = [
            specialisation.native
            for specialisation in (_specialisation(game, name) for owner, name in work if owner == source)
            if specialisation.compiled
        ]
        before = [seconds for searcher, seconds in spent.items() if searcher.source == source]
        answer = {
            "game": game.name,
            "specialisations": len(natives),
            "compiled": len(before) + sum(not native.cached for native in natives),
            "seconds": round(sum(before) + time.perf_counter() - started, 3),
            "bytes": sum(native.bytes for native in natives),
            "prebuilt": sum(native.prebuilt for native in natives),
        }
        answers.append(answer)
        if not json:
            print(_compiled_text(answer) if game.compiled else _plain_text(game), flush=True)
    if json:
        print_json({**_cache_json(), "games": answers})
    elif work:
        _print_summary(_cache_json(), answers)


def _own_evaluators(game: Game) -> list[str]:
    """The evaluations that the game brings, and `learned` if there is a net."""
    return [name for name in game.evaluators if name in game.evaluations or name == LEARNED]


def _print_summary(cache: dict[str, Any], answers: list[dict[str, Any]]) -> None:
    """What came with the package, and what was compiled here."""
    prebuilt, all_ = (sum(answer[key] for answer in answers) for key in ("prebuilt", "specialisations"))
    if prebuilt:
        print(paragraph(f"{prebuilt} of {all_} came with Plywise, compiled for {cache['prebuilt_for']}"))
    if prebuilt < all_:
        files = f"{count_text(cache['files'], 'file')}, {bytes_text(cache['bytes'])}"
        print(paragraph(f"compiled for {cache['processor']}, kept in {cache['folder']} ({files})"))


def _specialisation(game: Game, evaluator: str | None) -> Specialisation:
    """The search with an evaluation, or perft, loaded or compiled here."""
    with progress_while_compiling(game):
        if evaluator is None:
            return perft_counter(game).specialisation
        return Engine(game, evaluator, hash=1).specialisation


def _plain_text(game: Game) -> str:
    return f"{game.name}: plain form, nothing to compile"


def _compiled_text(answer: dict[str, Any]) -> str:
    """What there is of one game, and what was done for it."""
    amount = f"{count_text(answer['specialisations'], 'specialisation')}, {bytes_text(answer['bytes'])}"
    if answer["compiled"]:
        return f"{answer['game']}: {answer['compiled']} compiled in {answer['seconds']:.1f} s; {amount}"
    return f"{answer['game']}: ready; {amount}"


def _cache_json() -> dict[str, Any]:
    from plywise.native.prebuilt import read_baseline
    from plywise.native.try_out import processor

    files = [path for path in cache_folder.files() if path.suffix == cache_folder.SUFFIX]
    return {
        "processor": processor(),
        "folder": str(cache_folder.cache_folder()),
        "files": len(files),
        "bytes": cache_folder.size(),
        "prebuilt_for": read_baseline(),
    }
