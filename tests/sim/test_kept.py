"""Long commands that are stopped keep what they have finished, and end as if they had not been."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sim import kept
from sim.cli import run_command
from sim.diagnose import diagnose
from sim.errors import Interrupted, RunError
from sim.kept import NAME
from sim.ladder import ladder
from sim.places import Folder
from sim.results import AgentInfo, Block, Duel, RunInfo
from tests.sim.test_ladder import DECKS, FakeDuels
from tests.sim.test_tune import Hidden, learned

ROOT = Path(__file__).parents[2]
PLAYERS = ["greedy", "random", "passive"]


class Stops:
    """Ctrl-C in every tenth chunk."""

    def __init__(self, info, *rest) -> None:
        super().__init__(info, *rest)
        self.chunks = 0

    def play_chunk(self, lane, matchup, g0, n):
        self.chunks += 1
        if self.chunks % 10 == 0:
            os.kill(os.getpid(), signal.SIGINT)
        return super().play_chunk(lane, matchup, g0, n)


class StoppedDuels(Stops, FakeDuels):
    pass


class StoppedSteps(Stops, Hidden):
    pass


def until_it_ends(call, most: int = 60):
    """The same call again and again, and how often it was stopped."""
    for stopped in range(most):
        try:
            return call(), stopped
        except Interrupted as error:
            assert "the same command goes on" in str(error)
    raise AssertionError("does not end")


@pytest.mark.parametrize("decided", [False, True])
def test_a_ladder_goes_on(decided: bool, tmp_path: Path) -> None:
    def enough(duel: Duel) -> bool:
        wins = sum(cell.joint[2][2] for cell in duel.cells)
        return wins >= (150 if duel.opponent == "random" else 400)

    asked = {"threads": 1, "enough": enough if decided else None, "rule": "150 wins" if decided else ""}
    whole = ladder(PLAYERS, DECKS, 2000, 5, player=FakeDuels, **asked)
    again, stopped = until_it_ends(
        lambda: ladder(
            PLAYERS,
            DECKS,
            2000,
            None if (tmp_path / "l").exists() else 5,
            player=StoppedDuels,
            out=tmp_path / "l",
            **asked,
        )
    )
    assert stopped >= 2
    assert again.duels == whole.duels and again.seed == 5
    assert not decided or any(duel.stopped for duel in again.duels)

    def none(info):
        raise AssertionError("played again")

    assert ladder(PLAYERS, DECKS, 2000, out=tmp_path / "l", player=none, **asked).duels == whole.duels


def test_a_ladder_grows_and_does_not_shrink(tmp_path: Path) -> None:
    ladder(PLAYERS, DECKS, 40, 5, player=FakeDuels, out=tmp_path / "l")
    longer = ladder(PLAYERS, DECKS, 80, player=FakeDuels, out=tmp_path / "l")
    assert longer.duels == ladder(PLAYERS, DECKS, 80, 5, player=FakeDuels).duels
    with pytest.raises(RunError, match="80 games of each pair already"):
        ladder(PLAYERS, DECKS, 40, player=FakeDuels, out=tmp_path / "l")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 6}, "seed: 5 there, 6 asked for"),
        ({"agents": ["greedy", "random"]}, "players: "),
        ({"agents": ["greedy:attack=2", "random", "passive"]}, "parameters of the players: "),
        ({"decks": DECKS[:1]}, "decks: "),
        ({"rule": "0,5"}, "test: none there, 0,5 asked for"),
    ],
)
def test_other_settings_are_refused(change: dict, words: str, tmp_path: Path) -> None:
    asked = {"agents": PLAYERS, "decks": DECKS, "games": 40, "seed": 5}
    ladder(**asked, player=FakeDuels, out=tmp_path / "l")
    before = (tmp_path / "l" / NAME).read_bytes()
    with pytest.raises(RunError, match="other settings") as caught:
        ladder(**asked | change, player=FakeDuels, out=tmp_path / "l")
    assert words in str(caught.value)
    assert (tmp_path / "l" / NAME).read_bytes() == before


def test_folders_that_hold_something_else(tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "a.doc").touch()
    (tmp_path / "file").touch()
    (tmp_path / "broken").mkdir()
    for name, words in (("thesis", "holds no progress.json"), ("file", "is a file"), ("broken", "not of this program")):
        for text in ("{", "[]", '{"asked": {}, "state": {}}') if name == "broken" else ("",):
            if text:
                (tmp_path / "broken" / NAME).write_text(text)
            with pytest.raises(RunError, match=words if "asked" not in text else "other settings"):
                ladder(PLAYERS, DECKS, 40, 5, player=FakeDuels, out=tmp_path / name)


def test_two_processes(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "l")
    folder.make([""])
    folder.lock()
    with pytest.raises(RunError, match=rf"another process is writing .*process {os.getpid()}"):
        ladder(PLAYERS, DECKS, 40, 5, player=FakeDuels, out=tmp_path / "l")
    folder.release()


def test_without_a_folder_what_was_found_is_said(capsys, monkeypatch) -> None:
    monkeypatch.setattr("sim.ladder.duel_player", lambda used, pairings, info: StoppedDuels(info))
    code = run_command(
        ["ladder", *PLAYERS, "-d", ",".join(DECKS), "--games", "40000", "--seed", "4", "--json", "--threads", "1"]
    )
    out = capsys.readouterr()
    assert code == 130
    found = json.loads(out.out)
    games = 2 * sum(sum(map(sum, cell["joint"])) for cell in found["cells"])
    assert 0 < games < 40000
    assert 0 < found["duels"][0]["games"] <= games and found["duels"][-1]["games"] == 0
    assert f"stopped; {games:,} of 360,000 games are played, --out FOLDER would keep them" in out.err


def test_tuning_goes_on(tmp_path: Path) -> None:
    whole = learned(steps=20, games=800)
    again, stopped = until_it_ends(lambda: learned(steps=20, games=800, player=StoppedSteps, out=tmp_path / "p"))
    assert stopped >= 2
    assert again.steps == whole.steps and again.tuned == whole.tuned and again.games == whole.games
    assert again.check.duels == whole.check.duels
    with pytest.raises(RunError, match=r"steps: 20 there, 10 asked for"):
        learned(steps=10, games=800, out=tmp_path / "p")


def test_killed(tmp_path: Path) -> None:
    """SIGKILL: what was written last is whole, and the ladder ends as it would have."""
    out = tmp_path / "l"
    for _ in range(3):
        process = subprocess.Popen([sys.executable, "-m", "tests.sim.test_kept", str(out)], cwd=ROOT)
        before, end = _done(out), time.monotonic() + 60
        while _done(out) <= before and time.monotonic() < end:
            time.sleep(0.02)
        process.kill()
        process.wait()
    assert 0 < _done(out) < 3 * 3 * 500
    assert (
        ladder(PLAYERS, DECKS, 1000, out=out, player=FakeDuels).duels
        == ladder(PLAYERS, DECKS, 1000, 5, player=FakeDuels).duels
    )


def test_a_diagnosis_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = RunInfo(2, "palworld", 7, 10, [], [(0, 1), (0, 2)], [], blocks=[Block(0, 0, 10, {})])
    agent, seen = AgentInfo("greedy", {}, "greedy"), []

    def watch(game, name, sides, judges, rng) -> None:
        seen.append(game)
        if len(seen) % 4 == 0:
            raise KeyboardInterrupt
        for habits in sides:
            habits.games += 1
            habits.left["end"] = habits.left.get("end", 0) + rng.randrange(100)

    monkeypatch.setattr("sim.diagnose.watch", watch)
    monkeypatch.setattr("sim.diagnose.game_of_run", lambda info, m, g: ((m, g), [agent] * 2, [f"{m}", f"{m + 1}"]))
    monkeypatch.setattr("sim.diagnose.judge_of", lambda *_: None)
    monkeypatch.setattr("sim.diagnose.KEEP_SECONDS", -1.0)
    keep = tmp_path / "begun.json"
    for _ in range(10):
        try:
            found = diagnose(info, 5, keep=keep)
            break
        except KeyboardInterrupt:
            pass
    assert len(seen) == 10 + 3  # only the game in which it was stopped is looked at again
    seen.clear()
    with pytest.raises(KeyboardInterrupt):
        diagnose(info, 4, keep=keep)
    assert seen[0] == (0, 0)  # another sample begins anew
    assert found.rows[0].games == 5 and sum(row.games for row in found.rows) == 20


def test_what_was_measured_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def measure(game, agents, games, compiling, entries):
        numbers = ("games_per_s", "decisions_per_s", "ns_per_decision", "decisions_per_game")
        entries.append({"game": "palworld", "agent": "random", "signature": "abc"} | dict.fromkeys(numbers, 1.0))
        raise KeyboardInterrupt

    monkeypatch.setattr("sim.bench.measure", measure)
    assert run_command(["bench"]) == 130
    assert "abc" in capsys.readouterr().out

    def verify(run, sample, findings):
        findings.append("games/0000000.parquet: is missing")
        raise KeyboardInterrupt

    monkeypatch.setattr("sim.verify.verify", verify)
    assert run_command(["verify", "run"]) == 130
    assert "is missing" in capsys.readouterr().out


def test_sigterm_is_ctrl_c() -> None:
    text = (
        "import os, signal, sys, sim.bench, sim.cli\n"
        "sim.bench.measure = lambda *more: os.kill(os.getpid(), signal.SIGTERM)\n"
        "sys.argv = ['cardmill', 'bench', '--json']\n"
        "sim.cli.main()"
    )
    done = subprocess.run([sys.executable, "-c", text], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (130, "cardmill: stopped\n")


def _done(out: Path) -> int:
    try:
        return sum(json.loads((out / NAME).read_bytes())["state"]["tally"]["done"].values())
    except FileNotFoundError:
        return 0


class SlowDuels(FakeDuels):
    def play_chunk(self, lane, matchup, g0, n):
        time.sleep(0.05 * n)
        return super().play_chunk(lane, matchup, g0, n)


if __name__ == "__main__":
    kept.SECONDS = 0.0
    ladder(PLAYERS, DECKS, 1000, 5, out=sys.argv[1], player=SlowDuels)
