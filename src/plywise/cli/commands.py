"""What can be typed at a table beside moves: each command by its name."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from plywise.cli import screen
from plywise.cli.reading import BadOption, whole
from plywise.cli.screen import say
from plywise.cli.thinking import explained, said
from plywise.core.errors import PlywiseError
from plywise.core.outcome import Outcome
from plywise.play import records
from plywise.play.levels import STRONGEST, WEAKEST, level
from plywise.play.player import Player
from plywise.play.stage import begin
from plywise.search.limits import Limits

if TYPE_CHECKING:
    from plywise.cli.table import Table

LOOK = Limits(time=1.0)  # how long `analyse` and `hint` look
LOOK_LINES = 3


def level_of(text: str) -> int:
    """A level that was typed; the complaint says what there is."""
    number = whole("--level", text)
    if number is None or not WEAKEST <= number <= STRONGEST:
        raise BadOption(f"--level goes from {WEAKEST} to {STRONGEST}, not {text}")
    return number


class Commands:
    """The commands of a table."""

    def __init__(self, table: "Table") -> None:
        self.table = table
        self.known: dict[str, tuple[Callable[[str], None], str]] = {
            "?": (self.help, "this list"),
            "hint": (self.hint, "what Plywise would play"),
            "undo": (self.undo, "take back, to your turn before"),
            "redo": (self.redo, "play again what was taken back"),
            "moves": (self.moves, "the legal moves"),
            "history": (self.history, "what has been played"),
            "analyse": (self.analyse, f"the {LOOK_LINES} best moves; on or off: a line before each move"),
            "flip": (self.turn_round, "see the board from the other side"),
            "board": (self.board, "show the board again"),
            "level": (self.set_level, f"N: how strong Plywise plays, {WEAKEST} to {STRONGEST}"),
            "save": (self.save, f"FILE: write the game down ({', '.join(records.formats(table.game))})"),
            "load": (self.load, "FILE: go on with a game; without a file, with the one left last"),
            "resign": (self.resign, "give the game up"),
            "draw": (self.offer, "offer a draw"),
            "new": (self.new, "a new game; `new second` takes the other side"),
            "rules": (self.rules, "the rules of the game"),
            "position": (self.say_position, "the position as text"),
            "quit": (self.quit, "leave; the game can go on later"),
        }

    def __contains__(self, word: str) -> bool:
        return word in self.known

    def obey(self, word: str, rest: str) -> None:
        self.known[word][0](rest)

    def names(self) -> str:
        return ", ".join(self.known)

    def board(self, rest: str) -> None:
        self.table.show_board()

    def help(self, rest: str) -> None:
        some = "  ".join(self.table.view(self.table.asked).moves[:4]) if self.table.outcome is None else ""
        say(f"A move as the game writes it ({some} ...), or one of:" if some else "One of:")
        wide = max(map(len, self.known))
        for name, (_, words) in self.known.items():
            print(screen.paragraph(words, f"  {name:{wide}}  ", " " * (wide + 4)))

    def hint(self, rest: str) -> None:
        view = self.table.view(self.table.asked)
        result = self.table.look(view, LOOK)
        if result.move is None:
            return
        move = self.table.game.said(view.position, result.number)
        score = said(self.table.game, view.turn, result.score, result.kind, result.unit)
        say(f"Plywise would play {move}: {score}")

    def undo(self, rest: str) -> None:
        if self.table.chosen:  # in a world: the orders that were given last
            side = max(self.table.chosen)
            before = self.table.chosen[side].before
            if before is not None and before.before is not None:
                self.table.chosen[side] = before
            else:
                del self.table.chosen[side]
            return
        self.table.ended = None
        stage, taken = self.table.stage.before, [self.table.stage]
        while stage is not None and not any(side in self.table.people for side in stage.choosing):
            taken.append(stage)
            stage = stage.before
        if stage is None:
            say("There is nothing to take back.")
            return
        self.table.stage = stage
        self.table.undone += taken
        self.table.keep()
        self.table.show_board()

    def redo(self, rest: str) -> None:
        if not self.table.undone:
            say("Nothing was taken back.")
            return
        self.table.chosen = {}
        self.table.stage = self.table.undone.pop()
        while self.table.undone and not any(side in self.table.people for side in self.table.stage.choosing):
            self.table.stage = self.table.undone.pop()
        self.table.keep()
        self.table.show_board()

    def moves(self, rest: str) -> None:
        view = self.table.view(self.table.asked)
        numbers = self.table.game.moves(view.position)
        say("  ".join(self.table.game.said(view.position, move) for move in numbers))

    def history(self, rest: str) -> None:
        played = self.table.stage.path[1:]
        if not played:
            say("Nothing has been played yet.")
        elif self.table.game.world is not None:
            for stage in played:
                say(f"{stage.number}. {stage.said}", "   ")
        else:
            words, number = [], 0
            for stage in played:
                if 0 in stage.moves or not number:
                    number += 1
                    words.append(f"{number}." if 0 in stage.moves else f"{number}...")
                words.append(stage.said)
            say(" ".join(words))

    def analyse(self, rest: str) -> None:
        if rest in ("on", "off"):
            self.table.follows = rest == "on"
            shown = "shown before each move" if self.table.follows else "no longer shown"
            say(f"A line of analysis is {shown}.")
            return
        view = (
            self.table.view(self.table.asked)
            if self.table.outcome is None
            else self.table.stage.view(self.table.stage.turn)
        )
        for text in explained(view, self.table.look(view, LOOK, LOOK_LINES), True):
            say(text, "   ")

    def turn_round(self, rest: str) -> None:
        self.table.flip = not self.table.flip
        self.table.show_board()

    def set_level(self, rest: str) -> None:
        try:
            number = level_of(rest)
        except BadOption:
            say(f"level goes from {WEAKEST} to {STRONGEST}")
            return
        self.table.levels = (number, number)
        for side in self.table.players:
            self.table.players[side] = Player(self.table.game, number, evaluator=self.table.evaluator)
        say(f"Plywise plays on level {number} ({level(self.table.game, number).name}).")

    def save(self, rest: str) -> None:
        if not rest:
            say("save wants the name of a file")
            return
        path, known = Path(rest).expanduser(), records.formats(self.table.game)
        ending = path.suffix.removeprefix(".").lower()
        format = ending if ending in known else "text" if ending == "txt" and "text" in known else known[0]
        try:
            path.write_text(records.write(self.table.stage, format, self.tags()), encoding="utf-8")
        except OSError as error:
            say(f"{path}: {error.strerror}")
        else:
            say(f"Saved as {format} in {path}.")

    def tags(self) -> dict[str, str]:
        """What a file says about the game beside its moves."""
        names = [
            "Person" if side in self.table.people else f"Plywise, level {self.table.levels[side]}"
            for side in (0, 1)
        ]
        tags = {
            "Date": time.strftime("%Y.%m.%d"),
            self.table.game.sides[0]: names[0],
            self.table.game.sides[1]: names[1],
        }
        if self.table.ended is not None:
            tags["Result"] = (
                "1/2-1/2" if self.table.ended.winner is None else ("1-0", "0-1")[self.table.ended.winner]
            )
        return tags

    def load(self, rest: str) -> None:
        try:
            if not rest:
                self.table.resume()
            else:
                text = Path(rest).expanduser().read_text(encoding="utf-8")
                self.table.stage = records.read(self.table.game, text)[0]
                self.table.keeper.path, self.table.begun = None, 0
                self.table.undone, self.table.chosen, self.table.ended = [], {}, None
        except OSError as error:
            say(f"{rest}: {error.strerror}")
        except UnicodeDecodeError:
            say(f"{rest}: the file is not text (UTF-8)")
        except PlywiseError as error:
            say(str(error))
        else:
            self.table.keep()
            self.table.show_board()

    def resign(self, rest: str) -> None:
        if self.table.outcome is None:
            side = self.table.asked
            self.table.ended = Outcome(1 - side, f"{self.table.game.sides[side]} resigned")

    def offer(self, rest: str) -> None:
        if self.table.outcome is not None:
            return
        if not self.table.players:
            self.table.ended = Outcome(None, "agreed")
            return
        with screen.working("thinking it over"):
            self.table.engines.ready.wait()
            willing = all(
                player.accepts_draw(self.table.stage, side) for side, player in self.table.players.items()
            )
        if willing:
            self.table.ended = Outcome(None, "agreed")
        else:
            say("Plywise plays on.")

    def new(self, rest: str) -> None:
        sides = {"first": (0,), "second": (1,), "both": (0, 1)}
        if rest and rest not in sides:
            say(f"new, or new with one of: {', '.join(sides)}")
            return
        self.table.people = sides.get(rest, self.table.people)
        self.table.stage, self.table.undone, self.table.chosen, self.table.ended = (
            begin(self.table.game, self.table.start),
            [],
            {},
            None,
        )
        self.table.begun, self.table.keeper.path = self.table.stage.number, None
        self.table.seat()
        self.table.greet()
        self.table.show_board()

    def rules(self, rest: str) -> None:
        print(self.table.game.rules().rstrip())

    def say_position(self, rest: str) -> None:
        say(self.table.stage.text)

    def quit(self, rest: str) -> None:
        self.table.left = True
