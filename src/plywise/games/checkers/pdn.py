"""Games in Portable Draughts Notation: whole collections in and out.

A reader meets PDN of every age: captures long and short, results as 1-0 or 2-0, comments, variations
and glyphs, move numbers of any kind (ignored). What cannot be read is named with its line and its token;
the moves before it are kept, and the next game is read. A variation ends where it cannot be read.
"""

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from plywise.core.errors import PlywiseError
from plywise.core.formats import Format, RecordedGame, Step
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.untrusted import MAX_GAME_PLIES, shorten, whole_number
from plywise.core.wording import result_text
from plywise.games.checkers.rules import Checkers

MOST_TAGS = 200  # of one game
LAST_NAG = 255
TOO_MANY = f"a game may have {MAX_GAME_PLIES} moves, those of variations included"
GLYPHS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
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
_NAME = re.compile(r"\w++")  # of a tag


@dataclass
class PdnGame:
    """One game: its tags, its moves in our notation, its result, and what could not be read.

    `steps` are the same moves with their comments, glyphs and variations.
    """

    tags: dict[str, str] = field(default_factory=dict)
    moves: list[str] = field(default_factory=list)
    result: str = OPEN
    start: str = "start"
    problem: str | None = None
    line: int = 1
    steps: list[Step] = field(default_factory=list)
    comment: str = ""
    left_out: str = ""  # what of variations could not be read, the first of it
    end: History | None = field(default=None, compare=False, repr=False)  # as the reader has played it

    @property
    def history(self) -> History:
        """The game, to be looked at or played on."""
        if self.end is not None:
            return self.end
        history = _game().history(self.start)
        for move in self.moves:
            history = history.play(move)
        return history

    @classmethod
    def of(cls, history: History, tags: Mapping[str, str] | None = None) -> "PdnGame":
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
def read(text: str) -> list[PdnGame]:
    """Every game of a collection, the unreadable ones with their `problem`."""
    return list(read_games(text))


def read_games(text: str) -> Iterator[PdnGame]:
    """The games of a collection, one after the other."""
    start = _game().history()  # made once: a text may have a hundred thousand games
    reader: _Reader | None = None
    waiting: list[str] = []  # comments before the first tag or move of a game
    line = 1
    for token in _TOKEN.finditer(text):
        kind, here = token.lastgroup, line
        line += token.group().count("\n")
        if token["move"] and token["junk"]:
            kind = "other"
        if kind in ("space", "number"):
            continue
        if kind == "comment":
            words = " ".join(token.group().strip("{};").split())
            waiting.append(words) if reader is None else reader.add_comment(words)
            continue
        if kind in ("open", "close", "note"):
            if reader is not None:
                reader.annotate(str(kind), token.group(), here)
            continue
        if kind == "tag" and reader is not None and reader.begun:
            yield reader.finish()
            reader = None
        if reader is not None and reader.depth and kind != "move":
            reader.skip_variation(here, f"{shorten(token.group())!r} in a variation is no move")
            continue
        if reader is None:
            reader, waiting = _Reader(start, here, waiting), []
        if kind == "tag":
            reader.tag(token["name"], _ESCAPED.sub(r"\1", token["value"]), here)
        elif kind == "move":
            reader.move("".join(token.group().split()), here)
        elif kind == "result":
            reader.game.result = _RESULTS[token.group()]
            yield reader.finish()
            reader = None
        else:
            reader.fail(here, token.group(), "it is neither a move, a tag, a comment nor a result")
    if reader is not None:
        yield reader.finish()


