"""Polyglot books: the published keys, and books that another program reads the same."""

import random
import struct
from pathlib import Path

import chess
import chess.polyglot
import pytest

import plywise
from plywise.core.errors import PlywiseError
from plywise.games.chess.polyglot import key
from plywise.protocols.polyglot import MAX_ENTRIES, Book
from plywise.protocols.uci import Uci
from tests.conftest import walk
from tests.protocols.talk import Talk

# From the description of the format.
PUBLISHED = {
    "start": 0x463B96181691FC9C,
    "start moves e2e4": 0x823C9B50FD114196,
    "start moves e2e4 d7d5 e4e5 f7f5": 0x22A48B5A8E47FF78,
    "start moves e2e4 d7d5 e4e5 f7f5 e1e2": 0x652A607CA3F242C1,
    "start moves e2e4 d7d5 e4e5 f7f5 e1e2 e8f7": 0x00FDD303C946BDD9,
    "start moves a2a4 b7b5 h2h4 b5b4 c2c4": 0x3C8123EA7B067637,
    "start moves a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3": 0x5C3F9B829B279560,
}


def entry(position: str, move: str, weight: int) -> bytes:
    board = chess.Board(position)
    one = board.parse_uci(move)
    to = {chess.G1: chess.H1, chess.C1: chess.A1}.get(one.to_square, one.to_square)
    to = to if board.is_castling(one) else one.to_square
    number = to | one.from_square << 6 | ((one.promotion or 1) - 1) << 12
    return struct.pack(">QHHI", chess.polyglot.zobrist_hash(board), number, weight, 0)


@pytest.mark.parametrize("text", PUBLISHED)
def test_keys_are_those_published(text: str) -> None:
    assert key(plywise.load("chess").history(text).position) == PUBLISHED[text]


def test_keys_equal_those_of_another_reader() -> None:
    for seed in range(20):
        for history in walk(plywise.load("chess"), seed, 80):
            board = chess.Board(history.text)
            assert key(history.position) == chess.polyglot.zobrist_hash(board), history.text


def test_moves_are_chosen_by_weight_and_castling_is_found(tmp_path: Path) -> None:
    castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    promotion = "8/P6k/8/8/8/8/8/6K1 w - - 0 1"
    start = chess.STARTING_FEN
    entries = [
        entry(start, "e2e4", 3),
        entry(start, "d2d4", 1),
        entry(castling, "e1g1", 1),
        entry(castling, "e1c1", 1),
        entry(promotion, "a7a8n", 1),
    ]
    path = tmp_path / "book.bin"
    path.write_bytes(b"".join(sorted(entries)))
    game, book = plywise.load("chess"), Book(path, seed=1)
    chosen = [game.move_text(game.start(), book(game.history()) or 0) for _ in range(200)]
    assert set(chosen) == {"e2e4", "d2d4"}
    assert chosen.count("e2e4") > chosen.count("d2d4")
    position = game.parse(castling)
    assert {game.move_text(position, move) for move, _ in book.entries(game, position)} == {"e1g1", "e1c1"}
    position = game.parse(promotion)
    assert [game.move_text(position, move) for move, _ in book.entries(game, position)] == ["a7a8n"]
    assert book(game.history("start moves a2a3")) is None
    with Talk(Uci) as talk:
        talk.send(f"setoption name Book value {path}", "position startpos")
        assert talk.ask("go wtime 1000 btime 1000", "bestmove")[-1] in ("bestmove e2e4", "bestmove d2d4")


def test_what_is_no_book_is_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(PlywiseError, match="No such file"):
        Book(tmp_path / "nothing.bin")
    path = tmp_path / "odd.bin"
    path.write_bytes(b"x" * 17)
    with pytest.raises(PlywiseError, match="17 bytes"):
        Book(path)


def test_rubbish_in_a_book_gives_no_illegal_move(tmp_path: Path) -> None:
    dice = random.Random(1)
    start = struct.pack(">Q", PUBLISHED["start"])
    path = tmp_path / "rubbish.bin"
    path.write_bytes(b"".join(start + dice.randbytes(8) for _ in range(500)))
    game = plywise.load("chess")
    moves = game.moves(game.start())
    assert {move for move, _ in Book(path).entries(game, game.start())} <= set(moves)


def test_a_book_of_one_position_is_read_in_part(tmp_path: Path) -> None:
    """It could be as large as the disk, and every move would wait for it."""
    book = tmp_path / "b.bin"
    book.write_bytes(entry(chess.STARTING_FEN, "e2e4", 1) * (MAX_ENTRIES + 500))
    game = plywise.load("chess")
    assert len(Book(book).entries(game, game.start())) == MAX_ENTRIES
