"""Bad input of every kind: one sentence that names the input and the reason, status 2, no traceback."""

import json
from pathlib import Path

import pytest

from tests.cli.terminal import plywise, process, refused

HEAD = "from dataclasses import dataclass\nfrom typing import NamedTuple\nfrom plywise import game\n"
PLAIN = HEAD + "@game()\n@dataclass(frozen=True)\nclass Mine:\n    turn: int = 0\n"
COMPILED = HEAD + "@game(most_moves=2)\nclass Mine(NamedTuple):\n    left: int = 6\n    turn: int = 0\n"


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("analize connect_four", "unknown command 'analize'; did you mean 'analyse'?"),
        ("moves conect_four", "unknown game 'conect_four'; did you mean 'connect_four'?"),
        ("rules", "plywise rules wants GAME; `plywise rules --help` shows how"),
        ("perft connect_four", "plywise perft wants DEPTH"),
        ("perft connect_four deep", "DEPTH wants a whole number from 0 up, not 'deep'"),
        ("perft connect_four 1000", "DEPTH goes up to 200, not 1000"),
        ("moves connect_four 4458", "bad position '4458': move 4 ('8') is no column from 1 to 7"),
        ("moves connect_four 1212121 moves 3", "illegal move '3': the game is over [1212121]"),
        ("moves tic_tac_toe xxo...... x", "bad position 'xxo...... x': 2 crosses and 1 noughts"),
        ("analyse connect_four 4 moves 4 z", "illegal move 'z': x can play 4, 3, 5, 2, 6, 1, 7 [44]"),
        ("analyse connect_four --dept 3", "plywise analyse has no option --dept; did you mean --depth?"),
        ("analyse connect_four --depth", "Option '--depth' requires an argument"),
        ("analyse connect_four --depth 0", "--depth wants a whole number from 1 up, not '0'"),
        ("analyse connect_four --depth 2.5", "--depth wants a whole number from 1 up, not '2.5'"),
        ("analyse connect_four --nodes -3", "--nodes wants a whole number from 1 up, not '-3'"),
        ("analyse connect_four --time soon", "--time wants seconds above 0, not 'soon'"),
        ("analyse connect_four --time nan", "--time wants seconds above 0, not 'nan'"),
        ("analyse connect_four --mate 0", "--mate wants a whole number from 1 up, not '0'"),
        ("analyse connect_four --lines none", "--lines wants a whole number from 1 up, not 'none'"),
        ("analyse connect_four --threads 0", "--threads wants a whole number from 1 up, not '0'"),
        *(
            (f"{command} --threads 99999999", "threads must be a whole number from 1 to 256, not 99999999")
            for command in ("analyse connect_four", "solve tic_tac_toe")
        ),
        *(
            (f"{command} --workers 99999999", "--workers goes up to 256, not 99999999")
            for command in ("match tic_tac_toe plywise:depth=1 plywise:depth=2", "learn connect_four")
        ),
        ("solve tic_tac_toe --hash 99999999", "hash cannot be 99999999: this computer has "),
        ("analyse connect_four --hash 0", "--hash wants a whole number from 1 up, not '0'"),
        ("analyse connect_four --hash 99999999 --depth 1", "hash cannot be 99999999: this computer has "),
        ("analyse connect_four --player minmax", "unknown player 'minmax'; did you mean 'minimax'?"),
        (
            "analyse connect_four --evaluator best",
            "unknown evaluator of connect_four 'best'; there is: default",
        ),
        (
            "analyse connect_four --without tables",
            "unknown part of the search 'tables'; did you mean 'table'?",
        ),
        ("analyse connect_four --weights w.json", "evaluator 'default' of connect_four has no weights"),
        (
            "evaluate chess --evaluator shannon --weights w.json",
            "evaluator 'shannon' of chess has no weights",
        ),
        (
            "evaluate connect_four 1212121 --weights w.json",
            "evaluator 'default' of connect_four has no weights",
        ),
        ("evaluate connect_four --evaluator best", "unknown evaluator of connect_four 'best'"),
        ("explain connect_four --weights w.json", "evaluator 'default' of connect_four has no weights"),
        ("explain connect_four --evaluator best", "unknown evaluator of connect_four 'best'"),
        (
            "match connect_four plywise:weights=w.json,name=a plywise:name=b --pairs 1",
            "player 'plywise:weights=w.json,name=a': evaluator 'default' of connect_four has no weights",
        ),
        (
            "match connect_four plywise:without=tables,name=a plywise:name=b --pairs 1",
            "player 'plywise:without=tables,name=a': unknown part of the search 'tables'",
        ),
        ("play connect_four --evaluator best", "unknown evaluator of connect_four 'best'"),
        ("match skirmish plywise plywise --time 1", "--time has no effect in skirmish"),
        ("match skirmish plywise plywise --control 60+1", "--control has no effect in skirmish"),
        ("match skirmish plywise plywise --call-draw 40,8,10", "--call-draw has no effect in skirmish"),
        ("match chess plywise plywise --opponents x", "--opponents is for games that agents play"),
        ("skirmish run --evaluator best", "unknown evaluator of skirmish 'best'"),
        ("skirmish run --without tables", "unknown part of the search 'tables'"),
        (
            "skirmish run --evaluator distance --weights w.json",
            "evaluator 'distance' of skirmish has no weights",
        ),
        ("skirmish run --agent greedy --weights w.json", "no agent here takes weights"),
        ("--port many", "--port wants a whole number from 0 up, not 'many'"),
        ("--no-browser --port=99999", "--port goes up to 65535, not 99999"),
        ("--no-browser --allow-origin *", "--allow-origin: an origin is scheme, name and port alone"),
        ("play connect_four --depth 0", "--depth wants a whole number from 1 up, not '0'"),
        ("play connect_four --player ring", "seat 'ring': unknown player 'ring'"),
        ("play connect_four --level 12", "--level goes from 1 to 10, not 12"),
        ("play connect_four --level hard", "--level wants a whole number from 1 up, not 'hard'"),
        ("play connect_four --side third", "unknown side 'third'; "),
        ("play connect_four --position 99", "bad position '99': "),
        ("bench checker_four", "unknown game 'checker_four'; "),
        ("compile checker_four", "unknown game 'checker_four'; "),
        ("cache --wipe", "plywise cache has no option --wipe"),
        ("cache now", "plywise cache has no use for 'now'; `plywise cache --help` shows how"),
        ("skirmish runs", "unknown command of plywise skirmish 'runs'; did you mean 'run'?"),
        ("tune connect_four --minutes -1", "--minutes wants minutes above 0, as in 30 or 0.5, not '-1'"),
        ("learn connect_four --minutes nan", "--minutes wants minutes above 0, as in 30 or 0.5, not 'nan'"),
        ("check nowhere.py", "nowhere.py: there is no such file"),
        ("moves nowhere.py:mine", "nowhere.py: there is no such file"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_sentence(command: str, sentence: str) -> None:
    assert refused(plywise(*command.split())).startswith(sentence)


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("import nothing_like_it\n", "mine.py:1: the file does not import: ModuleNotFoundError: "),
        ("x = 1\nif x\n", "mine.py:2: expected ':'"),
        ("x = 1 / 0\n", "mine.py:1: the file does not import: ZeroDivisionError: "),
        ("x = 1\n", "mine.py: no game in this file; mark the class of its positions with @game()"),
        (HEAD + "@game()\nclass Mine:\n    turn = 0\n", "mine.py:4: Mine has no method 'moves'"),
        (
            HEAD + "@game()\nclass Mine:\n    def moves(self): ...\n    def play(self, move): ...\n",
            "mine.py:4: Mine has no 'turn' (0 or 1: the side to move)",
        ),
        (
            PLAIN + "    def moves(self, a, b, c): ...\n    def play(self, move): ...\n",
            "mine.py:8: Mine.moves takes (self, a, b, c) and should take (self)",
        ),
        (
            COMPILED + "    def moves(self, buffer, n): return n\n    def play(self): return self\n",
            "mine.py:9: Mine.play takes (self) and should take (self, move)",
        ),
        (
            PLAIN + "    def moves(self): return [1]\n    def play(self, move): return {}[move]\n",
            "mine.py:9: play fails: KeyError: 1",
        ),
        (
            PLAIN + "    def moves(self): return None\n    def play(self, move): return self\n",
            "mine.py:8: moves() returned None; return a list of moves, [] for none",
        ),
        (
            PLAIN + "    def moves(self): return [[1]]\n    def play(self, move): return self\n",
            "mine.py:8: moves() lists [1], which can change; make moves of numbers, strings or tuples",
        ),
    ],
)
@pytest.mark.parametrize("command", ["moves {} --json", "analyse {} --depth 2"])
def test_a_game_that_cannot_be_used_is_named_with_its_line(
    source: str, sentence: str, command: str, tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text(source)
    message = refused(plywise(*command.format("mine.py").split(), folder=tmp_path))
    assert message.removeprefix(f"{tmp_path}/").startswith(sentence)


def test_a_file_of_several_games_wants_a_name(tmp_path: Path) -> None:
    rules = "    def moves(self): return [1]\n    def play(self, move): return type(self)(1 - self.turn)\n"
    two = PLAIN + rules + PLAIN.replace("Mine", "Yours") + rules
    (tmp_path / "two.py").write_text(two)
    message = refused(plywise("moves", "two.py", folder=tmp_path))
    assert message.endswith("two.py: several games (mine, yours); say two.py:NAME")
    message = refused(plywise("moves", "two.py:other", folder=tmp_path))
    assert message.startswith("unknown game in two.py 'other'; ")
    assert plywise("moves", "two.py:yours", "--json", folder=tmp_path).json["game"] == "yours"


def test_a_game_that_cannot_be_compiled_still_plays_with_one_warning(tmp_path: Path) -> None:
    rules = """
    def moves(self, buffer, n):
        for take in list({1: 1, 2: "two"}):
            if take <= self.left:
                buffer[n] = take
                n += 1
        return n

    def play(self, move):
        return Mine(self.left - move, 1 - self.turn)
"""
    (tmp_path / "mine.py").write_text(COMPILED + rules)
    done = plywise("analyse", "mine.py", "start", "moves", "1", "--depth", "9", "--json", folder=tmp_path)
    assert done.json["move"] == "2"
    assert done.error.count("\n") == 1
    assert done.error.startswith(f"plywise: warning: {tmp_path / 'mine.py'}:")
    assert "Mine.moves cannot be compiled: " in done.error
    assert done.error.endswith("; it is played uncompiled\n")


def test_a_cache_that_cannot_be_written_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    words = ("perft", "connect_four", "3", "--json")
    done = process(*words, PLYWISE_CACHE=str(tmp_path / "file" / "cache"))
    assert done.json["nodes"] == 343
    assert done.error.count("compiled code cannot be kept in") == done.error.count("\n") == 1, "said once"
    assert "$PLYWISE_CACHE" in done.error


def test_a_game_in_the_terminal_says_so_before_its_first_question(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    done = plywise("play", "connect_four", typed="quit\n", PLYWISE_CACHE=str(tmp_path / "file" / "cache"))
    assert done.status == 0
    assert done.error.count("compiled code cannot be kept in") == done.error.count("\n") == 1


def test_data_that_cannot_be_kept_names_the_cure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    done = plywise("match", "tic_tac_toe", "--pairs", "1", PLYWISE_DATA=str(tmp_path / "file" / "data"))
    assert done.status == 2
    assert done.error.startswith(f"plywise: {tmp_path / 'file'}")
    assert done.error.endswith("; name a folder that can be written to in $PLYWISE_DATA\n")
    other = plywise("match", "tic_tac_toe", "--pairs", "1", "--file", str(tmp_path / "file" / "match"))
    assert other.status != 0 and "$PLYWISE_DATA" not in other.error


PEBBLES = str(Path(__file__).parents[1] / "samples" / "pebbles.py")
GOOD = '{"unit": "u", "origin": "o", "values": {"per_pebble": 7, "by_rest": [0, 0, 0, 0]}}'


def test_weights_may_come_from_another_file(tmp_path: Path) -> None:
    (tmp_path / "w.json").write_text(GOOD)
    words = ("analyse", PEBBLES, "20 0", "--evaluator", "weighed", "--weights", "w.json", "--depth", "1")
    answer = plywise(*words, "--json", "--uncompiled", folder=tmp_path).json
    assert answer["score"] == -7 * 17, "taking three leaves the enemy the fewest"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "weights w.json: No such file or directory"),
        ("{", "weights w.json: not JSON with 'values' "),
        (GOOD.replace("per_pebble", "per_stone"), "weights w.json: field 'per_pebble' is missing"),
        (GOOD.replace("[0, ", "["), "weights w.json: field 'by_rest' has shape (3,) and should have (4,)"),
    ],
)
@pytest.mark.parametrize("position", ["20 0", "-"])
def test_weights_that_do_not_fit_are_refused(
    text: str | None, sentence: str, position: str, tmp_path: Path
) -> None:
    if text is not None:
        (tmp_path / "w.json").write_text(text)
    words = ("analyse", PEBBLES, position, "--evaluator", "weighed", "--weights", "w.json", "--depth", "1")
    words += ("--uncompiled",)
    assert refused(plywise(*words, typed="20 0\n", folder=tmp_path)).startswith(sentence)


