"""Is every "why is this bad?" sentence true? On positions of every shipped game, by independent searches.

    python benchmarks/why_bad.py [--positions N] [--seed N] [--games NAME ...] [--show]
    python benchmarks/why_bad.py --games NAME --numbers N ... [--show]   these positions alone
    python benchmarks/why_bad.py --state FILE             go on from there after a stop
    python benchmarks/why_bad.py --report FILE [--show]   what was found so far

For each position a legal move is drawn and explained, each search within `--nodes` nodes or, as on the
page, so much processor time (`--cpu 0.06`). Other engines, whose tables are empty before each search, then
check what was said: `again` searches to the depth at which the claim was confirmed, a turn deeper than the
claim; `deeper` a turn deeper still; `full` as deep as `again`, but it leaves out no move by guess;
`stockfish`, which is asked for by `--checkers`, is another program (`--command`), and checks chess alone,
within `--outside` nodes. Each of them must find:

- the move loses at least half of the chance that its mark stands for, also after the answer that was named;
- what "White answers" is the best answer, or gives away less than an inaccuracy would;
- a forced win or loss is one; a move that is called the best, or about as good as another, is no mistake,
  and one that may be worse is no blunder.

On the board the line can be played, the pieces that are said to be won are gone at its end, and the terms
that are said to be most of the cost are. A search that needs more than `--most` nodes is given up; the
report counts those.
"""

import argparse
import json
import random
import re
import statistics
import subprocess
import time
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import plywise
from plywise import Engine, Game, History
from plywise.core.scores import WIN, distance, is_sure
from plywise.explain import Continuation, WhyBad, why_bad, why_bad_sentences
from plywise.explain.marks import MARKS
from plywise.explain.reasons import side_terms
from plywise.play.win_chance import win_chance
from plywise.search.limits import Limits
from plywise.search.switches import UNSOUND

SLACK = 0.05  # of the chance: an answer that gives away more would be an inaccuracy itself
BLUNDER, MISTAKE = (share for share, _ in MARKS[:2])  # a move that is called good gives away less
RISKY = 4  # turns more in which a forced win is found again: risky pruning may hide it for a while


# What leaves out moves by guess, or comes with it; quiescence and extensions stay.
GUESSES = tuple(name for name in UNSOUND if name not in ("quiescence", "extensions", "quiescence_checks"))
CHECKERS = ("again", "deeper", "full")
OUTSIDE = "stockfish"
CENTIPAWNS = 100  # of a pawn, in which such a program counts


class GivenUp(Exception):
    """A search would take too long."""


@dataclass
class Case:
    """A position, a move, what was said of it, and by whom it was denied."""

    game: str
    number: int
    position: str
    move: str
    said: list[str]
    bad: bool
    answered: bool
    false: dict[str, list[str]] = field(default_factory=dict)  # by who denies it
    given_up: list[str] = field(default_factory=list)
    seconds: float = 0.0  # of processor time, to explain it


