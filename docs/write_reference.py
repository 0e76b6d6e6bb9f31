"""Write docs/reference.md from the code: every rule, hook, option and helper, each with an example.

    python docs/write_reference.py

A test fails if the page is not what this writes, or if something has no example here.
"""

import code
import contextlib
import dataclasses
import inspect
import io
import re
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

from plywise.core import bits
from plywise.core.bits import Table
from plywise.core.board import Board, Detail, Effect, Mark, Phase, Piece, stones
from plywise.core.compiled import compiled
from plywise.core.define import evaluation, game
from plywise.core.game import Draws
from plywise.core.layout import Layout
from plywise.core.opening import Opening
from plywise.core.presentation import HOOKS, Presentation
from plywise.core.preset import Preset
from plywise.core.resources import Weights
from plywise.core.rules import RULES
from plywise.core.wide_bits import Cells256

OWN = ("self", "cls")
PAGE = Path(__file__).with_name("reference.md")
BITS = ("wrap", "popcount", "first", "last", "rest", "left", "right", "swap", "mix", "keys", "bits")

SETUP = """\
import plywise
from plywise import Board, Draws, Piece, Table, compiled, evaluation, game
from plywise.core.bits import bits, first, keys, last, left, mix, popcount, rest, right, swap, wrap
from plywise.core.board import Detail, Effect, Mark, Phase, stones
from plywise.core.layout import Layout
from plywise.core.opening import Opening
from plywise.core.preset import Preset
from plywise.core.resources import Weights
from plywise.core.scores import UNKNOWN
from plywise.core.wide_bits import Cells128, Cells256
chess, polis = plywise.load("chess"), plywise.load("polis")
CLASSIC = polis.evaluation("classic").weights.path
start = chess.start()
check = chess.parse("4k3/8/8/8/8/8/4q3/4K2R w K - 3 9")
buffer = [0] * 300
fight = chess.parse("4k3/8/8/3p4/4P3/8/8/4K3 w - - 5 20")
takes, steps = chess.read_move(fight, "e4d5"), chess.read_move(fight, "e1e2")
"""

