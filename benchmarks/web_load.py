"""Many visitors at once: how soon the server answers a move, how soon the engine does, and what is lost.

    python benchmarks/web_load.py [--visitors 50] [--seconds 40] [--level 3] [--games GAME ...]

The server runs in its own process with a new folder of games and the user's compile cache.
Each visitor plays game after game, thinking between 0.2 and 1.2 seconds a move. At the end every visitor
connects again and compares the saved games with what the server had sent.
"""

import argparse
import asyncio
import json
import os
import random
import re
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

from websockets.asyncio.client import connect

GAMES = ["chess", "checkers", "polis", "skirmish", "connect_four", "tic_tac_toe"]
THINK = 0.2, 1.2


class Visitor:
    """One page that plays."""

    def __init__(self, port: int, games: list[str], level: int, seed: int) -> None:
        self.port, self.games, self.level, self.dice = port, games, level, random.Random(seed)
        self.token = secrets.token_urlsafe(24)
        self.answers: list[float] = []  # seconds from a move to its answer
        self.replies: list[tuple[str, float]] = []  # game, seconds from a move to the person's next turn
        self.errors: list[str] = []
        self.states: dict[str, dict[str, Any]] = {}
        self.compiled: set[str] = set()
        self.changed = asyncio.Event()
        self.waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self.count = 0

    async def connected(self) -> Any:
        host = f"127.0.0.1:{self.port}"
        socket = await connect(f"ws://{host}/ws", origin=f"http://{host}", max_size=None, proxy=None)  # type: ignore[arg-type]
        self.reading = asyncio.create_task(self.read(socket))
        await self.ask(socket, "hello", visitor=self.token)
        return socket

    async def read(self, socket: Any) -> None:
        async for words in socket:
            message = json.loads(words)
            if "re" in message:
                self.waiting.pop(message["re"]).set_result(message)
            elif message["tell"] == "state":
                self.states[message["game"]] = message
                self.changed.set()
            elif message["tell"] == "analysis" and message["compiled"]:
                self.compiled.add(message["game"])
                self.changed.set()
            elif message["tell"] == "error":
                self.errors.append(message["words"])

    async def ask(self, socket: Any, do: str, **fields: Any) -> dict[str, Any]:
        self.count += 1
        answer = self.waiting[self.count] = asyncio.get_running_loop().create_future()
        await socket.send(json.dumps({"id": self.count, "do": do, **fields}))
        found: dict[str, Any] = await answer
        if "error" in found:
            self.errors.append(f"{do}: {found['error']}")
        return found

    async def turn(self, id: str) -> dict[str, Any]:
        """The state when the person is to choose or the game is over."""
        while True:
            state = self.states.get(id)
            if state is not None and (state["view"]["player"] or state["outcome"]):
                return state
            self.changed.clear()
            await self.changed.wait()

    async def play(self, until: float) -> None:
        """Play game after game."""
        socket = await self.connected()
        while time.monotonic() < until:
            seats: list[dict[str, Any]] = [{"kind": "person"}, {"kind": "level", "level": self.level}]
            self.dice.shuffle(seats)
            id = (await self.ask(socket, "new", game=self.dice.choice(self.games), seats=seats))["game"]
            while time.monotonic() < until:
                state = await self.turn(id)
                if state["outcome"]:
                    break
                await asyncio.sleep(self.dice.uniform(*THINK))
                move = self.dice.choice(state["view"]["moves"])["move"]
                version, asked = state["version"], time.monotonic()
                await self.ask(socket, "play", game=id, node=state["tip"], move=move)
                self.answers.append(time.monotonic() - asked)
                while self.states[id]["version"] <= version:
                    self.changed.clear()
                    await self.changed.wait()
                await self.turn(id)
                self.replies.append((state["name"], time.monotonic() - asked))
            await self.ask(socket, "close", game=id)
        await socket.close()

    async def lost(self) -> int:
        """How many moves that were announced are not there any more."""
        last_states, missing = dict(self.states), 0
        socket = await self.connected()
        for id, before in last_states.items():
            await self.ask(socket, "open", game=id)
            await asyncio.sleep(0)
            while self.states[id] is before:
                self.changed.clear()
                await self.changed.wait()
            kept = [node["said"] for node in self.states[id]["nodes"]]
            announced = [node["said"] for node in before["nodes"]]
            missing += sum(a != b for a, b in zip(announced, kept, strict=False)) + max(
                0, len(announced) - len(kept)
            )
            await self.ask(socket, "close", game=id)
        await socket.close()
        return missing


def spread(values: list[float]) -> str:
    """Median, 99th percentile and maximum, in milliseconds."""
    if len(values) < 2:
        return "too few"
    percent = statistics.quantiles(values, n=100)
    return f"median {1000 * percent[49]:.1f}, p99 {1000 * percent[98]:.1f}, worst {1000 * max(values):.1f} ms"


def processor_seconds(pid: int) -> float:
    """Processor seconds of a process so far; 0 if the system does not say."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            words = file.read().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


async def load(port: int, pid: int, options: argparse.Namespace) -> None:
    games = options.games or GAMES
    visitors = [Visitor(port, games, options.level, seed) for seed in range(options.visitors)]
    first = Visitor(port, games, options.level, 0)
    socket = await first.connected()
    for game in games:  # what is loaded once is loaded before the clock runs
        id = (await first.ask(socket, "new", game=game, seats=[{"kind": "person"}] * 2))["game"]
        await first.ask(socket, "analyse", game=id, node=0)
        while id not in first.compiled:
            first.changed.clear()
            await first.changed.wait()
        await first.ask(socket, "close", game=id)
    await socket.close()
    begun, before = time.monotonic(), processor_seconds(pid)
    await asyncio.gather(*(visitor.play(begun + options.seconds) for visitor in visitors))
    took, used = time.monotonic() - begun, processor_seconds(pid) - before
    lost = sum([await visitor.lost() for visitor in visitors])
    answers = [one for visitor in visitors for one in visitor.answers]
    replies = [one for visitor in visitors for one in visitor.replies]
    errors = [one for visitor in visitors for one in visitor.errors]
    played = sum(len(visitor.states) for visitor in visitors)
    print(f"{options.visitors} visitors, {played} games, {len(answers)} moves of persons in {took:.0f} s")
    machine = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    print(
        f"the server used {1000 * used / len(answers):.0f} ms of processor a move, engines included;", end=" "
    )
    print(f"{used / took:.2f} processors; load of the machine {machine:.1f} on {os.cpu_count()}")
    print(f"answer to a move:    {spread(answers)}")
    print(f"person's next turn:  {spread([took for _, took in replies])}")
    for game in games:
        print(f"  {game:12} {spread([took for name, took in replies if name == game])}")
    print(f"errors: {len(errors)}, lost moves: {lost}")
    for words in sorted(set(errors))[:5]:
        print(f"  {words}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--visitors", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--level", type=int, default=3)
    parser.add_argument("--games", nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [sys.executable, "-m", "plywise", "serve", "--no-browser", "--port", "0"],
            env={**os.environ, "PLYWISE_DATA": folder, "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert server.stdout is not None
        found = re.search(r":(\d+)/", server.stdout.readline())
        assert found is not None
        try:
            asyncio.run(load(int(found[1]), server.pid, options))
        finally:
            server.kill()
            server.wait()


if __name__ == "__main__":
    main()
