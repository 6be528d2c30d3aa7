"""The command line: exit codes, one message on stderr, nothing written on bad input."""

from __future__ import annotations

import errno
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import polars as pl
import pytest

from sim import cli
from sim.cli import run_command
from tests.sim.fake import FakePlayer

ROOT = Path(__file__).parents[2]
RED, GREEN = "starter-red-blue", "starter-green-purple"
VANILLA = """\
["XX01-001"]
name = "Plain"
color = "red"
type = "pal"
subtype = "normal"
cost = 2
power = 300
strike = 1
elements = ["Fire"]
"""
BAD_ABILITY = "abilities = ['auto deployed: chose up to 1 pal']\n"


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path):
    """Runs a command in an empty folder, with the fake player; returns exit code, stdout, stderr."""
    module = SimpleNamespace(KernelPlayer=lambda info, cards: FakePlayer(info))
    monkeypatch.setitem(sys.modules, "sim.engines.kernel", module)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        code = run_command([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return code, out, err

    return run


def deck_text(change: tuple[str, str] = ("", "")) -> str:
    text = (ROOT / f"sim/games/palworld/decks/{RED}.toml").read_text(encoding="utf-8")
    assert change[0] in text
    return text.replace("starter-red-blue", "mine").replace(*change) if change[0] else text.replace(RED, "mine")


# run


def test_run_says_what_it_did(command, tmp_path: Path) -> None:
    code, out, err = command("run", RED, GREEN, "--games", 40, "--out", "r", "--seed", 7)
    assert (code, out) == (0, "")
    assert "40 games (1 pair, 40 each) with greedy, seed 7" in err
    assert "cardmill report r" in err
    assert pl.read_parquet(tmp_path / "r/games/*.parquet").height == 40


def test_run_chooses_and_prints_a_seed(command) -> None:
    code, _, err = command("run", RED, GREEN, "--games", 4, "--out", "r")
    seed = json.loads(Path("r/run.json").read_text())["seed"]
    assert code == 0
    assert f"seed {seed}" in err
    assert command("run", RED, GREEN, "--games", 8, "--out", "r")[0] == 0
    assert json.loads(Path("r/run.json").read_text())["seed"] == seed


def test_run_json_and_quiet(command) -> None:
    code, out, err = command("run", RED, GREEN, "--games", 8, "--out", "r", "--seed", 7, "--json", "--quiet")
    assert (code, err) == (0, "")
    assert json.loads(out)["games"] == 8
    assert command("run", RED, GREEN, "--games", 8, "--out", "r", "--quiet") == (0, "", "")


def test_run_without_out_makes_a_folder_of_its_own(command) -> None:
    assert command("run", RED, GREEN, "--games", 4)[0] == 0
    assert len(list(Path("runs").iterdir())) == 1


def test_run_with_mirrors_and_versus(command) -> None:
    code, out, _ = command("run", RED, "--mirrors", "--games", 8, "--versus", "random", "--out", "r", "--json")
    assert code == 0
    assert json.loads(out)["agents"] == ["greedy", "random"]


def test_run_with_cards_of_your_own_keeps_them(command, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(VANILLA, encoding="utf-8")
    (tmp_path / "deck.toml").write_text(deck_text(('"TD01-002"', '"XX01-001"')), encoding="utf-8")
    code, _, err = command("run", "deck.toml", GREEN, "--games", 4, "--out", "r", "--cards", "mine.toml")
    assert code == 0, err
    assert list(json.loads(Path("r/run.json").read_text())["user_cards"].values()) == [VANILLA]
    code, _, err = command("run", "deck.toml", GREEN, "--games", 4, "--out", "r2")
    assert code == 2
    assert "unknown card" in err


BAD_DECKS = {
    "unknown card": (deck_text(('"TD01-002"', '"TD01-999"')), ["mine.toml:8", "unknown card", "TD01-999"]),
    "ambiguous name": (deck_text(('"TD01-002"', '"Foxparks"')), ["mine.toml:8", "several cards", "TD01-004"]),
    "51 cards": (deck_text(('"TD01-002" = 2', '"TD01-002" = 3')), ["mine.toml", "51 cards"]),
    "5 copies": (deck_text(('"TD01-004" = 4', '"TD01-004" = 5')), ["mine.toml", "5 copies"]),
    "9 lucky": (deck_text(('"TD01-001" = 2', '"TD01-001" = 3')), ["mine.toml", "9 cards with a lucky icon"]),
    "three colours": (deck_text(('"TD01-002"', '"TD02-002"')), ["mine.toml", "3 colours"]),
    "empty": ("", ["mine.toml", "holds no cards"]),
    "binary": ("\0\1\2", ["mine.toml", "binary"]),
}


@pytest.mark.parametrize("case", BAD_DECKS)
def test_bad_decks(case: str, command, tmp_path: Path) -> None:
    text, words = BAD_DECKS[case]
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
    code, out, err = command("run", "mine.toml", GREEN, "--games", 4, "--out", "r")
    assert (code, out) == (2, "")
    assert len(err.strip().splitlines()) == 1, err
    for word in words:
        assert word in err
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", ".", GREEN], "is a folder"),
        (["run", "nowhere.toml", GREEN], "no such deck file"),
        (["run", "starter-red", GREEN], "did you mean 'starter-red-blue'"),
        (["run", RED], "no pair of decks"),
        (["run", RED, GREEN, "--games", "7"], "multiple of 2"),
        (["run", RED, GREEN, "--games", "x"], "--games"),
        (["run", RED, GREEN, "--agent", "geedy"], "did you mean 'greedy'"),
        (["run", RED, GREEN, "--agent", "greedy:nonsense=1"], "no parameter 'nonsense'"),
        (["run", RED, GREEN, "--seed", "-1"], "--seed"),
        (["run", RED, GREEN, "--seed", str(2**64)], "--seed"),
        (["run", RED, GREEN, "--threads", "0"], "--threads"),
        (["run", RED, GREEN, "--engine", "cloud"], "unknown engine"),
        (["run", RED, GREEN, "--game", "palwrld"], "did you mean 'palworld'"),
        (["run", RED, GREEN, "--cards", "nowhere.toml"], "nowhere.toml"),
        (["run", RED, GREEN, "--nonsense"], "No such option"),
        (["run"], "Missing argument"),
        (["rnu"], "No such command"),
        (["table", "nowhere", "matchups"], "nowhere"),
        (["table", ".", "matchups"], "run folder"),
        (["table", ".", "matchup"], "matchups"),
        (["table", "."], "which table"),
        (["table", ".", "matchups", "--csv", "--json"], "exclude each other"),
        (["table", ".", "matchups", "--parquet", "x.csv"], "ends with .parquet"),
        (["report", "nowhere"], "nowhere"),
        (["lucky", "--strikes", "x"], "--strikes x"),
        (["lucky", "--deck", "8", "--lucky", "9"], "lucky"),
        (["lucky", "--games", "-1"], "--games"),
        (["lucky", "--games", "99999999999999"], "--games"),
        (["lucky", "--strikes", "3,,2"], "--strikes 3,,2"),
        (["check", "nowhere.toml"], "no such file"),
        (["check", "."], "no card or deck file"),
        (["cards", "--game", "chess"], "unknown game"),
        (["bench", "--games", "1"], "--games 1"),
    ],
)
def test_wrong_use(arguments: list[str], words: str, command, tmp_path: Path) -> None:
    code, out, err = command(*arguments, *(["--out", "r"] if arguments[0] == "run" and len(arguments) > 1 else []))
    assert code == 2
    assert words in out + err
    assert not list(tmp_path.iterdir())


def test_a_grammar_error_in_cards_of_your_own(command, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(VANILLA + BAD_ABILITY, encoding="utf-8")
    code, _, err = command("run", RED, GREEN, "--games", 4, "--out", "r", "--cards", "mine.toml")
    assert code == 2
    assert "mine.toml:10" in err
    assert not (tmp_path / "r").exists()


def test_a_run_with_other_settings_is_refused(command, tmp_path: Path) -> None:
    assert command("run", RED, GREEN, "--games", 4, "--out", "r", "--seed", 7)[0] == 0
    before = sorted((path, path.stat().st_mtime_ns) for path in tmp_path.rglob("*"))
    code, _, err = command("run", RED, GREEN, "--games", 4, "--out", "r", "--seed", 8)
    assert code == 2
    assert "seed: 7 there, 8 asked for" in err
    assert before == sorted((path, path.stat().st_mtime_ns) for path in tmp_path.rglob("*"))


# the others


def test_tables_in_every_form(command, tmp_path: Path) -> None:
    command("run", RED, GREEN, "--games", 40, "--out", "r", "--seed", 7)
    code, out, _ = command("table", "r", "matchups")
    assert code == 0
    assert RED in out
    code, out, _ = command("table", "r", "matchups", "--json")
    assert json.loads(out)[0]["games"] + json.loads(out)[0]["unfinished"] == 40
    code, out, _ = command("table", "r", "matchups", "--csv")
    assert out.lstrip("\ufeff").startswith("matchup,deck_a,deck_b")
    assert command("table", "r", "cards", "--parquet", "cards.parquet")[0] == 0
    assert pl.read_parquet(tmp_path / "cards.parquet").height > 0
    assert command("table", "r", "shape", "--out", "shape.csv")[0] == 0
    assert (tmp_path / "shape.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    code, out, _ = command("table", "--list")
    assert code == 0
    assert "matchups" in out


def test_lucky(command) -> None:
    code, out, _ = command("lucky", "--strikes", "3,2,2", "--life", 10, "--games", 2000, "--seed", 1, "--json")
    answer = json.loads(out)
    assert code == 0
    assert [check["stop"] for check in answer["checks"]] == ["29/70", "52/175", "52/175"]
    assert answer["simulated"]["games"] == 2000
    assert {"damage", "at_least", "kill"} <= set(answer)
    code, out, _ = command("lucky", "--strikes", "3 2 2", "--games", 2000, "--seed", 1, "--life", 3)
    assert code == 0
    assert "29/70" in out


def test_lucky_with_known_cards(command) -> None:
    """A card known to be lucky on top stops the first check; the others meet what is left."""
    code, out, _ = command(
        "lucky", "--deck", 6, "--lucky", 2, "--strikes", "2,1", "--top", "L", "--life", 2, "--games", 0, "--json"
    )
    answer = json.loads(out)
    assert code == 0
    assert [check["stop"] for check in answer["checks"]] == ["1", "1/5"]
    assert answer["kill_curve"] == [0.0, 0.0] and sum(answer["checks_to_lose"].values()) == pytest.approx(1)
    code, _, error = command("lucky", "--top", "L?q")
    assert code == 2 and "a letter a card" in error
    code, out, _ = command("lucky", "--bottom", "LLLLLLLL", "--life", 4, "--strikes", "4", "--games", 0)
    assert code == 0 and "100.0000 %" in out


def test_cards(command) -> None:
    code, out, _ = command("cards", "Suzaku")
    assert code == 0
    assert 0 <= out.index("BP01-002") < out.index("TD01-017")  # the name itself before names with the word
    code, out, _ = command("cards", "foxparks", "red", "--json")
    assert {"BP01-006", "TD01-004"} <= {card["number"] for card in json.loads(out)}
    assert json.loads(out)[0]["abilities"]
    code, out, _ = command("cards", "Suzako")
    assert "did you mean Suzaku" in out


def test_check(command, tmp_path: Path) -> None:
    (tmp_path / "good.toml").write_text(VANILLA, encoding="utf-8")
    (tmp_path / "deck.toml").write_text(deck_text(('"TD01-002"', '"XX01-001"')), encoding="utf-8")
    code, out, _ = command("check", "good.toml", "deck.toml")
    assert (code, out.splitlines()[-1]) == (0, "2 files checked, 0 findings")
    assert command("check", ".")[0] == 0
    (tmp_path / "deck.toml").write_text(deck_text(('"TD01-002"', '"XX01-002"')), encoding="utf-8")
    code, out, _ = command("check", "deck.toml")
    assert code == 1
    assert "deck.toml:8" in out
    (tmp_path / "bad.toml").write_text(VANILLA + BAD_ABILITY, encoding="utf-8")
    code, out, _ = command("check", "bad.toml", "--json")
    assert code == 1
    assert json.loads(out)["findings"][0]["line"] == 10
    (tmp_path / "deck.txt").write_bytes(b"\0\1")
    assert command("check", "deck.txt")[0] == 2


def test_check_of_the_games_themselves(command) -> None:
    code, out, _ = command("check", ROOT / "sim" / "games")
    assert code == 0, out


def test_version_and_help(command) -> None:
    assert command("--version")[1].startswith("cardmill ")
    code, out, _ = command("run", "--help")
    assert code == 0
    assert "--chunk" not in out
    for name in ("run", "report", "table", "lucky", "replay", "scenario", "check", "cards", "bench"):
        assert name in command("--help")[1]


def test_commands_start_quickly() -> None:
    """Nothing heavy is imported before a command needs it."""
    heavy = {"numba", "numpy", "polars", "pyarrow", "altair", "lark", "scipy"}
    code = f"import sys, sim.cli; sys.exit(', '.join({heavy} & set(sys.modules)) or None)"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
    subprocess.run([sys.executable, "-m", "sim.cli", "--help"], cwd=ROOT, check=True, capture_output=True)


def test_output_into_a_closed_pipe() -> None:
    command = f"{sys.executable} -m sim.cli cards | head -1"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True)
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


@pytest.mark.parametrize(("cause", "code"), [(BrokenPipeError(errno.EPIPE, "gone"), 0), (ValueError("other"), 7)])
def test_only_a_reader_that_went_away_ends_quietly(
    monkeypatch: pytest.MonkeyPatch, cause: Exception, code: int
) -> None:
    def leave(*_: object, **__: object) -> None:
        try:
            raise cause
        except Exception:
            raise SystemExit(7)  # noqa: B904

    class Command:
        main = staticmethod(leave)

    monkeypatch.setattr(cli.typer.main, "get_command", lambda _: Command)
    monkeypatch.setattr(cli.os, "dup2", lambda *_: None)
    if code:
        with pytest.raises(SystemExit) as error:
            cli.run_command([])
        assert error.value.code == code
    else:
        assert cli.run_command([]) == 0
