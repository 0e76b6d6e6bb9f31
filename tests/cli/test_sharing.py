"""A game is a package: `plywise new` writes one, and all commands and the page know an installed one."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import plywise
from plywise.check import check
from plywise.cli.new_game import write_package
from plywise.core.errors import PlywiseError
from tests.conftest import interpreted
from tests.full_disk import full_disk

BROKEN = "from plywise import game\n\n@game(contract=7)\nclass Old:\n    turn = 0\n"
PLAYERS = ("plywise:depth=1", "plywise:depth=2")


def command(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A command of Plywise as it runs where `folder` holds installed packages."""
    paths = [str(folder), os.environ.get("PYTHONPATH", "")]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    line = [sys.executable, "-m", "plywise", *words]
    return subprocess.run(line, capture_output=True, encoding="utf-8", env=env, cwd=folder)


def install(folder: Path, package: str, entries: str, files: dict[str, str]) -> None:
    """What pip leaves of a package: its modules, its name, and its entry points."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[plywise.games]\n{entries}\n")


def install_new(folder: Path, name: str, form: str = "plain") -> None:
    made = write_package(name, form, folder / "work")
    source = {f"{name}/{path.name}": path.read_text() for path in (made / "src" / name).iterdir()}
    class_name = "".join(word.capitalize() for word in name.split("_"))
    install(folder, name, f"{name} = {name}.rules:{class_name}", source)


@pytest.mark.parametrize("form", ["plain", "compiled"])
def test_a_new_package_keeps_the_contract(tmp_path: Path, form: str) -> None:
    made = write_package("three_stones", form, tmp_path)
    game = plywise.load(str(made / "src" / "three_stones" / "rules.py"))
    assert (game.name, game.title, game.compiled) == ("three_stones", "Three stones", form == "compiled")
    with interpreted():
        assert [str(finding) for finding in check(game, positions=60) if finding.rule != "compiles"] == []
    assert "Treblecross" in game.rules()
    files = {str(path.relative_to(made)) for path in made.rglob("*") if path.is_file()}
    assert files == {
        "README.md",
        "pyproject.toml",
        "src/three_stones/RULES.md",
        "src/three_stones/__init__.py",
        "src/three_stones/rules.py",
        "tests/test_three_stones.py",
    }
    assert not any("@name@" in (made / file).read_text() for file in files)
    assert 'three_stones = "three_stones.rules:ThreeStones"' in (made / "pyproject.toml").read_text()


@pytest.mark.parametrize(
    ("name", "form", "sentence"),
    [
        ("My Game", "plain", "as in 'my_game'"),
        ("class", "plain", "NAME 'class' is a word of Python, so no module can be called so"),
        ("../x", "plain", "small letters, digits and _"),
        ("chess", "plain", "comes with Plywise"),
        ("json", "plain", "a Python module that is installed already"),
        ("mine", "fast", "unknown form of a game 'fast'"),
    ],
)
def test_a_package_that_cannot_be_is_refused(tmp_path: Path, name: str, form: str, sentence: str) -> None:
    with pytest.raises(PlywiseError) as error:
        write_package(name, form, tmp_path)
    assert sentence in str(error.value)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    with pytest.raises(PlywiseError, match="is there already"):
        write_package("mine", "plain", tmp_path)
    assert list((tmp_path / "mine").iterdir()) == []


def test_a_full_disk_leaves_no_half_package(tmp_path: Path) -> None:
    with full_disk(), pytest.raises(PlywiseError, match="mine cannot be written: File too large"):
        write_package("mine", "plain", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_an_installed_game_is_known_to_every_command(tmp_path: Path) -> None:
    install_new(tmp_path, "three_stones")
    listed = command(tmp_path, "games", "--json")
    assert (
        json.loads(listed.stdout)["games"]["three_stones"] == "Put stones on a row; three side by side win."
    )
    assert listed.stderr == ""
    moves = command(tmp_path, "moves", "three_stones", "--json")
    assert list(json.loads(moves.stdout)["moves"]) == list("abcdefghi")
    found = command(tmp_path, "analyse", "three_stones", "--depth", "3", "--json")
    assert json.loads(found.stdout)["game"] == "three_stones"
    rules = command(tmp_path, "rules", "three_stones")
    assert "Treblecross" in rules.stdout
    match = command(tmp_path, "match", "three_stones", *PLAYERS, "--pairs", "1", "--workers", "1", "--json")
    assert match.returncode == 0, match.stderr
    near = command(tmp_path, "moves", "three_stone")
    assert "did you mean 'three_stones'?" in near.stderr


def test_a_broken_package_is_named_and_skipped(tmp_path: Path) -> None:
    install_new(tmp_path, "three_stones")
    install(tmp_path, "old_game", "old = old_game:Old", {"old_game.py": BROKEN})
    install(tmp_path, "other_chess", "chess = other_chess:Chess", {"other_chess.py": "1 / 0\n"})
    install(tmp_path, "zz_stones", "three_stones = zz_stones:X", {"zz_stones.py": "1 / 0\n"})
    install(tmp_path, "no_game", "nothing = no_game:x", {"no_game.py": "x = 3\n"})
    install(tmp_path, "empty", "empty = empty:Empty", {"empty.py": "x = 3\n"})
    install(tmp_path, "exits", "exits = exits:X", {"exits.py": "import sys\nsys.exit(3)\n"})
    done = command(tmp_path, "games", "--json")
    names = json.loads(done.stdout)["games"]
    assert {"chess", "three_stones"} <= set(names) and not {"old", "nothing"} & set(names)
    warnings = sorted(done.stderr.splitlines())
    assert len(warnings) == 6, warnings
    assert (
        "zz_stones: its game 'three_stones' is skipped" not in done.stderr or "has that name" in done.stderr
    )
    assert "other_chess: its game 'chess' is skipped: a shipped game has that name" in done.stderr
    assert "old_game: its game 'old' does not import" in done.stderr and "old_game.py:3:" in done.stderr
    assert "unexpected keyword argument 'contract'; @game takes title" in done.stderr
    assert "empty: its game 'empty' does not import: AttributeError: module 'empty' has no" in done.stderr
    assert "exits.py:2: SystemExit: 3; a file of rules must not end the program" in done.stderr
    assert "no_game: its game 'nothing' is no class marked with @game" in done.stderr
    refused = command(tmp_path, "moves", "old")
    assert refused.returncode == 2 and refused.stderr.count("\n") == 1


def test_the_page_offers_installed_games_and_says_which_are_broken(tmp_path: Path) -> None:
    install_new(tmp_path, "three_stones")
    install(tmp_path, "old_game", "old = old_game:Old", {"old_game.py": BROKEN})
    code = (
        "from plywise.web.catalogue import Catalogue; c = Catalogue();"
        "print([i['name'] for i in c.game_infos if i['name'] == 'three_stones'],"
        " c.game('three_stones').title, c.source('three_stones'), len(c.notes))"
    )
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", env=env)
    assert done.stdout == "['three_stones'] Three stones three_stones 1\n", done.stderr


@pytest.mark.thorough("makes an environment and installs a package by pip")
def test_three_commands_lead_to_a_game_in_the_browser(tmp_path: Path) -> None:
    """`plywise new`, `pip install`, `plywise`; the last is only asked for its games."""
    assert command(tmp_path, "new", "three_stones").returncode == 0
    options = ["--no-deps", "--no-build-isolation", "--target", "site", "./three_stones"]
    pip = [sys.executable, "-m", "pip", "install", *options]
    done = subprocess.run(pip, cwd=tmp_path, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    listed = command(tmp_path / "site", "games", "--json")
    assert "three_stones" in json.loads(listed.stdout)["games"]
