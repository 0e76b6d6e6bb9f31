"""XBoard's protocol by transcripts: lines sent, lines expected."""

import re
import struct
import threading
import time
from pathlib import Path

import chess
import chess.polyglot
import pytest

import plywise
from plywise.core.scores import loss_in
from plywise.play import background
from plywise.play.clock import Clock
from plywise.play.engine_pool import EnginePool
from plywise.protocols.draw_policy import DrawPolicy
from plywise.protocols.xboard import XBoard
from plywise.protocols.xboard_clock import XBoardClock
from plywise.search import deepening
from tests.protocols.talk import PATIENCE, Talk
from tests.protocols.test_uci import SLOW, TWICE

WINS_A_PIECE = "r1bqkbnr/ppp2ppp/2np4/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 1 4"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def _fen(talk: Talk) -> str:
    talk.send("d")
    while True:
        line = talk.until("# ")[-1]
        if line.count("/") == 7:
            return line.removeprefix("# ")


def test_the_greeting_declares_what_works() -> None:
    with Talk(XBoard) as talk:
        talk.send("xboard")
        lines = talk.ask("protover 2", "feature done=1")
        text = " ".join(lines)
        wanted = (
            "ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 sigterm=0 reuse=1"
            ' analyze=1 colors=0 variants="normal,fischerandom" memory=1 smp=1 debug=1'
            " pause=1 nps=1 exclude=1"
        )
        for feature in wanted.split():
            assert feature in text
        talk.send("accepted ping", "rejected sigterm")
        assert talk.ask("ping 7", "pong")[-1] == "pong 7"
        assert len(talk.send("d", "ping 8") or talk.until("pong 8")) > 8
        talk.send("rejected debug", "d")  # then only the protocol's own lines
        assert talk.ask("ping 9", "pong") == ["pong 9"]


def test_it_plays_black_after_new_and_the_side_on_move_after_go() -> None:
    with Talk(XBoard) as talk:
        talk.send("new", "st 0.05", "usermove e2e4")
        assert talk.until("move ")[-1].startswith("move ")
        talk.send("new", "st 0.05", "go")
        talk.until("move ")
        assert _fen(talk).split()[1] == "b"
        talk.send("force", "usermove e7e5", "playother")
        assert talk.ask("ping 1", "pong")[-1] == "pong 1"
        talk.send("usermove g1f3" if _fen(talk).split()[1] == "w" else "usermove e7e6")
        assert talk.ask("ping 2", "pong")[-1] == "pong 2"


def test_force_takes_moves_of_both_sides_and_undo_takes_them_back() -> None:
    with Talk(XBoard) as talk:
        talk.send("new", "force", "usermove e2e4", "usermove e7e5", "usermove g1f3")
        assert _fen(talk).startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b")
        talk.send("undo")
        assert _fen(talk).startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w")
        talk.send("remove")
        assert _fen(talk) == START
        assert "no move to take back" in talk.ask("undo", "Error (")[-1]


def test_illegal_moves_and_unknown_commands_have_their_own_answers() -> None:
    with Talk(XBoard) as talk:
        talk.send("new", "force")
        assert re.fullmatch(r"Illegal move \(.+\): e2e5", talk.ask("usermove e2e5", "Illegal")[-1])
        assert re.fullmatch(r"Illegal move \(.+\): e9", talk.ask("e9", "Illegal")[-1])
        assert talk.ask("xyzzy", "Error")[-1] == "Error (unknown command): xyzzy"
        for line in ("level 40", "level a b c", "st x", "sd x", "time x", "variant losers", "memory x"):
            assert talk.ask(line, "Error (")[-1].endswith(f": {line}")
        for line in ("option Nonsense=1", "option MultiPV=0", "nps x", "cores 0", "otim -", "resume"):
            assert talk.ask(line, "Error (")[-1].endswith(f": {line}")
        assert talk.ask("setboard 8/8/8/8/8/8/8/8 w - - 0 1", "tellusererror Illegal position")
        assert _fen(talk) == START


