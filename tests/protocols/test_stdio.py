"""What a protocol asks of its process."""

import gc
import weakref

from plywise.protocols.stdio import MANY_OBJECTS, spare_collector


def test_the_survivors_of_a_full_collection_are_left_out_of_the_next() -> None:
    before = gc.get_freeze_count()
    gc.callbacks.append(spare_collector)
    try:
        gc.collect(1)
        assert gc.get_freeze_count() == before
        gc.collect()
        assert gc.get_freeze_count() > before
    finally:
        gc.callbacks.remove(spare_collector)
        gc.unfreeze()


def test_what_a_compiler_made_is_not_looked_at() -> None:
    """A cycle among many new objects is garbage that a collection would find."""

    class Part:
        pass

    gc.collect()
    gc.callbacks.append(spare_collector)
    gc.disable()
    try:
        made = [[] for _ in range(2 * MANY_OBJECTS)]  # type: list[list[int]]
        part = Part()
        part.itself = part  # type: ignore[attr-defined]
        alive = weakref.ref(part)
        del part
        before = gc.get_freeze_count()
        gc.enable()
        gc.collect(0)
        assert gc.get_freeze_count() >= before + len(made)
        assert alive() is not None, "it was not looked at"
    finally:
        gc.enable()
        gc.callbacks.remove(spare_collector)
        gc.unfreeze()
