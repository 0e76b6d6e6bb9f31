"""Studied games as text: what goes out comes back, and what cannot be read is said."""

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plywise.core import untrusted
from plywise.core.errors import PlywiseError
from plywise.play.state import start_game
from plywise.web import export, study_text
from plywise.web.hub import Hub
from plywise.web.live import study
from plywise.web.live.annotation import MAX_COMMENT, MAX_TAGS
from plywise.web.live.game import LiveGame
from plywise.web.live.tree import PERSON
from plywise.web.store import Store
from tests.oracles import oracle

PGN = """[Event "A study; with \\"quotes\\""]
[Site "Home"]
[Date "2026.11.16"]
[Round "3"]
[White "Müller, Ä."]
[Black "<script>alert(1)</script>"]
[Result "0-1"]
[Annotator "me"]

{Before all} 1. e4 $1 {best by test} 1... e5 (1... c5 {sharp} 2. Nf3 $14 (2. c3 d5) 2... d6) (1... e6) 2. Nf3
({quiet} 2. d3) 2... Nc6 0-1
"""
PDN = """[Event "Club"]
[White "Anna"]
[Black "Ben"]
[Result "1/2-1/2"]
[GameType "21"]

1. 11-15 $1 {old faithful} 22-18 (1... 23-19 {bold} 2. 8-11 (2. 9-14 $2)) 2. 15x22 25x18 1/2-1/2
"""


@pytest.fixture
def hub(folder: Path) -> Iterator[Hub]:
    hub = Hub(Store(folder / "games.sqlite"))
    yield hub
    hub.shut_down()
    hub.workers.shutdown()


def brought_in(hub: Hub, name: str, text: str) -> tuple[LiveGame, str]:
    """The game of a text as it comes back from the store, and what was left out."""
    id, left_out = study_text.import_study(hub, "me", name, text)
    return LiveGame(hub, hub.saved_row(id), hub.game(name)), left_out


def test_a_pgn_goes_in_and_out_without_loss(hub: Hub) -> None:
    game, left_out = brought_in(hub, "chess", PGN)
    assert left_out == ""
    assert [node.label for node in game.tree.main_line()][1:] == ["e4", "e5", "Nf3", "Nc6"]
    assert game.outcome is not None and game.outcome.reason == "White resigned"
    _, text = export.write_game(game, "pgn")
    assert " ".join(text.split()) == " ".join(PGN.split())
    assert export.write_game(brought_in(hub, "chess", text)[0], "pgn")[1] == text


def test_a_pdn_goes_in_and_out_without_loss(hub: Hub) -> None:
    game, left_out = brought_in(hub, "checkers", PDN)
    assert left_out == "" and game.outcome is not None and game.outcome.winner is None
    _, text = export.write_game(game, "pdn")
    assert "1. 11-15 $1 {old faithful} 1... 22-18 ( 1... 23-19 {bold} 2. 8-11 ( 2. 9-14 $2 ) )" in " ".join(
        text.split()
    )
    assert '[White "Anna"]' in text and "1/2-1/2" in text
    assert export.write_game(brought_in(hub, "checkers", text)[0], "pdn")[1] == text


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four"])
def test_json_keeps_the_variations_of_every_game(hub: Hub, name: str) -> None:
    game, _ = brought_in(hub, name, "start")
    game = hub.new_game("me", name, game.seats, game.tip.state)
    first, second = (game.view_payload(0)["moves"][i]["move"] for i in (0, 1))
    game.play(0, first)
    tried = game.play(0, second)
    study.comment(game, tried, "why not")
    study.set_nags(game, tried, [5])
    study.promote(game, tried)
    _, text = export.write_game(game, "json")
    again, _ = brought_in(hub, name, text)
    nodes = [{**node.payload(), "rank": 0} for node in again.tree.nodes]
    assert nodes == [{**node.payload(), "rank": 0} for node in game.tree.nodes]
    assert [node.label for node in again.tree.main_line()] == [node.label for node in game.tree.main_line()]
    assert again.tip.label == game.tip.label


def test_a_flag_that_fell_comes_back(hub: Hub) -> None:
    game, _ = brought_in(hub, "chess", '[Result "1-0"]\n[Termination "time forfeit"]\n\n1. e4 e5 1-0\n')
    assert game.outcome is not None and game.outcome.reason == "Black ran out of time"
    assert '[Termination "time forfeit"]' in export.write_game(game, "pgn")[1]


