"""Edits, and the runs of a comparison: what is kept alike, what is refused."""

from __future__ import annotations

import json
import tomllib

import msgspec
import polars as pl
import pytest

from analysis import balance as answers
from sim.balance import balance
from sim.cards import load_cards
from sim.cli import run_command
from sim.decks import load_deck, load_decks
from sim.edits import Source, lucky_cards, replaced, touched
from sim.errors import InputError, RunError
from sim.results import BalanceInfo, read_info
from tests.sim.fake import FakePlayer

DECKS = ["starter-red-blue", "starter-green-purple", "tuned-red-gun"]


@pytest.fixture(scope="module")
def source():
    return Source("palworld")


# edits


def test_set_changes_numbers_and_nothing_else(source):
    edits = source.read(["TD01-004.power=1000", "TD01-004.cost=5", "Stone Pit.lucky=true"], [], [])
    before, after = source.table("TD01-004"), edits.cards["TD01-004"]
    assert {key for key in after if after[key] != before.get(key)} == {"power", "cost"}
    assert edits.cards["TD01-008"]["lucky"] is True
    again = tomllib.loads(source.card_file(edits))
    assert again == edits.cards
    assert source.card_file(source.read([], [], ["life=12"])) == ""


def test_a_number_inside_a_text(source, tmp_path):
    """`text.N` is the N-th number of all abilities, and the card is read as any other."""
    number = "BP01-047"
    texts = source.table(number)["abilities"]
    digits = [int(word) for text in texts for word in __import__("re").findall(r"\d+", text)]
    edits = source.read([f"{number}.text.1={digits[0] + 7}"], [], [])
    file = tmp_path / "edited.toml"
    file.write_text(source.card_file(edits), encoding="utf-8")
    assert load_cards("palworld", [file])[number].abilities != source.cards[number].abilities
    with pytest.raises(InputError, match=f"{len(digits)} numbers: 1: "):
        source.read([f"{number}.text.{len(digits) + 1}=3"], [], [])


@pytest.mark.parametrize(
    ("what", "match"),
    [
        ((["TD01-004.pover=3"], [], []), "did you mean 'power'"),
        ((["TD01-004.power=much"], [], []), "whole number"),
        ((["TD01-004.lucky=1"], [], []), "true or false"),
        ((["TD99-004.power=3"], [], []), "unknown card number"),
        ((["power=3"], [], []), "as in --set"),
        ((["TD01-004.power"], [], []), "as in --set"),
        (([], ["TD01-004"], []), "as in --swap"),
        (([], [], ["lif=3"]), "did you mean 'life'"),
        (([], [], ["life=0"]), "from 1 to 200"),
        (([], [], ["life"]), "as in --rule"),
    ],
)
def test_what_cannot_be_meant_is_refused(source, what, match):
    with pytest.raises(InputError, match=match):
        source.read(*what)


def test_sweeps(source):
    assert source.sweep("TD01-004.power=1000:1600:300") == ("TD01-004.power", [1000, 1300, 1600])
    assert source.sweep("life=8:10") == ("life", [8, 9, 10])
    for wrong in ("life", "life=8", "life=10:8", "life=1:9:0", "life=a:b", "life=1:1000"):
        with pytest.raises(InputError):
            source.sweep(wrong)


def test_a_swap_keeps_every_slot(source):
    deck = load_deck("starter-red-blue", source.cards)
    changed = replaced(deck, "TD01-004", "TD02-001", 2)
    pairs = list(zip(deck.cards(), changed.cards(), strict=True))
    assert [pair for pair in pairs if pair[0] != pair[1]] == [("TD01-004", "TD02-001")] * 2
    assert changed.counts["TD01-004"] == 2 and changed.counts["TD02-001"] == 2 and sum(changed.counts.values()) == 50
    assert replaced(changed, "TD02-001", "TD01-004").order == (), "back again is the deck as it was"
    assert replaced(deck, "TD02-009", "TD01-004") is deck
    assert "at most 4" in source.faults(replaced(deck, "TD01-008", "TD01-004"))


