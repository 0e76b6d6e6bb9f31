"""Refusals as the page says them: short, one sentence, without the rule's number and the position's text."""

import re

from plywise.core.errors import BadMove, BadPosition, PlywiseError

_CLAUSE = re.compile(r" ?\(RULES [^()]*+\)")


def refusal_text(error: PlywiseError) -> str:
    """Why something is refused, for a person who has the board before his eyes."""
    if isinstance(error, BadMove):
        named = error.move in error.reason
        return _sentence(error.reason) if named else f"{error.move} is not possible: {_end(error.reason)}"
    if isinstance(error, BadPosition):
        return _sentence(f"this position cannot be set up: {error.reason}")
    return str(error)


def _sentence(words: str) -> str:
    return _end(words[:1].upper() + words[1:])


def without_clause(words: str) -> str:
    """The words without the number of the rule."""
    return _CLAUSE.sub("", words).strip()


def _end(words: str) -> str:
    words = without_clause(words)
    return words if words.endswith((".", "!", "?")) else f"{words}."
