"""Why this move, why not that one: the explanation is what the search found."""

import random
from pathlib import Path
from typing import Any

import pytest

import plywise
from plywise import Engine, Game, History, Kind
from plywise.core.errors import BadMove
from plywise.core.scores import WIN
from plywise.core.wording import side_first
from plywise.explain import Explanation, explain, explanation_data, explanation_sentences
from plywise.explain.reasons import AT_LEAST, AT_MOST, Change
from plywise.explain.wording import bound_text, change_text
from tests.conftest import Scaled, open_positions, sample
from tests.explain.test_record_file import STICKS
from tests.explain.trees import deep


def explain_here(history: History, **options: object) -> Explanation:
    depth = 1 if history.game.name in ("chess", "polis") else deep(history.game) - 1
    wanted = {"depth": depth, "hash": 1, "compiled": False, **options}
    return explain(history, **wanted)  # type: ignore[arg-type]


def worth(history: History, side: int) -> int:
    score = history.game.evaluate(history.position)
    return score if history.turn == side else -score


# --- the chosen move --------------------------------------------------------------------------------
def test_the_answer_is_that_of_the_search_and_its_changes_add_up(any_game: Game, scaled: Scaled) -> None:
    for history in open_positions(any_game, scaled(1, 3), seed=14):
        found = explain_here(history)
        plain = plywise.analyse(history, depth=found.result.depth, hash=1, compiled=False)
        assert found.result.nodes == len(found.record)
        if found.result.kind is not Kind.PROVEN:
            assert (found.result.move, found.result.score) == (plain.move, plain.score)
        end = history
        for move in found.result.line:
            end = end.play(move)
        assert found.change.outcome == end.outcome
        if end.outcome is None:
            assert found.change.total == worth(end, history.turn) - worth(history, history.turn)
        start = side_first(any_game.sides[history.turn])
        assert explanation_sentences(found)[0].startswith((start, found.result.move or ""))


def test_bounds_of_a_search_that_prunes_are_called_estimates() -> None:
    """Such a search may call a move worse that is as good as the best one, in Kalah for one."""
    history = sample("kalah").history()
    for without, heading in (
        ((), "Why not another move? (estimates)"),
        (("unsound",), "Why not another move?"),
    ):
        found = explain(history, depth=3, hash=1, compiled=False, without=without)
        assert heading in explanation_sentences(found)


def test_every_other_move_has_a_reason_with_a_line_that_can_be_played(any_game: Game, scaled: Scaled) -> None:
    for history in open_positions(any_game, scaled(1, 2), seed=15):
        found = explain_here(history)
        moves = [one.move for one in found.alternatives]
        assert sorted([*moves, str(found.result.move)]) == sorted(history.moves)
        for one in found.alternatives:
            assert one.line[0] == one.move
            end, turns = history, []
            for move in one.line:
                turns.append(end.turn)
                end = end.play(move)
            other = [move for move, turn in zip(one.line, turns, strict=True) if turn != history.turn]
            assert one.reply == (other[0] if other else None)
            assert (one.kind is Kind.BOUND) == (one.bound is not None)


def test_bounds_are_true(any_game: Game, scaled: Scaled) -> None:
    """With nothing unsound, what is said of a rejected move holds for plain minimax."""
    minimax = Engine(any_game, player="minimax", compiled=False)
    depth = 2 if any_game.name in ("chess", "checkers", "polis", "skirmish", "duel") else 3
    for history in open_positions(any_game, scaled(1, 2), seed=16):
        found = explain_here(history, depth=depth, without=["unsound"])
        for one in found.alternatives[:8]:
            if found.result.kind is Kind.PROVEN:
                continue
            truth = minimax.search(history, depth=depth, moves=[one.move]).score
            if one.bound == AT_MOST:
                assert truth <= one.score
            elif one.bound == AT_LEAST:
                assert truth >= one.score
            else:
                assert truth == one.score
            if one.cost is not None and one.bound != AT_LEAST:
                assert truth <= found.result.score - one.cost


def test_a_win_is_said_with_its_distance_and_its_end() -> None:
    found = explain_here(plywise.load("connect_four").history("121212"), depth=4)
    assert explanation_sentences(found)[:2] == [
        "x should play 1: x wins in 1 ply (proven), depth 1, 18 nodes.",
        "For x the line ends the game: four in a row.",
    ]


def test_pieces_are_called_by_their_names() -> None:
    game = plywise.load("chess")
    found = explain_here(game.history("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"), depth=1)
    assert found.result.move == "e4d5"
    assert found.change.taken == {"queen": 1}
    assert "For White the line wins a queen; brings" in " ".join(explanation_sentences(found))
    promoted = explain_here(game.history("7k/P7/8/8/8/8/8/K7 w - - 0 1"), depth=1)
    assert promoted.change.gained == {"queen": 1}
    assert promoted.change.lost == {}


