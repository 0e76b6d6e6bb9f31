"""A small engine for tic-tac-toe that speaks XBoard, and misbehaves as it is told: `xboard.py MANNER`.

It plays the first free cell, and writes what it hears to the file that a second word names.
Manners: good, old (names no features), waits (is never done), resigns,
claims (a draw that is none), refuses (a legal move), illegal, dies, slow (moves when told to), once (no
second game), bare (wants moves without `usermove`).
"""

import sys
import time
from pathlib import Path

CELLS = ("a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1")


def say(*lines: str) -> None:
    print(*lines, sep="\n", flush=True)


def main(manner: str, log: str = "") -> None:
    taken: list[str] = []
    forced = True
    games = 0

    def think() -> None:
        move = next(cell for cell in CELLS if cell not in taken)
        say(f"  3 {len(taken)} 1 40 {move}", f"4. -5 1 50 {move}")
        if manner == "resigns" and len(taken) >= 2:
            say("resign")
            return
        if manner == "lost" and len(taken) >= 2:
            say("0-1 {first resigns}" if len(taken) % 2 == 0 else "1-0 {second resigns}")
            return
        if manner == "claims" and len(taken) >= 2:
            say("1/2-1/2 {I am tired}")
            return
        if manner == "illegal" and len(taken) >= 2:
            move = taken[0]
        if manner == "dies" and len(taken) >= 2:
            sys.exit(3)
        if manner == "slow":
            return
        taken.append(move)
        say(f"My move is : {move}" if manner == "old" else f"move {move}")

    for line in sys.stdin:
        words = line.split()
        if log:
            with Path(log).open("a") as heard:
                heard.write(line)
        if not words:
            continue
        if words[0] == "protover" and manner != "old":
            if manner == "waits":
                say("feature done=0")
                continue
            user = 0 if manner == "bare" else 1
            say(f'feature ping=1 usermove={user} setboard=0 reuse={int(manner != "once")} myname="Small one"')
            say('feature option="Book File -file x" san=1 nps=1 done=1')
        elif words[0] == "new":
            taken.clear()
            forced = False
            games += 1
            if manner == "once" and games > 1:
                sys.exit(9)
        elif words[0] == "ping":
            say(f"pong {words[1]}")
        elif words[0] == "force":
            forced = True
        elif words[0] == "go":
            forced = False
            think()
        elif words[0] == "?" and manner == "slow":
            time.sleep(0.01)
            move = next(cell for cell in CELLS if cell not in taken)
            taken.append(move)
            say(f"move {move}")
        elif words[0] == "usermove" or words[0] in CELLS:
            if manner == "refuses" and len(taken) >= 1:
                say(f"Illegal move: {words[-1]}")
                continue
            taken.append(words[-1])
            if not forced:
                think()
        elif words[0] == "quit":
            return


if __name__ == "__main__":
    main(*sys.argv[1:])
