"""Setting up positions: the text of a position with other pieces on its board or another side to move.

A game need not do anything for it. Texts of positions come in few forms: rows of letters as in FEN, one
sign a cell, or lists of cells by side as in PDN. Each form is tried, and a text counts only if the game reads
it as exactly the board that was wanted. So a game whose texts have another form, or whose rules forbid the
position, refuses with its own reason.
"""

import itertools
import random
from collections.abc import Iterator, Mapping
from typing import Any

from plywise.core.board import Board, Piece
from plywise.core.errors import BadPosition, PlywiseError
from plywise.core.game import Game

PLAYOUTS, PLIES = 4, 120  # random games in which all kinds of pieces are looked for
MAX_RIGHTS, MAX_FIELDS = 6, 256  # letters of a field that are rights; texts that are tried for one board


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
    names = list(dict.fromkeys(name for _, name, _ in kinds))  # the same order for each side

    def place(piece: Piece) -> tuple[int, int, int]:
        number = int(piece.letter) if piece.letter.isdecimal() else 0  # piles of stones, the smallest first
        return 2 if piece.side is None else piece.side, number, names.index(piece.name)

    return sorted(kinds.values(), key=place)


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


def set_up(
    game: Game,
    text: str,
    cells: Mapping[int, Piece | None],
    turn: int,
    details: Mapping[str, bool | int | str] | None = None,
) -> str:
    """The text of a position with these cells changed, that side to move, and these details.

    BadPosition says why there is none. Details that are not named stay, unless the new board forbids them.
    """
    if not details:
        return _set_board(game, text, cells, turn)
    reason = ""
    # A board may need the new details (men that are placed), and details the new board (a rook that castles).
    for details_first in (True, False):
        try:
            words = _set_details(game, text, details) if details_first else text
            words = _set_board(game, words, cells, turn)
            words = _set_details(game, words, details)
        except PlywiseError as error:
            reason = getattr(error, "reason", str(error))
        else:
            return words
    raise BadPosition(text, reason)


def _set_details(game: Game, text: str, details: Mapping[str, bool | int | str]) -> str:
    """The text of a position with other details."""
    position = game.parse(text)
    known = {detail.name: detail for detail in game.details(position)}
    for name, value in details.items():
        if name not in known:
            raise BadPosition(
                text, f"{game.title} has no {name!r}; it has {', '.join(known) or 'no details'}"
            )
        refusal = known[name].refusal(value)
        if refusal:
            raise BadPosition(text, refusal)
    after = game.parse(game.text_with(position, details))
    found = {detail.name: detail.value for detail in game.details(after)}
    for name, value in details.items():
        if found.get(name) != value:
            raise BadPosition(text, f"{name} cannot be {value} here")
    return game.text(after)


def _set_board(game: Game, text: str, cells: Mapping[int, Piece | None], turn: int) -> str:
    """The text of a position with these cells changed and that side to move."""
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
    """One sign a cell, or one a cell that has a name."""
    cells, names = board.pieces, [name for row in board.names for name in row]
    if len(field) != len(cells):
        if len(field) != len([name for name in names if name]):
            return None
        cells, wanted = (
            [piece for piece, name in zip(pieces, names, strict=True) if name] for pieces in (cells, wanted)
        )
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
    """The fields, and the fields with less and less of what the new board may not allow any more."""
    choices = [
        _parts(field) if n > board_at and not field.isdigit() else [field] for n, field in enumerate(fields)
    ]
    some = itertools.islice(itertools.product(*choices), MAX_FIELDS)
    yield from sorted(map(" ".join, some), key=lambda text: -len(text.replace("-", "")))


def _parts(field: str) -> list[str]:
    """A field, and what can be left of it: castling rights one by one, any other field as a whole."""
    if len(field) == 1 or not (field.isalpha() and len(field) <= MAX_RIGHTS):
        return list(dict.fromkeys([field, "-"]))
    sizes = range(len(field), 0, -1)
    return ["".join(some) for size in sizes for some in itertools.combinations(field, size)] + ["-"]


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
