"""Boards are data: their plain text is letters and dots, and every cell has a place."""

import re
from math import hypot
from typing import Any

import pytest

import plywise
from plywise import Board, Piece
from plywise.core.board import stones
from plywise.core.board_places import lay_out
from plywise.core.effects import compare_boards, move_entry
from plywise.core.errors import BadGame

X, O = Piece("x", "disc", 0), Piece("o", "disc", 1)  # noqa: E741


def test_boards_of_the_samples_as_text() -> None:
    game = plywise.load("connect_four")
    board = game.board(game.parse("4453"))
    assert str(board).splitlines()[-3:] == [". . . o . . .", ". . o x x . .", "1 2 3 4 5 6 7"]
    assert board.names[0] == ("1", "2", "3", "4", "5", "6", "7")
    game = plywise.load("tic_tac_toe")
    assert str(game.board(game.parse("x.o...... x"))) == "3 x . o\n2 . . .\n1 . . .\n  a b c"


# --- names ------------------------------------------------------------------------------------------
def test_names_follow_from_the_labels() -> None:
    rows = ((None, None), (X, None))
    board = Board(rows, left=("2", "1"), bottom=("a", "b"))
    assert board.names == (("a2", "b2"), ("a1", "b1"))
    assert move_entry(board, "a1b2").steps == ("a1", "b2")
    assert Board(rows, bottom=("a", "b")).names == (("a", "b"), ("a", "b"))
    assert Board(rows, left=("2", "1")).names == (("2", "2"), ("1", "1"))
    assert Board(rows).names == ()
    assert Board(rows, left=("1",), bottom=("a", "b")).names == ()  # labels that fit no cells name none
    own = (("p", "q"), ("r", "s"))
    assert Board(rows, left=("2", "1"), bottom=("a", "b"), names=own).names == own


def test_names_for_other_cells_than_there_are_are_refused() -> None:
    with pytest.raises(BadGame, match="names has other rows than the board"):
        Board(((None, None),), names=(("a",),))


# --- hexagons ---------------------------------------------------------------------------------------
def grid(*lengths: int) -> tuple[tuple[Piece | None, ...], ...]:
    return tuple((None,) * length for length in lengths)


def neighbours(board: Board) -> list[int]:
    """How many cells touch each cell: their middles are one side apart."""
    places = lay_out(board).places
    near = [[abs(hypot(a.x - b.x, a.y - b.y) - 1) < 1e-9 for b in places] for a in places]
    return [row.count(True) for row in near]


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize(
    ("board", "inside"),
    [
        (Board(grid(3, 3, 3), shape="hexagons", slant=1), 1),
        (Board(grid(3, 3, 3), shape="hexagons", slant=-1), 1),
        (Board(grid(3, 3, 3), shape="hexagons"), 1),
        (Board(grid(3, 4, 5, 4, 3), shape="hexagons"), 7),
    ],
)
def test_hexagons_touch_six_others_inside_the_board(board: Board, inside: int, flat: bool) -> None:
    turned = Board(board.rows, shape="hexagons", slant=board.slant, flat=flat)
    assert neighbours(turned).count(6) == inside
    layout = lay_out(turned)
    assert min(place.x for place in layout.places) >= 0.5
    assert max(place.y for place in layout.places) <= layout.height - 0.5


def test_hexagons_as_text_are_shifted_by_half_a_cell() -> None:
    slanted = Board(((X, None), (None, O)), left=("1", "2"), bottom=("a", "b"), shape="hexagons", slant=1)
    assert str(slanted) == "1 x .\n 2 . o\n    a b"
    assert str(Board(grid(2, 3, 2), shape="hexagons")) == " . .\n. . .\n . ."
    assert str(Board(grid(1, 2, 1), left=tuple("abc"), shape="hexagons", flat=True)) == (
        "  b\na . c\n.   .\n  ."
    )


def test_hexagons_with_labels_on_the_left_alone_are_counted_in_their_rows() -> None:
    assert Board(grid(2, 3), left=("a", "b"), shape="hexagons").names == (("a1", "a2"), ("b1", "b2", "b3"))


def test_hexagons_that_do_not_fit_are_refused() -> None:
    with pytest.raises(BadGame, match="hexagons of two rows do not fit"):
        str(Board(grid(3, 3, 4), shape="hexagons"))


