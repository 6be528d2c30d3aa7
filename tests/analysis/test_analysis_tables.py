"""Tables against plain Python over the rows, invariants, and runs at the edge of what can be said."""

from __future__ import annotations

import json
import math
from collections import Counter
from itertools import pairwise

import polars as pl
import pytest

import analysis
from analysis.exact import stop
from analysis.stats import score
from analysis.tables import TABLES
from analysis.tables.luck import lucky_test
from tests.analysis.synthetic import DECKS, write_run


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_run(tmp_path_factory.mktemp("runs") / "toy", games=300, mirrors=True)


@pytest.fixture(scope="module")
def run(folder):
    return analysis.open_run(folder)


def rows_of(folder, table="games"):
    return pl.concat([pl.read_parquet(f) for f in sorted((folder / table).glob("*.parquet"))]).to_dicts()


def no_nonsense(frame: pl.DataFrame):
    """No nan and no inf; intervals hold their value; shares lie in 0..1."""
    for name in frame.columns:
        if frame[name].dtype == pl.Float64:
            assert not frame[name].is_nan().any() and not frame[name].is_infinite().any(), name
    for low in (name for name in frame.columns if name.endswith("_low") or name == "low"):
        high = low.replace("low", "high")
        plain = next((name for name in ("score", "advantage", "value") if name in frame.columns), "")
        value = low.removesuffix("_low") if low != "low" else plain
        value = "draw_rate" if low == "draw_low" else value
        known = frame.filter(pl.col(value).is_not_null() & pl.col(low).is_not_null())
        assert (known[low] <= known[value]).all() and (known[value] <= known[high]).all(), value


@pytest.mark.parametrize("name", TABLES)
def test_every_table_is_clean_and_the_same_twice(folder, name):
    first, second = (analysis.table(analysis.open_run(folder), name) for _ in range(2))
    assert first.height > 0 or name in ("players", "curve")
    no_nonsense(first)
    assert first.write_csv() == second.write_csv()


@pytest.mark.parametrize("name", TABLES)
def test_the_way_the_games_were_cut_into_files_does_not_matter(tmp_path, folder, name):
    """The same rows in one file, in another order, give byte-identical tables."""
    whole = tmp_path / "whole"
    for table in ("games", "cards", "checks", "turns"):
        (whole / table).mkdir(parents=True)
        rows = pl.concat([pl.read_parquet(f) for f in sorted((folder / table).glob("*.parquet"))])
        rows.reverse().write_parquet(whole / table / "0.parquet")
    (whole / "run.json").write_bytes((folder / "run.json").read_bytes())
    one, other = analysis.table(folder, name), analysis.table(whole, name)
    if name == "health":
        one, other = one.slice(1), other.slice(1)  # how many files there are is said, and differs
    assert one.write_csv() == other.write_csv()


def test_matchups_against_plain_python(folder, run):
    results: dict = {}
    for row in rows_of(folder):
        result = {"a": "win", "b": "loss", "draw": "draw", None: "none"}[row["winner"]]
        results.setdefault((row["deck_a"], row["deck_b"]), Counter())[row["first"], result] += 1
    for row in analysis.matchups(run).to_dicts():
        seen = results[row["deck_a"], row["deck_b"]]
        total = Counter()
        for (_, result), n in seen.items():
            total[result] += n
        assert (row["wins"], row["draws"], row["losses"]) == (total["win"], total["draw"], total["loss"])
        assert row["unfinished"] == total["none"] and row["games"] == 300 - total["none"]
        assert row["score"] == pytest.approx((total["win"] + total["draw"] / 2) / row["games"])
        for seat, column in (("a", "first"), ("b", "second")):
            part = [seen[seat, result] for result in ("win", "draw", "loss")]
            assert row[column] == pytest.approx((part[0] + part[1] / 2) / sum(part))
            assert row[f"{column}_low"] == pytest.approx(score(*part).low)
        assert row["balanced"] == pytest.approx((row["first"] + row["second"]) / 2)


def test_scores_of_all_decks_sum_to_the_games(run):
    """Every finished game gives one point in all: wins and losses cancel over the field (statistics 3.1)."""
    frame = analysis.decks(run)
    assert frame["wins"].sum() == frame["losses"].sum()
    assert frame["score"].sum() == pytest.approx(len(DECKS) / 2)
    assert frame["score"].to_list() == sorted(frame["score"], reverse=True)