def test_check_tells_what_is_wrong_and_ends_with_1(tmp_path: Path) -> None:
    rules = "    def moves(self): return [1, 1]\n    def play(self, move): return Mine(1 - self.turn)\n"
    (tmp_path / "mine.py").write_text(PLAIN + rules)
    done = plywise("check", "mine.py", folder=tmp_path)
    assert done.status == 1
    assert done.error == ""
    assert f"moves: {tmp_path}/mine.py:8: 1 is listed twice in [Mine(turn=0)]\n" in done.out
    done = plywise("check", "mine.py", "--json", folder=tmp_path)
    assert done.status == 1
    found = json.loads(done.out)
    assert found["game"] == "mine"
    assert "moves" in [finding["rule"] for finding in found["findings"]]


def test_check_is_content_with_a_shipped_game() -> None:
    assert plywise("check", "tic_tac_toe").out.endswith("tic_tac_toe keeps the contract\n")


def test_a_mistake_of_plywise_itself_is_one_line_too(tmp_path: Path) -> None:
    """A broken installation: a page of Python's own errors helps nobody."""
    (tmp_path / "typer.py").write_text("raise RuntimeError('broken')\n")
    done = process("games", PYTHONPATH=f"{tmp_path}:{_sources()}")
    assert done.status == 1
    assert done.error.startswith("plywise: a mistake in Plywise, please report it: ")
    assert done.error.count("\n") == 1


