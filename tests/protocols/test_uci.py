"""UCI by transcripts: lines sent, lines expected."""

import re
import struct
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.polyglot
import pytest

import plywise
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.scores import loss_in, win_in
from plywise.play import background
from plywise.play.elo import MAX_ELO, MIN_ELO, level_of_elo, level_of_skill
from plywise.play.engine_pool import EnginePool
from plywise.protocols import debug_commands, uci
from plywise.protocols.debug_commands import JobStop
from plywise.protocols.text import moves_to_win
from plywise.protocols.uci import Uci
from plywise.search import deepening
from plywise.search.specialisation import perft_counter
from tests.conftest import sample
from tests.protocols.talk import PATIENCE, Talk

MATE_IN_2 = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1"  # a rook to the seventh, the other to the eighth
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def test_the_greeting_names_the_engine_and_every_option() -> None:
    with Talk(Uci) as talk:
        lines = talk.ask("uci", "uciok")
        assert lines[0].startswith("id name Plywise")
        names = [line.split(" type ")[0].removeprefix("option name ") for line in lines if " type " in line]
        wanted = (
            "Hash,Threads,Clear Hash,Ponder,MultiPV,Move Overhead,UCI_Chess960,UCI_LimitStrength,UCI_Elo,"
            "Skill Level,UCI_ShowWDL,UCI_AnalyseMode,Evaluator,Seat,Book"
        )
        assert sorted(names) == sorted(wanted.split(","))
        *notes, last = talk.ask("isready", "readyok")
        assert last == "readyok"
        assert all(line.startswith("info string ") for line in notes), (
            "how far chess is compiled, if it has to be"
        )


def test_a_search_says_what_it_sees_and_ends_with_a_legal_move() -> None:
    with Talk(Uci) as talk:
        talk.send("setoption name UCI_ShowWDL value true", "position startpos moves e2e4 e7e5")
        lines = talk.ask("go depth 6", "bestmove")
        board = chess.Board()
        board.push_uci("e2e4"), board.push_uci("e7e5")
        last = [line for line in lines if " pv " in line][-1]
        pattern = (
            r"info depth 6 seldepth \d+ multipv 1 score cp -?\d+ wdl \d+ \d+ \d+"
            r" nodes \d+ nps \d+ hashfull \d+ time \d+ pv (.*)"
        )
        found = re.fullmatch(pattern, last)
        assert found, last
        for move in found[1].split():
            board.push(board.parse_uci(move))
        assert lines[-1].split()[:2] == ["bestmove", found[1].split()[0]]
        assert lines[-1].split()[2:3] in ([], ["ponder"])


def test_mates_are_counted_in_moves_for_either_side() -> None:
    with Talk(Uci) as talk:
        talk.send(f"position fen {MATE_IN_2}")
        lines = talk.ask("go depth 6", "bestmove")
        assert "score mate 2" in lines[-2]
        talk.send(f"position fen {MATE_IN_2} moves a2a7")
        assert "score mate -1" in talk.ask("go depth 6", "bestmove")[-2]
        talk.send(f"position fen {MATE_IN_2}")
        assert "score mate 2" in talk.ask("go mate 2", "bestmove")[-2]


def test_that_some_moves_do_not_mate_is_said_of_these_moves_alone() -> None:
    with Talk(Uci) as talk:
        talk.send("position fen 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1")
        assert (
            talk.ask("go mate 1 searchmoves f7a2", "bestmove")[-2]
            == "info string no mate in 1 by these moves"
        )
        assert "score mate 1" in talk.ask("go mate 1", "bestmove")[-2]


def test_where_there_is_no_mate_nothing_is_said_of_the_score() -> None:
    """White is a queen up: `cp 0 upperbound` would deny it."""
    with Talk(Uci) as talk:
        talk.send("position fen k7/8/8/8/3Q4/8/8/K7 w - - 0 1")
        lines = talk.ask("go mate 1", "bestmove")
        assert lines[-2] == "info string no mate in 1"
        assert not any("score" in line for line in lines)


