"""`check` finds each broken rule and says where, so that the author can mend it."""

import random
from contextlib import nullcontext
from pathlib import Path

import pytest

import plywise
from plywise.check import Finding, check
from plywise.check.boards import check_order
from plywise.check.compiled_rules import POSITIONS, Form, differences, walks
from plywise.core.game import Game
from plywise.core.history import History
from tests.conftest import ROOT, SAMPLES, interpreted, sample

GOOD = '''
from dataclasses import dataclass
from plywise import game, LOST, DRAWN

@game()
@dataclass(frozen=True)
class Row:
    """Fill a row of five; whoever makes three neighbours wins."""
    cells: str = "....."
    turn: int = 0
    def moves(self):
        return [i for i in range(5) if self.cells[i] == "."]
    def play(self, move):
        return Row(self.cells[:move] + "xo"[self.turn] + self.cells[move + 1:], 1 - self.turn)
    def outcome(self):
        if "ox"[self.turn] * 3 in self.cells:
            return LOST
        return None if "." in self.cells else DRAWN
    def text(self):
        return self.cells + "/" + str(self.turn)
    @classmethod
    def parse(cls, text):
        cells, turn = text.split("/")
        return cls(cells, int(turn))
'''


def findings(tmp_path: Path, source: str, compiled: bool = False) -> dict[str, str]:
    file = tmp_path / f"row{len(list(tmp_path.iterdir()))}.py"
    file.write_text(source)
    with nullcontext() if compiled else interpreted():
        found = list(check(plywise.load(str(file)), positions=120))
    return {finding.rule: finding.message for finding in found if compiled or finding.rule != "compiles"}


def test_a_good_game_has_no_findings(tmp_path: Path) -> None:
    assert findings(tmp_path, GOOD) == {}


def test_the_game_of_the_readme_has_no_findings(tmp_path: Path) -> None:
    """It writes no outcome() and no stuck(): a side without a move has lost, by the contract's default."""
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    source = readme.split("```python file=sticks.py\n")[1].split("```")[0]
    assert "stuck" not in source and "outcome" not in source
    assert findings(tmp_path, source) == {}


@pytest.mark.parametrize(
    ("old", "new", "rule", "said"),
    [
        ('[i] == "."]', '[i] == "."] * 2', "moves", "0 is listed twice in [...../0]"),
        ("else DRAWN", "else None", "stuck", "no move and yet open: ["),
        ('+ "/" + str(self.turn)', '+ "/" + str(0)', "parse", "is read as another position"),
        ("int(turn))", "int(turn) % 1)", "parse", "is read as another position"),
        ("return LOST", "return 7", "outcome", "outcome() is 7"),
        ("1 - self.turn)", "1 - self.missing)", "play", "'Row' object has no attribute 'missing'"),
        (
            "    def text(self):",
            "    def evaluate(self):\n        return 10 ** 6\n    def text(self):",
            "evaluate",
            "evaluate() is 1000000",
        ),
        (
            "    def text(self):",
            "    def move_text(self, move):\n        return 'm'\n    def text(self):",
            "move_text",
            "'m' is written for two moves in [...../0]",
        ),
        (
            "    def text(self):",
            "    def can_skip(self):\n        return True\n    def skip(self):\n        return self\n"
            "    def text(self):",
            "skip",
            "skip() does not give the turn to the other side in [...../0]",
        ),
    ],
)
def test_a_broken_rule_is_named(tmp_path: Path, old: str, new: str, rule: str, said: str) -> None:
    assert old in GOOD
    assert said in findings(tmp_path, GOOD.replace(old, new))[rule]


def test_each_rule_is_reported_once_and_advice_hides_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [Finding("evaluate", "its sign", advice=True), Finding("evaluate", "5"), Finding("evaluate", "7")]
    monkeypatch.setattr("plywise.check._findings", lambda *arguments: iter(found))
    assert [finding.message for finding in check(sample("duel"))] == [
        f"{SAMPLES / 'duel.py'}:{line_of('def evaluate', 'duel')}: {words}" for words in ("its sign", "5")
    ]


