"""Beat the level: a visitor's results against each level of a game, counted from the saved games.

A game counts if one person played a level from a usual start to its end. It counts for the weakest level that
played, and a win is clean if nothing was taken back and no hint was asked for.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from plywise.core.game import Game
from plywise.play.elo import measured_elo
from plywise.play.levels import STRONGEST, levels
from plywise.web.connection import Connection
from plywise.web.handlers import GAME_ID, GAME_NAME, SIDE, own_game
from plywise.web.hub import MAX_SAVED_GAMES
from plywise.web.schema import request, whole

Answer = dict[str, Any]


@dataclass(frozen=True)
class LevelResults:
    """What a person has done against one level."""

    won: int = 0
    clean: int = 0  # of the games won: without take-backs and hints
    drawn: int = 0
    lost: int = 0


def results_by_level(game: Game, summaries: Iterable[dict[str, Any]]) -> dict[int, LevelResults]:
    """The results against each level, from the summaries of saved games of this game."""
    found: dict[int, LevelResults] = {}
    for summary in summaries:
        counted = _duel(game, summary)
        if counted is None:
            continue
        level, person = counted
        winner, now = summary["outcome"]["winner"], found.get(level, LevelResults())
        if winner is None:
            found[level] = replace(now, drawn=now.drawn + 1)
        elif winner == person:
            found[level] = replace(now, won=now.won + 1, clean=now.clean + (not summary.get("helped")))
        else:
            found[level] = replace(now, lost=now.lost + 1)
    return found


def _duel(game: Game, summary: dict[str, Any]) -> tuple[int, int] | None:
    """The level and the person's side of a game that counts."""
    seats = summary.get("seats") or []
    kinds = [seat.get("kind") for seat in seats]
    if sorted(kinds) != ["level", "person"] or not summary.get("outcome"):
        return None
    if game.world is None and summary.get("start") not in {game.text(game.start()), *game.starts.values()}:
        return None  # a position of one's own, or a game of before this was noted
    person = kinds.index("person")
    return summary.get("weakest") or int(seats[1 - person]["level"]), person


def next_level(results: dict[int, LevelResults]) -> int:
    """The level to play next: the one above the strongest that was beaten cleanly."""
    beaten = [level for level, one in results.items() if one.clean]
    return min(STRONGEST, max(beaten, default=0) + 1)


@request("ladder", game=GAME_NAME)
def ladder(connection: Connection, game: str) -> Answer:
    """The levels of a game with the visitor's results, and the one to play next."""
    known = connection.hub.game(game)
    saved = connection.hub.saved_games(connection.known_owner, MAX_SAVED_GAMES)
    results = results_by_level(known, [one for one in saved if one["game"] == game])
    return {
        "next": next_level(results),
        "levels": [
            {
                "number": one.number,
                "name": one.name,
                "about": one.about,
                "elo": measured_elo(known, one),
                **vars(results.get(one.number, LevelResults())),
            }
            for one in levels(known)
        ],
    }


@request("change level", game=GAME_ID, side=SIDE, level=whole(1, STRONGEST))
def change_level(connection: Connection, game: str, side: int, level: int) -> Answer:
    """Let another level play a side from now on; the game then counts for the weaker one."""
    own_game(connection, game).change_seat(side, {"kind": "level", "level": level})
    return {}
