"""Mobility, the evaluation of a game whose author wrote none: what it counts, and where it is the default."""

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import plywise
from plywise import Game
from plywise.arena.builtin import check_search
from plywise.arena.player_spec import parse
from plywise.check import check
from plywise.cli.lookup import evaluation_text
from plywise.core.errors import BadGame, UnknownName
from plywise.core.mobility import MOBILITY, OUTCOME, exchange_turn, generic_default, mobility
from plywise.core.outcome import OPEN
from plywise.search.engine import Engine
from plywise.search.switches import NEEDS_STATIC_EVAL
from tests.conftest import EXAMPLES, interpreted, named, walk
from tests.examples import slow_othello

OTHELLO = named("examples/othello")


def without_evaluation(name: str, folder: Path) -> Game:
    """An example whose author has not yet written `evaluate`."""
    source = (EXAMPLES / f"{name}.py").read_text()
    assert source.count("def evaluate(") == 1
    file = folder / f"bare_{name}.py"
    file.write_text(source.replace("def evaluate(", "def opinion("))
    return plywise.load(str(file))


def stay_or_go(**options: Any) -> Game:
    """Side 0 may always do one of three things, side 1 one of two: a plain game without `evaluate`."""

    @plywise.game(**options)
    @dataclass(frozen=True)
    class StayOrGo:
        left: int = 6
        turn: int = 0

        def moves(self) -> list[int]:
            return list(range(3 - self.turn)) if self.left else []

        def play(self, move: int) -> "StayOrGo":
            return StayOrGo(self.left - 1, 1 - self.turn)

    return StayOrGo.game  # type: ignore[attr-defined, no-any-return]


def test_the_moves_of_both_sides_are_counted_as_in_the_slow_twin() -> None:
    values = set()
    for seed in range(4):
        for history in walk(OTHELLO, seed, 100):
            if history.outcome is not None:
                continue
            other = history.text[:-1] + "OX"["XO".index(history.text[-1])]
            wanted = 10 * (len(slow_othello.moves(history.text)) - len(slow_othello.moves(other)))
            assert OTHELLO.evaluate(history.position) == wanted, history.text
            assert OTHELLO.terms(history.position) == {MOBILITY: wanted}
            values.add(wanted)
    assert min(values) < 0 < max(values)


@pytest.mark.parametrize("name", ["othello", "breakthrough", "kalah"])
def test_it_speaks_for_the_side_to_move(name: str, tmp_path: Path) -> None:
    game = named(f"examples/{name}") if name != "kalah" else without_evaluation(name, tmp_path)
    assert generic_default(game) == MOBILITY
    seen = 0
    for history in walk(game, 1, 60):
        other = exchange_turn(history.position)
        if history.position.outcome() == other.outcome() == OPEN:
            assert game.evaluate(history.position) == -game.evaluate(other)
            seen += game.evaluate(history.position) != 0
    assert seen > 5


def test_a_side_whose_game_would_be_over_has_no_moves(tmp_path: Path) -> None:
    kalah = without_evaluation("kalah", tmp_path)
    position = kalah.parse("1-0-2-0-0-3-9/0-0-0-0-0-0-9 south")
    assert exchange_turn(position).outcome() != OPEN
    assert kalah.evaluate(position) == 30


@pytest.mark.parametrize("name", ["hex", "gomoku"])
def test_where_both_sides_have_the_same_moves_the_outcome_alone_counts(name: str, tmp_path: Path) -> None:
    game = without_evaluation(name, tmp_path)
    assert generic_default(game) == OUTCOME
    assert game.evaluation().function is None
    assert game.evaluators == ["default", MOBILITY, OUTCOME]
    engine = Engine(game, hash=1, compiled=False)
    assert engine.switches & NEEDS_STATIC_EVAL == 0, "nothing is left out for an opinion that nobody has"
    assert Engine(game, MOBILITY, hash=1, compiled=False).switches & NEEDS_STATIC_EVAL


