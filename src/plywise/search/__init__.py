"""One search for every game, and the textbook players beside it. It knows no game."""
