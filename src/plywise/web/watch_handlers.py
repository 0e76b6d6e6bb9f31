"""Watching: the list of matches and learning runs, each of them as it is now, and their games to replay."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from plywise.core.errors import PlywiseError
from plywise.core.game import Game
from plywise.play.state import GameState, restore_game, start_game
from plywise.web.connection import Connection
from plywise.web.hub import Hub
from plywise.web.live.game import LiveGame
from plywise.web.live.tree import MAX_NODES, PERSON
from plywise.web.schema import Refused, request, token, whole
from plywise.web.watching import identify

if TYPE_CHECKING:  # matches are imported when somebody asks for one
    from plywise.arena.match_view import MatchView
    from plywise.arena.single_game import GameResult

Answer = dict[str, Any]
WATCHED = token(16, 16)
MAX_PAIR = 10**7
NO_DICE = "The dice of these games were not kept, only the orders: they cannot be replayed."


@request("watch list", slow=True)
def watch_list(connection: Connection) -> Answer:
    known = connection.hub.watched
    return {"entries": [known.entry(path) for path in known.paths()]}


@request("watch", slow=True, watched=WATCHED)
def watch(connection: Connection, watched: str) -> Answer:
    known = connection.hub.watched
    path = known.path(watched)
    if not path.is_dir():
        view = known.match(path)
        return {
            "kind": "match",
            "name": path.name,
            "locked": _why_locked(connection.hub, view),
            "dice": view.has_records,
            **view.data(),
        }
    from plywise.learn.run_view import read_run

    run = read_run(path)
    matches = [{"name": name.removesuffix(".match"), "id": identify(path / name)} for name in run["matches"]]
    return {"kind": "run", "name": path.name, **run, "matches": matches}


@request("replay", slow=True, watched=WATCHED, pair=whole(0, MAX_PAIR), place=whole(0, 1))
def replay(connection: Connection, watched: str, pair: int, place: int) -> Answer:
    """A game of a match as a game of the visitor's own, to go through and to analyse."""
    hub = connection.hub
    path = hub.watched.path(watched)
    if path.is_dir():
        raise Refused("A learning run has no games of its own; choose one of its matches.")
    view = hub.watched.match(path)
    played = view.pair(pair).games[place]
    name = _offered_name(hub, view.game)
    game = hub.game(name)
    try:
        state = _replay_game(game, played)
    except PlywiseError as error:
        raise Refused(f"This game cannot be replayed: {error}") from None

    def fill(live_game: LiveGame) -> None:
        sides = {
            side.capitalize(): view.names[player]
            for side, player in zip(game.sides, played.sides, strict=True)
        }
        tags = {"Event": f"Match {path.stem}", "Round": f"{pair + 1}.{place + 1}", **sides}
        ended = None if state.outcome is not None else (played.winner, played.reason)
        live_game.status = replace(live_game.status, tags=tags, ended=ended)

    made = hub.new_game(connection.known_owner, name, [PERSON, PERSON], state, fill=fill)
    hub.open(connection, made.id)
    return {"game": made.id}


def _replay_game(game: Game, played: "GameResult") -> GameState:
    """The last state of a game of a match."""
    if game.world is None:
        words = " ".join([played.start, *([] if " moves " in played.start else ["moves"]), *played.moves])
        return start_game(game, words)
    if played.record is None:
        raise Refused(NO_DICE)
    if isinstance(played.record, list) and len(played.record) > MAX_NODES:
        raise Refused(f"This game is too long: a game keeps at most {MAX_NODES} positions.")
    return restore_game(game, played.record)


def _why_locked(hub: Hub, view: "MatchView") -> str:
    """Why the games of a match cannot be replayed here; empty if some of them can."""
    if not view.header:
        return ""  # nothing is known of it yet
    try:
        game = hub.game(_offered_name(hub, view.game))
    except Refused as refused:
        return str(refused)
    return "" if game.world is None or view.has_records or not view.tally.games else NO_DICE


def _offered_name(hub: Hub, source: str) -> str:
    """The name under which the page offers the game of a match; a journal is no reason to load a file."""
    for name, known in hub.catalogue.sources.items():
        if source in (name, known):
            return name
    raise Refused(
        f"The page does not offer {source}: start it by `plywise serve {source}` to replay its games."
    )
