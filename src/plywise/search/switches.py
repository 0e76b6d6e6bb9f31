"""Parts of the search that can be switched off by name: for teaching, for tests, for proofs."""

from collections.abc import Iterable

from plywise.core.errors import UnknownName

TABLE, NULL_MOVE, REDUCTIONS, QUIESCENCE, EXTENSIONS, KILLERS, HISTORY, CAPTURE_ORDER, ASPIRATION = (
    1 << i for i in range(9)
)
REVERSE_FUTILITY, FUTILITY, LATE_MOVE_PRUNING, SEE_PRUNING, INTERNAL_REDUCTION = (
    1 << i for i in range(9, 14)
)
CONTINUATION_HISTORY, SINGULAR, DELTA, QUIESCENCE_CHECKS = (1 << i for i in range(14, 18))
NAMES = {
    "table": TABLE,
    "null_move": NULL_MOVE,
    "reductions": REDUCTIONS,
    "quiescence": QUIESCENCE,
    "extensions": EXTENSIONS,
    "killers": KILLERS,
    "history": HISTORY,
    "gains": CAPTURE_ORDER,
    "windows": ASPIRATION,
    "standing": REVERSE_FUTILITY,
    "futility": FUTILITY,
    "late_moves": LATE_MOVE_PRUNING,
    "exchanges": SEE_PRUNING,
    "internal": INTERNAL_REDUCTION,
    "answers": CONTINUATION_HISTORY,
    "singular": SINGULAR,
    "delta": DELTA,
    "sharp": QUIESCENCE_CHECKS,
}
ALL = sum(NAMES.values())

# What may change a score at equal depth. With these off, the search gives minimax values.
UNSOUND = (
    "null_move",
    "reductions",
    "quiescence",
    "extensions",
    "standing",
    "futility",
    "late_moves",
    "exchanges",
    "internal",
    "singular",
    "delta",
    "sharp",
)
UNSOUND_MASK = sum(NAMES[name] for name in UNSOUND)


def switches(without: Iterable[str]) -> int:
    """All parts but those named, as bits; `unsound` names all that may change a score at equal depth."""
    names = {**NAMES, "unsound": UNSOUND_MASK}
    result = ALL
    for name in without:
        if name not in names:
            raise UnknownName("part of the search", name, names)
        result &= ~names[name]
    return result
