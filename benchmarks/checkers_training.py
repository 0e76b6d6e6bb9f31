"""Train the default evaluation of checkers on games that it plays against itself.

    python benchmarks/checkers_training.py play GAMES.npy --minutes 4 [--depth 6] [--seed 1]
    python benchmarks/checkers_training.py fit WEIGHTS.json GAMES.npy [GAMES.npy ...]
    python benchmarks/checkers_training.py match WEIGHTS.json [--ballots 174] [--depth 6]

`play` plays whole games in compiled code and keeps the quiet positions with the search's score and
the result. `fit` finds the weights whose evaluation predicts both best (logistic regression). `match` plays
other weights against those of the package, each ballot with both colours. An endgame database, if
there is one, ends the games with the true result.
"""

import argparse
import json
import math
import time
from pathlib import Path
from typing import Any

import numpy as np

import plywise
from plywise.core.bits import mix, right
from plywise.core.compiled import compiled
from plywise.core.evaluation import Evaluation
from plywise.core.layout import Layout, at
from plywise.core.scores import INFINITE, UNKNOWN
from plywise.games.checkers.ballots import BALLOTS
from plywise.games.checkers.evaluation import CASES, FEW, LAYOUT, MEN, OPENED, PAIRS, TERNARY, TURNED
from plywise.games.checkers.squares import SQUARES
from plywise.search.alphabeta import alphabeta
from plywise.search.node import begin
from plywise.search.specialisation import Specialisation, evaluation_changes

ROW = Layout(
    ("own", "i8"), ("other", "i8"), ("kings", "i8"), ("turn", "i8"), ("score", "i8"), ("result", "i8")
)
LONGEST = 160  # plies of a game
ROOM = 1 << 21


@compiled
def best_move(position: Any, memory: Any, depth: int) -> int:
    """Search by iterative deepening; the score, with the move in memory.best_root."""
    score = 0
    for deep in range(1, depth + 1):
        end = position.moves(memory.moves, 0)
        for i in range(end):
            memory.order[i] = 1 if memory.moves[i] == memory.best_root and deep > 1 else 0
        memory.first_root, memory.end_root, memory.roots_done, memory.all_roots = 0, end, 0, 1
        memory.best_root = memory.moves[0]
        memory.guesses = memory.skips = 0
        begin(position, memory)
        urgent = position.urgent()
        score = alphabeta(
            position, memory, position.key(), deep, -INFINITE, INFINITE, 0, 0, urgent, False, False
        )
    return score


def one_game(position: Any, memory: Any, seed: int, depth: int, row: int) -> int:
    """Play a game from a few random moves on, writing rows from `row`; the next free row."""
    start, dice, ply, result = row, mix(12345, seed), 0, 0
    memory.past_plies, memory.reversible[0] = 0, 0
    opening = 2 + (right(dice, 40) & 7)
    while True:
        end = position.moves(memory.moves, 0)
        if end == 0:
            result = -1 if position.turn == 0 else 1
            break
        known = position.probe(memory)
        if known != UNKNOWN:
            result = 0 if known == 0 else 1 if (known > 0) == (position.turn == 0) else -1
            break
        if ply >= LONGEST or memory.reversible[0] >= 60:
            break
        dice = mix(dice, ply + 1)
        move = memory.moves[(right(dice, 33) & 65535) % end]
        if ply >= opening:
            random_move = right(dice, 20) & 31 == 0
            memory.best_root = move
            score = best_move(position, memory, depth)
            if not position.urgent() and score < 3000 and score > -3000:
                kept = at(memory.log, ROW, row)
                kept.own, kept.other, kept.kings, kept.turn = (
                    position.own,
                    position.other,
                    position.kings,
                    position.turn,
                )
                kept.score = score if position.turn == 0 else -score
                row += 1
            if not random_move:
                move = memory.best_root
        clock = 0 if position.resets(move) else memory.reversible[0] + 1
        memory.path[memory.past_plies] = position.key()
        memory.past_plies += 1
        memory.reversible[0] = clock
        position = position.play(move)
        ply += 1
    for i in range(start, row):
        at(memory.log, ROW, i).result = result
    return row


