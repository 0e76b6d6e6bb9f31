"""Why a move is bad: every sentence is true by another search, and by the pieces on the board."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

import plywise
from plywise import Engine, Game, History
from plywise.core.board import Board
from plywise.core.errors import BadMove
from plywise.core.scores import WIN, Kind, is_sure
from plywise.explain import WhyBad, why_bad, why_bad_data, why_bad_sentences
from plywise.explain.marks import accuracy, move_mark
from plywise.explain.why_bad import DepthResult, Pieces, _Question
from plywise.play.win_chance import win_chance
from plywise.search.limits import Limits
from plywise.search.result import Result
from tests.conftest import open_positions, sample

DEPTH = {"chess": 2, "polis": 1, "skirmish": 1}
SLACK = 0.05  # of the chance: an answer that gives away more would be an inaccuracy itself


def ask(history: History, move: str, depth: int | None = None) -> WhyBad:
    engine = Engine(history.game, hash=1, compiled=False)
    return why_bad(engine, history, move, Limits(depth=depth or DEPTH.get(history.game.name, 3)))


def line_end(history: History, line: tuple[str, ...]) -> History:
    for move in line:
        history = history.play(move)
    return history


def score_after(history: History, moves: tuple[str, ...], depth: int) -> int:
    """The score of a line for the side that begins it, by a search that prunes nothing by guess."""
    end = line_end(history, moves)
    if end.outcome is not None:
        winner = end.outcome.winner
        return 0 if winner is None else 32000 if winner == history.turn else -32000
    engine = Engine(history.game, hash=1, compiled=False, without=("unsound",))
    score = engine.search(end, depth=depth).score
    return score if end.turn == history.turn else -score


def pieces(history: History) -> Counter[tuple[int | None, str]]:
    board = history.game.board(history.position)
    assert isinstance(board, Board)
    return Counter((piece.side, piece.name) for row in board.rows for piece in row if piece is not None)


# --- truth ------------------------------------------------------------------------------------------
@cache
def outcome_value(history_text: str) -> int:
    """1, 0 or -1 for the side to move in tic-tac-toe, by looking at everything."""
    history = plywise.load("tic_tac_toe").history(history_text)
    if history.outcome is not None:
        winner = history.outcome.winner
        return 0 if winner is None else 1 if winner == history.turn else -1
    return max(-outcome_value(history.play(move).text) for move in history.moves)


def test_in_a_solved_game_a_move_is_a_blunder_if_and_only_if_it_gives_the_result_away() -> None:
    game = plywise.load("tic_tac_toe")
    engine = Engine(game, hash=1, compiled=False)
    for history in open_positions(game, 40, seed=5):
        move = random.Random(history.text).choice(history.moves)
        found = why_bad(engine, history, move, Limits(depth=9))
        kept = -outcome_value(history.play(move).text)
        assert (found.mark == "blunder") == (kept < outcome_value(history.text)), history.text
        assert found.is_good == (found.mark is None)


@pytest.mark.parametrize("name", plywise.shipped())
def test_what_is_said_is_so(name: str) -> None:
    game, told = plywise.load(name), 0
    for history in open_positions(game, 5, seed=8, most=30):
        move = random.Random(history.text).choice(history.moves)
        found = ask(history, move)
        played, depth = found.played, max(1, found.played.depth)
        line_end(history, played.line)  # every move of it is legal
        if not found.is_bad:
            continue
        told += 1
        assert score_after(history, (played.move,), depth) < score_after(history, (found.best.move,), depth)
        reply = played.reply(history)
        if reply is not None and not is_sure(played.score):
            way = played.line[: played.line.index(reply, 1)]
            asked = line_end(history, way)
            left = depth if asked.play(reply).turn == asked.turn else depth - 1  # its turn may go on
            if left:
                scores = score_after(history, way, depth), score_after(history, (*way, reply), left)
                best, chosen = (win_chance(score, game, found.unit) for score in scores)
                assert chosen <= best + SLACK, (history.text, played.line)
        if found.piece_loss is not None:
            end = line_end(history, played.shown)
            gone, new = pieces(history) - pieces(end), pieces(end) - pieces(history)
            for piece, number in found.piece_loss.lost.items():
                promoted = sum(found.piece_loss.gained.values())
                assert number <= gone[history.turn, piece] <= number + promoted
            for piece, number in found.piece_loss.given.items():
                assert new[1 - history.turn, piece] == number
    assert told or game.world is not None, "some of the moves are bad"


# --- words ------------------------------------------------------------------------------------------
def test_a_mate_is_told_with_the_answer_and_the_number_of_moves_in_the_games_own_writing() -> None:
    game = plywise.load("chess")
    history = game.history("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 0 3")
    found = ask(history, "a7a6")
    assert found.mark == "blunder"
    said = why_bad_sentences(found)
    assert said[0] == "a6 is a blunder: it loses by force."
    assert said[1] == "White answers Qxf7#: White wins in 1 move."
    assert said[2].startswith("Better is ")


def test_a_lost_piece_is_named() -> None:
    game = plywise.load("chess")
    history = game.history("4k3/8/8/3q4/8/8/3R4/3K4 b - - 0 1")
    found = ask(history, "d5d6")
    assert why_bad_sentences(found)[1].startswith("White answers Rxd6 and wins a queen: White +")
    assert found.piece_loss is not None and found.piece_loss.lost == {"queen": 1}


def test_a_piece_that_is_paid_for_is_not_said_to_be_won() -> None:
    found = ask(plywise.load("chess").history("4k3/8/8/3q4/8/8/3R4/3K4 b - - 0 1"), "d5d6")
    pieces = Pieces(taken={"bishop": 1}, lost={"pawn": 1}, gained={}, given={})
    found = replace(found, played=replace(found.played, pieces=pieces))
    assert why_bad_sentences(found)[1].startswith("White answers Rxd6 and takes a pawn for a bishop: ")


def test_a_loss_that_the_best_move_does_not_avoid_is_no_reason() -> None:
    game = plywise.load("chess")
    # The rook is lost whatever White does; h3 is worse for another reason, if at all.
    history = game.history("6k1/8/8/8/8/1b6/8/R5qK w - - 0 1")
    found = ask(history, "h1g1")
    assert found.piece_loss is None


def test_the_best_move_and_its_equals_are_not_called_bad() -> None:
    game = plywise.load("tic_tac_toe")
    history = game.history("x...o.... x")
    found = ask(history, "c3", depth=9)
    assert not found.is_bad and found.is_good and len(why_bad_sentences(found)) == 1


def test_where_a_side_moves_twice_the_answer_is_the_other_sides() -> None:
    game = sample("kalah")
    for history in open_positions(game, 8, seed=3):
        found = ask(history, history.moves[0])
        reply, end = found.played.reply(history), history
        if reply is None:
            continue
        for move in found.played.line[: found.played.line.index(reply, 1)]:
            assert end.turn == history.turn
            end = end.play(move)
        assert end.turn != history.turn


def test_the_data_has_the_sentences_and_both_lines() -> None:
    game = plywise.load("connect_four")
    history = game.history("414141")
    found = why_bad_data(ask(history, "7"))
    assert found["text"] and found["best"]["line"] and found["played"]["labels"][0] == "7"


def test_an_illegal_move_is_refused() -> None:
    with pytest.raises(BadMove):
        ask(plywise.load("chess").history(), "e2e5")


def test_marks_follow_the_chance_that_is_lost() -> None:
    assert [move_mark(0.6, after) for after in (0.6, 0.56, 0.52, 0.48, 0.2)] == [
        None,
        None,
        "inaccuracy",
        "mistake",
        "blunder",
    ]
    assert accuracy(0.5, 0.6) > accuracy(0.5, 0.4) > accuracy(0.5, 0.2)
    assert accuracy(0.5, 0.6) == pytest.approx(100.0, abs=0.01)


def test_a_game_of_ones_own_is_explained_too() -> None:
    game: Game = sample("runners")
    for history in open_positions(game, 4, seed=2):
        assert why_bad_sentences(ask(history, history.moves[-1]))


def test_limits_that_end_too_early_do_not_make_it_guess() -> None:
    game = plywise.load("chess")
    history = game.history("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 0 3")
    found = why_bad(Engine(game, hash=1, compiled=False), history, "a7a6", Limits(nodes=5))
    assert found.is_reliable and found.checked >= 2
    assert found.mark == "blunder" and found.best.score > -1000


# --- nothing is claimed that the next iteration denies ------------------------------------------------
def scripted(
    monkeypatch: pytest.MonkeyPatch, scores: dict[str, list[int]], replies: bool = True
) -> Callable[[], WhyBad]:
    """Connect Four's best move 4 and the move 7, with scores of their iterations from depth 1 on."""

    def iterations(self: _Question, move: str, limits: Limits) -> list[DepthResult]:
        found = scores[move][: limits.depth]
        return [DepthResult(i, one, Kind.ESTIMATE, (move, "4")) for i, one in enumerate(found, start=1)]

    monkeypatch.setattr(_Question, "iterations", iterations)
    monkeypatch.setattr(_Question, "confirms_reply", lambda *_: replies)
    return lambda: ask(plywise.load("connect_four").history(), "7", depth=3)