def test_verdicts(tmp_path, run):
    cells = {(r["deck_a"], r["deck_b"]): r["verdict"] for r in analysis.matchups(run).to_dicts()}
    assert all((verdict == "mirror") == (a == b) for (a, b), verdict in cells.items())
    assert set(cells.values()) <= {"a", "b", "even", "unresolved", "mirror"} and "a" in cells.values()
    small = analysis.matchups(write_run(tmp_path / "small", games=10))
    assert "even" not in small["verdict"].to_list()


def test_first_player_advantage(run):
    """statistics 3.6: mean of both orders, minus 1/2; the logit agrees in sign where the advantage is plain."""
    frame = analysis.first(run)
    cells = {(r["deck_a"], r["deck_b"]): r for r in analysis.matchups(run).to_dicts()}
    matchups = frame.filter(pl.col("scope") == "matchup").to_dicts()
    for row in matchups:
        cell = cells[row["deck_a"], row["deck_b"]]
        if row["deck_a"] != row["deck_b"]:
            assert row["advantage"] == pytest.approx((cell["first"] + 1 - cell["second"]) / 2 - 0.5)
    overall = frame.filter(pl.col("scope") == "overall").to_dicts()[0]
    apart = [row["advantage"] for row in matchups if row["deck_a"] != row["deck_b"]]
    assert overall["advantage"] == pytest.approx(sum(apart) / len(apart))
    logit = frame.filter(pl.col("scope") == "logit").to_dicts()[0]
    assert logit["elo"] == pytest.approx(400 * logit["advantage"] / math.log(10))


def test_logit_of_a_known_model(tmp_path):
    """A single matchup has as many parameters as results: gamma is the mean of the two logits."""
    path = write_run(tmp_path / "two", games=600, decks=DECKS[:2])
    cell = analysis.matchups(path).to_dicts()[0]
    logit = analysis.first(path).filter(pl.col("scope") == "logit").to_dicts()[0]
    expected = (math.log(cell["first"] / (1 - cell["first"])) - math.log(cell["second"] / (1 - cell["second"]))) / 2
    assert logit["advantage"] == pytest.approx(expected, abs=1e-6)


def test_cards_against_plain_python(folder, run):
    copies: dict = {}
    for row in rows_of(folder, "cards"):
        if row["result"] is not None:
            worth = {"win": 1.0, "draw": 0.5, "loss": 0.0}[row["result"]]
            found = copies.setdefault((row["deck"], row["card"], row["measure"]), [0, 0.0])
            found[0] += row["k"] * row["games"]
            found[1] += row["k"] * row["games"] * worth
    frame = analysis.cards(run)
    assert frame.height == 55 and frame["iwd"].null_count() == 0
    for row in frame.to_dicts():
        kept, drawn, unseen = (copies[row["deck"], row["card"], m] for m in ("kept", "drawn", "unseen"))
        assert (row["oh_copies"], row["gd_copies"], row["gns_copies"]) == (kept[0], drawn[0], unseen[0])
        assert row["oh"] == pytest.approx(kept[1] / kept[0]) and row["gd"] == pytest.approx(drawn[1] / drawn[0])
        gih, gns = (kept[1] + drawn[1]) / (kept[0] + drawn[0]), unseen[1] / unseen[0]
        assert row["gih"] == pytest.approx(gih) and row["iwd"] == pytest.approx(gih - gns)


def test_the_card_that_wins_games_is_found(tmp_path):
    """The third card of every toy deck makes attacks likelier: its improvement when drawn leads its deck."""
    frame = analysis.cards(write_run(tmp_path / "bomb", games=1500, decks=DECKS[:2]))
    for _, part in frame.group_by("deck"):
        best = part.sort("iwd", descending=True).to_dicts()[0]
        assert best["card"].endswith("003")


