"""What a program can ask of the search: limits, lines, moves to look at, stopping, threads."""

import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

import plywise
from plywise import LOST, OPEN, WON, Engine, History, Limits, Progress
from plywise.core.errors import BadLimits, BadMove, UnknownName
from plywise.core.resources import BadWeights
from plywise.core.scores import DATABASE_WIN, UNKNOWN, WIN, Kind
from plywise.search.deepening import DeepeningThread
from plywise.search.result import Line
from plywise.search.switches import ALIASES, NAMES, switches
from plywise.search.thread_state import MAX_PLY
from tests.conftest import SAMPLES, Scaled, sample

FOUR = plywise.load("connect_four")
EITHER_WAY = pytest.mark.parametrize(
    "compiled", [pytest.param(True, marks=pytest.mark.thorough("compiles a game of the tests")), False]
)


@pytest.fixture(scope="module")
def four() -> Engine:
    return Engine(FOUR, hash=4)


def test_a_depth_limit_ends_at_that_depth(four: Engine) -> None:
    result = four.search(FOUR.history("4453"), depth=6)
    assert result.depth == 6
    assert len(result.line) == 6
    assert result.kind == "estimate"


def test_a_node_limit_is_kept_exactly(four: Engine) -> None:
    for nodes in (1, 10, 5000, 123_457):
        assert four.search(FOUR.history(), nodes=nodes).nodes <= nodes
    assert four.search(FOUR.history(), nodes=123_457).nodes == 123_457


def test_even_one_node_gives_a_move(four: Engine) -> None:
    assert four.search(FOUR.history(), nodes=1).move in FOUR.history().moves


def test_progress_is_reported_depth_by_depth(four: Engine) -> None:
    four.clear()
    reports: list[Progress] = []
    result = four.search(FOUR.history(), depth=7, progress=reports.append)
    finished = [report for report in reports if report.current is None]
    assert [report.depth for report in finished] == [1, 2, 3, 4, 5, 6, 7]
    assert finished[-1].lines == result.lines
    nodes = [report.nodes for report in finished]
    assert nodes == sorted(nodes)


def test_several_lines_are_different_and_ordered(four: Engine) -> None:
    result = four.search(FOUR.history(), depth=8, lines=3)
    first = [line.moves[0] for line in result.lines]
    assert len(set(first)) == 3
    scores = [line.score for line in result.lines]
    assert scores == sorted(scores, reverse=True)
    assert len(four.search(FOUR.history("444444"), depth=3, lines=99).lines) == 6


def test_lines_that_begin_alike_have_the_texts_of_their_own_moves() -> None:
    game = plywise.load("checkers")
    history = game.history()
    lines = [
        line
        for report in Engine(game, hash=1, compiled=False).run(history, depth=5, lines=3)
        for line in report.lines
    ]
    assert len({line.moves for line in lines}) > 5
    for line in lines:
        position = history.position
        for move, text in zip(line.numbers, line.moves, strict=True):
            assert game.move_text(position, move) == text
            position = position.play(move)


def test_each_line_is_worth_what_a_search_of_its_move_alone_says() -> None:
    game = plywise.load("tic_tac_toe")
    history = game.history("x...o.... x")
    many = Engine(game, hash=1).search(history, lines=7)
    for line in many.lines:
        alone = Engine(game, hash=1).search(history, moves=[line.moves[0]])
        assert alone.score == line.score, line


def test_only_the_moves_asked_for_are_looked_at(four: Engine) -> None:
    assert four.search(FOUR.history(), depth=6, moves=["1", "7"]).move in ("1", "7")
    with pytest.raises(BadMove):
        four.search(FOUR.history(), depth=6, moves=["8"])


