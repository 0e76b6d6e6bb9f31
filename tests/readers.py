"""Every reader of texts and files that may come from a stranger, with real inputs.

`test_untrusted.py` and `benchmarks/fuzz_readers.py` attack them. A reader takes bytes, and may refuse them
by a PlywiseError or by a ValueError of its own. What has a checksum gets the right one here, so that what a
file holds is read.
"""

import base64
import gzip
import hashlib
import io
import json
import os
import random
import tempfile
import zlib
from collections.abc import Callable
from functools import cache
from math import prod
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

import plywise.web.server  # noqa: F401  (registers the requests of a page)
from plywise.arena import openings, player_spec
from plywise.arena.journal import Journal, encode_line
from plywise.arena.match import Match
from plywise.arena.match_view import MatchView
from plywise.arena.time_control import TimeControl
from plywise.cli.terminal.autosave import Autosave
from plywise.core.endgame_index import (
    BLOCK,
    CHECKSUM_OFFSET,
    DIRECTORY_OFFSET,
    MAGIC,
    MARK_OFFSET,
    MAX_CODE_BITS,
    PIECES_OFFSET,
    UNIT,
    checksum,
    value_at,
)
from plywise.core.errors import PlywiseError
from plywise.core.layout import Layout
from plywise.core.net_file import read_net
from plywise.core.registry import load, shipped
from plywise.core.resources import Weights
from plywise.core.untrusted import read_json
from plywise.explain import load as load_record
from plywise.games.checkers import pdn
from plywise.games.checkers.endings import ENDGAMES
from plywise.games.chess.epd import read_epd
from plywise.games.chess.pgn import read_pgn, write_pgn
from plywise.games.skirmish import maps
from plywise.games.skirmish.replay import replay
from plywise.learn import data as learn_data
from plywise.learn.installed import describe_net, installed_nets
from plywise.learn.run import Run
from plywise.learn.run_report import page as report_page
from plywise.learn.run_state import Generation, Settings
from plywise.learn.run_view import read_run
from plywise.learn.selfplay import row_layout
from plywise.learn.teacher import parse_teacher
from plywise.learn.tune import Tuning
from plywise.play import game_text
from plywise.play.seat import read_seat
from plywise.play.state import start_game
from plywise.protocols.polyglot import Book
from plywise.search.margins import MARGINS, read_margins
from plywise.search.solve_folder import SolveFolder
from plywise.web import best_move, study_text
from plywise.web.game_link import read_link
from plywise.web.hub import Hub
from plywise.web.live.game import LiveGame
from plywise.web.live.state_payload import summary
from plywise.web.live.tree import PERSON
from plywise.web.schema import REQUESTS, check_fields, parse_message
from plywise.web.store import Row, Store
from tests.arena.hear_engine import UCI_SAYS, XBOARD_SAYS, hear
from tests.core.test_repr_text import STICKS
from tests.games.skirmish.test_replay import episode
from tests.web.messages import message

PGN = b"""[Event "A {b}"]
[Site "?"]
[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]

1. e4 {a ; } e5 $1 2. Nf3 (2. f4 exf4 (2... d5 3. exd5) 3. Nf3) 2... Nc6 3. Bb5 a6?! ; rest
4. O-O Nf6 1/2-1/2
"""
PDN = b"""[Event "x"]
[Result "1/2-1/2"]

1. 11-15 $1 {old} 22-18 (1... 23-19 {bold} 2. 8-11 (2. 9-14 $2)) 2. 15x22 25x18 1/2-1/2
"""
PDN_POSITION = b'[FEN "B:W21,22,K30:B1,2,K9"]\n1. 9-13 22-18 *\n'
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
    path.parent.mkdir(exist_ok=True)

    def read_bytes(data: bytes) -> Any:
        path.write_bytes(data)
        return read(path)

    return read_bytes


def of_text(read: Callable[[str], Any]) -> Callable[[bytes], Any]:
    return lambda data: read(data.decode("utf-8", "replace"))


def ask(text: str) -> None:
    """Read a message of a page and the fields of its request."""
    message = parse_message(text)
    if message.request is not None:
        check_fields(message.request.name, message.request.fields, message.fields)