def test_a_game_with_an_evaluation_has_no_other() -> None:
    for name in plywise.shipped():
        assert plywise.load(name).has_evaluation
        assert not {MOBILITY, OUTCOME} & set(plywise.load(name).evaluators)
    with pytest.raises(UnknownName, match="unknown evaluator of chess 'mobility'"):
        plywise.load("chess").evaluation(MOBILITY)


def test_an_evaluation_called_default_or_mobility_is_the_author_s() -> None:
    game = stay_or_go()
    assert game.evaluation().function is mobility
    plywise.evaluation(game.author, "mobility")(lambda position: 7)
    assert game.evaluate(game.start()) == 10
    assert game.evaluate(game.start(), MOBILITY) == 7
    plywise.evaluation(game.author, "default")(lambda position: 8)
    assert game.evaluate(game.start()) == 8
    assert game.evaluators == ["default", "mobility"]


def test_an_author_may_choose() -> None:
    assert stay_or_go().evaluate(stay_or_go().start()) == 10
    silent = stay_or_go(evaluator=OUTCOME)
    assert silent.evaluate(silent.start()) == 0
    assert silent.evaluate(silent.start(), MOBILITY) == 10
    with pytest.raises(UnknownName, match="unknown evaluator for @game 'mobilty'; did you mean 'mobility'"):
        stay_or_go(evaluator="mobilty")


def test_two_defaults_are_refused(tmp_path: Path) -> None:
    source = (
        (EXAMPLES / "kalah.py")
        .read_text()
        .replace('@game("kalah", ', '@game("kalah", evaluator="mobility", ')
    )
    file = tmp_path / "kalah.py"
    file.write_text(source)
    with pytest.raises(
        BadGame, match=r"kalah.py:\d+: evaluate\(\) and @game\(evaluator='mobility'\) are two"
    ):
        plywise.load(str(file))


def test_positions_that_cannot_be_made_again_have_the_outcome_alone() -> None:
    class Own:
        """Neither a NamedTuple nor a dataclass."""

        def __init__(self, left: int = 3, turn: int = 0) -> None:
            self.left, self.turn = left, turn

        def moves(self) -> list[int]:
            return [1] * self.left

        def play(self, move: int) -> "Own":
            return Own(self.left - 1, 1 - self.turn)

    game: Game = plywise.game()(Own).game  # type: ignore[attr-defined]
    assert game.evaluators == ["default", OUTCOME]
    assert game.evaluate(game.start()) == 0
    with pytest.raises(BadGame, match="mobility exchanges the turn, which these positions cannot"):
        plywise.game(evaluator=MOBILITY)(Own)


def test_a_game_is_named_shown_and_matched_before_it_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random games take time, and rules may be broken: servers and matches ask for names and units first."""
    game = stay_or_go(name="unplayed")
    monkeypatch.setattr(game.author, "moves", lambda self: pytest.fail("a rule was asked"))
    chosen = game.evaluation()
    assert (chosen.name, chosen.unit, game.weights()) == ("default", 100, {})
    assert game.evaluators == ["default", MOBILITY, OUTCOME]
    assert evaluation_text(game, "default").startswith("Mobility where the sides have moves of their own")
    check_search(game, parse("plywise:evaluator=default"))


# A game whose rules rely on whose turn it is: the count is even when side 0 is to move.
FUSSY = """
from dataclasses import dataclass
from plywise import game

@game({options})
@dataclass(frozen=True)
class Fussy:
    count: int = 8
    turn: int = 0
    def moves(self):
        return [{{0: 1, 1: 2}}[self.count % 2 - self.turn + {offset}]] if self.count else []
    def play(self, move):
        return Fussy(self.count - 1, 1 - self.turn)
