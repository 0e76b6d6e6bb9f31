"""Record the README's first command on an empty machine: docs/recordings/first-command.svg.

    python docs/record_terminal.py

The command is read from the README and run in a pseudo-terminal, in a fresh clone of this repository, with an
empty home folder. What it prints is drawn with the seconds at which it came. Lines of pip in between are left
out, which `...` says; the clone's place is written as `~/plywise`. Linux only.
"""

import os
import pty
import re
import select
import signal
import subprocess
import tempfile
import textwrap
import time
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OUT = Path(__file__).with_name("recordings") / "first-command.svg"
COLUMNS, LINES = 88, 40
LONGEST = 900.0  # seconds for all of it
LOOK = 2.0  # seconds to look at the last line before Ctrl-C
KEPT = ("Processing", "Successfully installed")  # of pip's lines
CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07")
PAPER, INK, SOFT, PROMPT = "#10161c", "#e6edf3", "#7d8894", "#6ac6a8"
CHARACTER, LINE, MARGIN, TOP = 8.05, 20, 18, 44

Recorded = list[tuple[float, str]]  # seconds, and a line


def first_command() -> str:
    """The first command of the README."""
    found = re.search(r"```sh\n(.+?)\n```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


def record(command: str, home: Path) -> Recorded:
    """Run a command in a clone below an empty home folder until it says an address; what it prints."""
    clone = home / "plywise"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    kept = {name: text for name, text in os.environ.items() if name.startswith(("PATH", "PIP_", "SSL_"))}
    environment = {**kept, "HOME": str(home), "TERM": "xterm", "LANG": "C.UTF-8", "BROWSER": "true"}
    environment |= {"COLUMNS": str(COLUMNS), "LINES": str(LINES), "NO_COLOR": "1", "PIP_PROGRESS_BAR": "off"}
    ours, theirs = pty.openpty()
    began = time.monotonic()
    process = subprocess.Popen(
        ["sh", "-c", command],
        cwd=clone,
        env=environment,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    lines: Recorded = []
    rest, end = b"", began + LONGEST
    while time.monotonic() < end:
        if select.select([ours], [], [], 0.1)[0]:
            try:
                data = os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
            *whole, rest = (rest + data).split(b"\n")
            for line in whole:
                text = CODES.sub("", line.decode("utf-8", "replace")).rstrip("\r").rpartition("\r")[2]
                lines.append((time.monotonic() - began, text.replace(str(home), "~").rstrip()))
                if "http://" in text:
                    end = time.monotonic() + LOOK
        elif process.poll() is not None:
            break
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGINT)
    process.wait(30)
    os.close(ours)
    return lines


def shorten(lines: Recorded) -> Recorded:
    """Without most of pip's lines: where some are left out, `...` stands."""
    last = max((place for place, (_, text) in enumerate(lines) if text.startswith(KEPT)), default=-1)
    result: Recorded = []
    for place, (seconds, text) in enumerate(lines):
        if place > last or text.startswith(KEPT):
            if text or place > last:
                result.append((seconds, text))
        elif not result or result[-1][1] != "...":
            result.append((seconds, "..."))
    return result


def draw(command: str, lines: Recorded) -> str:
    """The recording as a picture of a terminal."""
    rows: list[tuple[str, str, str]] = []  # the seconds, the text, its colour
    for place, part in enumerate(textwrap.wrap(f"$ {command}", COLUMNS, subsequent_indent="  ")):
        rows.append(("0 s" if place == 0 else "", part, PROMPT))
    for seconds, text in lines:
        parts = textwrap.wrap(text, COLUMNS, subsequent_indent="  ", break_on_hyphens=False) or [""]
        for place, part in enumerate(parts):
            when = f"{seconds:.0f} s" if place == 0 and text else ""
            rows.append((when, part, SOFT if text.startswith((*KEPT, "...")) else INK))
    width = round(2 * MARGIN + (COLUMNS + 7) * CHARACTER)
    height = TOP + LINE * len(rows) + MARGIN
    title = "The first command of the README in a terminal, with the seconds at which each line came"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" font-family="ui-monospace, Consolas, monospace" font-size="13">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" rx="10" fill="{PAPER}"/>',
        *(f'<circle cx="{MARGIN + 4 + 18 * i}" cy="20" r="5.5" fill="#38434f"/>' for i in range(3)),
    ]
    for row, (when, text, colour) in enumerate(rows):
        y = TOP + LINE * row + 13
        length = f' textLength="{len(text) * CHARACTER:.1f}" lengthAdjust="spacingAndGlyphs"' if text else ""
        parts.append(
            f'<text x="{MARGIN}" y="{y}" fill="{colour}" xml:space="preserve"{length}>{escape(text)}</text>'
        )
        if when:
            parts.append(f'<text x="{width - MARGIN}" y="{y}" fill="{SOFT}" text-anchor="end">{when}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def main() -> None:
    command = first_command()
    with tempfile.TemporaryDirectory() as folder:
        lines = record(command, Path(folder).resolve())
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(draw(command, shorten(lines)), encoding="utf-8")
    print(f"{OUT.relative_to(ROOT)}: {len(lines)} lines in {lines[-1][0]:.0f} s")


if __name__ == "__main__":
    main()
