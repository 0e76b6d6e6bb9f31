"""A real server in a process of its own, as `plywise serve` starts it."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path


class Serving:
    """A server that keeps its games in `folder` and offers a user's `files`; it can be killed and go on."""

    def __init__(self, folder: Path, *files: Path, options: tuple[str, ...] = ()) -> None:
        self.folder, self.files, self.options = folder, files, options
        # Linux gives a port to nobody else while a socket that does not listen is bound to it, and lets a
        # server listen there if both say that it may be used again: it is ours also while no server runs.
        self._reserved = socket.socket()
        self._reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._reserved.bind(("127.0.0.1", 0))
        self.port = int(self._reserved.getsockname()[1])
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

    def close(self) -> None:
        """End it for good."""
        self.kill()
        self._reserved.close()
