"""Learning on the page: why is this bad, and the mistakes of a game tried again."""

from collections.abc import Callable

import pytest

from tests.page.visitor import Visitor

MISTAKE = "x.x.o.... o"  # o must play b3


def blunder(visitor: Visitor) -> None:
    """Play a blunder, and let it be reviewed."""
    visitor.begin("tic_tac_toe", MISTAKE)
    visitor.by_mouse(["a1"])
    visitor.wait_for_moves(1)
    visitor.wait_for_turn()
    visitor.by_mouse(["b3"])
    visitor.wait_for_moves(2)
    visitor.see("#tab-analysis").click()
    visitor.page.click("button:text-is('Review the game')")
    visitor.see("button:has-text('Learn from your mistakes')")  # it is over


@pytest.fixture
def blundered(visitor: Visitor) -> Visitor:
    """A visitor whose last move is a blunder, reviewed."""
    blunder(visitor)
    return visitor


def test_a_mistake_is_explained_with_one_click_and_its_tree_is_one_click_further(blundered: Visitor) -> None:
    page = blundered.page
    page.click(".mistakes button:text-is('Why?')")
    reason = blundered.see("#reason:has-text('x answers b3: x wins in 1 move.')")
    assert "Better is b3" in reason.inner_text()
    blundered.wait_until(
        "document.querySelectorAll('.arrows .reply .threat, .arrows .reply circle').length === 1"
    )
    page.click("#reason .reason-line >> nth=0 >> button:text-is('b3')")
    blundered.wait_until("document.querySelectorAll('.pieces .piece').length === 5")
    page.click("#reason button:text-is('Show the tree here')")
    blundered.see(".why-result[data-shown]")
    blundered.see(".why-crumbs b:text-is('a1')")
    blundered.wait_until("document.querySelectorAll('.pieces .piece').length === 4")
    assert blundered.status() == "A position of the search. x to move."


