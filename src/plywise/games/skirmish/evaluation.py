"""Opinions about model positions: the outline's two, and one that knows its way around trees."""

from pathlib import Path
from typing import Any

from plywise.core.compiled import compiled
from plywise.core.define import evaluation
from plywise.core.layout import Layout
from plywise.core.resources import Weights
from plywise.games.skirmish.packing import (
    DX,
    DY,
    EIGHT,
    MOST_CELLS,
    REACH,
    count,
    footmen,
    height,
    is_blocked,
    living_count,
    manhattan,
    switches,
    total_health,
    unit,
    width,
    x_of,
    y_of,
)
from plywise.games.skirmish.rules import Skirmish

LINEAR = Layout(("distance", "i8"), ("footmen", "i8"), ("archers", "i8"))
LAYOUT = Layout(
    ("footmen", "i8"),  # a footman's hit point
    ("archers", "i8"),  # an archer's hit point
    ("archer", "i8"),  # an archer that is still there
    ("near", "i8"),  # a step between an archer and the footman nearest to it, within an archer's reach
    ("far", "i8"),  # and beyond it: there a step more keeps nobody safer
    ("second", "i8"),  # a step between an archer and the next footman
    ("lone", "i8"),  # a step between a footman and the archer nearest to it
    ("corner", "i8"),  # a step that an archer can still take
)
NO_WAY = 400  # steps to a cell that cannot be reached

# Walking distances, a row for each cell that an archer has stood on, filled when first asked for.
# They depend on the trees alone and are kept until another ground comes.
PATHS = Layout(
    ("mapped", "i8"),
    ("known", "i8", (MOST_CELLS,)),
    ("paths", "i2", (MOST_CELLS * MOST_CELLS,)),
    ("flood", "i2", (MOST_CELLS,)),
)


@compiled
def nearest_distance(position: Skirmish, i: int) -> int:
    """The Manhattan distance from a footman to the archer nearest to him."""
    nearest = 1 << 20
    for j in range(footmen(position), count(position)):
        if position.living >> j & 1 != 0:
            nearest = min(nearest, manhattan(unit(position, i), unit(position, j)))
    return nearest


@compiled
def total_distance(position: Skirmish) -> int:
    """The distances from each living footman to the archer nearest to him, as the outline has them.

    When that archer dies the next one is far, so a killing blow looks bad; and a footman who dies has no
    distance at all, which looks good.
    """
    result = 0
    for i in range(footmen(position)):
        if position.living >> i & 1 != 0:
            result += nearest_distance(position, i)
    return result


@compiled
def distance_to_go(position: Skirmish) -> int:
    """The way that is left to all archers, at most: each footman goes to the nearest, then to the others.

    The way to each other archer counts as long as the map allows, and so does all of a dead footman's.
    So an archer who dies never makes it longer, nor a footman who dies shorter; else a step is a step.
    """
    archers, longest = living_count(position, 1), width(position) + height(position) - 2
    result = 0
    for i in range(footmen(position)):
        result += archers * longest
        if archers > 0 and position.living >> i & 1 != 0:
            result += nearest_distance(position, i) - longest
    return result


STEP = 10  # points of a step; the distances of large armies on large maps must stay within the scale


def distance_terms(position: Skirmish) -> dict[str, float]:
    """The one term of `distance`."""
    return {"distance": distance(position)}


def nearest_terms(position: Skirmish) -> dict[str, float]:
    """The one term of `nearest`."""
    return {"distance": nearest(position)}


@evaluation(Skirmish, terms=distance_terms, unit=STEP)
def distance(position: Skirmish) -> int:
    """The outline's first function: closer is better, regardless of health."""
    score = -STEP * distance_to_go(position)
    return score if position.turn == 0 else -score


@evaluation(Skirmish, terms=nearest_terms, unit=STEP)
def nearest(position: Skirmish) -> int:
    """The first function word for word: only the nearest archer counts, so it would rather not kill him."""
    score = -STEP * total_distance(position)
    return score if position.turn == 0 else -score


HEALTH = {"footmen": "footmen's health", "archers": "archers' health"}
WEIGHTS = Weights(LINEAR, Path(__file__).with_name("linear.json"))


