"""Where the oracle data is, if it is there: ../shared/oracles beside the project.

The tests pass without it. Checks that need it say so when it is missing, and are counted as skipped.
"""

from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "oracles"


def oracle(name: str) -> Path:
    """The oracle file of that name; skips the test, with the reason, where there is none."""
    path = FOLDER / name
    if not path.exists():
        pytest.skip(f"oracle folder ../shared/oracles is not there: {name} was not checked")
    return path
