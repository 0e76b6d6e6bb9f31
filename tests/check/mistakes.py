"""Mistakes that authors make, each as a change of a right game, and what Plywise must say about it.

A mistake is: its name, the text that is replaced and the text that replaces it, the line of the file that
must be named ("" if none), and words of the reason and of the cure. `WORKS` are those that are none.
"""

from typing import NamedTuple

PLAIN = '''from dataclasses import dataclass

from plywise import DRAWN, LOST, WON, game


@game("row", sides=("white", "black"))
@dataclass(frozen=True)
class Row:
    """Fill a row of six; whoever makes three of a kind side by side wins."""

    cells: str = "......"
    turn: int = 0

    def moves(self):
        return [i for i in range(6) if self.cells[i] == "."]

    def play(self, move):
        return Row(self.cells[:move] + "xo"[self.turn] + self.cells[move + 1 :], 1 - self.turn)

    def outcome(self):
        if "ox"[self.turn] * 3 in self.cells:
            return LOST
        return None if "." in self.cells else DRAWN
'''

COMPILED = '''from typing import NamedTuple

from plywise import LOST, OPEN, game


@game("steps", sides=("white", "black"), most_moves=3)
class Steps(NamedTuple):
    """Step one, two or three cells; whoever passes cell 11 wins."""

    place: int = 0
    turn: int = 0

    def moves(self, buffer, n):
        for step in range(1, 4):
            buffer[n] = step
            n += 1
        return n

    def play(self, move):
        return Steps(self.place + move, 1 - self.turn)

    def outcome(self):
        return LOST if self.place >= 12 else OPEN

    def evaluate(self):
        return self.place % 4 - 2 if self.turn == 0 else 2 - self.place % 4
'''

EVALUATE = "        return self.place % 4 - 2 if self.turn == 0 else 2 - self.place % 4\n"
LIST = '        return [i for i in range(6) if self.cells[i] == "."]\n'
PLAYED = '        return Row(self.cells[:move] + "xo"[self.turn] + self.cells[move + 1 :], 1 - self.turn)\n'
END = '        return None if "." in self.cells else DRAWN\n'
IMPORT = "        from plywise import Board, Piece\n"
BOARD = END + "\n    def board(self):\n" + IMPORT + "        ROW = ((None,),)\n        %s\n"


class Mistake(NamedTuple):
    name: str
    old: str
    new: str
    line: int
    says: tuple[str, ...]


def mistake(name: str, old: str, new: str, line: int, *says: str) -> Mistake:
    return Mistake(name, old, new, line, says)


