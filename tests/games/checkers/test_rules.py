"""The rules: counts of paths, the slow twin, and the clauses of RULES.md."""

import itertools
import random

import pytest

import plywise
from plywise.games.checkers import notation
from plywise.games.checkers.rules import MOST_MOVES
from plywise.search.specialisation import perft_counter
from tests.games.checkers import slow
from tests.games.checkers.random_positions import thrown

GAME = plywise.load("checkers")

START = [7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564]
AIMED = {  # positions in which a rule bites; the counts are those of games/checkers.md
    "W:W15,17,18,19,22,26,27,28,30,32:B1,3,6,8,9,10,11,12,13,20": [8, 33, 124, 390, 1240, 3614],
    "B:WK1,K10,17,K19,26:BK24,3,K14,21,8": [2, 3, 8, 56, 349, 2435],
    "W:WK18:B6,7,8,14,15,22,23,16": [10, 92, 268, 2246, 5518, 38871],
    "B:W6,7,14,15,22,23,K26,K10:BK2,K3,K27": [7, 62, 186, 1205, 5918, 37255],
    "W:W9,K30,K31:B5,K1,12,K22": [5, 7, 19, 75, 280, 1551],
    "B:W11,12,K5,20:B4,21,25,K14,K32": [9, 45, 303, 1514, 10184, 53582],
}


def divide(position, depth):
    """What each move counts: printed when a count is wrong."""
    count = perft_counter(GAME)
    return {GAME.move_text(position, m): count(position.play(m), depth - 1) for m in GAME.moves(position)}


def fast_moves(position):
    """The legal moves as the slow twin gives them."""
    return {tuple(notation.landings(move)): GAME.text(position.play(move)) for move in GAME.moves(position)}


@pytest.mark.parametrize("depth", range(1, len(START) + 1))
def test_paths_from_the_start(depth):
    assert perft_counter(GAME)(GAME.start(), depth) == START[depth - 1], divide(GAME.start(), depth)


@pytest.mark.parametrize("fen", AIMED)
def test_paths_where_a_rule_bites(fen):
    position = GAME.parse(fen)
    for depth, count in enumerate(AIMED[fen], 1):
        assert perft_counter(GAME)(position, depth) == count, divide(position, depth)


@pytest.mark.parametrize("fen", ["start", *AIMED])
def test_uncompiled_counts_the_same_paths(fen):
    position = GAME.parse(fen)
    assert perft_counter(GAME, compiled=False)(position, 4) == perft_counter(GAME)(position, 4)


def test_thrown_positions_have_the_moves_of_the_slow_twin():
    captures = 0
    for fen in thrown(1, 1500):
        position = GAME.parse(fen)
        expected = slow.moves(GAME.text(position))
        assert fast_moves(position) == expected, fen
        captures += any(len(path) > 2 for path in expected)
    assert captures > 200  # multi-jumps were among them


def test_played_positions_have_the_moves_of_the_slow_twin():
    dice = random.Random(3)
    for _ in range(15):
        position = GAME.start()
        for _ in range(120):
            assert fast_moves(position) == slow.moves(GAME.text(position))
            moves = GAME.moves(position)
            if not moves:
                break
            position = position.play(dice.choice(moves))


def test_move_numbers_and_texts_are_unique():
    for fen in thrown(2, 800):
        position = GAME.parse(fen)
        moves = GAME.moves(position)
        texts = [GAME.move_text(position, move) for move in moves]
        assert len(set(moves)) == len(moves) == len(set(texts)), fen
        assert all(0 <= move < 1 << 63 for move in moves)
        assert [GAME.read_move(position, text) for text in texts] == moves
        assert [GAME.read_move(position, notation.long(m)) for m in moves if m >> 12] == [
            m for m in moves if m >> 12
        ]


def test_two_paths_over_the_same_men_are_two_moves():
    position = GAME.parse("B:W6,7,14,15,22,23,K26,K10:BK2,K3,K27")
    texts = [GAME.move_text(position, move) for move in GAME.moves(position)]
    assert "2x9x18x11x2" in texts
    assert "2x11x18x9x2" in texts
    after = {GAME.text(position.play(GAME.read_move(position, t))) for t in texts if t.endswith("x2")}
    assert len(after) == 1