RULE_EXAMPLES = {
    "moves": "start.moves(buffer, 0)",
    "play": "fight.play(takes).turn",
    "outcome": "start.outcome() == plywise.OPEN",
    "symmetry": "plywise.load('connect_four').start().symmetry(0).turn",
    "candidates": "start.candidates(buffer, 0)",
    "boards": "len(plywise.load('connect_four').start().boards())",
    "stuck": "plywise.load('checkers').start().stuck() == plywise.LOST",
    "evaluate": "-20000 <= fight.evaluate() <= 20000",
    "noisy": "fight.noisy(buffer, 0)",
    "sharp": "fight.sharp(buffer, 0)",
    "urgent": "start.urgent(), check.urgent()",
    "threatens": "fight.threatens(takes)",
    "gain": "fight.gain(takes) > 0, fight.gain(steps)",
    "sound": "fight.sound(takes)",
    "brings": "fight.brings(takes, 50), fight.brings(steps, 50)",
    "slot": "0 <= fight.slot(takes) < 4096",
    "pattern": "fight.pattern(takes) < 512",
    "midway": "polis.start().midway()",
    "can_skip": "check.can_skip()",
    "skip": "fight.skip().turn",
    "resets": "fight.resets(takes), fight.resets(steps)",
    "clock": "fight.clock()",
    "key": "fight.key() == chess.parse(chess.text(fight)).key()",
    "probe": "plywise.load('connect_four').start().probe(None) == UNKNOWN",
}
HOOK_EXAMPLES = {
    "start": "polis.start().turn",
    "starts": "list(polis.starts)[0]",
    "parse": "chess.parse('8/8/8/8/8/4k3/8/4K3 b - - 0 1').turn",
    "text": "chess.text(fight)",
    "extend": "plywise.load('connect_four').history('44').play('4').text",
    "board": "print(plywise.load('tic_tac_toe').board(plywise.load('tic_tac_toe').start()))",
    "move_number": "chess.move_number(chess.parse('8/8/8/8/8/4k3/8/4K3 b - - 0 40'))",
    "opening": "str(chess.history('start moves e2e4 e7e5 g1f3 b8c6 f1b5').opening)",
    "details": "[detail.name for detail in chess.details(fight)][-1]",
    "text_with": "chess.text_with(check, {'move number': 9})",
    "marks": "chess.marks(check)[0].kind",
    "reason": "plywise.load('tic_tac_toe').history('xxxoo.... o').outcome.reason",
    "short_reason": "plywise.load('tic_tac_toe').history('xxxoo.... o').outcome.short_reason",
    "terms": "sum(chess.terms(fight, 'material').values()) == chess.evaluate(fight, 'material')",
    "move_text": "chess.move_text(fight, takes)",
    "read_move": "chess.read_move(fight, 'exd5') == takes",
    "label": "chess.label(fight, takes)",
    "move_text_in_style": "chess.move_text_in_style(fight, takes, '')",
    "steps": "chess.move_entry(fight, takes).steps",
    "effects": "[phase.name for phase in chess.effects(fight, takes)] != []",
    "side_names": "plywise.load('connect_four').side_names",
    "variants": "plywise.load('tic_tac_toe').variants",
    "styles": "plywise.load('tic_tac_toe').styles",
    "polyglot": "chess.has_books",
    "formats": "list(chess.formats)[0]",
    "presets": "list(plywise.load('tic_tac_toe').presets)",
    "level_names": "plywise.load('tic_tac_toe').level_names",
    "level_heat": "plywise.load('tic_tac_toe').level_heat",
}
BIT_EXAMPLES = {
    "wrap": "wrap(1 << 63) < 0",
    "popcount": "popcount(0b1011)",
    "first": "first(0b1000)",
    "last": "last(0b1010)",
    "rest": "bin(rest(0b1011))",
    "left": "left(1, 63) != 0",
    "right": "right(-1, 60)",
    "swap": "swap(0xFF) == left(0xFF, 56)",
    "mix": "mix(mix(0, 1), 2) != mix(mix(0, 2), 1)",
    "keys": "len(keys(7, 64))",
    "bits": "bits(0b1010)",
}
SET_EXAMPLES = {
    "of": "Cells128.of([3, 100]).size()",
    "cells": "(Cells128.of([3, 100]) << 1).cells()",
    "is_empty": "(Cells256.of([3]) & ~Cells256.of([3])).is_empty()",
    "size": "(Cells256.of([3]) | Cells256.of([3, 250])).size()",
    "first": "Cells256.of([200, 77]).first()",
    "rest": "Cells256.of([200, 77]).rest().first()",
    "has": "Cells256.of([200]).has(200)",
    "add": "Cells256.of([200]).add(5).cells()",
    "remove": "Cells256.of([5, 200]).remove(200).cells()",
}
SETS = """\
## Sets of cells

For boards of more than 64 cells, from `plywise.core.wide_bits`: `Cells128` holds cells 0 to 127, `Cells256` 0
to 255. They may be fields of a position, and go through the rules like words: `&`, `|`, `^`, `~`, `<<`, `>>`,
`==` and `!=` between two sets of one size, and the methods below. What is shifted out of a set is dropped. To
visit all cells, take `first()` while the set is not empty, and go on with `rest()`.
"""
OPTIONS = {
    "name": "What commands call the game; the class's name in small letters by default.",
    "title": "What people read; from the name by default.",
    "sides": "The names of the two sides; side 0 moves first.",
    "draws": "Draws by the past: `Draws(repetition=3, plies=100)`.",
    "most_moves": "The most moves that any position has; a buffer of this size is kept a ply.",
    "alternating": "Accepted for old files, without effect: a position says whose turn it is.",
    "unit": "How many points of an evaluation make one of what players count in (a pawn: 100).",
    "slope": "How much one unit says about who will win, for winning chances.",
    "bench": "Positions and depths that `plywise bench` searches; nodes from the start by default.",
    "lends": "Data that rules read by address: databases.",
    "world": "What is really played, where positions are a model of it (dice, simultaneous turns).",
    "symmetries": "How many images a position has, itself among them; see the rule `symmetry`.",
    "margins": "A file of numbers for the search, beside the game's own file; `plywise tune` writes one.",
    "probcut": "How a shallow search foretells a deep one in this game, as fitted from recorded searches.",
    "perspective": "How the board looks to side 1, for learning: same, flipped or rotated.",
    "evaluator": "The default of a game without `evaluate`: `mobility` or `outcome`; found out by default.",
}
EVALUATION_OPTIONS = {
    "cls": "The class of positions.",
    "name": "What `--evaluator` calls it; the function's name by default.",
    "weights": "`Weights(layout, file)`: numbers in a JSON file, the function's second argument.",
    "memory": "Fields that an evaluation keeps from move to move.",
    "begin": "Fills that memory at the root.",
    "follow": "Brings it up to date after a move.",
    "terms": "What the evaluation is the sum of: a function, or words for the fields of the weights.",
    "unit": "How many points make one; the game's by default.",
}