def test_some_commands_need_no_answer() -> None:
    quiet = "xboard|accepted done|random|computer|name A. B.|rating 20 19|ics -|post|nopost|easy|hard|exit|."
    with Talk(XBoard) as talk:
        talk.send("new", *quiet.split("|"), "time 6000", "otim 6000", "hint", "?")
        assert talk.ask("ping 1", "pong") == ["pong 1"]


def test_a_result_ends_the_game_and_the_thinking() -> None:
    with Talk(XBoard) as talk:
        talk.send("new", "post", "level 0 60 0", "usermove e2e4", "result 1-0 {White wins on time}")
        lines = talk.ask("ping 1", "pong")
        assert not [line for line in lines if line.startswith("move")]
        talk.send("new", "nopost", "sd 3", "usermove d2d4")
        assert len(talk.until("move ")) == 1, "no thinking lines"


def test_the_book_is_shown_on_request(tmp_path: Path) -> None:
    start = chess.polyglot.zobrist_hash(chess.Board())
    entries = [(chess.E2, chess.E4, 3), (chess.D2, chess.D4, 1)]
    book = tmp_path / "book.bin"
    book.write_bytes(b"".join(struct.pack(">QHHI", start, a << 6 | b, weight, 0) for a, b, weight in entries))
    with Talk(XBoard) as talk:
        talk.send("new", f"option Book={book}")
        assert talk.ask("bk", " d2d4") == [" e2e4 75%", " d2d4 25%"]
        talk.send("force", "go")
        assert talk.until("move ")[-1] in ("move e2e4", "move d2d4")


def test_an_offer_on_their_move_is_taken_if_we_want_it() -> None:
    with Talk(XBoard) as talk:
        talk.send("new", "draw")
        assert talk.ask("ping 1", "pong") == ["pong 1"], "nothing has been shown yet"
        talk.protocol.draw_policy.accepts_draw = lambda history: True
        assert talk.ask("draw", "offer") == ["offer draw"]


def test_mate_stalemate_and_dead_positions_end_the_game() -> None:
    with Talk(XBoard) as talk:
        talk.send("new", "force", "setboard 7k/R7/8/8/8/8/8/1R4K1 w - - 0 1", "usermove b1b8")
        assert talk.until("1-0")[-1] == "1-0 {White mates}"
        talk.send("setboard 7k/8/6Q1/8/8/8/8/6K1 w - - 0 1", "usermove g6f7")
        assert talk.until("1/2")[-1] == "1/2-1/2 {stalemate: Black has no move}"
        talk.send("setboard 7k/8/8/8/8/8/6q1/6K1 w - - 0 1", "usermove g1g2")
        assert talk.until("1/2")[-1].startswith("1/2-1/2 {dead position")
        talk.send("setboard 7k/R7/8/8/8/8/8/1R4K1 w - - 0 1", "sd 3", "go")
        assert talk.until("move ")[-1] == "move b1b8"
        assert talk.until("1-0")[-1] == "1-0 {White mates}"


def test_a_third_repetition_is_claimed() -> None:
    with Talk(XBoard) as talk:
        talk.send("new", "force", "setboard 7k/8/8/8/8/8/r7/6K1 w - - 0 1")
        for _ in range(2):
            talk.send("usermove g1f1", "usermove h8g8", "usermove f1g1", "usermove g8h8")
        talk.send("sd 4", "go")
        assert talk.until("1/2")[-1] == "1/2-1/2 {the position has occurred 3 times}"


REPEATED = ("usermove g1f1", "usermove h8g8", "usermove f1g1", "usermove g8h8")


def test_a_draw_is_claimed_only_by_who_does_not_stand_better() -> None:
    """White is a rook up: a third repetition is no reason to stop, the fifth is the end."""
    with Talk(XBoard) as talk:
        talk.send(
            "new", "force", "setboard 7k/8/8/8/8/8/R7/6K1 w - - 0 1", *REPEATED, *REPEATED, "sd 6", "go"
        )
        talk.send("ping 1")
        heard = talk.until("pong 1")
        assert [line.split()[0] for line in heard] == ["move", "pong"], "it plays on"
        talk.send("force", "setboard 7k/8/8/8/8/8/R7/6K1 w - - 0 1", *REPEATED * 4)
        assert talk.until("1/2")[-1] == "1/2-1/2 {the position has occurred 5 times}"


