"""The searched model (RULES part B): moves, turns, switches, text, and the scripted archers in it."""

import random

import pytest

import plywise
from plywise.agents.skirmish import scripted_position, to_orders
from plywise.core.errors import BadMove, BadPosition
from plywise.core.outcome import LOST, OPEN, WON
from plywise.games.skirmish import GAME, archer
from plywise.games.skirmish.evaluation import distance_to_go
from plywise.games.skirmish.maps import NAMES, Ground, course_map, read
from plywise.games.skirmish.rules import Skirmish, TooLarge
from plywise.games.skirmish.units import ARCHERS, FOOTMEN, Unit
from plywise.games.skirmish.world import Attack, Order, Step, World
from plywise.search.specialisation import perft_counter
from plywise.search.switches import UNSOUND
from tests.games.skirmish import slow


def after(text: str, *moves: str) -> str:
    return GAME.history(f"{text} moves {' '.join(moves)}").text


# --- moves ------------------------------------------------------------------------------------------
def test_the_fast_model_is_the_slow_one():
    """Random games on random small maps: the same moves, and the same text after each of them."""
    rng = random.Random(11)
    seen, ended = 0, {"F": 0, "A": 0}
    for _ in range(150):
        state = slow.random_state(rng)
        position = GAME.parse(slow.text(state))
        for _ in range(60):
            assert GAME.text(position) == slow.text(state)
            who = slow.winner(state)
            if who is not None:
                ended[who] += 1
                assert position.outcome() == (WON if "FA"[position.turn] == who else LOST)
                assert GAME.moves(position) == []
                break
            assert position.outcome() == OPEN
            expected = slow.moves(state)
            moves = {GAME.move_text(position, move): move for move in GAME.moves(position)}
            assert set(moves) == set(expected)
            for text, move in moves.items():
                assert GAME.text(position.play(move)) == slow.text(expected[text])
                seen += 1
            attacks = [text for text in moves if "x" in text]
            chosen = rng.choice(attacks if attacks and rng.random() < 0.7 else list(moves))
            position, state = position.play(moves[chosen]), expected[chosen]
    assert seen > 5_000
    assert min(ended.values()) > 5


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("2fv2a", [4, 16, 80, 400, 1600, 6400, 32000, 160002]),
        ("2fva", [4, 16, 96, 384, 1536, 9216, 36864]),
        ("2fv2a_Obstacles", [3, 9, 27, 81, 270, 900, 3330, 12321]),
        ("2fv1a_Obstacles", [3, 9, 45, 150, 500, 2200, 7700]),
    ],
)
def test_paths_compiled_are_those_uncompiled(text, counts, scaled):
    position = GAME.parse(text)
    deep = scaled(5, len(counts))
    assert [perft_counter(GAME, scaled.compiled)(position, d + 1) for d in range(deep)] == counts[:deep]
    assert [perft_counter(GAME, False)(position, d + 1) for d in range(5)] == counts[:5]


def test_damage_is_the_mean_and_the_dead_are_gone_at_once():
    text = "9x9 F4,4:160 F8,8:7 A5,5:12 A0,0:11 F1"
    assert after(text, "F1xA1") == "9x9 F4,4:160 F8,8:7 A5,5:1 A0,0:11 F2"
    assert after(text, "F1xA1", "F2-N", "A1xF2") == "9x9 F4,4:160 F8,7:1 A5,5:1 A0,0:11 A2"
    assert after(text, "F1xA1", "F2-N", "A1xF2", "A2xF2") == "9x9 F4,4:160 F- A5,5:1 A0,0:11 F1"


def test_a_unit_that_can_do_nothing_waits():
    assert GAME.history("1TT/T2 F0,0:9 A2,1:9").moves == ["F1-wait"]


def test_the_search_is_told_of_the_middle_of_a_turn():
    history = GAME.history("2fv2a")
    assert not history.position.midway()
    middle = history.play("F1-N")
    assert middle.position.midway()
    assert middle.turn == FOOTMEN
    assert middle.play("F2-N").turn == ARCHERS
    assert not GAME.parse("9x9 F- F4,4:160 A5,5:12 F2").midway()


