"""What an installation of Plywise weighs: megabytes of each package that it needs at run time.

    python benchmarks/install_weight.py [--install]

The packages of this environment are weighed. With --install a fresh environment is made, `pip install .` is
timed in it, and that one is weighed, with its Python and pip.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
import venv
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def needed(name: str) -> dict[str, Distribution]:
    """A package and all that it needs, without extras."""
    found: dict[str, Distribution] = {}
    waiting = [name]
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        if name in found:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:  # for another system or Python
            continue
        for requirement in found[name].requires or ():
            if "extra ==" not in requirement:
                waiting += re.findall(r"^[\w.-]+", requirement)
    return found


def weigh_package(package: Distribution) -> float:
    """Megabytes of a package's files."""
    if package.name == "plywise":  # it may be installed as a link to its source
        return weigh_folder(ROOT / "src")
    paths = {Path(str(package.locate_file(file))) for file in package.files or ()}
    return sum(path.stat().st_size for path in paths if path.is_file()) / 1e6


def weigh_folder(folder: Path) -> float:
    """Megabytes of all files below a folder."""
    paths = (Path(place, name) for place, _, names in os.walk(folder) for name in names)
    return sum(path.stat().st_size for path in paths if not path.is_symlink()) / 1e6


def install(place: Path) -> float:
    """The seconds that `pip install .` takes in a fresh environment."""
    venv.create(place, with_pip=True)
    python = place / ("Scripts" if os.name == "nt" else "bin") / "python"
    began = time.perf_counter()
    subprocess.run([python, "-m", "pip", "install", "--quiet", str(ROOT)], check=True)
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--install", action="store_true", help="make a fresh environment, and time it")
    if parser.parse_args().install:
        with tempfile.TemporaryDirectory() as folder:
            took = install(Path(folder))
            print(f"pip install .: {took:.0f} s, {weigh_folder(Path(folder)):.0f} MB with Python's own files")
    weights = {name: weigh_package(package) for name, package in needed("plywise").items()}
    for name, megabytes in sorted(weights.items(), key=lambda one: -one[1]):
        print(f"{name:20} {megabytes:7.1f} MB")
    print(f"{len(weights)} packages, {sum(weights.values()):.0f} MB, Python {sys.version.split()[0]}")


if __name__ == "__main__":
    main()
