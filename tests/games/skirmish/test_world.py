"""The world (RULES part A): orders, refusals, dice, deaths and hunts."""

import random
from collections import deque

import pytest

from plywise.games.skirmish import archer
from plywise.games.skirmish.dice import Dice
from plywise.games.skirmish.maps import NAMES, Ground, course_map, read
from plywise.games.skirmish.paths import path
from plywise.games.skirmish.units import ARCHERS, DIRECTIONS, FOOTMEN, STEPS, Unit
from plywise.games.skirmish.world import Attack, Hunt, Step, World

OPEN = Ground(25, 19)


def world(*units: tuple[int, int, int, int, int], ground: Ground = OPEN, number: int = 1) -> World:
    return World(ground, tuple(Unit(*unit) for unit in units), number)


def cells(world: World) -> dict[int, tuple[int, int]]:
    return {unit.id: (unit.x, unit.y) for unit in world.units}


def refusals(turn):
    return {done.action.unit: done.refused for done in turn.done if done.refused}


FAR = (9, 1, 24, 18, 50)


# --- dice -----------------------------------------------------------------------------------------
def test_a_footman_takes_6_to_16_from_an_archer_and_an_archer_3_to_9_from_a_footman():
    dice = Dice(1)
    assert {dice.damage(11) for _ in range(2000)} == set(range(6, 17))
    assert {dice.damage(6) for _ in range(2000)} == set(range(3, 10))


def test_the_first_damages_of_seed_6_are_those_of_java():
    # java.util.Random(6).nextInt(): -1156254074, 1587013752; 11 - (-2), then 11 - 0.
    dice = Dice(6)
    assert [dice.damage(11), dice.damage(11)] == [13, 11]


def test_a_refused_attack_draws_nothing():
    start = world((0, 0, 5, 5, 160), FAR)
    dice = Dice(6)
    turn = start.turn([Attack(0, 9)], [], dice)
    assert "the reach is 1" in refusals(turn)[0]
    assert dice.state == Dice(6).state


# --- moving -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("first", "second", "after"),
    [
        ("E", "W", {0: (3, 0), 1: (4, 0)}),  # neighbours do not swap
        ("W", "W", {0: (2, 0), 1: (3, 0)}),  # following works behind the lower id
        ("E", "E", {0: (3, 0), 1: (5, 0)}),  # and not in front of it
    ],
)
def test_neighbours_that_move_at_once(first, second, after):
    start = world((0, 0, 3, 0, 160), (1, 0, 4, 0, 160), FAR)
    turn = start.turn([Step(0, first), Step(1, second)], [], Dice())
    assert {id: cells(turn.after)[id] for id in (0, 1)} == after


def test_the_lower_id_gets_a_cell_that_two_want():
    start = world((0, 0, 3, 3, 160), (1, 0, 5, 3, 160), FAR)
    turn = start.turn([Step(1, "W"), Step(0, "E")], [], Dice())
    assert cells(turn.after) == {0: (4, 3), 1: (5, 3), 9: (24, 18)}
    assert refusals(turn) == {1: "the footman 0 stands on 4,3"}


def test_the_edge_and_trees_are_walls_but_arrows_fly_over_trees():
    ground = Ground(9, 5, frozenset({(1, 0), (2, 0)}))
    start = world((0, 0, 0, 0, 160), (1, 1, 4, 0, 50), ground=ground)
    assert refusals(start.turn([Step(0, "N")], [], Dice())) == {0: "0,-1 is off the map"}
    assert refusals(start.turn([Step(0, "E")], [], Dice())) == {0: "there is a tree on 1,0"}
    assert start.turn([], [Attack(1, 0)], Dice()).hits[0].target == 0


def test_north_is_up_and_y_grows_south():
    start = world((0, 0, 5, 5, 160), FAR)
    assert cells(start.turn([Step(0, "N")], [], Dice()).after)[0] == (5, 4)
    assert cells(start.turn([Step(0, "SE")], [], Dice()).after)[0] == (6, 6)


def test_a_refused_step_is_tried_again_until_a_new_order_comes():
    now = world((0, 0, 3, 0, 160), (1, 0, 4, 0, 160), FAR).turn([Step(0, "E")], [], Dice()).after
    turn = now.turn([Step(1, "S")], [], Dice())
    assert refusals(turn) == {0: "the footman 1 stands on 4,0"}
    turn = turn.after.turn([], [], Dice())
    assert cells(turn.after)[0] == (4, 0)
    assert turn.after.turn([], [], Dice()).done == ()


# --- fighting ---------------------------------------------------------------------------------------
def test_diagonal_attacks_land_and_friends_and_oneself_can_be_hit():
    start = world((0, 0, 5, 5, 160), (1, 0, 6, 6, 160), FAR)
    turn = start.turn([Attack(0, 1), Attack(1, 1)], [], Dice())
    assert [(hit.attacker, hit.target) for hit in turn.hits] == [(0, 1), (1, 1)]


