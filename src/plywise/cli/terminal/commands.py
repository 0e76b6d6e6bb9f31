"""The commands that can be typed instead of a move."""

import difflib
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from plywise.cli import console
from plywise.cli.arguments import BadOption, whole_option
from plywise.cli.console import say
from plywise.cli.searching import result_lines, wait_until_ready
from plywise.core.errors import PlywiseError
from plywise.core.opening import opening_tags
from plywise.core.outcome import Outcome
from plywise.core.wording import result_text, side_score_text
from plywise.play import game_text
from plywise.play.levels import DEFAULT_LEVEL, STRONGEST, WEAKEST, level
from plywise.play.seat import PERSON, Seat, read_seat
from plywise.play.state import start_game
from plywise.search.limits import Limits

if TYPE_CHECKING:
    from plywise.cli.terminal.game import TerminalGame

SEARCH_LIMITS = Limits(time=1.0)  # of `analyse` and `hint`
SEARCH_LINES = 3


def parse_level(text: str) -> int:
    """A typed level as a number."""
    number = whole_option("--level", text)
    if number is None or not WEAKEST <= number <= STRONGEST:
        raise BadOption(f"--level goes from {WEAKEST} to {STRONGEST}, not {text}")
    return number


def seats_with_people(terminal: "TerminalGame", people: tuple[int, ...]) -> tuple[Seat, Seat]:
    """The seats for a new game with people at these sides; the engine keeps its own seat."""
    person = read_seat(terminal.game, PERSON)
    engines = [seat for seat in terminal.seats if not seat.is_person]
    usual = engines[0] if engines else read_seat(terminal.game, f"level={DEFAULT_LEVEL}")

    def seat(side: int) -> Seat:
        if side in people:
            return person
        return usual if terminal.seats[side].is_person else terminal.seats[side]

    return seat(0), seat(1)


