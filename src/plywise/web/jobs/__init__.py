"""Searches for pages beside the game: hints, analysis and review, and the scheduler of the processor."""
