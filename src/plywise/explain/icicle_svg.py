"""An icicle of a recorded tree as SVG, and what a notebook shows of a record.

Each node is a bar below its parent, as wide as its subtree; its colour says how the node ended.
"""

from html import escape

from plywise.core.notebook import draw_history, paragraph, place_side_by_side
from plywise.core.scores import Kind
from plywise.core.wording import count_text, line_labels, score_text, side_score_text
from plywise.explain.icicle import icicle
from plywise.explain.record import BOUNDS, CAUSES, Record
from plywise.search.recorder import SAME_POSITION

WIDTH, ROW = 640, 22  # pixels of the picture, and of a level
LEVELS = 10
SHARE = 0.003  # of the tree: narrower bars are not drawn
MAX_BARS = 200  # if there are more, only wider ones are drawn: a notebook keeps every picture
LETTER = 7.2  # pixels of a letter in a bar
INK, PAPER = "#1b1f24", "#ffffff"
# Colours and words are those of the page's tab "Why" (static/why).
COLOURS = {
    "leaf": "#a9c99a",
    "table": "#8d70b8",
    "null move": "#d9c23a",
    "cut": "#e0953a",
    "over": "#b3392f",
    "draw": "#7d868b",
    "all moves": "#3f7fb0",
    "stopped": "#c9c6bd",
    "database": "#1d8f80",
    "too deep": "#94694a",
    "standing": "#d3a0b4",
    "probcut": "#6aa6a0",
}
DARK = ("table", "over", "draw", "all moves", "database", "too deep")  # colours on which letters are white
LEGEND = {
    "leaf": "evaluated",
    "table": "found in the hash table",
    "null move": "null-move cut-off",
    "cut": "the rest cut off",
    "over": "game over",
    "draw": "draw by repetition",
    "all moves": "all moves searched",
    "stopped": "search ended here",
    "database": "solved",
    "too deep": "too deep",
    "standing": "already good enough (stand pat)",
    "probcut": "decided by a shallow search (ProbCut)",
}


def draw_icicle(record: Record, root: int | None = None, levels: int = LEVELS, share: float = SHARE) -> str:
    """The tree below a node as SVG; by default that of the last iteration that was finished."""
    root = last_root(record) if root is None else root
    plot = icicle(record, root, levels, share)
    while len(plot) > MAX_BARS:
        share *= 1.3
        plot = icicle(record, root, levels, share)
    high = ROW * (int(plot.level.max()) + 1)
    seen = sorted({int(cause) for cause in plot.cause})
    parts, unit = [], record.game.evaluation(record.evaluator).unit
    for i in range(len(plot)):
        node, cause = int(plot.node[i]), CAUSES[int(plot.cause[i])]
        x, y = WIDTH * float(plot.left[i]), ROW * int(plot.level[i])
        wide = WIDTH * float(plot.right[i] - plot.left[i])
        words = _bar_title(record, node, unit)
        bar = f'<rect x="{x:.1f}" y="{y}" width="{max(wide - 0.6, 0.4):.1f}" height="{ROW - 1}"'
        parts.append(f'<g>{bar} fill="{COLOURS[cause]}"/><title>{escape(words)}</title>')
        label = "root" if node == root else record.label(node) or ""
        if len(label) * LETTER < wide:
            ink = PAPER if cause in DARK else INK
            parts.append(f'<text x="{x + wide / 2:.1f}" y="{y + 15}" fill="{ink}">{escape(label)}</text>')
        parts.append("</g>")
    legend, below = _legend([CAUSES[cause] for cause in seen], high + 8)
    total = high + 8 + below
    title = f"the tree of {count_text(plot.nodes, 'node')} below {'the root' if root == 0 else 'a node'}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {total}" width="{WIDTH}"'
        f' height="{total}" role="img" font-family="system-ui, sans-serif" font-size="12">'
        f"<title>{escape(title)}</title>"
        f'<rect width="{WIDTH}" height="{total}" rx="4" fill="{PAPER}"/>'
        f'<g text-anchor="middle">{"".join(parts)}</g>{legend}</svg>'
    )


def last_root(record: Record) -> int:
    """The root of the last iteration that was finished; of the last one if none was."""
    roots = [int(root) for root in record.roots]
    done = [
        root for root in roots if CAUSES[record.cause[root]] != "stopped" and not _cut_short(record, root)
    ]
    return (done or roots or [0])[-1]


def _cut_short(record: Record, root: int) -> bool:
    return not record.complete and root + int(record.size[root]) == len(record)


def record_html(record: Record) -> str:
    """A record for a notebook: the position, what was found, and the icicle of its top nodes."""
    history, found = record.history, record.result
    game = history.game
    if not len(record):
        return place_side_by_side(
            draw_history(history), paragraph("Nothing was searched: the record is empty.")
        )
    unit = game.evaluation(record.evaluator).unit
    score = side_score_text(game, history.turn, found["score"], Kind(found["kind"]), unit)
    root = last_root(record)
    words = [
        paragraph(f"{game.title}: {_line_text(record)}", strong=True),
        paragraph(f"{score} ({found['kind']}), depth {found['depth']}, {count_text(record.nodes, 'node')}"),
        paragraph(
            f"Below: the iteration to depth {int(record.iteration[root])},"
            f" {count_text(int(record.size[root]), 'node')}. A bar is a node, as wide as its subtree."
        ),
    ]
    if record.missing_text:
        words.append(paragraph(f"The record is cut short: {record.missing_text}."))
    return place_side_by_side(draw_history(history), "".join(words)) + draw_icicle(record, root)


def _line_text(record: Record) -> str:
    """The best line, as a list of moves shows it."""
    position, numbers = record.history.position, []
    for text in record.result["line"][:8]:
        numbers.append(record.game.read_move(position, text))
        position = position.play(numbers[-1])
    return " ".join(line_labels(record.history, numbers)) or "no move"


def _bar_title(record: Record, node: int, unit: int) -> str:
    """What is said of a bar: its move, its value, why it ended, and its nodes."""
    value, bound = int(record.value[node]), BOUNDS[record.bound[node]]
    least = {"exact": "", "lower": "at least ", "upper": "at most "}[bound]
    name = LEGEND[CAUSES[record.cause[node]]]
    label = record.label(node) or "root"
    same = " (the same position)" if int(record.why[node]) in SAME_POSITION else ""
    return (
        f"{label}{same}: {least}{score_text(value, unit)} for the side to move there; {name};"
        f" {count_text(int(record.size[node]), 'node')}"
    )


def _legend(causes: list[str], top: int) -> tuple[str, int]:
    """The colours with their names, row by row, and how high they are."""
    parts, x, y = [], 0.0, top
    for cause in causes:
        wide = 20 + 6.6 * len(LEGEND[cause]) + 14
        if x and x + wide > WIDTH:
            x, y = 0.0, y + 18
        parts.append(
            f'<rect x="{x + 4:.0f}" y="{y}" width="12" height="12" rx="2" fill="{COLOURS[cause]}"/>'
            f'<text x="{x + 20:.0f}" y="{y + 10}" fill="{INK}">{LEGEND[cause]}</text>'
        )
        x += wide
    return "".join(parts), y - top + 20