def _sources() -> str:
    import plywise as library

    return str(Path(library.__file__).parents[1])


def test_quick_commands_import_neither_numba_nor_numpy_nor_rich() -> None:
    import subprocess
    import sys

    for words in (
        ["games"],
        ["--version"],
        ["moves", "connect_four", "4453", "--json"],
        ["moves", "tic_tac_toe"],
    ):
        command = [sys.executable, "-X", "importtime", "-m", "plywise", *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0
        imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
        assert "plywise.core.registry" in imported
        assert not imported & {"numba", "numpy", "rich", "llvmlite"}


@pytest.mark.parametrize(
    "words",
    [
        "moves {}.py",
        "check {}.py",
        "moves chess --{}",
        "analyse chess --weights {}.json",
        "match --resume {}.match",
        "match chess @{}.txt plywise:depth=1",
        "match chess plywise:depth=1 plywise:depth=2 --openings {}.pgn",
        "serve --watch {}",
        "uci chess --log {}/none",
        "play chess --resume {}",
    ],
)
def test_a_name_cannot_command_the_terminal(words: str) -> None:
    """A file that a stranger has named may hold codes that clear the screen or write its title."""
    answer = plywise(*words.format("\x1b]0;title\x07\x9b2J\u202e").split())
    assert answer.status == 2
    assert not [sign for sign in answer.error + answer.out if ord(sign) in {0x1B, 0x07, 0x9B, 0x202E}]
