"""Self-play on a real Dask cluster gives the same data as on one machine."""

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

if importlib.util.find_spec("distributed") is None:  # importing it takes a second
    pytest.skip("Dask is an extra", allow_module_level=True)

import plywise
from plywise.arena.cluster import Cluster
from plywise.arena.setup import Setup
from plywise.learn.batches import BatchTask, ClusterThreads, Threads
from plywise.learn.shapes import shape_of
from tests.arena.test_cluster import Machines

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="ends processes by signals"),
    pytest.mark.thorough("a Dask cluster of processes"),
]


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    found = Machines(tmp_path)
    try:
        found.worker()
        found.worker()
        yield found
    finally:
        found.close()


def test_two_workers_play_what_one_machine_plays(machines: Machines) -> None:
    shape = shape_of(plywise.load("connect_four"), hidden=16)
    task = BatchTask(Setup("connect_four", ()).pack(), None, shape, 5, 1, 8, 200, True)
    here = dict(Threads(1).run(task, iter(range(6)), lambda: False))
    client = Cluster(machines.address).client
    there = dict(ClusterThreads(client, machines.address).run(task, iter(range(6)), lambda: False))
    client.close()
    assert here.keys() == there.keys() == set(range(6))
    assert all(np.array_equal(here[number], there[number]) for number in here)
