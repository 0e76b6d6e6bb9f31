"""The page's files: all there, of the right type, asked for again only when they are new."""

import pytest

from plywise.web.server import STATIC, Server
from tests.web.test_security import get

TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html"}
FILES = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file())


def test_the_page_is_at_the_root(server: Server) -> None:
    status, headers, text = get(server.port, "/")
    assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "<title>" in text and "Plywise" in text


@pytest.mark.parametrize("name", FILES)
def test_each_file_is_served_as_what_it_is(server: Server, name: str) -> None:
    status, headers, _ = get(server.port, f"/static/{name}")
    assert status == 200
    assert headers["content-type"].startswith(TYPES[f".{name.rpartition('.')[2]}"])
    assert headers["cache-control"] == "no-cache"


def test_an_unchanged_file_is_not_sent_again(server: Server) -> None:
    tag = get(server.port, f"/static/{FILES[0]}")[1]["etag"]
    status, headers, text = get(server.port, f"/static/{FILES[0]}", **{"If-None-Match": tag})
    assert (status, text) == (304, "")
    assert "content-security-policy" in headers


def test_nothing_inline_that_the_policy_would_refuse() -> None:
    text = (STATIC / "index.html").read_text(encoding="utf-8").lower()
    assert "<style" not in text and " style=" not in text and " onclick=" not in text
    assert text.count("<script") == text.count('<script type="module" src="')


def test_the_whole_page_weighs_less_than_400_kilobytes() -> None:
    assert sum((STATIC / name).stat().st_size for name in FILES) < 400_000