PLAIN_MISTAKES = [
    mistake(
        "moves has another name", "def moves(", "def legal_moves(", 6, "no method 'moves'", "'legal_moves'"
    ),
    mistake("no turn", "    turn: int = 0\n", "    player: int = 0\n", 6, "has no 'turn'"),
    mistake(
        "turn is text",
        "turn: int = 0",
        "turn: str = 'w'",
        6,
        "turn is 'w'",
        "0 for the side that moves first",
    ),
    mistake("turn is 1 or 2", "1 - self.turn)", "2 - self.turn)", 17, "turn is 2"),
    mistake("not frozen", "(frozen=True)", "", 6, "cannot be hashed", "@dataclass(frozen=True)"),
    mistake(
        "a list in a field",
        'cells: str = "......"',
        "cells: str = '......'\n    seen: tuple = ([],)",
        6,
        "field 'seen' is a tuple, which can change",
        "use a tuple, a string",
    ),
    mistake("moves returns nothing", "return [i", "[i", 14, "moves() returned None", "return a list"),
    mistake("moves returns a number", LIST, "        return 3\n", 14, "moves() returned 3, no list of moves"),
    mistake("moves that can change", "return [i for", "return [[i] for", 14, "which can change", "tuples"),
    mistake("moves listed twice", LIST, LIST[:-1] + " * 2\n", 14, "0 is listed twice"),
    mistake(
        "moves by chance",
        "return [i for",
        "import random\n        return [i + random.randrange(2) * 6 for",
        14,
        "moves() lists other moves when it is asked again",
        "the same moves in the same order",
    ),
    mistake("play returns nothing", "return Row(", "Row(", 17, "play() returned None", "return the position"),
    mistake(
        "play returns text", PLAYED, "        return self.cells\n", 17, "play() returned", "return a Row"
    ),
    mistake(
        "play changes its own position",
        PLAYED,
        "        object.__setattr__(self, 'cells', self.cells.replace('.', 'x', 1))\n        return self\n",
        17,
        "play() changed the position it was asked of",
        "return a new position",
    ),
    mistake(
        "an index too far",
        "range(6)",
        "range(7)",
        15,
        "moves: ",
        "IndexError: string index out of range in [Row(",
    ),
    mistake(
        "positions that are never equal",
        "frozen=True",
        "frozen=True, eq=False",
        17,
        "not equal",
        "by their fields",
    ),
    mistake(
        "outcome is a truth value",
        "return None if",
        "return False if",
        20,
        "outcome() is False",
        "None where",
    ),
    mistake(
        "outcome is text",
        "            return LOST",
        "            return 'lost'",
        20,
        "outcome() is 'lost'",
        "LOST",
    ),
    mistake(
        "outcome is a score", "            return LOST", "            return -100", 20, "outcome() is -100"
    ),
    mistake(
        "0 for a game that goes on", "return None if", "return 0 if", 20, "over at its start", "return None"
    ),
    mistake(
        "outcome for the wrong side",
        "            return LOST",
        "            return WON",
        20,
        "whoever made the last move lost",
        "LOST where the last move has won",
    ),
    mistake(
        "an evaluation with a fraction",
        "    def outcome",
        "    def evaluate(self):\n        return 0.5\n\n    def outcome",
        20,
        "evaluate() is 0.5, no whole number",
        "use //",
    ),
    mistake(
        "an evaluation that fails",
        "    def outcome",
        "    def evaluate(self):\n        return 1 // (self.cells.count('.') - 4)\n\n    def outcome",
        21,
        "evaluate: ",
        "ZeroDivisionError",
        "in [Row(",
    ),
    mistake(
        "an evaluation for the first side",
        "    def outcome",
        "    def evaluate(self):\n        return 5 * self.cells.count('x') - 9\n\n    def outcome",
        20,
        "keeps its sign",
        "for the side to move",
    ),
    mistake(
        "a rule that is spelt wrong",
        "    def outcome",
        "    def evalute(self):\n        return 1\n\n    def outcome",
        20,
        "evalute() is no rule",
        "did you mean evaluate()?",
    ),
    mistake(
        "rules that print",
        "        return [i",
        "        print('hm')\n        return [i",
        15,
        "moves() prints",
        "take it out",
    ),
    mistake("one side only", '("white", "black")', '("white",)', 6, "sides are two different names"),
    mistake(
        "an option that is none",
        "sides=",
        "players=",
        6,
        "unexpected keyword argument 'players'",
        "@game takes",
    ),
    mistake(
        "a name that is none",
        "import DRAWN",
        "import Borad, DRAWN",
        3,
        "cannot import name 'Borad' from 'plywise'; did you mean Board?",
    ),
    mistake(
        "an array as a default",
        'str = "......"',
        "list = __import__('numpy').zeros(6)",
        7,
        "mutable default",
        "a tuple or a string",
    ),
    mistake(
        "not marked", '@game("row", sides=("white", "black"))\n', "", 0, "no game in this file", "@game()"
    ),
    mistake("a colon is missing", "def outcome(self):", "def outcome(self)", 20, "expected ':'"),
    mistake(
        "a full row that goes on",
        "else DRAWN",
        "else None",
        0,
        "no move and yet open",
        "outcome() or stuck()",
    ),
    mistake("a name of several words", '@game("row"', '@game("a row"', 6, "@game('a row')", "title=..."),
    mistake(
        "a board that is not returned", END, BOARD % "Board(ROW)", 25, "board() is None", "return a Board"
    ),
    mistake("a text on a cell", END, BOARD % "return Board((('x',),))", 25, "has 'x' on a cell", "a Piece"),
    mistake("a piece of side 2", END, BOARD % "return Board(((Piece('x', 'disc', 2),),))", 25, "side 2; a"),
    mistake("a name that is a number", END, BOARD % "return Board(ROW, names=((1,),))", 25, "is a text"),
    mistake(
        "names of fewer cells",
        END,
        BOARD % "return Board(ROW, names=((),))",
        28,
        "mine.py:28: board: names has other rows",
    ),
    mistake(
        "terms of another sum",
        END,
        END
        + "    def evaluate(self):\n        return 8\n\n    def terms(self):\n        return {'all': 5}\n",
        27,
        "add up to 5, and it is 8",
    ),
    mistake(
        "an evaluation of true or false",
        END,
        END + "    def evaluate(self):\n        return self.turn > 3\n",
        24,
        "evaluate() is False; say by a whole number",
    ),
    mistake(
        "one text for all positions",
        END,
        END + "    def text(self):\n        return 'row'\n",
        24,
        "text() writes 'row' for two positions",
    ),
    mistake(
        "no text", END, END + "    def text(self):\n        return None\n", 24, "text() is None, no text"
    ),
    mistake("no reason", END, END + "    def reason(self):\n        pass\n", 24, "reason() is None, no text"),
    mistake(
        "a turn that stays",
        "1 - self.turn)",
        "self.turn)",
        17,
        "no move ever gave the turn to the other side",
    ),
]