def test_a_good_move_is_not_called_bad(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe", MISTAKE)
    visitor.by_mouse(["b3"])
    visitor.wait_for_moves(1)
    visitor.page.click("#panel-moves button:text-is('Why?')")
    visitor.see("#reason h2:text-is('Is b3 bad?')")


def test_a_wrong_try_is_refuted_and_a_good_one_is_kept(blundered: Visitor) -> None:
    page = blundered.page
    page.click("button:has-text('Learn from your mistakes')")
    blundered.see("#learn .task:has-text('o played a1??, a blunder. Find a better move for o')")
    blundered.wait_for_turn()
    assert not page.locator(".mistakes >> text='Best was b3'").is_visible()
    blundered.by_mouse(["c1"])
    blundered.see("#learn .wrong")
    assert "Better" not in page.locator("#learn .reason-words").inner_text()
    assert page.locator("#learn .reason-line").count() == 1, "the better line is not told"
    blundered.see("#learn .facts:has-text('1 wrong try')")
    blundered.wait_until("document.querySelector('.arrows .reply').children.length === 1")
    page.click("#learn button:text-is('Try again')")
    blundered.wait_until("document.querySelectorAll('.pieces .piece').length === 3")
    assert page.locator(".arrows .reply > *").count() == 0
    blundered.by_mouse(["b3"])
    blundered.see("#learn .right")
    blundered.see("#learn .facts:has-text('Solved 1 of 1, 0 at the first try')")
    assert len(blundered.moves()) == 2, "tries are not moves of the game"
    page.reload()
    blundered.see("#tab-analysis").click()
    page.click("button:has-text('Learn from your mistakes')")
    blundered.see("#learn .facts:has-text('Solved 1 of 1')")


def test_the_answer_to_a_try_comes_into_sight_on_a_phone(visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(viewport={"width": 390, "height": 844})
    blunder(visitor)
    visitor.page.click("button:has-text('Learn from your mistakes')")
    visitor.see("#learn .task")
    visitor.wait_for_turn()
    visitor.by_mouse(["c1"])
    visitor.see("#learn .wrong")
    visitor.wait_until("document.querySelector('#learn .wrong').getBoundingClientRect().bottom < innerHeight")


def test_the_better_move_that_is_shown_stays_on_the_board(blundered: Visitor) -> None:
    page = blundered.page
    page.click("button:has-text('Learn from your mistakes')")
    page.click("#learn button:text-is('Show the better move')")
    blundered.see("#learn .facts:has-text('1 shown')")  # it is kept: the server has sent the new state
    blundered.see("#learn:has-text('Better is b3')")
    blundered.wait_until("document.querySelector('.arrows .reply').children.length === 1")


def test_a_review_without_mistakes_says_so(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe", MISTAKE)
    visitor.by_mouse(["b3"])
    visitor.wait_for_moves(1)
    visitor.see("#tab-analysis").click()
    visitor.page.click("button:text-is('Review the game')")
    visitor.see(".review:has-text('No mistakes were found.')")


def test_a_review_of_a_game_in_which_both_sides_act_at_once_says_why_nothing_is_marked(
    visitor: Visitor,
) -> None:
    visitor.begin("skirmish")
    for order in ("F1-N", "F2-N", "A1-N", "A2-N"):
        visitor.wait_until(f"document.querySelector('[placeholder*=\"like {order[:2]}\"]') !== null")
        entry = visitor.page.locator("[placeholder^='Type a move']")
        entry.fill(order)
        entry.press("Enter")
    visitor.wait_for_moves(1)
    visitor.page.click("#panel-moves button:text-is('Why?')")
    words = visitor.see("#reason .reason-words:has-text('F1-N')").inner_text()
    assert words.startswith("F1-N ")
    visitor.see("#status:has-text('A position of the search')")
    assert "not possible" not in visitor.page.locator("body").inner_text()
    visitor.see("#tab-analysis").click()
    visitor.page.click("button:text-is('Review the game')")
    visitor.see(".review:has-text('Both sides act at once here')")


def test_buttons_and_labels_of_the_tab_share_keep_their_distance(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    visitor.see("#tab-share").click()
    save = visitor.see("#panel-share button:text-is('Save a picture (SVG)')").bounding_box()
    label = visitor.see("#panel-share label:text-is('As a link')").bounding_box()
    assert label["y"] >= save["y"] + save["height"] + 6


def test_a_line_of_the_analysis_can_be_asked_about(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe", MISTAKE)
    visitor.see("#tab-analysis").click()
    visitor.page.click("button:text-is('Analyse')")
    visitor.see("#panel-analysis > .facts:has-text('done')")  # the lines stay as they are now
    visitor.see(".lines li:first-child:has-text('b3')")
    visitor.see(".lines li >> nth=1 >> button:text-is('Why?')").click()
    visitor.see("#reason:has-text('Better is b3')")


def test_the_ladder_offers_the_next_level_and_changes_the_level_of_a_game(visitor: Visitor) -> None:
    visitor.arrive()
    page = visitor.page
    page.click("#open-new")
    page.click("#new-game .card:has-text('Tic-tac-toe')")
    page.click("button:text-is('Beat the level…')")
    assert visitor.see("#ladder .next").inner_text().startswith("1 ")
    page.select_option("#ladder-side", "0")
    page.click("[aria-label*='level 1,']")
    visitor.see('#board[data-game="tic_tac_toe"].playable')
    assert "level 1" in page.locator("#seat-far").inner_text()
    page.click("#open-new")
    page.click("button:text-is('Beat the level…')")
    page.select_option("#ladder-change", "9")
    page.click("#ladder-now button:text-is('Change')")
    visitor.see("#seat-far:has-text('level 9')")
    page.click("#controls button:text-is('Resign')")
    page.click("dialog button:text-is('Resign')")
    visitor.see(".outcome button:text-is('Ladder')").click()
    row = visitor.see("#ladder tbody tr >> nth=0")
    assert row.locator("td").nth(2).inner_text() == "1", "a game counts for the weakest level that played"


def test_an_example_is_one_choice_away_and_its_words_are_those_of_the_legend(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    visitor.see("#tab-why").click()
    page = visitor.page
    visitor.wait_until("document.querySelectorAll('#why-example option').length === 6")
    page.select_option("#why-example", label="hash table")
    visitor.see(".why-result[data-shown]")
    visitor.see(".why-examples .facts:has-text('found in the hash table')")
    page.click("summary:text-is('Counters of this iteration')")
    named = visitor.see(".why-figures tbody >> nth=1").inner_text()
    legend = page.locator(".why-legend").inner_text()
    assert "found in the hash table" in named and "found in the hash table" in legend


def test_two_levels_are_compared_on_one_position(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe", MISTAKE)
    visitor.see("#tab-compare").click()
    page = visitor.page
    page.select_option("#compare-1", "level=1")
    page.click("#panel-compare button:text-is('Compare')")
    visitor.see(".compared section >> nth=1")
    assert page.locator(".compared section strong").first.inner_text() == "b3"
    assert page.locator(".compare-tree").count() == 2
    assert "all together" in page.locator(".compare-terms").inner_text()
