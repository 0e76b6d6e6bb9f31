"""List all sentences that a player can read, on the page and in the terminal.

    python docs/list_words.py [WORD]

Texts of the page's modules that have a blank or begin with a capital letter, and texts with blanks of the
Python packages that speak to players, with file and line; with a WORD, only those that contain it.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "plywise"
STATIC = PACKAGE / "web" / "static"
SPEAKING = ("web", "cli", "play", "core")  # packages with sentences for players
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


def python_sentences(path: Path) -> Iterator[tuple[int, str]]:
    """The texts of a Python module that have a blank, without its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    silent = {id(one.value) for one in ast.walk(tree) if isinstance(one, ast.Expr)}
    for joined in ast.walk(tree):
        if isinstance(joined, ast.JoinedStr):
            silent.update(map(id, joined.values))
    for node in ast.walk(tree):
        parts = node.values if isinstance(node, ast.JoinedStr) else [node]
        if id(node) in silent or not any(isinstance(one, ast.Constant) for one in parts):
            continue
        words = "".join(_constant(one) for one in parts)
        if re.search(r"[A-Za-z]{2,} [A-Za-z…']", words) and "  " not in words.strip():
            yield int(getattr(node, "lineno", 0)), words.strip()


def _constant(part: ast.AST) -> str:
    return part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else "…"


def main() -> None:
    wanted = sys.argv[1].lower() if len(sys.argv) > 1 else ""
    found = [(path, STATIC, sentences(path)) for path in sorted(STATIC.rglob("*.js"))]
    for name in SPEAKING:
        modules = sorted((PACKAGE / name).rglob("*.py"))
        found += [(path, PACKAGE, sorted(python_sentences(path))) for path in modules]
    for path, root, texts in found:
        for number, words in texts:
            if wanted in words.lower():
                print(f"{path.relative_to(root).as_posix()}:{number}: {words}")


if __name__ == "__main__":
    main()
