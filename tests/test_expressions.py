"""No regular expression of the package takes more than linear time, whatever text it meets.

Three walls: expressions are compiled where a module begins, so that none is overlooked; their structure
leaves a matcher no choice to regret; and each is attacked with texts made from its own parts.
"""

import ast
import importlib
import itertools
import re
import re._constants as sre  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import plywise
from tests.processor_time import measured

ROOT = Path(plywise.__file__).parent
# Names of cells, escaped and without repetition, which only the board of a game can tell.
MADE_LATER = {("core/effects.py", "_names")}
USED = re.compile(r"\bre\.|\bfrom re\b")  # in modules that have any
SMALL = 8  # a repeat that ends after so many is no loop
SAMPLES = sorted({*map(chr, range(128)), "é", "\u0663", "½", "…", "\u212a"})
SIZES = (*range(12, 41, 4), 200, 2_000)
LARGE = 20_000  # characters, looked at where 2,000 took long enough to be suspicious
SUSPICIOUS = 0.002
LONGEST = 0.2  # seconds of processor time: a linear one takes about 0.005, a quadratic one over 1


USES: dict[str, Callable[["re.Pattern[str]", str], Any]] = {
    "match": lambda pattern, text: pattern.match(text),
    "fullmatch": lambda pattern, text: pattern.fullmatch(text),
    "search": lambda pattern, text: pattern.search(text),
    "sub": lambda pattern, text: pattern.sub("", text),
    "split": lambda pattern, text: pattern.split(text),
    "findall": lambda pattern, text: pattern.findall(text),
    "finditer": lambda pattern, text: sum(1 for _ in pattern.finditer(text)),
}


# --- where they are -----------------------------------------------------------------------------
def sources() -> list[Path]:
    return sorted(ROOT.rglob("*.py"))


def calls(tree: ast.AST) -> Iterator[tuple[ast.Call, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=attr)):
                yield node, attr


def at_the_top(tree: ast.Module) -> dict[str, ast.Call]:
    """The expressions that a module compiles where it begins, by name."""
    return {
        statement.targets[0].id: statement.value
        for statement in tree.body
        if isinstance(statement, ast.Assign)
        and isinstance(statement.targets[0], ast.Name)
        and isinstance(statement.value, ast.Call)
        and any(statement.value is call and attr == "compile" for call, attr in calls(statement))
    }


def methods(tree: ast.Module) -> dict[str, set[str]]:
    """How a module uses each of its names as an expression."""
    used: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in USES:
            used.setdefault(node.value.id, set()).add(node.attr)
    return used


def expressions() -> Iterator[tuple[str, "re.Pattern[str]", set[str]]]:
    for path in sources():
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text if "re.compile(" in text else "")
        used = methods(tree)
        for name in at_the_top(tree):
            place = path.relative_to(ROOT)
            module = importlib.import_module(".".join(["plywise", *place.with_suffix("").parts]))
            yield f"{place}:{name}", getattr(module, name), used.get(name, set())


EACH = pytest.mark.parametrize(
    ("name", "pattern", "used"), [pytest.param(*one, id=one[0]) for one in expressions()]
)


def test_expressions_are_compiled_where_a_module_begins() -> None:
    for path in sources():
        text = path.read_text(encoding="utf-8")
        if USED.search(text):
            check_places(path, ast.parse(text))


def check_places(path: Path, tree: ast.Module) -> None:
    found = {id(call) for call in at_the_top(tree).values()}
    for function in ast.walk(tree):
        name = getattr(function, "name", "")
        if (path.relative_to(ROOT).as_posix(), name) in MADE_LATER:
            found |= {id(call) for call, _ in calls(function)}
    for call, attr in calls(tree):
        assert attr == "escape" or id(call) in found, f"{path}:{call.lineno}: re.{attr} inside the code"
    for node in ast.walk(tree):
        assert not (isinstance(node, ast.ImportFrom) and node.module == "re"), f"{path}:{node.lineno}"


