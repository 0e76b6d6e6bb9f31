"""Every mistake of authors is told with its file, line, reason and cure; what is none works in both forms."""

import re
import subprocess
import sys
import warnings
from contextlib import nullcontext
from pathlib import Path

import pytest

import plywise
from plywise.check import check
from plywise.core.errors import PlywiseError
from plywise.search.specialisation import NotCompiled, PerftCounter
from tests.check.mistake_files import RIGHT, TOLD
from tests.check.mistakes import (
    COMPILED,
    COMPILED_MISTAKES,
    EXTRAS,
    PLAIN,
    PLAIN_MISTAKES,
    UNCOMPILABLE,
    WORKS,
    Mistake,
)
from tests.conftest import ROOT, Scaled, interpreted

SHARED = ROOT.parent / "shared" / "findings" / "mistakes"


def said(file: Path, compiled: bool = False) -> list[str]:
    """All that `check` says of a game, or the sentence by which it is refused."""
    try:
        with nullcontext() if compiled else interpreted():
            found = list(check(plywise.load(str(file)), positions=120))
    except PlywiseError as error:
        return [str(error)]
    return [str(finding) for finding in found if compiled or finding.rule != "compiles"]


def assert_told(file: Path, words: list[str], one: Mistake) -> None:
    fitting = [sentence for sentence in words if all(part in sentence for part in one.says)]
    assert fitting, words
    assert not one.line or f"{file.name}:{one.line}:" in fitting[0], fitting[0]
    assert not re.search(r"_[0-9a-f]{20}", " ".join(words))


@pytest.mark.parametrize(
    ("source", "one"),
    [
        pytest.param(source, one, id=one.name)
        for source, mistakes in ((PLAIN, PLAIN_MISTAKES), (COMPILED, COMPILED_MISTAKES))
        for one in mistakes
    ],
)
def test_a_mistake_is_told_with_line_reason_and_cure(tmp_path: Path, source: str, one: Mistake) -> None:
    assert one.old in source
    file = tmp_path / "mine.py"
    text = source.replace(one.old, one.new, 1)
    file.write_text(
        text.replace("        return Table(", "        from plywise import Table\n        return Table(")
    )
    assert_told(file, said(file), one)


@pytest.mark.thorough("compiles each rule alone")
@pytest.mark.parametrize("one", [pytest.param(one, id=one.name) for one in UNCOMPILABLE])
def test_what_cannot_be_compiled_is_told_in_our_words(tmp_path: Path, one: Mistake) -> None:
    file = tmp_path / "mine.py"
    body = COMPILED.replace(one.old, one.new, 1)
    file.write_text(body.replace("\n\n@game", "\n" + EXTRAS.replace("\n\n\ndef", "\ndef") + "\n\n@game", 1))
    line = next(i for i, text in enumerate(file.read_text().splitlines(), 1) if "def evaluate" in text)
    assert_told(file, said(file, compiled=True), one._replace(line=line + one.line - 28))


@pytest.mark.parametrize("name", WORKS)
def test_what_is_no_mistake_works(tmp_path: Path, name: str, scaled: Scaled) -> None:
    source, old, new = WORKS[name]
    assert old in source
    file = tmp_path / "mine.py"
    file.write_text(source.replace(old, new, 1))
    assert said(file, scaled.compiled) == []


