"""A board as a picture in SVG that stands on its own: for notebooks, documents and files.

It looks as the page looks. All shapes are drawn where `board_places` says that their cells are.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import pairwise

from plywise.core.board import Board, Mark
from plywise.core.board_places import CORNER, Label, Place, lay_out
from plywise.core.errors import UnknownName
from plywise.core.looks import LOOKS
from plywise.core.piece_svg import CELL, FONT, INKS, PieceSvg, side_colour

PITCH = 46  # pixels of a cell's side, if the board is not too wide
MAX_WIDTH = 640  # pixels of a picture
MARGIN = 0.06  # around everything, in cells
PIT = 0.44  # half the width of a pit
LABEL, GROUND_LABEL = (
    "#7b837e",
    "#4a4534",
)  # beside a board: read on a light page and a dark one; on its ground
LABEL_ROOM = 0.45  # beside a board of squares
PLAIN, PLAIN_LINE = "#f7f4ea", "#b9b29c"
GROUND, GROUND_LINE, STROKE = "#f1ead6", "#8d866f", "#5d5744"
PIT_GROUND, PIT_FILL, PIT_LINE = "#e9dcc0", "#cdb995", "#8a744c"
LAST, MUST, STUN, NAME = "#e9c24a", "#c4560a", "#ffd34d", "#17302a"
WALL, HOLE = "#33566e", "#efece3"  # of the ground "wall"
GRASS, GRASS_DARK, GRASS_LINE = "#dfe5c6", "#d8dfbd", "#c2cba4"
ARROWS = {"best": ("#0f8a7c", 0.16, 0.8), "line": ("#33739e", 0.1, 0.6)}  # ink, width, opacity
PADDING = {"hexagons": 0.09, "points": 0.12}  # around a piece, by shape


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow over a board from cell to cell, or a ring where both are one; `kind` is a key of ARROWS."""

    start: int
    end: int
    kind: str = "best"


