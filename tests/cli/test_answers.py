"""The commands and the JSON that scripts rely on."""

import json
import os
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

import plywise as library
from plywise.cli import maintenance
from plywise.native import prebuilt
from tests.cli.terminal import plywise, process, shell, start
from tests.conftest import SAMPLES


def test_version_and_module_form() -> None:
    assert process("--version").out == f"plywise {library.__version__}\n"


def test_games_are_listed_with_a_sentence_each() -> None:
    lines = plywise("games", COLUMNS="200").out.splitlines()
    assert [line.split()[0] for line in lines if line[0] != " "] == list(library.shipped())
    told = plywise("games", "--json").json
    assert told["games"] == library.shipped()
    for name in library.shipped():
        game = library.load(name)
        assert list(told["evaluations"][name]) == game.evaluators
        assert list(told["players"][name]) == list(game.presets)
        assert all(sentence.endswith(".") for sentence in told["evaluations"][name].values())
        after = lines[[line.split()[0] for line in lines].index(name) + 1]
        assert after.strip() == f"evaluations: {', '.join(game.evaluators)}"


def test_a_game_that_is_drawn_by_its_past_is_over_whatever_the_search_finds() -> None:
    words = ["analyse", "chess", "7k/5Q2/6K1/8/8/8/8/8 w - - 150 100", "--depth", "1", "--uncompiled"]
    told = plywise(*words).out
    over = "the game is over: 150 plies without progress; if it went on:\n"
    assert told.index(over) < told.index("White wins in 1 ply (proven)")
    assert over not in plywise(*[word.replace(" 150 ", " 9 ") for word in words]).out


def test_rules_are_the_page_of_the_game() -> None:
    assert plywise("rules", "connect_four").out.startswith("# Connect Four\n\n1. ")


def test_rules_end_with_the_evaluations_and_the_players() -> None:
    text = plywise("rules", "checkers").out
    assert "\n## Evaluations\n\n- `default`: Material, patterns of men" in text
    assert "\n## Players\n\n- `ring`: The first plan: alpha-beta" in text


# --- moves --------------------------------------------------------------------------------------
def test_moves_lists_each_move_with_the_position_after_it() -> None:
    answer = plywise("moves", "connect_four", "4453", "--json").json
    assert answer == {
        "game": "connect_four",
        "position": "4453",
        "turn": 0,
        "moves": {column: f"4453{column}" for column in "4352617"},
        "outcome": None,
    }


def test_a_position_may_be_followed_by_moves() -> None:
    answer = plywise("moves", "tic_tac_toe", "start", "moves", "b2", "a1", "--json").json
    assert answer["position"] == "....x.o.. x"
    assert answer["turn"] == 0
    assert answer["moves"]["c3"] == "..x.x.o.. o"


def test_a_won_position_has_no_moves_and_says_who_won() -> None:
    answer = plywise("moves", "connect_four", "1212121", "--json").json
    assert answer["moves"] == {}
    assert answer["outcome"] == {"winner": 0, "reason": "x has four in a row"}


def test_a_full_board_is_a_draw_with_a_reason() -> None:
    answer = plywise("moves", "tic_tac_toe", "xoxxoxoxo", "o", "--json").json
    assert answer["outcome"] == {"winner": None, "reason": "the board is full"}


def test_moves_for_a_person_show_the_board() -> None:
    assert plywise("moves", "tic_tac_toe", "x.o......", "x").out.splitlines() == [
        "Tic-tac-toe, x to move: x.o...... x",
        "3 x . o",
        "2 . . .",
        "1 . . .",
        "  a b c",
        "7 moves: b3  a2  b2  c2  a1  b1  c1",
    ]


# --- perft ----------------------------------------------------------------------------------------
def test_perft_divides_the_count_among_the_first_moves() -> None:
    answer = plywise("perft", "connect_four", "5", "--json").json
    assert list(answer) == ["game", "position", "depth", "nodes", "seconds", "divide"]
    assert answer["nodes"] == sum(answer["divide"].values()) == 7**5
    assert answer["divide"]["4"] == 7**4


def test_perft_uncompiled_counts_the_same() -> None:
    compiled = plywise("perft", "connect_four", "4", "444444", "--json").json
    uncompiled = plywise("perft", "connect_four", "4", "444444", "--uncompiled", "--json").json
    assert compiled["divide"] == uncompiled["divide"]


