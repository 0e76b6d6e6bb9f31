"""Agents in the world, episodes, and the commands that run them."""

import json
from contextlib import nullcontext

import pytest
from typer.testing import CliRunner

from plywise.agents.skirmish import (
    AGENTS,
    OPPONENTS,
    compare_on_map,
    episode_turns,
    make_agent,
    play_episode,
    turn_text,
)
from plywise.agents.skirmish_planner import Planner
from plywise.cli.skirmish import app
from plywise.core.errors import PlywiseError
from plywise.games.skirmish.dice import Dice
from plywise.games.skirmish.maps import NAMES, course_map, read
from plywise.games.skirmish.rules import Skirmish
from plywise.games.skirmish.units import ARCHERS, CARDINAL, FOOTMEN
from plywise.games.skirmish.world import Step
from tests.conftest import interpreted

MOST_TURNS = {"2fv2a": 20, "2fva": 32, "2fv2a_Obstacles": 30, "2fv1a_Obstacles": 24}
SMALL = read("F....\n..T..\n....A\n", "small")


def command(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


# --- agents -------------------------------------------------------------------------------------------
@pytest.mark.thorough("compiles the planner")
@pytest.mark.parametrize("name", NAMES)
def test_the_default_agent_wins_with_the_dice_of_seed_6_and_steps_in_four_directions(name):
    leader, archers = make_agent(), make_agent("scripted", ARCHERS)
    steps = set()
    for turn in episode_turns(course_map(name), leader, archers, Dice(6)):
        mine = {unit.id for unit in turn.before.side(FOOTMEN)}
        steps |= {order.direction for order in turn.orders if isinstance(order, Step) and order.unit in mine}
    outcome = turn.after.outcome()
    assert outcome is not None
    assert outcome.winner == FOOTMEN
    assert turn.after.number <= MOST_TURNS[name]
    assert steps <= set(CARDINAL)


def test_an_episode_is_the_same_for_the_same_seed(scaled):
    for name in scaled(("greedy", "random"), ("plan", "search", "greedy", "random")):
        assert compare_on_map(name, SMALL, seed=3, limit=30) == compare_on_map(name, SMALL, seed=3, limit=30)
    dice = Dice(6)
    first, second = (
        play_episode(course_map("2fv2a"), make_agent("greedy"), make_agent("scripted", ARCHERS), dice)
        for _ in range(2)
    )
    assert first != second  # the dice go on from episode to episode


def orders_of(side, leader, archers):
    """Which orders the units of a side were given in the first turns of an episode, turn by turn."""
    given = []
    for turn in episode_turns(SMALL, leader, archers, Dice(6), limit=20):
        own = {unit.id for unit in turn.before.side(side)}
        given.append([order for order in turn.orders if order.unit in own])
        assert len({order.unit for order in turn.orders}) == len(turn.orders), "one order a unit"
    return given


SEARCHING = pytest.mark.thorough("compiles a search of skirmish")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=SEARCHING if name in ("minimax", "alphabeta", "sorted", "search") else ())
        for name in OPPONENTS
    ],
)
@pytest.mark.parametrize("leader", ["greedy", pytest.param("search", marks=SEARCHING)])
def test_both_sides_can_be_led_by_any_agent(leader, name):
    """Units of both sides get orders in most turns, and the episode ends when it says so."""
    agents = lambda: (make_agent(leader, plies=2), make_agent(name, ARCHERS, plies=2))  # noqa: E731
    episode = play_episode(SMALL, *agents(), Dice(6), limit=20)
    for side in (FOOTMEN, ARCHERS):
        given = orders_of(side, *agents())
        assert len(given) == episode.turns
        assert sum(map(bool, given)) > len(given) / 2, "nobody was led"
    assert episode.outcome.winner is not None or episode.turns == 20


@SEARCHING
def test_archers_that_search_beat_random_footmen():
    episode = play_episode(
        course_map("2fva"), make_agent("random"), make_agent("search", ARCHERS, plies=2), Dice(6)
    )
    assert episode.outcome.winner == ARCHERS


@pytest.mark.thorough("compiles the planner")
def test_more_footmen_than_can_be_planned_for_are_led_all_the_same():
    crowd = read("FFFFFF\n......\n..T...\n...A..\n")
    assert (
        play_episode(
            crowd, make_agent("plan"), make_agent("scripted", ARCHERS), Dice(6), limit=60
        ).outcome.winner
        == FOOTMEN
    )


def test_a_plan_wins_at_once_where_one_blow_is_enough():
    position = Skirmish.parse("9x9 F4,4:160 F0,0:160 A5,5:11 F1 script A1xF1")
    assert Planner(wide=4, compiled=False)(position)[0] == 9 + 2  # F1 attacks unit 2, the archer


