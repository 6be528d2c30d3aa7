"""The reference engine against the rules, part three: rule actions (CR 11), keywords (CR 12) and special actions."""

from __future__ import annotations

import pytest

from tests.reference.palworld.line import CARDS, FILLER, Line, make

LUCKY = "TD01-001"
STRIKE = make("STRIKE", strike=3)
KILL = make("KILL", "event: bury all pals", type="event")


def attacked(deck: str, life: int = 10, strike: int = 3) -> Line:
    """Seat 1 takes an attack of a Pal with the given Strike."""
    line = Line({"base": "one=HIT"}, {"deck": deck}, make("HIT", strike=strike), life_b=life)
    return line.do("attack one player")


# CR 11.2: damage to players ------------------------------------------------------------------------------------------


def test_cr_11_2_as_many_cards_as_damage_then_the_life_at_once() -> None:
    line = attacked(" ".join([FILLER] * 6))
    assert line.player(1)["life"] == 7 and len(line.player(1)["deck"]) == 3
    assert line.events("check", "life")[-1][0] == "life" and len(line.events("check")) == 3


@pytest.mark.parametrize("place", [0, 1, 2])
def test_cr_11_2_2_2_a_lucky_card_ends_it(place: int) -> None:
    deck = [FILLER] * 6
    deck[place] = LUCKY
    line = attacked(" ".join(deck))
    assert line.player(1)["life"] == 10 and len(line.player(1)["graveyard"]) == place + 1


def test_cr_11_2_2_2_a_lucky_card_one_too_deep() -> None:
    assert attacked(" ".join([FILLER] * 3 + [LUCKY, FILLER])).player(1)["life"] == 7


def test_cr_11_2_2_3_a_deck_that_runs_out_costs_the_life_and_the_game() -> None:
    line = attacked(f"{FILLER} {FILLER}")
    assert line.player(1)["life"] == 7 and line.winner == ("A", "deck")
    saved = attacked(f"{FILLER} {LUCKY}")
    assert saved.player(1)["life"] == 10 and saved.winner == ("A", "deck")


def test_cr_11_2_more_strike_than_life_flips_all() -> None:
    line = attacked(" ".join([FILLER] * 3 + [LUCKY, FILLER]), life=1, strike=4)
    assert line.player(1)["life"] == 1 and line.winner == (None, None)
    dead = attacked(" ".join([FILLER] * 6), life=1, strike=4)
    assert dead.player(1)["life"] == -3 and dead.winner == ("A", "life")


@pytest.mark.parametrize("strike", [0, -2])
def test_cr_9_6_3_3_1_without_strike_no_check(strike: int) -> None:
    line = attacked(f"{FILLER} {FILLER} {FILLER}", strike=strike)
    assert line.events("check", "life") == []


# CR 11.3: losing -----------------------------------------------------------------------------------------------------


def test_cr_11_3_1_the_last_life() -> None:
    deck = " ".join([FILLER] * 6)
    assert attacked(deck, life=3).winner == ("A", "life")
    assert attacked(deck, life=4).winner == (None, None)


def test_cr_11_3_2_an_empty_deck_in_the_middle_of_an_effect_is_no_loss() -> None:
    cycle = make("X1", "event: draw 2; choose 1 card in my hand; put them on top", type="event")
    line = Line({"hand": "cycle=X1", "deck": f"x={FILLER} y={FILLER}"}, None, cycle).do("play cycle")
    assert line.winner == (None, None) and len(line.all(0, "deck")) == 1
    lost = Line({"hand": "draw=BP01-047", "deck": f"{FILLER} {FILLER} {FILLER}"}).do("play draw")
    assert lost.winner == ("B", "deck")


def test_cr_1_2_2_both_at_once_is_a_draw() -> None:
    double = make("X1", "event: damage 3 to player; draw 9", type="event")
    line = Line({"hand": "double=X1", "deck": FILLER}, {"deck": " ".join([FILLER] * 5)}, double, life_b=3)
    line.do("play double")
    assert line.winner == ("draw", "both") and line.game.options() == [] and line.game.decides is None


