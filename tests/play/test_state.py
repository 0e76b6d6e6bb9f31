"""Game states: the same interface for games with and without a world."""

import json
import random

import pytest

from plywise import load
from plywise.core.board import Board, Piece
from plywise.core.errors import BadMove, PlywiseError
from plywise.core.registry import shipped
from plywise.games.skirmish.world import Step
from plywise.play.state import SEED, BadSavedGame, GameState, _apply_phase, restore_game, start_game

GAMES = sorted(shipped())


def any_choice(state: GameState, side: int, dice: random.Random) -> tuple[str, ...]:
    """A whole choice; attacks are preferred so that games end."""
    view, moves = state.view(side), []
    while not state.is_complete(side, view):
        eager = [move for move in view.moves if "x" in move] or view.moves
        moves.append(dice.choice(eager))
        view = view.play(moves[-1])
    return tuple(moves)


def played(name: str, turns: int, text: str = "start", seed: int = 1) -> GameState:
    dice = random.Random(seed)
    state = start_game(load(name), text, seed)
    while state.sides_to_move and state.number < turns:
        state = state.play({side: any_choice(state, side, dice) for side in state.sides_to_move})
    return state


@pytest.mark.parametrize("name", GAMES)
def test_a_record_that_went_through_json_rebuilds_every_stage(name: str) -> None:
    state = played(name, 40)
    again = restore_game(state.game, json.loads(json.dumps(state.serialise())))
    for one, other in zip(state.path, again.path, strict=True):
        assert (one.text, one.label, one.events, one.moves) == (
            other.text,
            other.label,
            other.events,
            other.moves,
        )
        assert one.phases == other.phases
    assert again.serialise() == state.serialise()
    assert again.outcome == state.outcome


@pytest.mark.parametrize("name", GAMES)
def test_the_text_of_a_stage_can_begin_a_game(name: str) -> None:
    state = played(name, 12)
    fresh = start_game(state.game, state.text)
    assert fresh.text == state.text
    assert fresh.number == 0 and fresh.before is None


@pytest.mark.parametrize("name", GAMES)
def test_phases_carry_the_board_from_stage_to_stage(name: str) -> None:
    for state in played(name, 30).path[1:]:
        assert state.before is not None
        before, after = state.before.board, state.board
        assert isinstance(before, Board) and isinstance(after, Board)
        standing = dict(enumerate(before.pieces))
        for phase in state.phases:
            _apply_phase(standing, phase)
        assert [standing[cell] for cell in range(len(standing))] == after.pieces


def test_moves_are_said_as_players_say_them() -> None:
    state = start_game(load("chess"), "start moves e4 e5 Nf3")
    assert state.number == 3
    assert [one.label for one in state.path] == ["", "e4", "e5", "Nf3"]
    assert state.moves == {0: ("g1f3",)}


def test_taken_pieces_are_counted() -> None:
    state = start_game(load("chess"), "start moves e4 d5 exd5 Qxd5 Nc3 Qxg2 Bxg2")
    pawn, queen = Piece("P", "pawn", 0, "♙"), "queen"
    lost = state.captured
    assert [piece.name for piece in lost[0].elements()] == ["pawn", "pawn"]
    assert sorted(piece.name for piece in lost[1].elements()) == ["pawn", queen]
    assert all(piece.side == pawn.side for piece in lost[0])


def test_an_illegal_choice_changes_nothing() -> None:
    state = start_game(load("chess"))
    for choices in ({0: ("e5",)}, {1: ("e5",)}, {0: ("e4", "e5")}, {0: ()}, {}, {0: ("e4",), 1: ("e5",)}):
        with pytest.raises(BadMove):
            state.play(choices)
    assert state.text == start_game(load("chess")).text


def test_a_finished_game_takes_no_move() -> None:
    state = start_game(load("chess"), "start moves f3 e5 g4 Qh4")
    assert state.sides_to_move == () and state.outcome is not None
    with pytest.raises(BadMove, match="the game is over"):
        state.play({0: ("a3",)})


@pytest.mark.parametrize(
    "record",
    [
        None,
        [],
        {},
        [1],
        [{"start": 1}],
        [{"start": "start", "more": 1}],
        [{"start": "start"}, {"2": ["e4"]}],
        [{"start": "start"}, {"0": "e4"}],
        [{"start": "start"}, {"0": ["e5"]}],
        [{"start": "start"}, {"0": ["e4"], "dice": "six"}],
    ],
)
def test_a_bad_record_is_refused_with_a_sentence(record: object) -> None:
    with pytest.raises(BadSavedGame):
        restore_game(load("chess"), record)


def test_a_bad_start_is_refused_as_a_position() -> None:
    with pytest.raises(PlywiseError, match="bad position"):
        restore_game(load("chess"), [{"start": "nonsense"}])


# --- the world of skirmish ----------------------------------------------------------------------------
def test_both_sides_choose_from_the_same_moment() -> None:
    state = start_game(load("skirmish"))
    assert state.sides_to_move == (0, 1)
    assert state.view(0).turn == 0 and state.view(1).turn == 1
    after = state.play({0: ("F1-S", "F2-S"), 1: ("A1xF1", "A2xF2")})
    # The arrows hit although the footmen have stepped: what counts is the moment of execution.
    assert after.events[:2] == ["F1 steps S", "F2 steps S"]
    assert [line.split(":")[0] for line in after.events[2:]] == ["A1 hits F1", "A2 hits F2"]
    assert after.label == "F1-S F2-S | A1xF1 A2xF2"
    assert [phase.name for phase in after.phases] == ["move", "damage"]
    assert all(effect.amount for effect in after.phases[1].effects)


