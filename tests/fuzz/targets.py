"""What is fuzzed: each target reads one damaged thing, and may end well or with a documented error, nothing else.

`python -m tests.fuzz.targets [--seconds 60] [TARGET...]` looks for faults with random edits for longer than a test may;
with the package atheris installed, `--atheris TARGET` lets coverage guide them. A fault found becomes a file in
tests/fuzz/found, which every test run reads from then on.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import random
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from sim.errors import InputError

ROOT = Path(__file__).parents[2]
FOUND = Path(__file__).parent / "found"
GAMES = ROOT / "sim" / "games"
PIECES = (
    *(
        b"",
        b"\n",
        b"\r\n",
        b'"',
        b"'",
        b"=",
        b"[",
        b"]",
        b"[[",
        b"{",
        b"}",
        b"#",
        b"\\",
        b"\\u12",
        b"\x00",
        b"\xff\xfe",
    ),
    *(
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"9" * 30,
        b"-1",
        b"1e999",
        b"nan",
        b"true",
        b"null",
        b"[]",
        b"{}",
        b'""',
        b"x",
        b" x2",
    ),
    *("×２".encode(), "ＡＢ".encode(), "\u202e".encode(), "é".encode(), b"TD01-004", b"AE-N01", b"choose"),
    *(b"games", b"block", b"1970-01-01", b"0x7f", b"(" * 200, b"[" * 200, b"a = [" * 100, b"A: ", b"#2", b".power"),
)
"""What edits put in: bytes that parsers trip over, and words of the languages here."""


def edited(data: bytes, choose: random.Random) -> bytes:
    """A few edits: cut, doubled, exchanged and inserted pieces."""
    for _ in range(choose.choice((1, 1, 2, 3, 8))):
        a = choose.randrange(len(data) + 1)
        b = min(len(data), a + choose.choice((0, 1, 2, 5, 20, 200)))
        piece = choose.choice((choose.choice(PIECES), data[b : b + choose.randrange(40)], data[a:b] * 2))
        data = data[:a] + piece + data[b:]
    return data


def cards(file: Path, game: str) -> None:
    """A card file."""
    from sim.cards import load_cards
    from sim.checking import check_paths

    with contextlib.suppress(InputError):
        check_paths([str(file)], game)
    with contextlib.suppress(InputError):
        load_cards(game, [file])


def deck(file: Path, game: str) -> None:
    """A deck file."""
    from sim.cards import load_cards
    from sim.decks import load_deck

    with contextlib.suppress(InputError):
        load_deck(file, load_cards(game), game)


def scenario(file: Path, game: str) -> None:
    """A scenario, as far as it is read; playing it is the engine's matter."""
    from sim.scenario.files import read_scenario
    from sim.scenario.runner import actions_of

    with contextlib.suppress(InputError):
        actions_of(read_scenario(file))


def run_json(file: Path, game: str) -> None:
    """The note of a run, with whole tables beside it."""
    _read_run(file, "run.json")


def run_table(file: Path, game: str) -> None:
    """A table of a run that is whole otherwise."""
    _read_run(file, "games/0000000.parquet")


def _read_run(file: Path, name: str) -> None:
    import shutil

    import analysis
    import sim
    from sim.replay import replay
    from sim.verify import verify

    with tempfile.TemporaryDirectory() as folder:
        run = Path(shutil.copytree(whole_run(), Path(folder) / "run"))
        (run / name).write_bytes(file.read_bytes())
        from tests.sim.fake import FakePlayer

        with contextlib.suppress(InputError):
            verify(run, 4, FakePlayer)
        with contextlib.suppress(InputError):
            sim.open_run(run).info.played  # noqa: B018
        for table in ("matchups", "cards", "health"):
            with contextlib.suppress(analysis.RunError):
                analysis.table(run, table)
        with contextlib.suppress(InputError):
            replay(run, 10**6)


_whole: list[Path] = []


def whole_run() -> Path:
    """A small run, played once."""
    if not _whole:
        import sim
        from tests.sim.fake import FakePlayer

        folder = Path(tempfile.mkdtemp(prefix="cardmill-fuzz-"))
        decks = ["starter-red-blue", "starter-green-purple"]
        sim.simulate(decks, games=20, seed=7, out=folder / "run", agent="random", threads=1, player=FakePlayer)
        _whole.append(folder / "run")
    return _whole[0]


