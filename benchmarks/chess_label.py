"""Positions for fitting the weights of chess: games that another engine plays, with its own scores.

    python benchmarks/chess_label.py OPENINGS.epd[.zip] OUT.txt [--engine COMMAND] [--nodes N] [--seconds S]

The engine (UCI) plays both sides with few nodes a move from drawn openings and some random moves. Random
moves during the game make the positions more diverse. Each quiet position (no check, and the best move
is no capture) is a line: its FEN, the engine's score for the side to move in hundredths of a pawn, and the
result of the game for the side to move (1, 0.5, 0). Needs python-chess for the boards.
"""

import argparse
import random
import subprocess
import time
from pathlib import Path

import chess

import plywise
from plywise.arena import openings

DECIDED = 2500  # positions with a higher score are left out


class Scorer:
    """A UCI engine that gives a move and a score after `nodes` nodes."""

    def __init__(self, command: str, nodes: int) -> None:
        self.nodes = nodes
        self.process = subprocess.Popen(
            command.split(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.send("uci", "setoption name Hash value 16", "isready")
        self.read_until("readyok")

    def send(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("\n".join(lines) + "\n")
        self.process.stdin.flush()

    def read_until(self, word: str) -> list[str]:
        assert self.process.stdout is not None
        lines = []
        while True:
            line = self.process.stdout.readline()
            lines.append(line)
            if line.startswith(word):
                return lines

    def best(self, fen: str) -> tuple[str, int | None]:
        """The move, and the score; None for a mate."""
        self.send(f"position fen {fen}", f"go nodes {self.nodes}")
        lines = self.read_until("bestmove")
        score = None
        for line in lines:
            words = line.split()
            if "score" in words:
                at = words.index("score")
                score = int(words[at + 2]) if words[at + 1] == "cp" else None
        return lines[-1].split()[1], score


def game(scorer: Scorer, start: str, dice: random.Random, wild: float) -> list[str]:
    """Play one game; return its quiet positions as lines."""
    board = chess.Board(start)
    for _ in range(dice.randrange(0, 7)):
        moves = list(board.legal_moves)
        if not moves:
            return []
        board.push(dice.choice(moves))
    kept: list[tuple[str, int, bool]] = []
    won = 0
    winner: bool | None = None
    while not board.is_game_over(claim_draw=False) and board.halfmove_clock < 60 and board.ply() < 240:
        fen = board.fen()
        text, score = scorer.best(fen)
        move = chess.Move.from_uci(text)
        if score is None or abs(score) > DECIDED:
            won += 1
            if won >= 3:
                winner = board.turn if score is None or score > 0 else not board.turn
                break
        else:
            won = 0
            if not board.is_check() and not board.is_capture(move) and not move.promotion:
                kept.append((fen, score, board.turn))
        if dice.random() < wild:
            move = dice.choice(list(board.legal_moves))
        board.push(move)
    if board.is_checkmate():
        winner = not board.turn
    return [
        f"{fen};{score};{0.5 if winner is None else float(winner == turn):g}" for fen, score, turn in kept
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("openings", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--engine", default="/usr/games/stockfish")
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=240.0)
    parser.add_argument("--wild", type=float, default=0.1, help="how often a random move is played")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    dice = random.Random(options.seed)
    rules = plywise.load("chess")
    texts = openings.read(rules, str(options.openings))
    starts = [openings.history(rules, text).text for text in dice.sample(texts, min(5000, len(texts)))]
    scorer = Scorer(options.engine, options.nodes)
    until = time.monotonic() + options.seconds
    games = positions = 0
    with options.out.open("a") as out:
        while time.monotonic() < until:
            lines = game(scorer, dice.choice(starts), dice, options.wild)
            out.write("".join(line + "\n" for line in lines))
            games += 1
            positions += len(lines)
    scorer.process.terminate()
    print(f"{games} games, {positions} positions")


if __name__ == "__main__":
    main()
