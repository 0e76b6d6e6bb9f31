"""Whole random games: how they end, how long they are, how much there is to choose, and what that betrays."""

import random
import statistics
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from plywise.check.finding import Finding
from plywise.core.contract import source_place
from plywise.core.game import Game
from plywise.core.mobility import (
    MOBILITY,
    OUTCOME,
    exchange_turn,
    generic_default,
    generic_evaluators,
    misleads,
)
from plywise.core.outcome import LOST, OPEN, WON
from plywise.core.wording import count_text

GAMES = 100
MAX_PLIES = 400
SECONDS = 3.0  # of processor time, after which no other game begins
LEAST = 8  # games that must speak for an advice
IDLE, RECKLESS = 0.25, 200  # units that evaluations should go beyond, and not reach in the mean
WITHOUT_EVALUATE = {MOBILITY: "the number of moves (mobility)", OUTCOME: "its outcome alone"}


@dataclass
class RandomGames:
    """What was seen in random games."""

    sides: tuple[str, str]
    wins: list[int] = field(default_factory=lambda: [0, 0])
    draws: int = 0
    unfinished: int = 0
    plies: list[int] = field(default_factory=list)
    moves: list[int] = field(default_factory=list)
    passes: int = 0
    extra_turns: int = 0
    stuck: int = 0  # games that end with a side that has no move
    early: int = 0  # of those, with moves for the other side
    stuck_verdicts: set[int] = field(default_factory=set)
    last_mover_won: int = 0  # games that outcome() ended, by who made the last move
    last_mover_lost: int = 0
    evaluator: str | None = None  # what the search goes by, if the author wrote no evaluation
    misleading: bool = False  # mobility was tried and loses games
    evaluations: list[int] = field(default_factory=list)  # without their signs, if he wrote one
    unit: int = 0  # of the game

    @property
    def games(self) -> int:
        return len(self.plies)

    def to_json(self) -> dict[str, Any]:
        """The figures by name; of `plies` and `moves` the least, the mean and the most."""
        return {
            "games": self.games,
            "wins": dict(zip(self.sides, self.wins, strict=True)),
            "draws": self.draws,
            "unfinished": self.unfinished,
            "plies": _spread(self.plies),
            "moves": _spread(self.moves),
            "passes": self.passes,
            "extra_turns": self.extra_turns,
            "stuck": self.stuck,
            "evaluator": self.evaluator,
        }

    def __str__(self) -> str:
        results = [f"{side} won {won}" for side, won in zip(self.sides, self.wins, strict=True)]
        results.append(f"{self.draws} drawn")
        if self.unfinished:
            results.append(f"{self.unfinished} without an end after {MAX_PLIES} plies")
        parts = [", ".join(results), _range(self.plies, "plies"), _range(self.moves, "moves to choose from")]
        if self.passes:
            parts.append(f"{self.passes} {'pass' if self.passes == 1 else 'passes'}")
        if self.extra_turns:
            parts.append(count_text(self.extra_turns, "extra turn"))
        if self.stuck:
            parts.append(f"{count_text(self.stuck, 'game')} ended because a side had no move")
        if self.evaluator is not None:
            why = ", since mobility loses to dice" if self.misleading else ""
            parts.append(f"no evaluate(): it is searched by {WITHOUT_EVALUATE[self.evaluator]}{why}")
        parts += self._about_unit()
        return f"{count_text(self.games, 'random game')}: {'; '.join(parts)}"

    def _about_unit(self) -> list[str]:
        """What to say where evaluations do not fit the unit, by which the search prunes."""
        most, mean = max(self.evaluations, default=0), statistics.mean(self.evaluations or [0])
        if 0 < most < IDLE * self.unit:
            return [f"evaluate() within {most}, little of a unit of {self.unit}: see @game(unit=...)"]
        if mean > RECKLESS * self.unit:
            return [f"evaluate() {mean:.0f} on average, many units of {self.unit}: see @game(unit=...)"]
        return []


def _spread(numbers: list[int]) -> list[float]:
    return [min(numbers), round(sum(numbers) / len(numbers), 1), max(numbers)] if numbers else []


