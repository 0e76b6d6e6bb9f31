"""A game being played, state by state: the same interface for games with and without a world.

A GameState is one moment; it never changes, and `play` gives the next one. In a game without a world one
side chooses one move. In a world both sides choose at the same moment, unit by unit, and then the turn is
carried out with the dice of the state. Front ends need not know which it is.

>>> from plywise import load
>>> state = start_game(load("chess")).play({0: ("e4",)})
>>> state.label, state.moves, state.sides_to_move
('e4', {0: ('e2e4',)}, (1,))
>>> state = start_game(load("skirmish"), "2fv2a")
>>> state.sides_to_move, state.view(1).moves
((0, 1), ['A1xF1', 'A1-N', 'A1-E', 'A1-S', 'A1-W'])
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from plywise.core.board import Board, Mark, Phase, Piece
from plywise.core.effects import phases_by_cell, touched_cells
from plywise.core.errors import BadMove, BadPosition, PlywiseError
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.outcome import Outcome
from plywise.core.untrusted import check_plies
from plywise.core.world import TurnResult, World

SEED = 6  # of the dice, if none is said
Choices = Mapping[int, Sequence[str]]  # what each side does: moves as text
_Choice = tuple[list[int], tuple[str, ...]]  # what one side does: numbers of moves, and moves as text


class BadSavedGame(PlywiseError):
    """A record that does not lead to a state; the message names the entry."""


class GameState:
    """One moment of a game. Make the first one by `start_game`, the next ones by `play`."""

    game: Game
    before: "GameState | None"  # the moment before; None where the game began
    number: int  # how many times `play` led here from there

    def __init__(self, game: Game, before: "GameState | None", choices: dict[int, tuple[str, ...]]) -> None:
        self.game, self.before = game, before
        self.number = 0 if before is None else before.number + 1
        self._choices = choices
        self._captured: tuple[Counter[Piece], Counter[Piece]] | None = None

    def __repr__(self) -> str:
        return f"<GameState {self.number} of {self.game.name}: {self.text!r}>"

    # --- choosing -------------------------------------------------------------------------------
    @property
    def sides_to_move(self) -> tuple[int, ...]:
        """The sides that choose now; none when the game is over."""
        raise NotImplementedError

    @property
    def led_sides(self) -> tuple[int, ...]:
        """The sides that a world leads itself; nobody chooses for them."""
        return ()

    @property
    def turn(self) -> int:
        """The side to move; in a world, where both do, the first."""
        raise NotImplementedError

    def view(self, side: int) -> History:
        """The history from which a side chooses; play its moves there until `is_complete`."""
        raise NotImplementedError

    def is_complete(self, side: int, view: History) -> bool:
        """Whether the moves played from `view(side)` are a whole choice."""
        raise NotImplementedError

    def play(self, choices: Choices, dice: int | None = None) -> "GameState":
        """The next state, by the choice of each side that chooses; BadMove changes nothing.

        `dice` sets the state of a world's dice for this turn; by default they roll on.
        """
        self._require_open(choices)
        return self._play(choices, dice)

    def _play(self, choices: Choices, dice: int | None) -> "GameState":
        return self.follow(choices, dice)

    def follow(self, choices: Choices, dice: int | None = None) -> "GameState":
        """The next state of a game that was played already.

        It may go on after a draw that nobody claimed, and by choices of agents that a world does not offer.
        """
        raise NotImplementedError

    def _require_open(self, choices: Choices) -> None:
        if self.outcome is not None:
            raise BadMove(_choices_text(choices), f"the game is over: {self.outcome.reason}", self.text)

    # --- the turn that led here ----------------------------------------------------------------------------
    @property
    def moves(self) -> dict[int, tuple[str, ...]]:
        """The choices that led here, by side, as the game writes them."""
        return dict(self._choices)

    @property
    def label(self) -> str:
        """The choices that led here, as a list of moves shows them."""
        raise NotImplementedError

    @property
    def phases(self) -> tuple[Phase, ...]:
        """What the board showed on the way here, cells counted row by row."""
        raise NotImplementedError

    @property
    def touched(self) -> list[int]:
        """The cells that the last move touched."""
        return touched_cells(self.phases)

    @property
    def events(self) -> list[str]:
        """Events in words that the board does not show: hits, refusals, deaths."""
        raise NotImplementedError

    @property
    def captured(self) -> tuple[Counter[Piece], Counter[Piece]]:
        """The pieces that each side has lost since the beginning, with their numbers."""
        unknown, state = [self], self
        while state._captured is None and state.before is not None:
            state = state.before
            unknown.append(state)
        for one in reversed(unknown):
            if one._captured is None:
                one._captured = one._count_captured()
        assert self._captured is not None
        return self._captured

    def _count_captured(self) -> tuple[Counter[Piece], Counter[Piece]]:
        lost: tuple[Counter[Piece], Counter[Piece]] = (Counter(), Counter())
        if self.before is None or self.before._captured is None:
            return lost
        lost[0].update(self.before._captured[0])
        lost[1].update(self.before._captured[1])
        board = self.before.board
        if isinstance(board, Board):
            pieces = dict(enumerate(board.pieces))
            for phase in self.phases:
                for piece in _apply_phase(pieces, phase):
                    if piece.side is not None:
                        lost[piece.side][Piece(piece.letter, piece.name, piece.side, piece.symbol)] += 1
        return lost

    # --- how it stands ----------------------------------------------------------------------------
    @property
    def board(self) -> Board | str:
        """The board to draw; text where the game draws none."""
        raise NotImplementedError

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The cells to highlight, counted row by row."""
        raise NotImplementedError

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, if it has."""
        raise NotImplementedError

    @property
    def text(self) -> str:
        """The position as text; a game can begin with it."""
        raise NotImplementedError

    # --- keeping ------------------------------------------------------------------------------------
    @property
    def path(self) -> list["GameState"]:
        """All states from the beginning to this one."""
        found, state = [self], self
        while state.before is not None:
            state = state.before
            found.append(state)
        return found[::-1]

    def serialise(self) -> list[dict[str, Any]]:
        """All it takes to `restore_game` this state and those before it, as JSON can hold it.

        The start comes first, `{"start": TEXT}` with the `"dice"` of a world, then what each turn's
        sides chose: `{"0": ["e2e4"]}`.
        """
        entries = []
        for state in self.path:
            entry = state._entry()
            entry.update({str(side): list(moves) for side, moves in state._choices.items()})
            entries.append(entry)
        return entries

    def _entry(self) -> dict[str, Any]:
        raise NotImplementedError


def start_game(game: Game, text: str = "start", seed: int = SEED) -> GameState:
    """The first state of a game, or the one after `POSITION moves M M ...`; `seed` is the dice's."""
    words = text.split()
    at = words.index("moves") if "moves" in words else len(words)
    if game.world is not None:
        world = game.world.begin(game.history(text).position)
        return _SimultaneousState(game, None, {}, world, game.world.dice(seed).state, text or "start")
    try:
        check_plies(len(words) - at - 1)
    except ValueError as error:
        raise BadPosition(text, str(error)) from None
    start = " ".join(words[:at]) or "start"
    state: GameState = _SequentialState(game, None, {}, game.history(start), start)
    for word in words[at + 1 :]:
        state = state.follow({state.turn: (word,)})
    return state