@evaluation(Skirmish, weights=WEIGHTS, terms=HEALTH, unit=10)
def linear(position: Skirmish, weights: Any) -> int:
    """The outline's three considerations, weighted: distance, the footmen's health, the archers'."""
    score = weights.footmen * total_health(position, 0) - weights.archers * total_health(position, 1)
    score -= weights.distance * distance_to_go(position)
    return score if position.turn == 0 else -score


@evaluation(Skirmish, weights=WEIGHTS, terms=HEALTH, unit=10)
def linear_nearest(position: Skirmish, weights: Any) -> int:
    """The three considerations with the distance of `nearest`."""
    score = weights.footmen * total_health(position, 0) - weights.archers * total_health(position, 1)
    score -= weights.distance * total_distance(position)
    return score if position.turn == 0 else -score


# --- the default: distances that can be walked --------------------------------------------------------
@compiled
def reset_distances(position: Skirmish, weights: Any, memory: Any) -> None:
    """A search begins: on another ground all distances are unknown."""
    if memory.mapped != position.ground:
        memory.mapped = position.ground
        for cell in range(MOST_CELLS):
            memory.known[cell] = 0


@compiled
def fill_distances(position: Skirmish, memory: Any, start: int) -> int:
    """Fill the row of distances to a cell by flooding the ground from it; where the row begins."""
    row = start * MOST_CELLS
    if memory.known[start] != 0:
        return row
    memory.known[start] = 1
    w, every = width(position), 1 if switches(position) & EIGHT != 0 else 2
    for cell in range(w * height(position)):
        memory.paths[row + cell] = NO_WAY
    memory.paths[row + start], memory.flood[0] = 0, start
    done, end = 0, 1
    while done < end:
        cell = memory.flood[done]
        done += 1
        x, y = cell % w, cell // w
        for d in range(0, 8, every):
            u, v = x + DX[d], y + DY[d]
            if not is_blocked(position, u, v) and memory.paths[row + v * w + u] == NO_WAY:
                memory.paths[row + v * w + u] = memory.paths[row + cell] + 1
                memory.flood[end] = v * w + u
                end += 1
    return row


@compiled
def cell_of(position: Skirmish, i: int) -> int:
    word = unit(position, i)
    return y_of(word) * width(position) + x_of(word)


@compiled
def exits(position: Skirmish, i: int) -> int:
    """How many steps a unit has that neither the edge nor a tree forbids."""
    word = unit(position, i)
    result = 0
    for d in range(0, 8, 2):
        if not is_blocked(position, x_of(word) + DX[d], y_of(word) + DY[d]):
            result += 1
    return result


@evaluation(
    Skirmish,
    "default",
    weights=Weights(LAYOUT, Path(__file__).with_name("weights.json")),
    memory=PATHS,
    begin=reset_distances,
    terms={
        **HEALTH,
        "archer": "archers left",
        "near": "distance",
        "far": "distance",
        "second": "distance",
        "lone": "distance",
        "corner": "archers' exits",
    },
)
def walking(position: Skirmish, weights: Any, memory: Any, ply: int) -> int:
    """Health, archers left, walking distances both ways, and how cornered the archers are."""
    f, n = footmen(position), count(position)
    score = weights.footmen * total_health(position, 0) - weights.archers * total_health(position, 1)
    score -= weights.archer * living_count(position, 1)
    for j in range(f, n):
        if position.living >> j & 1 == 0:
            continue
        row = fill_distances(position, memory, cell_of(position, j))
        nearest, second = NO_WAY, NO_WAY
        for i in range(f):
            if position.living >> i & 1 != 0:
                steps = memory.paths[row + cell_of(position, i)]
                if steps < nearest:
                    nearest, second = steps, nearest
                elif steps < second:
                    second = steps
        score -= weights.near * min(nearest, REACH[1]) + weights.far * max(0, nearest - REACH[1])
        score -= weights.corner * exits(position, j)
        if second < NO_WAY:
            score -= weights.second * second
    for i in range(f):
        if position.living >> i & 1 == 0:
            continue
        nearest = NO_WAY
        for j in range(f, n):
            if position.living >> j & 1 != 0:
                steps = memory.paths[
                    fill_distances(position, memory, cell_of(position, j)) + cell_of(position, i)
                ]
                nearest = min(nearest, steps)
        score -= weights.lone * nearest
    return score if position.turn == 0 else -score
