"""The default checkers player against textbook alpha-beta with the evaluation `ring`.

    python benchmarks/checkers_match.py [--ballots 50] [--time 0.1]

Each ballot is played twice with sides swapped, both players with the same time a move. Prints wins, draws
and losses of the default player.
"""

import argparse

import plywise
from plywise.games.checkers.ballots import playable

LONGEST = 300  # plies; then the game counts as drawn


def play(
    players: tuple[plywise.Engine, plywise.Engine], history: plywise.History, seconds: float
) -> int | None:
    """The side that wins, or None."""
    begun = history.length
    while history.outcome is None and history.length - begun < LONGEST:
        result = players[history.turn].search(history, time=seconds)
        assert result.move is not None
        history = history.play(result.move)
    return history.outcome.winner if history.outcome is not None else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ballots", type=int, default=50)
    parser.add_argument("--time", type=float, default=0.1)
    options = parser.parse_args()
    game = plywise.load("checkers")
    ours = plywise.Engine(game, hash=16)
    theirs = plywise.Engine(game, "ring", player="alphabeta", hash=1)
    played = playable()
    step = max(1, len(played) // options.ballots)
    wins = draws = losses = 0
    for ballot in played[::step][: options.ballots]:
        for side in (0, 1):
            ours.clear()
            players = (ours, theirs) if side == 0 else (theirs, ours)
            winner = play(players, game.history("start moves " + " ".join(ballot.moves)), options.time)
            wins += winner == side
            losses += winner == 1 - side
            draws += winner is None
        print(f"+{wins} ={draws} -{losses} after {wins + draws + losses} games", flush=True)


if __name__ == "__main__":
    main()