class _Reader:
    """One game being read."""

    def __init__(self, start: History, line: int, comments: list[str]) -> None:
        self.game = PdnGame(line=line)
        self.begun = False  # its tags are over
        self.count = 0  # of tags
        self.moves = 0  # of the game and its variations
        self.depth, self.lost = 0, 0  # of open brackets; from which of them on nothing is read
        self.comments = [*comments]
        self.before = ""  # a comment at the beginning of a variation
        self.place(start)

    def place(self, history: History) -> None:
        """Let the game begin there."""
        self.history = history
        self.line: list[Step] = self.game.steps
        self.position: Any = history.position  # before the line's last step: a variation starts here
        self.now: Any = history.position
        self.stack: list[tuple[list[Step], Any, Any]] = []

    def finish(self) -> PdnGame:
        """The game as far as it was read."""
        self.attach_comments()
        self.game.end = self.history
        return self.game

    # --- comments, glyphs and variations -------------------------------------------------------------
    def add_comment(self, comment: str) -> None:
        if comment and not self.lost and self.game.problem is None:
            self.comments.append(comment)

    def attach_comments(self) -> None:
        """Put the comments since the last move or bracket where they belong."""
        comment, self.comments = " ".join(self.comments), []
        if not comment:
            return
        if self.line:
            self.line[-1].comment = f"{self.line[-1].comment} {comment}".strip()
        elif self.stack:
            self.before = f"{self.before} {comment}".strip()
        else:
            self.game.comment = f"{self.game.comment} {comment}".strip()

    def annotate(self, kind: str, token: str, line: int) -> None:
        """A glyph, or a bracket of a variation."""
        if kind != "note":
            self.attach_comments()
            self.begun = True
        if kind == "open":
            self.open(line)
        elif kind == "close":
            self.close(line)
        elif self.line and not self.lost and self.game.problem is None:
            nag = GLYPHS.get(token)
            try:
                nag = whole_number(token[1:], 0, LAST_NAG) if token.startswith("$") else nag
            except ValueError:
                nag = None
            if nag is not None:
                self.line[-1].nags.append(nag)

    def open(self, line: int) -> None:
        self.depth += 1
        if self.lost:
            return
        if not self.line or self.game.problem is not None or self.moves >= MAX_GAME_PLIES:
            self.skip_variation(
                line, TOO_MANY if self.moves >= MAX_GAME_PLIES else "a variation before any move"
            )
            return
        self.moves += 1
        variation: list[Step] = []
        self.line[-1].variations.append(variation)
        self.stack.append((self.line, self.position, self.now))
        self.line, self.now, self.before = variation, self.position, ""

    def close(self, line: int) -> None:
        if not self.depth:
            self.leave_out(line, "')' without '('")
            return
        if not self.lost or len(self.stack) == self.depth:
            self.line, self.position, self.now = self.stack.pop()
            self.before = ""
            if not self.line[-1].variations[-1]:  # nothing in it could be read
                self.line[-1].variations.pop()
        if self.lost == self.depth:
            self.lost = 0
        self.depth -= 1

    def skip_variation(self, line: int, reason: str) -> None:
        """Read nothing more of this variation."""
        if not self.lost:
            self.lost = self.depth
            self.leave_out(line, reason)

    def leave_out(self, line: int, reason: str) -> None:
        """Note the first thing in a variation that cannot be read; the game goes on."""
        if self.game.problem is None:
            self.game.left_out = self.game.left_out or f"line {line}: {reason}"

    def fail(self, line: int, token: str, reason: str) -> None:
        """Note the first problem; nothing behind it can be trusted."""
        self.begun = self.begun or not token.startswith("[")
        if self.game.problem is None:
            self.game.problem = f"line {line}, {shorten(token)!r}: {reason}"

    def tag(self, name: str, value: str, line: int) -> None:
        self.count += 1
        if self.count > MOST_TAGS:
            self.fail(line, f"[{name}", f"a game may have {MOST_TAGS} tags")
            return
        self.game.tags[name] = value
        token = f'[{name} "{value}"]'
        if name == "GameType" and value.split(",")[0].strip() != str(ENGLISH):
            self.fail(line, token, f"only English checkers, game type {ENGLISH}, is played here")
        elif name == "FEN":
            try:
                self.place(_game().history(value))
            except PlywiseError as error:
                self.fail(line, token, str(error))
                return
            if self.history.position != _game().start():
                self.game.start = self.history.text
        elif name == "Result" and value in _RESULTS:
            self.game.result = _RESULTS[value]

    def move(self, text: str, line: int) -> None:
        self.begun = True
        if self.game.problem is not None or self.lost:
            return
        self.attach_comments()
        self.moves += 1
        position = self.now
        try:
            if self.moves > MAX_GAME_PLIES:
                raise ValueError(TOO_MANY)
            move = position.read_move(text)
        except ValueError as error:
            if self.stack:
                self.skip_variation(line, f"{shorten(text)!r}: {error}")
            else:
                self.fail(line, text, str(error))
            return
        self.line.append(Step(move, self.before))
        self.before = ""
        self.position, self.now = position, position.play(move)
        if not self.stack:
            self.game.moves.append(position.move_text(move))
            self.history = History(self.history.game, self.now, self.history, move)


