"""The textbook evaluations, worked out by hand; the unit is a hundredth of a pawn."""

import random

import pytest

import plywise
from plywise.games.chess.classic import control, material, shannon
from plywise.games.chess.counting import count_moves

CHESS = plywise.load("chess")
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

# King e1, rook h1, pawns a2 h2 against a king on e8, White to move. Both pawns are isolated; none is
# doubled; none is blocked. White has 4 pawn moves, king 5 (d1 f1 d2 e2 f2), castling 1, rook 2: 12.
# Black has 5 king moves. No one holds the centre.
ROOK_AND_TWO = "4k3/8/8/8/8/8/P6P/4K2R w K - 0 1"

# White: king g1, pawns e4 e3 (doubled, isolated; e3 blocked by e4, e4 by e5), 5 king moves.
# Black: king g8, pawn e5 (isolated, blocked by e4), knight c6: 5 king moves, knight 7 (a5 a7 b4 b8 d4
# d8 e7, not e5: its own): 12. White to move.
DOUBLED = "6k1/8/2n5/4p3/4P3/4P3/8/6K1 w - - 0 1"

# Black to move, in check from the rook on e1: moves d8 d7 f7 f8. White as if to move: rook on e1: e2-e7
# 6 (the king is not taken), a1 to d1 4, f1 1; king on g1: f2 g2 h2 f1 h1 5: 16 in all. Rook holds e4, e5.
CHECK = "4k3/8/8/8/8/8/8/4R1K1 b - - 0 1"


@pytest.mark.parametrize(
    ("fen", "points"),
    [
        (START, 0),
        (ROOK_AND_TWO, 700),
        (DOUBLED, 200 - 100 - 300),
        (CHECK, -500),
    ],
)
def test_material(fen, points):
    assert material(CHESS.parse(fen)) == points


@pytest.mark.parametrize(
    ("fen", "points"),
    [
        (START, 0),
        (ROOK_AND_TWO, 700 - 50 * 2 + 10 * (12 - 5)),
        # D 1 + S 2 + I 2 against S 1 + I 1
        (DOUBLED, -200 - 50 * (5 - 2) + 10 * (5 - 12)),
        (CHECK, -500 + 10 * (4 - 16)),
        # 1. e4: Black has 20 moves, White as if to move 30.
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 10 * (20 - 30)),
    ],
)
def test_shannon(fen, points):
    assert shannon(CHESS.parse(fen)) == points


@pytest.mark.parametrize(
    ("fen", "points"),
    [
        (START, 0),
        (ROOK_AND_TWO, 700 + 50 * (12 - 5)),
        # White: e4 occupied, d5 attacked by e4, d4 attacked by e3: 3. Black: e5 occupied, d4 attacked: 2.
        (DOUBLED, -200 + 200 * (3 - 2) + 50 * (5 - 12)),
        (CHECK, -500 - 500 - 200 * 2 + 50 * (4 - 16)),
    ],
)
def test_control(fen, points):
    assert control(CHESS.parse(fen)) == points


def test_the_three_faults_of_pawns_are_terms_of_their_own():
    terms = CHESS.terms(CHESS.parse(DOUBLED), "shannon")
    assert terms == {
        "material": -200,
        "doubled pawns": -50 * (1 - 0),
        "blocked pawns": -50 * (2 - 1),
        "isolated pawns": -50 * (2 - 1),
        "mobility": 10 * (5 - 12),
    }
    assert sum(terms.values()) == shannon(CHESS.parse(DOUBLED))


def test_counting_moves_equals_writing_them():
    chance = random.Random(8)
    fens = (
        START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    )
    for fen in fens:
        position = CHESS.parse(fen)
        for _ in range(60):
            moves = CHESS.moves(position)
            assert count_moves(position) == len(moves), position.text()
            if not moves:
                break
            position = position.play(chance.choice(moves))
