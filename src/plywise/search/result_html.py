"""What a notebook shows of a result: the board with the best moves as arrows, and the lines as a table."""

from html import escape

from plywise.core.notebook import draw_history, move_arrows, paragraph, place_side_by_side, turn_text
from plywise.core.scores import Kind
from plywise.core.wording import count_text, line_labels, score_text, side_score_text
from plywise.search.result import Line, Result

MAX_LINES = 8  # that are listed
MAX_MOVES = 16  # of a line
MAX_ARROWS = 4
KIND_TEXT = {
    Kind.PROVEN: "proven: true whatever lies beyond the depth",
    Kind.EXACT: "exact: the minimax value of this depth",
    Kind.BOUND: "a bound: the true score is at least as good for the side it favours",
    Kind.ESTIMATE: "an estimate: risky pruning was used, or the depth was not finished",
}
_CELL = 'style="text-align:left;vertical-align:top;padding:.15em .8em .15em 0"'


def result_html(result: Result) -> str:
    """A result for a notebook; without its history only the table."""
    history = result.history
    arrows = []
    if history is not None:
        for place, line in enumerate(result.lines[:MAX_ARROWS]):
            arrows += move_arrows(history, line.numbers[0], "line" if place else "best")
    picture = None if history is None else draw_history(history, arrows[::-1])
    parts = [paragraph(_heading(result), strong=True), paragraph(KIND_TEXT[result.kind])]
    if result.lines:
        rows = "".join(_row(result, line) for line in result.lines[:MAX_LINES])
        head = "".join(f"<th {_CELL}>{word}</th>" for word in ("score", "line"))
        parts.append(f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>")
    if len(result.lines) > MAX_LINES:
        parts.append(paragraph(f"and {count_text(len(result.lines) - MAX_LINES, 'other line')}"))
    speed = f", {result.nodes / result.seconds:,.0f} a second" if result.seconds > 0.001 else ""
    parts.append(
        paragraph(
            f"depth {result.depth}, {count_text(result.nodes, 'node')} in {result.seconds:.2f} s{speed}"
        )
    )
    return place_side_by_side(picture, "".join(parts))


def _heading(result: Result) -> str:
    """`Chess: e4, White +0.30`, or how the game ended."""
    game, history = result.game, result.history
    if result.move is None:
        return f"{game.title}: {'there is no move' if history is None else turn_text(history)}"
    if history is None:
        return f"{game.title}: {result.move}, {result.words} for the side to move"
    score = side_score_text(game, history.turn, result.score, result.kind, result.unit)
    return f"{game.title}: {game.label(history.position, result.number)}, {score}"


def _row(result: Result, line: Line) -> str:
    game, history = result.game, result.history
    if history is None:
        score, moves = score_text(line.score, result.unit), list(line.moves)
    else:
        score = side_score_text(game, history.turn, line.score, line.kind, result.unit)
        moves = line_labels(history, line.numbers[:MAX_MOVES])
    shown = " ".join(moves[:MAX_MOVES]) + (" ..." if len(line.moves) > MAX_MOVES else "")
    kind = "" if line.kind is result.kind else f" ({line.kind})"
    told = f'<span style="white-space:nowrap">{escape(score + kind)}</span>'
    return f"<tr><td {_CELL}>{told}</td><td {_CELL}>{escape(shown)}</td></tr>"
