"""The default evaluation: the same for both sides, the same compiled, and the sum of its terms."""

import random
from types import SimpleNamespace

import pytest

import plywise
from plywise.core.compiled import compiled
from plywise.core.layout import at
from plywise.core.scores import MAX_EVALUATION
from plywise.games.chess.classic import control, material, shannon
from plywise.games.chess.evaluation import LAYOUT, WEIGHTS, default
from plywise.search.specialisation import Specialisation
from plywise.search.thread_state import weights_record

CHESS = plywise.load("chess")
VALUES = SimpleNamespace(**WEIGHTS.values())
FENS = [fen for fen, _ in CHESS.bench] + [
    "8/8/4k3/8/3B4/4K3/8/8 w - - 0 1",
    "4k3/P6P/8/8/3b4/8/p5p1/4K2B b - - 0 1",
    "r4rk1/1p3ppp/p1q1b3/4Q3/8/2P3N1/PP3PPP/3RR1K1 b - - 0 20",
]
for function in (shannon, control, material, default):
    compiled(function)


def walk(seed, length):
    """Positions met by playing at random from all the starting points."""
    chance = random.Random(seed)
    for fen in FENS:
        position = CHESS.parse(fen)
        for _ in range(length):
            yield position
            moves = CHESS.moves(position)
            if not moves:
                break
            position = position.play(chance.choice(moves))


def mirrored(position):
    """The same position with colours and board turned over."""
    board, side, castling, passant, fifty, number = position.text().split()
    board = "/".join(reversed(board.swapcase().split("/")))
    castling = "".join(sorted(castling.swapcase()))
    if passant != "-":
        passant = passant[0] + str(9 - int(passant[1]))
    return CHESS.parse(" ".join((board, "wb"["bw".index(side)], castling, passant, fifty, number)))


def test_both_colours_are_judged_alike():
    for position in walk(1, 25):
        twin = mirrored(position)
        for judge in (shannon, control, material):
            assert judge(position) == judge(twin), position.text()
        assert default(position, VALUES) == default(twin, VALUES), position.text()
        assert abs(default(position, VALUES)) < MAX_EVALUATION


def test_left_and_right_are_judged_alike_by_the_textbooks():
    for position in walk(2, 10):
        board, side, *_ = position.text().split()
        turned = CHESS.parse(f"{'/'.join(row[::-1] for row in board.split('/'))} {side} - - 0 1")
        plain = CHESS.parse(f"{board} {side} - - 0 1")
        assert shannon(turned) == shannon(plain)
        assert control(turned) == control(plain)


def test_the_terms_add_up_to_the_evaluation():
    for position in walk(3, 8):
        parts = CHESS.terms(position)
        assert sum(parts.values()) == default(position, VALUES)
        assert {"material", "placement", "tempo"} <= set(parts)


def judge_one(position, memory, which, b, c):
    if which == 0:
        return shannon(position)
    if which == 1:
        return control(position)
    if which == 2:
        return material(position)
    return default(position, at(memory.weights, LAYOUT, 0))


@pytest.mark.thorough("compiles four evaluations")
def test_compiled_evaluations_say_the_same():
    runner = Specialisation(judge_one, CHESS)
    assert runner.compiled
    memory = runner.new_thread()
    memory.bind("weights", weights_record(LAYOUT, WEIGHTS.values(), True))
    for position in walk(4, 25):
        found = [runner(position, memory, which, 0, 0) for which in range(4)]
        assert found == [shannon(position), control(position), material(position), default(position, VALUES)]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("4k3/8/8/8/8/8/4P3/4K2R w K - 0 1", "4k3/8/8/8/8/8/4P3/4K2N w - - 0 1"),  # a rook, not a knight
        ("4k3/8/P7/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1"),  # a pawn that is nearly there
        ("4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1", "4k3/pp6/8/8/8/P7/P7/4K3 w - - 0 1"),  # not doubled
        ("4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", "4k3/8/8/8/8/8/8/2N1KB2 w - - 0 1"),  # two bishops
    ],
)
def test_what_every_player_knows(better, worse):
    assert default(CHESS.parse(better), VALUES) > default(CHESS.parse(worse), VALUES)


def test_a_piece_more_without_pawns_is_hardly_anything():
    assert default(CHESS.parse("4k3/8/8/8/8/8/8/r3K1RN w - - 0 1"), VALUES) < 120