def line_of(text: str, name: str) -> int:
    lines = (SAMPLES / f"{name}.py").read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


def test_a_mutable_position_is_caught(tmp_path: Path) -> None:
    source = GOOD.replace("@dataclass(frozen=True)", "@dataclass(unsafe_hash=True)").replace(
        "        return Row(", "        self.cells = self.cells.replace('.', 'x', 1)\n        return Row("
    )
    assert "changed the position" in findings(tmp_path, source)["immutable"]


COMPILED = """
from typing import NamedTuple
from plywise import game, LOST, OPEN

@game(most_moves=3)
class Steps(NamedTuple):
    place: int = 0
    turn: int = 0
    def outcome(self):
        return LOST if self.place >= 12 else OPEN
    def moves(self, buffer, n):
        for step in range(1, 4):
            buffer[n] = step
            n += 1
        return n
    def play(self, move):
        return Steps(self.place + move, 1 - self.turn)
"""


@pytest.mark.parametrize(
    ("old", "new", "rule", "said"),
    [
        ("1 - self.turn", "self.turn + 1", "turn", "turn is 2"),
        ("most_moves=3", "most_moves=2", "most_moves", "3 moves, more than most_moves=2"),
        ("    def play(", "    def key(self):\n        return 1\n    def play(", "key", "have the same key"),
    ],
)
@pytest.mark.parametrize(
    "compiled", [False, pytest.param(True, marks=pytest.mark.thorough("compiles each game"))]
)
def test_promises_of_the_compiled_form_are_checked(
    tmp_path: Path, old: str, new: str, rule: str, said: str, compiled: bool
) -> None:
    assert old in COMPILED
    assert said in findings(tmp_path, COMPILED.replace(old, new), compiled)[rule]


@pytest.mark.parametrize(
    ("old", "new", "rule", "said"),
    [
        # Python's shifts grow without end, a word's do not.
        pytest.param(
            "self.place >= 12",
            "(self.place << 62) >> 62 >= 12",
            "perft",
            "uncompiled",
            marks=pytest.mark.thorough("compiles the game"),
        ),
        (
            "        return Steps(",
            "        word = str({})\n        return Steps(",
            "compiles",
            "cannot be compiled",
        ),
    ],
)
def test_compiled_games_are_compared_with_their_source(
    tmp_path: Path, old: str, new: str, rule: str, said: str
) -> None:
    assert old in COMPILED
    assert said in findings(tmp_path, COMPILED.replace(old, new), compiled=True)[rule]


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("[i for i in self.moves() if i != 2] or self.moves()", None),
        ("[7]", "is a candidate and no legal move in ["),
        ("self.moves()[:1] * 2", "is a candidate twice in ["),
    ],
)
def test_candidates_are_legal_moves(tmp_path: Path, rule: str, said: str | None) -> None:
    source = GOOD + f"    def candidates(self):\n        return {rule}\n"
    found = findings(tmp_path, source)
    assert (said in found["candidates"]) if said else found == {}


@pytest.mark.parametrize(
    ("rule", "said"),
    [("i == 0", None), ("False", "threatens() says False of"), ("i < 2", "and urgent() says False after it")],
)
def test_a_move_threatens_if_the_position_after_it_is_urgent(
    tmp_path: Path, rule: str, said: str | None
) -> None:
    source = GOOD + (
        '    def urgent(self):\n        return self.cells == "x...."\n'
        f'    def threatens(self, i):\n        return ({rule}) and self.cells == "....."\n'
    )
    found = findings(tmp_path, source)
    assert (said in found["threatens"]) if said else found == {}


MIRRORED = GOOD.replace("@game()", "@game(symmetries=2)") + (
    "    def symmetry(self, image):\n        return Row(self.cells[::-1], self.turn) if image else self\n"
)


