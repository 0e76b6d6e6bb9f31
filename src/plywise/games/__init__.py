"""The games that come with Plywise. Each is an island: a package with a GAME of its own."""

SHIPPED = {
    "checkers": "English checkers: compulsory captures, kings, and endgames solved to the end.",
    "connect_four": "Four in a row on a wall of seven columns; the small compiled sample.",
    "tic_tac_toe": "Three in a row on nine squares; the small plain sample.",
}