def play(path: str, minutes: float, depth: int, seed: int) -> None:
    game = plywise.load("checkers")
    engine = plywise.Engine(game, hash=16)
    runner = Specialisation(one_game, game, engine.evaluation, evaluation_changes(engine.evaluation))
    memory = runner.new_thread()
    engine.reload_resources()
    history = game.history()
    engine.start(history).prepare_thread(memory)
    rows = np.zeros(ROOM, np.dtype(list(ROW.fields)))
    memory.bind("log", rows)
    row, games, start = 0, 0, time.perf_counter()
    while time.perf_counter() - start < 60 * minutes and row < ROOM - LONGEST:
        engine.table.generation = games % 32
        memory.record.generation = games % 32
        row = runner(history.position, memory, seed * 1_000_003 + games, depth, row)
        games += 1
    np.save(path, rows[:row])
    kept = rows[:row]
    print(
        f"{games} games, {row} positions, {int(memory.record.nodes):,} nodes"
        f" in {time.perf_counter() - start:.0f} s"
    )
    print(
        "black wins, draws, white wins by position:",
        [(kept["result"] == r).mean().round(3) for r in (1, 0, -1)],
    )


# --- fitting --------------------------------------------------------------------------------------
def bits(x: Any) -> Any:
    return np.bitwise_count(x)