# --- points and pits --------------------------------------------------------------------------------
def test_points_are_joined_by_lines() -> None:
    names = (("a3", "", "c3"), ("", "b2", ""), ("a1", "", "c1"))
    rows = ((X, None, None), (None, O, None), (None, None, None))
    lines = (("a3", "c3"), ("a3", "b2", "c1"), ("a3", "a1"))
    board = Board(rows, left=tuple("321"), bottom=tuple("abc"), names=names, shape="points", lines=lines)
    assert str(board).splitlines() == [
        "3 x-------.",
        "  | \\",
        "2 |   o",
        "  |     \\",
        "1 .       .",
        "  a   b   c",
    ]
    with pytest.raises(BadGame, match="a line goes to 'z9', which is no name of a cell"):
        Board(rows, names=names, shape="points", lines=(("a3", "z9"),))


def test_points_may_stand_in_rows_of_different_lengths() -> None:
    names = (("a",), ("b", "c"), ("d", "e", "f"))
    lines = (("a", "b", "d", "e", "f"), ("a", "c", "f"))
    board = Board(((None,), (X, None), (None, None, None)), names=names, shape="points", lines=lines)
    assert str(board).splitlines() == [".", "| \\", "x   .", "|     \\", ".---.---."]


def test_pits_have_their_stores_left_and_right() -> None:
    rows = ((stones(4, 1), stones(10, 1)), (stones(1, 1), stones(12, 0)), (stones(3, 0), stones(0, 0)))
    board = Board(rows, names=(("B", "A"), ("", ""), ("a", "b")), bottom=("a", "b"), shape="pits")
    drawn = ["     4 10", " 1        12", "     3  0", "     a  b"]
    assert str(board).splitlines() == ["     B  A", *drawn]  # moves of the far side are named above its pits
    same = Board(rows, names=(("a", "b"), ("", ""), ("a", "b")), bottom=("a", "b"), shape="pits")
    assert str(same).splitlines() == drawn
    left, right = lay_out(same).places[2:4]
    assert (left.x, left.y, left.height, right.x) == (0.5, 1.0, 2, 3.5)
    assert [label.text for label in lay_out(same).labels] == ["a", "b"]
    named, room = lay_out(board), lay_out(board).height - lay_out(same).height
    assert [place.y - other.y for place, other in zip(named.places, lay_out(same).places, strict=True)] == [
        pytest.approx(room)
    ] * 6
    assert [label.text for label in named.labels] == ["B", "A", "a", "b"]
    assert 0 < named.labels[0].y < named.places[0].y - 0.5 < named.places[4].y + 0.5 < named.labels[2].y
    with pytest.raises(BadGame, match="the middle one is the two stores"):
        Board((rows[0], (None,), rows[2]), shape="pits")


def test_stones_are_taken_up_before_they_are_sown() -> None:
    names = (("a", "b"), ("c", "d"))
    before = Board(((stones(2), stones(1)), (stones(0), stones(1))), names=names, shape="pits")
    after = Board(((stones(0), stones(2)), (stones(1), stones(1))), names=names, shape="pits")
    phases = compare_boards(before, after, ("a",))
    assert [[(one.kind, one.at, one.to) for one in phase.effects] for phase in phases] == [
        [("change", 0, None)],
        [("change", 1, None), ("change", 2, None)],
    ]


def test_a_shape_or_edges_that_are_none_are_refused() -> None:
    with pytest.raises(BadGame, match="shape 'circles' is none of squares, hexagons, points, pits"):
        Board(((None,),), shape="circles")
    with pytest.raises(BadGame, match="edges are four"):
        Board(((None,),), edges=(0,))


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ({"ground": "water"}, "ground 'water' is none of '', 'wall', 'grass'"),
        ({"ground": "wall", "shape": "hexagons"}, "a ground is for squares, and this board has hexagons"),
        ({"padding": 0.5}, "padding 0.5 is not from 0 to 0.4, a part of a cell"),
        ({"padding": -0.1}, "padding -0.1 is not from 0 to 0.4"),
    ],
)
def test_a_look_that_cannot_be_is_refused(how: dict[str, Any], why: str) -> None:
    with pytest.raises(BadGame, match=re.escape(why)):
        Board(((None,),), **how)
