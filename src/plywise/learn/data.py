"""The data of a run: files of kept positions, and what a net is to learn from them.

A file holds the positions of one batch of games. Its name says generation and batch, and it is renamed into
place, so it is there whole or not at all.
"""

import io
import math
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from plywise.core.broken_files import refuse_broken
from plywise.core.cache_folder import write_whole
from plywise.core.errors import PlywiseError
from plywise.core.learned import STAGE_COUNT
from plywise.learn.fit import Positions, Trainer
from plywise.learn.pattern_fit import PatternTrainer
from plywise.learn.selfplay import NO_RESULT

HELD_OUT = 20  # one game in this number is not learned from
SLOPE_SAMPLE = 200_000  # positions from which the meaning of a score is found
NEWTON_STEPS = 20
SIGN_ERRORS = 4  # standard errors that labels must lie below chance before they are refused


class BadData(PlywiseError):
    """Positions from which nothing can be learned."""


def batch_path(folder: Path, generation: int, number: int) -> Path:
    """The file of a batch of games."""
    return folder / f"g{generation}-{number:06}.npy"


def save_batch(path: Path, rows: Any) -> None:
    """Write a batch, whole or not at all."""
    content = io.BytesIO()
    np.save(content, rows)
    write_whole(path, content.getvalue())


def count_positions(folder: Path, generation: int) -> dict[int, int]:
    """The batches of a generation that are there, by their numbers, with how many positions each has.

    One that cannot be read is not there: it is played again, and is the same again.
    """
    found = {}
    for path in folder.glob(f"g{generation}-*.npy"):
        name = path.stem.partition("-")[2]
        if len(name) <= 9 and name.isascii() and name.isdigit():
            with suppress(BadData):
                found[int(name)] = len(_load(path, mmap_mode="r"))
    return found


def _load(path: Path, **options: Any) -> Any:
    with refuse_broken(f"positions {path}", BadData), warnings.catch_warnings():
        warnings.simplefilter("error")  # a header of Python 2 is none of ours
        return np.load(path, allow_pickle=False, **options)


def load_batches(folder: Path, generations: Sequence[int], dtype: Any) -> Any:
    """All positions of some generations, in the order of their batches; games are numbered apart."""
    parts, games = [], 0
    for generation in generations:
        for path in sorted(folder.glob(f"g{generation}-*.npy")):
            rows = _load(path)
            if rows.dtype != dtype or rows.ndim != 1:
                raise BadData(f"{path}: these positions are of another game or version")
            rows["game"] += games
            games = int(rows["game"].max(initial=games)) + 1
            parts.append(rows)
    return np.concatenate(parts) if parts else np.zeros(0, dtype)


def chance_slope(rows: Any, usual: float) -> float:
    """How much a point of the search's score says about the result: chance = sigmoid(slope * score).

    Found by logistic regression, within a factor of 8 of the game's usual one; that one where the scores
    say nothing.
    """
    known = rows[rows["result"] != NO_RESULT][:SLOPE_SAMPLE]
    scores, wanted = known["score"].astype(float), (known["result"].astype(float) + 1) / 2
    if np.count_nonzero(scores) < 100:
        return usual
    slope = usual
    for _ in range(NEWTON_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(slope * scores, -30, 30)))
        gradient = ((chance - wanted) * scores).sum()
        curvature = (chance * (1 - chance) * scores * scores).sum()
        if curvature <= 0:
            break
        slope = min(8 * usual, max(usual / 8, slope - gradient / curvature))
    return float(slope)


def check_signs(rows: Any) -> None:
    """Refuse labels of the wrong sign: score and result must agree for each side to move.

    The positions of a game share one result, so games are counted: a few of them are wrong by chance.
    """
    decided = rows[(rows["result"] != NO_RESULT) & (rows["result"] != 0) & (rows["score"] != 0)]
    for turn in (0, 1):
        mine = decided[decided["turn"] == turn]
        if not len(mine):
            continue
        _, game = np.unique(mine["game"], return_inverse=True)
        agrees = np.bincount(game, (mine["score"] > 0) == (mine["result"] > 0)) / np.bincount(game)
        share = float(agrees.mean())
        if share + SIGN_ERRORS * 0.5 / math.sqrt(len(agrees)) < 0.5:
            raise BadData(
                f"score and result agree in only {share:.0%} of the games with side {turn} to move:"
                " the evaluation has the wrong sign"
            )


@dataclass
class TrainingSet:
    """What is learned from, what is held out, and the stage of each count of set cells."""

    positions: Positions
    held_out: Positions
    stages: list[int]


def stages_of_counts(counts: Any, stages: int) -> list[int]:
    """A stage for each number of set cells, such that all have about as many positions."""
    totals = np.bincount(np.minimum(counts, STAGE_COUNT - 1), minlength=STAGE_COUNT).cumsum()
    before = np.concatenate([[0], totals[:-1]])
    middle = (before + totals) / 2 / max(1, totals[-1])
    return [min(stages - 1, math.floor(share * stages)) for share in middle]


def make_training_set(
    rows: Any, trainer: Trainer | PatternTrainer, slope: float, score_share: Any, label_slope: Any = None
) -> TrainingSet:
    """Positions to learn from: the wanted chance is a mixture of the search's score and the game's result.

    `score_share` is how much the score counts, and `label_slope` what a point of it means if not `slope`,
    which is that of the net; each is one number or one a row.
    """
    sign = 1 - 2 * rows["turn"].astype(np.float32)
    scores, results = rows["score"] * sign, rows["result"] * sign
    by_score = 1 / (1 + np.exp(-np.clip((slope if label_slope is None else label_slope) * scores, -30, 30)))
    mixed = score_share * by_score + (1 - score_share) * (results + 1) / 2
    targets = np.where(rows["result"] == NO_RESULT, by_score, mixed).astype(np.float32)
    boards = np.ascontiguousarray(rows["boards"])
    counts = trainer.counts(boards)
    stages = stages_of_counts(counts, trainer.shape.stages)
    everything = (
        boards,
        rows["turn"].astype(np.int64),
        np.array(stages, np.int64)[np.minimum(counts, STAGE_COUNT - 1)],
        targets,
        (slope * rows["own"] * sign).astype(np.float32),
    )
    held = rows["game"] % HELD_OUT == 0
    return TrainingSet(
        Positions(*(np.ascontiguousarray(part[~held]) for part in everything)),
        Positions(*(np.ascontiguousarray(part[held]) for part in everything)),
        stages,
    )
