"""Matches and learning runs on the page: the list, what each says by now, and games to replay."""

import json
import os
import shutil
from dataclasses import asdict
from pathlib import Path

import pytest

from plywise.arena import Journal, Match
from plywise.arena.executors import InProcess
from plywise.arena.journal import encode_line
from plywise.core.endgame_index import data_folder
from plywise.learn.run_state import Generation, Settings
from plywise.web.watching import WatchList, identify
from tests.cli.terminal import plywise
from tests.conftest import ROOT
from tests.web.page import Page, Refusal

OLD = ROOT / "tests" / "data" / "0.1.0" / "match.jsonl"


@pytest.fixture
def matches() -> Path:
    """The folder in which `plywise match` keeps its files."""
    folder = data_folder() / "matches"
    folder.mkdir(parents=True)
    return folder


def entries(page: Page) -> dict[str, dict[str, str]]:
    return {one["name"]: one for one in page.ask("watch list")["entries"]}


def write_run(folder: Path) -> Path:
    folder.mkdir(parents=True)
    page = {"settings": asdict(Settings("connect_four")), "generations": [asdict(Generation(1))]}
    rest = {"proof": None, "accepted": None, "best": None, "spent": 5.0}
    (folder / "run.json").write_text(json.dumps({**page, **rest}))
    return folder


def test_where_nothing_was_played_the_list_is_empty(page: Page) -> None:
    assert page.ask("watch list") == {"entries": []}


def test_a_match_is_listed_and_shown(page: Page, matches: Path) -> None:
    shutil.copy(OLD, matches / "a-b.match")
    (one,) = entries(page).values()
    assert (one["kind"], one["game"], one["state"]) == ("match", "connect_four", "finished")
    assert one["words"].startswith("a v b: ")
    seen = page.ask("watch", watched=one["id"])
    assert (seen["kind"], seen["name"], seen["players"]) == ("match", "a-b.match", ["a", "b"])
    assert str(matches) not in json.dumps([one, seen])


def test_a_running_match_is_seen_to_grow(page: Page, matches: Path) -> None:
    match = Match.of("tic_tac_toe", ["plywise:depth=1,name=one", "plywise:player=random"], pairs=2, seed=2)
    journal = Journal.create(matches / "now.match", match.header())
    one = entries(page)["now.match"]
    assert (one["state"], page.ask("watch", watched=one["id"])["games"]) == ("running", 0)
    match.run(journal=journal)
    assert page.ask("watch", watched=one["id"])["games"] == 4
    journal.close()
    assert page.ask("watch", watched=one["id"])["state"] == "finished"


def test_files_that_cannot_be_read_are_listed_with_the_reason(page: Page, matches: Path) -> None:
    (matches / "empty.match").write_bytes(b"")
    (matches / "future.match").write_bytes(encode_line({"match": 7, "game": "chess"}))
    (matches / "cut.match").write_bytes(OLD.read_bytes()[:-40])
    run = data_folder() / "learning" / "broken"
    run.mkdir(parents=True)
    (run / "run.json").write_text('{"settings"')
    found = entries(page)
    assert found["empty.match"]["words"] == "this is no journal of a match: it is empty"
    assert found["future.match"]["words"] == "format 7; this Plywise writes format 1"
    assert found["broken"]["words"] == "damaged, or cut off"
    cut = found["cut.match"]
    assert cut["state"] == "stopped"
    seen = page.ask("watch", watched=cut["id"])
    assert seen["games"] > 0
    assert seen["notes"] == ["The last line of the file is not whole: it is being written, or was cut off."]
    with pytest.raises(Refusal, match="format 7"):
        page.ask("watch", watched=found["future.match"]["id"])


def test_a_game_of_a_match_is_replayed(page: Page, matches: Path) -> None:
    shutil.copy(OLD, matches / "a-b.match")
    (one,) = entries(page).values()
    game = page.ask("watch", watched=one["id"])["list"][-1]
    assert (game["pair"], game["place"]) == (0, 0)
    id = page.ask("replay", watched=one["id"], pair=0, place=0)["game"]
    state = page.state(id)
    assert len(state["nodes"]) == 1 + 8 + game["moves"]  # with the eight plies of the opening
    assert state["outcome"]["reason"] == game["reason"]
    saved = next(row for row in page.ask("list")["games"] if row["id"] == id)
    assert (saved["tags"]["Red"], saved["tags"]["Yellow"]) == ("a", "b")
    assert saved["tags"]["Event"] == "Match a-b"
    with pytest.raises(Refusal, match="there is no finished pair 100"):
        page.ask("replay", watched=one["id"], pair=99, place=0)


def test_a_game_that_the_page_does_not_offer_is_not_loaded_from_a_journal(page: Page, matches: Path) -> None:
    """A game file is a program; that a match names it is no reason to run it."""
    trap = matches / "trap.py"
    trap.write_text(f"open({str(matches / 'sprung')!r}, 'w')\n")
    lines = OLD.read_bytes().splitlines(keepends=True)
    header = json.loads(lines[0].partition(b" ")[2])
    header["game"] = str(trap)
    (matches / "trap.match").write_bytes(encode_line(header) + b"".join(lines[1:]))
    one = entries(page)["trap.match"]
    shown = page.ask("watch", watched=one["id"])
    assert shown["games"] > 0 and "The page does not offer" in shown["locked"]
    with pytest.raises(Refusal, match="The page does not offer"):
        page.ask("replay", watched=one["id"], pair=0, place=0)
    assert not (matches / "sprung").exists()