def test_fifty_moves_are_claimed_and_seventy_five_end_the_game() -> None:
    with Talk(XBoard) as talk:
        talk.send("new", "force", "setboard 7k/8/8/8/8/8/r7/6K1 w - - 120 90", "sd 4", "go")
        assert talk.until("1/2")[-1] == "1/2-1/2 {120 plies without progress}"
        talk.send("force", "setboard 7k/8/8/8/8/8/R7/6K1 w - - 120 90", "sd 6", "go", "ping 1")
        assert talk.until("pong 1")[-2].startswith("move "), "it stands better"
        talk.send("force", "setboard 7k/8/8/8/8/8/R7/6K1 w - - 149 90", "usermove a2a3")
        assert talk.until("1/2")[-1] == "1/2-1/2 {150 plies without progress}"


def test_a_draw_that_nobody_claims_is_analysed_on() -> None:
    with Talk(XBoard) as talk:
        talk.send("new", "force", "setboard 7k/8/8/8/8/8/R7/6K1 w - - 0 1", *REPEATED, *REPEATED, "analyze")
        talk.until("5 ")
        talk.send("exit")


def test_thinking_lines_have_four_numbers_and_a_tab() -> None:
    with Talk(XBoard) as talk:
        talk.send("new", "post", "sd 4", "usermove e2e4")
        lines = talk.until("move ")
        assert re.fullmatch(r"4 -?\d+ \d+ \d+\t[a-h1-8qrbn ]+", lines[-2])
        talk.send("nopost", "force", "go")
        talk.send("setboard 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", "post", "sd 6", "go")
        assert any(line.split()[1] == "100002" for line in talk.until("move ")[:-1])


def test_a_score_out_of_its_window_is_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deepening, "MISS_REPORTS_AFTER", 0.0)
    with Talk(XBoard) as talk:
        talk.send("new", "force", f"setboard {WINS_A_PIECE}", "post", "sd 9", "go")
        lines = [line for line in talk.until("move ") if "\t" in line]
        marked = [line for line in lines if re.search(r"\t\S+[!?]", line)]
        assert marked
        for line in marked:  # the same depth comes again, whole
            again = lines[lines.index(line) + 1 :]
            assert any(one.split()[0] == line.split()[0] and one not in marked for one in again)


def test_a_pause_stops_time_and_thought() -> None:
    with Talk(XBoard) as talk:
        talk.send("new", "level 0 60 0", "usermove e2e4", "pause")
        assert talk.ask("ping 1", "pong") == ["pong 1"]
        assert talk.ask("usermove d2d4", "Illegal")[-1] == "Illegal move (it is not your turn): d2d4"
        assert not talk.protocol.player.is_thinking
        talk.send("resume", "?")
        assert talk.until("move ")[-1].startswith("move ")
        talk.send("pause", "resume", "hard", "usermove d2d4", "?")  # a pause on the other side's move
        talk.until("move ")
        talk.send("pause", "force", "usermove a7a6" if _fen(talk).split()[1] == "b" else "usermove a2a3")
        assert talk.ask("resume", "Error (")[-1] == "Error (nothing is paused): resume"


def test_a_paused_search_that_had_its_answer_gives_it_after_the_pause() -> None:
    with Talk(XBoard) as talk:
        talk.ask("ping 1", "pong 1")
        for _ in range(5):
            talk.send("new", "sd 1", "usermove e2e4", "pause", "resume", "ping 2")
            heard = talk.until("pong 2")
            assert len([line for line in heard if line.startswith("move ")]) == 1


