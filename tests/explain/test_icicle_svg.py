"""Recorded trees and lessons as pictures, and what a notebook shows of them."""

import re
from pathlib import Path
from xml.etree import ElementTree

import plywise
from plywise import Game
from plywise.explain import icicle, lesson, record
from plywise.explain.icicle_svg import COLOURS, DARK, LEGEND, MAX_BARS, draw_icicle, last_root
from plywise.explain.lesson_svg import MAX_DRAWN, draw_lesson, value_text
from plywise.explain.record import CAUSES
from tests.conftest import open_positions

SVG = "{http://www.w3.org/2000/svg}"
WHY = Path(plywise.__file__).parent / "web" / "static" / "why"
HEAVIEST = 60_000  # bytes of a cell's output


# --- icicles ----------------------------------------------------------------------------------------
def test_a_record_shows_its_position_and_its_tree(any_game: Game) -> None:
    for history in open_positions(any_game, 1, seed=6):
        kept = record(history, depth=2, hash=1, compiled=False)
        shown = kept._repr_html_()
        assert "A bar is a node" in shown
        assert len(shown.encode()) < HEAVIEST
        ElementTree.fromstring(draw_icicle(kept))


def test_the_bars_are_those_of_the_plot() -> None:
    kept = record(plywise.load("connect_four").history("4453"), depth=3, hash=1, compiled=False)
    root = last_root(kept)
    assert root == kept.roots[-1]
    plot = icicle(kept, root, levels=2, share=0.02)
    drawn = ElementTree.fromstring(draw_icicle(kept, root, levels=2, share=0.02))
    titles = [
        group.findtext(f"{SVG}title", "")
        for group in drawn.iter(f"{SVG}g")
        if group.find(f"{SVG}rect") is not None
    ]
    assert len(titles) == len(plot)
    for title, node in zip(titles, plot.node, strict=True):
        name = kept.move_text(int(node)) or "root"
        assert title.startswith((f"{name}:", f"{name} ("))
        assert LEGEND[CAUSES[kept.cause[node]]] in title
        assert f"{int(kept.size[node]):,} node" in title


def test_a_large_tree_is_drawn_small() -> None:
    kept = record(plywise.load("tic_tac_toe").history(), depth=6, hash=1, compiled=False)
    assert len(icicle(kept, last_root(kept), 10, 0.003)) > MAX_BARS
    assert len(kept._repr_html_().encode()) < HEAVIEST


def test_a_record_that_is_cut_short_says_so_and_shows_what_is_there() -> None:
    kept = record(plywise.load("connect_four").history("4453"), depth=4, hash=1, most=60, compiled=False)
    assert not kept.complete
    shown = kept._repr_html_()
    assert f"The record is cut short: {kept.missing_text}." in shown
    last = last_root(kept)
    assert last + int(kept.size[last]) < len(kept)  # the last iteration that is whole
    assert draw_icicle(kept, last) in shown


def test_a_record_of_nothing_says_so() -> None:
    kept = record(plywise.load("connect_four").history("1212121"), depth=2, hash=1, compiled=False)
    assert len(kept) == 0
    assert "the record is empty" in kept._repr_html_()


def test_colours_and_words_are_those_of_the_tab_why() -> None:
    style = (WHY / "why.css").read_text(encoding="utf-8")
    script = (WHY / "names.js").read_text(encoding="utf-8")
    legend = re.search(r"const NAMES = \{(.*?)\};", script, re.DOTALL)
    assert legend is not None
    assert {a or b: text for a, b, text in re.findall(r'(?:"([\w ]+)"|(\w+)): "(.*?)"', legend[1])} == LEGEND
    for cause in CAUSES:
        found = re.search(rf"\.why-{cause.replace(' ', '-')} {{ background: light-dark\((#\w+),", style)
        assert found is not None, cause
        assert found[1] == COLOURS[cause]
    assert set(DARK) < set(COLOURS)


# --- lessons ----------------------------------------------------------------------------------------
def test_a_lesson_shows_every_node_value_and_cut_of_a_small_tree() -> None:
    taught = lesson(plywise.load("tic_tac_toe").history("x..o.xxo. o"), 2)
    drawn = ElementTree.fromstring(draw_lesson(taught))
    assert len(list(drawn.iter(f"{SVG}polygon"))) == len(taught.places)
    words = [text.text for text in drawn.iter(f"{SVG}text")]
    for node in taught.places:
        assert value_text(node.value) in words
    cuts = [title.text for title in drawn.iter(f"{SVG}title") if (title.text or "").startswith("cut off")]
    assert cuts == [f"cut off: {', '.join(node.cut)}" for node in taught.places if node.cut]
    assert f"{len(taught.places)} nodes, {sum(len(node.cut) for node in taught.places)} moves cut off" in (
        taught._repr_html_()
    )


def test_of_a_large_lesson_the_upper_levels_are_drawn_and_the_rest_is_counted() -> None:
    taught = lesson(plywise.load("tic_tac_toe").history("x...o.... x"), 3, player="minimax")
    drawn = draw_lesson(taught)
    shown = drawn.count("<polygon")
    assert shown <= MAX_DRAWN < len(taught.places)
    hidden = [int(number) for number in re.findall(r'font-size="10"[^>]*>\+(\d+)<', drawn)]
    assert sum(hidden) == len(taught.places) - shown
    assert f"{len(taught.places) - shown} nodes further down not drawn" in taught._repr_html_()


def test_every_game_has_lessons_that_can_be_drawn(any_game: Game) -> None:
    for history in open_positions(any_game, 1, seed=2):
        ElementTree.fromstring(draw_lesson(lesson(history, 1)))
