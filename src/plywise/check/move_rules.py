"""The rules about single moves: what they list is legal, and what they return is in its range."""

from collections.abc import Iterator
from typing import Any

from plywise.core.contract import returned_integer, written_moves
from plywise.core.game import Game
from plywise.core.rules import PATTERNS, SLOTS

FEW = 8  # moves of a position that are asked about


def wrong_lists(game: Game, position: Any, moves: list[int]) -> Iterator[tuple[str, str]]:
    """What is wrong with the lists of an open position with these legal moves: the rule, and words."""
    if not moves or position.midway():
        return
    lists = ["candidates"] if game.has_candidates else []
    if not position.urgent():  # there all moves are looked at, and these are not asked for
        lists += [rule for rule in ("noisy", "sharp") if rule == "noisy" or game.has_rule(rule)]
    for rule in lists:
        found = written_moves(position, rule=rule)
        what = "a candidate" if rule == "candidates" else rule
        for move in found:
            if move not in moves:
                yield rule, f"move {move} is {what} and no legal move"
                break
        else:
            if len(set(found)) < len(found):
                twice = next(move for move in found if found.count(move) > 1)
                yield rule, f"{game.move_text(position, twice)} is {what} twice"


def wrong_numbers(game: Game, position: Any, moves: list[int]) -> Iterator[tuple[str, str]]:
    """What is wrong with the numbers that rules give to these moves. The search takes them as they are."""
    for move in moves[:FEW]:
        for rule, least, most in (("slot", 0, SLOTS - 1), ("pattern", -1, PATTERNS - 1)):
            value = returned_integer(game.author, rule, getattr(position, rule)(move))
            if not least <= value <= most:
                text = game.move_text(position, move)
                yield rule, f"{rule}({text}) is {value}, not from {least} to {most},"
        returned_integer(game.author, "gain", position.gain(move))
