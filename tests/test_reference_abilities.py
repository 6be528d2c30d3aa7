"""The reference engine against the rules, part two: abilities, costs, choices and continuous effects (CR 10)."""

from __future__ import annotations

import pytest

from tests.reference.palworld.line import CARDS, FILLER, Line, make

WEAK = make("WEAK", power=100)

# CR 10.3, 10.4: validity and costs ------------------------------------------------------------------------------------


def test_cr_10_3_5_abilities_of_cards_work_in_the_base_only() -> None:
    line = Line({"hand": "pit=TD01-008", "base": FILLER})
    assert not any(option.startswith("activate") for option in line.open)


def test_cr_10_4_2_1_costs_are_paid_in_printed_order() -> None:
    gun = make("X1", "act [consume X material, assign 1 pal]: draw 1", type="structure")
    line = Line({"base": "gun=X1 one=TD01-002 two=TD01-003"}, None, gun, material_a=3)
    line.do("activate gun 1", "x 2")
    assert line.player(0)["material"] == 1 and line.open == ["assign one", "assign two"]
    line.do("assign two")
    assert line["two"].rested and line["two"].assigned and not line["one"].rested


@pytest.mark.parametrize(("souls", "hand", "offered"), [(3, "", 1), (2, f"{FILLER} {FILLER}", 1), (2, FILLER, 0)])
def test_cr_10_4_2_2_only_what_is_fully_payable(souls: int, hand: str, offered: int) -> None:
    line = Line({"base": "dragon=BP01-001:rested", "hand": hand}, souls_a=souls)
    assert line.open.count("activate dragon 1") == offered


def test_cr_10_6_2_3_1_the_cost_is_chosen_where_several_can_be_paid() -> None:
    line = Line({"base": "dragon=BP01-001:rested", "hand": f"one={FILLER} two=TD01-003"}, souls_a=3)
    line.do("activate dragon 1")
    assert line.open == ["pay 1", "pay 2"]
    line.do("pay 2")
    assert not line["dragon"].rested and line.all(0, "hand") == [] and line.player(0)["souls"] == 3


def test_several_cards_of_one_cost_are_paid_together() -> None:
    line = Line({"base": "dragon=BP01-001:rested", "hand": "one=TD01-002 two=TD01-003 three=BP01-047"}, souls_a=0)
    line.do("activate dragon 1", "discard two")
    assert line.zone("two") == "a.hand" and line.open == ["discard one", "discard three"]
    line.do("discard one")
    assert line.all(0, "graveyard") == ["one", "two"]


def test_cr_10_7_2_the_limit_is_shared_by_alternative_costs_and_belongs_to_one_stay() -> None:
    line = Line({"base": "dragon=BP01-001:rested other=BP01-001:rested", "hand": f"{FILLER} {FILLER}"}, souls_a=6)
    line.do("activate dragon 1", "pay 1")
    assert "activate dragon 1" not in line.open and "activate other 1" in line.open


def test_cr_10_6_2_2_2_x_may_be_zero_and_is_payable() -> None:
    line = Line({"base": "gun=BP01-015 helper=TD01-002"}, {"base": "horse=BP01-013"}, material_a=2)
    line.do("activate gun 1")
    assert line.open == ["x 0", "x 1", "x 2"]
    assert line.do("x 0")["horse"].damage == 0


# CR 10.5: check timings ----------------------------------------------------------------------------------------------


def test_cr_10_5_3_the_turn_player_resolves_first_in_any_order() -> None:
    doomed = make("X1", "auto buried: draw 1", "auto buried: gain 1 material", power=100)
    line = Line({"base": "mine=X1", "hand": "axe=BP02-094"}, {"base": "theirs=X1"}, doomed)
    line.do("play axe")
    assert line.open == ["resolve mine 1", "resolve mine 2"] and line.game.decides == 0
    assert line.game.waiting() == [(line.ids["mine"], n) for n in (1, 2)] + [(line.ids["theirs"], n) for n in (1, 2)]
    line.do("resolve mine 2")
    assert line.game.decides == 1 and line.open == ["resolve theirs 1", "resolve theirs 2"]


def test_cr_10_5_3_2_a_new_ability_of_the_turn_player_comes_before_the_other_players() -> None:
    caller = make("X1", "auto buried: choose 1 pal in my graveyard; deploy them", power=100)
    doomed = make("X2", "auto buried: choose 1 enemy pal; bury them", "auto buried: draw 1", power=100)
    newcomer = make("X3", "auto deployed: gain 1 material")
    line = Line(
        {"base": "caller=X1", "hand": "axe=BP02-094", "graveyard": "new=X3"},
        {"base": "doomed=X2"},
        caller,
        doomed,
        newcomer,
    ).do("play axe", "choose new")
    assert line.player(0)["material"] == 1 and line.game.decides == 1


