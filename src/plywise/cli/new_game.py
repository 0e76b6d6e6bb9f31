"""`plywise new`: write a package for a game of one's own, ready to be installed."""

import importlib.util
import keyword
import re
import shutil
from pathlib import Path

from plywise.cli.arguments import BadOption
from plywise.core.errors import UnknownName
from plywise.core.registry import shipped

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}+")
_NO_LETTERS = re.compile(r"\W++", re.ASCII)
TEMPLATES = Path(__file__).with_name("new_game_files")
FORMS = ("plain", "compiled")
# The files of a package, and the template of each.
FILES = {
    "pyproject.toml": "pyproject.toml.in",
    "README.md": "README.md.in",
    "src/@name@/__init__.py": "__init__.py.in",
    "src/@name@/rules.py": "@form@.py.in",
    "src/@name@/RULES.md": "RULES.md.in",
    "tests/test_@name@.py": "test.py.in",
}


def write_package(name: str, form: str, folder: Path | None = None) -> Path:
    """Write the package into a folder of the game's name, which must not be there yet."""
    _check_name(name)
    if form not in FORMS:
        raise UnknownName("form of a game", form, FORMS)
    target = (folder or Path()) / name
    if target.exists():
        raise BadOption(f"{target} is there already; nothing is written over")
    words = name.split("_")
    values = {
        "@name@": name,
        "@form@": form,
        "@class@": "".join(word.capitalize() for word in words),
        "@title@": " ".join(words).capitalize(),
        "@package@": name.replace("_", "-"),
    }
    try:
        _write_files(target, values)
    except OSError as error:  # a full disk: half a package would stand in the way of the next try
        shutil.rmtree(target, ignore_errors=True)
        raise BadOption(f"{target} cannot be written: {error.strerror or error}") from None
    print(f"{target}/ has a small game, Treblecross. Make it yours in {target}/src/{name}/rules.py")
    print(f"  plywise check {target}/src/{name}/rules.py   what is wrong with it")
    print(f"  pip install -e {target}   from then on every command knows {name}")
    print(f"  plywise   play it in your browser: New game, {values['@title@']}")
    return target


def _write_files(target: Path, values: dict[str, str]) -> None:
    for path, template in FILES.items():
        file = target / _fill(path, values)
        file.parent.mkdir(parents=True, exist_ok=True)
        text = (TEMPLATES / _fill(template, values)).read_text(encoding="utf-8")
        file.write_text(_fill(text, values), encoding="utf-8")


def _check_name(name: str) -> None:
    if keyword.iskeyword(name):
        raise BadOption(f"NAME {name!r} is a word of Python, so no module can be called so; choose another")
    if not _NAME.fullmatch(name):
        near = _NO_LETTERS.sub("_", name.lower()).strip("_0123456789")[:40]
        hint = f", as in {near!r}" if near and not keyword.iskeyword(near) else ", as in 'my_game'"
        raise BadOption(f"NAME {name!r}: a game is called by small letters, digits and _{hint}")
    if name in shipped():
        raise BadOption(f"NAME {name!r} is a game that comes with Plywise; choose another")
    if importlib.util.find_spec(name) is not None:
        raise BadOption(f"NAME {name!r} is a Python module that is installed already; choose another")


def _fill(text: str, values: dict[str, str]) -> str:
    for key, value in values.items():
        text = text.replace(key, value)
    return text
