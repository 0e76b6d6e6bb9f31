"""What a page of one's own costs: the server's processor time a question, beyond the search itself.

python benchmarks/web_best_move.py [--questions N] [--game GAME] [--seat SEAT]
"""

import argparse
import http.client
import json
import os
import tempfile
import time
from urllib.parse import urlencode

from plywise import load
from plywise.play.player import player_of_seat
from plywise.play.seat import read_seat
from plywise.play.state import start_game

ORIGIN = "http://localhost:8000"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=50)
    parser.add_argument("--game", default="connect_four")
    parser.add_argument("--seat", default="depth=6")
    given = parser.parse_args()
    os.environ["PLYWISE_DATA"] = tempfile.mkdtemp()
    from plywise.web.server import Server, open_hub

    game = load(given.game)
    player = player_of_seat(game, read_seat(game, given.seat))
    state = start_game(game)
    player.think(state, state.turn)  # compiled now
    before = time.process_time()
    for _ in range(given.questions):
        player.think(state, state.turn)
    search = (time.process_time() - before) / given.questions

    server = Server(open_hub(), 0, [ORIGIN]).start()
    question = "/api/best-move?" + urlencode({"game": given.game, "seat": given.seat})

    def ask() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        connection.request("GET", question, headers={"Origin": ORIGIN})
        assert json.loads(connection.getresponse().read())["move"]
        connection.close()

    ask()
    time.sleep(1.0)  # its engines are ready now
    before = time.process_time()
    for _ in range(given.questions):
        ask()
    # The asking is counted as well: it runs in this process.
    whole = (time.process_time() - before) / given.questions
    server.stop()
    beyond = 1000 * (whole - search)
    print(f"{given.game}, {given.seat}: {1000 * search:.1f} ms of search, {beyond:.1f} ms beyond it")


if __name__ == "__main__":
    main()
