"""What the endgame database of a game says of the position on the board, and of each move there."""

from typing import Any

from plywise.core.history import History
from plywise.core.scores import UNKNOWN, Kind, distance
from plywise.core.wording import side_score_text
from plywise.web.connection import Connection
from plywise.web.handlers import GAME_ID, NODE
from plywise.web.payloads import move_steps
from plywise.web.schema import request

Answer = dict[str, Any]
NOTHING: Answer = {"words": "", "moves": []}


@request("endgame", game=GAME_ID, node=NODE)
def endgame(connection: Connection, game: str, node: int) -> Answer:
    from plywise.endgames import is_small, look_up  # it brings the compiler along

    live_game = connection.hub.live_game(connection, game)
    history = live_game.context(node).history
    known = look_up(history)
    if known is None:
        return NOTHING
    if not known.is_known:
        if not is_small(history.game, history.position):
            return NOTHING
        words = f"Not solved yet: `plywise endgames {live_game.name}` solves such positions once and for all."
        return {"words": words, "moves": []}
    best_first = sorted(known.moves.items(), key=lambda one: -_order(one[1]))
    return {
        "words": "" if known.score == UNKNOWN else f"{_words(history, known.score, known.is_doubtful)}.",
        "moves": [_move(history, move, score, move in known.doubtful) for move, score in best_first],
    }


def _order(score: int) -> float:
    """Wins first, the shortest at the top; what is not known stands between draws and losses."""
    return -0.5 if score == UNKNOWN else score


def _move(history: History, move: int, score: int, doubtful: bool) -> Answer:
    game, position = history.game, history.position
    text = game.move_text(position, move)
    return {
        "move": text,
        "said": game.label(position, move),
        "steps": move_steps(history, text),
        "words": "not known" if score == UNKNOWN else _words(history, score, doubtful),
        "result": "" if score == UNKNOWN else "draw" if score == 0 else "win" if score > 0 else "loss",
    }


def _words(history: History, score: int, doubtful: bool) -> str:
    """A score of the database in words; a win is counted in moves of the winner, as the sides alternate.

    The database does not know the past, so a win is `doubtful` where a draw by repetition, or by a counter,
    may come first.
    """
    plies = distance(score)
    moves = None if plies is None else (plies + (score > 0)) // 2
    words = side_score_text(history.game, history.turn, score, Kind.PROVEN, history.game.unit, moves)
    return f"{words}, unless a draw comes first" if doubtful else words