@pytest.mark.parametrize(
    ("name", "start", "there_and_back", "rest"),
    [
        ("chess", "", ["Nf3", "Nf6", "Ng1", "Ng8"], ["e4", "e5"]),
        ("checkers", '[FEN "B:WK1,K5:BK32,20"]', ["32-27", "1-6", "27-32", "6-1"], ["20-24", "1-6"]),
    ],
)
def test_a_game_that_went_on_after_a_draw_that_nobody_claimed_is_read_to_its_end(
    hub: Hub, name: str, start: str, there_and_back: list[str], rest: list[str]
) -> None:
    moves = [*there_and_back * 3, *rest]
    numbered = [f"{1 + i // 2}. {move}" if i % 2 == 0 else move for i, move in enumerate(moves)]
    text = f'{start}\n[Result "0-1"]\n\n{" ".join(numbered)} 0-1\n'
    game, left_out = brought_in(hub, name, text)
    assert left_out == ""
    assert len(game.tree.main_line()) == len(moves) + 1
    assert game.outcome is not None and game.outcome.winner == 1
    out = export.write_game(game, next(iter(game.game.formats)))[1]
    assert '[Result "0-1"]' in out
    again, _ = brought_in(hub, name, export.write_game(game, "json")[1])
    assert len(again.tree.main_line()) == len(moves) + 1


def test_what_can_be_read_is_kept_and_the_rest_is_said(hub: Hub) -> None:
    game, left_out = brought_in(hub, "chess", '[White "A"]\n\n1. e4 e5 (1... Ke5) 2. Nf3 Nf3 3. d4 *\n')
    assert [node.label for node in game.tree.main_line()][1:] == ["e4", "e5", "Nf3"]
    assert "Ke5" in left_out


def test_hostile_texts_are_bounded(hub: Hub) -> None:
    nested = '[White "A"]\n\n1. e4 ' + "(1. d4 " * 3000 + ")" * 3000 + " e5 *\n"
    game, _ = brought_in(hub, "chess", nested)
    assert {node.label for node in game.tree.nodes} <= {"", "e4", "d4", "e5"}
    with pytest.raises(Exception, match="may have 262144 characters"):
        study_text.import_study(hub, "me", "chess", "1. e4 e5 " * 100_000)
    broken = json.loads(export.write_game(game, "json")[1])
    for nodes in ([[7, {}, {}]], [[0, {"0": ["e2e5"]}, {}]], 3, [[0]], {"x": 1}):
        broken["study"]["nodes"] = nodes
        with pytest.raises(Exception, match=r"cannot be read|illegal move|is to play"):
            study_text.import_study(hub, "me", "chess", json.dumps(broken))


def test_python_chess_reads_the_same_study(hub: Hub) -> None:
    pgn = pytest.importorskip("chess.pgn")
    game, _ = brought_in(hub, "chess", PGN)
    text = export.write_game(game, "pgn")[1]

    def read(words: str) -> str:
        return str(pgn.read_game(io.StringIO(words)))

    assert read(text) == read(PGN)


def test_the_opening_of_a_game_played_here_is_named_in_its_tags(hub: Hub) -> None:
    chess = hub.new_game("me", "chess", [PERSON, PERSON], start_game(hub.game("chess"), "start"))
    for node, move in enumerate(("e2e4", "c7c5")):
        chess.play(node, move)
    text = export.write_game(chess, "pgn")[1]
    assert '[ECO "B20"]' in text and '[Opening "Sicilian Defence"]' in text
    checkers = hub.new_game("me", "checkers", [PERSON, PERSON], start_game(hub.game("checkers"), "start"))
    checkers.play(0, "12-16")
    assert '[Opening "Dundee"]' in export.write_game(checkers, "pdn")[1]


def published(name: str) -> list[str]:
    """The games of a file of the oracle, each as its own text."""
    text = oracle(name).read_bytes().decode("utf-8-sig", errors="replace").replace("\r\n", "\n")
    return [game for game in re.split(r"\n+(?=\[Event )", text) if game.strip()]


@pytest.mark.thorough("published games, some of them long")
@pytest.mark.parametrize(
    "name", ["kasparov-deep-blue-1997", "molinari-bordais-1979", "nepomniachtchi-liren-game1", "utf8-bom"]
)
def test_published_games_of_chess_go_in_and_out_without_loss(hub: Hub, name: str) -> None:
    pgn = pytest.importorskip("chess.pgn")
    for text in published(f"chess/pgn/{name}.pgn"):
        game, left_out = brought_in(hub, "chess", text)
        before = pgn.read_game(io.StringIO(text))
        after = pgn.read_game(io.StringIO(export.write_game(game, "pgn")[1]))
        moves = [one.accept(pgn.StringExporter(headers=False, columns=None)) for one in (before, after)]
        assert left_out == ""
        assert moves[0] == moves[1]
        assert {k: v for k, v in before.headers.items() if v} == dict(after.headers)


