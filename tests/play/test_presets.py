"""The presets of the games: each can be met, and is what its name says."""

import pytest

import plywise
from plywise.arena import builtin
from plywise.arena.match import Match
from plywise.arena.player_spec import parse
from plywise.core.game import Game
from plywise.core.preset import Preset
from plywise.play.player import player_of_seat
from plywise.play.seat import BadSeat, read_seat
from plywise.play.state import start_game
from plywise.search.engine import PLAYERS
from tests.conftest import interpreted

GAMES = [plywise.load(name) for name in plywise.shipped()]
PRESETS = [(game, preset) for game in GAMES for preset in game.presets.values()]

EXPECTED = {
    ("checkers", "ring"): ("alphabeta", "ring", 4),
    ("chess", "Shannon"): ("alphabeta", "shannon", 3),
    ("chess", "Control"): ("alphabeta", "control", 3),
    ("chess", "Random"): ("random", "default", None),
    ("chess", "HighestScore"): ("greedy", "material_mate", None),
    ("chess", "Minmax"): ("minimax", "material_mate", 3),
    ("chess", "MinmaxAB"): ("sorted", "material_mate", 3),
    ("polis", "classic2"): ("alphabeta", "classic", 2),
    ("polis", "classic3"): ("alphabeta", "classic", 3),
    ("polis", "classic4"): ("alphabeta", "classic", 4),
    ("polis", "classic5"): ("alphabeta", "classic", 5),
    ("skirmish", "distance"): ("sorted", "distance", 4),
    ("skirmish", "linear"): ("sorted", "linear", 4),
    ("skirmish", "scripted"): ("default", "default", None),
}


def test_these_are_the_presets() -> None:
    seats = {(game.name, preset.name): read_seat(game, preset.name) for game, preset in PRESETS}
    found = {key: (seat.player, seat.evaluator, seat.depth) for key, seat in seats.items()}
    assert found == EXPECTED


@pytest.mark.parametrize(("game", "preset"), PRESETS, ids=lambda one: one.name)
def test_a_preset_has_one_sentence_and_a_name_of_its_own(game: Game, preset: Preset) -> None:
    assert preset.about.endswith(".") and preset.about[:-1].count(". ") == 0
    assert preset.name not in PLAYERS, "but for the case of letters, where both mean the same"
    assert len([one for one in game.presets if one.lower() == preset.name.lower()]) == 1


def test_names_are_read_in_any_case_and_options_come_before_the_presets_own() -> None:
    chess = plywise.load("chess")
    assert read_seat(chess, "minmaxab").preset is chess.presets["MinmaxAB"]
    assert read_seat(chess, "MINMAXAB,depth=2").depth == 2
    assert read_seat(chess, "Shannon,evaluator=material").evaluator == "material"
    with pytest.raises(BadSeat, match="unknown player 'MinmaxB'; did you mean 'MinmaxAB'"):
        read_seat(chess, "MinmaxB")
    with pytest.raises(BadSeat, match="a level is of the default player"):
        read_seat(chess, "MinmaxAB,level=3")


def test_a_match_knows_them_too() -> None:
    chess = plywise.load("chess")
    spec = parse("plywise:MinmaxAB,depth=2").for_game(chess)
    assert dict(spec.options) == {"player": "sorted", "evaluator": "material_mate", "depth": "2"}
    assert spec.name == "plywise MinmaxAB depth=2"
    assert builtin.is_deterministic(spec, spec.control(builtin.TimeControl(time=1.0)))
    match = Match.of("skirmish", ["plywise:linear", "plywise:scripted"], pairs=1)
    assert [dict(one.options) for one in match.setup.players] == [
        {"player": "sorted", "evaluator": "linear", "depth": "4"},
        {"player": "scripted"},
    ]


# --- the scripted archers ---------------------------------------------------------------------------
def test_scripted_archers_are_for_their_side_and_take_no_options() -> None:
    skirmish = plywise.load("skirmish")
    assert read_seat(skirmish, "scripted", 1).switch == "script"
    with pytest.raises(BadSeat, match="scripted plays archers only"):
        read_seat(skirmish, "scripted", 0)
    with pytest.raises(BadSeat, match="scripted takes no options"):
        read_seat(skirmish, "scripted,depth=2", 1)


def test_a_textbook_player_leads_its_side_of_a_world() -> None:
    skirmish = plywise.load("skirmish")
    state = start_game(skirmish, "9x9 F4,4:160 A5,5:11 F1")
    with interpreted():  # there is no need to compile for one move
        player = player_of_seat(skirmish, read_seat(skirmish, "greedy"), seed=1)
        assert player.think(state, 0).moves == ("F1xA1",)
