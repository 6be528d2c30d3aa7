"""Two arms game by game: against plain Python, on synthetic truth, at the edge (statistics 3.3, 3.5)."""

from __future__ import annotations

import math
import shutil
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
import polars as pl
import pytest

import analysis
from analysis import balance as answers
from analysis.report.balance import balance_page
from analysis.stats import Estimate
from sim.results import BALANCE_VERSION, Arm, BalanceInfo
from tests.analysis.synthetic import DECKS, damage_file, drop_column, write_run
from tests.analysis.test_analysis_report import browser, look, text_of  # noqa: F401

NAMES = DECKS[:3]


def change_games(run: Path, seed: int, share: float, winner: str = "a") -> None:
    """Gives a share of the games another winner, and these another signature."""
    rng = np.random.default_rng(seed)
    for file in sorted((run / "games").glob("*.parquet")):
        frame = pl.read_parquet(file)
        hit = pl.Series(rng.random(frame.height) < share)
        changed = frame.with_columns(
            winner=pl.when(hit & pl.col("winner").is_not_null()).then(pl.lit(winner)).otherwise(pl.col("winner")),
            signature=pl.when(hit).then(pl.col("signature") + 1).otherwise(pl.col("signature")),
        )
        changed.write_parquet(file)


def comparison(path: Path, share: float = 0.1, targets=(NAMES[0],), values=(None,), **options) -> Path:
    write_run(path / "base", decks=NAMES, **({"games": 300} | options))
    arms = [Arm("base")]
    for i, value in enumerate(values):
        folder = f"edited-{i}"
        shutil.copytree(path / "base", path / folder)
        change_games(path / folder, 5 + i, share * (i + 1) / len(values))
        arms.append(Arm(folder, [f"TOY1-001.power={i}"], value))
    sweep = "TOY1-001.power" if values[0] is not None else ""
    info = BalanceInfo(BALANCE_VERSION, "palworld", arms, list(targets), sweep, 1.0 if sweep else None)
    (path / "balance.json").write_bytes(msgspec.json.encode(info))
    return path


def rows_of(path: Path) -> dict[int, dict]:
    files = sorted((path / "games").glob("*.parquet"))
    return {row["game"]: row for row in pl.concat([pl.read_parquet(f) for f in files]).to_dicts()}


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    return comparison(tmp_path_factory.mktemp("balance") / "b")


def test_change_against_plain_python(study):
    old, new = rows_of(study / "base"), rows_of(study / "edited-0")
    points = {"a": 1.0, "draw": 0.5, "b": 0.0}
    frame = analysis.balance.change(study)
    for row in frame.filter(pl.col("scope") == "matchup").to_dicts():
        games = [
            (points[old[g]["winner"]], points[new[g]["winner"]])
            for g in old
            if {old[g]["deck_a"], old[g]["deck_b"]} == {row["deck"], row["opponent"]}
            and old[g]["winner"] is not None
            and new[g]["winner"] is not None
        ]
        d = np.array([b - a for a, b in games])
        assert row["games"] == len(games)
        assert row["change"] == pytest.approx(d.mean())
        assert row["change_high"] - row["change"] == pytest.approx(1.959964 * d.std() / math.sqrt(len(d)))
        assert (row["better"], row["worse"]) == ((d > 0).sum(), (d < 0).sum())
        assert row["base"] == pytest.approx(np.mean([a for a, _ in games]))
        assert row["edited"] == pytest.approx(np.mean([b for _, b in games]))
    alike = sum(old[g]["signature"] == new[g]["signature"] for g in old)
    whole = frame.filter(pl.col("scope") == "first").row(0, named=True)
    assert whole["alike"] == pytest.approx(alike / len(old), abs=0.01)


def test_effect_is_the_mean_over_the_matchups_of_the_changed_deck(study):
    frame = answers.change(study)
    mine = frame.filter((pl.col("scope") == "matchup") & (pl.col("deck") == NAMES[0]))
    effect = frame.filter(pl.col("scope") == "effect").row(0, named=True)
    assert mine.height == 2
    assert effect["change"] == pytest.approx(mine["change"].mean())
    decks = {row["deck"]: row["change"] for row in frame.filter(pl.col("scope") == "deck").to_dicts()}
    assert sum(decks.values()) == pytest.approx(0), "what one deck wins, others lose"
    assert decks[NAMES[0]] == pytest.approx(effect["change"])