# CR 11.4, 11.5: lethal damage and surplus ----------------------------------------------------------------------------


@pytest.mark.parametrize(("damage", "zone"), [(499, "b.base"), (500, "b.graveyard"), (501, "b.graveyard")])
def test_cr_11_4_1_damage_that_reaches_the_power(damage: int, zone: str) -> None:
    shot = make("X1", f"event: damage {damage} to all enemy pals", type="event")
    line = Line({"hand": "shot=X1"}, {"base": "x=X2"}, shot, make("X2")).do("play shot")
    assert line.zone("x") == zone


def test_cr_11_4_1_power_zero_alone_does_not_kill() -> None:
    line = Line({"hand": "astegon=TD02-012"}, {"base": "x=TD01-023 y=TD02-023:damage=1"})
    line.do("play astegon", "choose x")
    assert line.zone("x") == "b.base" and line.power("x") == -800
    other = Line({"hand": "astegon=TD02-012"}, {"base": "x=TD01-023 y=TD02-023:damage=1"})
    assert other.do("play astegon", "choose y").zone("y") == "b.graveyard"


def test_cr_11_4_power_falls_in_the_next_round_of_rule_actions() -> None:
    line = Line({"hand": "shotgun=BP01-020"}, {"base": "boss=BP01-003 horse=BP01-013"}).do("play shotgun")
    assert line.zone("boss") == "b.graveyard" and line.zone("horse") == "b.graveyard"


def test_cr_11_5_the_sixth_pal_stays_and_one_of_the_others_leaves() -> None:
    five = " ".join(f"p{n}=TD01-00{n}" for n in (1, 3, 4, 5, 6))
    line = Line({"base": five, "hand": f"new={FILLER}"}).do("play new")
    assert line.open == [f"choose p{n}" for n in (1, 3, 4, 5, 6)] and len(line.all(0, "base")) == 6
    line.do("choose p3")
    assert line.zone("p3") == "a.graveyard" and line.zone("new") == "a.base"


def test_cr_11_5_together_with_lethal_damage_and_before_abilities() -> None:
    base = "p1=TD01-001 p2=TD01-003 p3=BP01-028 p4=TD01-005 p5=TD01-006"
    line = Line({"base": base, "hand": "x=X1"}, None, make("X1", "auto deployed: gain 1 material", cost=1))
    line.game.game.players[0].base[1].damage = 9999  # lethal at the next check timing
    line.do("play x")
    assert "choose p2" in line.open and line.player(0)["material"] == 0 and line.zone("p2") == "a.base"
    line.do("choose p2")
    assert len(line.all(0, "base")) == 5 and line.player(0)["material"] == 1


def test_cr_11_5_1_1_more_newcomers_than_the_limit() -> None:
    crowd = make("X1", "event: deploy all pals in my graveyard", type="event")
    grave = " ".join(f"g{n}=TD01-00{n}" for n in (1, 2, 3, 4, 5, 6))
    line = Line({"base": "old=BP01-013", "hand": "crowd=X1", "graveyard": grave}, None, crowd).do("play crowd")
    assert line.open == [f"choose g{n}" for n in (1, 2, 3, 4, 5, 6)]
    while line.open[0].startswith("choose g") and len(line.all(0, "base")) > 5:
        line.do(line.open[0])
    assert line.zone("old") == "a.graveyard" and len(line.all(0, "base")) == 5


# CR 12: keywords -----------------------------------------------------------------------------------------------------


def test_cr_12_6_brave_and_12_7_serious() -> None:
    line = Line({"base": "fox=BP01-006 rooby=BP01-011 pit=TD01-008"}, {"hand": "q=TD01-011"})
    line.do("activate pit 1", "assign rooby")
    assert line.open == ["choose fox", "choose rooby"]
    line.do("choose fox", "attack fox player")
    assert line.power("fox") == 200 + 400 + 300


