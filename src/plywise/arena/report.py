"""The results of a match, as lines of text and as data."""

import math
from collections.abc import Iterator
from typing import Any

from plywise.arena.match import Match
from plywise.arena.sprt import Verdict
from plywise.arena.statistics import finite, pairs_ratio
from plywise.arena.tally import Meeting, PlayerTally
from plywise.core.errors import UnknownName

NAME_WIDTH = 40
CLASSES = ("lost 2-0", "lost 1.5-0.5", "1-1", "won 1.5-0.5", "won 2-0")


def parse_anchor(match: Match, anchor: str | None) -> tuple[int, float]:
    """The anchor of the ratings and its rating, from `NAME` or `NAME=ELO`; by default the first at 0."""
    if anchor is None:
        return 0, 0.0
    names = match.names
    if anchor in names:
        return names.index(anchor), 0.0
    name, equals, elo = anchor.rpartition("=")
    try:
        if equals and name in names and math.isfinite(float(elo)):
            return names.index(name), float(elo)
    except ValueError:
        pass
    raise UnknownName("player to anchor on (NAME or NAME=ELO)", anchor, names)


# --- as text --------------------------------------------------------------------------------------------
def lines(match: Match, anchor: tuple[int, float] = (0, 0.0)) -> Iterator[str]:
    """The whole report."""
    tally = match.tally
    if not tally.games:
        yield "no pair is finished yet"
        return
    if match.setup.players and len(match.names) == 2:
        yield from two_player_lines(match)
    else:
        yield from _ranking(match, anchor)
        yield ""
        yield from _crosstable(match, anchor)
        yield ""
        for (one, other), meeting in sorted(tally.meetings.items()):
            names = f"{_short_name(match.names[one])} v {_short_name(match.names[other])}"
            yield f"{names}: {_score(meeting)}, {_elo(meeting, 'no variance')}"
    yield ""
    yield from _player_lines(match)


def two_player_lines(match: Match) -> Iterator[str]:
    """The results of a match between two players."""
    meeting = match.tally.meetings[0, 1]
    estimate = meeting.estimate
    yield f"{match.names[0]} v {match.names[1]}: {_score(meeting)}"
    yield f"Elo: {_elo(meeting)}"
    if estimate.nelo is not None and estimate.nelo_error is not None and estimate.los is not None:
        yield (
            f"normalised Elo: {estimate.nelo:+.2f} +- {estimate.nelo_error:.2f}; the first is stronger with"
            f" {estimate.los:.1%} likelihood"
        )
    ratio = pairs_ratio(meeting.pairs)
    classes = ", ".join(f"{count} {name}" for count, name in zip(meeting.pairs, CLASSES, strict=True))
    yield f"pairs: {classes}" + ("" if ratio is None else f"; {ratio:.2f} won for each lost")
    if match.sprt is not None:
        yield sprt_line(match)


def sprt_line(match: Match) -> str:
    """The sequential test in one line."""
    assert match.sprt is not None
    sprt, (low, high) = match.sprt, match.sprt.bounds
    words = {
        Verdict.STRONGER: f"the first is stronger: {sprt.elo1:g} is accepted",
        Verdict.NOT_STRONGER: f"the first is not stronger: {sprt.elo0:g} is accepted",
        Verdict.OPEN: "not decided",
    }
    return (
        f"test of {sprt.elo0:g} against {sprt.elo1:g} {sprt.model} Elo: LLR {match.llr:.2f}"
        f" ({low:.2f} to {high:.2f}): {words[match.verdict]}"
    )


def _score(meeting: Meeting) -> str:
    return (
        f"+{meeting.wins} ={meeting.draws} -{meeting.losses} in {meeting.games} games,"
        f" {meeting.estimate.score:.1%} of the points, {meeting.draws / meeting.games:.1%} drawn"
    )


def _elo(meeting: Meeting, alike: str = "all pairs ended alike: no variance, so no error to tell") -> str:
    """Elo with its error; without variance there is no error, and the text says so."""
    estimate = meeting.estimate
    if not estimate.has_variance or estimate.error is None:
        return f"{_number(estimate.elo)} ({alike})"
    if math.isfinite(estimate.error):
        return f"{estimate.elo:+.2f} +- {estimate.error:.2f} (95 %)"
    return f"{_number(estimate.elo)}, 95 % between {_number(estimate.low)} and {_number(estimate.high)}"


def _number(elo: float) -> str:
    if math.isinf(elo):
        return "+infinite" if elo > 0 else "-infinite"
    return f"{elo:+.2f}"


def _short_name(name: str) -> str:
    return name if len(name) <= NAME_WIDTH else name[: NAME_WIDTH - 3] + "..."


def _order(match: Match, anchor: tuple[int, float]) -> list[int]:
    """The players from the best down."""
    elos = [-math.inf if one.elo is None else one.elo for one in match.tally.ratings(*anchor)]
    return sorted(range(len(elos)), key=lambda i: -elos[i])


def _crosstable(match: Match, anchor: tuple[int, float]) -> Iterator[str]:
    """Who beats whom: the points of each player against each other, the best first."""
    order = _order(match, anchor)
    title = "points against"
    width = max(len(title), *(len(_short_name(name)) for name in match.names))
    yield f"{'':3} {title:{width}} " + " ".join(f"{place:>5}" for place in range(1, len(order) + 1))
    for place, i in enumerate(order, 1):
        cells = " ".join(f"{_points(match, i, other):>5}" for other in order)
        yield f"{place:2}. {_short_name(match.names[i]):{width}} {cells}"


