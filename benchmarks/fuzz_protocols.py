"""Send mutated lines to the protocols: the engine stays alive, says no Python exception and answers at once.

    python benchmarks/fuzz_protocols.py [--protocols uci xboard] [--games chess ...] [--lines N] [--seed 1]

Lines are made of a protocol's own phrases, positions and moves of the game, mutated by words and characters.
After each batch everything is stopped and the engine must answer; the seconds of the answer are those of all
lines before it that were not handled yet. Memory is compared after a tenth of the lines and at the end, each
time with a table of 1 MB again. A batch that fails is made smaller by lines as long as it fails, and printed
with its seed.
"""

import argparse
import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path
from queue import Empty, SimpleQueue

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.protocols.test_fuzz import UCI, XBOARD
from tests.readers import positions

from fuzz_readers import mutate
from plywise.core.registry import shipped

BATCH = 200
FIRST_PING = 1_000_000  # pings of the lines themselves have smaller numbers
LONGEST = 1.0  # seconds for the answer after a batch, on a machine with nothing else to do
PATIENCE = 60.0  # seconds after which there is no answer
SMALL_TABLE = {  # so that memory can be compared; the search lets go of a larger table
    "uci": "setoption name Hash value 1\nsetoption name Threads value 1\nposition startpos\ngo depth 1",
    "xboard": "new\nmemory 1\ncores 1\nping 0\ngo\n?\nforce",
}
ENDINGS = {
    "uci": ("stop\nposition startpos\nisready", "readyok"),
    "xboard": ("force\nexit\neasy\nping {n}", "pong {n}"),
}


class Program:
    """The engine in its own process."""

    def __init__(self, protocol: str, game: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "plywise", protocol, game],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.answers: SimpleQueue[bytes | None] = SimpleQueue()
        self.complaints: list[bytes] = []
        threading.Thread(target=self._read_answers, daemon=True).start()
        threading.Thread(target=self._read_errors, daemon=True).start()

    def _read_answers(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith((b"readyok", b"pong")) or b"Error:" in line or b"Exception" in line:
                self.answers.put(line.strip())
        self.answers.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        self.complaints.extend(self.process.stderr)

    def send(self, lines: list[bytes]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"\n".join(lines) + b"\n")
        self.process.stdin.flush()

    def try_batch(self, lines: list[bytes], end: str, answer: str) -> tuple[str, float]:
        """Send lines; what is wrong afterwards, or nothing, and the seconds to the last answer."""
        try:
            self.send(lines)
            began = time.monotonic()
            self.send([end.encode()])
            while (said := self.answers.get(timeout=PATIENCE)) != answer.encode():
                if said is None:
                    return "the engine has ended", 0.0
                if b"Error:" in said or b"Exception" in said:
                    return f"it says {said.decode('utf-8', 'replace')[:200]}", 0.0
        except Empty:
            return "no answer", PATIENCE
        except OSError:
            return "the engine has ended", 0.0
        if any(b"Traceback" in line for line in self.complaints):
            return "a traceback", 0.0
        return "", time.monotonic() - began

    def memory(self) -> int:
        """Megabytes in use; 0 if the system does not say."""
        try:
            words = Path(f"/proc/{self.process.pid}/statm").read_text().split()
        except OSError:
            return 0
        return int(words[1]) * 4096 >> 20

    def processor_time(self) -> float:
        """Seconds of processor time so far; 0 if the system does not say."""
        try:
            words = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


def batch(protocol: str, game: str, samples: list[bytes], seed: int, number: int) -> list[bytes]:
    """The lines of one batch."""
    dice = random.Random(f"{protocol} {game} {seed} {number}")
    lines = []
    for _ in range(BATCH):
        line = dice.choice(samples)
        if dice.random() < 0.5:
            line = mutate(line, samples, dice)
        line = line.replace(b"\n", b" ").replace(b"quit", b"quiet").replace(b"isready", b"is ready")
        lines.append(line.replace(b"infinite", b"depth 2") if dice.random() < 0.7 else line)
    return lines


def phrases(protocol: str, game: str) -> list[bytes]:
    """Commands of a protocol with positions and moves of a game."""
    known = [line.encode() for line in (UCI if protocol == "uci" else XBOARD)]
    texts = positions(game)
    moves = texts[-1].removeprefix(b"start moves ").split()
    known = [line for line in known if b"Book" not in line and b"EvalFile" not in line]
    if protocol == "uci":
        known += [b"position fen " + text for text in texts[:-1]]
        known += [b"position startpos moves " + b" ".join(moves[:n]) for n in range(1, len(moves))]
    else:
        known += [b"setboard " + text for text in texts[:-1]] + [b"usermove " + move for move in moves]
    return known


def smallest(protocol: str, game: str, lines: list[bytes], what: str) -> list[bytes]:
    """Fewer lines that fail in the same way, each time in a new process."""
    size, end = len(lines) // 2, time.monotonic() + 120
    while size and time.monotonic() < end:
        at = 0
        while at < len(lines) and time.monotonic() < end:
            fewer = lines[:at] + lines[at + size :]
            program = Program(protocol, game)
            finish, answer = (text.format(n=999999) for text in ENDINGS[protocol])
            if program.try_batch(fewer, finish, answer)[0] == what:
                lines = fewer
            else:
                at += size
            program.kill()
        size //= 2
    return lines


def fuzz(protocol: str, game: str, count: int, seed: int) -> int:
    """Send the lines of one protocol and game; how many batches failed."""
    samples, program, failures = phrases(protocol, game), Program(protocol, game), 0
    batches, took, spent, before = max(1, count // BATCH), [], [], 0

    def end_batch(lines: list[bytes], number: int) -> tuple[str, float]:
        finish, answer = (text.format(n=FIRST_PING + number) for text in ENDINGS[protocol])
        return program.try_batch(lines, finish, answer)

    def memory_with_small_table() -> int:
        for number in range(2):  # the second time what the first one let go of is gone
            end_batch([SMALL_TABLE[protocol].encode()], batches + 1 + number)
        return program.memory()

    memory_with_small_table()
    for number in range(1, batches + 1):
        lines = batch(protocol, game, samples, seed, number)
        began = program.processor_time()
        what, seconds = end_batch(lines, number)
        took.append(seconds)
        spent.append(program.processor_time() - began)
        if what:
            failures += 1
            program.kill()
            small = smallest(protocol, game, lines, what)
            print(f"  {what}: seed {seed}, batch {number}, {len(small)} lines:")
            for line in small[:20]:
                print(f"    {line[:300]!r}")
            program = Program(protocol, game)
            before = 0
        if number >= batches // 10 and not before:
            before = memory_with_small_table()
    grown = memory_with_small_table() - before
    program.kill()
    slowest = 1 + took.index(max(took))
    took.sort()
    print(
        f"{protocol:7} {game:13} {len(took) * BATCH:8} lines, {failures} failures; answer after a batch:"
        f" median {1000 * took[len(took) // 2]:.0f}, worst {1000 * took[-1]:.0f} ms (batch {slowest});"
        f" processor time of a batch: worst {1000 * max(spent):.0f} ms; {before} MB and {grown:+} MB",
        flush=True,
    )
    return failures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--protocols", nargs="*", default=["uci", "xboard"], choices=["uci", "xboard"])
    parser.add_argument("--games", nargs="*", default=shipped())
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"seed {options.seed}")
    pairs = [(protocol, game) for protocol in options.protocols for game in options.games]
    if sum(fuzz(protocol, game, options.lines, options.seed) for protocol, game in pairs):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
