"""The games that come with Plywise. Each is an island: a package with a GAME of its own."""

SHIPPED = {
    "chess": "The royal game, with Chess960; the strongest player here.",
    "connect_four": "Four in a row on a wall of seven columns; the small compiled sample.",
    "tic_tac_toe": "Three in a row on nine squares; the small plain sample.",
}
