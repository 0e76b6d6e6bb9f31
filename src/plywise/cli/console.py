"""The terminal: how wide it is, whether it shows colours, and how long work shows that it goes on."""

import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

PIPED_WIDTH = 100  # where nobody says how wide lines may be


def is_terminal(stream: TextIO) -> bool:
    """Somebody is watching."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def has_colours(stream: TextIO) -> bool:
    """Colours and Unicode pieces are welcome: a terminal, and no NO_COLOR."""
    return is_terminal(stream) and not os.environ.get("NO_COLOR")


def width() -> int:
    """How many signs fit on a line: $COLUMNS, else the terminal's width."""
    return max(20, shutil.get_terminal_size((PIPED_WIDTH, 24)).columns)


def can_encode(text: str, stream: TextIO) -> bool:
    """Whether the stream's encoding has all these signs."""
    try:
        text.encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def paragraph(text: str, indent: str = "", hanging: str | None = None) -> str:
    """The text broken into lines that fit."""
    return textwrap.fill(
        text,
        width(),
        initial_indent=indent,
        subsequent_indent=indent if hanging is None else hanging,
        break_on_hyphens=False,
    )


def say(text: str, hanging: str = "", indent: str = "") -> None:
    """A line for the person, at once."""
    print(paragraph(text, indent, hanging), flush=True)


def bytes_text(number: int) -> str:
    """`3.4 MB`."""
    return f"{number / 1e6:.1f} MB" if number >= 100_000 else f"{number / 1e3:.1f} kB"


ProgressUpdate = Callable[[str, float | None], None]


@contextmanager
def progress_bar(text: str, total: float | None = None) -> Iterator[ProgressUpdate]:
    """A progress bar on the terminal while something long goes on; nothing when piped.

    The value is told what is being done, and how much of `total` is done (None: as before).
    """
    if not is_terminal(sys.stderr):
        yield _no_progress
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
    from rich.table import Column

    room = Column(ratio=1, no_wrap=True, overflow="ellipsis")
    columns: list[Any] = [BarColumn(bar_width=16), TimeElapsedColumn()]
    columns.append(TextColumn("{task.description}", markup=False, table_column=room))
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, expand=True) as bar:
        task = bar.add_task(text, total=total)

        def tell(text: str, done: float | None = None) -> None:
            bar.update(task, description=text, completed=done)

        yield tell


def _no_progress(text: str, done: float | None = None) -> None:
    """Nobody watches."""
