"""A real server in a process of its own, as `plywise serve` starts it."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Serving:
    """A server that keeps its games in `folder` and offers a user's `files`; it can be killed and go on."""

    def __init__(self, folder: Path, *files: Path, options: tuple[str, ...] = ()) -> None:
        self.folder, self.files, self.port, self.options = folder, files, free_port(), options
        self.start()

    def start(self) -> None:
        """Start it, and wait until it says where it is."""
        options = ["--port", str(self.port), "--no-browser", *self.options]
        command = [sys.executable, "-m", "plywise", "serve", *map(str, self.files), *options]
        environment = {**os.environ, "PLYWISE_DATA": str(self.folder)}
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, f"the server said {line!r}"
        self.address = found[0]

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