def test_arms_that_do_not_differ_give_exactly_zero(tmp_path):
    path = comparison(tmp_path / "b", share=0.0)
    frame = answers.change(path)
    for name in ("change", "change_low", "change_high", "better", "worse"):
        assert (frame[name] == 0).all()
    assert (frame["alike"] == 1.0).all() and set(frame["verdict"]) == {"none"}
    assert answers.flips(path).height == 0
    assert "changes no result" in balance_page(analysis.open_balance(path))


def test_flips_are_games_that_flipped(study):
    old, new = rows_of(study / "base"), rows_of(study / "edited-0")
    said = {"a": "wins", "b": "loses", "draw": "draws"}
    rows = answers.flips(study).to_dicts()
    assert rows
    for row in rows:
        game, other = old[row["game"]], new[row["game"]]
        from_a = game["deck_a"] == row["deck"]
        seen = said if from_a else {"a": "loses", "b": "wins", "draw": "draws"}
        assert (row["base"], row["edited"]) == (seen[game["winner"]], seen[other["winner"]])
        assert row["replay_edited"] == f"cardmill replay {study / 'edited-0'} {row['game']}"


def test_files_cut_otherwise_give_the_same(study, tmp_path):
    """Pairing file by file and pairing by number agree."""
    path = tmp_path / "b"
    shutil.copytree(study, path)
    folder = path / "edited-0"
    files = sorted((folder / "games").glob("*.parquet"))
    whole = pl.concat([pl.read_parquet(f) for f in files])
    for file in files:
        file.unlink()
    whole.write_parquet(files[0])
    assert answers.change(path).equals(answers.change(study))


def test_curve_and_slope(tmp_path):
    path = comparison(tmp_path / "b", share=0.3, values=(100.0, 200.0, 400.0))
    rows = answers.curve(path).to_dicts()
    assert [row["value"] for row in rows] == [100, 200, 400] and {row["series"] for row in rows} == {"effect"}
    for a, b in pairwise(rows):
        assert a["slope"] == pytest.approx((b["score"] - a["score"]) / (b["value"] - a["value"]))
        assert a["slope_low"] <= a["slope"] <= a["slope_high"]
    assert rows[-1]["slope"] is None
    assert rows[0]["change"] < rows[1]["change"] < rows[2]["change"]


def test_coverage_of_changes():
    """95 % intervals of a mean of paired differences over matchups cover the truth in 93-97 %."""
    from analysis.stats import paired

    rng = np.random.default_rng(3)
    joints = [
        np.array([[0.40, 0.01, 0.06], [0.01, 0.03, 0.01], [0.03, 0.01, 0.44]]),
        np.array([[0.60, 0.00, 0.10], [0.00, 0.02, 0.00], [0.05, 0.01, 0.22]]),
    ]
    truth = np.mean([sum((j - i) / 2 * joint[i, j] for i in range(3) for j in range(3)) for joint in joints])
    hits = 0
    for _ in range(2000):
        parts = [paired(rng.multinomial(400, joint.ravel()).reshape(3, 3).tolist()) for joint in joints]
        found = answers.mean_change(parts)
        hits += found.low <= truth <= found.high
    assert 0.93 <= hits / 2000 <= 0.97


def play_until(shift: float, rng: np.random.Generator, size: float = 0.02) -> answers.Look:
    """Differences of games with a tenth of flips, looked at as the command does, up to 200,000 games."""
    up, down = 0.05 + shift / 2, 0.05 - shift / 2
    total = squares = n = 0
    look, step = answers.Look("go on", 0, 0, 0, 0), 400
    while look.decision == "go on" and n < 200_000:
        plus, minus, _ = rng.multinomial(step, [up, down, 1 - up - down])
        n, total, squares = n + step, total + plus - minus, squares + plus + minus
        mean = total / n
        look = answers.sequential(Estimate(mean, 0, 0, n, math.sqrt((squares / n - mean**2) / n)), size)
        step = n // 2
    return look


