"""Files with a right checksum and wrong contents: one sentence, whatever is in them."""

import gzip
import hashlib
import io
import json
import random
import struct
import tracemalloc
import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plywise
from plywise.arena import openings
from plywise.arena.journal import Journal, encode_line
from plywise.arena.match import Match
from plywise.cli.errors import shorten_warnings
from plywise.cli.terminal.autosave import Autosave
from plywise.core.broken_files import MAX_UNPACKED, refuse_broken, unpack_gzip, unpack_zip
from plywise.core.endgame_index import DIRECTORY_OFFSET, MAX_CODE_BITS, UNIT, DatabaseUnusable
from plywise.core.errors import PlywiseError
from plywise.explain import BadRecord, load, save
from plywise.explain.record_file import CHECKSUM, MAGIC
from plywise.games.checkers.endings import ENDGAMES
from plywise.learn import data as learn_data
from plywise.play.state import start_game
from tests.conftest import Scaled
from tests.explain.trees import recorded
from tests.processor_time import measured
from tests.readers import endgame_bytes, read_endgames

VALUES: list[Any] = [None, True, -1, 1.5, 1 << 70, "", "x", [], [1], {}, {"a": 1}, [[]]]


def test_whatever_is_raised_becomes_one_sentence() -> None:
    for error in (KeyError("a"), RecursionError(), MemoryError(), OSError(28, "full"), ValueError("\n" * 9)):
        with pytest.raises(PlywiseError, match=r"^file x") as refused, refuse_broken("file x", PlywiseError):
            raise error
        assert "\n" not in str(refused.value)


def with_other_header(data: bytes, header: Any) -> bytes:
    """A record's file with another header and the checksum that belongs to it."""
    first, _, rest = data[:-CHECKSUM].partition(b"\n")
    body = first + b"\n" + json.dumps(header).encode() + b"\n" + rest.partition(b"\n")[2]
    return body + hashlib.sha256(body).digest()


def test_a_record_with_wrong_contents_is_refused_or_is_whole(tmp_path: Path, scaled: Scaled) -> None:
    file, dice = tmp_path / "a.record", random.Random(1)
    save(recorded(plywise.load("tic_tac_toe").history(), most=200), file)
    good = file.read_bytes()
    header = json.loads(good.splitlines()[1])
    for name in header:
        for value in VALUES:
            file.write_bytes(with_other_header(good, {**header, name: value}))
            tried(file)
        file.write_bytes(with_other_header(good, {key: header[key] for key in header if key != name}))
        with pytest.raises(BadRecord, match=r"a\.record is damaged: it lacks"):
            load(file)
    for _ in range(scaled(200, 5000)):
        body = bytearray(good[:-CHECKSUM])
        for _ in range(dice.randint(1, 4)):
            body[dice.randrange(len(MAGIC), len(body))] = dice.randrange(256)
        file.write_bytes(bytes(body) + hashlib.sha256(body).digest())
        tried(file)


def tried(file: Path) -> None:
    """A file that is refused in one sentence, or read as a tree that can be walked."""
    try:
        found = load(file)
    except PlywiseError:
        return
    assert sum(one.nodes for one in found.iterations()) == len(found)


FITTING: dict[str, tuple[Any, ...]] = {
    "winner": (None,),
    "moves": ([],),
    "start": ("", "x"),
    "reason": ("", "x"),
    "how": ("", "x"),
}


def test_pairs_that_no_match_has_written_are_played_again(tmp_path: Path) -> None:
    match = Match.of("tic_tac_toe", ["plywise:depth=1", "plywise:depth=2"], pairs=1)
    match.run()
    path = tmp_path / "match"
    journal = Journal.create(path, match.header())
    game = {"sides": [0, 1], "start": "start", "moves": [], "winner": 0, "reason": "", "how": "rules"}
    game["work"] = [[1, 0.1, 1, 1], [1, 0.1, 1, 1]]
    pair = {"pair": 0, "first": 0, "second": 1, "games": [game, {**game, "sides": [1, 0]}]}
    journal.close()
    bad = 0
    with path.open("ab") as file:
        for name in pair:
            for value in VALUES:
                if not (name == "pair" and value == 1 << 70):
                    file.write(encode_line({**pair, name: value}))
                    bad += 1
        for name in game:
            for value in VALUES:
                if value in FITTING.get(name, ()):
                    continue
                file.write(encode_line({**pair, "games": [{**game, name: value}, pair["games"][1]]}))
                bad += 1
        file.write(encode_line(pair))
    journal = Journal.resume(path)
    again = Match.resume(journal)
    assert again.tally.games == 2 and journal.damaged == bad
    assert again.report()
    journal.close()


def test_a_match_with_a_wrong_header_is_refused(tmp_path: Path) -> None:
    match = Match.of("tic_tac_toe", ["plywise:depth=1", "plywise:depth=2"], pairs=1)
    header = {"match": 1, **match.header()}
    for name in header:
        for value in VALUES:
            path = tmp_path / "match"
            path.write_bytes(encode_line({**header, name: value}))
            try:
                Match.resume(Journal.resume(path))
            except PlywiseError:
                pass


