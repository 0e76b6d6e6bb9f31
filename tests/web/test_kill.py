"""kill -9 during play: what was announced is there when the page comes back."""

import asyncio
import os
import random
import sqlite3
import threading
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from plywise.web.connection import Connection
from plywise.web.hub import Hub
from plywise.web.server import Server
from plywise.web.store import Store
from tests.web.page import TIMEOUT, Page, Refusal
from tests.web.process import Process

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are sent as on POSIX")


def is_whole(folder: Path) -> bool:
    """Whether the database is not damaged."""
    file = sqlite3.connect(folder / "games.sqlite")
    try:
        return bool(file.execute("PRAGMA integrity_check").fetchone()[0] == "ok")
    finally:
        file.close()


def test_a_killed_server_loses_at_most_the_move_being_sent(folder: Path) -> None:
    dice = random.Random(7)
    visitor = "killed-and-resumed-visitor"
    id, known = "", ["", ""]
    for life in range(3):
        with Process(folder) as server, Page(server.port, visitor) as page:
            if not id:
                id = page.new("connect_four", None, 1)
            state = page.open(id)
            kept = [node["said"] for node in state["nodes"]]
            assert kept[: len(known)] == known or life == 0, "all that was announced is there"
            kill = threading.Timer(dice.uniform(0.0, 0.5), server.process.kill)
            try:
                while not (state := page.wait_for_turn(id))["outcome"]:
                    if len(state["nodes"]) > 1 and kill.ident is None:  # something is there to be lost
                        kill.start()
                    page.play(id, dice.choice(state["view"]["moves"])["move"])
                    known = [node["said"] for node in page.states[id]["nodes"]]
            except (ConnectionClosed, Refusal):
                pass
            known = [node["said"] for node in page.states[id]["nodes"]]
            server.kill()
        assert is_whole(folder)
    assert len(known) > 1, "moves were played between the kills"


def test_ctrl_c_says_goodbye_to_the_pages(folder: Path) -> None:
    with Process(folder) as server, Page(server.port) as page:
        id = page.new("tic_tac_toe")
        page.play(id, "b2")
        assert server.interrupt() == 130
        assert page.wait_for("bye")
        assert "Traceback" not in "".join(server.output)
    with Process(folder) as server, Page(server.port, page.visitor) as page:
        assert page.open(id)["tip"] == 1


def test_goodbye_is_said_though_the_server_ends_in_the_same_moment(folder: Path) -> None:
    """The signal may come just before the server looks at whether it is to end."""
    server = Server(Hub(Store(folder / "games.sqlite")), 0).start()
    with Page(server.port) as page:
        (connection,) = server.hub.connections
        assert isinstance(connection, Connection)

        async def end() -> None:
            server.hub.shut_down()
            await server.server.shutdown([])

        asyncio.run_coroutine_threadsafe(end(), connection.loop).result(TIMEOUT)
        assert page.wait_for("bye")
    server.stop()


def test_two_servers_on_one_folder_do_not_harm_each_other(folder: Path) -> None:
    with Process(folder) as one, Process(folder) as two, Page(one.port) as here:
        id = here.new("tic_tac_toe")
        with Page(two.port, here.visitor) as there:
            there.open(id)
            here.play(id, "b2")
            with pytest.raises(Refusal, match="changed by another Plywise"):
                there.ask("play", game=id, node=0, move="a1")
            state = there.state(id, lambda one: one["tip"] == 1)
            assert state["nodes"][1]["said"] == "b2"
            there.play(id, "a1")
            assert there.states[id]["tip"] == 2
    assert is_whole(folder)


def test_a_partial_choice_survives(folder: Path) -> None:
    with Process(folder) as server, Page(server.port) as page:
        id = page.new("skirmish")
        move = page.states[id]["view"]["moves"][-1]["move"]
        page.play(id, move)
        server.kill()
    with Process(folder) as server, Page(server.port, page.visitor) as again:
        assert again.open(id)["view"]["chosen"] == [move]


def test_a_game_of_ones_own_needs_its_file(folder: Path) -> None:
    file = folder / "sticks.py"
    file.write_text(
        "from dataclasses import dataclass\nfrom plywise import game\n\n\n"
        "@game('sticks')\n@dataclass(frozen=True)\nclass Sticks:\n"
        "    left: int = 10\n    turn: int = 0\n\n"
        "    def moves(self):\n        return range(1, min(3, self.left) + 1)\n\n"
        "    def play(self, move):\n        return Sticks(self.left - move, 1 - self.turn)\n"
    )
    with Process(folder, str(file)) as server, Page(server.port) as page:
        id = page.new("sticks", None, 10)
        page.play(id, "3")
        assert page.wait_for_turn(id)["nodes"][2]["said"] == "3", "it leaves a multiple of four"
        server.kill()
    with Process(folder) as server, Page(server.port, page.visitor) as again:
        with pytest.raises(Refusal, match="start plywise with its file"):
            again.ask("open", game=id)
        assert again.ask("list")["games"][0]["id"] == id
