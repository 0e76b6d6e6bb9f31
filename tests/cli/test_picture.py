"""`plywise picture`: positions and games as SVG."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.terminal import plywise


def test_a_position_is_drawn() -> None:
    done = plywise("picture", "chess", "start", "moves", "e2e4")
    assert done.status == 0
    assert ElementTree.fromstring(done.out).tag.endswith("svg")
    assert "animate" not in done.out


def test_a_game_of_a_file_is_drawn_as_a_moving_picture(tmp_path: Path) -> None:
    (tmp_path / "game.pgn").write_text("1. e4 e5 2. Nf3 *\n")
    where = tmp_path / "game.svg"
    done = plywise("picture", "chess", "--read", str(tmp_path / "game.pgn"), "--moving", "--out", str(where))
    assert (done.status, done.out) == (0, "")
    drawn = where.read_text(encoding="utf-8")
    assert "2. Nf3" in drawn and "<animate" in drawn


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["chess", "--look", "purple"], "unknown look 'purple'"),
        (["chess", "--seconds", "0"], "--seconds wants seconds above 0"),
        (["chess", "start", "--read", "x.pgn"], "takes a POSITION or --read FILE, not both"),
        (["chess", "--read", "nowhere.pgn"], "nowhere.pgn: No such file"),
        (["chess", "nonsense"], "bad position 'nonsense'"),
        (["connect_four", "--out", "no/such/folder.svg"], "No such file"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_one_sentence(words: list[str], sentence: str) -> None:
    done = plywise("picture", *words)
    assert done.status == 2
    assert sentence in done.error
    assert len(done.error.strip().splitlines()) == 1
