"""The search on chess: mates are proven with their distance, and pruning never invents one."""

import pytest

import plywise
from plywise import Engine
from tests.oracles import oracle

CHESS = plywise.load("chess")


@pytest.fixture(scope="module")
def engine():
    return Engine(CHESS, hash=16)


def mate_in(engine, fen, moves):
    engine.clear()
    return engine.search(CHESS.history(fen), mate=moves)


def test_mates_are_proven_with_their_distance(engine):
    known = {
        "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1": 1,
        "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1": 2,  # Morphy: 1. Ra6
        "7K/8/6k1/8/8/8/8/r7 b - - 0 1": 1,
    }
    for fen, moves in known.items():
        result = mate_in(engine, fen, moves)
        assert (result.kind, result.plies) == ("proven", 2 * moves - 1), fen
        if moves > 1:
            assert mate_in(engine, fen, moves - 1).kind == "bound", "no shorter one is claimed"


def test_oracle_mates(engine):
    for moves, step in ((1, 1), (2, 8), (3, 2), (4, 12)):
        for line in oracle(f"chess/mates/mate{moves}.fen").read_text().splitlines()[::step]:
            result = mate_in(engine, " ".join(line.split(";")[0].split()[:6]), moves)
            assert (result.kind, result.plies) == ("proven", 2 * moves - 1), line


def test_a_search_with_all_prunings_finds_the_same_mates(engine):
    # A smothered mate; Morphy's problem above is all zugzwang, to which passing is blind.
    engine.clear()
    result = engine.search(CHESS.history("5r1k/6pp/7N/8/2Q5/8/8/6K1 w - - 0 1"), depth=4)
    assert (result.move, result.kind, result.plies) == ("c4g8", "proven", 3)


def test_stalemate_and_fifty_moves_are_seen(engine):
    # Qg6 would be stalemate; the search keeps the win.
    result = engine.search(CHESS.history("7k/8/5K2/8/6Q1/8/8/8 w - - 0 1"), depth=6)
    assert result.move != "g4g6"
    assert result.score > 0
    drawn = engine.search(CHESS.history("7k/8/8/8/8/8/4R3/4K3 w - - 98 80"), depth=4)
    assert drawn.score == 0
