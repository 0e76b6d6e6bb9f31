"""The rules of Polis: counts, the slow twin, and each rule where it bites."""

import gzip
import json
import re

import pytest

import plywise
from plywise.core.outcome import LOST, OPEN, WON
from plywise.games.polis import with_draws
from plywise.search.specialisation import perft_counter
from tests.games.polis import slow
from tests.games.polis.positions import GAME, played, thrown
from tests.oracles import oracle

NAMES = {"b": 0, "r": 1, "blue": 0, "red": 1, None: None}


def moves(text):
    """The legal moves of a position in the shape of the slow twin's answer."""
    position = GAME.parse(text)
    result = {}
    for move in GAME.moves(position):
        after = position.play(move)
        verdict = after.outcome()
        winner = None if verdict == OPEN else after.turn if verdict == WON else 1 - after.turn
        result[GAME.move_text(position, move)] = (GAME.text(after), winner)
    return result


def after(text, move):
    history = GAME.history(text)
    return history.play(move).text


@pytest.mark.parametrize(
    ("depth", "nodes"),
    [(1, 22), (2, 484), (3, 18360), pytest.param(4, 686308, marks=pytest.mark.thorough("686,308 paths"))],
)
def test_the_number_of_paths_from_the_start(depth, nodes, scaled):
    assert perft_counter(GAME, scaled.compiled)(GAME.start(), depth) == nodes


@pytest.mark.thorough("compiles the counter")
def test_compiled_and_uncompiled_count_alike():
    for seed in range(6):
        position = thrown(seed)
        assert perft_counter(GAME)(position, 2) == perft_counter(GAME, False)(position, 2)


@pytest.mark.parametrize("seed", range(8))
def test_games_agree_with_the_slow_twin(seed):
    for position in played(seed, 80):
        text = GAME.text(position)
        expected = {move: (after, NAMES[who]) for move, (after, who) in slow.moves(text).items()}
        assert moves(text) == expected, text


def test_crowded_boards_agree_with_the_slow_twin():
    for seed in range(400):
        text = GAME.text(thrown(seed))
        expected = {move: (after, NAMES[who]) for move, (after, who) in slow.moves(text).items()}
        assert moves(text) == expected, text


def test_every_position_of_the_oracle_has_its_moves_and_winners():
    checked = 0
    with gzip.open(oracle("polis/positions.jsonl.gz"), "rt") as lines:
        for line in lines:
            row = json.loads(line)
            expected = {move: (after, NAMES[who]) for move, (after, who) in row["moves"].items()}
            assert moves(row["pos"]) == expected, row["pos"]
            checked += 1
    assert checked == 400


# --- each rule where it bites -------------------------------------------------------------------
def test_neighbours_of_both_colours_hop_over_the_moved_piece():
    # RULES 3: c3 goes to d4; red e5 hops to c3, which was left just now, and blue d3 hops to d5.
    assert after("7c/8/8/4d3/8/2DD4/8/C7 b", "c3d4") == "7c/8/8/3D4/3D4/2d5/8/C7 r"


def test_an_enemy_with_a_friend_behind_it_stands_firm():
    # RULES 3.2: f6 defends e5.
    assert after("7c/8/5d2/4d3/8/2D5/8/C7 b", "c3d4") == "7c/8/5d2/4d3/3D4/8/8/C7 r"


def test_a_friend_of_the_mover_hops_whatever_stands_behind_it():
    # RULES 3.2 protects enemies only: c4 hops to a4 although d4 stands behind it.
    assert after("7c/8/8/8/2DD4/1D6/8/C7 b", "b3b4") == "7c/8/8/8/DD1D4/8/8/C7 r"


def test_a_stunned_chariot_does_not_hop():
    # RULES 3.3: a dog that moves to d4 makes the chariot on e5 hop to c3, but not if it is stunned.
    assert after("7c/8/8/4C3/8/3D4/8/8 b", "d3d4") == "7c/8/8/8/3D4/2C5/8/8 r"
    assert after("7c/8/8/3dSd2/8/3D4/8/8 b", "d3d4") == "7c/8/8/4Cd2/3D4/3d4/8/8 r"


def test_both_sides_may_lose_dogs_in_one_turn():
    # RULES 4: e5 hops to c5 and is taken between b5 and d5, b5 between the chariot and c5.
    text = "8/8/8/cD2d3/4D3/8/8/2d4C b"
    assert after(text, "e4d5") == "8/8/8/c2D4/8/8/8/2d4C r"
    move = GAME.read_move(GAME.parse(text), "e4d5")
    assert (move >> 12 & 15, move >> 16 & 15) == (1, 1)


