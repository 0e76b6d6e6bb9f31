"""Going through a game: buttons that stay, arrow keys from everywhere, the wheel, Back and forward."""

import pytest

import plywise
from tests.page.visitor import Visitor

MOVES = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]


def places(visitor: Visitor) -> list[object]:
    """Where the buttons for stepping are."""
    return [one.bounding_box() for one in visitor.page.locator(".steps button").all()]


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1920, 1080), (390, 844)])
def test_the_buttons_stay_where_they_are(visitor: Visitor, width: int, height: int) -> None:
    visitor.page.set_viewport_size({"width": width, "height": height})
    visitor.begin("chess")
    visitor.play(plywise.load("chess"), MOVES)
    before = places(visitor)
    back = visitor.page.locator(".steps button").nth(1)
    box = back.bounding_box()
    for label in ("Bb5", "Nc6", "Nf3"):
        visitor.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        visitor.see(f'.move[aria-current] >> text="{label}"')
        assert places(visitor) == before
    visitor.page.click("text=Resign")
    visitor.see("#question button.primary").click()
    visitor.page.keyboard.press("End")
    visitor.see("#status .outcome")
    assert places(visitor) == before


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_bar_of_the_chances_moves_nothing_when_it_comes(
    visitor: Visitor, width: int, height: int
) -> None:
    visitor.page.set_viewport_size({"width": width, "height": height})
    visitor.begin("tic_tac_toe")
    before = [*places(visitor), visitor.page.locator(".surface").first.bounding_box()]
    visitor.page.keyboard.press("a")
    visitor.see("#gauge")
    assert [*places(visitor), visitor.page.locator(".surface").first.bounding_box()] == before


def test_arrows_go_through_the_game_after_a_move_by_mouse_and_a_click_on_a_tab(visitor: Visitor) -> None:
    visitor.begin("chess")
    visitor.play(plywise.load("chess"), MOVES)
    visitor.page.keyboard.press("ArrowLeft")
    visitor.see('.move[aria-current] >> text="Bb5"')
    visitor.page.click("#tab-analysis")
    visitor.page.keyboard.press("ArrowLeft")
    visitor.page.click("#tab-moves")
    visitor.page.keyboard.press("ArrowLeft")
    visitor.see('.move[aria-current] >> text="Nf3"')
    assert visitor.page.locator('#tab-moves[aria-selected="true"]').count() == 1


def test_tabs_are_still_changed_by_arrows_when_they_have_the_focus(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    visitor.page.locator("#tab-moves").focus()
    visitor.page.keyboard.press("ArrowRight")
    visitor.see('#tab-analysis[aria-selected="true"]')


def test_the_wheel_over_the_board_goes_through_the_game(visitor: Visitor) -> None:
    visitor.begin("chess")
    visitor.play(plywise.load("chess"), MOVES)
    visitor.page.mouse.move(*visitor.middle("e4"))
    visitor.page.mouse.wheel(0, -100)
    visitor.see('.move[aria-current] >> text="Bb5"')
    visitor.page.mouse.wheel(0, 100)
    visitor.see('.move[aria-current] >> text="a6"')


def test_autoplay_goes_through_the_game_until_its_end_or_a_step(visitor: Visitor) -> None:
    visitor.begin("chess")
    visitor.play(plywise.load("chess"), MOVES)
    visitor.page.click("#open-settings")
    visitor.page.select_option("#set-pause", label="Fast")
    visitor.page.keyboard.press("Escape")
    visitor.page.click("#autoplay")  # from the end it begins anew
    visitor.wait_until("document.querySelector('.move[aria-current]')?.textContent !== 'a6'")
    visitor.page.keyboard.press("Home")
    visitor.see('#autoplay[aria-pressed="false"]')
    visitor.see(".move.start[aria-current]")
    visitor.page.click("#autoplay")
    visitor.see('.move[aria-current] >> text="a6"')
    visitor.see('#autoplay[aria-pressed="false"]')


def test_back_leads_to_the_game_before(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    visitor.begin("connect_four")
    first = visitor.page.url
    visitor.page.keyboard.press("n")
    visitor.see('.card:has(input[value="polis"])').click()
    visitor.page.select_option("#new-seat-1", "person")
    visitor.page.click("#new-game button[type=submit]")
    visitor.see('#board[data-game="polis"]')
    visitor.page.go_back()
    visitor.see('#board[data-game="connect_four"]')
    assert visitor.page.url == first
    visitor.page.go_forward()
    visitor.see('#board[data-game="polis"]')


def test_moves_have_the_numbers_of_their_position(visitor: Visitor) -> None:
    visitor.begin("chess", "8/5k2/8/8/8/2K5/5Q2/8 b - - 3 37")
    visitor.by_mouse(["f7", "e6"])
    visitor.wait_for_moves(1)
    assert visitor.page.locator(".row .number").all_inner_texts() == ["37."]


def test_a_board_on_which_pieces_fall_is_not_turned_round(visitor: Visitor) -> None:
    visitor.begin("connect_four")
    visitor.page.keyboard.press("f")
    visitor.cell("1").click()
    visitor.wait_for_moves(1)
    filled = visitor.page.locator('#board .cell:not([aria-label*="empty"])')
    assert "row 1" in str(filled.get_attribute("aria-label"))
    board, disc = visitor.page.locator(".surface").first.bounding_box(), filled.bounding_box()
    assert disc["y"] > board["y"] + board["height"] / 2, "discs lie on the lower edge"


def test_a_lifted_piece_is_marked_clearly(visitor: Visitor) -> None:
    visitor.begin("chess")
    for name in ("e2", "d2"):
        visitor.by_mouse([name])
        ring = visitor.see(".cell.held").evaluate("cell => getComputedStyle(cell, '::after').boxShadow")
        assert "rgb(90, 47, 0)" in ring and "inset" in ring


def test_an_error_in_a_dialog_is_read_there_and_short(visitor: Visitor) -> None:
    visitor.begin("tic_tac_toe")
    visitor.page.keyboard.press("n")
    visitor.see('.card:has(input[value="chess"])').click()
    visitor.page.select_option("#new-start", "own")
    visitor.page.fill("#new-position", "rnbqkbnr/pppp/8 w")
    visitor.page.click("#new-game button[type=submit]")
    notice = visitor.see("#new-game .notice")
    assert "rnbqkbnr" not in notice.inner_text()
    covered = notice.evaluate(
        """one => {
            const box = one.getBoundingClientRect();
            const at = document.elementFromPoint(box.x + 20, box.y + box.height / 2);
            return !one.contains(at);
        }"""
    )
    assert not covered
    visitor.page.keyboard.press("Escape")


def test_one_error_at_a_time_and_none_after_a_correct_move(visitor: Visitor) -> None:
    visitor.begin("chess")
    visitor.page.keyboard.press("m")
    for wrong in ("Ke5", "Qh5", "e9"):
        visitor.page.fill("#typed", wrong)
        visitor.page.keyboard.press("Enter")
        visitor.see(f"#notices .notice >> text={wrong}" if wrong == "e9" else "#notices .notice")
    assert visitor.page.locator(".notice").count() == 1
    assert "/pppppppp/" not in visitor.page.locator(".notice").inner_text()
    visitor.page.fill("#typed", "e4")
    visitor.page.keyboard.press("Enter")
    visitor.wait_for_moves(1)
    assert visitor.page.locator(".notice").count() == 0
