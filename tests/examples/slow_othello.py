"""Othello cell by cell, as the rules say it: the slow twin of examples/othello.py."""

WAYS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]


def turned(cells: str, side: str, cell: int) -> list[int]:
    """The discs that a new disc would turn."""
    enemy, found = "OX"["XO".index(side)], []
    for dx, dy in WAYS:
        x, y, line = cell % 8 + dx, cell // 8 + dy, []
        while 0 <= x < 8 and 0 <= y < 8 and cells[8 * y + x] == enemy:
            line.append(8 * y + x)
            x, y = x + dx, y + dy
        if 0 <= x < 8 and 0 <= y < 8 and cells[8 * y + x] == side:
            found += line
    return found


def moves(text: str) -> dict[str, str]:
    """The legal moves, each with the position after it."""
    cells, side = text.split()
    enemy = "OX"["XO".index(side)]
    found = {}
    for cell in range(64):
        discs = turned(cells, side, cell) if cells[cell] == "-" else []
        if discs:
            after = "".join(side if i == cell or i in discs else cells[i] for i in range(64))
            found["abcdefgh"[cell % 8] + "12345678"[cell // 8]] = f"{after} {enemy}"
    if not found and any(cells[cell] == "-" and turned(cells, enemy, cell) for cell in range(64)):
        found["pass"] = f"{cells} {enemy}"
    return found
