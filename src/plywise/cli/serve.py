"""`plywise serve`: start the page's server, and open a browser."""

import gc
import http.client
import json
import os
import sys
import threading
import webbrowser
from collections.abc import Iterator, Sequence
from pathlib import Path

from plywise.cli.arguments import BadOption, whole_option
from plywise.cli.errors import print_error
from plywise.core.errors import BadGame
from plywise.core.registry import find_in_folder
from plywise.web.security import BadOrigin, read_origin
from plywise.web.server import HOST, PORT, Server, open_hub

MAX_PORT = 65535


def serve(
    files: Sequence[str] = (),
    port: str | None = None,
    browser: bool = True,
    origins: Sequence[str] = (),
    watch: Sequence[str] = (),
) -> None:
    """Serve the page until Ctrl-C; pages of other origins may ask for moves.

    The page shows the matches and learning runs of `watch` beside those of the data folder.
    """
    for path in watch:
        if not Path(path).exists():
            raise BadOption(f"--watch {path}: there is no such file or folder; name a match or a run")
    server = _start_server(files, port, [_read_origin(origin) for origin in origins], watch)
    print("Ctrl-C stops it; games are saved. `plywise --help` shows all commands.", flush=True)
    if browser:
        _open_browser(server.address)
    gc.freeze()  # a full collection of garbage need not look at the modules, while everybody waits
    server.run()


def serve_or_open() -> None:
    """`plywise` alone: open the page in a browser; if a server runs already, open its page."""
    running = _running_address() if sys.stdin.isatty() else None
    if running is None:
        serve()
        return
    print(f"Plywise is running already: {running}", flush=True)
    _open_browser(running)


def _read_origin(text: str) -> str:
    try:
        return read_origin(text)
    except BadOrigin as error:
        raise BadOption(f"--allow-origin: {error}") from None


def _start_server(
    files: Sequence[str], port: str | None, origins: Sequence[str] = (), watch: Sequence[str] = ()
) -> Server:
    """Start to listen, and print the address."""
    number = None if port is None else whole_option("--port", port, 0)
    if number is not None and number > MAX_PORT:
        raise BadOption(f"--port goes up to {MAX_PORT}, not {number}")
    hub = open_hub(list(_expand_folders(files)), watch)
    for note in (*hub.catalogue.notes, *hub.store.notes):
        print_error(f"warning: {note}")
    server = Server(hub, number, origins)
    reason = "" if number is not None or server.port == PORT else f" (port {PORT} is in use)"
    print(f"Plywise is at {server.address}{reason}", flush=True)
    for origin in origins:
        print(f"Pages of {origin} may ask it for moves.", flush=True)
    return server


def _expand_folders(files: Sequence[str]) -> Iterator[str]:
    """The files, and in place of each folder the games in it; a broken one is named and left out."""
    for file in files:
        if not Path(file).is_dir():
            yield file
            continue
        sources, broken = find_in_folder(Path(file))
        for sentence in broken:
            print_error(f"warning: left out: {sentence}")
        if not sources:
            raise BadGame(f"{file}: no game in this folder; a game is a file with a class marked @game()")
        yield from sources


def _running_address() -> str | None:
    """The address of a server of this version on the default port, if one runs."""
    from plywise import __version__

    # Not urllib: it would use a proxy, if one is set, even for this machine.
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
    """Open a browser; without one, print the address to open."""
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
