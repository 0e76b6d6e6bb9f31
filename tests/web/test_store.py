"""Games on the disk: kept whole, shared by two servers, and never overwritten when they cannot be read."""

import json
import sqlite3
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from plywise.core.registry import load
from plywise.play.state import start_game
from plywise.web.hub import Hub
from plywise.web.ladder import results_by_level
from plywise.web.live.tree import PERSON
from plywise.web.store import SCHEMA_VERSION, NotSaved, Row, StaleVersion, Store, owner_of


def row(id: str = "a", owner: str = "o") -> Row:
    return Row(id, owner, "chess", {"root": 1}, {"tip": 0}, {"title": "Chess"})


def test_what_is_kept_comes_back(folder: Path) -> None:
    store = Store(folder / "games.sqlite")
    store.add(row())
    assert store.change("a", 1, {"tip": 1}, {"title": "Chess", "moves": 1}, ((1, 0, {"said": "e4"}),)) == 2
    store.close()
    again = Store(folder / "games.sqlite").get("a")
    assert again is not None
    assert (again.settings, again.state, again.version) == ({"root": 1}, {"tip": 1}, 2)
    assert again.nodes == ((1, 0, {"said": "e4"}),)


def test_a_list_has_the_owners_games_newest_first(folder: Path) -> None:
    store = Store(folder / "games.sqlite")
    for id, owner in (("a", "me"), ("b", "you"), ("c", "me")):
        store.add(row(id, owner))
    store.change("a", 1, {}, {"title": "Chess"})
    assert [one["id"] for one in store.list("me", 9)] == ["a", "c"]
    assert store.count("me") == 2


def test_only_the_owner_deletes(folder: Path) -> None:
    store = Store(folder / "games.sqlite")
    store.add(row())
    store.change("a", 1, {}, {}, ((1, 0, {}),))
    assert not store.delete("a", "you")
    assert store.delete("a", "o")
    assert store.get("a") is None
    assert store._read("SELECT count(*) FROM nodes") == [(0,)]


def test_two_servers_cannot_both_go_on_from_one_version(folder: Path) -> None:
    one, two = Store(folder / "games.sqlite"), Store(folder / "games.sqlite")
    one.add(row())
    one.change("a", 1, {"tip": 1}, {}, ((1, 0, {"said": "e4"}),))
    with pytest.raises(StaleVersion):
        two.change("a", 1, {"tip": 1}, {}, ((1, 0, {"said": "d4"}),))
    kept = two.get("a")
    assert kept is not None and kept.nodes == ((1, 0, {"said": "e4"}),)


def test_a_refused_write_changes_nothing(folder: Path) -> None:
    store = Store(folder / "games.sqlite")
    store.add(row())
    store.change("a", 1, {"tip": 1}, {}, ((1, 0, {}),))
    with pytest.raises(NotSaved):  # the node is there already
        store.change("a", 2, {"tip": 9}, {}, ((1, 0, {}),))
    kept = store.get("a")
    assert kept is not None and (kept.version, kept.state) == (2, {"tip": 1})


def test_a_damaged_file_is_kept_aside(folder: Path) -> None:
    path = folder / "games.sqlite"
    path.write_bytes(b"not a database at all " * 100)
    store = Store(path)
    assert "damaged" in store.notes[0]
    aside = next(folder.glob("games-damaged-*.sqlite"))
    assert aside.read_bytes().startswith(b"not a database")
    store.add(row())
    assert store.get("a") is not None


def test_damage_inside_is_found(folder: Path) -> None:
    path = folder / "games.sqlite"
    store = Store(path)
    for n in range(200):
        store.add(Row(f"g{n}", "o", "chess", {"x": "y" * 500}, {}, {}))
    store._file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()
    content = bytearray(path.read_bytes())
    content[4096 * 3 : 4096 * 6] = b"\xff" * (4096 * 3)
    path.write_bytes(content)
    again = Store(path)
    assert "damaged" in again.notes[0]
    assert next(folder.glob("games-damaged-*.sqlite")).read_bytes() == bytes(content)


def test_another_programs_file_is_not_written_to(folder: Path) -> None:
    path = folder / "games.sqlite"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE theirs (x)")
    other.close()
    store = Store(path)
    assert "not a file of Plywise's games" in store.notes[0]
    assert list(folder.glob("games-damaged-*.sqlite"))


def test_a_newer_file_is_left_as_it_is(folder: Path) -> None:
    path = folder / "games.sqlite"
    Store(path).close()
    with sqlite3.connect(path) as newer:
        newer.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    newer.close()
    before = path.read_bytes()
    store = Store(path)
    assert "newer Plywise" in store.notes[0]
    store.add(row())
    assert path.read_bytes() == before
    assert store.path.name == f"games-{SCHEMA_VERSION}.sqlite"


def test_a_folder_that_refuses_is_said(folder: Path) -> None:
    (folder / "file").write_text("")
    with pytest.raises(NotSaved, match="cannot be kept in"):
        Store(folder / "file" / "games.sqlite")


def test_a_token_is_not_kept_itself() -> None:
    token = "abcdefghijklmnopqrstuvwxyz"
    assert token not in owner_of(token)
    assert owner_of(token) == owner_of(token) != owner_of(token + "x")