def test_with_a_node_rate_nodes_are_time() -> None:
    with Talk(XBoard) as talk:
        talk.send("new", "post", "st 8", "nps 100", "usermove e2e4")
        lines = [line for line in talk.until("move ") if "\t" in line]
        assert 100 < max(int(line.split()[3]) for line in lines) <= 800
        talk.send("force", "level 0 1 0", "time 6000", "nps 1000", "go", "ping 1")
        talk.until("pong 1")
        assert 0 < 60.0 - talk.protocol.clock.left < 10, "our clock has counted nodes"
        talk.send("force", "st 0.05", "nps 0", "go", "ping 2")  # the processor's time
        talk.until("move ")
        talk.send("force", "nps -1", "go", "ping 3")
        talk.until("move ")
        assert talk.protocol.clock.rate is None


def test_excluded_moves_are_not_thought_about() -> None:
    with Talk(XBoard) as talk:
        talk.send("new", "force", "setboard 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", "post", "analyze")
        talk.until("3 100002")
        talk.send("exclude all", "ping 1")
        talk.until("pong 1")
        talk.send("include a2a3")
        assert "\ta2a3" in talk.until("5 ")[-1]
        assert talk.protocol.player.task.request.moves == ("a2a3",)
        assert talk.ask("exclude a2h8", "Error (")[-1].endswith(": exclude a2h8")
        talk.send("include all", "exit", "exclude a2a7", "exclude b1b7", "sd 3", "go")
        assert talk.until("move ")[-1] not in ("move a2a7", "move b1b7")
        assert not talk.protocol.excluded, "another position, other moves"
        talk.send("force", "undo", "level 0 60 0", "sd 60", "go", "exclude all", "include a2a3", "?")
        assert talk.until("move ")[-1] == "move a2a3"


def test_move_now_and_pings_after_the_move() -> None:
    with Talk(XBoard) as talk:
        talk.send("new", "level 0 60 0", "usermove e2e4", "ping 3", "?")
        lines = talk.until("pong 3")
        assert lines[-2].startswith("move ")


def test_a_move_out_of_turn_is_refused() -> None:
    with Talk(XBoard) as talk:
        talk.send("new", "level 0 60 0", "usermove e2e4", "usermove d2d4")
        assert talk.until("Illegal")[-1] == "Illegal move (it is not your turn): d2d4"
        talk.ask("?", "move ")


def test_pondering_answers_a_hit_and_a_miss() -> None:
    with Talk(XBoard) as talk:
        talk.send("new", "hard", "level 0 0:20 0")
        for _ in range(3):
            talk.send("time 500", "otim 500")
            if _fen(talk).split()[1] == "w":
                hint = _hint(talk)
                talk.send(f"usermove {hint or 'a2a3'}")
            talk.until("move ")
        talk.send("easy", "hard", "usermove h2h3" if _hint(talk) != "h2h3" else "usermove h2h4")
        talk.until("move ")


def _hint(talk: Talk) -> str | None:
    lines = talk.send("hint", "ping 99") or talk.until("pong 99")
    found = [line.removeprefix("Hint: ") for line in lines if line.startswith("Hint: ")]
    return found[-1] if found else None


def test_analysis_follows_the_moves_until_exit() -> None:
    with Talk(XBoard) as talk:
        talk.send("new", "post", "analyze")
        talk.until("5 ")
        assert re.fullmatch(r"stat01: \d+ \d+ \d+ \d+ \d+.*", talk.ask(".", "stat01")[-1])
        talk.send("usermove e2e4")
        talk.until("6 ")
        talk.send("undo", "setboard 7k/R7/8/8/8/8/8/1R4K1 w - - 0 1")
        assert "b1b8" in talk.until("1 100001")[-1]
        talk.send("exit", "force")
        assert talk.ask("ping 4", "pong")[-1] == "pong 4"
        assert not [line for line in talk.heard if line.startswith("move")]


def test_fischerandom_castles_with_letters() -> None:
    with Talk(XBoard) as talk:
        talk.send(
            "new", "variant fischerandom", "force", "setboard 1r3k1r/5p2/8/8/8/8/5P2/1R3K1R w HBhb - 0 1"
        )
        talk.send("usermove O-O", "usermove O-O-O")
        assert _fen(talk).startswith("2kr3r/5p2/8/8/8/8/5P2/1R3RK1 w")


