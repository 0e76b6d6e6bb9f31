"""Every request with input that is no good: refused in one sentence, connection and game unharmed."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from plywise.web.schema import REQUESTS, check_fields
from plywise.web.server import Server
from tests.web.messages import PEOPLE, VALID, message
from tests.web.page import Page, Refusal


def refused(page: Page, do: str, **fields: Any) -> str:
    """The sentence of a refusal."""
    with pytest.raises(Refusal) as error:
        page.ask(do, **fields)
    words = str(error.value)
    assert words and "\n" not in words and "Traceback" not in words
    return words


def test_hello_tells_what_there_is(page: Page) -> None:
    games = {game["name"]: game for game in page.greeting["games"]}
    assert {"chess", "checkers", "polis", "skirmish", "connect_four", "tic_tac_toe", "duel"} <= set(games)
    assert games["duel"]["own"] and not games["chess"]["own"]
    assert games["skirmish"]["world"] and not games["chess"]["world"]
    assert "pgn" in games["chess"]["formats"]
    assert len(games["chess"]["levels"]) == 10
    assert games["chess"]["starts"][0] == {"name": "start", "position": "start"}
    assert page.greeting["running"] == []


def test_nothing_is_answered_before_hello(server: Server) -> None:
    with Page(server.port, hello=False) as page:
        assert refused(page, "list") == "say hello first"
        assert "visitor must be 22 to 100" in refused(page, "hello", visitor="short")
        assert "visitor must be" in refused(page, "hello", visitor="x" * 30 + "/../")
        assert "wants the field 'visitor'" in refused(page, "hello")
        page.ask("hello", visitor="v" * 30)
        assert page.ask("list") == {"games": []}


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("", "one JSON object"),
        ("{", "one JSON object"),
        ("[1]", "one JSON object, not list"),
        ('"hello"', "one JSON object"),
        ("null", "one JSON object"),
        ('{"do": "list"}', "wants an 'id'"),
        ('{"id": true, "do": "list"}', "wants an 'id'"),
        ('{"id": -1, "do": "list"}', "wants an 'id'"),
        ('{"id": 1e3, "do": "list"}', "wants an 'id'"),
        ('{"id": NaN, "do": "list"}', "NaN is no number"),
        ('{"id": 7}', "wants 'do'"),
        ('{"id": 7, "do": ["list"]}', "wants 'do'"),
        ('{"id": 7, "do": "lists"}', "unknown request 'lists'; did you mean 'list'?"),
        ('{"id": 7, "do": "list", "extra": 1}', 'list has no field "extra"'),
        ("[" * 60_000, "one JSON object"),
        ('{"id": ' + "9" * 5000 + "}", "one JSON object"),
    ],
)
def test_a_message_that_is_none_is_refused(page: Page, words: str, reason: str) -> None:
    answer = page.ask_raw(words)
    assert reason in answer["error"]
    assert answer["re"] in (None, 7)
    assert page.ask("list") == {"games": []}


def test_large_messages_are_refused(page: Page) -> None:
    long = json.dumps({"id": 5, "do": "rules", "game": "x" * (65 << 10)})
    assert page.ask_raw(long) == {"re": 5, "error": f"rules may have 65536 characters, not {len(long)}"}
    assert (
        "may have 262144 characters" in page.ask_raw(json.dumps({"id": 6, "do": "x" * (300 << 10)}))["error"]
    )
    assert page.ask("list") == {"games": []}


def test_a_huge_message_ends_only_its_own_connection(server: Server, page: Page) -> None:
    with Page(server.port) as other:
        # Only the head of the frame: the server need not read the rest to refuse it, and a socket that is
        # closed with bytes unread is reset, which may take its last words from the client.
        text, masked_and_long, mask = 0x81, 0xFF, bytes(4)
        other.socket.socket.sendall(bytes([text, masked_and_long]) + (2 << 20).to_bytes(8, "big") + mask)
        with pytest.raises(ConnectionClosed) as closed:
            other.read()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009
    assert page.ask("list") == {"games": []}


def test_bytes_end_only_their_own_connection(server: Server, page: Page) -> None:
    with Page(server.port) as other, pytest.raises(ConnectionClosed):
        other.ask_raw(b"\x00\xff")
    assert page.ask("list") == {"games": []}


BAD: list[Any] = [None, True, -1, 1.5, 10**30, "", "x", "\x00", "x" * 3000, [], [1], {}, {"kind": "level"}]


@pytest.mark.parametrize("name", sorted(REQUESTS))
def test_every_request_has_a_message_that_fits(name: str) -> None:
    """Whoever adds a request gives it fields in `messages.py`, or it is attacked by nobody."""
    fields = message(name, "a" * 16)
    assert fields.pop("do") == name
    check_fields(name, REQUESTS[name].fields, fields)


def test_the_server_s_page_lists_every_request_with_its_fields() -> None:
    page = Path(__file__).parents[2] / "docs" / "server.md"
    rows = [line.split("|")[1:3] for line in page.read_text(encoding="utf-8").splitlines() if "| `" in line]
    listed = {name: set(_quoted(fields)) for names, fields in rows for name in _quoted(names)}
    assert set(REQUESTS) <= set(listed)
    for name, one in REQUESTS.items():
        assert set(one.fields) <= listed[name], name


def _quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_no_message_is_of_a_request_that_is_gone() -> None:
    assert set(VALID) <= set(REQUESTS)


@pytest.mark.parametrize("name", sorted(REQUESTS))
def test_every_field_of_every_request_refuses_what_does_not_fit(page: Page, name: str) -> None:
    id = page.new("tic_tac_toe")
    fields = dict(VALID.get(name, {}))
    if "game" in REQUESTS[name].fields and "game" not in fields:
        fields["game"] = id
    refused(page, name, **fields, surplus=1)
    for field in REQUESTS[name].fields:
        for value in BAD:
            answer = page.ask_raw(json.dumps({"id": 1, "do": name, **fields, field: value}))
            assert answer["re"] == 1
            assert "went wrong" not in answer.get("error", ""), (field, value)
            assert len(answer.get("error", "")) < 400, (field, value)
    for game, state in list(page.states.items()):
        assert state["nodes"], game
    assert page.ask("rules", game="chess")["title"] == "Chess"


@pytest.mark.parametrize(
    "name", sorted(name for name, one in REQUESTS.items() if "game" in one.fields and "why" not in name)
)
def test_unknown_games_are_named(page: Page, name: str) -> None:
    fields = {"seats": PEOPLE, "text": "start", **VALID.get(name, {}), "game": "nosuch"}
    known = {field: value for field, value in fields.items() if field in REQUESTS[name].fields}
    if name in ("close", "quiet", "stop review"):
        assert page.ask(name, **known) == {}
        return
    assert "nosuch" in refused(page, name, **known)


def test_a_game_has_to_be_open(server: Server, page: Page) -> None:
    id = page.new("tic_tac_toe")
    with Page(server.port) as other:
        assert refused(other, "look", game=id, node=0) == f"open the game '{id}' first"


def test_only_the_owner_deletes_a_game(server: Server, page: Page) -> None:
    id = page.new("tic_tac_toe")
    with Page(server.port) as other:
        other.open(id)
        assert "you have no game" in refused(other, "delete", game=id)
        page.ask("delete", game=id)
        assert other.wait_for("error")["words"] == "this game has been deleted"
    assert id not in [one["id"] for one in page.ask("list")["games"]]


def test_a_position_of_another_game_is_refused(page: Page) -> None:
    fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    assert "cannot be set up" in refused(page, "new", game="checkers", seats=PEOPLE, position=fen)
    assert refused(page, "import", game="polis", text=fen)
    assert "evaluator" in refused(page, "new", game="chess", seats=PEOPLE, evaluator="nosuch")
    assert "pawn on e2" in refused(page, "new", game="chess", seats=PEOPLE, moves=["e2e5"])
    assert "start plywise" not in refused(page, "new", game="/etc/passwd", seats=PEOPLE)


def test_seats_and_clocks_are_checked(page: Page) -> None:
    def tried(**fields: Any) -> str:
        return refused(page, "new", **{"game": "tic_tac_toe", "seats": PEOPLE, **fields})

    assert "2 entries" in tried(seats=PEOPLE[:1])
    assert "from 1 to 10" in tried(seats=[PEOPLE[0], {"kind": "level", "level": 11}])
    assert "no field" in tried(seats=[PEOPLE[0], {"kind": "person", "level": 1}])
    assert "seats[1] must be" in tried(seats=[PEOPLE[0], {"kind": "god"}])
    assert "increment" in tried(clock={"base": 60})
    assert "base must be from 1" in tried(clock={"base": 0, "increment": 0})


def test_a_page_opens_only_so_many_games(page: Page) -> None:
    ids = [page.new("tic_tac_toe") for _ in range(12)]
    assert "12 games are open" in refused(page, "new", game="tic_tac_toe", seats=PEOPLE)
    page.ask("close", game=ids[0])
    page.new("tic_tac_toe")


def test_only_so_many_questions_are_thought_about_at_a_time(page: Page) -> None:
    id = page.new("connect_four")
    asked = [page.send("hint", game=id, node=0) for _ in range(8)]
    answers: dict[int, dict[str, Any]] = {}
    while len(answers) < len(asked):
        message = page.read()
        if "re" in message:
            answers[message["re"]] = message
    refused_ = [one for one in answers.values() if "searches of " in one.get("error", "")]
    given = [one for one in answers.values() if "move" in one]
    assert len(given) + len(refused_) == 8 and len(given) >= 4 and refused_


def test_who_asks_and_does_not_listen_harms_nobody(server: Server, page: Page) -> None:
    id = page.new("chess")
    with Page(server.port) as deaf:
        deaf.open(id)
        for number in range(2000):
            deaf.socket.send(json.dumps({"id": number, "do": "look", "game": id, "node": 0}))
        assert page.ask("look", game=id, node=0)
        heard = sum("re" in deaf.read() for _ in range(2000))
        assert heard == 2000, "all is answered once it listens"