def test_perft_of_nothing_is_one_and_of_a_lost_position_none() -> None:
    assert plywise("perft", "tic_tac_toe", "0", "--json").json["nodes"] == 1
    assert plywise("perft", "connect_four", "3", "1212121", "--json").json["nodes"] == 0


def test_perft_for_a_person() -> None:
    lines = plywise("perft", "tic_tac_toe", "2", "--divide").out.splitlines()
    assert lines[0] == "a3: 8"
    assert lines[-1].startswith("72 paths of depth 2 in ")


# --- analyse --------------------------------------------------------------------------------------
def test_analyse_proves_a_win_in_one() -> None:
    answer = plywise("analyse", "connect_four", "121212", "--depth", "6", "--json").json
    assert {"move": "1", "kind": "proven", "plies": 1}.items() <= answer.items()
    assert answer["lines"][0]["moves"] == ["1"]
    assert answer["lines"][0]["score"] == answer["score"]
    wanted = ["game", "position", "move", "score", "kind", "plies", "depth", "nodes", "seconds", "lines"]
    assert set(wanted) <= set(answer)


def test_analyse_gives_as_many_lines_as_wanted() -> None:
    answer = plywise("analyse", "connect_four", "4453", "--depth", "6", "--lines", "3", "--json").json
    assert len(answer["lines"]) == 3
    assert len({line["moves"][0] for line in answer["lines"]}) == 3
    scores = [line["score"] for line in answer["lines"]]
    assert scores == sorted(scores, reverse=True)


def test_analyse_is_the_same_uncompiled_and_repeatable() -> None:
    words = ("analyse", "connect_four", "4453", "--depth", "5", "--json")
    first, again, plain = plywise(*words).json, plywise(*words).json, plywise(*words, "--uncompiled").json
    for answer in (again, plain):
        for key in ("move", "score", "nodes", "lines"):
            assert answer[key] == first[key]


def test_analyse_of_a_finished_game_has_no_move() -> None:
    answer = plywise("analyse", "connect_four", "1212121", "--json").json
    assert {"move": None, "kind": "proven", "plies": 0, "lines": []}.items() <= answer.items()
    assert answer["score"] < 0, "the side to move has lost"
    assert plywise("analyse", "connect_four", "1212121").out.endswith(
        "the game is over: x has four in a row\n"
    )


@pytest.mark.parametrize("player", ["minimax", "alphabeta", "greedy", "random"])
def test_the_textbook_players_answer_too(player: str) -> None:
    words = ("--player", player, "--depth", "3")
    answer = plywise("analyse", "tic_tac_toe", "xx.oo....", "x", *words, "--json").json
    assert answer["move"] in ("c3", "c2", "a1", "b1", "c1")
    if player != "random":
        assert answer["move"] == "c3"


def test_parts_of_the_search_can_be_switched_off() -> None:
    words = ["analyse", "connect_four", "4453", "--depth", "6", "--json"]
    answer = plywise(*words, "--without", "unsound").json
    assert answer["kind"] == "exact"


def test_analyse_for_a_person_names_the_side_ahead() -> None:
    out = plywise("analyse", "connect_four", "121212", "--depth", "4").out
    assert "x should play 1: x wins in 1 ply (proven)\n" in out
    out = plywise("analyse", "tic_tac_toe", "xx.oo....", "x", "--mate", "1").out
    assert "x should play c3: x wins in 1 ply (proven)\n" in out


def test_a_win_that_is_not_there_is_no_even_position() -> None:
    """White is a queen up: that there is no mate in 1 says nothing of who is better, nor what to play."""
    out = plywise("analyse", "chess", "k7/8/8/8/3Q4/8/8/K7 w - - 0 1", "--mate", "1").out
    assert "White cannot force a win within 1 turn (proven)\n" in out
    assert "even" not in out and "should play" not in out


# --- one position a line --------------------------------------------------------------------------
def test_a_batch_answers_each_line_in_order() -> None:
    answers = plywise("moves", "connect_four", "-", typed="4\n9\n\nstart moves 4 4\n44 moves x\n").jsons
    assert [answer.get("position") for answer in answers] == ["4", None, "start", "44", None]
    assert answers[1] == {"error": "bad position '9': move 1 ('9') is no column from 1 to 7"}
    assert answers[4]["error"].startswith("illegal move 'x': x can play 4, 3, 5")


