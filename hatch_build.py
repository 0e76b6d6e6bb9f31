"""The build hook of the package: if asked to, it puts compiled code of the games into the wheel.

PLYWISE_PREBUILD names the baseline of processors, as LLVM does (x86-64-v3); without it the hook does
nothing. PLYWISE_PREBUILD_GAMES names the games, by default all that are shipped. See docs/prebuilt.md.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACE = "plywise/native/prebuilt_code"


class PrebuiltCode(BuildHookInterface):
    """Compiles games in a process of their own, for the baseline."""

    folder: Path | None = None

    def dependencies(self) -> list[str]:
        """What the games need to be compiled, if they are."""
        return list(self.metadata.core.dependencies) if os.environ.get("PLYWISE_PREBUILD") else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        baseline = os.environ.get("PLYWISE_PREBUILD")
        if not baseline or version == "editable":
            return
        self.folder = Path(tempfile.mkdtemp())
        environment = os.environ | {
            "NUMBA_CPU_NAME": baseline,
            "NUMBA_CPU_FEATURES": "",
            "PYTHONPATH": str(Path(self.root) / "src"),
        }
        games = os.environ.get("PLYWISE_PREBUILD_GAMES", "").split()
        command = [sys.executable, "-m", "plywise.search.prebuild", str(self.folder), *games]
        subprocess.run(command, check=True, env=environment)
        for path in sorted(self.folder.iterdir()):
            if path.suffix in (".native", ".json"):
                build_data["force_include"][str(path)] = f"{PLACE}/{path.name}"
        build_data["pure_python"], build_data["infer_tag"] = False, True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
