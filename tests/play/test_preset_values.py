"""The presets against an independent implementation: evaluations, values, and the move order of MinmaxAB."""

import pytest

import plywise
from plywise import Engine
from plywise.games.polis import with_draws
from plywise.play.seat import read_seat
from plywise.search.specialisation import Specialisation
from plywise.search.textbook import sort_moves
from tests.conftest import Scaled, open_positions
from tests.play import reference_evaluations

# Few pieces, so that every line can be looked at; in the later ones somebody wins or must capture.
CHECKERS = [
    "B:W27,31:B2,6",
    "W:W22,27:B14,18",
    "B:W18,19,K32:B9,K1",
    "W:WK10,30:B7,15",
    "B:W13,21,22:B5,6,K29",
    "W:W13,K18:B6",  # the last piece may be gone on the last ply
]
CHESS = [
    "6k1/8/2n5/4p3/4P3/4P3/8/6K1 w - - 0 1",
    "4k3/8/8/8/8/8/P6P/4K2R w K - 0 1",
    "4k3/8/8/8/8/8/8/4R1K1 b - - 0 1",
    "8/5p1k/8/3q4/8/8/5PP1/R5K1 b - - 0 1",
    "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1",  # mate on the last ply of three
    "7k/R7/8/8/8/8/8/1R4K1 w - - 0 1",  # mate in one
    "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1",  # mate, or stalemate
]
POLIS = [
    "7c/8/8/8/3d4/C4D2/8/8 b",
    "7c/8/8/8/8/3D4/1d6/C7 r",
    "8/8/8/8/5Dc1/7D/8/C7 b",
    "8/C7/8/8/8/8/6dc/8 r",
    "4c3/3d4/8/2D5/8/8/8/C7 b",
]
SKIRMISH = [
    "9x9 F4,4:160 A5,5:11 F1",
    "9x7 F0,0:40 A8,6:50 F1",
    "9x7 F0,0:7 F- A4,4:23 F1",
    "6x6 F2,2:12 A4,4:12 A- F1",
    "7x5 F3,2:9 A3,4:22 A1",
]
PRESETS = [
    ("checkers", "ring", reference_evaluations.ring, CHECKERS),
    ("chess", "Shannon", reference_evaluations.shannon, CHESS),
    ("chess", "Control", reference_evaluations.control, CHESS),
    ("chess", "HighestScore", reference_evaluations.material_mate, CHESS),
    ("chess", "Minmax", reference_evaluations.material_mate, CHESS),
    ("chess", "MinmaxAB", reference_evaluations.material_mate, CHESS),
    ("polis", "classic2", reference_evaluations.classic, POLIS),
    ("polis", "classic3", reference_evaluations.classic, POLIS),
    ("polis", "classic4", reference_evaluations.classic, POLIS),
    ("polis", "classic5", reference_evaluations.classic, POLIS),
    ("skirmish", "distance", reference_evaluations.distance, SKIRMISH),
    ("skirmish", "linear", reference_evaluations.linear, SKIRMISH),
]
EACH_PRESET = pytest.mark.parametrize(
    ("name", "preset", "evaluate", "texts"), PRESETS, ids=lambda one: str(one)[:20]
)


@EACH_PRESET
def test_an_evaluation_is_what_the_documents_say(
    name: str, preset: str, evaluate: reference_evaluations.ReferenceEvaluation, texts: list[str]
) -> None:
    game = plywise.load(name)
    evaluator = read_seat(game, preset).evaluator
    unit = game.evaluation(evaluator).unit
    positions = [game.parse(text) for text in texts]
    positions += [history.position for history in open_positions(game, 5, seed=12)]
    if name == "skirmish":
        positions = positions[: len(texts)]  # the texts of larger maps need not name their ground
    for position in positions:
        value = round(evaluate(game.text(position)) * unit)
        assert game.evaluate(position, evaluator) == (value if position.turn == 0 else -value), position


@EACH_PRESET
def test_a_value_is_that_of_the_plainest_minimax(
    name: str,
    preset: str,
    evaluate: reference_evaluations.ReferenceEvaluation,
    texts: list[str],
    scaled: Scaled,
) -> None:
    """At the preset's own depth; in chess and Polis, whose trees are large, in the thorough suite."""
    game = with_draws(repetition=0, plies=0) if name == "polis" else plywise.load(name)
    seat = read_seat(game, preset)
    depth = seat.depth or 1
    if name in ("chess", "polis"):
        depth = min(depth, scaled(2, depth))
    unit = game.evaluation(seat.evaluator).unit
    engine = Engine(game, seat.evaluator, player=seat.player, hash=1, compiled=scaled.compiled)
    for text in texts:
        history = game.history(text)
        value = reference_evaluations.minimax(game, history.position, depth, evaluate, unit)
        assert engine.search(history, depth=depth).score == value, text


# --- MinmaxAB's order of moves ------------------------------------------------------------------------
CLASSES = {"q": 0, "r": 0, "b": 1, "n": 1, "p": 2}


@pytest.mark.parametrize(
    "text",
    [
        "4k3/8/8/3q1r2/p3P1n1/1P3b1P/8/4K3 w - - 0 1",  # one capture or more of each class
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "rnbqkb1r/ppp2ppp/4pn2/3p4/2PP4/2N2N2/PP2PPPP/R1BQKB1R b KQkq - 0 1",
    ],
)
def test_minmaxab_tries_major_pieces_minor_pieces_pawns_then_the_rest(text: str) -> None:
    game = plywise.load("chess")
    position = game.parse(text)
    thread = Specialisation(sort_moves, game, compiled=False).new_thread().record  # type: ignore[arg-type]
    moves = game.moves(position)
    for i, move in enumerate(moves):
        thread.moves[i] = move
    sort_moves(position, thread, 0, len(moves))
    board = reference_evaluations.squares(text)
    sorted_moves = [thread.moves[i] for i in range(len(moves))]
    assert sorted(sorted_moves) == sorted(moves)
    seen = []
    for move in sorted_moves:
        words = game.move_text(position, move)
        taken = board.get(("abcdefgh".index(words[2]), int(words[3]) - 1), "").lower()
        seen.append(CLASSES.get(taken, 3))
    assert seen == sorted(seen), [game.move_text(position, move) for move in sorted_moves]
    assert set(seen) >= {2, 3}