@pytest.mark.thorough("compiles the planner")
def test_plans_compiled_are_those_uncompiled():
    position = Skirmish.parse("9x9 F4,4:60 F0,0:60 A6,6:23 F1 script A1-E")
    assert Planner(wide=5, compiled=False)(position, 4) == Planner(wide=5)(position, 4)


def test_a_turn_is_told_in_words():
    turn = next(iter(episode_turns(SMALL, make_agent("greedy"), make_agent("scripted", ARCHERS), Dice(6))))
    assert turn_text(turn).splitlines()[:3] == ["turn 0", "  0 steps E", ".F...  footman 0 at 1,0: 160"]


# --- commands -----------------------------------------------------------------------------------------
def test_run_tells_winner_turns_and_health_of_each_episode():
    result = command("run", "--agent", "greedy", "--episodes", "2", "--json")
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    assert [episode["winner"] for episode in told["episodes"]] == ["footmen", "footmen"]
    assert told["episodes"][0]["turns"] == 50
    assert told["episodes"][0]["health"] == {"footmen": 269, "archers": 0}


def test_run_takes_a_map_file_and_can_be_watched(tmp_path):
    path = tmp_path / "mine.map"
    path.write_text("F..\n.FA\n")
    result = command("run", "--map", path, "--agent", "greedy", "--watch")
    assert result.exit_code == 0
    assert "1 attacks 2: 13 damage" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("episode 1: the footmen win in ")


def test_report_is_a_table_of_agents_and_maps():
    result = command("report", "greedy", "random", "--map", "2fv2a", "--map", "2fva")
    assert [line.split()[:4] for line in result.stdout.splitlines()] == [
        ["agent", "map", "won", "turns"],
        ["greedy", "2fv2a", "1/1", "50.0"],
        ["greedy", "2fva", "1/1", "47.0"],
        ["random", "2fv2a", "0/1", "27.0"],
        ["random", "2fva", "0/1", "51.0"],
    ]


def test_replay_prints_one_line_and_fails_on_a_difference(tmp_path):
    unit = {"id": 0, "player": 0, "type": "Footman", "x": 1, "y": 1, "hp": 9}
    other = {"id": 2, "player": 1, "type": "Archer", "x": 24, "y": 1, "hp": 9}
    step = {"type": "step", "turn": 0, "before": [unit, other], "orders": [], "primitives": []}
    step |= {"damage": [], "deaths": [], "after": [unit, other]}
    end = {"type": "end", "turns": 1, "winner": "timeout"}
    path = tmp_path / "one.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in ({"type": "header", "map": "Mine"}, step, end)))
    result = command("replay", path, path)
    assert (result.exit_code, result.stdout) == (0, "episodes 2 turns 2 differences 0 unpredictable 0\n")
    end["winner"] = "footmen"
    path.write_text("\n".join(json.dumps(line) for line in ({"type": "header", "map": "Mine"}, step, end)))
    result = command("replay", path)
    assert (result.exit_code, result.stdout) == (1, "episodes 1 turns 1 differences 1 unpredictable 0\n")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("run", "--map", "2fv3a"), "unknown map '2fv3a'; did you mean '2fva'?"),
        (("run", "--agent", "plam"), "unknown agent 'plam'; did you mean 'plan'?"),
        (("run", "--archers", "plan"), "unknown agent for archers 'plan'"),
        (("run", "--map", "no/such.map"), "map no/such.map: No such file"),
        (("replay", "no/such.jsonl"), "no/such.jsonl: No such file"),
        (
            ("run", "--agent", "search", "--without", "null_mov"),
            "unknown part of the search 'null_mov'; did you mean",
        ),
        (("run", "--agent", "search", "--evaluator", "best"), "unknown evaluator of skirmish 'best'"),
    ],
)
def test_bad_input_is_refused_with_one_sentence(words, reason):
    result = command(*words)
    assert isinstance(result.exception, PlywiseError)  # the command line makes a line and status 2 of it
    assert str(result.exception).startswith(reason)
    assert result.stdout == ""


def test_every_agent_has_a_sentence_of_its_own_and_is_listed_by_the_command(scaled):
    for known in (AGENTS, OPPONENTS):
        assert len(set(known.values())) == len(known)
        assert all(len(sentence.split()) >= 3 for sentence in known.values())
    with nullcontext() if scaled.compiled else interpreted():
        for name in AGENTS:
            assert make_agent(name).side == FOOTMEN
        for name in OPPONENTS:
            assert make_agent(name, ARCHERS).side == ARCHERS
