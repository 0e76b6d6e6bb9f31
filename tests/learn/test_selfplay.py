"""Self-play: the same games for the same seed, compiled or not, and labels of the right sign."""

from pathlib import Path

import numpy as np
import pytest

import plywise
from plywise.core.net_file import write_net
from plywise.learn.selfplay import NO_RESULT, SelfPlay, player_without_net
from plywise.learn.shapes import has_no_evaluation, shape_of
from tests.conftest import Scaled
from tests.core.test_learned import random_values

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def self_play(name: str, compiled: bool, leaves: bool = False) -> SelfPlay:
    game = plywise.load(name)
    return SelfPlay(game, shape_of(game, hidden=16), leaves=leaves, compiled=compiled)


def test_the_same_seed_gives_the_same_games_compiled_and_interpreted(scaled: Scaled) -> None:
    seen = [self_play("connect_four", compiled, True) for compiled in (scaled.compiled, False)]
    first, second = (each.play(7, range(3), 60) for each in seen)
    assert len(first) > 20
    assert np.array_equal(first, second)


def test_a_batch_does_not_depend_on_the_batches_before_it() -> None:
    player, fresh = self_play("connect_four", False), self_play("connect_four", False)
    player.play(3, range(2), 40)
    assert np.array_equal(player.play(3, range(2, 4), 40), fresh.play(3, range(2, 4), 40))


def test_other_seeds_and_games_give_other_openings() -> None:
    player = self_play("connect_four", False)
    openings = {
        tuple(player.play(seed, range(game, game + 1), 20)["boards"][0]) for seed in (1, 2) for game in (0, 1)
    }
    assert len(openings) == 4


@pytest.mark.parametrize("name", ["connect_four", "polis"])
def test_kept_positions_are_those_of_legal_games(name: str) -> None:
    rows = self_play(name, False, True).play(1, range(2), 40)
    assert set(rows["result"]) <= {-1, 0, 1, NO_RESULT}
    assert set(rows["turn"]) == {0, 1}
    for number in set(rows["game"]):
        results = set(rows["result"][rows["game"] == number]) - {NO_RESULT}
        assert len(results) == 1  # one result a game


@pytest.mark.thorough("compiles self-play")
def test_score_and_result_agree_for_both_sides() -> None:
    rows = self_play("connect_four", True).play(1, range(400), 1000)
    for turn in (0, 1):
        decided = rows[(rows["turn"] == turn) & np.isin(rows["result"], (-1, 1)) & (rows["score"] != 0)]
        assert len(decided) >= 200
        assert ((decided["score"] > 0) == (decided["result"] > 0)).mean() > 0.6


def test_a_correction_is_learned_from_what_the_own_evaluation_says() -> None:
    """Polis has weights, Connect Four has none; the rows hold the value for side 0."""
    for name in ("connect_four", "polis"):
        game = plywise.load(name)
        shape = shape_of(game, hidden=16, form="correction")
        rows = SelfPlay(game, shape, compiled=False).play(2, range(1), 30)
        assert rows["own"].any()
        for row in rows:
            boards, turn = [int(board) for board in row["boards"]], int(row["turn"])
            if name == "connect_four":
                position = game.position(boards[turn], boards[1 - turn], turn)
            else:
                dogs, cart, _, foes, enemy, _ = boards
                position = game.position(dogs | cart, foes | enemy, cart | enemy, boards[2] | boards[5], turn)
            own = game.evaluate(position)
            assert row["own"] == (own if turn == 0 else -own)


def test_the_games_are_played_by_the_evaluation_that_is_named(tmp_path: Path) -> None:
    """Two nets play other games, and neither plays those of the game's own evaluation."""
    game = plywise.load("connect_four")
    shape = shape_of(game, hidden=16)
    played = []
    for seed in (1, 2):
        path = tmp_path / f"{seed}.json"
        write_net(path, game, shape, random_values(game, shape, seed), {})
        played.append(SelfPlay(game, shape, "learned", str(path), compiled=False).play(1, range(2), 30))
    played.append(SelfPlay(game, shape, compiled=False).play(1, range(2), 30))
    scores = [rows["score"].tolist()[:10] for rows in played]
    assert scores[0] != scores[1] != scores[2] != scores[0]


def test_a_game_that_has_weights_is_played_with_them() -> None:
    """The default of Polis is no method of its positions; scores of depth 1 show which one was asked."""
    game = plywise.load("polis")
    rows = SelfPlay(game, shape_of(game, hidden=16), compiled=False).play(1, range(1), 20)
    assert any(int(score) % 10 for score in rows["score"])  # dogs alone are tens


def test_a_game_without_an_evaluation_is_played_with_noise() -> None:
    """All positions alike would be answered by the first move that is shown."""
    game = plywise.load(str(EXAMPLES / "breakthrough.py"))
    assert has_no_evaluation(game)
    rows = SelfPlay(game, shape_of(game, hidden=16), "noise", compiled=False).play(1, range(1), 40)
    assert len(set(rows["score"].tolist())) > 5
    assert max(abs(rows["score"])) <= 32


def test_mobility_plays_where_what_noise_has_taught_is_too_weak(monkeypatch: pytest.MonkeyPatch) -> None:
    game = plywise.load(str(EXAMPLES / "breakthrough.py"))
    assert [player_without_net(game, generation) for generation in (1, 2)] == ["noise", "default"]
    monkeypatch.setattr(game, "generic", "outcome")  # mobility says nothing there
    assert player_without_net(game, 2) == "noise"
    assert player_without_net(plywise.load("polis"), 1) == "default"
