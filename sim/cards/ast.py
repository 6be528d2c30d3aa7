"""The parsed card language: plain frozen records that every engine, the linter and the word printer read.

Numbers are `Amount`s (`const + times * term`), groups of cards are `Filter`s, and everything an ability does is a
sequence of `Effect`s. The verbs and what they take stand in `sim.cards.verbs`.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec


class Node(msgspec.Struct, frozen=True, tag=True, tag_field="node", omit_defaults=True):
    """Base of all nodes: comparable, hashable where its fields are, encodable as JSON."""


class Amount(Node, frozen=True):
    """A number: `const + times * term`, read when it is needed.

    term: "" | "x" (the chosen X) | "count" (cards that match `what`) | "names" (different card names among them)
    | "power" | "strike" | "cost" (of the card `of`) | "souls" (standing and rested) | "chosen" (size of the last
    choice). of: "this" | "that" (the card of the trigger) | "assigned" (the Pal assigned as cost) | "them".
    """

    const: int = 0
    times: int = 0
    term: str = ""
    what: Filter | None = None
    of: str = ""


class Test(Node, frozen=True):
    """One property of a card: `key op value`.

    key                                   op            value
    cost, power, attack, hp               <= >= ==      Amount
    color, element, work, subtype, main,
    name (whole), name_has (part), keyword  is, not     str
    state                                 is, not       "standing" | "rested" | "damaged" | "frozen"
    row                                   is, not       "front" | "back"
    assigned (this turn), exiled_by_this  is            ""
    """

    key: str
    op: str = "is"
    value: str | Amount = ""


class Filter(Node, frozen=True):
    """Cards of `types` (empty: any card) of `side` in `zone` that pass all tests; `other` leaves this card out.

    side: "any" | "my" | "enemy"; zone: "base" | "field" | "hand" | "graveyard" | "exile" | "aether" | "looked" (cards
    looked at or revealed by this ability and not moved since). The type "player" means players.
    """

    types: tuple[str, ...] = ()
    side: str = "any"
    zone: str = "base"
    other: bool = False
    where: tuple[Test, ...] = ()


Target = str | Filter
"""A reference ("this", "them", "that", "assigned", "paid": what the last paid cost exiled, discarded or butchered) or
a Filter, which means all cards that match: in an effect those that match at that moment, in a Static always."""


class Compare(Node, frozen=True):
    left: Amount
    op: str
    right: Amount


class Is(Node, frozen=True):
    """The referenced card passes all tests and has one of the types ("all" of them where it names a group). False where
    the reference names no card."""

    of: str
    what: Filter


class Flag(Node, frozen=True):
    """A named state: "night", "did" (the last `may`, choice or verb affected one card or more; false at the start of an
    ability, and after a `may` that was refused or not asked), "first_card" (its master has played no other card this
    game)."""

    name: str


class Resonance(Node, frozen=True):
    """The aether zone of the master holds `count` cards of `element` or more, used or not."""

    element: str
    count: int


class Not(Node, frozen=True):
    of: Condition


class All(Node, frozen=True):
    of: tuple[Condition, ...]


Condition = Compare | Is | Flag | Resonance | Not | All


class Do(Node, frozen=True):
    """One verb. Which fields it uses stands in the verb table. Cards go to their owner's zones (CR 3.1.1). The target
    of `discard` is the cards of the hand from which it is chosen, None for any.

    until: "turn" | "battle" | "enemy_turn" (end of the opponent's next turn) | "enemy_stand" (during the
    opponent's next stand phase) | "this_in_base" | "" (for good).
    who: "my" (the master does it) | "enemy" (the opponent does it, and makes the choices in it).
    word: a resource, a keyword, the number of a token, "rested", "up to", "used".
    """

    verb: str
    amount: Amount | None = None
    target: Target | None = None
    power: Amount | None = None
    strike: Amount | None = None
    until: str = ""
    word: str = ""
    who: str = "my"
    ability: Ability | None = None
    attack: Amount | None = None
    hp: Amount | None = None


class Choose(Node, frozen=True):
    """Choose between `low` and `high` cards of `what`; they become "them". low == high: "choose N" (as many as
    possible, CR 10.6.3.1.2). low 0: "up to". different_names: no two share a card name. keep: add to "them"
    instead of replacing it. who: the player who chooses; sides in `what` are read from the master of the ability."""

    what: Filter
    low: Amount
    high: Amount
    who: str = "my"
    different_names: bool = False
    keep: bool = False


class If(Node, frozen=True):
    when: Condition
    then: tuple[Effect, ...]
    otherwise: tuple[Effect, ...] = ()


class Repeat(Node, frozen=True):
    times: Amount
    body: tuple[Effect, ...]


class Modes(Node, frozen=True):
    """Choose one of the bodies. fresh: only those not chosen this turn through this ability of this card."""

    bodies: tuple[tuple[Effect, ...], ...]
    fresh: bool = False


class May(Node, frozen=True):
    """yes or no, then the body; sets the flag "did". Not asked where the body can do nothing."""

    body: tuple[Effect, ...]


class Delay(Node, frozen=True):
    """A delayed trigger (CR 10.8.5): the body happens at "turn_end" of the current turn; "this" and "them" are kept."""

    at: str
    body: tuple[Effect, ...]


Effect = Do | Choose | If | Repeat | Modes | May | Delay


class Cost(Node, frozen=True):
    """One part of a cost, paid in printed order (CR 10.4.2.1).

    verb: "souls" | "consume" (word: material, ingredient) | "assign" | "rest" (this card) | "discard" (what)
    | "discard_this" | "butcher" (what) | "mill" | "exile" (what, in the graveyard).
    """

    verb: str
    amount: Amount = Amount(1)
    what: Filter | None = None
    word: str = ""


class Trigger(Node, frozen=True):
    """What an automatic ability waits for.

    event: "deployed" | "attacks" | "attacked" | "assigned" | "buried" (put into the graveyard from the base)
    | "leaves" (the base) | "butchered" | "turn_end" (of its master's turn) | "battle_end" (of the battle it attacked
    in) | "foe_buried" (its opposing combat Pal is put into the graveyard) | "foe_buried_attacking" (the same while
    it is the attacking Pal) | "buried_in_battle" (it is put into the graveyard while it is a combat Pal) | "summoned"
    (from the hand) | "destroyed" | "turn_start" (of its master's turn) | "each_turn_start" | "each_turn_end".
    subject: "this", or the cards whose event counts. object: what is attacked, or the structure assigned to.
    "that" in the effects is the subject; for foe_* and buried_in_battle it is the opposing Pal.
    """

    event: str
    subject: Target = "this"
    object: Filter | None = None


class Static(Node, frozen=True):
    """One continuous effect.

    kind            uses
    modify          target, power, strike, attack, hp
    grant           target, ability
    keyword         target, word
    taunt, stealth, assault, legendary   (this card)
    unattackable    target (by which Pals it cannot be attacked)
    night, deck_any (this card)
    twice           target (whose automatic abilities are triggered twice)
    damage_plus     amount, source (whose damage, in whatever zone it is), target (to which Pals); not battle damage
    cost            target, amount (reduction, not below `floor`)
    """

    kind: str
    target: Target | None = None
    power: Amount | None = None
    strike: Amount | None = None
    amount: Amount | None = None
    source: Filter | None = None
    ability: Ability | None = None
    floor: int = 1
    word: str = ""
    attack: Amount | None = None
    hp: Amount | None = None


class Ability(Node, frozen=True):
    """kind: "act" (activated) | "auto" (automatic) | "cont" (continuous) | "event", "spell" (the text of such a card).

    costs: alternatives, each a sequence. limit: plays per turn, 0 for none. zone: where it works; "outside" is every
    zone but the base. keyword and number: the keyword it was written as ("Brave", 300). when: condition of a
    continuous ability.
    """

    kind: str
    effects: tuple[Effect, ...] = ()
    costs: tuple[tuple[Cost, ...], ...] = ()
    limit: int = 0
    quick: bool = False
    zone: str = "base"
    trigger: Trigger | None = None
    when: Condition | None = None
    statics: tuple[Static, ...] = ()
    keyword: str = ""
    number: int = 0


class Card(Node, frozen=True):
    """One card: facts and parsed abilities; a game uses those that its vocabulary names.

    Power of a structure is its durability (CR 2.8.3). element, attack, hp, keywords: of games where a card has one
    element and is printed with keywords. row: "front" | "back", where a token appears first. makes: the
    tokens that its abilities summon, and those that these summon; filled by `load_cards`.
    """

    number: str
    name: str
    color: str = ""
    type: str = ""
    cost: int = 0
    power: int | None = None
    strike: int | None = None
    subtype: str = ""
    name_ja: str = ""
    elements: tuple[str, ...] = ()
    work: tuple[str, ...] = ()
    lucky: bool = False
    deck_limit: int = 4
    abilities: tuple[Ability, ...] = ()
    note: str = ""
    set: str = ""
    game: str = "palworld"
    element: str = ""
    attack: int | None = None
    hp: int | None = None
    keywords: tuple[str, ...] = ()
    row: str = ""
    makes: tuple[Card, ...] = ()

    @property
    def main_name(self) -> str:
        """The part of the name before the dash; empty where there is none (CR 2.1.3.2)."""
        head, dash, _ = self.name.partition(" – ")
        return head if dash else ""


def nodes_of(node: object) -> Iterator[Node]:
    """A node and all nodes below it."""
    if isinstance(node, tuple):
        for part in node:
            yield from nodes_of(part)
    elif isinstance(node, Node):
        yield node
        for field in node.__struct_fields__:
            yield from nodes_of(getattr(node, field))
