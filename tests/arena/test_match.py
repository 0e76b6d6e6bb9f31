"""Whole matches: schedules, journals, workers that die, and going on after a crash."""

import json
import os
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

import plywise
from plywise.arena import openings
from plywise.arena.adjudication import AdjudicationRules
from plywise.arena.builtin import Choice
from plywise.arena.executors import InProcess, MatchFailed, Processes
from plywise.arena.export import GameWriter
from plywise.arena.journal import BadJournal, Journal, encode_line
from plywise.arena.match import Match, create_journal
from plywise.arena.report import data, lines, parse_anchor
from plywise.arena.schedule import PairResult, meetings, pairs
from plywise.arena.single_game import GameResult, SearchStats, play_game
from plywise.arena.sprt import Sprt, Verdict
from plywise.arena.time_control import TimeControl
from plywise.core.errors import BadMove, PlywiseError
from plywise.games.checkers.ballots import playable
from plywise.games.checkers.pdn import read
from plywise.play.state import restore_game, start_game
from tests.conftest import interpreted

WEAK, STRONG = "plywise:player=random", "plywise:depth=2"

# Take one to three sticks; a process that plays the first game of all dies in it (or always).
DEADLY = """
import os, pathlib, signal
from dataclasses import dataclass
from plywise import game
import deadly_words

MARK = pathlib.Path({mark!r})

def once():
    # True for the first process that asks.
    try:
        os.close(os.open(MARK, os.O_CREAT | os.O_EXCL))
        return True
    except FileExistsError:
        return False

@game("deadly")
@dataclass(frozen=True)
class Deadly:
    left: int = 7
    turn: int = 0

    def moves(self):
        if self.left == 5 and {condition}:
            os.kill(os.getpid(), signal.SIGKILL)
        return range(1, min(3, self.left) + 1)

    def play(self, move):
        return Deadly(self.left - move, 1 - self.turn)

    def reason(self):
        return deadly_words.OVER
"""


def deadly(folder: Path, condition: str) -> str:
    (folder / "deadly_words.py").write_text("OVER = 'no stick is left'\n", encoding="utf-8")
    text = DEADLY.format(mark=str(folder / "mark"), condition=condition)
    (folder / "deadly.py").write_text(text, encoding="utf-8")
    return str(folder / "deadly.py")


def small(**options) -> Match:
    return Match.of("tic_tac_toe", [STRONG, WEAK], **{"pairs": 6, **options})


# --- schedules ---------------------------------------------------------------------------------------
def test_everybody_meets_everybody_with_the_same_openings() -> None:
    drawn = list(pairs(4, ["a", "b", "c"], 6, seed=1))
    assert len(drawn) == 6 * 6 and [pair.number for pair in drawn] == list(range(36))
    for turn in range(6):
        now = drawn[6 * turn : 6 * turn + 6]
        assert [(pair.first, pair.second) for pair in now] == meetings(4, False)
        assert len({pair.opening for pair in now}) == 1
    assert {pair.opening for pair in drawn[:18]} == {pair.opening for pair in drawn[18:]} == {"a", "b", "c"}
    assert len({pair.seed for pair in drawn}) == 36


def test_a_gauntlet_is_for_the_first() -> None:
    assert {pair.first for pair in pairs(4, ["a"], 2, 0, gauntlet=True)} == {0}


def test_both_games_of_a_pair_have_one_opening_and_swapped_sides() -> None:
    finished = next(InProcess().run(small().setup, small().remaining_pairs(), lambda: False))
    one, two = finished.games
    assert (one.sides, two.sides) == ((0, 1), (1, 0))
    assert one.start == two.start


# --- one game ----------------------------------------------------------------------------------------
class Reader:
    """Plays moves from a list, and takes the time that stands beside them."""

    def __init__(self, clock: list[float], *moves: tuple[str, float]) -> None:
        self.clock, self.moves, self.control = clock, list(moves), TimeControl(time=1.0)

    def start_game(self, start, side, seed) -> None:
        pass

    def choose(self, history, clock, other) -> Choice:
        move, seconds = self.moves.pop(0)
        self.clock[0] += seconds
        return Choice(move)

    def end_game(self, outcome) -> None:
        self.result = outcome