def messages() -> list[bytes]:
    """A message for each request of a page."""
    found = [json.dumps({"id": n, **message(one, "a" * 16)}).encode() for n, one in enumerate(REQUESTS)]
    return [MESSAGE, *found]


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


# --- folders and checksums ---------------------------------------------------------------------------
def in_folder(read: Callable[[Path], Any], name: str) -> Callable[[bytes], Any]:
    """A reader of a folder as a reader of one of its files."""
    return from_file(lambda path: read(path.parent), name)


def with_checksums(data: bytes) -> bytes:
    """Lines of JSON as a journal has them."""
    return b"".join(b"%08x %s\n" % (zlib.crc32(line), line) for line in data.split(b"\n") if line)


def read_match(path: Path) -> None:
    """Watch a match as the page does, and go on with it."""
    path.write_bytes(with_checksums(path.read_bytes()))
    problem: PlywiseError | None = None
    try:
        view = MatchView(path)
        json.dumps([view.summary(), view.data()], allow_nan=False)
        view.refresh()
        if view.tally.games:
            view.pair(0)
    except PlywiseError as error:
        problem = error
    journal = Journal.resume(path)
    try:
        Match.resume(journal).report()
    finally:
        journal.close()
    if problem is not None:
        raise problem


def match_lines() -> bytes:
    return b"\n".join(line.partition(b" ")[2] for line in match_bytes().splitlines())


def record_parts() -> tuple[bytes, bytes, bytes]:
    """The first line of a record, its header and the rest, without the checksum."""
    first, header, rest = record_bytes()[:-32].split(b"\n", 2)
    return first, header, rest


def read_record_header(path: Path) -> Any:
    first, _, rest = _kept(record_parts)
    body = b"\n".join((first, path.read_bytes().replace(b"\n", b" "), rest))
    path.write_bytes(body + hashlib.sha256(body).digest())
    return load_record(path)