def test_images_that_are_alike_are_no_finding(tmp_path: Path) -> None:
    assert findings(tmp_path, MIRRORED) == {}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "self.turn) if image",
            "1 - self.turn) if image",
            "turn is 0, and of symmetry(1), [...../1], 1 in [",
        ),
        ("[::-1]", "[1:] + self.cells[:1]", "has other images than the position has, in ["),
        ("range(5)", "range(4)", "moves do not lead to images of where the moves of sym"),
        ("if image else self", "if image < 1 else self", "symmetry(0) is ["),
        (
            "    def text(",
            "    def evaluate(self):\n        return ord(self.cells[0])\n    def text(",
            "the evaluation 'default' is",
        ),
        (
            "return LOST",
            "return LOST if self.cells[0] == 'x' else DRAWN",
            "outcome is",
        ),
    ],
)
def test_a_wrong_symmetry_is_found_with_its_position(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in MIRRORED
    assert said in findings(tmp_path, MIRRORED.replace(old, new))["symmetry"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("symmetries=2", "symmetries=0", "a whole number from 1 up, not 0"),
        ("symmetries=2", "", r"Row has no @game\(symmetries=...\), the number of its images"),
        ("def symmetry", "def mirror", "Row has no method 'symmetry'"),
    ],
)
def test_a_symmetry_is_a_number_and_a_rule(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(plywise.core.errors.BadGame, match=said):
        findings(tmp_path, MIRRORED.replace(old, new))


def test_a_position_that_returns_after_a_reset_is_reported(tmp_path: Path) -> None:
    source = COMPILED.replace("self.place + move", "(self.place + move) % 5").replace(">= 12", ">= 99")
    found = findings(tmp_path, source)
    assert "brought a position back, so define resets(move); let it be True only" in found["resets"]

    def answering(answer: bool) -> str:
        rule = f"    def resets(self, move):\n        return {answer}\n    def play("
        return source.replace("    def play(", rule)

    found = findings(tmp_path, answering(True))
    assert "a position returned although resets(" in found["resets"]
    assert "let it be True only for moves that cannot be undone" in found["resets"]
    with_rule = answering(False)
    assert "consider @game(draws=Draws(repetition=3))" in findings(tmp_path, with_rule)["repetition"]


def test_a_null_move_that_hides_zugzwang_is_reported(tmp_path: Path) -> None:
    """Whoever must take the last pebble loses by moving; passing would save it."""
    source = COMPILED.replace(
        "    def play(",
        "    def can_skip(self):\n        return True\n"
        "    def skip(self):\n        return Steps(self.place, 1 - self.turn)\n    def play(",
    )
    assert "every move loses and passing does not" in findings(tmp_path, source)["can_skip"]


# --- over at the start, and truth values for an outcome ----------------------------------------------
@pytest.mark.parametrize(
    ("source", "old", "new", "rule", "said"),
    [
        (GOOD, 'None if "."', '0 if "."', "start", "outcome() is 0 (drawn); where it goes on, return None"),
        (GOOD, 'None if "."', 'False if "."', "outcome", "outcome() is False"),
        (GOOD, "            return LOST\n", "            return True\n", "outcome", "outcome() is True"),
        (COMPILED, "else OPEN", "else 0", "start", "outcome() is 0 (drawn); where it goes on, return OPEN"),
        (COMPILED, "LOST if self.place >= 12 else OPEN", "self.place >= 12", "outcome", "outcome() is False"),
        (COMPILED, "place: int = 0", "place: int = 12", "start", "outcome() is -1 (lost)"),
    ],
)
def test_a_game_that_is_over_before_it_begins_is_found(
    tmp_path: Path, source: str, old: str, new: str, rule: str, said: str
) -> None:
    assert old in source
    found = findings(tmp_path, source.replace(old, new))
    assert said in found[rule], found


def test_a_truth_value_of_numpy_is_none_of_an_outcome(tmp_path: Path) -> None:
    source = "import numpy as np\n" + GOOD.replace(
        'None if "." in self.cells', 'np.bool_(False) if "." in self.cells'
    )
    assert "outcome() is" in findings(tmp_path, source)["outcome"]


# --- every answer in both forms ----------------------------------------------------------------------
ANSWERS = COMPILED.replace(">= 12", ">= 400").replace("most_moves=3", "most_moves=3, unit=1")


def test_answers_that_change_by_compiling_are_found(tmp_path: Path) -> None:
    """Words wrap in compiled code. The evaluation does so only beyond cell 300, far from the start."""
    file = tmp_path / "answers.py"
    file.write_text(
        ANSWERS + "    def evaluate(self):\n        return 1 if (self.place // 300) << 63 > 0 else 0\n"
        "    def gain(self, move):\n        return 1 if move << 62 > 0 else 0\n"
        "    def pattern(self, move):\n        return (move << 63) >> 63 & 7\n"
        "    def urgent(self):\n        return (self.place + 1) << 63 > 0\n"
    )
    found = {named: words for named, words, _ in differences(plywise.load(str(file)), random.Random(0))}
    assert found["evaluate"] == "evaluate() is 1 uncompiled and 0 compiled"
    assert found["urgent"] == "urgent() is 1 uncompiled and 0 compiled"
    assert found["gain"] == "gain(2) is 1 uncompiled and 0 compiled"
    assert found["pattern"].startswith("pattern(")
    assert set(found) <= {"evaluate", "urgent", "threatens", "gain", "pattern", "sound"}


@pytest.mark.thorough("compiles a game")
def test_every_evaluation_of_a_game_is_compared(tmp_path: Path) -> None:
    second = (
        "from plywise import evaluation\n@evaluation(Steps)\ndef crooked(position):\n"
        "    return 3 if (position.place + 1) << 62 > 0 else 4\n"
    )
    found = findings(tmp_path, ANSWERS + second, compiled=True)
    assert list(found) == ["evaluate"] and "crooked() is 3 uncompiled and" in found["evaluate"]


@pytest.mark.parametrize("name", ["duel", "pebbles", "runners"])
def test_two_thousand_positions_are_compared_and_agree(name: str) -> None:
    game, met = sample(name), []
    form = Form(game, native=True)
    for position, _, _ in walks(game, random.Random(1), form, POSITIONS):
        met.append(position)
    assert len({game.text(position) for position in met}) == len(met)
    assert len(met) == POSITIONS or name != "duel", "the others have fewer"
    assert list(differences(game, random.Random(1), wanted=300)) == []


def test_a_text_of_python_that_cannot_be_read_again_is_advice(tmp_path: Path) -> None:
    """A frozen set can be read, an object of the author's cannot; without text() nobody would notice."""
    source = COMPILED.replace("self, buffer, n", "self").replace("            buffer[n] = step\n", "")
    source = source.replace(
        "            n += 1\n        return n\n", "            pass\n        return [1, 2, 3]\n"
    )
    kept = source.replace(
        "    turn: int = 0\n", "    turn: int = 0\n    seen: frozenset = frozenset({1, 2})\n"
    )
    assert "parse" not in findings(tmp_path, kept)
    opaque = source.replace("    turn: int = 0\n", "    turn: int = 0\n    seen: object = len\n")
    said = findings(tmp_path, opaque)["parse"]
    assert "its own text cannot be read" in said and "define text() and parse(text)" in said


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [
        ("3 - self.place % 7", 100, "evaluate() within 3, little of a unit of 100: see @game(unit=...)"),
        ("3000 - 1000 * (self.place % 7)", 1, "on average, many units of 1: see @game(unit=...)"),
        ("3 - self.place % 7", 1, "to choose from"),
    ],
)
def test_an_evaluation_that_does_not_fit_its_unit_is_told(
    tmp_path: Path, value: str, unit: int, words: str
) -> None:
    source = COMPILED.replace("most_moves=3", f"most_moves=3, unit={unit}")
    (tmp_path / "mine.py").write_text(source + f"\n    def evaluate(self):\n        return {value}\n")
    seen: list[str] = []
    with interpreted():
        list(check(plywise.load(str(tmp_path / "mine.py")), games=lambda games: seen.append(str(games))))
    assert seen[0].endswith(words)


