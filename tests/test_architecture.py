"""Import contracts, and promises that no other test would notice broken."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def test_import_contracts_are_kept() -> None:
    if not (ROOT / "src").is_dir():
        pytest.skip("import contracts are checked in a clone, not in an installed wheel")
    command = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([str(command), "--no-cache"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_public_surface_is_sorted_and_there() -> None:
    import plywise

    names = [name for name in plywise.__all__ if name.isupper()]
    assert names == sorted(names)
    for name in plywise.__all__:
        assert getattr(plywise, name).__doc__ or isinstance(getattr(plywise, name), int)
