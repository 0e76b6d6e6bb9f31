"""A board as SVG: whole XML, each piece on its cell, and the looks of the page."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import plywise
from plywise import Board, Game, Piece
from plywise.core.board import Mark, stones
from plywise.core.board_svg import Arrow, BoardSvg, draw_board
from plywise.core.piece_svg import COLOUR_OF_NAME, INKS, find_picture, sheet
from tests.conftest import ROOT, open_positions

SVG = "{http://www.w3.org/2000/svg}"
STATIC = Path(plywise.__file__).parent / "web" / "static"
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def places(picture: str) -> list[tuple[float, float]]:
    """Where the pieces of a picture are: the corners of their cells, in units of the drawing."""
    root = ElementTree.fromstring(picture)
    found = [group.get("transform", "") for group in root.iterfind(f"{SVG}g")]
    read = [re.fullmatch(r"translate\((\S+) (\S+)\)", text) for text in found]
    return [(float(one[1]), float(one[2])) for one in read if one]


def check_drawing(game: Game) -> None:
    for history in open_positions(game, 3, seed=5):
        board = game.board(history.position)
        if not isinstance(board, Board):
            continue
        for flipped in (False, True):
            drawing = BoardSvg(board, game.name, game.sides, flipped)
            full = [cell for cell, piece in enumerate(board.pieces) if piece is not None]
            picture = draw_board(board, game.name, game.sides, flipped=flipped)
            assert places(picture) == [drawing.corner(cell) for cell in full]
            root = ElementTree.fromstring(picture)
            known = {symbol.get("id") for symbol in root.iter(f"{SVG}symbol")}
            used = {use.get("href", "").removeprefix("#") for use in root.iter(f"{SVG}use")}
            assert used == known
            assert "var(" not in picture


def test_every_game_is_drawn_with_its_pieces_on_their_cells(any_game: Game) -> None:
    check_drawing(any_game)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_is_drawn_with_its_pieces_on_their_cells(path: Path) -> None:
    check_drawing(plywise.load(str(path)))


def test_a_flipped_board_is_seen_from_the_other_side() -> None:
    game = plywise.load("chess")
    board = game.board(game.parse("7k/8/8/8/8/8/8/R3K3 w - - 0 1"))
    assert isinstance(board, Board)
    assert places(draw_board(board)) == [(700, 0), (0, 700), (400, 700)]
    assert places(draw_board(board, flipped=True)) == [(0, 700), (700, 0), (300, 0)]
    labels = re.findall(r">([a-h1-8])</text>", draw_board(board, flipped=True))
    assert "".join(labels) == "12345678hgfedcba"


def test_stones_are_counted_and_drawn_as_far_as_they_can_be_told_apart() -> None:
    board = Board(((stones(3, 0), stones(40, 0)),), shape="pits")
    picture = draw_board(board)
    assert picture.count("<circle") == 3 + 24
    assert ">40</text>" in picture


def test_the_last_move_marks_and_arrows_are_drawn() -> None:
    board = Board(((None, None), (None, None)), left=("2", "1"), bottom=("a", "b"))
    bare = draw_board(board)
    marked = draw_board(
        board, last=[0], marks=[Mark("b1", "check", "")], arrows=[Arrow(0, 3), Arrow(1, 1, "line")]
    )
    drawn = marked.replace("</svg>", "").removeprefix(bare.replace("</svg>", ""))
    assert [drawn.count(part) for part in ("<rect", "<polygon", "<circle")] == [2, 1, 1]


def test_words_of_a_game_are_text_and_nothing_else() -> None:
    board = Board(((Piece("<", "<b>", 0, '<script x="'),),), left=("<i>",), bottom=("&",))
    picture = draw_board(board, 'g"<', ("<", ">"), title="</svg><script>")
    assert "<script" not in picture
    assert ElementTree.fromstring(picture).findtext(f"{SVG}title") == "</svg><script>"


def test_colours_and_pictures_are_those_of_the_page() -> None:
    """The page has them in its style sheet and in pieces.js; one look, wherever a board is drawn."""
    style = (STATIC / "board" / "board.css").read_text(encoding="utf-8")
    on_page = {}
    for colour, inks in re.findall(r'^\[data-colour="(\w+)"\] \{(.*?)\}', style, re.MULTILINE):
        on_page[colour] = dict(re.findall(r"--([\w-]+): (#\w+);", inks.replace("line-of", "line")))
    assert on_page == INKS
    pieces = (STATIC / "board" / "pieces.js").read_text(encoding="utf-8")
    colours = re.search(r"const COLOURS = \{(.*?)\}", pieces)
    assert colours is not None
    assert dict(re.findall(r'(\w+): "(\w+)"', colours[1])) == COLOUR_OF_NAME
    needed = {ink for body in sheet().values() for ink in re.findall(r"var\(--([\w-]+)\)", body)}
    assert needed - {"accent"} == {ink for inks in INKS.values() for ink in inks}


def test_a_game_says_its_own_ground_and_padding() -> None:
    rows = ((None, Piece("x", "disc", 0)),)
    plain, wall = draw_board(Board(rows), "mine"), draw_board(Board(rows, ground="wall", padding=0.1), "mine")
    assert wall.count('r="42"') == plain.count('r="42"') + 2, "a hole for each cell"
    assert 'x="10" y="10" width="80" height="80"' in wall and 'width="80"' not in plain
    grass = draw_board(Board(rows, ground="grass"), "mine")
    assert len({plain, wall, grass}) == 3


@pytest.mark.parametrize("path", ["core/board_svg.py", "web/static/board/board.css"])
def test_the_look_of_a_board_names_no_game(path: str) -> None:
    text = (Path(plywise.__file__).parent / path).read_text()
    assert not [name for name in plywise.shipped() if re.search(rf"\b{name}\b", text)]


def test_names_that_the_documents_promise_have_pictures() -> None:
    table = (ROOT / "docs" / "boards.md").read_text(encoding="utf-8").partition("| names | pictures |")[2]
    rows = table.partition("\n\n")[0].splitlines()[2:]
    names = re.findall(r"`(\w+)`", " ".join(row.split("|")[1] for row in rows))
    assert len(names) > 10
    assert [name for name in names if find_picture("a_game_of_ones_own", name) is None] == []
    assert find_picture("checkers", "king") == "checkers-king"
    assert find_picture("a_game_of_ones_own", "fox") is None
