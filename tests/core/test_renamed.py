"""What documents of 0.1.0 told people to import is still there, and says its new name."""

import importlib
import sys

import pytest

from plywise.core.renamed import MODULES


@pytest.mark.parametrize("old", MODULES)
def test_old_modules_are_found_by_their_names(old: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, old, raising=False)
    places, names = MODULES[old]
    with pytest.warns(DeprecationWarning, match=f"{old} is now {places[0]}"):
        module = importlib.import_module(old)
    modules = [importlib.import_module(place) for place in places]
    for name, new in names.items():
        assert getattr(module, name) is next(getattr(one, new) for one in modules if hasattr(one, new))
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        module.nothing  # noqa: B018


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_imports_of_the_documents_of_0_1_0_work() -> None:
    from plywise.core.words import Table, compiled, first, left, popcount, rest  # noqa: F401
    from plywise.play.stage import begin, rebuild  # noqa: F401
    from plywise.play.strength import STRONGEST, WEAKEST, of_elo  # noqa: F401
    from plywise.web.serving import Server, open_house  # noqa: F401

    from plywise.arena import Control, Match, Processes, Sprt, from_pairs  # noqa: F401
    from plywise.explain import (  # noqa: F401
        compare,
        counters,
        explain,
        icicle,
        lesson,
        load,
        opened,
        record,
        save,
        sentences,
        skipped,
        yardstick,
    )
    from plywise.play import records
    from plywise.play.levels import levels  # noqa: F401
    from plywise.play.player import Player  # noqa: F401

    assert callable(records.read) and callable(records.write) and callable(records.formats)


def test_a_warning_names_the_line_that_imports(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "plywise.play.strength", raising=False)
    with pytest.warns(DeprecationWarning, match="plywise.play.strength is now plywise.play.elo") as caught:
        import plywise.play.strength  # noqa: F401
    assert [warning.filename for warning in caught] == [__file__]
