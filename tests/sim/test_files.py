"""Files and names as people have them: pipes, folders, other newlines and marks, names with spaces and other letters,
terminals of other encodings, readers that go away."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sim.agents import read_weights
from sim.cards import load_cards
from sim.cli import run_command
from sim.decks import load_deck
from sim.errors import InputError
from sim.finding import find_cards
from sim.observed import read_observed
from tests.sim.test_runs import DECKS, ROOT, play

DECK = (ROOT / "sim/games/palworld/decks/starter-red-blue.toml").read_text(encoding="utf-8")
CARD = """["XX01-001"]
name = "Größe"
color = "red"
type = "pal"
subtype = "normal"
cost = 1
power = 500
strike = 1
elements = ["Fire"]
work = ["Kindling"]
"""
SCENARIO = '[position.A]\nhand = ["TD01-002"]\n[[play]]\nline = []\n[play.expect]\nA.hand = ["TD01-002"]\n'
WEIGHTS = "[weights]\nattack = 1.5\n"
OBSERVED = '{"matchups": [["a", "b", 0.5, 100]]}'


def commands(name: str) -> dict[str, list[str]]:
    """Every command that reads a file, with its name."""
    run = ["run", *DECKS[:2], "--games", "2"]
    return {
        "deck": ["run", name, DECKS[1], "--games", "2"],
        "cards": [*run, "--cards", name],
        "found": ["cards", "x", "--cards", name],
        "weights": [*run, "--agent", f"greedy:weights={name}"],
        "scenario": ["scenario", name],
        "checked": ["check", name],
        "observed": ["calibrate", name],
        "changed": ["balance", DECKS[0], DECKS[1], "--cards", name, "--set", "TD01-002.power=900"],
        "player": ["ladder", "random", f"greedy:weights={name}"],
        "learned": ["tune", f"greedy:weights={name}"],
    }


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
@pytest.mark.parametrize("what", commands(""))
def test_a_pipe_is_refused_and_never_waited_for(what: str, tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe.toml")
    assert run_command(commands("pipe.toml")[what]) in ((1, 2) if what in ("checked", "scenario") else (2,))
    said = capsys.readouterr()
    assert "pipe.toml" in said.out + said.err and "it is a pipe or a device" in said.out + said.err
    assert sorted(os.listdir()) == ["pipe.toml"]


@pytest.mark.parametrize("what", commands(""))
def test_a_folder_is_no_file(what: str, tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder.toml").mkdir()
    code = run_command(commands("folder.toml")[what])
    said = capsys.readouterr()
    if what not in ("checked", "scenario"):  # which take the files in it
        assert code == 2 and "folder" in (said.out + said.err).replace("folder.toml", "")


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_newlines_and_byte_order_marks(mark: str, newline: str, tmp_path: Path, capsys) -> None:
    def write(name: str, text: str) -> Path:
        file = tmp_path / "Ordner mit Größe" / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes((mark + text.replace("\n", newline)).encode())
        return file

    cards = load_cards("palworld")
    deck = load_deck(write("mein Deck – ñ.toml", DECK), cards)
    assert deck.counts == load_deck(DECKS[0], cards).counts
    plain = "".join(f"{n}x {number}\n" for number, n in deck.counts.items())
    assert load_deck(write("mein Deck.txt", plain), cards).counts == deck.counts
    assert load_cards("palworld", [write("karten ü.toml", CARD)])["XX01-001"].name == "Größe"
    assert read_weights(str(write("w.toml", WEIGHTS)), "greedy", {"attack": 1.0}) == {"attack": 1.5}
    assert read_observed(write("o.json", OBSERVED)).matchups == [("a", "b", 0.5, 100)]
    rows = "deck_a,deck_b,share,games\na,b,0.5,100\n"
    assert read_observed(write("o.csv", rows)).matchups == [("a", "b", 0.5, 100)]
    assert run_command(["scenario", str(write("s ü.toml", SCENARIO))]) == 0
    assert "1 passed, 0 failed" in capsys.readouterr().out


def test_names_differ_in_more_than_case(tmp_path: Path, monkeypatch) -> None:
    """Names of decks that a system may take for one stay two in a run; built-in names are written as they are."""
    monkeypatch.setattr("sim.games.load_game", lambda name: __import__("tests.sim.fake", fromlist=["GAME"]).GAME)
    cards, files = load_cards("palworld"), []
    for name in ("Mine", "mine", "ｍｉｎｅ", "Míne"):
        file = tmp_path / f"{len(files)}.toml"
        file.write_text(DECK.replace("starter-red-blue", name), encoding="utf-8")
        files.append(str(file))
    run = play(tmp_path / "run", games=4, decks=tuple(files))
    assert run.games.collect()["deck_a"].n_unique() == 3
    with pytest.raises(InputError, match="did you mean 'starter-red-blue'"):
        load_deck("Starter-Red-Blue", cards)
    # names of decks are no names of files: what a system forbids there may be in them
    odd = tmp_path / "odd.toml"
    odd.write_text(DECK.replace("starter-red-blue", "CON: <a|b>? * ./.."), encoding="utf-8")
    made = play(tmp_path / "odd", games=4, decks=(str(odd), DECKS[1]))
    assert {file.name for file in Path(made.path).iterdir()} <= {
        "run.json", "games", "cards", "turns", "checks", ".lock"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "", DECKS[0]], "an empty name names no deck; give a file, or a built-in deck such as "),
        (["run", *DECKS[:2], "--games", "2", "--out", "mk.py/x"], "cardmill: mk.py: is a file; a run needs a folder"),
        (["run", *DECKS[:2], "--games", "2", "--out", "mk.py/x/y"], "cardmill: mk.py: is a file; a run needs a folder"),
        (["run", *DECKS[:2], "--games", "2", "--out", "mk.py"], "cardmill: mk.py: is a file; a run needs a folder"),
        (["ladder", "greedy", "random", "--out", "mk.py/x"], "cardmill: mk.py: is a file; progress needs a folder"),
        (["tune", "greedy", "--out", "mk.py/x.toml"], "cardmill: mk.py: is a file; progress needs a folder"),
        (
            ["balance", *DECKS[:2], "--set", "TD01-002.power=900", "--out", "mk.py/x"],
            "cardmill: mk.py: is a file; a comparison needs a folder",
        ),
        (["calibrate", "--out", "mk.py/x"], "cardmill: mk.py: is a file; a run needs a folder"),
        (["cards", "*"], "'*' has no letter or digit"),
        (["cards", ""], "'' has no letter or digit"),
    ],
)
def test_words(arguments: list[str], words: str, tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mk.py").touch()
    assert run_command(arguments) == 2
    assert words in capsys.readouterr().err


def test_decks_that_are_not_legal_name_their_cards(tmp_path: Path) -> None:
    cards, file = load_cards("palworld"), tmp_path / "a.toml"
    file.write_text(DECK.replace('"TD01-002" = 2', '"TD01-002" = 3'), encoding="utf-8")
    with pytest.raises(InputError, match="51 cards, 1 too many; a deck has exactly 50"):
        load_deck(file, cards)
    green = next(card for card in cards.values() if card.color == "green")
    file.write_text(DECK.replace('"TD01-002" = 2', f'"TD01-002" = 1\n"{green.number}" = 1'), encoding="utf-8")
    with pytest.raises(InputError, match=rf"3 colours \(blue, green, red\); .*\(green: {green.number} '"):
        load_deck(file, cards)


def test_a_main_name_does_not_hide_others() -> None:
    found = [card.number for card in find_cards(load_cards("palworld"), ["suzaku"])]
    assert found == ["BP01-002", "TD01-017"]


@pytest.mark.parametrize(
    "environment", [{"PYTHONIOENCODING": "ascii"}, {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0"}]
)
def test_terminals_of_other_encodings(environment: dict[str, str], tmp_path: Path) -> None:
    """Names that cannot be shown are shown as they can be; files are in UTF-8 all the same."""
    deck = tmp_path / "größe.toml"
    deck.write_text(DECK.replace("starter-red-blue", "größe – 鳥"), encoding="utf-8")
    base = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG", "PYTHONIO", "PYTHONUTF8"))}
    for words in (
        ["check", str(deck)],
        ["cards", "suzaku"],
        ["cards", "kitsunebi"],
        ["check", str(tmp_path / "no")],
        ["--help"],
    ):
        done = subprocess.run(
            [sys.executable, "-m", "sim.cli", *words], cwd=ROOT, env=base | environment, capture_output=True
        )
        assert b"Traceback" not in done.stderr, done.stderr
        assert done.returncode == (2 if words[1:] == [str(tmp_path / "no")] else 0)


@pytest.mark.skipif(os.name == "nt", reason="needs head and a shell")
@pytest.mark.parametrize(
    "words", ["cards", "cards --json", "table RUN cards --csv", "table RUN decks", "table RUN decks --json"]
)
def test_a_reader_that_goes_away(words: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("sim.games.load_game", lambda name: __import__("tests.sim.fake", fromlist=["GAME"]).GAME)
    words = words.replace("RUN", str(play(tmp_path / "run", games=20).path))
    for reader in ("head -1", "true"):
        line = f"{sys.executable} -m sim.cli {words} | {reader}; exit ${{PIPESTATUS[0]}}"
        done = subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, text=True)
        assert done.stderr == "" and done.returncode == 0, done