# Each side acts twice in a turn; who has to move at 12 or beyond has lost.
TWICE = """
from dataclasses import dataclass

from plywise import LOST, game


@game("twice")
@dataclass(frozen=True)
class Twice:
    count: int = 0
    turn: int = 0
    acted: bool = False

    def moves(self):
        return [1, 2]

    def play(self, move):
        return Twice(self.count + move, self.turn if not self.acted else 1 - self.turn, not self.acted)

    def outcome(self):
        return LOST if self.count >= 12 else None
"""


def test_no_mate_is_counted_where_a_side_acts_several_times(tmp_path: Path) -> None:
    """The loser may choose a defence of fewer plies in which the winner moves more often."""
    (tmp_path / "twice.py").write_text(TWICE)
    with Talk(Uci, str(tmp_path / "twice.py")) as talk:
        lines = talk.ask("go depth 12", "bestmove")
        proven = [line for line in lines if re.search(r"score cp -?3[12][0-9]{3,} ", line)]
        assert proven and not any("mate" in line for line in lines)
        talk.send("position fen Twice(count=10, turn=0, acted=True)")
        assert (
            "score mate 1 " in talk.ask("go depth 3", "bestmove")[-2]
        )  # by the next move, whoever moves then


def test_mates_are_counted_only_where_the_sides_alternate() -> None:
    kalah, chess = sample("kalah").history(), plywise.load("chess").history()
    assert kalah.play(1).turn == kalah.turn
    assert moves_to_win(win_in(3), kalah, [1, 0]) is None
    assert moves_to_win(loss_in(4), kalah) is None
    assert moves_to_win(win_in(1), kalah) == 1
    for score, moves in (
        (win_in(3), 2),
        (loss_in(4), -2),
        (loss_in(3), -1),
        (loss_in(1), -1),
        (loss_in(0), 0),
    ):
        assert moves_to_win(score, chess) == moves


def test_there_is_an_answer_where_there_is_no_move() -> None:
    with Talk(Uci) as talk:
        talk.send("position fen k7/1Q6/1K6/8/8/8/8/8 b - - 0 1")
        assert talk.ask("go movetime 50", "bestmove") == ["info depth 0 score mate 0", "bestmove (none)"]
        talk.send("position fen k7/2Q5/1K6/8/8/8/8/8 b - - 0 1")
        assert talk.ask("go depth 3", "bestmove") == ["info depth 0 score cp 0", "bestmove (none)"]
        talk.send("position fen k7/8/1K6/8/8/8/8/8 w - - 0 1")  # dead, and yet there are moves
        assert talk.ask("go depth 2", "bestmove")[-1] != "bestmove (none)"


@pytest.mark.parametrize("go", ["go infinite", "go", "go ponder wtime 100 btime 100"])
def test_no_move_before_stop(go: str) -> None:
    """Here one depth proves everything, and still there is no answer before it is asked for."""
    with Talk(Uci) as talk:
        talk.send("position fen k7/8/1K6/8/8/8/8/7R w - - 0 1", go)
        talk.until("info depth 1")
        assert talk.ask("isready", "readyok")[-1] == "readyok"
        assert not [line for line in talk.heard if line.startswith("bestmove")]
        assert talk.ask("stop", "bestmove")[-1].startswith("bestmove h1h8")


def test_a_stop_is_never_lost() -> None:
    with Talk(Uci) as talk:
        talk.ask("isready", "readyok")
        for _ in range(100):
            talk.send("go infinite", "stop")
            talk.until("bestmove")


def test_a_ponder_hit_starts_the_clock() -> None:
    with Talk(Uci) as talk:
        talk.ask("isready", "readyok")
        for hit in ("go ponder wtime 300 btime 300", "go ponder depth 3", "go ponder movetime 30"):
            for _ in range(10):
                talk.send("position startpos moves e2e4", hit, "ponderhit")
                talk.until("bestmove")
        talk.send("position startpos", "go ponder wtime 1000 btime 1000")
        talk.until("info depth 5")
        talk.ask("ponderhit", "bestmove")


