"""Mutate real inputs of every reader: no Python exception, no answer after a second, no growth.

    python benchmarks/fuzz_readers.py [READER ...] [--count 100000] [--seed 1] [--list]

A mutation works on words, numbers, brackets and single characters, so that most inputs are nearly right.
What fails is made smaller as long as it fails the same way, and printed with the seed that makes it again.
"""

import argparse
import gzip
import json
import random
import re
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from plywise.arena import openings, player_spec
from plywise.arena.journal import Journal, encode_line
from plywise.arena.match import Match
from plywise.arena.time_control import TimeControl
from plywise.core.errors import PlywiseError
from plywise.core.layout import Layout
from plywise.core.registry import load, shipped
from plywise.core.resources import Weights
from plywise.core.untrusted import read_json
from plywise.explain import load as load_record
from plywise.games.checkers import pdn
from plywise.games.chess.epd import read_epd
from plywise.games.chess.pgn import read_pgn, write_pgn
from plywise.games.skirmish import maps
from plywise.games.skirmish.replay import replay
from plywise.play import game_text
from plywise.protocols.polyglot import Book
from plywise.web.schema import parse_message

LONGEST = 1.0  # seconds of processor time for one input
WORDS = re.compile(rb"\s+|[0-9]+|[A-Za-z_]+|.", re.DOTALL)
ODD = [
    b"",
    b"0",
    b"-1",
    b"9" * 30,
    b"9" * 5000,
    b"1e999",
    b"NaN",
    b"null",
    b"[" * 2000,
    b"{" * 2000,
    b"(" * 500,
]
ODD += [
    b"\x00",
    b"\xff\xfe",
    "٣½é".encode(),
    b"\r\n",
    b'"',
    b"\\",
    b"+" * 50,
    b" " * 3000,
    b"e4" * 500,
    b"}",
    b")",
]

PGN = b"""[Event "A {b}"]
[Site "?"]
[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]

1. e4 {a ; } e5 $1 2. Nf3 (2. f4 exf4 (2... d5 3. exd5) 3. Nf3) 2... Nc6 3. Bb5 a6?! ; rest
4. O-O b8=Q+ 1/2-1/2
"""
PDN = b'[Event "x"]\n[FEN "B:W21,22,K30:B1,2,K9"]\n1. 9-13 22-18 2. 13x22 (2. 1-5) 26x17 {c} 2-0\n'
FEN = b"r1bqkbnr/ppp2ppp/2np4/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq e3 1 4"
MESSAGE = json.dumps(
    {"id": 1, "do": "new", "game": "chess", "seats": [{"kind": "person"}, {"kind": "level", "level": 3}]}
).encode()


def positions(name: str) -> list[bytes]:
    """Texts of positions of a game, along a random game."""
    game, dice, found = load(name), random.Random(1), []
    history = game.history()
    for _ in range(12):
        found.append(history.text.encode())
        if history.outcome is not None:
            break
        history = history.play(dice.choice(game.moves(history.position)))
    found.append(f"start moves {' '.join(history.played)}".encode())
    return found


def from_file(read: Callable[[Path], Any], name: str) -> Callable[[bytes], Any]:
    """A reader of files as a reader of bytes."""
    path = Path(tempfile.mkdtemp(dir="/dev/shm" if Path("/dev/shm").is_dir() else None), name)

    def read_bytes(data: bytes) -> Any:
        path.write_bytes(data)
        return read(path)

    return read_bytes


def of_text(read: Callable[[str], Any]) -> Callable[[bytes], Any]:
    return lambda data: read(data.decode("utf-8", "replace"))


def resume(path: Path) -> None:
    journal = Journal.resume(path)
    try:
        Match.resume(journal)
    finally:
        journal.close()


def record_bytes() -> bytes:
    from plywise import Engine
    from plywise.explain import save
    from plywise.explain.record import record_of

    game = load("tic_tac_toe")
    engine, history = Engine(game, record=500, compiled=False), game.history()
    path = Path(tempfile.mkdtemp(), "a.record")
    save(record_of(engine, history, engine.search(history, depth=3)), path)
    return path.read_bytes()