def test_an_infinite_search_waits_for_the_stop(four: Engine) -> None:
    search = four.start(FOUR.history("4453"), infinite=True)
    next(search)
    search.stop()
    result = search.result()
    assert result.move is not None
    assert result.depth >= 1
    # Even a search that has nothing left to find waits.
    search = four.start(FOUR.history("44556"), infinite=True)
    while next(search).lines[0].kind != "proven":
        pass
    reader = threading.Thread(target=lambda: list(search))
    reader.start()
    reader.join(0.2)
    assert reader.is_alive()
    search.stop()
    reader.join()
    assert search.result().kind == "proven"


@pytest.mark.parametrize("player", ["minimax", "alphabeta", "sorted"])
def test_a_textbook_player_that_waits_for_the_stop_deepens(player: str) -> None:
    engine, depths = Engine(plywise.load("tic_tac_toe"), player=player, hash=1), list[int]()
    with engine.start(engine.game.history("x...o.... x"), Limits(infinite=True)) as search:
        for report in search:
            depths.append(report.depth)
            search.stop()
    assert depths == list(range(1, search.result().depth + 1))


def test_a_pondering_search_can_be_hurried(four: Engine) -> None:
    search = four.start(FOUR.history("4453"), infinite=True)
    next(search)
    search.hurry(0.1)
    assert search.result().move is not None


def test_closing_the_generator_stops_the_search(four: Engine) -> None:
    run = four.run(FOUR.history(), infinite=True)
    next(run)
    run.close()
    assert four.search(FOUR.history(), depth=3).depth == 3


def test_a_stop_before_the_first_report_is_not_lost(four: Engine) -> None:
    run = four.run(FOUR.history(), infinite=True)
    four.stop()
    reports = list(run)  # without the stop it would wait for ever
    assert all(report.depth < 40 for report in reports)


def test_a_handle_stopped_before_its_first_report_ends_at_once(four: Engine) -> None:
    search = four.start(FOUR.history(), infinite=True)
    search.stop()
    assert search.result().move in FOUR.history().moves
    assert search.result() is search.result()
    assert list(search) == []


def test_a_stop_sticks_whenever_it_comes(four: Engine) -> None:
    """Between the start and the first iteration, from another thread, 200 times."""
    for i in range(200):
        search = four.start(FOUR.history(), infinite=True)
        stopper = threading.Timer(i * 1e-5, search.stop)
        stopper.start()
        assert search.result().move in FOUR.history().moves  # without the stop it would wait for ever
        stopper.join()


def test_a_stop_concerns_its_own_search_only(four: Engine) -> None:
    ended = four.start(FOUR.history(), depth=3)
    assert ended.result().depth == 3
    following = four.start(FOUR.history("4453"), depth=7)
    ended.stop()
    next(following)
    ended.stop()
    ended.hurry(0.0)
    ended.close()
    assert following.result().depth == 7


def test_a_hurry_before_the_first_report_is_not_lost(four: Engine) -> None:
    search = four.start(FOUR.history(), infinite=True)
    search.hurry(0.05)
    assert search.result().move in FOUR.history().moves


def test_the_engine_stops_the_search_that_runs_before_the_one_that_waits(four: Engine) -> None:
    running, waiting = four.start(FOUR.history(), infinite=True), four.start(FOUR.history(), depth=5)
    next(running)
    four.stop()
    assert running.result().move is not None
    assert waiting.result().depth == 5


def test_a_closed_search_has_a_result_and_frees_the_engine(four: Engine) -> None:
    with four.start(FOUR.history(), infinite=True) as search:
        next(search)
    assert search.result().depth >= 1
    assert search.result().nodes == search.nodes == four.nodes > 0
    never = four.start(FOUR.history(), infinite=True)
    never.close()
    assert never.result().move in FOUR.history().moves
    assert never.nodes == 0


def test_a_search_that_nobody_holds_ends(four: Engine) -> None:
    next(four.start(FOUR.history(), infinite=True))
    for _ in four.start(FOUR.history(), infinite=True):
        break
    assert four.search(FOUR.history(), depth=3).depth == 3