def test_boards_of_the_side_to_move_are_told_to_stand_in_the_order_of_sides(tmp_path: Path) -> None:
    text, right = (ROOT / "examples" / "breakthrough.py").read_text(), "return self.white, self.black\n"
    wrong = "return (self.white, self.black)[:: 1 - 2 * self.turn]\n"
    assert right in text
    file = tmp_path / "mine.py"
    told = []
    for body in (right, wrong):
        file.write_text(text.replace(right, body))
        game = plywise.load(str(file))
        told.append([str(finding) for finding in check_order(game, random_game(game))])
    assert told[0] == [] and len(told[1]) == 1
    assert "first come those of side 0" in told[1][0] and "mine.py:75:" in told[1][0]


def random_game(game: Game) -> list[History]:
    """The positions of a random game."""
    dice, histories = random.Random(1), [game.history()]
    while histories[-1].outcome is None:
        histories.append(histories[-1].play(dice.choice(game.moves(histories[-1].position))))
    return histories


TAKE = '''
from typing import NamedTuple
from plywise import game, LOST, OPEN

@game()
class Take(NamedTuple):
    """Take one to three; who has none left to take has lost."""
    left: int = 21
    turn: int = 0
    def moves(self, buffer, n):
        for move in range(1, 4):
            if move <= self.left:
                buffer[n] = move
                n += 1
        return n
    def play(self, move):
        return Take(self.left - move, 1 - self.turn)
    def outcome(self):
        return LOST if self.left == 0 else OPEN
    def probe(self, memory):
        if self.left == 4:
            return 2 - 32000
        return (32000 - 3 if self.left == 5 else 27000) if 4 < self.left < 8 else 1 << 20
'''


