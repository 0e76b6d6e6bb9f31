"""Lines as XBoard's protocol wants them: features, results, and the thinking of a search."""

from collections.abc import Iterator, Sequence

from plywise.core.outcome import Outcome
from plywise.core.wording import result_text
from plywise.play.request import SearchTask
from plywise.protocols.options import Option, Options
from plywise.protocols.text import centipawns, move_texts, moves_to_win
from plywise.search.result import Line, Progress

MATE = 100000  # the score of a mate, plus or minus the moves to it
DECLARED_OPTIONS = (
    "UCI_LimitStrength",
    "UCI_Elo",
    "Skill Level",
    "MultiPV",
    "Move Overhead",
    "Evaluator",
    "Seat",
    "Book",
)


def feature_lines(options: Options, variants: Sequence[str], resigns: bool) -> Iterator[str]:
    """The features of the engine, and the options that have no command of their own."""
    from plywise import __version__

    yield "feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 sigterm=0 reuse=1"
    yield "feature analyze=1 colors=0 ics=0 name=0 pause=1 nps=1 exclude=1 debug=1 memory=1 smp=1"
    yield f'feature myname="Plywise {__version__}" variants="{",".join(variants)}"'
    for option in options.known.values():
        if option.name in DECLARED_OPTIONS:
            yield f'feature option="{_option_text(option)}"'
    yield f'feature option="Resign -check {int(resigns)}"'
    yield "feature done=1"


def thinking_line(task: SearchTask, report: Progress, line: Line, style: str, sign: str = "") -> str:
    """One line of play as the search sees it; `sign` marks a score that is only a bound."""
    game, position = task.request.history.game, task.request.history.position
    mate = moves_to_win(line.score, task.request.history, line.numbers)
    score = centipawns(line.score, game.evaluation(task.settings.evaluator).unit)
    score = max(1 - MATE, min(score, MATE - 1))  # what is no mate does not look like one
    if mate is not None:
        score = MATE + mate if mate > 0 else mate - MATE
    moves = move_texts(game, position, line.numbers, style)
    moves[0] += sign
    took = report.seconds if task.request.rate is None else task.cpu_seconds
    return f"{report.depth} {score} {round(took * 100)} {report.nodes}\t{' '.join(moves)}"


def result_line(outcome: Outcome) -> str:
    """How a game ended."""
    return f"{result_text(outcome)} {{{outcome.reason}}}"


def _option_text(option: Option) -> str:
    if option.type == "spin":
        return f"{option.name} -spin {option.default} {option.minimum} {option.maximum}"
    if option.type == "check":
        return f"{option.name} -check {int(option.default)}"
    if option.type == "combo":
        marked = (f"*{one}" if one == option.default else one for one in option.choices)
        return f"{option.name} -combo {' /// '.join(marked)}"
    # XBoard wants the blank behind the kind even if there is no default.
    return f"{option.name} -{'file' if option.name == 'Book' else option.type} {option.default}"