def game_of(first, second, clock) -> GameResult:
    history = plywise.load("tic_tac_toe").history()
    return play_game((first, second), history, "start", (0, 1), margin=0.0, now=lambda: clock[0])


def test_a_game_is_played_to_its_end() -> None:
    clock = [0.0]
    first = Reader(clock, ("a1", 0.5), ("a2", 0.5), ("a3", 0.5))
    second = Reader(clock, ("b1", 0.25), ("b2", 0.25))
    played = game_of(first, second, clock)
    assert (played.winner, played.reason, played.how) == (0, "x has three in a row", "rules")
    assert played.moves == ["a1", "b1", "a2", "b2", "a3"]
    assert (played.work[0], played.work[1].seconds) == (SearchStats(3, 1.5, 0, 0), 0.5)
    assert first.result == second.result == "1-0"
    assert GameResult.from_dict(json.loads(json.dumps(played.as_dict()))) == played


def test_who_is_late_loses_and_is_blamed() -> None:
    clock = [0.0]
    played = game_of(Reader(clock, ("a1", 0.1)), Reader(clock, ("b1", 1.5)), clock)
    assert (played.winner, played.how) == (0, "time")
    assert played.faults == [(1, "time", "o took 1.50 s and had 1.00 s")]


def test_who_moves_illegally_loses_and_is_blamed() -> None:
    clock = [0.0]
    played = game_of(Reader(clock, ("z9", 0.1)), Reader(clock), clock)
    assert (played.winner, played.how) == (1, "illegal")
    assert "'z9'" in played.reason and played.faults[0][0] == 0


# --- seeds ---------------------------------------------------------------------------------------------
def test_a_seed_decides_everything_wherever_it_is_played() -> None:
    def games(executor, seed):
        match = small(seed=seed)
        done = {}
        match.run(executor, watch=lambda finished: done.update({finished.number: finished}))
        return {number: [game.moves for game in one.games] for number, one in done.items()}

    here = games(InProcess(), 3)
    assert here == games(Processes(2), 3)
    assert here != games(InProcess(), 4)


# --- the journal -----------------------------------------------------------------------------------------
def test_every_pair_is_on_disk_before_anybody_is_told(tmp_path: Path) -> None:
    match = small()
    journal = create_journal(match, tmp_path / "m")
    seen = []

    def watch(finished: PairResult) -> None:
        seen.append(finished.number)
        assert [pair["pair"] for pair in journal] == seen

    match.run(InProcess(), journal, watch=watch)
    assert len(seen) == 6


@pytest.mark.parametrize("keep", [0.3, 0.55, 0.8, 1.0])
def test_a_match_goes_on_wherever_it_was_cut_off(tmp_path: Path, keep: float) -> None:
    """Even in mid-line: the match ends as if nothing had been."""
    match = small()
    with_all = create_journal(match, tmp_path / "whole")
    match.run(InProcess(), with_all)
    with_all.close()
    content = (tmp_path / "whole").read_bytes()
    head = content.index(b"\n") + 1
    (tmp_path / "cut").write_bytes(content[: head + int((len(content) - head) * keep)])
    journal = Journal.resume(tmp_path / "cut")
    again = Match.resume(journal)
    before = set(again.tally.done)
    played = []
    again.run(InProcess(), journal, watch=lambda finished: played.append(finished.number))
    assert before | set(played) == set(range(6)) and not before & set(played)
    assert again.tally.meetings[0, 1].pairs == match.tally.meetings[0, 1].pairs
    assert [pair["pair"] for pair in journal] == sorted(before) + played


