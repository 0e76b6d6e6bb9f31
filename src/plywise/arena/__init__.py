"""Many games: matches with numbers, on one machine or many."""