def test_a_claim_is_that_of_one_iteration_and_the_next_one_confirms_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = scripted(monkeypatch, {"4": [10, 10, 12, 99], "7": [0, -40, -30, 99]})()
    assert (found.mark, found.played.depth, found.checked, found.cost) == ("blunder", 2, 3, 50)
    assert why_bad_sentences(found)[-1] == "Better is 4: x +0.10 (searched to depth 2, confirmed at depth 3)."


def test_moves_are_searched_deeper_until_two_iterations_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    found = scripted(monkeypatch, {"4": [10] * 9, "7": [10, 10, -40, -50, 10]})()
    assert (found.mark, found.played.depth, found.checked) == ("blunder", 3, 4)


def test_what_iterations_disagree_about_is_not_called_bad(monkeypatch: pytest.MonkeyPatch) -> None:
    found = scripted(monkeypatch, {"4": [10] * 9, "7": [10, 10, -40, 10, -40]})()
    assert not found.is_bad and found.mark is None and found.is_good
    assert why_bad_sentences(found) == [
        "Plywise is not sure about 7 and 4: searched to depth 4 it is no worse, to depth 5 it costs 0.50."
    ]


def test_iterations_that_say_the_same_with_other_scores_are_not_told_as_a_contradiction(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = scripted(monkeypatch, {"4": [0, 0, 60, 0, 60], "7": [0, 0, 60, 0, 60]})()
    assert why_bad_sentences(found) == [
        "Plywise is not sure about 7 and 4:"
        " searched to depth 2 and to depth 3 it is no worse, but the scores still change."
    ]


def test_a_question_by_the_clock_is_searched_one_turn_deeper_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted(monkeypatch, {"4": [10] * 9, "7": [10, 10, -40, 10, -40]})
    engine = Engine(plywise.load("connect_four"), hash=1, compiled=False)
    found = why_bad(engine, engine.game.history(), "7", Limits(depth=3, time=600))
    assert found.checked == 4 and found.denied is not None and found.denied.depth == 3


def test_the_smallest_mark_needs_three_iterations(monkeypatch: pytest.MonkeyPatch) -> None:
    assert scripted(monkeypatch, {"4": [10] * 3, "7": [6, 6, 6]})().mark is None
    assert scripted(monkeypatch, {"4": [10] * 3, "7": [3, 3, 3]})().mark == "inaccuracy"
    assert scripted(monkeypatch, {"4": [10] * 3, "7": [10, 3, 3]})().mark is None


def test_a_small_loss_that_is_not_sure_is_neither_bad_nor_good(monkeypatch: pytest.MonkeyPatch) -> None:
    found = scripted(monkeypatch, {"4": [10] * 3, "7": [10, 3, 3]})()
    assert not found.is_bad and not found.is_good
    assert why_bad_sentences(found)[0].startswith("7 may be worse than 4: x +0.03; after 4: x +0.10")
    assert scripted(monkeypatch, {"4": [10] * 3, "7": [8, 8, 8]})().is_good


def test_an_answer_that_a_deeper_search_does_not_confirm_is_not_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = why_bad_sentences(scripted(monkeypatch, {"4": [10] * 9, "7": [-50] * 9}, replies=False)())
    assert said[1] == "After 7: o +0.50."


def answering(monkeypatch: pytest.MonkeyPatch, position: str, reply: str) -> str:
    """What is said of x's move 7 in Connect Four, whose iterations all find that reply."""

    def iterations(self: _Question, move: str, limits: Limits) -> list[DepthResult]:
        score = -50 if move == "7" else 10
        return [DepthResult(depth, score, Kind.ESTIMATE, (move, reply)) for depth in (1, 2, 3)]

    monkeypatch.setattr(_Question, "iterations", iterations)
    monkeypatch.setattr(_Question, "confirms_reply", lambda *_: True)
    return why_bad_sentences(ask(plywise.load("connect_four").history(position), "7", depth=3))[1]


def test_an_answer_that_another_one_comes_near_is_one_that_can_be_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # At the start all answers are about as good; in the other position o wins at once by 4 alone.
    assert answering(monkeypatch, "start", "4") == "o can answer 4: o +0.50."
    assert answering(monkeypatch, "start moves 1 4 1 4 2 4", "1") == "o can answer 1: o +0.50."
    assert answering(monkeypatch, "start moves 1 4 1 4 2 4", "4") == "o answers 4: o +0.50."


def test_what_the_deeper_iteration_takes_back_is_not_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    # Losses of 200 and of 20 are both blunders, but only the smaller one is sure.
    found = scripted(monkeypatch, {"4": [0] * 9, "7": [-200, -200, -20, -200, -20]})()
    assert (found.mark, found.cost, found.played.depth, found.checked) == ("blunder", 20, 5, 5)
    lost = 5 - WIN
    found = scripted(monkeypatch, {"4": [0] * 9, "7": [lost, lost, -200, lost, -200]})()
    assert found.cost == 200, "a loss by force that is none a turn deeper"


def test_a_loss_that_is_no_small_one_and_not_sure_is_not_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    found = scripted(monkeypatch, {"4": [10] * 9, "7": [10, -4, -20, -4, -20]})()
    assert why_bad_sentences(found)[0] == (
        "Plywise is not sure how much worse 7 is than 4:"
        " searched to depth 4 it costs 0.14, to depth 5 it costs 0.30."
    )
    assert not found.is_bad and not found.is_good, "every search says that it is worse"


def test_a_high_cost_that_is_no_blunder_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    ahead = why_bad_sentences(scripted(monkeypatch, {"4": [70] * 9, "7": [52] * 9})())[0]
    assert ahead == "7 is an inaccuracy: it costs 0.18, but x is still far ahead."
    behind = why_bad_sentences(scripted(monkeypatch, {"4": [-52] * 9, "7": [-70] * 9})())[0]
    assert behind == "7 is an inaccuracy: it costs 0.18, but o was far ahead already."
    little = why_bad_sentences(scripted(monkeypatch, {"4": [500] * 9, "7": [300] * 9})())[0]
    assert little.startswith("7 changes little, x is far ahead either way: x +3.00; after 4: x +5.00")


def test_terms_are_named_as_most_of_the_cost_only_if_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    found = scripted(monkeypatch, {"4": [0] * 9, "7": [-100] * 9})()
    best = replace(found.best, terms={"threes": 0.0, "centre": 0.0})
    for lost, text in ((60.0, ", most of it in threes"), (40.0, "")):
        played = replace(found.played, terms={"threes": -lost, "centre": 0.0}, pieces=None)
        said = why_bad_sentences(replace(found, best=best, played=played))
        assert said[0] == f"7 is a blunder: it costs 1.00{text}."


def test_an_evaluation_without_terms_is_not_named_as_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    found = scripted(monkeypatch, {"4": [0] * 9, "7": [-100] * 9})()
    best = replace(found.best, terms={"evaluation": 0.0})
    played = replace(found.played, terms={"evaluation": -100.0}, pieces=None)
    assert why_bad_sentences(replace(found, best=best, played=played))[0] == "7 is a blunder: it costs 1.00."


def test_a_move_that_turns_a_win_into_a_loss_says_both() -> None:
    found = ask(plywise.load("tic_tac_toe").history("xx..xo..o o"), "a2", depth=9)
    assert why_bad_sentences(found)[0] == "a2 is a blunder: it throws the win away and loses."


def test_a_win_is_thrown_away_only_if_it_is_proven_that_none_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    found = scripted(monkeypatch, {"4": [WIN - 7] * 9, "7": [20] * 9})()
    assert why_bad_sentences(found)[0] == (
        "7 is a blunder: 4 wins by force, and after 7 Plywise sees no win."
    )
    draw = replace(found, played=replace(found.played, score=0, kind=Kind.PROVEN))
    assert why_bad_sentences(draw)[0] == "7 is a blunder: it throws the win away."


def test_how_deep_was_searched_is_said_of_good_moves_too() -> None:
    history = plywise.load("connect_four").history()
    assert why_bad_sentences(ask(history, "4"))[0].endswith(" (searched to depth 3).")
    assert " (searched to depth" in why_bad_sentences(ask(history, "3"))[0]


def test_moves_that_limits_cut_short_are_compared_at_one_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    found = scripted(monkeypatch, {"4": [10, 10, 90], "7": [10, 10]})()
    assert found.played.depth == found.best.depth == 1 and found.checked == 2
    assert not found.is_bad


def test_who_looks_for_the_better_move_is_not_told_it(monkeypatch: pytest.MonkeyPatch) -> None:
    found = scripted(monkeypatch, {"4": [10] * 9, "7": [-50] * 9}, replies=False)()
    assert why_bad_sentences(found, reveal=False) == [
        "7 is a blunder: it costs 0.60.",
        "After 7: o +0.50 (searched to depth 4, confirmed at depth 5).",
    ]
    proven = replace(found, played=replace(found.played, score=3 - WIN, kind=Kind.PROVEN))
    assert "depth" not in " ".join(why_bad_sentences(proven, reveal=False))
    found = scripted(monkeypatch, {"4": [10] * 3, "7": [10, 3, 3]})()
    assert why_bad_sentences(found, reveal=False)[0].startswith(
        "7 may be worse than another move: x +0.03; after that one: x +0.10"
    )


def choosing(monkeypatch: pytest.MonkeyPatch, choices: list[str]) -> None:
    """The searches for the best move choose these, one after another, the last one from then on."""

    def search(self: _Question, history: History, limits: Limits) -> tuple[Result, list[DepthResult]]:
        move = choices.pop(0) if len(choices) > 1 else choices[0]
        return Result(history.game, move, 0, Kind.ESTIMATE, 3, 1, 0.0, (), unit=self.unit), []

    monkeypatch.setattr(_Question, "search", search)


def test_a_move_is_called_good_only_beside_the_move_that_a_search_as_deep_finds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ask_about_7 = scripted(monkeypatch, {"4": [10] * 9, "7": [8] * 9, "3": [60] * 9})
    choosing(monkeypatch, ["4"])
    assert why_bad_sentences(ask_about_7())[0].startswith("7 is about as good as 4")
    choosing(monkeypatch, ["4", "3"])
    found = ask_about_7()
    assert found.mark == "blunder" and found.best.move == "3"


def test_the_best_move_is_looked_for_once_more_too(monkeypatch: pytest.MonkeyPatch) -> None:
    ask_about_7 = scripted(monkeypatch, {"7": [10] * 9, "3": [60] * 9})
    choosing(monkeypatch, ["7"])
    assert why_bad_sentences(ask_about_7())[0].startswith("7 is the best move that Plywise finds")
    choosing(monkeypatch, ["7", "3"])
    assert ask_about_7().mark == "blunder"


def test_no_depth_is_named_that_searches_with_an_empty_table_did_not_reach(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scores = {"4": [10] * 9, "7": [-50, -52, -54]}

    def iterations(self: _Question, move: str, limits: Limits) -> list[DepthResult]:
        afresh = limits.nodes != self.limits.nodes
        found = scores[move][: 2 if afresh else 3]
        return [DepthResult(i, one, Kind.ESTIMATE, (move, "4")) for i, one in enumerate(found, start=1)]

    monkeypatch.setattr(_Question, "iterations", iterations)
    engine = Engine(plywise.load("connect_four"), hash=1, compiled=False)
    found = why_bad(engine, engine.game.history(), "7", Limits(depth=3, nodes=1000))
    assert (found.mark, found.played.depth, found.checked, found.played.score) == ("blunder", 1, 2, -50)