class Checker:
    """An engine that knows nothing of the explanation."""

    def __init__(self, name: str, game: Game, most: int, full: bool = False) -> None:
        self.name, self.most = name, most  # nodes of a search
        self.engine = Engine(game, hash=16, without=GUESSES if full else ())

    def after(self, history: History, moves: tuple[str, ...], depth: int) -> tuple[int, str | None]:
        """The score for the side to move in `history` after some moves, and the choice there."""
        end = play(history, moves)
        if end.outcome is not None:
            winner = end.outcome.winner
            return (0 if winner is None else WIN if winner == history.turn else -WIN), None
        score, choice = self.search(end, depth)
        return (score if end.turn == history.turn else -score), choice

    def search(self, end: History, depth: int) -> tuple[int, str | None]:
        """The score for the side to move, and its choice."""
        self.engine.clear()  # what an earlier search left in the table would not be independent
        result = self.engine.search(end, depth=depth, nodes=self.most)
        if result.depth < depth and not is_sure(result.score) and result.nodes >= self.most:
            raise GivenUp
        return result.score, result.move

    def false_claims(self, found: WhyBad, depth: int) -> Iterator[str]:
        """What the sentences say and this engine denies, searching to a depth."""
        history, played, best = found.history, found.played, found.best
        if found.denied is not None:
            return
        for one in (played, best):
            if is_sure(one.score):
                deep = max(depth, (distance(one.score) or 0) + RISKY)
                score = self.after(history, (one.move,), deep)[0]
                wrong = not is_sure(score) or (score > 0) != (one.score > 0)
                if wrong and not self.is_forced(history, one):
                    yield f"{one.move} is said to be {one.score}, but is {score} at depth {deep}"
        bad, good = (self.after(history, (one.move,), depth)[0] for one in (played, best))
        drop = chance(found, good) - chance(found, bad)
        if not found.is_bad:
            choice = self.after(history, (), depth + 1)[1]
            if choice is not None and choice != best.move:
                drop = max(drop, chance(found, self.after(history, (choice,), depth)[0]) - chance(found, bad))
            if drop >= (MISTAKE if found.is_good else BLUNDER):
                called = "good" if found.is_good else "perhaps worse"
                yield f"{played.move} is called {called}, but loses {drop:.3f} of the chance at depth {depth}"
            return
        least = next((share for share, name in MARKS if name == found.mark), 0.0) / 2
        if bad >= good or drop < least:
            yield f"{played.move} ({bad}) loses {drop:.3f} against {best.move} ({good}) at depth {depth}"
        reply = played.reply(history)
        if reply is None or is_sure(played.score) or not found.reply_confirmed:
            return
        if found.reply_best:
            yield from self.better_answer(found, reply, depth)
        elif depth > 1:
            way = played.line[: played.line.index(reply, 1) + 1]
            left = self.after(history, way, depth - 1)[0]
            if chance(found, good) - chance(found, left) < least:
                yield f"the answer {reply} leaves {left} at depth {depth}, {best.move} {good}"

    def is_forced(self, history: History, one: Continuation) -> bool:
        """Whether a search that prunes nothing by guess finds the win or the loss, as near as is said.

        Only such a search can deny it: one that prunes by guess may look deeper and still not see it.
        """
        end = history.play(one.move)
        found = Engine(history.game, hash=16, without=("unsound",)).search(
            end, depth=distance(one.score) or 1, nodes=self.most
        )
        score = found.score if end.turn == history.turn else -found.score
        return is_sure(score) and (score > 0) == (one.score > 0)

    def better_answer(self, found: WhyBad, reply: str, depth: int) -> Iterator[str]:
        """An answer that is much better than the one that was named."""
        history, played = found.history, found.played
        # Our first moves, in games where a side moves several times, lead to the reply.
        way = played.line[: played.line.index(reply, 1)]
        asked = play(history, way)
        choice = self.after(history, way, depth)[1]
        if choice is None or choice == reply or depth < 2:
            return
        # Both answers to one depth, each from the position that it leads to: only so their scores compare.
        chosen, preferred = (
            # A turn may go on after an answer.
            self.after(history, (*way, one), depth - (asked.play(one).turn != asked.turn))[0]
            for one in (reply, choice)
        )
        if chance(found, chosen) > chance(found, preferred) + SLACK:
            yield f"the answer {reply} leaves {chosen} at depth {depth}, {choice} {preferred}"


