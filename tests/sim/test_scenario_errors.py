"""Bad scenario files: what is said, and the exit code. Good ones beside them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sim.scenario import main, run_scenario
from tests.reference.palworld.engine import Reference

GOOD = """
name = "A draw"

[position.A]
base = [{ card = "TD01-002", id = "pal" }]
hand = ["TD01-003"]

[[play]]
line = ["A: draw"]

[play.expect]
A.hand = 2
"""


def write(folder: Path, text: str, name: str = "x.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def message(folder: Path, text: str) -> str:
    """What a file with this text is told; it must be readable and fail."""
    path = write(folder, text)
    result = run_scenario(path, Reference)
    assert not result.passed
    assert result.readable
    assert str(path) in result.message
    assert "\n" not in result.message
    return result.message


def test_good(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, GOOD)
    assert main([str(path)], engine=Reference) == 0
    assert capsys.readouterr().out == f"ok    {path}  A draw\n1 passed, 0 failed\n"


def test_windows_file(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert run_scenario(path, Reference).passed


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("name =", "nmae ="), ["x.toml:2", "unknown key 'nmae'", "name"]),
        (('name = "A draw"', "name = 3"), ["x.toml:2", "name is a text"]),
        (("name =", 'game = "chess"\nname ='), ["x.toml:2", "unknown game 'chess'", "palworld"]),
        (("[position.A]", "[position.C]"), ["unknown key 'C'", "turn_player"]),
        (("base =", "bsae ="), ["x.toml:5", "'bsae'", "base"]),
        (("base =", "lief = 3\nbase ="), ["x.toml:5", "'lief'", "life"]),
        (("base =", "souls = 11\nbase ="), ["x.toml:5", "A.souls", "from 0 to 10"]),
        (("base =", "souls = true\nbase ="), ["A.souls", "whole number"]),
        (("base =", "rested_souls = 3\nbase ="), ["at most 10"]),
        (("base =", "material = -1\nbase ="), ["A.material", "from 0"]),
        (("TD01-002", "TD01-999"), ["x.toml:5", "unknown card 'TD01-999'", "TD01-"]),
        (("TD01-003", "TD01-33"), ["x.toml:6", "unknown card 'TD01-33'"]),
        (('["TD01-003"]', '"TD01-003"'), ["x.toml:6", "A.hand is a list of cards"]),
        (('["TD01-003"]', "[3]"), ["x.toml:6", "NUMBER"]),
        (('id = "pal"', 'di = "pal"'), ["x.toml:5", "'di'", "id"]),
        (('id = "pal"', "id = 3"), ["id of TD01-002"]),
        (('id = "pal"', 'id = "A"'), ["x.toml:5", "'A' cannot be an id"]),
        (('id = "pal"', 'id = "TD01-003"'), ["cannot be an id"]),
        (('id = "pal"', 'rested = "yes"'), ["rested of TD01-002 is true or false"]),
        (('id = "pal"', "damage = -3"), ["damage of TD01-002 is a whole number from 0"]),
        (('["TD01-003"]', '[{ card = "TD01-003", rested = true }]'), ["unknown key 'rested' of TD01-003 in hand"]),
        (('["TD01-003"]', '[{ card = "TD01-003", id = "pal" }]'), ["two cards have the id 'pal'"]),
        (('["TD01-003"]', '["TD01-002"' + ', "TD01-002"' * 64 + "]"), ["A has", "at most 64"]),
        (("hand =", 'exile = [{ card = "TD01-005", exiled_by = "trap" }]\nhand ='), ["unknown card 'trap'"]),
        (("[position.A]", '[position]\nphase = "battle"\n[position.A]'), ["unknown phase 'battle'", "stand"]),
        (("[position.A]", '[position]\ncoin = "C"\n[position.A]'), ["coin", '"A" or "B"']),
        (("[position.A]", "[position]\nturn = 0\n[position.A]"), ["turn is a whole number from 1"]),
        (("[position.A]", "[position]\nnight = 1\n[position.A]"), ["night is true or false"]),
        (("[position.A]", "[position]\nsetup = true\n[position.A]"), ["has decks only"]),
        (("[[play]]", "[play]"), ["[[play]]", "double brackets"]),
        (("line =", "lines ="), ["x.toml:9", "'lines'", "line"]),
        (('["A: draw"]', '"A: draw"'), ["x.toml:9", "line is a list of steps"]),
        (('["A: draw"]', '["draw"]'), ["x.toml:9", "PLAYER: option", "'draw'"]),
        (('["A: draw"]', '["C: draw"]'), ["x.toml:9", "PLAYER: option"]),
        (('["A: draw"]', '["A: darw"]'), ["x.toml:9", "unknown option 'darw'", "draw"]),
        (('["A: draw"]', '["A: draw pal"]'), ["'draw pal' is written 'draw'"]),
        (('["A: draw"]', '["A: attack pal"]'), ["'attack pal' is written 'attack PAL -> TARGET'"]),
        (('["A: draw"]', '["A: activate pal"]'), ["CARD.N"]),
        (('["A: draw"]', '["A: play palm"]'), ["unknown card 'palm'", "pal"]),
        (('["A: draw"]', '["A: attack pal#2 -> player"]'), ["'pal#2'"]),
        (('["A: draw"]', '["A: play TD01-003#2"]'), ["no 'TD01-003#2'", "TD01-003#1"]),
        (("A.hand = 2", "A.hnad = 2"), ["x.toml:12", "unknown expectation 'A.hnad'", "hand"]),
        (("A.hand = 2", "A.hand = true"), ["x.toml:12", "A.hand is a list of cards or how many"]),
        (("A.hand = 2", "A.life = 'x'"), ["A.life is a whole number"]),
        (("A.hand = 2", "A = 2"), ["A.life = 10"]),
        (("A.hand = 2", 'A.hand = ["TD01-099"]'), ["unknown card 'TD01-099'"]),
        (("A.hand = 2", 'A.hand = ["TD01-009"]'), ["no card 'TD01-009' in this position"]),
        (("A.hand = 2", "pla.damage = 2"), ["unknown expectation 'pla'", "pal"]),
        (("A.hand = 2", "pal.dmg = 2"), ["unknown expectation 'pal.dmg'", "damage"]),
        (("A.hand = 2", "pal.damage = true"), ["pal.damage is a whole number"]),
        (("A.hand = 2", 'pal.zone = "A.bsae"'), ["pal.zone is one of", "A.base"]),
        (("A.hand = 2", 'winner = "C"'), ["winner is one of A, B, draw, none"]),
        (("A.hand = 2", "trun = 2"), ["unknown expectation 'trun'", "turn"]),
        (("A.hand = 2", 'legal = "A: end"'), ["legal is a list of texts"]),
        (("A.hand = 2", 'waiting = ["plam.1"]'), ["unknown card 'plam'"]),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, change: tuple[str, str], told: list[str]) -> None:
    assert change[0] in GOOD
    said = message(tmp_path, GOOD.replace(*change, 1))
    for part in told:
        assert part in said


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("A.hand = 2", "A.hand = 3"), "[[play]] 1: A.hand: expected 3, found 2"),
        (("A.hand = 2", 'A.hand = ["TD01-003"]'), "A.hand: expected TD01-003; found TD01-003, TD01-002#2"),
        (("A.hand = 2", 'A.deck = ["TD01-002"]'), "A.deck: expected TD01-002; found TD01-002#3, "),
        (("A.hand = 2", "pal.power = 500"), "pal.power: expected 500, found 300"),
        (("A.hand = 2", "TD01-003.power = 500"), "A.hand: no power there"),
        (("A.hand = 2", 'pal.zone = "B.base"'), "pal.zone: expected 'B.base', found 'A.base'"),
        (("A.hand = 2", "TD01-002.rested = true"), "names several cards that differ"),
        (
            ("A.hand = 2", 'legal = ["A: draw"]'),
            "legal: not open: A: draw (open for A: attack pal -> player, end",
        ),
        (("A.hand = 2", 'illegal = ["A: end", "B: end"]'), "illegal: open after all: A: end (open for A: "),
        (("A.hand = 2", 'options = ["A: end"]'), "options: open too: attack pal -> player, play TD01-003"),
        (("A.hand = 2", 'options = ["A: draw"]'), "options: not exactly one open option: A: draw"),
        (("A.hand = 2", 'winner = "A"'), "winner: expected 'A', found 'none'"),
        (("A.hand = 2", 'decides = "B"'), "decides: expected 'B', found 'A'"),
        (("A.hand = 2", 'waiting = ["pal.1"]'), "waiting: expected pal.1; found nothing"),
        (("A.hand = 2", 'waiting = ["pal"]'), "waiting: expected pal; found nothing"),
        (("A.hand = 2", "waiting = 1"), "waiting: expected 1, found 0"),
        (('["A: draw"]', '["A: draw", "A: draw"]'), "'A: draw' is not possible: open for A: attack pal -> player, end"),
        (('["A: draw"]', '["B: draw"]'), "'B: draw' is not possible: B has no decision now; open for A: attack pal"),
        (('["A: draw"]', '["A: end", "B: end", "A: keep"]'), "'A: keep' is not possible: open for A: "),
    ],
)
def test_what_does_not_hold_is_told(tmp_path: Path, change: tuple[str, str], told: str) -> None:
    assert told in message(tmp_path, GOOD.replace(*change, 1))


def test_ambiguous_step(tmp_path: Path) -> None:
    said = message(
        tmp_path,
        """
