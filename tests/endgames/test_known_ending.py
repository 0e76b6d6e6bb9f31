"""Positions looked up in an endgame database: all of a small game, and some of checkers."""

from pathlib import Path

import pytest

import plywise
from plywise.core.endgame_index import EndgameDatabase, value_at, value_score
from plywise.core.scores import UNKNOWN, distance
from plywise.endgames import build, is_small, look_up
from tests.endgames import hunt
from tests.endgames.hunt import CELLS, INDEX, Hunt, slow_values

HUNT = Hunt.game
CHECKERS = plywise.load("checkers")


@pytest.fixture
def solved_hunt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> EndgameDatabase:
    """The database of the hunt, and positions that ask it."""
    monkeypatch.setenv("PLYWISE_DATA", str(tmp_path))
    build(HUNT, 2)

    def probe(self: Hunt, memory: object) -> int:
        if self.turn == 1:  # as a file that leaves out one side's turn
            return UNKNOWN
        return value_score(value_at(memory.hunted, 0, 2 * CELLS * CELLS, INDEX.index(self)))  # type: ignore[attr-defined]

    monkeypatch.setattr(HUNT.position, "probe", probe, raising=False)
    return hunt.HUNTED


def test_every_position_and_move_of_a_small_game_is_known(solved_hunt: EndgameDatabase) -> None:
    positions = [Hunt(a, b, t) for a in range(CELLS) for b in range(CELLS) for t in (0, 1)]
    values = slow_values({p: [p.play(m) for m in HUNT.moves(p)] for p in positions})
    looked_up = 0
    for position in positions:
        known = look_up(plywise.History(HUNT, position))
        if position.own == position.other:
            assert known is None  # the game is over
            continue
        assert known is not None and known.is_known and known.pieces == 2
        assert known.score == value_score(values[position]), position
        for move, score in known.moves.items():
            after = value_score(values[position.play(move)])
            plies = distance(after)
            assert (score > 0, score < 0) == (after < 0, after > 0)
            assert distance(score) == (None if plies is None else plies + 1)
        looked_up += 1
    assert looked_up == 2 * CELLS * (CELLS - 1)


def test_nothing_is_known_before_the_database_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYWISE_DATA", str(tmp_path))
    known = look_up(CHECKERS.history("B:WK3:BK30,K32"))
    assert known is not None and not known.is_known and known.score == UNKNOWN
    assert is_small(CHECKERS, CHECKERS.parse("B:WK3:BK30,K32"))
    assert not is_small(CHECKERS, CHECKERS.start())


def test_a_game_without_a_database_knows_nothing() -> None:
    game = plywise.load("tic_tac_toe")
    assert look_up(game.history()) is None
    assert not is_small(game, game.start())


@pytest.mark.thorough("compiles the solver, and solves endings of three pieces")
def test_checkers_knows_captures_too_and_says_when_it_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYWISE_DATA", str(tmp_path))
    build(CHECKERS, 3)
    known = look_up(CHECKERS.history("W:WK6,K9:BK15"))
    assert known is not None and distance(known.score) == 27
    takes = look_up(CHECKERS.history("B:W18:BK15,K32"))  # the file leaves such positions out
    assert takes is not None and takes.score > 0 and distance(takes.score) == 1
    large = look_up(CHECKERS.history("B:WK3,K4:BK30,K32"))
    assert large is not None and not large.is_known


def test_a_win_that_the_past_may_make_a_draw_is_called_doubtful(
    solved_hunt: EndgameDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    def longest(history: plywise.History) -> int:
        known = look_up(history)
        assert known is not None
        return distance(known.score) or 0

    histories = [plywise.History(HUNT, Hunt(a, b, 0)) for a in range(CELLS) for b in range(CELLS) if a != b]
    history = max(histories, key=longest)
    known = look_up(history)
    assert known is not None and not known.doubtful and not known.is_doubtful
    plies = distance(known.score) or 0
    for most in range(1, plies + 3):
        monkeypatch.setattr(HUNT, "draws", plywise.Draws(plies=most))
        monkeypatch.setattr(HUNT.position, "resets", lambda self, move: False, raising=False)
        known = look_up(history)
        assert known is not None and known.is_doubtful == (1 < most < plies), most
        assert (known.score == 0) == (most == 1)


@pytest.mark.thorough("compiles the solver, and solves endings of three pieces")
def test_a_position_that_is_drawn_on_return_may_be_on_the_way_to_a_win(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYWISE_DATA", str(tmp_path))
    build(CHECKERS, 3)
    past = "B:WK5,K19:BK9 moves 9-13 5-1 13-9 1-5 9-6 5-1"
    known, fresh = look_up(CHECKERS.history(past)), look_up(CHECKERS.history(CHECKERS.history(past).text))
    assert known is not None and fresh is not None
    assert known.is_doubtful and not fresh.is_doubtful and distance(fresh.score) == 10
    result = plywise.Engine(CHECKERS, compiled=False).search(CHECKERS.history(past), depth=9)
    assert result.plies in (None, 12), result.words  # not 10, as without that past