def test_pondering_hits_and_stops_may_come_in_any_order() -> None:
    """One answer each time, whatever overtakes what."""
    with Talk(Uci) as talk:
        talk.ask("isready", "readyok")
        talk.send("setoption name Ponder value true", "position startpos moves e2e4")
        for i in range(60):
            go = "go ponder wtime 40 btime 40" if i % 2 else "go ponder depth 2"
            talk.send(go, *(("ponderhit", "stop"), ("stop", "ponderhit"), ("ponderhit",))[i % 3], "isready")
            talk.until("readyok")
            talk.send("ponderhit", "stop", "ucinewgame", "isready")
            talk.until("readyok")
        # A search that does not end within a moment lets what follows wait, while `isready` is answered.
        while sum(line.startswith("bestmove") for line in talk.heard) < 60:
            talk.until("bestmove")
        assert talk.ask("isready", "readyok") == ["readyok"]
        assert sum(line.startswith("bestmove") for line in talk.heard) == 60


def test_analysis_asks_no_book_and_knows_no_limit_of_strength(tmp_path: Path) -> None:
    book = tmp_path / "book.bin"
    start = chess.polyglot.zobrist_hash(chess.Board())
    book.write_bytes(struct.pack(">QHHI", start, chess.A3 | chess.A2 << 6, 1, 0))
    with Talk(Uci) as talk:
        talk.send(
            f"setoption name Book value {book}", "setoption name Skill Level value 0", "position startpos"
        )
        assert talk.ask("go wtime 9000 btime 9000", "bestmove") == ["bestmove a2a3"]
        talk.send("setoption name UCI_AnalyseMode value true")
        lines = talk.ask("go depth 7", "bestmove")
        assert lines[-1] != "bestmove a2a3"
        assert any(line.startswith("info depth 7 ") for line in lines)


