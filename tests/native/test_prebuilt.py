"""Compiled code that comes with a wheel: used where it fits, never stale, and no trouble elsewhere."""

import json
import os
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy
import pytest

from plywise.native import prebuilt

ROOT = Path(__file__).resolve().parents[2]
X86 = ("x86-64-v3", "x86-64") if llvm.get_process_triple().startswith("x86_64") else ()
FITS = next(
    name
    for name in (*X86, "generic")
    if all(llvm.get_host_cpu_features().get(feature) for feature in prebuilt.BASELINES[name])
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of the package with a manifest that fits, and nothing said yet."""
    monkeypatch.setattr(prebuilt, "FOLDER", tmp_path)
    monkeypatch.setattr(prebuilt, "_said", set())
    write_manifest(tmp_path)
    prebuilt.read_baseline.cache_clear()
    yield tmp_path
    prebuilt.read_baseline.cache_clear()


def write_manifest(folder: Path, **changes: Any) -> None:
    manifest = {**prebuilt.describe(FITS), **changes}
    (folder / prebuilt.MANIFEST).write_text(json.dumps(manifest))


def test_code_for_this_processor_is_used(folder: Path) -> None:
    assert prebuilt.read_baseline() == FITS
    (folder / "abc.native").touch()
    asked = []

    def tag(platform: Any) -> str:
        asked.append(platform)
        return "abc"

    assert prebuilt.find_file(tag) == folder / "abc.native"
    assert asked == [prebuilt.baseline_platform(FITS)] != [prebuilt.host_platform()]
    assert prebuilt.find_file(lambda platform: "other") is None


def test_a_package_without_code_says_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prebuilt, "FOLDER", folder / "absent")
    assert prebuilt.read_baseline() is None


@pytest.mark.parametrize(
    "change", [{"Numba": "0.1"}, {"llvmlite": "0.1"}, {"Python": "cpython-27"}, {"system": "elsewhere"}]
)
def test_code_of_another_version_is_not_used(folder: Path, change: dict[str, str]) -> None:
    write_manifest(folder, **change)
    ((name, value),) = change.items()
    with pytest.warns(prebuilt.PrebuiltUnused, match=f"made for {name} {value}, and here is") as said:
        found = [prebuilt.find_file(lambda platform: "abc") for _ in range(2)]
    assert found == [None, None] and len(said) == 1


def test_code_for_another_processor_is_not_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_manifest(folder, processor="x86-64-v3")
    features = dict.fromkeys(prebuilt.BASELINES["x86-64-v3"], True) | {"avx2": False}
    monkeypatch.setattr(llvm, "get_host_cpu_features", lambda: features)
    with pytest.warns(prebuilt.PrebuiltUnused, match="x86-64-v3, and this processor lacks avx2;"):
        assert prebuilt.read_baseline() is None


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"processor": "abacus"}'])
def test_a_manifest_that_cannot_be_read_is_said(folder: Path, text: str) -> None:
    (folder / prebuilt.MANIFEST).write_text(text)
    with pytest.warns(prebuilt.PrebuiltUnused, match="its manifest cannot be read"):
        assert prebuilt.read_baseline() is None


def test_code_is_built_only_for_a_baseline_that_numba_knows_of() -> None:
    with pytest.raises(ValueError, match="abacus is no baseline"), prebuilt.build_for("abacus"):
        pass
    with pytest.raises(ValueError, match="NUMBA_CPU_NAME must be x86-64-v2"), prebuilt.build_for("x86-64-v2"):
        pass


# --- a wheel of its own ------------------------------------------------------------------------------
ASK = """
import plywise
from plywise.search.specialisation import PerftCounter, is_cached
game = plywise.load("connect_four")
counter = PerftCounter(game)
print(is_cached(game), counter(game.start(), 3), counter.specialisation.native.cached)
"""
SEARCH = """
engine = plywise.Engine(game, hash=1)
print(engine.search(game.history(), depth=4).move, engine.specialisation.native.cached)
engine = plywise.Engine(game, hash=1, record=100)
print(engine.specialisation.native.cached, plywise.__file__)
"""
FOREIGN = """
import llvmlite.binding as llvm
features = llvm.get_host_cpu_features()
features["avx2"] = False
llvm.get_host_cpu_features = lambda: features
"""
OTHER_VERSION = "import numba\nnumba.__version__ = '0.68.99'\n"
COMPILE = "from plywise.cli import main\nmain(['compile', 'connect_four'])\n"


class Installed:
    """A fresh environment with the wheel, and nothing else of ours."""

    def __init__(self, place: Path, wheel: Path) -> None:
        self.place = place
        venv.create(place / "env", with_pip=False)
        self.python = place / "env" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        asked = [str(self.python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
        self.site = Path(subprocess.check_output(asked, text=True).strip())
        with zipfile.ZipFile(wheel) as file:
            file.extractall(self.site)
        # What Plywise needs is already installed where the tests run; a path file adds it at the end.
        (self.site / "needs.pth").write_text(f"{Path(numpy.__file__).parents[1]}\n")

    def ask(self, code: str, cache: str) -> tuple[str, str, list[str]]:
        """What it prints, what it warns of, and what it compiles."""
        log = self.place / f"{cache}.log"
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NUMBA"))
        }
        environment |= {"PLYWISE_CACHE": str(self.place / cache), "PLYWISE_COMPILE_LOG": str(log)}
        done = subprocess.run(
            [str(self.python), "-c", code], capture_output=True, text=True, env=environment, cwd=self.place
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip(), done.stderr, log.read_text().splitlines() if log.exists() else []


@pytest.mark.skipif(not (ROOT / "hatch_build.py").exists(), reason="a wheel is built in a clone")
@pytest.mark.thorough("builds a wheel with compiled code, and compiles without it")
def test_a_wheel_with_code_plays_without_compiling_and_falls_back(tmp_path: Path) -> None:
    environment = os.environ | {"PLYWISE_PREBUILD": FITS, "PLYWISE_PREBUILD_GAMES": "connect_four"}
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path / "dist")]
    done = subprocess.run([*command, str(ROOT)], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = (tmp_path / "dist").iterdir()
    assert "none-any" not in wheel.name, "it fits one system only"
    installed = Installed(tmp_path, wheel)
    code = installed.site / "plywise" / "native" / prebuilt.FOLDER.name
    files = sorted(code.glob("*.native"))
    assert len(files) == 3, "the search, the same with the recorder, and perft"

    printed, warned, made = installed.ask(ASK + SEARCH, "empty")
    assert printed.split()[:6] == ["True", "343", "True", "4", "True", "True"], (printed, warned)
    assert str(installed.site) in printed and not warned and not made
    assert not (tmp_path / "empty").exists(), "nothing is written"
    printed, warned, made = installed.ask(COMPILE, "compile")
    assert f"2 of 3 came with Plywise, compiled for {FITS}" in printed and not warned
    assert len(made) == 1, "the search with the net is no part of the wheel"

    for name, patch, reason in (
        ("foreign", FOREIGN, "this processor lacks avx2" if prebuilt.BASELINES[FITS] else None),
        ("version", OTHER_VERSION, "and here is 0.68.99"),
    ):
        if reason:
            printed, warned, made = installed.ask(patch + ASK, name)
            assert printed == "False 343 False"
            assert warned.count(reason) == warned.count("not used") == 1
            assert len(made) == 1

    manifest = (code / prebuilt.MANIFEST).read_text()
    (code / prebuilt.MANIFEST).write_text(manifest.replace(numba.__version__, "0.68.99"))
    printed, warned, made = installed.ask(COMPILE, "processes")
    assert "came with" not in printed and len(made) == 3
    assert warned.count("not used") == 1, "the processes that compile do not say it again"
    (code / prebuilt.MANIFEST).write_text(manifest)

    for path in files:
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
    before = [path.read_bytes() for path in files]
    printed, warned, made = installed.ask(ASK, "damaged")
    assert printed.split()[1:] == ["343", "False"] and len(made) == 1
    assert warned.count("is not used: a file of it is damaged") == 1
    assert installed.ask(ASK, "damaged")[0].split()[1:] == ["343", "True"], "what was compiled is kept"
    assert [path.read_bytes() for path in files] == before, "the package is left as it is"


@pytest.mark.skipif(not (ROOT / "hatch_build.py").exists(), reason="a wheel is built in a clone")
@pytest.mark.thorough("builds a wheel")
def test_a_wheel_has_no_code_unless_asked(tmp_path: Path) -> None:
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PLYWISE_PREBUILD")
    }
    command = [
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        str(tmp_path),
        str(ROOT),
    ]
    subprocess.run(command, check=True, capture_output=True, env=environment)
    (wheel,) = tmp_path.iterdir()
    assert wheel.name.endswith("py3-none-any.whl")
    assert not [name for name in zipfile.ZipFile(wheel).namelist() if prebuilt.FOLDER.name in name]