def rows_of(board: Any, pair: int) -> Any:
    low = board >> (4 * pair + pair // 2)
    return low & 255 if pair % 2 == 0 else low & 15 | low >> 1 & 240


def features(rows: Any) -> tuple[Any, Any, Any, list[str]]:
    """For Black: pattern numbers (N, 8) with signs, the share of many men, and the plain features."""
    turn = rows["turn"]
    black = np.where(turn == 0, rows["own"], rows["other"])
    white = np.where(turn == 0, rows["other"], rows["own"])
    kings = rows["kings"]
    bm, wm, bk, wk = black & ~kings, white & ~kings, black & kings, white & kings
    ternary, turned = np.array(TERNARY), np.array(TURNED)
    cases = []
    for pair in range(PAIRS):
        cases.append(pair * CASES + ternary[rows_of(bm, pair)] + 2 * ternary[rows_of(wm, pair)])
        cases.append(pair * CASES + turned[rows_of(wm, 6 - pair)] + 2 * turned[rows_of(bm, 6 - pair)])
    many = bits(bm | wm) / MEN
    empty = SQUARES & ~(black | white)
    plain, names = [], []

    def add(name: str, value: Any) -> None:
        names.append(name)
        plain.append(np.asarray(value, np.float32))

    add("man", bits(bm).astype(int) - bits(wm))
    add("king", bits(bk).astype(int) - bits(wk))
    for bit in range(35):
        if SQUARES >> bit & 1:
            add(f"king_on.{bit}", (bk >> bit & 1) - (wk >> (34 - bit) & 1))
    add("king_alone", ((bk != 0) & (wk == 0)).astype(int) - ((wk != 0) & (bk == 0)))
    steps, stuck = np.zeros(len(rows)), np.zeros(len(rows))
    for bit in range(35):
        if SQUARES >> bit & 1:
            here = 1 << bit
            around = (here << 4 | here << 5 | here >> 4 | here >> 5) & SQUARES
            free = bits(np.int64(around) & empty)
            sign = (bk >> bit & 1) - (wk >> bit & 1)
            steps += sign * free
            stuck += sign * (free == 0)
    add("king_steps", steps)
    add("king_stuck", stuck)
    below, above = white.copy(), black.copy()
    for _ in range(7):
        below |= (below >> 4 | below >> 5) & SQUARES
        above |= (above << 4 | above << 5) & SQUARES
    for row in range(1, 7):
        line = sum(1 << bit for bit in range(35) if SQUARES >> bit & 1 and (bit - bit // 9) >> 2 == row)
        turned_line = sum(1 << (34 - bit) for bit in range(35) if line >> bit & 1)
        free = bits(bm & ~below & line).astype(int) - bits(wm & ~above & turned_line)
        add(f"free.{7 - row}", np.where(bits(black | white) <= OPENED, free, 0))
    men_steps = bits(bm << 4 & empty).astype(int) + bits(bm << 5 & empty)
    add("man_steps", men_steps - bits(wm >> 4 & empty) - bits(wm >> 5 & empty))
    to_move = 1 - 2 * turn
    add("turn", to_move)
    by_white = white & (black << 4 & empty << 8 | black << 5 & empty << 10)
    by_white |= wk & (black >> 4 & empty >> 8 | black >> 5 & empty >> 10)
    by_black = black & (white >> 4 & empty >> 8 | white >> 5 & empty >> 10)
    by_black |= bk & (white << 4 & empty << 8 | white << 5 & empty << 10)
    add("threat", np.where(turn == 0, by_white != 0, by_black != 0) * to_move)
    pieces, ahead = bits(black | white), bits(black).astype(int) - bits(white)
    system = np.where(turn == 0, 0, 1)
    odd_rows = sum(1 << bit for bit in range(35) if SQUARES >> bit & 1 and (bit - bit // 9) >> 2 & 1)
    counted = bits((black | white) & np.where(system == 0, SQUARES & ~odd_rows, odd_rows)) & 1
    has = np.where(counted == 1, to_move, -to_move)
    add("move", np.where((ahead == 0) & (pieces <= FEW), has, 0))
    add("trade", ahead * (MEN - pieces.astype(int)) / MEN)
    return np.stack(cases), many.astype(np.float32), np.stack(plain), names


def fit(target: str, sources: list[str]) -> None:
    rows = np.concatenate([np.load(source) for source in sources])
    cases, many, plain, names = features(rows)
    # A lead of a man is taken to be worth what the search's own score says: sigmoid(score / 140).
    expected = 1 / (1 + np.exp(-np.clip(rows["score"], -1200, 1200) / 140))
    wanted = (0.5 * expected + 0.5 * (rows["result"] + 1) / 2).astype(np.float32)
    test = np.arange(len(rows)) // 2000 % 20 == 0  # whole games, nearly
    train = ~test
    size = PAIRS * CASES
    w = np.zeros(2 * size + len(names), np.float64)
    w[2 * size + names.index("man")], w[2 * size + names.index("king")] = 0.7, 1.0
    decay = np.full(len(w), 6e-5)
    decay[2 * size :] = 1e-8
    mean, square = np.zeros_like(w), np.zeros_like(w)

    def predicted(chosen: Any) -> Any:
        x = w[2 * size :] @ plain[:, chosen]
        share = many[chosen]
        for i, case in enumerate(cases[:, chosen]):
            value = w[case] * share + w[size + case] * (1 - share)
            x = x + value if i % 2 == 0 else x - value
        return 1 / (1 + np.exp(-x))

    def loss(chosen: Any) -> float:
        p = np.clip(predicted(chosen), 1e-6, 1 - 1e-6)
        y = wanted[chosen]
        return float(-(y * np.log(p) + (1 - y) * np.log(1 - p)).mean())

    everywhere = np.flatnonzero(train)
    rng = np.random.default_rng(1)
    step, batch = 0, 8192
    for epoch in range(10):
        rng.shuffle(everywhere)
        rate = 0.02 * 0.7**epoch
        for low in range(0, len(everywhere), batch):
            chosen = everywhere[low : low + batch]
            error = (predicted(chosen) - wanted[chosen]) / len(chosen)
            gradient = decay * w
            share = many[chosen]
            for i, case in enumerate(cases[:, chosen]):
                sign = 1 if i % 2 == 0 else -1
                gradient[:size] += np.bincount(case, sign * error * share, size)
                gradient[size : 2 * size] += np.bincount(case, sign * error * (1 - share), size)
            gradient[2 * size :] += plain[:, chosen] @ error
            step += 1
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            w -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-9)
        print(f"epoch {epoch}: train {loss(everywhere[:100000]):.5f} test {loss(test):.5f}", flush=True)
    save(target, w, names, len(rows))


def save(target: str, w: Any, names: list[str], count: int) -> None:
    """Whole numbers in units of which a man is 100, and the patterns with rare cases left at 0."""
    size = PAIRS * CASES
    plain = dict(zip(names, w[2 * size :], strict=True))
    unit = 100 / plain["man"]
    values: dict[str, Any] = {}
    for name, _, *shape in LAYOUT.fields:
        if name == "pairs":
            both = np.stack([w[:size], w[size : 2 * size]], 1).ravel() * unit
            values[name] = [round(x) for x in both]
        elif shape:
            values[name] = [round(plain.get(f"{name}.{i}", 0) * unit) for i in range(shape[0][0])]
        else:
            values[name] = round(plain[name] * unit)
    print({name: value for name, value in values.items() if name != "pairs"})
    page = {
        "unit": "hundredths of a man",
        "origin": f"benchmarks/checkers_training.py: {count:,} positions of games against itself",
        "values": values,
    }
    lines = json.dumps(page, indent=None, separators=(",", ":"))
    Path(target).write_text(lines.replace('],"', '],\n"').replace('{"', '{\n"') + "\n")


# --- a match ----------------------------------------------------------------------------------------
def one_duel(position: Any, memory: Any, side: int, depth: int, spare: int) -> int:
    """A game in which `side` plays with the other weights and table; 1, 0, -1 for Black."""
    ply = 0
    memory.past_plies, memory.reversible[0] = 0, 0
    while True:
        if position.moves(memory.moves, 0) == 0:
            return -1 if position.turn == 0 else 1
        known = position.probe(memory)
        if known != UNKNOWN:
            return 0 if known == 0 else 1 if (known > 0) == (position.turn == 0) else -1
        if ply >= LONGEST or memory.reversible[0] >= 80:
            return 0
        memory.weights = memory.weights_2 if position.turn == side else memory.weights_1
        memory.table = memory.table_2 if position.turn == side else memory.table_1
        memory.best_root = memory.moves[0]
        best_move(position, memory, depth)
        move = memory.best_root
        clock = 0 if position.resets(move) else memory.reversible[0] + 1
        memory.path[memory.past_plies] = position.key()
        memory.past_plies += 1
        memory.reversible[0] = clock
        position = position.play(move)
        ply += 1


def match(weights: str, ballots: int, depth: int) -> None:
    game = plywise.load("checkers")
    pair = [plywise.Engine(game, hash=16), plywise.Engine(game, hash=16, weights=weights)]
    own = pair[0].evaluation
    more = Layout(("weights_1", "i8"), ("weights_2", "i8"), ("table_1", "i8"), ("table_2", "i8"))
    wider = Evaluation(own.name, own.function, own.weights, more)
    runner = Specialisation(one_duel, game, wider, evaluation_changes(own))
    memory = runner.new_thread()
    for engine in pair:
        engine.reload_resources()
    pair[0].start(game.history()).prepare_thread(memory)
    for i, engine in enumerate(pair, 1):
        memory.bind(f"weights_{i}", engine._weights)
        memory.bind(f"table_{i}", engine.table.entries)
    found = [0, 0, 0]
    for number in range(2 * ballots):
        memory.record.generation = number % 32
        start = game.history(BALLOTS[number // 2 * 7 % len(BALLOTS)].text).position
        side = number % 2
        black = runner(start, memory, side, depth, 0)
        found[1 - (black if side == 0 else -black)] += 1
    score = (found[0] + found[1] / 2) / (2 * ballots)
    elo = -400 * math.log10(1 / min(max(score, 0.001), 0.999) - 1)
    print(f"{weights} against the package: +{found[0]} ={found[1]} -{found[2]}, {elo:+.0f} Elo")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("play")
    one.add_argument("path")
    one.add_argument("--minutes", type=float, default=4)
    one.add_argument("--depth", type=int, default=6)
    one.add_argument("--seed", type=int, default=1)
    two = commands.add_parser("fit")
    two.add_argument("target")
    two.add_argument("sources", nargs="+")
    three = commands.add_parser("match")
    three.add_argument("weights")
    three.add_argument("--ballots", type=int, default=174)
    three.add_argument("--depth", type=int, default=6)
    given = parser.parse_args()
    if given.command == "play":
        play(given.path, given.minutes, given.depth, given.seed)
    elif given.command == "fit":
        fit(given.target, given.sources)
    else:
        match(given.weights, given.ballots, given.depth)


if __name__ == "__main__":
    main()