def test_cr_12_8_interrupt_from_the_hand_only() -> None:
    base = Line({"base": f"one={FILLER}"}, {"base": "fox=TD01-004:rested", "hand": "q=TD01-011"}, souls_b=3)
    assert base.do("attack one player").open == ["pass", "play q"]
    hand = Line({"base": f"one={FILLER}"}, {"hand": f"fox=TD01-004 x={FILLER}"}, souls_b=0)
    hand.do("attack one player", "activate fox 1")
    assert hand.all(1, "graveyard") == ["fox", "x"] and hand.phase == "main" and hand.player(1)["life"] == 10


def test_cr_12_8_in_the_main_phase_it_finds_no_attack() -> None:
    line = Line({"hand": "fox=TD01-004"}, souls_a=1).do("activate fox 1")
    assert line.zone("fox") == "a.graveyard" and line.phase == "main" and line.events("fail") == []


def test_cr_12_9_vigilance_at_the_end_of_the_own_turn() -> None:
    line = Line({"base": "shiva=TD01-017:rested"}, {"base": "other=TD01-017:rested", "hand": FILLER}).do("end")
    assert not line["shiva"].rested
    assert line["other"].zone == "base" and line.events("resolve") == [("resolve", "shiva")]


def test_cr_12_10_taunt_binds_among_legal_targets() -> None:
    line = Line({"base": f"one={FILLER}"}, {"base": "wall=BP01-091 down=BP01-013:rested up=BP01-054"})
    assert [option for option in line.open if "attack" in option] == ["attack one wall"]
    standing = Line({"base": f"one={FILLER}"}, {"base": "down=BP01-013:rested up=BP01-054"})
    assert "attack one player" in standing.open
    assault = Line({"base": "one=TD01-001"}, {"base": "down=BP01-013:rested up=BP01-054"})
    assert [option for option in assault.open if "attack" in option] == ["attack one up"]


def test_cr_12_11_stealth_is_not_blocked() -> None:
    line = Line({"base": "owl=TD02-015"}, {"base": f"x={FILLER}", "hand": "q=TD01-011"}).do("attack owl player")
    assert line.phase == "quick"


def test_cr_12_12_retaliate_takes_the_foe_along() -> None:
    line = Line({"base": "scorpion=BP01-084"}, {"base": "foe=BP01-054:rested"}).do("attack scorpion foe")
    while line.open and line.open[0].startswith(("resolve", "choose")):
        line.do(line.open[0])
    assert line.zone("foe") == "b.graveyard"
    player = Line({"base": "scorpion=BP01-084"}, {"hand": "cannon=BP01-096", "base": "safe=BP01-054"}, souls_b=9)
    player.do("attack scorpion player", "no block", "play cannon")
    assert player.zone("scorpion") == "a.graveyard" and player.zone("safe") == "b.base"


@pytest.mark.parametrize(("night", "power"), [(False, 100), (True, 700)])
def test_cr_12_13_nocturnal_twice(night: bool, power: int) -> None:
    assert Line({"base": "depresso=BP01-079"}, night=night).power("depresso") == power


def test_cr_12_14_breakthrough_runs_a_check_of_its_own() -> None:
    driller = make("X1", "keyword Breakthrough", power=900, strike=2)
    line = Line({"base": "driller=X1"}, {"base": f"x={FILLER}:rested"}, driller).do("attack driller x")
    assert line.player(1)["life"] == 8 and len(line.events("check")) == 2


def test_cr_12_14_breakthrough_with_the_strike_at_which_the_foe_fell() -> None:
    driller = make("X1", "keyword Breakthrough", power=1900, strike=3)
    line = Line({"base": "driller=X1"}, {"base": "wumpo=BP01-033:rested"}, driller)
    assert line.strike("driller") == 2
    line.do("attack driller wumpo")
    assert line.strike("driller") == 3 and line.player(1)["life"] == 8


def test_cr_12_14_only_while_attacking() -> None:
    driller = make("X1", "keyword Breakthrough", power=900, strike=2)
    line = Line({"base": f"x={FILLER}"}, {"base": "driller=X1:rested"}, driller).do("attack x driller")
    assert line.zone("x") == "a.graveyard" and line.player(0)["life"] == 10