GENERIC_EVALUATIONS = """\
A game without `evaluate` and without an evaluation called `default` has two that need nothing of its author.
`mobility` is the number of moves of the side to move, less those that the other side would have if it were
its turn: 10 points each, in a unit of 100. It asks `moves` and `outcome` of the position with its `turn`
exchanged. `outcome` has no opinion: the search looks for wins and losses alone. The default is mobility if
the sides had different numbers of moves in a tenth of the positions of a few random games and a player that
goes by it does not lose to dice, else the outcome; `@game(evaluator=...)` chooses, and `plywise check` says
which it is.
"""

CLASSES: dict[Any, str] = {
    Board: "print(Board(((None, Piece('w', 'pawn', 0)),), left=('1',), bottom=('a', 'b')))",
    Piece: "Piece('w', 'pawn', 0, '♙').letter",
    Effect: "Effect('move', 'a2', 'a4').to",
    Phase: "len(Phase('move', (Effect('capture', 'd5'),)).effects)",
    Detail: "Detail('move number', 1, least=1).refusal(0)",
    Opening: "str(Opening('Ruy Lopez', 'C60'))",
    Mark: "Mark('e1', 'check', 'the queen gives check').reason",
    Draws: "Draws(repetition=3, plies=100).plies",
    Preset: "Preset('patient', 'plywise:depth=2', 'Looks two turns ahead.').seat",
}
DATA: dict[Any, str] = {
    Layout: "Layout(('man', 'i8'), ('rows', 'i8', (8,)))",
    Weights: "Weights(Layout(('piece', 'i8'), ('advance', 'i8')), CLASSIC).values()",
}


