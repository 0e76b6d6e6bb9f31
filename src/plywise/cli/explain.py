"""Why: the evaluation of a position term by term, and the reasons behind a move, in words."""

from typing import TYPE_CHECKING, Any

from plywise.cli import reading, screen
from plywise.cli.answers import outcome_answer
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.scores import in_words
from plywise.search.engine import Engine
from plywise.search.limits import Limits

if TYPE_CHECKING:
    from plywise.explain.reasons import Explanation


# --- the evaluation -------------------------------------------------------------------------------
def evaluate_answer(
    history: History, evaluator: str = "default", weights: str | None = None
) -> dict[str, Any]:
    """The evaluation as data, for the side to move; a finished game has an outcome and no terms."""
    game, outcome = history.game, history.outcome
    unit = game.evaluation(evaluator).unit
    game.weights(evaluator, weights)  # refused even where there is nothing to evaluate
    parts = {} if outcome is not None else game.terms(history.position, evaluator, weights)
    return {
        "game": game.name,
        "position": history.text,
        "turn": history.turn,
        "evaluator": evaluator,
        "unit": unit,
        "score": None if outcome is not None else round(sum(parts.values())),
        "terms": parts,
        "outcome": outcome_answer(outcome),
    }


def evaluate(history: History, evaluator: str = "default", weights: str | None = None) -> None:
    """Show the evaluation as a table for the side that moves first in the game."""
    from plywise.cli.scene import headline, show_board

    game, answer = history.game, evaluate_answer(history, evaluator, weights)
    headline(history)
    show_board(history)
    if history.outcome is not None:
        print(screen.paragraph(f"over: {history.outcome.reason}"))
        return
    sign = 1 if history.turn == 0 else -1
    parts = {name: sign * value for name, value in answer["terms"].items()}
    print(f"\n{evaluator}, for {game.sides[0]}:")
    for text in table(parts, answer["unit"]):
        print(text)


def table(parts: dict[str, float], unit: int) -> list[str]:
    """Terms, the largest first, and their sum; those that are nothing are named in one line."""
    said = {name: value for name, value in parts.items() if value}
    wide = max([len("together"), *map(len, parts)])
    rows = [
        f"  {name:{wide}}  {points(said[name], unit):>8}"
        for name in sorted(said, key=lambda n: -abs(said[n]))
    ]
    nothing = [name for name in parts if name not in said]
    if nothing and len(parts) > 1:
        rows.append(screen.paragraph(f"nothing: {', '.join(nothing)}", "  ", "    "))
    return [*rows, f"  {'together':{wide}}  {points(sum(parts.values()), unit):>8}"]


def points(value: float, unit: int) -> str:
    """A term as the game counts: `+0.25`."""
    return in_words(round(value), unit)


# --- the reasons of a search ------------------------------------------------------------------------
def explain(
    history: History,
    limits: Limits,
    move: str | None,
    file: str | None,
    json: bool,
    evaluator: str,
    **options: Any,
) -> int:
    """Search, and say why. Ctrl-C stops the search, and what is known is explained."""
    from plywise.cli.scene import headline, show_board
    from plywise.cli.thinking import engine_for
    from plywise.explain.sentences import answer, sentences
    from plywise.explain.storing import save

    if move is not None and history.outcome is None:
        history.game.read_move(history.position, move)  # refused before anything takes time
    told, stopped = _told(engine_for(history.game, evaluator, **options), history, limits, move)
    if file is not None:
        save(told.record, file)
    if json:
        reading.print_json(answer(told))
    else:
        headline(history)
        show_board(history)
        for text in sentences(told):
            print(screen.paragraph(text, hanging="   "))
    return 130 if stopped else 0


def explain_lines(game: Game, limits: Limits, move: str | None, evaluator: str, **options: Any) -> None:
    """Explain positions from standard input, one JSON line each."""
    from plywise.cli.thinking import engine_for
    from plywise.explain.sentences import answer

    engine = engine_for(game, evaluator, **options)

    def explained(history: History) -> dict[str, Any]:
        engine.clear()  # each line is answered as if it were alone
        told, stopped = _told(engine, history, limits, move)
        if stopped:
            raise KeyboardInterrupt
        return answer(told)

    reading.batch(game, reading.lines(), explained)


def _told(engine: Engine, history: History, limits: Limits, move: str | None) -> "tuple[Explanation, bool]":
    """The explanation, and whether Ctrl-C cut it short."""
    from plywise.cli.thinking import stopping, think
    from plywise.explain.reasons import explained, finished, with_why_not

    if history.outcome is not None:
        return finished(engine, history, move), False
    if limits == Limits():
        # Within the record, so that every move that was looked at has its reason in it.
        limits = Limits(time=1.0, nodes=0 if engine.log is None else len(engine.log))
    result, stopped = think(engine, history, limits)
    told = explained(engine, history, result, again=not stopped)
    if move is not None and not stopped:
        with stopping(engine.stop) as pressed, screen.working(f"searching {move} alone"):
            told = with_why_not(engine, told, move)
        stopped = pressed()
    return told, stopped
