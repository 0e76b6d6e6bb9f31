"""What every game, search and front end shares: words, the contract of a game, scores, history."""
