"""Whatever text comes from outside, every reader answers or refuses it within a second."""

import ast
import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import plywise
import plywise.web.server
from fuzz_readers import TOO_SLOW, failure, mutated_input
from plywise.arena import player_spec
from plywise.cli.arguments import whole_option
from plywise.core.errors import PlywiseError
from plywise.core.layout import Layout
from plywise.core.registry import load
from plywise.core.resources import BadWeights, Weights
from plywise.core.untrusted import MAX_GAME_PLIES, MAX_TEXT, read_json, whole_number
from plywise.games.checkers import pdn
from plywise.games.chess.epd import read_epd
from plywise.games.chess.pgn import read_pgn, write_pgn
from plywise.games.skirmish import maps
from plywise.games.skirmish.replay import replay
from plywise.play import game_text
from plywise.web.schema import parse_message
from tests.conftest import Scaled
from tests.processor_time import measured
from tests.readers import SOURCES

LONGEST = 1.0  # seconds of processor time
# A file of many games is read whole. 130,000 empty games take 0.4 to 1 s by this clock, so a bound of 1 s was
# met by chance.
LONGEST_COLLECTION = 5.0
FULL = MAX_TEXT - 100
FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"


def filled(*parts: str) -> str:
    """As much of a repeated text as is read at all; with three parts: what leads in and what ends it."""
    lead, item, end = parts if len(parts) == 3 else ("", parts[0], "")
    return lead + item * ((FULL - len(lead) - len(end)) // len(item)) + end


# A game with 165 legal moves: 3,000 of its plies are the most that is read, each in a position with many.
QUEENS = "Q3QNbk/2r1R1pp/7Q/3QnQn1/1Q6/2Q5/R3QQ1B/KNB1r3 w - - 0 1"
ROOKS = ["e7e6", "e1d1", "e6e7", "d1e1"] * (MAX_GAME_PLIES // 4)
ROOKS_SAN = ["Re6", "Rd1", "Re7", "Re1"] * (MAX_GAME_PLIES // 4)
ROOK_RECORD = [{"start": QUEENS}, *({str(i % 2): [move]} for i, move in enumerate(ROOKS_SAN))]
ROOK_STUDY = [[i, {str(i % 2): [move]}, {}] for i, move in enumerate(ROOKS)]
KNIGHTS = [{"0": ["Nf3"]}, {"1": ["Nf6"]}, {"0": ["Ng1"]}, {"1": ["Ng8"]}]
TEXTS = {
    "checks": "e4" + 40 * "+" + "x",
    "many checks": filled("e4", "+", "x"),
    "en passant": filled("e4", "ep", "x"),
    "short tag": "[A" + 2_000 * " " + "x",
    "tag": "[A" + 120_000 * " " + "x",
    "tag of backslashes": filled('[A "', "\\", "x"),
    "tags": filled("[A\n"),
    "tags in a row": filled("", '[A "b"]', "x"),
    "tags with positions": filled(f'[FEN "{FEN}"]\n'),
    "digits": 30_000 * "1",
    "more digits": filled("1"),
    "digits and blanks": filled("1 "),
    "halves of moves": filled("1- "),
    "long capture": filled("1x"),
    "numbers": filled("1."),
    "[": filled("["),
    "<": filled("<"),
    "{": filled("{"),
    "(": filled("("),
    ")": filled(")"),
    "e4 (": filled("e4 ("),
    "e4 ()": filled("1. e4 ", "()", ""),
    "comments": filled("1. e4 ", "{a}", ""),
    "comments and variations": filled("1. e4 ", "{a}(d4)", ""),
    "nag": "1. e4 $" + 5_000 * "1",
    "nags": filled("1. e4 ", "$1", ""),
    "plies": " ".join(["Nf3", "Nf6", "Ng1", "Ng8"] * 15_500),
    "more plies": filled("Nf3 Nf6 Ng1 Ng8 "),
    "plies of checkers": filled('[FEN "B:WK32:BK1"]\n', "1-5 32-28 5-1 28-32 ", ""),
    "results": filled("* "),
    "games": filled("1. Nf3 Nf6 2. Ng1 Ng8 " * 100 + "1/2-1/2\n"),
    "blanks": filled(" "),
    "lines": filled("\n"),
    "percent": filled("%\n"),
    "quotes": filled('"'),
    "moves": filled("start moves ", "e4 e5 ", ""),
    "moves without end": filled("start moves ", "g1f3 g8f6 f3g1 f6g8 ", ""),
    "one long move": filled("start moves ", "a", ""),
    "ranks": filled("8/"),
    "operations": filled(f"{FEN} ", "a;", ""),
    "operands": filled(f"{FEN} a ", "b ", ""),
    "quoted operand": filled(f'{FEN} a "', "\\", ""),
    "best moves": filled(f"{FEN} bm ", "e4 ", ";"),
    "line of play": filled(f"{FEN} pv ", "Nf3 Nf6 Ng1 Ng8 ", ";"),
    "counters": filled(f"{FEN} ", "1", " 1"),
    "pieces of checkers": filled("B:W", "1,", ""),
    "commas": filled("B:W", ",", ""),
    "colons": filled("B:"),
    "rows": filled("99T"),
    "more rows": filled("1/"),
    "one row": filled("T"),
    "units": filled("5x5 ", "F- ", ""),
    "more units": filled("5x5 ", "F1,1:1 ", ""),
    "map": filled("F" * 200 + "\n"),
    "trees": filled("T" * 200 + "A\n"),
    "line of a map": filled("FA\nunit 0,0", " ", "x"),
    "ids": filled("F" * 100_000 + "A\n", "unit 0,0 id=1\n", ""),
    "ids in a row": filled("FA\nunit 0,0", " id=1", ""),
    "long id": filled("FA\nunit 0,0 id=", "1", ""),
    "archers": filled("F" * 50_000 + "." * 1_000 + "\n", "archer 1,1\n", ""),
    "command": filled("uci:", "a", ""),
    "quoted command": filled("uci:'", "a ", "'"),
    "option of a player": filled("plywise:", "(", ""),
    "JSON": filled("["),
    "JSON of objects": filled('{"a":'),
    "JSON of a number": filled('{"game": ', "1", "}"),
    "record": json.dumps({"game": "chess", "record": [{"start": "start"}, *([{"0": ["e4"]}] * 15_000)]}),
    "queens": f'[FEN "{QUEENS}"]\n' + " ".join(ROOKS_SAN),
    "queens by squares": f'[FEN "{QUEENS}"]\n' + " ".join(ROOKS),
    "variations of queens": filled(f'[FEN "{QUEENS}"]\n1. e7e6 ', "(e7e6)", ""),
    "moves of queens": " ".join([QUEENS, "moves", *ROOKS_SAN]),
    "moves of queens and a wrong one": " ".join([QUEENS, "moves", *ROOKS_SAN[:-1], "Ra8"]),
    "line of queens": " ".join([*QUEENS.split()[:4], "pv", *ROOKS, ";"]),
    "best moves of queens": " ".join([*QUEENS.split()[:4], "bm", *ROOKS[:1] * MAX_GAME_PLIES, ";"]),
    "record of queens": json.dumps({"game": "chess", "record": ROOK_RECORD}),
    "study of queens": json.dumps(
        {"game": "chess", "record": ROOK_RECORD, "study": {"comment": "", "tip": 0, "nodes": ROOK_STUDY}}
    ),
    "record of knights": json.dumps({"game": "chess", "record": [{"start": "start"}, *(KNIGHTS * 2_500)]}),
}


def followed(name: str) -> Callable[[str], Any]:
    return lambda text: load(name).history(text)


def imported(name: str) -> Callable[[str], Any]:
    return lambda text: game_text.read(load(name), text)


def moved(name: str) -> Callable[[str], Any]:
    return lambda text: load(name).read_move(load(name).start(), text)


GAMES = ("chess", "checkers", "polis", "skirmish", "connect_four", "tic_tac_toe")
READERS: dict[str, Callable[[str], Any]] = {
    "first PGN": lambda text: next(iter(load("chess").formats["pgn"].read(text)), None),
    "first PDN": lambda text: next(iter(load("checkers").formats["pdn"].read(text)), None),
    "EPD": read_epd,
    "map": maps.read,
    "JSON": read_json,
    "number": whole_number,
    **{f"{name} position": followed(name) for name in GAMES},
    **{f"{name} import": imported(name) for name in GAMES},
    **{f"{name} move": moved(name) for name in GAMES},
}

COLLECTIONS = ("pgn", "pdn")  # of whole games, each of which has its bounds; see below
OTHERS = sorted(
    name
    for name in SOURCES
    if name not in COLLECTIONS and (not name.startswith(GAMES) or name.endswith("-study"))
)
# Where texts and files are read: the readers of tests/readers.py that attack it, or why nobody can.
PLACES: dict[str, tuple[str, ...] | str] = {
    "arena/export.py": "it writes",
    "arena/journal.py": ("journal", "match"),
    "arena/match_view.py": ("match",),
    "arena/openings.py": ("openings", "opening-lines"),
    "arena/player_spec.py": ("players",),
    "arena/setup.py": "files are sent to workers as they are",
    "arena/worker.py": "the messages of our own workers",
    "arena/world_match.py": ("map",),
    "check/child.py": "the messages of our own child",
    "cli/__init__.py": "the null device",
    "cli/doctor.py": "a file of the system",
    "cli/new_game.py": "templates of the package",
    "cli/picture.py": ("chess-import",),
    "cli/serve.py": "our own server answers, or whoever is there is not asked again",
    "cli/terminal/autosave.py": ("autosave",),
    "cli/terminal/commands.py": ("chess-import",),
    "core/broken_files.py": ("weights", "net", "margins"),
    "core/endgame_index.py": ("endgames",),
    "core/file_lock.py": "a lock has no contents",
    "core/game.py": "the rules of an installed game",
    "core/net_file.py": ("net", "pattern-net"),
    "core/piece_svg.py": "a picture of the package",
    "core/registry.py": "games are Python: see docs/security.md",
    "core/repr_text.py": ("repr-position",),
    "core/resources.py": ("weights",),
    "core/untrusted.py": ("json",),
    "endgames/build.py": ("endgames",),
    "explain/record_file.py": ("record", "record-header"),
    "games/chess/opening_names.py": "a file of the package",
    "games/chess/polyglot.py": "a table of the package",
    "games/skirmish/maps.py": ("map",),
    "games/skirmish/replay.py": ("recording",),
    "learn/data.py": ("batch",),
    "learn/installed.py": ("installed",),
    "learn/run.py": ("run",),
    "learn/run_view.py": ("run",),
    "learn/tune.py": ("tuning", "rounds"),
    "native/digest.py": "sources, of which only digests are made",
    "native/disk_cache.py": "the user's own compile cache: see docs/security.md",
    "native/own_methods.py": "code that it writes itself",
    "native/prebuilt.py": "compiled code of the package",
    "play/engine_pool.py": "the messages of our own compiler",
    "play/game_text.py": ("chess-import", "skirmish-import"),
    "protocols/channel.py": "it writes",
    "protocols/polyglot.py": ("book",),
    "search/margins.py": ("margins",),
    "search/solve_folder.py": ("solving",),
    "web/best_move.py": ("question",),
    "web/schema.py": ("message",),
    "web/store.py": ("saved-game",),
    "web/study_text.py": ("chess-study", "checkers-study"),
}
READING_METHODS = ("read_text", "read_bytes", "memmap", "fromfile")
READING_FUNCTIONS = (
    *(
        "open",
        "read_text_file",
        "read_json",
        "json.load",
        "json.loads",
        "np.load",
        "pickle.load",
        "pickle.loads",
        "gzip.open",
    ),
    *("zipfile.ZipFile", "sqlite3.connect", "marshal.loads", "ast.literal_eval", "path.open", "eval", "exec"),
)


def reads(source: str) -> bool:
    """Whether a module reads files, or turns texts into values."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            if name.endswith(tuple(f".{method}" for method in READING_METHODS)):
                return True
            if name in READING_FUNCTIONS or re.fullmatch(r".*(path|PATH|file|Path\(.*\))\.open", name):
                return True
    return False


def test_every_place_that_reads_is_attacked_or_says_why_not() -> None:
    """Whoever reads something new adds a reader to tests/readers.py, and names it in PLACES."""
    root = Path(plywise.__file__).parent
    found = {
        str(path.relative_to(root).as_posix())
        for path in root.rglob("*.py")
        if "templates" not in path.parts and reads(path.read_text(encoding="utf-8"))
    }
    assert found == set(PLACES)
    for place, readers in PLACES.items():
        if isinstance(readers, tuple):
            assert set(readers) <= set(SOURCES), place


@pytest.mark.parametrize("reader", SOURCES)
def test_mutated_inputs_are_read_or_refused_in_a_sentence(reader: str, scaled: Scaled) -> None:
    read, samples = SOURCES[reader][0], SOURCES[reader][1]()
    refused = [sample for sample in samples if read_or_refused(read, sample)]
    if reader.endswith("-move"):  # most are of later positions
        refused = [] if len(refused) < len(samples) else refused
    assert not refused, "a mutation of what is refused already finds little"
    is_long = max(map(len, samples)) > 100_000
    for number in range(scaled(60, 1000) // (20 if is_long else 1)):
        data = mutated_input(reader, samples, 1, number)
        problem, _ = failure(read, data)
        if problem == TOO_SLOW:  # on this machine, now: those of a real file, again and again, are below
            assert measured(lambda data=data: read_or_refused(read, data), 10.0)[0] < 10.0, data[:300]  # type: ignore[misc]
            continue
        assert not problem, f"{problem}: {data[:300]!r}"


@pytest.mark.parametrize("reader", READERS)
def test_every_text_is_read_or_refused_within_a_second(reader: str, scaled: Scaled) -> None:
    read = READERS[reader]
    read_or_refused(read, "")
    for name, text in list(TEXTS.items())[:: scaled(3, 1)]:
        took, said = measured(lambda text=text: read_or_refused(read, text), LONGEST)  # type: ignore[misc]
        assert took < LONGEST, f"{name}: {took:.2f} s"
        assert len(said) < 1_500 and "\n" not in said, f"{name}: {said[:2_000]}"


@pytest.mark.parametrize("reader", OTHERS)
def test_every_file_is_read_or_refused_within_a_second(reader: str, scaled: Scaled) -> None:
    """As much as is read of a text, and a real file again and again until it is as long."""
    read, samples = SOURCES[reader]
    files = [text.encode() for text in list(TEXTS.values())[:: scaled(6, 1)]]
    if reader != "openings":  # a collection, too
        files += [sample * (FULL // len(sample)) for sample in samples()]
    if reader in ("player", "seat"):
        files += [TEXTS[name].encode() for name in ("command", "quoted command", "option of a player")]
    for data in files:
        took, said = measured(lambda data=data: read_or_refused(read, data), LONGEST)  # type: ignore[misc]
        assert took < LONGEST, f"{data[:40]!r}: {took:.2f} s"
        assert len(said) < 3_000 and "\n" not in said, f"{data[:40]!r}: {said[:2_000]}"


def read_or_refused(read: Callable[[Any], Any], given: str | bytes) -> str:
    try:
        read(given)
    except (PlywiseError, ValueError) as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", sorted(set(TEXTS) - {"games"}))
def test_a_collection_without_long_games_is_read_whole(name: str) -> None:
    """All games at once, as from a file: linear, and with the bound of plies for each."""
    for read in (read_pgn, pdn.read):
        took, _ = measured(lambda read=read: read(TEXTS[name]), LONGEST_COLLECTION)  # type: ignore[misc]
        assert took < LONGEST_COLLECTION, f"{read}: {took:.2f} s"


def test_a_game_that_is_too_long_is_named_and_the_next_one_is_read() -> None:
    long, short = read_pgn(TEXTS["plies"] + " 1-0\n\n1. e4 e5 1/2-1/2\n")
    assert len(long.steps) == MAX_GAME_PLIES
    assert long.problems == [f"line 1: a game may have {MAX_GAME_PLIES} moves, those of variations included"]
    assert len(short.steps) == 2 and not short.problems
    with pytest.raises(PlywiseError, match=f"a game may have {MAX_GAME_PLIES} moves, not"):
        load("chess").history(TEXTS["moves without end"])


def test_what_is_too_large_is_refused_before_it_is_read() -> None:
    text = "x" * (MAX_TEXT + 1)
    for read in (followed("chess"), imported("chess"), read_epd, maps.read):
        with pytest.raises((PlywiseError, ValueError), match="may have 262144 characters, not 262145"):
            read(text)


@pytest.mark.parametrize("text", ["", "+1", "1_0", " 1", "٣", "²", "1.0", "x", "9" * 30, "9" * 5_000, "33"])
def test_a_whole_number_has_digits_and_bounds(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no whole number|is not from 1 to 32"):
        whole_number(text, 1, 32)
    assert whole_number("00032", 1, 32) == 32
    assert whole_number("-7", -9, 9) == -7


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it is no JSON from line 1, column 1 on"),
        ('{"a":\n 1,}', "it is no JSON from line 2, column 4 on"),
        ("9" * 5_000, "a number may have 300 digits, not 5000"),
        ("[1e999]", "1e999 is too large for a number"),
        ("[" * 100_000, "it is nested too deep"),
        ("NaN", "NaN is no number"),
        (r'{"a": "\ud800"}', "it has half a character, which no text has"),
        ('["\udcff"]', "it has half a character, which no text has"),
    ],
)
def test_what_is_no_json_is_refused_in_our_own_words(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as error:
        read_json(text)
    assert type(error.value) is ValueError
    message = parse_message(text).error
    assert message == f"a message must be one JSON object: {reason}"


def test_variations_may_be_nested_deep() -> None:
    text = "1. e4 " + "(1. d4 " * 1_000 + ")" * 1_000 + " *"
    (record,) = read_pgn(text)
    assert not record.problems
    (again,) = read_pgn(write_pgn(record))
    depth, steps = 0, again.steps
    while steps[0].variations:
        depth, steps = depth + 1, steps[0].variations[0]
    assert depth == 1_000


@pytest.mark.parametrize(
    "text",
    ["", "5", "null", "[]", '{"values": 5}', '{"values": null}', "[" * 100_000, '{"values": {"x": 1e999}}'],
)
def test_weights_that_are_none_are_refused_in_a_sentence(tmp_path: Path, text: str) -> None:
    file = tmp_path / "weights.json"
    file.write_text(text)
    weights = Weights(Layout(("x", "i8")), file)
    with pytest.raises(BadWeights, match="weights "):
        weights.values()


def test_weights_have_room_in_64_bits(tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    for value, fits in ((1 << 62, True), (1 << 63, False), (-(1 << 64), False)):
        file.write_text(json.dumps({"values": {"x": value}}))
        if fits:
            assert Weights(Layout(("x", "i8")), file).values() == {"x": value}
        else:
            with pytest.raises(BadWeights, match="field 'x'"):
                Weights(Layout(("x", "i8")), file).values()


def test_numbers_in_players_and_options_are_bounded() -> None:
    for text in ("plywise:depth=" + "9" * 4_000, "plywise:nodes=٣", "plywise:level=-1"):
        with pytest.raises(PlywiseError, match="is a whole number from"):
            player_spec.parse(text).integer("level")
    with pytest.raises(PlywiseError, match="wants a whole number"):
        whole_option("--depth", "9" * 5_000)


def test_a_damaged_recording_is_refused_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "episode.jsonl.gz"
    data = bytearray(gzip.compress(b'{"type": "header"}\n' * 100))
    data[12] ^= 0xFF
    for bad in (bytes(data), gzip.compress(b"[" * 100_000), b"\x1f\x8b"):
        file.write_bytes(bad)
        with pytest.raises(PlywiseError, match="episode"):
            replay(file)
