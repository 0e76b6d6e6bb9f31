"""Payloads: what the page is sent of a position, a move, an outcome and a line."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from plywise.core.alternation import winner_moves
from plywise.core.board import Board, Phase, Piece
from plywise.core.board_places import lay_out
from plywise.core.effects import move_entry, touched_cells
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.outcome import Outcome
from plywise.core.presentation import find_hook
from plywise.core.scores import Kind, distance, is_sure
from plywise.core.wording import line_labels, side_score_text, wins_text
from plywise.play.state import GameState
from plywise.play.win_chance import first_side_chance
from plywise.search.result import Line, Result
from plywise.web.refusal_text import without_clause


def piece_payload(piece: Piece | None) -> dict[str, Any] | None:
    """The piece on a cell."""
    if piece is None:
        return None
    return {
        "letter": piece.letter,
        "name": piece.name,
        "side": piece.side,
        "symbol": piece.symbol,
        "note": piece.note,
        "pile": piece.count,
        **({"reach": piece.reach} if piece.reach else {}),
    }


def board_payload(board: Board | str) -> dict[str, Any]:
    """A board to draw; where the game draws none, an empty one with its text as a note."""
    if not isinstance(board, Board):
        board = Board((), notes=(board,))
    return {
        "width": board.width,
        "height": board.height,
        "cells": [piece_payload(piece) for piece in board.pieces],
        "names": [name for row in board.names for name in row],
        "left": list(board.left),
        "bottom": list(board.bottom),
        "checkered": board.checkered,
        "ground": board.ground,
        "padding": board.padding,
        "notes": list(board.notes),
        "shape": board.shape,
        "layout": layout_payload(board) if board.shape != "squares" else None,
    }


def layout_payload(board: Board) -> dict[str, Any]:
    """Where the cells of a board are that are no squares, and what is drawn below them."""
    layout = lay_out(board)
    chains = [[board.cell(name) for name in line] for line in board.lines]
    return {
        "places": [[one.x, one.y, one.height] for one in layout.places],
        "size": [layout.width, layout.height],
        "rows": [len(row) for row in board.rows],
        "labels": [[label.text, label.x, label.y] for label in layout.labels],
        "lines": [list(pair) for chain in chains for pair in pairwise(chain)],
        "edges": list(board.edges),
        "flat": board.flat,
    }


def phases_payload(phases: Sequence[Phase]) -> list[dict[str, Any]]:
    """What is seen on the board, phase by phase."""
    return [
        {
            "name": phase.name,
            "effects": [
                {
                    "kind": one.kind,
                    "at": one.at,
                    "to": one.to,
                    "piece": piece_payload(one.piece),
                    "amount": one.amount,
                }
                for one in phase.effects
            ],
        }
        for phase in phases
    ]


def last_move_payload(phases: Sequence[Phase]) -> dict[str, Any] | None:
    """The last move, and the cells that it touched."""
    if not phases:
        return None
    return {"phases": phases_payload(phases), "cells": touched_cells(phases)}


def moves_payload(history: History) -> list[dict[str, Any]]:
    """The legal moves: as text, as a list shows them, and the cells that are touched to enter them."""
    game, position = history.game, history.position
    # What `game.move_entry` does, with one board for all moves.
    board = None if find_hook(game.unwrap(position), "steps") else game.board(position)
    found, styles = [], set(game.styles.values())
    for move in game.moves(position):
        text = game.move_text(position, move)
        entry = move_entry(board, text) if isinstance(board, Board) else game.move_entry(position, move)
        label = game.label(position, move)
        one: dict[str, Any] = {
            "move": text,
            "said": label,
            "steps": list(entry.steps),
            "choice": entry.choice,
        }
        also = {game.move_text_in_style(position, move, style) for style in styles} - {text}
        if also and isinstance(board, Board):  # other programs' ways to enter it: the king onto the rook
            ways = [list(move_entry(board, words).steps) for words in sorted(also)]
            one["also"] = [steps for steps in ways if steps]
        found.append(one)
    taken = {tuple(one["steps"]) for one in found}
    for one in found:
        if "also" in one:
            one["also"] = [steps for steps in one["also"] if tuple(steps) not in taken]
    return found


def move_steps(history: History, move: str) -> list[str]:
    """The cells that are touched to enter a move."""
    return list(
        history.game.move_entry(history.position, history.game.read_move(history.position, move)).steps
    )


def taken_payload(lost: tuple[Counter[Piece], Counter[Piece]]) -> list[list[dict[str, Any]]]:
    """The pieces that each side has lost, with their numbers."""
    return [
        [{**(piece_payload(piece) or {}), "count": count} for piece, count in one.items()] for one in lost
    ]


def outcome_payload(game: Game, outcome: Outcome | None) -> dict[str, Any] | None:
    """How a game ended, also in words."""
    if outcome is None:
        return None
    verdict = "Draw" if outcome.winner is None else wins_text(game, outcome.winner, first=True)
    return {
        "winner": outcome.winner,
        "reason": outcome.reason,
        "words": f"{verdict}: {outcome.short_reason.replace(': ', ', ')}",
    }


def history_after(state: GameState, side: int, chosen: Sequence[str]) -> History:
    """The side's view of the position, after the part of its choice that is made."""
    history = state.view(side)
    for move in chosen:
        history = history.play(move)
    return history


