"""Kill a run of learning (kill -9) at random moments, resume it, and compare its data with undisturbed play.

    python benchmarks/learn_kill.py [connect_four] [--kills 30] [--nodes 200] [--seed 1]

Each time the run is killed while it writes batches or soon after. No finished batch may be lost or changed,
and in the end every batch must be, byte for byte, what an undisturbed process plays for its number.
"""

import argparse
import io
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from plywise.arena.setup import Setup
from plywise.learn.batches import BatchTask
from plywise.learn.run import Run

PATIENCE = 300  # seconds until the first new batch


def contents(folder: Path) -> dict[str, bytes]:
    """The finished batches."""
    return {path.name: path.read_bytes() for path in (folder / "data").glob("*.npy")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("game", nargs="?", default="connect_four")
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--nodes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    dice = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, "run")
        words = [given.game, "--minutes", "6000", "--nodes", str(given.nodes), "--out", str(folder)]
        lost = 0
        for number in range(given.kills):
            before = contents(folder)
            command = [sys.executable, "-m", "plywise", "learn", *words]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            words = ["--resume", str(folder)]
            deadline = time.monotonic() + PATIENCE
            while len(contents(folder)) <= len(before) and process.poll() is None:
                if time.monotonic() > deadline:
                    break
                time.sleep(0.002)
            time.sleep(dice.uniform(0, 1))
            os.kill(process.pid, signal.SIGKILL)
            _, said = process.communicate()
            after = contents(folder)
            if len(after) <= len(before):
                raise SystemExit(f"kill {number + 1}: no new batch was made: {said.decode()[-300:]}")
            lost += sum(after.get(name) != content for name, content in before.items())
        run = Run.resume(folder)
        settings = run.settings
        task = BatchTask(
            Setup(settings.game, ()).pack(),
            None,
            run.shape,
            settings.seed,
            1,
            settings.batch_games,
            settings.nodes,
            True,
        )
        found, different = contents(folder), 0
        for name, content in found.items():
            expected = io.BytesIO()
            np.save(expected, task.play(int(name[3:-4])))
            different += content != expected.getvalue()
    print(
        f"{given.game}: killed {given.kills} times, {len(found)} batches, {lost} lost or changed,"
        f" {different} unlike those of an undisturbed process"
    )
    if lost or different:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
