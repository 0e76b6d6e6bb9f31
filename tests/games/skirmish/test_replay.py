"""Replays of recorded episodes: of our own, with a mistake put in, and of the oracle's."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plywise.games.skirmish import archer
from plywise.games.skirmish.dice import Dice
from plywise.games.skirmish.maps import course_map
from plywise.games.skirmish.replay import BadRecording, Report, replay
from plywise.games.skirmish.units import DIRECTIONS, Unit
from plywise.games.skirmish.world import Attack, Hunt, Step, World
from tests.oracles import oracle

LONG = ("NORTH", "NORTHEAST", "EAST", "SOUTHEAST", "SOUTH", "SOUTHWEST", "WEST", "NORTHWEST")
Lines = list[dict[str, Any]]


def row(unit: Unit) -> dict[str, Any]:
    kind = unit.kind.name.capitalize()
    return {"id": unit.id, "player": unit.side, "type": kind, "x": unit.x, "y": unit.y, "hp": unit.health}


def action(one: Step | Attack | Hunt) -> dict[str, Any]:
    if isinstance(one, Step):
        return {"unit": one.unit, "kind": "PRIMITIVEMOVE", "dir": LONG[DIRECTIONS.index(one.direction)]}
    kind = "COMPOUNDATTACK" if isinstance(one, Hunt) else "PRIMITIVEATTACK"
    return {"unit": one.unit, "kind": kind, "target": one.target}


def episode(name: str, turns: int) -> Lines:
    """Footmen that hunt, written down as a recording."""
    world, dice = World.of(course_map(name)), Dice(6)
    lines: Lines = [{"type": "header", "policy": "hunt", "map": f"Game{name}.xml"}]
    while world.outcome() is None and world.number < turns:
        prey = world.side(1)[0].id
        turn = world.turn([Hunt(u.id, prey) for u in world.side(0)], archer.orders(world), dice)
        lines.append(
            {
                "type": "step",
                "episode": 0,
                "turn": world.number,
                "before": [row(unit) for unit in world.units],
                "orders": [action(order) for order in turn.orders],
                "primitives": [
                    {"action": action(done.action), "feedback": "FAILED" if done.refused else "COMPLETED"}
                    for done in turn.done
                ],
                "damage": [
                    {"attacker": hit.attacker, "defender": hit.target, "amount": hit.damage}
                    for hit in turn.hits
                ],
                "deaths": list(turn.deaths),
                "after": [row(unit) for unit in turn.after.units],
            }
        )
        world = turn.after
    outcome = world.outcome(None)
    winner = "timeout" if outcome is None else ("footmen", "archers")[outcome.winner or 0]
    lines.append({"type": "end", "episode": 0, "turns": world.number, "winner": winner})
    return lines


def replayed(lines: Lines, folder: Path, packed: bool = False) -> Report:
    text = "".join(json.dumps(line) + "\n" for line in lines).encode()
    path = folder / "episode"
    path.write_bytes(gzip.compress(text) if packed else text)
    return replay(path)


@pytest.mark.parametrize("packed", [False, True])
def test_a_faithful_recording_has_no_difference(tmp_path, packed):
    lines = episode("2fv2a", 40)
    assert str(replayed(lines, tmp_path, packed)) == "episodes 1 turns 40 differences 0 unpredictable 0"


def _hp(lines: Lines) -> None:
    lines[8]["after"][0]["hp"] -= 1
    for line in lines[9:-1]:
        line["before"][0]["hp"] -= 1
        line["after"][0]["hp"] -= 1


MISTAKES: dict[str, Callable[[Lines], Any]] = {
    "a hit point": _hp,
    "a damage": lambda lines: next(s for s in lines[1:] if s["damage"])["damage"][0].update(amount=99),
    "a feedback": lambda lines: lines[5]["primitives"][0].update(feedback="FAILED"),
    "an archer's order": lambda lines: lines[5]["orders"][-1].update(
        target=1 - lines[5]["orders"][-1]["target"]
    ),
    "a missing order": lambda lines: lines[5]["orders"].pop(),
    "a death": lambda lines: lines[5]["deaths"].append(0),
    "the winner": lambda lines: lines[-1].update(winner="footmen"),
    "the turns": lambda lines: lines[-1].update(turns=7),
    "the start": lambda lines: lines[1]["before"][0].update(x=6),
    "the end": lambda lines: lines.pop(),
    "a turn left out": lambda lines: lines.pop(9),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_the_recording_is_found(tmp_path, mistake):
    lines = episode("2fv2a", 30)
    MISTAKES[mistake](lines)
    assert replayed(lines, tmp_path).differences > 0


def test_a_random_step_is_unpredictable_only_in_flight_from_the_last_footman(tmp_path):
    one = [Unit(0, 0, 10, 11, 160), Unit(2, 1, 10, 9, 50)]
    for units, other, expected in (
        (one, "WEST", (0, 1)),
        (one, "NORTHWEST", (1, 0)),  # never a diagonal
        ([*one, Unit(1, 0, 0, 0, 160)], "WEST", (1, 0)),  # two footmen
        ([Unit(0, 0, 10, 17, 160), Unit(2, 1, 10, 9, 50)], "WEST", (1, 0)),  # it would have shot
    ):
        units = sorted(units, key=lambda unit: unit.id)
        step = {"type": "step", "turn": 0, "before": [row(u) for u in units], "orders": [], "primitives": []}
        step |= {"damage": [], "deaths": [], "after": [row(u) for u in units]}
        stray = {"unit": 2, "kind": "PRIMITIVEMOVE", "dir": other}
        dx = {"WEST": (-1, 0), "NORTHWEST": (-1, -1)}[other]
        after = [row(u) if u.id != 2 else row(u) | {"x": u.x + dx[0], "y": u.y + dx[1]} for u in units]
        second = step | {"turn": 1, "orders": [stray], "after": after}
        second["primitives"] = [{"action": stray, "feedback": "COMPLETED"}]
        end = {"type": "end", "turns": 2, "winner": "timeout"}
        report = replayed([{"type": "header", "map": "Mine.xml"}, step, second, end], tmp_path)
        assert (report.differences, report.unpredictable) == expected, report.notes


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the file is empty"),
        ("nonsense", "line 1: not JSON"),
        ("[1]", "line 1: not an object"),
        ('{"type": "header"}', "line 1 is damaged: it lacks 'map'"),
        ('{"type": "header", "map": "2fva"}\n{"type": "step"}', "line 2 is damaged: it lacks 'before'"),
        ('{"type": "verse"}', "the type 'verse' is not header, step or end"),
    ],
)
def test_a_file_that_is_no_recording_is_refused_with_its_line(tmp_path, text, reason):
    path = tmp_path / "bad"
    path.write_text(text)
    with pytest.raises(BadRecording, match=reason):
        replay(path)


@pytest.mark.parametrize("folder", ["episodes", "edge"])
def test_every_turn_of_the_oracle_is_as_recorded(folder):
    total = Report()
    for path in sorted(oracle(f"skirmish/{folder}").iterdir()):
        total.add(replay(path))
    assert total.notes == []
    assert total.episodes == {"episodes": 36, "edge": 6}[folder]
    assert total.unpredictable == {"episodes": 2, "edge": 0}[folder]
