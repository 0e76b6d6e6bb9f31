"""Proving a game: does it keep the contract that the search relies on?

Random games are played and every rule of the contract is tried on the positions met. Each finding
names the rule that broke, the position and the move, so that the author can fix it.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from plywise.check.boards import board_faults, check_order
from plywise.check.failure import tell_failure
from plywise.check.finding import Finding, move_text, position_text
from plywise.check.hooks import PresentationCheck, check_texts
from plywise.check.move_rules import wrong_lists, wrong_numbers
from plywise.check.names import check_form, check_names
from plywise.check.random_games import RandomGames, advise, play_random_games
from plywise.check.searches import (
    SAMPLE,
    check_compiled_rules,
    check_null_moves,
    check_perft,
    check_probes,
    check_searches,
)
from plywise.check.signs import check_signs
from plywise.check.symmetry import asymmetries
from plywise.check.threats import wrong_threats
from plywise.core.contract import (
    CHANGING_MOVES,
    broken_rule,
    changed_position,
    is_bool,
    returned_integer,
    source_place,
    verify_position,
    verify_start,
    verify_turn,
)
from plywise.core.errors import BrokenRule, PlywiseError
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.mobility import MOBILITY, exchange_turn, generic_default
from plywise.core.outcome import DRAWN, LOST, OPEN, VERDICTS, WON
from plywise.core.rule_output import redirect_rules
from plywise.core.rules import RULES, Rules
from plywise.core.scores import MAX_EVALUATION

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
        over = list(_start(game))
        yield from over
        if over:
            return
        verify_start(game)
        histories = yield from _play_random_games(game, wanted, rng)
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
    by_key: dict[int, Any] = {}
    presentation = PresentationCheck(game)
    broken = False
    for history in histories:
        try:
            for finding in _check_position(game, history, by_key, presentation):
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
    yield from check_order(game, histories)
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
    lies = list(check_probes(game, sample, compiled))
    yield from lies
    if lies:
        return  # searches that ask a wrong database would only add noise
    yield from check_searches(game, sample, compiled)
    yield from check_null_moves(game, sample, compiled)


# --- the start ------------------------------------------------------------------------------------
def _start(game: Game) -> Iterator[Finding]:
    """A game begins open; `False` and 0 for "goes on" are the usual ways to say otherwise by mistake."""
    position, place = game.start(), source_place(game.author, "outcome")
    verdict, where = _author_outcome(game, position), position_text(game, position)
    if is_bool(verdict):
        yield _no_verdict(game, verdict, where)
    elif position.outcome() in (LOST, DRAWN, WON):
        yield Finding(
            "start",
            f"{place}: the game is over at its start: outcome() is {verdict!r} ({VERDICTS[int(verdict)]});"
            f" where it goes on, return {_open(game)}: {where}",
        )


def _is_written(game: Game, rule: str) -> bool:
    """Whether the author wrote this rule, or left it to the contract's default."""
    return getattr(game.author, rule, None) not in (None, getattr(Rules, rule))


def _author_outcome(game: Game, position: Any) -> Any:
    """What the author's own outcome() returns; None in the plain form where there is none."""
    own = game.unwrap(position)
    return own.outcome() if hasattr(own, "outcome") else None


def _no_verdict(game: Game, verdict: Any, where: str) -> Finding:
    return Finding(
        "outcome",
        f"{source_place(game.author, 'outcome')}: outcome() is {verdict!r}; say WON, LOST or DRAWN for the"
        f" side to move, and {_open(game)} where the game goes on: {where}",
    )


def _open(game: Game) -> str:
    return "OPEN" if game.compiled else "None"


# --- random games ----------------------------------------------------------------------------------
def _play_random_games(game: Game, wanted: int, rng: random.Random) -> Any:
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


def _wrong_reset(game: Game, before: History, move: int, position: Any) -> str:
    """What to say where a position returned though the rules exclude it."""
    text, where = move_text(game, before, move), position_text(game, position)
    cure = "let it be True only for moves that cannot be undone, such as captures"
    if getattr(game.author, "resets", None) in (None, Rules.resets):
        place = source_place(game.author)
        return f"{place}: {text} brought a position back, so define resets(move); {cure}: {where}"
    return (
        f"a position returned although resets({text}) or a move before it said that none can; {cure}: {where}"
    )


