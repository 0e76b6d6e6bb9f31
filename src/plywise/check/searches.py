"""Searches that must agree: compiled and uncompiled, with and without their parts."""

import random
import warnings
from collections.abc import Generator, Iterator
from typing import Any

from plywise.check.compiled_rules import differences
from plywise.check.failure import tell_failure
from plywise.check.finding import Finding, move_text, position_text
from plywise.core.contract import source_place
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.outcome import OPEN
from plywise.core.perft import divide
from plywise.core.scores import UNKNOWN, Kind, is_decisive, is_sure
from plywise.search.engine import Engine
from plywise.search.specialisation import NotCompiled, PerftCounter
from plywise.search.switches import UNSOUND

SAMPLE = 12  # positions on which searches are compared
MAX_NODES = 4000  # nodes that a comparison may take in Python
OUTGROWN = "a number may have outgrown its 64 bits: shift with left() and right() of plywise.core.bits"


# --- compiled against uncompiled -------------------------------------------------------------------
def check_perft(game: Game, sample: list[History]) -> Generator[Finding, None, bool]:
    """Whether the game compiles; the counts must not depend on it."""
    if not game.compiled:
        return False
    plain = PerftCounter(game, compiled=False)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", NotCompiled)
        native = PerftCounter(game)
        # Counting paths asks for few of the rules, a search for all.
        compiled = native.specialisation.compiled and Engine(game, hash=1).specialisation.compiled
    if not compiled:
        yield Finding("compiles", str(caught[0].message))
        return False
    for history in sample:
        depth, nodes = 0, 1
        while nodes < MAX_NODES and depth < 6:
            depth += 1
            nodes = plain(history.position, depth)
            other = native(history.position, depth)
            if nodes != other:
                move = _first_difference(game, history, depth, plain, native)
                yield Finding(
                    "perft",
                    f"{nodes} paths of {depth} moves uncompiled and {other} compiled in"
                    f" {position_text(game, history.position)}{move}",
                )
                break
            if nodes == 0:
                break
    return True


def _first_difference(
    game: Game, history: History, depth: int, plain: PerftCounter, native: PerftCounter
) -> str:
    counts = (divide(game, history.position, depth, counter) for counter in (plain, native))
    for (move, number), (_, other) in zip(*counts, strict=True):
        if number != other:
            return f", first after {move_text(game, history, move)}"
    return ""


def check_compiled_rules(game: Game, dice: random.Random) -> Iterator[Finding]:
    """Every rule and every evaluation says the same in both forms."""
    try:
        for rule, words, position in differences(game, dice):
            yield Finding(rule, f"{words} in {position_text(game, position)}; {OUTGROWN}")
    except Exception as error:
        yield tell_failure(game, error, "while compiled rules were compared with uncompiled ones")


