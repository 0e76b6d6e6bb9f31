"""Solving proves what is true: against the solver of the random games, and known results."""

import importlib
import json
import random
import signal
import subprocess
import sys
import time
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import plywise
from plywise import LOST, OPEN, History
from plywise.core.errors import PlywiseError
from plywise.core.scores import DECISIVE, Kind
from plywise.search import solving as module
from plywise.search.solve_folder import BadFolder, SolveFolder
from plywise.search.solving import Solver, TooLarge, guess_nodes
from tests.cli.terminal import plywise as command
from tests.full_disk import full_disk
from tests.prover.games import Random, Shape, any_shape, variant
from tests.prover.prove import Known
from tests.prover.solver import Solver as Truth

FOUR, OXO = plywise.load("connect_four"), plywise.load("tic_tac_toe")


def without_first_look(patch: pytest.MonkeyPatch) -> None:
    """Leave nothing to the usual search."""
    patch.setattr(module, "QUICK_NODES", 1)
    patch.setattr(module, "QUICK_NODES_IN_PYTHON", 1)


def test_random_games_are_solved_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games without circles, in both forms; sides that act again, stuck positions, early ends, images."""
    without_first_look(monkeypatch)
    seen = {1: 0, 0: 0, -1: 0}
    for number in range(60):
        dice = random.Random(number)
        shape = replace(any_shape(dice, 1 + number % 3), cycles=0, loops=0, images=number % 2)
        plain = number % 3 == 0
        game = variant(0, plain, images=number % 2 == 1)
        position = Random(shape.seed)
        text = f"{position.text()}/0" if plain else position.text()
        history = History(game, game.parse(text))
        if history.outcome is not None or not game.moves(history.position):
            continue
        score = Truth(variant(0), 0).value(position, 0)
        value = 1 if score > DECISIVE else -1 if score < -DECISIVE else 0
        solver = Solver(game, hash=1, compiled=False)
        found = solver.solve(history, anyway=True)
        assert found.kind is Kind.PROVEN
        assert found.winner == (None if value == 0 else history.turn if value > 0 else 1 - history.turn), (
            shape
        )
        assert_line_is_best(solver, found.line, history, value)
        seen[value] += 1
    assert min(seen.values()) > 3, seen


def test_games_that_go_round_are_solved_as_they_are_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    without_first_look(monkeypatch)
    solved = refused = 0
    for number in range(60):
        dice = random.Random(number)
        shape = replace(any_shape(dice), cycles=dice.choice((1, 3, 5)), loops=0, width=3, levels=5, images=0)
        game, position = variant(0), Random(shape.seed)
        history = History(game, position)
        if history.outcome is not None or not game.moves(position):
            continue
        score = Truth(game, 0).value(position, 0)
        value = 1 if score > DECISIVE else -1 if score < -DECISIVE else 0
        try:
            found = Solver(game, hash=1, compiled=False).solve(history, anyway=True)
        except PlywiseError as error:
            refused += "may last more than" in str(error)
            continue
        assert found.kind is Kind.PROVEN
        assert found.winner == (None if value == 0 else history.turn if value > 0 else 1 - history.turn)
        solved += 1
    assert min(solved, refused) > 2, (solved, refused)


# Positions by name: who is to move, the moves and where they lead, and the evaluation.
ROUND = {
    "root": (0, {"x": "fork"}, 0),
    "fork": (1, {"a": "won", "k": "detour"}, 0),
    "won": (0, {"back": "behind", "on": "nearly"}, 50),
    "detour": (0, {"back": "behind"}, 900),
    "behind": (1, {"a": "won"}, 100),
    "nearly": (1, {"e": "last"}, -100),
    "last": (0, {"wins": "over"}, 0),
    "over": (1, {}, 0),
}
ENORMOUS = {
    "root": (0, {"good": "fork", "bad": "lost"}, 0),
    "fork": (1, {"a": "won"}, 10**16),
    "won": (0, {"on": "nearly"}, 0),
    "nearly": (1, {"e": "last"}, 0),
    "last": (0, {"wins": "over"}, 0),
    "lost": (0, {}, 0),
    "over": (1, {}, 0),
}


def graph_game(graph: dict[str, tuple[int, dict[str, str], int]]) -> plywise.Game:
    """A game of the plain form with these positions; who has no move has lost."""

    @plywise.game("graph")
    @dataclass(frozen=True)
    class Graph:
        at: str = "root"
        turn: int = 0

        def moves(self) -> list[str]:
            return list(graph[self.at][1])

        def play(self, move: str) -> "Graph":
            to = graph[self.at][1][move]
            return Graph(to, graph[to][0])

        def outcome(self) -> int:
            return OPEN if graph[self.at][1] else LOST

        def evaluate(self) -> int:
            return graph[self.at][2]

        def resets(self, move: str) -> bool:
            return False

    return Graph.game  # type: ignore[attr-defined, no-any-return]


def test_a_line_that_would_go_round_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    without_first_look(monkeypatch)
    game = graph_game(ROUND)
    found = Solver(game, compiled=False).solve(game.history(), anyway=True)
    assert (found.winner, found.kind) == (0, "proven")
    assert found.line[:2] in (("x", "a"), ("x", "k")) and len(found.line) < 8


def test_no_evaluation_makes_a_move_look_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    without_first_look(monkeypatch)
    game = graph_game(ENORMOUS)
    found = Solver(game, compiled=False).solve(game.history(), anyway=True)
    assert (found.winner, found.kind, found.move) == (0, "proven", "good")


def assert_line_is_best(solver: Solver, line: tuple[str, ...], history: History, value: int) -> None:
    """Every move of the line keeps the value, and it ends with the game."""
    side = history.turn
    for move in line:
        history = history.play(move)
    assert history.outcome is not None
    winner = history.outcome.winner
    assert (0 if winner is None else 1 if winner == side else -1) == value


def test_a_small_table_forgets_and_still_tells_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    without_first_look(monkeypatch)
    solver = Solver(OXO, hash=1, compiled=False)
    solver._buckets = 1 << 10  # the fewest by which the place says the low bits of a key
    found = solver.solve(OXO.history())
    assert (found.winner, found.kind, found.plies) == (None, "proven", None)
    assert len(found.line) == 9


def test_a_question_without_an_answer_is_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    without_first_look(monkeypatch)
    solver = Solver(FOUR, hash=1, compiled=False)
    found = solver.solve(FOUR.history(), seconds=0.05, anyway=True)
    assert (found.winner, found.kind, found.plies) == (None, "bound", None)
    assert found.move in FOUR.history().moves
    stopped = Solver(FOUR, hash=1, compiled=False)
    stopped.stop()
    assert stopped.solve(FOUR.history(), anyway=True).kind == "bound"


def test_what_the_first_look_proves_has_its_distance() -> None:
    found = Solver(OXO, hash=1, compiled=False).solve(OXO.history("xx.oo.... x"))
    assert (found.winner, found.kind, found.plies, found.line) == (0, "proven", 1, ("c3",))
    over = Solver(OXO, hash=1, compiled=False).solve(OXO.history("xxxoo.... o"))
    assert (over.winner, over.kind, over.plies, over.line) == (0, "proven", 0, ())


def test_connect_four_near_its_end_is_solved_in_both_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    without_first_look(monkeypatch)
    whole = "2252576253462244111563365343671351441"
    for columns in (whole, whole[:28], whole[:27], "23163416124767223154467471272416755633"):
        history = FOUR.history(columns)
        proven = plywise.Engine(FOUR, hash=4).search(history)
        assert proven.kind == "proven"
        side = None if proven.score == 0 else history.turn if proven.score > 0 else 1 - history.turn
        nodes = set()
        for compiled in (True, False):
            solver = Solver(FOUR, hash=1, compiled=compiled)
            found = solver.solve(history, anyway=True)
            assert (found.winner, found.kind) == (side, "proven"), columns
            nodes.add(found.nodes)
        assert len(nodes) == 1, "compiled and interpreted visit the same nodes"


def test_helpers_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    without_first_look(monkeypatch)
    one, two = (Solver(FOUR, hash=4, threads=n) for n in (1, 2))
    history = FOUR.history("444444326555533")
    assert one.solve(history).winner == two.solve(history).winner


def test_a_large_game_is_refused_with_what_it_would_take(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "QUICK_NODES_IN_PYTHON", 100)
    chess = plywise.load("chess")
    with pytest.raises(TooLarge, match=r"chess is too large .* 10\^\d+ positions, .* years .*--anyway"):
        Solver(chess, hash=1, compiled=False).solve(chess.history())
    assert guess_nodes(FOUR.history()) < module.LARGE
    assert guess_nodes(OXO.history()) < 1000


def test_a_game_with_draws_by_its_history_is_left_to_the_usual_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without_first_look(monkeypatch)
    chess = plywise.load("chess")
    history = chess.history("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1")
    found = Solver(chess, hash=1, compiled=False).solve(history, anyway=True)
    assert (found.winner, found.kind, found.plies, found.move) == (0, "proven", 1, "g5g7")


def test_a_loss_that_a_stopped_search_has_only_begun_to_see_is_not_proven(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The moves searched so far lose; another wins."""
    shape = Shape(
        width=4, levels=6, branch=7, cycles=3, again=0, actions=0, midway=1, loops=1, noisy=2, over=1,
        stuck=2, skips=1, opinions=2, tail=2, stuck_is=2, chance=1336812,
    )  # fmt: skip
    truth = Known(shape, 4, database=False).root((5, 3))
    assert truth is not None

    class Stopped(plywise.Engine):
        def search(self, history: History, *arguments: Any, **options: Any) -> plywise.Result:
            return super().search(history, *arguments, **{**options, "nodes": 5})

    monkeypatch.setattr(module, "Engine", Stopped)
    history = truth.history
    seen = Stopped(history.game, hash=1, compiled=False).search(history)
    assert seen.score < -DECISIVE and seen.kind is Kind.ESTIMATE
    assert max(truth.values.values()) > DECISIVE, "it is won"
    found = Solver(history.game, hash=1, compiled=False).solve(history, anyway=True)
    assert (found.winner, found.kind) == (None, Kind.BOUND)


