"""Positions and single moves as text: FEN, EPD, SAN and long algebraic, with their mistakes."""

import random
import re

import pytest

import plywise
from plywise.core.errors import BadMove, BadPosition
from plywise.games.chess.epd import read_epd, write_epd
from plywise.games.chess.fen import NAMES, square_name, write_fen
from plywise.games.chess.generate import TO
from plywise.games.chess.notation import algebraic, coordinates, is_castling, legal_moves_to, read_move

CHESS = plywise.load("chess")
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@pytest.mark.parametrize(
    "fen",
    [
        START,
        KIWIPETE,
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "1rr1k3/8/8/8/8/8/8/1RR1K3 w Cc - 3 40",  # K or Q would mean the outer rook
        "4k3/8/8/8/8/8/8/4K2R w K - 99 120",
        "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w KQkq - 0 1",
    ],
)
def test_a_fen_comes_back_as_it_was(fen):
    assert CHESS.text(CHESS.parse(fen)) == fen


def test_counters_may_be_left_out():
    assert CHESS.text(CHESS.parse("8/8/4k3/8/8/8/8/4K2R w K -")) == "8/8/4k3/8/8/8/8/4K2R w K - 0 1"


def test_both_castling_styles_mean_the_same():
    by_side = CHESS.parse("bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w KQkq - 0 1")
    by_file = CHESS.parse("bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1")
    assert by_side == by_file
    assert write_fen(by_side, shredder=True).split()[2] == "FCfc"


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("rnbqkbnr/pppppppp/8/8 w KQkq - 0 1", "field 1, the pieces, has 4 ranks"),
        ("4k3/8/8/8/8/8/8/4K4 w - - 0 1", "rank 1: '4K4' has 9 squares"),
        ("4k3/8/8/3x4/8/8/8/4K3 w - - 0 1", "rank 5: 'x' is neither a piece"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "White has 0 kings"),
        ("4k2k/8/8/8/8/8/8/4K3 w - - 0 1", "Black has 2 kings (on e8, h8)"),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn cannot stand on a8"),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "Black has 9 pawns"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "field 2"),
        ("4k3/8/8/8/8/8/8/4K3 w W - 0 1", "field 3, castling: 'W'"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "field 3, castling 'K': White has no rook right of e1"),
        ("4k3/8/8/8/8/8/8/4K2R w KH - 0 1", "the rook on h1 is named twice"),
        ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", "the king on e2 has left"),
        ("4k3/8/8/8/8/8/8/4K1RR w GH - 0 1", "two rights right of its king"),
        ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "field 4, en passant: 'e9' is no square"),
        ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", "a square on rank 6"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "no Black pawn on e5"),
        ("4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 1", "came over e7"),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "field 5, the half-move clock"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 -1", "field 6, the move number"),
        ("4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1", "could take the king on e8"),
        ("4k3/8", "six fields"),
    ],
)
def test_a_bad_fen_names_field_square_and_reason(fen, reason):
    with pytest.raises(BadPosition) as error:
        CHESS.parse(fen)
    assert reason in str(error.value)


def test_every_text_of_every_move_is_read_back():
    chance = random.Random(2)
    fens = (KIWIPETE, "4k3/P1P3PP/8/8/8/8/p1p3pp/4K3 w - - 0 1", "4k3/8/8/8/1q6/8/1R3R2/R3K2R w KQ - 0 1")
    for fen in fens:
        position = CHESS.parse(fen)
        for _ in range(25):
            moves = CHESS.moves(position)
            if not moves:
                break
            for move in moves:
                for text in (
                    coordinates(position, move),
                    coordinates(position, move, chess960=True),
                    algebraic(position, move),
                    long_algebraic(position, move),
                ):
                    assert read_move(position, text) == move, (text, position.text())
            position = position.play(chance.choice(moves))