def view_payload(
    state: GameState, node: int, side: int, chosen: Sequence[str], outcome: Outcome | None, person: bool
) -> dict[str, Any]:
    """A state as the page draws it; `side` chooses, and has `chosen` so far."""
    game = state.game
    choosing = state.sides_to_move if outcome is None else ()
    history = history_after(state, side, chosen)
    partial = bool(chosen) and history.before is not None and history.move is not None
    board, phases, marks = state.board, state.phases, state.marks
    if partial:
        assert history.before is not None and history.move is not None
        board = game.board(history.position)
        phases = game.effects(history.before.position, history.move)
        marks = game.marks(history.position)
    complete = bool(chosen) and state.is_complete(side, history)
    return {
        "node": node,
        "text": state.text,
        "opening": opening_text(state),
        "turn": side,
        "choosing": list(choosing),
        "chosen": list(chosen),
        "board": board_payload(board),
        "moves": moves_payload(history) if choosing and not complete else [],
        "marks": [
            {"cell": mark.cell, "kind": mark.kind, "reason": without_clause(mark.reason)} for mark in marks
        ],
        "last": last_move_payload(phases),
        "told": [] if partial else state.events,
        "taken": taken_payload(state.captured),
        "outcome": outcome_payload(game, outcome),
        "player": person and bool(choosing) and not complete,
    }


def opening_text(state: GameState) -> str:
    """The name of the opening that the game came through last; nothing where it has none."""
    found = state.view(state.turn).opening
    return "" if found is None else str(found)


# --- scores ---------------------------------------------------------------------------------------
def score_words(game: Game, turn: int, score: int, kind: Kind, unit: int, moves: int | None = None) -> str:
    """A score in words that name the side ahead: `White wins in 7 moves, proven`, `Black +0.40`.

    `moves` are the winner's own; where only the score is known, plies are said.
    """
    kind = kind_in_game(game, kind)
    text = side_score_text(game, turn, score, kind, unit, moves)
    proven = kind is Kind.PROVEN and distance(score) != 0 and (score == 0 or is_sure(score))
    return f"{text}, proven" if proven else text


def kind_in_game(game: Game, kind: Kind) -> Kind:
    """How far a score can be trusted in the game that is played: dice make an estimate of a proof.

    The search of a world sees a model of it, in which sides take turns and damage is fixed.
    """
    return kind if game.world is None else Kind.ESTIMATE


def line_words(history: History, line: Line, unit: int) -> str:
    """A line's score in words; a win that the line shows to its end is counted in moves of the winner."""
    moves = winner_moves(history, line.numbers, line.score)
    return score_words(history.game, history.turn, line.score, line.kind, unit, moves)


def result_words(history: History, result: Result) -> str:
    """A result's score in words."""
    if result.lines:
        return line_words(history, result.lines[0], result.unit)
    return score_words(history.game, history.turn, result.score, result.kind, result.unit)


def first_chance(game: Game, turn: int, score: int, evaluator: str = "default") -> float:
    """The first side's chance to win, from 0 to 1, by a score for the side to move."""
    return round(first_side_chance(score, turn, game, game.evaluation(evaluator).unit), 4)


def line_payload(history: History, line: Line, evaluator: str) -> dict[str, Any]:
    """A line of a search, with its moves as a list shows them."""
    game, turn = history.game, history.turn
    unit = game.evaluation(evaluator).unit
    return {
        "score": line.score if turn == 0 else -line.score,
        "kind": str(kind_in_game(game, line.kind)),
        "words": line_words(history, line, unit),
        "chance": first_chance(game, turn, line.score, evaluator),
        "moves": list(line.moves),
        "said": line_labels(history, line.numbers),
        "steps": list(game.move_entry(history.position, line.numbers[0]).steps) if line.numbers else [],
    }
