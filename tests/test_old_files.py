"""Files that version 0.1.0 wrote (tests/data/0.1.0) open, show what they held, and go on."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import plywise
from plywise.arena.journal import read_pairs
from plywise.endgames.solver import endgame_database
from plywise.explain import load
from plywise.search.engine import Engine
from plywise.web.hub import Hub
from plywise.web.server import Server
from plywise.web.store import Store
from tests.cli.terminal import plywise as command
from tests.cli.terminal import process
from tests.conftest import interpreted
from tests.web.page import Page

FILES = Path(__file__).with_name("data") / "0.1.0"
VISITOR = "old-visitor-token-0123456789abcdef"  # whose games games.sqlite holds


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A copy of the files, because opening a database writes beside it."""
    return Path(shutil.copytree(FILES, tmp_path / "old"))


# --- games of the server -----------------------------------------------------------------------------
@pytest.fixture
def page(old: Path) -> Iterator[Page]:
    with interpreted():
        server = Server(Hub(Store(old / "games.sqlite"), []), 0).start()
        with Page(server.port, VISITOR) as page:
            yield page
        server.stop()


LISTED = {  # moves, position, and how the game ended
    "chess": (5, "r1bqkbnr/pppp1ppp/2n5/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq d3 0 3", None),
    "checkers": (2, "B:W19,21,22,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15", None),
    "connect_four": (4, "4455", None),
    "polis": (0, "dddddddc/dddddddd/8/8/8/8/DDDDDDDD/CDDDDDDD b", None),
    "tic_tac_toe": (1, "....x.... o", "x wins: o resigned"),
}


def test_the_list_of_games_is_the_same(page: Page) -> None:
    shown = {
        row["game"]: (row["moves"], row["text"], row["outcome"] and row["outcome"]["words"])
        for row in page.ask("list")["games"]
    }
    assert shown == LISTED


def test_every_game_opens_where_it_was_left(page: Page) -> None:
    for row in page.ask("list")["games"]:
        state = page.open(row["id"])
        moves, text, outcome = LISTED[row["game"]]
        assert state["view"]["text"] == text
        assert state["nodes"][state["tip"]]["number"] == moves
        assert (state["outcome"] and state["outcome"]["words"]) == outcome


def test_both_branches_of_a_game_are_there(page: Page) -> None:
    id = next(row["id"] for row in page.ask("list")["games"] if row["game"] == "chess")
    nodes = page.open(id)["nodes"][1:]
    assert [node["said"] for node in nodes] == ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "d4"]
    assert [node["parent"] for node in nodes] == [0, 1, 2, 3, 4, 5, 4]


def test_a_game_goes_on_by_a_move_and_is_saved(page: Page, old: Path) -> None:
    id = next(row["id"] for row in page.ask("list")["games"] if row["game"] == "connect_four")
    page.open(id)
    assert page.play(id, "6")["view"]["text"] == "44556"
    store = Store(old / "games.sqlite")
    row = store.get(id)
    store.close()
    assert row is not None and row.summary["text"] == "44556" and len(row.nodes) == 5


# --- a game of the terminal --------------------------------------------------------------------------
def test_the_terminal_resumes_its_game(old: Path) -> None:
    done = process("play", "connect_four", "--resume", typed="history\nquit\n", PLYWISE_DATA=str(old))
    assert done.status == 0, done.error
    assert "1. 4 3\n" in done.out


# --- the journal of a match --------------------------------------------------------------------------
def test_the_pairs_of_a_match_can_be_read() -> None:
    pairs = list(read_pairs(FILES / "match.jsonl"))
    assert [pair["pair"] for pair in pairs] == [0, 1, 2]
    assert [game["winner"] for pair in pairs for game in pair["games"]] == [
        0,
        1,
    ] * 3  # the side: a won all six


def test_a_match_is_reported_and_resumed_with_more_pairs(old: Path) -> None:
    file = str(old / "match.jsonl")
    reported = command("match", "--resume", file, "--json").json
    assert (reported["pairs"], reported["games"]) == (3, 6)
    assert [player["name"] for player in reported["players"]] == ["a", "b"]
    longer = command("match", "--resume", file, "--pairs", "4", "--json").json
    assert (longer["pairs"], longer["games"]) == (4, 8)


# --- the record of a search --------------------------------------------------------------------------
def test_the_record_of_a_search_loads() -> None:
    record = load(FILES / "connect_four.plywise")
    assert (record.game.name, record.history.text, record.evaluator) == ("connect_four", "4453", "default")
    assert len(record) == record.nodes == 1274
    assert record.result["move"] == "4" and record.result["line"] == ["4", "6", "3", "2", "4"]


# --- solved endings and weights ----------------------------------------------------------------------
def test_solved_endings_answer(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_DATA", str(old))
    game = plywise.load("checkers")
    database = endgame_database(game)
    assert (database.pieces, database.problem) == (2, None)
    engine = Engine(game, hash=1, compiled=False)
    won, drawn = (engine.search(game.history(text), depth=1) for text in ("W:WK10:B5", "B:WK1:BK32"))
    assert (won.move, won.words) == ("10-14", "win in 3")
    assert drawn.words == "draw (proven)"


def test_weights_load_and_give_the_same_evaluation() -> None:
    game = plywise.load("chess")
    position = game.history(LISTED["chess"][1]).position
    assert game.evaluate(position, weights=str(FILES / "chess-weights.json")) == -27
