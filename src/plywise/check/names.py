"""Methods whose names are nearly those of a rule or a hook: nothing ever calls them."""

import difflib
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from plywise.check.finding import Finding
from plywise.core.contract import source_place
from plywise.core.game import Game
from plywise.core.presentation import HOOKS, OLD_NAMES
from plywise.core.rules import RULES

KNOWN = {*RULES, *HOOKS, *OLD_NAMES.values(), "boards", "candidates", "symmetry"}
NEAR = 0.8  # of difflib: `evalute`, `outcomes`, `legal_move`
# What other libraries call the rules.
ELSEWHERE = {
    "apply": "play",
    "apply_move": "play",
    "do_move": "play",
    "draw": "board",
    "eval": "evaluate",
    "from_string": "parse",
    "game_over": "outcome",
    "get_moves": "moves",
    "heuristic": "evaluate",
    "is_over": "outcome",
    "is_terminal": "outcome",
    "legal_moves": "moves",
    "make_move": "play",
    "possible_moves": "moves",
    "render": "board",
    "result": "outcome",
    "score": "evaluate",
    "scoring": "evaluate",
    "show": "board",
    "terminal": "outcome",
    "to_string": "text",
    "winner": "outcome",
}


def check_names(cls: type) -> Iterator[Finding]:
    """Advice for each method of the author's that no other calls, and that is spelt almost like a rule."""
    own = {name: _function(value) for name, value in vars(cls).items() if _function(value) is not None}
    for name in own:
        if name in KNOWN or name.startswith("_"):
            continue
        if any(name in _names(other.__code__) for label, other in own.items() if label != name):
            continue  # it helps another method
        free = [
            known for known in KNOWN if known not in own or (known in RULES and own[known] is RULES[known])
        ]
        near = difflib.get_close_matches(name, free, 1, NEAR)
        meant = near[0] if near else ELSEWHERE.get(name, "")
        if meant in free:
            words = f"{name}() is no rule, and no method calls it; did you mean {meant}()?"
            yield Finding("names", f"{source_place(cls, name)}: {words}", advice=True)


def check_form(game: Game) -> Iterator[Finding]:
    """Advice if positions look like the compiled form and are played in the plain one."""
    fields = getattr(game.author, "_fields", ())
    if game.compiled or not fields or any(type(value) is not int for value in game.unwrap(game.start())):
        return
    words = "moves(self) makes this the plain form; the compiled one has moves(self, buffer, n), which writes"
    place = source_place(game.author, "moves")
    yield Finding("form", f"{place}: {words} moves into a buffer", advice=True)


def _function(value: Any) -> Any:
    function = getattr(value, "__func__", value)
    return function if isinstance(function, FunctionType) else None


def _names(code: CodeType) -> set[str]:
    """All names that a function uses, those of the functions inside it too."""
    inner = (_names(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return set(code.co_names).union(*inner)
