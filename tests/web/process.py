"""The real server in a process of its own, which tests may kill."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path


class Process:
    """`plywise serve` on a free port, with its games in a folder; `kill` is kill -9."""

    def __init__(self, folder: Path, *words: str) -> None:
        environment = {**os.environ, "PLYWISE_DATA": str(folder), "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "plywise", "serve", "--no-browser", "--port", "0", *words],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout is not None
        self.output: list[str] = []
        for line in self.process.stdout:
            self.output.append(line)
            found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
            if found:
                self.port = int(found[1])
                return
        raise AssertionError(f"no server: {self.output}")

    def kill(self) -> None:
        self.process.kill()
        self._finish()

    def interrupt(self) -> int:
        """Ctrl-C; the exit status."""
        self.process.send_signal(signal.SIGINT)
        return self._finish()

    def _finish(self) -> int:
        assert self.process.stdout is not None
        self.output += self.process.stdout.readlines()
        self.process.stdout.close()
        return self.process.wait(300)

    def __enter__(self) -> "Process":
        return self

    def __exit__(self, *rest: object) -> None:
        if self.process.poll() is None:
            self.kill()