# --- writing --------------------------------------------------------------------------------------
def write(games: Iterable[PdnGame]) -> str:
    """A collection of games."""
    return "\n".join(game_text(game) for game in games)


def game_text(game: PdnGame) -> str:
    """One game. Result, game type and the start, unless it is the usual one, are written for it."""
    own = ("GameType", "FEN", "SetUp", "Result")
    tags = {name: value for name, value in game.tags.items() if name not in own}
    tags["Result"] = game.result
    tags["GameType"] = str(ENGLISH)
    if game.start != "start":
        tags |= {"SetUp": "1", "FEN": game.start}
    head = "".join(f'[{name} "{_escape(value)}"]\n' for name, value in tags.items() if _NAME.fullmatch(name))
    words = [*(_annotated_words(game) if game.steps else numbered_moves(game.moves)), game.result]
    return f"{head}\n{textwrap.fill(' '.join(words), 80, break_on_hyphens=False, break_long_words=False)}\n"


def _annotated_words(game: PdnGame) -> Iterator[str]:
    """The words of a game with comments and variations; brackets nest deeper than Python calls."""
    if game.comment:
        yield _brace(game.comment)
    start = _game().parse(game.start)
    stack = [_line_words(start, game.steps, 0)]
    while stack:
        word = next(stack[-1], None)
        if word is None:
            stack.pop()
            if stack:
                yield ")"
        elif isinstance(word, str):
            yield word
        else:
            yield "("
            stack.append(_line_words(*word))


def _line_words(position: Any, steps: list[Step], first: int) -> Iterator[str | tuple[Any, list[Step], int]]:
    """The words of one line; a variation of it as the position, the steps and the ply that it begins with."""
    numbered = False
    for ply, step in enumerate(steps, first):
        if step.before:
            yield _brace(step.before)
            numbered = False
        text = position.move_text(step.move)
        number = ply // 2 + 1
        yield text if ply % 2 and numbered else f"{number}{'...' if ply % 2 else '.'} {text}"
        numbered = True
        yield from (f"${nag}" for nag in step.nags)
        if step.comment:
            yield _brace(step.comment)
            numbered = False
        for variation in filter(None, step.variations):
            yield position, variation, ply
            numbered = False
        position = position.play(step.move)


def _escape(value: str) -> str:
    return _QUOTABLE.sub(r"\\\1", " ".join(value.split()))


def _brace(comment: str) -> str:
    return "{" + " ".join(comment.split()).replace("}", ")") + "}"


def numbered_moves(moves: list[str]) -> Iterator[str]:
    """Moves in pairs from the first, whoever makes it: other readers stumble over `1... 22-18`."""
    for i, move in enumerate(moves):
        yield move if i % 2 else f"{i // 2 + 1}. {move}"


# --- as a format of the game ------------------------------------------------------------------------
def _write(history: History, tags: Mapping[str, str]) -> str:
    game = PdnGame.of(history, tags)
    if game.result == OPEN:  # a game that was given up or agreed drawn: its tags know
        game.result = _RESULTS.get(tags.get("Result", OPEN), OPEN)
    return game_text(game)


def _read(text: str) -> Iterator[RecordedGame]:
    for game in read_games(text):
        tags = {**game.tags, "Result": game.result}
        problem = game.problem or ""
        yield RecordedGame(game.history, tags, problem, game.steps, game.comment, game.left_out)


def _annotate(start: Checkers, steps: list[Step], comment: str, tags: Mapping[str, str]) -> str:
    text = "start" if start == _game().start() else _game().text(start)
    result = _RESULTS.get(tags.get("Result", OPEN), OPEN)
    return game_text(PdnGame(dict(tags), [], result, text, steps=steps, comment=comment))


PDN = Format("pdn", _write, _read, _annotate)