# --- the folder -----------------------------------------------------------------------------------------
def test_a_folder_belongs_to_one_position_of_one_game(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    SolveFolder(folder, FOUR.history("44")).close()
    with pytest.raises(BadFolder, match="is about connect_four from '44'; give another folder"):
        SolveFolder(folder, FOUR.history("45"))
    (folder / "solve.json").write_text("{")
    with pytest.raises(BadFolder, match="damaged"):
        SolveFolder(folder, FOUR.history("44"))
    other = tmp_path / "letters"
    other.mkdir()
    (other / "letter.txt").write_text("dear")
    with pytest.raises(BadFolder, match="no folder of `solve`"):
        SolveFolder(other, FOUR.history())
    with pytest.raises(PlywiseError, match="only compiled games"):
        Solver(FOUR, compiled=False, folder=SolveFolder(tmp_path / "new", FOUR.history()))


def test_a_full_disk_is_said_with_the_file(tmp_path: Path) -> None:
    with full_disk(), pytest.raises(BadFolder, match=r"solve\.json: File too large"):
        SolveFolder(tmp_path / "work", FOUR.history("44"))


def test_changed_rules_are_noticed(tmp_path: Path) -> None:
    history = FOUR.history()
    SolveFolder(tmp_path / "work", history).close()
    about = tmp_path / "work" / "solve.json"
    about.write_text(json.dumps({**json.loads(about.read_text()), "rules": "others"}))
    with pytest.raises(BadFolder, match="rules of connect_four, or Python, have changed"):
        SolveFolder(tmp_path / "work", history)


TAKE = """
from plywise import compiled

@compiled
def most():
    return MOST
"""
SHORT_STICKS = """
from typing import NamedTuple
from plywise import game
from take_sticks import most

@game("short_sticks", most_moves=3)
class Sticks(NamedTuple):
    left: int = 9
    turn: int = 0

    def moves(self, buffer, n):
        for take in range(1, min(most(), self.left) + 1):
            buffer[n] = take
            n += 1
        return n

    def play(self, move):
        return Sticks(self.left - move, 1 - self.turn)

    def text(self):
        return str(self.left)

    @classmethod
    def parse(cls, text):
        return cls(int(text))
"""


def test_changed_rules_in_another_file_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With three sticks a turn the second side wins from 8, with two the first: the table would lie."""
    monkeypatch.syspath_prepend(str(tmp_path))
    file = tmp_path / "short_sticks.py"
    file.write_text(SHORT_STICKS)
    for most, refused in ((3, False), (3, False), (2, True)):
        (tmp_path / "take_sticks.py").write_text(TAKE.replace("MOST", str(most)) + "#" * most)
        monkeypatch.delitem(sys.modules, "take_sticks", raising=False)
        importlib.invalidate_caches()
        history = plywise.load(str(file)).history()
        with pytest.raises(BadFolder, match="rules of short_sticks") if refused else nullcontext():
            SolveFolder(tmp_path / "work", history).close()


def test_what_was_solved_before_is_not_solved_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without_first_look(monkeypatch)
    history = FOUR.history("444444326555")
    works = []
    for _ in range(2):
        folder = SolveFolder(tmp_path / "work", history)
        before = folder.spent()[0]
        found = Solver(FOUR, hash=1, folder=folder).solve(history)
        assert found.kind == "proven"
        works.append(found.nodes - before)
        folder.close()
    assert works[1] * 10 < works[0], works


@pytest.mark.thorough("kills a process and waits for another")
def test_a_killed_solver_goes_on(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "plywise", "solve", "connect_four", "44533", "--hash", "64"]
    words += ["--resume", str(tmp_path / "work"), "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as running:
        about = tmp_path / "work" / "solve.json"
        while not about.exists() or json.loads(about.read_text())["nodes"] < 5_000_000:
            assert running.poll() is None
            time.sleep(0.05)
        running.send_signal(signal.SIGKILL)
    done = command(*words[3:])
    found = done.json
    assert (found["kind"], found["nodes"] > 5_000_000) == ("proven", True)


# --- the command ----------------------------------------------------------------------------------------
def test_the_command_says_who_wins() -> None:
    done = command("solve", "tic_tac_toe", "--hash", "1", "--uncompiled", "--json")
    found = done.json
    assert list(found)[:8] == ["game", "position", "winner", "plies", "move", "kind", "nodes", "seconds"]
    assert (found["game"], found["winner"], found["kind"]) == ("tic_tac_toe", None, "proven")
    text = command("solve", "tic_tac_toe", "xx.oo.... x", "--hash", "1", "--uncompiled").out
    assert "x wins in 1 ply (proven); x should play c3" in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tic_tac_toe", "--hash", "none"], "--hash wants a whole number"),
        (["tic_tac_toe", "--minutes", "0"], "--minutes wants minutes above 0"),
        (["tic_tac_toe", "xxx"], "bad position"),
        (["tic_tac_toe", "--resume", "/proc/none"], "/proc/none"),
        (["tic_tac_toe", "--resume", __file__], "test_solving.py is a file; give a folder"),
    ],
)
def test_what_the_command_refuses(words: list[str], said: str) -> None:
    done = command("solve", *words)
    assert done.status == 2 and done.out == "" and done.error.count("\n") == 1
    assert said in done.error