# --- one position ----------------------------------------------------------------------------------
def _check_position(
    game: Game, history: History, by_key: dict[int, Any], presentation: PresentationCheck
) -> Iterator[Finding]:
    position = history.position
    if game.compiled:
        verify_position(game.author, position, None if history.before is None else "play")
    where = position_text(game, position)
    before = repr(position)
    if position.turn not in (0, 1):
        yield Finding("turn", f"turn is {position.turn!r}, not 0 or 1, in {where}")
        return
    verdict = position.outcome()
    own_verdict = _author_outcome(game, position)
    if is_bool(own_verdict):
        yield _no_verdict(game, own_verdict, where)
        return
    if verdict not in VERDICTS:
        yield Finding("outcome", f"outcome() is {verdict!r}, not LOST, DRAWN, WON or OPEN, in {where}")
        return
    for words in board_faults(game, position):
        yield Finding("boards", f"{words} in {where}")
    for words in asymmetries(game, position):
        yield Finding("symmetry", f"{words} in {where}")
    if verdict in (WON, LOST):
        yield from _check_key(game, position, by_key)
        yield from presentation(history, [])
        return
    moves = game.moves(position)
    if len(set(moves)) < len(moves):
        twice = next(move for move in moves if moves.count(move) > 1)
        yield Finding("moves", f"{move_text(game, history, twice)} is listed twice in {where}")
    if len(moves) > game.most_moves:
        yield Finding(
            "most_moves", f"{len(moves)} moves, more than most_moves={game.most_moves}; raise it, in {where}"
        )
    if any(move < 0 for move in moves):
        yield Finding("moves", f"move {min(moves)} is below 0; number moves from 0 on, in {where}")
    # Where neither is written, having no move is the end that the author means: the contract's default.
    forgets_stuck = _is_written(game, "outcome") and not _is_written(game, "stuck")
    if not moves and verdict == OPEN and forgets_stuck:
        yield Finding(
            "stuck",
            f"no move and yet open: {where}; it counts as lost, unless outcome() or stuck() says otherwise",
            advice=True,
        )
    for rule, words in wrong_lists(game, position, moves if verdict == OPEN else []):
        yield Finding(rule, f"{words} in {where}")
    for rule, words in wrong_numbers(game, position, moves):
        yield Finding(rule, f"{words} in {where}")
    for words in wrong_threats(game, position, moves if verdict == OPEN else []):
        yield Finding("threatens", f"{words} in {where}")
    yield from check_texts(game, history, moves)
    yield from presentation(history, moves)
    yield from _check_key(game, position, by_key)
    for move in moves:
        after = position.play(move)
        if repr(position) != before:
            yield Finding(
                "immutable", f"play({move_text(game, history, move)}) changed the position {where} itself"
            )
            return
        if after != position.play(move):
            yield Finding(
                "play",
                f"{source_place(game.author, 'play')}: {move_text(game, history, move)} led to two positions"
                f" that are not equal: {where}; compare positions by their fields, as frozen dataclasses",
            )
            return
    if position.midway():
        if history.before is None or history.before.position.turn != position.turn:
            side = game.sides[position.turn]
            words = f"midway() is true although {side} has not acted yet in this turn"
            yield Finding("midway", f"{words}: {where}; it is for the later acts of a turn alone")
    else:
        yield from _check_mobility(game, position, where)
        own = game.unwrap(position)
        value = (own if hasattr(own, "evaluate") else position).evaluate()
        if is_bool(value):
            words = f"evaluate() is {value!r}; say by a whole number how good it is for the side to move"
            yield Finding("evaluate", f"{words}, in {where}")
        score = returned_integer(game.author, "evaluate", value)
        if abs(score) > MAX_EVALUATION:
            yield Finding(
                "evaluate", f"evaluate() is {score}, no whole number within +-{MAX_EVALUATION}, in {where}"
            )
    if position.can_skip():
        passed = position.skip()
        if passed.turn == position.turn or passed.key() == position.key():
            own = getattr(game.author, "skip", None)
            cure = "; define skip()" if own in (None, Rules.skip) else ""
            yield Finding("skip", f"skip() does not give the turn to the other side in {where}{cure}")
        elif passed.can_skip() and passed.skip().skip() != passed:
            # Not the position itself: a pass may end what only the next move could use (en passant).
            yield Finding("skip", f"passing twice does not lead back from {where} with a pass")


def _check_mobility(game: Game, position: Any, where: str) -> Iterator[Finding]:
    """The moves of the other side can be counted, where nobody wrote a better evaluation."""
    if game.has_evaluation or generic_default(game) != MOBILITY:
        return
    side = game.sides[1 - position.turn]
    cure = "correct that, write evaluate(), or say @game(evaluator='outcome')"
    try:
        count = len(game.moves(exchange_turn(position)))
    except Exception as error:
        told = f"{type(error).__name__}: {error}"
        yield Finding(
            "moves",
            f"the moves of {side}, if it were its turn, cannot be counted ({told}) in {where}; {cure}",
        )
        return
    if count > game.most_moves:
        words = f"{side} would have {count} moves, more than most_moves={game.most_moves}"
        yield Finding("most_moves", f"{words}, if it were its turn in {where}; {cure}")


def _check_key(game: Game, position: Any, by_key: dict[int, Any]) -> Iterator[Finding]:
    """Equal positions have equal keys, and (as far as seen) only they."""
    first = by_key.setdefault(position.key(), position)
    own, other = game.unwrap(position), game.unwrap(first)
    if own != other and game.text(position) != game.text(first):
        yield Finding(
            "key", f"{position_text(game, position)} and {position_text(game, first)} have the same key"
        )
    if own == other and hash(own) != hash(other):
        yield Finding("hash", f"equal positions have different hashes: {position_text(game, position)}")
