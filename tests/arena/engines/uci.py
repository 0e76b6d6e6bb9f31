"""A small engine for tic-tac-toe that speaks UCI, and misbehaves as it is told: `uci.py MANNER [FILE]`.

It plays the first free cell. Manners: good, late (uciok never comes), rubbish, illegal, dies, hangs, slow
(moves when told to stop), child (leaves a child behind, whose number it writes to FILE), flood, deaf.
"""

import subprocess
import sys
import time

CELLS = ("a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1")


def say(*lines: str) -> None:
    print(*lines, sep="\n", flush=True)


def main(manner: str, file: str = "") -> None:
    if manner == "child":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        with open(file, "a") as out:
            out.write(f"{child.pid}\n")
    taken: list[str] = []
    limit = ""
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "uci":
            if manner == "late":
                continue
            if manner == "rubbish":
                say(
                    "\x00\xff hello",
                    "option",
                    "option name",
                    "info",
                    "info depth x score cp y nodes z",
                    "uciok?",
                )
            say("id name Small", "option name Hash type spin default 1 min 1 max 9", "uciok")
        elif words[0] == "setoption":
            limit = line
        elif words[0] == "isready":
            say("readyok")
        elif words[0] == "position":
            taken = words[words.index("moves") + 1 :] if "moves" in words else []
        elif words[0] == "go":
            move = next(cell for cell in CELLS if cell not in taken)
            say(f"info string {limit}", f"info depth 3 nodes 40 score cp {len(taken)} pv {move}")
            if manner == "rubbish":
                say(
                    "bestmov",
                    "best move a1",
                    "\x01" * 100_000,
                    "info score mate",
                    "info multipv",
                    "info depth",
                )
            if manner == "flood":
                while True:
                    say("info nodes 1" + " " * 1000)
            if manner == "illegal" and len(taken) >= 2:
                move = taken[0]
            if manner == "dies" and len(taken) >= 2:
                sys.exit(3)
            if manner == "nothing":
                say("bestmove")
                continue
            if manner == "hangs" and len(taken) >= 2:
                time.sleep(600)
            if manner in ("slow", "child-slow"):
                continue
            say(f"bestmove {move}")
        elif words[0] == "stop" and manner == "slow":
            say(f"bestmove {next(cell for cell in CELLS if cell not in taken)}")
        elif words[0] == "quit":
            return


if __name__ == "__main__":
    main(*sys.argv[1:])