def write_page() -> str:
    """The text of the page."""
    run = _Session()
    parts = [HEAD, _block(run, SETUP)]
    parts.append(
        "## Rules\n\nWhat the search asks of a position (`core/rules.py`). `moves` and `play` are required.\n"
    )
    parts += [_entry(name, rule, run, RULE_EXAMPLES[name]) for name, rule in RULES.items()]
    parts.append(
        "## Presentation\n\nHow a game presents itself (`core/presentation.py`); each is optional.\n"
    )
    hooks = {name: inspect.getattr_static(Presentation, name) for name in HOOKS}
    parts += [_entry(name, hook, run, HOOK_EXAMPLES[name]) for name, hook in hooks.items()]
    parts.append(_table("## Options of @game", game, OPTIONS))
    parts.append(_block(run, "start.__class__.game.unit\n"))
    parts.append(_table("## Evaluations: options of @evaluation", evaluation, EVALUATION_OPTIONS))
    parts.append("A game may have several; `--evaluator NAME` chooses one, and a match can compare two.\n")
    parts.append(_block(run, "list(chess.evaluations)[:2]\n"))
    parts.append(GENERIC_EVALUATIONS)
    parts.append(
        "## Words\n\n64-bit words for compiled rules, from `plywise.core.bits`; each is one instruction.\n"
    )
    parts += [_entry(name, getattr(bits, name), run, BIT_EXAMPLES[name]) for name in BITS]
    table, mark = inspect.getdoc(Table), inspect.getdoc(compiled)
    parts.append(f"### Table\n\n{table}\n\n{_block(run, 'Table([1, 1 << 63])[1] < 0')}")
    parts.append(f"### @compiled\n\n{mark}\n\n{_block(run, 'compiled(lambda x: 2 * x)(3)')}")
    parts.append(SETS)
    members = {name: inspect.getattr_static(Cells256, name) for name in list_methods(Cells256)}
    parts += [_entry(f"Cells256.{name}", member, run, SET_EXAMPLES[name]) for name, member in members.items()]
    parts.append("## Boards, and other things that a game hands over\n")
    for cls, example in CLASSES.items():
        fields = ", ".join(field.name for field in dataclasses.fields(cls))
        parts.append(f"### {cls.__name__}({fields})\n\n{inspect.getdoc(cls)}\n\n{_block(run, example)}")
    parts.append(_entry("stones", stones, run, "stones(4, 0).count"))
    for data, example in DATA.items():
        parts.append(_entry(data.__name__, data, run, example))
    return "\n".join(part.rstrip("\n") + "\n" for part in parts)


def list_methods(cls: type) -> list[str]:
    """The methods that a class defines under a name of their own."""
    functions = (FunctionType, classmethod)
    return [name for name, value in vars(cls).items() if name[0] != "_" and isinstance(value, functions)]


HEAD = """\
# Reference for authors of games

Everything that a game may say, made from the code by `docs/write_reference.py`; the tests run the examples.
[Add your own game](add-your-own-game.md) shows how it fits together. In the plain form rules take no `buffer`
and no `n`: `moves`, `noisy` and `sharp` return lists.
"""


class _Session:
    """Examples are run one after the other, as at Python's prompt."""

    def __init__(self) -> None:
        self.console = code.InteractiveConsole({})

    def __call__(self, line: str) -> str:
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            more = self.console.push(line)
        assert not more and "Traceback" not in output.getvalue(), output.getvalue() or line
        return output.getvalue()


def _block(run: _Session, source: str) -> str:
    if '"' not in source:  # as the formatter of the sources writes them
        source = source.replace("'", '"')
    lines = [f">>> {line}\n{run(line)}" for line in source.strip("\n").splitlines()]
    return "```pycon\n" + "".join(lines) + "```\n"


def _entry(name: str, member: Any, run: _Session, example: str) -> str:
    function: Callable[..., Any] = getattr(member, "__func__", member)
    parameters = [part for part in inspect.signature(function).parameters.values() if part.name not in OWN]
    names = [re.split("[ :=]", str(part))[0] for part in parameters]
    mark = " (class method)" if isinstance(member, classmethod) else ""
    text = (inspect.getdoc(function) or "").partition(">>>")[0].rstrip()  # the page has its own example
    return f"### {name}({', '.join(names)}){mark}\n\n{text}\n\n{_block(run, example)}"


def _table(heading: str, function: Callable[..., Any], words: dict[str, str]) -> str:
    rows = [f"{heading}\n", "| option | means | default |", "| --- | --- | --- |"]
    for name, part in inspect.signature(function).parameters.items():
        default = "" if part.default is inspect.Parameter.empty else f"`{part.default!r}`"
        rows.append(f"| `{name}` | {words[name]} | {default} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    PAGE.write_text(write_page(), encoding="utf-8")