def _range(numbers: list[int], words: str) -> str:
    if not numbers:
        return f"no {words}"
    low, mean, high = _spread(numbers)
    return f"{low} {words}" if low == high else f"{low} to {high} {words} (mean {mean})"


def play_random_games(game: Game, dice: random.Random) -> RandomGames:
    """Play games at random to their end, as many as some seconds allow."""
    seen = RandomGames(game.sides, unit=game.unit)
    seen.evaluator = None if game.has_evaluation else generic_default(game)
    seen.misleading = seen.evaluator == OUTCOME and MOBILITY in generic_evaluators(game) and misleads(game)
    begun = time.process_time()
    while seen.games < GAMES and time.process_time() - begun < SECONDS:
        _play(game, dice, seen)
    return seen


def _play(game: Game, dice: random.Random, seen: RandomGames) -> None:
    history, alternated = game.history(), False
    while history.length < MAX_PLIES:
        position = history.position
        moves = game.moves(position)
        outcome = history.outcome
        if outcome is not None or not moves:
            break
        seen.moves.append(len(moves))
        if seen.evaluator is None and position.outcome() == OPEN and not position.midway():
            with suppress(Exception):  # what fails is told where each position is looked at
                seen.evaluations.append(abs(int(position.evaluate())))
        history = history.play(dice.choice(moves))
        alternated = history.position.turn != position.turn
        if not alternated:
            seen.extra_turns += 1
        else:
            changed = exchange_turn(history.position)
            seen.passes += changed is not None and changed == position
    else:
        outcome = history.outcome
    seen.plies.append(history.length)
    if outcome is None:
        seen.unfinished += 1
        return
    if outcome.winner is None:
        seen.draws += 1
    else:
        seen.wins[outcome.winner] += 1
    position = history.position
    verdict = position.outcome()
    if verdict == OPEN and not game.moves(position):
        seen.stuck += 1
        other = exchange_turn(position)
        if other is not None and other.outcome() == OPEN and game.moves(other):
            seen.early += 1
            seen.stuck_verdicts.add(int(position.stuck()))
    elif verdict in (WON, LOST) and alternated:
        seen.last_mover_won += verdict == LOST
        seen.last_mover_lost += verdict == WON


def advise(game: Game, seen: RandomGames) -> Iterator[Finding]:
    """What random games betray of mistakes that break no rule."""
    outcome, stuck = (source_place(game.author, rule) for rule in ("outcome", "stuck"))
    if seen.unfinished == seen.games:
        words = f"none of {seen.games} random games ended within {MAX_PLIES} plies"
        yield Finding(
            "ends", f"{outcome}: {words}; where does outcome() say WON, LOST or DRAWN?", advice=True
        )
    if seen.games >= LEAST and seen.extra_turns == sum(seen.plies):
        place = source_place(game.author, "play")
        words = "no move ever gave the turn to the other side; let play() return 1 - self.turn as its turn"
        yield Finding("turn", f"{place}: {words}", advice=True)
    if max(seen.moves, default=0) == 1:
        place = source_place(game.author, "moves")
        yield Finding("choice", f"{place}: moves() never listed more than one move", advice=True)
    if seen.last_mover_lost >= LEAST and not seen.last_mover_won:
        words = f"whoever made the last move lost, in all {seen.last_mover_lost} games that outcome() ended"
        cure = "it speaks for the side to move: LOST where the last move has won"
        yield Finding("outcome", f"{outcome}: {words}; {cure}", advice=True)
    if seen.early >= LEAST and {WON, LOST} <= seen.stuck_verdicts:
        words = f"{seen.early} games ended because a side had no move while the other had some"
        yield Finding("stuck", f"{stuck}: {words}; if it has to pass, let moves() list a pass", advice=True)
    if seen.evaluator == MOBILITY and misleads(game):
        words = "a player that goes by the number of moves (mobility) loses to dice"
        cure = "write evaluate(), or say @game(evaluator='outcome')"
        yield Finding("mobility", f"{source_place(game.author)}: {words}; {cure}", advice=True)
