"""Texts that mean harm or are broken: a clear word, what could be read is kept, and nothing runs."""

from pathlib import Path

import pytest

from tests.page.visitor import Visitor

SCRIPT = "<img src=x onerror='window.harmed = 1'><script>window.harmed = 1</script>"
# By name: the game, the text, the moves that are read, and words of what is said about the rest.
READABLE = {
    "script": ("chess", f'[White "{SCRIPT}"]\n[Event "{SCRIPT}"]\n\n1. e4 {{{SCRIPT}}} e5 *', 2, ""),
    "control characters": ("chess", '[White "a\x07\x1b[31mb"]\n\n1. e4 {\x01\x1b]0;x\x07} e5 *', 2, ""),
    "variations without end": ("chess", "1. e4 " + "(1. d4 " * 25_000 + ")" * 25_000, 1, "3000 moves"),
    "brackets that open": ("chess", "1. e4 " + "(" * 100_000, 1, "a variation before any move"),
    "brackets that close": ("chess", "1. e4 " + ")" * 100_000, 1, "')' without '('"),
    "a wrong move": ("chess", "1. e4 e5 2. Ke5 *", 2, "the king on e1 cannot go to e5"),
    "a comment without end": ("chess", "1. e4 {" + "x" * 100_000, 1, ""),
    "PDN with script": (
        "checkers",
        f'[Black "{SCRIPT}"]\n[Event "{SCRIPT}"]\n\n1. 11-15 {{{SCRIPT}}} 22-17 *',
        2,
        "",
    ),
    "PDN with control characters": (
        "checkers",
        '[Black "a\x07\x1b[31mb"]\n\n1. 11-15 {\x01\x1b]0;x\x07} 22-17 *',
        2,
        "",
    ),
    "PDN with variations without end": (
        "checkers",
        "1. 11-15 " + "(1. 9-14 " * 20_000 + ")" * 20_000,
        1,
        "3000 moves",
    ),
    "PDN with brackets that open": (
        "checkers",
        "1. 11-15 " + "(" * 100_000,
        1,
        "a variation before any move",
    ),
    "PDN with brackets that close": ("checkers", "1. 11-15 " + ")" * 100_000, 1, "')' without '('"),
    "PDN with a wrong move": ("checkers", "1. 11-15 22-17 2. 15-11 *", 2, "15-11"),
    "PDN with a comment without end": ("checkers", "1. 11-15 {" + "x" * 100_000, 1, ""),
}
REFUSED = {
    "no game": ("chess", "lorem ipsum " * 100, "cannot be set up"),
    "too long": ("chess", "1. e4 {" + "x" * 300_000, "too long"),
    "100,000 nested variations": ("chess", "1. e4 " + "(1. d4 " * 100_000 + ")" * 100_000, "too long"),
    "no game of checkers": ("checkers", "lorem ipsum " * 100, "cannot be set up"),
    "PDN that is too long": ("checkers", "1. 11-15 {" + "x" * 300_000, "too long"),
    "PDN with 100,000 nested variations": (
        "checkers",
        "1. 11-15 " + "(1. 9-14 " * 100_000 + ")" * 100_000,
        "too long",
    ),
}


def give(visitor: Visitor, text: str) -> None:
    visitor.page.click("#tab-share")
    visitor.page.evaluate("text => { document.querySelector('#game-in').value = text; }", text)
    visitor.page.click("#panel-share button.primary")


@pytest.mark.parametrize("name", READABLE)
def test_what_can_be_read_is_kept_and_nothing_runs(name: str, visitor: Visitor) -> None:
    game, text, moves, words = READABLE[name]
    visitor.begin(game)
    give(visitor, text)
    if words:  # before the moves: it is taken away after a while
        notice = visitor.see("#notices .notice").inner_text()
        assert words in notice and "RULES" not in notice
    visitor.wait_for_moves(moves)
    assert visitor.page.evaluate("window.harmed") is None
    visitor.page.click("#open-saved")
    visitor.see(".saved li")
    assert visitor.page.evaluate("window.harmed") is None


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_refused_in_a_sentence(name: str, visitor: Visitor) -> None:
    game, text, words = REFUSED[name]
    visitor.begin(game)
    give(visitor, text)
    visitor.see(f"#notices .notice >> text={words}")
    assert visitor.moves() == []


@pytest.mark.parametrize(("game", "name"), [("chess", "huge.pgn"), ("checkers", "huge.pdn")])
def test_a_file_of_a_gigabyte_is_refused_unread(
    game: str, name: str, visitor: Visitor, tmp_path: Path
) -> None:
    path = tmp_path / name
    with path.open("wb") as file:
        file.truncate(1 << 30)  # announced, not written
    visitor.begin(game)
    visitor.page.click("#tab-share")
    visitor.page.set_input_files("#game-file", path)
    visitor.see("#notices .notice >> text=This file is too large: it has 1024 MB; 64 MB can be read.")


def test_a_text_of_many_lines_is_cut_into_games_in_one_pass(visitor: Visitor) -> None:
    visitor.begin("chess")
    games = visitor.page.evaluate(
        """async () => {
            const { splitGames } = await import("/static/panel/import.js");
            const game = '[White "A"]\\n\\n1. e4\\n\\n';
            return [splitGames("1. e4\\n".repeat(1e6)).length, splitGames(game.repeat(1e5)).length];
        }"""
    )
    assert games == [1, 100_000]
