"""Compile games ahead, for a wheel that brings their code: `python -m plywise.search.prebuild`.

    NUMBA_CPU_NAME=x86-64-v3 NUMBA_CPU_FEATURES= python -m plywise.search.prebuild FOLDER [GAME ...]

The build hook of the package calls it. The search of each game's default evaluation, the same with the
recorder on, and perft are written to the folder, with a manifest that says what they need.
"""

import json
import os
import sys
from pathlib import Path

from plywise.core.cache_folder import SUFFIX
from plywise.core.registry import load, shipped
from plywise.search.alphabeta import search_root
from plywise.search.specialisation import PerftCounter, Specialisation, search_changes


def prebuild(folder: Path, baseline: str, games: list[str]) -> list[Path]:
    """Compile games for a baseline into a folder; its files."""
    from plywise.native import prebuilt

    os.environ["PLYWISE_CACHE"] = str(folder)
    with prebuilt.build_for(baseline):
        for game in map(load, games):
            if not game.compiled:
                continue
            evaluation = game.evaluation("default")
            for record in (False, True):
                changes = search_changes(evaluation, record)
                _require_code(Specialisation(search_root, game, evaluation, changes))
            _require_code(PerftCounter(game).specialisation)
    manifest = json.dumps(prebuilt.describe(baseline), indent=2) + "\n"
    (folder / prebuilt.MANIFEST).write_text(manifest, encoding="utf-8")
    return sorted(path for path in folder.iterdir() if path.suffix in (SUFFIX, ".json"))


def _require_code(specialisation: Specialisation) -> None:
    if not specialisation.compiled:
        raise RuntimeError("a game could not be compiled")


if __name__ == "__main__":
    files = prebuild(Path(sys.argv[1]), os.environ["NUMBA_CPU_NAME"], sys.argv[2:] or list(shipped()))
    print(f"{len(files)} files, {sum(path.stat().st_size for path in files)} bytes")
