"""What `plywise check` says of each file of a folder, and how long it takes: a table.

    python benchmarks/check_mistakes.py FOLDER [FILE.py ...]

Seconds are of the processor: of a first run, with what is to be compiled, and of one more, whose code is in
the cache. The second is what a check takes beyond its compile; above 20 it has a `!`. Set PLYWISE_CACHE to an
empty folder, or the first run finds its code too.
"""

import argparse
import resource
import subprocess
import sys
from pathlib import Path

LONGEST = 20.0  # seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", help="files of the folder; all of them if none is named")
    wanted = parser.parse_args()
    files = [wanted.folder / name for name in wanted.names] or sorted(wanted.folder.glob("*.py"))
    print("| file | status | first | again | says |\n| --- | ---: | ---: | ---: | --- |")
    for file in files:
        first, _ = check(file)
        again, done = check(file)
        lines = [line for line in (done.stdout + done.stderr).splitlines() if "random games:" not in line]
        said = "<br>".join(lines).replace(f"{file.parent}/", "").replace("|", "\\|")
        slow = " !" if again > LONGEST else ""
        print(f"| {file.name} | {done.returncode} | {first:.1f} | {again:.1f}{slow} | {said} |", flush=True)
    return 0


def check(file: Path) -> tuple[float, subprocess.CompletedProcess[str]]:
    """Seconds of the processor, and what was said."""
    before = children_seconds()
    words = [sys.executable, "-m", "plywise", "check", str(file)]
    done = subprocess.run(words, capture_output=True, encoding="utf-8")
    return children_seconds() - before, done


def children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main())