def test_dose_takes_icons_and_nothing_else(source):
    deck = load_deck("starter-red-blue", source.cards)
    for k in range(9):
        dosed, plain = source.lucky_dose(deck, k)
        assert sum(dosed.counts[n] for n in dosed.counts if n in source.cards and source.cards[n].lucky) == k
        for old, new in zip(deck.cards(), dosed.cards(), strict=True):
            if old != new:
                before, after = source.table(old), plain[new]
                assert {key for key in before if before[key] != after[key]} <= {"lucky", "subtype"}
    assert dosed == deck and not plain
    assert lucky_cards(deck, source.cards) == 8


def test_touched(source):
    decks = load_decks(DECKS, source.cards)
    edits = source.read(["TD01-004.power=1000"], [], [])
    assert touched(decks, decks, edits) == [deck.name for deck in decks if "TD01-004" in deck.counts]


# runs


def compare(path, **more):
    return balance(
        DECKS, games=8, seed=3, out=path, threads=1, player=lambda info: FakePlayer(info), agent="greedy", **more
    )


@pytest.mark.usefixtures("fake_game")
def test_arms_share_their_seeds(tmp_path):
    made = compare(tmp_path / "b", sets=["TD01-004.power=1000"])
    base, edited = (read_info(made.path / arm.folder) for arm in made.info.arms)
    assert base.seed == edited.seed == 3 and base.decks == edited.decks and base.matchups == edited.matchups
    assert base.user_cards == {} and len(edited.user_cards) == 1
    rows = [pl.read_parquet(made.path / arm.folder / "games" / "*.parquet") for arm in made.info.arms]
    assert rows[0].equals(rows[1]), "the fake plays by the key alone: nothing may differ"
    # The same call again has nothing to do; another one is refused; what is there is kept.
    compare(tmp_path / "b", sets=["TD01-004.power=1000"])
    with pytest.raises(RunError, match="holds another comparison"):
        compare(tmp_path / "b", sets=["TD01-004.power=2000"])
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").write_text("")
    with pytest.raises(RunError, match="not empty"):
        compare(tmp_path / "other", sets=["TD01-004.power=2000"])


@pytest.mark.usefixtures("fake_game")
def test_pairs_that_the_change_cannot_touch_are_left_out(tmp_path):
    only = next(
        n for n in load_deck(DECKS[1], load_cards()).counts if n not in load_deck(DECKS[0], load_cards()).counts
    )
    made = compare(tmp_path / "b", sets=[f"{only}.cost=9"])
    info = read_info(made.path / "base")
    assert made.info.targets == [DECKS[1]]
    assert sorted(info.matchups) == [(0, 1), (1, 2)]


@pytest.mark.usefixtures("fake_game")
def test_a_sweep_has_an_arm_for_each_value(tmp_path):
    made = compare(tmp_path / "b", sweep="TD01-004.power=200:600:200")
    assert [arm.value for arm in made.info.arms[1:]] == [200, 400, 600]
    assert made.info.printed == 400
    rows = answers.curve(made).to_dicts()
    assert [row["value"] for row in rows] == [200, 400, 600]
    assert all(row["change"] == 0.0 and row["change_low"] == row["change_high"] == 0.0 for row in rows)


@pytest.mark.usefixtures("fake_game")
def test_games_are_added_until_it_is_enough(tmp_path):
    asked = []

    def enough(path):
        asked.append(read_info(path / "base").played)
        return len(asked) == 2

    made = balance(
        DECKS,
        sets=["TD01-004.power=1"],
        games=4000,
        seed=3,
        out=tmp_path / "b",
        threads=1,
        until=0.01,
        enough=enough,
        player=lambda info: FakePlayer(info),
    )
    assert asked == [400, 600]
    assert [read_info(made.path / arm.folder).played for arm in made.info.arms] == [600, 600]
    assert msgspec.json.decode((made.path / "balance.json").read_bytes(), type=BalanceInfo).until == 0.01


@pytest.mark.usefixtures("fake_game")
@pytest.mark.parametrize(
    ("more", "match"),
    [
        ({}, "what is to be changed"),
        ({"sets": ["BP02-001.power=3"]}, "no deck has the card"),
        ({"swaps": ["BP02-001=TD01-001"]}, "no deck has the card"),
        ({"lucky": "0:9"}, "8 lucky cards"),
        ({"lucky": "0:8", "sets": ["TD01-004.power=3"]}, "of its own"),
    ],
)
def test_a_change_that_cannot_be_played_is_refused(tmp_path, more, match):
    with pytest.raises(InputError, match=match):
        compare(tmp_path / "b", **more)
    assert not (tmp_path / "b").exists()


