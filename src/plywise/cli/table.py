"""A table in the terminal: who sits where, what is typed, and what is shown after each turn."""

import sys
import time
from collections.abc import Callable

from plywise.cli import screen
from plywise.cli.commands import Commands
from plywise.cli.kept import Keeper
from plywise.cli.scene import show
from plywise.cli.screen import say
from plywise.cli.thinking import ready, said, seated, think
from plywise.core.board import Board
from plywise.core.errors import BadMove, PlywiseError
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.outcome import Outcome
from plywise.core.registry import load
from plywise.core.solved import Solved
from plywise.play import records
from plywise.play.chances import first_side
from plywise.play.engines import shared
from plywise.play.levels import level
from plywise.play.player import Chosen, Player
from plywise.play.stage import Stage, begin, spoken
from plywise.search.limits import Limits
from plywise.search.result import Result

SOLVED_BEHIND = 4  # pieces of the endings that are solved while a first game is played
GLANCE = Limits(time=0.3)  # for the line that is shown before each move
BAR = 20  # cells of the bar that shows who is ahead

Ask = Callable[[str], str | None]


def build_missing(game: Game) -> None:
    """Solve the smallest endings behind the game, if it has any that are not solved yet."""
    for lent in game.lends:
        if isinstance(lent, Solved) and lent.pieces < SOLVED_BEHIND:
            from plywise.endgames import build_behind

            build_behind(game, SOLVED_BEHIND)


