"""The default evaluation with all that it is made of: the same function, over weights that remember."""

from pathlib import Path
from typing import Any

from plywise.core import evaluation
from plywise.core.evaluation import Linear
from plywise.games.chess.evaluation import WEIGHTS, default


class Traced(evaluation.TracedWeights):
    """The weights of chess, whose every use is remembered."""

    def __init__(self, path: str | Path | None = None) -> None:
        super().__init__(WEIGHTS, path)


def traced(position: Any, weights: Traced | None = None) -> Linear:
    """The evaluation of a position with all that it is made of."""
    result: Any = default(position, weights or Traced())
    assert isinstance(result, Linear)
    return result
