"""Matches in a world: agents give orders to the units of two unequal sides, and dice are rolled.

Both games of a pair have one map and the same dice. Where both agents can lead either side, they swap.
An agent that knows only the second side always has it. Otherwise both lead the first side, one after
the other, against named opponents who play for whoever does not lead: so the pair still compares them.
"""

import random
import time
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from plywise.agents import maps_of
from plywise.arena.builtin import check_search, without
from plywise.arena.player_spec import BadPlayer, PlayerSpec
from plywise.arena.schedule import Pair
from plywise.arena.setup import Setup
from plywise.arena.single_game import GameResult, SearchStats
from plywise.core.errors import PlywiseError, UnknownName
from plywise.core.game import Game
from plywise.core.history import History
from plywise.play.levels import Level, level
from plywise.search.engine import Engine
from plywise.search.result import Result

OPTIONS = ("player", "level", "depth", "evaluator", "weights", "without")
SEARCH_AGENT = "search"  # the agent that a level makes weaker


def check(game: Game, agents: ModuleType, setup: Setup) -> None:
    """Refuse players that are no agents of this world, and pairs that cannot meet."""
    usual = next(iter(agents.OPPONENTS))
    if setup.opponents and setup.opponents not in agents.OPPONENTS:
        raise UnknownName(f"{game.sides[1]} of {game.name}", setup.opponents, agents.OPPONENTS)
    seconds = []
    for spec in setup.players:
        if spec.kind != "plywise":
            raise BadPlayer(f"player {spec.text!r}: {game.name} is played by agents of Plywise only")
        for key, _ in spec.options:
            if key not in OPTIONS:
                raise BadPlayer(
                    f"player {spec.text!r}: {UnknownName(f'option of {game.name}', key, OPTIONS)}"
                )
        name = _agent_name(agents, spec)
        if name not in agents.AGENTS and name not in agents.OPPONENTS:
            known = {**agents.AGENTS, **agents.OPPONENTS}
            raise BadPlayer(f"player {spec.text!r}: {UnknownName('agent', name, known)}")
        spec.integer("depth")
        try:
            check_search(game, spec)
            number = spec.integer("level")
            if number is not None:
                level(game, number)
                if name != SEARCH_AGENT or spec.option("depth"):
                    raise PlywiseError(f"a level is of the agent {SEARCH_AGENT!r}, and has its own depth")
        except PlywiseError as error:
            raise BadPlayer(f"player {spec.text!r}: {error}") from None
        if name not in agents.AGENTS:
            seconds.append(spec)
    if len(seconds) > 1:
        both = " and ".join(repr(spec.text) for spec in seconds[:2])
        raise BadPlayer(f"players {both}: both lead the {game.sides[1]} only (the usual ones: {usual})")


def read_maps(game: Game, source: str | None) -> list[str]:
    """The maps to play on: all of the game's by default, else names or files, joined by commas."""
    maps = maps_of(game)
    result = []
    for name in maps.NAMES if source in (None, "maps") else str(source).split(","):
        maps.find(name)  # refuses what cannot be played
        # A map from a file is sent to workers as text.
        result.append(name if name in maps.NAMES else Path(name).read_text(encoding="utf-8"))
    return result


def absolute_paths(source: str | None) -> str | None:
    """The same maps with absolute paths, so that a match can be resumed from another folder."""
    if source is None:
        return None
    return ",".join(str(Path(name).resolve()) if Path(name).is_file() else name for name in source.split(","))


def _agent_name(agents: ModuleType, spec: PlayerSpec) -> str:
    usual = SEARCH_AGENT if spec.option("level") else next(iter(agents.AGENTS))
    return spec.option("player") or usual


def _make_agent(game: Game, agents: ModuleType, spec: PlayerSpec, name: str, side: int, seed: int) -> Any:
    agent = agents.make_agent(
        name,
        side,
        plies=spec.integer("depth"),
        evaluator=spec.option("evaluator", "default"),
        weights=spec.option("weights"),
        without=without(spec),
        seed=seed,
    )
    number = spec.integer("level")
    if number is not None:
        agent.engine = _LevelEngine(agent.engine, level(game, number), random.Random(f"{seed} {side}"))
    return agent


