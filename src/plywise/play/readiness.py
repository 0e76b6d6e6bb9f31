"""How far a game is compiled, and the words for it: on the page, in the terminal and in protocols."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from plywise.core.game import Game


@dataclass(frozen=True, slots=True)
class Readiness:
    """The share of a compilation that is done, 1 at the end, and the seconds left; None: not known yet."""

    share: float | None = None
    seconds_left: float | None = None

    @property
    def done(self) -> bool:
        return self.share == 1


DONE = Readiness(1.0, 0.0)
STEPS = 4  # how often a protocol is told
ReadinessListener = Callable[[Readiness], None]


def readiness_text(title: str, readiness: Readiness) -> str:
    """`Getting Chess ready (once, about 20 s). You can play already.`"""
    return f"Getting {title} ready (once, {_how_long(readiness)}). You can play already."


def waiting_text(what: str, title: str, readiness: Readiness) -> str:
    """`The review begins when Chess is ready (once, about 20 s).`, where uncompiled code sees too little."""
    return f"{what} begins when {title} is ready (once, {_how_long(readiness)})."


def _how_long(readiness: Readiness) -> str:
    left = readiness.seconds_left
    how_long = "some seconds" if left is None else f"about {_round_seconds(left)} s"
    return how_long + (" more" if readiness.share else "")


def _round_seconds(seconds: float) -> int:
    """Whole seconds, at least one; from ten on in fives, for nobody knows them better."""
    return max(1, round(seconds)) if seconds < 10 else 5 * round(seconds / 5)


def short_readiness_text(name: str, readiness: Readiness) -> str:
    """`getting chess ready, once: about 20 s`, where one has to wait."""
    left = readiness.seconds_left
    return f"getting {name} ready, once{'' if left is None else f': about {_round_seconds(left)} s'}"


def tell_in_steps(title: str, tell: Callable[[str], None]) -> ReadinessListener:
    """A listener that says a sentence at the beginning, each quarter and the end of the work, if any."""
    told: list[int] = []

    def listen(readiness: Readiness) -> None:
        if readiness.done:
            if told:
                tell(f"{title} is ready")
        elif not told or int((readiness.share or 0) * STEPS) > told[-1]:
            told.append(int((readiness.share or 0) * STEPS))
            tell(f"{readiness_text(title, readiness)} {round(100 * (readiness.share or 0))} % done.")

    return listen


@contextmanager
def watch_compiling(game: Game, listener: ReadinessListener) -> Iterator[None]:
    """Within it, another thread tells `listener` how far this one has compiled the game, if it does."""
    if not game.compiled:
        yield
        return
    from plywise.native.progress import report_compile_progress

    with report_compile_progress(lambda share, left: listener(Readiness(share, left))):
        yield