def test_equal_waiting_abilities_are_no_question() -> None:
    line = Line({"base": "one=BP01-028 two=BP01-028", "hand": "axe=BP02-094"}, {"base": FILLER})
    line.do("play axe")
    assert len(line.all(0, "hand")) == 2 and line.phase == "main"


def test_waiting_abilities_of_one_card_about_different_cards_are_different() -> None:
    line = Line(
        {"base": "katress=BP01-075 five=TD01-005 two=BP01-006", "graveyard": "g4=BP01-003 g1=X1", "hand": "cut=X2"},
        None,
        make("X1", subtype="normal", cost=1),
        make("X2", "event: butcher all my other pals", type="event"),
    )
    line.do("play cut")
    assert len(line.open) == 3  # three thats: itself and two others
    line.do("resolve katress five 1")
    assert line.open == ["choose g4", "done"]


# CR 10.6: choices ----------------------------------------------------------------------------------------------------


def test_cr_10_6_3_1_as_many_as_possible_without_a_question() -> None:
    two = make("X1", "event: choose 2 enemy pals; rest them", type="event")
    line = Line({"hand": "two=X1"}, {"base": "one=TD01-002"}, two).do("play two")
    assert line["one"].rested and line.phase == "main"


def test_cr_10_6_3_1_1_up_to_may_be_none_and_ends_by_itself() -> None:
    line = Line({"hand": "shot=BP01-021"}, {"base": "one=BP01-013 two=TD01-003"}).do("play shot")
    assert line.open == ["choose one", "choose two", "done"]
    assert line.do("choose one")["one"].damage == 500 and line.phase == "main"
    assert Line({"hand": "shot=BP01-021"}, {"base": "one=TD01-002"}).do("play shot", "done")["one"].damage == 0


def test_cr_10_6_3_1_3_nothing_to_choose() -> None:
    line = Line({"hand": "strike=TD02-021"}).do("play strike")
    assert line.zone("strike") == "a.graveyard"


def test_cr_10_6_3_1_4_the_same_card_again() -> None:
    line = Line({"base": "gun=BP01-015 helper=TD01-002"}, {"base": "horse=BP01-054"}, material_a=2)
    line.do("activate gun 1", "x 2", "choose horse", "choose horse")
    assert line["horse"].damage == 1000


def test_cr_10_6_3_choices_are_made_on_resolution() -> None:
    line = Line(
        {"base": "curtain=BP01-042", "hand": "new=BP01-039"}, {"base": "one=TD01-002 two=TD01-003 three=BP01-013"}
    )
    line.do("play new", "choose one")
    assert line.open == ["choose three", "choose two", "done"]  # two different names, counting the new one
    line.do("choose two")
    assert line.all(1, "hand") == ["one", "two"]


def test_different_names_are_picked_apart() -> None:
    line = Line(
        {"hand": "faleris=BP02-003 a=X1 b=X1 c=X2"}, None, *[make(n, type="gear", cost=8) for n in ("X1", "X2")]
    )
    line.do("play faleris", "choose a")
    assert line.open == ["choose c", "done"]


def test_choices_of_the_opponent() -> None:
    line = Line({"base": f"leez=TD02-014 mine={FILLER}", "hand": "axe=BP02-094"}, {"hand": "x=TD01-002 y=TD01-003"})
    line.do("play axe")
    assert line.game.decides == 1 and line.open == ["discard x", "discard y"]


def test_modes_fresh_once_a_turn_by_ability() -> None:
    line = Line({"base": "orserk=BP02-001 low=TD01-023:rested"}, None, material_a=6)
    line.do("activate orserk 1")
    assert line.open == ["mode 1", "mode 2", "mode 3"]
    line.do("mode 3", "activate orserk 1")
    assert line.open == ["mode 1", "mode 2"]


def test_may_is_asked_only_where_something_can_happen() -> None:
    lone = Line({"base": "heart=BP01-081"}, {"hand": "x=TD01-011"}).do("attack heart player")
    assert lone.phase == "quick"
    line = Line({"base": "heart=BP01-081", "hand": FILLER}, {"hand": "x=TD01-011"}).do("attack heart player")
    assert line.open == ["no", "yes"]
    assert line.do("yes").player(0)["life"] == 11
    declined = Line({"base": "heart=BP01-081", "hand": FILLER}, {"hand": "x=TD01-011"}).do("attack heart player", "no")
    assert declined.player(0)["life"] == 10