def test_the_dead_act_until_the_turn_ends_and_both_can_fall():
    start = world((0, 0, 10, 10, 1), (2, 1, 11, 11, 5))
    turn = start.turn([Attack(0, 2)], [Attack(2, 0)], Dice())
    assert turn.deaths == (0, 2)
    assert len(turn.hits) == 2
    outcome = turn.after.outcome()
    assert outcome is not None
    assert outcome.winner == ARCHERS


def test_a_corpse_blocks_its_cell_and_can_be_hit_again():
    start = world((0, 0, 10, 10, 160), (1, 0, 12, 10, 160), (3, 1, 11, 10, 1), FAR)
    turn = start.turn([Attack(0, 3), Step(1, "W")], [], Dice())
    assert turn.deaths == (3,)
    assert refusals(turn) == {1: "the archer 3 stands on 11,10"}
    assert len(start.turn([Attack(0, 3), Attack(1, 3)], [], Dice()).hits) == 2


def test_orders_for_dead_and_foreign_units_are_refused_with_a_reason():
    start = world((0, 0, 5, 5, 160), FAR)
    turn = start.turn([Step(9, "W"), Step(7, "W"), Step(0, "UP")], [Step(0, "W")], Dice())
    assert [refusal.reason for refusal in turn.refusals] == [
        "unit 9 belongs to the archers, not to the footmen",
        "there is no living unit 7",
        "'UP' is no direction (N, NE, E, SE, S, SW, W, NW)",
        "unit 0 belongs to the footmen, not to the archers",
    ]
    assert turn.after.units == start.units


def test_the_turn_limit_is_a_draw():
    start = world((0, 0, 5, 5, 160), FAR, number=500)
    outcome = start.outcome()
    assert outcome is not None
    assert outcome.winner is None
    assert start.outcome(limit=None) is None


# --- hunts ------------------------------------------------------------------------------------------
def test_a_hunt_goes_there_hits_once_and_is_finished():
    now = world((0, 0, 5, 5, 160), (2, 1, 9, 5, 50))
    turn = now.turn([Hunt(0, 2)], [], Dice())
    seen = []
    for _ in range(6):
        seen += [done.action for done in turn.done]
        turn = turn.after.turn([], [], Dice())
    assert seen == [Step(0, "E")] * 3 + [Attack(0, 2)]


def test_a_hunt_whose_attack_is_refused_is_planned_anew_for_the_next_turn():
    now = world((0, 0, 5, 5, 160), (2, 1, 7, 5, 50))
    turn = now.turn([Hunt(0, 2)], [Step(2, "E")], Dice())
    turn = turn.after.turn([], [], Dice())
    assert refusals(turn) == {0: "the archer 2 is 2 cells away, the reach is 1"}
    assert turn.after.turn([], [], Dice()).done[0].action == Step(0, "E")


def test_a_hunt_vanishes_when_its_target_is_dead():
    now = world((0, 0, 10, 10, 160), (1, 0, 14, 10, 160), (2, 1, 11, 10, 1), FAR)
    turn = now.turn([Attack(0, 2), Hunt(1, 2)], [], Dice())
    assert turn.after.turn([], [], Dice()).done == ()


def test_a_hunt_without_a_way_tries_the_attack_and_is_refused():
    ground = Ground(25, 1, frozenset({(1, 0)}))
    now = world((0, 0, 0, 0, 160), (2, 1, 24, 0, 50), ground=ground)
    turn = now.turn([Hunt(0, 2)], [], Dice())
    assert turn.done[0].action == Attack(0, 2)
    assert "24 cells away" in turn.done[0].refused