def test_pieces_that_are_only_put_down_are_no_news() -> None:
    found = explain_here(plywise.load("connect_four").history(), depth=4)
    assert (found.change.taken, found.change.lost, found.change.gained) == ({}, {}, {})


# --- special positions ------------------------------------------------------------------------------
def test_a_finished_game_is_said_to_be_over() -> None:
    history = plywise.load("connect_four").history("1212121")
    found = explain_here(history)
    assert explanation_sentences(found) == ["The game is over: x has four in a row."]
    data = explanation_data(found)
    assert (data["move"], data["score"], data["kind"], data["line"]) == (None, -WIN, "proven", [])
    assert (data["nodes"], data["recorded"], data["alternatives"]) == (0, 0, [])
    with pytest.raises(BadMove, match=r"illegal move '3': the game is over: x has four in a row \[1212121\]"):
        explain_here(history, move="3")


def test_a_draw_by_repetition_ends_the_game_too() -> None:
    game = sample("runners")
    found = explain_here(game.history("start moves 1 1 0 0 1 1 0 0"))
    assert explanation_sentences(found) == ["The game is over: the position has occurred 3 times."]


def test_the_past_counts() -> None:
    """With one more repetition to come, going back would be a draw: the record has it as one."""
    game = sample("runners")
    found = explain_here(game.history("start moves 1 1 0 0 1 1 0"), depth=2)
    assert {one.cause for one in found.alternatives} | {"draw"} >= {"draw"}
    back = [found.record.node(i) for i in range(len(found.record)) if found.record.line(i) == ["0"]]
    assert {node.cause for node in back} == {"draw"}


def test_the_only_move_is_said_to_be_the_only_one() -> None:
    found = explain_here(plywise.load("chess").history("k7/8/8/8/8/8/1r6/K1r5 w - - 0 1"), depth=2)
    assert explanation_sentences(found)[0].startswith("Kxb2 is the only move: ")
    assert found.alternatives == ()


def test_a_game_of_ones_own_is_explained(tmp_path: Path) -> None:
    file = tmp_path / "sticks.py"
    file.write_text(STICKS)
    game = plywise.load(str(file))
    found = explain_here(game.history(), depth=9, move="('take', 3)")
    assert found.result.move == "('take', 1)"
    assert found.asked is not None
    assert found.asked.score < found.result.score
    assert "first wins in" in explanation_sentences(found)[0]
    assert "the game ends" not in explanation_sentences(found)[0]


def test_a_record_that_is_cut_short_is_said_to_be() -> None:
    found = explain_here(plywise.load("connect_four").history(), depth=6, most=300)
    text = explanation_sentences(found)
    assert any(line.startswith("The record is cut short: only the first 300 of") for line in text)
    assert all(one.depth < 6 or one.bound is None for one in found.alternatives[-2:])
    data = explanation_data(found)
    assert data["recorded"] == 300 < data["nodes"]


# --- why not? ---------------------------------------------------------------------------------------
def test_why_not_agrees_with_a_search_of_the_move_alone(any_game: Game, scaled: Scaled) -> None:
    dice = random.Random(3)
    for history in open_positions(any_game, scaled(1, 3), seed=17):
        move = dice.choice(history.moves)
        found = explain_here(history, move=move)
        engine = Engine(any_game, hash=1, compiled=False)
        alone = engine.search(history, depth=max(1, found.result.depth), moves=[move])
        assert found.asked is not None
        assert (found.asked.score, found.asked.line, found.asked.kind) == (
            alone.score,
            alone.line,
            alone.kind,
        )
        assert found.asked.chosen == (move == found.result.move)


def test_why_not_names_the_refutation_and_where_it_goes_wrong() -> None:
    game = plywise.load("chess")
    found = explain_here(game.history("4k3/8/4p3/8/8/8/3Q4/4K3 w - - 0 1"), depth=3, move="d2d5")
    assert found.asked is not None
    assert found.asked.reply == "e6d5"
    assert found.asked.turning is not None
    assert (found.asked.turning.move, found.asked.turning.ply) == ("e6d5", 2)
    assert found.asked.turning.change.lost == {"queen": 1}
    text = " ".join(explanation_sentences(found))
    assert "The answer is exd5" in text
    assert "It goes wrong with exd5 (ply 2). For White this already loses a queen;" in text