# --- searches against each other -------------------------------------------------------------------
def check_searches(game: Game, sample: list[History], compiled: bool) -> Iterator[Finding]:
    minimax = Engine(game, player="minimax", hash=1, compiled=compiled)
    alphabeta = Engine(game, player="alphabeta", hash=1, compiled=compiled)
    exact = Engine(game, hash=1, compiled=compiled, without=UNSOUND)
    tableless = Engine(game, hash=1, compiled=compiled, without=(*UNSOUND, "table"))
    has_database = game.has_rule("probe")
    exact.reload_resources()
    for history in sample:
        nodes = MAX_NODES * (25 if compiled and not has_database else 1)
        depth = _affordable_depth(game, history, nodes)
        if has_database and _meets_database(exact, history.position, depth):
            continue  # the search knows more than minimax
        where = f"{position_text(game, history.position)} at depth {depth}"
        value = minimax.search(history, depth=depth).score
        for rule, engine, name in (
            ("alphabeta", alphabeta, "alpha-beta"),
            ("exact search", tableless, "the search without its table"),
            ("table", exact, "the search with its table"),
        ):
            engine.clear()
            score = engine.search(history, depth=depth).score
            if score != value:
                yield Finding(rule, f"{name} gives {score}, minimax {value}, in {where}")
    if not compiled:
        return
    native, plain = Engine(game, hash=1), Engine(game, hash=1, compiled=False)
    for history in sample[: SAMPLE // 2]:
        depth = _affordable_depth(game, history, MAX_NODES)
        native.clear()
        plain.clear()
        one, two = native.search(history, depth=depth), plain.search(history, depth=depth)
        if (one.move, one.score, one.nodes) != (two.move, two.score, two.nodes):
            yield Finding(
                "compiled",
                f"compiled it plays {one.move} ({one.score}, {one.nodes} nodes), uncompiled {two.move}"
                f" ({two.score}, {two.nodes} nodes) in {position_text(game, history.position)}"
                f" at depth {depth}",
            )


def check_probes(game: Game, sample: list[History], compiled: bool) -> Iterator[Finding]:
    """What a database says of a position is what minimax finds where it comes to the end of the game."""
    if not game.has_rule("probe"):
        return
    minimax = Engine(game, player="minimax", hash=1, compiled=compiled)
    minimax.reload_resources()
    for history in sample:
        positions = [
            history.position,
            *(history.position.play(move) for move in game.moves(history.position)),
        ]
        for position in positions:
            if position.outcome() != OPEN or not game.moves(position):
                continue
            score = minimax.probe(position)
            if score == UNKNOWN:
                continue
            alone = History(game, position)
            found = minimax.search(alone, depth=_affordable_depth(game, alone, MAX_NODES))
            if found.kind is Kind.PROVEN and not _agree(score, found.score):
                words = f"probe() says {score}, minimax {found.score}, in {position_text(game, position)}"
                yield Finding("probe", f"{source_place(game.author, 'probe')}: {words}")
                return


def _meets_database(engine: Engine, position: Any, depth: int) -> bool:
    """Whether a database knows a position within so many turns."""
    if position.outcome() != OPEN:
        return False
    if engine.probe(position) != UNKNOWN:
        return True
    if depth == 0:
        return False
    return any(
        _meets_database(engine, after, depth - (after.turn != position.turn))
        for after in map(position.play, engine.game.moves(position))
    )


def _agree(score: int, other: int) -> bool:
    """Whether two scores say the same: one of them may be a win without its distance."""
    if is_decisive(score) and is_decisive(other):
        return score == other
    return is_sure(score) == is_sure(other) and (score > 0, score < 0) == (other > 0, other < 0)


def check_null_moves(game: Game, sample: list[History], compiled: bool) -> Iterator[Finding]:
    """Where passing is allowed, no move may lose that passing does not."""
    if not any(history.position.can_skip() for history in sample):
        return
    exact = Engine(game, hash=1, compiled=compiled, without=UNSOUND)
    for history in sample:
        position = history.position
        if not position.can_skip():
            continue
        depth = _affordable_depth(game, history, MAX_NODES * (25 if compiled else 1))
        score = exact.search(history, depth=depth).score
        passed = -exact.search(History(game, position.skip()), depth=max(1, depth - 1)).score
        if is_decisive(score) and score < 0 and not (is_decisive(passed) and passed < 0):
            yield Finding(
                "can_skip",
                f"every move loses and passing does not, so a pass proves nothing there:"
                f" {position_text(game, position)}",
            )


def _affordable_depth(game: Game, history: History, nodes: int) -> int:
    """How many turns deep minimax may look here; a turn may be several moves."""
    most, position = 2, history.position
    for _ in range(2):  # the side to move, and its enemy
        width, turn = 1, position.turn
        moves = game.moves(position)
        while moves and position.turn == turn and width <= nodes:
            width *= len(moves)
            position = position.play(moves[0])
            moves = game.moves(position)
        most = max(most, width)
    depth = 1
    while most ** (depth + 1) <= nodes and depth < 6:
        depth += 1
    return depth
