"""A game in the terminal: typed moves against the engine, with hints, undo and analysis."""

import math
import shlex
import sys
from collections.abc import Callable

from plywise.cli import screen
from plywise.cli.reading import BadOption, whole
from plywise.cli.scene import show_board
from plywise.cli.thinking import engine_for, explained, said, think
from plywise.core.board import Board
from plywise.core.errors import BadMove, PlywiseError, UnknownName
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.registry import load, shipped
from plywise.core.solved import Solved
from plywise.search.limits import Limits
from plywise.search.result import Kind, Result

# Weak levels see a few turns, strong ones have time. Measured strength comes with the arena.
SOLVED_BEHIND = 4  # pieces of the endings that are solved while a first game is played
LEVELS = {
    1: Limits(depth=1),
    2: Limits(depth=2),
    3: Limits(depth=3),
    4: Limits(depth=5, time=1.0),
    5: Limits(depth=8, time=1.0),
    6: Limits(time=1.0),
    7: Limits(time=3.0),
    8: Limits(time=10.0),
}
SIDES = {"first": (0,), "second": (1,), "both": (0, 1), "none": ()}
LOOK = Limits(time=1.0)  # how long `analyse` looks
LOOK_LINES = 3
BAR = 20  # cells of the bar that shows who is ahead


def choose() -> None:
    """Offer the games, then play the one chosen."""
    known = shipped()
    names = list(known)
    wide = max(map(len, names))
    print("Plywise plays:")
    for place, name in enumerate(names, 1):
        print(screen.paragraph(known[name], f" {place}  {name:{wide}}  ", " " * (wide + 6)))
    while True:
        try:
            answer = input(f"Which game? [{names[0]}] ").strip() or names[0]
        except EOFError:
            print()
            return
        if answer in ("q", "quit"):
            return
        if answer.isdecimal() and 1 <= int(answer) <= len(names):
            answer = names[int(answer) - 1]
        try:
            load(answer)
        except PlywiseError as error:
            print(error)
            continue
        play(answer)
        return


def play(
    name: str,
    level: str = "5",
    side: str = "first",
    position: str = "start",
    evaluator: str = "default",
) -> None:
    """Play a game to its end, or until the person has had enough."""
    if side not in SIDES:
        raise UnknownName("side", side, SIDES)
    Table(name, _level(level), SIDES[side], " ".join(position.split()), evaluator).run()


def _level(text: str) -> int:
    level = whole("--level", text)
    if level not in LEVELS:
        raise BadOption(f"--level goes from 1 to {max(LEVELS)}, not {text}")
    return level


def build_missing(game: Game) -> None:
    """Solve the smallest endings behind the game, if it has any that are not solved yet."""
    for lent in game.lends:
        if isinstance(lent, Solved) and lent.pieces < SOLVED_BEHIND:
            from plywise.endgames import build_behind

            build_behind(game, SOLVED_BEHIND)


