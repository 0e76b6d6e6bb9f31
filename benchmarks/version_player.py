"""A player of a match between versions: searches what comes by standard input, and answers with the move.

    python benchmarks/version_player.py GAME < TASKS

It runs in the environment of the version that it plays for, and uses only what every version has. Each line
is a JSON object: `position` (a text with its moves), `cpu` or `nodes` (the limit), `new` (a new game begins),
and in the first line perhaps `options` of the engine. The answer has the move, the score for the side to move
in hundredths, and what the search took.
"""

import json
import sys
import threading
import time
from typing import Any

import plywise

HASH = 16  # megabytes


def search(engine: Any, history: Any, cpu: float | None, nodes: int | None) -> tuple[Any, float]:
    """The result, and the processor time that it took.

    Old versions know no limit by processor time, so every version is stopped in the same way: by a thread
    that reads the clock of the process.
    """
    began = time.process_time()
    done = threading.Event()
    run = engine.run(history, nodes=nodes) if nodes else engine.run(history)

    def watch() -> None:
        assert cpu is not None
        while not done.is_set():
            left = began + cpu - time.process_time()
            if left <= 0:
                engine.stop()
                return
            done.wait(max(0.0005, left))

    watcher = threading.Thread(target=watch, daemon=True) if cpu else None
    if watcher is not None:
        watcher.start()
    while True:
        try:
            next(run)
        except StopIteration as end:
            result = end.value
            break
    done.set()
    took = time.process_time() - began
    if watcher is not None:
        watcher.join()
    return result, took


def main() -> None:
    game = plywise.load(sys.argv[1])
    engine = None
    for line in sys.stdin:
        task = json.loads(line)
        if engine is None:
            engine = plywise.Engine(game, hash=HASH, **task.get("options", {}))
            engine.search(game.history(), nodes=1000)  # compiled, or loaded, before the first clock starts
        if task["new"]:
            engine.clear()
        result, took = search(engine, game.history(task["position"]), task.get("cpu"), task.get("nodes"))
        answer = {
            "move": result.move,
            "score": result.score * 100 // result.unit,
            "cpu": took,
            "depth": result.depth,
            "nodes": result.nodes,
        }
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
