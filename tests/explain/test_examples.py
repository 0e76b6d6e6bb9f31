"""Ready examples: each shows its technique."""

import pytest

import plywise
from plywise import Engine
from plywise.explain.examples import EXAMPLES, TECHNIQUES, Example, examples
from plywise.explain.record import CAUSES, HOW, Record, record_of

MAX_NODES = 5000  # a tree that can still be read
SLOW = pytest.mark.thorough("chess and polis are searched interpreted, with thousands of nodes")
EACH = [
    pytest.param(name, one, id=f"{name}-{one.technique}", marks=SLOW if name in ("chess", "polis") else ())
    for name in EXAMPLES
    for one in EXAMPLES[name]
]


def test_every_shipped_game_has_five_of_five_techniques() -> None:
    assert set(EXAMPLES) == set(plywise.shipped())
    for name in EXAMPLES:
        assert len({one.technique for one in examples(name)}) == 5
        assert len({one.position for one in examples(name)}) == 5
    assert examples("a game of one's own") == ()


@pytest.mark.parametrize(("name", "example"), EACH)
def test_an_example_shows_its_technique_in_a_tree_that_can_be_read(name: str, example: Example) -> None:
    game = plywise.load(name)
    history = game.history(example.position)
    engine = Engine(game, hash=4, compiled=False, record=MAX_NODES)
    result = engine.search(history, depth=example.depth, nodes=MAX_NODES)
    record = record_of(engine, history, result)
    assert record.complete and len(record) < MAX_NODES
    assert count_technique(record, example.technique) >= 1
    assert example.about


def count_technique(record: Record, technique: str) -> int:
    """How many nodes of a record's last iteration, which is what is shown of it first, show a technique."""
    names, last = TECHNIQUES[technique][0], record.iterations()[-1]
    nodes = slice(last.root, last.root + last.nodes)
    causes = sum(int((record.cause[nodes] == CAUSES.index(name)).sum()) for name in names if name in CAUSES)
    return causes + sum(int((record.why[nodes] == HOW.index(name)).sum()) for name in names if name in HOW)