def _points(match: Match, one: int, other: int) -> str:
    """The points of one player against another; `-` if they have not met."""
    meeting = match.tally.meetings.get((min(one, other), max(one, other)))
    if one == other or meeting is None:
        return "-"
    first = meeting.wins + meeting.draws / 2
    return f"{first if one < other else meeting.games - first:g}"


def _ranking(match: Match, anchor: tuple[int, float]) -> Iterator[str]:
    ratings, order = match.tally.ratings(*anchor), _order(match, anchor)
    width = max(len(_short_name(name)) for name in match.names)
    yield f"{'':3} {'player':{width}} {'Elo':>9} {'+-':>7} {'games':>6} {'points':>8} {'score':>6}"
    for place, i in enumerate(order, 1):
        rating = ratings[i]
        elo = (
            "?"
            if rating.elo is None
            else f"{rating.elo:.1f}"
            if math.isfinite(rating.elo)
            else _number(rating.elo)
        )
        error = "anchor" if i == anchor[0] else "" if rating.error is None else f"{rating.error:.1f}"
        share = f"{rating.points / rating.games:.1%}" if rating.games else ""
        yield (
            f"{place:2}. {_short_name(match.names[i]):{width}} {elo:>9} {error:>7} {rating.games:>6}"
            f" {rating.points:>8.1f} {share:>6}"
        )


def _player_lines(match: Match) -> Iterator[str]:
    width = max(len(_short_name(name)) for name in match.names)
    yield (
        f"{'player':{width}} {'nodes/s':>10} {'depth':>6} {'s/move':>8}"
        f" {'time losses':>12} {'illegal':>8} {'crashes':>8}"
    )
    for name, player in zip(match.names, match.tally.player_tallies, strict=True):
        yield f"{_short_name(name):{width}} " + _player_columns(player)
    for name, player in zip(match.names, match.tally.player_tallies, strict=True):
        if player.last_fault:
            yield f"{_short_name(name)} was last blamed: {player.last_fault}"


def _player_columns(player: PlayerTally) -> str:
    speed = "-" if player.speed is None else f"{player.speed:,.0f}"
    depth = "-" if player.depth is None else f"{player.depth:.1f}"
    a_move = f"{player.work.seconds / player.work.moves:.3f}" if player.work.moves else "-"
    faults = player.faults
    return (
        f"{speed:>10} {depth:>6} {a_move:>8} {faults['time']:>12} {faults['illegal']:>8} {faults['crash']:>8}"
    )


def progress_line(match: Match) -> str:
    """The results so far on one line."""
    tally = match.tally
    done, total = tally.games, match.total
    parts = [f"{done}/{2 * total} games" if total is not None else f"{done} games"]
    if len(match.names) == 2 and (0, 1) in tally.meetings:
        meeting = tally.meetings[0, 1]
        parts.append(f"+{meeting.wins} ={meeting.draws} -{meeting.losses}")
        estimate = meeting.estimate
        error = estimate.error is not None and math.isfinite(estimate.error)
        parts.append(f"Elo {_number(estimate.elo)}" + (f" +- {estimate.error:.2f}" if error else ""))
        if match.sprt is not None:
            low, high = match.sprt.bounds
            parts.append(f"LLR {match.llr:.2f} ({low:.2f}, {high:.2f})")
    faults = sum(sum(player.faults.values()) for player in tally.player_tallies)
    if faults:
        parts.append(f"{faults} lost by fault")
    return "  ".join(parts)


# --- as data ----------------------------------------------------------------------------------------------
def data(match: Match, anchor: tuple[int, float] = (0, 0.0)) -> dict[str, Any]:
    """The report for `--json`: infinite numbers are null, since JSON has none."""
    tally = match.tally
    ratings = tally.ratings(*anchor)
    result: dict[str, Any] = {
        "game": match.game.name,
        "games": tally.games,
        "pairs": len(tally.done),
        "of": match.total,
        "seed": match.seed,
        "control": str(match.setup.control),
        "players": [],
        "meetings": [],
    }
    for name, spec, player, rating in zip(
        match.names, match.setup.players, tally.player_tallies, ratings, strict=True
    ):
        result["players"].append(
            {
                "name": name,
                "player": spec.text,
                **player.as_dict(),
                "rating": finite(rating.elo),
                "rating_error": finite(rating.error),
                "nps": None if player.speed is None else round(player.speed),
                "depth": None if player.depth is None else round(player.depth, 2),
                "seconds": round(player.work.seconds, 3),
                "moves": player.work.moves,
                "time_losses": player.faults["time"],
                "illegal_moves": player.faults["illegal"],
                "crashes": player.faults["crash"],
                "last_fault": player.last_fault or None,
            }
        )
    for (one, other), meeting in sorted(tally.meetings.items()):
        estimate = meeting.estimate
        result["meetings"].append(
            {
                "first": match.names[one],
                "second": match.names[other],
                **meeting.as_dict(),
                "pairs_ratio": pairs_ratio(meeting.pairs),
                "score": estimate.score,
                "draw_rate": meeting.draws / meeting.games,
                "variance": estimate.variance,
                "elo": finite(estimate.elo),
                "elo_error": finite(estimate.error),
                "elo_low": finite(estimate.low),
                "elo_high": finite(estimate.high),
                "nelo": finite(estimate.nelo),
                "nelo_error": finite(estimate.nelo_error),
                "los": estimate.los,
            }
        )
    if match.sprt is not None:
        result["sprt"] = match.sprt.as_dict(match.llr)
    return result
