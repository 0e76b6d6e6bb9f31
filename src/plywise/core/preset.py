"""Presets: players of a game by name, which its author declares for every front end."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Preset:
    """A player by name: its seat as text (play/seat.py), and one sentence about it.

    `side` is the only side that it can play, if there is one. A preset with a `switch` chooses nothing
    itself: the switch is a word of the position with which the world leads that side.
    """

    name: str
    seat: str
    about: str
    side: int | None = None
    switch: str = ""
