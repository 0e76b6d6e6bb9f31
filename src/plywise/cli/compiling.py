"""Compile what is missing before the work begins: in processes, one a core, with a progress bar."""

import time
import warnings
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

from plywise.cli.console import progress_bar
from plywise.core import cache_folder
from plywise.core.cores import usable_cores
from plywise.core.registry import load
from plywise.play.engine_pool import compile_in_process
from plywise.play.readiness import DONE, Readiness, short_readiness_text
from plywise.search.engine import PLAYERS
from plywise.search.specialisation import is_cached

if TYPE_CHECKING:
    from plywise.arena.executors import Executor
    from plywise.arena.match import Match


class Searcher(NamedTuple):
    """A search that can be compiled: of the game that a source loads, by a player, with an evaluation."""

    source: str
    evaluator: str = "default"
    player: str = "default"

    @property
    def is_cached(self) -> bool:
        """Whether the compile cache has it; a game of the plain form has nothing to compile."""
        game = load(self.source)
        return not game.compiled or is_cached(game, self.evaluator, player=PLAYERS[self.player])


def compile_missing(searchers: Iterable[Searcher]) -> dict[Searcher, float]:
    """Compile in other processes what the cache does not hold; the seconds of each that it holds then.

    What another process cannot compile is left out: it fails again where it is used, and says why there.
    """
    missing = [each for each in dict.fromkeys(searchers) if not each.is_cached]
    if not missing:
        return {}
    shares = dict.fromkeys(missing, 0.0)
    seconds: dict[Searcher, float] = {}
    name = load(missing[0].source).name
    with progress_bar(short_readiness_text(name, Readiness()), len(missing)) as update:

        def compile_one(searcher: Searcher) -> None:
            started, name = time.perf_counter(), load(searcher.source).name

            def listen(readiness: Readiness) -> None:
                shares[searcher] = readiness.share or 0.0
                ended = sum(share == 1 for share in shares.values())
                which = f" ({searcher.evaluator}, {ended} of {len(missing)} done)" if len(missing) > 1 else ""
                update(short_readiness_text(name, readiness) + which, sum(shares.values()))

            compile_in_process(*searcher, listener=listen)
            if searcher.is_cached:
                seconds[searcher] = time.perf_counter() - started
            listen(DONE)

        threads = ThreadPoolExecutor(usable_cores())
        try:
            for done in [threads.submit(compile_one, each) for each in missing]:
                done.result()
        finally:  # after Ctrl-C nobody waits: the compilers end with this process
            threads.shutdown(wait=False, cancel_futures=True)
    return seconds


def compile_for_match(match: "Match", executor: "Executor") -> None:
    """Compile what the players of a match need, so that its processes find it; a cluster does so itself."""
    from plywise.arena.executors import Processes

    if isinstance(executor, Processes):
        specs = [spec.for_game(match.game) for spec in match.setup.players if spec.kind == "plywise"]
        usual = "" if match.game.world is not None else "default"  # in a world, an agent that needs no search
        compile_if_kept(
            Searcher(match.setup.game, spec.option("evaluator") or "default", spec.option("player") or usual)
            for spec in specs
        )


def warn_if_not_kept(searcher: Searcher) -> None:
    """Say before a game begins, and not amid it, that its compiled code cannot be kept."""
    problem = cache_folder.find_problem() if load(searcher.source).compiled else None
    if problem is not None and not searcher.is_cached:
        warnings.warn(cache_folder.unusable_text(problem), cache_folder.CacheUnusable, stacklevel=2)


def compile_if_kept(searchers: Iterable[Searcher]) -> None:
    """Compile what is missing, where the cache can keep it: else every process compiles for itself."""
    wanted = [each for each in searchers if each.player in PLAYERS and each.player != "random"]
    if not all(each.is_cached for each in wanted) and cache_folder.find_problem() is None:
        compile_missing(wanted)
