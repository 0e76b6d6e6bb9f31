"""A state of a game as a picture in SVG, and a whole game as one that moves wherever a picture is shown.

A piece on a cell is drawn once for all the time that it stands there; it appears and disappears by the clock
of the picture (SMIL). Programs that show no motion show the last position.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from plywise.core.board import Board, Phase, Piece
from plywise.core.board_svg import BoardSvg, draw_board
from plywise.core.errors import PlywiseError
from plywise.core.piece_svg import CELL, FONT
from plywise.play.state import GameState

MAX_PLIES = 500
HOLD = 3  # how many moves long the last position is shown, before it begins again
GLIDE = 0.35  # of a move's time in which a piece goes to its new cell
CAPTION, CAPTION_INK, BAR_INK = (
    0.55,
    "#7b837e",
    "#0f8a7c",
)  # its height in cells, and the colours below the board


class BadPicture(PlywiseError):
    """A picture that cannot be drawn."""


@dataclass(frozen=True, slots=True)
class _Stay:
    """A piece on a cell from one time to another, in moves; `way` are the cells by which it came."""

    cell: int
    piece: Piece
    start: float
    end: float | None  # None: to the end
    way: tuple[int, ...] = ()


def draw_state(state: GameState, flipped: bool = False, look: str = "green") -> str:
    """The present position as SVG, with the last move marked."""
    game = state.game
    return draw_board(
        _board(state),
        game.name,
        game.side_names,
        flipped=flipped,
        last=state.touched,
        marks=state.marks,
        title=f"{game.title}: {state.text}",
        look=look,
    )


def draw_game(state: GameState, flipped: bool = False, seconds: float = 1.0, look: str = "green") -> str:
    """The game up to a state as SVG that moves, `seconds` a move."""
    states = state.path
    if len(states) - 1 > MAX_PLIES:
        raise BadPicture(
            f"a moving picture has at most {MAX_PLIES} moves, and this game has {len(states) - 1}:"
            " draw a position of it"
        )
    boards = [_board(one) for one in states]
    picture = BoardSvg(boards[0], state.game.name, state.game.side_names, flipped, look)
    clock = _Clock(len(states) - 1 + HOLD, seconds)
    parts = []
    for ply, one in enumerate(states):
        drawn = picture.cell_marks(one.touched, one.marks)
        if drawn:
            parts.append(clock.show(drawn, ply, ply + 1 if ply < len(states) - 1 else None))
    parts.append(picture.names())
    parts += [_piece(picture, clock, stay) for stay in _stays(boards, [one.phases for one in states])]
    captions = _captions(states)
    top = picture.rows + picture.below
    for ply, words in enumerate(captions):
        text = f'<text x="0" y="{CELL * (top + 0.36):.0f}">{escape(words)}</text>'
        parts.append(clock.show(text, ply, ply + 1 if ply < len(states) - 1 else None, font=True))
    title = f"{state.game.title}, {len(states) - 1} moves"
    bar = clock.bar(CELL * picture.columns, CELL * (top + CAPTION - 0.07))
    return picture.finish("".join(parts), title, bar, CAPTION)


def _board(state: GameState) -> Board:
    board = state.board
    if not isinstance(board, Board):
        raise BadPicture(f"{state.game.title} draws no board, so there is no picture of it")
    return board


class _Clock:
    """When things are shown; times are in moves from the beginning."""

    def __init__(self, moves: int, seconds: float) -> None:
        self.moves = moves
        self.rest = f'dur="{moves * seconds:g}s" repeatCount="indefinite"'

    def share(self, time: float) -> str:
        return f"{time / self.moves:.5f}".rstrip("0").rstrip(".") or "0"

    def show(self, drawn: str, start: float, end: float | None, font: bool = False) -> str:
        """What is drawn from one time to another; where nothing moves, only what is there at the end."""
        style = f' font-family="{FONT}" font-size="30" font-weight="600" fill="{CAPTION_INK}"' if font else ""
        return f"<g{style}{self.hidden(end)}>{self.visible(start, end)}{drawn}</g>"

    def hidden(self, end: float | None) -> str:
        return "" if end is None else ' visibility="hidden"'

    def visible(self, start: float, end: float | None) -> str:
        """The animation by which something is seen from one time to another."""
        values, times = ["visible"], ["0"]
        if start > 0:
            values, times = ["hidden", "visible"], ["0", self.share(start)]
        if end is not None:
            values.append("hidden")
            times.append(self.share(end))
        if len(values) == 1:
            return ""
        return (
            f'<animate attributeName="visibility" values="{";".join(values)}" keyTimes="{";".join(times)}"'
            f' calcMode="discrete" {self.rest}/>'
        )

    def glide(self, places: Sequence[tuple[float, float]], start: float) -> str:
        """The animation by which a piece goes from place to place."""
        first, last = places[0], places[-1]
        steps = [start + GLIDE * i / (len(places) - 1) for i in range(len(places))]
        points = [first, *places, last]
        times = ["0", *(self.share(step) for step in steps), "1"]
        return (
            f'<animateTransform attributeName="transform" type="translate" values="'
            f'{";".join(f"{x:g} {y:g}" for x, y in points)}" keyTimes="{";".join(times)}" {self.rest}/>'
        )

    def bar(self, width: float, y: float) -> str:
        """How far the game has come."""
        return (
            f'<rect y="{y:g}" width="{width:g}" height="5" rx="2" fill="{BAR_INK}">'
            f'<animate attributeName="width" values="0;{width:g};{width:g}"'
            f' keyTimes="0;{self.share(self.moves - HOLD)};1" {self.rest}/></rect>'
        )


def _piece(picture: BoardSvg, clock: _Clock, stay: _Stay) -> str:
    x, y = picture.corner(stay.cell)
    drawn = picture.piece_svg.draw(stay.piece)
    glide = ""
    if stay.way:
        glide = clock.glide([picture.corner(cell) for cell in (*stay.way, stay.cell)], stay.start)
    return (
        f'<g transform="translate({x:g} {y:g})"{clock.hidden(stay.end)}>'
        f"{clock.visible(stay.start, stay.end)}{glide}{drawn}</g>"
    )


def _stays(boards: Sequence[Board], phases: Sequence[Sequence[Phase]]) -> list[_Stay]:
    """Every piece on every cell, with its times."""
    found: list[_Stay] = []
    standing: dict[int, _Stay] = {
        cell: _Stay(cell, piece, 0, None) for cell, piece in enumerate(boards[0].pieces) if piece
    }
    for ply in range(1, len(boards)):
        before, after = boards[ply - 1].pieces, boards[ply].pieces
        ways = _ways(phases[ply])
        left = {way[0] for way in ways.values()}
        for cell, piece in enumerate(after):
            if piece == before[cell] and cell not in ways:
                continue
            old = standing.pop(cell, None)
            if old is not None:  # what is taken goes when the other piece arrives
                end = ply if cell in left else ply + GLIDE
                found.append(_Stay(cell, old.piece, old.start, end, old.way))
            if piece is not None:
                way = ways.get(cell, ())
                start = ply if way or before[cell] is None else ply + GLIDE
                standing[cell] = _Stay(cell, piece, start, None, way)
    found += standing.values()
    # What begins later lies on top: a piece that comes covers what it takes.
    return sorted(found, key=lambda stay: stay.start)


def _ways(phases: Sequence[Phase]) -> dict[int, tuple[int, ...]]:
    """By the cell where a piece arrives: the cells by which it came, the first first."""
    ways: dict[int, tuple[int, ...]] = {}
    for phase in phases:
        moved: dict[int, tuple[int, ...]] = {}
        for effect in phase.effects:
            if effect.kind in ("move", "hop") and isinstance(effect.at, int) and isinstance(effect.to, int):
                moved[effect.to] = (*ways.pop(effect.at, ()), effect.at)
        ways |= moved
    return {cell: way for cell, way in ways.items() if way[0] != cell or len(way) > 1}


def _captions(states: Sequence[GameState]) -> list[str]:
    """What stands below each position: the move that led there, with its number; at last the result."""
    first = states[0]
    game, last_turn = first.game, -1
    number = game.move_number(first.view(first.turn).position)
    found = [game.title]
    for before, state in pairwise(states):
        both = len(before.sides_to_move) > 1
        begins = both or (before.turn == 0 and last_turn != 0)
        number += begins and last_turn >= 0 and (both or last_turn == 1)
        found.append(f"{number}{'.' if both or before.turn == 0 else '...'} {state.label}")
        last_turn = before.turn
    outcome = states[-1].outcome
    if outcome is not None:
        found[-1] += f" \N{EN DASH} {outcome.reason}"
    return found