def test_a_refused_step_is_told_with_its_reason_and_moves_nothing() -> None:
    state = start_game(load("skirmish"), "9x9 F4,4:160 A4,6:50 F1")
    after = state.play({0: ("F1-S",), 1: ("A1-N",)})
    assert after.events == ["F1 steps S", "A1 wants to step N and cannot: F1 stands on 4,5"]
    assert after.text.startswith("9x9 F4,5:160 A4,6:50")


def test_a_dead_unit_keeps_its_number() -> None:
    state = start_game(load("skirmish"), "9x9 F4,4:3 F8,8:160 A4,6:50 A0,0:50 F1")
    after = state.play({0: ("F1-S", "F2-N"), 1: ("A1xF1", "A2-E")})
    assert "F1 dies" in after.events
    assert after.view(0).moves[0].startswith("F2")
    assert after.phases[-1].name == "deaths"
    assert [piece.name for piece in after.captured[0].elements()] == ["footman"]


def test_units_that_the_model_takes_for_unneeded_strike_all_the_same() -> None:
    # The mean hit of F1 would kill the last archer, so that the model asks F2 for nothing.
    state = start_game(load("skirmish"), "9x9 F4,4:160 F4,6:160 A4,5:11 F1")
    view = state.view(0).play("F1xA1")
    assert state.is_complete(0, view)
    after = state.play({0: ("F1xA1",), 1: ("A1xF1",)})
    assert sum("hits A1" in line for line in after.events) == 2


def test_orders_beyond_the_choice_or_short_of_it_are_refused() -> None:
    state = start_game(load("skirmish"))
    archers = ("A1xF1", "A2xF2")
    with pytest.raises(BadMove, match="have not chosen for all"):
        state.play({0: ("F1-S",), 1: archers})
    with pytest.raises(BadMove, match="chosen already"):
        state.play({0: ("F1-S", "F2-S", "F1-S"), 1: archers})
    with pytest.raises(BadMove, match="at the same time"):
        state.play({0: ("F1-S", "F2-S")})


def test_the_dice_roll_on_and_can_be_set() -> None:
    game = load("skirmish")
    choices = {0: ("F1-S", "F2-S"), 1: ("A1xF1", "A2xF2")}
    first, other = start_game(game, seed=6).play(choices), start_game(game, seed=8).play(choices)
    assert first.events == start_game(game, seed=6).play(choices).events
    assert first.events != other.events
    second = first.play(choices)
    set_back = first.play(choices, dice=second.serialise()[0]["dice"])
    assert set_back.events[2].split(":")[1].split(",")[0] == first.events[2].split(":")[1].split(",")[0]
    assert restore_game(game, set_back.serialise()).text == set_back.text


def test_a_battle_ends_with_a_winner_and_lasts_at_most_500_turns() -> None:
    state = played("skirmish", 600, "5x5 F0,0:160 A2,2:50 F1", seed=3)
    assert state.outcome is not None
    assert state.sides_to_move == ()
    assert isinstance(state.board, Board)


def test_a_draw_that_may_be_claimed_is_claimed_at_once_and_the_rules_say_so() -> None:
    chess = load("chess")
    for text in (
        "start moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
        "7k/8/8/8/8/8/R7/6K1 w - - 99 90 moves a2a3",
    ):
        state = start_game(chess, text)
        assert state.outcome is not None and state.outcome.winner is None
        assert state.view(0).claimable and state.sides_to_move == ()
    said = " ".join(chess.rules().split())
    assert "it claims them at once, for both sides, and the game is over" in said
    for name in ("checkers", "polis", "skirmish"):
        draws = load(name).draws
        assert not draws.last_repetition and not draws.last_plies, "nothing to claim"


# --- a side that the world leads --------------------------------------------------------------------
def _wait_or_last(state: GameState) -> tuple[str, ...]:
    view = state.view(0)
    while not state.is_complete(0, view):
        view = view.play(view.moves[-1])
    return tuple(view.played)


def test_the_scripted_archers_lead_themselves_exactly_as_in_an_episode() -> None:
    """The same footmen, the same dice: the world of play is the world of the agents, turn by turn."""
    from plywise.agents.skirmish import ScriptedAgent
    from plywise.games.skirmish.maps import course_map
    from plywise.games.skirmish.world import World

    skirmish = load("skirmish")
    for name in ("2fv2a", "2fv1a_Obstacles"):
        state = start_game(skirmish, f"{name} script")
        world, dice, archers = World.of(course_map(name)), skirmish.world.dice(SEED), ScriptedAgent()
        ids = [unit.id for unit in world.units]  # play numbers units anew
        while len(world.side(0)) == 2:  # with one left, archers have whims
            assert state.sides_to_move == (0,) and state.led_sides == (1,)
            choice = _wait_or_last(state)
            orders = [Step(ids[place], move.partition("-")[2]) for place, move in enumerate(choice)]
            world = world.turn(orders, archers.orders(world), dice).after
            state = state.play({0: choice})
            there = [(unit.x, unit.y, unit.health) for unit in world.units]
            assert [
                (unit.x, unit.y, unit.health)
                for unit in state._world.world.units  # type: ignore[attr-defined]
            ] == there


def test_a_game_with_scripted_archers_is_kept_and_restored() -> None:
    skirmish = load("skirmish")
    state = start_game(skirmish, "2fv2a script")
    for _ in range(4):
        state = state.play({0: _wait_or_last(state)})
    again = restore_game(skirmish, state.serialise())
    assert (again.text, again.led_sides) == (state.text, (1,))


def test_version_0_1_0_asked_for_both_sides_and_its_games_still_open() -> None:
    skirmish = load("skirmish")
    record = [{"start": "2fv2a script", "dice": 6}, {"0": ["F1-S", "F2-S"], "1": ["A1xF1", "A2-N"]}]
    assert restore_game(skirmish, record).moves[1] == ("A1xF1", "A2-N")
