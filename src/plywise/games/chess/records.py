"""How matches of chess are written and opened: PGN, and books in EPD and PGN."""

from collections.abc import Iterator, Mapping

from plywise.core.errors import PlywiseError
from plywise.core.history import History
from plywise.games.chess.epd import read_epd
from plywise.games.chess.fen import START, write_fen
from plywise.games.chess.notation import coordinates
from plywise.games.chess.pgn import Record, read_games, write_pgn

SUFFIX = ".pgn"
RESULTS = {0: "1-0", 1: "0-1", None: "1/2-1/2"}


def write(history: History, players: tuple[str, str], winner: int | None, tags: Mapping[str, str]) -> str:
    """A game in PGN; the winner may be another than the board shows."""
    record = Record.of(history, {"Event": "?", "White": players[0], "Black": players[1], **tags})
    record.result = RESULTS[winner]
    return write_pgn(record)


def read_pgn_openings(text: str) -> Iterator[str]:
    """The games of a collection as openings; one that cannot be followed to its end is refused."""
    for number, record in enumerate(read_games(text), 1):
        if record.problems:
            raise PlywiseError(f"game {number}: {record.problems[0]}")
        start = write_fen(record.start)
        words = ["start" if start == START else start]
        position = record.start
        if record.moves:
            words.append("moves")
        for move in record.moves:
            words.append(coordinates(position, move))
            position = position.play(move)
        yield " ".join(words)


def read_epd_openings(text: str) -> Iterator[str]:
    """The positions of a list; what is said about them is read over."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            yield write_fen(read_epd(line).position)
        except ValueError as error:
            raise PlywiseError(f"line {number}: {error}") from None


READERS = {".pgn": read_pgn_openings, ".epd": read_epd_openings, ".fen": read_epd_openings}
