"""The one readable form of players, and what is refused before the first game."""

from pathlib import Path

import pytest

import plywise
from plywise.arena import builtin
from plywise.arena.adjudication import AdjudicationRules, Adjudicator
from plywise.arena.player_spec import BadPlayer, parse, read_players
from plywise.arena.time_control import BadTimeControl, PlayerClock, TimeControl
from plywise.core.errors import PlywiseError
from plywise.play.elo import MAX_ELO, MIN_ELO


def test_our_player_with_options() -> None:
    spec = parse("plywise:evaluator=shannon, depth=6,name=Old hand")
    assert (spec.kind, spec.name, spec.option("evaluator"), spec.integer("depth")) == (
        "plywise",
        "Old hand",
        "shannon",
        6,
    )
    assert spec.control(TimeControl(time=1.0)) == TimeControl(depth=6)
    assert parse("plywise").control(TimeControl(time=1.0)) == TimeControl(time=1.0)


def test_an_outside_engine_by_its_command_line() -> None:
    spec = parse(
        'uci:"/opt/my engine/run" --fast "a, b",option.Hash=16,option.Book File="x, y",control=40/10+0.1'
    )
    assert spec.command == ("/opt/my engine/run", "--fast", "a, b")
    assert spec.own_options == (("Hash", "16"), ("Book File", "x, y"))
    assert spec.control(TimeControl()) == TimeControl(10.0, 0.1, 40)
    assert parse("xboard:phalanx -s +").name == "phalanx"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("gnuchess", ["gnuchess", "plywise:OPTION=VALUE", "uci:COMMAND", "xboard:COMMAND", "@FILE"]),
        ("plywise:dept=3", ["'dept'", "did you mean 'depth'", "evaluator"]),
        ("uci:gnuchess,Hash=3", ["'Hash'", "option.NAME=VALUE", "folder"]),
        ("plywise:depth", ["depth", "depth=VALUE"]),
        ("plywise:depth=", ["depth=VALUE"]),
        ("plywise:depth=3,depth=4", ["depth", "twice"]),
        ("plywise:depth=-3", ["depth", "whole number from 1 up", "'-3'"]),
        ("plywise:nodes=many", ["nodes", "'many'"]),
        ("plywise:time=soon", ["time", "seconds", "'soon'"]),
        ("plywise:control=fast", ["MOVES/SECONDS+INCREMENT", "'fast'"]),
        ("plywise:control=10,time=1", ["exclude each other"]),
        ("plywise:control=10,cpu=1", ["processor time", "exclude each other"]),
        ("plywise:cpu=0", ["cpu", "seconds above 0", "'0'"]),
        ("plywise:control=cpu=x", ["cpu=SECONDS", "'cpu=x'"]),
        ("uci:", ["command line", "missing"]),
        ('uci:"gnuchess', ["quote"]),
    ],
)
def test_what_cannot_be_a_player_is_said_in_one_sentence(text, words) -> None:
    with pytest.raises(BadPlayer) as refused:
        parse(text)
    for word in words:
        assert word in str(refused.value)
    assert text in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("plywise:evaluator=shanon", ["shanon", "shannon"]),
        ("plywise:player=alphazero", ["alphazero", "alphabeta"]),
        ("plywise:level=11", ["11", "1 to 10"]),
        ("plywise:level=3,player=alphabeta", ["default player", "'alphabeta'"]),
        ("plywise:elo=9000", [f"{MIN_ELO} to {MAX_ELO}", "9000"]),
        ("plywise:elo=1500,level=3", ["not both"]),
        ("plywise:elo=1500,player=minimax", ["default player", "'minimax'"]),
        ("plywise:without=nul", ["nul"]),
        ("plywise:evaluator=shannon,weights=/tmp/x.json", ["no weights"]),
        ("plywise:weights=/nowhere/x.json", ["/nowhere/x.json"]),
        ("plywise:hash=big", ["hash", "'big'"]),
    ],
)
def test_what_the_game_does_not_have_is_refused(text, words) -> None:
    with pytest.raises(BadPlayer) as refused:
        builtin.check(plywise.load("chess"), parse(text))
    for word in words:
        assert word in str(refused.value)


def test_players_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "players.txt"
    file.write_text("# the old ones\nplywise:depth=2\n\nplywise:depth=3  # deeper\n", encoding="utf-8")
    specs = read_players(["plywise", f"@{file}", "plywise:depth=2"])
    assert [spec.name for spec in specs] == [
        "plywise",
        "plywise depth=2",
        "plywise depth=3",
        "plywise depth=2 #2",
    ]
    file.write_text("plywise:depth=2\nplywise:dept=3\n", encoding="utf-8")
    with pytest.raises(BadPlayer, match=r"line 2: .*did you mean 'depth'"):
        read_players([f"@{file}"])
    with pytest.raises(BadPlayer, match="No such file"):
        read_players([f"@{tmp_path}/none"])


