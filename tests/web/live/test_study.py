"""The study of a game: what is tried beside it, promoted, deleted, commented, undone, and kept on disk."""

from pathlib import Path

import pytest

import plywise
from plywise.web.live import study
from plywise.web.live.game import LiveGame
from plywise.web.schema import Refused
from plywise.web.store import Store
from tests.web.live.test_game import Services, new_game


@pytest.fixture
def store(folder: Path) -> Store:
    return Store(folder / "games.sqlite")


@pytest.fixture
def game(store: Store) -> LiveGame:
    """b2 a1 c3 was played; from the start, a2 and then c1 a3 were tried."""
    live_game = new_game(store)
    for move in ("b2", "a1", "c3"):
        live_game.play(live_game.tip.n, move)
    live_game.play(0, "a2")
    live_game.play(live_game.play(0, "c1"), "a3")
    return live_game


def main_line(game: LiveGame) -> list[str]:
    return [node.label for node in game.tree.main_line()][1:]


def shown(game: LiveGame) -> list[str]:
    return [node["said"] for node in game.state_payload()["nodes"]][1:]


def reopened(game: LiveGame, store: Store) -> LiveGame:
    row = store.get(game.id)
    assert row is not None
    return LiveGame(Services(store), row, game.game)


def test_trying_a_move_leaves_the_game_the_main_line(game: LiveGame, store: Store) -> None:
    for one in (game, reopened(game, store)):
        assert main_line(one) == ["b2", "a1", "c3"]
        assert one.tip.label == "c3"
        assert [node.label for node in one.tree.nodes[0].children] == ["b2", "a2", "c1"]


def test_either_side_may_be_tried_against_an_engine(game: LiveGame) -> None:
    game.settings["seats"] = [{"kind": "person"}, {"kind": "level", "level": 3}]
    assert game.view_payload(1)["player"]
    assert game.play(1, "c2") == 7
    with pytest.raises(Refused, match="o is played by the engine"):
        game.play(3, "b1")


def test_a_move_played_after_a_take_back_is_the_game(game: LiveGame) -> None:
    game.undo()
    game.play(game.tip.n, "b3")
    assert main_line(game) == ["b2", "a1", "b3"]
    game.undo()
    game.play(game.tip.n, "c3")
    assert main_line(game) == ["b2", "a1", "c3"], "a move that is known is played all the same"


def test_a_game_that_was_played_to_its_end_stays_the_main_line(store: Store) -> None:
    game = new_game(store)
    for move in ("a1", "a2", "b1", "b2", "c1"):
        game.play(game.tip.n, move)
    game.undo()
    game.play(game.tip.n, "c3")
    assert main_line(game) == ["a1", "a2", "b1", "b2", "c1"]
    assert game.tip.label == "c3", "the game goes on in the variation"


def test_variations_are_promoted(game: LiveGame, store: Store) -> None:
    study.promote(game, 6)
    assert main_line(game) == ["c1", "a3"]
    assert main_line(reopened(game, store)) == ["c1", "a3"]
    study.promote(game, 4)
    assert main_line(game) == ["a2"]
    with pytest.raises(Refused, match="in the main line already"):
        study.promote(game, 4)
    study.make_main_line(game, 3)
    assert main_line(game) == ["b2", "a1", "c3"]


def test_a_nested_variation_becomes_the_main_line_at_once(game: LiveGame) -> None:
    nested = game.play(5, "b3")
    study.promote(game, nested)
    assert main_line(game) == ["b2", "a1", "c3"], "one level only"
    study.make_main_line(game, nested)
    assert main_line(game) == ["c1", "b3"]


def test_variations_are_deleted_with_what_follows_but_the_game_is_not(game: LiveGame, store: Store) -> None:
    study.delete(game, 5)
    assert shown(game) == ["b2", "a1", "c3", "a2"]
    assert shown(reopened(game, store)) == ["b2", "a1", "c3", "a2"]
    with pytest.raises(Refused, match="a1 was played in this game; take it back instead"):
        study.delete(game, 2)
    with pytest.raises(Refused, match="this is the start"):
        study.delete(game, 0)
    again = game.play(0, "c1")
    assert again == 7 and game.tree.nodes[7].children == [], "what was deleted does not come back by itself"


def test_every_edit_is_undone_and_made_again(game: LiveGame, store: Store) -> None:
    stages = [game.state_payload()["nodes"]]
    for edit in (
        lambda: study.comment(game, 0, " a  good\nstart "),
        lambda: study.comment(game, 2, "forced"),
        lambda: study.set_nags(game, 2, [4, 14]),
        lambda: study.promote(game, 5),
        lambda: study.delete(game, 4),
        lambda: game.play(6, "b2"),
    ):
        edit()
        stages.append(game.state_payload()["nodes"])
    assert stages[1][0]["comment"] == "a good start"
    assert stages[-1][2] | {"comment": "forced", "nags": [4, 14]} == stages[-1][2]
    game = reopened(game, store)
    for before in stages[-2::-1]:
        study.undo(game)
        assert game.state_payload()["nodes"] == before
    game = reopened(game, store)
    for after in stages[1:]:
        study.redo(game)
        assert game.state_payload()["nodes"] == after
    with pytest.raises(Refused, match="no edit to redo"):
        study.redo(game)


def test_an_undo_never_takes_the_game_away(game: LiveGame) -> None:
    game.go_to(6)
    with pytest.raises(Refused, match="the game continues in this variation"):
        study.undo(game)
    assert game.tip.label == "a3"


def test_one_judgement_a_move(game: LiveGame) -> None:
    with pytest.raises(Refused, match="one glyph"):
        study.set_nags(game, 1, [1, 2])


def test_moves_are_numbered_as_the_position_counts_them() -> None:
    from plywise.play.state import start_game
    from plywise.web.live.tree import GameTree

    chess = plywise.load("chess")
    tree = GameTree(start_game(chess, "8/5k2/8/8/8/2K5/5Q2/8 b - - 3 37"))
    for move in ("Ke6", "Qf3", "Kd6"):
        tree.add(
            tree.new_node(tree.nodes[-1], tree.nodes[-1].state.play({tree.nodes[-1].turn: (move,)}), None)
        )
    assert [study.name(node) for node in tree.nodes[1:]] == ["37... Ke6", "38. Qf3", "38... Kd6"]


def test_a_lost_position_can_be_played_on_beside_the_result(game: LiveGame) -> None:
    game.end(0, "o resigned", resigned=1)
    tried = game.play(3, "a3")
    assert game.tree.node(tried).label == "a3"
    assert game.state_payload()["outcome"]["reason"] == "o resigned"


def test_all_that_is_said_of_a_game_has_a_bound(game: LiveGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study, "MAX_SAID", 1000)
    for n in (1, 2):
        study.comment(game, n, "x" * 450)
    with pytest.raises(Refused, match="1000 characters, not 1350"):
        study.comment(game, 3, "x" * 450)
    study.comment(game, 1, "short")
    study.comment(game, 3, "y" * 450)
    assert game.tree.nodes[3].note.comment == "y" * 450


def test_edits_that_say_much_are_not_kept_long(game: LiveGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study, "MAX_SAID", 10_000)
    for n in range(40):
        study.comment(game, 1, f"{n} " + "x" * 900)
    assert 3 <= len(game.status.edits) < 6
    study.comment(game, 1, "")
    study.undo(game)
    assert game.tree.nodes[1].note.comment.startswith("39 ")
