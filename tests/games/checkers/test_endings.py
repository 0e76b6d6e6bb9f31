"""The endgame database of checkers: its index, its counts, and play with it."""

import json

import numpy as np
import pytest

import plywise
from plywise.core.scores import UNKNOWN, Kind, distance
from plywise.endgames import Solver, build, count_verdicts, hardest_drawing_move, line_to_end, solve
from plywise.games.checkers import endings
from plywise.games.checkers.endings import ENDGAMES, GROUPS, INDEX, MOST
from plywise.games.checkers.rules import Checkers
from tests.endgames.hunt import slow_values
from tests.games.checkers import slow
from tests.games.checkers.random_positions import thrown
from tests.games.checkers.test_evaluation import turned
from tests.oracles import oracle

GAME = plywise.load("checkers")
# Won, lost and drawn for the side to move, both colours on the board (games/checkers.md).
TOTALS = {2: (1432, 804, 4740), 3: (200500, 174610, 16954), 4: (5148608, 3834180, 3435844)}


def few(seed, count, most=MOST):
    """Positions of 2 to `most` pieces."""
    found = (GAME.parse(fen) for fen in thrown(seed, 40 * count, 4))
    small = (position for position in found if (position.own | position.other).bit_count() <= most)
    return [position for position, _ in zip(small, range(count), strict=False)]


@pytest.fixture(scope="module")
def solved():
    """The values of all positions of up to four pieces."""
    return solve(Solver(GAME), 4, threads=2)


@pytest.fixture
def database(tmp_path_factory, monkeypatch):
    """A data folder with the database of four pieces in it."""
    folder = tmp_path_factory.getbasetemp() / "checkers_data"
    monkeypatch.setenv("PLYWISE_DATA", str(folder))
    build(GAME, 4)
    assert ENDGAMES.pieces == 4
    return folder


# --- the index ------------------------------------------------------------------------------------
def test_every_position_has_a_number_and_comes_back_from_it():
    for position in few(31, 600):
        number = INDEX.index(position)
        (one,) = [s for group in GROUPS for s in group.slices if s.first <= number < s.first + s.size]
        again = Checkers(*INDEX.place(one.number, number - one.first))
        assert INDEX.index(again) == number
        expected = position if position.turn == 0 else GAME.parse(turned(GAME.text(position)))
        assert again == expected


def test_numbers_are_used_once_and_holes_are_told():
    for group in INDEX.up_to(2):
        for one in group.slices:
            fields = [INDEX.place(one.number, i) for i in range(one.size)]
            there = [field for field in fields if any(field)]
            assert len(set(there)) == len(there)
            for i, field in enumerate(fields):
                assert INDEX.index(Checkers(*field)) == (one.first + i if any(field) else -1)
    sizes = {one.name: one.size for group in GROUPS for one in group.slices}
    assert sizes["0K1M-0K1M"] == 28 * 28
    assert sizes["1K0M-1K0M"] == 32 * 31


def test_too_many_pieces_or_a_bare_side_have_no_number():
    assert INDEX.index(GAME.start()) == -1
    assert INDEX.index(GAME.parse("W:W:B1")) == -1


def test_steps_are_taken_back_as_they_are_made():
    group_of = {one.number: group for group in GROUPS for one in group.slices}
    steps = 0
    for position in few(32, 250):
        number = INDEX.index(position)
        group = group_of[endings.slice_of(position.own, position.other, position.kings)]
        for move in GAME.moves(position):
            after = position.play(move)
            if group.first <= INDEX.index(after) < group.first + group.size:
                buffer = {}
                end = INDEX.before(after, buffer, 0)
                assert [buffer[i] for i in range(end)].count(number) == 1
                steps += 1
        buffer = {}
        for i in range(INDEX.before(position, buffer, 0)):
            (one,) = [s for s in group.slices if s.first <= buffer[i] < s.first + s.size]
            source = Checkers(*INDEX.place(one.number, buffer[i] - one.first))
            after = [INDEX.index(source.play(move)) for move in GAME.moves(source)]
            assert source.urgent() or number in after
    assert steps > 500