def match_bytes() -> bytes:
    match = Match.of("tic_tac_toe", ["plywise:depth=1", "plywise:depth=2"], pairs=2)
    game: dict[str, Any] = {
        "sides": [0, 1],
        "start": "start",
        "moves": ["b2"],
        "winner": None,
        "reason": "x",
        "how": "rules",
    }
    game["work"] = [[1, 0.1, 1, 1], [1, 0.1, 1, 1]]
    pair = {"pair": 0, "first": 0, "second": 1, "games": [game, {**game, "sides": [1, 0]}]}
    return encode_line({"match": 1, **match.header()}) + encode_line(pair)


def again(text: str) -> None:
    """Read games, write them, and read them again: what was understood stays the same."""
    for record in read_pgn(text):
        if not record.problems:
            (other,) = read_pgn(write_pgn(record))
            assert [one.move for one in other.steps] == record.moves, "the moves have changed"


RECORDING = b'{"type": "header", "map": "2fv1a"}\n{"type": "end", "turns": 2, "winner": "timeout"}\n'
WEIGHTS = b'{"unit": 100, "origin": "x", "values": {"a": 5, "b": [1, 2]}}'
SOURCES: dict[str, tuple[Callable[[bytes], Any], Callable[[], list[bytes]]]] = {
    "pgn": (of_text(again), lambda: [PGN]),
    "pdn": (of_text(pdn.read), lambda: [PDN]),
    "epd": (of_text(read_epd), lambda: [FEN.rsplit(b" ", 2)[0] + b' bm Nf6; id "a b"; acd 12; pv e4 e5;']),
    "map": (of_text(maps.read), lambda: [b"F..T.\n.A.TT\nunit 1,1 id=3 hp=20\narcher 2,2\n", b"FA"]),
    "json": (of_text(read_json), lambda: [WEIGHTS, MESSAGE]),
    "message": (of_text(parse_message), lambda: [MESSAGE]),
    "player": (
        of_text(player_spec.parse),
        lambda: [b"plywise:depth=5,nodes=100,level=3", b"uci:./x --y,name=Z"],
    ),
    "clock": (
        of_text(TimeControl.parse),
        lambda: [b"10+0.1", b"40/60", b"depth=5", b"nodes=1000", b"move=0.5"],
    ),
    "weights": (
        from_file(lambda path: Weights(Layout(("a", "i8"), ("b", "i8", (2,))), path).values(), "w.json"),
        lambda: [WEIGHTS],
    ),
    "book": (
        from_file(lambda path: Book(path, 1)(load("chess").history()), "b.bin"),
        lambda: [bytes(range(160))],
    ),
    "recording": (from_file(replay, "r.jsonl"), lambda: [RECORDING, gzip.compress(RECORDING)]),
    "record": (from_file(load_record, "a.record"), lambda: [record_bytes()]),
    "journal": (from_file(resume, "m"), lambda: [match_bytes()]),
    "openings": (
        from_file(lambda path: openings.read(load("chess"), str(path)), "o.pgn.gz"),
        lambda: [gzip.compress(PGN)],
    ),
}


def add_readers(name: str) -> None:
    """The readers of one game: positions, whole games, moves."""
    game, more = load(name), {"chess": PGN, "checkers": PDN}.get(name, b"start")
    SOURCES[f"{name}-position"] = of_text(game.history), lambda: positions(name)
    SOURCES[f"{name}-import"] = (
        of_text(lambda text: game_text.read(game, text)),
        lambda: [*positions(name), more],
    )
    SOURCES[f"{name}-move"] = (
        of_text(lambda text: game.read_move(game.start(), text)),
        lambda: [b"e2e4", b"Nf3+", b"11-15", *positions(name)[-1].split()[2:]],
    )


for _name in shipped():
    add_readers(_name)