def test_who_may_be_attacked_by_whom() -> None:
    line = Line({"base": "big=BP01-003 small=BP01-006"}, {"base": "lamb=TD01-023:rested cat=TD02-023:rested"})
    assert [option for option in line.open if "attack" in option] == [
        "attack big cat",
        "attack big player",
        "attack small lamb",
        "attack small player",
    ]


def test_one_legendary_pal_of_a_name() -> None:
    line = Line({"base": "frost=BP02-025", "hand": "again=BP02-025 noct=BP02-073"})
    assert "play noct" in line.open and "play again" not in line.open
    raised = Line({"base": "frost=BP02-025", "hand": "med=TD02-022", "graveyard": "again=BP02-025"})
    assert raised.do("play med").zone("again") == "a.graveyard"


# CR 5 and loops ------------------------------------------------------------------------------------------------------


def test_cr_5_16_butchering_is_for_own_pals_and_buries() -> None:
    deck = f"d1=TD01-002 d2=TD01-003 d3=BP01-047 d4={FILLER} d5={FILLER}"
    line = Line({"base": f"cleaver=BP01-093 pen=BP01-028 x={FILLER}", "deck": deck}, {"base": f"y={FILLER}"})
    line.do("activate cleaver 1")
    assert line.open == ["choose pen", "choose x"]
    line.do("choose pen")  # its ability waits until the one being resolved is done
    assert line.zone("pen") == "a.graveyard" and line.open == ["choose d1", "choose d2", "choose d3"]
    assert line.game.waiting() == [(line.ids["pen"], 1)] and line.events("draw") == []
    assert line.do("choose d2").all(0, "hand") == ["d2", "d4"]


def test_cr_5_17_assigning_triggers_and_marks() -> None:
    line = Line({"base": "farm=BP01-066 mau=BP01-035 vaelet=BP01-055", "hand": FILLER})
    line.do("activate farm 1", "assign mau", "mode 1")
    assert len(line.all(0, "hand")) == 3  # one by the farm, one by the Pal
    other = Line({"base": "farm=BP01-066 vaelet=BP01-055", "hand": FILLER}).do("activate farm 1", "mode 1")
    assert other["vaelet"].rested and not other.do("activate vaelet 1")["vaelet"].rested


def test_souls_stop_at_ten() -> None:
    line = Line({"base": "box=BP01-065"}, None, souls_a=9, rested_souls_a=0, ingredient_a=2).do("activate box 1")
    assert (line.player(0)["souls"], line.player(0)["rested_souls"]) == (9, 1)
    full = Line({"base": "box=BP01-065"}, None, souls_a=6, rested_souls_a=4, ingredient_a=2).do("activate box 1")
    assert (full.player(0)["souls"], full.player(0)["rested_souls"]) == (8, 2)


def test_standing_souls_is_a_number() -> None:
    line = Line({"base": f"cola=BP01-064 {FILLER}"}, None, souls_a=2, rested_souls_a=5, ingredient_a=1)
    line.do("activate cola 1", "x 1")
    assert line.open == ["x 0", "x 1", "x 2", "x 3"]
    assert line.do("x 2").player(0)["souls"] == 2 + 1 + 2


def test_taking_resources_kind_after_kind() -> None:
    line = Line({"hand": "zoe=BP01-095"}, None, material_b=3, ingredient_b=4).do("play zoe", "mode 1")
    assert line.open == ["x 0", "x 1", "x 2", "x 3"]
    line.do("x 3")
    assert line.open == ["x 0", "x 1", "x 2"]
    line.do("x 1")
    assert (line.player(1)["material"], line.player(1)["ingredient"]) == (0, 3)


def test_the_loop_guard_ends_an_endless_turn() -> None:
    endless = make("X1", "act [consume 0 material]: gain 1 material")
    line = Line({"base": "endless=X1"}, None, endless)
    for _ in range(2000):
        assert not line.game.over
        line.do("activate endless 1")
    assert line.winner == ("none", "loop")
    assert CARDS[FILLER].abilities == ()