[position.A]
base = ["TD01-002", { card = "TD01-002", damage = 100 }]

[[play]]
line = ["A: attack TD01-002 -> player"]
""",
    )
    assert "x.toml:6" in said
    assert "names several options: attack TD01-002#1 -> player, attack TD01-002#2 -> player" in said


def test_the_line_is_that_of_the_play(tmp_path: Path) -> None:
    said = message(tmp_path, GOOD + '\n[[play]]\nline = ["A: draw"]\n')
    assert "x.toml:15: [[play]] 2: 'A: draw' is not possible" in said


def test_after_the_end_no_option_is_open(tmp_path: Path) -> None:
    said = message(tmp_path, '[position.A]\ndeck = []\n[[play]]\nline = ["A: end", "B: end"]\n')
    assert "the game is over, no option is open" in said


@pytest.mark.parametrize("text", ["", "[position", "line = [", "\0\0", "a = 1\na = 2", "[" * 5000])
def test_not_a_scenario(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, text)
    assert main([str(path)], engine=Reference) == 1
    out = capsys.readouterr().out
    assert out.startswith(f"FAIL  {path}: ")
    assert out.endswith("0 passed, 1 failed\n")


def test_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = write(tmp_path, GOOD)
    assert main([str(tmp_path / "none.toml"), str(good)], engine=Reference) == 2
    out = capsys.readouterr().out
    assert "none.toml: cannot be read: No such file" in out
    assert out.endswith("1 passed, 1 failed\n")


def test_binary_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(b"\x89PNG\xff\xfe\x00")
    assert main([str(path)], engine=Reference) == 2
    assert "is not a text file" in capsys.readouterr().out


def test_missing_card_file(tmp_path: Path) -> None:
    said = message(tmp_path, 'cards = ["mine.toml"]\n' + GOOD)
    assert "x.toml:1" in said
    assert "no card file" in said


def test_own_card_file(tmp_path: Path) -> None:
    write(
        tmp_path,
        '["X-001"]\nname = "Giant"\ncolor = "red"\ntype = "pal"\nsubtype = "normal"\ncost = 1\n'
        "power = 9000\nstrike = 1\nelements = [\"Fire\"]\nabilities = ['auto deployed: gain 2 material']\n",
        "mine.toml",
    )
    path = write(
        tmp_path,
        'cards = ["mine.toml"]\n[position.A]\nhand = ["X-001"]\n'
        '[[play]]\nline = ["A: play X-001"]\n[play.expect]\nA.material = 2\nX-001.power = 9000\n',
    )
    result = run_scenario(path, Reference)
    assert result.passed, result.message


def test_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "deep").mkdir()
    write(tmp_path / "deep", GOOD)
    assert main([str(tmp_path)], engine=Reference) == 0
    assert capsys.readouterr().out.endswith("1 passed, 0 failed\n")
    (tmp_path / "empty").mkdir()
    assert main([str(tmp_path / "empty")], engine=Reference) == 2


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, GOOD.replace("A.hand = 2", "A.hand = 3"))
    assert main([str(path)], json=True, engine=Reference) == 1
    said = json.loads(capsys.readouterr().out)
    assert (said["passed"], said["failed"]) == (0, 1)
    assert said["scenarios"][0]["name"] == "A draw"
    assert "expected 3" in said["scenarios"][0]["message"]


@pytest.mark.parametrize("key", ["phase", "setup", "coin", "seed"])
def test_where_a_position_starts_may_stand_on_top(tmp_path: Path, key: str) -> None:
    value = {"phase": '"draw"', "setup": "false", "coin": '"A"', "seed": "7"}[key]
    assert run_scenario(write(tmp_path, f"{key} = {value}\n" + GOOD.replace("A.hand = 2", "")), Reference).passed
    said = message(
        tmp_path, f"{key} = {value}\n" + GOOD.replace("[position.A]", f"[position]\n{key} = {value}\n[position.A]")
    )
    assert "stands twice" in said


def test_a_step_that_resolved_itself_may_be_written_or_left_out(tmp_path: Path) -> None:
    position = '[position.A]\nbase = [{ card = "TD01-008", id = "pit" }, { card = "TD01-002", id = "pal" }]\n'
    for line in ('"A: activate pit.1"', '"A: activate pit.1", "A: assign pal"'):
        path = write(tmp_path, f"{position}[[play]]\nline = [{line}]\n[play.expect]\nA.material = 3\n")
        result = run_scenario(path, Reference)
        assert result.passed, result.message
    path = write(tmp_path, f'{position}[[play]]\nline = ["A: activate pit.1", "A: assign pal", "A: assign pal"]\n')
    assert not run_scenario(path, Reference).passed


def test_a_step_is_read_as_the_rest_needs_it(tmp_path: Path) -> None:
    """X = 2 with one Pal on the table chooses it twice by itself; both picks may be written."""
    text = """
[position.A]
material = 2
base = [{ card = "BP01-015", id = "gun" }, { card = "TD02-007", id = "pal" }]
hand = ["TD01-011"]

[[play]]
line = ["A: activate gun.1", "A: x=2", "A: choose pal", "A: choose pal", "A: play TD01-011", "A: choose pal"]

[play.expect]
pal.damage = 1500
"""
    result = run_scenario(write(tmp_path, text), Reference)
    assert result.passed, result.message
