"""Parts of the search that can be switched off by name: for teaching, for tests, for proofs."""

from collections.abc import Iterable

from plywise.core.errors import UnknownName

TABLE, NULL_MOVE, REDUCTIONS, QUIESCENCE, EXTENSIONS, KILLERS, HISTORY, GAINS, WINDOWS = (
    1 << i for i in range(9)
)
STANDING, FUTILITY, LATE_MOVES, EXCHANGES, INTERNAL = (1 << i for i in range(9, 14))
ANSWERS, SINGULAR, DELTA, SHARP = (1 << i for i in range(14, 18))
NAMES = {
    "table": TABLE,
    "null_move": NULL_MOVE,
    "reductions": REDUCTIONS,
    "quiescence": QUIESCENCE,
    "extensions": EXTENSIONS,
    "killers": KILLERS,
    "history": HISTORY,
    "gains": GAINS,
    "windows": WINDOWS,
    "standing": STANDING,
    "futility": FUTILITY,
    "late_moves": LATE_MOVES,
    "exchanges": EXCHANGES,
    "internal": INTERNAL,
    "answers": ANSWERS,
    "singular": SINGULAR,
    "delta": DELTA,
    "sharp": SHARP,
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
INEXACT = sum(NAMES[name] for name in UNSOUND)


def switches(without: Iterable[str]) -> int:
    """All parts but those named, as bits; `unsound` names all that may change a score at equal depth."""
    known = {**NAMES, "unsound": INEXACT}
    result = ALL
    for name in without:
        if name not in known:
            raise UnknownName("part of the search", name, known)
        result &= ~known[name]
    return result
