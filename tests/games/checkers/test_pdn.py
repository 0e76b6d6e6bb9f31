"""PDN: collections in and out, their faults named, and another program reads them the same."""

import random

import pytest

import plywise
from plywise.games.checkers import pdn

GAME = plywise.load("checkers")

COLLECTION = """[Event "First"]
[White "W. Player"]
[Black "B. \\"Bob\\" Player"]
[Result "1-0"]
{ before the moves }
1. 11-15 23-18! 2. 8-11?! (2. 9-14 18x9 (2... x)) 27-23 $3 3. 4-8
23-19; to the end of the line 1. 99
4. 9 - 14 18x9 1-0

[Event "Second"]
[GameType "21"]
[FEN "W:W22,27:B24,12."]

1... 27x20 2. 12-16 20:11 0-2
1. 9-14 22-18 3. 5-9 *
[Event "Bad move"]
1. 11-15 22-18 2. 15-19 23x16 1/2-1/2
[Event "Bad token"]
1. 11-15 hello 22-18 1-1
[Event "Other game"]
[GameType "20,W,10,10,N2,0"]
1. 32-28 19-23 2-0
[Event "Bad start"]
[FEN "W:W22,27"]
1. 27-24 *
[Event "Last, unfinished"]
1. 11-15
"""


def test_a_collection_is_read_whole_and_its_faults_are_named():
    games = pdn.read(COLLECTION)
    assert len(games) == 8
    first, second, bare, bad_move, bad_token, other, bad_start, last = games
    assert first.moves == ["11-15", "23-18", "8-11", "27-23", "4-8", "23-19", "9-14", "18x9"]
    assert first.tags["Black"] == 'B. "Bob" Player'
    assert first.result == "1-0"
    assert first.problem is None
    assert second.moves == ["27x20", "12-16", "20x11"]
    assert second.start == "W:W22,27:B12,24"
    assert second.result == "0-1"
    assert bare.moves == ["9-14", "22-18", "5-9"]
    assert bad_move.moves == ["11-15", "22-18"]
    assert bad_move.problem.startswith("line 17, '15-19': you must capture: 15x22")
    assert bad_move.result == "1/2-1/2"
    assert bad_token.problem.startswith("line 19, 'hello': it is neither a move")
    assert bad_token.moves == ["11-15"]
    assert other.problem.startswith("line 21, '[GameType ")
    assert other.moves == []
    assert "both colours" in bad_start.problem
    assert bad_start.problem.startswith("line 24,")
    assert last.moves == ["11-15"]
    assert last.result == "*"
    assert last.problem is None


def played(seed, start="start", plies=90):
    dice = random.Random(seed)
    history = GAME.history(start)
    while history.outcome is None and history.length < plies:
        history = history.play(dice.choice(history.moves))
    return history


STARTS = ["start", "start", "W:WK18:B6,7,8,14,15,22,23,16", "B:W6,7,14,15,22,23,K26,K10:BK2,K3,K27"]


@pytest.mark.parametrize("seed", range(8))
def test_a_game_that_is_written_reads_back_equal(seed):
    history = played(seed, STARTS[seed % 4])
    game = pdn.PdnGame.of(history, {"Event": 'a \\ and a "', "White": "me"})
    again = pdn.read(pdn.write([game, game]))
    assert len(again) == 2
    for one in again:
        assert one.problem is None
        assert one.moves == history.played
        assert (one.result, one.start) == (game.result, game.start)
        assert one.tags["Event"] == game.tags["Event"]
        assert one.history.position == history.position


def test_one_nil_is_a_win_for_black():
    won = GAME.history("B:W18:B14").play("14x23")
    assert pdn.PdnGame.of(won).result == "1-0"
    lost = GAME.history("W:W18:B14").play("18x9")
    assert pdn.PdnGame.of(lost).result == "0-1"
    assert pdn.PdnGame.of(GAME.history()).result == "*"


@pytest.mark.parametrize("seed", range(8))
def test_pydraughts_reads_our_games_equal(seed):
    reader = pytest.importorskip("draughts.PDN")
    draughts = pytest.importorskip("draughts")
    # Where a FEN has Black to move, its reader takes the first move twice: not asked here.
    history = played(seed + 20, STARTS[seed % 3])
    ours = pdn.PdnGame.of(history)
    theirs = reader.PDNReader(pdn_text=pdn.write([ours, ours])).games
    assert len(theirs) == 2
    for game in theirs:
        assert game.moves == history.played
        assert game.variant == "english"
        board = draughts.Board("english", GAME.text(GAME.parse(ours.start)))
        for text in game.moves:
            board.push(draughts.Move(board, pdn_move=text))
        assert GAME.parse(board.fen) == history.position


@pytest.mark.parametrize("seed", range(6))
def test_we_read_the_games_of_pydraughts_equal(seed):
    writer = pytest.importorskip("draughts.PDN")
    draughts = pytest.importorskip("draughts")
    dice = random.Random(seed)
    board = draughts.Board("english", GAME.text(GAME.parse(STARTS[seed % 4])))
    for _ in range(60):
        moves = board.legal_moves()
        if not moves:
            break
        board.push(dice.choice(moves))
    text = writer.PDNWriter("", board=board, game_ending="1-1").pdn_text
    (game,) = pdn.read(text)
    assert game.problem is None
    assert game.result == "1/2-1/2"
    assert game.history.position == GAME.parse(board.fen)


def test_what_is_left_out_of_variations_is_said_and_the_game_is_kept() -> None:
    for text, words in {
        "1. 11-15 (1. 9-14 hello 22-17) 22-17 *": "line 1: 'hello' in a variation is no move",
        "1. 11-15\n(1. 9-15) 22-17 *": "line 2: '9-15': ",
        "1. 11-15 ) 22-17 *": "line 1: ')' without '('",
        "1. 11-15 (1. 9-14 22-17) 22-17 *": "",
    }.items():
        (game,) = pdn.read(text)
        assert game.problem is None
        assert len(game.moves) == 2
        assert game.left_out.startswith(words) and bool(game.left_out) == bool(words)
