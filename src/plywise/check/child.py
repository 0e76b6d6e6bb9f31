"""`check` in a process of its own: rules that never end, or that crash, end that process and no other.

The child writes JSON lines: what it looks at, each finding, the random games, and that it is done. A thread
of it looks at the others: a rule that has been running for ten seconds of processor time is reported, with
its line and the position that it was asked of.
"""

import json
import os
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

from plywise.check.finding import Finding
from plywise.core.errors import BadGame, PlywiseError
from plywise.core.game import Game
from plywise.core.python_process import print_warning, python_command, python_environment
from plywise.core.registry import load
from plywise.core.rule_output import game_files
from plywise.core.untrusted import shorten

LONGEST = 10.0  # seconds of processor time that one rule may take
INTERVAL = 0.25  # seconds between two looks

Tell = Callable[[dict[str, Any]], None]


def check_in_child(
    source: str,
    *,
    name: Callable[[str], None] | None = None,
    step: Callable[[str], None] | None = None,
    games: Callable[[dict[str, Any]], None] | None = None,
) -> Iterator[Finding]:
    """What is wrong with a game, given by its name or file; as `check` says it.

    `name` is told what the game is called, `games` the figures of random games by name.
    """
    looking = ""
    with subprocess.Popen(
        python_command("-m", "plywise.check.child", source),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env=python_environment(),
    ) as child:
        assert child.stdout is not None
        try:
            for line in child.stdout:
                message = json.loads(line)
                if "refused" in message:
                    raise BadGame(message["refused"])
                if "game" in message and name is not None:
                    name(message["game"])
                if "step" in message:
                    looking = message["step"]
                    if step is not None:
                        step(looking)
                if "games" in message and games is not None:
                    games(message["games"])
                if "finding" in message:
                    yield Finding(**message["finding"])
                if "done" in message:
                    return
        finally:
            child.kill()
            child.wait()
    yield Finding("crash", f"the process that played it ended (status {child.returncode}) while {looking}")


# --- in the child ------------------------------------------------------------------------------------
def _run(source: str, tell: Tell) -> None:
    from plywise.check import check

    try:
        game = load(source)
        tell({"game": game.name})
        threading.Thread(target=_watch, args=(game, tell), daemon=True).start()
        found = check(
            game,
            step=lambda text: tell({"step": text}),
            games=lambda seen: tell({"games": {**seen.to_json(), "words": str(seen)}}),
        )
        for finding in found:
            tell({"finding": asdict(finding)})
    except PlywiseError as error:
        tell({"refused": str(error)})
        return
    tell({"done": True})


def _watch(game: Game, tell: Tell) -> None:
    """End the process when one call of a rule, compiled or not, takes too long."""
    own, since = threading.get_ident(), dict[int, tuple[Any, float]]()
    while True:
        time.sleep(INTERVAL)
        now = time.process_time()
        frames = {ident: _rule_frame(frame) for ident, frame in sys._current_frames().items() if ident != own}
        for ident, frame in frames.items():
            held, begun = since.get(ident, (None, now))
            since[ident] = (frame, now if frame is not held else begun)
            if frame is not None and now - since[ident][1] > LONGEST:
                tell({"finding": asdict(_endless(game, frame))})
                tell({"done": True})
                os._exit(0)


def _rule_frame(frame: Any) -> Any:
    """The outermost call into the author's file or into compiled code, among the calls of a thread."""
    found = None
    while frame is not None:
        name = frame.f_globals.get("__name__")
        if frame.f_code.co_filename in game_files or (
            name == "plywise.native.compiler" and frame.f_code.co_name == "__call__"
        ):
            found = frame
        frame = frame.f_back
    return found


def _endless(game: Game, frame: Any) -> Finding:
    code, values = frame.f_code, frame.f_locals
    position = values.get("self") if code.co_filename in game_files else values.get("position")
    if code.co_name == "text" or type(position) is not game.author:
        where = shorten(repr(position), 300)
    else:
        where = game.text(game.wrap(position))
    rule = f"{code.co_name}()" if code.co_filename in game_files else "a search in compiled code"
    place = f"{code.co_filename}:{frame.f_lineno}: " if code.co_filename in game_files else ""
    return Finding("endless", f"{place}{rule} does not end within {LONGEST:.0f} s in [{where}]")


def main() -> None:
    """Check the game that the command line names; the answers go to what was standard output."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    warnings.showwarning = print_warning
    os.dup2(2, 1)  # what rules print in other ways is kept off the answers
    lock = threading.Lock()

    def tell(message: dict[str, Any]) -> None:
        with lock:
            answers.write(json.dumps(message) + "\n")
            answers.flush()

    _run(sys.argv[1], tell)
    answers.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