COMPILED_MISTAKES = [
    mistake("moves returns nothing", "        return n\n", "", 13, "moves() returned None", "return n"),
    mistake(
        "n is set to 0",
        "        for step",
        "        n = 0\n        for step",
        13,
        "wrote buffer[0]",
        "begin at n",
    ),
    mistake(
        "n grows too early",
        "            buffer[n] = step\n            n += 1\n",
        "            n += 1\n            buffer[n] = step\n",
        13,
        "did not write buffer[",
        "buffer[n] first",
    ),
    mistake("moves below 0", "buffer[n] = step", "buffer[n] = -step", 13, "below 0"),
    mistake("most_moves too small", "most_moves=3", "most_moves=2", 13, "3 moves, more than most_moves=2"),
    mistake(
        "outcome may be nothing",
        "        return LOST if self.place >= 12 else OPEN\n",
        "        if self.place >= 12:\n            return LOST\n",
        22,
        "outcome() is None",
        "OPEN where",
    ),
    mistake(
        "outcome is a truth value",
        "LOST if self.place >= 12 else OPEN",
        "self.place >= 12",
        22,
        "outcome() is False",
        "OPEN where",
    ),
    mistake(
        "a list in a field",
        "    turn: int = 0\n",
        "    turn: int = 0\n    past: list = []\n",
        6,
        "field 'past' is [], no whole number",
        "the plain form",
    ),
    mistake(
        "play makes fractions",
        "self.place + move",
        "self.place + move / 1",
        19,
        "field 'place' is 1.0",
        "int()",
    ),
    mistake("play returns nothing", "return Steps(", "Steps(", 19, "play() is None", "return a Steps"),
    mistake(
        "an evaluation with a fraction",
        EVALUATE,
        "        return self.place / 10\n",
        25,
        "no whole number",
        "//",
    ),
    mistake("a table too short", EVALUATE, "        return Table([1, 2, 3])[self.place]\n", 27, "IndexError"),
    mistake("a shift below 0", EVALUATE, "        return 1 << self.place - 3\n", 26, "negative shift count"),
    mistake(
        "a rule without self", "def outcome(self)", "def outcome()", 22, "takes ()", "should take (self)"
    ),
    mistake(
        "a list for compiled moves",
        "    def moves(self, buffer, n):\n",
        "    def moves(self):\n        return [1]\n\n    def old(self, buffer, n):\n",
        13,
        "the plain form",
        "moves(self, buffer, n)",
    ),
    mistake(
        "a number of moves as text", "most_moves=3", "most_moves='3'", 6, "a whole number from 1 up, not '3'"
    ),
    mistake(
        "a unit of nothing", "most_moves=3", "most_moves=3, unit=0", 6, "@game(unit=...) is a whole number"
    ),
    mistake("an unknown evaluator", "most_moves=3", "most_moves=3, evaluator='moblity'", 6, "'mobility'?"),
    mistake(
        "a buffer as a list",
        "buffer[n] = step",
        "buffer.append(step)",
        15,
        "a buffer is no list",
        "buffer[n]",
    ),
    mistake(
        "a word too large", "self.place + move", "self.place + (move << 63)", 19, "64 bits holds", "left()"
    ),
    mistake(
        "a noisy move that is none",
        EVALUATE,
        EVALUATE + "\n    def noisy(self, buffer, n):\n        buffer[n] = 7\n        return n + 1\n",
        28,
        "move 7 is noisy and no legal move",
    ),
    mistake(
        "a slot too far",
        EVALUATE,
        EVALUATE + "\n    def slot(self, move):\n        return 5000\n",
        28,
        "slot(1) is 5000, not from 0 to 4095",
    ),
    mistake(
        "a gain with a fraction",
        EVALUATE,
        EVALUATE + "\n    def gain(self, move):\n        return move / 2\n",
        28,
        "gain() is 0.5, no whole number",
    ),
    mistake(
        "always midway",
        EVALUATE,
        EVALUATE + "\n    def midway(self):\n        return True\n",
        28,
        "midway() is true although white has not acted yet",
    ),
]

