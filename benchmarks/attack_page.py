"""Attack the server as strangers could, while a well-behaved visitor plays: what does the visitor notice?

    python benchmarks/attack_page.py [ATTACK ...] [--connections 500] [--messages 20000] [--kills 20]
        [--between 0.03] [--cold]

The attacks: `abandon` (connections left in five ways), `junk`, `tamper` (real messages with changed fields),
`texts` (imports at the limit), `reopen` (long games opened again and again), `slow` (pages that do not read),
`stop` (the process is stopped and goes on), `kill` (kill -9 during play), `disk` (files may not grow any
more). The visitor moves in a process of its own, a move every 30 ms. Threads, sockets and memory of the
server are compared with those before, 10 s later.
Before means after a small attack of the same kind: a server keeps its worker threads and loads engines once
(--cold compares with a server that nobody has attacked). On a busy machine the visitor waits for other
programs, too: look at the server's processor time.
"""

import argparse
import json
import os
import random
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.web.messages import message
from tests.web.page import Page, Refusal
from websockets.exceptions import ConnectionClosed, InvalidMessage

import plywise.web.server  # noqa: F401  (registers the requests of a page)
from fuzz_readers import mutate, mutate_value
from plywise.web.schema import REQUESTS

PACE = 0.03  # seconds between two moves of the visitor
SETTLED = 10.0  # seconds after which all that was abandoned is forgotten
LARGEST_FILE = 2 << 20  # bytes of a file in the attack on the disk
FAILURES = (ConnectionClosed, InvalidMessage, OSError, TimeoutError, EOFError, Refusal)