def test_a_score_out_of_its_window_is_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Told at once and with its sign; the depth itself comes after it, and only that is counted."""
    monkeypatch.setattr(deepening, "MISS_REPORTS_AFTER", 0.0)
    with Talk(Uci) as talk:
        talk.send("position fen r1bqkbnr/ppp2ppp/2np4/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 1 4")
        lines = [line for line in talk.ask("go depth 9", "bestmove") if " pv " in line]
        bounds = [line for line in lines if re.search(r" score cp -?\d+ (lower|upper)bound ", line)]
        assert bounds
        for line in bounds:
            depth = line.split()[2]
            after = lines[lines.index(line) + 1 :]
            assert any(one.split()[2] == depth and "bound" not in one for one in after)
        assert len(talk.protocol.player.task.best_moves) == 9


def test_drawn_games_that_nobody_ended_are_searched_on() -> None:
    """A fifth repetition, 120 and 170 plies: the program on the other side decides what is a draw."""
    rook_up = "7k/8/8/8/8/8/R7/6K1 w - - {} 90"
    with Talk(Uci) as talk:
        moves = " ".join(["g1f1 h8g8 f1g1 g8h8"] * 5)
        talk.send(f"position fen {rook_up.format(0)} moves {moves}")
        assert talk.ask("go depth 6", "bestmove")[-1] != "bestmove (none)"
        for plies in (99, 120, 149, 170):
            talk.send("ucinewgame", f"position fen {rook_up.format(plies)}")
            last = talk.ask("go depth 6", "bestmove")[-2]
            score = int(last.split(" score cp ")[1].split()[0])
            assert score == 0 if plies in (99, 149) else score > 300, (plies, last)


def test_every_kind_of_limit_ends_the_search() -> None:
    with Talk(Uci) as talk:
        talk.ask("isready", "readyok")
        limits = (
            "movetime 20",
            "nodes 3000",
            "depth 3",
            "mate 1",
            "wtime 60 btime 60",
            "wtime 1 btime 1 winc 0 binc 0",
            "wtime -50 btime -50",
            "wtime 200 btime 200 movestogo 1",
            "wtime 100 btime 100 winc 10 binc 10 movestogo 5",
            "depth 3 nonsense 7 nodes 500",
        )
        for limit in limits:
            assert talk.ask(f"go {limit}", "bestmove")[-1] != "bestmove (none)"
        nodes = re.search(r" nodes (\d+)", talk.ask("go nodes 3000", "bestmove")[-2])
        assert nodes and int(nodes[1]) <= 3000


def test_searchmoves_and_several_lines() -> None:
    with Talk(Uci) as talk:
        talk.send("setoption name MultiPV value 3", "position startpos")
        lines = talk.ask("go depth 4", "bestmove")
        places = [line.split(" multipv ")[1].split()[0] for line in lines if "info depth 4 " in line]
        assert places == ["1", "2", "3"]
        talk.send("setoption name MultiPV value 1")
        best = talk.ask("go searchmoves a2a3 h2h3 depth 4", "bestmove")[-1]
        assert best.split()[1] in ("a2a3", "h2h3")


def test_castling_is_written_as_the_option_says() -> None:
    with Talk(Uci) as talk:
        talk.send(f"position fen {CASTLING}")
        assert talk.ask("go searchmoves e1g1 depth 1", "bestmove")[-1].startswith("bestmove e1g1")
        talk.send("setoption name UCI_Chess960 value true", f"position fen {CASTLING} moves e1h1 e8a8")
        assert "2kr3r" in talk.ask("d", "2kr3r")[-1]
        talk.send(f"position fen {CASTLING}")
        assert talk.ask("go searchmoves e1h1 depth 1", "bestmove")[-1].startswith("bestmove e1h1")


def test_bad_input_is_answered_and_changes_nothing() -> None:
    with Talk(Uci) as talk:
        talk.send("position startpos moves d2d4")
        bad = (
            "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
            "position startpos moves d2d5",
            "position",
            "position fen",
            "setoption name Hash value lots",
            "setoption name Hash value 0",
            "setoption name Nonsense value 1",
            "setoption",
            "setoption name Evaluator value shanon",
            "setoption name Seat value Shanon",
            "setoption name Seat value alphabeta,depth=0",
            "setoption name Seat value person",
            "setoption name Book value /no/such/book.bin",
            "go depth x",
            "go perft x",
            "go searchmoves e7e9",
        )
        for line in bad:
            assert talk.ask(line, "info string error: ")[-1].isprintable()
        talk.send("", "xyzzy", "joho debug on", "hello")
        assert talk.until("info string ignored")[-1] == "info string ignored 'hello'"
        assert "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1" in talk.ask("d", "rnbq")


def test_the_extras() -> None:
    with Talk(Uci) as talk:
        talk.send("position startpos")
        assert talk.ask("go perft 3", "Nodes searched")[-1] == "Nodes searched: 8902"
        assert re.fullmatch(r"default: [+-]?[\d.]+ for White", talk.ask("eval", "default: ")[-1])
        talk.send("setoption name Evaluator value shannon")
        assert talk.ask("eval", "shannon: ")[-1] == "shannon: 0 for White"


def test_a_seat_is_who_plays_and_how_deep() -> None:
    with Talk(Uci, "tic_tac_toe") as talk:
        talk.send("setoption name Seat value minimax,depth=2", "position startpos moves a3 b2")
        depths = [int(line.split()[2]) for line in talk.ask("go depth 9", "bestmove") if " pv " in line]
        assert max(depths) == 2
        talk.send("setoption name Seat value random")
        free = ["c3", "b3", "a2", "c2", "a1", "b1", "c1"]
        assert talk.ask("go depth 9", "bestmove")[-1].split()[1] in free
        talk.send("setoption name Seat value", "position startpos moves a3 b2")
        depths = [int(line.split()[2]) for line in talk.ask("go depth 3", "bestmove") if " pv " in line]
        assert max(depths) == 3


def test_a_bench_is_told_when_it_is_done() -> None:
    game = plywise.load("connect_four")
    engine, nodes = plywise.Engine(game), 0
    for text, depth in game.bench:
        engine.clear()
        nodes += engine.search(game.history(text), depth=depth).nodes
    with Talk(Uci, "connect_four") as talk:
        talk.send("register later")
        assert talk.ask("bench", "Nodes searched") == [f"Nodes searched: {nodes}"]


def test_debug_tells_what_was_not_understood() -> None:
    with Talk(Uci) as talk:
        talk.send("hello", "debug on", "hello", "debug off", "hello")
        assert talk.ask("isready", "readyok") == ["info string ignored 'hello'", "readyok"]


def test_the_move_being_searched_is_told_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uci, "CURRMOVE_FROM", 0.0)
    with Talk(Uci) as talk:
        talk.send("position startpos", "go infinite")
        pattern = r"info depth \d+ currmove [a-h1-8]{4} currmovenumber \d+ time \d+ nodes \d+ nps \d+"
        while not re.fullmatch(pattern, talk.until("info depth")[-1]):
            pass
        talk.ask("stop", "bestmove")


def test_questions_are_answered_while_paths_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = threading.Event()

    def slowly(history: History, depth: int, stop: threading.Event) -> Iterator[tuple[int, int]]:
        assert counted.wait(PATIENCE)
        yield history.game.moves(history.position)[0], 1

    monkeypatch.setattr(uci, "perft_divide", slowly)
    with Talk(Uci) as talk:
        talk.send("go perft 6", "isready", "position startpos moves e2e4", "d")
        assert talk.until("readyok") == ["readyok"]
        counted.set()
        assert "Nodes searched: 1" in talk.until("Nodes searched")
        assert "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1" in talk.until("rnbq")


def test_a_stop_is_answered_before_the_count_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may keep the thread that counts from its end; who sent the stop is answered."""
    counted = threading.Event()

    def slowly(history: History, depth: int, stop: JobStop) -> Iterator[tuple[int, int]]:
        assert counted.wait(PATIENCE)
        yield history.game.moves(history.position)[0], 1

    monkeypatch.setattr(uci, "perft_divide", slowly)
    with Talk(Uci, "connect_four") as talk:
        talk.send("go perft 6", "position startpos moves 4", "d", "stop", "isready")
        assert talk.until("readyok") == ["info string perft was stopped", "readyok"]
        counted.set()
        assert not any("perft" in line or "Nodes" in line or ": 1" in line for line in talk.until("4"))