def test_a_batch_survives_bytes_that_are_no_text_and_a_last_line_without_an_end() -> None:
    answers = plywise("perft", "connect_four", "2", "-", typed=b"\xff4\r\n44\r\n45").jsons
    assert "not UTF-8" in answers[0]["error"]
    assert [answer["nodes"] for answer in answers[1:]] == [49, 49]


def test_each_line_of_a_batch_is_answered_as_if_it_were_alone() -> None:
    words = ("analyse", "connect_four", "-", "--depth", "7")
    twice = plywise(*words, typed="4453\n4453\n").jsons
    for key in ("move", "score", "nodes", "lines"):
        assert twice[0][key] == twice[1][key]
    alone = plywise("analyse", "connect_four", "4453", "--depth", "7", "--json").json
    assert alone["nodes"] == twice[0]["nodes"]


def test_a_batch_answers_before_the_next_line_comes() -> None:
    process = start("moves", "tic_tac_toe", "-")
    assert process.stdin is not None
    assert process.stdout is not None
    for _ in range(2):
        process.stdin.write(b"start\n")
        process.stdin.flush()
        assert len(json.loads(process.stdout.readline())["moves"]) == 9
    process.communicate()
    assert process.returncode == 0


# --- bench and cache ------------------------------------------------------------------------------
def test_bench_is_a_signature() -> None:
    answer = plywise("bench", "connect_four", "--json").json
    assert set(answer) == {"game", "nodes", "seconds", "nps"}
    assert answer["nodes"] > 0
    assert f" {answer['nodes']} nodes in " in plywise("bench", "connect_four").out


@pytest.mark.parametrize("words", [(), ("skirmish",)])
def test_the_help_cuts_no_sentence_off_on_a_usual_terminal(words: tuple[str, ...]) -> None:
    assert "..." not in plywise(*words, "--help", COLUMNS="80").out.partition("Commands:")[2]


def test_cache_says_where_it_is_and_can_be_cleared(tmp_path) -> None:  # type: ignore[no-untyped-def]
    folder = str(tmp_path / "cache")
    empty = plywise("cache", "--json", PLYWISE_CACHE=folder).json
    assert empty == {"folder": folder, "files": 0, "bytes": 0, "cleared": 0}
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "abc.native").write_bytes(b"12345")
    assert plywise("cache", PLYWISE_CACHE=folder).out == f"{folder}\n1 file, 0.0 kB\n"
    assert plywise("cache", "--clear", "--json", PLYWISE_CACHE=folder).json["cleared"] == 1
    assert plywise("cache", "--json", PLYWISE_CACHE=folder).json["files"] == 0


def test_compile_makes_games_ready() -> None:
    assert plywise("compile", "tic_tac_toe").out == "tic_tac_toe: plain form, nothing to compile\n"
    process("compile", "connect_four")
    game, cache = process("compile", "connect_four").out.splitlines()  # the search, that with the net, perft
    assert re.fullmatch(r"connect_four: ready; 3 specialisations, [\d.]+ [kM]B", game), (
        "search, the same with its net, perft"
    )
    assert re.fullmatch(r"compiled for \S+, kept in .+ \(\d+ files?, [\d.]+ [kM]B\)", cache)
    answer = process("compile", "connect_four", "tic_tac_toe", "--json").json
    compiled, plain = answer["games"]
    assert (compiled["game"], compiled["specialisations"], compiled["compiled"]) == ("connect_four", 3, 0)
    assert 0 < compiled["bytes"] <= answer["bytes"]
    assert (plain["game"], plain["specialisations"], plain["bytes"]) == ("tic_tac_toe", 0, 0)
    assert compiled["prebuilt"] == 0 and answer["prebuilt_for"] is None, "no code came with the package"


