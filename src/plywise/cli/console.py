"""The terminal: its width, whether it shows colours, and progress bars."""

import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from plywise.core.untrusted import visible

PIPED_WIDTH = 100  # of output that goes to no terminal


def is_terminal(stream: TextIO) -> bool:
    """Whether a person sees this stream."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def has_colours(stream: TextIO) -> bool:
    """Whether to use colours and Unicode pieces: on a terminal, unless NO_COLOR is set."""
    return is_terminal(stream) and not os.environ.get("NO_COLOR")


def width() -> int:
    """The characters of a line: $COLUMNS, else the width of the terminal."""
    return max(20, shutil.get_terminal_size((PIPED_WIDTH, 24)).columns)


def can_encode(text: str, stream: TextIO) -> bool:
    """Whether the stream's encoding has all these characters."""
    try:
        text.encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def paragraph(text: str, indent: str = "", hanging: str | None = None) -> str:
    """The text, broken into lines that fit; in one line where it goes to no terminal.

    Positions and lines of moves can then be cut out of it. $COLUMNS sets a width for pipes too. Names come
    from files and other programs: what a terminal would obey is made visible.
    """
    text = visible(text)
    if not sys.stdout.isatty() and not os.environ.get("COLUMNS"):
        return indent + text
    return textwrap.fill(
        text,
        width(),
        initial_indent=indent,
        subsequent_indent=indent if hanging is None else hanging,
        break_on_hyphens=False,
    )


def say(text: str, hanging: str = "", indent: str = "") -> None:
    """Print a paragraph, and flush."""
    print(paragraph(text, indent, hanging), flush=True)


def print_markdown(text: str, plain: str) -> None:
    """Print Markdown set to the width of a terminal that shows colours; elsewhere the plain form."""
    if not has_colours(sys.stdout):
        print(plain)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console(width=min(width(), PIPED_WIDTH)).print(Markdown(text))


def bytes_text(number: int) -> str:
    """`3.4 MB`."""
    return f"{number / 1e6:.1f} MB" if number >= 100_000 else f"{number / 1e3:.1f} kB"


ProgressUpdate = Callable[[str, float | None], None]


@contextmanager
def progress_bar(text: str, total: float | None = None) -> Iterator[ProgressUpdate]:
    """Show a progress bar while work goes on; nothing if standard error is no terminal.

    Call the value with the current step, and how much of `total` is done (None: unchanged).
    """
    if not is_terminal(sys.stderr):
        yield _no_progress
        return
    from rich.console import Console, RenderableType
    from rich.constrain import Constrain
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
    from rich.table import Column

    console = Console(stderr=True)

    class Bar(Progress):
        """A bar that leaves room for `^C`: a line that it fills would stay behind when Ctrl-C is pressed."""

        def get_renderable(self) -> RenderableType:
            return Constrain(super().get_renderable(), console.width - len("^C"))

    column = Column(ratio=1, no_wrap=True, overflow="ellipsis")
    columns: list[Any] = [BarColumn(bar_width=16), TimeElapsedColumn()]
    columns.append(TextColumn("{task.description}", markup=False, table_column=column))
    with Bar(*columns, console=console, transient=True, expand=True) as bar:
        task = bar.add_task(visible(text), total=total)

        def update(text: str, done: float | None = None) -> None:
            bar.update(task, description=visible(text), completed=done)

        yield update


def _no_progress(text: str, done: float | None = None) -> None:
    """Show nothing: there is no terminal."""
