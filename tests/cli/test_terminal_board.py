"""Boards of hexagons, points and pits in colours."""

from plywise import Board, Piece
from plywise.cli.terminal.board import plain_text, styled_text
from plywise.core.board import stones
from tests.conftest import named

X = Piece("x", "disc", 0, "●")


def test_a_coloured_board_has_the_cells_of_the_plain_one() -> None:
    for name in ("hex", "morris", "kalah"):
        board = named(f"examples/{name}").board(named(f"examples/{name}").start())
        assert styled_text(board, 100).plain.replace("·", ".") == plain_text(board)


def test_what_a_move_has_changed_is_shown() -> None:
    before = Board(((None, None), (None, None)), shape="hexagons", slant=1)
    after = Board(((None, X), (None, None)), shape="hexagons", slant=1)
    text = styled_text(after, 80, before=before)
    assert text.plain == "· ●\n · ·"
    (reversed_at,) = [span for span in text.spans if "reverse" in str(span.style)]
    assert text.plain[reversed_at.start : reversed_at.end] == "●"


def test_a_flipped_board_has_the_other_store_on_the_right() -> None:
    board = Board(((stones(1), stones(2)), (stones(8), stones(9)), (stones(3), stones(4))), shape="pits")
    assert plain_text(board, flip=True).split() == ["4", "3", "9", "8", "2", "1"]
    assert styled_text(board, 80, flip=True).plain.split() == ["4", "3", "9", "8", "2", "1"]


def test_names_stand_beside_the_cells_that_they_name_where_the_edges_have_no_labels() -> None:
    names = (("a3", "", "c3"), ("", "b2", ""), ("a1", "", "c1"))
    lines = (("a3", "b2", "c1"), ("c3", "b2", "a1"), ("a3", "c3"))
    board = Board(((X, None, None), (None,) * 3, (None,) * 3), names=names, shape="points", lines=lines)
    assert plain_text(board) == ("x-------.   a3 c3\n  \\   /\n    .       b2\n  /   \\\n.       .   a1 c1")
    assert styled_text(board, 80).plain.replace("●", "x").replace("·", ".") == plain_text(board)
    flat = Board(((None,) * 2, (None,) * 3), left=("a", "b"), shape="hexagons", flat=True)
    assert [line[4:] for line in plain_text(flat).split("\n")] == ["", "  b1", "  a1", "  b2", "  a2", "  b3"]
