"""Keys of play links."""

import pytest

from plywise.web.access import new_key, side_of_key
from plywise.web.schema import Refused


def test_a_key_opens_its_own_side() -> None:
    keys = {0: new_key(), 1: new_key()}
    assert [side_of_key(keys, keys[side]) for side in (0, 1)] == [0, 1]


@pytest.mark.parametrize("key", ["", "x" * 1000, "schlüssel", "\ud800", "鍵"])
def test_another_key_is_refused_whatever_it_is(key: str) -> None:
    with pytest.raises(Refused, match="not one of the game's"):
        side_of_key({0: new_key()}, key)
