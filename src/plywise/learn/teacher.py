"""A teacher: another program that labels positions with its own scores, through UCI or XBoard."""

from typing import Any

import numpy as np

from plywise.arena import external, player_spec
from plywise.arena.builtin import DECISIVE
from plywise.arena.faults import Fault
from plywise.arena.setup import Setup
from plywise.arena.time_control import TimeControl
from plywise.core.errors import PlywiseError
from plywise.core.game import Game
from plywise.core.net_file import Shape, boards_of
from plywise.core.rules import Position
from plywise.core.scores import MAX_EVALUATION
from plywise.core.wide_position import from_words
from plywise.learn.selfplay import row_layout

NODES = 200  # of a position, unless the teacher's text says otherwise


class BadTeacher(PlywiseError):
    """A teacher that cannot be used: it dies, hangs, answers illegally or gives no score."""


def parse_teacher(text: str) -> player_spec.PlayerSpec:
    """The teacher that a text describes, `uci:COMMAND` or `xboard:COMMAND`, with the options of a match."""
    spec = player_spec.parse(text)
    if spec.kind == "plywise":
        raise BadTeacher(f"--teacher {text}: a teacher is another program, uci:COMMAND or xboard:COMMAND")
    return spec


class Teacher:
    """Labels positions of one game; its program is started at the first one."""

    def __init__(self, game: Game, text: str, shape: Shape) -> None:
        self.game, self.text, self.shape = game, text, shape
        setup = Setup(game.name, (), TimeControl(nodes=NODES))
        self.engine = external.make_engine(game, parse_teacher(text), setup)
        self.dtype = np.dtype(list(row_layout(shape.boards).fields))
        self.started = False

    def score(self, position: Position) -> int | None:
        """What the teacher says of a position, for the side to move, in points; None for a win or loss."""
        history = self.game.history(self.game.text(position))
        try:
            if not self.started:
                self.engine.start_game(history, position.turn, 0)
                self.started = True
            self.engine.side = position.turn
            choice = self.engine.choose(history, None, None)
        except (Fault, external.UnknownOption) as error:
            raise BadTeacher(f"--teacher {self.text}: {error}") from None
        try:
            self.game.read_move(position, str(choice.move))
        except PlywiseError as error:
            raise BadTeacher(f"--teacher {self.text}: it answers {choice.move!r}: {error}") from None
        if choice.score is None:
            raise BadTeacher(f"--teacher {self.text}: it gives no score in [{history.text}]")
        if abs(choice.score) >= DECISIVE:
            return None
        points = round(choice.score * self.game.evaluation("default").unit / 100)
        return max(-MAX_EVALUATION, min(MAX_EVALUATION, points))

    def label(self, rows: Any) -> Any:
        """Rows of whole positions as rows of boards, with the teacher's scores; without wins and losses."""
        result, count = np.zeros(len(rows), self.dtype), 0
        for row in rows:
            position = from_words(self.game.position, row["boards"].tolist())
            score = self.score(position)
            if score is None:
                continue
            kept = result[count]
            kept["boards"] = boards_of(self.game, position)
            for name in ("game", "own", "ply", "turn", "result"):
                kept[name] = row[name]
            kept["score"] = score if position.turn == 0 else -score
            count += 1
        return result[:count].copy()

    def close(self) -> None:
        """End the program."""
        self.engine.close()
