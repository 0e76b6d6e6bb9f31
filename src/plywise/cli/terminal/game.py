"""A game in the terminal: ask people and players in turn, and show the board."""

import sys
import time
from collections.abc import Callable
from typing import Any

from plywise.cli import console
from plywise.cli.console import say
from plywise.cli.searching import let_player_choose, search, wait_until_ready
from plywise.cli.terminal.autosave import Autosave
from plywise.cli.terminal.board import print_board
from plywise.cli.terminal.commands import Commands
from plywise.core.board import Board
from plywise.core.endgame_index import find_database
from plywise.core.errors import BadMove, PlywiseError
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.outcome import Outcome
from plywise.core.registry import load
from plywise.core.wording import count_text, line_labels, side_first, side_score_text, wins_text
from plywise.play import game_text
from plywise.play.engine_pool import shared_pool
from plywise.play.player import Decision, player_of_seat
from plywise.play.seat import PERSON, Seat, position_with_switches, read_seat, seats_in
from plywise.play.state import GameState, start_game
from plywise.play.win_chance import first_side_chance
from plywise.search.limits import Limits
from plywise.search.result import Result

BACKGROUND_PIECES = 4  # endings of up to this many pieces are solved during the first game
GLANCE_LIMITS = Limits(time=0.3)  # for the line of analysis before each move
BAR_CELLS = 20  # cells of the bar that shows who is ahead

Ask = Callable[[str], str | None]


def solve_missing_endings(game: Game) -> None:
    """Start to solve the smallest endings in the background, if they are not solved yet."""
    database = find_database(game)
    if database is not None and database.pieces < BACKGROUND_PIECES:
        from plywise.endgames import build_in_background

        build_in_background(game, BACKGROUND_PIECES)


