"""The evaluations of Polis: `classic` to the tenth, and the same opinion for both sides."""

import gzip
import json
from types import SimpleNamespace

import pytest

import plywise
from plywise.core.bits import bits, wrap
from plywise.core.scores import DECISIVE
from plywise.search.switches import UNSOUND
from tests.games.polis.positions import GAME, played
from tests.oracles import oracle


def opinion(name, position):
    """What an evaluation says, uncompiled."""
    evaluation = GAME.evaluation(name)
    return evaluation.function(position, SimpleNamespace(**evaluation.weights.values()))


def flipped(position):
    """The same position with the sides exchanged: the board turned upside down."""
    turn = {name: wrap(sum(1 << (7 - i // 8) * 8 + i % 8 for i in bits(word & (1 << 64) - 1)))
            for name, word in position._asdict().items()}  # fmt: skip
    return position._replace(
        blue=turn["red"],
        red=turn["blue"],
        chariots=turn["chariots"],
        stunned=turn["stunned"],
        turn=1 - position.turn,
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("dddddddc/dddddddd/8/8/8/8/DDDDDDDD/CDDDDDDD b", 0),
        ("7c/8/8/3C4/8/8/8/DD6 b", 20 + 16),
        ("7c/8/8/3C4/8/8/8/DD6 r", -36),
        ("dd6/8/8/3C4/8/6c1/8/8 b", -20 + 16 - 25),
    ],
)
def test_classic_counts_pieces_and_squared_advancement_in_tenths(text, value):
    assert opinion("classic", GAME.parse(text)) == value


@pytest.mark.parametrize("name", ["classic", "default"])
def test_an_evaluation_thinks_the_same_of_both_sides(name):
    for seed in range(4):
        for position in played(seed, 60):
            assert opinion(name, position) == opinion(name, flipped(position))


PLAYERS = {
    "alphabeta": lambda: plywise.Engine(GAME, "classic", player="alphabeta", hash=1),
    "search": lambda: plywise.Engine(GAME, "classic", without=UNSOUND, hash=4),
}


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.thorough("compiles the game")
def test_exact_values_of_the_oracle(player):
    engine, checked = PLAYERS[player](), 0
    with gzip.open(oracle("polis/values.jsonl.gz"), "rt") as lines:
        for line in lines:
            row = json.loads(line)
            for depth, value in row["values"].items():
                score = engine.search(GAME.history(row["pos"]), depth=int(depth)).score
                found = "win" if score > DECISIVE else "loss" if score < -DECISIVE else score
                assert found == value, (row["pos"], depth)
                checked += 1
    assert checked == 180


def test_the_weights_of_classic_are_options(tmp_path):
    bold = tmp_path / "bold.json"
    bold.write_text(json.dumps({"unit": "", "origin": "", "values": {"piece": 10, "advance": 3}}))
    text = "7c/8/8/3C4/8/8/8/DD6 b"
    plain = plywise.Engine(GAME, "classic", compiled=False, hash=1, without=UNSOUND)
    other = plywise.Engine(GAME, "classic", compiled=False, hash=1, without=UNSOUND, weights=str(bold))
    assert plain.search(GAME.history(text), depth=1).score == 20 + 25
    assert other.search(GAME.history(text), depth=1).score == 20 + 75