# --- clocks ---------------------------------------------------------------------------------------------
def test_a_clock_gains_time_by_move_and_by_control() -> None:
    timer = PlayerClock(TimeControl.parse("2/10+1"), margin=0.0)
    assert (timer.snapshot.left, timer.snapshot.increment, timer.snapshot.moves_to_go) == (10.0, 1.0, 2)
    assert timer.spend(4.0)
    assert (timer.snapshot.left, timer.snapshot.moves_to_go) == (7.0, 1)
    assert timer.spend(7.0)
    assert (timer.snapshot.left, timer.snapshot.moves_to_go) == (11.0, 2)
    assert not timer.spend(11.1)


def test_a_move_may_be_late_by_the_margin() -> None:
    assert PlayerClock(TimeControl(time=0.1), margin=0.2).spend(0.29)
    assert not PlayerClock(TimeControl(time=0.1), margin=0.2).spend(0.31)
    assert PlayerClock(TimeControl(nodes=5), margin=0.0).spend(1e6)
    assert PlayerClock(TimeControl(nodes=5)).snapshot is None


def test_processor_time_is_a_limit_a_move_by_which_nobody_is_late() -> None:
    control = TimeControl.parse("cpu=0.25")
    assert (control.cpu, str(control)) == (0.25, "0.25 s of processor time a move")
    assert PlayerClock(control, margin=0.0).spend(1e6)
    for text in ("plywise:cpu=0.25", "plywise:control=cpu=0.25"):
        assert parse(text).control(TimeControl(time=1.0)) == control
    assert not builtin.is_deterministic(parse("plywise"), control)


@pytest.mark.parametrize(
    "text", ["", "cpu=", "cpu=0", "cpu=-1", "0", "0/5", "-3", "5+", "5/", "1:30", "40/60+x", "nan"]
)
def test_clocks_that_cannot_be(text) -> None:
    with pytest.raises(BadTimeControl, match="MOVES/SECONDS"):
        TimeControl.parse(text)


# --- calling games --------------------------------------------------------------------------------------
def test_a_win_is_called_when_both_agree_long_enough() -> None:
    judge = Adjudicator(AdjudicationRules.parse("2,500"))
    for side, score in ((0, 600), (1, -600), (0, 700)):
        judge.add_score(side, score)
        assert judge.outcome(10) is None
    judge.add_score(1, -900)
    assert judge.outcome(10).winner == 0
    judge.add_score(1, 0)
    assert judge.outcome(10) is None


def test_one_player_alone_cannot_call_a_game() -> None:
    judge = Adjudicator(AdjudicationRules.parse("1,500"))
    for _ in range(5):
        judge.add_score(0, 900)
        judge.add_score(1, None)
    assert judge.outcome(10) is None


def test_a_called_game_says_for_how_many_moves_both_agreed() -> None:
    for moves, said in (("1", "for 1 move"), ("2", "for 2 moves")):
        judge = Adjudicator(AdjudicationRules.parse(f"{moves},500", f"1,{moves},5"))
        for score in (900, 900, 0, 0):
            judge.add_score(0, score)
            judge.add_score(1, -score)
            ended = judge.outcome(10)
            assert ended is None or ended.reason.endswith(said)
        assert ended is not None


def test_a_draw_is_called_late_enough() -> None:
    judge = Adjudicator(AdjudicationRules.parse(None, "10,2,5"))
    for _ in range(2):
        judge.add_score(0, 3)
        judge.add_score(1, -5)
    assert judge.outcome(19) is None
    assert judge.outcome(20).winner is None
    assert Adjudicator(AdjudicationRules.parse(longest=30)).outcome(30).reason == "called: 30 plies"


@pytest.mark.parametrize("text", ["5", "5,x", "0,100", "1,2,3", ""])
def test_rules_that_cannot_be_read(text) -> None:
    with pytest.raises(PlywiseError, match=r"MOVES,SCORE|from 1 up"):
        AdjudicationRules.parse(text)


def test_scores_and_levels_in_a_match_count_in_the_unit_of_the_evaluation(tmp_path: Path) -> None:
    file = tmp_path / "coins.py"
    file.write_text(
        (Path(__file__).parents[1] / "samples" / "takers.py").read_text()
        + "\n\nfrom plywise import evaluation\n"
        "evaluation(Takers, 'tens', unit=10)(lambda position: 10 * position.ahead)\n"
    )
    game = plywise.load(str(file))
    start = game.history("9,7,5,3,1,1/0/0")
    plain, tens = (
        builtin.BuiltinPlayer(game, parse(f"plywise:evaluator={name},depth=1"), TimeControl()).choose(
            start, None, None
        )
        for name in ("default", "tens")
    )
    assert plain.score == tens.score == 900
    for level in (3, 7):
        seen = []
        for name in ("default", "tens"):
            player = builtin.BuiltinPlayer(
                game, parse(f"plywise:evaluator={name},level={level}"), TimeControl()
            )
            player.start_game(start, 0, 5)
            seen.append([player.choose(start, None, None).move for _ in range(60)])
        assert seen[0] == seen[1], "errors are as large in both units"
