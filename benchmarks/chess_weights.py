"""Write the first weights of the default evaluation of chess: round numbers from common sense.

    python benchmarks/chess_weights.py FILE

Tuning (benchmarks/chess_tune.py) starts from them.
"""

import json
import math
import sys
from pathlib import Path

from plywise.games.chess.evaluation import LAYOUT


def middle(x: int, y: int) -> float:
    """0 in a corner, 1 in the centre."""
    return 1 - (abs(x - 3.5) + abs(y - 3.5) - 1) / 6


def pawn(x: int, y: int, endgame: bool) -> float:
    if y in (0, 7):
        return 0
    if endgame:
        return 5 * (y - 2) + (4 if x in (0, 7) else 0)
    centre = 10 if y >= 3 and x in (3, 4) else 0
    return 6 * (y - 2) * (1 - abs(x - 3.5) / 3.5) + centre - (4 if y == 1 else 0)


def knight(x: int, y: int, endgame: bool) -> float:
    return 50 * middle(x, y) - 34 + (0 if endgame else 3 * min(y, 5) - 6)


def bishop(x: int, y: int, endgame: bool) -> float:
    return (14 if endgame else 22) * middle(x, y) - 10 - (8 if y == 0 else 0)


def rook(x: int, y: int, endgame: bool) -> float:
    seventh = 16 if y == 6 else 6 if y > 3 and endgame else 0
    return seventh + (0 if endgame or x not in (3, 4) else 4)


def queen(x: int, y: int, endgame: bool) -> float:
    return 34 * middle(x, y) - 14 if endgame else 6 * middle(x, y) - (5 if y > 3 else 0)


def king(x: int, y: int, endgame: bool) -> float:
    if endgame:
        return 60 * middle(x, y) - 30 + 3 * min(y, 5)
    return [16, 26, 10, -16, -10, -14, 28, 18][x] - 18 * min(y, 4)


def squares(endgame: bool) -> list[int]:
    """By piece and square, the side playing upwards."""
    pieces = (pawn, knight, bishop, rook, queen, king)
    return [round(piece(square & 7, square >> 3, endgame)) for piece in pieces for square in range(64)]


def mobility(endgame: bool) -> list[int]:
    result = [0] * 128
    for i, (most, usual, scale) in enumerate(((8, 4, 22), (13, 6, 22), (14, 6, 16), (27, 10, 12))):
        for n in range(most + 1):
            slope = scale * (1.3 if endgame and i == 2 else 1.0)
            result[32 * i + n] = round(slope * (math.sqrt(n) - math.sqrt(usual)))
    return result


VALUES = {
    "worth_mg": [92, 335, 350, 475, 1000, 0],
    "worth_eg": [112, 305, 325, 545, 1010, 0],
    "squares_mg": squares(False),
    "squares_eg": squares(True),
    "mobility_mg": mobility(False),
    "mobility_eg": mobility(True),
    "connected_mg": [0, 3, 6, 9, 16, 30, 50, 0],
    "connected_eg": [0, 2, 4, 8, 14, 26, 40, 0],
    "weak_mg": [-10, -8, -8],
    "weak_eg": [-12, -18, -10],
    "passed_mg": [0, 2, 2, 6, 18, 40, 75, 0],
    "passed_eg": [0, 8, 12, 22, 40, 70, 115, 0],
    "runner_mg": [-5, 3, 4, 2],
    "runner_eg": [-10, 5, 9, 4],
    "escort_eg": [-4, 7],
    "pieces_mg": [28, 22, 12, 28, 13, -2],
    "pieces_eg": [48, 14, 8, 10, 8, -5],
    "threats_mg": [52, 60, 40, 36, 14, 20, 3, 4],
    "threats_eg": [40, 45, 30, 36, 16, 22, 10, 18],
    "shield_mg": [-14, 12, 6, -2, -6, -8, -10, 0],
    "storm_mg": [0, 0, -16, -8, -3, 0, 0, 0],
    "open_king_mg": [-10, -8],
    "danger_mg": [min(480, round(0.42 * max(0, u - 3) ** 1.85)) for u in range(64)],
    "danger_eg": [min(60, u) for u in range(64)],
    "tempo_mg": [18],
    "tempo_eg": [12],
}


def write(values: dict[str, list[int]], origin: str, path: Path) -> None:
    """Write the weights to a file, one field a line (squares and tables eight a line)."""
    lines = []
    for name, _, (size,) in LAYOUT.fields:
        assert len(values[name]) == size, name
        step = 8 if size > 8 else size
        rows = [", ".join(map(str, values[name][i : i + step])) for i in range(0, size, step)]
        text = ",\n            ".join(rows)
        text = text if len(rows) == 1 else f"\n            {text}\n        "
        lines.append(f'        "{name}": [{text}]')
    body = ",\n".join(lines)
    head = f'    "unit": "hundredths of a pawn",\n    "origin": {json.dumps(origin)},\n'
    path.write_text("{\n" + head + '    "values": {\n' + body + "\n    }\n}\n", encoding="utf-8")


if __name__ == "__main__":
    write(VALUES, "round numbers by common sense, not tuned", Path(sys.argv[1]))