def test_a_match_with_dice_says_why_it_cannot_be_replayed(page: Page, matches: Path) -> None:
    lines = OLD.read_bytes().splitlines(keepends=True)
    header = json.loads(lines[0].partition(b" ")[2])
    header["game"] = "skirmish"
    (matches / "fight.match").write_bytes(encode_line(header) + b"".join(lines[1:]))
    one = entries(page)["fight.match"]
    words = "The dice of these games were not kept, only the orders: they cannot be replayed."
    assert page.ask("watch", watched=one["id"])["locked"] == words
    with pytest.raises(Refusal, match=words):
        page.ask("replay", watched=one["id"], pair=0, place=0)


def test_a_match_with_dice_is_replayed_to_its_end(page: Page, matches: Path) -> None:
    players = ["plywise:player=greedy,name=one", "plywise:player=random,name=two"]
    match = Match.of("skirmish", players, pairs=1, openings_from="2fva", seed=1)
    journal = Journal.create(matches / "fight.match", match.header())
    match.run(InProcess(), journal)
    journal.close()
    one = entries(page)["fight.match"]
    shown = page.ask("watch", watched=one["id"])
    assert (shown["locked"], shown["dice"]) == ("", True)
    game = next(row for row in shown["list"] if row["place"] == 0)
    assert game["recorded"]
    state = page.state(page.ask("replay", watched=one["id"], pair=0, place=0)["game"])
    assert len(state["nodes"]) == game["moves"] + 1
    assert state["outcome"]["reason"] == game["reason"]


def test_a_match_whose_first_line_is_being_written_is_shown(page: Page, matches: Path) -> None:
    (matches / "new.match").write_bytes(OLD.read_bytes()[:40])
    one = entries(page)["new.match"]
    assert one["words"] == "its first line is not whole: it is being written, or was cut off"
    shown = page.ask("watch", watched=one["id"])
    assert (shown["games"], shown["locked"]) == (0, "")
    assert "being written" in shown["notes"][0]


def test_a_learning_run_is_shown_with_its_matches(page: Page) -> None:
    run = write_run(data_folder() / "learning" / "connect_four-1")
    shutil.copy(OLD, run / "proof.match")
    (one,) = entries(page).values()
    assert (one["kind"], one["game"]) == ("run", "connect_four")
    seen = page.ask("watch", watched=one["id"])
    assert seen["generations"][0]["number"] == 1
    (match,) = seen["matches"]
    assert match["name"] == "proof"
    assert page.ask("watch", watched=match["id"])["players"] == ["a", "b"]
    with pytest.raises(Refusal, match="choose one of its matches"):
        page.ask("replay", watched=one["id"], pair=0, place=0)


def test_only_files_of_the_list_can_be_asked_for(page: Page, tmp_path: Path) -> None:
    secret = Path(shutil.copy(OLD, tmp_path / "secret.match"))
    with pytest.raises(Refusal, match="not there any more"):
        page.ask("watch", watched=identify(secret))
    with pytest.raises(Refusal, match="watched must be 16 to 16 letters"):
        page.ask("watch", watched=str(secret))


def test_files_and_folders_can_be_named(tmp_path: Path) -> None:
    one = Path(shutil.copy(OLD, tmp_path / "one.match"))
    many = tmp_path / "many"
    run = write_run(many / "run")
    two = Path(shutil.copy(OLD, many / "two.match"))
    assert set(WatchList([str(one), str(many)]).paths()) == {one, two, run}
    assert WatchList([str(run)]).paths() == [run]
    one.unlink()
    assert WatchList([str(one)]).paths() == []


def test_a_path_that_is_not_there_is_refused_before_the_server_starts() -> None:
    done = plywise("serve", "--no-browser", "--port", "0", "--watch", "nowhere.match")
    assert done.status == 2
    assert done.error == (
        "plywise: --watch nowhere.match: there is no such file or folder; name a match or a run\n"
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are of POSIX")
def test_pipes_and_devices_are_not_opened(page: Page, matches: Path) -> None:
    """A folder that somebody sends may hold them: a pipe keeps its reader waiting, a device never ends."""
    shutil.copy(OLD, matches / "a-b.match")
    os.mkfifo(matches / "pipe.match")
    (matches / "device.match").symlink_to("/dev/zero")
    run = data_folder() / "learning" / "run"
    run.mkdir(parents=True)
    os.mkfifo(run / "run.json")
    assert list(entries(page)) == ["a-b.match"]
    for path in (matches / "pipe.match", matches / "device.match", run):
        with pytest.raises(Refusal, match="not there any more"):
            page.ask("watch", watched=identify(path))
    whole = write_run(data_folder() / "learning" / "whole")
    os.mkfifo(whole / "screen-g1.match")
    with pytest.raises(Refusal, match="not there any more"):
        page.ask("watch", watched=identify(whole / "screen-g1.match"))