class Table:
    """Where the game is played: the position, who sits where, and how it is shown."""

    def __init__(self, name: str, level: int, people: tuple[int, ...], position: str, evaluator: str) -> None:
        self.name, self.level, self.people, self.start = name, level, people, position
        self.game: Game = load(name)
        self.history: History = self.game.history(position)
        self.begun = self.history.length
        game, history = self.game, self.history
        self.engine = engine_for(game, evaluator)
        if people:
            build_missing(game)
        board = game.board(history.position)
        # A wall of discs has no other side; a checkered board is seen from one's own.
        self.flip = people == (1,) and isinstance(board, Board) and board.checkered
        self.watched = screen.is_terminal(sys.stdout)
        self.commands: dict[str, tuple[Callable[[str], bool], str]] = {
            "?": (self.help, "this list"),
            "hint": (self.hint, "what Plywise would play"),
            "undo": (self.undo, "take back, to your turn before"),
            "moves": (self.moves, "the legal moves"),
            "analyse": (self.analyse, f"the {LOOK_LINES} best moves"),
            "flip": (self.turn_round, "see the board from the other side"),
            "level": (self.set_level, "N: how strong Plywise plays, 1 to 8"),
            "rules": (self.rules, "the rules of the game"),
            "position": (self.say_position, "the position as text"),
            "quit": (self.quit, "leave; the game can go on later"),
        }

    # --- the game -----------------------------------------------------------------------------
    def run(self) -> None:
        self.greet()
        show_board(self.history, self.flip)
        while self.history.outcome is None:
            if self.history.turn in self.people:
                if not self.person():
                    self.leave()
                    return
            else:
                self.reply()
        self.finish()

    def greet(self) -> None:
        sides = self.game.sides
        if len(self.people) == 2:
            who = f"{sides[0]} begins, both sides are yours"
        elif not self.people:
            who = f"Plywise plays itself on level {self.level}"
        else:
            you = self.people[0]
            who = f"you are {sides[you]}, Plywise is {sides[1 - you]} on level {self.level}"
        say(f"{self.game.title}: {who}." + (" Type a move, or ? for help." if self.people else ""))

    def person(self) -> bool:
        """Let a person move; False if they leave."""
        text = ask(f"{self.game.sides[self.history.turn]}> ")
        if text is None:
            return False
        if not text:
            return True
        word, _, rest = text.partition(" ")
        legal = self.history.moves
        if text not in legal and word in self.commands:
            return self.commands[word][0](rest.strip())
        try:
            self.history = self.history.play(text)
        except BadMove as error:
            say(f"{error}")
            return True
        self.show_move()
        return True

    def reply(self) -> None:
        """Let the engine move, and say what it expects."""
        result = self.think(LEVELS[self.level])
        assert result.move is not None, "an open position has a move"
        move, line = result.move, " ".join(result.line[1:])
        problem = self.problem(result)
        if problem is not None and problem != move:
            move, line = problem, ""
        side, turn = self.game.sides[self.history.turn], self.history.turn
        score = said(self.game, turn, result.score, result.kind, result.unit)
        who = "Plywise" if self.people else side
        say(f"{self.bar(result)}{who} plays {move}   {score}{'   ' if line else ''}{line}", "   ")
        self.history = self.history.play(move)
        self.show_move()

    def problem(self, result: Result) -> str | None:
        """In an ending that is proven drawn, the move that is hardest to answer."""
        if result.score != 0 or result.kind is not Kind.PROVEN:
            return None
        if not any(isinstance(lent, Solved) for lent in self.game.lends):
            return None
        from plywise.endgames import hardest

        return hardest(self.engine, self.history)

    def show_move(self) -> None:
        """Show the board to whoever is next; the engine does not look at it."""
        over = self.history.outcome is not None
        if over or self.history.turn in self.people or (not self.people and self.watched):
            show_board(self.history, self.flip)

    def think(self, limits: Limits, lines: int = 1) -> Result:
        result, stopped = think(self.engine, self.history, limits, lines)
        if stopped:
            raise KeyboardInterrupt
        return result

    def bar(self, result: Result) -> str:
        """Who is ahead, as a bar of the first side's chances; only where it can be seen well."""
        if not screen.coloured(sys.stdout) or screen.width() < 60 or not screen.shows("█░", sys.stdout):
            return ""
        score = result.score if self.history.turn == 0 else -result.score
        pawns = max(-20.0, min(20.0, score / result.unit))
        chance = 1 / (1 + math.exp(-0.37 * pawns))  # chess players' curve: a pawn is 59 %
        full = round(BAR * chance)
        return "█" * full + "░" * (BAR - full) + " "

    def finish(self) -> None:
        outcome = self.history.outcome
        assert outcome is not None
        if outcome.winner is None:
            verdict = "A draw"
        elif len(self.people) == 1:
            verdict = "You win" if outcome.winner in self.people else "Plywise wins"
        else:
            verdict = f"{self.game.sides[outcome.winner]} wins"
        say(f"{verdict}: {outcome.reason}.")

    def leave(self) -> None:
        if self.history.length > self.begun:
            # Not broken into lines: it is there to be copied.
            print(f"To go on: plywise play {shlex.quote(self.name)} --position {shlex.quote(self.record())}")

    # --- the commands; each says whether the game goes on -----------------------------------------
    def help(self, rest: str) -> bool:
        some = "  ".join(self.history.moves[:4])
        say(f"A move as the game writes it ({some} ...), or one of:")
        wide = max(map(len, self.commands))
        for name, (_, words) in self.commands.items():
            print(screen.paragraph(words, f"  {name:{wide}}  ", " " * (wide + 4)))
        return True

    def hint(self, rest: str) -> bool:
        result = self.think(LEVELS[max(self.level, 5)])
        score = said(self.game, self.history.turn, result.score, result.kind, result.unit)
        say(f"Plywise would play {result.move}: {score}")
        return True

    def undo(self, rest: str) -> bool:
        node = self.history.before
        while node is not None and node.turn not in self.people:
            node = node.before
        if node is None:
            say("There is nothing to take back.")
        else:
            self.history = node
            show_board(self.history, self.flip)
        return True

    def moves(self, rest: str) -> bool:
        say("  ".join(self.history.moves))
        return True

    def analyse(self, rest: str) -> bool:
        for text in explained(self.history, self.think(LOOK, LOOK_LINES)):
            say(text, "   ")
        return True

    def turn_round(self, rest: str) -> bool:
        self.flip = not self.flip
        show_board(self.history, self.flip)
        return True

    def set_level(self, rest: str) -> bool:
        try:
            self.level = _level(rest)
        except BadOption:
            say(f"level goes from 1 to {max(LEVELS)}")
        else:
            say(f"Plywise plays on level {self.level}.")
        return True

    def rules(self, rest: str) -> bool:
        print(self.game.rules().rstrip())
        return True

    def say_position(self, rest: str) -> bool:
        say(self.history.text)
        return True

    def quit(self, rest: str) -> bool:
        return False

    def record(self) -> str:
        """The game so far, as --position reads it."""
        played = self.history.played[self.begun :]
        return " ".join([self.start, *([] if "moves" in self.start.split() else ["moves"]), *played])


def ask(prompt: str) -> str | None:
    """A line that the person typed; None at the end of the input."""
    if sys.stdin.isatty():
        try:
            import readline  # noqa: F401  (arrow keys and what was typed before, where there is such a thing)
        except ImportError:
            pass
        try:
            return input(prompt).strip()
        except EOFError:
            print()
            return None
    sys.stdout.write(prompt)
    sys.stdout.flush()
    line = sys.stdin.readline()
    # Nobody's keys show what was typed: a piped game should read as a whole all the same.
    print(line.strip())
    return line.strip() if line else None


def say(text: str, hanging: str = "") -> None:
    """A line for the person, at once."""
    print(screen.paragraph(text, hanging=hanging), flush=True)
