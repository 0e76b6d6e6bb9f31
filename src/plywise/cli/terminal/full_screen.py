"""A game on the whole terminal: a board with cursor and mouse, messages below it, and a line to type in.

It is the game of line mode (game.py) with another way to show the board and to ask. What is printed
meanwhile stands below the board. Drawn with `curses`, which Windows does not have.
"""

import contextlib
import io
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from plywise.cli.terminal.board import flip_board, names_beside, plain_text
from plywise.cli.terminal.game import TerminalGame
from plywise.cli.terminal.touch import Touches
from plywise.core.board import Board
from plywise.core.board_text import find_spans
from plywise.core.errors import PlywiseError
from plywise.play.seat import Seat

MAX_LOG = 1000  # lines of messages that are kept
ESCAPE, ENTER, BACKSPACE = 27, (10, 13), (8, 127)
KEYS = "arrows and Enter or the mouse: move; letters: type a move or ? for help; Esc: let go"
FEW_KEYS = "arrows, Enter: move; ?: help"  # on a narrow terminal
MORE_KEYS = "PageDown: more"  # where messages are longer than their room


@dataclass(frozen=True)
class Place:
    """Where a cell stands on the screen."""

    line: int
    column: int
    width: int
    cell: int


def places(board: Board, columns: int) -> list[Place]:
    """The place of each cell of a board; squares are as wide as the terminal allows."""
    if board.shape == "squares":
        margin = max(map(len, board.left), default=0) + 1
        wide = next((one for one in (4, 3, 2) if margin + one * board.width < columns), 1)
        return [
            Place(y, margin + x * wide, wide, y * board.width + x)
            for y in range(board.height)
            for x in range(board.width)
        ]
    wide = max((len(piece.letter) for piece in board.pieces if piece), default=1)
    return [
        Place(span.line, span.column, wide, span.cell)
        for span in find_spans(board, wide)
        if span.cell is not None
    ]


def _wrap(log: list[str], columns: int) -> list[str]:
    """Messages in lines that fit the screen."""
    return [part for words in log for part in textwrap.wrap(words, max(1, columns - 1)) or [""]]