def test_a_chance_that_is_missed_goes_wrong_at_once() -> None:
    game = plywise.load("chess")
    found = explain_here(game.history("4k3/8/8/8/3r4/8/2P5/3QK3 w - - 0 1"), depth=3, move="d1d2")
    assert found.result.move == "d1d4"
    assert found.asked is not None
    assert (found.asked.reply, found.asked.change.lost) == ("d4d2", {"queen": 1})
    assert "It goes wrong at once: it gives up what Qxd4 brings." in explanation_sentences(found)


def test_a_win_that_is_let_go_is_said() -> None:
    found = explain_here(plywise.load("connect_four").history("121212"), depth=4, move="7")
    assert explanation_sentences(found)[-1] == "It lets the win go."


def test_the_chosen_move_may_be_asked_about() -> None:
    history = plywise.load("connect_four").history("121212")
    found = explain_here(history, depth=4, move="1")
    assert any("It is the move chosen" in line for line in explanation_sentences(found))


def test_an_illegal_move_is_refused_before_anything_is_searched() -> None:
    with pytest.raises(BadMove, match="illegal move '9'"):
        explain_here(plywise.load("connect_four").history(), depth=60, move="9")


# --- words ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("score", "bound", "words"),
    [
        (35, None, "White +0.35"),
        (35, AT_MOST, "at most White +0.35"),
        (35, AT_LEAST, "at least White +0.35"),
        (-35, AT_MOST, "at least Black +0.35"),
        (-35, AT_LEAST, "at most Black +0.35"),
        (0, AT_MOST, "even at best"),
        (0, AT_LEAST, "even or better"),
        (WIN - 3, AT_LEAST, "White wins in at most 3 plies"),
        (WIN - 1, AT_MOST, "no faster win for White than in 1 ply"),
        (4 - WIN, AT_MOST, "Black wins in at most 4 plies"),
        (4 - WIN, AT_LEAST, "no faster win for Black than in 4 plies"),
    ],
)
def test_a_bound_is_said_as_a_bound(score: int, bound: str | None, words: str) -> None:
    kind = Kind.BOUND if bound else Kind.ESTIMATE
    assert bound_text(plywise.load("chess"), 0, score, kind, bound, 100) == words


def test_the_same_words_for_the_other_side() -> None:
    assert bound_text(plywise.load("chess"), 1, 35, Kind.BOUND, AT_MOST, 100) == "at most Black +0.35"


# --- who moves is seen, not asked -------------------------------------------------------------------
def value(position: Any, depth: int) -> int:
    """The minimax value of a position, for the side to move, depth spent where the turn changes."""
    game = sample("takers")
    if depth == 0 or not game.moves(position):
        return int(position.evaluate())
    found = []
    for move in game.moves(position):
        after = position.play(move)
        same = after.turn == position.turn
        found.append(value(after, depth) if same else -value(after, depth - 1))
    return max(found)


@pytest.mark.parametrize("seed", range(12))
def test_bounds_hold_where_a_side_moves_twice_and_nobody_said_so(seed: int) -> None:
    game, dice = sample("takers"), random.Random(seed)
    row = ",".join(str(dice.randint(1, 9)) for _ in range(24))
    history, depth = game.history(f"{row}/0/0"), 3
    found = explain(history, depth=depth, hash=1, compiled=False, without=("unsound",))
    for one in found.alternatives:
        after = history.play(one.move).position
        true = value(after, depth) if after.turn == history.turn else -value(after, depth - 1)
        assert one.bound != AT_MOST or true <= one.score
        assert one.bound != AT_LEAST or true >= one.score
        assert one.bound or true == one.score
    for node in range(len(found.record)):
        assert found.record.node(node).turn == found.record.past(node).turn


def test_an_evaluation_without_terms_is_told_by_its_points_alone() -> None:
    found = change_text(sample("kalah"), 0, Change({"evaluation": -300.0}, {}, {}, {}), 100, "the line")
    assert found == "For first the line costs 3.00."


def test_a_net_with_a_term_for_each_piece_is_told_in_a_few_words() -> None:
    """The largest are named, and the others together."""
    game = plywise.load("connect_four")
    terms = {f"disc {n}": 10.0 * n for n in range(1, 10)}
    found = change_text(game, 0, Change(terms, {}, {}, {}), 100, "the line")
    assert "brings 0.90 in disc 9, 0.80 in disc 8, " in found
    assert found.endswith("0.40 in disc 4 and 0.60 in 3 others.")
    few = change_text(game, 0, Change(dict(list(terms.items())[:7]), {}, {}, {}), 100, "the line")
    assert few.endswith("0.20 in disc 2 and 0.10 in disc 1.")
