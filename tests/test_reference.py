"""The reference engine against the rules, part one: preparation, turns, main phase and battle (CR 6 to 9)."""

from __future__ import annotations

import random

import pytest

from sim.games.palworld.vocabulary import VERBS
from sim.position import Option
from tests.reference.palworld import effects, random_play
from tests.reference.palworld.engine import Reference
from tests.reference.palworld.line import CARDS, FILLER, Line, make

FIVE = " ".join([FILLER] * 5)


def numbers(line: Line, seat: int, *keys: str) -> tuple[int, ...]:
    return tuple(line.player(seat)[key] for key in keys)


# The house ----------------------------------------------------------------------------------------------------------


def test_every_verb_has_a_function() -> None:
    assert set(effects.VERB) == set(VERBS)


def test_random_games_keep_the_invariants() -> None:
    assert random_play.main(["--games", "8", "--seed", "7"]) == 0


def test_copy_goes_on_like_the_original() -> None:
    rng = random.Random(5)
    cards = sorted(CARDS.values(), key=lambda card: card.number)
    game = Reference.new_game((random_play.random_deck(cards, rng), random_play.random_deck(cards, rng)), 0, seed=5)
    for _ in range(60):
        game.choose(rng.choice(game.options()))
    twin = game.copy()
    assert twin.state() == game.state() and twin.options() == game.options() and twin.log == game.log
    before = game.state()
    for _ in range(30):
        if twin.over:
            break
        twin.choose(twin.options()[0])
    assert game.state() == before
    while not game.over and game.history != twin.history:
        game.choose(game.options()[0])
    assert game.state() == twin.state()


def test_an_option_that_is_not_open_is_refused() -> None:
    with pytest.raises(ValueError, match="not open"):
        Line().game.choose(Option("yes"))


# CR 6: preparation --------------------------------------------------------------------------------------------------


def set_up(coin: int, shuffles: list[list[int]] | None = None) -> Line:
    names = "abcdefghijkl"
    decks = {letter: " ".join(f"{letter}_{n}={FILLER}" for n in names) for letter in "ab"}
    return Line({"deck": decks["a"]}, {"deck": decks["b"]}, setup=True, coin=coin, shuffles=shuffles)


def test_cr_6_2_1_3_the_winner_of_the_coin_flip_decides_who_starts() -> None:
    line = set_up(coin=1)
    assert (line.game.decides, line.open, line.phase) == (1, ["first", "second"], "setup")
    assert line.do("second").game.decides == 0


def test_cr_6_2_1_5_only_the_second_player_starts_with_a_soul() -> None:
    line = set_up(coin=0).do("first")
    assert (numbers(line, 0, "souls"), numbers(line, 1, "souls")) == ((0,), (1,))


def test_cr_6_2_1_6_five_cards_from_the_top() -> None:
    line = set_up(coin=0).do("first")
    assert line.all(0, "hand") == ["a_a", "a_b", "a_c", "a_d", "a_e"] and line.all(1, "deck")[0] == "b_f"


def test_cr_6_2_1_7_redraw_once_after_a_shuffle() -> None:
    order = [*range(11, -1, -1)]
    line = set_up(coin=0, shuffles=[order]).do("first", "mulligan")
    assert line.all(0, "hand") == ["a_h", "a_i", "a_j", "a_k", "a_l"] and line.game.decides == 1
    line.do("keep")
    assert (line.phase, line.game.state()["turn"], line.game.decides) == ("main", 1, 0)


def test_cr_6_2_1_2_the_decks_of_a_run_are_shuffled_seat_by_seat() -> None:
    deck = [CARDS[FILLER]] * 10
    orders = [list(range(9, -1, -1)), [64 + slot for slot in (9, 1, 2, 3, 4, 5, 6, 7, 8, 0)]]
    game = Reference.new_game((deck, deck), first=1, shuffles=orders)
    assert [game.state()["players"][seat]["hand"] for seat in (0, 1)] == [[5, 6, 7, 8, 9], [65, 66, 67, 68, 73]]
    assert game.game.turn_player == 1


# CR 7: turns --------------------------------------------------------------------------------------------------------