def test_no_hook_is_taken_for_a_rule_that_is_missing(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    hook = "\n    def move_text(self, move):\n        return str(move)\n"
    file.write_text(PLAIN.replace("def moves(", "def cells_to_fill(") + hook)
    assert said(file) == [f"{file}:6: Row has no method 'moves'"]


def test_own_methods_are_compiled_with_the_rules(tmp_path: Path) -> None:
    """`_replace`, methods, static methods and generators at once; an edit of a method makes other code."""
    file = tmp_path / "mine.py"
    source = COMPILED
    for _, old, new in (WORKS["_replace"], WORKS["a generator in the compiled form"]):
        source = source.replace(old, new, 1)
    source = source.replace("self.place >= 12", "self.reached(twelve=12)", 1)
    source += (
        "\n    def reached(self, twelve):\n        return self.place + self.none() * Steps.one(1) >= twelve\n"
    )
    source += "\n    @staticmethod\n    def one(x):\n        return x\n"
    source += "\n    @staticmethod\n    def none():\n        return 0\n"
    counts = []
    for change in ("return 0\n", "return 6\n"):
        file.write_text(source.replace("return 0\n", change))
        game = plywise.load(str(file))
        counter = PerftCounter(game)
        assert counter.specialisation.compiled
        counts.append(counter(game.start(), 6))
        assert counts[-1] == PerftCounter(game, compiled=False)(game.start(), 6)
    assert counts[0] != counts[1]


def test_one_warning_once_and_no_hashes_in_it(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        COMPILED.replace("        return LOST if", "        far = int('3')\n        return LOST if")
    )
    game = plywise.load(str(file))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default", NotCompiled)
        PerftCounter(game)
        PerftCounter(game)
    assert {str(one.message) for one in caught} == {
        f"{file}:23: Steps.outcome cannot be compiled: int() is not for compiled rules; it reads no text;"
        " write the number itself; it is played uncompiled"
    }


# --- in a process of its own -------------------------------------------------------------------------
def command(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "plywise", *words], capture_output=True, encoding="utf-8")


@pytest.mark.thorough("waits for ten seconds of processor time")
def test_rules_without_an_end_are_told_with_line_and_position(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        PLAIN.replace(
            "        return [i",
            "        while self.cells.count('x') == 2:\n            pass\n        return [i",
        )
    )
    done = command("check", str(file))
    assert done.returncode == 1
    assert re.search(
        r"endless: .*mine\.py:1[56]: moves\(\) does not end within 10 s in \[Row\(cells=", done.stdout
    )


def test_what_rules_print_is_kept_off_standard_output(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(PLAIN.replace("        return [i", "        print('thinking')\n        return [i"))
    done = command("analyse", str(file), "--depth", "4", "--json")
    assert done.returncode == 0
    assert done.stdout.count("\n") == 1 and done.stdout.startswith('{"game": "row"')
    assert 50 <= done.stderr.count("thinking") < 60
    assert "prints more, which is not shown" in done.stderr


def test_check_says_what_was_seen_in_random_games(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(PLAIN)
    done = command("check", str(file))
    assert done.returncode == 0
    assert re.match(r"100 random games: white won \d+, black won \d+, \d+ drawn; \d to 6 plies", done.stdout)
    assert done.stdout.endswith("row keeps the contract\n")


# A file in the compiled form takes up to half a minute: one in four here, all in benchmarks/check_mistakes.
FILES = [*sorted(SHARED.glob("p*.py")), *sorted(SHARED.glob("[!p]*.py"))[::4]]


@pytest.mark.thorough("compiles many of the files")
@pytest.mark.skipif(not SHARED.is_dir(), reason="the files of mistakes are not here")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_file_of_mistakes_is_silent(file: Path) -> None:
    """What is wrong is told with the file, the line, the reason and the cure; the others are right."""
    done = command("check", str(file))
    told = [line for line in (done.stdout + done.stderr).splitlines() if not line.startswith(" ")]
    told = [line for line in told if "random games:" not in line and not line.endswith("keeps the contract")]
    assert (file.stem in RIGHT) == (not told), told
    assert not told or file.name in told[0], told
    missing = [words for words in TOLD.get(file.stem, ()) if words not in " ".join(told)]
    assert missing == [], told


@pytest.mark.skipif(not SHARED.is_dir(), reason="the files of mistakes are not here")
def test_the_table_has_every_file_of_mistakes() -> None:
    assert {file.stem for file in SHARED.glob("*.py")} == {*TOLD, *RIGHT}
    assert not RIGHT & set(TOLD)