def test_a_switch_allows_eight_directions_and_another_drops_all_but_attacks():
    assert len(GAME.history("2fv2a eight").moves) == 8
    text = "9x9 F4,4:160 A5,5:12 F1"
    assert GAME.history(text).moves == ["F1xA1", "F1-N", "F1-E", "F1-S", "F1-W"]
    assert GAME.history(text + " hasty").moves == ["F1xA1"]


def test_the_seed_orders_attacks_first_then_towards_for_footmen_and_away_for_archers():
    def order(text):
        position = GAME.parse(text)
        moves = sorted(GAME.moves(position), key=lambda move: -position.gain(move))
        return [GAME.move_text(position, move) for move in moves]

    assert order("9x9 F2,4:160 A5,4:50 A3,3:20 F1")[0] == "F1xA2"
    assert order("9x9 F2,4:160 A5,3:50 F1")[:2] == ["F1-E", "F1-N"]  # y grows south: north is towards
    assert order("25x19 F2,4:160 A5,5:50 A1")[:3] == ["A1xF1", "A1-E", "A1-S"]
    assert order("25x19 F2,4:160 A14,5:50 A1")[:2] == ["A1-E", "A1-S"]


# --- text -------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "text",
    [
        "25x19 F5,5:160 F18,5:160 A5,13:50 A18,13:50 F1",
        "2fv2a_Obstacles F5,6:154 F- A5,13:50 A18,13:50 A2 eight",
        "2T1/4/T3 F0,0:1 A3,1:4095 A1 hasty",
        "25x19 F5,5:160 F18,5:160 A5,13:50 A18,13:50 F2 script A1xF1 A2-W",
        "32x32 F0,0:160 A31,31:50 F1",
    ],
)
def test_text_round_trips(text):
    assert GAME.text(GAME.parse(text)) == text


@pytest.mark.parametrize("name", NAMES)
def test_a_map_name_is_a_position(name):
    assert GAME.parse(name) == Skirmish.of_map(course_map(name))
    assert GAME.parse(GAME.text(GAME.parse(name))) == GAME.parse(name)
    assert GAME.parse("start") == GAME.parse("2fv2a")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2fv3a", "is no map"),
        ("9x9 F4,4:160", "there are no archers"),
        ("9x9 F4,4:160 A4,4:50", "A4,4:50 and F4,4:160 stand on one cell"),
        ("9x9 F4,9:160 A4,4:50", "F4,9:160 is off the 9x9 map"),
        ("3T/4 F3,0:160 A0,0:50", "F3,0:160 stands on a tree"),
        ("3T/3 F0,0:160 A1,0:50", "row 2 of the ground has 3 cells, the first 4"),
        ("9x9 F4,4:160 A5,4:50 F2", "F2 is to act and is not there"),
        ("9x9 F4,4:160 A5,4:50 F1 A1", "two units to act"),
        ("9x9 F4,4:160 A5,4:50 nine", "'nine' is no unit"),
        ("9x9 F4,4:0 A5,4:50", "health is from 1 to 4095"),
        ("40x40 F4,4:160 A5,4:50", "has room for 1024"),
        ("9x9 F4,4:160 A5,4:50 F1 A1-N", "only with the switch 'script'"),
    ],
)
def test_a_bad_position_is_refused_with_the_reason(text, reason):
    with pytest.raises(BadPosition, match=reason):
        GAME.parse(text)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("F2-N", "F1 is the unit to act"),
        ("F1-NE", "unless the switch 'eight' is on"),
        ("F1-W", "off the map, or a tree or a unit"),
        ("F1xA1", "A1 is no enemy within reach of F1"),
        ("jump", "F1 is the unit to act"),
    ],
)
def test_a_bad_move_is_refused_with_the_reason(move, reason):
    with pytest.raises(BadMove, match=reason):
        GAME.history("9x9 F0,4:160 F8,8:9 A5,4:50 F1").play(move)


def test_the_unit_may_be_left_out_of_a_move():
    history = GAME.history("9x9 F4,4:160 A5,4:50 F1")
    assert history.play("N").text == history.play("F1-N").text
    assert history.play("xA1").text == history.play("F1xA1").text


def test_the_board_shows_trees_and_units_with_their_health():
    board = GAME.board(GAME.parse("2T1/4 F0,0:7 A3,1:50 F1"))
    assert str(board).splitlines()[:2] == ["0 F . T .", "1 . . . A"]
    assert sorted(piece.note for row in board.rows for piece in row if piece and piece.note) == [
        "A1: 50",
        "F1: 7",
    ]


