"""Setting up positions: the text of a position with other pieces on its board or another side to move.

A game need not do anything for it. Texts of positions come in few forms: rows of letters as in FEN, one
sign a cell, or lists of cells by side as in PDN. Each form is tried, and a text counts only if the game reads
it as exactly the board that was wanted. So a game whose texts have another form, or whose rules forbid the
position, refuses with its own reason.
"""

import random
from collections.abc import Iterator, Mapping
from typing import Any

from plywise.core.board import Board, Piece
from plywise.core.errors import BadPosition, PlywiseError
from plywise.core.game import Game

PLAYOUTS, PLIES = 4, 120  # random games in which all kinds of pieces are looked for


def palette(game: Game) -> list[Piece]:
    """The kinds of pieces that the game has: those of its start, its bench, and a few random games.

    Notes on pieces (their health) are not part of a kind.
    """
    kinds: dict[tuple[int | None, str, str], Piece] = {}
    for position in _some_positions(game):
        board = game.board(position)
        if not isinstance(board, Board):
            return []
        for piece in board.pieces:
            if piece is not None:
                bare = Piece(piece.letter, piece.name, piece.side, piece.symbol)
                kinds.setdefault((piece.side, piece.name, piece.letter), bare)
    return sorted(kinds.values(), key=lambda piece: 2 if piece.side is None else piece.side)


def _some_positions(game: Game) -> Iterator[Any]:
    yield game.start()
    for text, _ in game.bench:
        yield game.history(text).position
    chance = random.Random(1)
    for _ in range(PLAYOUTS):
        position = game.start()
        for _ in range(PLIES):
            moves = game.moves(position)
            if not moves:
                break
            position = position.play(chance.choice(moves))
            yield position


def set_up(game: Game, text: str, cells: Mapping[int, Piece | None], turn: int) -> str:
    """The text of a position with these cells changed and that side to move; BadPosition says why not."""
    start = game.parse(text)
    board = game.board(start)
    if not isinstance(board, Board):
        raise BadPosition(text, f"{game.title} has no board to set up")
    wanted: list[Piece | None] = [cells.get(n, piece) for n, piece in enumerate(board.pieces)]
    words = game.text(start)
    if not cells and start.turn == turn:
        return words
    reason = ""
    for candidate in _candidates(game, words, board, wanted, int(start.turn), turn):
        try:
            position = game.parse(candidate)
        except PlywiseError as error:
            reason = reason or getattr(error, "reason", str(error))
            continue
        after = game.board(position)
        if isinstance(after, Board) and _same(after.pieces, wanted) and position.turn == turn:
            return game.text(position)
    raise BadPosition(words, reason or f"{game.title} has no text for this board; type the position instead")


def _same(shown: list[Piece | None], wanted: list[Piece | None]) -> bool:
    def key(piece: Piece | None) -> tuple[object, ...] | None:
        return None if piece is None else (piece.side, piece.name, piece.letter)

    return [key(piece) for piece in shown] == [key(piece) for piece in wanted]


def _candidates(
    game: Game, words: str, board: Board, wanted: list[Piece | None], before: int, turn: int
) -> Iterator[str]:
    """Texts that may mean the wanted board, in the forms that positions are written in."""
    fields = words.split()
    for n, field in enumerate(fields):
        for form in (_rows(field, board, wanted), _signs(field, board, wanted)):
            if form is not None:
                changed = [*fields[:n], form, *fields[n + 1 :]]
                for others in _other_turns(changed, n, before, turn, game):
                    yield from _other_fields(others, n)
    yield from _lists(words, board, wanted, turn)


def _rows(field: str, board: Board, wanted: list[Piece | None]) -> str | None:
    """Rows of letters with numbers for empty cells, as FEN writes them."""
    if field.count("/") != board.height - 1:
        return None
    rows = []
    for y in range(board.height):
        row, empty = "", 0
        for piece in wanted[y * board.width : (y + 1) * board.width]:
            if piece is None:
                empty += 1
                continue
            row, empty = row + (str(empty) if empty else "") + piece.letter, 0
        rows.append(row + (str(empty) if empty else ""))
    return "/".join(rows)


def _signs(field: str, board: Board, wanted: list[Piece | None]) -> str | None:
    """One sign a cell."""
    cells = board.pieces
    if len(field) != len(cells):
        return None
    signs = {sign for sign, piece in zip(field, cells, strict=True) if piece is None}
    empty = signs.pop() if len(signs) == 1 else "."
    return "".join(empty if piece is None else piece.letter for piece in wanted)


def _other_turns(fields: list[str], board_at: int, before: int, turn: int, game: Game) -> Iterator[list[str]]:
    """The fields as they are, and with each short field that may name the side to move changed."""
    names = [(side, side.lower(), side[:1], side[:1].lower()) for side in game.sides]
    if before == turn:
        yield fields
    for n, field in enumerate(fields):
        for old, new in zip(names[before], names[turn], strict=True):
            if n != board_at and field == old:
                yield [*fields[:n], new, *fields[n + 1 :]]


def _other_fields(fields: list[str], board_at: int) -> Iterator[str]:
    """The fields, and the fields with rights that the new board may not have any more taken away."""
    yield " ".join(fields)
    for n in range(len(fields)):
        if n == board_at or fields[n] == "-":
            continue
        letters = fields[n]
        if letters.isalpha() and len(letters) > 1:  # castling rights: the largest part that is still true
            for size in range(len(letters) - 1, 0, -1):
                yield " ".join([*fields[:n], letters[:size], *fields[n + 1 :]])
                yield " ".join([*fields[:n], letters[-size:], *fields[n + 1 :]])
            yield " ".join([*fields[:n], "-", *fields[n + 1 :]])
    yield " ".join(
        "-" if n > board_at + 1 and not field.isdigit() else field for n, field in enumerate(fields)
    )


def _lists(words: str, board: Board, wanted: list[Piece | None], turn: int) -> Iterator[str]:
    """The cells of each side by name, kings with a K before it: `W:W22,K27:B24`."""
    parts = words.split(":")
    if len(parts) != 3 or len(parts[0]) != 1:
        return
    names = [name for row in board.names for name in row]
    lists: dict[int, list[str]] = {0: [], 1: []}
    for name, piece in zip(names, wanted, strict=True):
        if piece is not None and piece.side is not None:
            if not name:
                return
            lists[piece.side].append(f"{'K' if piece.name == 'king' else ''}{name}")
    letters = parts[1][:1], parts[2][:1]
    for first in (letters, letters[::-1]):
        for mover in letters:
            yield f"{mover}:{first[0]}{','.join(lists[0])}:{first[1]}{','.join(lists[1])}"