def test_options_memory_and_cores() -> None:
    with Talk(XBoard) as talk:
        talk.send("new", "memory 8", "cores 2", "option MultiPV=2", "option Resign=0")
        talk.send("post", "sd 3", "usermove e2e4")
        assert len([line for line in talk.until("move ") if line.startswith("3 ")]) == 2
        settings = talk.protocol.player.settings
        assert (settings.hash, settings.threads, settings.lines) == (8, 2, 2)
        talk.send("force", "option Skill Level=5")
        talk.ask("ping 1", "pong")
        assert settings.strength is not None
        assert talk.ask("bk", " no book")


def test_level_and_clocks() -> None:
    clock = XBoardClock(now=lambda: 12.0)
    history = plywise.load("chess").history()
    clock.level("40 5 0")
    assert clock.snapshot(history) is not None
    assert clock.snapshot(history).left == 300.0  # type: ignore[union-attr]
    assert clock.snapshot(history.play("e2e4").play("e7e5")).moves_to_go == 39  # type: ignore[union-attr]
    clock.level("0 2:30 12")
    assert clock.snapshot(history) == Clock(150.0, 12.0, None)
    clock.start(2.0)
    clock.stop(history, used=99.0)
    assert clock.left == 152.0
    clock.set_left("1234")
    assert clock.left == 12.34
    clock.set_seconds("0.2")
    assert clock.request(history).seconds == 0.2
    assert clock.snapshot(history) is None
    clock.set_depth("5")
    clock.new_game()
    assert clock.depth is None
    assert clock.seconds == 0.2


def test_it_resigns_only_when_it_is_hopeless_for_long() -> None:
    policy = DrawPolicy()
    for score in (-2000, -2000, -850, -2000, -2000, -2000):
        policy.add_score(score, 100)
        assert not policy.should_resign()
    policy.add_score(loss_in(6), 100)
    assert policy.should_resign()
    policy.resigns = False
    assert not policy.should_resign()


def test_draws_are_offered_and_taken_only_when_level() -> None:
    history = plywise.load("chess").history()
    policy = DrawPolicy()
    policy.add_score(0, 100)
    assert not policy.accepts_draw(history), "too early"
    for i in range(24):
        back = ("g1f3", "g8f6", "f3g1", "f6g8")
        history = history.play(back[i % 4])
    for _ in range(60):
        history = history.play(history.moves[0])
    policy.add_score(1, 100)
    assert not policy.accepts_draw(history), "we stand better"
    policy.add_score(0, 100)
    assert policy.accepts_draw(history)
    assert not policy.offers_draw(history), "level, but not for long"
    for _ in range(12):
        policy.add_score(3, 100)
    if history.clock >= 16:
        assert policy.offers_draw(history)
        assert not policy.offers_draw(history), "not twice"


def test_an_offer_on_our_move_is_answered_with_the_move() -> None:
    with Talk(XBoard) as talk:
        talk.send("new", "force", "setboard 7k/8/8/8/8/8/r7/6K1 w - - 0 1")
        talk.protocol.draw_policy.accepts_draw = lambda history: True
        talk.send("level 0 60 0", "go", "draw", "?")
        assert talk.until("move ")[-2] == "offer draw"


@pytest.mark.parametrize("game", ["connect_four", "tic_tac_toe"])
def test_other_games_play_to_their_end(game: str) -> None:
    with Talk(XBoard, game) as talk:
        talk.send("protover 2", "new", "st 0.02", "force")
        history = plywise.load(game).history()
        while history.outcome is None:
            talk.send("go", "ping 1")
            move = next(line for line in talk.until("pong 1") if line.startswith("move "))
            history = history.play(move.removeprefix("move "))
            talk.send("force")
        assert any(line.startswith(("1-0", "0-1", "1/2")) for line in talk.heard)


