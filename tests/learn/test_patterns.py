"""The form `patterns`: lines of the drawn board, their tables, and a fit that finds what was hidden."""

import json
import math
import random
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import plywise
from plywise import Engine, Game
from plywise.core import learned, net_file
from plywise.core.net_file import PATTERNS, BadNet, Shape, write_net
from plywise.learn.batches import Threads
from plywise.learn.fit import Positions
from plywise.learn.pattern_fit import PatternTrainer
from plywise.learn.run import Run
from plywise.learn.run_state import Generation, Settings
from plywise.learn.shapes import CannotLearn, shape_of
from plywise.learn.windows import drawn_places, window_values, windows_of
from plywise.search.thread_state import ThreadState
from tests.conftest import Scaled, named

OTHELLO = named("examples/othello")
CONNECT_FOUR = plywise.load("connect_four")
STONES = [OTHELLO, CONNECT_FOUR]
NAMES = ["othello", "connect_four"]


def random_tables(game: Game, shape: Shape) -> dict[str, Any]:
    """Tables that say something different about every window."""
    dice = np.random.default_rng(1)
    return {
        **window_values(shape, windows_of(game)),
        "net_tables": dice.integers(-900, 900, shape.stages * shape.entries).tolist(),
        "net_output_bias": dice.integers(-900, 900, shape.stages).tolist(),
        "net_stages": [min(shape.stages - 1, i // 16) for i in range(learned.STAGE_COUNT)],
        "net_scale": 100,
    }


def slow_score(game: Game, shape: Shape, values: dict[str, Any], position: Any) -> int:
    """The slow twin: each window read cell by cell, as the side to move sees it."""
    boards, turn = position.boards(), position.turn
    stage = values["net_stages"][sum(bin(board & (1 << 64) - 1).count("1") for board in boards)]
    total, start = values["net_output_bias"][stage], stage * shape.entries
    if turn and shape.own_columns:
        start += sum(3 ** len(window) for window in windows_of(game))
    for window in windows_of(game):
        entry = 0
        for i, cell in enumerate(window):
            seen = cell ^ shape.flip if turn and not shape.own_columns else cell
            own, enemy = (boards[side] >> seen & 1 for side in (turn, 1 - turn))
            entry += 3**i * (own + 2 * enemy)
        total += values["net_tables"][start + entry]
        start += 3 ** len(window)
    return int(total * values["net_scale"] // learned.TABLE_ONE)


@pytest.mark.parametrize("game", STONES, ids=NAMES)
def test_windows_are_the_lines_of_the_drawn_board(game: Game) -> None:
    places, windows = drawn_places(game), windows_of(game)
    assert len(set(windows)) == len(windows)
    for window in windows:
        drawn = [places[cell] for cell in window]
        assert len({(x2 - x1, y2 - y1) for (x1, y1), (x2, y2) in pairwise(drawn)}) == 1


def test_othello_has_the_lines_of_eight_by_eight() -> None:
    sizes = [len(window) for window in windows_of(OTHELLO)]
    assert sorted(sizes) == [4] * 4 + [5] * 4 + [6] * 4 + [7] * 4 + [8] * 18


@pytest.mark.parametrize("game", STONES, ids=NAMES)
def test_tables_say_what_a_slow_reading_of_the_windows_says(game: Game, scaled: Scaled) -> None:
    shape = shape_of(game, form=PATTERNS)
    values, dice = random_tables(game, shape), random.Random(2)
    function = net_file.evaluation_of_shape(game, shape).function
    assert function is not None
    memory = ThreadState(learned.memory_layout(shape.boards, shape.hidden), native=False).record
    weights, position = SimpleNamespace(**values), game.start()
    for _ in range(scaled(60, 1000)):
        found = function(position, weights, memory, dice.randrange(200))
        assert found == slow_score(game, shape, values, position)
        moves = game.moves(position)
        position = position.play(dice.choice(moves)) if moves else game.start()


def test_compiled_and_interpreted_searches_visit_the_same_nodes(scaled: Scaled, tmp_path: Path) -> None:
    shape, path = shape_of(CONNECT_FOUR, form=PATTERNS), tmp_path / "net.json"
    write_net(path, CONNECT_FOUR, shape, random_tables(CONNECT_FOUR, shape), {})
    first, second = (
        Engine(CONNECT_FOUR, "learned", weights=str(path), hash=1, compiled=compiled).search(
            CONNECT_FOUR.history("4453"), depth=5
        )
        for compiled in (scaled.compiled, False)
    )
    assert (first.move, first.score, first.nodes) == (second.move, second.score, second.nodes)
    terms = CONNECT_FOUR.terms(CONNECT_FOUR.history("4453").position, "learned", str(path))
    assert len(terms) == 5  # four discs, and what they have together


def test_a_fit_finds_what_one_window_says() -> None:
    shape, dice = shape_of(OTHELLO, form=PATTERNS), np.random.default_rng(1)
    trainer = PatternTrainer(shape, windows_of(OTHELLO), compiled=False)
    count = 400
    few = 1 | 1 << 3 | 1 << 27 | 1 << 56 | 1 << 60
    black = dice.integers(0, 1 << 62, count) & few
    white = dice.integers(0, 1 << 62, count) & few & ~black
    turns = dice.integers(0, 2, count)
    corner = np.where(turns == 0, black & 1, white >> 56 & 1)  # as side 1 sees it: upside down
    data = Positions(
        np.stack([black, white], axis=1),
        turns,
        np.zeros(count, np.int64),
        corner.astype(np.float32),
        np.zeros(count, np.float32),
    )
    train, held = (
        Positions(*(part[half] for part in data.arrays())) for half in (slice(300), slice(300, None))
    )
    epochs = list(trainer.fit(trainer.start(1), train, held, 1, epochs=6))
    losses = [epoch.held_out for epoch, _ in epochs]
    assert min(losses) < 0.75 * math.log(2)  # which is the loss of tables that say nothing
    assert trainer.loss(epochs[-1][1], held) == pytest.approx(min(losses))


def test_a_whole_run_learns_tables_and_plays_with_them(tmp_path: Path) -> None:
    settings = Settings("connect_four", minutes=0.001, form=PATTERNS, nodes=20, batch_games=4)
    run = Run.create(tmp_path / "run", settings, compiled=False)
    now = Generation(1)
    run.generations.append(now)
    run.play(now, Threads(1), lambda progress: None, lambda: False)
    run.fit(now, lambda progress: None, lambda: False)
    assert now.net is not None
    path = str(run.folder / now.net)
    assert CONNECT_FOUR.evaluate(CONNECT_FOUR.history("44").position, "learned", path) is not None


@pytest.mark.parametrize("name", ["chess", "polis"])
def test_games_that_are_not_of_stones_are_refused(name: str) -> None:
    with pytest.raises(CannotLearn, match="--form patterns is for games of stones"):
        shape_of(plywise.load(name), form=PATTERNS)


def test_tables_that_lead_beyond_themselves_are_refused(tmp_path: Path) -> None:
    shape, path = shape_of(CONNECT_FOUR, form=PATTERNS), tmp_path / "net.json"
    good = random_tables(CONNECT_FOUR, shape)
    offsets, columns = list(good["net_offsets"]), list(good["net_columns"])
    offsets[3], columns[0] = shape.entries, -9000
    for wrong in ({"net_offsets": offsets}, {"net_columns": columns}, {"net_stages": [shape.stages] * 256}):
        write_net(path, CONNECT_FOUR, shape, {**good, **wrong}, {})
        with pytest.raises(BadNet, match=r"beyond its table|a stage is not one of"):
            net_file.read_net(CONNECT_FOUR, path)
    page = json.loads(path.read_text())
    page["shape"]["windows"] = 40
    path.write_text(json.dumps(page))
    with pytest.raises(BadNet, match="no shape of the form patterns"):
        net_file.read_net(CONNECT_FOUR, path)
