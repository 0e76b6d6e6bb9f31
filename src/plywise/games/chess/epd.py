"""EPD: a position and what somebody says about it, on one line: `FEN4 bm Qg6; id "WAC.001";`."""

import re
import string
from dataclasses import dataclass, field

from plywise.core.untrusted import check_plies, check_size, shorten
from plywise.games.chess.fen import write_fen
from plywise.games.chess.notation import algebraic, read_move
from plywise.games.chess.rules import Chess

MOVES = ("bm", "am", "pm", "pv", "sm", "cm")  # operations whose operands are moves
_OPERAND = re.compile(r'\s*+(?:"((?:[^"\\]|\\.)*+)"|([^\s;"]++))')
_COUNTERS = re.compile(r"([0-9]++)\s++([0-9]++)(?=\s|$)")
_OPCODE = re.compile(r"[A-Za-z]\w*+")
_ESCAPED = re.compile(r"\\(.)")
_NUMBER = re.compile(r"[+-]?[0-9]++(?:\.[0-9]++)?")


@dataclass
class Epd:
    """A position with operations: an opcode and its operands, as text."""

    position: Chess
    operations: dict[str, list[str]] = field(default_factory=dict)

    def moves(self, opcode: str) -> list[int]:
        """The moves that an operation names; those of a `pv` follow one another."""
        position: Chess = self.position
        result = []
        for text in self.operations.get(opcode, []):
            move = read_move(position, text)
            result.append(move)
            if opcode == "pv":
                position = position.play(move)
        return result


def read_epd(text: str) -> Epd:
    """The position and operations of one line; ValueError names the operation that cannot be read."""
    check_size(text, "an EPD")
    fields = text.strip().split(maxsplit=4)
    if len(fields) < 4:
        raise ValueError(f"an EPD begins with the four first fields of a FEN, not {len(fields)}")
    rest = fields[4] if len(fields) > 4 else ""
    # Some files have the counters of a FEN before the operations.
    counters = _COUNTERS.match(rest)
    if counters is not None:
        rest = rest[counters.end() :]
    operations = _read_operations(rest)
    fifty, number = (counters[1], counters[2]) if counters else ("0", "1")
    fifty = (operations.get("hmvc") or [fifty])[0]
    number = (operations.get("fmvn") or [number])[0]
    epd = Epd(Chess.parse(" ".join([*fields[:4], fifty, number])), operations)
    check_plies(sum(len(operations.get(opcode, [])) for opcode in MOVES))
    for opcode in MOVES:
        try:
            epd.moves(opcode)
        except ValueError as error:
            words = shorten(" ".join(" ".join(operations[opcode]).split()))  # quotes may hold line ends
            raise ValueError(f"operation {opcode} {words}: {error}") from None
    return epd


def _read_operations(text: str) -> dict[str, list[str]]:
    result: dict[str, list[str]] = {}
    at = _past(" \t;", text, 0)
    while at < len(text):
        code = _OPCODE.match(text, at)
        if code is None:
            raise ValueError(f"an operation begins with a letter, not {text[at : at + 10]!r}")
        at = code.end()
        operands = []
        while True:
            operand = _OPERAND.match(text, at)
            if operand is None:
                break
            quoted, plain = operand.groups()
            operands.append(plain if quoted is None else _ESCAPED.sub(r"\1", quoted))
            at = operand.end()
        at = _past(string.whitespace, text, at)
        if at < len(text) and text[at] != ";":
            name = shorten(code[0], 40)
            raise ValueError(f"operation {name} does not end with ';' but with {text[at : at + 10]!r}")
        result[code[0]] = operands
        at = _past(" \t;", text, at)
    return result


def _past(signs: str, text: str, at: int) -> int:
    """The next place with none of these signs."""
    while at < len(text) and text[at] in signs:
        at += 1
    return at


def write_epd(epd: Epd) -> str:
    """One line; moves in SAN, other operands quoted unless they are numbers."""
    parts = [" ".join(write_fen(epd.position).split()[:4])]
    for opcode, operands in epd.operations.items():
        if opcode in MOVES:
            position: Chess = epd.position
            words = []
            for move in epd.moves(opcode):
                words.append(algebraic(position, move))
                position = position.play(move) if opcode == "pv" else position
        else:
            words = [_quote(operand) for operand in operands]
        parts.append(" ".join([opcode, *words]) + ";")
    return " ".join(parts)


def _quote(operand: str) -> str:
    if _NUMBER.fullmatch(operand):
        return operand
    return '"' + operand.replace("\\", "\\\\").replace('"', '\\"') + '"'