def test_moves_to_a_square_are_those_of_all_moves_that_end_there():
    chance = random.Random(3)
    for fen in (
        KIWIPETE,
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "4k3/8/8/8/1q6/8/1R3R2/R3K2R w KQ - 0 1",
        "8/8/8/K1pP3r/8/8/8/4k3 w - c6 0 1",  # a capture in passing opens the rank
        "4k3/3P4/8/2b1q2B/1nPp4/8/4RQP1/2b1KN1r b - c3 0 1",
    ):
        position = CHESS.parse(fen)
        for _ in range(40):
            moves = CHESS.moves(position)
            if not moves:
                break
            for to in range(64):
                ends = [move for move in moves if move >> TO & 63 == to and not is_castling(position, move)]
                found = [move for kind in NAMES for move in legal_moves_to(position, kind, to)]
                assert sorted(found) == sorted(ends), (to, position.text())
            position = position.play(chance.choice(moves))


def long_algebraic(position, move):
    """A move with both its squares: `Nb1-d2`, `e5xd6`, `e7-e8=Q+`."""
    short = algebraic(position, move)
    parts = re.fullmatch(r"([KQRBN]?)[a-h]?[1-8]?(x?)([a-h][1-8].*)", short)
    if parts is None:
        return short  # castling
    piece, takes, rest = parts.groups()
    return f"{piece}{square_name(move & 63)}{takes or '-'}{rest}"


def test_san_is_the_same_as_that_of_python_chess():
    chess = pytest.importorskip("chess")
    chance = random.Random(4)
    fens = (START, KIWIPETE, "Q6Q/8/8/8/8/6pp/6pk/Q3K3 w - - 0 1", "N3N3/8/8/8/N3N3/8/7k/K7 w - - 0 1")
    for fen in fens:
        position, board = CHESS.parse(fen), chess.Board(fen)
        for _ in range(40):
            moves = {coordinates(position, move): move for move in CHESS.moves(position)}
            if not moves:
                break
            for text, move in moves.items():
                assert algebraic(position, move) == board.san(chess.Move.from_uci(text)), board.fen()
            text = chance.choice(sorted(moves))
            position = position.play(moves[text])
            board.push_uci(text)


@pytest.mark.parametrize(
    ("fen", "text", "move"),
    [
        (START, "Ng1-f3", "g1f3"),
        (START, "e4!?", "e2e4"),
        (START, "Pe4", "e2e4"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "0-0-0", "e1c1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O+", "e1g1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1h1", "e1g1"),
        ("4k3/7P/8/8/8/8/8/4K3 w - - 0 1", "h7-h8=Q+", "h7h8q"),
        ("4k3/7P/8/8/8/8/8/4K3 w - - 0 1", "h8N", "h7h8n"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "exd6 e.p.", "e5d6"),
        ("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", "c1b1", "c1b1"),  # Chess960: the king takes its rook
    ],
)
def test_looser_texts_are_read(fen, text, move):
    position = CHESS.parse(fen)
    assert CHESS.move_text(position, CHESS.read_move(position, text)) == move


@pytest.mark.parametrize(
    ("fen", "text", "reason"),
    [
        (START, "e2e5", "the pawn on e2 cannot go to e5 (RULES 3)"),
        (START, "e3e4", "there is no piece on e3"),
        (START, "e7e5", "the pawn on e7 is Black's"),
        (START, "a1a2", "a2 is taken by White's own pawn"),
        (START, "Nd4", "White has no knight that can go to d4"),
        (START, "xyzzy", "neither like e2e4"),
        (START, "O-O", "cannot castle on the king's side"),
        ("4k3/8/8/8/8/8/3R1R2/4K3 w - - 0 1", "Re2", "it could be Rde2+ or Rfe2+"),
        ("4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1", "Rd2", "pinned"),
        ("4r1k1/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O", "in check and cannot castle"),
        ("4r1k1/8/8/8/8/8/8/R3K3 w Q - 0 1", "a1a2", "in check and this does not end it"),
        ("3r2k1/8/8/8/8/8/8/4K3 w - - 0 1", "Kd1", "d1 is attacked"),
        ("4k3/7P/8/8/8/8/8/4K3 w - - 0 1", "h8", "say what the pawn becomes"),
        ("4k3/7P/8/8/8/8/8/4K3 w - - 0 1", "h7h8", "say what the pawn becomes"),
        (START, "e2e4q", "nothing is promoted on e4"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "Kg8", "the game is over"),
    ],
)
def test_a_bad_move_says_why(fen, text, reason):
    with pytest.raises(BadMove) as error:
        CHESS.read_move(CHESS.parse(fen), text)
    assert reason in str(error.value)