# --- the values -----------------------------------------------------------------------------------
@pytest.mark.thorough("solves all endings of four pieces")
def test_two_pieces_have_the_values_of_the_slow_twin(solved):
    fens = [
        f"{side}:W{kw}{w}:B{kb}{b}"
        for side in "BW"
        for w in range(1, 33)
        for b in range(1, 33)
        for kw in ("", "K")
        for kb in ("", "K")
        if w != b and not (kw == "" and w < 5) and not (kb == "" and b > 28)
    ]
    graph = {fen: list(slow.moves(fen).values()) for fen in fens}
    graph |= {after: [] for targets in list(graph.values()) for after in targets if after not in graph}
    for fen, value in slow_values(graph).items():
        number = INDEX.index(GAME.parse(fen))
        if number >= 0:
            assert solved[number] == value, fen


@pytest.mark.parametrize("pieces", TOTALS)
@pytest.mark.thorough("solves all endings of four pieces")
def test_totals_are_the_published_ones(solved, pieces):
    parts = [
        count_verdicts(solved[one.first : one.first + one.size])
        for group in GROUPS
        if group.pieces == pieces
        for one in group.slices
    ]
    # Each position stands for two: its own and, turned around, the other colour's.
    assert tuple(2 * sum(column) for column in zip(*parts, strict=True)) == TOTALS[pieces]


@pytest.mark.thorough("solves all endings of four pieces")
def test_every_class_of_up_to_four_pieces_agrees_with_the_oracle(solved):
    slices = {one.name: one for group in INDEX.up_to(4) for one in group.slices}
    checked = 0
    for row in json.loads(oracle("checkers/endgame_counts.json").read_text())["slices"]:
        black, white = row["black"].replace("+", ""), row["white"].replace("+", "")
        for name, side in ((f"{black}-{white}", "black"), (f"{white}-{black}", "white")):
            if name in slices:
                one, want = slices[name], row[f"{side}_to_move"]
                found = count_verdicts(solved[one.first : one.first + one.size])
                assert found == (want["win"], want["loss"], want["draw"]), name
                checked += 1
    assert checked >= len(slices)


@pytest.mark.thorough("solves all endings of four pieces")
def test_the_file_says_what_was_solved(solved, database):
    data, _ = ENDGAMES.current()
    asked = 0
    for position in few(33, 3000, 4):
        if position.urgent():
            continue
        score = endings.probe_score(data, *position)
        assert score == plywise.core.endgame_index.value_score(int(solved[INDEX.index(position)]))
        asked += 1
    assert asked > 1000


@pytest.mark.thorough("solves all endings of four pieces")
def test_the_file_is_small(database):
    assert ENDGAMES.path.stat().st_size < 4_000_000


# --- the search with it ---------------------------------------------------------------------------
@pytest.mark.thorough("solves all endings of four pieces")
def test_results_are_proven_and_wins_are_won_in_time(database, solved):
    """A won ending is won in as many plies as were promised, against the longest resistance."""
    engine = plywise.Engine(GAME, hash=8)
    played = 0
    for position in few(34, 400, 4):
        value = int(solved[INDEX.index(position)])
        history = GAME.history(GAME.text(position))
        if history.outcome is not None:
            continue
        result = engine.search(history, depth=6)
        assert result.kind is Kind.PROVEN
        if value == 0:
            assert result.score == 0
            continue
        assert result.plies == value - 1
        assert (result.score > 0) == (value % 2 == 0)
        if value - 1 > 30 and played < 6:
            played += 1
            winner, left = (history.turn if value % 2 == 0 else 1 - history.turn), value - 1
            while history.outcome is None:
                result = engine.search(history, depth=6)
                assert distance(result.score) == left
                history, left = history.play(result.move), left - 1
            assert left == 0
            assert history.outcome.winner == winner
    assert played == 6


@pytest.mark.thorough("solves all endings of four pieces")
def test_compiled_and_uncompiled_read_the_same(database):
    plain, fast = plywise.Engine(GAME, hash=1, compiled=False), plywise.Engine(GAME, hash=1)
    for position in few(35, 10, 4):
        history = GAME.history(GAME.text(position))
        if history.outcome is None:
            one, two = (engine.search(history, depth=2) for engine in (plain, fast))
            assert (one.score, one.move, one.nodes) == (two.score, two.move, two.nodes)


