"""The past belongs to the history: repetitions, counters, and the moves that led here."""

from dataclasses import dataclass, replace
from typing import Any

import plywise
from tests.conftest import sample


def test_a_history_remembers_its_moves_and_can_be_forked() -> None:
    start = plywise.load("connect_four").history()
    one = start.play("4").play("4")
    two = start.play("3")
    assert one.played == ["4", "4"]
    assert two.played == ["3"]
    assert start.played == []
    assert one.text == "44"


def test_text_with_moves_is_a_history() -> None:
    game = plywise.load("tic_tac_toe")
    history = game.history("x........ o moves b2 c3")
    assert history.played == ["b2", "c3"]
    assert history.turn == 1
    assert history.text == "x.x.o.... o"


def test_a_third_repetition_is_a_draw_and_the_second_is_not() -> None:
    history = sample("runners").history("5-5-0")
    for move in ("1", "1", "0", "0"):
        history = history.play(move)
    assert history.repetitions == 2
    assert history.outcome is None
    for move in ("1", "1", "0", "0"):
        history = history.play(move)
    assert history.repetitions == 3
    assert history.outcome == plywise.Outcome(None, "the position has occurred 3 times")


def test_a_reset_ends_the_reach_of_repetitions() -> None:
    game = replace(sample("duel"), draws=plywise.Draws(repetition=2))
    history = game.history("2222/7610/0/0")  # unit 0 on cell 0 strikes unit 3 on cell 7
    struck = history.play("19")
    after = struck.play("0")
    assert struck.clock == 0
    assert after.clock == 1
    assert after.keys_drawn_on_return(10) == sorted([struck.key, after.key])


def test_plies_without_progress_are_a_draw() -> None:
    game = replace(sample("runners"), draws=plywise.Draws(plies=4))
    history = game.history("5-5-0 moves 1 1 0")
    assert history.outcome is None
    assert history.play("0").outcome == plywise.Outcome(None, "4 plies without progress")


def test_some_draws_are_claimed_and_others_come_by_themselves() -> None:
    chess, back = plywise.load("chess"), ("g1f3", "g8f6", "f3g1", "f6g8")
    history, seen = chess.history(), []
    for _ in range(4):
        for move in back:
            history = history.play(move)
        seen.append((history.outcome is not None, history.claimable))
    assert seen == [(False, False), (True, True), (True, True), (True, False)]
    for plies, drawn, claimable in (
        (99, False, False),
        (100, True, True),
        (149, True, True),
        (150, True, False),
    ):
        history = chess.history(f"7k/8/8/8/8/8/R7/6K1 w - - {plies} 90")
        assert (history.outcome is not None, history.claimable) == (drawn, claimable)
    assert not chess.history("7k/8/8/8/8/8/8/6K1 w - - 120 90").claimable, "it is dead"


def test_the_text_of_a_long_game_that_is_its_moves_is_found() -> None:
    @plywise.game("steps")
    @dataclass(frozen=True)
    class Steps:
        turn: int = 0

        def moves(self) -> list[int]:
            return [1]

        def play(self, move: int) -> "Steps":
            return Steps(1 - self.turn)

        def outcome(self) -> None:
            return None

        @staticmethod
        def extend(text: str, move: str) -> str:
            return text + move

    game: Any = Steps.game  # type: ignore[attr-defined]
    history = game.history("start moves " + "1 " * 2500)
    assert history.text.endswith("1" * 2500)
