"""Polis once more, read off the rules with a dictionary of squares. Never optimised, shares nothing."""

from dataclasses import dataclass

EIGHT = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
FOUR = [(1, 0), (0, 1), (1, 1), (1, -1)]


@dataclass
class Man:
    side: str
    chariot: bool
    stunned: bool = False


def read(text):
    rows, side = text.split()
    board = {}
    for y, row in zip(range(8, 0, -1), rows.split("/"), strict=True):
        x = 1
        for sign in row:
            if sign.isdigit():
                x += int(sign)
                continue
            board[x, y] = Man("b" if sign.isupper() else "r", sign in "CScs", sign in "Ss")
            x += 1
    return board, side


def write(board, side):
    rows = []
    for y in range(8, 0, -1):
        row = ""
        for x in range(1, 9):
            man = board.get((x, y))
            sign = "." if man is None else "S" if man.stunned else "C" if man.chariot else "D"
            row += sign.lower() if man is not None and man.side == "r" else sign
        for gap in range(8, 0, -1):
            row = row.replace("." * gap, str(gap))
        rows.append(row)
    return "/".join(rows) + " " + side


def enemy(board, place, side):
    """An enemy of `side` that is not stunned stands there."""
    man = board.get(place)
    return man is not None and man.side != side and not man.stunned


def squeezed(board, x, y):
    side = board[x, y].side
    return any(
        enemy(board, (x + dx, y + dy), side) and enemy(board, (x - dx, y - dy), side) for dx, dy in FOUR
    )


def work_out_stuns(board):
    for y in range(1, 9):
        for x in range(1, 9):
            if (x, y) in board and board[x, y].chariot:
                board[x, y].stunned = squeezed(board, x, y)


def play(board, origin, target):
    """The board after a move, or None if the moved piece is taken or stunned."""
    board = {place: Man(man.side, man.chariot, man.stunned) for place, man in board.items()}
    mover = board.pop(origin)
    board[target] = mover
    x, y = target
    hops = []
    for dx, dy in EIGHT:
        here, there, behind = (x + dx, y + dy), (x - dx, y - dy), (x + 2 * dx, y + 2 * dy)
        if here not in board or there in board or not (1 <= there[0] <= 8 and 1 <= there[1] <= 8):
            continue
        man = board[here]
        defended = man.side != mover.side and behind in board and board[behind].side == man.side
        if not defended and not man.stunned:
            hops.append((here, there))
    men = [(there, board.pop(here)) for here, there in hops]
    board.update(men)
    work_out_stuns(board)
    taken = [place for place, man in board.items() if not man.chariot and squeezed(board, *place)]
    for place in taken:
        del board[place]
    work_out_stuns(board)
    return None if target in taken or mover.stunned else board


def winner(board):
    for x in range(1, 9):
        for y, side in ((8, "b"), (1, "r")):
            man = board.get((x, y))
            if man is not None and man.chariot and man.side == side:
                return side
    return None


def name(place):
    return "abcdefgh"[place[0] - 1] + str(place[1])


def moves(text):
    """Every legal move with the position after it and the winner there."""
    board, side = read(text)
    if winner(board):
        return {}
    result = {}
    for (x, y), man in board.items():
        if man.side != side or man.stunned:
            continue
        for dx, dy in EIGHT:
            target = x + dx, y + dy
            if target in board or not (1 <= target[0] <= 8 and 1 <= target[1] <= 8):
                continue
            after = play(board, (x, y), target)
            if after is not None:
                other = "r" if side == "b" else "b"
                result[name((x, y)) + name(target)] = (write(after, other), winner(after))
    return result
