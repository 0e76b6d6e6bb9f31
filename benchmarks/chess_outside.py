"""A match of chess on the clock between two programs that speak UCI or XBoard, in pairs from openings.

    python benchmarks/chess_outside.py OPENINGS.epd[.zip] COMMAND [--first COMMAND] [--pairs N]
        [--time S] [--increment S] [--nodes N [--others N]] [--xboard] [--option NAME=VALUE ...] [--log FILE]

The first player is `plywise uci` unless told otherwise, COMMAND is the second; --xboard says that the
second speaks XBoard. One game at a time, one thread each, no pondering. A game ends by the rules (draws
are claimed), or when both players have said for four moves each that the same side is ten pawns ahead,
or after move 50 for ten moves each that nothing is in it. Prints each pair, then the score of the first
player, the difference in Elo with a standard error, and what went wrong on either side: illegal moves,
crashes, hangs and time losses. On a busy machine a --margin in seconds keeps the clock from deciding
games: who is late within it is noted and plays on with an empty clock. Needs python-chess, which drives
the programs.
"""

import argparse
import math
import random
import shlex
import sys
import time
import zipfile
from pathlib import Path

import chess
import chess.engine

HUNG = 20.0  # seconds beyond the clock


def openings(path: Path, count: int, seed: int) -> list[str]:
    """Positions from a file of EPD lines, drawn by lot."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            text = archive.read(archive.namelist()[0]).decode()
    else:
        text = path.read_text()
    lines = [line.split(";")[0] for line in text.splitlines() if line.strip()]
    drawn = random.Random(seed).sample(lines, min(count, len(lines)))
    return [" ".join([*line.split()[:4], "0 1"]) for line in drawn]


class Player:
    """One program, started again if it dies."""

    def __init__(self, command: str, xboard: bool, options: list[str]) -> None:
        self.command, self.xboard = shlex.split(command), xboard
        self.options = dict(option.split("=", 1) for option in options)
        self.nodes: int | None = None  # a move
        self.faults: dict[str, int] = {}
        self.engine: chess.engine.SimpleEngine | None = None

    def started(self) -> chess.engine.SimpleEngine:
        if self.engine is None:
            program = chess.engine.SimpleEngine
            opened = program.popen_xboard if self.xboard else program.popen_uci
            self.engine = opened(self.command, timeout=60)
            known = self.engine.options
            wanted = {name: value for name, value in {"Hash": 64, "Threads": 1}.items() if name in known}
            self.engine.configure({**wanted, **self.options})
        return self.engine

    def fault(self, what: str) -> None:
        self.faults[what] = self.faults.get(what, 0) + 1

    def close(self) -> None:
        if self.engine is not None:
            try:
                self.engine.quit()
            except Exception:
                self.engine.close()
            self.engine = None


def game(
    players: tuple[Player, Player],
    fen: str,
    seconds: float,
    increment: float,
    nodes: int | None,
    margin: float,
) -> tuple[float, str]:
    """The points of White, and how it ended."""
    board = chess.Board(fen)
    left = [seconds, seconds]
    token = object()
    ahead = level = 0
    while True:
        outcome = board.outcome(claim_draw=True)
        if outcome is not None:
            points = 0.5 if outcome.winner is None else float(outcome.winner)
            return points, outcome.termination.name.lower()
        turn = 0 if board.turn else 1
        player = players[turn]
        limit = chess.engine.Limit(
            white_clock=left[0], black_clock=left[1], white_inc=increment, black_inc=increment
        )
        if nodes is not None:
            limit = chess.engine.Limit(nodes=player.nodes)
        lost = float(turn)
        try:
            engine = player.started()
            engine.timeout = HUNG
            began = time.perf_counter()
            played = engine.play(board, limit, game=token, info=chess.engine.INFO_SCORE)
            used = time.perf_counter() - began
        except chess.engine.EngineTerminatedError:
            player.fault("crash")
            player.engine = None
            return lost, "crash"
        except TimeoutError:
            player.fault("hang")
            player.close()
            return lost, "hang"
        except chess.engine.EngineError as error:
            player.fault(f"illegal move ({error})")
            player.close()
            return lost, "illegal move"
        left[turn] -= used
        if left[turn] < 0 and nodes is None:
            player.fault("time loss" if left[turn] < -margin else "late, but within the margin")
            if left[turn] < -margin:
                return lost, "time loss"
            left[turn] = 0.0
        left[turn] += increment
        if played.resigned:
            return lost, "resigned"
        if played.move is None:
            player.fault("no move")
            return lost, "no move"
        board.push(played.move)
        score = played.info.get("score")
        value = None if score is None else score.white().score(mate_score=30000)
        if value is None:
            continue
        ahead = ahead + 1 if value > 1000 and ahead >= 0 else ahead - 1 if value < -1000 and ahead <= 0 else 0
        level = level + 1 if abs(value) <= 8 and board.fullmove_number > 50 else 0
        if abs(ahead) >= 8:
            return float(ahead > 0), "decided"
        if level >= 20:
            return 0.5, "level"


def report(pairs: list[float], counts: list[int]) -> str:
    mean = sum(pairs) / len(pairs)
    spread = math.sqrt(sum((p - mean) ** 2 for p in pairs) / max(1, len(pairs) - 1) / len(pairs))
    safe = min(max(mean, 0.01), 0.99)
    elo = -400 * math.log10(1 / safe - 1)
    error = 400 / math.log(10) * spread / (safe * (1 - safe))
    return (
        f"{2 * len(pairs)} games, +{counts[0]} ={counts[1]} -{counts[2]}:"
        f" {mean:.1%} for the first, {elo:+.0f} +- {error:.0f} Elo (one standard error)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("openings", type=Path)
    parser.add_argument("command")
    parser.add_argument("--first", default=f"{sys.executable} -m plywise uci")
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--time", type=float, default=3.0)
    parser.add_argument("--increment", type=float, default=0.03)
    parser.add_argument("--nodes", type=int, help="so many nodes a move in place of a clock")
    parser.add_argument("--others", type=int, help="the second player's nodes a move, if not the same")
    parser.add_argument("--xboard", action="store_true")
    parser.add_argument("--option", action="append", default=[], help="of the first player")
    parser.add_argument("--margin", type=float, default=0.0)
    parser.add_argument("--both", action="append", default=[], help="an option of both players")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    one = Player(options.first, False, options.option + options.both)
    two = Player(options.command, options.xboard, options.both)
    one.nodes, two.nodes = options.nodes, options.others or options.nodes
    pairs: list[float] = []
    counts = [0, 0, 0]
    for fen in openings(options.openings, options.pairs, options.seed):
        points, ends = 0.0, []
        for flipped in (False, True):
            sides = (two, one) if flipped else (one, two)
            white, end = game(sides, fen, options.time, options.increment, options.nodes, options.margin)
            mine = 1 - white if flipped else white
            counts[0 if mine == 1 else 1 if mine == 0.5 else 2] += 1
            points += mine
            ends.append(f"{mine:g} {end}")
        pairs.append(points / 2)
        print(f"{len(pairs)}: {', '.join(ends)}; {report(pairs, counts)}", flush=True)
    for name, player in (("first", one), ("second", two)):
        print(f"{name}: {player.faults or 'no illegal move, crash, hang or time loss'}")
        player.close()


if __name__ == "__main__":
    main()