"""


def test_rules_that_fail_for_the_other_side_are_not_asked_but_where_the_author_wants_it(
    tmp_path: Path,
) -> None:
    file = tmp_path / "fussy.py"
    file.write_text(FUSSY.format(options="", offset=0))
    assert generic_default(plywise.load(str(file))) == OUTCOME
    chosen = tmp_path / "chosen.py"
    chosen.write_text(FUSSY.format(options="evaluator='mobility'", offset=0))
    with interpreted():
        found = {one.rule: one.message for one in check(plywise.load(str(chosen)), positions=20)}
    assert "if it were its turn, cannot be counted (KeyError: -1)" in found["moves"]
    assert found["moves"].endswith("correct that, write evaluate(), or say @game(evaluator='outcome')")


DOMINOES = """
from dataclasses import dataclass

from plywise import {verdict}, game


@game("dominoes"{options})
@dataclass(frozen=True)
class Dominoes:
    full: frozenset = frozenset()
    turn: int = 0

    def cells(self, move):
        return [move, (move[0] + 1 - self.turn, move[1] + self.turn)]

    def moves(self):
        rows, columns = range(4 + self.turn), range(5 - self.turn)
        found = [(y, x) for y in rows for x in columns]
        return [move for move in found if not self.full.intersection(self.cells(move))]

    def play(self, move):
        return Dominoes(self.full.union(self.cells(move)), 1 - self.turn)

    def stuck(self):
        return {verdict}

    def move_text(self, move):
        return "abcde"[move[1]] + str(move[0])
"""


def dominoes(folder: Path, verdict: str, options: str = "") -> Game:
    """Domineering: side 0 places dominoes upright, side 1 across; what it means to have no move is given."""
    file = folder / f"dominoes{len(list(folder.iterdir()))}.py"
    file.write_text(DOMINOES.format(verdict=verdict, options=options))
    return plywise.load(str(file))


def test_where_it_wins_to_have_no_move_mobility_is_not_the_default(tmp_path: Path) -> None:
    assert generic_default(dominoes(tmp_path, "LOST")) == MOBILITY
    assert generic_default(dominoes(tmp_path, "WON")) == OUTCOME


def test_check_says_why_mobility_is_not_the_default_and_advises_who_wants_it(tmp_path: Path) -> None:
    seen: list[str] = []
    with interpreted():
        assert list(check(dominoes(tmp_path, "WON"), games=lambda games: seen.append(str(games)))) == []
        (advice,) = check(dominoes(tmp_path, "WON", ', evaluator="mobility"'))
    assert seen[0].endswith("searched by its outcome alone, since mobility loses to dice")
    assert advice.advice and "the number of moves (mobility) loses to dice; write evaluate()" in str(advice)


def test_mobility_is_tried_and_stays_the_default_where_it_pays(tmp_path: Path) -> None:
    bare = [named(f"examples/{name}") for name in ("othello", "breakthrough")]
    bare += [without_evaluation(name, tmp_path) for name in ("kalah", "morris")]
    assert [generic_default(game) for game in bare] == [MOBILITY] * 4


def test_check_says_what_the_search_goes_by(tmp_path: Path) -> None:
    told: list[str] = []
    with interpreted():
        list(check(stay_or_go(), positions=20, games=lambda seen: told.append(str(seen))))
        list(check(stay_or_go(evaluator=OUTCOME), positions=20, games=lambda seen: told.append(str(seen))))
        list(check(named("tic_tac_toe"), positions=20, games=lambda seen: told.append(str(seen))))
    assert told[0].endswith("no evaluate(): it is searched by the number of moves (mobility)")
    assert told[1].endswith("no evaluate(): it is searched by its outcome alone")
    assert "evaluate" not in told[2]


@pytest.mark.thorough("compiles a game")
def test_compiled_and_uncompiled_searches_count_alike() -> None:
    breakthrough = named("examples/breakthrough")
    one, two = (Engine(breakthrough, hash=1, compiled=compiled) for compiled in (True, False))
    assert one.specialisation.compiled
    for history in random.Random(3).sample(list(walk(breakthrough, 5, 40)), 6):
        results = [engine.search(history, depth=4) for engine in (one, two)]
        assert len({(result.move, result.score, result.nodes) for result in results}) == 1
