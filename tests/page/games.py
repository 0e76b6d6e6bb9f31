"""Whole games, short and with everything in them that a hand has to do."""

# A short game each, from the start to the end. Checkers has jumps over two and three men in it.
WHOLE = {
    "chess": "e2e4 e7e5 g1f3 d7d6 f1c4 c8g4 b1c3 g7g6 f3e5 g4d1 c4f7 e8e7 c3d5",
    "checkers": (
        "9-13 24-19 12-16 19x12 5-9 23-19 1-5 22-18 10-14 21-17 13x22 26x1 2-6 1x10 7x23 27x18 3-7 12x3"
        " 9-14 18x9 5x14 3x17 11-16 19x12 4-8 12x3"
    ),
    "polis": ("b2c3 d7e6 a1b2 d8e7 b2c3 g7f6 c4d4 a7b6 e5e4 b8c7 e4d5 a8a7 d5c6 g6f5 c6c7 f6g5 c7d8"),
    "connect_four": "3 3 4 6 2 3 1",
    "tic_tac_toe": "b2 a3 c1 a1 a2 c2 b1 b3 c3",
}