def test_one_deck_alone_is_refused(tmp_path):
    with pytest.raises(InputError, match="two decks or more"):
        balance(DECKS[:1], sets=["TD01-004.power=3"], out=tmp_path / "b")


@pytest.mark.usefixtures("fake_game")
def test_tables_and_page_of_a_comparison(tmp_path, capsys):
    made = compare(tmp_path / "b", sweep="TD01-004.power=200:400:200")

    def run(*command):
        code = run_command(list(map(str, command)))
        out = capsys.readouterr()
        return code, out.out, out.err

    code, out, _ = run("table", made.path, "curve", "--json")
    assert code == 0 and [row["value"] for row in json.loads(out)] == [200, 400]
    code, out, _ = run("table", made.path, "--list")
    assert code == 0 and [line.split()[0] for line in out.splitlines()] == ["change", "flips", "curve"]
    code, _, error = run("table", made.path, "chnge")
    assert code == 2 and "did you mean 'change'" in error
    code, out, _ = run("report", made.path)
    assert code == 0 and (made.path / "report.html").is_file()
    (made.path / "balance.json").write_text("{")
    for command in (("table", made.path, "change"), ("report", made.path)):
        code, _, error = run(*command)
        assert code == 2 and "balance.json" in error and "Traceback" not in error


# the engine


def test_an_edit_that_cannot_matter_gives_exactly_zero(tmp_path, capsys):
    """Every game is the same, decision by decision; the numbers are exactly 0, with nothing around them."""
    command = ["balance", *DECKS[:2], "--games", "6", "--seed", "5", "--threads", "1", "--out", str(tmp_path / "b")]
    assert run_command([*command, "--set", "TD01-004.name_ja=何か", "--agent", "random", "--json", "--quiet"]) == 0
    result = json.loads(capsys.readouterr().out)
    for row in result["change"]:
        assert (row["change"], row["change_low"], row["change_high"], row["better"], row["worse"]) == (0, 0, 0, 0, 0)
        assert row["alike"] == 1.0 and row["verdict"] == "none"
    assert result["flips"] == [] and (tmp_path / "b" / "report.html").is_file()


def test_a_card_swapped_for_its_twin_gives_exactly_zero(tmp_path):
    """The twin has another number and lies in the same slots: no result differs."""
    source = Source("palworld")
    twins = tmp_path / "twins.toml"
    body = "\n".join(f"{key} = {json.dumps(value)}" for key, value in source.table("TD01-002").items())
    twins.write_text(f'["XX01-001"]\n{body}\n', encoding="utf-8")
    made = balance(
        DECKS[:2],
        swaps=["TD01-002=XX01-001"],
        games=6,
        seed=5,
        agent="random",
        cards=[twins],
        threads=1,
        out=tmp_path / "b",
    )
    for row in answers.change(made).to_dicts():
        assert (row["change"], row["better"], row["worse"]) == (0, 0, 0)
    info = read_info(made.path / "edited")
    deck = next(deck for deck in info.decks if "XX01-001" in deck.cards)
    plain = load_deck(deck.name, source.cards).cards()
    assert [n if n != "XX01-001" else "TD01-002" for n in deck.slots] == plain


def test_turned_games_are_replayed_with_the_change(tmp_path, capsys):
    """The commands that the table names show the game of each arm, with its result."""
    made = balance(DECKS[:2], rules=["life=1"], games=6, seed=5, agent="random", threads=1, out=tmp_path / "b")
    rows = answers.flips(made).to_dicts()
    assert rows
    for row in rows[:2]:
        results = []
        for command in (row["replay_base"], row["replay_edited"]):
            assert run_command([*command.split()[1:], "--json"]) == 0
            results.append(json.loads(capsys.readouterr().out)["winner"])
        names = {"a": "wins", "b": "loses", "draw": "draws"}
        assert [names[result] for result in results] == [row["base"], row["edited"]]
