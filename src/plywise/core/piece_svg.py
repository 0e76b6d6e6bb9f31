"""Pictures of pieces in SVG, in the colours of their sides; the page draws the same ones.

The sheet `pictures.svg` has a symbol for each picture. A picture in the colours of a side is defined once in
a drawing and used by all pieces that look alike, so a drawing needs no style sheet and stays small.
"""

import math
import re
from functools import cache
from html import escape
from pathlib import Path

from plywise.core.board import Piece

SHEET = Path(__file__).with_name("pictures.svg")
CELL = 100  # units of a drawing to the side of a cell
MAX_STONES = 24  # drawn in a pit; the number beside them says the rest
FONT = "system-ui, sans-serif"

# Sides that have a colour by their name; others are teal and amber. The page has the same (board/pieces.js).
COLOUR_OF_NAME = {
    "white": "white",
    "black": "black",
    "blue": "blue",
    "red": "red",
    "yellow": "yellow",
    "footmen": "blue",
    "archers": "red",
}
# The inks of the sheet in each colour, as in board/board.css.
INKS = {
    "white": {
        "fill": "#fbf8f0",
        "line": "#33393b",
        "shade": "#d8d2c2",
        "shine": "#918c7e",
        "crown": "#c98a12",
    },
    "black": {
        "fill": "#454c50",
        "line": "#15191b",
        "shade": "#31373a",
        "shine": "#cdd3cf",
        "crown": "#eab64a",
    },
    "blue": {
        "fill": "#3f86c6",
        "line": "#10365c",
        "shade": "#2c659c",
        "shine": "#e2eef9",
        "crown": "#f2c14e",
    },
    "red": {"fill": "#d2543f", "line": "#641b11", "shade": "#a83d2c", "shine": "#fde7e1", "crown": "#f2c14e"},
    "yellow": {
        "fill": "#f3c53a",
        "line": "#6b4a00",
        "shade": "#cf9f16",
        "shine": "#fff6d6",
        "crown": "#7a2d12",
    },
    "first": {
        "fill": "#1d8f80",
        "line": "#0a3d37",
        "shade": "#136a5f",
        "shine": "#d9f2ed",
        "crown": "#f2c14e",
    },
    "second": {
        "fill": "#eda52f",
        "line": "#6a3f00",
        "shade": "#c47f12",
        "shine": "#fff1d6",
        "crown": "#7a2d12",
    },
    "none": {
        "fill": "#9aa09a",
        "line": "#474c48",
        "shade": "#7c827d",
        "shine": "#eef0ee",
        "bark": "#7a5a3a",
        "leaf": "#4f8a4c",
        "leaf-shade": "#3c6f40",
    },
}
STONE, STONE_EDGE, COUNT = "#6f8f86", "#2d4640", "#2a2416"
_INK = re.compile(r"var\(--([\w-]+)\)")
_UNIT = re.compile(r"(\w+): (\d+)")


@cache
def sheet() -> dict[str, str]:
    """The pictures of the sheet by name."""
    found = {}
    for part in SHEET.read_text(encoding="utf-8").split('<symbol id="')[1:]:
        name, _, symbol = part.partition('"')
        body = symbol.partition(">")[2].partition("</symbol>")[0]
        found[name] = "".join(line.strip() for line in body.splitlines())
    return found


def side_colour(sides: tuple[str, str], side: int | None) -> str:
    """The word for the colour of a side: a key of INKS."""
    if side is None:
        return "none"
    return COLOUR_OF_NAME.get(sides[side].lower(), "second" if side else "first")


def find_picture(game: str, name: str) -> str | None:
    """The picture of a piece: its game's own, one that all games share, or that of the chessman so called."""
    return next((one for one in (f"{game}-{name}", name, f"chess-{name}") if one in sheet()), None)


class PieceSvg:
    """Draws the pieces of one game; `definitions` are the pictures that were used."""

    def __init__(self, game: str, sides: tuple[str, str], padding: float = 0.0) -> None:
        self.game, self.sides, self.padding = game, sides, padding
        self._defined: dict[str, str] = {}

    @property
    def definitions(self) -> str:
        return f"<defs>{''.join(self._defined.values())}</defs>" if self._defined else ""

    def draw(self, piece: Piece) -> str:
        """A piece in a cell whose top left corner is the origin."""
        inks = INKS[side_colour(self.sides, piece.side)]
        if piece.count is not None:
            return _pile(piece.count)
        name = find_picture(self.game, piece.name)
        drawn = self._use(name or "token", piece.side)
        if name is None:
            drawn += _words(50, 50, 46, inks["shine"], piece.symbol or piece.letter)
        if "stun" in piece.note:
            drawn = f'<g opacity=".7" transform="rotate(-9 50 50)">{drawn}</g>{self._use("stars", None)}'
        unit = _UNIT.fullmatch(piece.note)
        if unit is not None:
            halo = ' stroke="#000" stroke-width="8" paint-order="stroke"'
            drawn += _words(50, 8, 34, "#fff", f"{unit[1]} {unit[2]}", halo)
        return drawn

    def _use(self, name: str, side: int | None) -> str:
        colour = side_colour(self.sides, side)
        identity = f"plywise-{name}-{colour}"
        if identity not in self._defined:
            inks = INKS[colour]
            body = _INK.sub(lambda found: inks.get(found[1], "none"), sheet()[name])
            self._defined[identity] = f'<symbol id="{identity}" viewBox="0 0 100 100">{body}</symbol>'
        edge, size = CELL * self.padding, CELL * (1 - 2 * self.padding)
        place = f'x="{edge:g}" y="{edge:g}" ' if edge else ""
        return f'<use href="#{identity}" {place}width="{size:g}" height="{size:g}"/>'


def _words(x: float, y: float, size: float, ink: str, text: str, more: str = "") -> str:
    """A word around its middle."""
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="middle" dominant-baseline="central" font-family="{FONT}"'
        f' font-size="{size:g}" font-weight="700" fill="{ink}"{more}>{escape(text)}</text>'
    )


def _pile(count: int) -> str:
    """Stones that lie together: as many as can be told apart, and their number."""
    shown = min(count, MAX_STONES)
    parts = []
    for i in range(shown):
        turn, far = i * 2.39996, 27 * math.sqrt((i + 0.5) / max(shown, 7))  # as seeds in a sunflower
        parts.append(
            f'<circle cx="{50 + far * math.cos(turn):.1f}" cy="{41 + far * math.sin(turn):.1f}" r="8"/>'
        )
    stones = (
        f'<g fill="{STONE}" stroke="{STONE_EDGE}" stroke-width="2.5">{"".join(parts)}</g>' if parts else ""
    )
    return stones + _words(50, 86, 20, COUNT, str(count))