def test_lucky_against_plain_python(folder, run):
    seen: dict = {}
    for row in rows_of(folder, "checks"):
        if not row["known"]:
            found = seen.setdefault((row["strike"], row["deck_size"], row["lucky_left"]), [0, 0])
            found[0] += row["count"]
            found[1] += row["count"] * row["stopped"]
    frame = analysis.lucky(run)
    assert frame.height == len(seen)
    for row in frame.to_dicts():
        key = (row["strike"], row["deck_size"], row["lucky_left"])
        assert [row["checks"], row["stopped"]] == seen[key]
        assert row["exact"] == float(stop(row["deck_size"], row["lucky_left"], row["strike"]))


def test_lucky_test_accepts_fair_checks_and_finds_unfair_ones(tmp_path):
    for seed in range(3):
        path = write_run(tmp_path / str(seed), games=600, seed=seed, decks=DECKS[:2])
        assert lucky_test(analysis.open_run(path)).p > 1e-3
    path = tmp_path / "0"
    for file in (path / "checks").iterdir():
        frame = pl.read_parquet(file)
        more = pl.when(pl.col("stopped")).then(pl.col("count") * 2).otherwise(pl.col("count"))
        frame.with_columns(more.alias("count")).write_parquet(file)
    assert lucky_test(analysis.open_run(path)).p < 1e-9
    health = analysis.health(path).filter(pl.col("check") == "damage checks").to_dicts()[0]
    assert health["ok"] is False


def test_luck_sums_against_the_games(folder, run):
    """The index from the check counts equals the sums that the games carry."""
    games = rows_of(folder)
    for row in analysis.luck(run).to_dicts():
        total = sum(g[f"luck_sum_{s}"] for g in games for s in "ab" if g[f"deck_{s}"] == row["deck"])
        assert row["luck"] == pytest.approx(total, abs=1e-6)
        assert 0.0 < row["r2"] < 0.6


def test_r2_against_numpy(folder, run):
    import numpy as np

    for row in analysis.luck(run).to_dicts():
        x, y = [], []
        for g in rows_of(folder):
            if g["winner"] is None or g["deck_a"] == g["deck_b"] or row["deck"] not in (g["deck_a"], g["deck_b"]):
                continue
            sign = 1 if g["deck_a"] == row["deck"] else -1
            x.append(sign * (g["luck_sum_a"] - g["luck_sum_b"]))
            y.append(sign * {"a": 1, "draw": 0, "b": -1}[g["winner"]])
        assert row["r2"] == pytest.approx(np.corrcoef(x, y)[0, 1] ** 2, abs=1e-4)


def test_shape_against_plain_python(folder, run):
    import numpy as np

    rows = rows_of(folder)
    whole = analysis.shape(run).to_dicts()[0]
    turns = [row["turns"] for row in rows]
    assert whole["games"] == len(rows) and whole["turns"] == pytest.approx(np.mean(turns))
    assert whole["turns_median"] == np.median(turns)
    for name, q in (("turns_p5", 0.05), ("turns_p95", 0.95)):
        assert whole[name] == np.quantile(turns, q, method="inverted_cdf")
    assert sum(whole[f"end_{end}"] for end in ("life", "deck", "both", "loop", "cap")) == pytest.approx(1.0)
    assert whole["decisions"] == pytest.approx(np.mean([row["decisions"] for row in rows]))
    assert whole["attacks"] == pytest.approx(np.mean([row["attacks_a"] + row["attacks_b"] for row in rows]))


def test_lead_counts_every_game_alive_once(folder, run):
    frame = analysis.lead(run)
    total = frame.filter(pl.col("turn") == 1)
    assert total["games"].sum() + total["unfinished"].sum() == len(rows_of(folder))
    assert total["lead"].to_list() == [0]
    late = frame.filter((pl.col("turn") == 10) & (pl.col("games") > 100))
    assert late["score"].to_list()[-1] > late["score"].to_list()[0]
    firsts = sum(1 for row in rows_of(folder) if row["winner"] == row["first"])
    assert total["wins"].sum() == firsts


