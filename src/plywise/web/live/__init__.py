"""One live game: its tree, its engines' turns, and those who watch it."""