class Table:
    """Where the game is played. `ask` reads a line, None at the end of the input."""

    def __init__(
        self,
        name: str,
        levels: tuple[int, int],
        people: tuple[int, ...],
        position: str,
        evaluator: str,
        ask: Ask,
    ) -> None:
        self.name, self.levels, self.people, self.start = name, levels, people, position
        self.evaluator, self.ask = evaluator, ask
        self.game: Game = load(name)
        self.stage: Stage = begin(self.game, position)
        self.begun = self.stage.number
        self.keeper = Keeper(name, self.game)
        self.kept_well = True
        self.engines = shared(self.game, evaluator)
        self.engines.prepare()
        self.undone: list[Stage] = []
        self.chosen: dict[int, History] = {}  # in a world: what has been ordered so far, by side
        self.ended: Outcome | None = None  # given up or agreed
        self.glanced = 0  # the position for which that was done last
        self.follows = False  # whether a line of analysis is shown before each move
        self.watched = screen.is_terminal(sys.stdout)
        self.left = False
        self.flip = False
        self.seat()
        self.commands = Commands(self)

    def seat(self) -> None:
        """Take the seats: players for the sides that are no person's."""
        self.players = {
            side: Player(self.game, self.levels[side], evaluator=self.evaluator)
            for side in (0, 1)
            if side not in self.people
        }
        board = self.stage.board
        # A wall of discs has no other side; a checkered board is seen from one's own.
        self.flip = self.people == (1,) and isinstance(board, Board) and board.checkered

    @property
    def outcome(self) -> Outcome | None:
        return self.ended or self.stage.outcome

    @property
    def asked(self) -> int:
        """The side whose choice is wanted next; people are asked before players think."""
        waiting = [side for side in self.stage.choosing if side not in self.chosen or not self.done(side)]
        return min(waiting, key=lambda side: (side not in self.people, side))

    def view(self, side: int) -> History:
        return self.chosen.get(side) or self.stage.view(side)

    def done(self, side: int) -> bool:
        return self.stage.complete(side, self.view(side))

    # --- the game -----------------------------------------------------------------------------
    def run(self) -> None:
        self.greet()
        if self.people:
            build_missing(self.game)
        self.show_board()
        while True:
            while self.outcome is None and not self.left:
                side = self.asked
                if side in self.people:
                    self.person(side)
                else:
                    self.reply(side)
            if self.left or not self.finished():
                break
        if self.outcome is None:
            self.leave()

    def greet(self) -> None:
        sides = self.game.sides
        if len(self.people) == 2:
            who = f"{sides[0]} begins, both sides are yours"
            if self.game.world is not None:
                who = "both sides are yours, and choose at the same time"
        elif not self.people:
            who = f"Plywise plays itself on level {self.level_words()}"
        else:
            you = self.people[0]
            who = f"you are {sides[you]}, Plywise is {sides[1 - you]} on level {self.level_words()}"
        say(f"{self.game.title}: {who}." + (" Type a move, or ? for help." if self.people else ""))
        kept = self.keeper.latest() if self.people and self.watched and self.keeper.path is None else None
        if kept is not None:
            when = time.strftime("%d %B, %H:%M", time.localtime(kept[1].changed)).lstrip("0")
            turns = screen.counted(kept[1].stage.number, "turn")
            say(f"A game of {when} with {turns} is not over; `load` goes on with it.")

    def level_words(self) -> str:
        numbers = [self.levels[side] for side in self.players] or [self.levels[0]]
        words = [f"{number} ({level(self.game, number).name})" for number in dict.fromkeys(numbers)]
        return " against ".join(words)

    def person(self, side: int) -> None:
        """Let a person type: a move, several in a world, or a command."""
        view = self.view(side)
        if self.follows and view.key != self.glanced:
            self.glanced = view.key
            self.glance(view)
        name = self.game.sides[side]
        if self.game.world is not None:
            name += f" {self.unit(view)}"
        text = self.ask(f"{name}> ")
        if text is None:
            self.left = True
            return
        if not text:
            return
        word, _, rest = text.partition(" ")
        if word in self.commands and text not in view.moves:
            self.commands.obey(word, rest.strip())
            return
        try:
            self.choose(side, text)
        except BadMove as error:
            say(f"{error}")

    def unit(self, view: History) -> str:
        """Who is to act: the part that all legal moves begin with, as far as it is a name."""
        moves = view.moves
        same = moves[0]
        for move in moves:
            while not move.startswith(same):
                same = same[:-1]
        return same.rstrip("-x") if len(moves) > 1 else same.partition("-")[0].partition("x")[0]

    def choose(self, side: int, text: str) -> None:
        """Take in what a side does; when all have chosen, the turn is played."""
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
                if self.stage.complete(side, view):
                    raise BadMove(word, "every unit has its order", self.stage.text) from None
                view = view.play(word)
        self.chosen[side] = view
        self.carry_out()

    def carry_out(self) -> None:
        """In a world: play the turn if nobody's choice is missing."""
        if all(side in self.chosen and self.done(side) for side in self.stage.choosing):
            choices = {side: tuple(self.chosen[side].played) for side in self.stage.choosing}
            self.chosen = {}
            self.play(choices)

    def play(self, choices: dict[int, tuple[str, ...]]) -> None:
        stage = self.stage.play(choices)
        self.stage, self.undone = stage, []
        if self.game.world is not None:
            say(f"Turn {stage.number}: {stage.said}", "   ")
            for event in stage.told:
                say(event, "   ", "   ")
        self.keep()
        over = self.outcome is not None
        if over or (not self.people and self.watched) or any(side in self.people for side in stage.choosing):
            self.show_board()

    def reply(self, side: int) -> None:
        """Let a player choose, and say what it expects."""
        chosen = self.wait_for(side)
        if self.game.world is not None:
            view = self.stage.view(side)
            for move in chosen.moves:
                view = view.play(move)
            self.chosen[side] = view
            self.carry_out()
            return
        view = self.stage.view(side)
        move = self.game.said(view.position, self.game.read_move(view.position, chosen.moves[0]))
        words = [f"{'Plywise' if self.people else self.game.sides[side]} plays {move}"]
        if chosen.result is not None and chosen.line is not None:
            words[0] = self.bar(side, chosen.line.score) + words[0]
            words.append(said(self.game, side, chosen.line.score, chosen.line.kind, self.engines.unit))
            words += [" ".join(spoken(view, chosen.line.numbers)[1:])][: len(chosen.line.numbers) - 1]
        say("   ".join(words), "   ")
        self.play({side: chosen.moves})

    def wait_for(self, side: int) -> Chosen:
        chosen, stopped = seated(self.players[side], self.stage, side)
        if stopped:
            raise KeyboardInterrupt
        return chosen

    def look(self, view: History, limits: Limits, lines: int = 1) -> Result:
        ready(self.engines)
        with self.engines.lent(large=True) as engine:
            assert engine is not None
            result, stopped = think(engine, view, limits, lines)
        if stopped:
            raise KeyboardInterrupt
        return result

    def glance(self, view: History) -> None:
        """The line of analysis before a move."""
        result = self.look(view, GLANCE)
        if result.lines:
            bar = self.bar(view.turn, result.score)
            score = said(self.game, view.turn, result.score, result.kind, result.unit)
            say(f"{bar}{score}   {' '.join(spoken(view, result.lines[0].numbers))}", "   ")

    def bar(self, turn: int, score: int) -> str:
        """Who is ahead, as a bar of the first side's chances; only where it can be seen well."""
        if not screen.coloured(sys.stdout) or screen.width() < 60 or not screen.shows("█░", sys.stdout):
            return ""
        full = round(BAR * first_side(score, turn, self.game, self.engines.unit))
        return "█" * full + "░" * (BAR - full) + " "

    def show_board(self) -> None:
        before = self.stage.before
        show(self.stage.board, None if before is None else before.board, self.flip)

    # --- the end --------------------------------------------------------------------------------
    def finished(self) -> bool:
        """Tell how it ended; on a terminal ask what now. Whether the game goes on."""
        outcome = self.outcome
        assert outcome is not None
        if outcome.winner is None:
            verdict = "A draw"
        elif len(self.people) == 1:
            verdict = "You win" if outcome.winner in self.people else "Plywise wins"
        else:
            verdict = f"{self.game.sides[outcome.winner]} wins"
        say(f"{verdict}: {outcome.reason}.")
        self.keeper.forget()
        if not (self.people and self.watched and sys.stdin.isatty()):
            return False
        while self.outcome is not None and not self.left:
            text = self.ask("new, undo, save FILE or quit> ")
            word, _, rest = (text or "quit").partition(" ")
            if word in self.commands:
                self.commands.obey(word, rest.strip())
            else:
                say(f"The game is over; {word!r} is none of: {self.commands.names()}")
        return not self.left

    def settings(self) -> dict[str, object]:
        return {"levels": list(self.levels), "people": list(self.people), "evaluator": self.evaluator}

    def keep(self) -> None:
        """Write the game down as it stands."""
        if self.people and self.stage.number > self.begun:
            self.kept_well = self.keeper.keep(self.stage, self.settings())
        else:
            self.keeper.forget()

    def leave(self) -> None:
        if self.people and self.stage.number > self.begun:
            # Not broken into lines: it is there to be copied.
            from shlex import quote

            if self.kept_well:
                print(f"To go on: plywise play {quote(self.name)} --resume")
            else:
                text = records.write(self.stage, records.formats(self.game)[-2:][0]).strip()
                print(f"To go on: plywise play {quote(self.name)} --position {quote(text)}")

    def resume(self) -> None:
        """Go on with the game that was left last."""
        found = self.keeper.latest()
        if found is None:
            raise PlywiseError(
                f"there is no game of {self.game.name} to go on with; `plywise play` begins one"
            )
        path, kept = found
        self.stage, self.undone, self.chosen, self.ended = kept.stage, [], {}, None
        self.keeper.path, self.begun = path, 0
        people, levels = kept.settings.get("people"), kept.settings.get("levels")
        if isinstance(people, list) and set(people) <= {0, 1}:
            self.people = tuple(people)
        if isinstance(levels, list) and len(levels) == 2 and all(one in range(1, 11) for one in levels):
            self.levels = (levels[0], levels[1])
        self.seat()
