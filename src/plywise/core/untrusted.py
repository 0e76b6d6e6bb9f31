"""What is read from outside has bounds: the size of a text, the plies of a game, the digits of a number.

Anybody can send a text. Within these bounds every reader takes at most linear time, and less than a
second; beyond them it refuses in one sentence before it begins.
"""

import json
import math
import re
from typing import Any

# 256 KB hold 30 games with comments or the longest game there is: nobody pastes more by hand.
MAX_TEXT = 256 << 10
# With variations. The longest games of tournaments have 538 plies, the page keeps 8,000 positions a game.
MAX_GAME_PLIES = 3000
MAX_NUMBER = (1 << 63) - 1
MAX_DIGITS = 300  # of a number in JSON: more than any that is written, and a float has room for it
MAX_SECONDS = 1e9
MAX_QUOTED = 200  # characters of a text that an error quotes

# Signs that a terminal obeys, or that turn the direction of writing; a text keeps its lines and tabs.
_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")  # half a character, as JSON writes it


def shorten(text: str, most: int = MAX_QUOTED) -> str:
    """The text, or its beginning and end if it is too long to be quoted."""
    return text if len(text) <= most else f"{text[: most // 2]} ... {text[-(most // 2) :]}"


def visible(text: str) -> str:
    r"""The text as a terminal may be sent it: signs that it would obey are written as `\x1b`.

    >>> visible("\x1b[2J clear")
    '\\x1b[2J clear'
    """
    return _HIDDEN.sub(lambda sign: repr(sign[0])[1:-1], text)


def check_size(text: str, what: str, most: int = MAX_TEXT) -> None:
    """ValueError if a text is longer than anything that is read."""
    if len(text) > most:
        raise ValueError(f"{what} may have {most} characters, not {len(text)}")


def check_plies(plies: int) -> None:
    """ValueError if a game is longer than any that is read."""
    if plies > MAX_GAME_PLIES:
        raise ValueError(f"a game may have {MAX_GAME_PLIES} moves, not {plies}")


def whole_number(text: str, low: int = 0, high: int = MAX_NUMBER) -> int:
    """The whole number that a text means, in digits 0 to 9; ValueError if it is none or out of range.

    >>> whole_number("12", 1, 32)
    12
    """
    digits = text.removeprefix("-") if low < 0 else text
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError(f"{shorten(text, 40)!r} is no whole number")
    bare = digits.lstrip("0") or "0"
    # Python reads no number of over 4,300 digits, and takes quadratic time for fewer.
    value = int(bare) if len(bare) <= 20 else MAX_NUMBER + 1
    if text.startswith("-"):
        value = -value
    if not low <= value <= high:
        raise ValueError(f"{shorten(text, 40)} is not from {low} to {high}")
    return value


def seconds_number(text: str) -> float:
    """The seconds that a text means, above 0; ValueError if it means none.

    >>> seconds_number("0.5")
    0.5
    """
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not (0 < value <= MAX_SECONDS and text.isascii()):
        raise ValueError(f"seconds are a number above 0, not {shorten(text, 40)!r}")
    return value


def read_json(text: str) -> Any:
    """The value that a text writes in JSON; ValueError if it is none, or nested too deep to be one.

    All its numbers are finite, and `float` takes each of them. All its texts can be written.
    """
    try:
        value = json.loads(
            text, parse_constant=_refuse_constant, parse_int=_json_number, parse_float=_json_float
        )
        if not text.isascii() or _SURROGATE.search(text):  # most of these are halves of one character
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except UnicodeEncodeError:
        raise ValueError("it has half a character, which no text has") from None
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"it is no JSON from line {error.lineno}, column {error.colno} on") from None


def _json_number(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"a number may have {MAX_DIGITS} digits, not {len(digits)}")
    return int(digits)


def _json_float(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError(f"{shorten(digits, 40)} is too large for a number")
    return value


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")
