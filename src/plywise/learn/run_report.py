"""The report of a run as one HTML page that opens without a server: losses, generations, matches, games."""

import html
from typing import TYPE_CHECKING, Any

from plywise.arena.journal import checked_pairs, read_pairs
from plywise.arena.schedule import PairResult
from plywise.core.board import Board
from plywise.core.board_svg import draw_board
from plywise.core.cache_folder import write_whole
from plywise.core.errors import PlywiseError
from plywise.learn.proof import MOST_ELO

if TYPE_CHECKING:
    from plywise.learn.run import Run
    from plywise.learn.run_state import Generation

WIDTH, HEIGHT, EDGE = 480, 180, 36  # of a graph, in pixels
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem;
  color: #1c1c1c; background: #fbfaf7; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { padding: .25rem .8rem .25rem 0; text-align: left; border-bottom: 1px solid #ddd; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
svg.graph { background: white; border: 1px solid #ddd; }
.game svg { width: 15rem; height: auto; display: block; margin: .5rem 0; }
.seen { stroke: #b65c1e; } .held { stroke: #1e6fb6; }
polyline { fill: none; stroke-width: 2; }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #1b1b1b; }
  svg.graph { background: #262626; } }
"""


def write_report(run: "Run") -> None:
    """Write report.html into the run's folder."""
    write_whole(run.folder / "report.html", page(run).encode())


def page(run: "Run") -> str:
    """The page of a run."""
    title = f"{run.game.title}: what it has learned"
    rows = "".join(_generation_row(each) for each in run.generations)
    graphs = "".join(
        f"<h2>Generation {each.number}</h2>{loss_graph(each)}" for each in run.generations if each.epochs
    )
    verdict = "is still running"
    if run.accepted is not None:
        verdict = "was accepted" if run.accepted else "was not accepted: the old evaluation stays"
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title><style>{STYLE}</style></head>
<body><h1>{html.escape(title)}</h1>
<p>The net {verdict}. {html.escape(match_text("The proof", run.proof))}</p>
<p>{run.seconds / 60:.0f} minutes, {run.settings.nodes} nodes a move, seed {run.settings.seed},
{run.shape.inputs} inputs, {run.shape.hidden} hidden, {run.shape.stages} stages.</p>
<table><tr><th>generation<th>games<th>positions<th>a second<th>held-out loss<th>screen</tr>
{rows}</table>
{graphs}
{sample_games(run)}
</body></html>
"""


def _generation_row(each: "Generation") -> str:
    loss = min((epoch.held_out for epoch in each.epochs), default=None)
    speed = each.positions / each.play_seconds if each.play_seconds else 0
    cells = (
        f"{each.number}",
        f"{each.games:,}",
        f"{each.positions:,}",
        f"{speed:,.0f}",
        "" if loss is None else f"{loss:.4f}",
    )
    numbers = "".join(f'<td class="number">{cell}' for cell in cells)
    return f"<tr>{numbers}<td>{html.escape(match_text('', each.screen))}</tr>\n"


def match_text(name: str, result: dict[str, Any] | None) -> str:
    """A match in words."""
    if not result or result["elo"] is None:
        return ""
    error = "" if result["error"] is None else f" +-{result['error']:.0f}"
    elo = f"{result['elo']:+.0f}{error} Elo"
    if abs(result["elo"]) >= MOST_ELO:
        elo = "all won" if result["elo"] > 0 else "all lost"
    against = f" against {result['opponent']}" if result.get("opponent") else ""
    text = f"+{result['wins']} ={result['draws']} -{result['losses']}, {elo}{against}, {result['control']}"
    return f"{name}: {text}." if name else text


def loss_graph(each: "Generation") -> str:
    """The losses of a fit, epoch by epoch, as a picture."""
    values = [value for epoch in each.epochs for value in (epoch.loss, epoch.held_out)]
    low, high = min(values), max(values)
    span = (high - low) or 1.0

    def place(i: int, value: float) -> str:
        x = EDGE + (WIDTH - 2 * EDGE) * i / max(1, len(each.epochs) - 1)
        return f"{x:.1f},{EDGE + (HEIGHT - 2 * EDGE) * (high - value) / span:.1f}"

    lines = ""
    for fit in (1, 2):
        epochs = [(i, epoch) for i, epoch in enumerate(each.epochs) if epoch.fit == fit]
        for name, field in (("seen", "loss"), ("held", "held_out")):
            points = " ".join(place(i, getattr(epoch, field)) for i, epoch in epochs)
            lines += f'<polyline class="{name}" points="{points}"/>' if points else ""
    shorter = any(epoch.fit == 2 for epoch in each.epochs)
    return (
        f'<svg class="graph" width="{WIDTH}" height="{HEIGHT}" role="img" aria-label="Loss by epoch">'
        f"{lines}</svg><p>The loss of each epoch, {high:.4f} to {low:.4f}: of what was learned from (orange)"
        " and of what was held out (blue)."
        + (" The second lines are a shorter fit, made because the first was best early." if shorter else "")
        + "</p>"
    )


def sample_games(run: "Run") -> str:
    """The first pair of the last match, with the moves and the position at the end of each game."""
    names = ["proof.match", *(f"screen-g{each.number}.match" for each in reversed(run.generations))]
    path = next((run.folder / name for name in names if (run.folder / name).is_file()), None)
    pair = None if path is None else next(checked_pairs(read_pairs(path), 2), None)
    if path is None or pair is None:
        return ""
    title = "proof" if path.stem == "proof" else "last screen"
    return f"<h2>Two games of the {title}</h2>" + "".join(_games(run, pair))


def _games(run: "Run", pair: PairResult) -> list[str]:
    texts = []
    for played in pair.games:
        new = run.game.sides[played.sides.index(0)]
        winner = "drawn" if played.winner is None else f"{run.game.sides[played.winner]} wins"
        picture = ""
        try:
            history = run.game.history(played.start)
            for move in played.moves:
                history = history.play(move)
            board = run.game.board(history.position)
            if isinstance(board, Board):
                picture = draw_board(board, run.game.name, run.game.sides, title="the end of the game")
        except PlywiseError:
            pass  # the moves tell it, too
        words = f"The net is {new}: {winner} ({played.reason}). From {played.start}: {' '.join(played.moves)}"
        texts.append(f'<div class="game">{picture}<p>{html.escape(words)}</p></div>')
    return texts
