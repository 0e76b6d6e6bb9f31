"""A lesson as a tree in SVG, as it is drawn on paper: MAX points up, MIN points down, cuts are marked."""

from collections import Counter
from html import escape

from plywise.core.notebook import paragraph
from plywise.core.scores import distance
from plywise.core.wording import count_text
from plywise.explain.lesson import Lesson, LessonNode, LessonStep

MAX_DRAWN = 90  # nodes; of a larger lesson the upper levels are drawn
LEAF_WIDTH, INNER_WIDTH, LEVEL_HEIGHT, TOP = 48, 96, 76, 34  # pixels
INK, SOFT, PAPER, CUT, BEST = "#1e2526", "#7d868b", "#ffffff", "#b3392f", "#0f6b60"
ALPHA, BETA = "\N{GREEK SMALL LETTER ALPHA}", "\N{GREEK SMALL LETTER BETA}"
TRIANGLES = {True: "0,-22 23,15 -23,15", False: "0,22 23,-15 -23,-15"}


def draw_lesson(lesson: Lesson) -> str:
    """The tree of a lesson as SVG: values, the last window of each node, cuts, and the best line."""
    return _LessonSvg(lesson).draw()


def lesson_html(lesson: Lesson) -> str:
    """A lesson for a notebook."""
    name = {"minimax": "Minimax", "alphabeta": "Alpha-beta"}[lesson.player]
    cuts = sum(len(node.cut) for node in lesson.places)
    words = f"{name}: value {value_text(lesson.value)} for MAX, best line {' '.join(lesson.line) or 'none'}"
    counts = count_text(len(lesson.places), "node") + (
        f", {count_text(cuts, 'move')} cut off" if cuts else ""
    )
    tree = _LessonSvg(lesson)
    left_out = len(lesson.places) - len(tree.shown)
    if left_out:
        counts += f"; {count_text(left_out, 'node')} further down not drawn"
    picture = f'<div style="overflow-x:auto">{tree.draw()}</div>'
    return paragraph(words, strong=True) + paragraph(counts) + picture


def value_text(value: int | None) -> str:
    """A value for MAX as it stands in a node: `+12`, `win 3`."""
    if value is None:
        return ""
    plies = distance(value)
    if plies is not None:
        return f"{'win' if value > 0 else 'loss'} {plies}"
    return f"{value:+d}".replace("-", "\N{MINUS SIGN}") if value else "0"