def test_revealed_and_not_deployed_goes_to_the_hand() -> None:
    line = Line({"hand": "chillet=BP01-025", "deck": f"dragon=TD01-012 {FILLER} {FILLER} {FILLER}"})
    line.do("play chillet", "no")
    assert line.zone("dragon") == "a.hand"
    other = Line({"hand": "chillet=BP01-025", "deck": f"plain={FILLER} {FILLER}"}).do("play chillet")
    assert other.zone("plain") == "a.hand"


def test_look_choose_and_shuffle_the_rest() -> None:
    line = Line(
        {"hand": "chest=BP01-024", "deck": f"gear=BP01-021 blue=BP01-042 {FILLER}"},
        shuffles=[[3, 2]],
    ).do("play chest")
    assert line.open == ["choose gear", "done"]
    line.do("choose gear")
    assert line.all(0, "hand") == ["gear"] and line.all(0, "deck") == ["a3", "blue"]
    assert line.player(0)["material"] == 0


def test_bottom_of_the_deck_in_the_order_of_the_picks() -> None:
    line = Line({"hand": "love=BP02-047", "deck": "x=BP01-047 y=BP01-048 z=BP01-046 last=TD01-002"}).do("play love")
    assert line.open == ["choose x", "choose y", "choose z"]
    line.do("choose y", "choose z")
    assert line.all(0, "deck") == ["last", "y", "z", "x"]


# CR 10.7, 10.8: automatic abilities ----------------------------------------------------------------------------------


def test_cr_10_8_3_mandatory() -> None:
    line = Line({"base": "ray=BP01-036"}, {"hand": "x=TD01-011"}).do("attack ray player")
    assert line.phase == "quick" and len(line.all(0, "graveyard")) == 1  # draws one, discards it


def test_cr_10_8_4_2_cards_that_enter_together_see_each_other() -> None:
    watcher = make("X1", "auto my pal deployed: gain 1 material", cost=1)
    both = make("X2", "event: deploy all pals in my hand", type="event")
    line = Line({"hand": "both=X2 one=X1 two=X1"}, None, watcher, both).do("play both")
    assert len(line.game.waiting()) == 4
    # Each about itself is one option, as the two are interchangeable; each about the other is told apart by "that".
    assert line.open == ["resolve one 1", "resolve one two 1", "resolve two one 1"]


def test_cr_10_8_4_1_2_look_back_when_cards_leave_together() -> None:
    watcher = make("X1", "auto my pal buried: gain 1 material", "auto leaves: gain 1 ingredient")
    line = Line({"base": "one=X1 two=X1", "hand": "axe=BP02-094"}, None, watcher).do("play axe")
    while line.open and line.open[0].startswith("resolve"):
        line.do(line.open[0])
    assert (line.player(0)["material"], line.player(0)["ingredient"]) == (4, 2)


def test_cr_10_8_7_an_ability_resolves_though_its_card_has_left() -> None:
    bomb = make("X1", "auto attacks: bury all pals", "auto attacks: gain 1 material")
    line = Line({"base": "bomb=X1"}, {"hand": "x=TD01-011"}, bomb).do("attack bomb player", "resolve bomb 1")
    assert line.player(0)["material"] == 1


def test_cr_10_8_5_delayed_until_the_end_of_the_turn() -> None:
    line = Line({"base": "helz=BP01-073 other=BP01-080", "hand": "new=BP01-080"}, {"base": "x=TD01-023"}, night=True)
    line.do("play new")
    assert line.open == ["choose helz", "choose new", "choose other", "choose x", "done"] or "choose x" in line.open
    line.do("choose x")
    assert line.zone("x") == "b.graveyard" and not line["helz"].rested
    line.do("end")
    assert line["helz"].rested


def test_cr_5_21_twice_and_never_more() -> None:
    one = Line({"base": "beak=BP01-074 ray=TD02-018"}, {"hand": "x=TD01-011"}, night=True).do("attack ray player")
    assert one.player(0)["life"] == 12
    two = Line({"base": "beak=BP01-074 peak=BP01-074 ray=TD02-018"}, {"hand": "x=TD01-011"}, night=True)
    assert two.do("attack ray player").player(0)["life"] == 12
    day = Line({"base": "beak=BP01-074 ray=TD02-018"}, {"hand": "x=TD01-011"}).do("attack ray player")
    assert day.player(0)["life"] == 11


