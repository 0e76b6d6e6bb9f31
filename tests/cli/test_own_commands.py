"""Commands that belong to one game: endings to be solved, the world of skirmish."""

from pathlib import Path

import pytest

from tests.cli.terminal import plywise, process


@pytest.mark.thorough("compiles the solver, and solves endings")
def test_endings_are_solved_once_and_then_known(tmp_path: Path) -> None:
    data = str(tmp_path)
    first = plywise("endgames", "checkers", "--pieces", "2", "--json", PLYWISE_DATA=data).json
    assert (first["game"], first["pieces"]) == ("checkers", 2)
    file = Path(first["file"])
    assert file.stat().st_size == first["bytes"]
    before = file.stat().st_mtime_ns
    again = plywise("endgames", "checkers", "--pieces", "2", PLYWISE_DATA=data)
    assert again.status == 0
    assert file.stat().st_mtime_ns == before
    # A king against a man on its way: proven at the first look, distance and all.
    answer = plywise("analyse", "checkers", "W:WK18:B5", "--depth", "2", "--json", PLYWISE_DATA=data).json
    assert answer["kind"] == "proven"


@pytest.mark.thorough("compiles the solver, and solves endings")
def test_a_drawn_ending_is_played_to_set_problems(tmp_path: Path) -> None:
    """A king each, drawn: Plywise plays on for a mistake, and keeps the draw."""
    data = str(tmp_path)
    plywise("endgames", "checkers", "--pieces", "2", PLYWISE_DATA=data)
    words = ["play", "checkers", "--side", "none", "--position", "B:WK32:BK1"]
    done = process(*words, PLYWISE_DATA=data)
    assert done.status == 0, done.error
    assert "A draw" in done.out


def test_endings_are_refused_where_there_are_none() -> None:
    done = plywise("endgames", "tic_tac_toe")
    assert (done.status, done.error) == (
        2,
        "plywise: tic_tac_toe numbers no endings, so there is nothing to solve\n",
    )
    done = plywise("endgames", "checkers", "--pieces", "9")
    assert done.status == 2
    assert "can be solved for 2 to" in done.error


def test_an_episode_of_skirmish_is_reproducible_by_its_seed() -> None:
    runs = [
        process("skirmish", "run", "--map", "2fva", "--agent", "greedy", "--seed", "3", "--json")
        for _ in range(2)
    ]
    assert runs[0].status == 0, runs[0].error
    assert runs[0].out == runs[1].out


def test_a_recording_that_is_none_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "no.jsonl"
    file.write_text("hello\n")
    done = plywise("skirmish", "replay", str(file))
    assert done.status == 2
    assert done.error.startswith("plywise: ")
    assert done.error.count("\n") == 1
