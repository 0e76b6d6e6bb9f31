"""What all tests share: the two suites, a data folder for each test, and the games of the tests.

The default suite (`pytest`) takes minutes. The thorough suite (`pytest --thorough`) is what it leaves
out: tests marked `@pytest.mark.thorough("what makes it long")`, and larger samples for the tests that
take theirs from the fixture `scaled`. What a thorough test needs and does not find, it names and skips.
"""

import itertools
import os
import random
import shutil
import signal
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import hypothesis
import pytest

import plywise
from plywise import Game, History
from plywise.core.errors import BadGame
from plywise.search.specialisation import NotCompiled

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = Path(__file__).with_name("samples")
IS_WORKER = "PYTEST_XDIST_WORKER" in os.environ
LEFT_OUT = pytest.StashKey[int]()
Choice = TypeVar("Choice")

# Compiled code is kept apart from the user's, and from one run to the next. Its files are named by what
# is in them, so the tests may share them.
os.environ["PLYWISE_CACHE"] = os.path.abspath(
    os.environ.get("PLYWISE_CACHE", ROOT / ".pytest_cache" / "plywise")
)
# For what is made before a test begins. A user's endgame databases would make the search know more than
# the minimax it is compared with.
os.environ["PLYWISE_DATA"] = OUTSIDE = tempfile.mkdtemp(prefix="plywise-tests-")
if not IS_WORKER and "PLYWISE_COMPILE_LOG" not in os.environ:
    os.environ["PLYWISE_COMPILE_LOG"] = str(Path(OUTSIDE, "compiled"))

# The tests start hundreds of processes of the package, which find its bytecode as those of users do.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A busy machine is no reason to fail: nothing that Hypothesis tries has a time limit.
hypothesis.settings.register_profile(
    "no clock", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("no clock")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Shells start background jobs deaf to Ctrl-C, and their children inherit that; the tests press it.
    signal.signal(signal.SIGINT, signal.default_int_handler)


# --- the two suites -------------------------------------------------------------------------------
def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--thorough",
        action="store_true",
        help="run the thorough suite: what the default suite leaves out, and larger samples",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests of the suite that was asked for."""
    chosen, rest, left_out = [], [], 0
    for item in items:
        marker = item.get_closest_marker("thorough")
        if marker is not None and not (marker.args and isinstance(marker.args[0], str)):
            raise pytest.UsageError(f"{item.nodeid}: @pytest.mark.thorough wants its reason")
        left_out += marker is not None
        if config.getoption("--thorough"):
            wanted = marker is not None or "scaled" in getattr(item, "fixturenames", ())
        else:
            wanted = marker is None
        (chosen if wanted else rest).append(item)
    if rest:
        config.hook.pytest_deselected(items=rest)
        items[:] = chosen
    config.stash[LEFT_OUT] = 0 if config.getoption("--thorough") else left_out


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """`-n auto` is one process more than cores: a third of the time a test waits for a process or a clock.

    The thorough suite waits less, and its browsers need their core.
    """
    return None if config.getoption("--thorough") else (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Processes take whole stretches of tests and help each other at the end.

    So a module's tests mostly run in one process: its server is started once, and nobody waits for code that
    the other compiles.
    """
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log) if config.getoption("dist") == "load" else None


class Scaled:
    """`scaled(10, 1000)` is 10 in the default suite and 1000 in the thorough one."""

    def __init__(self, thorough: bool) -> None:
        self.thorough = thorough

    def __call__(self, default: Choice, large: Choice) -> Choice:
        return large if self.thorough else default

    @property
    def compiled(self) -> bool:
        """Most games are searched interpreted in the default suite: a compilation takes 5 to 25 seconds."""
        return self.thorough


@pytest.fixture(scope="session")
def scaled(pytestconfig: pytest.Config) -> Scaled:
    """How large a sample is, and whether it is searched compiled. Its tests run in both suites."""
    return Scaled(bool(pytestconfig.getoption("--thorough")))


@contextmanager
def interpreted() -> Iterator[None]:
    """Nothing is compiled: everything runs as Python."""

    def refuse(*arguments: Any) -> None:
        raise BadGame("nothing is compiled here")

    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore", NotCompiled)
        patch.setattr("plywise.native.compile", refuse)
        yield