class Commands:
    """The commands of a terminal game; each method takes the rest of the typed line."""

    def __init__(self, terminal: "TerminalGame") -> None:
        self.terminal = terminal
        self.by_name: dict[str, tuple[Callable[[str], None], str]] = {
            "?": (self.help, "this list"),
            "hint": (self.hint, "what Plywise would play"),
            "undo": (self.undo, "take back your last move"),
            "redo": (self.redo, "redo what was taken back"),
            "moves": (self.moves, "the legal moves"),
            "history": (self.history, "what has been played"),
            "analyse": (self.analyse, f"the {SEARCH_LINES} best moves; on or off: a line before each move"),
            "flip": (self.flip, "see the board from the other side"),
            "board": (self.show_board, "show the board again"),
            "level": (self.set_level, f"N: the level of Plywise, {WEAKEST} to {STRONGEST}"),
            "save": (
                self.save,
                f"FILE: save the game ({', '.join(game_text.formats(terminal.game))})",
            ),
            "load": (self.load, "FILE: continue a saved game; without FILE, your last one"),
            "resign": (self.resign, "resign the game"),
            "draw": (self.offer_draw, "offer a draw"),
            "new": (self.new, "a new game; `new second` takes the other side"),
            "rules": (self.rules, "the rules of the game"),
            "position": (self.print_position, "the position as text"),
            "quit": (self.quit, "leave; you can continue later"),
        }

    def __contains__(self, word: str) -> bool:
        return word in self.by_name

    def run(self, word: str, argument: str) -> None:
        self.by_name[word][0](argument)

    def similar(self, word: str) -> str | None:
        """The command that somebody who typed this may have meant; moves are shorter than most commands."""
        return next(iter(difflib.get_close_matches(word, self.by_name, 1, 0.75)), None)

    def names(self) -> str:
        return ", ".join(self.by_name)

    def show_board(self, argument: str) -> None:
        self.terminal.show_board()

    def help(self, argument: str) -> None:
        examples = ""
        if self.terminal.outcome is None:
            examples = "  ".join(self.terminal.view(self.terminal.side_to_ask).moves[:4])
        say(f"A move as the game writes it ({examples} ...), or one of:" if examples else "One of:")
        width = max(map(len, self.by_name))
        for name, (_, description) in self.by_name.items():
            print(console.paragraph(description, f"  {name:{width}}  ", " " * (width + 4)))

    def hint(self, argument: str) -> None:
        view = self.terminal.view(self.terminal.side_to_ask)
        result = self.terminal.search(view, SEARCH_LIMITS)
        if result.move is None:
            return
        move = self.terminal.game.label(view.position, result.number)
        score = side_score_text(self.terminal.game, view.turn, result.score, result.kind, result.unit)
        say(f"Plywise would play {move}: {score}")

    def undo(self, argument: str) -> None:
        if self.terminal.chosen:  # in a world: take back the last order
            side = max(self.terminal.chosen)
            before = self.terminal.chosen[side].before
            if before is not None and before.before is not None:
                self.terminal.chosen[side] = before
            else:
                del self.terminal.chosen[side]
            return
        self.terminal.ended = None
        state, taken = self.terminal.state.before, [self.terminal.state]
        while state is not None and not any(side in self.terminal.people for side in state.sides_to_move):
            taken.append(state)
            state = state.before
        if state is None:
            say("There is nothing to take back.")
            return
        self.terminal.state = state
        self.terminal.redo_states += taken
        self.terminal.save()
        self.terminal.show_board()

    def redo(self, argument: str) -> None:
        if not self.terminal.redo_states:
            say("There is nothing to redo.")
            return
        self.terminal.chosen = {}
        self.terminal.state = self.terminal.redo_states.pop()
        while self.terminal.redo_states and not any(
            side in self.terminal.people for side in self.terminal.state.sides_to_move
        ):
            self.terminal.state = self.terminal.redo_states.pop()
        self.terminal.save()
        self.terminal.show_board()

    def moves(self, argument: str) -> None:
        view = self.terminal.view(self.terminal.side_to_ask)
        numbers = self.terminal.game.moves(view.position)
        say("  ".join(self.terminal.game.label(view.position, move) for move in numbers))

    def history(self, argument: str) -> None:
        played = self.terminal.state.path[1:]
        if not played:
            say("Nothing has been played yet.")
        elif self.terminal.game.world is not None:
            for state in played:
                say(f"{state.number}. {state.label}", "   ")
        else:
            words, number = [], 0
            for state in played:
                if 0 in state.moves or not number:
                    number += 1
                    words.append(f"{number}." if 0 in state.moves else f"{number}...")
                words.append(state.label)
            say(" ".join(words))

    def analyse(self, argument: str) -> None:
        if argument in ("on", "off"):
            self.terminal.shows_analysis = argument == "on"
            shown = "shown before each move" if self.terminal.shows_analysis else "no longer shown"
            say(f"A line of analysis is {shown}.")
            return
        view = (
            self.terminal.view(self.terminal.side_to_ask)
            if self.terminal.outcome is None
            else self.terminal.state.view(self.terminal.state.turn)
        )
        for text in result_lines(view, self.terminal.search(view, SEARCH_LIMITS, SEARCH_LINES), True):
            say(text, "   ")

    def flip(self, argument: str) -> None:
        self.terminal.flip = not self.terminal.flip
        self.terminal.show_board()

    def set_level(self, argument: str) -> None:
        try:
            number = parse_level(argument)
        except BadOption:
            say(f"level goes from {WEAKEST} to {STRONGEST}")
            return
        more = "" if self.terminal.evaluator == "default" else f",evaluator={self.terminal.evaluator}"
        seat = read_seat(self.terminal.game, f"level={number}{more}")
        first, second = self.terminal.seats
        self.terminal.seats = (
            first if first.is_person else seat,
            second if second.is_person else seat,
        )
        self.terminal.make_players()
        say(f"Plywise plays on level {number} ({level(self.terminal.game, number).name}).")

    def save(self, argument: str) -> None:
        if not argument:
            say("save wants the name of a file")
            return
        path, known = Path(argument).expanduser(), game_text.formats(self.terminal.game)
        ending = path.suffix.removeprefix(".").lower()
        format = ending if ending in known else "text" if ending == "txt" and "text" in known else known[0]
        try:
            path.write_text(game_text.write(self.terminal.state, format, self.tags()), encoding="utf-8")
        except OSError as error:
            say(f"{path}: {error.strerror}")
        else:
            say(f"Saved as {format} in {path}.")

    def tags(self) -> dict[str, str]:
        """The tags of a saved file: the date, the names, the result."""
        names = [
            "Person" if seat.is_person else f"Plywise, {seat.text.replace('level=', 'level ')}"
            for seat in self.terminal.seats
        ]
        tags = {
            "Date": time.strftime("%Y.%m.%d"),
            self.terminal.game.sides[0]: names[0],
            self.terminal.game.sides[1]: names[1],
            **opening_tags(self.terminal.state.view(self.terminal.state.turn)),
        }
        if self.terminal.ended is not None:
            tags["Result"] = result_text(self.terminal.ended)
        return tags

    def load(self, argument: str) -> None:
        try:
            if not argument:
                self.terminal.resume()
            else:
                text = Path(argument).expanduser().read_text(encoding="utf-8")
                self.terminal.state = game_text.read(self.terminal.game, text)[0]
                self.terminal.autosave.path, self.terminal.start_number = None, 0
                self.terminal.redo_states, self.terminal.chosen, self.terminal.ended = [], {}, None
        except OSError as error:
            say(f"{argument}: {error.strerror}")
        except UnicodeDecodeError:
            say(f"{argument}: the file is not text (UTF-8)")
        except PlywiseError as error:
            say(str(error))
        else:
            self.terminal.save()
            self.terminal.show_board()

    def resign(self, argument: str) -> None:
        if self.terminal.outcome is None:
            side = self.terminal.side_to_ask
            self.terminal.ended = Outcome(1 - side, f"{self.terminal.game.sides[side]} resigned")

    def offer_draw(self, argument: str) -> None:
        if self.terminal.outcome is not None:
            return
        if self.terminal.state.before is None:
            say("Nothing has been played yet: a draw can be offered after the first move.")
            return
        if not self.terminal.players:
            self.terminal.ended = Outcome(None, "agreed")
            return
        for player in self.terminal.players.values():
            wait_until_ready(player.pool)
        with console.progress_bar("thinking about the draw"):
            willing = all(
                player.accepts_draw(self.terminal.state, side)
                for side, player in self.terminal.players.items()
            )
        if willing:
            self.terminal.ended = Outcome(None, "agreed")
        else:
            say("Plywise declines the draw.")

    def new(self, argument: str) -> None:
        sides = {"first": (0,), "second": (1,), "both": (0, 1)}
        if argument and argument not in sides:
            say(f"new, or new with one of: {', '.join(sides)}")
            return
        self.terminal.seats = seats_with_people(self.terminal, sides.get(argument, self.terminal.people))
        self.terminal.state = start_game(self.terminal.game, self.terminal.start)
        self.terminal.redo_states, self.terminal.chosen, self.terminal.ended = [], {}, None
        self.terminal.start_number, self.terminal.autosave.path = self.terminal.state.number, None
        self.terminal.make_players()
        self.terminal.print_greeting()
        self.terminal.show_board()

    def rules(self, argument: str) -> None:
        text = self.terminal.game.rules().rstrip()
        console.print_markdown(text, text.replace("**", ""))

    def print_position(self, argument: str) -> None:
        say(self.terminal.state.text)

    def quit(self, argument: str) -> None:
        self.terminal.has_quit = True
