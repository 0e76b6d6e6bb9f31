"""A whole game in the fragment of a link: nothing is kept on a server, the link is the game.

The text of the game (PGN or PDN with all variations, else JSON) is compressed and written in letters that an
address may have. Browsers do not send a fragment to the server; the page of whoever opens it does.
"""

import base64
import binascii
import zlib
from urllib.parse import quote

from plywise.core.untrusted import MAX_TEXT
from plywise.play import game_text
from plywise.web import export
from plywise.web.live.game import LiveGame
from plywise.web.schema import Refused

MAX_LINK = 8000  # characters behind `#`: longer ones are cut off by programs through which links are sent
MAX_DATA = 64 << 10  # characters that are read; a link that somebody else made may be longer


class TooLong(Refused):
    """A game that is too long for a link."""


def write_link(live_game: LiveGame) -> str:
    """The fragment that carries the game; TooLong if it would have too many characters."""
    formats = live_game.game.formats.values()
    usual = next((one.name for one in formats if one.annotate is not None), game_text.JSON_FORMAT)
    _, text = export.write_game(live_game, usual)
    packed = zlib.compress(text.encode(), 9)
    data = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    fragment = f"#import/{quote(live_game.name, safe='')}/{data}"
    if len(fragment) > MAX_LINK:
        raise TooLong(
            f"This game is too long for a link: {len(fragment):,} characters, and {MAX_LINK:,} arrive safely."
            " Save it as a file and send that."
        )
    return fragment


def read_link(data: str) -> str:
    """The text of the game that a link carries."""
    damaged = Refused("This link is damaged: the game in it cannot be read. Copy the whole link once more.")
    try:
        packed = base64.urlsafe_b64decode(data + "=" * (-len(data) % 4))
        unpacking = zlib.decompressobj()
        text = unpacking.decompress(packed, MAX_TEXT)
        if unpacking.unconsumed_tail:
            raise Refused(f"The game in this link is too long: {MAX_TEXT:,} characters are read.")
        if not unpacking.eof:
            raise damaged
        return text.decode()
    except (binascii.Error, zlib.error, ValueError):
        raise damaged from None