class BoardSvg:
    """A drawing of boards of one size: the ground, then what lies on it.

    >>> from plywise.core.board import Piece
    >>> picture = BoardSvg(Board(((None, Piece("x", "disc", 0)),)))
    >>> picture.finish(picture.pieces(), "a disc").count("<use")
    1
    """

    def __init__(
        self,
        board: Board,
        game: str = "",
        sides: tuple[str, str] = ("first", "second"),
        flipped: bool = False,
        look: str = "green",
    ) -> None:
        if look not in LOOKS:
            raise UnknownName("look", look, LOOKS)
        self.board, self.game, self.sides, self.flipped, self.look = board, game, sides, flipped, look
        padding = board.padding or PADDING.get(board.shape, 0.0)
        self.piece_svg = PieceSvg(game, sides, padding)
        squares = board.shape == "squares"
        layout = lay_out(replace(board, left=(), bottom=()) if squares else board)
        self.columns, self.rows = layout.width, layout.height
        self.left = LABEL_ROOM if squares and board.left else 0.0
        self.below = LABEL_ROOM if squares and board.bottom else 0.0
        self.places = [self._flip_place(place) for place in layout.places]
        self.labels = self._square_labels() if squares else [self._flip_label(one) for one in layout.labels]

    # --- where things are -------------------------------------------------------------------------
    def _flip_place(self, place: Place) -> Place:
        """A place as it is seen, the other way round if the board is flipped."""
        if not self.flipped:
            return place
        return Place(self.columns - place.x, self.rows - place.y, place.height)

    def _flip_label(self, label: Label) -> Label:
        x, y = (self.columns - label.x, self.rows - label.y) if self.flipped else (label.x, label.y)
        return Label(label.text, x, y)

    def _square_labels(self) -> list[Label]:
        """Labels stay at the left and below, whoever looks."""
        board = self.board
        left = board.left[::-1] if self.flipped else board.left
        bottom = board.bottom[::-1] if self.flipped else board.bottom
        return [
            *(Label(text, -LABEL_ROOM / 2, y + 0.5) for y, text in enumerate(left)),
            *(Label(text, x + 0.5, self.rows + LABEL_ROOM / 2) for x, text in enumerate(bottom)),
        ]

    def corner(self, cell: int) -> tuple[float, float]:
        """The top left corner of the square around a cell, in units of the drawing."""
        place = self.places[cell]
        return _round(CELL * (place.x - 0.5)), _round(CELL * (place.y - 0.5))

    # --- layers -----------------------------------------------------------------------------------
    def ground(self) -> str:
        """All that is the same whatever stands on the board."""
        shape = self.board.shape
        if shape == "hexagons":
            drawn = self._hexagons() + self._edges()
        elif shape == "points":
            drawn = self._sheet(GROUND, 6) + self._lines() + self._dots()
        elif shape == "pits":
            drawn = self._sheet(PIT_GROUND, 40) + self._pits()
        else:
            drawn = self._squares()
        return drawn + self._labels()

    def cell_marks(self, last: Iterable[int], marks: Iterable[Mark] = ()) -> str:
        """The cells of the last move, and those that want attention."""
        parts = [self._cell(cell, f'fill="{LAST}" opacity=".6"') for cell in last]
        for mark in marks:
            cell = self.board.cell(mark.cell)
            if mark.kind == "check":
                parts.append(self._cell(cell, 'fill="#e5261c" opacity=".55"'))
            elif mark.kind == "must":
                parts.append(self._cell(cell, f'fill="none" stroke="{MUST}" stroke-width="6"'))
            else:
                parts.append(self._cell(cell, f'fill="{STUN}" opacity=".5"'))
        return "".join(parts)

    def names(self) -> str:
        """The names of squares, on a board without labels at its edges."""
        if self.board.left or self.board.bottom or self.board.shape != "squares":
            return ""
        names = [name for row in self.board.names for name in row]
        parts = [
            f'<text x="{self.corner(cell)[0] + 6:g}" y="{self.corner(cell)[1] + 20:g}">{escape(name)}</text>'
            for cell, name in enumerate(names)
            if name
        ]
        if not parts:
            return ""
        return f'<g font-family="{FONT}" font-size="18" font-weight="600" fill="{NAME}">{"".join(parts)}</g>'

    def pieces(self) -> str:
        """The pieces of the board, each on its cell."""
        return "".join(
            f'<g transform="translate({x:g} {y:g})">{self.piece_svg.draw(piece)}</g>'
            for (x, y), piece in (
                (self.corner(cell), piece)
                for cell, piece in enumerate(self.board.pieces)
                if piece is not None
            )
        )

    def arrows(self, arrows: Iterable[Arrow]) -> str:
        """Arrows over the pieces."""
        return "".join(self._arrow(arrow) for arrow in arrows)

    def finish(self, drawn: str, title: str, more: str = "", extra: float = 0.0) -> str:
        """The whole picture: the ground, what was drawn over it, and `more` in `extra` cells below."""
        width = self.columns + self.left + 2 * MARGIN
        height = self.rows + self.below + extra + 2 * MARGIN
        scale = min(PITCH, MAX_WIDTH / max(width, 1))
        x, y = -CELL * (self.left + MARGIN), -CELL * MARGIN
        box = f"{x:g} {y:g} {_round(CELL * width):g} {_round(CELL * height):g}"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{scale * width:.0f}"'
            f' height="{scale * height:.0f}" role="img"><title>{escape(title)}</title>'
            f"{self.piece_svg.definitions}{self.ground()}{drawn}{more}</svg>"
        )

    # --- parts ------------------------------------------------------------------------------------
    def _sheet(self, ink: str, radius: int) -> str:
        width, height = _round(CELL * self.columns), _round(CELL * self.rows)
        return f'<rect width="{width:g}" height="{height:g}" rx="{radius}" fill="{ink}"/>'

    def _squares(self) -> str:
        board = self.board
        cells = [(x, y) for y, row in enumerate(board.rows) for x in range(len(row))]
        dark = [(x, y) for x, y in cells if (x + y) % 2]
        if self.flipped:
            dark = [(round(self.columns) - 1 - x, round(self.rows) - 1 - y) for x, y in dark]
        if board.ground == "wall":
            holes = "".join(
                f'<circle cx="{CELL * place.x:g}" cy="{CELL * place.y:g}" r="42"/>' for place in self.places
            )
            return self._sheet(WALL, 8) + f'<g fill="{HOLE}">{holes}</g>'
        if board.ground == "grass":
            return self._sheet(GRASS, 0) + _square_path(dark, GRASS_DARK) + self._grid(GRASS_LINE)
        if not board.checkered:
            return self._sheet(PLAIN, 6) + self._grid(PLAIN_LINE)
        light_ink, dark_ink = LOOKS[self.look]
        return self._sheet(light_ink, 6) + _square_path(dark, dark_ink)

    def _grid(self, ink: str) -> str:
        """The lines between squares."""
        width, height = round(CELL * self.columns), round(CELL * self.rows)
        across = "".join(f"M0 {y}h{width}" for y in range(0, height + 1, CELL))
        down = "".join(f"M{x} 0v{height}" for x in range(0, width + 1, CELL))
        return f'<path d="{across}{down}" stroke="{ink}" stroke-width="2"/>'

    def _labels(self) -> str:
        if not self.labels:
            return ""
        ink = GROUND_LABEL if self.board.shape in ("points", "pits") else LABEL
        size = min(28.0, 100 * LABEL_ROOM / max(1, max(len(label.text) for label in self.labels) * 0.75))
        parts = [
            f'<text x="{CELL * label.x:.0f}" y="{CELL * label.y:.0f}">{escape(label.text)}</text>'
            for label in self.labels
        ]
        return (
            f'<g text-anchor="middle" dominant-baseline="central" font-family="{FONT}" font-size="{size:g}"'
            f' font-weight="600" fill="{ink}">{"".join(parts)}</g>'
        )

    def _corners(self, place: Place) -> list[tuple[float, float]]:
        """The corners of a hexagon, from the top (of a flat one: from the left) clockwise."""
        half = CORNER / 2
        around = [(0.0, -CORNER), (0.5, -half), (0.5, half), (0.0, CORNER), (-0.5, half), (-0.5, -half)]
        turned = [(dy, dx) if self.board.flat else (dx, dy) for dx, dy in around]
        return [(place.x + dx, place.y + dy) for dx, dy in turned]

    def _hexagons(self) -> str:
        drawn = "".join(f"M{_points(self._corners(place), 'L')}z" for place in self.places)
        return f'<path d="{drawn}" fill="{GROUND}" stroke="{GROUND_LINE}" stroke-width="3"/>'

    def _edges(self) -> str:
        """The edges that a side has to join, as bands along the hexagons."""
        board = self.board
        if not board.edges or board.flat:
            return ""
        corners = [self._corners(place) for place in self.places]
        turn = 3 if self.flipped else 0  # a flipped hexagon has its top corner below

        def along(cells: Iterable[int], *which: int) -> list[tuple[float, float]]:
            return [corners[cell][(one + turn) % 6] for cell in cells for one in which]

        lengths = [len(row) for row in board.rows]
        starts = [sum(lengths[:row]) for row in range(len(lengths))]
        last = [start + length - 1 for start, length in zip(starts, lengths, strict=True)]
        ways = (
            along(range(lengths[0]), 5, 0, 1),
            along(last, 1, 2),
            along(range(starts[-1], len(corners)), 4, 3, 2),
            along(starts, 5, 4),
        )
        return "".join(
            f'<polyline points="{_points(way)}" stroke="{INKS[side_colour(self.sides, side)]["fill"]}"'
            ' fill="none" stroke-width="14" stroke-linejoin="round" stroke-linecap="round"/>'
            for way, side in zip(ways, board.edges, strict=True)
            if side is not None
        )

    def _lines(self) -> str:
        cells = {name: cell for cell, name in enumerate(name for row in self.board.names for name in row)}
        parts = []
        for line in self.board.lines:
            for one, other in pairwise(self.places[cells[name]] for name in line):
                parts.append(f"M{_points([(one.x, one.y), (other.x, other.y)], 'L')}")
        return f'<path d="{"".join(parts)}" stroke="{STROKE}" stroke-width="5" stroke-linecap="round"/>'

    def _dots(self) -> str:
        names = [name for row in self.board.names for name in row]
        dots = "".join(
            f'<circle cx="{CELL * place.x:g}" cy="{CELL * place.y:g}" r="9"/>'
            for place, name in zip(self.places, names, strict=True)
            if name
        )
        return f'<g fill="{STROKE}">{dots}</g>'

    def _pits(self) -> str:
        pits = "".join(_pit(place) for place in self.places)
        return f'<g fill="{PIT_FILL}" stroke="{PIT_LINE}" stroke-width="3">{pits}</g>'

    def _cell(self, cell: int, style: str) -> str:
        """The area of a cell, filled or framed."""
        place, shape = self.places[cell], self.board.shape
        if shape == "hexagons":
            return f'<polygon points="{_points(self._corners(place))}" {style}/>'
        if shape == "points" or self.board.ground == "wall":
            return f'<circle cx="{CELL * place.x:g}" cy="{CELL * place.y:g}" r="46" {style}/>'
        if shape == "pits":
            return _pit(place, style)
        x, y = self.corner(cell)
        return f'<rect x="{x:g}" y="{y:g}" width="{CELL}" height="{CELL}" {style}/>'

    def _arrow(self, arrow: Arrow) -> str:
        ink, width, opacity = ARROWS[arrow.kind]
        start, end = self.places[arrow.start], self.places[arrow.end]
        dx, dy = end.x - start.x, end.y - start.y
        long = math.hypot(dx, dy)
        if long < 0.01:
            return (
                f'<circle cx="{CELL * end.x:g}" cy="{CELL * end.y:g}" r="42" fill="none" stroke="{ink}"'
                f' stroke-width="{60 * width:g}" opacity="{opacity}"/>'
            )
        ux, uy, head = dx / long, dy / long, width * 2.6
        tip = (end.x - ux * 0.08, end.y - uy * 0.08)
        neck = (tip[0] - ux * head, tip[1] - uy * head)
        tail = (start.x + ux * 0.25, start.y + uy * 0.25)
        wing = head * 0.62
        wings = [(neck[0] - uy * wing, neck[1] + ux * wing), (neck[0] + uy * wing, neck[1] - ux * wing)]
        return (
            f'<g opacity="{opacity}"><path d="M{_points([tail, neck], "L")}" stroke="{ink}"'
            f' stroke-width="{CELL * width:g}" stroke-linecap="round"/>'
            f'<polygon points="{_points([tip, *wings])}" fill="{ink}"/></g>'
        )


