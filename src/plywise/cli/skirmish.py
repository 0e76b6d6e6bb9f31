"""`plywise skirmish`: replay recordings, play episodes in the world, compare agents."""

import json
import sys
import time
from typing import Annotated

import typer

from plywise.core.errors import PlywiseError

app = typer.Typer(
    help="The world of skirmish: replay episodes, play some, compare agents.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.command()
def replay(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="recordings: JSON lines, plain or gzip")
    ],
) -> None:
    """Compute recorded episodes anew; exit status 1 if anything differs."""
    from plywise.games.skirmish import replay as recordings

    total = recordings.Report()
    for file in files:
        total.add(recordings.replay(file))
    for note in total.notes:
        typer.echo(note, err=True)
    typer.echo(str(total))
    if total.differences:
        raise typer.Exit(1)


@app.command()
def run(
    map: Annotated[
        str, typer.Option("--map", metavar="NAME|FILE", help="a course map or a map file")
    ] = "2fv2a",
    agent: Annotated[str, typer.Option(metavar="NAME", help="who leads the footmen")] = "plan",
    archers: Annotated[str, typer.Option(metavar="NAME", help="who leads the archers")] = "scripted",
    plies: Annotated[
        int | None, typer.Option(min=1, help="how deep agents look (a ply: one side's turn)")
    ] = None,
    seed: Annotated[int, typer.Option(help="of the dice, which go on from episode to episode")] = 6,
    episodes: Annotated[int, typer.Option(min=1, help="how many to play")] = 1,
    limit: Annotated[int, typer.Option(min=1, help="turns until an episode is a draw")] = 500,
    evaluator: Annotated[
        str, typer.Option(metavar="NAME", help="what a searching agent judges by")
    ] = "default",
    weights: Annotated[str | None, typer.Option(metavar="FILE.json", help="other weights for it")] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(metavar="PART", help="a part of the search to switch off: capture_order, ..."),
    ] = None,
    eight: Annotated[bool, typer.Option("--eight", help="searching agents step in eight directions")] = False,
    hasty: Annotated[bool, typer.Option("--hasty", help="an attack prunes all other actions")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="show every turn")] = False,
    pause: Annotated[float, typer.Option(min=0, help="seconds between the turns watched")] = 0.0,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object")] = False,
) -> None:
    """Play episodes in the world: winner, turns and health left of each."""
    from plywise.agents import skirmish
    from plywise.games.skirmish.dice import Dice
    from plywise.games.skirmish.maps import find
    from plywise.games.skirmish.units import ARCHERS, FOOTMEN
    from plywise.games.skirmish.world import World

    ground = find(map)
    if weights is not None and {agent, archers} <= skirmish.WEIGHTLESS:
        raise PlywiseError(f"no agent here takes weights: {agent!r} and {archers!r} search nothing")
    switches = [name for name, on in (("eight", eight), ("hasty", hasty)) if on]
    skirmish.check_agent(agent, FOOTMEN)  # both before the first one is compiled
    skirmish.check_agent(archers, ARCHERS)
    first, second = (
        skirmish.make_agent(
            name,
            side,
            plies=plies,
            evaluator=evaluator,
            weights=weights,
            switches=switches,
            without=without or (),
            seed=seed,
        )
        for name, side in ((agent, FOOTMEN), (archers, ARCHERS))
    )
    dice, played = Dice(seed), []
    for number in range(1, episodes + 1):
        before, world = first.nodes + second.nodes, World.of(ground)
        for turn in skirmish.episode_turns(ground, first, second, dice, limit):
            world = turn.after
            if watch and not as_json:
                typer.echo(skirmish.turn_text(turn) + "\n")
                time.sleep(pause)
        episode = skirmish.episode_result(world, limit, first.nodes + second.nodes - before)
        played.append(episode)
        if not as_json:
            typer.echo(f"episode {number}: {episode}")
    if as_json:
        settings = {"map": map, "agent": agent, "archers": archers, "plies": plies, "seed": seed}
        records = [episode.as_dict() for episode in played]
        typer.echo(json.dumps(settings | {"episodes": records}))
    elif episodes > 1:
        wins = sum(episode.outcome.winner == FOOTMEN for episode in played)
        typer.echo(f"the footmen win {wins} of {episodes} on {map}")


@app.command()
def report(
    agents: Annotated[
        list[str] | None, typer.Argument(metavar="[AGENT]...", help="all of them by default")
    ] = None,
    maps: Annotated[
        list[str] | None, typer.Option("--map", metavar="NAME|FILE", help="all course maps by default")
    ] = None,
    plies: Annotated[int | None, typer.Option(min=1, help="how deep agents look")] = None,
    seed: Annotated[int, typer.Option(help="of the dice")] = 6,
    episodes: Annotated[int, typer.Option(min=1, help="on each map; means are shown")] = 1,
    limit: Annotated[int, typer.Option(min=1, help="turns until an episode is a draw")] = 500,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object")] = False,
) -> None:
    """All agents on all maps: wins, turns, health left, nodes."""
    from plywise.agents import skirmish
    from plywise.games.skirmish.maps import NAMES, find

    rows = []
    grounds = [find(name) for name in maps or NAMES]
    for name in agents or list(skirmish.AGENTS):
        for ground in grounds:
            if sys.stderr.isatty():
                typer.echo(f"{name} on {ground.name} ...", err=True)
            rows.append(skirmish.compare_on_map(name, ground, plies, seed, episodes, limit))
    if as_json:
        typer.echo(json.dumps({"seed": seed, "episodes": episodes, "rows": [row.as_dict() for row in rows]}))
        return
    typer.echo(f"{'agent':10} {'map':16} {'won':>7} {'turns':>6} {'footmen':>8} {'archers':>8} {'nodes':>12}")
    for row in rows:
        typer.echo(str(row))