def test_cr_10_7_3_a_limited_automatic_ability_may_be_left() -> None:
    shy = make("X1", "auto once my pal deployed: gain 1 material")
    line = Line({"base": "shy=X1", "hand": f"one={FILLER} two={FILLER}"}, None, shy).do("play one")
    assert line.open == ["no", "yes"]
    line.do("no", "play two", "yes")
    assert line.player(0)["material"] == 1
    again = Line({"base": "shy=X1", "hand": f"one={FILLER} two={FILLER}"}, None, shy).do("play one", "yes", "play two")
    assert again.player(0)["material"] == 1 and again.phase == "main"


# CR 10.10, 10.11: continuous and replacement effects ------------------------------------------------------------------


def test_cr_10_10_continuous_abilities_add_up() -> None:
    line = Line({"base": "one=BP01-003 two=BP01-003 pot=BP01-017"})
    assert line.power("one") == line.power("two") == 400 + 300 + 200


def test_cr_10_10_1_2_granted_abilities_before_numbers() -> None:
    line = Line({"base": f"lamp=BP01-088 one={FILLER}"}, {"base": f"x={FILLER}"}, night=True)
    assert line.power("one") == (CARDS[FILLER].power or 0) + 300 and line.power("x") == CARDS[FILLER].power


def test_cr_10_10_an_effect_that_reads_power_comes_after_the_others() -> None:
    leveller = make("X1", "cont: all enemy pals with power >= 600 get power -500")
    boost = make("X2", "cont: all my pals get power +100")
    line = Line({"base": "level=X1"}, {"base": "boost=X2 pal=X3"}, leveller, boost, make("X3", power=500))
    assert line.power("pal") == 100  # 600 first, then it counts


def test_night_by_a_rested_card_and_its_end() -> None:
    line = Line({"base": "ray=BP01-085"}, {"base": f"x={FILLER}", "hand": "q=TD01-011"})
    assert not line.game.state()["night"]
    line.do("attack ray player")
    assert line.game.state()["night"] and line.power("x") == (CARDS[FILLER].power or 0) - 200


def test_night_lasts_until_the_end_of_the_opponents_next_turn() -> None:
    line = Line({"base": "lamp=BP01-088"}, {"hand": FILLER}).do("activate lamp 1")
    assert line.game.state()["night"] and len(line.all(0, "graveyard")) == 3
    assert line.do("end").game.state()["night"]
    assert not line.do("end").game.state()["night"]


def test_cr_10_11_more_damage_instead_each_replacement_once() -> None:
    line = Line({"base": "suzaku=BP01-002 other=BP01-002", "hand": "breath=TD01-011"}, {"base": "x=BP01-054"})
    line.do("play breath", "choose x")
    assert line["x"].damage == 500 + 200 + 200
    blue = Line(
        {"base": "suzaku=BP01-002", "hand": "cold=X1"},
        {"base": "x=BP01-054"},
        make("X1", "event: damage 500 to all enemy pals", type="event", color="blue"),
    ).do("play cold")
    assert blue["x"].damage == 500
    battle = Line({"base": "suzaku=BP01-002"}, {"base": "x=BP01-054:rested"}).do("attack suzaku x")
    assert battle["x"].damage == 1200


def test_no_damage_is_not_increased() -> None:
    rocket = make("X1", "act [rest this]: damage power of this to all enemy pals", power=0)
    line = Line({"base": "suzaku=BP01-002 r=X1"}, {"base": "x=BP01-054"}, rocket).do("activate r 1")
    assert line["x"].damage == 0


def test_cost_reductions_stop_at_their_floor() -> None:
    line = Line(
        {"base": "frost=BP02-025 furnace=BP01-016", "hand": "pal=BP01-006 gear=BP01-021 shot=BP01-020"},
        material_a=5,
    )
    costs = [line.game.cost_of(line.ids[name]) for name in ("pal", "gear", "shot")]
    assert costs == [1, 2, 7]
    line.do("activate furnace 2", "x 4")
    assert [line.game.cost_of(line.ids[name]) for name in ("pal", "gear", "shot")] == [1, 1, 3]
    line.do("play gear", "done")
    assert line.game.cost_of(line.ids["shot"]) == 7  # only the next gear


def test_a_card_in_hand_counts_its_own_reduction_everywhere_but_in_the_base() -> None:
    line = Line({"base": f"one={FILLER} two={FILLER}", "hand": "hand=BP02-049", "graveyard": "grave=BP02-049"})
    assert line.game.cost_of(line.ids["hand"]) == line.game.cost_of(line.ids["grave"]) == 5


