"""Facts of one deck as masks of its slots: what kernels look up instead of searching for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kernels.palworld import codes
from sim.cards.ast import Ability, Cost
from sim.games.copies import mark_copies
from sim.games.palworld.facts import fits_facts, printed_keywords
from sim.provenance import key_of

if TYPE_CHECKING:
    from sim.games.palworld.tables import Builder

STATIC_MASKS = dict.fromkeys(("modify", "grant", "night", "twice"), "has_static") | {
    "cost": "cost_statics",
    "unattackable": "guarded",
    "damage_plus": "raisers",
}


def fill_seat(build: Builder, seat: int, slots: Sequence[int]) -> None:
    """Facts of one deck as masks of its slots."""
    T = build.T
    T.deck_size[seat] = len(slots)
    T.card[seat * 64 : seat * 64 + 64] = -1
    groups: dict[int, int] = {}
    for slot, c in enumerate(slots):
        T.card[seat * 64 + slot] = c
        groups[c] = groups.get(c, 0) | 1 << slot
    masks: dict[tuple[str, int], int] = {}

    def mark(name: str, index: int, c: int) -> None:
        masks[name, index] = masks.get((name, index), 0) | groups[c]

    for c in groups:
        card = build.cards[c]
        mark("type_mask", int(codes.TYPES[card.type]), c)
        if card.lucky:
            mark("lucky", -1, c)
        for souls in range(card.cost, 16):
            mark("cost_at_most", souls, c)
        for ability in card.abilities:
            mark_ability(mark, c, ability)
        if "Legendary" in printed_keywords(card):
            mark("legends", -1, c)
        acts = [ability for ability in card.abilities if ability.kind == "act"]
        mark_needs(T, seat, groups[c], acts)
        if len(acts) == 1 and only_needs(acts[0]):
            mark("act_sure", -1, c)
        if acts and all(any(part.verb == "rest" for part in costs) for act in acts for costs in act.costs):
            mark("resters", -1, c)
    for (name, index), mask in masks.items():
        if index < 0:
            getattr(T, name)[seat] = mask
        else:
            getattr(T, name)[seat, index] = mask
    for slot, c in enumerate(slots):
        T.same[seat * 64 + slot] = groups[c]
        T.key[seat * 64 + slot] = key_of(build.cards[c].number)
    mark_copies(T, seat, slots)
    order = sorted(groups, key=lambda c: build.cards[c].number)
    T.distinct[seat] = len(order)
    for slot, c in enumerate(slots):
        T.place[seat * 64 + slot] = order.index(c)
    for i in range(build.counts["filter"]):
        T.fit[i, seat] = sum(mask for c, mask in groups.items() if T.fit_card[i, c])
    for what, i in build.filters.items():
        unnamed = [m for c, m in groups.items() if fits_facts(what, build.cards[c], named=False)]
        uncosted = [m for c, m in groups.items() if fits_facts(what, build.cards[c], costed=False)]
        T.fit_unnamed[i, seat], T.fit_uncosted[i, seat] = sum(unnamed), sum(uncosted)


def mark_needs(T: Any, seat: int, mask: int, acts: Sequence[Ability]) -> None:
    """Enter copies of a card where some ability of theirs needs at most so many of a resource."""
    for in_hand in (False, True):
        costs = [parts for act in acts if (act.zone == "hand") == in_hand for parts in act.costs or ((),)]
        for row, need in enumerate(codes.NEEDS):
            least = min((need_of(parts, need) for parts in costs), default=None)
            if least is not None:
                for have in range(min(least, int(codes.MANY)), int(codes.MANY) + 1):
                    T.act_within[seat, int(in_hand), row, have] |= np.uint64(mask)


def only_needs(ability: Ability) -> bool:
    """Enough of each of `NEEDS` pays for the ability: one cost, nothing else in it but that the card rests."""
    if len(ability.costs) > 1:
        return False
    parts = ability.costs[0] if ability.costs else ()
    plain = all(
        part.verb in ("souls", "consume", "assign", "discard", "rest")
        and part.what is None
        and part.amount.term in ("", "x")
        for part in parts
    )
    return plain and all(need_of(parts, need) <= codes.MANY for need in codes.NEEDS)


def mark_ability(mark: Any, c: int, ability: Ability) -> None:
    """Enter a card in the masks that tell where an ability of its kind is."""
    if ability.kind == "event" and ability.quick:
        mark("quick_event", -1, c)
    elif ability.kind == "act":
        in_hand = ability.zone == "hand"
        mark("acts", int(in_hand), c)
        if ability.quick:
            mark("quick_acts", int(in_hand), c)
    elif ability.kind == "auto" and ability.trigger:
        event = int(codes.TRIGGER[ability.trigger.event])
        mark("watchers", event, c)
        if not isinstance(ability.trigger.subject, str):
            mark("listeners", event, c)
    for static in ability.statics:
        mask = STATIC_MASKS.get(static.kind)
        if mask:
            mark(mask, -1, c)


def need_of(parts: Sequence[Cost], need: str) -> int:
    """How many of a resource of `NEEDS` a cost takes, with an X of 0."""
    if need in ("material", "ingredient"):
        return sum(part.amount.const for part in parts if part.verb == "consume" and (part.word or "material") == need)
    return sum(part.amount.const for part in parts if part.verb == need)