Target = Callable[[Path, str], None]
TARGETS: dict[str, tuple[Target, str]] = {
    "cards": (cards, "toml"),
    "deck": (deck, "txt"),
    "deck-toml": (deck, "toml"),
    "scenario": (scenario, "toml"),
    "run-json": (run_json, "json"),
    "run-table": (run_table, "parquet"),
}


def seeds(target: str) -> list[tuple[str, bytes]]:
    """What edits start from: the game and a file of it."""
    files: list[tuple[str, Path]] = []
    for game in sorted(path.parent.name for path in GAMES.glob("*/__init__.py")):
        if target == "cards":
            files += [(game, file) for file in sorted((GAMES / game / "cards").glob("*.toml"))]
        elif target.startswith("deck"):
            files += [(game, file) for file in sorted((GAMES / game / "decks").glob("*.toml"))]
        elif target == "scenario":
            files += [(game, file) for file in sorted((ROOT / "tests" / "scenarios" / game).rglob("*.toml"))]
    if target == "deck":
        text = "# pasted\n4 TD01-004\n2x Foxparks' Harness\nキツネビのハーネス×２\nEBP01-019SR * 2\n// end\n"
        return [("palworld", text.encode()), ("aether", b"4 AE-N01\n")]
    if target == "run-json":
        return [("palworld", (whole_run() / "run.json").read_bytes())]
    if target == "run-table":
        return [("palworld", (whole_run() / "games" / "0000000.parquet").read_bytes())]
    found = [(game, file.read_bytes()) for game, file in files]
    # card files are long, and read slowly: a few cards of each do
    return [
        (game, b"".join(data.partition(b"\n\n[")[:2])[:3000] if target == "cards" else data) for game, data in found
    ]


def attempt(target: str, game: str, data: bytes) -> None:
    """Give bytes to a target; raises whatever is not documented."""
    play, ending = TARGETS[target]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"damaged.{ending}"
        file.write_bytes(data)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            play(file, game)


def keep(target: str, game: str, data: bytes) -> Path:
    """Make a fault a file that tests read."""
    import hashlib

    FOUND.mkdir(exist_ok=True)
    name = f"{target}.{game}.{hashlib.blake2b(data, digest_size=4).hexdigest()}.{TARGETS[target][1]}"
    (FOUND / name).write_bytes(data)
    return FOUND / name


def look(target: str, seconds: float, seed: int) -> tuple[int, int]:
    """Random edits for a while; inputs tried, different faults found."""
    choose, known, tried = random.Random(seed), set(), 0
    start, end = seeds(target), time.monotonic() + seconds
    while time.monotonic() < end:
        game, data = choose.choice(start)
        data = edited(data, choose)
        tried += 1
        try:
            attempt(target, game, data)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # Polars has errors that are no Exception
            place = traceback.extract_tb(error.__traceback__)[-1]
            fault = (type(error).__name__, place.filename, place.lineno)
            if fault not in known:
                known.add(fault)
                print(f"{target}: {error!r} at {place.filename}:{place.lineno}, kept as {keep(target, game, data)}")
    return tried, len(known)


def guided(target: str) -> None:
    """Edits guided by coverage, until a fault is found; ends the process."""
    import atheris

    game = seeds(target)[0][0]
    corpus = Path(tempfile.mkdtemp(prefix="cardmill-corpus-"))
    for i, (_, data) in enumerate(seeds(target)):
        (corpus / str(i)).write_bytes(data)
    atheris.instrument_all()
    atheris.Setup([sys.argv[0], str(corpus)], lambda data: attempt(target, game, data))
    atheris.Fuzz()


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz.targets", description="Look for faults in what is read."
    )
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)}; all without one")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each target")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--atheris", action="store_true", help="let coverage guide the edits of one target")
    asked = parser.parse_args()
    if asked.atheris:
        guided(asked.targets[0])
    faults = 0
    for target in asked.targets or TARGETS:
        tried, found = look(target, asked.seconds, asked.seed)
        print(f"{target}: {tried:,} inputs, {found} faults")
        faults += found
    return min(faults, 1)


if __name__ == "__main__":
    sys.exit(main())
