"""What a protocol asks of its process."""

import gc

from plywise.protocols.stdio import freeze_survivors


def test_the_survivors_of_a_full_collection_are_left_out_of_the_next() -> None:
    before = gc.get_freeze_count()
    gc.callbacks.append(freeze_survivors)
    try:
        gc.collect(1)
        assert gc.get_freeze_count() == before
        gc.collect()
        assert gc.get_freeze_count() > before
    finally:
        gc.callbacks.remove(freeze_survivors)
        gc.unfreeze()
