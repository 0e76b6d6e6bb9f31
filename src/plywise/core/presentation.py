"""How a game presents itself to people and to other programs: text, boards, lists, formats, levels.

`core/rules.py` is what the search asks of a position; this is what everybody else asks. Each method is
optional: a game writes those that it wants, in the class of its positions, and none is ever compiled.
`core/game.py` asks them through `find_hook` and has the defaults.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Any, Protocol

from plywise.core.board import Board, Detail, Mark, Phase

if TYPE_CHECKING:
    from plywise.core.formats import Format
    from plywise.core.opening import Opening
    from plywise.core.preset import Preset

# A move as the author made it: a whole number in the compiled form, any hashable value in the plain form.
Move = Any


class Presentation(Protocol):
    """The hooks of a game: methods by which its author may say more than the rules do.

    Hooks marked as class methods are asked of the class, the others of a position. Cells are named as moves
    name them, or counted row by row from the top left. The class's docstring, or RULES.md beside it, is the
    rules in words.
    """

    # --- positions ------------------------------------------------------------------------------
    @classmethod
    def start(cls) -> Any:
        """The position in which the game begins.

        Default: the class called without arguments.
        """
        ...

    @classmethod
    def starts(cls) -> Mapping[str, str]:
        """Named positions to begin a game with, as text, for lists to choose from.

        Default: `start` alone.
        """
        ...

    @classmethod
    def parse(cls, text: str) -> Any:
        """The position that a text means; ValueError says why it means none.

        Default: what `repr` writes, if `text` is left out too; else only `start`.
        """
        ...

    def text(self) -> str:
        """The position as text that `parse` reads.

        Default: its `repr`.
        """
        ...

    @classmethod
    def extend(cls, text: str, move: str) -> str:
        """The text after a move, where texts are the moves played: asked in place of `text` along a game.

        Default: the text of each position by itself.
        """
        ...

    def board(self) -> Board | str:
        """The position as a board to draw, wherever one is shown.

        Default: the text.
        """
        ...

    def move_number(self) -> int:
        """The number of the next move in a list of moves, where the text of a position counts them.

        Default: 1, so that moves are counted from where a game began.
        """
        ...

    def opening(self) -> "Opening | str | None":
        """The name of the opening that leads to this position, or None; lists of moves and tags show it.

        A game goes by the last name that it came through. Default: openings have no names.
        """
        ...

    def details(self) -> Iterable[Detail]:
        """What the position has beside its pieces and its turn: rights, counters; for the position editor.

        Default: none.
        """
        ...

    def text_with(self, details: Mapping[str, bool | int | str]) -> str:
        """The text of the position with other values of some `details`, by name; `parse` may refuse it.

        Default: the text, so that no detail can be changed.
        """
        ...

    def marks(self) -> Iterable[Mark]:
        """The cells that want attention, such as a king in check; asked when a board is shown.

        Default: none.
        """
        ...

    def reason(self) -> str:
        """Why the game is over, in words; asked only then.

        Default: a sentence from the verdict.
        """
        ...

    def short_reason(self) -> str:
        """The reason in a few words, for where the winner is named beside it: `checkmate`.

        Default: `reason`.
        """
        ...

    def terms(self) -> Mapping[str, float]:
        """What `evaluate` is the sum of, by name; asked to explain it.

        Default: one term.
        """
        ...

    # --- moves ----------------------------------------------------------------------------------
    def move_text(self, move: Move) -> str:
        """The move as the game writes it, unique among the legal moves.

        Default: its `str`.
        """
        ...

    def read_move(self, text: str) -> Move:
        """The move that another spelling means, asked if `move_text` writes no legal move so.

        ValueError says why it means none. Default: no other spelling is read.
        """
        ...

    def label(self, move: Move) -> str:
        """The move as a list of moves shows it (SAN in chess).

        Default: `move_text`.
        """
        ...

    def move_text_in_style(self, move: Move, style: str) -> str:
        """The move as one of `styles` writes it; asked by protocols that chose the style.

        Default: `move_text`.
        """
        ...

    def steps(self, move: Move) -> Iterable[str]:
        """The cells that a hand touches to make the move, in order.

        Default: the cells that its text names.
        """
        ...

    def effects(self, move: Move) -> Iterable[Phase]:
        """What the move does on the board, phase by phase, for animation.

        Default: the boards are compared.
        """
        ...

    # --- sides ----------------------------------------------------------------------------------
    @classmethod
    def side_names(cls) -> Sequence[str]:
        """What the sides are called where their pieces are drawn: on the page and in pictures.

        A colour (white, black, blue, red, yellow) is the colour of the pieces. Default: `sides` of the game.
        """
        ...

    # --- other programs -------------------------------------------------------------------------
    @classmethod
    def variants(cls) -> Sequence[str]:
        """The names of the game in the protocols of chess programs.

        Default: `normal` and the game's name.
        """
        ...

    @classmethod
    def styles(cls) -> Mapping[str, str]:
        """The style of moves that a variant, or a protocol's option of that name, wants.

        Default: none.
        """
        ...

    def polyglot(self) -> tuple[int, Callable[[int], int]]:
        """The position's key in Polyglot books, and the function from a move to its number there.

        Default: the game has no books.
        """
        ...

    @classmethod
    def formats(cls) -> Iterable["Format"]:
        """Formats of whole games, the usual one first (PGN).

        Default: plain text alone, which all games have.
        """
        ...

    # --- players --------------------------------------------------------------------------------
    @classmethod
    def level_names(cls) -> Sequence[str]:
        """What the levels are called, from the weakest up.

        Default: the usual names.
        """
        ...

    @classmethod
    def level_heat(cls) -> float:
        """How large the errors of the levels are, against other games.

        Default: 1.
        """
        ...

    @classmethod
    def presets(cls) -> Iterable["Preset"]:
        """Players by name, each with a sentence: for lists to choose from, and wherever a seat is named.

        Default: none.
        """
        ...


HOOKS = tuple(
    name
    for name, member in vars(Presentation).items()
    if isinstance(member, FunctionType | classmethod) and not name.startswith("_")
)
_HOOKS = frozenset(HOOKS)  # find_hook is called for every move that is read
OLD_NAMES = {"label": "said", "move_text_in_style": "styled"}  # as 0.1.0 called them


def find_hook(author: Any, name: str) -> Callable[..., Any] | None:
    """The author's method for a hook, of a class or of a position; None if the default holds.

    A field that happens to have the name of a hook is not one.
    """
    if name not in _HOOKS:
        raise LookupError(f"{name!r} is no hook of core/presentation.py")
    for known in (name, OLD_NAMES.get(name, name)):
        method = getattr(author, known, None)
        if callable(method):
            return method
    return None
