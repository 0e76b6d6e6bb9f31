"""The rules of chess: counted, compared with the slow twin, and where each rule bites."""

import random

import pytest

import plywise
from plywise.core.bits import bits
from plywise.core.outcome import DRAWN, LOST, OPEN
from plywise.search.specialisation import perft_counter
from tests.games.chess.slow import SlowChess
from tests.oracles import oracle

CHESS = plywise.load("chess")
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

# Counts known from the chess programming community's published tables.
PERFT = [
    (START, [20, 400, 8902, 197281, 4865609]),
    (KIWIPETE, [48, 2039, 97862, 4085603]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191, 2812, 43238, 674624]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", [6, 264, 9467, 422333]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", [44, 1486, 62379, 2103487]),
]


def slow_move(position, move):
    """A move of the game as the slow twin writes it."""
    start, to = move & 63, move >> 6 & 63
    letter = {0: "", 2: "n", 4: "b", 8: "r", 12: "q"}[move >> 17]
    return (start & 7, start >> 3), (to & 7, to >> 3), letter


def divide(position, depth):
    count = perft_counter(CHESS)
    return {position.move_text(move): count(position.play(move), depth - 1) for move in CHESS.moves(position)}


@pytest.mark.parametrize(("fen", "counts"), PERFT)
def test_paths_are_as_many_as_published(fen, counts, scaled):
    position = CHESS.parse(fen)
    for depth, expected in enumerate(scaled(counts[:4], counts), 1):
        found = perft_counter(CHESS)(position, depth)
        assert found == expected, divide(position, depth)


@pytest.mark.parametrize(("fen", "counts"), PERFT[1:3])
def test_uncompiled_rules_count_the_same(fen, counts):
    assert perft_counter(CHESS, compiled=False)(CHESS.parse(fen), 2) == counts[1]


@pytest.mark.parametrize(("name", "most"), [("standard", 4), ("chess960", 3)])
def test_oracle_counts(name, most):
    lines = oracle(f"chess/perft/{name}.epd").read_text().splitlines()
    for number, line in enumerate(lines):
        fen, *facts = line.split(";")
        deepest = 5 if name == "standard" and number == len(lines) - 1 else most
        for fact in facts:
            depth, expected = fact.split()
            if int(depth[1:]) <= deepest:
                position = CHESS.parse(fen)
                found = perft_counter(CHESS)(position, int(depth[1:]))
                assert found == int(expected), (fen, divide(position, int(depth[1:])))


# Positions in which a rule bites, each followed at random by the slow twin.
SEEDS = [
    START,
    KIWIPETE,
    "8/8/3k4/2pP4/8/8/8/3RK3 w - c6 0 2",
    "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2",
    "4k3/P1P3PP/8/8/8/8/p1p3pp/4K3 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1",  # Chess960
    "qrkr4/8/8/8/8/8/8/QRKR4 w DBdb - 0 1",
    "4k3/8/8/8/8/8/8/rR1K3R w HB - 0 1",  # the rook on b1 shields its king from castling
    "2kr4/8/8/3q4/8/2b5/3B4/3K4 w - - 0 1",
]


@pytest.mark.parametrize("fen", SEEDS)
def test_the_slow_twin_agrees_along_random_games(fen):
    chance = random.Random(fen)
    for _ in range(2):
        position, slow = CHESS.parse(fen), SlowChess.read(fen)
        for _ in range(40):
            fast_moves = {slow_move(position, move): move for move in CHESS.moves(position)}
            slow_moves = slow.moves()
            assert sorted(fast_moves) == sorted(slow_moves), position.text()
            if not slow_moves:
                assert position.stuck() == (LOST if slow.in_check(slow.white_moves) else DRAWN)
                break
            assert position.urgent() == slow.in_check(slow.white_moves)
            again = CHESS.parse(position.text())
            assert again == position, "the text and the hash are the same from scratch"
            assert position.clock() == slow.fifty
            move = chance.choice(sorted(slow_moves))
            position, slow = position.play(fast_moves[move]), slow.play(move)


def test_noisy_moves_are_the_captures_and_promotions():
    chance = random.Random(5)
    position = CHESS.parse(KIWIPETE)
    for _ in range(150):
        moves = CHESS.moves(position)
        if not moves:
            position = CHESS.parse(KIWIPETE)
            continue
        if not position.urgent():
            buffer = {}
            noisy = {buffer[i] for i in range(position.noisy(buffer, 0))}
            loud = {m for m in moves if position.gain(m) != 0}
            assert noisy == loud, position.text()
        position = position.play(chance.choice(moves))


def test_keys_tell_positions_apart_as_the_repetition_rule_does():
    chance, seen = random.Random(3), {}
    for fen in SEEDS:
        position, slow = CHESS.parse(fen), SlowChess.read(fen)
        for _ in range(40):
            assert seen.setdefault(position.key(), slow.same()) == slow.same(), position.text()
            moves = CHESS.moves(position)
            if not moves:
                break
            move = chance.choice(moves)
            slow, position = slow.play(slow_move(position, move)), position.play(move)
    assert len(seen) == len(set(seen.values()))


@pytest.mark.parametrize(
    ("fen", "counts"),
    [
        ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", False),  # nobody there to take
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", True),
        ("4k3/8/8/8/q2pP2K/8/8/8 b - e3 0 1", True),
        ("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1", False),  # both pawns leave the rank of the king
    ],
)
def test_en_passant_counts_in_the_key_only_where_it_is_legal(fen, counts):
    plain = fen.replace("e3", "-")
    assert (CHESS.parse(fen).key() != CHESS.parse(plain).key()) == counts


