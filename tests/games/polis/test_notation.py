"""Polis as text: round trips, bad input with its rule and square, and what a move does."""

import pytest

import plywise
from plywise.core.board import Effect, Phase
from plywise.games.polis.notation import PIECES
from tests.games.polis.positions import GAME, thrown

START = "dddddddc/dddddddd/8/8/8/8/DDDDDDDD/CDDDDDDD b"


def test_positions_are_read_as_they_are_written():
    assert GAME.text(GAME.start()) == START
    assert GAME.parse(START) == GAME.start()
    for seed in range(100):
        position = thrown(seed)
        assert GAME.parse(GAME.text(position)) == position


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("c7/8/8/8/8/8/8/CC6 b", "blue has chariots on a1 and b1"),
        ("c6s/8/8/8/8/8/8/C7 b", "red has chariots on a8 and h8"),
        ("8/8/8/8/8/8/8/C7 b", "red has no chariot"),
        (
            "c7/8/8/8/8/8/DDDDDDDD/CDDDDDDD b".replace("8/DD", "D7/DD"),
            "blue has 16 dogs, and may have 15: a3",
        ),
        ("c7/8/8/8/3S4/8/8/8 b", "the chariot on d4 is stunned without two enemies around it (RULES 5)"),
        (
            "c7/8/8/8/2dCd3/8/8/8 b",
            "the chariot on d4 is not stunned between the enemies on c4 and e4 (RULES 5)",
        ),
        ("c7/8/8/8/8/8/8/C6 b", "rank 1 ('C6') has 7 squares, and should have 8"),
        ("c7/8/8/8/8/8/8/C8 b", "rank 1 ('C8') has 9 squares, and should have 8"),
        ("c7/8/8/8/8/8/C7 b", "there are 7 ranks, and should be 8"),
        ("c7/8/8/3x4/8/8/8/C7 b", "'x' at d5 is no piece"),
        ("c7/8/8/8/8/8/8/C7 w", "the side to move, 'b' or 'r'"),
        ("c7/8/8/8/8/8/8/C7", "the side to move, 'b' or 'r'"),
    ],
)
def test_a_bad_position_is_refused_with_the_place_and_the_reason(text, words):
    with pytest.raises(plywise.PlywiseError) as error:
        GAME.parse(text)
    assert words in str(error.value)
    assert text in str(error.value)


def test_stuns_in_which_the_chariots_depend_on_each_other_are_all_read():
    for flags in ("Cc", "Cs", "Sc", "Ss"):
        text = "d7/8/d7/1{}3D2/2{}1D3/3D3d/8/8 r".format(*flags)
        assert GAME.text(GAME.parse(text)) == text


@pytest.mark.parametrize(
    ("position", "move", "words"),
    [
        (START, "a1a2", "a2 is occupied (RULES 2)"),
        (START, "a2a4", "a4 is not next to a2: a piece moves one square (RULES 2)"),
        (START, "a3a4", "there is no piece on a3 (RULES 2)"),
        (START, "a7a6", "the piece on a7 is red's, and blue is to move (RULES 2)"),
        (START, "e4", "a move is the square it leaves and the square it goes to"),
        ("7c/8/8/3dSd2/8/8/8/D7 b", "e5e6", "the chariot on e5 is stunned and cannot move (RULES 6)"),
        ("7c/8/8/3d1d2/8/4D3/8/C7 b", "e3e4", None),
        ("7c/8/8/3d1d2/4D3/8/8/C7 b", "e4e5", "the dog would be taken on e5 between d5 and f5 (RULES 7)"),
        (
            "7c/8/8/3d1d2/4C3/8/8/D7 b",
            "e4e5",
            "the chariot would be stunned on e5 between d5 and f5 (RULES 7)",
        ),
        ("C6c/8/8/8/8/8/8/8 r", "h8h7", "the game is over: blue's chariot has reached a8"),
    ],
)
def test_an_illegal_move_is_refused_with_its_rule_and_square(position, move, words):
    history = GAME.history(position)
    if words is None:
        assert history.play(move).length == 1
        return
    with pytest.raises(plywise.PlywiseError) as error:
        history.play(move)
    assert words in str(error.value)
    assert position in str(error.value)


def test_every_move_that_is_not_legal_has_a_reason():
    squares = [file + rank for file in "abcdefgh" for rank in "12345678"]
    for position in [thrown(seed) for seed in range(4)]:
        legal = {GAME.move_text(position, move) for move in GAME.moves(position)}
        for move in (here + there for here in squares for there in squares):
            if move not in legal:
                with pytest.raises(ValueError, match="RULES"):
                    position.read_move(move)


@pytest.mark.parametrize("text", ["a2-a3", "A2A3", " a2 a3 "])
def test_moves_are_read_generously(text):
    assert GAME.move_text(GAME.start(), GAME.read_move(GAME.start(), text)) == "a2a3"


# --- what a move does ---------------------------------------------------------------------------
def test_the_effects_of_a_move_come_in_phases():
    position = GAME.parse("7c/8/8/8/3d2D1/5D2/8/C7 b")
    phases = position.effects(GAME.read_move(position, "f3e4"))
    assert list(phases) == [
        Phase("move", (Effect("move", "f3", "e4"),)),
        Phase("hops", (Effect("hop", "d4", "f4"),)),
        Phase("captures", (Effect("capture", "f4"),)),
    ]


def test_stuns_that_begin_and_end_are_told():
    position = GAME.parse("8/8/8/8/5Dc1/7D/8/C7 b")
    last = position.effects(GAME.read_move(position, "h3h4"))[-1]
    assert last == Phase("stuns", (Effect("stun", "g4", piece=PIECES["s"]),))
    position = GAME.parse("7c/8/8/3dSd2/8/3D4/8/8 b")
    freed = Phase("stuns", (Effect("free", "e5", piece=PIECES["C"]),))
    assert freed in position.effects(GAME.read_move(position, "d3d4"))
