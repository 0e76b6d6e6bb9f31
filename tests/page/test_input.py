"""The ways in which a hand makes a move, and what the board shows meanwhile."""

from collections.abc import Callable

import plywise
from tests.page.visitor import Visitor

PROMOTING = "6k1/P2n1ppp/8/8/8/8/5PPP/6K1 w - - 0 1"
JUMPING = "B:W11,18,26,K7:BK8,1"  # 8x31 goes over 11, 18 and 26
HOPPING = "7c/8/8/4d3/8/2DD4/8/C7 b"  # c3d4 makes e5 and d3 hop


def test_a_piece_is_dragged_to_its_goal(visitor: Visitor) -> None:
    visitor.begin("chess")
    visitor.play(plywise.load("chess"), ["e2e4", "c7c5", "g1f3"], "drag")
    assert visitor.cell("f3").get_attribute("aria-label") == "f3, White knight"


def test_a_dragged_piece_stays_under_the_pointer(visitor: Visitor) -> None:
    visitor.begin("chess")
    x, y = visitor.middle("f4")
    visitor.page.mouse.move(*visitor.middle("g1"))
    visitor.page.mouse.down()
    visitor.page.mouse.move(x, y, steps=3)
    box = visitor.see(".piece.dragged").bounding_box()
    assert abs(box["x"] + box["width"] / 2 - x) < 2
    assert abs(box["y"] + box["height"] / 2 - y) < 2
    visitor.page.mouse.up()


def test_a_piece_dragged_to_a_wrong_place_goes_back(visitor: Visitor) -> None:
    visitor.begin("chess")
    visitor.by_drag(["e2", "e5"])
    box = visitor.page.locator('.piece[data-at="52"]').bounding_box()
    assert abs(box["x"] + box["width"] / 2 - visitor.middle("e2")[0]) < 2
    assert visitor.moves() == []
    visitor.by_mouse(["e2", "e4"])
    visitor.wait_for_moves(1)


