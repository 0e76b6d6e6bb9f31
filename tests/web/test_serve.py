"""`plywise serve` as a person starts it."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.terminal import process
from tests.conftest import ROOT, SAMPLES
from tests.web.page import Page
from tests.web.process import Process

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are sent as on POSIX")


def test_a_port_in_use_is_one_sentence(folder: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = process("serve", "--no-browser", "--port", str(port), PLYWISE_DATA=str(folder))
    assert done.status == 2
    assert done.error == f"plywise: port {port} is in use; try --port {port + 1}, or leave --port away\n"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--port", "x"], "--port"),
        (["--port", "-1"], "--port"),
        (["--port", "70000"], "--port goes up to 65535, not 70000"),
        (["nosuch.py"], "nosuch.py: there is no such file"),
        ([str(ROOT / "docs")], "docs: no game in this folder; a game is a file with a class marked @game()"),
        (["--browser"], "no option --browser"),
    ],
)
def test_what_makes_no_sense_is_refused(folder: Path, words: list[str], reason: str) -> None:
    done = process("serve", "--no-browser", *words, PLYWISE_DATA=str(folder))
    assert done.status == 2
    assert reason in done.error and done.error.count("\n") == 1


def test_a_damaged_file_of_games_is_said_and_kept(folder: Path) -> None:
    (folder / "games.sqlite").write_bytes(b"junk" * 1000)
    with Process(folder) as server:
        assert "is damaged" in "".join(server.output)
        with Page(server.port) as page:
            assert "is damaged" in page.greeting["notes"][0]
            page.new("tic_tac_toe")
    assert list(folder.glob("games-damaged-*.sqlite"))


def test_without_a_display_the_address_is_said(folder: Path) -> None:
    program = "from plywise.cli.serve import _open_browser; _open_browser('http://127.0.0.1:1/')"
    hidden = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run(
        [sys.executable, "-c", program], env=hidden, capture_output=True, text=True, check=True
    )
    if sys.platform.startswith("linux"):
        assert done.stdout == "There is no display here; open http://127.0.0.1:1/ in a browser.\n"


def test_neither_numpy_nor_numba_is_imported_before_a_page_is_served(folder: Path) -> None:
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from plywise.web.server import Hub, Server\n"
        "from plywise.web.store import Store\n"
        "from tests.web.page import Page\n"
        "server = Server(Hub(Store(Path(sys.argv[1]) / 'games.sqlite')), 0).start()\n"
        "assert 'numpy' not in sys.modules, 'numpy was imported'\n"
        "with Page(server.port) as page:\n"
        "    page.new('chess')\n"
        "assert 'numba' not in sys.modules, 'numba was imported'\n"
        "server.stop()\n"
    )
    root = str(Path(__file__).resolve().parents[2])
    paths = os.pathsep.join([root, *(path for path in sys.path if path)])
    done = subprocess.run(
        [sys.executable, "-c", program, str(folder)],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_a_folder_offers_its_games_and_names_what_is_broken(folder: Path, tmp_path: Path) -> None:
    games = tmp_path / "games"
    games.mkdir()
    for name in ("duel", "pebbles"):
        shutil.copy(SAMPLES / f"{name}.py", games)
    (games / "broken.py").write_text("from plywise import game\n\n@game()\nclass Nothing:\n    pass\n")
    (games / "words.py").write_text("WORDS = 1\n")
    (games / "_hidden.py").write_text("@game(")
    with Process(folder, str(games)) as server:
        with Page(server.port) as page:
            own = [game["name"] for game in page.greeting["games"] if game["own"]]
            assert own == ["duel", "pebbles"]
        said = "".join(server.output)
    assert "left out: " in said and "broken.py:3: Nothing has no 'turn'" in said
    assert "words.py" not in said and "_hidden.py" not in said