def test_health_of_a_good_run_and_of_bad_ones(tmp_path, run):
    assert False not in analysis.health(run)["ok"].to_list()
    path = write_run(tmp_path / "bad", games=200)
    file = path / "games" / "000001.parquet"
    rows = pl.read_parquet(file)
    rows.with_columns(pl.col("signature") * 0).with_columns(g=pl.col("g") - 20).write_parquet(file)
    found = {row["check"]: row for row in analysis.health(path).to_dicts()}
    assert found["every game once"]["ok"] is False
    assert found["games differ"]["ok"] is False
    rows.head(10).write_parquet(file)
    found = {row["check"]: row for row in analysis.health(path).to_dicts()}
    assert found["files whole"]["ok"] is False and "games 610 of 1,200" in found["files whole"]["found"]
    assert found["games played"]["ok"] is None and "continues it" in found["games played"]["note"]
    assert found["tables agree"]["ok"] is False


def test_health_says_how_much_is_modelled(tmp_path):
    path = write_run(tmp_path / "toy", games=2, blocks=1, decks=DECKS[:2])
    meta = json.loads((path / "run.json").read_text())
    for exact, ok in ((100, True), (92.5, None)):
        meta["coverage"] = {"exact": exact, "approximate": 100 - exact, "not modelled": 0}
        (path / "run.json").write_text(json.dumps(meta))
        row = next(row for row in analysis.health(path).to_dicts() if row["check"] == "cards modelled")
        assert row["ok"] is ok and row["found"].startswith(f"{exact}% exact") and (row["note"] is None) is (ok is True)


def test_two_players_against_each_other(tmp_path):
    """With two players every assignment has rows of its own, and no deck is credited with the other's games."""
    path = write_run(tmp_path / "versus", games=400, decks=DECKS[:3], mirrors=True, versus=True)
    frame = analysis.matchups(path)
    assert frame.height == 12 and "mirror" not in frame["verdict"].to_list()
    assert frame["games"].sum() + frame["unfinished"].sum() == 6 * 400
    decks = analysis.decks(path)
    assert decks.height == 6
    greedy = decks.filter(pl.col("agent") == "greedy")["score"].to_list()
    assert min(greedy) > 0.5 > max(decks.filter(pl.col("agent") == "random")["score"].to_list())
    results: dict = {}
    for row in rows_of(path):
        worth = {"a": 1.0, "draw": 0.5, "b": 0.0}.get(row["winner"])
        if worth is not None and row["deck_a"] != row["deck_b"]:
            results.setdefault((row["deck_a"], row["agent_a"], row["deck_b"]), []).append(worth)
            results.setdefault((row["deck_b"], row["agent_b"], row["deck_a"]), []).append(1 - worth)
    for row in decks.to_dicts():
        means = [sum(v) / len(v) for (d, a, _), v in results.items() if (d, a) == (row["deck"], row["agent"])]
        assert row["score"] == pytest.approx(sum(means) / 2, abs=2e-3)  # seats are weighed equally there
    best, worst = analysis.players(path).to_dicts()
    assert (best["agent"], worst["agent"]) == ("greedy", "random")
    assert best["score"] + worst["score"] == pytest.approx(1.0) and best["low"] > 0.5
    cards = analysis.cards(path)
    assert set(cards["agent"]) == {"greedy", "random"}
    for name in TABLES:
        no_nonsense(analysis.table(path, name))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("one game", {"games": 1, "blocks": 1, "decks": DECKS[:2]}),
        ("two games", {"games": 2, "blocks": 1, "decks": DECKS[:2]}),
        ("all draws", {"games": 40, "winner": "draw", "decks": DECKS[:3]}),
        ("one deck", {"games": 40, "decks": DECKS[:1]}),
        ("only wins", {"games": 40, "winner": "a", "decks": DECKS[:3]}),
        ("nothing finished", {"games": 40, "winner": None, "decks": DECKS[:3]}),
        ("no lucky cards", {"games": 40, "lucky": (0, 0, 0, 0), "decks": DECKS[:3]}),
    ],
)
def test_runs_at_the_edge(tmp_path, name, options):
    path = write_run(tmp_path / name, **options)
    for table in TABLES:
        frame = analysis.table(path, table)
        no_nonsense(frame)
        for main in ("score", "value", "elo", "share"):
            if (
                main in frame.columns
                and "reason" in frame.columns
                and (table, main) not in (("decks", "share"), ("first", "elo"))
            ):
                silent = frame.filter(pl.col(main).is_null() & pl.col("reason").is_null())
                assert silent.height == 0, (table, main)


