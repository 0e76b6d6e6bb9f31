"""How games say their moves, what they begin with, and the formats that they are written in."""

import random

import pytest

from plywise import load
from plywise.core.history import History
from plywise.core.registry import shipped

GAMES = sorted(shipped())


def some_game(name: str, plies: int = 20) -> History:
    dice = random.Random(name)
    history = load(name).history()
    while history.outcome is None and history.length < plies:
        history = history.play(dice.choice(history.moves))
    return history


@pytest.mark.parametrize("name", GAMES)
def test_what_is_said_of_a_move_can_be_typed(name: str) -> None:
    history = some_game(name, 6)
    for move in history.game.moves(history.position):
        assert history.game.read_move(history.position, history.game.label(history.position, move)) == move


@pytest.mark.parametrize("name", GAMES)
def test_every_start_is_a_position(name: str) -> None:
    game = load(name)
    starts = list(game.starts.items())
    assert starts[0] == ("start", "start")
    for _, text in random.Random(1).sample(starts, min(30, len(starts))):
        assert game.history(text).outcome is None


@pytest.mark.parametrize("name", GAMES)
def test_every_format_gives_the_game_back(name: str) -> None:
    history = some_game(name)
    for format in history.game.formats.values():
        (back,) = format.read(format.write(history, {"Event": "a test"}))
        assert not back.problem
        assert back.history.played == history.played
        assert back.history.position == history.position


@pytest.mark.parametrize(("name", "form"), [("chess", "pgn"), ("checkers", "pdn")])
def test_the_game_s_own_format_comes_first_and_keeps_tags_and_result(name: str, form: str) -> None:
    game = load(name)
    assert list(game.formats) == [form, "text"]
    text = game.formats[form].write(game.history(), {"Event": "a test", "Result": "0-1"})
    (back,) = game.formats[form].read(text)
    assert back.tags["Event"] == "a test"
    assert back.tags["Result"] == "0-1"


def test_what_cannot_be_read_is_a_problem_of_that_game() -> None:
    game = load("connect_four")
    good, bad = game.formats["text"].read("start moves 4 4\nstart moves 9\n")
    assert (good.problem, good.history.text) == ("", "44")
    assert "'9'" in bad.problem


@pytest.mark.parametrize(("number", "rank"), [(0, "BBQNNRKR"), (518, "RNBQKBNR"), (959, "RKRNNQBB")])
def test_chess960_positions_have_their_usual_numbers(number: int, rank: str) -> None:
    starts = load("chess").starts
    assert starts[f"Chess960 {number}"].split()[0].endswith(rank)
    assert len(set(starts.values())) == 961