class Server:
    """`plywise serve` in a process of its own."""

    def __init__(self, folder: str, largest_file: int | None = None) -> None:
        def limit() -> None:
            if largest_file is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))

        self.process = subprocess.Popen(
            [sys.executable, "-m", "plywise", "serve", "--no-browser", "--port", "0"],
            env={**os.environ, "PLYWISE_DATA": folder, "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            preexec_fn=limit,
        )
        assert self.process.stdout is not None
        found = re.search(r":(\d+)/", self.process.stdout.readline())
        assert found is not None, "the server has not started"
        self.port = int(found[1])

    def numbers(self) -> tuple[int, int, int]:
        """Threads, open files and megabytes of the server."""
        proc = Path(f"/proc/{self.process.pid}")
        memory = int((proc / "statm").read_text().split()[1]) * 4096 >> 20
        return len(os.listdir(proc / "task")), len(os.listdir(proc / "fd")), memory

    def processor_time(self) -> float:
        """Seconds of processor time so far."""
        words = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


class Visitor:
    """The well-behaved visitor, in a process of its own, until it is told to stop."""

    def __init__(self, port: int) -> None:
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--visit", str(port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.process.stdout.readline()  # it has moved once

    def stop(self) -> list[float]:
        """Seconds from each move to its answer."""
        out, _ = self.process.communicate("stop\n", timeout=120)
        return list(json.loads(out.splitlines()[-1]))


def visit(port: int) -> None:
    """Play on until a line comes; then print the seconds of all moves."""
    over, took = threading.Event(), []

    def wait_for_line() -> None:
        sys.stdin.readline()
        over.set()

    threading.Thread(target=wait_for_line, daemon=True).start()
    page, dice, id = Page(port), random.Random(1), ""
    while not over.is_set():
        if not id or page.states[id]["outcome"]:
            if id:
                page.ask("delete", game=id)
            id = page.new("connect_four")
        state = page.states[id]
        began = time.monotonic()
        page.play(id, dice.choice(state["view"]["moves"])["move"])
        took.append(time.monotonic() - began)
        if len(took) == 1:
            print("ready", flush=True)
        time.sleep(PACE)
    print(json.dumps(took))


# --- attacks ----------------------------------------------------------------------------------------
def bare_socket(port: int) -> socket.socket:
    """A WebSocket without anybody who reads it."""
    found = socket.create_connection(("127.0.0.1", port), 30)
    found.sendall(
        f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
    )
    return found


def frame(message: dict[str, Any]) -> bytes:
    data = json.dumps(message).encode()
    size = bytes((0x80 | len(data),)) if len(data) < 126 else bytes((0xFE,)) + struct.pack(">H", len(data))
    return b"\x81" + size + bytes(4) + data


def reset(given: socket.socket) -> None:
    given.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    given.close()


def abandon(server: Server, options: argparse.Namespace) -> None:
    """Connections left unread, reset, half-open, in mid-request and in mid-search, some at a time."""
    dice, sockets = random.Random(options.seed), []
    for number in range(options.connections):
        hello = frame({"id": 0, "do": "hello", "visitor": f"a{number:030}"})
        how = number % 5
        try:
            if how == 2:  # half a request
                made = socket.create_connection(("127.0.0.1", server.port), 30)
                made.sendall(b"GET /ws HTTP/1.1\r\nHost: 127")
            elif how == 4:  # in mid-search
                page = Page(server.port)
                page.send("analyse", game=page.new("tic_tac_toe", None, 1), node=0)
                made = page.socket.socket
            else:
                made = bare_socket(server.port)
                made.settimeout(0.2)
                made.sendall(hello * (400 if how == 0 else 1) + (hello[:9] if how == 3 else b""))
        except FAILURES:
            continue
        sockets.append(made)
        time.sleep(options.between)
        if len(sockets) > 100:
            reset(sockets.pop(dice.randrange(len(sockets))))
    for made in sockets:
        reset(made)


def junk(server: Server, options: argparse.Namespace) -> None:
    """Messages that make no request, by 50 clients that come back when they are cut off."""
    many(50, lambda number: send_junk(server, options.messages // 50, options.seed + number))


def send_junk(server: Server, count: int, seed: int) -> None:
    dice, left = random.Random(seed), count
    while left > 0:
        try:
            with Page(server.port) as page:
                while left > 0:
                    size = dice.choice((5, 50, 5000))
                    page.socket.send("".join(chr(dice.randrange(32, 126)) for _ in range(size)))
                    left -= 1
        except FAILURES:
            left -= 1


def tamper(server: Server, options: argparse.Namespace) -> None:
    """Real messages with fields, numbers and characters changed."""
    many(8, lambda number: send_tampered(server, options.messages // 8, options.seed + number))


def send_tampered(server: Server, count: int, seed: int) -> None:
    dice, done = random.Random(seed), 0
    while done < count:
        try:
            with Page(server.port) as page:
                id = page.new("connect_four")
                real, record = [message(one, id) for one in REQUESTS], 1
                while done < count:
                    done += 1
                    known = [json.dumps({"id": 1, **one}).encode() for one in real]
                    words = tampered(dice.choice(known), known, dice)
                    page.socket.send(words)
                    answer = page.read()
                    if "went wrong" in answer.get("error", ""):
                        print(f"  a mistake of the server: seed {seed}, {answer['error']}: {words[:300]!r}")
                    if answer.get("record", record) != record:  # of a search, which others ask about
                        record = answer["record"]
                        real = [{**one, "record": record} if "record" in one else one for one in real]
        except FAILURES:
            done += 1


def tampered(given: bytes, known: list[bytes], dice: random.Random) -> str:
    """A message as it is, with other values in its fields, or with other words."""
    if dice.random() < 0.2:
        return given.decode()
    changed = mutate_value(given, dice) if dice.random() < 0.5 else mutate(given, known, dice)
    return changed.decode("utf-8", "replace")


def texts(server: Server, options: argparse.Namespace) -> None:
    """Imports of the largest texts, by eight visitors."""
    long = "1. Nf3 Nf6 2. Ng1 Ng8 " * 740

    def send(number: int) -> None:
        page = Page(server.port)
        for _ in range(max(1, options.messages // 2000)):
            try:
                game = page.ask("import", game="chess", text=long)["game"]
                page.ask("delete", game=game)
            except Refusal:
                pass
        page.close()

    many(8, send)


def reopen(server: Server, options: argparse.Namespace) -> None:
    """Four visitors who open a long game of their own again and again."""
    long = "1. Nf3 Nf6 2. Ng1 Ng8 " * 740

    def open_again(number: int) -> None:
        with Page(server.port) as page:
            game = page.ask("import", game="chess", text=long)["game"]
            for _ in range(max(1, options.messages // 2000)):
                page.ask("close", game=game)
                page.open(game)

    many(4, open_again)


def slow(server: Server, options: argparse.Namespace) -> None:
    """Pages that ask and read a little."""

    def read_slowly(number: int) -> None:
        made = bare_socket(server.port)
        made.settimeout(1)
        try:
            made.sendall(frame({"id": 0, "do": "hello", "visitor": f"s{number:030}"}) * 1000)
        except OSError:
            pass
        for _ in range(30):
            try:
                made.recv(10)
            except OSError:
                break
            time.sleep(0.1)
        reset(made)

    many(40, read_slowly)


def stop(server: Server, options: argparse.Namespace) -> None:
    """The process is stopped for a while and goes on, as when a laptop sleeps."""
    for _ in range(3):
        time.sleep(0.5)
        server.process.send_signal(signal.SIGSTOP)
        time.sleep(1.0)
        server.process.send_signal(signal.SIGCONT)
    time.sleep(0.5)


ATTACKS: dict[str, Callable[[Server, argparse.Namespace], None]] = {
    one.__name__: one for one in (abandon, junk, tamper, texts, reopen, slow, stop)
}


def many(count: int, work: Callable[[int], None]) -> None:
    threads = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def kill(options: argparse.Namespace) -> None:
    """Kill -9 during play (benchmarks/web_kill.py has more of it)."""
    script = Path(__file__).with_name("web_kill.py")
    subprocess.run([sys.executable, str(script), "--kills", str(options.kills)], check=True)


def disk(options: argparse.Namespace) -> None:
    """The disk is full in mid-game: what was answered is there after a restart, the rest was refused."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(folder, LARGEST_FILE)
        page, dice, kept, refused, id = Page(server.port), random.Random(options.seed), {}, 0, ""
        while refused < 20:
            try:
                if not id or page.states[id]["outcome"]:
                    if id:
                        page.ask("close", game=id)
                    id = page.new("connect_four")
                page.play(id, dice.choice(page.states[id]["view"]["moves"])["move"])
                kept[id] = page.states[id]["tip"]
            except Refusal as error:
                if "cannot be kept" not in str(error):
                    raise
                refused += 1
        server.kill()
        server = Server(folder)
        again, lost = Page(server.port, page.visitor), 0
        for id, moves in kept.items():
            lost += moves - min(moves, len(again.open(id)["nodes"]) - 1)
            again.ask("close", game=id)
        server.kill()
    print(
        f"disk: {sum(kept.values())} moves answered, {lost} of them lost, {refused} refused when it was full"
    )
    if lost:
        raise SystemExit(1)


def spread(took: list[float]) -> str:
    took = sorted(took) or [0.0]
    median, late = took[len(took) // 2], took[min(len(took) - 1, len(took) * 99 // 100)]
    return (
        f"median {1000 * median:.1f}, p99 {1000 * late:.1f}, worst {1000 * took[-1]:.0f} ms"
        f" of {len(took)} moves"
    )


def attack(name: str, options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(folder)
        quiet = Visitor(server.port)
        time.sleep(2)
        usual = quiet.stop()
        if not options.cold:
            few = {"connections": options.connections // 5, "messages": options.messages // 5}
            ATTACKS[name](server, argparse.Namespace(**{**vars(options), **few, "seed": options.seed + 1000}))
            time.sleep(SETTLED)
        before, visitor, began = server.numbers(), Visitor(server.port), time.monotonic()
        spent = server.processor_time()
        time.sleep(1)
        ATTACKS[name](server, options)
        time.sleep(1)  # what is still to be read
        spent = server.processor_time() - spent
        seconds, under = time.monotonic() - began, visitor.stop()
        time.sleep(SETTLED)
        after = server.numbers()
        server.kill()
    print(f"{name}: {seconds:.0f} s; a move without attack: {spread(usual)}; under attack: {spread(under)}")
    changes = (
        f"{what} {b} -> {a}" for what, b, a in zip(("threads", "files", "MB"), before, after, strict=True)
    )
    print(f"  {', '.join(changes)}; {spent:.1f} s of processor time", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("attacks", nargs="*")
    parser.add_argument("--connections", type=int, default=500)
    parser.add_argument("--messages", type=int, default=20_000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--between", type=float, default=0.03, help="seconds between two connections")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cold", action="store_true", help="compare with a server that was never attacked")
    parser.add_argument("--visit", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.visit:
        visit(options.visit)
        return
    known = [*ATTACKS, "kill", "disk"]
    if wrong := set(options.attacks) - set(known):
        parser.error(f"there is no attack {', '.join(sorted(wrong))}; there are {', '.join(known)}")
    print(f"seed {options.seed}")
    for name in options.attacks or known:
        if name in ATTACKS:
            attack(name, options)
        else:
            (kill if name == "kill" else disk)(options)


if __name__ == "__main__":
    main()