SLOW = """
import time
from dataclasses import dataclass
from pathlib import Path

from plywise import LOST, game

HOLD, HELD = Path(__file__).with_name("hold"), Path(__file__).with_name("held")


@game("slow")
@dataclass(frozen=True)
class Slow:
    count: int = 0
    turn: int = 0

    def moves(self):
        while HOLD.exists():
            HELD.touch()
            time.sleep(0.01)
        return [1, 2, 3]

    def play(self, move):
        return Slow(self.count + move, 1 - self.turn)

    def outcome(self):
        return LOST if self.count >= 200 else None

    def evaluate(self):
        return self.count % 7
"""


def test_slow_rules_keep_nobody_waiting(tmp_path: Path) -> None:
    """A search may be in a rule of a game in Python when the next one is asked for."""
    (tmp_path / "slow.py").write_text(SLOW)
    with Talk(Uci, str(tmp_path / "slow.py")) as talk:
        talk.ask("isready", "readyok")
        talk.send("go infinite")
        talk.until("info depth 2")
        (tmp_path / "hold").touch()
        while not (tmp_path / "held").exists():
            time.sleep(0.01)
        talk.send("go depth 1", "position startpos moves 1", "go depth 1", "isready")
        assert not any(line.startswith("bestmove") for line in talk.until("readyok"))
        (tmp_path / "hold").unlink()
        for _ in range(3):
            talk.until("bestmove")


def most_nodes(lines: list[str]) -> int:
    return max(int(found[1]) for line in lines if (found := re.search(r" nodes (\d+)", line)))


