"""What a notebook shows of positions and histories."""

import re
import subprocess
import sys
from dataclasses import dataclass

import plywise
from plywise import Game
from plywise.core.notebook import MAX_MOVES, last_cells, move_arrows
from tests.conftest import open_positions, sample

HEAVIEST = 60_000  # bytes of a cell's output


def test_a_history_shows_its_board_its_moves_and_its_text(any_game: Game) -> None:
    for history in open_positions(any_game, 2, seed=8):
        shown = history._repr_html_()
        drawn = not isinstance(any_game.board(history.position), str)
        assert shown.count("<svg") == drawn
        assert len(shown.encode()) < HEAVIEST
        assert any_game.title in shown


def test_a_position_is_a_picture(any_game: Game) -> None:
    shown = any_game.start()._repr_svg_()
    board = any_game.board(any_game.start())
    assert shown is None if isinstance(board, str) else shown.startswith("<svg")


def test_the_object_of_a_plain_game_is_a_picture_too() -> None:
    game = sample("kalah")
    assert game.author()._repr_svg_() == game.start()._repr_svg_()


def test_a_game_may_have_a_picture_of_its_own() -> None:
    @plywise.game("own_picture")
    @dataclass(frozen=True)
    class Own:
        turn: int = 0

        def moves(self) -> list[int]:
            return [1]

        def play(self, move: int) -> "Own":
            return Own(1 - self.turn)

        def _repr_svg_(self) -> str:
            return "<svg>own</svg>"

    own: Game = Own.game  # type: ignore[attr-defined]
    assert own.start()._repr_svg_() == "<svg>own</svg>"


def test_moves_have_the_numbers_of_a_list_of_moves() -> None:
    chess = plywise.load("chess")
    history = chess.history("start moves e2e4 e7e5 g1f3")
    assert "1. e4 e5 2. Nf3<" in history._repr_html_()
    later = chess.history("8/5k2/8/8/8/2K5/5Q2/8 b - - 3 37 moves f7e6 f2f5")
    assert "37... Kxf5" not in later._repr_html_()
    assert re.search(r"37\.\.\. K\w+ 38\. Q", later._repr_html_())


def test_of_a_long_game_the_last_moves_are_listed() -> None:
    history = plywise.load("chess").history()
    for _ in range(50):
        for move in ("g1f3", "g8f6", "f3g1", "f6g8"):
            history = history.play(move)
    listed = re.search(r"\.\.\. [\w. +]+", history._repr_html_())
    assert listed is not None
    assert len(re.findall(r"N[fg]\d", listed[0])) == MAX_MOVES
    assert listed[0].endswith("100. Ng1 Ng8")


def test_what_a_game_writes_is_text() -> None:
    history = sample("pebbles").history()
    object.__setattr__(history, "_text", "<script>alert(1)</script>")
    assert "<script>" not in history._repr_html_()


def test_a_move_into_a_column_points_to_where_the_disc_lands() -> None:
    history = plywise.load("connect_four").history("44")
    (ring,) = move_arrows(history, history.game.read_move(history.position, "4"))
    assert ring.start == ring.end == last_cells(history.play("4"))[0] == 3 * 7 + 3


TYPED = """
import plywise

@plywise.game("sticks")
class Sticks(tuple):
    turn = property(lambda self: self[1])

    def moves(self):
        return range(1, min(3, self[0]) + 1)

    def play(self, move):
        return Sticks((self[0] - move, 1 - self[1]))

    @classmethod
    def start(cls):
        return cls((5, 0))

print(Sticks.game.history().moves, Sticks.game.history()._repr_html_().count("Sticks"))
"""


def test_a_game_can_be_typed_into_a_notebook() -> None:
    """There is no file in which its class could be found."""
    done = subprocess.run([sys.executable, "-c", TYPED], capture_output=True, text=True)
    assert done.stdout == "['1', '2', '3'] 1\n", done.stderr
