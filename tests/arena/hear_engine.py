"""What another program says to us as a client of UCI or XBoard, as a reader of texts."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from plywise.arena import player_spec
from plywise.arena.external import make_engine
from plywise.arena.faults import Fault, FaultKind
from plywise.arena.process import ReadTimeout
from plywise.arena.setup import Setup
from plywise.arena.time_control import TimeControl
from plywise.core.registry import load


def hear(protocol: str) -> Callable[[str], Any]:
    """What another program says: its options or features, then its thoughts and its move."""

    def read(text: str) -> None:
        lines = iter(text.splitlines())

        def read_line(seconds: float) -> str:
            line = next(lines, None)
            if line is None:
                raise ReadTimeout
            return line

        process: Any = SimpleNamespace(
            name="x",
            send=lambda *lines: None,
            read_line=read_line,
            fault=lambda reason: Fault(FaultKind.CRASH, reason),
        )
        spec = player_spec.parse(f"{protocol}:x,depth=1")
        client = make_engine(load("chess"), spec, Setup("chess", (spec,), TimeControl(depth=1)))
        try:
            client.handshake(process)
            client.new_game(process, client.start)
            client.start_search(process, client.start, None, None)
            for line in lines:
                client.handle_line(process, line)
        except (Fault, ReadTimeout):
            pass

    return read


UCI_SAYS = b"""id name x
option name Hash type spin default 16 min 1 max 2
uciok
readyok
readyok
info depth 3 seldepth 4 score cp 25 nodes 300 time 5 pv e2e4 e7e5
info depth 4 score mate -3 nodes 900 multipv 1
bestmove e2e4 ponder e7e5
"""
XBOARD_SAYS = b"""feature ping=1 setboard=1 usermove=1 option="Hash -spin 1 1 255" done=1
pong 1
4 25 10 300 e2e4 e7e5
5. -100003 12 900 e2e4!
1-0 {white mates}
move e2e4
"""
