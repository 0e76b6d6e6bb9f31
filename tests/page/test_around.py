"""Around the board: new games, the list of moves, analysis, texts, levels, clocks."""

from collections.abc import Callable
from pathlib import Path

import pytest

import plywise
from tests.page.server import Serving
from tests.page.visitor import Visitor

SAMPLES = Path(__file__).parents[1] / "samples"


def new_game(visitor: Visitor, game: str, first: str, second: str, **more: str) -> None:
    """Begin a game through the dialog; `first` and `second` are "person" or a level."""
    visitor.page.keyboard.press("n")
    visitor.see(f'.card:has(input[value="{game}"])').click()
    visitor.page.select_option("#new-seat-0", first)
    visitor.page.select_option("#new-seat-1", second)
    for field, value in more.items():
        visitor.page.select_option(f"#new-{field}", value)
    before = visitor.page.url
    visitor.page.click("#new-game button[type=submit]")
    visitor.wait_for_new_address(before)
    visitor.see(f'#board[data-game="{game}"]')
    visitor.page.locator("#new-game").wait_for(state="hidden")


def test_a_first_visitor_finds_a_board_and_can_choose_any_game(visitor: Visitor) -> None:
    visitor.arrive()
    assert visitor.page.locator("#board").get_attribute("data-game") == "chess"
    visitor.page.keyboard.press("n")
    titles = set(visitor.page.locator(".card span:not(.symbol)").all_inner_texts())
    assert titles == {plywise.load(name).title for name in plywise.shipped()}
    visitor.see('.card:has(input[value="checkers"])').click()
    starts = visitor.page.locator("#new-start option").count()
    assert starts > 140  # the ballots that are not barred
    # A person, or ten levels; more players: the preset, and any other as text.
    assert visitor.page.locator("#new-seat-1 option").count() == 11 + 2


def test_a_level_answers_and_a_move_is_taken_back_and_played_again(visitor: Visitor) -> None:
    visitor.arrive()
    new_game(visitor, "tic_tac_toe", "person", "1")
    visitor.by_mouse(["b2"])
    visitor.wait_for_moves(2)
    played = visitor.moves()
    visitor.wait_for_turn()
    visitor.page.keyboard.press("u")
    visitor.see('.cell[aria-label="b2, empty"]')
    visitor.page.click("text=Redo")
    visitor.see('.cell[aria-label="b2, x cross"]')
    assert visitor.moves() == played


