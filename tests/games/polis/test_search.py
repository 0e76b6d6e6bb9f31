"""What the search asks of Polis: what is noisy, what is urgent, and races that are seen early."""

import pytest

import plywise
from plywise.core.outcome import LOST, OPEN
from plywise.core.scores import Kind
from tests.games.polis.positions import GAME, played, thrown

WINS = 1 << 20


def some_positions():
    """Positions of play, and boards with pieces thrown on them, that are open."""
    games = [position for seed in range(12) for position in played(seed, 80)]
    boards = [thrown(seed) for seed in range(300)]
    return [position for position in games + boards if position.outcome() == OPEN]


def test_a_position_is_urgent_if_and_only_if_the_enemy_could_come_home_at_once():
    hot = 0
    for position in some_positions():
        passed = position._replace(turn=1 - position.turn)
        threatened = any(passed.play(move).outcome() == LOST for move in GAME.moves(passed))
        assert position.urgent() == threatened, GAME.text(position)
        hot += threatened
    assert hot > 20


def test_a_finished_position_is_not_urgent():
    """The search asks before it looks at the outcome."""
    for text in ("4C3/8/8/8/8/7c/8/7d r", "8/8/2C5/8/8/8/8/4c3 b", "4C3/8/8/8/8/8/8/4c3 b"):
        assert not GAME.parse(text).urgent()


def test_a_move_says_what_it_does():
    for position in some_positions()[::5]:
        own = (position.blue, position.red)[position.turn]
        other = (position.blue, position.red)[1 - position.turn]
        for move in GAME.moves(position):
            after = position.play(move)
            left = (after.blue, after.red)[position.turn], (after.blue, after.red)[1 - position.turn]
            assert move >> 12 & 15 == count(other) - count(left[1])
            assert move >> 16 & 15 == count(own) - count(left[0])
            assert (move >> 20 != 0) == (after.outcome() != OPEN)


def count(word):
    return (word & (1 << 64) - 1).bit_count()


def test_noisy_moves_are_legal_gain_something_and_miss_no_win():
    for position in some_positions():
        buffer = {}
        noisy = [buffer[i] for i in range(position.noisy(buffer, 0))]
        legal = GAME.moves(position)
        assert len(set(noisy)) == len(noisy)
        assert set(noisy) <= {move for move in legal if position.gain(move) > 0}
        assert {move for move in legal if move >> 20 == 1} <= set(noisy)


@pytest.mark.parametrize(
    ("text", "plies", "depth"),
    [
        ("8/2C5/8/8/8/7c/8/7d b", 1, 1),  # home with this move
        ("8/8/2CD4/8/8/7c/8/7d b", 1, 1),  # a dog goes to d7 or c7 and the chariot hops over it
        ("8/8/2C5/7c/8/8/8/7d b", 3, 1),  # two steps from home and nobody near: seen at depth 1
        ("8/7c/8/1C6/8/8/8/7d b", 5, 3),
    ],
)
@pytest.mark.thorough("compiles the game")
def test_a_chariot_that_cannot_be_stopped_is_a_proven_win(text, plies, depth):
    engine = plywise.Engine(GAME, "classic", hash=1)
    result = engine.search(GAME.history(text), depth=8)
    assert (result.kind, result.plies) == (Kind.PROVEN, plies)
    seen = engine.search(GAME.history(text), depth=depth)
    assert seen.score > 30000


@pytest.mark.thorough("compiles the game")
def test_compiled_and_uncompiled_search_alike():
    for seed in (3, 4):
        history = GAME.history(GAME.text(played(seed, 30)[20]))
        answers = [
            plywise.Engine(GAME, hash=1, compiled=compiled).search(history, depth=2)
            for compiled in (True, False)
        ]
        assert len({(answer.move, answer.score, answer.nodes) for answer in answers}) == 1


@pytest.mark.thorough("compiles the game")
def test_taking_first_saves_nodes_and_changes_no_value():
    exact = ("null_move", "reductions", "quiescence", "extensions", "table", "history", "killers")
    nodes = {"first": 0, "as listed": 0}
    for seed in range(4):
        history = GAME.history(GAME.text(played(seed, 40)[24]))
        answers = {
            "first": plywise.Engine(GAME, "classic", hash=1, without=exact).search(history, depth=3),
            "as listed": plywise.Engine(GAME, "classic", hash=1, without=(*exact, "capture_order")).search(
                history, depth=3
            ),
        }
        assert len({answer.score for answer in answers.values()}) == 1
        for order, answer in answers.items():
            nodes[order] += answer.nodes
    assert nodes["first"] < nodes["as listed"]
