"""The games that come with Plywise. Each is an island: a package with a GAME of its own."""

SHIPPED = {
    "checkers": "English checkers: compulsory captures, kings, and endgames solved to the end.",
    "chess": "The royal game, with Chess960; the strongest player here.",
    "connect_four": "Four in a row on a wall of seven columns; the small compiled sample.",
    "polis": "Hop, surround and bring your chariot home: Quinn Theobald's game of dogs and chariots.",
    "skirmish": "Footmen against archers between trees: the course exercise, with the world it models.",
    "tic_tac_toe": "Three in a row on nine squares; the small plain sample.",
}
