"""The page: started, opened in a browser, and told where it is."""

import http.client
import json
import os
import sys
import threading
import webbrowser
from collections.abc import Sequence

from plywise.cli.arguments import BadOption, whole_option
from plywise.cli.errors import print_error
from plywise.web.server import HOST, PORT, Server, open_hub

MAX_PORT = 65535


def serve(files: Sequence[str] = (), port: str | None = None, browser: bool = True) -> None:
    """Serve the page until Ctrl-C."""
    server = _start_server(files, port)
    print("Ctrl-C ends it; games are kept. `plywise --help` shows what else there is.", flush=True)
    if browser:
        _open_browser(server.address)
    server.run()


def serve_or_open() -> None:
    """`plywise` alone: the page, in a browser if there is one. A person's second one is the first again."""
    running = _running_address() if sys.stdin.isatty() else None
    if running is None:
        serve()
        return
    print(f"Plywise is running already: {running}", flush=True)
    _open_browser(running)


def _start_server(files: Sequence[str], port: str | None) -> Server:
    """A server that listens already, and a word about where."""
    number = None if port is None else whole_option("--port", port, 0)
    if number is not None and number > MAX_PORT:
        raise BadOption(f"--port goes up to {MAX_PORT}, not {number}")
    hub = open_hub(files)
    for note in hub.store.notes:
        print_error(f"warning: {note}")
    server = Server(hub, number)
    usual = "" if number is not None or server.port == PORT else f" (port {PORT} is in use)"
    print(f"Plywise is at {server.address}{usual}", flush=True)
    return server


def _running_address() -> str | None:
    """The address of a Plywise of this version that serves already, on the usual port."""
    from plywise import __version__

    # Not urllib, which would ask a proxy for this machine where one is set.
    connection = http.client.HTTPConnection(HOST, PORT, timeout=1)
    try:
        connection.request("GET", "/health")
        found = json.loads(connection.getresponse().read(1000)).get("plywise")
    except (OSError, ValueError, AttributeError, http.client.HTTPException):
        return None
    finally:
        connection.close()
    return f"http://{HOST}:{PORT}/" if found == __version__ else None


def _open_browser(address: str) -> None:
    """Open a browser; where there is none, say what to do."""
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        print(f"There is no display here; open {address} in a browser.", flush=True)
        return

    def show() -> None:
        try:
            shown = webbrowser.open(address)
        except (webbrowser.Error, OSError):
            shown = False
        if not shown:
            print(f"No browser could be opened; open {address} in one.", flush=True)

    threading.Thread(target=show, daemon=True).start()
