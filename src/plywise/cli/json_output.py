"""What `--json` prints. Scripts rely on these keys; more may be added."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from plywise.cli.errors import describe_error
from plywise.core.errors import BadLimits
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.outcome import Outcome
from plywise.core.resources import BadWeights
from plywise.search.result import Result


def outcome_json(outcome: Outcome | None) -> dict[str, Any] | None:
    """How a game ended; None while it goes on."""
    return None if outcome is None else {"winner": outcome.winner, "reason": outcome.reason}


def moves_json(history: History) -> dict[str, Any]:
    """The legal moves, each with the position after it."""
    game, position = history.game, history.position
    after = {
        game.move_text(position, move): History(game, position.play(move), history, move).text
        for move in game.moves(position)
    }
    return {
        "game": game.name,
        "position": history.text,
        "turn": history.turn,
        "moves": after,
        "outcome": outcome_json(history.outcome),
    }


def perft_json(
    history: History, depth: int, divide: dict[str, int], nodes: int, took: float
) -> dict[str, Any]:
    """The number of move paths of this depth: in all, and after each first move."""
    return {
        "game": history.game.name,
        "position": history.text,
        "depth": depth,
        "nodes": nodes,
        "seconds": round(took, 6),
        "divide": divide,
    }


def analyse_json(history: History, result: Result) -> dict[str, Any]:
    """The result of a search; scores are for the side to move."""
    plies = result.plies
    if result.move is None and result.score != 0:
        plies = 0  # won or lost already
    return {
        "game": history.game.name,
        "position": history.text,
        "turn": history.turn,
        "move": result.move,
        "score": result.score,
        "kind": str(result.kind),
        "plies": plies,
        "depth": result.depth,
        "nodes": result.nodes,
        "seconds": round(result.seconds, 6),
        "lines": [
            {"score": line.score, "kind": str(line.kind), "moves": list(line.moves)} for line in result.lines
        ],
        "outcome": outcome_json(history.outcome),
    }


def bench_json(game: str, nodes: int, took: float) -> dict[str, Any]:
    """The node signature and the speed."""
    return {"game": game, "nodes": nodes, "seconds": round(took, 6), "nps": round(nodes / max(took, 1e-9))}


def input_lines() -> Iterator[bytes]:
    """The lines of standard input, each as soon as it is there."""
    while line := sys.stdin.buffer.readline():
        yield line


def answer_lines(game: Game, source: Iterable[bytes], answer: Callable[[History], dict[str, Any]]) -> None:
    """Answer each line with one JSON line, in order; an error is answered by its reason."""
    for line in source:
        try:
            result = answer(game.history(line.decode("utf-8").strip() or "start"))
        except UnicodeDecodeError as error:
            result = {"error": f"the line is not UTF-8: {error.reason} at byte {error.start}"}
        except (BadLimits, BadWeights):
            raise
        except Exception as error:
            text, is_users = describe_error(error)
            if not is_users:
                raise
            result = {"error": text}
        print_json(result)


def print_json(answer: dict[str, Any]) -> None:
    """Print one object on one line, and flush: a program may be waiting for it."""
    print(json.dumps(answer), flush=True)
