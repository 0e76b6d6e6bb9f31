"""A game: its positions, how they are written and drawn, and what players call things."""

import inspect
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from plywise.core.board import Board, Detail, Mark, MoveEntry, Phase
from plywise.core.contract import verify_start, written_moves
from plywise.core.effects import compare_boards, move_entry, phases_by_cell
from plywise.core.errors import BadMove, BadPosition, PlywiseError, UnknownName
from plywise.core.evaluation import WHOLE, Evaluation, WeightTerms, call_evaluation
from plywise.core.formats import Format, text_format
from plywise.core.mobility import generic_evaluation, generic_evaluators
from plywise.core.outcome import LOST, OPEN, WON, Outcome
from plywise.core.plain import Plain
from plywise.core.presentation import find_hook
from plywise.core.preset import Preset
from plywise.core.repr_text import read_repr, write_repr
from plywise.core.resources import BadWeights, Resource
from plywise.core.rules import Rules
from plywise.core.scores import MAX_EVALUATION
from plywise.core.untrusted import check_size
from plywise.core.world import World

if TYPE_CHECKING:
    from plywise.core.history import History

# Chess players' curve: a pawn ahead is 59 % of the points. Other games fit their own from results.
SLOPE = 0.368
LEARNED = "learned"  # the evaluation that `plywise learn` makes
PERSPECTIVES = ("same", "flipped", "rotated")
BENCH_NODES = {True: 500_000, False: 5_000}  # where a game names no positions: a second or so, in either form


@dataclass(frozen=True)
class Draws:
    """Draws by the history: the n-th repetition, and this number of plies without a reset (0: none).

    Where a `last_` number is given, the other one is a draw only if a player claims it. Plywise claims at
    once in its own games; another program may go on until the `last_` number ends the game by itself.
    """

    repetition: int = 0
    plies: int = 0
    last_repetition: int = 0
    last_plies: int = 0


