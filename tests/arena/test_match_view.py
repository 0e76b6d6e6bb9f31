"""Watching a match: what its journal says by now is shown, and what is wrong with the file is said."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from plywise.arena import Journal, Match
from plywise.arena import match_view as module
from plywise.arena.journal import BadJournal, decode_line, encode_line
from plywise.arena.match_view import MatchView
from tests.conftest import ROOT

OLD = ROOT / "tests" / "data" / "0.1.0" / "match.jsonl"
PLAYERS = ["plywise:depth=1,name=one", "plywise:player=random,name=dice"]


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """The journal of a finished match of eight games."""
    path = tmp_path / "small.match"
    match = Match.of("tic_tac_toe", PLAYERS, pairs=4, seed=2)
    journal = Journal.create(path, match.header())
    match.run(journal=journal)
    journal.close()
    return path


def test_a_finished_match_is_told_as_its_report_tells_it(played: Path) -> None:
    view = MatchView(played)
    journal = Journal.resume(played)
    report = Match.resume(journal).data()
    journal.close()
    seen = view.data()
    assert (seen["games"], seen["of"], seen["state"], seen["notes"]) == (8, 8, "finished", [])
    assert seen["control"] == report["control"]
    by_name = {row["name"]: row for row in seen["table"]}
    for player in report["players"]:
        row = by_name[player["name"]]
        assert [row[key] for key in ("games", "wins", "draws", "losses", "elo")] == [
            player[key] for key in ("games", "wins", "draws", "losses", "rating")
        ]
    (meeting,), (told,) = seen["meetings"], report["meetings"]
    assert [meeting[key] for key in ("wins", "draws", "losses", "pairs", "elo")] == [
        told[key] for key in ("wins", "draws", "losses", "pairs", "elo")
    ]
    assert seen["points"][-1][:2] == [8, told["elo"]]
    assert [game["pair"] for game in seen["list"]] == [3, 3, 2, 2, 1, 1, 0, 0]
    assert [game["place"] for game in seen["list"]] == [1, 0] * 4


def test_a_match_of_0_1_0_can_be_watched(tmp_path: Path) -> None:
    path = Path(shutil.copy(OLD, tmp_path / "old.match"))
    seen = MatchView(path).data()
    assert seen["players"] == ["a", "b"]
    assert seen["games"] > 0


def test_what_is_written_is_read_as_it_comes(played: Path, tmp_path: Path) -> None:
    lines = played.read_bytes().splitlines(keepends=True)
    growing = tmp_path / "growing.match"
    growing.write_bytes(lines[0])
    view = MatchView(growing)
    assert (view.data()["games"], view.data()["table"][0]["games"]) == (0, 0)
    for count, line in enumerate(lines[1:], 1):
        with growing.open("ab") as file:
            file.write(line[:40])
        view.refresh()
        assert view.data()["games"] == 2 * (count - 1)
        assert view.notes == ["The last line of the file is not whole: it is being written, or was cut off."]
        with growing.open("ab") as file:
            file.write(line[40:])
        view.refresh()
        assert (view.data()["games"], view.notes) == (2 * count, [])
    whole = MatchView(played).data()
    assert view.data() == whole


def test_a_file_whose_first_line_is_being_written_is_shown_as_empty(played: Path, tmp_path: Path) -> None:
    path = tmp_path / "new.match"
    path.write_bytes(played.read_bytes()[:50])
    seen = MatchView(path).data()
    assert (seen["games"], len(seen["notes"])) == (0, 1)


def test_damaged_lines_are_counted_and_the_rest_is_shown(played: Path) -> None:
    lines = played.read_bytes().splitlines(keepends=True)
    lines[2] = lines[2].replace(b'"pair"', b'"pari"')
    strange = encode_line({"pair": 9, "first": 0, "second": 7, "games": []})
    played.write_bytes(b"".join([*lines, strange]))
    view = MatchView(played)
    assert view.data()["games"] == 6
    assert view.notes == ["2 lines of the file are damaged and left out."]
    assert view.state == "stopped"


def test_a_file_that_was_replaced_is_read_from_its_beginning(played: Path, tmp_path: Path) -> None:
    view = MatchView(played)
    lines = played.read_bytes().splitlines(keepends=True)
    played.write_bytes(b"".join(lines[:2]))
    view.refresh()
    assert view.data()["games"] == 2
    other = tmp_path / "other"
    other.write_bytes(b"".join(lines[:4]))
    other.replace(played)
    view.refresh()
    assert view.data()["games"] == 6


def damage(data: bytes) -> bytes:
    return data.replace(b"tic_tac_toe", b"toe_tac_tic", 1)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda data: b"", "it is empty"),
        (lambda data: b"1. e4 e5\n", "this is no journal of a match"),
        (damage, "this is no journal of a match, or its first line is damaged"),
        (lambda data: encode_line({"match": 7}), "format 7; this Plywise writes format 1"),
        (lambda data: encode_line({"match": 1, "game": "chess"}), "the first line lacks something"),
    ],
)
def test_what_is_no_journal_is_refused_in_one_sentence(
    played: Path, change: Callable[[bytes], bytes], sentence: str
) -> None:
    played.write_bytes(change(played.read_bytes()))
    with pytest.raises(BadJournal, match=sentence):
        MatchView(played)


def test_a_file_that_is_gone_or_too_large_is_refused(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    view = MatchView(played)
    monkeypatch.setattr(module, "MAX_BYTES", 10)
    with pytest.raises(BadJournal, match="are shown"):
        MatchView(played)
    played.unlink()
    with pytest.raises(BadJournal, match="No such file"):
        view.refresh()


def test_a_match_runs_while_its_journal_is_open_and_watching_does_not_disturb_it(played: Path) -> None:
    view = MatchView(played)
    assert view.state == "finished"
    journal = Journal.resume(played)
    assert view.state == "running"
    with pytest.raises(BadJournal, match="another process plays this match"):
        Journal.resume(played)
    journal.close()
    assert view.state == "finished"


def test_a_pair_is_read_from_the_file_again(played: Path) -> None:
    view = MatchView(played)
    assert [view.pair(number).number for number in range(4)] == [0, 1, 2, 3]
    with pytest.raises(BadJournal, match="there is no finished pair 5"):
        view.pair(4)
    played.write_bytes(bytes(played.stat().st_size))
    with pytest.raises(BadJournal, match="the file has changed"):
        view.pair(1)


def test_the_test_of_a_match_has_its_verdict(tmp_path: Path) -> None:
    from plywise.arena import Sprt

    path = tmp_path / "test.match"
    match = Match.of(
        "tic_tac_toe", ["plywise:depth=9,name=all", PLAYERS[1]], sprt=Sprt(0, 300), pairs=40, seed=2
    )
    journal = Journal.create(path, match.header())
    match.run(journal=journal)
    journal.close()
    seen = MatchView(path).data()
    assert seen["test"]["verdict"] == str(match.verdict)
    assert seen["test"]["llr"] == pytest.approx(match.llr)
    assert seen["state"] == "finished"


def test_of_a_long_match_a_few_points_are_drawn_with_the_last_one() -> None:
    points = [module.Point(2 * i, float(i), None, None) for i in range(1, 1001)]
    thin = module._thin(points)
    assert len(thin) <= module.MAX_POINTS
    assert thin[-1] == points[-1]
    assert thin == sorted(thin, key=lambda point: point.games)
    assert module._thin(points[:5]) == points[:5]


def test_long_names_and_reasons_are_shown_in_part(played: Path) -> None:
    """Each is sent hundreds of times: a file of one megabyte made messages of some hundred."""
    header, *pairs = (decode_line(line) for line in played.read_bytes().splitlines(keepends=True))
    assert header is not None
    for player in header["players"]:
        player["name"] += "n" * 300_000
    for pair in pairs:
        assert pair is not None
        pair["games"][0]["reason"] = "r" * 300_000
    played.write_bytes(b"".join(encode_line(line) for line in (header, *pairs) if line is not None))
    view = MatchView(played)
    assert len(json.dumps(view.data())) < 20_000
    assert view.names[0].startswith("one") and view.pair(0).games[0].reason == "r" * 300_000
