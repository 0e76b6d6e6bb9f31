"""Proving a game: does it keep the contract that the search relies on?

Random games are played and every rule of the contract is tried on the positions met. Each finding
names the rule that broke, the position and the move, so that the author can fix it.
"""

import random
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace

from plywise.check.failure import tell_failure
from plywise.check.finding import Finding, move_text, position_text
from plywise.check.names import check_form, check_names
from plywise.check.position import check_position, check_start
from plywise.check.random_games import RandomGames, advise, play_random_games
from plywise.check.searches import (
    SAMPLE,
    check_compiled_rules,
    check_null_moves,
    check_perft,
    check_searches,
)
from plywise.check.signs import check_signs
from plywise.core.contract import (
    CHANGING_MOVES,
    broken_rule,
    changed_position,
    source_place,
    verify_start,
    verify_turn,
)
from plywise.core.errors import BrokenRule, PlywiseError
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.rule_output import redirect_rules
from plywise.core.rules import RULES, Position, Rules

MAX_PLIES = 400  # plies of a random game


__all__ = ["Finding", "RandomGames", "check"]


def check(
    game: Game,
    *,
    positions: int = 300,
    seed: int = 0,
    step: Callable[[str], None] | None = None,
    games: Callable[[RandomGames], None] | None = None,
) -> Iterator[Finding]:
    """What is wrong with a game; nothing if it keeps the contract.

    `step` is called with what is being looked at, `games` with what was seen in random games. Each rule is
    reported once, where it first breaks. What the rules print is not shown.
    """
    reported: set[tuple[str, bool]] = set()
    printed: list[str] = []  # the places
    dice, tell, show = random.Random(seed), step or (lambda name: None), games or (lambda seen: None)
    found = _findings(game, positions, dice, tell, show, printed)
    while True:
        with redirect_rules(lambda text, place: printed.append(place) if not printed else None):
            finding = next(found, None)
        if finding is None:
            return
        if (finding.rule, finding.advice) not in reported:  # advice must hide no failure
            reported.add((finding.rule, finding.advice))
            yield _with_place(game, finding)


def _with_place(game: Game, finding: Finding) -> Finding:
    """The finding with the place of the author's method for the rule, if it names none."""
    method = {"most_moves": "moves", "immutable": "play", "repetition": "play"}.get(
        finding.rule, finding.rule
    )
    own = getattr(game.author, method, None)
    if own is None or own is RULES.get(method) or str(game.source) in finding.message:
        return finding
    return replace(finding, message=f"{source_place(game.author, method)}: {finding.message}")


def _findings(
    game: Game,
    wanted: int,
    rng: random.Random,
    step: Callable[[str], None],
    show: Callable[[RandomGames], None],
    printed: list[str],
) -> Iterator[Finding]:
    yield from check_names(game.author)
    yield from check_form(game)
    step("playing random games")
    try:
        verify_turn(game.author, game.start())
        over = list(check_start(game))
        yield from over
        if over:
            return
        verify_start(game)
        histories = yield from _collect_histories(game, wanted, rng)
        seen = play_random_games(game, rng)
    except BrokenRule as error:
        yield Finding(error.rule, str(error))
        return
    except PlywiseError as error:
        yield Finding("start", str(error))
        return
    except Exception as error:
        yield tell_failure(game, error, "while random games were played")
        return
    show(seen)
    yield from advise(game, seen)
    step("looking at each position")
    by_key: dict[int, Position] = {}
    broken = False
    for history in histories:
        try:
            for finding in check_position(game, history, by_key):
                broken = broken or not finding.advice
                yield finding
        except BrokenRule as error:
            broken = True
            yield Finding(error.rule, f"{error}: {position_text(game, history.position)}")
        except Exception as error:
            broken = True
            yield tell_failure(game, error, f"in {position_text(game, history.position)}")
    if printed:
        broken = True
        yield Finding(
            "print",
            f"{printed[0]} prints; rules are asked thousands of times a second, and what they print goes to"
            " standard error: take it out",
        )
    if broken:
        return  # searches on rules that are known to be wrong would only add noise
    yield from check_signs(game, histories)
    sample = [h for h in histories if h.outcome is None and game.moves(h.position)]
    sample = rng.sample(sample, min(SAMPLE, len(sample)))
    step("counting moves compiled and uncompiled")
    compiled = yield from check_perft(game, sample)
    if compiled:
        step("comparing compiled rules with uncompiled ones")
        differing = False
        for finding in check_compiled_rules(game, rng):
            differing = True
            yield finding
        if differing:
            return
    step("comparing searches")
    yield from check_searches(game, sample, compiled)
    yield from check_null_moves(game, sample, compiled)


# --- random games ----------------------------------------------------------------------------------
def _collect_histories(
    game: Game, wanted: int, rng: random.Random
) -> Generator[Finding, None, list[History]]:
    """Histories of random games; reports what only a whole game can show."""
    histories: list[History] = []
    while len(histories) < wanted:
        history = game.history()
        seen: dict[int, int] = {history.key: 0}
        histories.append(history)
        for _ in range(MAX_PLIES):
            moves = game.moves(history.position)
            if not moves or history.outcome is not None:
                break
            if moves != game.moves(history.position):
                where = position_text(game, history.position)
                raise broken_rule(game.author, "moves", f"{CHANGING_MOVES}: {where}")
            move = rng.choice(moves)
            as_it_was = repr(history.position)
            before, history = history, history.play(move)
            verify_turn(game.author, history.position, "play")
            if repr(before.position) != as_it_was:
                raise changed_position(game, as_it_was)
            histories.append(history)
            earlier = seen.get(history.key)
            if earlier is not None:
                if history.length - history.clock > earlier:
                    yield Finding("resets", _wrong_reset(game, before, move, history.position))
                elif not game.draws.repetition:
                    yield Finding(
                        "repetition",
                        f"positions can repeat ({position_text(game, history.position)}) and nothing ends"
                        " that; consider @game(draws=Draws(repetition=3))",
                        advice=True,
                    )
            seen[history.key] = history.length
        if len(histories) < 2 and not game.moves(history.position):
            yield Finding(
                "start", f"the start position has no moves: {position_text(game, history.position)}"
            )
            break
    return histories[:wanted]


def _wrong_reset(game: Game, before: History, move: int, position: Position) -> str:
    """What to say where a position returned though the rules exclude it."""
    text, where = move_text(game, before, move), position_text(game, position)
    cure = "let it be True only for moves that cannot be undone, such as captures"
    if getattr(game.author, "resets", None) in (None, Rules.resets):
        place = source_place(game.author)
        return f"{place}: {text} brought a position back, so define resets(move); {cure}: {where}"
    return (
        f"a position returned although resets({text}) or a move before it said that none can; {cure}: {where}"
    )
