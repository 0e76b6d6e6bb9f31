"""How soon a protocol answers while a perft, bench, search or compiler runs: isready, stop, quit, ping.

    python benchmarks/protocol_answers.py [--games chess ...] [--rounds 10]

The engine runs in its own process. `stop` is answered by what it ends (bestmove, or that the count was
stopped), `quit` by the end of the process. Questions come after 0 to 0.2 s of work, so that some find the
engine being loaded. A bench that has ended by then is not counted. A compiler runs in a process whose cache
is empty; the first isready or ping, which waits until it is known that there is no code, is shown apart.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from queue import SimpleQueue

from plywise.core.registry import load, shipped

GOAL = 0.1  # seconds
LONGEST_WORK = 0.2  # seconds before a question
UCI_WORK = {
    "perft": ("go perft 30", "info string perft was stopped"),
    "bench": ("bench", "info string bench was stopped"),
    "search": ("go infinite", "bestmove"),
}
BENCH_END = "Nodes/second"
FIRST = "first {} with an empty cache"


class Program:
    """`plywise uci GAME` or `plywise xboard GAME`; its lines can be waited for."""

    def __init__(self, protocol: str, game: str, cache: str = "") -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "plywise", protocol, game],
            env={**os.environ, "PLYWISE_CACHE": cache} if cache else None,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.lines: SimpleQueue[str | None] = SimpleQueue()
        self.heard: list[str] = []  # since the last command
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def send(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, line: str, *answers: str) -> float:
        """Seconds from a line to the first answer that begins with one of these."""
        began = time.perf_counter()
        self.send(line)
        while True:
            said = self.lines.get(timeout=300)
            if said is None:
                raise SystemExit(f"the engine ended before it said {answers[0]!r}")
            self.heard.append(said)
            if said.startswith(answers):
                return time.perf_counter() - began

    def begin(self, command: str, seconds: float) -> None:
        """Start some work and let it go on for a while."""
        self.heard.clear()
        self.send(command)
        time.sleep(seconds)

    @property
    def has_ended_bench(self) -> bool:
        return any(line.startswith(BENCH_END) for line in self.heard)

    def quit(self) -> float:
        """Seconds from `quit` to the end of the process."""
        began = time.perf_counter()
        self.send("quit")
        self.process.wait(300)
        return time.perf_counter() - began


def measure_uci(game: str, rounds: int) -> dict[str, list[float]]:
    """Seconds of each answer, by what was asked and what ran."""
    found: dict[str, list[float]] = {}
    for work, (command, stopped) in UCI_WORK.items():
        program = Program("uci", game)
        program.ask("isready", "readyok")  # the engine is there
        for i in range(rounds):
            program.begin(command, LONGEST_WORK * i / rounds)
            found.setdefault(f"isready during {work}", []).append(program.ask("isready", "readyok"))
            if program.has_ended_bench:
                continue
            took = program.ask("stop", stopped, BENCH_END)
            if not program.has_ended_bench:
                found.setdefault(f"stop of {work}", []).append(took)
        program.begin(command, LONGEST_WORK)
        found[f"quit during {work}"] = [program.quit()]
    return found


def measure_xboard(game: str, rounds: int) -> dict[str, list[float]]:
    """The same for XBoard, which analyses."""
    found: dict[str, list[float]] = {}
    program = Program("xboard", game)
    program.send("protover 2")
    program.ask("ping 0", "pong 0")
    for number in range(1, rounds + 1):
        program.begin("analyze", LONGEST_WORK * number / rounds)
        took = program.ask(f"ping {number}", f"pong {number}")
        found.setdefault("ping during analysis", []).append(took)
        program.send("exit")
    program.begin("analyze", LONGEST_WORK)
    found["quit during analysis"] = [program.quit()]
    return found


def measure_compiler(game: str, rounds: int) -> dict[str, list[float]]:
    """The same while the game is compiled, and a search without compiled code is asked for and stopped."""
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as cache:
        program = Program("uci", game, cache)
        program.ask("uci", "uciok")
        found[FIRST.format("isready")] = [program.ask("isready", "readyok")]
        for i in range(rounds):
            found.setdefault("isready during compilation", []).append(program.ask("isready", "readyok"))
            program.begin("go infinite", LONGEST_WORK * i / rounds)
            found.setdefault("stop during compilation", []).append(program.ask("stop", "bestmove"))
        found["quit during compilation"] = [program.quit()]
    with tempfile.TemporaryDirectory() as cache:
        program = Program("xboard", game, cache)
        program.ask("protover 2", "feature done=1")
        found[FIRST.format("ping")] = [program.ask("ping 0", "pong 0")]
        for number in range(1, rounds + 1):
            time.sleep(LONGEST_WORK * number / rounds)
            took = program.ask(f"ping {number}", f"pong {number}")
            found.setdefault("ping during compilation", []).append(took)
        found["quit of xboard during compilation"] = [program.quit()]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="*", default=shipped())
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    late = 0
    for game in options.games:
        answers = {
            **{f"uci {name}": took for name, took in measure_uci(game, options.rounds).items()},
            **{f"xboard {name}": took for name, took in measure_xboard(game, options.rounds).items()},
        }
        if load(game).compiled:
            answers |= measure_compiler(game, options.rounds)
        for name, took in answers.items():
            if not name.startswith("first"):
                late += sum(one > GOAL for one in took)
            middle = sorted(took)[len(took) // 2]
            print(
                f"{game:14} {name:34} median {1000 * middle:6.1f}, worst {1000 * max(took):6.1f} ms",
                flush=True,
            )
    print(f"answers over {1000 * GOAL:.0f} ms: {late}")


if __name__ == "__main__":
    main()