def test_a_stop_without_a_search_means_nothing_to_the_next(four: Engine) -> None:
    four.stop()
    assert four.search(FOUR.history(), depth=7).depth == 7


def test_a_report_tells_the_deepest_ply(four: Engine) -> None:
    reports = [report for report in four.run(FOUR.history("4453"), depth=8) if report.current is None]
    assert [report.depth for report in reports] == list(range(1, 9))
    assert all(report.depth <= report.deepest for report in reports)


def test_threads_share_the_work() -> None:
    engine = Engine(FOUR, hash=4, threads=2)
    result = engine.search(FOUR.history("4453"), depth=10)
    assert result.depth == 10
    assert result.line


@pytest.mark.parametrize(("position", "taken"), [("4453", True), ("445545", False)])
def test_the_lines_of_a_helper_that_looked_deeper_are_the_result_unless_the_game_is_decided(
    position: str, taken: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    deepen, ready = DeepeningThread.deepen, threading.Event()
    line = Line(7, Kind.ESTIMATE, ("1",), (0,))

    def deepen_or_pretend(self: DeepeningThread) -> None:
        if self.thread_index == 0:
            assert ready.wait(300)
            deepen(self)
        else:
            self.shared.finished[1] = 9, (line,)
            ready.set()

    monkeypatch.setattr(DeepeningThread, "deepen", deepen_or_pretend)
    engine = Engine(FOUR, hash=1, threads=2, compiled=False)
    reports: list[Progress] = []
    result = engine.search(FOUR.history(position), depth=3, progress=reports.append)
    assert ((result.depth, result.lines) == (9, (line,))) == taken
    assert reports[-1].lines == result.lines


def test_threads_prove_the_same_result() -> None:
    history = FOUR.history("7422341735647741166133573473242566")
    for threads in (1, 2, 3):
        result = Engine(FOUR, hash=4, threads=threads).search(history)
        assert (result.score, result.kind, result.plies) == (WIN - 7, "proven", 7)


def test_a_win_within_so_many_moves_is_proven_or_excluded(four: Engine) -> None:
    history = FOUR.history("7422341735647741166133573473242566")  # won in 7 plies: four own moves
    result = four.search(history, mate=3)
    assert (result.kind, result.excludes_win, result.words) == ("bound", True, "no win so soon")
    result = four.search(history, mate=4)
    assert not result.excludes_win
    assert (result.kind, result.plies, len(result.line)) == ("proven", 7, 7)


def test_a_lost_side_resists_longest(four: Engine) -> None:
    result = four.search(FOUR.history("2252576253462244111563365343671351441"))
    assert (result.score, result.plies, len(result.line)) == (4 - WIN, 4, 4)


def test_no_move_is_given_only_where_there_is_none(four: Engine) -> None:
    result = four.search(FOUR.history("1212121"))
    assert (result.move, result.score, result.lines) == (None, -WIN, ())


def test_a_single_move_is_played_at_once() -> None:
    game = plywise.load("tic_tac_toe")
    result = Engine(game, hash=1).search(game.history("xoxxoxo.o x"), time=60)
    assert result.move == "b1"


def test_the_move_found_last_is_played_when_time_is_up(four: Engine) -> None:
    assert four.search(FOUR.history(), time=0.05).move in FOUR.history().moves


def test_processor_time_ends_a_search_only_when_it_was_used(
    four: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    used = iter([0.0, 0.0, 0.2, 0.2, 0.9, 1.1])  # at the start, then whenever it is looked at
    clock = SimpleNamespace(perf_counter=time.perf_counter, process_time=lambda: next(used, 9.9))
    monkeypatch.setattr("plywise.search.handle.time", clock)
    assert four.search(FOUR.history(), cpu=1.0).move in FOUR.history().moves
    assert list(used) == []


@pytest.mark.parametrize(
    "limits",
    [{"depth": 0}, {"depth": 1.5}, {"nodes": -1}, {"time": 0}, {"mate": 0}, {"soft": -1}, {"cpu": 0}],
)
def test_limits_that_make_no_sense_are_refused(four: Engine, limits: dict[str, float]) -> None:
    with pytest.raises(BadLimits):
        four.search(FOUR.history(), **limits)
    assert four.search(FOUR.history(), depth=1).move


def test_options_that_make_no_sense_are_refused(four: Engine) -> None:
    for options in ({"threads": 0}, {"hash": 0}):
        with pytest.raises(BadLimits):
            Engine(FOUR, **options)  # type: ignore[arg-type]
    with pytest.raises(UnknownName, match="unknown part of the search 'nul_move'; did you mean 'null_move'"):
        Engine(FOUR, without=["nul_move"])
    with pytest.raises(UnknownName, match="unknown player"):
        Engine(FOUR, player="grandmaster")
    with pytest.raises(BadLimits, match="this engine plays connect_four"):
        four.search(plywise.load("tic_tac_toe").history())
    with pytest.raises(BadLimits):
        four.search(FOUR.history(), depth=1, lines=0)


def test_old_names_of_switches_mean_the_same_but_are_not_listed() -> None:
    for old, new in ALIASES.items():
        assert switches([old]) == switches([new]) != switches([])
        assert old not in NAMES
    with pytest.raises(UnknownName) as error:
        switches(["late_move"])
    assert "'late_move_pruning'" in str(error.value)
    assert "late_moves" not in str(error.value)


def test_an_error_in_the_rules_reaches_the_caller() -> None:
    @plywise.game()
    class Broken:
        turn = 0

        def moves(self) -> list[int]:
            return [1]

        def play(self, move: int) -> "Broken":
            raise RuntimeError("the board fell off the table")

    game = Broken.game  # type: ignore[attr-defined]
    with pytest.raises(RuntimeError, match="fell off"):
        Engine(game, hash=1).search(game.history(), depth=2)


# --- repetitions and counters ------------------------------------------------------------------------
def test_a_repetition_is_a_draw_in_the_search() -> None:
    """What was there before the root counts by the rule: the third time is a draw, the second is not."""
    game = sample("runners")
    engine = Engine(game, hash=1)
    fresh = engine.search(game.history("5-9-0 moves 1 1 0"), depth=1, moves=["0"])
    assert fresh.score != 0  # the answer 0 leads back to 5-9-0, for the second time
    back = engine.search(game.history("5-9-0 moves 1 1 0 0 1 1 0"), depth=1, moves=["0"])
    assert back.score == 0
    assert back.kind == "estimate"  # true on this path only
    assert engine.search(game.history("5-9-0 moves 1 1 0"), depth=1, moves=["0"]).score == fresh.score


def test_a_move_to_the_same_position_repeats_it() -> None:
    from tests.prover.games import Random, Shape, variant

    game = variant(2)  # the second time is a draw
    shapes = (Shape(loops=1, branch=7, chance=chance) for chance in range(99))
    found = (
        (position, move)
        for position in (Random(shape.seed) for shape in shapes)
        for move in game.moves(position)
        if position.play(move) == position
    )
    position, move = next(found)
    result = Engine(game, compiled=False).search(plywise.History(game, position), depth=1, moves=[str(move)])
    assert (result.score, len(result.line)) == (0, 1)


def test_a_draw_counter_ends_the_search_of_a_line() -> None:
    game = replace(sample("runners"), draws=plywise.Draws(plies=3))
    history = game.history("3-9-0 moves 0 0")
    assert Engine(game, hash=1, compiled=False).search(history, depth=4).score == 0
    assert Engine(game, hash=1, compiled=False).search(game.history("3-9-0"), depth=1).score != 0


def test_limits_given_as_an_object_and_as_keywords_are_the_same(four: Engine) -> None:
    four.clear()
    one = four.search(FOUR.history(), Limits(depth=5))
    four.clear()
    assert four.search(FOUR.history(), depth=5).lines == one.lines


# --- data lent to the search --------------------------------------------------------------------------
@EITHER_WAY
def test_weights_come_from_the_file_and_can_be_others(tmp_path: Path, compiled: bool) -> None:
    game = sample("pebbles")
    history = game.history("9 0")
    engine = Engine(game, "weighed", hash=1, compiled=compiled)
    assert engine.search(history, depth=1).score == -(2 * 8 - 50)
    other = tmp_path / "other.json"
    text = (SAMPLES / "pebbles.json").read_text()
    other.write_text(text.replace('"per_pebble": 2', '"per_pebble": 3'))
    engine = Engine(game, "weighed", hash=1, compiled=compiled, weights=str(other))
    assert engine.search(history, depth=1).score == -(3 * 8 - 50)
    fresh = tmp_path / "fresh.json"
    fresh.write_text(text.replace('"per_pebble": 2', '"per_pebble": 11'))
    fresh.replace(other)  # noticed at the next search, and the table forgets
    assert engine.search(history, depth=1).score == -(11 * 8 - 50)


def test_bad_weights_name_file_and_field(tmp_path: Path) -> None:
    game, file = sample("pebbles"), tmp_path / "bad.json"
    for body, reason in (
        ("{", "not JSON"),
        ('{"values": {"per_pebble": 1}}', "field 'by_rest' is missing; this evaluation has per_pebble"),
        ('{"values": {"per_pebble": 1, "by_rest": [1, 2]}}', r"shape \(2,\) and should have \(4,\)"),
        ('{"values": {"per_pebble": 1, "by_rest": [1, 2, 3, 4], "x": 1}}', "field 'x' is unknown"),
    ):
        file.write_text(body)
        with pytest.raises(BadWeights, match=reason):
            Engine(game, "weighed", hash=1, weights=str(file), compiled=False).search(game.history(), depth=1)


@EITHER_WAY
def test_a_database_answers_inside_the_search(tmp_path: Path, compiled: bool) -> None:
    game = sample("pebbles")
    lent = game.lends[0]
    file = tmp_path / "answers"
    engine = Engine(game, hash=1, compiled=compiled)
    history = game.history("18 0")
    assert engine.search(history, depth=3).kind == "estimate"
    file.write_bytes(bytes([0, 1, 1, 1] * 4))
    before = lent.path  # type: ignore[attr-defined]
    try:
        lent.path = file  # type: ignore[attr-defined]
        result = engine.search(history, depth=3)
        assert (result.move, result.score, result.kind, result.plies) == ("2", DATABASE_WIN, "proven", None)
    finally:
        lent.path = before  # type: ignore[attr-defined]
    assert engine.search(history, depth=3).kind == "estimate"


@EITHER_WAY
def test_evaluations_are_chosen_by_name(compiled: bool) -> None:
    game = sample("pebbles")
    for player in ("default", "alphabeta"):
        engine = Engine(game, "parity", hash=1, player=player, compiled=compiled)
        assert engine.search(game.history("9 0"), depth=1).score == 5


# --- the recorder ---------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["runners", "duel"])
def test_the_recorder_notes_every_node_and_changes_nothing(name: str, scaled: Scaled) -> None:
    game = sample(name)
    history = game.history()
    depth = 5 if name == "runners" else 3
    plain = Engine(game, hash=1, compiled=scaled.compiled).search(history, depth=depth)
    logs = []
    for compiled in (scaled.compiled, False):
        engine = Engine(game, hash=1, compiled=compiled, record=100_000)
        result = engine.search(history, depth=depth)
        assert (result.nodes, result.lines) == (plain.nodes, plain.lines)
        assert engine.log is not None
        logs.append(np.asarray(engine.log)[: result.nodes])
    assert logs[0].tobytes() == logs[1].tobytes()
    log = logs[0]
    children = log["parent"] >= 0
    assert (log["parent"] < np.arange(len(log))).all()
    assert (log["ply"][children] == log["ply"][log["parent"][children]] + 1).all()
    assert (log["value"][log["bound"] == 1] >= log["beta"][log["bound"] == 1]).all()
    assert (log["value"][log["bound"] == 2] <= log["alpha"][log["bound"] == 2]).all()


def test_a_full_log_just_stops() -> None:
    game = sample("runners")
    engine = Engine(game, hash=1, record=10, compiled=False)
    assert engine.search(game.history(), depth=5).nodes > 10
    assert engine.log is not None
    assert len(engine.log) == 10


@plywise.game("steps")
@dataclass(frozen=True)
class Steps:
    """A side walks alone, step by step, and wins at its goal; at the start it may leave that to the other."""

    at: int = 0
    turn: int = 0
    goal: int = MAX_PLY + 20

    def moves(self) -> list[str]:
        return ["step"] if self.at else ["step", "leave"]

    def play(self, move: str) -> "Steps":
        return (
            Steps(self.at, 1 - self.turn, self.goal)
            if move == "leave"
            else Steps(self.at + 1, self.turn, self.goal)
        )

    def outcome(self) -> int:
        return WON if self.at >= self.goal else OPEN

    def resets(self, move: str) -> bool:
        return move == "step"


def test_nothing_is_excluded_or_exact_beyond_the_longest_line() -> None:
    """The win takes one turn, of more actions than a line can have."""
    game = Steps.game  # type: ignore[attr-defined]
    far, near = History(game, game.wrap(Steps())), History(game, game.wrap(Steps(goal=9)))
    engine, exact = Engine(game, compiled=False), Engine(game, compiled=False, without=["unsound"])
    assert not engine.search(far, mate=1).excludes_win
    assert exact.search(far, depth=2).kind is Kind.ESTIMATE
    assert Engine(game, player="minimax", compiled=False).search(far, depth=2).kind is Kind.ESTIMATE
    assert engine.search(near, mate=1).plies == 9


def test_a_database_without_distances_excludes_no_win() -> None:
    class Known(NamedTuple):
        turn: int = 0
        at: int = 0

        def moves(self, buffer: Any, n: int) -> int:
            buffer[n] = 0
            return n + 1

        def play(self, move: int) -> Any:
            return Known(1 - self.turn, self.at + 1)

        def outcome(self) -> int:
            return LOST if self.at == 3 else OPEN

        def probe(self, memory: Any) -> int:
            return -DATABASE_WIN if self.at == 1 else UNKNOWN

    game = plywise.game("known_wins")(Known).game  # type: ignore[attr-defined]
    result = Engine(game, compiled=False).search(game.history(), mate=2)  # it wins with its second move
    assert not result.excludes_win and result.words != "no win so soon"


def test_a_win_without_its_distance_is_no_win_in_no_plies() -> None:
    game = plywise.load("tic_tac_toe")
    engine = Engine(game, player="minimax", distance=False, compiled=False)
    won, lost = game.history("xx.oo.... x"), game.history("xx.xo...o o")
    for depth in (1, 2, 5):
        result = engine.search(won, depth=depth)
        assert (result.words, result.plies, result.kind) == ("won", None, Kind.PROVEN)
        assert "x wins" in result._repr_html_() and "has won" not in result._repr_html_()
    assert engine.search(lost, depth=5).words == "lost"


def test_an_uncompiled_search_plays_no_move_for_the_processors_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is nothing to fetch, a move is played to be searched, and to be shown in a line."""
    engine, played = Engine(FOUR, compiled=False, without=["table"]), 0
    play = FOUR.position.play

    def count_and_play(position: Any, move: int) -> Any:
        nonlocal played
        played += 1
        return play(position, move)

    monkeypatch.setattr(FOUR.position, "play", count_and_play)
    nodes = engine.search(FOUR.history("start"), Limits(depth=5)).nodes
    assert 0.8 * nodes < played < 1.2 * nodes
