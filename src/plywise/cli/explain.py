"""Why: the evaluation of a position term by term, and the reasons behind a move, in words."""

from typing import TYPE_CHECKING, Any

from plywise.cli import arguments, console
from plywise.cli.json_output import outcome_json
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.wording import score_text
from plywise.search.engine import Engine
from plywise.search.limits import Limits

if TYPE_CHECKING:
    from plywise.explain.reasons import Explanation


# --- the evaluation -------------------------------------------------------------------------------
def evaluate_json(history: History, evaluator: str = "default", weights: str | None = None) -> dict[str, Any]:
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
        "outcome": outcome_json(outcome),
    }


def evaluate(history: History, evaluator: str = "default", weights: str | None = None) -> None:
    """Show the evaluation as a table for the side that moves first in the game."""
    from plywise.cli.terminal.scene import print_headline, print_position

    game, answer = history.game, evaluate_json(history, evaluator, weights)
    print_headline(history)
    print_position(history)
    if history.outcome is not None:
        print(console.paragraph(f"over: {history.outcome.reason}"))
        return
    sign = 1 if history.turn == 0 else -1
    parts = {name: sign * value for name, value in answer["terms"].items()}
    print(f"\n{evaluator}, for {game.sides[0]}:")
    for text in terms_table(parts, answer["unit"]):
        print(text)


def terms_table(parts: dict[str, float], unit: int) -> list[str]:
    """Terms, the largest first, and their sum; those that are nothing are named in one line."""
    nonzero = {name: value for name, value in parts.items() if value}
    wide = max([len("together"), *map(len, parts)])
    rows = [
        f"  {name:{wide}}  {term_text(nonzero[name], unit):>8}"
        for name in sorted(nonzero, key=lambda n: -abs(nonzero[n]))
    ]
    zero = [name for name in parts if name not in nonzero]
    if zero and len(parts) > 1:
        rows.append(console.paragraph(f"nothing: {', '.join(zero)}", "  ", "    "))
    return [*rows, f"  {'together':{wide}}  {term_text(sum(parts.values()), unit):>8}"]


def term_text(value: float, unit: int) -> str:
    """A term as the game counts: `+0.25`."""
    return score_text(round(value), unit)


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
    from plywise.cli.searching import make_engine
    from plywise.cli.terminal.scene import print_headline, print_position
    from plywise.explain.record_file import save
    from plywise.explain.wording import explanation_data, explanation_sentences

    if move is not None and history.outcome is None:
        history.game.read_move(history.position, move)  # refused before anything takes time
    explanation, stopped = _explain(make_engine(history.game, evaluator, **options), history, limits, move)
    if file is not None:
        save(explanation.record, file)
    if json:
        arguments.print_json(explanation_data(explanation))
    else:
        print_headline(history)
        print_position(history)
        for text in explanation_sentences(explanation):
            print(console.paragraph(text, hanging="   "))
    return 130 if stopped else 0


def explain_lines(game: Game, limits: Limits, move: str | None, evaluator: str, **options: Any) -> None:
    """Explain positions from standard input, one JSON line each."""
    from plywise.cli.searching import make_engine
    from plywise.explain.wording import explanation_data

    engine = make_engine(game, evaluator, **options)

    def answer_position(history: History) -> dict[str, Any]:
        engine.clear()  # each line is answered as if it were alone
        explanation, stopped = _explain(engine, history, limits, move)
        if stopped:
            raise KeyboardInterrupt
        return explanation_data(explanation)

    arguments.answer_lines(game, arguments.input_lines(), answer_position)


def _explain(
    engine: Engine, history: History, limits: Limits, move: str | None
) -> "tuple[Explanation, bool]":
    """The explanation, and whether Ctrl-C cut it short."""
    from plywise.cli.searching import search, stop_on_interrupt
    from plywise.explain.reasons import add_why_not, explain_finished_game, explain_result

    if history.outcome is not None:
        return explain_finished_game(engine, history, move), False
    if limits == Limits():
        # Within the record, so that every move that was looked at has its reason in it.
        limits = Limits(time=1.0, nodes=0 if engine.log is None else len(engine.log))
    result, stopped = search(engine, history, limits)
    explanation = explain_result(engine, history, result, again=not stopped)
    if move is not None and not stopped:
        with stop_on_interrupt(engine.stop) as pressed, console.progress_bar(f"searching {move} alone"):
            explanation = add_why_not(engine, explanation, move)
        stopped = pressed()
    return explanation, stopped