# --- isolation ------------------------------------------------------------------------------------
@pytest.fixture(autouse=True)
def _data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Saved games, databases and matches of each test stand in a folder of its own, made by who needs it."""
    monkeypatch.setenv("PLYWISE_DATA", str(Path(OUTSIDE, f"data{next(_numbers)}")))


_numbers = itertools.count()


def pytest_unconfigure(config: pytest.Config) -> None:
    shutil.rmtree(OUTSIDE, ignore_errors=True)


# --- what is said at the end ------------------------------------------------------------------------
def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = session.config.stash.get(LEFT_OUT, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """A process of pytest-xdist has ended; each has collected all tests."""
    node.config.stash[LEFT_OUT] = getattr(node, "workeroutput", {}).get("left_out", 0)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    compiled = compilations()
    if compiled:
        twice = [name for name, times in compiled.items() if times > 1]
        terminalreporter.write_line(
            f"compiled {len(compiled)} specialisations, "
            + (f"twice: {' '.join(twice)}" if twice else "none twice")
        )
    if left_out := config.stash.get(LEFT_OUT, 0):
        terminalreporter.write_line(f"{left_out} tests are left to the thorough suite: pytest --thorough")


def compilations() -> Counter[str]:
    """What this run has compiled into the shared cache, and how often."""
    log, shared = Path(os.environ["PLYWISE_COMPILE_LOG"]), os.environ["PLYWISE_CACHE"]
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    paths = (line.rpartition(" ") for line in lines)
    return Counter(name for path, _, name in paths if os.path.dirname(path) == shared)


# --- games and positions --------------------------------------------------------------------------
SAMPLE_NAMES = ("duel", "kalah", "pebbles", "runners")
EXAMPLES = ROOT / "examples"
EXAMPLE_NAMES = tuple(sorted(path.stem for path in EXAMPLES.glob("*.py")))


def sample(name: str, folder: Path = SAMPLES) -> Game:
    """A game of the tests, by its file in tests/samples or in another folder."""
    path = str(folder / f"{name}.py")
    if path not in _loaded:
        _loaded[path] = plywise.load(path)
    return _loaded[path]


_loaded: dict[str, Game] = {}


def walk(game: Game, seed: int, most: int = 60) -> Iterator[History]:
    """The histories of one random game."""
    dice = random.Random(seed)
    history = game.history()
    yield history
    for _ in range(most):
        moves = game.moves(history.position)
        if history.outcome is not None or not moves:
            return
        history = history.play(dice.choice(moves))
        yield history


def open_positions(game: Game, count: int, seed: int = 1, most: int = 60) -> list[History]:
    """Histories of random games that are not over, spread over many games."""
    found: list[History] = []
    while len(found) < count:
        seed += 1
        going = [history for history in walk(game, seed, most) if history.outcome is None]
        found += random.Random(seed).sample(going, min(3, len(going)))
    return found[:count]


GAMES = [*plywise.shipped(), *(f"samples/{name}" for name in SAMPLE_NAMES)]
COMPILED = ("connect_four", "samples/runners")  # compiled in the default suite; the others in the thorough
PLAIN = ("tic_tac_toe",)


def named(name: str) -> Game:
    """A shipped game, `samples/NAME` or `examples/NAME`."""
    folder, _, file = name.rpartition("/")
    if not folder:
        return plywise.load(name)
    return sample(file, {"samples": SAMPLES, "examples": EXAMPLES}[folder])


@pytest.fixture(params=GAMES)
def any_game(request: pytest.FixtureRequest) -> Game:
    """Every shipped game, and those of the tests."""
    return named(request.param)


@pytest.fixture(
    params=[
        pytest.param(name, marks=() if name in COMPILED else pytest.mark.thorough("compiles the game"))
        for name in GAMES
        if name not in PLAIN
    ]
)
def native_game(request: pytest.FixtureRequest) -> Game:
    """Every game that can be compiled; in the default suite only those that are compiled there anyway."""
    return named(request.param)
