"""A learning run as its folder tells it, read while it works. Nothing is locked or written."""

from pathlib import Path
from typing import Any

from plywise.core.broken_files import WRONG_CONTENTS
from plywise.core.errors import exception_text
from plywise.core.file_lock import FileLock, is_locked
from plywise.core.untrusted import read_json, shorten
from plywise.learn.run_report import match_text
from plywise.learn.run_state import BadRun

MAX_BYTES = 16 << 20  # of run.json


def read_run(folder: Path) -> dict[str, Any]:
    """All that is shown of a run; BadRun says in a sentence what is wrong with its file."""
    path = folder / "run.json"
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadRun(f"{path}: this is no file of a learning run: it is too large")
        page = read_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadRun(f"{path}: no run can be read there ({error.strerror})") from None
    except ValueError:
        raise BadRun(f"{path}: damaged, or cut off") from None
    try:
        settings, found = page["settings"], [_generation(each) for each in page["generations"]]
        accepted, working = page["accepted"], is_locked(FileLock(path).path)
        return {
            "game": str(settings["game"]),
            "form": str(settings["form"]),
            "minutes": _number(settings["minutes"]),
            "nodes": _whole(settings["nodes"]),
            "hidden": _whole(settings["hidden"]),
            "version": str(settings["version"]),
            "seconds": _number(page["spent"]),
            "state": "running" if working else "stopped" if accepted is None else "finished",
            "doing": _status_text(found, accepted, working),
            "accepted": None if accepted is None else bool(accepted),
            "generations": found,
            "proof": match_text("", page["proof"]),
            "matches": sorted(one.name for one in folder.glob("*.match")),
        }
    except WRONG_CONTENTS as error:
        reason = shorten(exception_text(error))
        raise BadRun(f"{path}: of another version, or damaged ({reason})") from None


def _generation(each: dict[str, Any]) -> dict[str, Any]:
    games, positions, seconds = (
        _whole(each["games"]),
        _whole(each["positions"]),
        _number(each["play_seconds"]),
    )
    return {
        "number": _whole(each["number"]),
        "games": games,
        "positions": positions,
        "speed": round(positions / seconds) if seconds else None,
        "played": bool(each["played"]),
        "net": None if each["net"] is None else str(each["net"]),
        "losses": [
            [_whole(one["number"]), _number(one["loss"]), _number(one["held_out"]), _whole(one.get("fit", 1))]
            for one in each["epochs"]
        ],
        "screen": match_text("", each["screen"]),
    }


def _number(value: Any) -> float:
    if type(value) not in (int, float):
        raise ValueError(f"{shorten(repr(value), 40)} is no number")
    return float(value)


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise ValueError(f"{shorten(repr(value), 40)} is no whole number")
    return value


def _status_text(generations: list[dict[str, Any]], accepted: bool | None, working: bool) -> str:
    """What the run does, in words, or what it did when it was stopped."""
    if accepted is not None:
        return "The net was accepted." if accepted else "The net was not accepted: the old evaluation stays."
    text = "getting ready"
    if generations:
        last = generations[-1]
        steps = ("played", "net", "screen")
        words = ("it plays against itself", "a net is fitted", "the screen is played")
        todo = next((word for step, word in zip(steps, words, strict=True) if not last[step]), None)
        text = f"generation {last['number']}, {todo}" if todo else "the proof is played"
    return (
        f"{text[0].upper()}{text[1:]}." if working else f"Stopped: {text}. `plywise learn --resume` goes on."
    )
