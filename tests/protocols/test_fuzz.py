"""Thousands of random lines: no crash, no hang, and the engine is sane afterwards."""

import random
import re
import time

import pytest

from plywise.protocols.uci import Uci
from plywise.protocols.xboard import XBoard
from tests.conftest import Scaled
from tests.protocols.talk import Talk

MAX_WAITING = 100  # lines that are sent before all are obeyed; some thousand would be too many


def phrases(text: str) -> list[str]:
    return re.split(r"\s*[|\n]\s*", text.strip())


UCI = phrases(
    """
    uci|debug on|debug off|isready|ucinewgame|stop|ponderhit|register later|go|go infinite|go ponder|d|eval
    xyzzy|go depth 3|go depth 99999999999999999999|go movetime 5|go nodes 200|go mate 2|go wtime 20 btime 20
    position|go ponder wtime 50 btime 50|go depth|go searchmoves|go searchmoves e2e4 depth 2|go perft 2
    go movetime -5
    setoption name MultiPV value 3|setoption name MultiPV value 1|setoption name Hash value 2|setoption
    setoption name Hash value 1|setoption name Skill Level value 4|setoption name Skill Level value 20
    setoption name Clear Hash|setoption name UCI_Chess960 value true|setoption name UCI_Chess960 value false
    setoption name Ponder value true|setoption name UCI_AnalyseMode value true|setoption name Ponder
    position startpos|position startpos moves e2e4 e7e5|position startpos moves e2e4 e7e5 g1f3|position fen
    position fen 8/8/8/8/8/8/8/8 w - - 0 1|position fen k7/8/1K6/8/8/8/8/7R w - - 0 1|position startpos moves
    """
)
XBOARD = phrases(
    """
    xboard|protover 2|new|force|go|playother|level 40 5 0|level 0 0:01 0|level|st 0.01|sd 2|time 10|time 5000
    otim 10|usermove e2e4|usermove e7e5|usermove d2d4|usermove O-O|usermove|e2e4|?|draw|result 1-0 {x}|d
    setboard k7/8/1K6/8/8/8/8/7R w - - 0 1|setboard nonsense|undo|remove|hard|easy|post|nopost|analyze|exit|.
    hint|bk|memory 1|memory 2|cores 1|option MultiPV=2|option MultiPV=1|option|variant normal|xyzzy|computer
    pause|resume|exclude all|exclude e2e4|exclude|include all|include e2e4|nps 0|nps 500|nps -1|nps|ics 1
    variant fischerandom|name someone|rating 1 2|accepted done|rejected sigterm|random|time -3|st 0|ping 5
    """
)


def broken(line: str, dice: random.Random) -> str:
    """The line with some signs changed, doubled or lost."""
    signs = list(line)
    for _ in range(dice.randrange(4)):
        place = dice.randrange(len(signs) + 1)
        odd = dice.choice(["", " ", "\0", "é", "9", "-", "\t", "x" * 300])
        signs[place : place + dice.randrange(2)] = odd
    return "".join(signs).replace("quit", "").replace("\n", "")


def wait_for_deferred(talk: Talk, number: int) -> None:
    """Wait until all lines are obeyed: only so many may wait for a perft or a bench.

    The refusal of an option of a name of its own is the answer to this line and to no other. `readyok` would
    not do: some of the random lines ask for it too.
    """
    talk.send("stop")
    talk.ask(f"setoption name Mark{number}", f"info string error: unknown option 'Mark{number}'")


@pytest.mark.parametrize("seed", [1, 2])
def test_uci_survives_random_lines(seed: int, scaled: Scaled) -> None:
    dice = random.Random(seed)
    with Talk(Uci) as talk:
        talk.send("setoption name Hash value 1")
        talk.ask("isready", "readyok")
        for number in range(scaled(600, 3000)):
            line = dice.choice(UCI)
            talk.send(line if dice.random() < 0.7 else broken(line, dice))
            if number % MAX_WAITING == 0:
                wait_for_deferred(talk, number)
        wait_for_deferred(talk, -1)
        assert not any("too many commands wait" in line for line in talk.heard)
        talk.send("stop", "ucinewgame", "setoption name UCI_Chess960 value false", "debug off")
        talk.send("position startpos moves e2e4", "d")
        talk.until("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")
        assert talk.ask("go depth 4", "bestmove")[-1] != "bestmove (none)"
        assert sum(line.startswith("bestmove") for line in talk.heard) > scaled(40, 200)


@pytest.mark.parametrize("seed", [1, 2])
def test_xboard_survives_random_lines(seed: int, scaled: Scaled) -> None:
    dice = random.Random(seed)
    with Talk(XBoard) as talk:
        talk.send("memory 1")
        talk.ask("ping 1", "pong 1")
        for _ in range(scaled(600, 3000)):
            line = dice.choice(XBOARD)
            talk.send(line if dice.random() < 0.7 else broken(line, dice))
        for last in (".", "force"):  # on a busy machine they may wait for the end of a search
            talk.send(last)
            talk.ask("ping 12344", "pong 12344")
            while talk.protocol.is_ending or talk.protocol.deferred:
                time.sleep(0.01)
        talk.send("new", "easy", "level 0 1 0", "sd 4", "usermove e2e4", "ping 12345")
        lines = talk.until("pong 12345")
        assert [line for line in lines if line.startswith("move ")]