def test_a_damaged_pair_is_played_again(tmp_path: Path) -> None:
    journal = create_journal(match := small(), tmp_path / "m")
    match.run(InProcess(), journal)
    journal.close()
    rows = (tmp_path / "m").read_bytes().splitlines(keepends=True)
    rows[3] = rows[3].replace(b'"winner":', b'"winner": ')
    (tmp_path / "m").write_bytes(b"".join(rows))
    journal = Journal.resume(tmp_path / "m")
    assert journal.damaged == 1
    again = Match.resume(journal)
    assert set(range(6)) - again.tally.done == {2}
    again.run(InProcess(), journal)
    assert again.tally.meetings == match.tally.meetings


def test_a_match_can_be_made_longer(tmp_path: Path) -> None:
    journal = create_journal(match := small(pairs=2), tmp_path / "m")
    match.run(InProcess(), journal)
    longer = Match.resume(journal, pairs=5)
    longer.run(InProcess(), journal)
    assert longer.tally.done == set(range(5))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b"hello\n", "no journal"),
        (encode_line({"pair": 1}), "no journal"),
        (encode_line({"match": 99}), "format 99"),
        (encode_line({"match": 1}), "lacks"),
    ],
)
def test_what_is_no_journal_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "m").write_bytes(content)
    with pytest.raises(BadJournal, match=reason):
        Match.resume(Journal.resume(tmp_path / "m"))


def test_a_journal_is_written_by_one_process_and_never_overwritten(tmp_path: Path) -> None:
    journal = create_journal(small(), tmp_path / "m")
    with pytest.raises(BadJournal, match="another process"):
        Journal.resume(tmp_path / "m")
    journal.close()
    with pytest.raises(BadJournal, match="--resume"):
        create_journal(small(), tmp_path / "m")


