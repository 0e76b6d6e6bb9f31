"""How far a game is compiled, in words."""

from plywise.play.readiness import DONE, Readiness, readiness_text, short_readiness_text, tell_in_steps


def test_the_words_say_how_long_and_that_one_may_play() -> None:
    assert (
        readiness_text("Chess", Readiness())
        == "Getting Chess ready (once, some seconds). You can play already."
    )
    words = readiness_text("Chess", Readiness(0.0, 21.0))
    assert words == "Getting Chess ready (once, about 20 s). You can play already."
    words = readiness_text("Chess", Readiness(0.9, 0.2))
    assert words == "Getting Chess ready (once, about 1 s more). You can play already."
    assert short_readiness_text("chess", Readiness(0.2, 7.6)) == "getting chess ready, once: about 8 s"
    assert short_readiness_text("chess", Readiness()) == "getting chess ready, once"


def test_a_protocol_hears_a_line_a_quarter_and_nothing_where_nothing_was_compiled() -> None:
    said: list[str] = []
    listen = tell_in_steps("Chess", said.append)
    listen(DONE)
    assert said == []
    for percent in range(100):
        listen(Readiness(percent / 100, 10.0))
    listen(DONE)
    assert [line.rpartition(". ")[2] for line in said] == [
        "0 % done.",
        "25 % done.",
        "50 % done.",
        "75 % done.",
        "Chess is ready",
    ]
