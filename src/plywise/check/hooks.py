"""How a game presents itself: boards, texts, terms and reasons, asked for as front ends ask for them."""

from collections.abc import Iterator
from typing import Any

from plywise.check.finding import Finding
from plywise.core.board import Board, Piece
from plywise.core.errors import PlywiseError
from plywise.core.game import LEARNED, Game
from plywise.core.history import History
from plywise.core.mobility import GENERIC
from plywise.core.outcome import OPEN
from plywise.core.presentation import find_hook
from plywise.core.untrusted import shorten

FEW = 4  # moves of a position whose labels, steps and effects are asked for
ROUNDING = 1.0  # terms may be fractions, evaluations are whole numbers


class PresentationCheck:
    """Asks positions how they present themselves; remembers the texts it has seen."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._texts: dict[str, Any] = {}

    def __call__(self, history: History, moves: list[int]) -> Iterator[Finding]:
        """What is wrong with the presentation of a position that has these moves."""
        game, position = self.game, history.position
        own, where = game.unwrap(position), f"[{shorten(game.text(position), 400)}]"
        yield from self._text(own, where)
        faults = list(self._board(own, where))
        yield from faults
        if faults:
            return  # what follows asks for the board
        for hook in ("reason", "short_reason"):
            ask = find_hook(own, hook) if game.verdict(position) != OPEN else None
            if ask is not None and not isinstance(words := ask(), str):
                yield Finding(hook, f"{hook}() is {_show(words)}, no text, in {where}")
        game.marks(position)
        game.details(position)
        for move in moves[:FEW]:
            yield from self._move(position, move, where)
        if position.outcome() == OPEN and moves and not position.midway():
            yield from self._terms(position, where)

    def _text(self, own: Any, where: str) -> Iterator[Finding]:
        write = find_hook(own, "text")
        if write is None:
            return
        text = write()
        if not isinstance(text, str):
            yield Finding("text", f"text() is {_show(text)}, no text, in [{own!r}]")
            return
        other = self._texts.setdefault(text, own)
        if other != own:
            words = f"text() writes {_show(text)} for two positions: {own!r} and {other!r}"
            yield Finding("text", f"{words}; let it say all that tells them apart", advice=True)

    def _board(self, own: Any, where: str) -> Iterator[Finding]:
        draw = find_hook(own, "board")
        if draw is None:
            return
        board = draw()
        if board is None:
            yield Finding("board", f"board() is None; return a Board, or a text, in {where}")
        if not isinstance(board, Board):
            return
        for piece in board.pieces:
            if piece is not None and not isinstance(piece, Piece):
                cure = "a cell is a Piece, or None if it is empty"
                yield Finding("board", f"board() has {_show(piece)} on a cell; {cure}, in {where}")
                return
            if piece is not None and piece.side not in (None, 0, 1):
                cure = "a side is 0, 1, or None for nobody's"
                yield Finding("board", f"{piece} is of side {piece.side!r}; {cure}, in {where}")
                return
        for name in (name for row in board.names for name in row):
            if not isinstance(name, str):
                yield Finding("board", f"names has {_show(name)}; a name of a cell is a text, in {where}")
                return

    def _move(self, position: Any, move: int, where: str) -> Iterator[Finding]:
        game, own = self.game, self.game.unwrap(position)
        board, text = game.board(position), game.move_text(position, move)
        if find_hook(own, "label") is not None and not game.label(position, move).strip():
            yield Finding("label", f"label({text}) is empty in {where}")
        if find_hook(own, "steps") is not None and isinstance(board, Board):
            names = {name for row in board.names for name in row}
            for step in game.move_entry(position, move).steps:
                if step not in names:
                    yield Finding("steps", f"steps({text}) has {_show(step)}, no name of a cell, in {where}")
        game.effects(position, move)

    def _terms(self, position: Any, where: str) -> Iterator[Finding]:
        game = self.game
        generic = () if game.has_evaluation else ("default", *GENERIC)  # nothing that the author wrote
        for name in game.evaluations:
            of_position = name == "default" and find_hook(game.unwrap(position), "terms") is not None
            if name in (LEARNED, *generic) or (game.evaluation(name).terms is None and not of_position):
                continue
            total, score = sum(game.terms(position, name).values()), game.evaluate(position, name)
            if abs(total - score) > ROUNDING:
                words = f"the terms of evaluation {name!r} add up to {total:g}, and it is {score}"
                yield Finding("terms", f"{words}, in {where}")


def check_texts(game: Game, history: History, moves: list[int]) -> Iterator[Finding]:
    """Moves and positions are written as texts that are read back."""
    position, where = history.position, f"[{game.text(history.position)}]"
    texts = [game.move_text(position, move) for move in moves]
    for text, move in zip(texts, moves, strict=True):
        if not text or text.split() != [text]:
            yield Finding("move_text", f"{text!r} is not one word, in {where}")
        elif texts.count(text) > 1:
            yield Finding("move_text", f"{text!r} is written for two moves in {where}")
        elif game.read_move(position, text) != move:
            yield Finding("read_move", f"{text!r} is read as another move in {where}")
    reads = find_hook(game.author, "parse") is not None
    if not reads and find_hook(game.author, "text") is not None:
        return  # its author chose to write texts and to read none
    try:
        again = game.parse(game.text(position))
    except PlywiseError as error:
        cure = "" if reads else "; define text() and parse(text), and positions can be entered and saved"
        yield Finding("parse", f"its own text cannot be read: {error}{cure}", advice=not reads)
        return
    if not reads:
        return  # it was read; whether positions are equal is asked where they are played
    if again != position:
        yield Finding("parse", f"its own text {where} is read as another position: {again!r}")
    elif again.key() != position.key():
        yield Finding("key", f"{where} has another key when it is read from its text")


def _show(value: Any) -> str:
    return shorten(repr(value), 60)
