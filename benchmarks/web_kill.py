"""Kill the server (-9) during play, again and again: what is lost, and is the database ever damaged?

    python benchmarks/web_kill.py [--kills 100] [--visitors 3] [--game connect_four]

The server is killed after a random part of a second of play by several visitors at once. Then another is
started on the same folder, every visitor opens its game again, and compares it with what was announced. A
move that was sent but not answered may be there or not.
"""

import argparse
import os
import random
import re
import secrets
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.web.page import Page, Refusal
from websockets.exceptions import ConnectionClosed


class Visitor:
    """A visitor that plays on over all restarts of the server."""

    def __init__(self, game: str, seed: int) -> None:
        self.game, self.dice = game, random.Random(seed)
        self.token = secrets.token_urlsafe(24)
        self.id: str | None = None
        self.announced: list[str] = []
        self.lost = self.moves = 0

    def live(self, port: int, ready: threading.Barrier) -> None:
        """Play until the server dies."""
        page: Page | None = None
        try:
            page = Page(port, self.token)
            if self.id is not None:
                kept = [node["said"] for node in page.open(self.id)["nodes"]]
                self.lost += sum(a != b for a, b in zip(self.announced, kept, strict=False))
                self.lost += max(0, len(self.announced) - len(kept))
            ready.wait(60)
            while True:
                if self.id is None or page.states[self.id]["outcome"]:
                    self.id = page.new(self.game, None, 2)
                    self.announced = []
                state = page.wait_for_turn(self.id)
                self.announced = [node["said"] for node in state["nodes"]]
                if state["outcome"] is None:
                    page.play(self.id, self.dice.choice(state["view"]["moves"])["move"])
                    self.moves += 1
        except (ConnectionClosed, Refusal, OSError, TimeoutError, threading.BrokenBarrierError):
            pass
        if page is not None and self.id in page.states:  # what came last, unread by the game above
            self.announced = [node["said"] for node in page.states[self.id]["nodes"]]


def server(folder: str) -> tuple[Any, int]:
    """The real server on a free port."""
    process = subprocess.Popen(
        [sys.executable, "-m", "plywise", "serve", "--no-browser", "--port", "0"],
        env={**os.environ, "PLYWISE_DATA": folder, "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    found = re.search(r":(\d+)/", process.stdout.readline())
    assert found is not None
    return process, int(found[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--visitors", type=int, default=3)
    parser.add_argument("--game", default="connect_four")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    dice = random.Random(options.seed)
    visitors = [Visitor(options.game, seed) for seed in range(options.visitors)]
    damaged, begun = 0, time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.kills):
            process, port = server(folder)
            ready = threading.Barrier(options.visitors + 1)
            threads = [threading.Thread(target=one.live, args=(port, ready)) for one in visitors]
            for thread in threads:
                thread.start()
            ready.wait(60)
            time.sleep(dice.uniform(0, 0.6))
            process.kill()
            process.wait()
            process.stdout.close()
            for thread in threads:
                thread.join()
            file = sqlite3.connect(Path(folder, "games.sqlite"))
            damaged += file.execute("PRAGMA integrity_check").fetchone()[0] != "ok"
            file.close()
    took = time.monotonic() - begun
    moves, lost = sum(one.moves for one in visitors), sum(one.lost for one in visitors)
    print(f"{options.kills} kills, {options.visitors} visitors, {moves} moves in {took:.0f} s")
    print(f"announced moves lost: {lost}, damaged databases: {damaged}")


if __name__ == "__main__":
    main()