def test_black_moves_first():  # RULES 1
    start = GAME.start()
    assert start.turn == 0
    assert GAME.sides[start.turn] == "Black"
    assert GAME.history().moves == ["9-13", "10-14", "11-15", "12-16", "9-14", "10-15", "11-16"]


def test_capture_is_compulsory_and_the_choice_is_free():  # RULES 3
    assert GAME.history("W:W22,27:B24").moves == ["27x20"]
    both = GAME.history("W:W22,27:B18,24,9")
    assert sorted(both.moves) == ["22x15", "27x20"]


def test_crowning_ends_the_turn():  # RULES 4
    history = GAME.history("B:W27,26,32:B24")
    assert history.moves == ["24x31"]  # on 31 a king could go on over 26
    after = history.play("24x31")
    assert after.text == "W:W26,32:BK31"
    assert after.turn == 1


def test_no_move_is_a_loss():  # RULES 5
    blocked = GAME.history("B:W16,20:B12")
    assert blocked.moves == ["12x19"]
    blocked = GAME.history("B:W16,19:B12")
    assert blocked.moves == []
    assert blocked.outcome.winner == 1
    assert "no legal move" in blocked.outcome.reason
    bare = GAME.history("B:W16,19:B")
    assert bare.outcome.winner == 1
    assert "no piece left" in bare.outcome.reason


def test_third_repetition_is_a_draw():  # RULES 6
    history = GAME.history("B:WK32:BK1")
    for _ in range(2):
        assert history.outcome is None
        for move in ("1-5", "32-28", "5-1", "28-32"):
            history = history.play(move)
    assert history.outcome.winner is None
    assert "3 times" in history.outcome.reason


def test_eighty_plies_without_progress_are_a_draw():  # RULES 6
    position = GAME.parse("B:W28,K32:B12,K1")
    king, man = GAME.read_move(position, "1-5"), GAME.read_move(position, "12-16")
    assert not position.resets(king)
    assert position.resets(man)
    take = GAME.parse("W:W22,27:BK24")
    assert take.resets(GAME.read_move(take, "27x20"))
    assert GAME.draws.plies == 80
    assert GAME.draws.repetition == 3


def test_urgent_is_where_moves_are_captures():
    for fen in thrown(5, 400):
        position = GAME.parse(fen)
        moves = GAME.moves(position)
        captures = [move for move in moves if move >> 12]
        assert position.urgent() == bool(captures)
        assert captures in ([], moves)
        buffer = {}
        assert position.noisy(buffer, 0) == len(captures)
        assert all(position.gain(move) > 0 for move in captures)
        assert all(position.gain(move) == 0 for move in set(moves) - set(captures))
        assert all(0 <= position.slot(move) < 4096 for move in moves)


def test_keys_tell_positions_apart():
    keys = {}
    for fen in thrown(6, 3000):
        position = GAME.parse(fen)
        for near in (position, position._replace(turn=1 - position.turn), position._replace(kings=0)):
            assert keys.setdefault(near.key(), near) == near


def test_no_position_has_more_moves_than_promised():
    """The most captures that a king can have from each square, by trying every set of victims.

    A king's captures are paths over a lattice of landing squares in which each victim is used once.
    Other pieces on landing squares can only shorten them. The twelve best squares together are the
    bound; steps are far fewer (four a piece).
    """
    most = {}
    for parity in (0, 1):
        squares = {at for at in slow.NUMBER if at[0] % 2 == parity}
        victims = [(r, c) for r, c in slow.NUMBER if r % 2 != parity and 0 < r < 7 and 0 < c < 7]

        def paths(at, left, squares=squares):
            found = 0
            for dr, dc in itertools.product((-1, 1), repeat=2):
                over, to = (at[0] + dr, at[1] + dc), (at[0] + 2 * dr, at[1] + 2 * dc)
                if over in left and to in squares:
                    found += paths(to, left - {over})
            return max(found, 1)

        for count in range(len(victims) + 1):
            for chosen in itertools.combinations(victims, count):
                for at in squares:
                    most[at] = max(most.get(at, 0), paths(at, frozenset(chosen)))
    assert len(victims) == 9  # no capture has more than nine jumps
    assert sum(sorted(most.values())[-12:]) == MOST_MOVES
    assert GAME.most_moves == MOST_MOVES
