"""The numbers of the search, each with its reason. None of them knows a game.

`MARGINS` names every number that may differ from game to game, with its default and its useful range.
Compiled code reads them by address (`MARGIN_LAYOUT`): other numbers need no compiling. Those that are scores
count in hundredths of the evaluation's unit.

A game may have its own in a margins file, `@game(margins=FILE)`; an engine may be given others,
`Engine(margins=FILE)` or `Engine(margins={name: number})`, which count before the game's. The file is JSON:

    {"game": "checkers", "version": 1, "origin": "how they were found",
     "values": {"futility_margin": 70, ...}}

`values` has the numbers that are not the default.
"""

import json
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from plywise.core.broken_files import read_text_file
from plywise.core.errors import PlywiseError, UnknownName
from plywise.core.layout import Layout
from plywise.core.untrusted import read_json

VERSION = 1  # of margins files; another version has other names or meanings


class Margin(NamedTuple):
    """A number of the search: its default and its useful range, both ends of which are allowed."""

    default: int
    low: int
    high: int
    is_score: bool = False  # in hundredths of the evaluation's unit


MARGINS: dict[str, Margin] = {
    # Reverse futility: so far above beta that this much a turn will not be lost again.
    "reverse_futility_max_depth": Margin(3, 0, 12),
    "reverse_futility_margin": Margin(85, 5, 400, True),
    # Futility: so far below alpha that a quiet move will not make up for it. The depth is what a late move
    # would be reduced to.
    "futility_max_depth": Margin(3, 0, 12),
    "futility_base": Margin(100, 0, 500, True),
    "futility_margin": Margin(90, 5, 400, True),
    # Delta: a noisy move must bring the score to alpha, less this much for what else may change.
    "delta_margin": Margin(300, 20, 1000, True),
    # Late move pruning: no quiet move after (base + depth squared) moves, half as many if the evaluation
    # is not improving.
    "late_move_max_depth": Margin(8, 0, 12),
    "late_move_base": Margin(4, 1, 40),
    # Static exchange evaluation: moves that lose by the exchange are left out up to these depths, quiet
    # ones that lose more than this much times the depth squared, noisy ones this much a turn.
    "see_quiet_max_depth": Margin(6, 0, 12),
    "see_quiet_margin": Margin(20, 1, 100, True),
    "see_noisy_max_depth": Margin(5, 0, 12),
    "see_noisy_margin": Margin(90, 10, 300, True),
    # Singular extension: the table's move is searched a turn deeper if all others, searched half as deep,
    # are worse by this much a turn; two turns if by more. The table's entry must be almost as deep.
    "singular_min_depth": Margin(8, 4, 127),
    "singular_depth_margin": Margin(3, 1, 6),
    "singular_margin": Margin(3, 1, 30, True),
    "double_extension_margin": Margin(1000, 5, 1000, True),
    # Extension: an urgent position is searched a turn deeper. 2: always, 1: only where it answers another one
    # (the second capture of an exchange, not the first), 0: never.
    "urgent_extension": Margin(2, 0, 2),
    # Enhanced table cuts: from this depth on, all moves are looked up in the table before one is searched.
    "table_cut_min_depth": Margin(6, 1, 127),
    # Candidates: up to this depth only the moves that the game offers as worth a look are searched.
    "candidates_max_depth": Margin(8, 0, 127),
    # Internal iterative reduction: without a move from the table a node is searched a turn less deep.
    "internal_reduction_min_depth": Margin(4, 2, 127),
    # Null move: a pass is searched this much less deep than a move: three turns, one more for every four of
    # depth, and up to three more the better the position looks. At a low depth it costs more than it saves.
    "null_move_min_depth": Margin(3, 1, 127),
    "null_move_reduction": Margin(3, 1, 5),
    "null_move_depth_divisor": Margin(4, 2, 12),
    "null_move_eval_divisor": Margin(200, 50, 600, True),
    "null_move_eval_max": Margin(3, 0, 6),
    # ProbCut: how many hundredths of the spread of its fit a shallow search must be beyond the window.
    "probcut_confidence": Margin(150, 0, 500),
    # Late move reductions: log-shaped in depth and place, as engines of many games have found; the first
    # few moves are worth their full depth, and so are all that are nearer to the root than
    # `reduction_min_ply`. The divisor is in hundredths; larger: smaller reductions.
    "reduction_min_depth": Margin(3, 2, 12),
    "reduction_min_moves": Margin(3, 1, 12),
    "reduction_min_ply": Margin(1, 0, 12),
    "reduction_divisor": Margin(225, 80, 600),
    # Turns that late moves are reduced less on the main line, where the window is open: a move that is
    # overlooked there is not played.
    "main_line_reduction": Margin(1, 0, 6),
    # Turns that late moves are reduced more where the table's move is a capture: quiet moves seldom beat it.
    "noisy_table_reduction": Margin(0, 0, 2),
    # History, of HISTORY_MAX at best, that is worth a turn of reduction.
    "history_per_reduction": Margin(8000, 1000, 32000),
    # Killers: how many moves that made a cut at this ply are tried before the other quiet moves. Where few
    # moves are legal, history alone may order them better.
    "killer_moves": Margin(2, 0, 2),
    # The first window around the last iteration's score. It becomes four times as wide on each failure, and
    # the whole range after the second. Shallow iterations swing too much for it.
    "aspiration_window": Margin(30, 2, 300, True),
    "aspiration_min_depth": Margin(5, 2, 127),
}

