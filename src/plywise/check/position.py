"""What must hold in every position of a game: the contract, rule by rule."""

from collections.abc import Iterator
from typing import Any

from plywise.check.boards import board_faults
from plywise.check.candidates import wrong_candidates
from plywise.check.finding import Finding, move_text, position_text
from plywise.check.symmetry import asymmetries
from plywise.core.contract import is_bool, require_whole_number, source_place
from plywise.core.errors import PlywiseError
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.mobility import MOBILITY, exchange_turn, generic_default
from plywise.core.outcome import DRAWN, LOST, OPEN, VERDICTS, WON
from plywise.core.presentation import find_hook
from plywise.core.rules import Position, Rules
from plywise.core.scores import MAX_EVALUATION


def check_start(game: Game) -> Iterator[Finding]:
    """A game begins open; `False` and 0 for "goes on" are the usual ways to say otherwise by mistake."""
    position, place = game.start(), source_place(game.author, "outcome")
    verdict, where = _author_outcome(game, position), position_text(game, position)
    if is_bool(verdict):
        yield _no_verdict(game, verdict, where)
    elif position.outcome() in (LOST, DRAWN, WON):
        yield Finding(
            "start",
            f"{place}: the game is over at its start: outcome() is {verdict!r} ({VERDICTS[int(verdict)]});"
            f" where it goes on, return {_open_name(game)}: {where}",
        )


def _author_outcome(game: Game, position: Position) -> Any:
    """What the author's own outcome() returns; None in the plain form where there is none."""
    own = game.unwrap(position)
    return own.outcome() if hasattr(own, "outcome") else None


def _no_verdict(game: Game, verdict: object, where: str) -> Finding:
    return Finding(
        "outcome",
        f"{source_place(game.author, 'outcome')}: outcome() is {verdict!r}; say WON, LOST or DRAWN for the"
        f" side to move, and {_open_name(game)} where the game goes on: {where}",
    )


def _open_name(game: Game) -> str:
    return "OPEN" if game.compiled else "None"


def check_position(game: Game, history: History, by_key: dict[int, Position]) -> Iterator[Finding]:
    """What is wrong in a position; `by_key` has the first position of each key that was seen."""
    position = history.position
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
    if not moves and verdict == OPEN and getattr(game.author, "stuck", None) in (None, Rules.stuck):
        yield Finding(
            "stuck",
            f"no move and yet open: {where}; it counts as lost, unless outcome() or stuck() says otherwise",
            advice=True,
        )
    for words in wrong_candidates(game, position, moves if verdict == OPEN else []):
        yield Finding("candidates", f"{words} in {where}")
    yield from _check_texts(game, history, moves)
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
    if not position.midway():
        yield from _check_mobility(game, position, where)
        score = require_whole_number(game.author, "evaluate", position.evaluate())
        if abs(score) > MAX_EVALUATION:
            yield Finding(
                "evaluate", f"evaluate() is {score}, no whole number within +-{MAX_EVALUATION}, in {where}"
            )
    if position.can_skip():
        passed = position.skip()
        if passed.turn == position.turn or passed.key() == position.key():
            yield Finding("skip", f"skip() does not give the turn to the other side in {where}")
        elif passed.can_skip() and passed.skip().skip() != passed:
            # Not the position itself: a pass may end what only the next move could use (en passant).
            yield Finding("skip", f"passing twice does not lead back from {where} with a pass")


def _check_mobility(game: Game, position: Position, where: str) -> Iterator[Finding]:
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


def _check_key(game: Game, position: Position, by_key: dict[int, Position]) -> Iterator[Finding]:
    """Equal positions have equal keys, and (as far as seen) only they."""
    first = by_key.setdefault(position.key(), position)
    own, other = game.unwrap(position), game.unwrap(first)
    if own != other and game.text(position) != game.text(first):
        yield Finding(
            "key", f"{position_text(game, position)} and {position_text(game, first)} have the same key"
        )
    if own == other and hash(own) != hash(other):
        yield Finding("hash", f"equal positions have different hashes: {position_text(game, position)}")


def _check_texts(game: Game, history: History, moves: list[int]) -> Iterator[Finding]:
    position, where = history.position, position_text(game, history.position)
    texts = [game.move_text(position, move) for move in moves]
    for text, move in zip(texts, moves, strict=True):
        if not text or text.split() != [text]:
            yield Finding("move_text", f"{text!r} is not one word, in {where}")
        elif texts.count(text) > 1:
            yield Finding("move_text", f"{text!r} is written for two moves in {where}")
        elif game.read_move(position, text) != move:
            yield Finding("read_move", f"{text!r} is read as another move in {where}")
    reads = find_hook(game.author, "parse") is not None
    if not reads and find_hook(game.author, "text") is not None:
        return  # its author chose to write texts and to read none
    try:
        again = game.parse(game.text(position))
    except PlywiseError as error:
        cure = "" if reads else "; define text() and parse(text), and positions can be entered and saved"
        yield Finding("parse", f"its own text cannot be read: {error}{cure}", advice=not reads)
        return
    if not reads:
        return  # it was read; whether positions are equal is asked where they are played
    if again != position:
        yield Finding("parse", f"its own text {where} is read as another position: {again!r}")
    elif again.key() != position.key():
        yield Finding("key", f"{where} has another key when it is read from its text")
