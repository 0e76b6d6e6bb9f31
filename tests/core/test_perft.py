"""Paths are counted move by move."""

import plywise
from plywise.core.perft import divide
from plywise.search.specialisation import perft_counter


def test_divide_counts_the_paths_behind_each_move() -> None:
    game, begun = plywise.load("tic_tac_toe"), list[int]()
    count = perft_counter(game, compiled=False)
    position = game.start()
    counts = dict(divide(game, position, 3, count, begun.append))
    assert counts == dict.fromkeys(range(9), 8 * 7)
    assert begun == list(counts)
    assert sum(counts.values()) == count(position, 3)