def test_limited_strength_plays_on_few_nodes() -> None:
    game = plywise.load("chess")
    with Talk(Uci) as talk:
        talk.send("setoption name UCI_LimitStrength value true")
        for elo in (MIN_ELO, 1500):
            talk.send(f"setoption name UCI_Elo value {elo}")
            own = level_of_elo(game, elo).nodes
            assert own is not None and most_nodes(talk.ask("go wtime 60000 btime 60000", "bestmove")) <= own
        talk.send("setoption name UCI_LimitStrength value false", "setoption name Skill Level value 3")
        skilled = level_of_skill(game, 3)
        assert skilled is not None and skilled.nodes is not None
        assert most_nodes(talk.ask("go movetime 60000", "bestmove")) <= skilled.nodes


def test_an_elo_alone_limits_nothing() -> None:
    game = plywise.load("chess")
    with Talk(Uci) as talk:
        talk.send(f"setoption name UCI_Elo value {MIN_ELO}", "setoption name UCI_LimitStrength value true")
        talk.send("setoption name UCI_LimitStrength value false", "setoption name Skill Level value 20")
        few = level_of_elo(game, MIN_ELO).nodes
        assert few is not None and most_nodes(talk.ask(f"go nodes {8 * few}", "bestmove")) > few
        assert talk.protocol.player.settings.strength is None


def test_an_elo_beyond_the_scale_is_refused() -> None:
    with Talk(Uci) as talk:
        for elo in (MIN_ELO - 1, MAX_ELO + 1):
            lines = talk.ask(f"setoption name UCI_Elo value {elo}", "info string")
            assert f"from {MIN_ELO} to {MAX_ELO}" in lines[-1]


def test_a_new_game_and_a_cleared_table_search_the_same_again() -> None:
    with Talk(Uci) as talk:
        counts = []
        for between in ("ucinewgame", "setoption name Clear Hash", "ucinewgame"):
            talk.send(between, "position startpos")
            last = talk.ask("go depth 7", "bestmove")[-2]
            counts.append(last.split(" nodes ")[1].split()[0])
        assert len(set(counts)) == 1


@pytest.mark.parametrize(
    "game",
    [
        "connect_four",
        "tic_tac_toe",
        pytest.param("checkers", marks=pytest.mark.thorough("compiles the game")),
        pytest.param("polis", marks=pytest.mark.thorough("compiles the game")),
    ],
)
def test_other_games_play_too(game: str) -> None:
    with Talk(Uci, game) as talk:
        assert talk.ask("uci", "uciok")[0].endswith(")")
        talk.send("position startpos")
        first = talk.ask("go movetime 30", "bestmove")[-1].split()[1]
        talk.send(f"position startpos moves {first}")
        assert talk.ask("go movetime 30", "bestmove")[-1] != "bestmove (none)"


