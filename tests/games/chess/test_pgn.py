"""Whole games as text: what others write is read, and what is written others read."""

import io
import random

import pytest

import plywise
from plywise.games.chess.notation import coordinates
from plywise.games.chess.pgn import PgnGame, Step, read_pgn, write_pgn

CHESS = plywise.load("chess")

MESSY = (
    '\ufeff[Event "A \\"quoted\\" name"]\r\n[Site "x"] [Date "2020.01.01"]\r\n[White "John "Joe" Doe"]\r\n'
    "\r\n{start} 1. e4! {best} e5 (1... c5 {sic} 2. Nf3 (2. c3 d5) d6) 2.Nf3 $1 Nc6 ; to the end\r\n"
    "% not for us\r\n3. Bb5 a6 4. 0-0 (4. Bxc6 dxc6 5. Zz9 e4 (5. a3) 5... a4) Nf6\r\n\r\n"
    '[Event "no result"]\r\n\r\n1. d4 d5 2. Qd9 Nf6 1-0\r\n\r\n1.c4 c5 2...Nf9\r\n\r\n[Event ?]\n*'
)


def test_untidy_games_are_read():
    first, second, third, fourth = read_pgn(MESSY.encode())
    assert first.tags["Event"] == 'A "quoted" name'
    assert first.tags["Date"] == "2020.01.01"
    assert first.tags["White"] == 'John "Joe" Doe'
    assert first.comment == "start"
    assert first.result == "*"
    assert len(first.steps) == 8
    assert first.steps[0].nags == [1]
    assert first.steps[0].comment == "best"
    assert first.steps[3].comment == "to the end"
    sicilian = first.steps[1].variations[0]
    assert [len(sicilian), sicilian[0].comment, len(sicilian[1].variations[0])] == [3, "sic", 2]
    assert len(first.steps[6].variations[0]) == 2
    assert first.problems == [
        "line 7: move 5 'Zz9': it is neither like e2e4 nor like Nf3, exd5, e8=Q or O-O (RULES 10)"
    ]
    assert (len(second.steps), second.result) == (2, "1-0")
    assert "line 11: move 2 'Qd9'" in second.problems[0]
    assert (len(third.steps), third.result, fourth.tags["Event"]) == (2, "*", "?")


def test_a_bad_start_position_is_a_problem_of_its_game_only():
    first, second = read_pgn('[FEN "8/8/8/8 w - -"]\n\n1. e4 *\n\n[Event "b"]\n\n1. e4 1/2\n')
    assert "tag FEN: field 1" in first.problems[0]
    assert first.steps == []
    assert (len(second.steps), second.result, second.problems) == (1, "1/2-1/2", [])


def random_line(chance, position, length, depth):
    """A line with comments, marks and variations, as an annotator might leave it."""
    steps = []
    for i in range(length):
        moves = CHESS.moves(position)
        if not moves:
            break
        step = Step(chance.choice(moves))
        if depth < 2 and i == 0 and depth > 0 and chance.random() < 0.5:
            step.before = "instead"
        if chance.random() < 0.2:
            step.comment = chance.choice(["a long remark " * 8, "why not?", "[%clk 0:01:02]"]).strip()
        if chance.random() < 0.2:
            step.nags = sorted(chance.sample(range(1, 20), 2))
        # An alternative to the first move of a variation is one more of its siblings to python-chess.
        if depth < 2 and (depth == 0 or i > 0) and chance.random() < 0.15:
            step.variations = [
                random_line(chance, position, chance.randint(1, 5), depth + 1) for _ in range(2)
            ]
        steps.append(step)
        position = position.play(step.move)
    return steps


@pytest.mark.parametrize("comment", ["a ;", "; a", "{ a", "a {b", "%x", "1. d4 ) (", '"[x]"'])
def test_a_comment_is_written_as_it_was_read(comment):
    (record,) = read_pgn(f"1. e4 {{{comment} }} e5 *")
    assert record.steps[0].comment == comment
    (again,) = read_pgn(write_pgn(record))
    assert again.steps[0].comment == comment


@pytest.mark.parametrize(
    "fen",
    [
        "start",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 7",
        "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w KQkq - 0 1",
        "qrkr4/8/8/8/8/8/8/QRKR4 b DBdb - 0 1",
    ],
)
def test_what_is_written_is_read_back_equal_here_and_by_python_chess(fen):
    chess_pgn = pytest.importorskip("chess.pgn")
    chance = random.Random(fen)
    for _ in range(5):
        start = CHESS.parse(fen)
        tags = {"Event": "Nobody's cup, 7th", "White": "Ä", "Annotator": "me"}
        record = PgnGame(tags, start, random_line(chance, start, 40, 0), "before it all", "1-0")
        text = write_pgn(record)
        assert all(len(line) < 80 or "{" in line for line in text.splitlines())
        (again,) = read_pgn(text)
        assert (again.steps, again.start, again.comment, again.result) == (
            record.steps, record.start, record.comment, record.result)  # fmt: skip
        assert again.problems == []
        assert write_pgn(again) == text
        game = chess_pgn.read_game(io.StringIO(text))
        assert game.errors == []
        assert game.headers["Event"] == tags["Event"]
        assert game.headers["Result"] == "1-0"
        assert game.comment == "before it all"
        same_lines(record.start, record.steps, game)


def same_lines(position, steps, node):
    """Every move, comment, mark and variation, along the line and inside."""
    board = node.board()
    for step in steps:
        child = node.variations[0]
        assert board.uci(child.move) == coordinates(position, step.move, chess960=board.chess960)
        assert child.comment == step.comment
        assert sorted(child.nags) == step.nags
        assert len(node.variations) == 1 + len(step.variations)
        for variation, other in zip(step.variations, node.variations[1:], strict=True):
            assert other.starting_comment == variation[0].before
            assert other.move.uci() == coordinates(position, variation[0].move, chess960=board.chess960)
            same_lines(position.play(variation[0].move), variation[1:], other)
        position, node = position.play(step.move), child
        board = node.board()
    assert not node.variations


def test_a_game_played_here_becomes_a_record():
    history = CHESS.history("start moves f2f3 e7e5 g2g4 d8h4")
    text = write_pgn(PgnGame.of(history, {"White": "Fool"}))
    assert '[Result "0-1"]' in text
    assert text.endswith("1. f3 e5 2. g4 Qh4# 0-1\n")


def test_openings_of_the_oracle_are_read_without_a_problem():
    import zipfile

    from tests.oracles import oracle

    with zipfile.ZipFile(oracle("chess/openings/8moves_v3.pgn.zip")) as archive:
        text = archive.read(archive.namelist()[0])[:40000]
    records = read_pgn(text[: text.rindex(b"[Event")])
    assert len(records) > 100
    assert all(not record.problems and len(record.steps) == 16 for record in records)


def test_quotes_in_tags_are_escaped_as_the_standard_says():
    text = write_pgn(PgnGame({"Event": 'He said "no" \\ left'}))
    assert text.startswith('[Event "He said \\"no\\" \\\\ left"]')
    assert read_pgn(text)[0].tags["Event"] == 'He said "no" \\ left'
