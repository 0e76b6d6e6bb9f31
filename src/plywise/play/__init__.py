"""Players and what they play: above the search, below the front ends."""