def test_a_hint_is_an_arrow_and_a_word(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe", "xx.oo.... x")
    visitor.page.keyboard.press("h")
    visitor.see(".arrows .hint circle")
    assert "c3" in visitor.see("#status >> text=Hint").inner_text()


def test_the_list_is_walked_by_keys_and_a_branch_begins_where_one_looks(visitor: Visitor) -> None:
    visitor.begin("chess")
    visitor.play(plywise.load("chess"), ["e2e4", "e7e5", "g1f3"])
    visitor.page.locator("h1").click()
    for key, name in (("ArrowLeft", "e5"), ("k", "e4"), ("Home", "Start"), ("j", "e4")):
        visitor.page.keyboard.press(key)
        visitor.see(f'.move[aria-current] >> text="{name}"')
    assert "Viewing move 1 of 3." in visitor.status()
    visitor.by_mouse(["c7", "c5"])
    visitor.see('.move[aria-current] >> text="c5"')
    assert visitor.page.locator(".branches .move").all_inner_texts() == ["c5"]
    assert visitor.moves() == ["e4", "e5", "Nf3"], "the game stays the main line"
    visitor.page.locator(".row .move").last.click()
    visitor.see('.move[aria-current] >> text="Nf3"')
    assert visitor.cell("f3").get_attribute("aria-label") == "f3, White knight"


def test_analysis_shows_lines_arrows_the_bar_and_what_is_proven(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe", "xx.oo.... x")
    visitor.page.keyboard.press("a")
    visitor.page.click("#tab-analysis")
    best = visitor.see(".lines li .score.proven")
    assert best.inner_text().lower().startswith("x wins in 1 move")
    visitor.see(".lines li >> nth=2")  # the first report may have fewer
    assert visitor.page.locator(".lines li").count() == 3
    assert visitor.page.locator(".arrows .best").count() == 1
    gauge = visitor.see("#gauge")
    assert int(gauge.get_attribute("aria-valuenow") or 0) > 90
    assert "depth" in visitor.page.locator("#panel-analysis > .facts").inner_text()
    visitor.page.click("#panel-analysis .bar button")
    visitor.page.locator("#gauge").wait_for(state="hidden")
    assert visitor.page.locator(".arrows .best").count() == 0


def test_threads_and_hash_of_the_analysis_are_chosen(visitor: Visitor) -> None:
    visitor.begin("connect_four")
    visitor.page.click("#tab-analysis")
    threads = visitor.page.locator('[aria-label="Threads"] option').count()
    if threads > 1:  # as many as the machine has processors
        visitor.page.select_option('[aria-label="Threads"]', index=threads - 1)
    visitor.page.select_option('[aria-label="Hash table"]', "32")
    visitor.page.click("#panel-analysis .bar button")
    facts = visitor.page.locator("#panel-analysis > .facts", has_text="32 MB hash")
    if threads > 1:
        facts = visitor.page.locator("#panel-analysis > .facts", has_text=f"{threads} threads · 32 MB hash")
    facts.wait_for()
    visitor.page.click("#panel-analysis .bar button")


def test_the_terms_of_the_evaluation_are_shown(visitor: Visitor) -> None:
    visitor.begin("chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    visitor.page.click("#tab-analysis")
    visitor.page.click("summary")
    assert "material" in visitor.see(".terms table").inner_text()


def test_a_review_marks_the_mistakes_and_draws_the_graph(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    visitor.play(plywise.load("tic_tac_toe"), ["b2", "b3", "a1", "a2", "c3"])  # o had to stop c3
    visitor.page.click("#tab-analysis")
    visitor.page.click("text=Review the game")
    visitor.see(".summary table >> text=accuracy")
    visitor.see('.mistakes .move[data-verdict="blunder"]')
    visitor.see(".graph .curve")
    visitor.page.click("#tab-moves")
    visitor.see('.row .move[data-verdict="blunder"]')


def test_positions_and_games_go_out_and_come_in(visitor: Visitor) -> None:
    chess = plywise.load("chess")
    visitor.begin("chess")
    history = visitor.play(chess, ["e2e4", "e7e5"])
    visitor.page.click("#tab-share")
    assert visitor.see("#position-out").input_value() == history.text
    visitor.page.locator("#game-out").wait_for()
    visitor.page.select_option("#format-out", "pgn")
    visitor.wait_until("document.querySelector('#link-out').value.includes('#new/chess/')")
    visitor.page.fill("#game-in", '[Event "?"]\n\n1. d4 d5 2. c4 *')
    visitor.page.click("#panel-share button.primary")
    visitor.page.click("#tab-moves")
    visitor.wait_for_moves(3)
    assert visitor.moves() == ["d4", "d5", "c4"]
    visitor.page.click("#tab-share")
    visitor.page.fill("#game-in", "what is this")
    visitor.page.click("#panel-share button.primary")
    assert "cannot be set up" in visitor.see("#notices > div").inner_text()


def test_the_rules_are_in_the_page(visitor: Visitor) -> None:
    visitor.begin("polis")
    tabs = visitor.page.locator("#tabs [role=tab]").all_inner_texts()
    visitor.page.keyboard.press(str(tabs.index("Rules") + 1))
    assert visitor.see("#panel-rules h2").inner_text() == "Polis"
    numbered = visitor.page.locator("#panel-rules ol").first
    assert numbered.locator(":scope > li").count() == 10
    assert visitor.page.locator("#panel-rules pre").count() >= 7


def test_a_game_is_resigned_and_played_again_with_the_sides_changed(visitor: Visitor) -> None:
    visitor.arrive()
    new_game(visitor, "tic_tac_toe", "person", "2")
    visitor.page.click("text=Resign")
    visitor.see("#question button.primary").click()
    assert "resigned" in visitor.see("#status .outcome strong").inner_text()
    visitor.page.click("#status >> text=Rematch")
    visitor.wait_for_moves(1)  # the level is x now, and has moved
    seats = visitor.page.locator(".seat .who small").all_inner_texts()
    assert "You" in seats[0]


def test_the_score_of_two_players_is_kept_through_rematches(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    for count in range(2):
        visitor.wait_for_turn()
        visitor.page.click("text=Resign")
        visitor.see("#question button.primary").click()
        visitor.see("#status .outcome")
        if not count:
            assert visitor.page.locator(".score-so-far").inner_text() == ""
            visitor.page.click("#status >> text=Rematch")
            visitor.page.locator("#status .outcome").wait_for(state="detached")
    assert visitor.see(".score-so-far >> text=Score").inner_text() == "Score: x 0, o 2"


def test_persons_agree_on_a_draw(visitor: Visitor) -> None:
    visitor.begin("checkers")
    visitor.page.click("text=Offer draw")
    visitor.page.click("text=Accept draw")
    assert "draw" in visitor.see("#status .outcome strong").inner_text().lower()


def test_engines_play_each_other_to_the_end(visitor: Visitor) -> None:
    visitor.arrive()
    new_game(visitor, "tic_tac_toe", "1", "2")
    visitor.see("#status .outcome strong")
    assert len(visitor.moves()) >= 5


def test_clocks_run_for_the_side_to_move(visitor: Visitor) -> None:
    visitor.arrive()
    new_game(visitor, "tic_tac_toe", "person", "person", clock="300+3")
    assert visitor.see('.clock[data-side="1"]').inner_text() == "5:00"
    assert visitor.page.locator(".clock.running").count() == 0, "the first move takes no time"
    visitor.by_mouse(["b2"])
    visitor.see('.clock.running[data-side="1"]')
    visitor.page.keyboard.press("p")
    visitor.see("#status >> text=Paused")
    assert visitor.page.locator(".clock.running").count() == 0


def test_saved_games_are_opened_and_deleted(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    visitor.play(plywise.load("tic_tac_toe"), ["b2", "a1"])
    new_game(visitor, "connect_four", "person", "person")
    visitor.page.click("#open-saved")
    rows = visitor.page.locator(".saved li")
    visitor.see(".saved li >> nth=1")
    assert rows.count() == 2
    visitor.page.click(".saved >> text=Tic-tac-toe")
    visitor.see('#board[data-game="tic_tac_toe"]')
    visitor.wait_for_moves(2)
    visitor.page.click("#open-saved")
    visitor.page.click('.saved [aria-label^="Delete Connect Four"]')
    visitor.page.locator(".saved li >> nth=1").wait_for(state="detached")
    visitor.page.click("#saved-games .notice >> text=Undo")
    visitor.see(".saved li >> nth=1")
    visitor.page.click('.saved [aria-label^="Delete Connect Four"]')
    visitor.see("text=Bin (1)").click()
    visitor.page.click('.saved [aria-label^="Restore Connect Four"]')
    visitor.see("text=Bin (0)").click()
    visitor.page.fill("#search-saved", "tic progress")
    visitor.wait_until("document.querySelectorAll('.saved li').length === 1")
    assert "1 move" not in visitor.see(".saved .how").inner_text()


def test_the_help_names_the_keys(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    visitor.page.keyboard.press("?")
    visitor.see("#help kbd >> text=Enter or Space")
    visitor.page.keyboard.press("Escape")
    visitor.page.locator("#help").wait_for(state="hidden")


@pytest.mark.parametrize(
    "bad", ["#game/nothing", "#new/ches/start", "#new/chess/nonsense", "#new/chess/%E0%"]
)
def test_a_wrong_address_is_said_and_a_board_is_there(bad: str, visitors: Callable[..., Visitor]) -> None:
    visitor = visitors()
    visitor.page.goto(visitor.address + bad)
    assert visitor.see("#notices > div").inner_text()  # it is taken away after a while: first of all
    visitor.see("#board .cell")


def test_a_game_of_ones_own_without_a_board_is_played_by_buttons(
    tmp_path: Path, visitors: Callable[..., Visitor]
) -> None:
    server = Serving(tmp_path, SAMPLES / "pebbles.py")
    try:
        visitor = visitors(server)
        visitor.page.goto(f"{server.address}#new/pebbles/4%200")
        assert visitor.see("#position-text").inner_text() == "4 0"
        visitor.see('.choices button >> text="2"').focus()
        visitor.page.keyboard.press("Enter")
        visitor.wait_for_moves(1)
        assert visitor.see("#position-text").inner_text() == "2 1"
        assert visitor.page.evaluate("document.activeElement.closest('.choices') !== null")
        visitor.see('.choices button >> text="2"').click()
        assert "wins" in visitor.see("#status .outcome strong").inner_text()
    finally:
        server.close()


def test_a_wrong_link_leaves_the_game_on_the_board(visitor: Visitor) -> None:
    visitor.begin("polis")
    visitor.page.evaluate("location.hash = '#game/nothing'")
    visitor.see("#notices > div")
    visitor.by_mouse(["a2", "a3"])
    visitor.wait_for_moves(1)
    visitor.page.locator(".skip").focus()
    visitor.page.keyboard.press("Enter")
    assert visitor.page.evaluate("document.activeElement.getAttribute('role')") == "gridcell"