def mutate(data: bytes, others: list[bytes], dice: random.Random) -> bytes:
    """A few changes by words, numbers and characters."""
    words = WORDS.findall(data)
    for _ in range(dice.choice((1, 1, 2, 3, 6))):
        at = dice.randrange(len(words) + 1)
        kind = dice.randrange(8)
        if kind == 0:
            words[at : at + dice.randrange(1, 4)] = []
        elif kind == 1:
            words[at:at] = [dice.choice(ODD)]
        elif kind == 2:
            words[at : at + 1] = [dice.choice(ODD)]
        elif kind == 3:
            words[at:at] = words[max(0, at - 8) : at] * dice.choice((1, 2, 20))
        elif kind == 4 and at < len(words):
            other = dice.randrange(len(words))
            words[at], words[other] = words[other], words[at]
        elif kind == 5 and at < len(words) and words[at].isdigit():
            words[at] = str(int(words[at][:18]) + dice.choice((-1, 1, 7, 1 << 31, 1 << 63))).encode()
        elif kind == 6:
            there = WORDS.findall(dice.choice(others))
            cut = dice.randrange(len(there) + 1)
            words = words[:at] + there[cut : cut + dice.randrange(1, 30)] + words[at:]
        elif at < len(words) and words[at]:
            word = bytearray(words[at])
            word[dice.randrange(len(word))] = dice.choice(b"\x00\xff aZ09+-/=:;{}[]()\"'")
            words[at] = bytes(word)
    return b"".join(words)[: 1 << 18]


def failure(read: Callable[[bytes], Any], data: bytes) -> tuple[str, float]:
    """What is wrong with the answer to an input, or nothing; and the processor seconds it took."""
    began, words = time.thread_time(), ""
    try:
        read(data)
    except (PlywiseError, ValueError) as error:
        if isinstance(error, PlywiseError) and ("\n" in str(error) or len(str(error)) > 3000):
            words = "an error of several lines"
    except BaseException as error:
        words = type(error).__name__
    took = time.thread_time() - began
    return words or ("too slow" if took > LONGEST else ""), took


def smallest(read: Callable[[bytes], Any], data: bytes, what: str) -> bytes:
    """A small part of an input that fails in the same way."""
    words, size = WORDS.findall(data), len(WORDS.findall(data)) // 2
    end = time.monotonic() + 20
    while size and time.monotonic() < end:
        at = 0
        while at < len(words) and time.monotonic() < end:
            fewer = words[:at] + words[at + size :]
            if failure(read, b"".join(fewer))[0] == what:
                words = fewer
            else:
                at += size
        size //= 2
    return b"".join(words)


def fuzz(name: str, count: int, seed: int) -> int:
    """Attack one reader; how many kinds of failure there were."""
    read, samples = SOURCES[name][0], SOURCES[name][1]()
    found: dict[str, tuple[int, bytes]] = {}
    worst, began = 0.0, time.process_time()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for number in range(count):
        dice = random.Random(f"{name} {seed} {number}")
        data = mutate(dice.choice(samples), samples, dice)
        what, took = failure(read, data)
        worst = max(worst, took)
        if what and what not in found:
            found[what] = number, data
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory
    print(
        f"{name:22} {count:8} inputs, worst {1000 * worst:6.1f} ms,"
        f" {time.process_time() - began:6.1f} s in all,"
        f" {grown / 1024:5.1f} MB more, {len(found)} failures",
        flush=True,
    )
    for what, (number, data) in found.items():
        small = smallest(read, data, what)
        print(f"  {what}: seed {seed}, input {number}, {len(small)} bytes: {small[:300]!r}")
    return len(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("readers", nargs="*")
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="name the readers")
    options = parser.parse_args()
    if options.list:
        print("\n".join(SOURCES))
        return
    print(f"seed {options.seed}")
    failures = sum(fuzz(name, options.count, options.seed) for name in options.readers or SOURCES)
    if failures:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