# --- their structure ----------------------------------------------------------------------------
CATEGORIES: dict[Any, Callable[[str], bool]] = {
    sre.CATEGORY_DIGIT: str.isdecimal,
    sre.CATEGORY_SPACE: str.isspace,
    sre.CATEGORY_WORD: lambda sign: sign.isalnum() or sign == "_",
}
REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)


class Anatomy:
    """What an expression is made of: sets of characters, what may come first, what may be empty."""

    def __init__(self, pattern: "re.Pattern[str]") -> None:
        self.flags = pattern.flags
        self.tree = parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)
        self.problems: list[str] = []

    def signs(self, op: Any, value: Any) -> set[str]:
        """The samples that one node takes."""
        if op is sre.LITERAL:
            taken = {chr(value)}
        elif op is sre.NOT_LITERAL:
            return set(SAMPLES) - self.cases({chr(value)})
        elif op is sre.ANY:
            return set(SAMPLES) if self.flags & re.DOTALL else set(SAMPLES) - {"\n"}
        elif op is sre.RANGE:
            taken = {sign for sign in SAMPLES if value[0] <= ord(sign) <= value[1]}
        elif op is sre.CATEGORY:
            name = str(value)
            rule = CATEGORIES[getattr(sre, name.replace("_NOT_", "_"))]
            ascii_only = bool(self.flags & re.ASCII)
            fits = {sign for sign in SAMPLES if rule(sign) and (sign.isascii() or not ascii_only)}
            return set(SAMPLES) - fits if "_NOT_" in name else fits
        else:
            assert op is sre.IN, op
            negated = value[0][0] is sre.NEGATE
            taken = set().union(*(self.signs(*one) for one in value[negated:]))
            return set(SAMPLES) - taken if negated else taken
        return self.cases(taken)

    def cases(self, signs: set[str]) -> set[str]:
        if not self.flags & re.IGNORECASE:
            return signs
        return {sign for sign in SAMPLES if sign.lower() in {one.lower() for one in signs}} | signs

    def first(self, items: Any) -> set[str]:
        """What a part may begin with."""
        result: set[str] = set()
        for op, value in items:
            if op is sre.BRANCH:
                result |= set().union(*(self.first(one) for one in value[1]))
            elif op is sre.SUBPATTERN:
                result |= self.first(value[3])
            elif op is sre.ATOMIC_GROUP:
                result |= self.first(value)
            elif op in REPEATS:
                result |= self.first(value[2])
            elif op in (sre.ASSERT, sre.ASSERT_NOT, sre.AT):
                pass
            elif op is sre.GROUPREF:
                return set(SAMPLES)
            else:
                result |= self.signs(op, value)
            if not self.empty([(op, value)]):
                break
        return result

    def empty(self, items: Any) -> bool:
        """Whether a part may match nothing."""
        for op, value in items:
            if op is sre.BRANCH:
                could = any(self.empty(one) for one in value[1])
            elif op is sre.SUBPATTERN:
                could = self.empty(value[3])
            elif op is sre.ATOMIC_GROUP:
                could = self.empty(value)
            elif op in REPEATS:
                could = value[0] == 0 or self.empty(value[2])
            else:
                could = op in (sre.ASSERT, sre.ASSERT_NOT, sre.AT)
            if not could:
                return False
        return True

    def walk(self, items: Any, follow: set[str], loop: bool) -> None:
        """Note every choice that a matcher could come back to again and again."""
        items = list(items)
        for at, (op, value) in enumerate(items):
            rest = items[at + 1 :]
            after = self.first(rest) | (follow if self.empty(rest) else set())
            if op in REPEATS:
                _, most, item = value
                again = self.first(item)
                long = most > SMALL
                if (long or loop) and op is not sre.POSSESSIVE_REPEAT and again & after:
                    self.problems.append(f"a repeat and what follows both take {min(again & after)!r}")
                if long and self.empty(item):
                    self.problems.append("a repeat of what may be empty")
                self.walk(item, after | (again if most > 1 else set()), loop or long)
            elif op is sre.BRANCH:
                for one, other in itertools.combinations(value[1], 2):
                    if loop and self.first(one) & self.first(other):
                        self.problems.append("two branches of a repeat begin alike")
                for one in value[1]:
                    self.walk(one, after, loop)
            elif op is sre.SUBPATTERN:
                self.walk(value[3], after, loop)
            elif op is sre.ATOMIC_GROUP:
                self.walk(value, after, loop)
            elif any(one in REPEATS and deep[1] > SMALL for one, deep in self.nodes(items[at : at + 1])):
                self.problems.append("a repeat in what is only looked at")

    def nodes(self, items: Any) -> Iterator[tuple[Any, Any]]:
        for op, value in items:
            yield op, value
            for part in self.parts(op, value):
                yield from self.nodes(part)

    def parts(self, op: Any, value: Any) -> list[Any]:
        if op is sre.BRANCH:
            return list(value[1])
        if op is sre.SUBPATTERN:
            return [value[3]]
        if op is sre.ATOMIC_GROUP:
            return [value]
        if op in REPEATS:
            return [value[2]]
        return [value[1]] if op in (sre.ASSERT, sre.ASSERT_NOT) else []

    # --- texts that it takes --------------------------------------------------------------------
    def example(self, items: Any, choice: int) -> str:
        """A short text that a part takes; `choice` says which branch and which characters."""
        words = ""
        for op, value in items:
            if op is sre.BRANCH:
                words += self.example(value[1][choice % len(value[1])], choice)
            elif op is sre.SUBPATTERN:
                words += self.example(value[3], choice)
            elif op is sre.ATOMIC_GROUP:
                words += self.example(value, choice)
            elif op in REPEATS:
                words += self.example(value[2], choice) * max(value[0], min(1, choice % 2, value[1]))
            elif op not in (sre.ASSERT, sre.ASSERT_NOT, sre.AT, sre.GROUPREF):
                shown = sorted(self.signs(op, value), key=lambda sign: (not sign.isprintable(), sign))
                words += shown[choice % len(shown)]
        return words

    def pumps(self, items: Any, before: tuple[str, ...] = ("",)) -> Iterator[tuple[str, str]]:
        """For every repeat: what leads to it, and what it repeats."""
        for op, value in items:
            for branch in self.parts(op, value):
                yield from self.pumps(branch, before)
            if op in REPEATS and value[1] > SMALL:
                for lead, choice in itertools.product(before, range(6)):
                    yield lead, self.example(value[2], choice)
            more = {self.example([(op, value)], choice) for choice in range(4)}
            before = tuple(sorted({lead + word for lead in before for word in more})[:6])


