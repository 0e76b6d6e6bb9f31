"""How matches of checkers are written and opened: PDN, and the three-move ballots."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from plywise.core.errors import PlywiseError
from plywise.core.history import History
from plywise.games.checkers.ballots import BALLOTS, playable
from plywise.games.checkers.pdn import BLACK_WINS, DRAW, WHITE_WINS, Record, games, written

SUFFIX = ".pdn"
RESULTS = {0: BLACK_WINS, 1: WHITE_WINS, None: DRAW}
BOOKS = {
    "ballots": lambda: [ballot.text for ballot in playable()],
    "all-ballots": lambda: [ballot.text for ballot in BALLOTS],
}


def write(history: History, players: tuple[str, str], winner: int | None, tags: Mapping[str, str]) -> str:
    """A game in PDN; the winner may be another than the board shows."""
    record = Record.of(history, {"Black": players[0], "White": players[1], **tags})
    return written(replace(record, result=RESULTS[winner]))


def read_pdn_openings(text: str) -> Iterator[str]:
    """The games of a collection as openings; one that cannot be followed to its end is refused."""
    for number, record in enumerate(games(text), 1):
        if record.problem:
            raise PlywiseError(f"game {number}: {record.problem}")
        yield " ".join([record.start, *(["moves", *record.moves] if record.moves else [])])


READERS = {".pdn": read_pdn_openings}