@dataclass(eq=False)
class Game:
    """What a game is called, how it is written, and the class of its positions."""

    name: str
    title: str
    position: type
    compiled: bool
    source: Path
    sides: tuple[str, str] = ("first", "second")
    draws: Draws = Draws()
    most_moves: int = 512
    symmetries: int = 1  # images of a position that are alike, itself included
    unit: int = 100
    slope: float = SLOPE
    bench: tuple[tuple[str, int], ...] = ()
    lends: tuple[Resource, ...] = ()
    probcut: tuple[tuple[int, ...], ...] = ()  # rows of (depth, shallow, slope, offset, spread) for ProbCut
    margins: Path | None = None  # a file of numbers for the search (search/margins.py)
    author: type = object  # the class as its author wrote it
    world: type[World] | None = None  # what is really played, where that is not the moves themselves
    perspective: str = "same"  # how the boards of a learned evaluation look to side 1
    evaluations: dict[str, Evaluation] = field(default_factory=dict)
    generic: str | None = None  # the default of a game without an evaluation, once it is known
    _verified: bool = field(default=False, repr=False)

    def __repr__(self) -> str:
        return f"<Game {self.name}>"

    @property
    def bench_searches(self) -> list[tuple[str, dict[str, Any]]]:
        """The searches by which the game is measured: positions, each with its depth or its nodes."""
        if self.bench:
            return [(text, {"depth": depth}) for text, depth in self.bench]
        return [("start", {"nodes": BENCH_NODES[self.compiled]})]

    # --- positions --------------------------------------------------------------------------
    def start(self) -> Any:
        """The position in which the game begins."""
        start = find_hook(self.author, "start")
        return self.wrap(self.author() if start is None else start())

    def wrap(self, value: Any) -> Any:
        """The author's value as a position of the search."""
        return value if self.compiled else self.position(value)

    def unwrap(self, position: Any) -> Any:
        """The position as the game's author wrote it."""
        return position.object if isinstance(position, Plain) else position

    def parse(self, text: str) -> Any:
        """The position that the text means; `start` is the beginning."""
        text = text.strip()
        if text in ("", "start"):
            return self.start()
        parse = find_hook(self.author, "parse")
        try:
            check_size(text, "a position")
            return self.wrap(read_repr(self, text) if parse is None else parse(text))
        except BadPosition:
            raise
        except (ValueError, LookupError, TypeError) as error:
            raise BadPosition(text, str(error) or type(error).__name__) from None

    def text(self, position: Any) -> str:
        """The position in the game's text form."""
        own = self.unwrap(position)
        text = find_hook(own, "text")
        return write_repr(own) if text is None else str(text())

    def board(self, position: Any) -> Board | str:
        """The position as a board to draw; its text if the game draws none."""
        draw = find_hook(self.unwrap(position), "board")
        drawn = None if draw is None else draw()
        if drawn is None:  # none is drawn, or its author forgot to return it, as `plywise check` says
            drawn = self.text(position)
        return drawn if isinstance(drawn, Board) else str(drawn)

    def move_number(self, position: Any) -> int:
        """The number of the next move, as a list of moves counts from there."""
        number = find_hook(self.unwrap(position), "move_number")
        return 1 if number is None else int(number())

    def details(self, position: Any) -> tuple[Detail, ...]:
        """What the position has beside its pieces and its turn."""
        details = find_hook(self.unwrap(position), "details")
        return () if details is None else tuple(details())

    def text_with(self, position: Any, details: Mapping[str, bool | int | str]) -> str:
        """The text of the position with other values of some details."""
        write = find_hook(self.unwrap(position), "text_with")
        return self.text(position) if write is None else str(write(details))

    # --- moves ------------------------------------------------------------------------------
    def moves(self, position: Any) -> list[int]:
        """The legal moves in the game's order; none where it is won or lost."""
        if position.outcome() in (WON, LOST):
            return []
        return written_moves(position)

    def move_text(self, position: Any, move: int) -> str:
        """The move as the game writes it."""
        return self._move_texts(position, (move,))[0]

    def move_texts(self, position: Any) -> list[str]:
        """All legal moves as the game writes them, in its order."""
        return self._move_texts(position, self.moves(position))

    def _move_texts(self, position: Any, moves: Iterable[int]) -> list[str]:
        write = find_hook(self.unwrap(position), "move_text") or str
        return [str(write(self._author_move(position, move))) for move in moves]

    def label(self, position: Any, move: int) -> str:
        """The move as a list of moves shows it."""
        label = find_hook(self.unwrap(position), "label")
        if label is None:
            return self.move_text(position, move)
        return str(label(self._author_move(position, move)))

    def move_text_in_style(self, position: Any, move: int, style: str) -> str:
        """The move in one of the game's `styles`; as always if there is no style."""
        write = find_hook(self.unwrap(position), "move_text_in_style")
        if not style or write is None:
            return self.move_text(position, move)
        return str(write(self._author_move(position, move), style))

    def read_move(self, position: Any, text: str) -> int:
        """The legal move that the text means."""
        text = text.strip()
        legal = self.moves(position)
        texts = self._move_texts(position, legal)
        if text in texts:
            return legal[texts.index(text)]
        read = find_hook(self.unwrap(position), "read_move")
        if read is not None:
            try:
                value = read(text)
            except BadMove:
                raise
            except (ValueError, LookupError) as error:
                raise BadMove(text, str(error), self.text(position)) from None
            move = position.names[value] if isinstance(position, Plain) else value
            if move in legal:
                return int(move)
        known = ", ".join(texts[:12]) + (", ..." if len(texts) > 12 else "")
        if self.verdict(position) != OPEN and not legal:
            reason = "the game is over"
        else:
            reason = f"{self.sides[position.turn]} can play {known}"
        raise BadMove(text, reason, self.text(position))

    # --- moves on a board -------------------------------------------------------------------
    def move_entry(self, position: Any, move: int) -> MoveEntry:
        """How the move is made by hand; no steps if the board has no names for it."""
        steps = find_hook(self.unwrap(position), "steps")
        if steps is not None:
            return MoveEntry(tuple(steps(self._author_move(position, move))))
        board = self.board(position)
        if not isinstance(board, Board):
            return MoveEntry(())
        return move_entry(board, self.move_text(position, move))

    def effects(self, position: Any, move: int) -> tuple[Phase, ...]:
        """What the move does on the board, phase by phase, with cells counted row by row."""
        board, effects = self.board(position), find_hook(self.unwrap(position), "effects")
        after = self.board(position.play(move))
        if not isinstance(board, Board) or not isinstance(after, Board):
            return ()
        if effects is None:
            return compare_boards(board, after, self.move_entry(position, move).steps)
        return phases_by_cell(board, effects(self._author_move(position, move)))

    def marks(self, position: Any) -> tuple[Mark, ...]:
        """The cells that want attention, counted row by row."""
        board, marks = self.board(position), find_hook(self.unwrap(position), "marks")
        if not isinstance(board, Board) or marks is None:
            return ()
        return tuple(Mark(board.cell(mark.cell), mark.kind, mark.reason) for mark in marks())

    def _author_move(self, position: Any, move: int) -> Any:
        """The move as the game's author made it."""
        return position.move(move) if isinstance(position, Plain) else move

    # --- the end ----------------------------------------------------------------------------
    def verdict(self, position: Any) -> int:
        """LOST, DRAWN, WON or OPEN for the side to move, with its moves looked at."""
        verdict = int(position.outcome())
        if verdict == OPEN and position.moves({}, 0) == 0:
            return int(position.stuck())
        return verdict

    def outcome(self, position: Any) -> Outcome | None:
        """How the game ended, if the position alone says so."""
        own, verdict = self.unwrap(position), self.verdict(position)
        why, short = find_hook(own, "reason"), find_hook(own, "short_reason")
        if verdict == OPEN:
            return None
        if why is not None:
            reason = str(why())
        elif position.outcome() == OPEN:
            reason = f"{self.sides[position.turn]} has no move"
        else:
            reason = {WON: "won", LOST: "lost"}.get(verdict, "drawn") + " by the rules"
        return Outcome.of(verdict, position.turn, reason, "" if short is None else str(short()))

    @property
    def has_candidates(self) -> bool:
        """Whether the game says which moves are worth a look at low depth."""
        return self.has_rule("candidates")

    def has_rule(self, name: str) -> bool:
        """Whether the game has an optional rule of its own, in place of the default."""
        default = getattr(Rules, name)
        return getattr(self.author, name, default) is not default

    # --- what players and programs call things ----------------------------------------------
    @property
    def side_names(self) -> tuple[str, str]:
        """What the sides are called where their pieces are drawn."""
        names = find_hook(self.author, "side_names")
        if names is None:
            return self.sides
        first, second = names()
        return str(first), str(second)

    def as_drawn(self) -> "Game":
        """The same game, whose sides are called as they are drawn: all words about it follow."""
        return self if self.side_names == self.sides else replace(self, sides=self.side_names)

    @property
    def starts(self) -> dict[str, str]:
        """Named positions to begin a game with, as text; `start` is always there."""
        named = find_hook(self.author, "starts")
        return {"start": "start", **({} if named is None else named())}

    @property
    def variants(self) -> tuple[str, ...]:
        """What chess programs call the ways to play the game."""
        names = find_hook(self.author, "variants")
        return ("normal", self.name) if names is None else tuple(names())

    @property
    def styles(self) -> dict[str, str]:
        """The style of moves that a variant, or a protocol's option of that name, asks for."""
        styles = find_hook(self.author, "styles")
        return {} if styles is None else dict(styles())

    @property
    def has_books(self) -> bool:
        """Whether the game can be played from Polyglot books."""
        return find_hook(self.author, "polyglot") is not None

    def polyglot(self, position: Any) -> tuple[int, dict[int, int]]:
        """The position's key in Polyglot books, and its legal moves by the numbers that they have there."""
        entry = find_hook(self.unwrap(position), "polyglot")
        if entry is None:
            raise PlywiseError(f"there are no opening books for {self.name}")
        key, number = entry()
        return key, {number(move): move for move in self.moves(position)}

    @property
    def formats(self) -> dict[str, Format]:
        """The formats of whole games: the author's, then plain text."""
        own = find_hook(self.author, "formats")
        return {each.name: each for each in (*(() if own is None else own()), text_format(self))}

    @property
    def level_names(self) -> tuple[str, ...]:
        """What the game calls the levels of its players, from the weakest up; none: the usual names."""
        names = find_hook(self.author, "level_names")
        return () if names is None else tuple(names())

    @property
    def level_heat(self) -> float:
        """How large the errors of the levels are here, against other games; 1 if the game says nothing."""
        heat = find_hook(self.author, "level_heat")
        return 1.0 if heat is None else float(heat())

    @property
    def presets(self) -> dict[str, Preset]:
        """The game's own players by name, in its order."""
        declared = find_hook(self.author, "presets")
        return {preset.name: preset for preset in (() if declared is None else declared())}

    def history(self, text: str = "start") -> "History":
        """The game from a position on: `POSITION`, or `POSITION moves M M ...`."""
        from plywise.core.history import History

        self.verify()
        return History.parse(self, text)

    def verify(self) -> None:
        """Refuse a game whose rules break the contract at its start; each game is looked at once."""
        if not self._verified and not self.author.__module__.startswith("plywise.games."):
            verify_start(self)
        self._verified = True

    # --- opinions ---------------------------------------------------------------------------
    @property
    def evaluators(self) -> list[str]:
        """The names of the evaluations there are, `learned` among them if there is a net."""
        from plywise.core.net_file import net_path

        generic = (name for name in generic_evaluators(self) if name not in self.evaluations)
        learned = [LEARNED] if self.compiled and net_path(self) is not None else []
        return [*self.evaluations, *generic, *learned]

    @property
    def has_evaluation(self) -> bool:
        """Whether the author has said what positions are worth: by `evaluate`, or by a `default`."""
        chosen = self.evaluations.get("default")
        own = getattr(self.author, "evaluate", None)
        return own not in (None, Rules.evaluate) or (chosen is not None and chosen.function is not None)

    @property
    def usual_evaluator(self) -> str:
        """The evaluation for a person who names none: `learned` where he has installed a net."""
        from plywise.core.net_file import installed_path

        return LEARNED if self.compiled and installed_path(self).is_file() else "default"

    def evaluation(self, name: str = "default", weights: str | Path | None = None) -> Evaluation:
        """The evaluation of that name; `learned` has the shape of the net that is asked for, or installed."""
        if name == LEARNED and name not in self.evaluations:
            from plywise.core.net_file import learned_evaluation

            return learned_evaluation(self, weights)
        if name in self.evaluations and (name != "default" or self.has_evaluation):
            return self.evaluations[name]
        if name != "default" and name not in generic_evaluators(self):
            raise UnknownName(f"evaluator of {self.name}", name, self.evaluators)
        return generic_evaluation(self, name)

    def weights(self, evaluator: str = "default", path: str | Path | None = None) -> dict[str, Any]:
        """The weights of an evaluation, from its own file or from another; none if it has none.

        Another file for an evaluation that has no weights is refused.
        """
        chosen = self.evaluation(evaluator, path)
        if chosen.weights is not None:
            return chosen.weights.values(path)
        if path is not None:
            raise BadWeights(f"evaluator {evaluator!r} of {self.name} has no weights")
        return {}

    def evaluate(self, position: Any, evaluator: str = "default", weights: str | None = None) -> int:
        """What an evaluation says of a position, for the side to move, before any search."""
        chosen, values = self.evaluation(evaluator, weights), self.weights(evaluator, weights)
        if chosen.function is None:
            score = int(position.evaluate())
        else:
            score = int(
                call_evaluation(
                    chosen.function, position, SimpleNamespace(**values), chosen.memory, chosen.begin
                )
            )
        return max(-MAX_EVALUATION, min(MAX_EVALUATION, score))

    def terms(
        self, position: Any, evaluator: str = "default", weights: str | None = None
    ) -> dict[str, float]:
        """The evaluation of a position term by term, for the side to move; the terms add up to it.

        An evaluation whose author gave no terms is one term called `evaluation`.
        """
        chosen, own = self.evaluation(evaluator, weights), self.unwrap(position)
        own_terms = find_hook(own, "terms")
        if weights is not None:
            self.weights(evaluator, weights)
        if evaluator == LEARNED and chosen.terms is None:
            from plywise.core.net_terms import piece_terms

            parts = piece_terms(self, position, weights)
        elif isinstance(chosen.terms, WeightTerms):
            parts = dict(chosen.terms(position, weights))
        elif chosen.terms is not None:
            parts = {name: float(value) for name, value in chosen.terms(own).items()}
        elif chosen.function is None and own_terms is not None:
            parts = {name: float(value) for name, value in own_terms().items()}
        else:
            return {WHOLE: float(self.evaluate(position, evaluator, weights))}
        total = sum(parts.values())
        if abs(total) > MAX_EVALUATION:  # the search cuts evaluations to their band
            parts["beyond the scale"] = math.copysign(MAX_EVALUATION, total) - total
        return parts

    def rules(self) -> str:
        """The rules in words: RULES.md beside the game, else the class's own description."""
        page = self.source.with_name("RULES.md")
        if page.is_file() and self.source.name in ("__init__.py", "rules.py"):
            return page.read_text(encoding="utf-8")
        return self.description or f"{self.title}: no rules written."

    @property
    def description(self) -> str:
        """What the author wrote below the class's name; Python writes the fields there if nobody wrote."""
        words = inspect.cleandoc(self.author.__doc__ or "")
        return "" if words.startswith(f"{self.author.__name__}(") else words
