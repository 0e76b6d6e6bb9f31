"""Import contracts, ARCHITECTURE.md, names, and promises that no other test would notice broken."""

import ast
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from types import FunctionType

import pytest

import plywise

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = Path(plywise.__file__).parent
MODULES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))
PACKAGES = [path.parent for path in MODULES if path.name == "__init__.py" and path.parent != Path()]


def test_import_contracts_are_kept() -> None:
    if not (ROOT / "src").is_dir():
        pytest.skip("import contracts are checked in a clone, not in an installed wheel")
    command = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([str(command), "--no-cache"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_public_surface_is_sorted_documented_and_there() -> None:
    kinds = [str.isupper, lambda name: name[0].isupper() and not name.isupper(), str.islower]
    by_kind = [sorted(name for name in plywise.__all__ if kind(name)) for kind in kinds]
    assert plywise.__all__ == [name for names in by_kind for name in names], "constants, classes, functions"
    for name in plywise.__all__:
        value = getattr(plywise, name)
        if isinstance(value, (type, FunctionType)):
            # Its own, not that of a base class; and none that Python makes.
            text = (vars(value).get("__doc__") if isinstance(value, type) else value.__doc__) or ""
            assert text and not text.startswith(f"{name}("), f"{name} has no docstring"
        else:
            assert isinstance(value, int), name


# --- ARCHITECTURE.md ----------------------------------------------------------------------------------
def in_code(text: str) -> list[str]:
    """What stands between backticks."""
    return re.findall(r"`([^`\n]+)`", text)


def test_every_path_in_the_architecture_exists() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    paths = [code for code in in_code(text) if re.fullmatch(r"[a-z_]+(/[a-z_.-]*)+", code)]
    roots = (PACKAGE, PACKAGE / "web")  # the page's files are called static/...
    missing = sorted({path for path in paths if not any((root / path).exists() for root in roots)})
    assert len(paths) > 40
    assert not missing, f"ARCHITECTURE.md names what does not exist: {', '.join(missing)}"


def test_the_architecture_lists_every_package() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = text.partition("## The packages")[2].partition("## ")[0]
    listed = {
        code for line in table.splitlines() if line.startswith("|") for code in in_code(line.split("|")[1])
    }
    top = {str(path) for path in PACKAGES if len(path.parts) == 1}
    assert listed == top, (
        f"the table of packages in ARCHITECTURE.md differs: {', '.join(sorted(listed ^ top))}"
    )
    inner = [path.as_posix() for path in PACKAGES if len(path.parts) > 1 and path.parts[0] != "games"]
    unnamed = [path for path in inner if not any(code.startswith(path) for code in in_code(text))]
    assert not unnamed, f"ARCHITECTURE.md does not name {', '.join(unnamed)}"


# --- names and sizes ------------------------------------------------------------------------------------
# Names that modules or packages of several packages may share, and why. Games are islands: their modules
# are named alike on purpose, and are left out.
SHARED_NAMES = {
    "errors": "core defines the exceptions, cli words them for the terminal",
    "wording": "core words scores, explain reasons, web the page's share of them",
    "handlers": "web answers requests, web/why those of its tab",
    "export": "arena writes the games of a match, web one game of the page",
    "bits": "core has the operations in Python, native the same in machine code",
    "board": "core describes a board, cli/terminal prints it",
    "game": "core has the rules, cli/terminal and web/live a game being played there",
    "vectors": "core has the rows in Python, native the same in machine code",
    "wide_bits": "core has large sets in Python, native the same in machine code",
    "monotonic": "core has the clock in Python, native the same in machine code",
    "match": "the command, and what it starts",
    "learn": "the command, and what it starts",
    "explain": "the command, and what it starts",
    "play": "the command, and what it starts",
    "solve": "the command, and what it starts",
    "tune": "the command, and what it starts",
    "skirmish": "the game, its agents, its command",
}


def test_no_two_packages_have_a_module_of_the_same_name() -> None:
    places = defaultdict(list)
    for path in MODULES:
        if path.parts[0] == "games" and len(path.parts) > 2 and path.name != "__init__.py":
            continue
        name = path.parent.name if path.name == "__init__.py" else path.stem
        places[name].append(path.as_posix())
    twice = {name: where for name, where in places.items() if len(where) > 1 and name not in SHARED_NAMES}
    assert not twice, f"one name for two things, or say in SHARED_NAMES why: {twice}"


LONGEST = 640  # lines; nine in ten modules are far shorter


def test_no_module_is_too_long() -> None:
    lengths = {str(path): (PACKAGE / path).read_text(encoding="utf-8").count("\n") for path in MODULES}
    long = {path: length for path, length in lengths.items() if length > LONGEST}
    assert not long, f"longer than {LONGEST} lines, split them: {long}"


# A function is named by a verb for what it does, or by a noun for what it gives. A participle hides work.
IRREGULAR = re.compile(
    "bought|built|caught|chosen|done|drawn|fed|found|given|gone|heard|held|kept|known|laid|led|lent|made|meant|met"
    "|paid|said|seen|sent|shown|sold|spent|spoken|taken|taught|thought|told|understood|worn|written"
)
PARTICIPLES_ALLOWED = {
    "compiled": "the decorator, a public name",
    "shipped": "a public name",
    "spent": "how much time or work went into something so far",
    "trained": "an evaluation of checkers: evaluations are functions and have names of players",
}
NO_PARTICIPLES = {"bleed", "breed", "embed", "exceed", "feed", "need", "proceed", "seed", "shed", "speed"}


def is_property(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether it is read like a field: then a participle is what something is."""
    return any(isinstance(one, ast.Name) and one.id.endswith("property") for one in node.decorator_list)


def test_no_function_is_named_by_a_participle_alone() -> None:
    found = []
    for path in MODULES:
        for node in ast.walk(ast.parse((PACKAGE / path).read_text(encoding="utf-8"))):
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or is_property(node):
                continue
            name = node.name.lstrip("_")
            participle = (name.endswith("ed") and "_" not in name) or IRREGULAR.fullmatch(name)
            if participle and name not in PARTICIPLES_ALLOWED and name not in NO_PARTICIPLES:
                found.append(f"{path}:{node.lineno} {node.name}")
    assert not found, f"name by a verb what works, by a noun what is: {', '.join(found)}"
