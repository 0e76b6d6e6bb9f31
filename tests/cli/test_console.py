"""The progress bar goes away without a trace."""

import io
import re

import pytest

from plywise.cli.console import progress_bar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_bar_leaves_room_for_what_ctrl_c_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal shows `^C`. Behind a full line that begins a new one, and the bar above it would stay."""
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar("x" * 200, 1.0) as update:
        update("y" * 200, 0.5)
    drawn = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.getvalue())
    lines = re.split(r"[\r\n]+", drawn)
    assert any("y" in line for line in lines)
    assert max(map(len, lines)) == 60 - len("^C")
