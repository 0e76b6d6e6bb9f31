"""Seats as pages and the store write them: a person, a level, or a player as text (play/seat.py)."""

from typing import Any

from plywise.core.game import Game
from plywise.play.seat import (
    KEYS,
    PERSON,
    BadSeat,
    Seat,
    read_options,
    read_seat,
    seats_in,
    split_options,
)

Payload = dict[str, Any]


def seat_of(game: Game, payload: Payload, side: int | None = None, evaluator: str = "default") -> Seat:
    """The seat that a payload means; a level judges by the game's `evaluator`.

    Weights are refused: they are files of the machine, and a page must not have them opened.
    """
    if payload["kind"] == "person":
        return read_seat(game, PERSON)
    if payload["kind"] == "level":
        more = "" if evaluator == "default" else f",evaluator={evaluator}"
        return read_seat(game, f"level={payload['level']}{more}")
    if "weights" in read_options(split_options(payload["seat"]), KEYS):  # before any file is opened
        raise BadSeat("weights are files; `plywise play` and `plywise match` take them")
    return read_seat(game, payload["seat"], side)


def seat_payload(seat: Seat) -> Payload:
    """A seat as pages and the store have it."""
    if seat.is_person:
        return {"kind": "person"}
    if seat.level is not None and seat.text == f"level={seat.level}":
        return {"kind": "level", "level": seat.level}
    return {"kind": "player", "seat": seat.text}


def seat_payloads(game: Game, seats: list[Seat], led_sides: tuple[int, ...]) -> list[Payload]:
    """Both seats of a new game, with those of the sides that its world leads."""
    return [seat_payload(seat) for seat in seats_in(game, (seats[0], seats[1]), led_sides)]