class FullScreen:
    """What `TerminalGame` shows and asks, on a curses window."""

    def __init__(self, curses: Any, window: Any) -> None:
        self.curses, self.window = curses, window
        self.output = io.StringIO()  # what the game prints
        self.log: list[str] = []
        self.unread = 0  # of its lines: those since the last answer
        self.hidden = 0  # lines as wide as the screen that stand below the room for messages
        self.room = 1  # for messages, in such lines
        self.game: TerminalGame | None = None
        self.cursor = 0
        self.typed = ""
        self.choices: list[str] = []  # moves that the cells touched have in common
        self.touches: Touches | None = None
        curses.curs_set(0)
        curses.mousemask(curses.BUTTON1_CLICKED | curses.BUTTON1_PRESSED | curses.BUTTON1_RELEASED)
        curses.mouseinterval(0)
        curses.use_default_colors()
        for pair, colour in enumerate((curses.COLOR_CYAN, curses.COLOR_RED, curses.COLOR_MAGENTA), 1):
            curses.init_pair(pair, colour, -1)

    # --- showing --------------------------------------------------------------------------------
    def _board(self) -> Board | str:
        assert self.game is not None
        board = self.game.state.board
        return flip_board(board) if self.game.flip and isinstance(board, Board) else board

    def _names(self) -> list[str]:
        board = self._board()
        return [name for row in board.names for name in row] if isinstance(board, Board) else []

    def draw(self, prompt: str = "") -> None:
        """Draw everything anew."""
        printed = self.output.getvalue().splitlines()
        self.log = [*self.log, *printed][-MAX_LOG:]
        self.output.seek(0)
        self.output.truncate()
        self.window.erase()
        lines, columns = self.window.getmaxyx()
        board = self._board()
        below = self._draw_board(board, columns) if isinstance(board, Board) else self._draw_text(board)
        self.room = max(1, lines - below - 3)
        wrapped = _wrap(self.log, columns)
        if printed:
            # What was printed is read from its beginning.
            self.unread = min(self.unread + len(printed), len(self.log))
            self.hidden = len(_wrap(self.log[-self.unread :], columns)) - self.room
        self.hidden = max(0, min(self.hidden, len(wrapped) - self.room))
        end = len(wrapped) - self.hidden
        for i, words in enumerate(wrapped[max(0, end - self.room) : end]):
            self._put(below + 1 + i, 0, words)
        names = self._names()
        name = f"{names[self.cursor]}  " if self.cursor < len(names) and names[self.cursor] else ""
        keys = KEYS if len(name) + len(KEYS) < columns else FEW_KEYS
        self._put_line(lines - 2, self._too_small(board) or f"{name}{self._more()}{keys}", self.curses.A_DIM)
        choices = "  ".join(f"{n} {move}" for n, move in enumerate(self.choices, 1))
        self._put_line(lines - 1, f"{prompt}{choices or self.typed}", self.curses.A_BOLD)
        self.window.refresh()

    def _more(self) -> str:
        return f"{MORE_KEYS}; " if self.hidden else ""

    def _too_small(self, board: Board | str) -> str:
        """What a board needs that the terminal has not; empty if it has."""
        if not isinstance(board, Board):
            return ""
        lines, columns = self.window.getmaxyx()
        found = places(board, columns)
        high = max(place.line for place in found) + (2 if board.bottom else 1) + 2
        wide = max(place.column + place.width for place in found) + 1
        if high <= lines and wide <= columns:
            return ""
        return f"too small: {max(wide, columns)} x {max(high, lines)} needed"

    def _put_line(self, line: int, words: str, style: int) -> None:
        """Write a line of its own, over whatever stands there."""
        if 0 <= line < self.window.getmaxyx()[0]:
            self.window.move(line, 0)
            self.window.clrtoeol()
        self._put(line, 0, words, style)

    def _put(self, line: int, column: int, words: str, style: int = 0) -> None:
        lines, columns = self.window.getmaxyx()
        if 0 <= line < lines and column < columns - 1:
            with contextlib.suppress(self.curses.error):
                self.window.addstr(line, column, words[: columns - 1 - column], style)

    def _draw_text(self, text: str) -> int:
        for i, words in enumerate(text.splitlines()):
            self._put(i, 0, words)
        return len(text.splitlines())

    def _draw_board(self, board: Board, columns: int) -> int:
        """Draw the cells over the board as text; the line below it."""
        curses, names, pieces = self.curses, self._names(), board.pieces
        if board.shape == "squares":
            wide = places(board, columns)[0].width
            for y, label in enumerate(board.left):
                self._put(y, 0, label, curses.A_DIM)
            for y, beside in names_beside(board).items():
                end = places(board, columns)[(y + 1) * board.width - 1]
                self._put(y, end.column + end.width, beside, curses.A_DIM)
            for x, label in enumerate(board.bottom):
                self._put(board.height, places(board, columns)[x].column, f"{label:^{wide}}", curses.A_DIM)
        else:
            for y, words in enumerate(plain_text(board).splitlines()):
                self._put(y, 0, words, curses.A_DIM)
        goals = self.touches.goals if self.touches else set()
        held = self.touches.names if self.touches else ()
        last = 0
        for place in places(board, columns):
            piece, name = pieces[place.cell], names[place.cell] if names else ""
            style = curses.A_DIM
            if piece is not None:
                style = curses.color_pair(3 if piece.side is None else piece.side + 1) | curses.A_BOLD
            mark = "+" if name and name in goals else "·" if board.shape == "squares" else "."
            words = piece.letter if piece is not None else mark
            if name and (name in held or (piece is not None and name in goals)):
                style |= curses.A_UNDERLINE
            if place.cell == self.cursor:
                style |= curses.A_REVERSE
            self._put(place.line, place.column, f"{words:^{place.width}}", style)
            last = max(last, place.line)
        return last + (2 if board.bottom else 1)

    # --- asking ---------------------------------------------------------------------------------
    def ask(self, prompt: str) -> str | None:
        """What a person plays or types; None at the end of the input."""
        game = self.game
        assert game is not None
        self.typed, self.choices = "", []
        running = game.outcome is None
        self.touches = Touches(game.view(game.side_to_ask)) if running else None
        while True:
            self.draw(prompt)
            answer = self._key(self.window.get_wch())
            if answer is not None:
                self.touches, self.unread, self.hidden = None, 0, 0
                return answer or None

    def _key(self, key: str | int) -> str | None:
        """Act on a key; a text that is the answer, "" for the end of the input, or None."""
        curses = self.curses
        code = key if isinstance(key, int) else ord(key)
        if isinstance(key, str) and code == 4:  # Ctrl-D
            return ""
        if self.choices and isinstance(key, str) and key.isdecimal() and 0 < int(key) <= len(self.choices):
            return self.choices[int(key) - 1]
        if isinstance(key, int) and key == curses.KEY_MOUSE:
            return self._click()
        steps = {
            curses.KEY_UP: (-1, 0),
            curses.KEY_DOWN: (1, 0),
            curses.KEY_LEFT: (0, -1),
            curses.KEY_RIGHT: (0, 1),
        }
        if isinstance(key, int) and key in steps:
            self._move(*steps[key])
        elif isinstance(key, int) and key in (curses.KEY_PPAGE, curses.KEY_NPAGE):
            self.hidden += self.room if key == curses.KEY_PPAGE else -self.room
        elif code in ENTER or (isinstance(key, int) and key == curses.KEY_ENTER):
            if self.typed:
                return self.typed
            return self._touch(self.cursor)
        elif isinstance(key, str) and code == ESCAPE:
            self.typed, self.choices = "", []
            if self.touches:
                self.touches.names = ()
        elif code in BACKSPACE or (isinstance(key, int) and key == curses.KEY_BACKSPACE):
            self.typed = self.typed[:-1]
        elif isinstance(key, str) and key.isprintable():
            self.typed += key
        return None  # a new size of the window is a key too: all is drawn anew

    def _move(self, down: int, right: int) -> None:
        """Move the cursor to the nearest cell in a direction."""
        board = self._board()
        if not isinstance(board, Board):
            return
        found = places(board, self.window.getmaxyx()[1])
        here = next((one for one in found if one.cell == self.cursor), found[0])

        def away(one: Place) -> tuple[int, int]:
            lines, columns = abs(one.line - here.line), abs(one.column - here.column)
            return (columns, lines) if down else (lines, columns)

        beyond = [
            one
            for one in found
            if (one.line - here.line) * down > 0 or (one.column - here.column) * right > 0
        ]
        self.cursor = min(beyond, key=away, default=here).cell

    def _click(self) -> str | None:
        try:
            _, x, y, _, buttons = self.curses.getmouse()
        except self.curses.error:
            return None
        board = self._board()
        if not buttons & (self.curses.BUTTON1_CLICKED | self.curses.BUTTON1_PRESSED):
            return None
        if not isinstance(board, Board):
            return None
        for place in places(board, self.window.getmaxyx()[1]):
            if place.line == y and place.column <= x < place.column + place.width:
                self.cursor = place.cell
                return self._touch(place.cell)
        return None

    def _touch(self, cell: int) -> str | None:
        """Touch a cell; the move that it completes, if it does."""
        names = self._names()
        if self.touches is None or cell >= len(names):
            return None
        complete = self.touches.touch(names[cell])
        if len(complete) > 1:
            self.choices = complete
        return complete[0] if len(complete) == 1 else None