def test_sequential_test_errs_as_rarely_as_it_says():
    """Without a change at most 5 % say there is one; with one of the size at most 5 % say there is none."""
    rng = np.random.default_rng(9)
    none = [play_until(0.0, rng) for _ in range(600)]
    some = [play_until(0.02, rng) for _ in range(600)]
    assert sum(look.decision in ("up", "down") for look in none) <= 0.06 * 600
    assert sum(look.decision != "up" for look in some) <= 0.06 * 600
    assert np.mean([look.games for look in none]) < 10_000


def test_sequential_test_without_any_flip():
    """No variance is no division by zero: games without a flip refute an effect soon."""
    look = answers.sequential(Estimate(0.0, 0.0, 0.0, 400, 0.0), 0.01)
    assert look.decision == "no" and math.isfinite(look.llr_up)
    assert answers.sequential(Estimate(0.0, 0.0, 0.0, 20, 0.0), 0.01).decision == "go on"
    assert answers.sequential(Estimate(None, None, None, 0), 0.01).decision == "go on"
    with pytest.raises(ValueError):
        answers.sequential(Estimate(0.0, 0.0, 0.0, 20, 0.0), 0.0)
    assert "refuted" in answers.look_words(look, 0.01)


@pytest.mark.parametrize(
    "options",
    [
        {"games": 2, "blocks": 1},
        {"games": 40, "winner": "draw"},
        {"games": 40, "winner": None},
        {"games": 40, "winner": "b"},
    ],
    ids=["two games", "all draws", "nothing finished", "only losses"],
)
@pytest.mark.parametrize("targets", [(), (NAMES[0],), NAMES], ids=["a rule", "one deck", "all decks"])
def test_edges(tmp_path, options, targets):
    path = comparison(tmp_path / "b", targets=targets, **options)
    frame = answers.change(path)
    for name in frame.columns:
        if frame[name].dtype == pl.Float64:
            assert not frame[name].is_nan().any() and not frame[name].is_infinite().any()
    assert (frame["change"].is_not_null() | frame["reason"].is_not_null()).all()
    text = text_of(balance_page(analysis.open_balance(path)))
    assert "How to get the same numbers" in text
    assert not any(word in text.split() for word in ("nan", "inf", "None", "null"))


def test_what_cannot_be_compared_is_said(study, tmp_path):
    with pytest.raises(analysis.RunError, match="no comparison"):
        analysis.open_balance(tmp_path)
    for name, harm in (
        ("damaged", lambda p: damage_file(next((p / "edited-0" / "games").glob("*.parquet")))),
        ("missing", lambda p: drop_column(next((p / "edited-0" / "games").glob("*.parquet")), "signature")),
        ("no arm", lambda p: shutil.rmtree(p / "edited-0")),
        ("no json", lambda p: (p / "balance.json").write_text("{")),
        ("old", lambda p: (p / "balance.json").write_text('{"version": 9, "game": "palworld", "arms": []}')),
    ):
        path = tmp_path / name
        shutil.copytree(study, path)
        harm(path)
        with pytest.raises(analysis.RunError):
            answers.change(path)
    other = tmp_path / "seed"
    shutil.copytree(study, other)
    file = other / "edited-0" / "run.json"
    file.write_text(file.read_text().replace('"seed": 7', '"seed": 8'))
    with pytest.raises(analysis.RunError, match="another seed"):
        answers.change(other)


@pytest.mark.browser
@pytest.mark.usefixtures("browser")
def test_pages_in_a_browser(study, tmp_path):
    for name, path in (("edit", study), ("sweep", comparison(tmp_path / "b", values=(100.0, 200.0)))):
        (tmp_path / name).mkdir()
        said, console = look(tmp_path / name, balance_page(analysis.open_balance(path)), 375)
        assert console == [] and said["plots"] == said["drawn"] == 1 and said["wide"] <= 0
