"""List all sentences that a visitor of the page can read, so that they can be read through.

    python docs/list_words.py [WORD]

Texts of the page's modules that have a blank or begin with a capital letter, with file and line; with a
WORD, only those that contain it.
"""

import re
import sys
from pathlib import Path

STATIC = Path(__file__).resolve().parents[1] / "src" / "plywise" / "web" / "static"
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
CODE = re.compile(r"[<>{}=;]|^[#.\[]|^\./|^\w+(?: \w+)*:$|^[a-z]+(?:-[a-z]+)+(?: [a-z-]+)*$")


def sentences(path: Path) -> list[tuple[int, str]]:
    """The texts of a module that people read, with their lines."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith(("import ", "/**", "*", "//")):
            continue
        for plain, template in LITERAL.findall(line):
            words = re.sub(r"\$\{[^}]*\}", "…", plain or template)
            readable = (" " in words.strip() or words[:1].isupper()) and re.search(r"[A-Za-z]{2}", words)
            if readable and not CODE.search(words):
                found.append((number, words))
    return found


def main() -> None:
    wanted = sys.argv[1].lower() if len(sys.argv) > 1 else ""
    for path in sorted(STATIC.rglob("*.js")):
        for number, words in sentences(path):
            if wanted in words.lower():
                print(f"{path.relative_to(STATIC).as_posix()}:{number}: {words}")


if __name__ == "__main__":
    main()