def test_selyne_for_three() -> None:
    dead = " ".join(["BP01-080"] * 10)
    line = Line({"hand": "selyne=BP02-074", "graveyard": dead}, night=True)
    assert line.game.cost_of(line.ids["selyne"]) == 3
    day = Line({"hand": "selyne=BP02-074", "graveyard": dead})
    assert day.game.cost_of(day.ids["selyne"]) == 8


# CR 10.12 and links --------------------------------------------------------------------------------------------------


def test_cr_10_12_last_information_of_a_card_that_has_left() -> None:
    line = Line({"base": "cage=BP01-092 five=TD01-005"}, {"base": "six=BP01-013 eight=BP01-054"})
    line.do("activate cage 1")
    assert line.zone("five") == "a.exile" and line.zone("six") == "b.exile"  # cost 5 + 2: six but not eight


def test_exiled_cards_come_back_when_their_card_leaves() -> None:
    line = Line(
        {"base": f"trap=TD02-019 one={FILLER} two={FILLER}"},
        {"base": "x=BP01-013", "hand": "axe=X1"},
        make("X1", "event: bury all structures", type="event"),
    )
    line.do("activate trap 1", "choose x")
    assert line.zone("x") == "b.exile"
    line.do("end", "play axe")
    assert line.zone("x") == "b.base" and line["x"].rested


def test_cr_4_1_4_a_card_that_left_is_a_new_one() -> None:
    bounce = make(
        "X1", "event: choose 1 my pal; put them into hand; they get power +500 until end of turn", type="event"
    )
    line = Line({"base": "pal=X2", "hand": "bounce=X1"}, None, bounce, make("X2", cost=1)).do("play bounce", "play pal")
    assert line.power("pal") == 500


def test_granted_activated_ability_uses_the_cards_own_power() -> None:
    line = Line({"base": "rocket=BP01-044 pen=BP01-028"}, {"base": "x=BP01-054 y=BP01-013"})
    line.do("activate rocket 1", "choose pen")
    assert "activate pen 1" in line.open and line.power("pen") == 1100
    line.do("activate pen 1")
    assert line["x"].damage == 1100 and line["y"].damage == 1100
    assert line.zone("pen") == "a.graveyard" and len(line.all(0, "hand")) == 1


def test_play_in_the_middle_of_an_effect_for_less() -> None:
    line = Line({"base": "queen=BP01-053", "deck": f"bee=BP01-061 {FILLER}"}, ingredient_a=1, souls_a=1)
    line.do("activate queen 1", "yes")
    assert line.zone("bee") == "a.base" and line.player(0)["souls"] == 0 and line.power("queen") == 700 + 300
    poor = Line({"base": "queen=BP01-053", "deck": f"bee=BP01-061 {FILLER}"}, ingredient_a=1, souls_a=0)
    assert poor.do("activate queen 1").all(0, "deck")[0] == "bee"


def test_rush_forbids_assigning_and_binds_to_attack() -> None:
    line = Line({"base": f"bell=BP01-018 pit=TD01-008 one={FILLER}"}, {"hand": FILLER})
    line.do("activate bell 1")
    assert not line["one"].rested and line.open == ["attack one player", "draw"]
    assert "end" in line.do("attack one player").open


def test_dont_stand() -> None:
    line = Line({"base": "relax=X1", "hand": "gunner=BP01-026"}, {"base": "x=TD01-002"}, make("X1", cost=1))
    line.do("play gunner", "choose x", "end")
    assert line["x"].rested
    serpent = Line({"hand": "serpent=BP01-027"}, {"base": "x=TD01-002", "hand": FILLER}).do("play serpent", "choose x")
    assert serpent.do("end")["x"].rested
    serpent.do("end", "end")
    assert not serpent["x"].rested


def test_first_card_of_the_game() -> None:
    fresh = Line({"hand": "start=BP01-100"}).do("play start")
    assert len(fresh.all(0, "hand")) == 2
    late = Line({"hand": "start=BP01-100", "base": f"x={FILLER}:played"}).do("play start")
    assert late.all(0, "hand") == []


def test_declared_names_make_cards_the_same() -> None:
    friends = "one=TD01-023 two=TD02-023 three=TD02-024"
    line = Line({"base": friends, "hand": "start=BP01-100 x=TD01-002"}).do("play start")
    assert line.power("one") == 1200
    named = Line({"base": f"{friends} dress=BP01-040", "hand": f"start=BP01-100 x={FILLER}"})
    named.do("activate dress 1", "discard x", f"name {named.game.names.index(CARDS['TD01-023'].name)}", "play start")
    assert named.power("one") == 200