# --- margins as the search reads them ---------------------------------------------------------------
REDUCTION_ROWS = 64  # depths, and places of moves, that the table of reductions tells apart
PROBCUT_ROWS = 24  # depths below this may have a fit for ProbCut
MARGIN_LAYOUT = Layout(
    *((name, "i8") for name in MARGINS),
    ("base_reduction", "i1", (REDUCTION_ROWS * REDUCTION_ROWS,)),
    *((f"probcut_{name}", "i8", (PROBCUT_ROWS,)) for name in ("shallow", "slope", "offset", "spread")),
)


class BadMargins(PlywiseError):
    """Margins that cannot be read, or that are not for this game."""


def check_margins(values: Mapping[str, Any], source: str = "margins") -> dict[str, int]:
    """The numbers, each known by name and within its range."""
    for name, value in values.items():
        if name not in MARGINS:
            raise UnknownName("margin", name, MARGINS)
        low, high = MARGINS[name].low, MARGINS[name].high
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise BadMargins(f"{source}: {name} must be a whole number from {low} to {high}, not {value!r}")
    return dict(values)


def read_margins(path: str | os.PathLike[str], game: str) -> dict[str, int]:
    """The numbers of a margins file, which must be for this game and of this version."""
    try:
        data = read_json(read_text_file(path))
    except OSError as error:
        raise BadMargins(f"margins {path}: {error.strerror}") from None
    except ValueError as error:
        raise BadMargins(f"margins {path}: not JSON with 'values' ({error})") from None
    if not isinstance(data, dict) or not isinstance(data.get("values"), dict):
        raise BadMargins(f"margins {path}: not JSON with 'values'")
    if data.get("version") != VERSION:
        raise BadMargins(f"margins {path}: version {data.get('version')!r}, and this Plywise reads {VERSION}")
    if data.get("game") != game:
        raise BadMargins(f"margins {path}: they are for {data.get('game')!r}, not for {game!r}")
    return check_margins(data["values"], f"margins {path}")


def write_margins(path: str | os.PathLike[str], game: str, values: Mapping[str, int], origin: str) -> None:
    """Write a margins file; it replaces an older one at once."""
    own = {name: value for name, value in values.items() if value != MARGINS[name].default}
    data = {"game": game, "version": VERSION, "origin": origin, "values": check_margins(own)}
    part = Path(f"{os.fspath(path)}.part")
    part.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    os.replace(part, path)


def scaled_margins(
    values: Mapping[str, int], unit: int, probcut: Sequence[tuple[int, ...]] = ()
) -> dict[str, Any]:
    """All fields of MARGIN_LAYOUT: the numbers given, else the defaults, scores in the evaluation's unit.

    `probcut` has a row for each depth with a fit: (depth, shallow, slope, offset, spread). The score at the
    depth is about `slope` hundredths of the score at the shallow depth plus `offset`, with an error of
    `spread` (one standard deviation).
    """
    result: dict[str, Any] = {}
    for name, margin in MARGINS.items():
        value = values.get(name, margin.default)
        # A unit below 100 must not make a margin 0: what looks equal would be left out.
        result[name] = -(-value * unit // 100) if margin.is_score else value
    for name in ("shallow", "slope", "offset", "spread"):
        result[f"probcut_{name}"] = [0] * PROBCUT_ROWS
    for depth, shallow, slope, offset, spread in probcut:
        if not (0 < shallow < depth < PROBCUT_ROWS and slope > 0 and spread > 0):
            row = [depth, shallow, slope, offset, spread]
            raise BadMargins(
                f"probcut {row}: the depth must be below {PROBCUT_ROWS}, the shallow one below it,"
                " slope and spread above 0"
            )
        result["probcut_shallow"][depth], result["probcut_slope"][depth] = shallow, slope
        result["probcut_offset"][depth] = offset * unit // 100
        result["probcut_spread"][depth] = -(-spread * unit // 100)
    result["base_reduction"] = base_reductions(result["reduction_divisor"] / 100)
    return result


def base_reductions(divisor: float) -> Sequence[int]:
    """The turns by which a move is reduced: by its depth, a row each, and its place among the moves."""
    return [
        min(127, int(0.5 + math.log(max(1, depth)) * math.log(max(1, place)) / divisor))
        for depth in range(REDUCTION_ROWS)
        for place in range(REDUCTION_ROWS)
    ]


# --- numbers that are the same for every game -------------------------------------------------------
# History scores fade towards this bound, so that old successes make room for new ones.
HISTORY_MAX = 1 << 14
HISTORY_BONUS_MAX = 1 << 11
HISTORY_BONUS = 16  # times the depth squared

# A table entry does not know the draw counter: close to the limit it is not believed.
DRAW_PLIES_GUARD = 10

# Order of moves: the table's, captures, killers, quiet moves by history, losing captures last.
ORDER_TABLE_MOVE, ORDER_CAPTURE, ORDER_KILLER, ORDER_LOSING_CAPTURE = 1 << 40, 1 << 30, 1 << 29, -(1 << 30)
ORDER_QUIET_MIN = -(1 << 29)  # the order value of a quiet move is above this
SELECTION_SORT_MOVES = 3  # moves sought one at a time before the rest are sorted (useful range 2 .. 6)

POLL = 1024  # nodes between two looks at the stop flag, at most
FIRST_POLL = 16  # nodes before the first one: memory that is new to the process may make nodes slow
FIRST_TIME = 20_000_000  # nanoseconds that the first iteration may take if a stop comes before its end
POLL_TIME = 500_000  # nanoseconds between two looks at the clock that are enough
