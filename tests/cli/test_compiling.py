"""What a match needs is compiled before it begins, and the bar says how long that takes."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from plywise.arena.executors import InProcess, Processes
from plywise.arena.match import Match
from plywise.cli import compiling
from plywise.cli.compiling import Searcher, compile_for_match, compile_missing
from plywise.play.readiness import DONE, Readiness, ReadinessListener


class Compilers:
    """Processes that compile at once, beside a bar that notes what it is told."""

    def __init__(self) -> None:
        self.kept: set[Searcher] = set()
        self.done: list[Searcher] = []
        self.told: list[tuple[str, float | None]] = []

    def compile(self, *searcher: str, listener: ReadinessListener) -> None:
        listener(Readiness(0.25, 12.4))
        self.done.append(Searcher(*searcher))
        self.kept.add(self.done[-1])
        listener(DONE)

    @contextmanager
    def bar(self, text: str, total: float | None = None) -> Iterator[Any]:
        yield lambda text, done: self.told.append((text, done))


@pytest.fixture
def compilers(monkeypatch: pytest.MonkeyPatch) -> Compilers:
    made = Compilers()
    monkeypatch.setattr(compiling, "compile_in_process", made.compile)
    monkeypatch.setattr(compiling, "progress_bar", made.bar)
    monkeypatch.setattr(compiling, "usable_cores", lambda: 1)
    monkeypatch.setattr(Searcher, "is_cached", property(lambda searcher: searcher in made.kept))
    return made


def test_the_players_of_a_match_are_compiled_once_each(compilers: Compilers) -> None:
    players = [
        "plywise:MinmaxAB",
        "plywise:Minmax,depth=2,name=a",
        "plywise:Minmax",
        "plywise:Random",
        "plywise",
    ]
    match = Match.of("chess", players, pairs=1)
    compile_for_match(match, Processes(1))
    wanted = [("sorted", "material_mate"), ("minimax", "material_mate"), ("default", "default")]
    assert compilers.done == [Searcher("chess", evaluator, player) for player, evaluator in wanted]
    compile_for_match(match, Processes(1))
    assert len(compilers.done) == 3, "what is there is not compiled again"


def test_the_agents_of_a_world_that_search_are_compiled(compilers: Compilers) -> None:
    match = Match.of("skirmish", ["plywise:linear", "plywise:scripted", "plywise"], pairs=1)
    compile_for_match(match, Processes(1))
    assert compilers.done == [Searcher("skirmish", "linear", "sorted")]


def test_others_compile_for_themselves(compilers: Compilers, monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match.of("chess", ["plywise:depth=1", "plywise:depth=2"], pairs=1)
    compile_for_match(match, InProcess())
    monkeypatch.setattr(compiling.cache_folder, "find_problem", lambda: "the disk is full")
    compile_for_match(match, Processes(1))
    assert compilers.done == []


def test_the_bar_says_share_and_seconds(compilers: Compilers) -> None:
    seconds = compile_missing([Searcher("chess"), Searcher("chess", "shannon")])
    assert list(seconds) == compilers.done
    assert compilers.told[0] == ("getting chess ready, once: about 10 s (default, 0 of 2 done)", 0.25)
    assert compilers.told[-1][1] == 2
    compile_missing([Searcher("polis")])
    assert compilers.told[-3] == ("getting polis ready, once: about 10 s", 0.25)


def test_a_game_of_the_plain_form_has_nothing_to_compile() -> None:
    assert Searcher("tic_tac_toe").is_cached