class OutsideChecker(Checker):
    """Another chess program over UCI; depths mean nothing to it, it searches so many nodes."""

    def __init__(self, game: Game, command: str, nodes: int, most: int) -> None:
        self.name, self.nodes, self.most = OUTSIDE, nodes, most
        self.unit = game.evaluation("default").unit
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen([command], text=True, bufsize=1, **pipes)  # type: ignore[call-overload]
        self.ask("uci", "uciok")

    def ask(self, command: str, last: str) -> list[str]:
        """Say something, and hear what it says until a line begins so."""
        self.process.stdin.write(command + "\n")
        heard: list[str] = []
        while not heard or not heard[-1].startswith(last):
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit(f"{OUTSIDE} has ended after {command!r}")
            heard.append(line.rstrip())
        return heard

    def search(self, end: History, depth: int) -> tuple[int, str | None]:
        self.ask("ucinewgame\nisready", "readyok")
        fen = end.game.text(end.position)
        said = self.ask(f"position fen {fen}\ngo nodes {self.nodes}", "bestmove")
        found = [one for line in said if (one := re.search(r"score (cp|mate) (-?\d+).* pv ", line))]
        kind, value = found[-1].groups()
        score = int(value) * self.unit // CENTIPAWNS
        if kind == "mate":
            score = WIN - 2 * int(value) + 1 if int(value) > 0 else -WIN - 2 * int(value)
        return score, said[-1].split()[1]


def chance(found: WhyBad, score: int) -> float:
    return win_chance(score, found.history.game, found.unit)


def play(history: History, moves: Sequence[str]) -> History:
    for move in moves:
        history = history.play(move)
    return history


def position(game: Game, dice: random.Random) -> History:
    """A position of a game of players that take the better of two random moves."""
    while True:
        history = game.history()
        for _ in range(dice.randrange(40)):
            if history.outcome is not None or not history.moves:
                break
            drawn = [history.play(dice.choice(history.moves)) for _ in range(2)]
            side = history.turn
            worth = [
                game.evaluate(one.position) * (1 if one.turn == side else -1) if one.outcome is None else 0
                for one in drawn
            ]
            history = drawn[worth.index(max(worth))]
        if history.outcome is None and len(history.moves) > 1:
            return history


def pieces(history: History) -> Counter[tuple[int | None, str]]:
    """The pieces on the board, counted anew."""
    board = history.game.board(history.position)
    return Counter((piece.side, piece.name) for row in board.rows for piece in row if piece)  # type: ignore[union-attr]


def false_on_the_board(found: WhyBad, said: list[str], engine: Engine) -> Iterator[str]:
    """What the sentences say of pieces and terms, and the end of the line does not show."""
    history, side = found.history, found.history.turn
    ends = [play(history, one.shown or one.line) for one in (found.played, found.best)]
    if found.is_bad and found.piece_loss is not None:
        gone = pieces(history) - pieces(ends[0])
        promoted = sum(found.piece_loss.gained.values())
        for name, number in found.piece_loss.lost.items():
            if gone[side, name] not in range(number, number + promoted + 1):
                yield f"{number} {name} lost, but {gone[side, name]} gone"
        for name, number in found.piece_loss.taken.items():
            if gone[1 - side, name] != number:
                yield f"{number} {name} taken, but {gone[1 - side, name]} gone"
    named = said[0].partition(", most of it in ")[2].rstrip(".") if found.is_bad else ""
    if named and found.cost:
        bad, good = (side_terms(end, side, engine) for end in ends)
        part = sum(good.get(name, 0) - bad.get(name, 0) for name in {*good, *bad} if name in named)
        if part < found.cost / 2:
            yield f"{named} is {part:.0f} of {found.cost}"


def examine(game: Game, engine: Engine, checkers: list[Checker], number: int, options: Any) -> Case:
    """Explain the move of that number, and let everybody check it."""
    dice = random.Random(zlib.crc32(f"{game.name} {options.seed} {number}".encode()))
    history = position(game, dice)
    move = dice.choice(history.moves)
    engine.clear()
    limits = Limits(cpu=options.cpu) if options.cpu else Limits(nodes=options.nodes)
    started = time.process_time()
    found = why_bad(engine, history, move, limits)
    seconds = time.process_time() - started
    said = why_bad_sentences(found)
    answered = found.is_bad and found.reply_confirmed
    case = Case(game.name, number, history.text, move, said, found.is_bad, answered, seconds=seconds)
    if wrong := list(false_on_the_board(found, said, engine)):
        case.false["board"] = wrong
    for checker in checkers:
        depth = max(1, found.checked) + (checker.name == "deeper")
        try:
            if wrong := list(checker.false_claims(found, depth)):
                case.false[checker.name] = wrong
        except GivenUp:
            case.given_up.append(checker.name)
    return case