@pytest.mark.parametrize("here", [0, 1])
def test_compile_says_what_came_with_the_package(
    here: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cache that cannot be written to is no obstacle then: there is nothing to compile."""
    made = iter([True, True, not here])

    def load_code(game: object, evaluator: str | None) -> SimpleNamespace:
        native = SimpleNamespace(cached=True, bytes=1000, prebuilt=next(made))
        return SimpleNamespace(compiled=True, native=native)

    monkeypatch.setattr(maintenance, "_specialisation", load_code)
    monkeypatch.setattr(maintenance.Searcher, "is_cached", True)
    monkeypatch.setattr(prebuilt, "read_baseline", lambda: "x86-64-v3")
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    lines = plywise("compile", "connect_four", PLYWISE_CACHE=str(tmp_path / "file")).out.splitlines()
    assert lines[:2] == [
        "connect_four: ready; 3 specialisations, 3.0 kB",
        f"{3 - here} of 3 came with Plywise, compiled for x86-64-v3",
    ]
    assert any("kept in" in line for line in lines) == bool(here), "what was compiled here has a place"


def test_compile_says_what_it_does_where_no_bar_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maintenance.Searcher, "is_cached", False)
    monkeypatch.setattr(maintenance, "compile_missing", lambda searchers: {})
    monkeypatch.setattr(maintenance, "_specialisation", lambda *wanted: SimpleNamespace(compiled=False))
    assert plywise("compile", "polis").error == "compiling 3 searches, some seconds each\n"
    assert plywise("compile", "polis", "--json").error == ""


def test_compile_refuses_where_nothing_can_be_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    done = plywise("compile", "connect_four", PLYWISE_CACHE=str(tmp_path / "file"))
    assert done.status == 2
    assert "compiled code cannot be kept in" in done.error
    assert "$PLYWISE_CACHE" in done.error
    assert done.error.count("\n") == 1


@pytest.mark.thorough("compiles two games")
def test_several_games_are_compiled_in_processes_of_their_own(tmp_path: Path) -> None:
    """Each is compiled once, and not by the process that was asked."""
    folder, log = str(tmp_path / "cache"), tmp_path / "log"
    games = [str(SAMPLES / f"{name}.py") for name in ("duel", "runners")]
    answer = process("compile", *games, "--json", PLYWISE_CACHE=folder, PLYWISE_COMPILE_LOG=str(log)).json
    assert all(game["compiled"] == game["specialisations"] > 0 for game in answer["games"])
    made = [line.split()[0] for line in log.read_text(encoding="utf-8").splitlines()]
    assert len(made) == len(set(made)) == sum(game["compiled"] for game in answer["games"])


# --- ends that come from outside ------------------------------------------------------------------
@pytest.mark.skipif(os.name == "nt", reason="pipes close as POSIX has it")
def test_a_reader_that_goes_away_is_no_error() -> None:
    process = start("moves", "connect_four", "-")
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"4\n")
    process.stdin.flush()
    process.stdout.readline()
    process.stdout.close()
    try:
        process.stdin.write(b"4\n" * 1000)
        process.stdin.close()
    except BrokenPipeError:
        pass
    assert process.stderr is not None
    assert process.stderr.read() == b""
    assert process.wait(timeout=300) == 141


@pytest.mark.skipif(os.name == "nt", reason="streams close as POSIX has it")
@pytest.mark.parametrize("closed", [">&-", "<&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_error(closed: str) -> None:
    done = shell(f"games {closed}")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == ("" if ">&-" in closed.replace("2>&-", "") else plywise("games").out)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_full_disk_is_said_in_one_line() -> None:
    done = shell("games > /dev/full")
    assert done.returncode == 1
    assert done.stderr == "plywise: standard output: No space left on device\n"


@pytest.mark.skipif(os.name == "nt", reason="pipes close as POSIX has it")
def test_head_may_leave_early() -> None:
    done = shell("perft connect_four 3 --divide | head -n 1")
    assert (done.stdout, done.stderr) == ("4: 49\n", "")


def test_piped_answers_are_not_broken_into_lines() -> None:
    """A position or a line of moves can be cut out of one line; $COLUMNS asks for a width all the same."""
    wide = process("analyse", "tic_tac_toe", "--depth", "9", "--uncompiled")
    assert any(len(line) > 40 for line in wide.out.splitlines())
    narrow = process("analyse", "tic_tac_toe", "--depth", "9", "--uncompiled", COLUMNS="40")
    assert max(map(len, narrow.out.splitlines())) <= 40
    assert "".join(wide.out.split()).startswith("".join(narrow.out.split())[:30])
