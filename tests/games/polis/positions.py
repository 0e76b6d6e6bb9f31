"""Positions to test with: random ones by play, and boards on which pieces are thrown at random."""

import random

import plywise

GAME = plywise.load("polis")


def played(seed, plies):
    """The positions of a random game; captures and chariots are preferred, so that things happen."""
    random_ = random.Random(seed)
    position = GAME.start()
    result = [position]
    for _ in range(plies):
        moves = GAME.moves(position)
        if not moves:
            break
        lively = [move for move in moves if position.gain(move) > 0 or position.chariots >> (move & 63) & 1]
        move = random_.choice(lively if lively and random_.random() < 0.4 else moves)
        position = position.play(move)
        result.append(position)
    return result


def thrown(seed):
    """A random board in text form with flags that the reader accepts: crowded where rules bite."""
    random_ = random.Random(seed)
    while True:
        squares = random_.sample(range(64), random_.randint(6, 28))
        kinds = random_.choice(["Cc", "Sc", "Cs", "Ss"])
        board = dict(zip(squares, kinds + "Dd" * 15, strict=False))
        rows = ["".join(board.get(8 * y + x, ".") for x in range(8)) for y in reversed(range(8))]
        text = "/".join(rows)
        for gap in range(8, 0, -1):
            text = text.replace("." * gap, str(gap))
        text += random_.choice([" b", " r"])
        try:
            return GAME.parse(text)
        except plywise.PlywiseError:
            continue
