"""Games as text: PGN, read with tolerance and written to the letter.

The reader takes what others wrote: comments of both kinds, nested variations, NAGs and glyphs, odd
tags, missing results, Windows line ends, a byte order mark. What it cannot follow is a problem of
that game, with its line, and never loses the games behind it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from plywise.core.formats import Format, RecordedGame, Step
from plywise.core.history import History
from plywise.core.untrusted import MAX_GAME_PLIES, shorten, whole_number
from plywise.core.wording import result_text
from plywise.games.chess.fen import START, write_fen
from plywise.games.chess.notation import algebraic, read_move
from plywise.games.chess.rules import Chess

ROSTER = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "White": "?",
    "Black": "?",
    "Result": "*",
}
GLYPHS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
RESULTS = {"1-0": "1-0", "0-1": "0-1", "1/2-1/2": "1/2-1/2", "1/2": "1/2-1/2", "½-½": "1/2-1/2", "*": "*"}
COLUMNS = 79
LAST_NAG = 255
MOST_TAGS = 200  # of one game
MOST_PROBLEMS = 20  # of one game that are reported


@dataclass
class PgnGame:
    """A game: tags, the position it began with, its moves, the result, and what could not be read."""

    tags: dict[str, str] = field(default_factory=dict)
    start: Chess = field(default_factory=cache(Chess.start))  # a text may have a hundred thousand games
    steps: list[Step] = field(default_factory=list)
    comment: str = ""
    result: str = "*"
    problems: list[str] = field(default_factory=list)

    @property
    def moves(self) -> list[int]:
        """The moves of the game itself."""
        return [step.move for step in self.steps]

    @classmethod
    def of(cls, history: History, tags: dict[str, str] | None = None) -> "PgnGame":
        """A game that was played here; an open one has the result `*`."""
        steps: list[Step] = []
        node, outcome = history, history.outcome
        while node.before is not None and node.move is not None:
            steps.append(Step(node.move))
            node = node.before
        return cls(dict(tags or {}), node.position, steps[::-1], "", result_text(outcome))


# --- writing ------------------------------------------------------------------------------------
def write_pgn(game: PgnGame) -> str:
    """The game in export format: the seven tags first, moves in SAN, lines of at most 79 columns."""
    tags = {**ROSTER, **game.tags, "Result": game.result}
    for name in ("SetUp", "FEN"):
        tags.pop(name, None)
    if write_fen(game.start) != START:
        if not _usual_castling(game.start):
            tags.setdefault("Variant", "Chess960")
        tags["SetUp"], tags["FEN"] = "1", write_fen(game.start)
    lines = [f'[{name} "{_escape(value)}"]' for name, value in tags.items() if _TAG_NAME.fullmatch(name)]
    words = _words(game.start, game.steps, game.comment)
    return "\n".join([*lines, "", *_wrap_lines([*words, game.result]), ""])


def _usual_castling(position: Chess) -> bool:
    """All castling rights are those of kings on the e-file with rooks in the corners."""
    rights = set(write_fen(position, shredder=True).split()[2]) - {"-"}
    kings = position.kings & (1 << 4 | 1 << 60)
    return rights <= set("AHah") and (
        not rights or bin(kings).count("1") == len({r.isupper() for r in rights})
    )


def _escape(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')


def _brace(comment: str) -> str:
    return "{" + " ".join(comment.split()).replace("}", ")") + "}"


def _words(position: Chess, steps: list[Step], comment: str) -> list[str]:
    """The words of a game. Variations are kept on a stack: they may be nested deeper than Python calls."""
    words = [_brace(comment)] if comment else []
    stack = [_line_words(position, steps)]
    opened = False
    while stack:
        word = next(stack[-1], None)
        if word is None:
            stack.pop()
            if stack:  # it was a variation, and had a word
                words[-1] += ")"
        elif isinstance(word, str):
            words.append("(" + word if opened else word)
            opened = False
        else:
            stack.append(_line_words(*word))
            opened = True
    return words


def _line_words(position: Chess, steps: list[Step]) -> Iterator[str | tuple[Any, list[Step]]]:
    """The words of one line; a variation of it as the position and the steps that it begins with."""
    numbered = False  # whether the next move needs no number: White's was just written
    for step in steps:
        if step.before:
            yield _brace(step.before)
            numbered = False
        number = position.number // 2 + 1
        if position.turn == 0:
            yield f"{number}."
        elif not numbered:
            yield f"{number}..."
        yield algebraic(position, step.move)
        numbered = True
        for nag in step.nags:
            yield f"${nag}"
        if step.comment:
            yield _brace(step.comment)
            numbered = False
        for variation in filter(None, step.variations):
            yield position, variation
            numbered = False
        position = position.play(step.move)


def _wrap_lines(words: list[str]) -> list[str]:
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > COLUMNS:
            lines.append("")
        lines[-1] += " " + word if lines[-1] else word
    return lines


# --- reading ------------------------------------------------------------------------------------
_TOKEN = re.compile(
    r"""
    (?P<space>\s++)
  | (?P<escape>(?<![^\n])%[^\n]*+)
  | (?P<rest>;[^\n]*+)
  | (?P<comment>\{[^}]*+\}?)
  | (?P<tag>\[[^\n]*+)
  | (?P<open>\()
  | (?P<close>\))
  | (?P<nag>\$[0-9]++)
  | (?P<result>(?:1/2-1/2|1-0|0-1|½-½|1/2|\*)(?![-/\w]))
  | (?P<number>[0-9]++(?:\s*+[.…]++|(?=\s))|[.…]++)
  | (?P<glyph>[!?]{1,2})
  | (?P<reserved><[^>\n]*+>?)
  | (?P<move>[A-Za-z0@-][A-Za-z0-9=+\#:/@-]*+(?:\s?e\.p\.)?)
  | (?P<other>[0-9]++|[]"'/\\|,&^~_=+\#>}:`]++|.)
    """,
    re.VERBOSE,
)
_TAG = re.compile(r'\s*+\[\s*+([^\s"\]]++)\s*+"((?:[^"\\]|\\.)*+)"\s*+\]\s*+')
_TAG_NAME = re.compile(r'[^\s"\]]++')
_ESCAPED = re.compile(r"\\(.)")


def read_pgn(data: str | bytes) -> list[PgnGame]:
    """All games of a text."""
    return list(read_games(data))


def read_games(data: str | bytes) -> Iterator[PgnGame]:
    """The games of a text, one by one."""
    text = data if isinstance(data, str) else _decode(data)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    reader = _Reader()
    line = 1
    for token in _TOKEN.finditer(text):
        kind, word = str(token.lastgroup), token[0]
        if kind != "space" and not (reader.lost and kind in ("move", "number")):
            finished = reader.take(kind, word, line)
            if finished is not None:
                yield finished
        line += word.count("\n")
    last = reader.finish()
    if last is not None:
        yield last


def _decode(data: bytes) -> str:
    """UTF-8, or what older programs wrote."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _tags(line: str) -> list[tuple[str, str]]:
    """The names and values that a line of tags gives; none if it is no such line.

    What is no row of tags may be one odd tag: with no quotes, the wrong ones, or quotes within quotes.
    """
    found, at = [], 0
    while tag := _TAG.match(line, at):
        found.append((tag[1], tag[2]))
        at = tag.end()
    if found and at == len(line):
        return found
    line = line.strip()
    name = _TAG_NAME.match(line[1:-1].lstrip()) if line.endswith("]") else None
    if name is None:
        return []
    value = name.string[name.end() :].strip()
    value = value[1:] if value.startswith(("'", '"')) else value
    return [(name[0], value[:-1] if value.endswith(("'", '"')) else value)]


class _Reader:
    """One game in the making."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self.game = PgnGame()
        self.in_moves = self.seen = False
        self.lost = 0  # how deep in variations reading has stopped; 1: in the game itself
        self.depth = 1
        self.count = self.tags = 0  # moves and variations; tags
        self.before = ""
        self.comments: list[str] = []  # since the last move or bracket
        self.line: list[Step] = self.game.steps
        self.position: Chess = self.game.start  # before the line's last step: a variation starts here
        self.now: Any = self.game.start
        self.stack: list[tuple[list[Step], Any, Any]] = []

    def finish(self) -> PgnGame | None:
        """The game as far as it was read; a new one begins."""
        self.attach_comments()
        game, seen = self.game, self.seen
        if game.result == "*":
            game.result = RESULTS.get(game.tags.get("Result", "*"), "*")
        self.begin()
        return game if seen else None

    def take(self, kind: str, word: str, line: int) -> PgnGame | None:
        """One more token; the game before it, if the token says that it is over."""
        finished = None
        if kind == "tag":
            if self.in_moves:
                finished = self.finish()
            self.tag(word, line)
            self.seen = True
        elif kind == "result":
            if not self.stack:
                self.game.result = RESULTS[word]
                self.seen = True
                return self.finish()
        elif kind in ("comment", "rest"):
            words = word[1:] if kind == "rest" else word[1:].removesuffix("}")
            self.add_comment(" ".join(words.split()))
        elif kind in ("open", "close", "nag", "glyph", "move", "number"):
            self.in_moves = self.seen = True
            self.take_movetext(kind, word, line)
        elif kind == "other":
            self.problem(line, f"{shorten(word, 40)!r} means nothing here")
        elif kind == "reserved" and not word.endswith(">"):
            self.problem(line, f"{shorten(word, 40)!r} is not closed")
        return finished

    def problem(self, line: int, reason: str) -> None:
        if len(self.game.problems) < MOST_PROBLEMS:
            self.game.problems.append(f"line {line}: {reason}")

    def tag(self, word: str, line: int) -> None:
        pairs = _tags(word)
        if not pairs:
            self.problem(line, f"{shorten(word.strip())!r} is no tag")
        for name, value in pairs:
            self.tags += 1
            if self.tags > MOST_TAGS:
                self.problem(line, f"a game may have {MOST_TAGS} tags")
                return
            self.game.tags[name] = _ESCAPED.sub(r"\1", value)
            if name.upper() == "FEN":
                try:
                    self.game.start = Chess.parse(self.game.tags[name])
                    self.now = self.position = self.game.start
                except ValueError as error:
                    self.problem(line, f"tag FEN: {error}")
                    self.lost = 1

    def add_comment(self, comment: str) -> None:
        if not comment or (self.lost and self.depth >= self.lost):
            return
        self.seen = True
        self.comments.append(comment)

    def attach_comments(self) -> None:
        """Put the comments since the last move or bracket where they belong."""
        comment = " ".join(self.comments)
        self.comments = []
        if not comment:
            return
        if self.line:
            self.line[-1].comment = f"{self.line[-1].comment} {comment}".strip()
        elif self.stack:
            self.before = f"{self.before} {comment}".strip()
        else:
            self.game.comment = f"{self.game.comment} {comment}".strip()

    def take_movetext(self, kind: str, word: str, line: int) -> None:
        """A move, a glyph, or a bracket of a variation."""
        if kind in ("open", "close", "move"):
            self.attach_comments()
        if kind == "open":
            self.depth += 1
            if not self.lost:
                self.enter(line)
        elif kind == "close":
            self.leave(line)
        elif self.lost:
            return
        elif kind == "move":
            self.move(word, line)
        elif kind == "glyph" and self.line:
            self.line[-1].nags.append(GLYPHS[word])
        elif kind == "nag" and self.line:
            try:
                self.line[-1].nags.append(whole_number(word[1:], 0, LAST_NAG))
            except ValueError as error:
                self.problem(line, f"glyph {shorten(word, 40)}: {error}")

    def enough(self, line: int) -> bool:
        """Count a move or a variation; whether there are too many by now, so that reading stops here."""
        self.count += 1
        if self.count > MAX_GAME_PLIES:
            self.problem(line, f"a game may have {MAX_GAME_PLIES} moves, those of variations included")
            self.lost = self.depth
        return self.lost > 0

    def enter(self, line: int) -> None:
        if self.enough(line):
            return
        if not self.line:
            self.problem(line, "a variation before any move")
            self.lost = self.depth
            return
        variation: list[Step] = []
        self.line[-1].variations.append(variation)
        self.stack.append((self.line, self.position, self.now))
        self.line, self.now, self.before = variation, self.position, ""

    def leave(self, line: int) -> None:
        if self.depth == 1:
            self.problem(line, "')' without '('")
            return
        if not self.lost or len(self.stack) + 1 == self.depth:
            self.line, self.position, self.now = self.stack.pop()
            # A variation in which nothing could be read is none.
            if not self.line[-1].variations[-1]:
                self.line[-1].variations.pop()
        if self.lost == self.depth:
            self.lost = 0
        self.depth -= 1

    def move(self, word: str, line: int) -> None:
        if self.enough(line):
            return
        try:
            move = read_move(self.now, word)
        except ValueError as error:
            number = self.now.number // 2 + 1
            self.problem(line, f"move {number} {shorten(word, 40)!r}: {error}")
            self.lost = self.depth
            return
        self.line.append(Step(move, self.before))
        self.before = ""
        self.position, self.now = self.now, self.now.play(move)


# --- as a format of the game --------------------------------------------------------------------
def _write(history: History, tags: Mapping[str, str]) -> str:
    game = PgnGame.of(history, dict(tags))
    if game.result == "*":  # a game that was given up or agreed drawn: its tags know
        game.result = RESULTS.get(tags.get("Result", "*"), "*")
    return write_pgn(game)


def _read(text: str) -> Iterator[RecordedGame]:
    for game in read_games(text):
        tags = {**game.tags, "Result": game.result}
        problem = "; ".join(game.problems[:1])
        yield RecordedGame(_follow(game), tags, problem, game.steps, game.comment)


def _follow(game: PgnGame) -> History:
    history = History(Chess.game, game.start)  # type: ignore[attr-defined]
    for move in game.moves:  # they are legal: the reader has played them
        history = History(history.game, history.position.play(move), history, move)
    return history


def _annotate(start: Chess, steps: list[Step], comment: str, tags: Mapping[str, str]) -> str:
    return write_pgn(PgnGame(dict(tags), start, steps, comment, RESULTS.get(tags.get("Result", "*"), "*")))


PGN = Format("pgn", _write, _read, _annotate)