def test_too_many_units_are_refused_by_the_model_and_not_by_the_world():
    rows = ["F" * 10, "." * 10, "A" * 10]
    map = read("\n".join(rows))
    assert len(World.of(map).units) == 20
    with pytest.raises(TooLarge, match="has room for 16"):
        Skirmish.of_map(map)


# --- the scripted archers in the model ----------------------------------------------------------------
class Mean:
    """Dice that always roll their mean."""

    def damage(self, base: int) -> int:
        return base


def random_world(rng: random.Random) -> World:
    wide, high = rng.choice([(25, 19), (25, 19), (9, 9), (30, 4)])
    cells = [(x, y) for x in range(wide) for y in range(high)]
    rng.shuffle(cells)
    footmen, archers = rng.randint(1, 3), rng.randint(1, 3)
    units = [Unit(i, FOOTMEN, *cells.pop(), rng.randint(1, 160)) for i in range(footmen)]
    units += [Unit(footmen + i, ARCHERS, *cells.pop(), rng.randint(1, 50)) for i in range(archers)]
    trees = frozenset(cells[: rng.choice([0, len(cells) // 6, len(cells) // 3])])
    return World(Ground(wide, high, trees), tuple(units), 1)


def by_cells(position: Skirmish) -> dict[tuple[int, ...], object]:
    """The archers' orders, units named by their cells: the dead keep no place in a fresh position."""
    setup = position.setup()
    result: dict[tuple[int, ...], object] = {}
    for i, order in setup.orders.items():
        place = setup.units[ARCHERS][i]
        assert place is not None
        _, shot, target = order.partition("xF")
        result[place] = setup.units[FOOTMEN][int(target) - 1] if shot else order.partition("-")[2]
    return result


def test_the_model_with_the_script_is_the_world_with_mean_damage():
    """Random footmen against the script: after each turn the model stands where the world does."""
    rng = random.Random(3)
    walks = hits = 0
    for _ in range(120):
        world = random_world(rng)
        for _ in range(12):
            position = scripted_position(world, ("script",))
            ids = [unit.id for side in (FOOTMEN, ARCHERS) for unit in world.side(side)]
            orders: list[Order] = []
            while position.turn == FOOTMEN:
                move = rng.choice(GAME.moves(position))
                orders += to_orders(ids[move >> 5], move & 31, ids)
                position = position.play(move)
            turn = world.turn(orders, archer.orders(world), Mean())  # type: ignore[arg-type]
            walks += any(isinstance(done.action, Step) for done in turn.done if done.action.unit in ids[-1:])
            hits += sum(isinstance(done.action, Attack) for done in turn.done)
            units = position.setup().units
            there = sorted(place for side in units for place in side if place is not None)
            assert there == sorted((unit.x, unit.y, unit.health) for unit in turn.after.units)
            world = turn.after
            ended = world.outcome()
            if ended is not None:
                assert position.outcome() == (WON if ended.winner == position.turn else LOST)
                break
            while position.turn == ARCHERS:
                moves = GAME.moves(position)
                assert len(moves) == 1
                position = position.play(moves[0])
            assert by_cells(position) == by_cells(scripted_position(world, ("script",)))
    assert walks > 100
    assert hits > 300


# --- searching ----------------------------------------------------------------------------------------
POSITIONS = [
    *((name, 4) for name in NAMES),
    ("25x19 F10,9:40 F12,10:30 A11,11:20 F1", 4),  # two against one
    ("25x19 F10,9:16 A11,11:20 A13,8:9 A2,2:50 F1", 3),  # one against three
    ("9x9 F4,4:25 F6,4:12 F5,6:30 A5,5:22 A2,2:12 A2", 3),  # from the middle of a turn
    ("12x6 F4,4:25 F6,4:12 A5,5:22 A2,2:12 F1 script", 4),
]


@pytest.fixture(scope="module")
def players(scaled):
    return {
        "minimax": plywise.Engine(GAME, player="minimax", hash=1, compiled=scaled.compiled),
        "alphabeta": plywise.Engine(GAME, player="alphabeta", hash=1, compiled=scaled.compiled),
        "search": plywise.Engine(GAME, hash=4, without=UNSOUND, compiled=scaled.compiled),
    }


@pytest.mark.parametrize(("text", "deepest"), POSITIONS)
def test_alphabeta_and_the_search_give_the_value_of_minimax(players, text, deepest, scaled):
    history = GAME.history(text)
    for depth in range(1, scaled(2, deepest) + 1):
        results = {name: engine.search(history, depth=depth) for name, engine in players.items()}
        assert len({result.score for result in results.values()}) == 1, (depth, results)
        assert results["alphabeta"].nodes <= results["minimax"].nodes


def test_a_value_is_that_of_the_slow_model_with_the_signs_by_side(players):
    """Minimax over the slow model, MAX for the footmen and MIN for the archers, judged by wins alone."""

    def value(state, depth):
        who = slow.winner(state)
        if who is not None:
            return 1 if who == "F" else -1
        if depth == 0:
            return 0
        best = [value(s, depth - (s["next"][0] != state["next"][0])) for s in slow.moves(state).values()]
        return max(best) if state["next"][0] == "F" else min(best)

    rng = random.Random(8)
    kinds = set()
    for _ in range(60):
        state = slow.random_state(rng)
        if len(state["names"]) > 4 or "eight" in state["switches"]:
            continue
        for unit in state["units"].values():
            unit[2] = rng.choice([1, 6, 7, 12])
        result = players["search"].search(GAME.history(slow.text(state)), depth=3)
        expected = value(state, 3)
        found = 1 if result.score > 30_000 else -1 if result.score < -30_000 else 0
        assert found == expected, slow.text(state)
        kinds.add(expected)
    assert kinds == {-1, 0, 1}


def test_distances_of_the_default_evaluation_are_walked_not_flown():
    near = "5/1TTT1/5 F2,0:160 A2,2:50 F1"  # two cells apart, six steps to walk
    engine = plywise.Engine(GAME, compiled=False, hash=1)
    for depth, want in ((2, ("F1-E", "F1-W")),):
        assert engine.search(GAME.history(near), depth=depth).move in want


@pytest.mark.parametrize("name", ["distance", "linear"])
def test_a_killing_blow_is_never_worse_than_another_action(name):
    """Word for word the outline's functions put it last: the distance then jumps to the far archer."""
    position = Skirmish.parse("25x19 F5,6:160 A5,7:5 A20,15:50 F1")
    opinion = {
        GAME.move_text(position, move): -GAME.evaluate(position.play(move), name)
        for move in GAME.moves(position)
    }
    assert max(opinion, key=opinion.__getitem__) == "F1xA1"
    word_for_word = {"distance": "nearest", "linear": "linear_nearest"}[name]
    old = {
        GAME.move_text(position, move): -GAME.evaluate(position.play(move), word_for_word)
        for move in GAME.moves(position)
    }
    assert min(old, key=old.__getitem__) == "F1xA1"


def _without(position, unit):
    """The same position with a unit dead."""
    return position._replace(living=position.living & ~(1 << unit))


def test_no_death_of_an_archer_lengthens_the_way_and_none_of_a_footman_shortens_it(scaled):
    """On random positions of one to three footmen and one to three archers, alive or dead."""
    dice = random.Random(5)
    for _ in range(scaled(300, 5000)):
        words = [
            f"{letter}{dice.randrange(12)},{dice.randrange(9)}:{dice.randrange(1, 60)}"
            for letter, most in (("F", 3), ("A", 3))
            for _ in range(dice.randint(1, most))
        ]
        if len({word[1:].split(":")[0] for word in words}) < len(words):
            continue
        position = Skirmish.parse(f"12x9 {' '.join(words)} F1")
        f = sum(word[0] == "F" for word in words)
        for i in range(len(words)):
            change = distance_to_go(_without(position, i)) - distance_to_go(position)
            assert change >= 0 if i < f else change <= 0, words


def test_linear_has_its_three_weights_as_options(tmp_path):
    text = "9x9 F4,4:100 A7,4:50 F1"
    weights = tmp_path / "mine.json"
    weights.write_text('{"values": {"distance": 0, "footmen": 1, "archers": 0}}')
    engine = plywise.Engine(GAME, "linear", compiled=False, hash=1, weights=str(weights))
    assert engine.search(GAME.history(text), depth=1).score == 100
    weights.write_text('{"values": {"distance": 10, "footmen": 0, "archers": 1}}')
    assert engine.search(GAME.history(text), depth=1).score == -50 - 20
