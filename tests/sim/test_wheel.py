"""The wheel by itself: everything that commands need is in it, and nothing of the source tree is."""

from __future__ import annotations

import os
import site
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DECKS = ("starter-red-blue", "starter-green-purple")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    words = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    built = subprocess.run(words, capture_output=True, text=True)
    if built.returncode:
        pytest.skip(f"pip cannot build a wheel here: {(built.stderr.strip() or built.stdout).splitlines()[-1]}")
    return next(folder.glob("cardmill-*.whl"))


def test_every_file_is_in_the_wheel(wheel: Path) -> None:
    packed = set(zipfile.ZipFile(wheel).namelist())
    for package in ("sim", "kernels", "analysis"):
        for file in (ROOT / package).rglob("*"):
            if file.is_file() and "__pycache__" not in file.parts:
                assert file.relative_to(ROOT).as_posix() in packed
    assert not [name for name in packed if name.startswith(("tests/", "bench/", "docs/"))]


@pytest.mark.slow
def test_the_demo_from_a_wheel_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    """An environment with the wheel in it, in a folder with a space and other letters, far from the source tree."""
    place = tmp_path / "an empty förder"
    venv.create(place / "env", with_pip=True)
    python = place / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"NUMBA_DISABLE_JIT": "1", "CARDMILL_CACHE": str(place / "cache"), "PYTHONIOENCODING": "ascii"}

    def say(*words: str) -> str:
        done = subprocess.run([python, *words], cwd=place, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    say("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", str(wheel))
    # dependencies are those of this environment; its own .pth files, and so the source tree, are not read
    inside = next((place / "env").rglob("site-packages"))
    (inside / "dependencies.pth").write_text("\n".join([*site.getsitepackages(), *packages_of_pth()]), encoding="utf-8")
    assert "site-packages" in say("-c", "import sim; print(ascii(sim.__file__))")
    cardmill = ("-m", "sim.cli")
    say(*cardmill, "run", *DECKS, "--games", "2", "--seed", "7", "--out", "a run", "--quiet")
    say(*cardmill, "report", "a run")
    page = (place / "a run" / "report.html").read_text(encoding="utf-8")
    assert DECKS[0] in page and "<script" in page
    assert "2 games" in say(*cardmill, "verify", "a run")
    assert "TD01-004" in say(*cardmill, "cards", "TD01-004")
    assert "over" in say(*cardmill, "replay", "a run", "0", "--json")
    assert '"stop_p"' in say(*cardmill, "lucky", "--json", "--games", "0")


def packages_of_pth() -> list[str]:
    """Folders with packages that this environment takes from elsewhere; the source tree is left out."""
    return [path for path in sys.path if path.endswith("site-packages") and path not in site.getsitepackages()]
