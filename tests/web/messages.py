"""A message that fits for each request of a page: what the tests change, and what attackers mutate."""

from typing import Any

from plywise.web.schema import REQUESTS

PEOPLE = [{"kind": "person"}, {"kind": "person"}]
VALID: dict[str, dict[str, Any]] = {
    "bin": {"binned": True},
    "comment": {"node": 0, "text": "a word"},
    "delete variation": {"node": 0},
    "endgame": {"node": 0},
    "follow": {"node": 0, "moves": []},
    "glyphs": {"node": 0, "nags": [1]},
    "main line": {"node": 0},
    "promote": {"node": 0},
    "set up": {"position": "start"},
    "tags": {"tags": {"Event": "a name"}},
    "threat": {"node": 0},
    "rules": {"game": "chess"},
    "new": {"game": "tic_tac_toe", "seats": PEOPLE},
    "seat": {"game": "tic_tac_toe", "side": 0, "seat": "minimax,depth=2"},
    "look": {"node": 0},
    "play": {"node": 0, "move": "b2"},
    "go": {"node": 0},
    "pause": {"paused": False},
    "resign": {"side": 0},
    "offer": {"side": 0},
    "hint": {"node": 0},
    "analyse": {"node": 0, "lines": 2},
    "preview": {"node": 0, "move": "b2"},
    "terms": {"node": 0},
    "export": {"format": "text"},
    "import": {"game": "tic_tac_toe", "text": "start"},
    "link": {"node": 0},
    "hello": {"visitor": "v" * 30},
    "invite": {"side": 1},
    "picture": {"node": 0},
    "side-by-side": {"node": 0, "seats": ["default", "level=1"], "nodes": 100},
    "solution": {"node": 0},
    "try": {"node": 0, "move": "b2"},
    "change level": {"side": 1, "level": 2},
    "why-bad": {"node": 0, "move": "b2"},
    "why-children": {"record": 1, "node": 0},
    "why-compare": {"record": 1, "depth": 2, "without": ["table"]},
    "why-counters": {"record": 1},
    "why-lesson": {"node": 0, "depth": 1, "player": "minimax"},
    "why-look": {"node": 0, "moves": ["b2"]},
    "why-node": {"record": 1, "node": 0},
    "why-not": {"record": 1, "move": "b2"},
    "why-open": {"record": 1, "node": 0, "move": "b2"},
    "why-picture": {"record": 1, "node": 0},
    "why-record": {"node": 0, "nodes": 50},
    "why-yardstick": {"record": 1, "depth": 2},
    "open link": {"game": "tic_tac_toe", "data": "eJwrLkksKgEABo8CLw"},
    "watch": {"watched": "0" * 16},
    "replay": {"watched": "0" * 16, "pair": 0, "place": 0},
}


def message(name: str, game: str) -> dict[str, Any]:
    """The message of a request about a game of that id."""
    fields = dict(VALID.get(name, {}))
    if "game" in REQUESTS[name].fields and "game" not in fields:
        fields["game"] = game
    return {"do": name, **fields}
