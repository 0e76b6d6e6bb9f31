"""The same promises on games that somebody wrote: wins that are claimed, and lines after a stop."""

import random

import plywise
from plywise import Engine, Game, Kind, Limits
from plywise.core.scores import is_decisive
from plywise.search.switches import UNSOUND
from tests.conftest import Scaled, open_positions, sample
from tests.prover.claims import Truth, check_lines, check_mate
from tests.prover.solver import Solver


def test_kalah_claims_nothing_false(scaled: Scaled) -> None:
    """A side may act again and again: what is claimed of the endings is what a full solver says."""
    game = sample("kalah")
    solver, dice, claims = Solver(game, 0), random.Random(1), 0
    engines = [
        Engine(game, hash=1, compiled=scaled.compiled),
        Engine(game, hash=1, without=UNSOUND, compiled=scaled.compiled),
    ]
    for history in open_positions(game, scaled(20, 80), seed=11):
        truth = Truth(history, solver)
        for engine in engines:
            limits = (
                {"mate": dice.randint(1, 4)},
                {"depth": dice.randint(1, scaled(5, 8))},
                {"nodes": dice.randint(1, 400)},
            )
            for limit in limits:
                lines = dice.choice((1, 3))
                result = engine.search(history, lines=lines, **limit)
                check_lines(truth, result.lines, truth.moves, result.depth, engine is engines[1])
                if "mate" in limit:
                    check_mate(truth, result, truth.moves, limit["mate"])
                claims += sum(line.kind is not Kind.ESTIMATE for line in result.lines)
    assert claims > scaled(75, 300)


def test_a_search_for_a_win_claims_none_where_a_side_acts_often(scaled: Scaled) -> None:
    game = plywise.load("skirmish")
    result = Engine(game, hash=1, compiled=scaled.compiled).search(game.history(), mate=2)
    assert not is_decisive(result.score)
    assert result.kind is not Kind.PROVEN


def test_lines_are_unique_and_ordered_after_any_stop(any_game: Game, scaled: Scaled) -> None:
    dice = random.Random(any_game.name)
    engine = Engine(any_game, hash=1, compiled=scaled.compiled)
    for history in open_positions(any_game, scaled(10, 25), seed=77):
        wanted, nodes = dice.randint(2, 5), dice.choice(scaled((30, 300), (30, 300, 3000)))
        result = engine.search(history, nodes=nodes + dice.randrange(200), lines=wanted)
        firsts = [line.moves[0] for line in result.lines]
        assert len(set(firsts)) == len(firsts) <= wanted, result.lines
        assert set(firsts) <= set(history.moves)
        scores = [line.score for line in result.lines]
        assert scores == sorted(scores, reverse=True)


def test_the_root_is_ordered_like_any_node(scaled: Scaled) -> None:
    """In the first iteration captures come before quiet moves, the best first, as they do further on."""
    game = plywise.load("chess")
    engine = Engine(game, hash=1, record=1000, compiled=scaled.compiled)
    history = game.history("r1bqkbnr/ppp2ppp/2n5/3pp3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4")
    engine.search(history, depth=1)
    log = engine.log
    assert log is not None
    rows = log[(log["ply"] == 1) & (log["iteration"] == 1)]
    tried = list(dict.fromkeys(int(move) for move in rows["move"]))
    gains = [history.position.gain(move) > 0 and history.position.sound(move) for move in tried]
    assert any(gains)
    assert gains == sorted(gains, reverse=True)


def test_a_search_for_a_win_leaves_nothing_that_minimax_would_not_say() -> None:
    """In a search for a win, too, an engine without unsound parts takes no deeper value from its table."""
    game = sample("kalah")
    engine = Engine(game, hash=1, without=UNSOUND, compiled=False)
    for text, limits in (
        ("0,1,4,1/0,1,4,1 0", Limits(mate=5)),
        ("2,2,2,0/2,2,2,0 0", Limits(depth=8)),
        ("1,2,4,1/2,0,0,2 0", Limits(mate=5)),
        ("0,1,4,1/2,0,3,1 1", Limits(mate=5)),
        ("0,1,4,1/2,0,3,1 1", Limits(depth=2)),
        ("2,2,2,0/2,2,2,0 0", Limits(mate=4)),
    ):
        engine.search(game.history(text), limits)
    result = engine.search(game.history("2,2,2,0/2,2,2,0 0"), depth=5)
    assert (result.score, result.kind) == (1, Kind.EXACT)