class _LessonSvg:
    """The places of the nodes that are drawn."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        deepest = _last_level(lesson)
        self.shown = [node for node in lesson.places if node.ply <= deepest]
        self.below: dict[int, list[LessonNode]] = {node.number: [] for node in self.shown}
        for node in self.shown:
            if node.parent is not None:
                self.below[node.parent].append(node)
        self.windows: dict[int, LessonStep] = {step.node: step for step in lesson.steps}
        self.best = _best_nodes(lesson)
        self.across: dict[int, float] = {}
        self.right = 10.0
        self._arrange(lesson.places[0])

    def _arrange(self, node: LessonNode) -> None:
        """Place what is below a node, then the node above the middle of it."""
        left, children = self.right, self.below[node.number]
        for child in children:
            self._arrange(child)
        if node.cut and children:
            self.right += LEAF_WIDTH * 0.8
        wide = INNER_WIDTH if children and self.lesson.player == "alphabeta" else LEAF_WIDTH
        self.right = max(self.right, left + wide)
        spots = [self.across[child.number] for child in children]
        middle = max(left + 24, (spots[0] + spots[-1]) / 2) if spots else left + LEAF_WIDTH / 2
        self.across[node.number] = middle

    def draw(self) -> str:
        wide = max(self.right + 40, 200.0)
        high = TOP + LEVEL_HEIGHT * max(node.ply for node in self.shown) + 44
        edges = "".join(self._edge(node) for node in self.shown if node.parent is not None)
        cuts = "".join(self._cut(node) for node in self.shown if node.cut and self.below[node.number])
        nodes = "".join(self._node(node) for node in self.shown)
        title = f"the tree of {self.lesson.player}"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high}" width="{wide:.0f}"'
            f' height="{high}" role="img" font-family="system-ui, sans-serif" font-size="12">'
            f"<title>{title}</title>"
            f'<rect width="{wide:.0f}" height="{high}" rx="6" fill="{PAPER}"/>{edges}{cuts}{nodes}</svg>'
        )

    def _spot(self, node: LessonNode) -> tuple[float, int]:
        return self.across[node.number], TOP + LEVEL_HEIGHT * node.ply

    def _edge(self, node: LessonNode) -> str:
        assert node.parent is not None
        (x, y), (u, v) = self._spot(self.lesson.places[node.parent]), self._spot(node)
        best = node.number in self.best
        style = f'stroke="{BEST}" stroke-width="3"' if best else f'stroke="{SOFT}"'
        start = y + (15 if self.lesson.places[node.parent].maximal else 20)
        end = v - (20 if node.maximal else 15)
        halo = f'stroke="{PAPER}" stroke-width="4" paint-order="stroke"'
        return (
            f'<path d="M{x:.1f} {start}L{u:.1f} {end}" {style}/><text x="{(x + 9 * u) / 10:.1f}"'
            f' y="{(start + 9 * end) / 10 - 1:.1f}" text-anchor="middle" font-size="11" fill="{INK}" {halo}>'
            f"{escape(node.move or '')}</text>"
        )

    def _cut(self, node: LessonNode) -> str:
        """The moves that were not searched: a dashed edge behind the last one that was, crossed out."""
        x, y = self._spot(node)
        far = max(self.across[child.number] for child in self.below[node.number]) + LEAF_WIDTH * 0.75
        end = y + LEVEL_HEIGHT - 22
        u, v = x + (far - x) * 0.55, y + 16 + (end - y - 16) * 0.55
        names = ", ".join(node.cut)
        return (
            f'<g><title>cut off: {escape(names)}</title><path d="M{x:.1f} {y + 16}L{far:.1f} {end}"'
            f' stroke="{CUT}" stroke-dasharray="4 4"/>'
            f'<path d="M{u - 7:.1f} {v + 5:.1f}l9 -10M{u - 2:.1f} {v + 7:.1f}l9 -10" stroke="{CUT}"'
            f' stroke-width="2"/><text x="{far + 4:.1f}" y="{end + 14}" text-anchor="middle" fill="{CUT}">'
            f"{len(node.cut)} cut</text></g>"
        )

    def _node(self, node: LessonNode) -> str:
        x, y = self._spot(node)
        words = value_text(node.value)
        ink = BEST if node.number in self.best or node.parent is None else INK
        size = 12 if len(words) < 5 else 9
        parts = [
            f'<g transform="translate({x:.1f} {y})"><title>{escape(node.text)}</title>'
            f'<polygon points="{TRIANGLES[node.maximal]}" fill="{PAPER}" stroke="{ink}" stroke-width="1.6"/>'
            f'<text y="{8 if node.maximal else 1}" text-anchor="middle" font-size="{size}" font-weight="600"'
            f' fill="{INK}">{words}</text>'
        ]
        step = self.windows.get(node.number)
        if step is not None and self.lesson.player == "alphabeta" and self.below[node.number]:
            low, high = (
                ("\N{MINUS SIGN}∞" if step.alpha is None else value_text(step.alpha)),
                ("∞" if step.beta is None else value_text(step.beta)),
            )
            parts.append(
                f'<text x="27" y="-4" font-size="11" fill="{SOFT}">{ALPHA} {low}</text>'
                f'<text x="27" y="9" font-size="11" fill="{SOFT}">{BETA} {high}</text>'
            )
        hidden = 0 if self.below[node.number] else self._nodes_below(node)
        if hidden:
            parts.append(f'<text y="34" text-anchor="middle" font-size="10" fill="{SOFT}">+{hidden}</text>')
        return "".join(parts) + "</g>"

    def _nodes_below(self, node: LessonNode) -> int:
        """How many nodes of the lesson are below one; they follow it in the order of the visits."""
        places = self.lesson.places
        end = node.number + 1
        while end < len(places) and places[end].ply > node.ply:
            end += 1
        return end - node.number - 1


def _last_level(lesson: Lesson) -> int:
    """The deepest level such that what is drawn has no more than MAX_DRAWN nodes; at least the first."""
    levels = Counter(node.ply for node in lesson.places)
    drawn = 0
    for ply in sorted(levels):
        drawn += levels[ply]
        if drawn > MAX_DRAWN and ply > 1:
            return ply - 1
    return max(levels)


def _best_nodes(lesson: Lesson) -> set[int]:
    """The nodes of the best line, without the root."""
    found, at = set(), 0
    for move in lesson.line:
        at = next(node.number for node in lesson.places if node.parent == at and node.move == move)
        found.add(at)
    return found