@contextlib.contextmanager
def open_screen() -> Iterator[FullScreen]:
    """The whole terminal for a block; what was there before comes back after it."""
    try:
        import curses
    except ImportError:
        raise PlywiseError("--full-screen needs curses, which this system's Python does not have") from None
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise PlywiseError("--full-screen needs a terminal")
    try:
        window = curses.initscr()
    except curses.error as error:
        raise PlywiseError(f"--full-screen cannot use this terminal: {error}") from None
    screen = None
    try:
        curses.noecho()
        curses.cbreak()
        curses.start_color()
        window.keypad(True)
        screen = FullScreen(curses, window)
        with contextlib.redirect_stdout(screen.output), contextlib.redirect_stderr(screen.output):
            yield screen
    finally:
        window.keypad(False)
        curses.nocbreak()
        curses.echo()
        curses.endwin()
        if screen is not None:
            print("\n".join([*screen.log, *screen.output.getvalue().splitlines()][-3:]))


class ScreenGame(TerminalGame):
    """A game that shows its board on a full screen, and asks there."""

    def __init__(
        self, screen: FullScreen, name: str, seats: tuple[Seat, Seat], position: str, evaluator: str
    ) -> None:
        super().__init__(name, seats, position, evaluator, screen.ask)
        self.screen, screen.game = screen, self
        self.on_terminal = True  # although what it prints goes below the board

    def show_board(self) -> None:
        self.screen.draw()
