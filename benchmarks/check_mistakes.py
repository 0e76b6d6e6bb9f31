"""What `plywise check` says of each file of a folder, and how long it takes: a table.

    python benchmarks/check_mistakes.py FOLDER [FILE.py ...]

Seconds are of the processor, compiling included.
"""

import argparse
import resource
import subprocess
import sys
from pathlib import Path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", help="files of the folder; all of them if none is named")
    wanted = parser.parse_args()
    files = [wanted.folder / name for name in wanted.names] or sorted(wanted.folder.glob("*.py"))
    print("| file | status | seconds | says |\n| --- | ---: | ---: | --- |")
    for file in files:
        before = children_seconds()
        words = [sys.executable, "-m", "plywise", "check", str(file)]
        done = subprocess.run(words, capture_output=True, encoding="utf-8")
        lines = [line for line in (done.stdout + done.stderr).splitlines() if "random games:" not in line]
        said = lines[0].replace(f"{file.parent}/", "").replace("|", "\\|") if lines else ""
        print(f"| {file.name} | {done.returncode} | {children_seconds() - before:.1f} | {said} |", flush=True)
    return 0


def children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main())