def zipped(name: str, data: bytes, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.writestr(name, data)
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt.gz", gzip.compress(b"start")[:-9]),
        ("a.txt.gz", gzip.compress(b"\xff\xfe")),
        ("a.txt.gz", b"\x1f\x8b"),
        ("a.txt.gz", b""),
        ("a.zip", b"PK"),
        ("a.zip", zipped("a.txt", b"\xff\xfe")),
        ("a.zip", zipped("a.txt", b"start")[:-30]),
        ("a.zip", zipped("a.txt", b"start" * 100, zipfile.ZIP_STORED).replace(b"start", b"stary")),
        ("a.zip", io.BytesIO(b"PK\x05\x06" + b"\0" * 18).getvalue()),
        ("a.pgn.gz", gzip.compress(b"1. e5")),
    ],
    ids=range(10),  # archives hold the time at which they were made
)
def test_openings_that_are_none_are_refused(tmp_path: Path, name: str, content: bytes) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(PlywiseError, match="openings"):
        openings.read(plywise.load("chess"), str(file))


def test_a_small_file_does_not_unpack_to_all_the_memory() -> None:
    assert unpack_gzip(gzip.compress(b"a") + gzip.compress(b"b")) == b"ab"
    with pytest.raises(ValueError, match="unpacks to more than 1000 bytes"):
        unpack_gzip(gzip.compress(b"\0" * 100_000), 1000)
    assert MAX_UNPACKED < 1 << 30


def test_a_packed_file_of_many_parts_takes_linear_time() -> None:
    parts = gzip.compress(b"a") * 200_000  # 4 MB; minutes if each part copied the rest
    took, unpacked = measured(lambda: unpack_gzip(parts), 20.0)
    assert len(unpacked) == 200_000 and took < 20.0


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (gzip.compress(b"a" * 100)[:-9], "cut short"),
        (gzip.compress(b"a") + b"junk", "does not unpack"),
        (b"junk", "does not unpack"),
        (gzip.compress(b"a" * 100)[:-8] + b"12345678", "does not unpack"),
    ],
    ids=["cut", "more", "no gzip", "wrong size"],
)
def test_what_is_packed_badly_is_refused_in_a_sentence(data: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        unpack_gzip(data)


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_archive_that_lies_about_its_size_takes_little_memory(method: int) -> None:
    size = 64 << 20
    data = zipped("a.pgn", bytes(size), method).replace(struct.pack("<I", size), struct.pack("<I", 100))
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=r"does not unpack|packed in another way"):
            unpack_zip(data)
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


def test_an_archive_is_read_by_its_first_file() -> None:
    assert unpack_zip(zipped("a.pgn", b"1. e4 *" * 50_000)) == ("a.pgn", b"1. e4 *" * 50_000)
    assert unpack_zip(zipped("a.pgn", b"x", zipfile.ZIP_STORED)) == ("a.pgn", b"x")
    with pytest.raises(ValueError, match="unpacks to more than 1000 bytes"):
        unpack_zip(zipped("a.pgn", bytes(2000)), 1000)
    empty = io.BytesIO()
    zipfile.ZipFile(empty, "w").close()
    with pytest.raises(ValueError, match="no file in it"):
        unpack_zip(empty.getvalue())


def test_an_autosave_that_is_damaged_is_passed_over() -> None:
    game = plywise.load("tic_tac_toe")
    kept = Autosave("tic_tac_toe", game)
    assert kept.save(start_game(game).play({0: ("b2",)}), {})
    for value in [*VALUES, {"game": "tic_tac_toe", "settings": {}, "record": [{"start": "start"}, {"0": 5}]}]:
        other = Autosave("tic_tac_toe", game)
        assert other.save(start_game(game), {})
        assert other.path is not None
        other.path.write_text(json.dumps(value))
    found = Autosave("tic_tac_toe", game).latest()
    assert found is not None and found[1].state.label == "b2"


def test_a_warning_of_plywise_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    usual = warnings.showwarning
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            shorten_warnings()
            for _ in range(2):
                warnings.warn("endgames x: damaged; the search goes on without them", DatabaseUnusable, 1)
    finally:
        warnings.showwarning = usual
    said = capsys.readouterr().err
    assert said == "plywise: warning: endgames x: damaged; the search goes on without them\n"


def test_solved_positions_that_lead_beyond_their_file_are_refused(tmp_path: Path) -> None:
    """The checksum is right, and compiled code would read what is not there."""
    file, good = tmp_path / "checkers.solved", endgame_bytes()
    first = ENDGAMES.index.groups[0].slices[0]
    place = DIRECTORY_OFFSET + 4 * first.number
    start = int.from_bytes(good[place : place + 4], "little") * UNIT
    blocks = start + (2 << MAX_CODE_BITS)

    def problem(at: int, bytes_there: bytes, size: int = len(good)) -> str | None:
        file.write_bytes((good[:at] + bytes_there + good[at + len(bytes_there) :])[:size])
        read_endgames(file)  # gives it the right checksum
        return ENDGAMES.why_unusable(file)

    beyond = "it leads beyond its own end; build it again"
    assert problem(0, b"") is None
    assert problem(place, b"\xff\xff\xff\x7f") == beyond, "a slice"
    assert problem(blocks, b"\xff\xff\xff\xff") == beyond, "a block"
    assert problem(start + 1, b"\xff") == beyond, "the length of a code"
    assert problem(0, b"", len(good) - 4) == beyond, "the end"
    assert problem(0, b"", place) == beyond, "the directory"


def test_positions_with_an_old_header_are_refused_without_a_warning(
    tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    content = io.BytesIO()
    np.save(content, np.zeros(5, np.dtype([("a", "<i8")])))
    (tmp_path / "g1-000000.npy").write_bytes(content.getvalue().replace(b"(5,), ", b"(5L,),"))
    assert learn_data.count_positions(tmp_path, 1) == {}
    with pytest.raises(PlywiseError, match=r"g1-000000\.npy"):
        learn_data.load_batches(tmp_path, [1], np.dtype([("a", "<i8")]))
    assert not recwarn.list
