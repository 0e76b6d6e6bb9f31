"""What a page may ask for: a registry of requests, each with the fields that it takes.

A module adds its own by `@request("name", field=kind, ...)`. A value that does not fit is refused in one
sentence that names the field, before the handler is called.
"""

import json
import string
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from plywise.core.errors import PlywiseError, UnknownName
from plywise.core.untrusted import read_json

Answer = dict[str, Any]
Handler = Callable[..., "Answer | LateAnswer"]
FieldKind = Callable[[str, Any], Any]  # (what it is called, value) -> the value, or Refused

MAX_CHARACTERS = 64 << 10  # characters of a message
_TOKEN = frozenset(string.ascii_letters + string.digits + "-_")


class Refused(PlywiseError):
    """A request that the server does not fulfil; the message says why."""


# --- kinds of fields ------------------------------------------------------------------------------
def text(most: int = 4000, least: int = 0) -> FieldKind:
    """A text of bounded length."""

    def check(name: str, value: Any) -> str:
        if not isinstance(value, str):
            raise Refused(f"{name} must be a text, not {_short_text(value)}")
        if not least <= len(value) <= most:
            raise Refused(f"{name} must have {least} to {most} characters, not {len(value)}")
        if "\x00" in value or any("\ud800" <= sign <= "\udfff" for sign in value):
            raise Refused(f"{name} has characters that no text has")
        return value

    return check


def token(least: int, most: int) -> FieldKind:
    """Letters, digits, `-` and `_`: an id that the server gave, or a token that a page made."""

    def check(name: str, value: Any) -> str:
        if not isinstance(value, str) or not (least <= len(value) <= most and set(value) <= _TOKEN):
            raise Refused(f"{name} must be {least} to {most} letters, digits, '-' or '_'")
        return value

    return check


def whole(low: int, high: int) -> FieldKind:
    """A whole number in a range."""

    def check(name: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise Refused(f"{name} must be a whole number, not {_short_text(value)}")
        if not low <= value <= high:
            raise Refused(f"{name} must be from {low} to {high}, not {_short_text(value)}")
        return value

    return check


def number(low: float, high: float) -> FieldKind:
    """A number in a range."""

    def check(name: str, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise Refused(f"{name} must be a number, not {_short_text(value)}")
        if not low <= value <= high:
            raise Refused(f"{name} must be from {low:g} to {high:g}, not {_short_text(value)}")
        return float(value)

    return check


def flag(name: str, value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise Refused(f"{name} must be true or false, not {_short_text(value)}")
    return value


def list_of(kind: FieldKind, least: int, most: int) -> FieldKind:
    """A list of values of one kind."""

    def check(name: str, value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise Refused(f"{name} must be a list, not {_short_text(value)}")
        if not least <= len(value) <= most:
            wanted = f"{least}" if least == most else f"{least} to {most}"
            raise Refused(f"{name} must have {wanted} entries, not {len(value)}")
        return [kind(f"{name}[{place}]", one) for place, one in enumerate(value)]

    return check


def object_with(**kinds: Any) -> FieldKind:
    """An object with exactly these fields; see `optional`."""

    def check(name: str, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise Refused(f"{name} must be an object, not {_short_text(value)}")
        return check_fields(name, kinds, value)

    return check


def nullable(kind: FieldKind) -> FieldKind:
    """A value of that kind, or null."""
    return lambda name, value: None if value is None else kind(name, value)


@dataclass(frozen=True)
class optional:
    """A field that may be left out."""

    kind: FieldKind
    default: Any = None


def check_fields(name: str, kinds: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """The fields of an object that must have exactly these; Refused names the first that does not fit."""
    for field in given:
        if field not in kinds:
            raise Refused(f"{name} has no field {_short_text(field)}; it takes {', '.join(kinds) or 'none'}")
    result = {}
    for field, kind in kinds.items():
        if field in given:
            check = kind.kind if isinstance(kind, optional) else kind
            result[field] = check(f"{name}.{field}", given[field])
        elif isinstance(kind, optional):
            result[field] = kind.default
        else:
            raise Refused(f"{name} wants the field '{field}'")
    return result


def _short_text(value: Any) -> str:
    """A value from outside, short enough to be quoted."""
    words = (
        json.dumps(value, ensure_ascii=True) if not isinstance(value, list | dict) else type(value).__name__
    )
    return words if len(words) <= 60 else words[:57] + "..."


# --- the registry ---------------------------------------------------------------------------------
@dataclass(frozen=True)
class Request:
    """One kind of request: its name, its fields and its handler."""

    name: str
    handler: Handler
    fields: dict[str, Any]
    limit: int = MAX_CHARACTERS
    late: bool = False
    slow: bool = False

    def __call__(self, connection: Any, given: dict[str, Any]) -> "Answer | LateAnswer":
        """Check the fields and call the handler."""
        return self.handler(connection, **check_fields(self.name, self.fields, given))


REQUESTS: dict[str, Request] = {}


def request(
    name: str, *, limit: int = MAX_CHARACTERS, late: bool = False, slow: bool = False, **fields: Any
) -> Callable[[Handler], Handler]:
    """Add a request; the handler is called with the connection and the checked fields in a worker thread.

    It answers with an object. One that searches is `late` and answers with `LateAnswer`: then other requests
    of the same page do not wait for it, and their number is limited. One that reads or writes whole games is
    `slow`: a few threads answer these, one at a time for each visitor, and nothing else waits for them.
    """

    def add(handler: Handler) -> Handler:
        REQUESTS[name] = Request(name, handler, fields, limit, late, slow)
        return handler

    return add


@dataclass(frozen=True)
class Message:
    """A message of a page, read as far as it could be."""

    id: int | None
    request: Request | None
    fields: dict[str, Any]
    error: str | None = None


def parse_message(words: str) -> Message:
    """The request that a message makes; if it makes none, `error` says why."""
    most = max(one.limit for one in REQUESTS.values())
    if len(words) > most:
        return Message(None, None, {}, f"a message may have {most} characters, not {len(words)}")
    try:
        body = read_json(words)
    except ValueError as error:
        return Message(None, None, {}, f"a message must be one JSON object: {error}")
    if not isinstance(body, dict):
        return Message(None, None, {}, f"a message must be one JSON object, not {_short_text(body)}")
    id = body.pop("id", None)
    if isinstance(id, bool) or not isinstance(id, int) or not 0 <= id < 1 << 53:
        return Message(None, None, {}, "a message wants an 'id', a whole number from 0 up")
    name = body.pop("do", None)
    if not isinstance(name, str):
        return Message(id, None, {}, "a message wants 'do', the name of a request")
    if name not in REQUESTS:
        return Message(id, None, {}, str(UnknownName("request", name[:60], REQUESTS)))
    found = REQUESTS[name]
    if len(words) > found.limit:
        return Message(id, None, {}, f"{name} may have {found.limit} characters, not {len(words)}")
    return Message(id, found, body)


@dataclass(frozen=True)
class LateAnswer:
    """An answer that takes thinking: the connection does the work in a search thread."""

    work: Callable[[], Answer]
