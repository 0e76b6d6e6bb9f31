"""Nets that a person plays with: installing what was accepted, and what there is."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plywise.core.cache_folder import write_whole
from plywise.core.endgame_index import data_folder
from plywise.core.game import Game
from plywise.core.net_file import installed_path, read_net
from plywise.core.untrusted import read_json
from plywise.learn.run_state import BadRun


def install(game: Game, net: Path, proof: str = "") -> Path:
    """Make a net the game's `learned` evaluation, and the user's choice; its file says what proved it."""
    _, page = read_net(game, net)
    if proof:
        page = {**page, "origin": {**page.get("origin", {}), "proof": proof}}
    place = installed_path(game)
    try:
        write_whole(place, (json.dumps(page, separators=(",", ":")) + "\n").encode())
    except OSError as error:
        raise BadRun(f"{place}: {error.strerror}; the net stays in {net}") from None
    return place


def installed_nets() -> Iterator[tuple[str, dict[str, Any]]]:
    """The games that have an installed net, with what its file says of its origin."""
    for path in sorted((data_folder() / "learned").glob("*.json")):
        try:
            page = read_json(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        origin = page.get("origin") if isinstance(page, dict) else None
        yield path.stem, origin if isinstance(origin, dict) else {}


def describe_net(name: str, origin: dict[str, Any]) -> str:
    """A line about an installed net: where it comes from, as far as its file says."""
    generation, proof = origin.get("generation"), origin.get("proof")
    known = [f"generation {generation}"] if type(generation) is int else []
    known += [f"{origin[kind]:,} {kind}" for kind in ("games", "positions") if type(origin.get(kind)) is int]
    text = ", ".join(known) or "its file does not say where it comes from"
    return f"{name}: {text}; {proof}" if isinstance(proof, str) else f"{name}: {text}"