@pytest.mark.parametrize("lie", ["0", "32000 - 5", "-27000"])
def test_a_database_that_lies_is_named_with_the_position(tmp_path: Path, lie: str) -> None:
    assert findings(tmp_path, TAKE) == {}
    (only,) = findings(tmp_path, TAKE.replace("(32000 - 3 if", f"({lie} if")).items()
    assert only[0] == "probe" and "Take(left=5" in only[1], only


SUMS = '''
from dataclasses import dataclass
from plywise import game, LOST, DRAWN, WON

@game(sides=("a", "b"))
@dataclass(frozen=True)
class Sums:
    """Take numbers in turn; the larger sum wins."""
    left: tuple = (9, 7, 6, 5, 4, 3, 2, 1)
    score: tuple = (0, 0)
    turn: int = 0
    def moves(self):
        return list(self.left)
    def play(self, move):
        score = list(self.score)
        score[self.turn] += move
        return Sums(tuple(n for n in self.left if n != move), tuple(score), 1 - self.turn)
    def lead(self):
        return self.score[self.turn] - self.score[1 - self.turn]
    def outcome(self):
        return None if self.left else WON if self.lead() > 0 else LOST if self.lead() < 0 else DRAWN
    def evaluate(self):
        return 100 * self.lead()
'''


def test_a_sign_that_is_wrong_in_one_part_of_the_game_is_seen(tmp_path: Path) -> None:
    assert findings(tmp_path, SUMS) == {}
    wrong = "return 100 * (self.lead() if len(self.left) {} 3 else self.score[0] - self.score[1])"
    for change, when in ((">", "late in a game"), ("<", "in the middle of a game")):
        found = findings(tmp_path, SUMS.replace("return 100 * self.lead()", wrong.format(change)))
        assert list(found) == ["evaluate"] and f"keeps its sign {when}" in found["evaluate"], found