class _LevelEngine:
    """The engine of a searching agent, at a level: its result is the line that the level chooses."""

    player = "default"

    def __init__(self, engine: Engine, level: Level, dice: random.Random) -> None:
        self.engine, self.level, self.dice = engine, level, dice

    def search(self, history: History, **limits: Any) -> Result:
        own = self.level
        result = self.engine.search(
            history, lines=own.lines, depth=own.depth, nodes=own.nodes, time=own.seconds
        )
        line = result.lines[own.choose(result.lines, history.game, self.dice, result.unit)]
        if own.heat:  # a level with errors searches again for each unit
            line = replace(line, moves=line.moves[:1], numbers=line.numbers[:1])
        return replace(result, lines=(line,))


def play_pair(game: Game, agents: ModuleType, setup: Setup, pair: Pair) -> tuple[GameResult, GameResult]:
    """Both games of a pair."""
    one, two = (_agent_name(agents, setup.players[player]) for player in (pair.first, pair.second))
    swapped = (pair.second, pair.first)
    if two not in agents.AGENTS:
        swapped = (pair.first, pair.second)
    elif one not in agents.AGENTS:
        return tuple(  # type: ignore[return-value]
            _play_episode(game, agents, setup, pair, (pair.second, pair.first), number) for number in (0, 1)
        )
    first = _play_episode(game, agents, setup, pair, (pair.first, pair.second), 0)
    return first, _play_episode(game, agents, setup, pair, swapped, int(swapped[0] == pair.first))


class _TimedAgent:
    """An agent whose moves and seconds are counted."""

    def __init__(self, agent: Any) -> None:
        self.agent, self.work = agent, SearchStats()

    @property
    def nodes(self) -> int:
        return int(self.agent.nodes)

    def orders(self, world: Any) -> Any:
        begun = time.perf_counter()
        orders = self.agent.orders(world)
        self.work.moves += 1
        self.work.seconds += time.perf_counter() - begun
        return orders


def _play_episode(
    game: Game, agents: ModuleType, setup: Setup, pair: Pair, sides: tuple[int, int], dice_number: int
) -> GameResult:
    """One episode; `sides` are the players that lead the first and the second side."""
    maps = maps_of(game)
    ground = maps.read(pair.opening, "of the match") if "\n" in pair.opening else maps.find(pair.opening)
    leader, second = (setup.players[player] for player in sides)
    names = _agent_name(agents, leader), _agent_name(agents, second)
    both = all(name in agents.AGENTS and name in agents.OPPONENTS for name in names)
    stand_in = not both and names[1] in agents.AGENTS
    if stand_in:
        opponents = setup.opponents or next(iter(agents.OPPONENTS))
        other = agents.make_agent(opponents, 1, seed=pair.seed)
    else:
        other = _make_agent(game, agents, second, names[1], 1, pair.seed)
    timed = _TimedAgent(_make_agent(game, agents, leader, names[0], 0, pair.seed)), _TimedAgent(other)
    dice = agents.Dice(pair.seed + dice_number)
    record = agents.EpisodeRecord(ground, dice)
    limit = min(setup.rules.longest, agents.TURN_LIMIT)
    moves, last = [], None
    for turn in agents.episode_turns(ground, *timed, dice, limit):
        moves.append("; ".join(f"{d.action}{' (refused)' if d.refused else ''}" for d in turn.done) or "-")
        record.add(turn)
        last = turn.after
    assert last is not None
    ended = agents.episode_result(last, limit, 0)
    for one in timed:
        one.work.nodes, one.work.seconds = one.nodes, round(one.work.seconds, 4)
    # The work of an opponent that plays in a player's place does not count as the player's.
    works = timed[0].work, SearchStats() if stand_in else timed[1].work
    return GameResult(
        sides,
        pair.opening,
        moves,
        ended.outcome.winner,
        ended.outcome.reason,
        work=works,
        record=record.entries if record.can_be_replayed else None,
    )
