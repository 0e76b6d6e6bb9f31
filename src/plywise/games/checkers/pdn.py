"""Games in Portable Draughts Notation: whole collections in and out.

A reader meets PDN of every age: captures long and short, results as 1-0 or 2-0, comments, variations
and annotations (skipped), move numbers of any kind (ignored). What cannot be read is named with its
line and its token; the moves before it are kept, and the next game is read.
"""

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from plywise.core.errors import PlywiseError
from plywise.core.formats import Format, Recorded
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.untrusted import MAX_GAME_PLIES, shorten
from plywise.core.wording import result_text
from plywise.games.checkers.rules import Checkers

MOST_TAGS = 200  # of one game
ENGLISH = 21  # the number of English checkers among the game types of PDN
# The first player's result comes first, and that is Black: 1-0 is a win for Black.
BLACK_WINS, WHITE_WINS, DRAW, OPEN = "1-0", "0-1", "1/2-1/2", "*"
_RESULTS = {"2-0": BLACK_WINS, "0-2": WHITE_WINS, "1-1": DRAW, "0-0": OPEN}
_RESULTS |= {result: result for result in (BLACK_WINS, WHITE_WINS, DRAW, OPEN)}
_TOKEN = re.compile(
    r"""(?P<space>\s++)
    | (?P<comment>\{[^}]*+\}? | ;[^\n]*+)
    | (?P<tag>\[\s*+(?P<name>\w++)\s*+"(?P<value>(?:[^"\\\n]|\\.)*+)"\s*+\])
    | (?P<open>\() | (?P<close>\))
    | (?P<note>\$[0-9]++ | [!?]++)
    | (?P<result>(?:1/2-1/2|1-0|0-1|2-0|0-2|1-1|0-0|\*)(?=[\s\[({;)]|$))
    | (?P<number>[0-9]++\s*+\.(?:\s*+\.\.)?|\.\.\.)
    | (?P<move>(?P<path>[0-9]++(?:\s*+[-x:]\s*+[0-9]++)++)(?P<junk>[^\s!?$\[({;)*]*+))
    | (?P<other>[^\s\[(){};]++|.)""",
    re.VERBOSE,
)
_ESCAPED = re.compile(r"\\(.)")
_QUOTABLE = re.compile(r'(["\\])')


@dataclass
class Record:
    """One game: its tags, its moves in our notation, its result, and what could not be read."""

    tags: dict[str, str] = field(default_factory=dict)
    moves: list[str] = field(default_factory=list)
    result: str = OPEN
    start: str = "start"
    problem: str | None = None
    line: int = 1

    @property
    def history(self) -> History:
        """The game, to be looked at or played on."""
        history = _game().history(self.start)
        for move in self.moves:
            history = history.play(move)
        return history

    @classmethod
    def of(cls, history: History, tags: Mapping[str, str] | None = None) -> "Record":
        """A game that was played here; an open one has the result `*`."""
        first = history
        while first.before is not None:
            first = first.before
        start = "start" if first.position == _game().start() else first.text
        return cls(dict(tags or {}), history.played, result_text(history.outcome), start)


def _game() -> Game:
    game: Game = Checkers.game  # type: ignore[attr-defined]
    return game


# --- reading --------------------------------------------------------------------------------------
def read(text: str) -> list[Record]:
    """Every game of a collection, the unreadable ones with their `problem`."""
    return list(games(text))


def games(text: str) -> Iterator[Record]:
    """The games of a collection, one after the other."""
    reader: _Reader | None = None
    line, depth = 1, 0
    for token in _TOKEN.finditer(text):
        kind, here = token.lastgroup, line
        line += token.group().count("\n")
        if token["move"] and token["junk"]:
            kind = "other"
        if kind in ("space", "comment", "note", "number"):
            continue
        if kind in ("open", "close"):
            depth = max(0, depth + (1 if kind == "open" else -1))
            continue
        if kind == "tag" and reader is not None and reader.begun:
            yield reader.record
            reader, depth = None, 0
        if depth:
            continue
        reader = reader or _Reader(here)
        if kind == "tag":
            reader.tag(token["name"], _ESCAPED.sub(r"\1", token["value"]), here)
        elif kind == "move":
            reader.move("".join(token.group().split()), here)
        elif kind == "result":
            reader.record.result = _RESULTS[token.group()]
            yield reader.record
            reader = None
        else:
            reader.fail(here, token.group(), "it is neither a move, a tag, a comment nor a result")
    if reader is not None:
        yield reader.record


