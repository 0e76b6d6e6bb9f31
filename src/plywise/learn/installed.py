"""Nets that a person plays with: installing what was accepted, and what there is."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plywise.core.cache_folder import write_whole
from plywise.core.endgame_index import data_folder
from plywise.core.game import Game
from plywise.core.net_file import installed_path, read_net
from plywise.core.untrusted import read_json
from plywise.learn.run_state import BadRun


def install(game: Game, net: Path) -> Path:
    """Make a net the game's `learned` evaluation, and the user's choice."""
    read_net(game, net)
    place = installed_path(game)
    try:
        write_whole(place, net.read_bytes())
    except OSError as error:
        raise BadRun(f"{place}: {error.strerror}; the net stays in {net}") from None
    return place


def installed_nets() -> Iterator[tuple[str, dict[str, Any]]]:
    """The games that have an installed net, with what its file says."""
    for path in sorted((data_folder() / "learned").glob("*.json")):
        try:
            page = read_json(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        yield path.stem, page if isinstance(page, dict) else {}
