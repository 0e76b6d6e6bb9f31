"""Mutate real inputs of every reader: no Python exception, no answer after a second, no growth.

    python benchmarks/fuzz_readers.py [READER ...] [--count 100000] [--seed 1] [--list]

The readers and their samples are in tests/readers.py. A mutation works on words, numbers, brackets and single
characters, so that most inputs are nearly right; in JSON also on whole values, of which one takes the place
of another. What fails is made smaller as long as it fails the same way, and printed with the seed that makes
it again.
"""

import argparse
import json
import linecache
import random
import re
import resource
import sys
import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.readers import SOURCES

from plywise.core.errors import PlywiseError

LONGEST = 1.0  # seconds of processor time for one input
TOO_SLOW = "too slow"
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

VALUES: list[Any] = [
    *(None, True, -1, 0, 7, 1.5, 1e308, 1 << 40, -(1 << 70), 10**290),
    *("", "x", "nan", "9" * 400, "\x00", [], [1], ["x"], {}, {"a": 1}, [[]], [0] * 300),
]


@lru_cache(maxsize=1000)
def split(sample: bytes) -> tuple[bytes, ...]:
    """The words of a sample, which is mutated many times."""
    return tuple(WORDS.findall(sample))


def mutate(data: bytes, others: list[bytes], dice: random.Random) -> bytes:
    """A few changes by words, numbers and characters."""
    words = list(split(data))
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
            there = split(dice.choice(others))
            cut = dice.randrange(len(there) + 1)
            words[at:at] = there[cut : cut + dice.randrange(1, 30)]
        elif at < len(words) and words[at]:
            word = bytearray(words[at])
            word[dice.randrange(len(word))] = dice.choice(b"\x00\xff aZ09+-/=:;{}[]()\"'")
            words[at] = bytes(word)
    return b"".join(words)[: 1 << 18]


def mutate_value(data: bytes, dice: random.Random) -> bytes:
    """One value of a line of JSON in the place of another, or a value that does not belong there."""
    lines = data.split(b"\n")
    at = dice.randrange(len(lines))
    try:
        places = list(_places(page := [json.loads(lines[at])]))
    except ValueError:
        return data
    holder, key = dice.choice(places)
    other, there = dice.choice(places)
    kind = dice.randrange(6)
    if kind == 0 and isinstance(holder, dict):
        del holder[key]
    elif kind == 1 and isinstance(holder, list):
        holder.append(holder[key])
    else:
        holder[key] = other[there] if kind == 2 else dice.choice(VALUES)
    try:
        lines[at] = json.dumps(page[0]).encode()
    except (ValueError, IndexError):  # it holds itself, or nothing
        return data
    return b"\n".join(lines)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Where a value is inside of another: the list or object, and the place there."""
    for key, one in value.items() if isinstance(value, dict) else enumerate(value):
        yield value, key
        if isinstance(one, dict | list):
            yield from _places(one)


def is_ours(error: BaseException) -> bool:
    """Whether a line of this package refused the input, in its own words."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    assert trace is not None
    source = trace.tb_frame.f_code.co_filename
    return "plywise" in source and linecache.getline(source, trace.tb_lineno).lstrip().startswith("raise ")


def failure(read: Callable[[bytes], Any], data: bytes) -> tuple[str, float]:
    """What is wrong with the answer to an input, or nothing; and the processor seconds it took."""
    began, words = time.thread_time(), ""
    try:
        read(data)
    except (PlywiseError, ValueError) as error:
        if "\n" in str(error) or len(str(error)) > 3000:
            words = "an error of several lines"
        elif not is_ours(error):
            words = f"Python's own words: {type(error).__name__}"
    except BaseException as error:
        words = type(error).__name__
    took = time.thread_time() - began
    return words or (TOO_SLOW if took > LONGEST else ""), took


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


def mutated_input(name: str, samples: list[bytes], seed: int, number: int) -> bytes:
    """The input of that number for a reader."""
    dice = random.Random(f"{name} {seed} {number}")
    data = dice.choice(samples)
    if data[:1] not in (b"{", b"[") or dice.random() < 0.4:
        return mutate(data, samples, dice)
    for _ in range(dice.choice((1, 1, 2, 3))):
        data = mutate_value(data, dice)
    return data


def fuzz(name: str, count: int, seed: int) -> int:
    """Attack one reader; how many kinds of failure there were."""
    read, samples = SOURCES[name][0], SOURCES[name][1]()
    found: dict[str, tuple[int, bytes]] = {}
    worst, began = 0.0, time.process_time()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for number in range(count):
        data = mutated_input(name, samples, seed, number)
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