def test_words_at_the_edge(tmp_path):
    one = analysis.matchups(write_run(tmp_path / "1", games=1, blocks=1, decks=DECKS[:2])).to_dicts()[0]
    assert one["games"] == 1 and one["high"] - one["low"] > 0.5 and one["verdict"] == "unresolved"
    assert one["second"] is None and one["balanced"] is None
    alone = analysis.decks(write_run(tmp_path / "2", games=4, decks=DECKS[:1])).to_dicts()[0]
    assert alone["score"] is None and alone["reason"] == "no other deck in the run"
    none = analysis.matchups(write_run(tmp_path / "3", games=4, winner=None, decks=DECKS[:2])).to_dicts()[0]
    assert none["score"] is None and none["reason"] == "no finished games" and none["unfinished"] == 4
    wins = write_run(tmp_path / "4", games=40, winner="a", decks=DECKS[:2])
    sure = analysis.matchups(wins).to_dicts()[0]
    assert sure["score"] == 1.0 and 0.9 < sure["low"] < 1.0 and sure["verdict"] == "a"
    logit = analysis.first(wins).filter(pl.col("scope") == "logit").to_dicts()[0]
    assert logit["advantage"] is None and "not finite" in logit["reason"]


def test_coverage_of_win_rates_in_copies():
    """Copies in one game share its result; intervals that count games cover the truth, ones that count copies miss."""
    import numpy as np

    from analysis.stats import share
    from analysis.tables.cards import Copies

    rng = np.random.default_rng(4)
    p_k = np.array([math.comb(4, k) * 0.4**k * 0.6 ** (4 - k) for k in range(5)])
    p_win = 0.4 + 0.05 * np.arange(5)
    truth = float((p_k * np.arange(5) * p_win).sum() / (p_k * np.arange(5)).sum())
    hits = naive = 0
    for _ in range(3000):
        games = rng.multinomial(400, p_k)
        wins = rng.binomial(games, p_win)
        k, lost = np.arange(5), games - wins
        first, second = (k * wins).sum(), (k * lost).sum()
        squares = (k * k * wins).sum(), 0, (k * k * lost).sum()
        copies = Copies(int(first), 0, int(second), *map(int, squares), int(games[1:].sum()))
        hits += copies.rate.low <= truth <= copies.rate.high
        count = share(int(first), int(first + second))
        naive += count.low <= truth <= count.high
    assert 0.93 <= hits / 3000 <= 0.97
    assert naive / 3000 < 0.90


# luck taken out


def test_adjusted_scores_against_plain_python(folder, run):
    """statistics 3.13: score minus slope times mean luck, over the games of each matchup."""
    import numpy as np

    rows = {(r["deck_a"], r["deck_b"]): r for r in analysis.adjusted(run).to_dicts() if r["scope"] == "matchup"}
    games: dict = {}
    for row in rows_of(folder):
        if row["winner"] is not None:
            point = {"a": 1.0, "draw": 0.5, "b": 0.0}[row["winner"]]
            games.setdefault((row["deck_a"], row["deck_b"]), []).append((point, row["luck_sum_a"] - row["luck_sum_b"]))
    assert rows.keys() == games.keys()
    for key, found in games.items():
        y, x = np.array(found).T
        slope = np.cov(y, x, ddof=0)[0, 1] / x.var()
        assert rows[key]["worth"] == pytest.approx(slope, abs=1e-3)
        assert rows[key]["adjusted"] == pytest.approx(y.mean() - slope * x.mean(), abs=1e-3)
        assert rows[key]["saved"] == pytest.approx(np.corrcoef(x, y)[0, 1] ** 2, abs=1e-3)
        assert rows[key]["score"] == pytest.approx(y.mean())
        width = rows[key]["adjusted_high"] - rows[key]["adjusted_low"]
        assert width < rows[key]["high"] - rows[key]["low"]


