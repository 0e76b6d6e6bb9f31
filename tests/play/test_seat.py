"""One grammar for a seat: what it means, and what nobody can sit on."""

from dataclasses import replace
from pathlib import Path

import pytest

import plywise
from plywise.arena.player_spec import parse
from plywise.cli.play import EngineSeat, read_seats
from plywise.play.levels import STRONGEST, level
from plywise.play.player import player_of_seat
from plywise.play.seat import BadSeat, read_seat
from plywise.play.state import start_game
from tests.conftest import sample

CHESS, CHECKERS, TTT = (plywise.load(name) for name in ("chess", "checkers", "tic_tac_toe"))


def test_a_person_a_level_and_an_elo() -> None:
    assert read_seat(CHESS, " person ").is_person
    assert read_seat(CHESS, "level=3").strength(CHESS) == level(CHESS, 3)
    assert read_seat(CHESS, "level=3").describe(CHESS) == "level 3 (Learner)"
    assert read_seat(CHESS, "level=3,depth=1").describe(CHESS) == "level 3 (Learner), depth=1"
    assert read_seat(CHESS, "elo=1500").strength(CHESS).name == "Elo 1500"


def test_a_player_with_options() -> None:
    seat = read_seat(CHECKERS, "alphabeta, evaluator=ring, plies=4, without=killers+history")
    assert (seat.player, seat.evaluator, seat.depth, seat.without) == (
        "alphabeta",
        "ring",
        4,
        ("killers", "history"),
    )
    other = read_seat(CHECKERS, "player=alphabeta,evaluator=ring,depth=4,without=killers+history")
    assert replace(other, text=seat.text) == seat
    strength = read_seat(CHECKERS, "nodes=500,time=0.5").strength(CHECKERS)
    assert (strength.depth, strength.nodes, strength.seconds) == (None, 500, 0.5)


def test_without_a_limit_a_player_thinks_as_long_as_the_strongest_level() -> None:
    assert read_seat(CHESS, "alphabeta").strength(CHESS) == level(CHESS, STRONGEST)
    assert read_seat(CHESS, "default").strength(CHESS) == level(CHESS, STRONGEST)


def test_limits_make_a_level_stricter_and_never_stronger() -> None:
    assert read_seat(CHESS, "level=7,depth=2").strength(CHESS).depth == 2
    assert read_seat(CHESS, "level=3,depth=9").strength(CHESS).depth == 2
    assert read_seat(CHESS, "level=3,depth=9").strength(CHESS).heat == level(CHESS, 3).heat


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["person, level=N, elo=N, or PLAYER"]),
        ("player=", ["player=VALUE"]),
        ("alphabta", ["unknown player 'alphabta'", "did you mean 'alphabeta'"]),
        ("player=deep", ["unknown player 'deep'", "minimax"]),
        ("alphabeta,evaluator=shanon", ["shanon", "did you mean 'shannon'"]),
        ("alphabeta,dept=3", ["unknown option 'dept'", "did you mean 'depth'"]),
        ("depth", ["depth=VALUE"]),
        ("depth=0", ["whole number from 1 up", "'0'"]),
        ("depth=3,plies=4", ["depth", "twice"]),
        ("nodes=many", ["nodes", "'many'"]),
        ("time=soon", ["time", "seconds above 0", "'soon'"]),
        ("time=nan", ["seconds above 0"]),
        ("level=11", ["1 to 10", "11"]),
        ("elo=1", ["500 to 2550"]),
        ("level=3,elo=1500", ["not both"]),
        ("minimax,level=3", ["default player", "'minimax'"]),
        ("evaluator=shannon,weights=x.json", ["no weights"]),
        ("weights=/nowhere/x.json", ["/nowhere/x.json"]),
        ("without=nul", ["nul"]),
        ('weights="x', ["quote"]),
        ("x" * 5000, ["1000 characters"]),
    ],
)
def test_what_nobody_can_sit_on_is_said_in_one_sentence(text: str, words: list[str]) -> None:
    with pytest.raises(BadSeat) as refused:
        read_seat(CHESS, text)
    for word in words:
        assert word in str(refused.value)
    assert str(refused.value).startswith("seat ") and len(str(refused.value)) < 400


def test_weights_may_be_those_of_the_presets_evaluation(tmp_path: Path) -> None:
    skirmish = plywise.load("skirmish")
    own = skirmish.evaluation("linear").weights
    assert own is not None
    mine = tmp_path / "mine, yours.json"
    mine.write_text(own.path.read_text())
    engine = EngineSeat(player="linear", weights=str(mine))
    assert read_seats(skirmish, None, (), engine)[1].weights == str(mine)


def test_matches_read_the_same_list() -> None:
    spec = parse("plywise:alphabeta,evaluator=shannon,plies=3")
    assert dict(spec.options) == {"player": "alphabeta", "evaluator": "shannon", "depth": "3"}


def test_the_player_of_a_seat_searches_as_its_text_says() -> None:
    state = start_game(TTT, "xx.oo.... x")
    for text in ("minimax,depth=2", "alphabeta,depth=2", "greedy", "depth=2", "level=5", "elo=1500"):
        player = player_of_seat(TTT, read_seat(TTT, text), seed=1)
        assert player.think(state, 0).moves == ("c3",), text


def test_a_random_player_depends_on_its_seed_alone() -> None:
    state = start_game(TTT)
    seat = read_seat(TTT, "random")
    chosen = [player_of_seat(TTT, seat, seed=seed).think(state, 0).moves for seed in range(30)]
    assert chosen == [player_of_seat(TTT, seat, seed=seed).think(state, 0).moves for seed in range(30)]
    assert len(set(chosen)) > 3


def test_a_seat_with_a_depth_keeps_to_it() -> None:
    pebbles = sample("pebbles")
    player = player_of_seat(pebbles, read_seat(pebbles, "minimax,depth=3"))
    assert player._limits(None).time is None and player._limits(None).depth == 3
    assert player.think(start_game(pebbles), 0).result.depth == 3  # type: ignore[union-attr]