def read_endgames(path: Path) -> None:
    """Solved positions; what is accepted is read where a search would read it."""
    content = bytearray(path.read_bytes().ljust(DIRECTORY_OFFSET, b"\0"))
    content[: len(MAGIC)], content[MARK_OFFSET:CHECKSUM_OFFSET] = MAGIC, ENDGAMES.index.mark("checkers")
    content[CHECKSUM_OFFSET:DIRECTORY_OFFSET] = checksum(bytes(content))
    path.write_bytes(bytes(content))
    if ENDGAMES.why_unusable(path) is None:
        for one in ENDGAMES.index.groups[0].slices:
            for i in (0, one.size // 2, one.size - 1):
                value_at(bytes(content), one.number, one.size, i)


def endgame_bytes() -> bytes:
    """A file with one slice, all of whose positions are drawn: each is one bit."""
    slices = [one for group in ENDGAMES.index.groups for one in group.slices]
    first, count = ENDGAMES.index.groups[0].slices[0], 1 + max(one.number for one in slices)
    start = -(-(DIRECTORY_OFFSET + 4 * count) // UNIT) * UNIT
    directory = bytearray(start)
    directory[PIECES_OFFSET] = 2
    place = DIRECTORY_OFFSET + 4 * first.number
    directory[place : place + 4] = (start // UNIT).to_bytes(4, "little")
    blocks = b"".join((i * BLOCK).to_bytes(4, "little") for i in range(-(-first.size // BLOCK)))
    return bytes(directory) + b"\0\1" * (1 << MAX_CODE_BITS) + blocks + bytes(first.size // 8 + 5)


@cache
def _kept(make: Callable[[], Any]) -> Any:
    """What is made once."""
    return make()


def read_learning_run(folder: Path) -> None:
    """Watch a run as the page does, and go on with it."""
    problem: PlywiseError | None = None
    try:
        json.dumps(read_run(folder), allow_nan=False)
    except PlywiseError as error:
        problem = error
    run = Run.resume(folder, compiled=False)
    run.data()
    report_page(run)
    if problem is not None:
        raise problem


def run_bytes() -> bytes:
    folder = Path(tempfile.mkdtemp())
    run = Run.create(folder, Settings("connect_four", 1.0), compiled=False)
    run.generations.append(Generation(1, 128, 5000, 12.5, True, 0.004))
    run.save()
    page = json.loads((folder / "run.json").read_text())
    page["generations"][0]["epochs"] = [{"number": 1, "loss": 0.25, "held_out": 0.26}]
    page["generations"][0]["screen"] = {
        "games": 40,
        "wins": 20,
        "draws": 5,
        "losses": 15,
        "elo": 30.5,
        "error": 80.1,
        "control": "1000 nodes a move",
        "verdict": "open",
    }
    return json.dumps(page).encode()


def batch_dtype() -> Any:
    return np.dtype(list(row_layout(2).fields))


def batch_bytes() -> bytes:
    content = io.BytesIO()
    np.save(content, np.zeros(5, batch_dtype()))
    return content.getvalue()


def read_batch(folder: Path) -> None:
    learn_data.count_positions(folder, 1)
    learn_data.load_batches(folder, [1], batch_dtype())


def read_tuning(folder: Path) -> None:
    tuning = Tuning.open(folder, "connect_four", TimeControl(nodes=100), 1)
    tuning.players()
    tuning.numbers()


def tune_bytes() -> bytes:
    folder = Path(tempfile.mkdtemp())
    Tuning.open(folder, "connect_four", TimeControl(nodes=100), 1)
    return (folder / "tune.json").read_bytes()


def round_bytes() -> bytes:
    values = {name: float(margin.default) for name, margin in MARGINS.items()}
    one = {"round": 1, "games": 16, "points": 0.5, "seconds": 2.5, "values": values}
    return b"".join(json.dumps({**one, "round": n}).encode() + b"\n" for n in (1, 2))


def read_rounds(folder: Path) -> None:
    (folder / "tune.json").write_bytes(_kept(tune_bytes))
    read_tuning(folder)


def read_solving(folder: Path) -> None:
    SolveFolder(folder, load("tic_tac_toe").history()).close()


def solve_bytes() -> bytes:
    folder = Path(tempfile.mkdtemp())
    SolveFolder(folder, load("tic_tac_toe").history()).close()
    return (folder / "solve.json").read_bytes()


def read_installed(path: Path) -> None:
    os.environ["PLYWISE_DATA"] = str(path.parent.parent)
    for name, origin in installed_nets():
        describe_net(name, origin)


def installed_bytes() -> bytes:
    return json.dumps({"origin": {"generation": 2, "games": 1280, "positions": 50_000}}).encode()


def read_autosave(path: Path) -> None:
    os.environ["PLYWISE_DATA"] = str(path.parent.parent)
    Autosave("tic_tac_toe", load("tic_tac_toe")).latest()


def autosave_bytes() -> bytes:
    record = start_game(load("tic_tac_toe")).play({0: ("b2",)}).serialise()
    return json.dumps({"game": "tic_tac_toe", "settings": {}, "record": record}).encode()


# --- the page ------------------------------------------------------------------------------------------
class ForgetfulStore(Store):
    """Games that are made are not kept."""

    def count(self, owner: str) -> int:
        return 0

    def add(self, row: Row) -> Row:
        return row


def hub() -> Hub:
    return Hub(ForgetfulStore(Path(tempfile.mkdtemp(), "games.sqlite")))


def played_game(name: str) -> LiveGame:
    """A game of two moves, of which the second is a variation."""
    saved = Hub(Store(Path(tempfile.mkdtemp(), "games.sqlite")))
    made = saved.new_game("me", name, [PERSON, PERSON], start_game(load(name)))
    moves = load(name).history().moves
    made.play(0, moves[0])
    if load(name).world is None:
        made.play(0, moves[1])
    return made


def import_game(game: str) -> Callable[[str], Any]:
    return lambda text: study_text.import_study(_kept(hub), "me", game, text)


def study_bytes(name: str) -> bytes:
    """A game with a variation as JSON."""
    return study_text.write_json(played_game(name), {"Event": "x"}).encode()


def open_saved(data: bytes) -> None:
    """Open a game whose row of the store says this."""
    found = read_json(data.decode("utf-8", "replace"))
    if not isinstance(found, list) or len(found) != 3 or not all(isinstance(one, dict) for one in found):
        return  # the store hides such rows
    settings, state, body = found
    row = Row("a", "me", "connect_four", settings, state, {}, nodes=((1, 0, body),))
    made = _kept(hub).load(row)
    json.dumps([made.state_payload(), summary(made)], allow_nan=False)


def row_bytes() -> bytes:
    row = played_game("connect_four").to_row()
    return json.dumps([row.settings, row.state, row.nodes[0][2]]).encode()


def ask_best_move(text: str) -> None:
    _, given = best_move._read_question(text)
    if "error" not in given:
        best_move.read_question(_kept(hub), given)


def set_up(text: str) -> None:
    """The editor, with what a page may send it."""
    message = parse_message(text)
    if message.request is None or message.request.name != "set up":
        return
    fields = check_fields("set up", message.request.fields, message.fields)
    message.request.handler(SimpleNamespace(hub=SimpleNamespace(game=load)), **fields)


def setups() -> list[bytes]:
    some: list[dict[str, Any]] = [
        {"game": "chess", "cells": [{"cell": 12, "piece": None}, {"cell": 0, "piece": None}], "turn": 1},
        {"game": "chess", "cells": [{"cell": 30, "piece": 3}, {"cell": 51, "piece": None}]},
        {"game": "chess", "details": [{"name": "White O-O", "value": False}]},
        {"game": "checkers", "cells": [{"cell": 1, "piece": None}], "turn": 0, "details": []},
        {"game": "connect_four", "turn": 0},
        {"game": "polis", "cells": [{"cell": 3, "piece": None}]},
        {"game": "skirmish", "turn": 0},
        {"game": "tic_tac_toe", "cells": [{"cell": 3, "piece": 0}], "turn": 1},
    ]
    return [json.dumps({"id": 1, "do": "set up", "position": "start", **one}).encode() for one in some]


def again(text: str) -> None:
    """Read games, write them, and read them again: what was understood stays the same."""
    for record in read_pgn(text):
        if not record.problems:
            (other,) = read_pgn(write_pgn(record))
            assert [one.move for one in other.steps] == record.moves, "the moves have changed"


def link_bytes() -> bytes:
    """The data of a link that carries a game."""
    return base64.urlsafe_b64encode(zlib.compress(PGN, 9)).rstrip(b"=")


def read_openings(path: Path) -> None:
    found = openings.read(load("chess"), str(path))
    openings.check(load("chess"), found[:100], "o")


def recording_bytes() -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in episode("2fva", 3))


def net_bytes(form: str) -> bytes:
    """A net all of whose numbers are 0."""
    from plywise.core.net_file import write_net
    from plywise.learn.shapes import shape_of

    game, path = load("connect_four"), Path(tempfile.mkdtemp(), "net.json")
    shape = shape_of(game, 16, form=form)
    sizes = {name: prod(more[0]) if more else 0 for name, _, *more in shape.layout.fields}
    values = {name: [0] * size if size else 0 for name, size in sizes.items()}
    write_net(path, game, shape, values, {"made": "by hand"})
    return path.read_bytes()


def use_net(path: Path) -> None:
    shape, _ = read_net(load("connect_four"), path)
    Weights(shape.layout, path).values()


WEIGHTS = b'{"unit": 100, "origin": "x", "values": {"a": 5, "b": [1, 2]}}'
SOURCES: dict[str, tuple[Callable[[bytes], Any], Callable[[], list[bytes]]]] = {
    "pgn": (of_text(again), lambda: [PGN]),
    "pdn": (of_text(pdn.read), lambda: [PDN, PDN_POSITION]),
    "epd": (of_text(read_epd), lambda: [FEN.rsplit(b" ", 2)[0] + b' bm Nf6; id "a b"; acd 12; pv Nf6 d3;']),
    "map": (of_text(maps.read), lambda: [b"F..T.\n.A.TT\nunit 1,1 id=3 health=20\narcher 2,1\n", b"FA"]),
    "json": (of_text(read_json), lambda: [WEIGHTS, MESSAGE]),
    "message": (of_text(ask), messages),
    "player": (
        of_text(player_spec.parse),
        lambda: [b"plywise:depth=5,nodes=100,level=3", b"uci:./x --y,name=Z"],
    ),
    "clock": (
        of_text(TimeControl.parse),
        lambda: [b"10+0.1", b"40/60", b"60", b"40/60.5+0.25", b"cpu=0.5"],
    ),
    "weights": (
        from_file(lambda path: Weights(Layout(("a", "i8"), ("b", "i8", (2,))), path).values(), "w.json"),
        lambda: [WEIGHTS],
    ),
    "book": (
        from_file(lambda path: Book(path, 1)(load("chess").history()), "b.bin"),
        lambda: [bytes(range(160))],
    ),
    "recording": (
        from_file(replay, "r.jsonl"),
        lambda: [recording_bytes(), gzip.compress(recording_bytes(), mtime=0)],
    ),
    "record": (from_file(load_record, "a.record"), lambda: [record_bytes()]),
    "journal": (from_file(resume, "m"), lambda: [match_bytes()]),
    "margins": (
        from_file(lambda path: read_margins(path, "chess"), "m.json"),
        lambda: [b'{"game": "chess", "version": 1, "origin": "x", "values": {"reduction_min_ply": 3}}'],
    ),
    "net": (from_file(use_net, "n.json"), lambda: [net_bytes("replacing")]),
    "pattern-net": (from_file(use_net, "n.json"), lambda: [net_bytes("patterns")]),
    "link": (of_text(read_link), lambda: [link_bytes()]),
    "seat": (
        of_text(lambda text: read_seat(load("chess"), text)),
        lambda: [b"person", b"level=3", b"elo=1500", b"alphabeta,evaluator=shannon,plies=3"],
    ),
    "match": (from_file(read_match, "a.match"), lambda: [match_lines()]),
    "record-header": (from_file(read_record_header, "a.record"), lambda: [record_parts()[1]]),
    "endgames": (from_file(read_endgames, "checkers.solved"), lambda: [endgame_bytes()]),
    "run": (in_folder(read_learning_run, "run.json"), lambda: [run_bytes()]),
    "batch": (in_folder(read_batch, "g1-000000.npy"), lambda: [batch_bytes()]),
    "tuning": (in_folder(read_tuning, "tune.json"), lambda: [tune_bytes()]),
    "rounds": (in_folder(read_rounds, "rounds.jsonl"), lambda: [round_bytes()]),
    "solving": (in_folder(read_solving, "solve.json"), lambda: [solve_bytes()]),
    "installed": (from_file(read_installed, "learned/chess.json"), lambda: [installed_bytes()]),
    "autosave": (from_file(read_autosave, "terminal/tic_tac_toe.1.json"), lambda: [autosave_bytes()]),
    "players": (
        from_file(lambda path: player_spec.read_players([f"@{path}"]), "players.txt"),
        lambda: [b"plywise:depth=5 # strong\nuci:./x,name=Z\n\nplywise:level=3,name=Z\n"],
    ),
    "teacher": (of_text(parse_teacher), lambda: [b"uci:./x --y,nodes=100", b"xboard:x,depth=3"]),
    "uci-engine": (of_text(hear("uci")), lambda: [UCI_SAYS]),
    "xboard-engine": (of_text(hear("xboard")), lambda: [XBOARD_SAYS]),
    "chess-study": (of_text(import_game("chess")), lambda: [PGN, study_bytes("chess")]),
    "checkers-study": (of_text(import_game("checkers")), lambda: [PDN, study_bytes("checkers")]),
    "polis-study": (of_text(import_game("polis")), lambda: [study_bytes("polis")]),
    "skirmish-study": (of_text(import_game("skirmish")), lambda: [study_bytes("skirmish")]),
    "saved-game": (open_saved, lambda: [row_bytes()]),
    "question": (
        of_text(ask_best_move),
        lambda: [
            b'{"id": 3, "game": "chess", "position": "start", "seat": "level=3", "side": 0}',
            b'{"game": "skirmish", "position": "start", "seat": "nodes=100", "side": 1}',
        ],
    ),
    "set-up": (of_text(set_up), setups),
    "repr-position": (of_text(STICKS.history), lambda: [b"Sticks(left=7, turn=1) moves 3", b"Sticks(7, 1)"]),
    "openings": (from_file(read_openings, "o.pgn.gz"), lambda: [gzip.compress(PGN, mtime=0)]),
    "opening-lines": (
        from_file(read_openings, "o.txt"),
        lambda: [b"start moves e2e4 e7e5 # open\n" + FEN + b"\n" + FEN.rsplit(b" ", 2)[0] + b" bm Nf6;\n"],
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
