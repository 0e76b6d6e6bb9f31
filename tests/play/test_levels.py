"""Levels and players: who errs how, wins that are taken, seeds that repeat, stops that are heard."""

import random
import threading
from dataclasses import replace
from typing import Any

import pytest

from plywise import load
from plywise.core.errors import PlywiseError
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.registry import shipped
from plywise.core.scores import Kind, loss_in, win_in
from plywise.play.clock import Clock
from plywise.play.draw_offer import EARLY_PLIES
from plywise.play.engine_pool import EnginePool
from plywise.play.levels import Level, level, levels
from plywise.play.player import Player
from plywise.play.state import GameState, start_game
from plywise.play.win_chance import first_side_chance, win_chance
from plywise.search.limits import Limits
from plywise.search.result import Line, Progress, Result


def lines(*scores: int) -> tuple[Line, ...]:
    return tuple(Line(score, Kind.ESTIMATE, (str(i),), (i,)) for i, score in enumerate(scores))


@pytest.mark.parametrize("name", sorted(shipped()))
def test_every_game_has_ten_named_levels(name: str) -> None:
    found = levels(load(name))
    assert [one.number for one in found] == list(range(1, 11))
    assert len({one.name for one in found}) == 10
    assert all(one.about for one in found)
    assert found[9].heat == 0 and found[9].seconds


def test_polis_calls_its_levels_as_its_players_do() -> None:
    names = [one.name for one in levels(load("polis"))]
    assert [names.index(name) for name in ("Hoplite", "Strategist", "Oracle", "Athena")] == [3, 6, 8, 9]


@pytest.mark.parametrize("number", [0, 11, -1])
def test_there_are_no_other_levels(number: int) -> None:
    with pytest.raises(PlywiseError, match="levels go from 1 to 10"):
        level(load("chess"), number)


# --- choosing -------------------------------------------------------------------------------------
def test_near_best_moves_are_chosen_the_better_the_likelier() -> None:
    dice, weak = random.Random(1), level(load("chess"), 2)
    chosen = [weak.choose(lines(50, 20, -60, -900), load("chess"), dice, 100) for _ in range(500)]
    assert set(chosen) == {0, 1, 2}
    assert chosen.count(0) > chosen.count(1) > chosen.count(2)


@pytest.mark.parametrize("number", range(1, 11))
def test_a_win_is_taken_and_a_loss_is_not_chosen(number: int) -> None:
    dice, one, game = random.Random(1), level(load("chess"), number), load("chess")
    assert {one.choose(lines(win_in(3), 500), game, dice, 100) for _ in range(50)} == {0}
    assert {one.choose(lines(0, loss_in(2)), game, dice, 100) for _ in range(50)} == {0}


def test_chances_are_read_from_either_side() -> None:
    game = load("chess")
    assert win_chance(0, game, 100) == 0.5
    assert win_chance(win_in(5), game, 100) == 1 and win_chance(loss_in(4), game, 100) == 0
    assert win_chance(300, game, 100) == pytest.approx(1 - win_chance(-300, game, 100))
    assert first_side_chance(300, 1, game, 100) == pytest.approx(win_chance(-300, game, 100))
    assert win_chance(20000, game, 100) <= 1 and win_chance(-20000, game, 100) >= 0


# --- players, uncompiled: the same search, without a compiler's seconds -----------------------------
class Uncompiled(EnginePool):
    """Engines that are never compiled; `asked` is set when somebody wants one."""

    asked = threading.Event()

    def prepare(self) -> None:
        self.asked.set()


def player(game: Game, which: int | Level, seed: int = 1) -> Player:
    return Player(game, which, seed=seed, pool=Uncompiled(game))


def move(state: GameState, which: int, seed: int) -> tuple[str, ...]:
    return player(state.game, which, seed).think(state, state.turn).moves


MATES = [
    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
    "start moves f3 e5 g4",
]


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("text", MATES)
def test_no_level_misses_a_mate_in_one(number: int, text: str) -> None:
    state = start_game(load("chess"), text)
    for seed in range(3):
        after = state.play({state.turn: move(state, number, seed)})
        assert after.outcome is not None and after.outcome.winner == state.turn


def test_from_level_3_on_a_mate_in_one_is_not_allowed() -> None:
    # White threatens Ra8 mate; many moves look better at a glance than making room for the king.
    state = start_game(load("chess"), "6k1/5ppp/8/8/2n5/1P6/5PPP/R5K1 b - - 0 1")
    for seed in range(6):
        after = state.play({1: move(state, 3, seed)})
        assert not any(
            after.play({0: (reply,)}).outcome for reply in after.view(0).moves if reply.startswith("a1a8")
        )


