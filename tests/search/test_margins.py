"""The numbers of the search: names, ranges, files, and that the search reads them."""

import json
from pathlib import Path

import pytest

import plywise
from plywise.core.errors import PlywiseError
from plywise.search.margins import MARGINS, check_margins, read_margins, scaled_margins, write_margins


def test_every_default_is_within_its_range() -> None:
    for name, margin in MARGINS.items():
        assert margin.low <= margin.default <= margin.high, name


def test_a_margins_file_holds_what_differs_from_the_defaults(tmp_path: Path) -> None:
    path = tmp_path / "margins.json"
    values = {"reduction_min_ply": 2, "late_move_base": MARGINS["late_move_base"].default}
    write_margins(path, "connect_four", values, "by hand")
    assert read_margins(path, "connect_four") == {"reduction_min_ply": 2}
    assert json.loads(path.read_text())["origin"] == "by hand"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"game": "chess"}, "they are for 'chess', not for 'connect_four'"),
        ({"version": 7}, "version 7, and this Plywise reads 1"),
        (
            {"values": {"futility_marge": 3}},
            "unknown margin 'futility_marge'; did you mean",
        ),
        ({"values": {"futility_margin": 1 << 40}}, "futility_margin must be a whole number from 5 to 400"),
        ({"values": {"futility_margin": "7"}}, "futility_margin must be a whole number from 5 to 400"),
        ({"values": [1]}, "not JSON with 'values'"),
    ],
)
def test_a_wrong_margins_file_is_refused_in_one_sentence(
    tmp_path: Path, change: dict[str, object], says: str
) -> None:
    path = tmp_path / "margins.json"
    path.write_text(json.dumps({"game": "connect_four", "version": 1, "values": {}, **change}))
    with pytest.raises(PlywiseError, match=says):
        plywise.Engine(plywise.load("connect_four"), compiled=False, margins=path)


def test_a_file_that_is_not_there_or_no_json_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PlywiseError, match="No such file"):
        read_margins(tmp_path / "none.json", "chess")
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(PlywiseError, match="not JSON"):
        read_margins(tmp_path / "bad.json", "chess")


def test_scores_count_in_the_unit_of_the_evaluation_and_never_become_nothing() -> None:
    own = check_margins({"futility_margin": 50, "late_move_base": 7})
    assert scaled_margins(own, 100)["futility_margin"] == 50
    assert scaled_margins(own, 1000)["futility_margin"] == 500
    assert scaled_margins(own, 1)["futility_margin"] == 1
    assert scaled_margins(own, 1)["late_move_base"] == 7


def test_the_search_reads_the_margins_it_is_given() -> None:
    game = plywise.load("connect_four")
    nodes = {
        ply: plywise.Engine(game, hash=1, compiled=False, margins={"reduction_min_ply": ply})
        .search(game.history(), depth=6)
        .nodes
        for ply in (0, 12)
    }
    assert nodes[0] < nodes[12]


def test_late_moves_are_reduced_more_only_where_the_move_of_the_table_is_a_capture() -> None:
    def nodes(name: str, position: str, depth: int) -> list[int]:
        game = plywise.load(name)
        return [
            plywise.Engine(game, hash=1, compiled=False, margins={"noisy_table_reduction": turns})
            .search(game.history(position), depth=depth)
            .nodes
            for turns in (0, 1)
        ]

    without, with_it = nodes("chess", "4k3/5pp1/1p2n3/3p4/3P1B2/2N3P1/5P2/6K1 w - - 0 1", 6)
    assert without != with_it
    without, with_it = nodes("connect_four", "start", 6)  # has no captures
    assert without == with_it


def test_late_moves_of_the_main_line_are_reduced_less_the_larger_the_margin() -> None:
    game = plywise.load("connect_four")

    def count_nodes(turns: int) -> int:
        engine = plywise.Engine(game, hash=1, margins={"main_line_reduction": turns})
        return engine.search(game.history(), depth=12).nodes

    assert len({count_nodes(turns) for turns in (0, 1, 2)}) == 3


def test_as_many_killers_are_tried_as_the_margins_say() -> None:
    game = plywise.load("connect_four")

    def count_nodes(killers: int, without: tuple[str, ...] = ()) -> int:
        engine = plywise.Engine(
            game, hash=1, compiled=False, without=without, margins={"killer_moves": killers}
        )
        return engine.search(game.history(), depth=6).nodes

    none, one, two = (count_nodes(killers) for killers in (0, 1, 2))
    assert len({none, one, two}) == 3
    assert none == count_nodes(2, without=("killers",))


def test_urgent_positions_are_extended_always_or_in_an_exchange_or_never() -> None:
    """Where a capture is due in checkers; 1 extends the second capture of an exchange, and not the first."""
    game = plywise.load("checkers")
    history = game.history("W:W15,17,18,19,22,26,27,28,30,32:B1,3,6,8,9,10,11,12,13,20")

    def count_nodes(extension: int, without: tuple[str, ...] = ()) -> int:
        engine = plywise.Engine(game, hash=1, without=without, margins={"urgent_extension": extension})
        return engine.search(history, depth=9).nodes

    always, in_exchange, never = (count_nodes(extension) for extension in (2, 1, 0))
    assert always > in_exchange > never
    assert never == count_nodes(2, without=("extensions",))
