"""The switches: parts of the search that can be turned off by name, for teaching, tests and proofs."""

from collections.abc import Iterable

from plywise.core.errors import UnknownName

TABLE, NULL_MOVE, REDUCTIONS, QUIESCENCE, EXTENSIONS, KILLERS, HISTORY, CAPTURE_ORDER, ASPIRATION = (
    1 << i for i in range(9)
)
REVERSE_FUTILITY, FUTILITY, LATE_MOVE_PRUNING, SEE_PRUNING, INTERNAL_REDUCTION = (
    1 << i for i in range(9, 14)
)
CONTINUATION_HISTORY, SINGULAR, DELTA, QUIESCENCE_CHECKS, PROBCUT, TABLE_CUTS = (
    1 << i for i in range(14, 20)
)
CANDIDATES = 1 << 20
NAMES = {
    "table": TABLE,
    "null_move": NULL_MOVE,
    "reductions": REDUCTIONS,
    "quiescence": QUIESCENCE,
    "extensions": EXTENSIONS,
    "killers": KILLERS,
    "history": HISTORY,
    "capture_order": CAPTURE_ORDER,
    "aspiration": ASPIRATION,
    "reverse_futility": REVERSE_FUTILITY,
    "futility": FUTILITY,
    "late_move_pruning": LATE_MOVE_PRUNING,
    "see_pruning": SEE_PRUNING,
    "internal_reduction": INTERNAL_REDUCTION,
    "continuation_history": CONTINUATION_HISTORY,
    "singular": SINGULAR,
    "delta": DELTA,
    "quiescence_checks": QUIESCENCE_CHECKS,
    "probcut": PROBCUT,
    "table_cuts": TABLE_CUTS,
    "candidates": CANDIDATES,
}
ALL = sum(NAMES.values())

# Names of version 0.1, which command lines, match files and records may still have.
ALIASES = {
    "gains": "capture_order",
    "windows": "aspiration",
    "standing": "reverse_futility",
    "late_moves": "late_move_pruning",
    "exchanges": "see_pruning",
    "internal": "internal_reduction",
    "answers": "continuation_history",
    "sharp": "quiescence_checks",
}

# What may change a score at equal depth. With these off, the search gives minimax values.
UNSOUND = (
    "null_move",
    "reductions",
    "quiescence",
    "extensions",
    "reverse_futility",
    "futility",
    "late_move_pruning",
    "see_pruning",
    "internal_reduction",
    "singular",
    "delta",
    "quiescence_checks",
    "probcut",
    "candidates",
)
UNSOUND_MASK = sum(NAMES[name] for name in UNSOUND)
# The techniques that trust the static evaluation of a position (steps 5 and 7 of search/alphabeta.py).
NEEDS_STATIC_EVAL = (
    NULL_MOVE
    | REVERSE_FUTILITY
    | FUTILITY
    | LATE_MOVE_PRUNING
    | SEE_PRUNING
    | INTERNAL_REDUCTION
    | SINGULAR
    | PROBCUT
)


def switches(without: Iterable[str]) -> int:
    """All parts but those named, as bits; `unsound` names all that may change a score at equal depth."""
    names = {**NAMES, "unsound": UNSOUND_MASK}
    result = ALL
    for name in without:
        current = ALIASES.get(name, name)
        if current not in names:
            raise UnknownName("part of the search", name, names)
        result &= ~names[current]
    return result