def test_paths_are_as_short_as_a_flood_says_and_walk_over_free_cells():
    rng = random.Random(4)
    found = 0
    for _ in range(300):
        width, height, reach = rng.randint(2, 9), rng.randint(2, 9), rng.choice([1, 1, 3])
        every = [(x, y) for x in range(width) for y in range(height)]
        trees = frozenset(rng.sample(every, rng.randint(0, len(every) // 2)))
        ground = Ground(width, height, trees)
        start, goal = rng.sample(every, 2)
        flood, todo = {start: 0}, deque([start])
        while todo:
            x, y = todo.popleft()
            for dx, dy in STEPS:
                cell = x + dx, y + dy
                if cell not in flood and ground.free(*cell):
                    flood[cell] = flood[x, y] + 1
                    todo.append(cell)
        near = [n for (x, y), n in flood.items() if max(abs(x - goal[0]), abs(y - goal[1])) <= reach]
        way = path(start, goal, reach, ground.free)
        if way is None:
            assert not near
            continue
        found += 1
        assert len(way) == min(near)
        x, y = start
        for direction in way:
            x, y = x + STEPS[DIRECTIONS.index(direction)][0], y + STEPS[DIRECTIONS.index(direction)][1]
            assert ground.free(x, y)
    assert found > 100


def test_equal_paths_begin_with_the_shorter_name():
    # Two steps either way: EAST has fewer letters than SOUTHEAST.
    assert path((0, 0), (3, 1), 1, OPEN.free) == ["E", "E"]


# --- the scripted archer ------------------------------------------------------------------------------
def test_archers_give_no_orders_on_turn_0():
    assert archer.orders(World.of(course_map("2fv2a"))) == []


def test_an_archer_shoots_at_the_nearest_footman_and_prefers_the_lower_id():
    now = world((0, 0, 5, 5, 160), (1, 0, 5, 13, 160), (2, 1, 5, 9, 50))
    assert archer.orders(now) == [Hunt(2, 0)]


def test_an_archer_flees_a_near_footman_even_into_the_edge():
    now = world((0, 0, 5, 16, 160), (1, 0, 18, 16, 160), (2, 1, 17, 18, 50))
    assert archer.orders(now) == [Step(2, "S")]  # the edge keeps it where it is: refused
    assert refusals(now.turn([], archer.orders(now), Dice())) == {2: "17,19 is off the map"}


def test_an_archer_shoots_a_near_footman_that_is_almost_dead():
    now = world((0, 0, 10, 12, 5), (2, 1, 10, 9, 50))
    assert archer.orders(now) == [Hunt(2, 0)]
    assert archer.orders(world((0, 0, 10, 12, 6), (2, 1, 10, 9, 50))) != [Hunt(2, 0)]


def test_an_archer_strays_only_in_flight_from_the_last_footman():
    flight, two = (
        world((0, 0, 10, 11, 160), (2, 1, 10, 9, 50)),
        world((0, 0, 10, 11, 160), (1, 0, 0, 0, 160), (2, 1, 10, 9, 50)),
    )
    seen = {archer.orders(flight, random.Random(seed))[0] for seed in range(400)}
    assert seen == {Step(2, direction) for direction in "NESW"}
    assert {archer.orders(two, random.Random(seed))[0] for seed in range(400)} == set(archer.orders(two))


# --- maps ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", NAMES)
def test_course_maps_have_their_units_and_are_25_by_19(name):
    map = course_map(name)
    assert (map.ground.width, map.ground.height) == (25, 19)
    assert [(u.id, u.x, u.y) for u in map.units if u.side == FOOTMEN] == [(0, 5, 5), (1, 18, 5)]
    archers = [(u.id, u.x, u.y) for u in map.units if u.side == ARCHERS]
    assert archers == ([(3, 5, 13), (4, 18, 13)] if "2a" in name else [(2, 11, 11)])
    assert len(map.ground.trees) == {"2fv2a_Obstacles": 64, "2fv1a_Obstacles": 54}.get(name, 0)


def test_a_map_file_may_have_any_size_and_any_number_of_units():
    map = read("; three against one\nF.T.\nFF.A\nunit 1,1 id=7 health=20\narcher 3,0 health=9\n")
    assert [(u.id, u.side, u.x, u.y, u.health) for u in map.units] == [
        (0, 0, 0, 0, 160),
        (1, 0, 0, 1, 160),
        (2, 1, 3, 0, 9),
        (3, 1, 3, 1, 50),
        (7, 0, 1, 1, 20),
    ]
    assert map.text() == "F.TA\nFF.A"


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("F.x\n..A", 1, 3, "unknown letter 'x'"),
        ("F..\n..A.", 2, 4, "the row has 4 cells, the first one 3"),
        ("F..\n.A", 2, 3, "the row has 2 cells"),
        ("...\n..A", 2, 1, "no footmen"),
        ("F..\n...", 2, 1, "no archers"),
        ("", 1, 1, "no footmen"),
        ("FT.\n..A\nfootman 1,0", 3, 9, "a tree on 1,0"),
        ("FT.\n..A\narcher 0,0", 3, 8, "two units on 0,0"),
        ("FT.\n..A\nunit 2,0 id=4", 3, 6, "no unit on 2,0"),
        ("FT.\n..A\nunit 9,0 id=4", 3, 6, "off the 3x2 map"),
        ("FT.\n..A\nunit 0,0 health=0", 3, 10, "health from 1 up"),
        ("FF.\n..A\nunit 0,0 id=3\nunit 1,0 id=3", 4, 10, "id 3 belongs to the unit on 0,0"),
        ("FT.\n..A\nunit 0;0", 3, 1, "should read 'unit X,Y'"),
        ("F.A\nunit 0,0 id=3\n...", 3, 1, "comes after"),
    ],
)
def test_a_bad_map_is_refused_with_line_and_column(text, line, column, reason):
    with pytest.raises(Exception, match=reason) as caught:
        read(text, "my.map")
    assert str(caught.value).startswith(f"map my.map, line {line}, column {column}: ")