def test_the_log_keeps_the_conversation(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    with Talk(Uci, log=str(path)) as talk:
        talk.ask("isready", "readyok")
    text = path.read_text()
    assert re.search(r"^\d\d:\d\d:\d\d\.\d{3} < isready$", text, re.MULTILINE)
    assert re.search(r"^\d\d:\d\d:\d\d\.\d{3} > readyok$", text, re.MULTILINE)


@pytest.mark.parametrize("job", ["go perft 30", "bench"])
def test_whatever_runs_is_ready_and_stops_at_once(job: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither job would end: whatever is answered was not made to wait for it."""
    monkeypatch.setattr(Game, "bench_searches", [("start", {"depth": 42})])
    with Talk(Uci, "connect_four") as talk:
        talk.ask("isready", "readyok")
        talk.ask("go perft 4", "Nodes searched")  # compiled by now
        talk.send(job, "position startpos moves 4", "d")
        assert "Nodes searched" not in " ".join(talk.ask("isready", "readyok"))
        talk.send("stop")
        assert talk.until("info string ")[-1].endswith(" was stopped")
        talk.until("4")  # what waited is obeyed, in its order
        talk.send(job, "quit")
        talk.thread.join(PATIENCE)
        assert not talk.thread.is_alive()


@pytest.fixture
def loading(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """An engine that is not there before the event is set."""
    go_on, build = threading.Event(), EnginePool._build

    def build_later(self: EnginePool) -> None:
        go_on.wait(PATIENCE)
        build(self)

    monkeypatch.setattr(EnginePool, "_build", build_later)
    yield go_on
    go_on.set()


def test_nothing_waits_while_the_engine_is_loaded(loading: threading.Event) -> None:
    with Talk(Uci, "connect_four") as talk:
        talk.send("isready", "isready", "position startpos moves 4", "d", "go infinite", "stop")
        talk.send("debug on", "xyzzy")
        assert talk.until("info string ignored") == ["info string ignored 'xyzzy'"], "the others wait"
        loading.set()
        lines = talk.until("bestmove")
        assert [line for line in lines if line == "readyok"] == ["readyok"] * 2
        assert lines.index("readyok") == 0 and "4" in lines
        talk.send("quit")
        talk.thread.join(PATIENCE)


def test_where_there_is_no_move_no_engine_is_waited_for(loading: threading.Event) -> None:
    with Talk(Uci, "connect_four") as talk:
        talk.send("position startpos moves 1 2 1 2 1 2 1")  # four in a column
        assert talk.ask("go depth 3", "bestmove") == ["info depth 0 score mate 0", "bestmove (none)"]
        loading.set()


def test_a_compiler_keeps_nobody_waiting(loading: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "is_compiling", lambda: True)
    with Talk(Uci, "connect_four") as talk:
        talk.ask("isready", "readyok")
        assert not loading.is_set(), "the engine is not there yet"
        talk.send("go infinite", "stop")
        talk.until("bestmove")
        talk.ask("isready", "readyok")
        loading.set()


def test_quit_is_heard_while_the_engine_is_loaded(loading: threading.Event) -> None:
    talk = Talk(Uci, "connect_four")
    talk.send("isready", "quit")
    talk.thread.join(PATIENCE)
    assert not talk.thread.is_alive() and talk.out.lines.empty()
    loading.set()


def test_a_line_of_a_million_signs_is_read_at_once() -> None:
    with Talk(Uci, "connect_four") as talk:
        talk.send("debug on", "x " * 500_000)
        assert len(talk.ask("isready", "readyok")) == uci.MAX_IGNORED + 1
        talk.send("go searchmoves " + "9 " * 500_000)
        assert "none of these is legal" in talk.until("info string error")[-1]
        talk.send("position startpos moves " + "4 " * 500_000)
        assert "a game may have 3000 moves, not" in talk.until("info string error")[-1]


def test_a_bench_is_stopped_while_its_engine_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()
    monkeypatch.setattr("plywise.protocols.debug_commands.Engine", lambda game: go_on.wait(PATIENCE))
    with Talk(Uci, "connect_four") as talk:
        talk.send("bench", "stop")
        assert talk.until("info string bench") == ["info string bench was stopped"]
        go_on.set()


def test_a_perft_is_stopped_while_its_counter_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()
    monkeypatch.setattr("plywise.protocols.debug_commands.perft_counter", lambda game: go_on.wait(PATIENCE))
    with Talk(Uci, "connect_four") as talk:
        talk.send("go perft 6", "stop")
        assert talk.until("info string perft") == ["info string perft was stopped"]
        go_on.set()


def test_a_perft_counts_few_paths_in_one_call(monkeypatch: pytest.MonkeyPatch) -> None:
    game, counted = plywise.load("tic_tac_toe"), list[int]()
    count = perft_counter(game, compiled=False)

    class Counter:
        game, specialisation = count.game, count.specialisation

        def __call__(self, position: object, depth: int) -> int:
            counted.append(count(position, depth))
            return counted[-1]

    monkeypatch.setattr(debug_commands, "perft_counter", lambda game: Counter())
    monkeypatch.setattr(debug_commands, "PLAIN_CHUNK_PATHS", 100)
    divided = debug_commands.perft_divide(game.history(), 5, debug_commands.JobStop())
    assert sum(paths for _, paths in divided) == 9 * 8 * 7 * 6 * 5 == sum(counted)
    assert max(counted) <= 100
