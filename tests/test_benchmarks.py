"""Every script in benchmarks/ runs once with its smallest arguments, so that none is broken unnoticed."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "benchmarks"
FILES = {
    "broken.py": "from plywise import game\n\n@game()\nclass Nothing:\n    pass\n",
    "tactics.epd": '6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; id "back rank";\n',
    "mate1.fen": "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1\n",
    "columns.txt": "2252576253462244111563365343671351441 -1\n23163416124767223154467471272416755633 0\n",
}

# The smallest arguments; {name} is a program that is needed.
SMALLEST = {
    "attack_page.py": "--connections 10 --messages 400 --kills 1 --cold",
    "arena_null.py": "--game tic_tac_toe --games 4 --slice 5",
    "arena_openings.py": "connect_four --count 2 --plies 2 --nodes 50 --spare 4 --out .",
    "arena_overhead.py": "--games 10 --recorded 10",
    "check_mistakes.py": ". broken.py",
    "checkers_endgames.py": "2",
    "checkers_match.py": "--ballots 1 --time 0.001",
    "checkers_positions.py": "--seconds 0.01 --only nothing",
    "checkers_speed.py": "--seconds 0.05",
    "chess_mates.py": "mate1.fen",
    "chess_perft.py": "--stockfish {stockfish} --rounds 1",
    "chess_speed.py": "--stockfish {stockfish} --nodes 1000",
    "chess_start.py": "--runs 1",
    "chess_tactics.py": "tactics.epd --nodes 100",
    "compile_time.py": "connect_four --rounds 1",
    "connect_four_solve.py": "columns.txt --limit 2",
    "connect_four_speed.py": "--depth 3 --own-depth 4 --rounds 1",
    "explain_cost.py": "tic_tac_toe --nodes 200 --rounds 1",
    "explain_cuts.py": "--cuts 2 --games tic_tac_toe",
    "explain_speed.py": "tic_tac_toe --nodes 500",
    "explain_why_not.py": "--positions 2 --games tic_tac_toe",
    "install_weight.py": "",
    "learn_examples.py": "othello --minutes 0.02 --plies 4 --pairs 1 --control cpu=0.001 --workers 1",
    "learn_kill.py": "connect_four --kills 1 --nodes 20",
    "learn_speed.py": "connect_four --nodes 2000 --games 4 --positions 5000 --rounds 1",
    "learn_sums.py": "connect_four --plies 1000",
    "first_minute.py": "connect_four --between 0.2",
    "fuzz_protocols.py": "--games tic_tac_toe connect_four --lines 1000",
    "fuzz_readers.py": "--count 100",
    "levels_ladder.py": "tic_tac_toe --levels 1-2 --pairs 1",
    "notebook_cells.py": "tic_tac_toe --nodes 100 --rounds 1",
    "othello_speed.py": "--depth 2 --rounds 1",
    "polis_games.py": "- - --pairs 1 --nodes 20",
    "polis_match.py": "default,nodes=20 classic,nodes=20 --pairs 1 --minutes 0.05",
    "polis_speed.py": "--nodes 1000",
    "protocol_answers.py": "--games connect_four --rounds 1",
    "probcut_fit.py": "connect_four --positions 3 --depth 4",
    "prove_games.py": "kalah --claims 10",
    "prove_random_games.py": "--searches 1",
    "skirmish_agents.py": "1 greedy",
    "skirmish_ordering.py": "linear 2",
    "solve.py": "tic_tac_toe start --hash 1",
    "screen_switches.py": "connect_four --nodes 20 --pairs 1 --fewer 10 --techniques futility+history",
    "search_depth.py": "connect_four --nodes 100 --count 2",
    "search_speed.py": "--games connect_four --nodes 1000 --rounds 1",
    "startup.py": "1",
    "strength_scale.py": "games.jsonl --meet nodes=20,heat=0.8 nodes=30,heat=0.5 --pairs 1",
    "threads.py": "connect_four --depth 4",
    "time_limit.py": "connect_four --time 0.01 --searches 3",
    "uci_first_info.py": "connect_four --rounds 2",
    "version_match.py": f"tic_tac_toe {sys.executable} --pairs 1 --nodes 50 --state match.jsonl",
    "version_player.py": "tic_tac_toe",
    "why_bad.py": "--positions 4 --games tic_tac_toe",
    "web_best_move.py": "--questions 2 --game tic_tac_toe --seat depth=1",
    "web_kill.py": "--kills 1 --visitors 1",
    "page_feel.py": "--plies 8 --variations 4 --steps 3 --moves 2",
    "web_load.py": "--visitors 1 --seconds 2 --level 1 --games tic_tac_toe",
    "why_page.py": "--game tic_tac_toe --nodes 500 --zooms 1",
}


def test_every_script_is_run() -> None:
    assert sorted(path.name for path in FOLDER.glob("*.py")) == sorted(SMALLEST)


@pytest.mark.thorough("runs a benchmark")
@pytest.mark.parametrize("script", SMALLEST)
def test_a_benchmark_runs_with_its_smallest_arguments(script: str, tmp_path: Path) -> None:
    words = []
    for word in shlex.split(SMALLEST[script]):
        if word.startswith("{"):
            found = shutil.which(word[1:-1]) or shutil.which(word[1:-1], path="/usr/games")
            if found is None:
                pytest.skip(f"{word[1:-1]} is not installed")
            word = found
        words.append(word)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    done = subprocess.run(
        [sys.executable, str(FOLDER / script), *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(FOLDER.parent)},  # some use helpers of the tests
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
