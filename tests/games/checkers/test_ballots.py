"""The three-move ballots."""

import pytest

import plywise
from plywise.core.errors import PlywiseError
from plywise.games.checkers.ballots import BALLOTS, ballot, playable
from tests.oracles import oracle

GAME = plywise.load("checkers")
KINDS = {"OP_CROSSBOARD": "cross-board", "OP_MAILPLAY": "mail", "OP_BARRED": "barred"}


def test_there_are_174_of_three_kinds():
    assert [one.number for one in BALLOTS] == list(range(1, 175))
    assert [len(playable(kind)) for kind in ("cross-board", "mail", "barred")] == [144, 12, 18]


def test_each_is_a_legal_opening_and_none_comes_twice():
    ends = {GAME.history(one.text).text for one in BALLOTS}
    assert len({one.moves for one in BALLOTS}) == 174
    assert all(end.startswith("W:") for end in ends)
    assert 100 < len(ends) <= 174  # some move orders meet in the same position


def test_a_ballot_is_found_by_number_and_by_name():
    assert ballot(174).name == "Skunk"
    assert ballot("dreaded edinburgh").number == 5
    assert ballot("12") is BALLOTS[11]


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (0, "numbered 1 to 174"),
        ("175", "numbered 1 to 174"),
        ("octopus", "86 and 133"),
        ("skunkk", "did you mean 'Skunk'"),
    ],
)
def test_a_wrong_ballot_is_refused_with_a_hint(wanted, message):
    with pytest.raises(PlywiseError, match=message):
        ballot(wanted)


def test_all_agree_with_the_published_list():
    rows = oracle("checkers/ballots174.txt").read_text().split("\n")
    rows = [[part.strip() for part in row.split(";")] for row in rows if row.strip()]
    assert len(rows) == 174
    for one, (fen, number, moves, kind, name) in zip(BALLOTS, rows, strict=True):
        assert str(one.number) == number
        assert " ".join(one.moves) == moves
        assert one.kind == KINDS[kind.split("|")[0].strip()]
        assert (one.name or "nullptr") == name
        assert GAME.history(one.text).position == GAME.parse(fen)
