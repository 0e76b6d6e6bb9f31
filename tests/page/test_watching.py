"""Matches on the page, in a real browser: watched while they are written, and replayed."""

from collections.abc import Callable

from tests.conftest import ROOT
from tests.page.server import Serving
from tests.page.visitor import Visitor

OLD = ROOT / "tests" / "data" / "0.1.0" / "match.jsonl"


def test_a_match_is_watched_while_it_grows_and_its_games_are_replayed(
    own_server: Serving, visitors: Callable[..., Visitor]
) -> None:
    lines = OLD.read_bytes().splitlines(keepends=True)
    path = own_server.folder / "matches" / "a-b.match"
    path.parent.mkdir()
    path.write_bytes(lines[0])
    visitor = visitors(own_server).arrive()
    visitor.page.click("#open-watch")
    visitor.page.click("#watch >> text=a-b.match")
    visitor.see("#watch", has_text="No pair is finished yet.")
    with path.open("ab") as file:
        file.write(b"".join(lines[1:3]))
        file.write(lines[3][:50])
    visitor.see("#watch", has_text="4 of 6 games")
    visitor.see("#watch", has_text="The last line of the file is not whole")
    with path.open("ab") as file:
        file.write(lines[3][50:])
    visitor.see("#watch", has_text="6 of 6 games")
    assert visitor.page.locator(".watch-table tbody tr").count() == 2
    assert visitor.page.locator(".watch-games li").count() == 6
    ratings = visitor.page.locator(".watch-table tbody td:nth-child(7)").all_inner_texts()
    assert ratings == ["\N{EN DASH}"] * 2, "who has won all games has no Elo that can be told"
    visitor.page.click("#watch >> text=1.1")
    visitor.see('#board[data-game="connect_four"]')
    visitor.wait_for_moves(8 + 21)
    assert not visitor.page.locator("#watch").is_visible()


def test_a_file_that_cannot_be_read_is_listed_with_its_reason(
    own_server: Serving, visitors: Callable[..., Visitor]
) -> None:
    path = own_server.folder / "matches" / "broken.match"
    path.parent.mkdir()
    path.write_bytes(b"this is no match\n")
    visitor = visitors(own_server).arrive("#watch")
    visitor.see("#watch li", has_text="this is no journal of a match, or its first line is damaged")
    assert visitor.page.locator("#watch li button").count() == 0


def test_matches_are_reached_on_a_phone_too(own_server: Serving, visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(own_server, viewport={"width": 390, "height": 844}).arrive()
    visitor.page.click("#open-saved")
    visitor.page.click("#saved-games button:text-is('Matches')")
    visitor.see("#watch[open]")
    assert not visitor.page.locator("#saved-games").is_visible()