def test_adjusted_scores_spread_less_and_cover_the_truth():
    """Over many small runs the adjusted score spreads less around the truth, and its interval still covers it."""
    import numpy as np

    from analysis.tables.fair import GRAIN, Sums, _adjusted

    rng = np.random.default_rng(12)
    raw, clean, hits = [], [], 0
    for _ in range(1500):
        n = 300
        luck = rng.binomial(4, 0.5, n) - 2.0
        y = 2 * (rng.random(n) < 0.55 + 0.22 * luck).astype(np.int64)
        a = np.round(luck * GRAIN).astype(np.int64)
        parts = (n, y.sum(), a.sum(), 0, (y * y).sum(), (a * a).sum(), 0, 0, (y * a).sum(), 0)
        row = _adjusted(Sums(*map(int, parts)))
        raw.append(row["score"])
        clean.append(row["adjusted"])
        truth = 0.55
        hits += row["adjusted_low"] <= truth <= row["adjusted_high"]
    assert np.std(clean) < 0.93 * np.std(raw)
    assert abs(np.mean(clean) - 0.55) < 0.005
    assert 0.93 <= hits / 1500 <= 0.97


def test_explained_by_seat(folder, run):
    import numpy as np

    rows = {r["scope"]: r for r in analysis.explained(run).to_dicts() if r["scope"] != "deck"}
    y, first, second = [], [], []
    for row in rows_of(folder):
        if row["winner"] is not None:
            me, other = ("a", "b") if row["first"] == "a" else ("b", "a")
            y.append({me: 1.0, "draw": 0.5, other: 0.0}[row["winner"]])
            first.append(row[f"luck_sum_{me}"])
            second.append(row[f"luck_sum_{other}"])
    x, z = np.array(first), np.array(second)
    assert rows["all"]["r2"] == pytest.approx(np.corrcoef(y, x - z)[0, 1] ** 2, abs=1e-4)
    assert rows["first"]["r2"] == pytest.approx(np.corrcoef(y, x)[0, 1] ** 2, abs=1e-4)
    assert rows["second"]["r2"] == pytest.approx(np.corrcoef(1 - np.array(y), z)[0, 1] ** 2, abs=1e-4)


def test_deciles_rise_with_luck(run):
    rows = analysis.deciles(run).to_dicts()
    assert [row["decile"] for row in rows] == list(range(1, 11))
    assert sum(row["games"] for row in rows) == analysis.matchups(run)["games"].sum()
    assert all(a["luck"] < b["luck"] and a["to"] <= b["from"] for a, b in pairwise(rows))
    assert rows[0]["score"] < 0.4 < 0.6 < rows[-1]["score"]


# shape


def test_comebacks_against_plain_python(folder, run):
    rows = {(r["turn"], r["behind"]): r for r in analysis.comebacks(run).to_dicts()}
    counts: dict = {}
    for row in rows_of(folder, "turns"):
        if row["result"] is None or row["lead"] == 0:
            continue
        behind = {"win": 1.0, "draw": 0.5, "loss": 0.0}[row["result"]]
        behind = behind if row["lead"] < 0 else 1 - behind
        for at_least in range(1, abs(row["lead"]) + 1):
            found = counts.setdefault((row["turn"], at_least), [0, 0.0])
            found[0] += row["games"]
            found[1] += row["games"] * behind
    for key, row in rows.items():
        assert row["games"] == counts[key][0]
        assert row["score"] == pytest.approx(counts[key][1] / counts[key][0])
    late = [row for (turn, behind), row in rows.items() if turn >= 9 and behind == 3 and row["games"] > 100]
    assert late and all(row["score"] < 0.35 for row in late)


def test_logistic_of_a_known_model():
    import numpy as np

    from analysis.tables.shape import logistic

    rng = np.random.default_rng(2)
    cells = [(x, float(rng.binomial(50_000, 1 / (1 + math.exp(-0.2 - 0.4 * x)))), 50_000) for x in range(-5, 6)]
    start, slope = logistic(cells)
    assert start == pytest.approx(0.2, abs=0.02) and slope == pytest.approx(0.4, abs=0.01)
    assert logistic([(0, 5.0, 10)]) is None
    assert logistic([(-1, 0.0, 10), (1, 10.0, 10)]) is None


def test_forecasts_get_better_and_are_calibrated(run):
    rows = [row for row in analysis.forecast(run).to_dicts() if row["games"] > 1000 and row["per_life"] is not None]
    assert rows[-1]["skill"] > rows[1]["skill"] >= 0 and rows[-1]["skill"] > 0.2
    assert all(row["brier"] <= row["brier_even"] + 1e-12 for row in rows)
    assert all(row["error"] < 0.06 for row in rows)
