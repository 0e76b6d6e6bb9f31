"""Draw the pictures of the documents from real searches: docs/pictures/*.svg.

python docs/draw_pictures.py

A test compares the files with what this script draws, so a change of the search that changes a picture
has to bring the new one with it.
"""

from html import escape
from pathlib import Path

import plywise
from plywise.explain import Lesson, compare, icicle, lesson, record, tree_sizes
from plywise.explain.record import CAUSES

FOLDER = Path(__file__).with_name("pictures")
TREE = "x..o.xxo. o"  # tic-tac-toe with four cells left: a tree that fits on paper, with two cuts
DEPTH = 2
GROWTH = range(1, 8)
DRAWN, COMPARED = 6, 9  # the depths of the icicle and of the comparison, in Connect Four

INK, SOFT, PAPER = "#1b1f24", "#8b949e", "#ffffff"
COLOURS = {  # told apart without red and green
    "leaf": "#c9d1d9",
    "table": "#56b4e9",
    "null move": "#009e73",
    "cut": "#d55e00",
    "over": "#1b1f24",
    "draw": "#cc79a7",
    "all moves": "#0072b2",
    "stopped": "#8b949e",
    "database": "#7b61ff",
    "too deep": "#8b949e",
    "standing": "#f0e442",
}


class Sheet:
    """An SVG that is written from left to right, top to bottom."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
            f' height="{height}" role="img" font-family="system-ui, sans-serif" font-size="13">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>',
        ]

    def text(self, x: float, y: float, words: str, haloed: bool = False, **style: object) -> None:
        halo = {"stroke": PAPER, "stroke_width": 4, "paint_order": "stroke"} if haloed else {}
        wanted = {"text_anchor": "middle", "fill": INK, **halo, **style}
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}"{_style(wanted)}>{escape(words)}</text>')

    def line(self, x: float, y: float, u: float, v: float, **style: object) -> None:
        wanted = {"stroke": SOFT, **style}
        self.parts.append(f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{u:.1f}" y2="{v:.1f}"{_style(wanted)}/>')

    def box(self, x: float, y: float, width: float, height: float, **style: object) -> None:
        size = f'x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}"'
        self.parts.append(f"<rect {size}{_style(style)}/>")

    def circle(self, x: float, y: float, radius: float, **style: object) -> None:
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}"{_style(style)}/>')

    def raw(self, text: str) -> None:
        self.parts.append(text)

    def __str__(self) -> str:
        return "\n".join([*self.parts, "</svg>", ""])


def _style(style: dict[str, object]) -> str:
    return "".join(f' {name.replace("_", "-")}="{value}"' for name, value in style.items())


# --- small trees ------------------------------------------------------------------------------------
def tree(whole: Lesson, visited: Lesson, title: str) -> str:
    """The whole tree of minimax; what the other lesson visited in ink, the rest in grey and dashes.

    MAX is a square, MIN a circle. Windows are shown where the lesson has them.
    """
    sheet = Sheet(940, 330, title)
    lines = {_line(whole, place.number): place for place in whole.places}
    seen = {_line(visited, place.number): place for place in visited.places}
    windows = {}
    for step in visited.steps:
        if step.event in ("enter", "cut"):
            windows[_line(visited, visited.places[step.node].number)] = step
    leaves = [line for line in lines if not any(other[:-1] == line for other in lines if other)]
    across = {line: 120 + 64.0 * i for i, line in enumerate(leaves)}
    for line in sorted(lines, key=len, reverse=True):
        if line not in across:
            below = [across[other] for other in lines if other and other[:-1] == line]
            across[line] = (below[0] + below[-1]) / 2
    rows = (62, 168, 274)
    for level, name in enumerate(("MAX", "MIN", "MAX")):
        sheet.text(16, rows[level] + 5, name, text_anchor="start", fill=SOFT)
    for line in lines:
        if not line:
            continue
        x, y, u, v = across[line[:-1]], rows[len(line) - 1] + 15, across[line], rows[len(line)] - 15
        dashes = {} if line in seen else {"stroke_dasharray": "3 4"}
        sheet.line(x, y, u, v, **dashes)
        sheet.text(
            (x + 2 * u) / 3,
            (y + 2 * v) / 3 - 4,
            line[-1],
            haloed=True,
            fill=INK if line in seen else SOFT,
            font_size=11,
        )
    for line, place in lines.items():
        x, y, drawn = across[line], rows[len(line)], seen.get(line)
        ink = INK if drawn is not None else SOFT
        look = {"fill": PAPER, "stroke": ink, "stroke_width": 1.5}
        if drawn is None:
            look["stroke_dasharray"] = "3 3"
        if place.maximal:
            sheet.box(x - 15, y - 15, 30, 30, **look)
        else:
            sheet.circle(x, y, 15, **look)
        if drawn is not None:
            sheet.text(x, y + 5, _signed(drawn.value), font_weight="bold")
        step = windows.get(line)
        if step is not None and visited.player == "alphabeta" and len(line) < 2:
            low = "\N{MINUS SIGN}\N{INFINITY}" if step.alpha is None else _signed(step.alpha)
            high = "\N{INFINITY}" if step.beta is None else _signed(step.beta)
            words = f"\N{GREEK SMALL LETTER ALPHA} {low}  \N{GREEK SMALL LETTER BETA} {high}" + (
                ": cut" if step.event == "cut" else ""
            )
            colour = COLOURS["cut"] if step.event == "cut" else SOFT
            sheet.text(x, y - 22, words, haloed=True, fill=colour, font_size=11)
    nodes = f"{len(visited.places)} of {len(whole.places)} nodes are visited"
    sheet.text(924, 24, f"{title}: {nodes}", text_anchor="end")
    return str(sheet)


def _line(taught: Lesson, number: int) -> tuple[str, ...]:
    """The moves from the root of a lesson to a node."""
    moves: list[str] = []
    place = taught.places[number]
    while place.parent is not None:
        moves.append(place.move or "")
        place = taught.places[place.parent]
    return tuple(reversed(moves))


def _signed(value: int | None) -> str:
    return "" if value is None else f"{value:+d}".replace("-", "\N{MINUS SIGN}") if value else "0"


# --- a real search ----------------------------------------------------------------------------------
def search() -> str:
    """The last pass of a search of Connect Four: every node a bar, as wide as the nodes below it."""
    kept = record(plywise.load("connect_four").history(), depth=DRAWN, hash=16)
    root = int(kept.roots[-1])
    picture = icicle(kept, root, levels=DRAWN + 3, share=1 / 900)
    width, tall, left, top = 900.0, 24, 20, 56
    levels = int(picture.level.max()) + 1
    sheet = Sheet(940, top + levels * tall + 62, "A search of Connect Four as an icicle")
    sheet.raw(
        '<defs><pattern id="cut" width="6" height="6" patternUnits="userSpaceOnUse"'
        ' patternTransform="rotate(45)">'
        f'<rect width="6" height="6" fill="{COLOURS["cut"]}"/>'
        f'<line y2="6" stroke="{PAPER}" stroke-width="2"/>'
        "</pattern></defs>"
    )
    words = f"Connect Four, the last pass to depth {DRAWN}: {picture.nodes:,} nodes. Width is nodes below."
    sheet.text(left, 28, words, text_anchor="start")
    for i in range(len(picture)):
        cause = CAUSES[int(picture.cause[i])]
        wide = (picture.right[i] - picture.left[i]) * width
        fill = "url(#cut)" if cause == "cut" else COLOURS[cause]
        x, y = left + picture.left[i] * width, top + int(picture.level[i]) * tall
        sheet.box(x, y, max(wide, 0.6), tall - 2, fill=fill, stroke=PAPER, stroke_width=0.4)
        if wide > 26 and int(picture.level[i]) > 0:
            move = kept.move_text(int(picture.node[i])) or ""
            sheet.text(x + wide / 2, y + 16, move, fill=PAPER, font_size=12, font_weight="bold")
    used = [name for name in COLOURS if any(CAUSES[int(cause)] == name for cause in picture.cause)]
    x = float(left)
    for name in used:
        fill = "url(#cut)" if name == "cut" else COLOURS[name]
        sheet.box(x, top + levels * tall + 18, 14, 14, fill=fill)
        sheet.text(x + 20, top + levels * tall + 30, name, text_anchor="start")
        x += 40 + 7.6 * len(name)
    return str(sheet)


def growth() -> str:
    """Nodes by depth: plain minimax, textbook alpha-beta, the whole search, and the least there can be."""
    game = plywise.load("connect_four")
    history = game.history()
    whole = plywise.Engine(game, hash=16)
    rows: dict[str, list[int]] = {
        "minimax": [],
        "alpha-beta": [],
        "the least for alpha-beta": [],
        "the whole search": [],
    }
    for depth in GROWTH:
        stick = tree_sizes(history, depth)
        rows["minimax"].append(stick.minimax)
        rows["alpha-beta"].append(plywise.analyse(history, depth=depth, player="alphabeta").nodes)
        rows["the least for alpha-beta"].append(stick.minimal)
        whole.clear()
        rows["the whole search"].append(whole.search(history, depth=depth).nodes)
    sheet = Sheet(940, 380, "Nodes by depth")
    sheet.text(
        20,
        28,
        "Connect Four from the start: nodes to reach a depth (each line is ten times the one below)",
        text_anchor="start",
    )
    left, right, bottom, step = 90, 640, 330, 45.0
    for power in range(7):
        y = bottom - power * step
        sheet.line(left, y, right, y, stroke="#e1e4e8")
        sheet.text(left - 10, y + 4, f"{10**power:,}", text_anchor="end", fill=SOFT, font_size=11)
    for i, depth in enumerate(GROWTH):
        x = left + 20 + i * (right - left - 40) / (len(GROWTH) - 1)
        sheet.text(x, bottom + 22, str(depth), fill=SOFT)
    sheet.text((left + right) / 2, bottom + 42, "depth", fill=SOFT)
    colours = (COLOURS["cut"], COLOURS["all moves"], SOFT, COLOURS["null move"])
    ends = []
    for colour, (name, nodes) in zip(colours, rows.items(), strict=True):
        points = [
            (left + 20 + i * (right - left - 40) / (len(GROWTH) - 1), bottom - step * _log10(count))
            for i, count in enumerate(nodes)
        ]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        sheet.raw(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for x, y in points:
            sheet.circle(x, y, 3, fill=colour)
        ends.append([points[-1][1], colour, f"{name}: {nodes[-1]:,}"])
    ends.sort(key=lambda end: end[0])
    for i, (y, colour, words) in enumerate(ends):
        y = max(y, ends[i - 1][0] + 18) if i else y
        ends[i][0] = y
        sheet.text(right + 14, y + 4, words, text_anchor="start", fill=colour)
    return str(sheet)


def _log10(number: int) -> float:
    from math import log10

    return log10(max(1, number))


def switches() -> str:
    """Nodes to the same depth with parts of the search switched off."""
    rows = compare(plywise.load("connect_four").history(), COMPARED)
    sheet = Sheet(940, 60 + 36 * len(rows), "What each part of the search saves")
    sheet.text(
        20,
        28,
        f"Connect Four to depth {COMPARED}: nodes with parts of the search switched off",
        text_anchor="start",
    )
    most = max(row.nodes for row in rows)
    for i, row in enumerate(rows):
        y = 50 + 36 * i
        wide = 560 * row.nodes / most
        sheet.text(205, y + 17, row.name, text_anchor="end")
        sheet.box(215, y, wide, 24, fill=COLOURS["all moves"] if i == 0 else COLOURS["table"])
        sheet.text(223 + wide, y + 17, f"{row.nodes:,}", text_anchor="start")
    return str(sheet)


def pictures() -> dict[str, str]:
    """All pictures by the name of their file."""
    history = plywise.load("tic_tac_toe").history(TREE)
    plain, clever = (lesson(history, DEPTH, player=player) for player in ("minimax", "alphabeta"))
    return {
        "minimax.svg": tree(plain, plain, "Minimax"),
        "alphabeta.svg": tree(plain, clever, "Alpha-beta"),
        "search.svg": search(),
        "growth.svg": growth(),
        "switches.svg": switches(),
    }


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, text in pictures().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        print(FOLDER / name)


if __name__ == "__main__":
    main()
