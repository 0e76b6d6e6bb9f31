"""The table as a whole: it is cleared, however large it is."""

import pytest

import plywise
from plywise.search import transposition
from plywise.search.transposition import TranspositionTable

GAME = plywise.load("connect_four")


@pytest.mark.parametrize("kept", [0, 1])
def test_a_cleared_table_is_as_new(kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In its place, or with fresh memory where it is large."""
    monkeypatch.setattr(transposition, "KEPT_TABLE", kept)
    engine = plywise.Engine(GAME, hash=1)
    first = engine.search(GAME.history(), depth=8).nodes
    before = engine.table.entries
    assert engine.search(GAME.history(), depth=8).nodes < first, "it remembers"
    engine.clear()
    assert (engine.table.entries is before) == bool(kept)
    assert engine.search(GAME.history(), depth=8).nodes == first


def test_a_large_table_is_cleared_without_being_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """To write all its memory would take seconds, and none of it was used."""

    class Unwritable:
        def fill(self, value: int) -> None:
            raise AssertionError("it is written")

    table = TranspositionTable(transposition.KEPT_TABLE * 2, native=True)
    table._used, table._bytes = True, Unwritable()
    table.clear()
    assert table.entries["data"][:1000].max() == 0