def test_a_crowd_writes_together_and_one_mistake_spoils_only_itself(folder: Path) -> None:
    store = Store(folder / "games.sqlite")
    for n in range(20):
        store.add(row(f"g{n}"))
    outcomes: list[object] = [None] * 20
    gate = threading.Barrier(20)

    def write(n: int) -> None:
        gate.wait()
        # Every fifth writes a node twice, every other fifth to a version that is not there.
        nodes = ((1, 0, {}),) * (2 if n % 5 == 0 else 1)
        try:
            outcomes[n] = store.change(f"g{n}", 7 if n % 5 == 1 else 1, {"tip": 1}, {}, nodes)
        except (NotSaved, StaleVersion) as error:
            outcomes[n] = type(error)

    threads = [threading.Thread(target=write, args=(n,)) for n in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for n, outcome in enumerate(outcomes):
        assert outcome == {0: NotSaved, 1: StaleVersion}.get(n % 5, 2)
        kept = store.get(f"g{n}")
        assert kept is not None
        assert (kept.version, len(kept.nodes)) == ((1, 0) if n % 5 < 2 else (2, 1))


def test_a_damaged_row_hurts_one_game(folder: Path) -> None:
    store = Store(folder / "games.sqlite")
    for id, words in (("a", "{"), ("b", "[]"), ("c", "[" * 100_000), ("d", None)):
        store.add(row(id, "me"))
        if words is not None:
            with sqlite3.connect(folder / "games.sqlite") as file:
                file.execute("UPDATE games SET summary = ? WHERE id = ?", (words, id))
    assert [one["id"] for one in store.list("me", 9)] == ["d"]
    assert store.get("d") is not None
    for id in "abc":
        with pytest.raises(NotSaved, match=f"the game {id} is damaged"):
            store.get(id)


SEATS = '"seats": [{"kind": "person"}, {"kind": "level", "level": 1}]'


@pytest.mark.parametrize(
    "damage",
    [
        "summary = CAST(x'7bff7d' AS TEXT)",  # bytes that are no text
        "summary = x'7bff7d'",
        """summary = '{"seats": 5, "moves": 1}'""",
        """summary = '{"seats": [5, 6], "moves": 1}'""",
        """summary = '{"seats": [{"kind": "person"}, {"kind": "level"}], "moves": 1}'""",
        f'summary = \'{{{SEATS}, "moves": 1, "outcome": 5}}\'',
        f'summary = \'{{{SEATS}, "moves": 1, "binned": "x"}}\'',
        f'summary = \'{{{SEATS}, "moves": 1, "tags": [1]}}\'',
        "changed = 9e999",
        "changed = 'yesterday'",
        "changed = x'00'",
        "game = CAST(x'ff' AS TEXT)",
        "game = x'00'",
        "id = CAST(x'ff' AS TEXT)",
    ],
)
def test_whatever_a_row_holds_the_others_are_listed(folder: Path, damage: str) -> None:
    hub = Hub(Store(folder / "games.sqlite"))
    first, second = (
        hub.new_game("me", "tic_tac_toe", [PERSON, PERSON], start_game(load("tic_tac_toe"))) for _ in range(2)
    )
    with sqlite3.connect(folder / "games.sqlite") as file:
        file.execute(f"UPDATE games SET {damage} WHERE id = ?", (first.id,))
    listed = hub.saved_games("me")
    assert [one["id"] for one in listed] == [second.id]
    json.dumps(listed, allow_nan=False)
    assert results_by_level(load("tic_tac_toe"), listed) == {}
    assert hub.store.get(second.id) is not None


@pytest.mark.parametrize(
    "damage", ["state = CAST(x'7bff7d' AS TEXT)", "version = 'x'", "changed = 9e999", "settings = x'00'"]
)
def test_a_row_with_other_things_than_were_written_is_damaged(folder: Path, damage: str) -> None:
    store = Store(folder / "games.sqlite")
    store.add(row())
    with sqlite3.connect(folder / "games.sqlite") as file:
        file.execute(f"UPDATE games SET {damage}")
    with pytest.raises(NotSaved, match="the game a is damaged"):
        store.get("a")


@pytest.mark.parametrize(
    ("state", "settings"),
    [
        ({"hints": 1e308, "takebacks": 1e308}, {}),  # an infinite sum: no page could read the answer
        ({}, {"seats": [10**290, {"kind": "person"}]}),
        ({"binned": "x"}, {}),
        ({"ended": [5, "x"]}, {}),
    ],
)
def test_a_game_that_cannot_be_shown_is_damaged(
    folder: Path, state: dict[str, object], settings: dict[str, object]
) -> None:
    hub = Hub(Store(folder / "games.sqlite"))
    made = hub.new_game("me", "tic_tac_toe", [PERSON, PERSON], start_game(load("tic_tac_toe"))).to_row()
    damaged = replace(made, state={**made.state, **state}, settings={**made.settings, **settings})
    assert hub.load(made)
    with pytest.raises(NotSaved, match="is damaged"):
        hub.load(damaged)


def test_nobody_else_reads_the_games(folder: Path) -> None:
    (folder / "games.sqlite").touch(0o644)
    Store(folder / "games.sqlite").add(row())
    modes = {path.name: path.stat().st_mode & 0o77 for path in folder.iterdir()}
    assert "games.sqlite" in modes and not any(modes.values())


def test_nor_what_a_killed_server_of_before_left_beside_them(folder: Path) -> None:
    path = folder / "games.sqlite"
    store = Store(path)
    store.add(row())
    for beside in folder.iterdir():
        beside.chmod(0o644)
    again = Store(path)  # the log is still there: the first server has not closed it
    modes = {beside.name: beside.stat().st_mode & 0o77 for beside in folder.iterdir()}
    assert "games.sqlite-wal" in modes and not any(modes.values())
    again.close()
    store.close()
