"""The model by the book: lists and loops over plain data, never optimised, sharing no rule with the
fast one. A state is a dictionary; moves and states are compared as text."""

from typing import Any

AROUND = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
AROUND_EIGHT = {
    "N": (0, -1),
    "NE": (1, -1),
    "E": (1, 0),
    "SE": (1, 1),
    "S": (0, 1),
    "SW": (-1, 1),
    "W": (-1, 0),
    "NW": (-1, -1),
}
DAMAGE = {"F": 11, "A": 6}
RANGE = {"F": 1, "A": 10}

State = dict[str, Any]  # wide, high, trees, units {name: [x, y, health]}, names, next, switches


def moves(state: State) -> dict[str, State]:
    """Every legal action of the unit to act, with the state after it."""
    me = state["next"]
    x, y, _ = state["units"][me]
    result = {}
    for name, (u, v, health) in state["units"].items():
        if name[0] != me[0] and max(abs(x - u), abs(y - v)) <= RANGE[me[0]]:
            after = copied(state)
            after["units"][name][2] = health - DAMAGE[me[0]]
            if after["units"][name][2] <= 0:
                del after["units"][name]
            result[f"{me}x{name}"] = passed(after)
    if result and "hasty" in state["switches"]:
        return result
    occupied = {(u, v) for u, v, _ in state["units"].values()}
    for direction, (dx, dy) in (AROUND_EIGHT if "eight" in state["switches"] else AROUND).items():
        cell = x + dx, y + dy
        inside = 0 <= cell[0] < state["wide"] and 0 <= cell[1] < state["high"]
        if inside and cell not in state["trees"] and cell not in occupied:
            after = copied(state)
            after["units"][me][:2] = cell
            result[f"{me}-{direction}"] = passed(after)
    if not result:
        result[f"{me}-wait"] = passed(copied(state))
    return result


def passed(state: State) -> State:
    """Hand over to the next living unit of the side, else to the other side's first."""
    names, me = state["names"], state["next"]
    own = [name for name in names if name[0] == me[0]]
    later = [name for name in own[own.index(me) + 1 :] if name in state["units"]]
    other = [name for name in names if name[0] != me[0]]
    living = [name for name in other if name in state["units"]]
    state["next"] = (later or living or other)[0]
    return state


def copied(state: State) -> State:
    return state | {"units": {name: list(unit) for name, unit in state["units"].items()}}


def winner(state: State) -> str | None:
    sides = {name[0] for name in state["units"]}
    return None if sides == {"F", "A"} else "F" if sides == {"F"} else "A"


def text(state: State) -> str:
    """The text form, with the ground by rows or size."""
    words = []
    if state["trees"]:
        for y in range(state["high"]):
            row, run = "", 0
            for x in range(state["wide"]):
                if (x, y) in state["trees"]:
                    row, run = row + (str(run) if run else "") + "T", 0
                else:
                    run += 1
            words.append(row + (str(run) if run else ""))
        ground = "/".join(words)
    else:
        ground = f"{state['wide']}x{state['high']}"
    units = [
        f"{name[0]}{unit[0]},{unit[1]}:{unit[2]}" if (unit := state["units"].get(name)) else f"{name[0]}-"
        for name in state["names"]
    ]
    return " ".join(
        [ground, *units, state["next"], *[s for s in ("eight", "hasty") if s in state["switches"]]]
    )


def random_state(random: Any) -> State:
    """A small ground with trees and one to three units a side, close enough to fight."""
    wide, high = random.randint(3, 14), random.randint(3, 9)
    cells = [(x, y) for x in range(wide) for y in range(high)]
    random.shuffle(cells)
    names = [f"F{i + 1}" for i in range(random.randint(1, 3))] + [
        f"A{i + 1}" for i in range(random.randint(1, 3))
    ]
    units = {name: [*cells.pop(), random.randint(1, 30)] for name in names}
    trees = set(cells[: random.choice([0, len(cells) // 5])])
    switches = {name for name in ("eight", "hasty") if random.random() < 0.3}
    return {
        "wide": wide,
        "high": high,
        "trees": trees,
        "units": units,
        "names": names,
        "next": names[0],
        "switches": switches,
    }