def test_cr_7_2_1_cards_and_souls_of_the_turn_player_stand() -> None:
    line = Line(
        {"base": f"mine={FILLER}:rested"},
        {"base": f"theirs={FILLER}:rested"},
        phase="stand",
        souls_a=1,
        rested_souls_a=3,
        rested_souls_b=0,
    )
    assert not line["mine"].rested and line["theirs"].rested
    assert numbers(line, 0, "souls", "rested_souls") == (6, 0)


def test_cr_7_3_1_no_draw_in_the_first_turn_of_the_game() -> None:
    assert numbers(Line(turn=1, phase="draw"), 0, "deck")[0] == Line(turn=1).player(0)["deck"]
    assert len(Line(turn=2, phase="draw").player(0)["deck"]) == 9


@pytest.mark.parametrize(("before", "after"), [(0, 2), (7, 9), (9, 10), (10, 10)])
def test_cr_7_4_2_two_souls_up_to_ten(before: int, after: int) -> None:
    assert numbers(Line(phase="soul", souls_a=before), 0, "souls") == (after,)


def test_cr_7_5_3_turns_alternate_and_marks_of_the_turn_end() -> None:
    line = Line({"base": "pit=TD01-008 one=TD01-002", "hand": "BP01-047"}, {"hand": FILLER})
    line.do("activate pit 1", "end")
    assert line.game.state()["turn"] == 4 and line.game.decides == 1
    line.do("end")
    assert "activate pit 1" in line.open and not line["one"].assigned


def test_cr_7_6_3_damage_is_healed_before_effects_end() -> None:
    tough = make("X1", "act [consume 1 material]: this gets power +300 until end of turn")
    line = Line({"base": "pal=X1:damage=600"}, None, tough, material_a=1, phase="main")
    line.do("activate pal 1")
    assert line.power("pal") == 800
    line.do("end")
    assert (line["pal"].damage, line.power("pal")) == (0, 500)


def test_the_turn_limit_ends_the_game_without_a_winner() -> None:
    line = Line(None, {"hand": "BP01-047"}, turn=200).do("end")
    assert line.winner == ("none", "cap") and line.game.options() == []


# CR 8: the main phase -----------------------------------------------------------------------------------------------


def test_cr_8_2_1_play_for_souls() -> None:
    line = Line({"hand": f"pal={FILLER} dear=BP01-001"}, souls_a=CARDS[FILLER].cost)
    assert "play pal" in line.open and "play dear" not in line.open
    line.do("play pal")
    assert line.zone("pal") == "a.base" and not line["pal"].rested
    assert numbers(line, 0, "souls", "rested_souls") == (0, CARDS[FILLER].cost)


def test_cr_8_5_draw_for_three_souls_once_a_turn() -> None:
    line = Line(souls_a=7).do("draw")
    assert numbers(line, 0, "souls", "rested_souls") == (4, 3) and len(line.all(0, "hand")) == 1
    assert "draw" not in line.open
    assert "draw" not in Line({"hand": FILLER}, souls_a=2).open


def test_copies_in_one_zone_are_one_option() -> None:
    line = Line({"hand": f"one={FILLER} two={FILLER}", "base": f"x={FILLER} y={FILLER}:rested z={FILLER}"})
    assert line.open == ["attack x player", "draw", "end", "play one"]
    assert line.game.alike(line.ids["z"]) == [line.ids["x"], line.ids["z"]]


# CR 9: battle -------------------------------------------------------------------------------------------------------


def test_cr_9_2_3_targets() -> None:
    line = Line(
        {"base": "one=TD01-002"}, {"base": "up=TD01-003 down=BP01-013:rested wall=TD01-008 hat=BP01-069:rested"}
    )
    assert line.open == ["attack one down", "attack one player", "attack one wall", "draw", "end"]


def test_cr_9_3_2_the_attacker_rests_and_attacks_once() -> None:
    line = Line({"base": "one=TD01-002"}).do("attack one player")
    assert line["one"].rested and line.open == ["draw", "end"]