def test_commands_are_heard_while_the_engine_is_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    go_on, build = threading.Event(), EnginePool._build

    def build_later(self: EnginePool) -> None:
        go_on.wait(PATIENCE)
        build(self)

    monkeypatch.setattr(EnginePool, "_build", build_later)
    with Talk(XBoard, "connect_four") as talk:
        talk.send("ping 1", "ping 2", "xyzzy")
        assert talk.until("Error") == ["Error (unknown command): xyzzy"]
        go_on.set()
        assert talk.until("pong 2") == ["pong 1", "pong 2"]
        go_on.clear()
        talk.send("memory 2", "ping 3", "quit")
        talk.thread.join(PATIENCE)
        assert not talk.thread.is_alive() and talk.out.lines.empty()
        go_on.set()


def test_a_ping_does_not_wait_for_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    made = threading.Event()
    monkeypatch.setattr(EnginePool, "_build", lambda self: made.wait(PATIENCE))
    monkeypatch.setattr(background, "is_compiling", lambda: True)
    talk = Talk(XBoard, "connect_four")
    assert talk.ask("ping 1", "pong 1") == ["pong 1"]
    assert not made.is_set(), "the engine is not there yet"
    talk.send("quit")
    talk.thread.join(PATIENCE)
    made.set()


ENDING = (
    "new",
    "force",
    "result *",
    "setboard Slow(count=7, turn=0)",
    "undo",
    "playother",
    "analyze",
    "pause",
)


@pytest.mark.parametrize("command", ENDING)
def test_slow_rules_keep_nobody_waiting(tmp_path: Path, command: str) -> None:
    """A search may be in a rule of a game in Python when a command ends it; it is asked again later."""
    (tmp_path / "slow.py").write_text(SLOW)
    with Talk(XBoard, str(tmp_path / "slow.py")) as talk:
        talk.ask("ping 0", "pong 0")
        talk.send("force", "usermove 1", "st 10000", "post", "go")
        talk.until("2 ")
        (tmp_path / "hold").touch()
        while not (tmp_path / "held").exists():
            time.sleep(0.01)
        talk.send("ping 1", command, "ping 2")
        assert talk.until("pong 2")[-2:] == ["pong 1", "pong 2"]
        talk.send("new", "go", "?")  # they wait, and the stop is for the search that is to come
        assert not any(line.startswith("move") for line in talk.ask("ping 3", "pong 3"))
        (tmp_path / "hold").unlink()
        talk.until("move ")


def test_a_command_that_is_refused_ends_no_search(tmp_path: Path) -> None:
    with Talk(XBoard) as talk:
        talk.send("force", "st 10000", "go", "setboard nonsense", "undo", "exclude a1a1")
        for said in ("tellusererror", "Error", "Error"):
            talk.until(said)
        assert talk.protocol.is_deciding
        assert talk.ask("?", "move ")[-1].startswith("move ")


def test_a_pause_is_no_end_of_a_slow_search(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    with Talk(XBoard, str(tmp_path / "slow.py")) as talk:
        talk.ask("ping 0", "pong 0")
        talk.send("st 10000", "post", "go")
        talk.until("2 ")
        (tmp_path / "hold").touch()
        while not (tmp_path / "held").exists():
            time.sleep(0.01)
        talk.send("pause")
        talk.ask("ping 1", "pong 1")
        (tmp_path / "hold").unlink()
        talk.send("resume")
        assert not any(line.startswith("move") for line in talk.until("2 "))  # it thinks again
        talk.ask("?", "move ")


def test_no_mate_is_counted_where_a_side_acts_several_times(tmp_path: Path) -> None:
    (tmp_path / "twice.py").write_text(TWICE)
    with Talk(XBoard, str(tmp_path / "twice.py")) as talk:
        talk.send("force", "post", "sd 12", "go")
        scores = [int(line.split()[1]) for line in talk.until("move ") if re.match(r"[0-9]+ -?[0-9]+ ", line)]
        assert 30_000 < max(map(abs, scores)) < 100_000
