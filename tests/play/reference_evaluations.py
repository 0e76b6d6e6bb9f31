"""The evaluations of the presets computed from the text of a position alone, and the plainest minimax.

Nothing here is shared with the games' own evaluations: squares are pairs of coordinates, pieces are letters.
All values are for the first side: White, Black in checkers, blue, the footmen.
"""

import functools
from collections.abc import Callable
from typing import Any

from plywise.core.game import Game
from plywise.core.outcome import LOST, OPEN, WON
from plywise.core.scores import WIN
from tests.games.chess.slow import SlowChess

ReferenceEvaluation = Callable[[str], float]


# --- checkers ---------------------------------------------------------------------------------------
def ring(text: str) -> float:
    """The plan's EvalGameState for Black."""
    total = 0.0
    for side, end in (("W", 1337.0), ("B", -1337.0)):
        if any(part == side for part in text.split(":")[1:]):
            return end
    for part in text.split(":")[1:]:
        for word in part[1:].split(","):
            number = int(word.lstrip("K"))
            row, column = divmod(number - 1, 4)
            x, y = 2 * column + (row + 1) % 2, row
            worth = 5 if word.startswith("K") else max(abs(x - 3.5), abs(y - 3.5)) + 0.5
            total += worth if part[0] == "B" else -worth
    return total


# --- chess ------------------------------------------------------------------------------------------
WORTH = {"k": 200, "q": 9, "r": 5, "b": 3, "n": 3, "p": 1}


def squares(text: str) -> dict[tuple[int, int], str]:
    """The pieces by file and rank, from 0."""
    found = {}
    for rank, row in zip(range(7, -1, -1), text.split()[0].split("/"), strict=True):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                found[file, rank] = letter
                file += 1
    return found


def material(text: str) -> float:
    pieces = squares(text).values()
    return sum(WORTH[letter.lower()] * (1 if letter.isupper() else -1) for letter in pieces)


def material_mate(text: str) -> float:
    """The value of a position: pieces, but 200 for a mate (the project says a million), 0 for a stalemate."""
    board, white = SlowChess.read(text), text.split()[1] == "w"
    if board.moves():
        return material(text)
    king = next(at for at, letter in board.pieces.items() if letter == ("K" if white else "k"))
    return (-200.0 if white else 200.0) if board.attacked(king, not white) else 0.0


def faults(text: str, pawn: str) -> int:
    """Doubled, blocked and isolated pawns of a side."""
    board = squares(text)
    pawns = [at for at, letter in board.items() if letter == pawn]
    files = [file for file, _ in pawns]
    up = 1 if pawn == "P" else -1
    doubled = len(files) - len(set(files))
    blocked = sum((file, rank + up) in board for file, rank in pawns)
    isolated = sum(not {file - 1, file + 1} & set(files) for file in files)
    return doubled + blocked + isolated


def mobility(text: str, side: str) -> int:
    """The legal moves of a side, `w` or `b`, if it is its turn; captures in passing are left out."""
    words = text.split()
    board = SlowChess.read(" ".join([words[0], side, words[2], "-", "0", "1"]))
    return sum(board.pieces.get(to, "").lower() != "k" for _, to, _ in board.moves())


CENTRE = [(3, 3), (4, 3), (3, 4), (4, 4)]


def held(text: str, white: bool) -> int:
    """How many squares of the centre a side occupies or attacks."""
    board = SlowChess.read(" ".join([*text.split()[:3], "-", "0", "1"]))
    own = [square for square in CENTRE if board.pieces.get(square, "?").isupper() == white]
    own = [square for square in own if square in board.pieces]
    return len({*own, *(square for square in CENTRE if board.attacked(square, white))})


def control(text: str) -> float:
    white = text.split()[1] == "w"
    board = SlowChess.read(" ".join([*text.split()[:3], "-", "0", "1"]))
    king = next(at for at, letter in board.pieces.items() if letter == ("K" if white else "k"))
    check = 5 * board.attacked(king, not white) * (-1 if white else 1)
    centre = 2 * (held(text, True) - held(text, False))
    return material(text) + check + centre + 0.5 * (mobility(text, "w") - mobility(text, "b"))


def shannon(text: str) -> float:
    moves = mobility(text, "w") - mobility(text, "b")
    return material(text) - 0.5 * (faults(text, "P") - faults(text, "p")) + 0.1 * moves


# --- Polis ------------------------------------------------------------------------------------------
def classic(text: str) -> float:
    """Pieces and the chariots' advance, for blue: capitals."""
    board = squares(text)
    pieces = sum(1 if letter.isupper() else -1 for letter in board.values())
    advance = 0.0
    for (_, rank), letter in board.items():
        if letter in "CS":
            advance += rank**2 / 10
        elif letter in "cs":
            advance -= (7 - rank) ** 2 / 10
    return pieces + advance


# --- skirmish ---------------------------------------------------------------------------------------
def units(text: str) -> tuple[int, dict[str, list[tuple[int, int, int]]], dict[str, int]]:
    """The longest way on the map; living units and how many began, by letter."""
    words = text.split()
    width, height = map(int, words[0].split("x"))
    living: dict[str, list[tuple[int, int, int]]] = {"F": [], "A": []}
    began = {"F": 0, "A": 0}
    for word in words[1:]:
        if word[0] in "FA" and ("," in word or word[1:] == "-"):
            began[word[0]] += 1
            if word[1:] != "-":
                x, y = map(int, word[1:].split(":")[0].split(","))
                living[word[0]].append((x, y, int(word.split(":")[1])))
    return width + height - 2, living, began


def distance(text: str) -> float:
    longest, living, began = units(text)
    archers, way = living["A"], 0
    for x, y, _ in living["F"]:
        way += min((abs(x - u) + abs(y - v) for u, v, _ in archers), default=0)
        way += longest * max(0, len(archers) - 1)
    way += longest * len(archers) * (began["F"] - len(living["F"]))
    return -float(way)


def linear(text: str) -> float:
    _, living, _ = units(text)
    health = {letter: sum(unit[2] for unit in living[letter]) for letter in "FA"}
    return 3 * distance(text) + 0.2 * health["F"] - 0.6 * health["A"]


# --- minimax ----------------------------------------------------------------------------------------
def minimax(game: Game, position: Any, depth: int, evaluate: ReferenceEvaluation, unit: int) -> int:
    """The value of a position for the side to move, by looking at every line of `depth` turns.

    On the last ply only the evaluation knows whether a side has no move left.
    A position that several lines lead to after as many plies is looked at once; no position is drawn because
    it came back.
    """

    @functools.cache
    def value_of(position: Any, depth: int, ply: int) -> int:
        verdict = game.verdict(position) if depth > 0 else position.outcome()
        if verdict != OPEN:
            return {WON: WIN - ply, LOST: ply - WIN}.get(verdict, 0)
        if depth == 0:
            value = round(evaluate(game.text(position)) * unit)
            return value if position.turn == 0 else -value
        values = []
        for move in game.moves(position):
            after = position.play(move)
            same = after.turn == position.turn
            below = value_of(after, depth if same else depth - 1, ply + 1)
            values.append(below if same else -below)
        return max(values)

    return value_of(position, depth, 0)