@pytest.mark.thorough("published games, some of them long")
def test_published_games_of_checkers_go_in_and_out_without_loss(hub: Hub) -> None:
    for text in published("checkers/pdn/tinsley.pdn")[:60]:
        game, left_out = brought_in(hub, "checkers", text)
        _, out = export.write_game(game, "pdn")
        again, _ = brought_in(hub, "checkers", out)
        assert left_out == ""
        assert export.write_game(again, "pdn")[1] == out
        for tag, value in re.findall(r'^\[(\w+) "([^"]*)"\]', text, re.MULTILINE):
            assert tag == "Result" or not value or f'[{tag} "{value}"]' in out
        words = [" ".join(one.split()) for one in re.findall(r"\{([^}]*)\}", text)]
        assert all(one in " ".join(out.split()) for one in words)


def record(game: str, turns: list[dict[str, list[str]]], nodes: list[Any], start: str = "start") -> str:
    study = {"comment": "", "tip": 0, "nodes": nodes}
    return json.dumps({"game": game, "record": [{"start": start}, *turns], "study": study})


def test_a_move_that_is_written_in_two_ways_is_one_move(hub: Hub) -> None:
    """Each way was a variation of its own, and thousands of them took quadratic time."""
    ways = [[0, {"0": [move]}, {}] for move in ("e4", "e2e4", "e2-e4", "d4")] * 50
    game, _ = brought_in(hub, "chess", record("chess", [{"0": ["e4"]}], ways))
    assert [node.label for node in game.tree.nodes[0].children] == ["e4", "d4"]


def test_a_record_has_so_many_moves_in_all(hub: Hub) -> None:
    """In a world each unit moves: a turn of sixteen takes as long as sixteen moves."""
    view = start_game(hub.game("skirmish")).view
    orders: dict[str, list[str]] = {}
    for side in (0, 1):
        seen = view(side)
        while seen.turn == side and seen.outcome is None:
            seen = seen.play(seen.moves[0])
        orders[str(side)] = seen.played
    of_a_turn = sum(map(len, orders.values()))
    turns = untrusted.MAX_GAME_PLIES // of_a_turn + 1
    assert turns < 1000
    with pytest.raises(PlywiseError, match="a game may have 3000 moves"):
        brought_in(hub, "skirmish", record("skirmish", [orders] * turns, []))
    nodes = [[0, orders, {}]] * (study_text.MAX_MOVES // of_a_turn + 1)
    with pytest.raises(PlywiseError, match="the variations of a record may have 5000 moves"):
        brought_in(hub, "skirmish", record("skirmish", [], nodes))


def test_what_is_said_of_a_move_is_kept_within_bounds(hub: Hub) -> None:
    """A page is sent all of it with each state of the game."""
    tags = "".join(f'[Tag{i} "{i}"]\n' for i in range(150))
    twice = "".join(f"(1. e4 {{{word * 1000}}} $1 $1 $1 $2) " for word in "abcdefgh")
    game, _ = brought_in(hub, "chess", f"{tags}\n1. e4 {twice} *")
    (node,) = game.tree.nodes[0].children
    assert len(node.note.comment) == MAX_COMMENT and node.note.nags == (1, 2)
    assert len(game.status.tags) <= 7 + MAX_TAGS
    said = {"comment": "c" * 9000, "before": "b" * 9000, "nags": [1, 1, -1, 256, 10**200, *range(100)]}
    game, _ = brought_in(hub, "chess", record("chess", [], [[0, {"0": ["e4"]}, said]]))
    (node,) = game.tree.nodes[0].children
    assert (len(node.note.comment), len(node.note.before)) == (MAX_COMMENT, MAX_COMMENT)
    assert node.note.nags == (1, 0, *range(2, 20))


def test_half_a_character_is_no_text(hub: Hub) -> None:
    """JSON can write one; it could not be written to a link or a file."""
    text = record("chess", [{"0": ["e4"]}], [])
    with pytest.raises(PlywiseError, match="half a character"):
        brought_in(hub, "chess", text.replace('"comment": ""', r'"comment": "\ud83d"'))
    game, _ = brought_in(hub, "chess", text.replace('"comment": ""', r'"comment": "\ud83d\ude00"'))
    assert game.status.comment == "😀"


@pytest.mark.parametrize(("name", "format"), [("chess", "pgn"), ("checkers", "pdn")])
def test_whatever_tags_a_record_has_the_game_is_written_as_it_is_read(
    hub: Hub, name: str, format: str
) -> None:
    record: dict[str, Any] = {"game": name, "record": [{"start": "start"}]}
    record["tags"] = {"Event": "a\nb", 'A "x"]\n[Evil': "y", "B]": "z", "two words": "w", "Round": 'q"\\'}
    id, _ = study_text.import_study(hub, "me", name, json.dumps(record))
    row = hub.store.get(id)
    assert row is not None
    _, text = export.write_game(hub.load(row), format)
    again, _ = study_text.import_study(hub, "me", name, text)
    kept = hub.store.get(again)
    assert kept is not None
    assert (kept.state["tags"]["Event"], kept.state["tags"]["Round"]) == ("a b", 'q"\\')
    assert not {"Evil", "A", "B]"} & kept.state["tags"].keys()
