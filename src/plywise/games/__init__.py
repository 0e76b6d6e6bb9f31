"""The games that come with Plywise. Each is an island: a package with a GAME of its own."""

SHIPPED = {
    "skirmish": "Footmen against archers between trees: the course exercise, with the world it models.",
    "connect_four": "Four in a row on a wall of seven columns; the small compiled sample.",
    "tic_tac_toe": "Three in a row on nine squares; the small plain sample.",
}