class TerminalGame:
    """One game in the terminal. `ask` reads a line, None at the end of the input."""

    def __init__(
        self,
        name: str,
        seats: tuple[Seat, Seat],
        position: str,
        evaluator: str,
        ask: Ask,
    ) -> None:
        self.name, self.evaluator, self.ask = name, evaluator, ask
        self.game: Game = load(name)
        self.start = position_with_switches(self.game, position, seats)
        self.state: GameState = start_game(self.game, self.start)
        self.seats = seats_in(self.game, seats, self.state.led_sides)
        self.start_number = self.state.number
        self.autosave = Autosave(name, self.game)
        self.is_saved = True
        self.engines = shared_pool(self.game, evaluator)  # for hints and analysis
        self.redo_states: list[GameState] = []
        self.chosen: dict[int, History] = {}  # in a world: the orders so far, by side
        self.ended: Outcome | None = None  # resigned, or a draw by agreement
        self.glanced_key = 0  # of the position that was analysed last
        self.shows_analysis = False  # whether a line of analysis is shown before each move
        self.on_terminal = console.is_terminal(sys.stdout)
        self.has_quit = False
        self.flip = False
        self.make_players()
        self.commands = Commands(self)

    def make_players(self) -> None:
        """Make the players for the seats without a person, and turn the board to the person."""
        self.players = {
            side: player_of_seat(self.game, self.seats[side])
            for side in (0, 1)
            if side not in self.people and side not in self.state.led_sides
        }
        # One compilation at a time: what moves comes first, and what hints need when they are asked for.
        for pool in [player.pool for player in self.players.values()] or [self.engines]:
            pool.prepare()
        board = self.state.board
        # Only a checkered board is turned: a connect four grid has no other side.
        self.flip = self.people == (1,) and isinstance(board, Board) and board.checkered

    @property
    def people(self) -> tuple[int, ...]:
        """The sides of people."""
        return tuple(side for side in (0, 1) if self.seats[side].is_person)

    @property
    def outcome(self) -> Outcome | None:
        return self.ended or self.state.outcome

    @property
    def side_to_ask(self) -> int:
        """The side that must choose next; people are asked before players."""
        waiting = [
            side for side in self.state.sides_to_move if side not in self.chosen or not self.has_chosen(side)
        ]
        return min(waiting, key=lambda side: (side not in self.people, side))

    def view(self, side: int) -> History:
        return self.chosen.get(side) or self.state.view(side)

    def has_chosen(self, side: int) -> bool:
        return self.state.is_complete(side, self.view(side))

    # --- the game -----------------------------------------------------------------------------
    def run(self) -> None:
        self.print_greeting()
        if self.people:
            solve_missing_endings(self.game)
        self.show_board()
        while True:
            while self.outcome is None and not self.has_quit:
                side = self.side_to_ask
                if side in self.people:
                    self.ask_person(side)
                else:
                    self.ask_player(side)
            if self.has_quit or not self.finish():
                break
        if self.outcome is None:
            self.print_how_to_resume()

    def print_greeting(self) -> None:
        sides = self.game.sides
        if len(self.people) == 2:
            who = f"{sides[0]} begins, both sides are yours"
            if self.game.world is not None:
                who = "both sides are yours, and choose at the same time"
        elif not self.people:
            who = f"Plywise plays itself {self.players_text()}"
        else:
            you = self.people[0]
            who = f"you are {sides[you]}, Plywise is {sides[1 - you]} {self.players_text()}"
        say(f"{self.game.title}: {who}." + (" Type a move, or ? for help." if self.people else ""))
        saved = (
            self.autosave.latest()
            if self.people and self.on_terminal and self.autosave.path is None
            else None
        )
        if saved is not None:
            when = time.strftime("%d %B, %H:%M", time.localtime(saved[1].changed)).lstrip("0")
            turns = count_text(saved[1].state.number, "turn")
            say(f"A game of {when} with {turns} is not over; `load` goes on with it.")

    def players_text(self) -> str:
        """How Plywise plays: `on level 5 (Keen)`, or `as MinmaxAB`."""
        words = list(dict.fromkeys(seat.describe(self.game) for seat in self.seats if not seat.is_person))
        if all(one.startswith("level ") for one in words):
            return "on level " + " against ".join(one.removeprefix("level ") for one in words)
        return "as " + " against ".join(words)

    def ask_person(self, side: int) -> None:
        """Read and do what a person types: a move, several in a world, or a command."""
        view = self.view(side)
        if self.shows_analysis and view.key != self.glanced_key:
            self.glanced_key = view.key
            self.show_glance(view)
        name = self.game.sides[side]
        if self.game.world is not None:
            name += f" {self.acting_unit(view)}"
        text = self.ask(f"{name}> ")
        if text is None:
            self.has_quit = True
            return
        if not text:
            return
        word, _, rest = text.partition(" ")
        if word in self.commands and text not in view.moves:
            self.commands.run(word, rest.strip())
            return
        try:
            self.choose(side, text)
        except BadMove as error:
            near = self.commands.similar(word)
            say(f"{word!r} is neither a move nor a command; did you mean {near}?" if near else f"{error}")
            if self.game.world is not None and not near:
                moves = view.moves
                more = f" and {len(moves) - 12} more (`moves` shows all)" if len(moves) > 12 else ""
                say(f"You can type: {'  '.join(moves[:12])}{more}", "   ")

    def acting_unit(self, view: History) -> str:
        """The unit that must act: its name, which all legal moves begin with."""
        moves = view.moves
        prefix = moves[0]
        for move in moves:
            while not move.startswith(prefix):
                prefix = prefix[:-1]
        return prefix.rstrip("-x") if len(moves) > 1 else prefix.partition("-")[0].partition("x")[0]

    def choose(self, side: int, text: str) -> None:
        """Take the choice of a side; if all sides have chosen, play the turn."""
        if self.game.world is None:
            self.play({side: (text,)})
            return
        view = self.view(side)
        try:
            view = view.play(text)
        except BadMove:
            if len(text.split()) == 1:
                raise
            for word in text.split():
                if self.state.is_complete(side, view):
                    raise BadMove(word, "every unit has its order", self.state.text) from None
                view = view.play(word)
        self.chosen[side] = view
        self.play_if_all_chose()

    def play_if_all_chose(self) -> None:
        """In a world: play the turn if all sides have chosen."""
        if all(side in self.chosen and self.has_chosen(side) for side in self.state.sides_to_move):
            choices = {side: tuple(self.chosen[side].played) for side in self.state.sides_to_move}
            self.chosen = {}
            self.play(choices)

    def play(self, choices: dict[int, tuple[str, ...]]) -> None:
        state = self.state.play(choices)
        self.state, self.redo_states = state, []
        if self.game.world is not None:
            say(f"Turn {state.number}: {state.label}", "   ")
            for event in state.events:
                say(event, "   ", "   ")
        self.save()
        over = self.outcome is not None
        if (
            over
            or (not self.people and self.on_terminal)
            or any(side in self.people for side in state.sides_to_move)
        ):
            self.show_board()

    def ask_player(self, side: int) -> None:
        """Let a player choose; print its move, its score and the line it expects."""
        chosen = self.wait_for_player(side)
        if self.game.world is not None:
            view = self.state.view(side)
            for move in chosen.moves:
                view = view.play(move)
            self.chosen[side] = view
            self.play_if_all_chose()
            return
        view = self.state.view(side)
        move = self.game.label(view.position, self.game.read_move(view.position, chosen.moves[0]))
        words = [f"{'Plywise' if self.people else side_first(self.game.sides[side])} plays {move}"]
        if chosen.result is not None and chosen.line is not None:
            words[0] = self.chance_bar(side, chosen.line.score, chosen.result.unit) + words[0]
            words.append(
                side_score_text(self.game, side, chosen.line.score, chosen.line.kind, chosen.result.unit)
            )
            words += [" ".join(line_labels(view, chosen.line.numbers)[1:])][: len(chosen.line.numbers) - 1]
        say("   ".join(words), "   ")
        self.play({side: chosen.moves})

    def wait_for_player(self, side: int) -> Decision:
        chosen, stopped = let_player_choose(self.players[side], self.state, side)
        if stopped:
            raise KeyboardInterrupt
        return chosen

    def search(self, view: History, limits: Limits, lines: int = 1) -> Result:
        wait_until_ready(self.engines)
        with self.engines.borrow(large=True) as engine:
            assert engine is not None
            result, stopped = search(engine, view, limits, lines)
        if stopped:
            raise KeyboardInterrupt
        return result

    def show_glance(self, view: History) -> None:
        """Print a line of analysis before a move."""
        result = self.search(view, GLANCE_LIMITS)
        if result.lines:
            bar = self.chance_bar(view.turn, result.score, result.unit)
            score = side_score_text(self.game, view.turn, result.score, result.kind, result.unit)
            say(f"{bar}{score}   {' '.join(line_labels(view, result.lines[0].numbers))}", "   ")

    def chance_bar(self, turn: int, score: int, unit: int) -> str:
        """The winning chance of the first side as a bar; empty if the terminal cannot show it well."""
        if (
            not console.has_colours(sys.stdout)
            or console.width() < 60
            or not console.can_encode("█░", sys.stdout)
        ):
            return ""
        full = round(BAR_CELLS * first_side_chance(score, turn, self.game, unit))
        return "█" * full + "░" * (BAR_CELLS - full) + " "

    def show_board(self) -> None:
        before = self.state.before
        print_board(self.state.board, None if before is None else before.board, self.flip)

    # --- the end --------------------------------------------------------------------------------
    def finish(self) -> bool:
        """Print how the game ended; on a terminal, ask what to do. Return whether play continues."""
        outcome = self.outcome
        assert outcome is not None
        if outcome.winner is None:
            verdict = "A draw"
        elif len(self.people) == 1:
            verdict = "You win" if outcome.winner in self.people else "Plywise wins"
        else:
            verdict = wins_text(self.game, outcome.winner, first=True)
        say(f"{verdict}: {outcome.reason}.")
        self.autosave.discard()
        if not (self.people and self.on_terminal and sys.stdin.isatty()):
            return False
        while self.outcome is not None and not self.has_quit:
            text = self.ask("new, undo, save FILE or quit> ")
            word, _, rest = (text or "quit").partition(" ")
            if word in self.commands:
                self.commands.run(word, rest.strip())
            else:
                say(f"The game is over; {word!r} is none of: {self.commands.names()}")
        return not self.has_quit

    def settings(self) -> dict[str, object]:
        return {"seats": [seat.text for seat in self.seats], "evaluator": self.evaluator}

    def save(self) -> None:
        """Save the game."""
        if self.people and self.state.number > self.start_number:
            self.is_saved = self.autosave.save(self.state, self.settings())
        else:
            self.autosave.discard()

    def print_how_to_resume(self) -> None:
        if self.people and self.state.number > self.start_number:
            # On one line, so that it can be copied.
            from shlex import quote

            if self.is_saved:
                print(f"To continue: plywise play {quote(self.name)} --resume")
            else:
                text = game_text.write(self.state, game_text.formats(self.game)[-2:][0]).strip()
                print(f"To continue: plywise play {quote(self.name)} --position {quote(text)}")

    def resume(self) -> None:
        """Continue the game that was saved last."""
        found = self.autosave.latest()
        if found is None:
            raise PlywiseError(f"there is no game of {self.game.name} to continue; `plywise play` begins one")
        path, saved = found
        self.state, self.redo_states, self.chosen, self.ended = saved.state, [], {}, None
        self.autosave.path, self.start_number = path, 0
        self.seats = saved_seats(self.game, saved.settings) or self.seats
        self.make_players()


def saved_seats(game: Game, settings: dict[str, Any]) -> tuple[Seat, Seat] | None:
    """The seats of a saved game; None if its settings name none that can be taken.

    Version 0.1 has kept `people` and `levels` instead.
    """
    texts = settings.get("seats")
    people, levels = settings.get("people"), settings.get("levels")
    if texts is None and isinstance(people, list) and isinstance(levels, list) and len(levels) == 2:
        evaluator = settings.get("evaluator", "default")
        more = "" if evaluator == "default" else f",evaluator={evaluator}"
        texts = [PERSON if side in people else f"level={levels[side]}{more}" for side in (0, 1)]
    if not isinstance(texts, list) or len(texts) != 2:
        return None
    try:
        return read_seat(game, str(texts[0]), 0), read_seat(game, str(texts[1]), 1)
    except PlywiseError:
        return None
