"""A game in the terminal: moves and commands that are typed, a board that is drawn, and autosave."""