def test_cr_9_4_2_a_blocker_rests_and_becomes_the_target() -> None:
    line = Line({"base": "one=TD01-002"}, {"base": "up=BP01-054 down=BP01-013:rested"}).do("attack one player")
    assert (line.open, line.game.decides, line.phase) == (["block up", "no block"], 1, "block")
    line.do("block up")
    assert line["up"].rested and line["up"].damage == CARDS["TD01-002"].power
    assert line.player(1)["life"] == 10 and line.zone("one") == "a.graveyard"


def test_cr_9_4_2_the_target_does_not_block_itself() -> None:
    line = Line({"base": "tank=TD01-001"}, {"base": "up=BP01-054 other=TD01-003"}).do("attack tank up")
    assert line.open == ["block other", "no block"]


def test_cr_9_4_an_attack_without_its_target_goes_on() -> None:
    killer = make("X1", "auto attacks: choose 1 enemy rested pal; bury them")
    line = Line({"base": "killer=X1"}, {"base": "down=TD01-002:rested up=TD01-003"}, killer).do("attack killer down")
    assert line.zone("down") == "b.graveyard" and line.open == ["block up", "no block"]
    line.do("no block")
    assert line.player(1)["life"] == 10 and line.phase == "main"


def test_cr_9_4_an_attacker_that_has_left_is_not_blocked() -> None:
    doomed = make("X1", "auto attacks: bury this")
    line = Line({"base": "doomed=X1"}, {"base": "up=TD01-003", "hand": "breath=TD01-011"}, doomed)
    line.do("attack doomed player")
    assert (line.phase, line.open) == ("quick", ["pass", "play breath"])
    line.do("pass")
    assert line.player(1)["life"] == 10


def test_cr_9_5_2_quick_step_of_the_other_player() -> None:
    line = Line(
        {"base": "one=TD01-002", "hand": "mine=TD01-011"},
        {"hand": "breath=TD01-011 sphere=BP01-047 stopper=TD01-004"},
    ).do("attack one player")
    assert line.game.decides == 1
    assert line.open == ["activate stopper 1", "pass", "play breath"]


def test_cr_5_18_a_failed_attack_goes_to_its_end() -> None:
    line = Line({"base": "bushi=BP01-004"}, {"hand": "stopper=TD01-004", "base": ""}, souls_b=1)
    line.do("attack bushi player", "activate stopper 1")
    assert line.phase == "battle_end" and line.open == ["no", "yes"]  # at the end of the battle it attacked in
    line.do("yes")
    assert line.zone("bushi") == "a.hand" and line.player(1)["life"] == 10
    assert line.events("fail") == [("fail", "bushi")]


def test_cr_9_6_3_1_pals_deal_damage_to_each_other_at_once() -> None:
    small, large = make("X1", power=400), make("X2", power=700)
    line = Line({"base": "small=X1"}, {"base": "large=X2:rested"}, small, large).do("attack small large")
    assert line.zone("small") == "a.graveyard" and line["large"].damage == 400
    even = Line({"base": "small=X1"}, {"base": "other=X1:rested"}, small).do("attack small other")
    assert even.zone("small") == "a.graveyard" and even.zone("other") == "b.graveyard"


def test_cr_9_6_3_1_1_power_zero_deals_no_damage() -> None:
    none, some = make("X1", power=0), make("X2", power=300)
    line = Line({"base": "none=X1"}, {"base": "some=X2:rested"}, none, some).do("attack none some")
    assert line["some"].damage == 0 and line.events("damage") == [("damage", "none")]


def test_cr_9_6_3_2_structures_deal_no_damage() -> None:
    line = Line({"base": "one=TD01-002"}, {"base": "wall=TD01-009"}).do("attack one wall")
    assert line["one"].damage == 0 and line.events("damage") == [("damage", "wall")]


def test_cr_9_7_3_effects_until_the_end_of_battle() -> None:
    brief = make("X1", "auto attacks: this gets power +300 until end of battle")
    line = Line({"base": "brief=X1"}, {"hand": "breath=TD01-011"}, brief).do("attack brief player")
    assert line.power("brief") == 800
    assert line.do("pass").power("brief") == 500