def test_a_lone_block_in_connect_four_is_found() -> None:
    state = start_game(load("connect_four"), "start moves 4 1 4 1 4")
    assert {move(state, 3, seed) for seed in range(5)} == {("4",)}


def test_equal_seeds_choose_equally_and_others_differ() -> None:
    state = start_game(load("chess"))
    chosen = [move(state, 1, seed) for seed in (1, 1, 2, 3, 4, 5, 6, 7)]
    assert chosen[0] == chosen[1]
    assert len(set(chosen)) > 1


def test_a_player_of_a_world_orders_every_unit() -> None:
    state = start_game(load("skirmish"))
    for which in (1, 4):
        choices = {side: player(state.game, which).think(state, side).moves for side in (0, 1)}
        assert [len(moves) for moves in choices.values()] == [2, 2]
        state = state.play(choices)
    assert state.number == 2


def test_what_is_forced_is_played_without_a_look() -> None:
    state = start_game(load("chess"), "7k/8/8/8/8/8/1r6/K7 w - - 0 1")
    chosen = player(state.game, 10).think(state, 0)
    assert chosen.moves == ("a1b2",)
    assert chosen.result is None


def test_a_stop_ends_a_thought_and_gives_a_legal_move() -> None:
    state = start_game(load("chess"))
    endless = Level(10, "endless", "", seconds=1000.0)
    one = player(state.game, endless)
    begun, answers = threading.Event(), []

    def told(report: Progress) -> None:
        begun.set()

    def think() -> None:
        answers.append(one.think(state, 0, progress=told))

    thread = threading.Thread(target=think)
    thread.start()
    assert begun.wait(300)
    one.stop()
    thread.join(300)
    assert not thread.is_alive()
    assert answers[0].stopped
    assert answers[0].moves[0] in state.view(0).moves


def test_a_stop_also_reaches_a_player_who_waits_for_an_engine() -> None:
    state = start_game(load("chess"))
    engines = Uncompiled(state.game, most=1)
    one = Player(state.game, 10, seed=1, pool=engines)
    answers = []
    with engines.borrow():
        engines.asked.clear()
        thread = threading.Thread(target=lambda: answers.append(one.think(state, 0)))
        thread.start()
        assert engines.asked.wait(300)
        one.stop()
        thread.join(300)
    assert answers[0].stopped
    assert answers[0].moves[0] in state.view(0).moves


def test_a_clock_shortens_the_thought() -> None:
    state = start_game(load("chess"))
    one = player(state.game, 10)
    limits = one._limits(None)
    from plywise.play.clock import allowance

    hurried = one._limits(allowance(Clock(1.0)))
    assert hurried.time is not None and limits.time is not None
    assert hurried.time < 1.0 < limits.time
    assert one.think(state, 0, clock=Clock(0.2)).moves


def test_a_draw_is_taken_by_who_stands_worse() -> None:
    lost = start_game(load("chess"), "4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1")
    assert player(lost.game, 5).accepts_draw(lost, 1)
    assert not player(lost.game, 5).accepts_draw(lost, 0)


@pytest.mark.parametrize("score", [0, -45, -200])
def test_an_early_offer_is_declined_by_who_stands_a_little_worse(
    monkeypatch: pytest.MonkeyPatch, score: int
) -> None:
    state = start_game(load("chess"))
    one = player(state.game, 5)
    search, dice = one._search, random.Random(1)

    def search_shortly(view: History, limits: Limits, *rest: Any) -> Result:
        found = search(view, Limits(depth=1), *rest)
        assert found is not None
        return replace(found, score=score if view.turn == 1 else -score)

    monkeypatch.setattr(one, "_search", search_shortly)
    for ply in range(EARLY_PLIES + 2):
        assert one.accepts_draw(state, 1) == (ply >= EARLY_PLIES), ply
        state = state.play({state.turn: [dice.choice(state.view(state.turn).moves)]})


def test_a_draw_is_taken_by_the_board_where_there_is_no_time_to_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A busy machine may not finish a single depth: a score of 0 is then no opinion."""
    lost = start_game(load("chess"), "4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1")
    worse = player(lost.game, 5)
    search = worse._search
    monkeypatch.setattr(worse, "_search", lambda view, limits, *rest: search(view, Limits(nodes=1), *rest))
    assert worse.accepts_draw(lost, 1)
    assert not worse.accepts_draw(lost, 0)


def test_engines_are_shared_and_given_back() -> None:
    engines = Uncompiled(load("tic_tac_toe"), most=1)
    with engines.borrow() as first:
        pass
    with engines.borrow() as second:
        assert second is first