@pytest.mark.parametrize(
    ("flags", "expected"),
    [("Cc", "d7/8/d7/1C3D2/2s1D3/3D4/6d1/8 b"), ("Ss", "d7/8/d7/1S3D2/2c1D3/3D4/6d1/8 b")],
)
def test_the_chariot_visited_first_reads_the_flag_of_the_other_as_it_was(flags, expected):
    # RULES 5: each chariot helps to stun the other. c4 comes before b5, so the old flag of b5 decides.
    text = "d7/8/d7/1{}3D2/2{}1D3/3D3d/8/8 r".format(*flags)
    assert after(text, "h3g2") == expected


def test_an_enemy_move_can_bring_your_chariot_home():
    # RULES 8: red moves b8-b7 next to blue's chariot on a6, which hops to c8: blue has won.
    history = GAME.history("1d6/8/C7/8/7c/8/8/8 r").play("b8b7")
    assert history.text == "2C5/1d6/8/8/7c/8/8/8 b"
    assert history.position.outcome() == WON
    assert history.outcome.winner == 0
    assert history.outcome.reason == "blue's chariot has reached c8 on the far rank (RULES 8)"
    assert history.moves == []


@pytest.mark.parametrize(
    ("text", "winner"),
    [
        ("C7/8/8/8/8/8/8/c7 b", 0),  # the same file: rank 8 is looked at before rank 1
        ("1C6/8/8/8/8/8/8/c7 b", 1),
        ("1C6/8/8/8/8/8/8/2c5 r", 0),
        ("7C/8/8/8/8/8/8/7c r", 0),
    ],
)
def test_of_two_chariots_at_home_the_one_further_left_wins(text, winner):
    assert GAME.outcome(GAME.parse(text)).winner == winner
    assert slow.winner(slow.read(text)[0]) == "br"[winner]


def test_a_side_without_a_move_has_lost():
    # RULES 9: blue's chariot is stunned between two dogs, and blue has nothing else.
    position = GAME.parse("7c/8/8/3dSd2/8/8/8/8 b")
    assert GAME.moves(position) == []
    assert GAME.verdict(position) == LOST
    assert GAME.outcome(position).reason == "blue has no legal move (RULES 9)"


# --- draws --------------------------------------------------------------------------------------
def shuffled(game, plies):
    """Two dogs walk to and fro far from each other."""
    history = game.history("8/d7/8/7c/C7/8/7D/8 b")
    there_and_back = ["h2g2", "a7b7", "g2h2", "b7a7"]
    for i in range(plies):
        if history.outcome:
            break
        history = history.play(there_and_back[i % 4])
    return history


def test_the_third_repetition_is_a_draw():
    history = shuffled(GAME, 99)
    assert history.length == 8
    assert history.outcome.winner is None
    assert "3 times" in history.outcome.reason


def test_a_hundred_plies_without_a_capture_are_a_draw():
    history = shuffled(with_draws(repetition=0), 200)
    assert history.length == 100
    assert history.outcome.winner is None


def test_both_draw_rules_can_be_switched_off():
    game = with_draws(0, 0)
    history = shuffled(game, 120)
    assert history.outcome is None
    assert GAME.draws.repetition == 3, "the shipped game keeps its rules"
    result = plywise.Engine(game, compiled=False, hash=1).search(history, depth=1)
    assert result.move in history.moves


def test_only_a_capture_starts_the_count_again():
    for seed in range(5):
        for position in played(seed, 60):
            for move in GAME.moves(position):
                now = position.play(move)
                pieces = (now.blue | now.red) & (1 << 64) - 1
                before = (position.blue | position.red) & (1 << 64) - 1
                assert position.resets(move) == (pieces.bit_count() < before.bit_count())


def test_the_rules_page_has_the_numbers_that_messages_cite():
    for number in range(1, 11):
        assert f"\n{number}. " in GAME.rules()


def test_boards_of_the_rules_page_are_true():
    """Each example `POSITION`, move, `POSITION` of RULES.md is played."""
    examples = re.findall(r"`(\S+/\S+ [br])` and `(\w{4})` give\s+`(\S+/\S+ [br])`", GAME.rules())
    assert len(examples) >= 5
    for before, move, then in examples:
        assert after(before, move) == then
