"""`plywise evaluate` and `plywise explain`: the terms of an evaluation, and the reasons of a search."""

from typing import TYPE_CHECKING, Any

from plywise.cli import INTERRUPTED, console
from plywise.cli.json_output import answer_lines, input_lines, outcome_json, print_json
from plywise.core.game import Game
from plywise.core.history import History
from plywise.core.mobility import generic_default
from plywise.core.wording import score_text
from plywise.search.engine import Engine
from plywise.search.limits import Limits

if TYPE_CHECKING:
    from plywise.explain.reasons import Explanation


# --- the evaluation -------------------------------------------------------------------------------
def evaluate_json(history: History, evaluator: str = "default", weights: str | None = None) -> dict[str, Any]:
    """The evaluation as data, for the side to move; a finished game has an outcome and no terms."""
    game, outcome = history.game, history.outcome
    unit = game.evaluation(evaluator, weights).unit
    game.weights(evaluator, weights)  # bad weights are an error even if the game is over
    terms = {} if outcome is not None else game.terms(history.position, evaluator, weights)
    return {
        "game": game.name,
        "position": history.text,
        "turn": history.turn,
        "evaluator": evaluator,
        "unit": unit,
        "score": None if outcome is not None else round(sum(terms.values())),
        "terms": terms,
        "outcome": outcome_json(outcome),
    }


def print_evaluation(history: History, evaluator: str = "default", weights: str | None = None) -> None:
    """Print the evaluation as a table, for the first side."""
    from plywise.cli.terminal.board import print_headline, print_position

    game, answer = history.game, evaluate_json(history, evaluator, weights)
    print_headline(history)
    print_position(history)
    if history.outcome is not None:
        print(console.paragraph(f"over: {history.outcome.reason}"))
        return
    sign = 1 if history.turn == 0 else -1
    terms = {name: sign * value for name, value in answer["terms"].items()}
    chosen = (
        evaluator if evaluator != "default" or game.has_evaluation else f"default ({generic_default(game)})"
    )
    print(f"\n{chosen}, for {game.sides[0]}:")
    for text in terms_table(terms, answer["unit"]):
        print(text)


def terms_table(terms: dict[str, float], unit: int) -> list[str]:
    """The terms, largest first, and their sum; one line names those that are 0."""
    nonzero = {name: value for name, value in terms.items() if value}
    width = max([len("together"), *map(len, terms)])
    rows = [
        f"  {name:{width}}  {term_text(nonzero[name], unit):>8}"
        for name in sorted(nonzero, key=lambda n: -abs(nonzero[n]))
    ]
    zero = [name for name in terms if name not in nonzero]
    if zero and len(terms) > 1:
        rows.append(console.paragraph(f"nothing: {', '.join(zero)}", "  ", "    "))
    return [*rows, f"  {'together':{width}}  {term_text(sum(terms.values()), unit):>8}"]


def term_text(value: float, unit: int) -> str:
    """A term in the unit of the game: `+0.25`."""
    return score_text(round(value), unit)


# --- the reasons of a search ------------------------------------------------------------------------
def explain_position(
    history: History,
    limits: Limits,
    move: str | None,
    file: str | None,
    json: bool,
    evaluator: str,
    **options: Any,
) -> int:
    """Search and print the reasons. Ctrl-C stops the search, and its result so far is explained."""
    from plywise.cli.searching import make_engine
    from plywise.cli.terminal.board import print_headline, print_position
    from plywise.explain.record_file import save
    from plywise.explain.wording import explanation_data, explanation_sentences

    if move is not None and history.outcome is None:
        history.game.read_move(history.position, move)  # an illegal move is an error before the search starts
    explanation, stopped = _explain(make_engine(history.game, evaluator, **options), history, limits, move)
    if file is not None:
        save(explanation.record, file)
    if json:
        print_json(explanation_data(explanation))
    else:
        print_headline(history)
        print_position(history)
        for text in explanation_sentences(explanation):
            print(console.paragraph(text, hanging="   "))
    return INTERRUPTED if stopped else 0


def explain_lines(game: Game, limits: Limits, move: str | None, evaluator: str, **options: Any) -> None:
    """Explain positions from standard input, one JSON line each."""
    from plywise.cli.searching import make_engine
    from plywise.explain.wording import explanation_data

    engine = make_engine(game, evaluator, **options)

    def answer_position(history: History) -> dict[str, Any]:
        engine.clear()  # an answer must not depend on the lines before it
        explanation, stopped = _explain(engine, history, limits, move)
        if stopped:
            raise KeyboardInterrupt
        return explanation_data(explanation)

    answer_lines(game, input_lines(), answer_position)


def _explain(
    engine: Engine, history: History, limits: Limits, move: str | None
) -> "tuple[Explanation, bool]":
    """The explanation, and whether Ctrl-C stopped the search."""
    from plywise.cli.searching import search, stop_on_interrupt
    from plywise.explain.reasons import add_why_not, explain_finished_game, explain_result

    if history.outcome is not None:
        return explain_finished_game(engine, history, move), False
    if limits == Limits():
        # No more nodes than the record can hold: every reason is then in it.
        limits = Limits(time=1.0, nodes=0 if engine.log is None else len(engine.log))
    result, stopped = search(engine, history, limits)
    explanation = explain_result(engine, history, result, again=not stopped)
    if move is not None and not stopped:
        with stop_on_interrupt(engine.stop) as pressed, console.progress_bar(f"searching {move} alone"):
            explanation = add_why_not(engine, explanation, move)
        stopped = pressed()
    return explanation, stopped