def test_a_match_goes_on_from_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "o.txt").write_text("start moves a1\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    journal = create_journal(small(openings_from="o.txt"), Path("m"))
    monkeypatch.chdir("/")
    assert Match.resume(Journal(tmp_path / "m", journal._file, journal.header)).openings == ["start moves a1"]


def test_a_match_whose_files_have_changed_does_not_go_on(tmp_path: Path) -> None:
    file = tmp_path / "o.txt"
    file.write_text("start moves a1\nstart moves b2\n", encoding="utf-8")
    journal = create_journal(match := small(openings_from=str(file)), tmp_path / "m")
    match.run(InProcess(), journal)
    file.write_text("start moves a2\n", encoding="utf-8")
    with pytest.raises(BadJournal, match="openings have changed"):
        Match.resume(journal)


# --- workers ---------------------------------------------------------------------------------------------
def test_processes_leave_no_open_file(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []

    class Noted(subprocess.Popen[bytes]):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Noted)
    small().run(Processes(2))
    assert len(started) == 2
    assert all(process.stdin.closed and process.stdout.closed for process in started)


@pytest.mark.skipif(os.name == "nt", reason="kills processes by signals")
def test_a_process_that_dies_costs_only_its_pair_which_is_played_again(tmp_path: Path) -> None:
    game = deadly(tmp_path, "once()")
    match = Match.of(game, [WEAK, "plywise:player=random,name=other"], pairs=8, openings_from="start")
    played = []
    match.run(Processes(2), watch=lambda finished: played.append(finished.number))
    assert (tmp_path / "mark").exists()
    assert sorted(played) == list(range(8))


@pytest.mark.skipif(os.name == "nt", reason="kills processes by signals")
def test_a_pair_that_kills_every_process_ends_the_match(tmp_path: Path) -> None:
    match = Match.of(deadly(tmp_path, "True"), [WEAK, WEAK], pairs=8, openings_from="start")
    with pytest.raises(MatchFailed, match="processes died over pair"):
        match.run(Processes(1))


def test_a_rule_that_fails_is_named_with_its_line(tmp_path: Path) -> None:
    game = deadly(tmp_path, "1 / 0")
    match = Match.of(game, [WEAK, WEAK], pairs=8, openings_from="start")
    with pytest.raises(MatchFailed, match=r"deadly.py:\d+: moves fails: ZeroDivisionError"):
        match.run(Processes(1))


def test_a_users_game_travels_with_what_it_imports(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    game = deadly(tmp_path / "here", "False")
    match = Match.of(game, [WEAK, STRONG], pairs=2, openings_from="start")
    (tmp_path / "here").rename(tmp_path / "elsewhere")  # as on another machine
    match.run(Processes(1))
    assert match.tally.games == 4


# --- tests that stop by themselves, and reports -----------------------------------------------------------
def test_a_test_stops_by_itself_with_a_verdict() -> None:
    match = small(pairs=None, sprt=Sprt(0, 100), openings_from="random:1")
    match.run(InProcess())
    assert match.verdict is Verdict.STRONGER
    assert 10 < match.tally.games < 1000
    assert "the first is stronger: 100 is accepted" in "\n".join(lines(match))
    played = match.tally.games
    match.run(InProcess())
    assert match.tally.games == played


@pytest.mark.parametrize(
    ("players", "pairs", "repeats"),
    [
        (["plywise:depth=1", "plywise:nodes=50"], 2, True),
        (["plywise:depth=1", "plywise:nodes=50"], 1, False),
        (["plywise:depth=1", "plywise:player=random"], 2, False),
        (["plywise:depth=1", "plywise:level=2"], 2, False),
        (["plywise:depth=1", "plywise:time=0.01"], 2, False),
    ],
)
def test_games_that_would_be_counted_again_are_noticed(players, pairs: int, repeats: bool) -> None:
    assert Match.of("tic_tac_toe", players, pairs=pairs, openings_from="start").repeats == repeats


def test_a_match_without_variance_is_reported_as_such() -> None:
    match = Match.of("tic_tac_toe", ["plywise:depth=9", "plywise:depth=9"], pairs=3, openings_from="start")
    match.run(InProcess())
    text = "\n".join(lines(match))
    assert "no variance" in text and "nan" not in text
    results = data(match)["meetings"][0]
    assert (results["elo"], results["elo_error"], results["variance"]) == (0.0, None, 0.0)
    json.dumps(data(match), allow_nan=False)


def test_three_players_are_rated_from_one_pool() -> None:
    match = Match.of("tic_tac_toe", [STRONG, WEAK, "plywise:depth=1"], pairs=8)
    match.run(InProcess())
    anchor = parse_anchor(match, "plywise player=random=500")
    results = data(match, anchor)
    assert results["players"][1]["rating"] == 500
    assert results["players"][0]["rating"] > 600
    text = "\n".join(lines(match, anchor))
    assert "500.0  anchor" in text and text.count(" v ") == 3
    with pytest.raises(PlywiseError, match="anchor"):
        parse_anchor(match, "nobody=5")


@pytest.mark.parametrize("count", [0, 1])
def test_a_match_wants_two_players(count: int) -> None:
    with pytest.raises(PlywiseError, match="two players"):
        Match.of("tic_tac_toe", [WEAK] * count)


def test_a_test_wants_exactly_two_players() -> None:
    with pytest.raises(PlywiseError, match="between two players, not 3"):
        Match.of("tic_tac_toe", [WEAK] * 3, sprt=Sprt(0, 5))


def test_text_records_can_be_played_again(tmp_path: Path) -> None:
    match = small()
    with GameWriter(match, tmp_path / "r.txt") as writer:
        match.run(InProcess(), watch=writer.write)
    games = (tmp_path / "r.txt").read_text(encoding="utf-8").strip().split("\n\n")
    assert len(games) == 12
    game = match.game
    for text in games:
        tags = dict(line.split(": ", 1) for line in text.splitlines()[:-1])
        words = [word for word in text.splitlines()[-1].split() if not word.endswith(".")]
        history = game.history(tags["Start"])
        for word in words:
            history = history.play(word)
        outcome = history.outcome
        score = "1/2-1/2" if outcome.winner is None else ("1-0", "0-1")[outcome.winner]
        assert tags["Result"] == f"{score} ({outcome.reason})"
        assert {tags["x"], tags["o"]} == set(match.names)


# --- openings ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", plywise.shipped())
def test_every_game_has_openings_that_can_be_played(name: str) -> None:
    game = plywise.load(name)
    if name == "skirmish":
        match = Match.of(name, ["plywise:player=greedy", "plywise:player=random"])
        assert len(match.openings) == 4
        return
    found = openings.read(game)
    openings.check(game, random.Random(1).sample(found, min(20, len(found))), name)


def test_random_openings_do_not_decide_a_short_game(tmp_path: Path) -> None:
    """Four plies of ten sticks left one stick, so every player won with it: all looked equal."""
    file = tmp_path / "sticks.py"
    file.write_text(
        "from typing import NamedTuple\n"
        "from plywise import game\n"
        "@game('sticks', most_moves=3)\n"
        "class Sticks(NamedTuple):\n"
        "    left: int = 10\n"
        "    turn: int = 0\n"
        "    def moves(self, buffer, n):\n"
        "        for taken in range(1, min(3, self.left) + 1):\n"
        "            buffer[n] = taken\n"
        "            n += 1\n"
        "        return n\n"
        "    def play(self, move):\n"
        "        return Sticks(self.left - move, 1 - self.turn)\n",
        encoding="utf-8",
    )
    assert sorted(openings.read(plywise.load(str(file)))) == [f"start moves {n}" for n in (1, 2, 3)]
    longer = openings.read(plywise.load("connect_four"), "random")
    assert {len(text.split()) for text in longer} == {2 + 4}, "a long game has four plies as before"


def test_openings_can_be_cut(tmp_path: Path) -> None:
    file = tmp_path / "o.txt"
    file.write_text("start moves 4 4 3\nstart moves 4 4 2 # as a comment\n4453\n", encoding="utf-8")
    game = plywise.load("connect_four")
    assert openings.read(game, str(file)) == ["start moves 4 4 3", "start moves 4 4 2", "4453"]
    assert openings.read(game, str(file), plies=2) == ["start moves 4 4", "4453"]


@pytest.mark.parametrize(
    ("source", "content", "reason"),
    [
        ("stars", None, "unknown openings 'stars'; did you mean 'starts'"),
        ("/nowhere/book.epd", None, "No such file"),
        ("random:soon", None, "random:PLIES"),
        ("random:43", None, "over by then"),
        ("o.txt", "", "there is none"),
        ("o.txt", "start moves 9\n", "opening 1.*illegal move '9'"),
        ("o.txt", "4\n1212121\n", "opening 2.*the game is over"),
        ("o.txt", b"\xff\xfe\x00", "not text"),
        ("o.zip", b"PK not really", "zip"),
        ("o.gz", b"no", "openings"),
    ],
)
def test_openings_that_cannot_be_used(tmp_path: Path, source: str, content, reason: str) -> None:
    if content is not None:
        path = tmp_path / source
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        source = str(path)
    with pytest.raises(PlywiseError, match=reason):
        Match.of("connect_four", [WEAK, WEAK], openings_from=source)


# --- formats of the games --------------------------------------------------------------------------------
def test_chess_is_written_as_pgn_that_others_read(tmp_path: Path) -> None:
    chess = pytest.importorskip("chess.pgn")
    players = ["plywise:player=random,name=a", "plywise:player=random,name=b"]
    match = Match.of(
        "chess", players, pairs=2, openings_from="random:3", rules=AdjudicationRules.parse(longest=20)
    )
    with GameWriter(match, tmp_path / "games.pgn") as writer:
        match.run(InProcess(), watch=writer.write)
    with open(tmp_path / "games.pgn", encoding="utf-8") as file:
        for number in range(4):
            game = chess.read_game(file)
            assert not game.errors
            assert {game.headers["White"], game.headers["Black"]} == {"a", "b"}
            assert game.headers["Round"] == f"{number // 2 + 1}.{number % 2 + 1}"
            assert game.headers["ECO"] and game.headers["Opening"]
            assert game.headers["Result"] == "1/2-1/2" and game.headers["Termination"] == "adjudication"
            assert game.end().ply() == 20
        assert chess.read_game(file) is None


def test_checkers_is_written_as_pdn_and_opened_by_ballots(tmp_path: Path) -> None:
    players = ["plywise:player=random,name=a", "plywise:player=random,name=b"]
    match = Match.of("checkers", players, pairs=3, openings_from="starts", seed=4)
    with GameWriter(match, tmp_path / "games.pdn") as writer:
        match.run(InProcess(), watch=writer.write)
    records = read((tmp_path / "games.pdn").read_text(encoding="utf-8"))
    assert len(records) == 6 and all(record.problem is None for record in records)
    for record in records:
        assert tuple(record.moves[:3]) in {ballot.moves for ballot in playable()}
        assert {record.tags["Black"], record.tags["White"]} == {"a", "b"}


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        ("b.epd", "# a book\nrnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - id \"e4\";\n",
         ['rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - id "e4";']),
        ("b.pgn", '[Event "?"]\n\n1. e4 e5 2. Nf3 *\n\n1. d4 d5 1/2-1/2\n',
         ["start moves e2e4 e7e5 g1f3", "start moves d2d4 d7d5"]),
        ("b.txt", "start moves e4 e5\n", ["start moves e4 e5"]),
        ("c.epd", "8/8/8/8/8/4k3/4p3/4K2R w K -\n", ["8/8/8/8/8/4k3/4p3/4K2R w K -"]),
    ],
)  # fmt: skip
def test_books_of_chess(tmp_path: Path, name: str, content: str, found: list[str]) -> None:
    import gzip
    import zipfile

    game = plywise.load("chess")
    (tmp_path / name).write_text(content, encoding="utf-8")
    assert openings.read(game, str(tmp_path / name)) == found
    openings.check(game, found, name)
    (tmp_path / f"{name}.gz").write_bytes(gzip.compress(content.encode()))
    assert openings.read(game, str(tmp_path / f"{name}.gz")) == found
    with zipfile.ZipFile(tmp_path / f"{name}.zip", "w") as archive:
        archive.writestr(name, content)
    assert openings.read(game, str(tmp_path / f"{name}.zip")) == found


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("b.epd", "hello\n", "opening 1: .*'hello'"),
        ("b.epd", "8/8/8/8/8/8/8/8 w - - bm e4;\n", "opening 1: "),
        ("b.pgn", "1. e4 e9\n", "game 1: line 1"),
    ],
)
def test_books_that_cannot_be_read(tmp_path: Path, name: str, content: str, reason: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(openings.BadOpenings, match=f"{name}, {reason}"):
        Match.of("chess", [WEAK, WEAK], openings_from=str(tmp_path / name))


# --- worlds ------------------------------------------------------------------------------------------------
def agents(*names: str, **options) -> Match:
    players = [f"plywise:player={name}" for name in names]
    match = Match.of(
        "skirmish", players, **{"pairs": 2, "rules": AdjudicationRules.parse(longest=60), **options}
    )
    match.run(InProcess(), watch=lambda finished: match.__dict__.setdefault("seen", []).append(finished))
    return match


def test_agents_that_lead_both_sides_swap_them() -> None:
    match = agents("greedy", "random")
    assert [game.sides for finished in match.seen for game in finished.games] == [(0, 1), (1, 0)] * 2
    assert match.tally.games == 4


@pytest.mark.parametrize("order", [("greedy", "scripted"), ("scripted", "greedy")])
def test_an_agent_that_leads_one_side_always_has_it(order: tuple[str, str]) -> None:
    match = agents(*order)
    footmen = order.index("greedy")
    for finished in match.seen:
        assert [game.sides[0] for game in finished.games] == [footmen, footmen]
        assert finished.games[0].start == finished.games[1].start


@pytest.mark.parametrize("names", [("greedy", "random"), ("greedy", "scripted")])
def test_a_game_with_dice_is_replayed_from_its_record(names: tuple[str, str]) -> None:
    """Agents wait, hunt and try what is refused; the record leads to the same end all the same."""
    match = agents(*names, pairs=4)
    for finished in match.seen:
        for game in PairResult.from_dict(json.loads(json.dumps(finished.as_dict()))).games:
            state = restore_game(match.game, game.record)
            turns = [*state.path[1:]]
            assert len(turns) == len(game.moves)
            for turn, words in zip(turns, game.moves, strict=True):
                tried = [] if words == "-" else words.split("; ")
                assert len(turn.events) == len(tried) + sum(event.endswith("dies") for event in turn.events)
                refused = [" and cannot: " in event for event in turn.events[: len(tried)]]
                assert refused == [one.endswith("(refused)") for one in tried]
            if game.winner is not None:
                assert state.outcome is not None and state.outcome.winner == game.winner
            assert restore_game(match.game, state.serialise()).text == state.text


def test_nobody_may_play_what_only_a_record_may_have() -> None:
    state = start_game(plywise.load("skirmish"), "2fva")
    waiting = {0: ("F1-wait", "F2-wait"), 1: ("A1-wait",)}
    assert state.follow(waiting).number == 1
    with pytest.raises(BadMove):
        state.play(waiting)
    for wrong in ({**waiting, 1: ("A1xA1",)}, {**waiting, 0: ("F1-wait",)}, {**waiting, 1: ("A2-N",)}):
        with pytest.raises(BadMove):
            state.follow(wrong)


@pytest.mark.thorough("compiles the model of skirmish")
def test_agents_that_lead_only_one_side_meet_the_same_opponents_with_the_same_dice() -> None:
    """`plan` cannot lead archers: each leads the footmen once, and the named archers play for the other."""
    match = agents("script", "random", opponents="greedy", pairs=1, openings_from="2fva")
    one, two = match.seen[0].games
    assert (one.sides, two.sides) == ((0, 1), (1, 0))
    assert match.seen[0].points() == one.points(0) + two.points(0)
    assert one.work[0].moves and not one.work[1].moves  # others gave the archers' orders


@pytest.mark.parametrize(
    ("players", "options", "reason"),
    [
        (["plywise:player=scripted", "plywise:player=scripted"], {}, "both lead the"),
        (["plywise:player=plans", "plywise"], {}, "did you mean 'plan'"),
        (["plywise:hash=3", "plywise"], {}, "unknown option of skirmish 'hash'"),
        (["plywise:level=11", "plywise"], {}, "1 to 10"),
        (["plywise:level=3,player=plan", "plywise"], {}, "a level is of the agent 'search'"),
        (["uci:gnuchess", "plywise"], {}, "agents of Plywise only"),
        (["plywise", "plywise"], {"opponents": "nobody"}, "nobody"),
        (["plywise:player=search,evaluator=shannon", "plywise"], {}, "shannon"),
        (["plywise", "plywise"], {"openings_from": "2fv3a"}, "2fv2a"),
    ],
)
def test_what_a_world_refuses(players: list[str], options: dict, reason: str) -> None:
    with pytest.raises(PlywiseError, match=reason):
        Match.of("skirmish", players, **options)


def test_agents_have_no_clock_and_a_match_of_them_claims_none() -> None:
    match = Match.of("skirmish", ["plywise:player=greedy"] * 2, pairs=1, control=TimeControl(time=0.1))
    assert str(match.setup.control) == "no limit"


def test_a_world_has_levels_too() -> None:
    match = Match.of("skirmish", ["plywise:level=3", "plywise:level=1"], pairs=1, openings_from="2fva")
    with interpreted():
        match.run(InProcess())
    assert match.tally.games == 2 and all(conduct.work.nodes for conduct in match.tally.player_tallies)


def test_a_map_of_ones_own_is_played_on(tmp_path: Path) -> None:
    (tmp_path / "small.txt").write_text("F....\n.....\n....A\n", encoding="utf-8")
    match = agents("greedy", "random", openings_from=str(tmp_path / "small.txt"))
    with GameWriter(match, tmp_path / "games.txt") as writer:
        writer.write(match.seen[0])
    assert "0 steps" in (tmp_path / "games.txt").read_text(encoding="utf-8")


def test_a_folder_or_a_pipe_is_no_journal(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        for open_journal in (Journal.resume, lambda path: Journal.create(path, {})):
            with pytest.raises(BadJournal, match="this is a folder, or no file with contents"):
                open_journal(path)