class _Reader:
    """One game being read."""

    def __init__(self, line: int) -> None:
        self.record = Record(line=line)
        self.begun = False  # its tags are over
        self.count = 0  # of tags
        self.history = _game().history()

    def fail(self, line: int, token: str, reason: str) -> None:
        """Note the first problem; nothing behind it can be trusted."""
        self.begun = self.begun or not token.startswith("[")
        if self.record.problem is None:
            self.record.problem = f"line {line}, {shorten(token)!r}: {reason}"

    def tag(self, name: str, value: str, line: int) -> None:
        self.count += 1
        if self.count > MOST_TAGS:
            self.fail(line, f"[{name}", f"a game may have {MOST_TAGS} tags")
            return
        self.record.tags[name] = value
        token = f'[{name} "{value}"]'
        if name == "GameType" and value.split(",")[0].strip() != str(ENGLISH):
            self.fail(line, token, f"only English checkers, game type {ENGLISH}, is played here")
        elif name == "FEN":
            try:
                self.history = _game().history(value)
            except PlywiseError as error:
                self.fail(line, token, str(error))
                return
            if self.history.position != _game().start():
                self.record.start = self.history.text
        elif name == "Result" and value in _RESULTS:
            self.record.result = _RESULTS[value]

    def move(self, text: str, line: int) -> None:
        self.begun = True
        if self.record.problem is not None:
            return
        if self.history.length >= MAX_GAME_PLIES:
            self.fail(line, text, f"a game may have {MAX_GAME_PLIES} moves")
            return
        position = self.history.position
        try:
            move = position.read_move(text)
        except ValueError as error:
            self.fail(line, text, str(error))
            return
        self.record.moves.append(position.move_text(move))
        self.history = History(self.history.game, position.play(move), self.history, move)


# --- writing --------------------------------------------------------------------------------------
def write(records: Iterable[Record]) -> str:
    """A collection of games."""
    return "\n".join(game_text(record) for record in records)


def game_text(record: Record) -> str:
    """One game. Result, game type and the start, unless it is the usual one, are written for it."""
    own = ("GameType", "FEN", "SetUp", "Result")
    tags = {name: value for name, value in record.tags.items() if name not in own}
    tags["Result"] = record.result
    tags["GameType"] = str(ENGLISH)
    if record.start != "start":
        tags |= {"SetUp": "1", "FEN": record.start}
    head = "".join('[{} "{}"]\n'.format(name, _QUOTABLE.sub(r"\\\1", tags[name])) for name in tags)
    words = [*numbered_moves(record.moves), record.result]
    return f"{head}\n{textwrap.fill(' '.join(words), 80, break_on_hyphens=False)}\n"


def numbered_moves(moves: list[str]) -> Iterator[str]:
    """Moves in pairs from the first, whoever makes it: other readers stumble over `1... 22-18`."""
    for i, move in enumerate(moves):
        yield move if i % 2 else f"{i // 2 + 1}. {move}"


# --- as a format of the game ------------------------------------------------------------------------
def _write(history: History, tags: Mapping[str, str]) -> str:
    record = Record.of(history, tags)
    if record.result == OPEN:  # a game that was given up or agreed drawn: its tags know
        record.result = _RESULTS.get(tags.get("Result", OPEN), OPEN)
    return game_text(record)


def _read(text: str) -> Iterator[Recorded]:
    for record in games(text):
        yield Recorded(record.history, {**record.tags, "Result": record.result}, record.problem or "")


PDN = Format("pdn", _write, _read)