def test_a_finger_drags_as_a_mouse_does(visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    visitor.begin("chess")
    fingers = visitor.context.new_cdp_session(visitor.page)
    (x, y), (to_x, to_y) = visitor.middle("e2"), visitor.middle("e4")

    def touch(kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    touch("touchStart", (x, y))
    touch("touchMove", (x, (y + to_y) / 2))
    visitor.see(".piece.dragged.by-finger")
    visitor.see(".piece.shadow")
    touch("touchMove", (to_x, to_y))
    touch("touchEnd")
    visitor.wait_for_moves(1)
    assert visitor.moves() == ["e4"]


def test_a_move_is_typed_in_the_games_notation(visitor: Visitor) -> None:
    visitor.begin("chess")
    visitor.page.keyboard.press("m")
    for count, move in enumerate(["e4", "e7e5", "Ng1-f3"], 1):
        visitor.page.keyboard.type(move)
        visitor.page.keyboard.press("Enter")
        visitor.wait_for_moves(count)
    assert visitor.moves() == ["e4", "e5", "Nf3"]
    visitor.page.keyboard.type("Ke7e5")
    visitor.page.keyboard.press("Enter")
    assert "Ke7e5" in visitor.see("#notices > div").inner_text()
    assert visitor.moves() == ["e4", "e5", "Nf3"]


def test_a_pawn_asks_what_it_becomes(visitor: Visitor) -> None:
    visitor.begin("chess", PROMOTING)
    visitor.by_mouse(["a7", "a8"])
    box = visitor.see(".chooser")
    names = [one.get_attribute("aria-label") for one in box.locator("button").all()]
    assert sorted(names) == ["White bishop", "White knight", "White queen", "White rook"]
    visitor.page.keyboard.press("Escape")
    box.wait_for(state="detached")
    assert visitor.moves() == []
    visitor.by_keys(["a7", "a8"])
    visitor.see(".chooser")
    visitor.page.keyboard.press("ArrowDown")
    chosen = visitor.page.evaluate("document.activeElement.getAttribute('aria-label')")
    visitor.page.keyboard.press("Enter")
    visitor.wait_for_moves(1)
    assert visitor.cell("a8").get_attribute("aria-label") == f"a8, {chosen}"


def test_a_pawn_dragged_home_becomes_what_is_clicked(visitor: Visitor) -> None:
    visitor.begin("chess", PROMOTING)
    visitor.by_drag(["a7", "a8"])
    visitor.see('.chooser [aria-label="White rook"]').click()
    visitor.wait_for_moves(1)
    assert visitor.moves() == ["a8=R+"]


def test_a_long_jump_goes_step_by_step_or_straight_to_its_end(visitor: Visitor) -> None:
    for steps in (["8", "15", "22", "31"], ["8", "31"]):
        visitor.begin("checkers", JUMPING)
        visitor.by_mouse(steps)
        visitor.wait_for_moves(1)
        assert visitor.moves() == ["8x31"]
        assert visitor.pieces() == 3
        visitor.page.goto("about:blank")


def test_the_goals_of_a_piece_are_shown_and_escape_lets_go(visitor: Visitor) -> None:
    visitor.begin("chess")
    visitor.by_keys(["g1"])
    goals = visitor.page.locator(".cell.target")
    assert [one.get_attribute("data-cell") for one in goals.all()] == ["45", "47"]
    assert "can go here" in str(goals.first.get_attribute("aria-label"))
    visitor.page.keyboard.press("Escape")
    assert visitor.page.locator(".cell.target, .cell.held").count() == 0


def test_what_a_move_would_do_is_seen_before_it_is_made(visitor: Visitor) -> None:
    visitor.begin("polis", HOPPING)
    visitor.by_mouse(["c3"])
    visitor.cell("d4").hover()
    visitor.see(".ghosts .piece")
    assert visitor.page.locator(".ghosts .piece").count() == 3  # the dog that moves and two that hop
    assert visitor.page.locator(".arrows .ghost .hop").count() == 2
    visitor.by_mouse(["d4"])
    visitor.wait_for_moves(1)
    assert visitor.page.locator(".ghosts .piece").count() == 0


def test_the_effects_of_a_move_are_set_in_motion_phase_by_phase(visitors: Callable[..., Visitor]) -> None:
    visitor = visitors(reduced_motion="no-preference")
    visitor.begin("polis", HOPPING)
    visitor.page.evaluate(
        """() => {
            window.seen = [];
            new MutationObserver((records) => {
                const moving = records.filter((one) => one.target.classList.contains("moving"));
                if (moving.length) window.seen.push(moving.length);
            }).observe(document.querySelector(".pieces"), { subtree: true, attributeFilter: ["class"] });
        }"""
    )
    visitor.by_mouse(["c3", "d4"])
    visitor.see('.cell[aria-label="d5, blue dog"]')
    assert visitor.page.evaluate("window.seen") == [1, 2]  # one dog moves, then two hop at once


def test_marks_say_why(visitor: Visitor) -> None:
    visitor.begin("checkers", JUMPING)
    mark = visitor.see('.cell[data-mark="must"]')
    assert "must capture" in str(mark.get_attribute("aria-label"))
    assert "must capture" in visitor.status()


def test_the_board_is_seen_from_either_side(visitor: Visitor) -> None:
    visitor.begin("chess")
    first = visitor.page.locator(".cell").first
    assert str(first.get_attribute("aria-label")).startswith("a8")
    visitor.page.keyboard.press("f")
    assert str(first.get_attribute("aria-label")).startswith("h1")
    assert visitor.page.locator(".labels.bottom span").first.inner_text() == "h"
    visitor.by_drag(["e2", "e4"])
    visitor.wait_for_moves(1)


def test_checkers_shows_the_numbers_of_its_squares(visitor: Visitor) -> None:
    visitor.begin("checkers")
    numbers = {int(one) for one in visitor.page.locator(".cell small").all_inner_texts()}
    assert numbers == set(range(1, 33))
