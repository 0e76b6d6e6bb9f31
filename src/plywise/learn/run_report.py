"""The report of a run as one HTML page that opens without a server: losses, generations, matches."""

import html
from typing import TYPE_CHECKING, Any

from plywise.core.cache_folder import write_whole

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
svg { background: white; border: 1px solid #ddd; }
.seen { stroke: #b65c1e; } .held { stroke: #1e6fb6; }
polyline { fill: none; stroke-width: 2; }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #1b1b1b; } svg { background: #262626; }
  text { fill: #eee; } }
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
    score = f"+{result['wins']} ={result['draws']} -{result['losses']}"
    text = f"{score}, {result['elo']:+.0f}{error} Elo, {result['control']}"
    return f"{name}: {text}." if name else text


def loss_graph(each: "Generation") -> str:
    """The losses of a fit, epoch by epoch, as a picture."""
    values = [value for epoch in each.epochs for value in (epoch.loss, epoch.held_out)]
    low, high = min(values), max(values)
    span = (high - low) or 1.0

    def place(i: int, value: float) -> str:
        x = EDGE + (WIDTH - 2 * EDGE) * i / max(1, len(each.epochs) - 1)
        return f"{x:.1f},{EDGE + (HEIGHT - 2 * EDGE) * (high - value) / span:.1f}"

    seen = " ".join(place(i, epoch.loss) for i, epoch in enumerate(each.epochs))
    held = " ".join(place(i, epoch.held_out) for i, epoch in enumerate(each.epochs))
    return (
        f'<svg width="{WIDTH}" height="{HEIGHT}" role="img" aria-label="Loss by epoch">'
        f'<polyline class="seen" points="{seen}"/><polyline class="held" points="{held}"/>'
        f'<text x="4" y="16">loss {high:.4f} to {low:.4f}; orange: learned from, blue: held out</text></svg>'
    )
