"""A world names its agents; a game without a world has none."""

import pytest

import plywise
from plywise.agents import agents_of, maps_of
from plywise.core.errors import PlywiseError
from plywise.core.registry import is_shipped
from tests.conftest import sample


def test_skirmish_names_its_agents_and_maps() -> None:
    game = plywise.load("skirmish")
    agents = agents_of(game)
    assert agents is not None
    assert "plan" in agents.AGENTS
    assert "2fv2a" in maps_of(game).NAMES


def test_a_game_without_a_world_has_no_agents() -> None:
    assert agents_of(plywise.load("tic_tac_toe")) is None


def test_a_world_that_names_no_agents_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = sample("duel")
    monkeypatch.setattr(game, "world", type("Nameless", (), {}))
    with pytest.raises(PlywiseError, match="duel is played in a world of its own"):
        agents_of(game)


def test_shipped_games_are_known_by_their_package() -> None:
    assert is_shipped(plywise.load("chess"))
    assert not is_shipped(sample("duel"))