@pytest.mark.thorough("solves all endings of four pieces")
def test_published_positions_of_four_pieces_are_proven(database):
    engine = plywise.Engine(GAME, hash=8)
    names = {1: "win", 0: "draw", -1: "loss"}
    checked = 0
    for row in oracle("checkers/positions.tsv").read_text().split("\n"):
        if row.startswith("#") or not row:
            continue
        fen, wanted = row.split("\t")[:2]
        history = GAME.history(fen)
        if (history.position.own | history.position.other).bit_count() <= 4:
            result = engine.search(history, depth=6)
            # The database does not know the counter of RULES 6: a win beyond it is a bound.
            far = (distance(result.score) or 0) > GAME.draws.plies
            assert result.kind is (Kind.BOUND if far else Kind.PROVEN)
            assert names[(result.score > 0) - (result.score < 0)] == wanted, fen
            checked += 1
    assert checked == 8


@pytest.mark.thorough("solves all endings of four pieces")
def test_a_won_ending_can_be_seen_to_its_end(database):
    engine = plywise.Engine(GAME, hash=8)
    history = GAME.history("W:WK15,20:B12,K28")  # the First Position of the books
    result = engine.search(history, depth=4)
    moves = line_to_end(engine, history)
    assert len(moves) == distance(result.score) == 81
    for move in moves:
        history = history.play(move)
    assert history.outcome.winner == 1
    assert line_to_end(engine, GAME.history("B:WK19,K23:B12,K28")) == []


@pytest.mark.thorough("solves all endings of four pieces")
def test_a_drawn_ending_is_played_for_traps(database, solved):
    """The move keeps the draw, and no other drawing move leaves a larger share of losing answers."""
    engine = plywise.Engine(GAME, hash=8)

    def share(position):
        values = [int(solved[INDEX.index(position.play(move))]) for move in GAME.moves(position)]
        return sum(value > 0 and value % 2 == 0 for value in values) / len(values)

    trapped = 0
    for position in few(36, 150, 4):
        if trapped == 5 or not GAME.moves(position) or position.urgent():
            continue
        if solved[INDEX.index(position)] != 0:
            if trapped == 0:
                assert hardest_drawing_move(engine, GAME.history(GAME.text(position))) is None
            continue
        history = GAME.history(GAME.text(position))
        after = {text: history.play(text).position for text in history.moves}
        drawing = {
            t: share(a) for t, a in after.items() if INDEX.index(a) >= 0 and not solved[INDEX.index(a)]
        }
        if any(INDEX.index(a.play(m)) < 0 for a in after.values() for m in GAME.moves(a)):
            continue
        if max(drawing.values()) > 0:
            trapped += 1
            chosen = hardest_drawing_move(engine, history)
            assert drawing[chosen] == max(drawing.values())
    assert trapped == 5


def test_without_a_database_nothing_is_known(tmp_path, monkeypatch):
    monkeypatch.setenv("PLYWISE_DATA", str(tmp_path))
    assert ENDGAMES.pieces == 0
    assert ENDGAMES.problem is None
    data, _ = ENDGAMES.current()
    assert isinstance(data, np.ndarray)
    assert endings.probe_score(data, *GAME.parse("W:WK1:BK32")) == UNKNOWN
    engine = plywise.Engine(GAME, hash=1, compiled=False)
    result = engine.search(GAME.history("W:WK14,K15:BK32"), depth=5)
    assert result.move is not None


@pytest.mark.thorough("compiles the solver, and solves endings of three pieces")
def test_a_database_that_appears_is_used_by_the_next_search(tmp_path, monkeypatch):
    monkeypatch.setenv("PLYWISE_DATA", str(tmp_path))
    engine = plywise.Engine(GAME, hash=1)
    history = GAME.history("W:WK6,K9:BK15")
    assert engine.search(history, depth=4).kind is not Kind.PROVEN
    build(GAME, 3)
    result = engine.search(history, depth=4)
    assert result.kind is Kind.PROVEN
    assert distance(result.score) == 27
