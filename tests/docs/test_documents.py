"""Everything that the documents show is done for real, in a fresh folder, by other processes.

Code blocks say what they are: `python file=NAME` is saved, `console` is typed into a shell and its
output compared (`...` stands for anything), `pycon` is run by doctest. Commands that install
(`sh`, `bat`) are run by `.ci/run`.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import plywise

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\S*)[ ]?(.*?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the console blocks are for a POSIX shell")


def blocks(name: str) -> list[tuple[str, str, str]]:
    """The code blocks of a document: kind, what else the first line says, text."""
    return BLOCK.findall((ROOT / name).read_text(encoding="utf-8"))


def shell(command: str, folder: Path) -> str:
    """What a person sees who types the command."""
    script = f'plywise() {{ "{sys.executable}" -m plywise "$@"; }}\n{command}\n'
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env={**os.environ, "COLUMNS": "110"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=300,
    )
    return done.stdout


def pattern(expected: str) -> str:
    """A regular expression for output in which `...` stands for anything; alone, for any lines."""
    lines = []
    for line in expected.splitlines():
        if line.strip() == "...":
            lines.append(r"(?:.*\n)*?")
        else:
            lines.append(".*?".join(re.escape(part) for part in line.rstrip().split("...")) + r"[ ]*\n")
    return "".join(lines)


def typed(text: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with the output shown below it."""
    parts = re.split(r"^\$ ", text, flags=re.MULTILINE)
    assert parts[0] == "", f"a console block begins with '$ ': {text!r}"
    return [(command, output) for command, _, output in (part.partition("\n") for part in parts[1:])]


THOROUGH = {
    "docs/add-your-own-game.md": "compiles its games and proves them",
    "docs/chess-programs.md": "searches chess by several commands",
    "docs/matches.md": "plays matches",
    "docs/see-why.md": "compiles recorders",
    "docs/teach-your-game.md": "learns, which compiles self-play",
}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.thorough(THOROUGH[name]) if name in THOROUGH else ())
        for name in DOCUMENTS
    ],
)
def test_a_document_does_what_it_says(name: str, tmp_path: Path) -> None:
    session = []
    for kind, label, text in blocks(name):
        if kind == "python" and label.startswith("file="):
            (tmp_path / label.removeprefix("file=")).write_text(text, encoding="utf-8")
        elif kind == "console":
            for command, expected in typed(text):
                seen = shell(command, tmp_path)
                assert re.fullmatch(pattern(expected), seen), f"{name}: $ {command}\n{seen}"
        elif kind == "pycon":
            session.append(text)
        else:
            assert kind in ("sh", "bat"), f"{name}: a block of an unknown kind {kind!r}"
    if session:
        (tmp_path / "session.txt").write_text("\n".join(session), encoding="utf-8")
        options = ["-o", "ELLIPSIS", "-o", "NORMALIZE_WHITESPACE"]
        done = subprocess.run(
            [sys.executable, "-m", "doctest", *options, "session.txt"],
            cwd=tmp_path,
            capture_output=True,
            encoding="utf-8",
            timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_links_between_documents_lead_somewhere() -> None:
    for name in [*DOCUMENTS, "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]:
        text = (ROOT / name).read_text(encoding="utf-8")
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", text):
            place = Path(os.path.normpath((ROOT / name).parent / target))
            if place.is_relative_to(ROOT / "src"):  # the package may be installed elsewhere
                place = Path(plywise.__file__).parents[1] / place.relative_to(ROOT / "src")
            assert place.exists(), f"{name} links to {target}"


def test_every_claim_about_security_names_tests_that_exist() -> None:
    """Each claim names files of tests, and the tests behind a file's name are in that file."""
    text = (ROOT / "docs/security.md").read_text(encoding="utf-8")
    claims = text.partition("## The claims")[2].partition("## The attackers")[0].split("\n\n")[1:]
    assert len(claims) > 10
    file = ""
    for claim in filter(None, claims):
        named = re.findall(r"`(tests/[\w/]+\.py|test_\w+)`", claim)
        assert named, f"no test: {claim}"
        for name in named:
            if "/" in name:
                file = (ROOT / name).read_text(encoding="utf-8")
            else:
                assert f"def {name}(" in file, f"{name} is not in the file that is named before it"
    for path in re.findall(r"(benchmarks/\w+\.py)", text):
        assert (ROOT / path).exists(), path


def test_the_readme_shows_something_working_by_line_25() -> None:
    first = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:25]
    assert "```console" in first
    assert "```" in first[first.index("```console") :]


def test_ci_runs_exactly_the_two_commands_of_the_readme() -> None:
    commands = [text for kind, _, text in blocks("README.md") if kind == "sh"]
    assert len(commands) == 2
    assert all(len(command.splitlines()) == 1 for command in commands)
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "from_readme 1" in script
    assert "from_readme 2" in script


@pytest.mark.parametrize("name", ["README.md", "docs/figures.md"])
def test_every_figure_has_its_date_and_command(name: str) -> None:
    """Speeds and times in prose are promises: they stand in a table, with date and command."""
    text = BLOCK.sub("", (ROOT / name).read_text(encoding="utf-8"))
    for line in text.splitlines():
        if re.search(r"\d[\d,.]* (million|times|nodes|positions) ?(nodes|a second|/s)?", line):
            assert re.search(r"20\d\d-\d\d-\d\d", line), f"no date: {line}"
            assert "`" in line, f"no command: {line}"


def test_the_figures_of_the_readme_are_those_of_the_whole_list() -> None:
    rows = [
        re.findall(r"^\|.*20\d\d-\d\d-\d\d.*\|$", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
        for name in ("README.md", "docs/figures.md")
    ]
    assert len(rows[0]) == 5
    assert set(rows[0]) <= set(rows[1])