@EACH
def test_no_repeat_overlaps_another(name: str, pattern: "re.Pattern[str]", used: set[str]) -> None:
    anatomy = Anatomy(pattern)
    anatomy.walk(anatomy.tree, set(), False)
    assert not anatomy.problems, f"{pattern.pattern}: {'; '.join(anatomy.problems)}"


# --- under attack -------------------------------------------------------------------------------
def attacks(pattern: "re.Pattern[str]") -> Iterator[tuple[str, str, str]]:
    """What leads in, what is repeated, and what fails at the end."""
    anatomy = Anatomy(pattern)
    pumped = set(anatomy.pumps(anatomy.tree))
    signs = sorted({sign for lead, item in pumped for sign in lead + item} | {"x", " ", "0"})[:16]
    pumped |= {("", one + other) for one in signs for other in signs}
    pumped |= {("", lead + item) for lead, item in pumped}
    for lead, item in sorted(pumped):
        for end in ("\x00", "x", ""):
            if item:
                yield lead, item, end


@EACH
def test_no_text_takes_more_than_linear_time(name: str, pattern: "re.Pattern[str]", used: set[str]) -> None:
    assert used, f"{name} is not used"
    for how in sorted(used):
        for lead, item, end in attacks(pattern):
            took = 0.0
            for size in (*SIZES, LARGE):
                if size == LARGE and took < SUSPICIOUS:
                    break
                text = lead + item * (size // len(item)) + end
                took, _ = measured(lambda text=text, use=USES[how]: use(pattern, text), LONGEST)  # type: ignore[misc]
                assert took < LONGEST, (
                    f"{how} {lead!r} + {size // len(item)} * {item!r} + {end!r}: {took:.1f} s"
                )
