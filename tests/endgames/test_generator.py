"""The generator of endgame databases, on games small enough to be solved the slow way."""

import zlib
from hashlib import sha256

import numpy as np
import pytest

import plywise
from plywise.core.endgame_index import (
    CHECKSUM_OFFSET,
    DIRECTORY_OFFSET,
    EndgameDatabase,
    value_at,
    value_score,
)
from plywise.core.errors import PlywiseError
from plywise.endgames import Solver, build, build_in_background, count_verdicts, solve
from plywise.endgames.pack import MAX_CODE_BITS, assign_codes, code_lengths
from tests.endgames.hunt import CELLS, HUNTED, INDEX, Hunt, slow_values

HUNT = Hunt.game


@pytest.fixture(scope="module")
def hunted(tmp_path_factory):
    """The database of the hunt, and what was told while it was built."""
    folder, told = tmp_path_factory.mktemp("endgames"), []
    path = build(HUNT, 2, folder, told.append)
    return path, told


def graph():
    positions = [Hunt(a, b, t) for a in range(CELLS) for b in range(CELLS) for t in (0, 1)]
    return {p: [p.play(m) for m in HUNT.moves(p)] for p in positions}


def test_another_game_is_solved_by_the_same_generator():
    solver = Solver(HUNT)
    values = solver.new_values(2)
    solver.solve(INDEX.groups[0], values)
    expected = slow_values(graph())
    for position, value in expected.items():
        if INDEX.index(position) >= 0:
            assert values[INDEX.index(position)] == value, position
    won, lost, drawn = count_verdicts(values)
    assert min(won, lost, drawn) > 0
    assert won + lost + drawn == 2 * CELLS * (CELLS - 1)


def test_the_file_gives_every_value_back(hunted):
    data = np.fromfile(hunted[0], np.uint8)
    expected = slow_values(graph())
    for position, value in expected.items():
        i = INDEX.index(position)
        if i >= 0:
            assert value_at(data, 0, 2 * CELLS * CELLS, i) == value


def test_progress_is_told_to_the_end(hunted):
    last = hunted[1][-1]
    assert last.done == last.total == 2 * CELLS * CELLS
    assert last.name == "hunt"


def test_a_good_file_is_kept(hunted):
    before = hunted[0].stat()
    assert build(HUNT, 2, hunted[0].parent) == hunted[0]
    assert hunted[0].stat().st_mtime_ns == before.st_mtime_ns
    assert [one.name for one in hunted[0].parent.iterdir()] == ["hunt.solved"]


def test_values_become_scores_for_the_side_to_move():
    assert value_score(0) == 0
    assert plywise.core.scores.distance(value_score(1)) == 0
    assert value_score(1) < 0 < value_score(2)
    assert plywise.core.scores.distance(value_score(8)) == 7


@pytest.mark.parametrize("pieces", [0, 1, 3])
def test_pieces_that_cannot_be_solved_are_refused(pieces, tmp_path):
    with pytest.raises(PlywiseError, match="2 to 2 pieces"):
        build(HUNT, pieces, tmp_path)


def test_a_game_without_an_index_is_refused(tmp_path):
    with pytest.raises(PlywiseError, match="connect_four numbers no endings"):
        build(plywise.load("connect_four"), 2, tmp_path)


def spoilt(content, how):
    if how == "cut short":
        return content[:-9]
    if how == "one bit":
        return content[:-40] + bytes([content[-40] ^ 4]) + content[-39:]
    if how == "its checksum":
        return content[:CHECKSUM_OFFSET] + bytes(32) + content[DIRECTORY_OFFSET:]
    if how == "empty":
        return b""
    return b"MZ" + bytes(500)


@pytest.mark.parametrize("how", ["cut short", "one bit", "its checksum", "empty", "foreign"])
def test_a_spoilt_file_is_refused_and_the_search_goes_on(hunted, how, tmp_path, monkeypatch):
    monkeypatch.setenv("PLYWISE_DATA", str(tmp_path))
    HUNTED.path.parent.mkdir()
    HUNTED.path.write_bytes(spoilt(hunted[0].read_bytes(), how))
    with pytest.warns(UserWarning, match="the search goes on without"):
        assert HUNTED.pieces == 0
    assert HUNTED.problem
    engine = plywise.Engine(HUNT, hash=1, compiled=False)
    assert engine.search(HUNT.history(), depth=2).move is not None


def test_a_file_of_another_game_is_refused(hunted, tmp_path, monkeypatch):
    monkeypatch.setenv("PLYWISE_DATA", str(tmp_path))
    other = EndgameDatabase("other", "chase", INDEX)
    other.path.parent.mkdir()
    other.path.write_bytes(hunted[0].read_bytes())
    with pytest.warns(UserWarning, match="another game than chase"):
        assert other.pieces == 0


def test_an_interrupted_build_goes_on_where_it_was_left(tmp_path):
    """Whoever asks to stop is heard; parts that are whole are not solved again."""

    class Enough(Exception):
        pass

    def stop(report):
        raise Enough

    with pytest.raises(Enough):
        build(HUNT, 2, tmp_path, stop)
    assert not (tmp_path / "hunt.solved").exists()
    path = build(HUNT, 2, tmp_path)
    assert path.exists()
    assert not (tmp_path / "hunt.parts").exists()


def test_a_build_behind_a_game_is_found_by_the_next_look(tmp_path, monkeypatch):
    monkeypatch.setenv("PLYWISE_DATA", str(tmp_path))
    assert HUNTED.pieces == 0
    build_in_background(HUNT, 2).join()
    assert HUNTED.pieces == 2


def test_whole_parts_are_believed_and_spoilt_ones_are_not(tmp_path):
    solver = Solver(HUNT)
    values = solve(solver, 2, tmp_path)
    (part,) = tmp_path.iterdir()
    body = zlib.compress(bytes([7]) * len(values))
    part.write_bytes(sha256(body).digest() + body)
    assert set(solve(solver, 2, tmp_path)) == {7}
    part.write_bytes(bytes(32) + body)
    assert (solve(solver, 2, tmp_path) == values).all()


def test_codes_can_be_told_apart_and_are_short():
    rng = np.random.default_rng(1)
    each = np.zeros(256, np.int64)
    each[:140] = (1e9 * 0.7 ** np.arange(140)).astype(np.int64) + rng.integers(1, 5, 140)
    lengths = code_lengths(each)
    codes = assign_codes(lengths)
    assert max(lengths.values()) <= MAX_CODE_BITS
    for one in codes:
        for two in codes:
            if one != two:
                least = min(lengths[one], lengths[two])
                assert (codes[one] ^ codes[two]) & (1 << least) - 1 != 0
    assert code_lengths(np.array([0, 7])) == {1: 1}
