"""A game in the terminal: typed moves and commands, the drawn board, autosave."""
