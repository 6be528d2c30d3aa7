"""What cards and effects are roughly worth to a player, read once from the parsed cards.

The unit is a point; one point of life of a player who has all of it is worth about 90. These numbers know nothing of
the game that is being played: kernels.palworld.judge adds what can be seen on the table, such as which Pal a damage
would kill. For that every compiled instruction says what it aims at (`Aim`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kernels.palworld import codes
from sim.cards.ast import (
    Ability,
    Amount,
    Card,
    Choose,
    Compare,
    Cost,
    Delay,
    Do,
    Effect,
    Filter,
    Flag,
    If,
    May,
    Modes,
    Not,
    Repeat,
    Static,
)

CARD, DISCARD, LIFE, PLAYER_DAMAGE = 70, 45, 90, 70
RESOURCE, SOUL, SOUL_STANDS, MILL, NIGHT, DISCOUNT = 15, 60, 15, 3, 8, 12
PRICE = 24
"""Points that a structure or gear is worth at least for each soul of its cost."""
SURE, MAYBE = 100, 60
"""Percent of an effect that counts where nothing or a condition stands in its way."""

TERMS = {"": 0, "x": 2, "count": 2, "names": 2, "power": 700, "strike": 2, "cost": 4, "souls": 7, "chosen": 1}
"""What a term of an amount is taken for; every other one for 3."""

COSTS = {"souls": 8, "consume": RESOURCE, "assign": 40, "discard": DISCARD, "discard_this": 60, "butcher": 110}
COSTS |= {"mill": MILL, "rest": 5, "exile": 0}
KEYWORDS = {"Taunt": 10, "Stealth": 40, "Assault": 30, "Vigilance": 40, "Breakthrough": 30, "Retaliate": 30}
KEYWORDS |= {"Nocturnal": 10, "Serious": 10, "Brave": 12}
STATICS = {"modify": 25, "grant": 20, "unattackable": 8, "night": 10, "twice": 40, "damage_plus": 20, "cost": 20}
TRIGGERS = {"attacks": 60, "turn_end": 60, "foe_buried": 30, "foe_buried_attacking": 40, "buried_in_battle": 40}
TRIGGERS |= {"assigned": 30, "attacked": 20, "battle_end": 10, "buried": 25, "leaves": 25, "butchered": 25}
"""Percent of the worth of an automatic ability that counts for a card in the base."""

HARMS = ("damage", "bury", "bounce", "rest", "weaken")
GUESS = {"bury": 150, "bounce": 90, "rest": 45, "stand": 50, "grant": 30, "take": 70, "deploy": 150, "top": -20}
GUESS |= {"fail": 130}


class Aim(NamedTuple):
    """What an instruction does to the cards it is aimed at.

    kind: code of codes.AIM, 0 for nothing. size: Power x 16 + Strike, as magnitudes (`rest`: 16 where the card does not
    stand soon either). extra: points of what goes with it.
    """

    kind: int = 0
    size: int = 0
    extra: int = 0


def estimate(amount: Amount | None) -> int:
    """A number that an amount might come to."""
    if amount is None:
        return 0
    return amount.const + amount.times * TERMS.get(amount.term, 3)


def aim_of(do: Do) -> Aim:
    """What one verb does to its cards, whichever they are."""
    zone = do.target.zone if isinstance(do.target, Filter) else "base"
    kind, size = "none", 0
    if do.verb == "damage":
        kind, size = "damage", estimate(do.amount) * 16
    elif do.verb == "modify":
        power, strike = estimate(do.power), estimate(do.strike)
        kind = "buff" if power > 0 or strike > 0 else "weaken"
        size = abs(power) * 16 + min(abs(strike), 15)
    elif do.verb in ("bury", "butcher", "exile"):
        kind = "bury" if zone == "base" else "none"
    elif do.verb == "hand":
        kind = "bounce" if zone == "base" else "take"
    elif do.verb in ("deploy", "play"):
        kind = "deploy"
    elif do.verb in ("rest", "no_block"):
        kind = "rest"
    elif do.verb == "no_stand":
        kind, size = "rest", 16
    elif do.verb in ("stand", "grant", "top"):
        kind = do.verb
    elif do.verb == "fail_attack":
        kind = "fail"
    return Aim(int(codes.AIM[kind]), size)


def guess(aim: Aim, side: str) -> int:
    """Points of an aim that finds its card, for the player whose ability it is. side: my, enemy or any."""
    kind = next(name for name, code in codes.AIM.items() if int(code) == aim.kind)
    power, strike = aim.size // 16, aim.size % 16
    points = GUESS.get(kind, 0)
    if kind == "damage":
        points = 10 + min(power, 1500) // 10
    elif kind == "weaken":
        points = power // 20 + strike * 15
    elif kind == "buff":
        points = power // 25 + strike * 30
    harmful = kind in HARMS
    return -points if side == ("my" if harmful else "enemy") else points


def verb_worth(do: Do) -> int:
    """Points of a verb that is aimed at no card."""
    n, sign = estimate(do.amount), -1 if do.who == "enemy" else 1
    simple = {
        "draw": CARD * sign,
        "draw_to": CARD // 3 * sign,
        "discard": -DISCARD * sign,
        "discard_to": -DISCARD // 3 * sign,
        "gain": RESOURCE,
        "take": RESOURCE,
        "life": LIFE,
        "player_damage": PLAYER_DAMAGE,
        "mill": -MILL * sign,
        "souls": SOUL,
        "stand_souls": SOUL_STANDS,
        "discount": DISCOUNT,
    }
    if do.verb in simple:
        return simple[do.verb] * min(n, 5)
    return NIGHT if do.verb == "night" else 0


def aimed(do: Do) -> bool:
    """The verb is aimed at cards that can be judged by themselves: a group, or this card."""
    return isinstance(do.target, Filter) or do.target == "this" or do.verb == "fail_attack"


def do_worth(do: Do) -> int:
    """Points of one verb; what happens to chosen cards is judged at the choice."""
    aim = aim_of(do)
    if not aim.kind or not aimed(do):
        other = {"assigned": {"exile": -80, "stand": 40}, "that": {"bury": 100}}
        return other.get(do.target, {}).get(do.verb, 0) if isinstance(do.target, str) else verb_worth(do)
    if isinstance(do.target, Filter):
        return guess(aim, do.target.side) * (2 if do.target.zone == "base" and do.target.side != "any" else 1)
    return guess(aim, "my" if do.target == "this" else "any")


def them_verb(effects: Sequence[Effect]) -> Do | None:
    """The first verb of a sequence that is aimed at chosen cards, before anything else is chosen."""
    for effect in effects:
        if isinstance(effect, Do) and effect.target == "them" and aim_of(effect).kind:
            return effect
        if isinstance(effect, If):
            found = them_verb(effect.then) or them_verb(effect.otherwise)
            if found:
                return found
        elif isinstance(effect, Delay | May):
            found = them_verb(effect.body)
            if found:
                return found
        elif isinstance(effect, Choose) and not effect.keep:
            return None
    return None


def depends(effect: Effect) -> int:
    """1 where an effect happens if a choice was made, -1 if not, 0 where it does not look at that."""
    if not isinstance(effect, If):
        return 0
    when, sign = effect.when, 1
    if isinstance(when, Not):
        when, sign = when.of, -1
    if isinstance(when, Flag) and when.name == "did":
        return sign
    if isinstance(when, Compare) and when.left.term == "chosen":
        return -1 if when.op == "==" and estimate(when.right) == 0 else 1
    return 0


def follow_up(effects: Sequence[Effect]) -> int:
    """Points of what comes after a choice or a `may` only because of it."""
    points = 0
    for effect in effects:
        sign = depends(effect)
        if sign and isinstance(effect, If):
            points += sign * (sequence_worth(effect.then) - sequence_worth(effect.otherwise))
        elif isinstance(effect, Choose | May):
            break
    return max(points, -60)


def choice_aim(choose: Choose, rest: Sequence[Effect]) -> Aim:
    """What will happen to chosen cards, and what else comes of choosing any."""
    do = them_verb(rest)
    extra = follow_up(rest)
    if do is None:
        return Aim(0, 0, extra)
    aim = aim_of(do)
    if choose.what.zone != "base":
        name = {"hand": "take", "deploy": "deploy", "play": "deploy", "top": "top"}.get(do.verb, "none")
        aim = Aim(int(codes.AIM[name]))
    elif do.verb == "rest" and any(isinstance(e, Do) and e.verb == "no_stand" for e in rest):
        aim = Aim(aim.kind, 16)
    for effect in rest:  # "they get Power, and an ability"
        if isinstance(effect, Do) and effect.verb == "grant" and aim.kind == int(codes.AIM_BUFF):
            extra += 5
    return Aim(aim.kind, aim.size, extra)


def note(effects: Sequence[Effect], i: int) -> Aim:
    """What the i-th effect of a sequence is to a player: goes into the last three words of its instruction."""
    effect = effects[i]
    if isinstance(effect, Choose):
        return choice_aim(effect, effects[i + 1 :])
    if isinstance(effect, May):
        return Aim(0, 0, follow_up(effects[i + 1 :]))
    if isinstance(effect, Do):
        if aimed(effect) and aim_of(effect).kind:
            aim = aim_of(effect)
            return Aim(aim.kind, aim.size, 0)
        return Aim(0, 0, do_worth(effect))
    return Aim()


def sequence_worth(effects: Sequence[Effect]) -> int:
    """Points of a sequence of effects for the player whose ability it is."""
    points = 0
    for i, effect in enumerate(effects):
        if isinstance(effect, Do):
            points += do_worth(effect)
        elif isinstance(effect, Choose):
            # Sides are read from the master of the ability, whoever chooses.
            aim = choice_aim(effect, effects[i + 1 :])
            each = guess(aim, effect.what.side)
            points += each * max(min(estimate(effect.high), 2), 1) + aim.extra
        elif isinstance(effect, If):
            if not depends(effect):
                then, otherwise = sequence_worth(effect.then), sequence_worth(effect.otherwise)
                points += (then * MAYBE + otherwise * (SURE - MAYBE)) // SURE
        elif isinstance(effect, May):
            points += max(sequence_worth(effect.body) + follow_up(effects[i + 1 :]), 0)
        elif isinstance(effect, Modes):
            points += max(sequence_worth(body) for body in effect.bodies)
        elif isinstance(effect, Repeat):
            points += sequence_worth(effect.body) * min(estimate(effect.times), 3)
        elif isinstance(effect, Delay):
            points += sequence_worth(effect.body)
    return points


def cost_worth(parts: Sequence[Cost]) -> int:
    """Points that one alternative cost takes."""
    return sum(COSTS[part.verb] * estimate(part.amount) for part in parts)


def ability_worth(ability: Ability) -> int:
    """Points of playing or resolving an ability once, its cheapest cost paid."""
    cost = min((cost_worth(parts) for parts in ability.costs), default=0)
    return sequence_worth(ability.effects) - cost


def static_worth(static: Static) -> int:
    """Points of a continuous effect."""
    points = STATICS.get(static.kind, 0)
    if static.kind == "modify" and estimate(static.power) < 0 and static.target == "this":
        return -points
    return points


def in_base(card: Card) -> int:
    """Points of a card in the base, whatever its coming into play did."""
    points = 5
    if card.type == "pal":
        points = 20 + (card.power or 0) // 10 + 50 * (card.strike or 0)
    elif card.type == "structure":
        points = 5 + (card.power or 0) // 50
    for ability in card.abilities:
        worth = ability_worth(ability)
        if ability.keyword:
            points += KEYWORDS.get(ability.keyword, 0)
        elif ability.kind == "cont":
            points += sum(static_worth(static) for static in ability.statics)
        elif ability.kind == "act" and ability.zone == "base":
            points += max(min(worth, 120), 10) if card.type != "pal" else max(min(worth // 2, 60), 5)
        elif ability.kind == "auto" and ability.trigger:
            share = TRIGGERS.get(ability.trigger.event, 0)
            if ability.trigger.event == "deployed" and ability.trigger.subject != "this":
                share = MAYBE
            points += worth * share // 100
    return points


def played(card: Card) -> int:
    """Points of playing a card from the hand."""
    points = 0 if card.type == "event" else in_base(card)
    for ability in card.abilities:
        if ability.kind == "event":
            points += ability_worth(ability)
        elif ability.trigger and ability.trigger.event == "deployed" and ability.trigger.subject == "this":
            points += ability_worth(ability) * 80 // 100
    if card.type in ("gear", "structure"):
        points = max(points, PRICE * card.cost)  # what it does over the turns is hard to see from its text
    return max(points, 5)