def draw_board(
    board: Board,
    game: str = "",
    sides: tuple[str, str] = ("first", "second"),
    *,
    flipped: bool = False,
    last: Iterable[int] = (),
    marks: Iterable[Mark] = (),
    arrows: Iterable[Arrow] = (),
    title: str = "",
    look: str = "green",
) -> str:
    """A board as SVG: `last` are the cells of the last move, `title` is what a screen reader says."""
    picture = BoardSvg(board, game, sides, flipped, look)
    drawn = picture.cell_marks(last, marks) + picture.names() + picture.pieces() + picture.arrows(arrows)
    return picture.finish(drawn, title or "a board")


def _pit(place: Place, style: str = "") -> str:
    half = place.height / 2 - 0.5 + PIT
    return (
        f'<rect x="{CELL * (place.x - PIT):g}" y="{CELL * (place.y - half):g}" width="{2 * CELL * PIT:g}"'
        f' height="{2 * CELL * half:g}" rx="{CELL * PIT:g}" {style}/>'
    )


def _round(number: float) -> float:
    return round(number, 1)


def _points(points: Sequence[tuple[float, float]], between: str = " ") -> str:
    """Points in cells, as SVG writes them."""
    return between.join(f"{CELL * x:.1f},{CELL * y:.1f}" for x, y in points)


def _square_path(squares: Iterable[tuple[int, int]], ink: str) -> str:
    """Squares of one colour as one path."""
    parts = "".join(f"M{CELL * x} {CELL * y}h{CELL}v{CELL}h-{CELL}z" for x, y in squares)
    return f'<path d="{parts}" fill="{ink}"/>'
