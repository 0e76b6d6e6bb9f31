"""Import contracts, and promises that no other test would notice broken."""

import subprocess
import sys
from pathlib import Path
from types import FunctionType

import pytest

ROOT = Path(__file__).resolve().parents[1]


def test_import_contracts_are_kept() -> None:
    if not (ROOT / "src").is_dir():
        pytest.skip("import contracts are checked in a clone, not in an installed wheel")
    command = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([str(command), "--no-cache"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_public_surface_is_sorted_documented_and_there() -> None:
    import plywise

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
