"""Is every "why is this bad?" sentence true? On positions of every shipped game, by an independent search.

    python benchmarks/why_bad.py [--positions N] [--seed N] [--games NAME ...] [--show]

For each position a legal move is drawn and explained. Another engine with an empty table then searches, one
turn deeper, and each claim is checked: the move is worse than the better one; a proven win is proven again;
the answer is the best one or gives away less than an inaccuracy would; the line can be played, and the pieces
that are said to be won are gone at its end.
"""

import argparse
import random
import time
from collections import Counter

import plywise
from plywise import Engine, Game, History
from plywise.core.scores import Kind, distance, is_sure
from plywise.explain import WhyBad, why_bad, why_bad_sentences
from plywise.play.win_chance import win_chance
from plywise.search.limits import Limits

DEEP = {"chess": 4, "checkers": 5, "polis": 2, "skirmish": 2, "connect_four": 8, "tic_tac_toe": 9}
SLACK = 0.05  # of the chance: an answer that gives away more would be an inaccuracy itself


def position(game: Game, dice: random.Random) -> History:
    """A position of a game of players that take the better of two random moves."""
    while True:
        history = game.history()
        for _ in range(dice.randrange(40)):
            if history.outcome is not None or not history.moves:
                break
            drawn = [history.play(dice.choice(history.moves)) for _ in range(2)]
            side = history.turn
            worth = [
                game.evaluate(one.position) * (1 if one.turn == side else -1) if one.outcome is None else 0
                for one in drawn
            ]
            history = drawn[worth.index(max(worth))]
        if history.outcome is None and len(history.moves) > 1:
            return history


def after(engine: Engine, history: History, moves: tuple[str, ...], depth: int) -> int:
    """The score, for the side to move in `history`, of the position after some moves."""
    end = history
    for move in moves:
        end = end.play(move)
    if end.outcome is not None:
        winner = end.outcome.winner
        return 0 if winner is None else 32000 if winner == history.turn else -32000
    result = engine.search(end, depth=depth)
    return result.score if end.turn == history.turn else -result.score


def pieces(history: History) -> Counter[tuple[int | None, str]]:
    """The pieces on the board, counted anew."""
    board = history.game.board(history.position)
    return Counter((piece.side, piece.name) for row in board.rows for piece in row if piece)  # type: ignore[union-attr]


def false_claims(found: WhyBad, engine: Engine) -> list[str]:
    """What the sentences say and an independent search denies."""
    history, played, best = found.history, found.played, found.best
    engine.clear()
    wrong = []
    depth = max(played.depth, best.depth) + 1
    if found.is_bad:
        bad, good = (after(engine, history, (one.move,), depth) for one in (played, best))
        if bad >= good:
            wrong.append(f"{played.move} ({bad}) is not worse than {best.move} ({good})")
    for one in (played, best):
        if one.kind is Kind.PROVEN and is_sure(one.score):
            deep = max(depth, (distance(one.score) or 0) + 4)  # risky pruning may need some turns more
            score = after(engine, history, (one.move,), deep)
            if not is_sure(score) or (score > 0) != (one.score > 0):
                wrong.append(f"{one.move} is not {one.score} but {score}")
    reply = played.reply(history)
    if found.is_bad and reply is not None and not is_sure(played.score):
        # Our first moves, in games where a side moves several times, lead to the reply.
        way = played.line[: played.line.index(reply, 1)]
        asked = history
        for move in way:
            asked = asked.play(move)
        left = depth if asked.play(reply).turn == asked.turn else depth - 1  # its turn may go on
        any_reply, chosen = after(engine, history, way, depth), after(engine, history, (*way, reply), left)
        taken, usual = (win_chance(score, history.game, found.unit) for score in (chosen, any_reply))
        if taken > usual + SLACK:
            wrong.append(f"after {played.move} the answer {reply} leaves {chosen}, another one {any_reply}")
    if found.piece_loss is not None:
        end = history
        for move in played.shown:
            end = end.play(move)
        gone = pieces(history) - pieces(end)
        for name, number in found.piece_loss.lost.items():
            promoted = sum(found.piece_loss.gained.values())
            if gone[history.turn, name] not in range(number, number + promoted + 1):
                wrong.append(f"{number} {name} lost, but {gone[history.turn, name]} gone")
        for name, number in found.piece_loss.taken.items():
            if gone[1 - history.turn, name] != number:
                wrong.append(f"{number} {name} taken, but {gone[1 - history.turn, name]} gone")
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print the sentences")
    names = list(plywise.shipped())
    parser.add_argument("--games", nargs="+", choices=names, default=names)
    options = parser.parse_args()
    bad = sentences = explained = 0
    for i, name in enumerate(options.games):
        share = options.positions // len(options.games) + (i < options.positions % len(options.games))
        if not share:
            continue
        game, dice, started = plywise.load(name), random.Random(options.seed), time.process_time()
        engine, other = Engine(game, hash=8), Engine(game, hash=8)
        wrong, mistakes = [], 0
        for _ in range(share):
            history = position(game, dice)
            move = dice.choice(history.moves)
            engine.clear()
            found = why_bad(engine, history, move, Limits(depth=DEEP[name]))
            said = why_bad_sentences(found)
            sentences, mistakes = sentences + len(said), mistakes + found.is_bad
            false = false_claims(found, other)
            if options.show or false:
                print(f"{history.text} | {' '.join(said)}")
            wrong += false
            print(*false, sep="\n", end="\n" if false else "")
        bad, explained = bad + len(wrong), explained + mistakes
        took = time.process_time() - started
        print(
            f"{name}, depth {DEEP[name]}: {share} moves, {mistakes} worse than the best,"
            f" {len(wrong)} false claims ({took:.0f} s of CPU)"
        )
    print(
        f"{options.positions} moves, {explained} worse than the best, {sentences} sentences:"
        f" {bad} false claims"
    )


if __name__ == "__main__":
    main()