@pytest.mark.parametrize(
    ("fen", "dead"),
    [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", True),
        ("4k3/8/8/8/8/8/8/4KB2 b - - 0 1", True),
        ("4k1n1/8/8/8/8/8/8/4K3 b - - 0 1", True),
        ("4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", True),  # both on dark squares
        ("2b1k3/8/8/8/8/8/8/2B1K3 w - - 0 1", False),
        ("4k1n1/8/8/8/8/8/8/4K1N1 w - - 0 1", False),
        ("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", False),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", False),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", False),
        ("8/4k3/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/4K3 w - - 0 1", True),  # a wall from edge to edge
        ("8/4k3/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/3BK3 w - - 0 1", False),
        ("8/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/k7/4K3 w - - 0 1", False),  # Black can take on b3
        ("8/4k3/8/p1p1p3/PpPpPp2/1P1P1P2/8/4K3 w - - 0 1", False),  # the kings walk round it
    ],
)
def test_dead_positions_are_drawn(fen, dead):
    position = CHESS.parse(fen)
    assert position.outcome() == (DRAWN if dead else OPEN)
    assert CHESS.moves(position), "a drawn position still has moves to count"


def test_a_check_is_answered_before_a_locked_position_is_dead():
    # A check might be mate, which comes before any draw.
    history = CHESS.history("8/8/8/pkp1p1p1/PpPpPpPp/1P1P1P1P/8/4K3 b - - 0 1")
    assert history.outcome is None
    assert "dead" in history.play("b5b6").outcome.reason


@pytest.mark.parametrize(
    ("fen", "winner", "reason"),
    [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", 1, "Black mates"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", None, "stalemate"),
        ("7k/8/6K1/8/8/8/8/8 b - - 0 1", None, "dead position"),
    ],
)
def test_the_end_has_a_reason(fen, winner, reason):
    outcome = CHESS.outcome(CHESS.parse(fen))
    assert outcome.winner == winner
    assert outcome.reason.startswith(reason)


def test_threefold_repetition_and_fifty_moves_draw():
    history = CHESS.history("start moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1")
    assert history.outcome is None
    assert "3 times" in history.play("f6g8").outcome.reason
    assert CHESS.history("4k3/8/8/8/8/8/8/R3K3 w - - 99 80").play("a1a2").outcome.winner is None
    assert CHESS.history("4k3/8/8/8/8/8/8/R3K3 w - - 98 80").play("a1a2").outcome is None


def test_mate_on_the_hundredth_ply_counts():
    history = CHESS.history("7k/8/6K1/8/8/8/8/R7 w - - 99 80").play("a1a8")
    assert history.outcome.winner == 0


@pytest.mark.parametrize(
    ("fen", "move", "sound"),
    [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", True),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", False),
        ("4k3/8/3p4/4p3/8/8/4R3/4K3 w - - 0 1", "e2e5", False),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", True),
        ("3rk3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7d8q", True),
        ("1r2k3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7c8q", False),  # taken at once
        ("4k3/8/8/3p4/4q3/8/6B1/4K3 w - - 0 1", "g2e4", True),
        ("4r1k1/4q3/8/8/4p3/4R3/4Q3/6K1 w - - 0 1", "e3e4", False),
        ("6k1/8/8/4p3/3K4/8/8/8 w - - 0 1", "d4e5", True),
    ],
)
def test_exchanges_are_counted_to_their_end(fen, move, sound):
    position = CHESS.parse(fen)
    assert position.sound(CHESS.read_move(position, move)) == sound


def test_exchange_agrees_with_a_plain_search_of_captures_on_the_square():
    """Where no piece is pinned the exchange is the value of all captures on one square."""
    from plywise.games.chess.attacks import kind_at
    from plywise.games.chess.exchange import WORTH

    def best(slow, square):
        """What the side to move wins by capturing on the square, least valuable first, or not at all."""
        takers = [m for m in slow.moves() if m[1] == square and m[2] in ("", "q")]
        if not takers:
            return 0
        order = "pnbrqk"
        move = min(takers, key=lambda m: order.index(slow.pieces[m[0]].lower()))
        return max(0, value(slow, square) - best(slow.play(move), square))

    def value(slow, square):
        worth = {"p": 100, "n": 320, "b": 330, "r": 500, "q": 950, "k": 10000}
        return worth[slow.pieces[square].lower()]

    chance, checked, agreed = random.Random(11), 0, 0
    for fen in (KIWIPETE, START, PERFT[3][0], PERFT[4][0]):
        position, slow = CHESS.parse(fen), SlowChess.read(fen)
        for _ in range(40):
            moves = CHESS.moves(position)
            if not moves:
                break
            for move in moves:
                to = move >> 6 & 63
                if move >> 17 or not position.other >> to & 1:
                    continue
                won = WORTH[kind_at(position, to)]
                lost = best(slow.play(slow_move(position, move)), (to & 7, to >> 3))
                checked += 1
                agreed += position.sound(move) == (won - lost >= 0)
            move = chance.choice(moves)
            slow, position = slow.play(slow_move(position, move)), position.play(move)
    assert checked > 100
    assert agreed / checked > 0.95, "pins and checks are beyond an exchange, but they are rare"


def test_the_buffers_hold_the_most_crowded_positions():
    most = CHESS.parse("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1")
    assert len(CHESS.moves(most)) == 218
    queens = CHESS.parse("Q6Q/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNQ1KQ1 w - - 0 1")
    assert 218 < len(CHESS.moves(queens)) <= CHESS.most_moves
    assert len(bits(queens.own)) == 16
