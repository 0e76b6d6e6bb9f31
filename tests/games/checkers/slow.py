"""Checkers as the rule book says it, on a dictionary of squares: the slow twin of the bitboards.

Never made faster, and sharing nothing with the rules it checks. A square is (row, column), rows
counted from Black's side; a piece is one of b, B, w, W (capitals are kings).
"""

Board = dict[tuple[int, int], str]


def cell(number: int) -> tuple[int, int]:
    row = (number - 1) // 4
    return row, 2 * ((number - 1) % 4) + (1 if row % 2 == 0 else 0)


NUMBER = {cell(n): n for n in range(1, 33)}


def read(fen: str) -> tuple[Board, str]:
    side, *lists = fen.split(":")
    board: Board = {}
    for part in lists:
        for place in part[1:].split(","):
            if place:
                letter = part[0].upper() if place[0] == "K" else part[0].lower()
                board[cell(int(place.lstrip("K")))] = letter
    return board, side.lower()


def write(board: Board, side: str) -> str:
    parts = []
    for colour in "wb":
        mine = sorted((NUMBER[at], piece) for at, piece in board.items() if piece.lower() == colour)
        parts.append(colour.upper() + ",".join(("K" if p.isupper() else "") + str(n) for n, p in mine))
    return ":".join([side.upper(), *parts])


def directions(piece: str) -> list[tuple[int, int]]:
    ahead = 1 if piece.lower() == "b" else -1
    both = (ahead, -ahead) if piece.isupper() else (ahead,)
    return [(dr, dc) for dr in both for dc in (-1, 1)]


def captures(board: Board, at: tuple[int, int], piece: str, gone: tuple) -> list[tuple[list, tuple]]:
    """All complete captures from here: the squares landed on, and the squares of those taken."""
    found = []
    for dr, dc in directions(piece):
        over, to = (at[0] + dr, at[1] + dc), (at[0] + 2 * dr, at[1] + 2 * dc)
        if to not in NUMBER or to in board or over in gone:
            continue
        if board.get(over, piece).lower() == piece.lower():
            continue
        taken = (*gone, over)
        crowned = piece.islower() and to[0] == (7 if piece == "b" else 0)
        further = [] if crowned else captures(board, to, piece, taken)
        found += [([to, *path], all_taken) for path, all_taken in further] or [([to], taken)]
    return found


def moves(fen: str) -> dict[tuple[int, ...], str]:
    """Every legal move as the squares the piece stands on, with the position after it."""
    board, side = read(fen)
    steps, jumps = [], []
    for at, piece in board.items():
        if piece.lower() != side:
            continue
        without = {square: other for square, other in board.items() if square != at}
        jumps += [(at, piece, path, taken) for path, taken in captures(without, at, piece, ())]
        for dr, dc in directions(piece):
            to = at[0] + dr, at[1] + dc
            if to in NUMBER and to not in board:
                steps.append((at, piece, [to], ()))
    result = {}
    for at, piece, path, taken in jumps or steps:
        after = {square: other for square, other in board.items() if square != at and square not in taken}
        crowned = path[-1][0] == (7 if side == "b" else 0)
        after[path[-1]] = piece.upper() if crowned else piece
        squares = tuple(NUMBER[square] for square in (at, *path))
        result[squares] = write(after, "w" if side == "b" else "b")
    return result