# What only compiling shows: each is said when the rule is compiled, and the game is played uncompiled.
UNCOMPILABLE = [
    mistake(
        "an unmarked function",
        EVALUATE,
        "        return twice(self.place)\n",
        29,
        "twice() is an ordinary function",
        "@compiled",
    ),
    mistake(
        "a list as a table",
        EVALUATE,
        "        return VALUES[self.place % 3]\n",
        29,
        "VALUES is a list",
        "Table([...])",
    ),
    mistake(
        "bin",
        EVALUATE,
        "        return bin(self.place).count('1')\n",
        29,
        "bin() is not for compiled",
        "popcount",
    ),
    mistake("int of a text", EVALUATE, "        return int('3')\n", 29, "int() is not for compiled rules"),
    mistake(
        "a method that calls itself",
        EVALUATE,
        "        return self.count(3)\n\n    def count(self, i):\n"
        "        return 0 if i == 0 else self.count(i - 1)\n",
        32,
        "count() calls itself",
        "@compiled",
    ),
    mistake(
        "a property",
        EVALUATE,
        "        return self.half\n\n    @property\n    def half(self):\n        return self.place // 2\n",
        29,
        "half is a property",
        "make it a method",
    ),
    mistake(
        "an error that is caught",
        EVALUATE,
        "        try:\n            return self.place\n        except ValueError:\n            return 0\n",
        31,
        "try is not for compiled rules",
        "ask with if",
    ),
]
EXTRAS = "\n\nVALUES = [1, 2, 3]\n\n\ndef twice(x):\n    return 2 * x\n"

WORKS = {
    "a generator in the plain form": (
        PLAIN,
        LIST,
        "        yield from [i for i in range(6) if self.cells[i] == '.']\n",
    ),
    "moves of text": (PLAIN, LIST, '        return [i for i in range(6) if self.cells[i] == "."]\n'),
    "numbers of NumPy": (
        COMPILED.replace("from typing", "import numpy\nfrom typing", 1),
        EVALUATE,
        "        return numpy.int64(2 * self.turn - 1)\n",
    ),
    "a generator in the compiled form": (
        COMPILED,
        "            buffer[n] = step\n            n += 1\n        return n\n",
        "            yield step\n",
    ),
    "own methods": (
        COMPILED,
        EVALUATE,
        "        return self.half(2) * (1 - 2 * self.turn)\n\n    def half(self, by):\n"
        "        return self.place // by\n",
    ),
    "a static method": (
        COMPILED,
        EVALUATE,
        "        return self.half(self.place) * (1 - 2 * self.turn)\n\n"
        "    @staticmethod\n    def half(x):\n        return x // 2\n",
    ),
    "a static method of the class": (
        COMPILED,
        EVALUATE,
        "        return Steps.half(self.place) * (1 - 2 * self.turn)\n\n    @staticmethod\n    def half(x):\n"
        "        return x // 2\n",
    ),
    "_replace": (
        COMPILED,
        "Steps(self.place + move, 1 - self.turn)",
        "self._replace(place=self.place + move, turn=1 - self.turn)",
    ),
    "fields that are left out": (
        COMPILED,
        "Steps(self.place + move, 1 - self.turn)",
        "Steps(self.place + move) if self.turn == 1 else Steps(turn=1, place=self.place + move)",
    ),
}