def test_epd_is_read_and_written():
    fen = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - -"
    text = fen + ' bm Qg6; id "WAC.001"; c0 "say \\"hi\\"; bye";'
    epd = read_epd(text)
    assert epd.operations["id"] == ["WAC.001"]
    assert epd.operations["c0"] == ['say "hi"; bye']
    assert [CHESS.move_text(epd.position, move) for move in epd.moves("bm")] == ["g3g6"]
    assert write_epd(epd) == text


def test_epd_refuses_in_one_line_whatever_its_quotes_hold():
    with pytest.raises(ValueError, match="operation bm") as refused:
        read_epd('4k3/8/8/8/8/8/8/4K3 w - - bm "\r\n" "a\nb"')
    assert "\n" not in str(refused.value) and "\r" not in str(refused.value)


def test_epd_counters_and_lines():
    epd = read_epd("4k3/8/8/8/8/8/4P3/4K3 w - - pv e2e4 Kd7 e5; hmvc 7; fmvn 31;")
    assert epd.position.text() == "4k3/8/8/8/8/8/4P3/4K3 w - - 7 31"
    assert len(epd.moves("pv")) == 3
    assert "pv e4 Kd7 e5;" in write_epd(epd)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("4k3/8/8/8/8/8/4P3/4K3 w - - bm Qg6;", "operation bm Qg6"),
        ("4k3/8/8/8/8/8/4P3/4K3 w -", "four first fields"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - ;; 7x;", "begins with a letter"),
        ('4k3/8/8/8/8/8/4P3/4K3 w - - id "open;', "does not end with ';'"),
    ],
)
def test_a_bad_epd_names_the_operation(text, reason):
    with pytest.raises(ValueError, match=reason.replace("(", r"\(")):
        read_epd(text)


def test_the_board_is_drawn_from_whites_side():
    board = CHESS.board(CHESS.parse(START))
    assert str(board).splitlines()[0] == "8 r n b q k b n r"
    assert board.rows[7][4].symbol == "♔"
    assert board.names[0][0] == "a8"


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("4k3/521/8/8/8/8/8/4K3 w - - 0 1", "rank 7: 52 should be one number"),
        ("4k3/8/8/8/8/8/8/4\u212a3 w - - 0 1", "rank 1: '\u212a' is neither a piece nor a number"),
        ("4k3/8/8/8/8/8/8/\u06643K3 w - - 0 1", "is neither a piece nor a number"),
        ("4k3/8/8/8/8/8/8/4K2R w \u212a - 0 1", "castling: '\u212a' is not one of KQkq"),
        ("4k3/8/8/8/8/8/8/4K3 w - - \u0663 1", "the half-move clock, is a whole number"),
    ],
)
def test_letters_that_only_look_like_those_of_a_fen_are_refused(fen: str, reason: str) -> None:
    with pytest.raises(BadPosition, match=reason):
        CHESS.parse(fen)


@pytest.mark.parametrize(
    "fen", ["4k3/8/5N2/1B6/4R3/8/8/4K3 b - - 0 1", "4k3/3P1P2/3N4/8/8/8/8/4K3 b - - 0 1"]
)
def test_more_checks_than_a_move_gives_are_refused(fen):
    with pytest.raises(BadPosition, match=r"no move gives check from .* and .* and .* at once"):
        plywise.load("chess").history(fen)


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/5N2/8/4R3/8/8/4K3 b - - 0 1",  # the knight has moved away
        "4k3/5P2/8/8/4R3/8/8/4K3 b - - 0 1",
        "8/8/8/8/1b2k3/8/8/4K2r w - - 0 1",
        "4Q3/8/8/1B2k3/8/8/8/4K3 b - - 0 1",
        "B6b/8/8/8/2K5/5k2/8/b6B b - - 0 1",  # no move gives it, but published counts begin there
    ],
)
def test_checks_that_a_move_gives_are_read(fen):
    assert plywise.load("chess").history(fen).text == fen
