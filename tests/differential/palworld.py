"""Palworld side by side: what is compared, what must hold, and positions to start from."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from kernels.palworld import codes
from sim.cards.ast import Card
from sim.games.palworld.columns import OWN_BITS
from sim.games.palworld.game import Game
from sim.position import Placed, Position, Side
from tests.differential import decks, pair
from tests.differential.sight import Sight
from tests.reference.palworld.engine import Reference
from tests.reference.palworld.objects import PAL_LIMIT, SOUL_LIMIT, ZONES

FIELDS = {
    "draw": "", "mill": "", "check": "a", "life": "a", "damage": "a", "play": "", "activate": "a", "resolve": "a",
    "deploy": "a", "attack": "a", "block": "", "fail": "", "bury": "", "discard": "", "exile": "", "return": "",
    "top": "", "bottom": "", "rest": "", "stand": "", "assign": "a", "shuffle": "", "gain": "ab", "souls": "a",
    "night": "", "modify": "ab", "grant": "", "reveal": "", "turn": "a", "mulligan": "", "used": "", "over": "a",
    "rule": "a",
}  # fmt: skip


WHOLE = 1
"""In one of so many games the whole state is compared at every decision, in the others at one of eight."""
KINDS = (*decks.KINDS, decks.MIXED, decks.RICH)
POSITIONS = (decks.RICH,)
"""Kinds of decks whose games start in the middle."""
USED = {"act": "activate", "auto": "resolve"}
"""Kinds of abilities and the event that says that one was used."""
pool, deal = decks.pool, decks.deal


def abilities(card: Card) -> list[tuple[str, int]]:
    """The abilities of a card of the kinds that are counted, numbered by kind."""
    found = []
    for kind in USED:
        found += [(kind, n) for n in range(1, sum(ability.kind == kind for ability in card.abilities) + 1)]
    return found


class Pair(pair.Pair):
    """Both engines at one game of Palworld."""

    game = Game
    played_by = Reference
    fields = FIELDS
    sight: Sight | None = None

    def check(self) -> None:
        """What else is compared at every decision: choices that resolved themselves, and what players have seen."""
        super().check()
        # The kernel does not even list some of the choices with one option.
        untrue = Counter(self.kernel.auto) - Counter(self.reference.auto)
        wrong = [f"no choice that resolved itself: {sorted(untrue)}"] if untrue else []
        if self.sight is None:
            self.sight = Sight(self.kernel)
        elif seen := self.sight.wrong():
            wrong.append(seen)
        if wrong:
            raise pair.Divergence("\n".join(wrong))

    def costs_each(self) -> int:
        """More often where something changes costs."""
        S, changers = self.kernel.lane, self.kernel.tables.cost_statics
        changed = any((int(S.bases[p]) | int(S.hand[p])) & int(changers[p]) or S.discount[p] for p in range(2))
        return 4 if changed else 32

    def more(self, state: dict[str, Any]) -> list[str]:
        kernel, wrong = self.kernel, []
        bases = [obj for player in state["players"] for obj in player["base"]]
        wrong += pair.lines(
            "interchangeable",
            [(obj, kernel.alike(obj)) for obj in bases],
            [(obj, self.reference.alike(obj)) for obj in bases],
        )
        counted = int(kernel.lane.turn_decisions), self.reference.game.turn_decisions
        wrong += pair.lines("decisions in this turn", *counted)
        wrong += pair.lines("number of options", int(kernel.lane.options), len(self.options))
        wrong += pair.lines("damage checks", damage_checks(kernel.lane), self.reference.game.damage_checks)
        return wrong

    def own_invariants(self, state: dict[str, Any]) -> list[str]:
        kernel, wrong = self.kernel, []
        event_card = int(kernel.lane.event_card)
        main = not self.over and int(kernel.lane.decision) == codes.AT_MAIN
        if main and kernel.lane.battle:
            wrong.append("a battle goes on at the play timing of the main phase")
        for p, player in enumerate(state["players"]):
            objs = [obj for zone in ZONES for obj in player[zone]]
            if event_card >> 6 == p:
                objs.append(event_card)
            if sorted(objs) != [p * 64 + slot for slot in range(len(kernel.sides[p]))]:
                wrong.append(f"seat {p}: a card is nowhere or in two zones: {sorted(objs)}")
            if player["souls"] < 0 or player["souls"] + player["rested_souls"] > SOUL_LIMIT:
                wrong.append(f"seat {p}: {player['souls']} standing and {player['rested_souls']} rested souls")
            pals = [obj for obj in player["base"] if kernel.sides[p][obj & 63].type == "pal"]
            if main and len(pals) > PAL_LIMIT:
                wrong.append(f"seat {p}: {len(pals)} Pals at a play timing")
        return wrong


class Both(pair.Both):
    """Both engines at a scenario."""

    of = Pair


def damage_checks(S: Any) -> list[tuple[int, int, int, int, bool, int]]:
    """The damage checks of a game as the reference lists them."""
    found = []
    for word in S.check_log[: int(S.check_count)].tolist():
        part = {name: word >> shift & (1 << width) - 1 for name, (shift, width) in OWN_BITS.items()}
        side, strike, size, lucky = part["side"], part["strike"], part["deck_size"], part["lucky_left"]
        found.append((side, strike, size, lucky, bool(part["stopped"]), part["flipped"]))
    return found


def opening(game: Game, rng: random.Random, seed: int) -> Position:
    """The decks of a table before the choice of who goes first, in a random order; slots in that order."""
    sides = []
    for side in game.sides:
        cards = rng.sample(side, len(side))
        sides.append(Side(cards=[Placed(card=card, zone="deck") for card in cards]))
    return Position(sides=(sides[0], sides[1]), setup=True, coin=rng.randrange(2), seed=seed)


def rich(game: Game, rng: random.Random, seed: int) -> Position:
    """The middle of a game in which much is possible: full bases, hands and graveyards, resources, souls."""
    sides = []
    for side in game.sides:
        cards = rng.sample(side, len(side))
        pals = [card for card in cards if card.type == "pal"][: rng.randint(2, 5)]
        others = [card for card in cards if card.type in ("structure", "gear")][: rng.randint(0, 5)]
        placed = [Placed(card=card, zone="base", rested=rng.random() < 0.3) for card in pals + others]
        for card in pals + others:
            cards.remove(card)
        zones = rng.choices(("hand", "graveyard", "deck"), (2, 3, 4), k=len(cards) - 1)
        placed += [Placed(card=card, zone=zone) for card, zone in zip(cards, [*zones, "deck"], strict=True)]
        counters = {name: rng.randint(0, 6) for name in ("material", "ingredient")}
        sides.append(Side(cards=placed, life=rng.randint(3, 12), souls=rng.randint(4, 10), **counters))
    return Position(
        sides=(sides[0], sides[1]),
        turn=rng.randint(3, 20),
        turn_player=rng.randrange(2),
        night=rng.random() < 0.4,
        seed=seed,
    )