def restore_game(game: Game, record: Any) -> GameState:
    """The state that a `record` was made of, exactly, its dice included."""
    if not isinstance(record, list) or not record or not all(isinstance(entry, dict) for entry in record):
        raise BadSavedGame(f"the record of a game of {game.name} is a list of objects, the start first")
    first = record[0]
    start, dice = first.get("start"), first.get("dice")
    if not isinstance(start, str) or not isinstance(dice, int | None) or set(first) - {"start", "dice"}:
        raise BadSavedGame(
            f'the record of a game of {game.name} begins with {{"start": TEXT}}, not {first!r}'
        )
    state = start_game(game, start)
    if isinstance(state, _SimultaneousState) and dice is not None:
        state._dice = dice
    for number, entry in enumerate(record[1:], 1):
        dice = entry.get("dice")
        choices = {name: moves for name, moves in entry.items() if name != "dice"}
        if (
            not set(choices) <= {"0", "1"}
            or not all(_is_list_of_text(moves) for moves in choices.values())
            or not isinstance(dice, int | None)
        ):
            raise BadSavedGame(f"entry {number} of the record is no choice of moves: {entry!r}")
        try:
            state = state.follow({int(name): moves for name, moves in choices.items()}, dice)
        except BadMove as error:
            raise BadSavedGame(f"entry {number} of the record: {error}") from None
    return state


