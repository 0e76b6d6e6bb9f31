"""A game as a moving picture: at every moment it shows the position of that moment."""

import random
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import plywise
from plywise import Board, Game
from plywise.core.board_svg import BoardSvg
from plywise.play import game_svg
from plywise.play.game_svg import GLIDE, HOLD, BadPicture, draw_game
from plywise.play.game_text import read, state_from_history
from plywise.play.state import GameState, start_game
from tests.conftest import ROOT, sample

SVG = "{http://www.w3.org/2000/svg}"
PLIES = 12
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def random_game(game: Game, plies: int = PLIES, seed: int = 1) -> GameState:
    rng, history = random.Random(seed), game.history()
    for _ in range(plies):
        if history.outcome is not None:
            break
        history = history.play(rng.choice(history.moves))
    return state_from_history(history)


def value_at(animation: ElementTree.Element, share: float) -> str:
    """What an animation in steps says at a time, as a browser reads it."""
    values, times = animation.get("values", "").split(";"), animation.get("keyTimes", "").split(";")
    assert len(values) == len(times)
    assert [float(time) for time in times] == sorted(float(time) for time in times)
    return [value for value, time in zip(values, times, strict=True) if float(time) <= share + 1e-9][-1]


def seen_at(picture: str, moves: int, time: float) -> dict[tuple[float, float], str]:
    """The pieces that are seen at a time, in moves: what is drawn, by the corner of its cell."""
    found = {}
    for group in ElementTree.fromstring(picture).iterfind(f"{SVG}g[@transform]"):
        place = re.fullmatch(r"translate\((\S+) (\S+)\)", group.get("transform", ""))
        assert place is not None
        clock = group.find(f"{SVG}animate")
        shown = "visible" if clock is None else value_at(clock, time / (moves + HOLD))
        if shown == "visible":
            drawn = [one for one in group if not one.tag.startswith(f"{SVG}animate")]
            assert (float(place[1]), float(place[2])) not in found, "two pieces on one cell"
            found[float(place[1]), float(place[2])] = "".join(
                ElementTree.tostring(one, "unicode") for one in drawn
            )
    return found


def check_moments(state: GameState) -> None:
    states = state.path
    picture = draw_game(state)
    for ply, one in enumerate(states):
        board = one.board
        assert isinstance(board, Board)
        drawing = BoardSvg(board, state.game.name, state.game.side_names)
        expected = {}
        for cell, piece in enumerate(board.pieces):
            if piece is not None:
                root = ElementTree.fromstring(f'<g xmlns="{SVG[1:-1]}">{drawing.piece_svg.draw(piece)}</g>')
                expected[drawing.corner(cell)] = "".join(
                    ElementTree.tostring(part, "unicode") for part in root
                )
        assert seen_at(picture, len(states) - 1, ply + GLIDE + 0.1) == expected, (
            f"{state.game.name}, ply {ply}"
        )


def test_every_moment_shows_its_position(any_game: Game) -> None:
    if isinstance(any_game.board(any_game.start()), Board) and any_game.world is None:
        check_moments(random_game(any_game))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_moment_of_an_example_shows_its_position(path: Path) -> None:
    check_moments(random_game(plywise.load(str(path))))


def test_castling_promotion_and_captures_are_shown_as_they_happen() -> None:
    chess = plywise.load("chess")
    moves = "e1c1 e8g8 a7a8q h2h1q a8f8"
    check_moments(state_from_history(chess.history(f"4k2r/P7/8/8/8/8/7p/R3K3 w Qk - 0 1 moves {moves}")))


def test_a_world_is_shown_turn_by_turn() -> None:
    state = start_game(plywise.load("skirmish"), "2fv2a")
    for _ in range(3):
        choices = {}
        for side in state.sides_to_move:
            view = state.view(side)
            while not state.is_complete(side, view):
                view = view.play(view.moves[0])
            choices[side] = tuple(view.played)
        state = state.play(choices)
    check_moments(state)


def test_captions_have_the_numbers_of_the_moves_and_the_end() -> None:
    chess = plywise.load("chess")
    state, _ = read(chess, "1. f3 e5 2. g4 Qh4#\n")
    words = re.findall(r"<text[^>]*>([^<]+)</text></g>", draw_game(state))
    assert words[-5:] == [
        "Chess",
        "1. f3",
        "1... e5",
        "2. g4",
        "2... Qh4# \N{EN DASH} " + str(state.outcome and state.outcome.reason),
    ]


def test_where_nothing_moves_the_last_position_is_seen() -> None:
    state = random_game(plywise.load("connect_four"), 9)
    groups = ElementTree.fromstring(draw_game(state)).findall(f"{SVG}g[@transform]")
    assert sum(group.get("visibility") != "hidden" for group in groups) == 9


def test_a_piece_goes_through_the_cells_of_its_jumps() -> None:
    game = plywise.load("checkers")
    state = state_from_history(game.history("W:W26:B22,14 moves 26x17x10"))
    drawn = draw_game(state)
    glide = re.search(r'type="translate" values="([^"]+)"', drawn)
    assert glide is not None
    assert len(set(glide[1].split(";"))) == 3


def test_a_game_that_is_too_long_and_one_without_a_board_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_svg, "MAX_PLIES", 3)
    draw_game(random_game(plywise.load("connect_four"), 3))
    with pytest.raises(BadPicture, match="at most 3 moves, and this game has 4"):
        draw_game(random_game(plywise.load("connect_four"), 4))
    with pytest.raises(BadPicture, match="Pebbles draws no board"):
        draw_game(start_game(sample("pebbles")))