def report(cases: list[Case], show: bool) -> None:
    """A line for each game, and one for all; before them what was denied, or all sentences."""
    for case in cases:
        if show or case.false:
            print(f"{case.game} {case.number}: {case.position} {case.move} | {' '.join(case.said)}")
            for who, wrong in case.false.items():
                print(*(f"    {who}: {one}" for one in wrong), sep="\n")
    games = dict.fromkeys(case.game for case in cases)
    for name in [*games, "all games"] if len(games) > 1 else games:
        some = [case for case in cases if name in (case.game, "all games")]
        denied, given_up = (
            Counter(who for case in some for who in getattr(case, what)) for what in ("false", "given_up")
        )
        print(
            f"{name}: {len(some)} moves, {sum(case.bad for case in some)} worse than the best,"
            f" {sum(case.answered for case in some)} with an answer,"
            f" {sum(len(case.said) for case in some)} sentences; moves of which something is denied: "
            + ", ".join(f"{who} {denied[who]}" for who in ("board", *CHECKERS, OUTSIDE))
            + (f"; given up: {dict(given_up)}" if given_up else "")
            + f"; {statistics.median(case.seconds for case in some):.2f} s of processor time each,"
            f" at most {max(case.seconds for case in some):.2f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--numbers", type=int, nargs="+", help="of positions, else the first ones")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodes", type=int, default=10_000, help="of each search that explains")
    parser.add_argument("--cpu", type=float, help="seconds of processor time, in place of nodes")
    parser.add_argument("--most", type=int, default=1_000_000, help="nodes of each search that checks")
    parser.add_argument("--checkers", nargs="+", choices=(*CHECKERS, OUTSIDE), default=CHECKERS)
    parser.add_argument("--command", default=OUTSIDE, help="the program that checks chess")
    parser.add_argument("--outside", type=int, default=300_000, help="nodes of each of its searches")
    parser.add_argument("--show", action="store_true", help="print all sentences")
    parser.add_argument("--state", type=Path, help="keep what was found, a line a move, and go on from there")
    parser.add_argument("--seconds", type=float, help="of processor time; then stop, to go on another time")
    parser.add_argument("--report", type=Path, help="print what a state file has")
    names = list(plywise.shipped())
    parser.add_argument("--games", nargs="+", choices=names, default=names)
    options = parser.parse_args()
    if options.report:
        report([Case(**json.loads(line)) for line in options.report.read_text().splitlines()], options.show)
        return
    cases = []
    if options.state and options.state.exists():
        cases = [Case(**json.loads(line)) for line in options.state.read_text().splitlines()]
    known = {(case.game, case.number) for case in cases}
    started = time.process_time()
    for i, name in enumerate(options.games):
        share = options.positions // len(options.games) + (i < options.positions % len(options.games))
        missing = [number for number in options.numbers or range(share) if (name, number) not in known]
        if not missing:
            continue
        game = plywise.load(name)
        engine = Engine(game, hash=16)
        checkers = [
            Checker(one, game, options.most, full=one == "full")
            for one in options.checkers
            if one in CHECKERS
        ]
        if OUTSIDE in options.checkers and name == "chess":
            checkers.append(OutsideChecker(game, options.command, options.outside, options.most))
        for number in missing:
            if options.seconds and time.process_time() - started > options.seconds:
                break
            case = examine(game, engine, checkers, number, options)
            cases.append(case)
            if options.state:
                with options.state.open("a") as file:
                    file.write(json.dumps(vars(case)) + "\n")
    report(cases, options.show)
    print(f"{time.process_time() - started:.0f} s of processor time")


if __name__ == "__main__":
    main()