def _is_list_of_text(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _apply_phase(pieces: dict[int, Piece | None], phase: Phase) -> list[Piece]:
    """The pieces that a phase takes from the board, which is changed as the phase says."""
    taken: list[Piece] = []
    lifted = {}
    for effect in phase.effects:
        if effect.at not in lifted and isinstance(effect.at, int):
            lifted[effect.at] = pieces.get(effect.at)
            pieces[effect.at] = None
    for effect in phase.effects:
        piece = lifted.get(effect.at) if isinstance(effect.at, int) else None
        if effect.kind == "capture":
            if piece is not None:
                taken.append(piece)
            continue
        to = effect.at if effect.to is None else effect.to
        if isinstance(to, int):
            pieces[to] = effect.piece or piece
    return taken


class _SequentialState(GameState):
    """Played by moves, one side at a time."""

    def __init__(
        self,
        game: Game,
        before: GameState | None,
        choices: dict[int, tuple[str, ...]],
        history: History,
        start: str = "",
    ) -> None:
        super().__init__(game, before, choices)
        self._history, self._start = history, start
        self._outcome: Outcome | None = None
        self._has_outcome = False  # it looks at all moves, and of most states nobody asks for it
        self._phases: tuple[Phase, ...] | None = None

    @property
    def sides_to_move(self) -> tuple[int, ...]:
        return (self._history.turn,) if self.outcome is None else ()

    @property
    def turn(self) -> int:
        return self._history.turn

    def view(self, side: int) -> History:
        return self._history

    def is_complete(self, side: int, view: History) -> bool:
        return view.length > self._history.length

    def follow(self, choices: Choices, dice: int | None = None) -> GameState:
        turn, sides = self.turn, self.game.sides
        if set(choices) != {turn} or len(choices[turn]) != 1:
            raise BadMove(_choices_text(choices), f"{sides[turn]} is to play one move", self.text)
        after = self._history.play(choices[turn][0])
        assert after.move is not None
        move = self.game.move_text(self._history.position, after.move)
        return _SequentialState(self.game, self, {turn: (move,)}, after)

    @property
    def label(self) -> str:
        past, move = self._history.before, self._history.move
        if self.before is None or past is None or move is None:
            return ""
        return self.game.label(past.position, move)

    @property
    def phases(self) -> tuple[Phase, ...]:
        past, move = self._history.before, self._history.move
        if self.before is None or past is None or move is None:
            return ()
        if self._phases is None:
            self._phases = self.game.effects(past.position, move)
        return self._phases

    @property
    def events(self) -> list[str]:
        return []

    @property
    def board(self) -> Board | str:
        return self.game.board(self._history.position)

    @property
    def marks(self) -> tuple[Mark, ...]:
        return self.game.marks(self._history.position)

    @property
    def outcome(self) -> Outcome | None:
        if not self._has_outcome:
            self._outcome = self._history.outcome
            self._has_outcome = True
        return self._outcome

    @property
    def text(self) -> str:
        return self._history.text

    def _entry(self) -> dict[str, Any]:
        return {"start": self._start} if self.before is None else {}


class _SimultaneousState(GameState):
    """Played in a world, both sides at once."""

    def __init__(
        self,
        game: Game,
        before: GameState | None,
        choices: dict[int, tuple[str, ...]],
        world: World,
        dice: int,
        start: str = "",
        happened: TurnResult | None = None,
        set_dice: int | None = None,
    ) -> None:
        super().__init__(game, before, choices)
        self._world, self._dice, self._start, self._set_dice = world, dice, start, set_dice
        self._happened = happened

    @property
    def sides_to_move(self) -> tuple[int, ...]:
        return tuple(side for side in (0, 1) if side not in self.led_sides) if self.outcome is None else ()

    @property
    def led_sides(self) -> tuple[int, ...]:
        return tuple(getattr(self._world, "leads", ()))

    @property
    def turn(self) -> int:
        return 0

    def view(self, side: int) -> History:
        return History(self.game, self._world.view(side))

    def is_complete(self, side: int, view: History) -> bool:
        return view.turn != side or view.outcome is not None

    def follow(self, choices: Choices, dice: int | None = None) -> GameState:
        self._require_open(choices)  # no world ends by a draw that somebody must claim
        return self._carry_out(choices, dice, self._read_played)

    def _play(self, choices: Choices, dice: int | None) -> GameState:
        return self._carry_out(choices, dice, self._read_choice)

    def _carry_out(
        self, choices: Choices, dice: int | None, read: Callable[[int, Sequence[str]], _Choice]
    ) -> GameState:
        # Who plays again what was played may also choose for a side that the world leads.
        if not set(self.sides_to_move) <= set(choices) <= {0, 1}:
            who = " and ".join(self.game.sides[side] for side in self.sides_to_move)
            raise BadMove(_choices_text(choices), f"{who} choose at the same time", self.text)
        chosen = {side: read(side, choices[side]) for side in sorted(choices)}
        rolled = self._world.dice(0)
        rolled.state = self._dice if dice is None else dice
        happened = self._world.play({side: numbers for side, (numbers, _) in chosen.items()}, rolled)
        written = {side: words for side, (_, words) in chosen.items()}
        return _SimultaneousState(
            self.game, self, written, happened.after, rolled.state, happened=happened, set_dice=dice
        )

    def _read_played(self, side: int, moves: Sequence[str]) -> _Choice:
        """A choice that was made; agents may have tried what a player is not offered."""
        try:
            return self._read_choice(side, moves)
        except BadMove:
            read = getattr(self._world, "read_choice", None)
            if read is None:
                raise
            try:
                return read(side, moves), tuple(moves)
            except ValueError:
                pass
            raise

    def _read_choice(self, side: int, moves: Sequence[str]) -> _Choice:
        view = self.view(side)
        for move in moves:
            if self.is_complete(side, view):
                raise BadMove(move, f"{self.game.sides[side]} have chosen already", self.text)
            view = view.play(move)
        if not self.is_complete(side, view):
            reason = f"{self.game.sides[side]} have not chosen for all; {view.moves[0]} would be next"
            raise BadMove(" ".join(moves), reason, self.text)
        return _move_numbers(view), tuple(view.played)

    @property
    def label(self) -> str:
        return " | ".join(" ".join(self._choices[side]) for side in sorted(self._choices))

    @property
    def phases(self) -> tuple[Phase, ...]:
        if self._happened is None or self.before is None:
            return ()
        board = self.before.board
        if not isinstance(board, Board):
            return ()
        return phases_by_cell(board, self._happened.phases)

    @property
    def events(self) -> list[str]:
        return [] if self._happened is None else list(self._happened.events)

    @property
    def board(self) -> Board | str:
        return self.game.board(self._world.view(0))

    @property
    def marks(self) -> tuple[Mark, ...]:
        return self.game.marks(self._world.view(0))

    @property
    def outcome(self) -> Outcome | None:
        return self._world.outcome()

    @property
    def text(self) -> str:
        return self.game.text(self._world.view(0))

    def _entry(self) -> dict[str, Any]:
        if self.before is None:
            return {"start": self._start, "dice": self._dice}
        return {} if self._set_dice is None else {"dice": self._set_dice}


def _move_numbers(view: History) -> list[int]:
    numbers: list[int] = []
    while view.before is not None and view.move is not None:
        numbers.append(view.move)
        view = view.before
    return numbers[::-1]


def _choices_text(choices: Choices) -> str:
    return " | ".join(" ".join(choices[side]) for side in sorted(choices))
