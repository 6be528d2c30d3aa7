"""What is true of the cards right now: abilities, names, night, Power, Strike and cost (CR 10.10), and what has left.

Everything is computed from printed values and effects in force; `game.memo` only keeps answers until the next change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sim.cards.ast import Ability, Static

from . import reading
from .objects import Frame, Game, Held, Last, Lasting, Piece

MEANT = {"Taunt", "Stealth", "Assault", "Legendary"}
"""Keywords that an effect of this name means."""

# Abilities (CR 10.10.1.2) -------------------------------------------------------------------------------------------


def printed(piece: Piece) -> tuple[Held, ...]:
    """The abilities that stand on a card, whatever its zone."""
    if not piece.printed and piece.card.abilities:
        held = [Held(piece, ability, ("printed", i), piece.stamp) for i, ability in enumerate(piece.card.abilities)]
        piece.printed = tuple(numbered(held))
    return piece.printed


def own_abilities(game: Game, piece: Piece) -> list[Held]:
    """Printed abilities and those granted by effects of resolved abilities."""
    held = list(printed(piece))
    if piece.zone == "base":
        for effect in game.lasting:
            if effect.kind == "grant" and piece in effect.pieces and effect.ability is not None:
                held.append(Held(piece, effect.ability, ("granted", effect.stamp), effect.stamp))
    return held


def abilities(game: Game, piece: Piece) -> Sequence[Held]:
    """All abilities of a piece in a base: printed first, then granted ones by age, each numbered within its kind.

    A granted ability that itself grants abilities or makes night counts only where an effect granted it, not a
    continuous ability: the layer of CR 10.10.1.2 is applied once, from top to bottom.
    """
    if piece.zone != "base" or piece.gone or not granting(game):
        return printed(piece)
    table: dict[Piece, list[Held]] | None = game.memo.get("abilities")
    if table is None:
        pieces = game.base()
        table = {one: own_abilities(game, one) for one in pieces}
        game.memo["abilities"], game.memo["finding"] = table, True
        sources = [held for one in pieces for held in list(table[one]) if grants(held.ability)]
        for held in sources:
            if not active(game, held):
                continue
            for i, static in enumerate(held.ability.statics):
                if static.kind == "grant" and static.ability is not None:
                    for target in static_targets(game, static, held.piece):
                        key = ("static", held.piece.obj, held.piece.stamp, held.key, i)
                        table[target].append(Held(target, static.ability, key, held.stamp))
        for one in pieces:
            stable = len(one.card.abilities)
            table[one][stable:] = sorted(table[one][stable:], key=lambda held: held.stamp)
            numbered(table[one])
        game.memo["finding"] = False
    return table.get(piece, [])


def granting(game: Game) -> bool:
    """A card of a base may have abilities that are not printed on it."""
    if "granting" not in game.memo:
        game.memo["granting"] = any(effect.kind == "grant" for effect in game.lasting) or any(
            grants(held.ability) for piece in game.base() for held in printed(piece)
        )
    return bool(game.memo["granting"])


def grants(ability: Ability) -> bool:
    return any(static.kind == "grant" for static in ability.statics)


def numbered(held: list[Held]) -> list[Held]:
    """Number abilities within their kind, from 1."""
    count: dict[str, int] = {}
    for one in held:
        count[one.ability.kind] = one.n = count.get(one.ability.kind, 0) + 1
    return held


def works_in(ability: Ability, zone: str) -> bool:
    """The ability is valid in the zone (CR 10.3.4, 10.3.5)."""
    return zone != "base" if ability.zone.startswith("outside") else ability.zone == zone


def active(game: Game, held: Held) -> bool:
    """A continuous ability whose zone and condition are right (CR 10.3.3)."""
    if not works_in(held.ability, held.piece.zone):
        return False
    when = held.ability.when
    return when is None or reading.holds(game, when, own_frame(held.piece))


def own_frame(piece: Piece) -> Frame:
    """What a continuous ability can refer to: its card and that card's master (CR 3.1.2.1)."""
    return Frame(this=piece, master=piece.owner)


def static_targets(game: Game, static: Static, source: Piece) -> list[Piece]:
    """The cards a continuous effect applies to."""
    return reading.targets(game, static.target or "this", own_frame(source))


def statics(game: Game, kind: str) -> Iterator[tuple[Held, Static]]:
    """All continuous effects of a kind that are in force in the bases, oldest source first."""
    for held, static in standing(game).get(kind, ()):
        if active(game, held):
            yield held, static


def standing(game: Game) -> dict[str, list[tuple[Held, Static]]]:
    """The continuous effects of the bases by kind, in force or not, oldest source first."""
    table: dict[str, list[tuple[Held, Static]]] | None = game.memo.get("statics")
    if table is None:
        table = {}
        for held in all_held(game):
            if held.ability.kind == "cont":
                for static in held.ability.statics:
                    table.setdefault(static.kind, []).append((held, static))
        keep(game, "statics", table)
    return table


def listeners(game: Game, event: str) -> list[Held]:
    """The automatic abilities of the bases that wait for an event."""
    table: dict[str, list[Held]] | None = game.memo.get("listeners")
    if table is None:
        table = {}
        for held in all_held(game):
            if held.ability.kind == "auto" and held.ability.trigger is not None:
                table.setdefault(held.ability.trigger.event, []).append(held)
        keep(game, "listeners", table)
    return table.get(event, [])


def all_held(game: Game) -> list[Held]:
    """Every ability of the cards in the bases, oldest card first."""
    found = printed if not granting(game) else lambda piece: abilities(game, piece)
    return [held for piece in game.base() for held in found(piece)]


def keep(game: Game, key: str, table: object) -> None:
    """Remember what was read from the abilities of the bases; not while these are still being found."""
    if not game.memo.get("finding"):
        game.memo[key] = table


def piece_statics(game: Game, piece: Piece, kind: str) -> Iterator[tuple[Held, Static]]:
    """Those of one piece."""
    for held in abilities(game, piece):
        if held.ability.kind == "cont":
            for static in held.ability.statics:
                if static.kind == kind and active(game, held):
                    yield held, static


def has_static(game: Game, piece: Piece, kind: str) -> bool:
    return any(True for _ in piece_statics(game, piece, kind))


def keywords(game: Game, piece: Piece) -> frozenset[str]:
    """Keyword abilities that a card has; printed ones count in every zone."""
    if piece.last is not None:
        return piece.last.keywords
    words = {held.ability.keyword for held in abilities(game, piece)}
    words |= {static.kind.title() for held in abilities(game, piece) for static in held.ability.statics} & MEANT
    return frozenset(words - {""})


def legendary(piece: Piece) -> bool:
    """The card has the ability that allows one such Pal of a name in a base; it works wherever it would enter from."""
    return any(static.kind == "legendary" for ability in piece.card.abilities for static in ability.statics)


# What is not a number (CR 10.10.1.3) --------------------------------------------------------------------------------


def names(game: Game, piece: Piece) -> frozenset[str]:
    """Card names, with those added by effects (CR 2.1.5)."""
    if piece.last is not None:
        return piece.last.names
    added = {effect.name for effect in game.lasting if effect.kind == "name" and piece in effect.pieces}
    return frozenset({piece.card.name} | added)


def night(game: Game) -> bool:
    """It is night (CR 5.3.3): an effect said so, or a continuous ability does."""
    if "night" not in game.memo:
        # While this is being answered it is not night, so that a condition on night cannot ask in circles.
        game.memo["night"] = False
        game.memo["night"] = any(effect.kind == "night" for effect in game.lasting) or any(
            static.kind == "night" and active(game, held)
            for piece in game.base()
            for held in own_abilities(game, piece)
            for static in held.ability.statics
        )
    return bool(game.memo["night"])


def cannot_stand(game: Game, piece: Piece) -> bool:
    """An effect forbids the card to stand now (CR 1.3.3)."""
    for effect in game.lasting:
        if effect.kind == "no_stand" and piece in effect.pieces:
            if effect.until != "enemy_stand":
                return True
            if game.phase == "stand" and game.turn_player != effect.master:
                return True
    return False


def cannot_block(game: Game, piece: Piece) -> bool:
    return any(effect.kind == "no_block" and piece in effect.pieces for effect in game.lasting)


def rushed(game: Game, seat: int) -> bool:
    """The player's Pals cannot be assigned and must attack as much as possible."""
    return any(effect.kind == "rush" and effect.master == seat for effect in game.lasting)


# Numbers (CR 10.10.1.4) ---------------------------------------------------------------------------------------------


def numbers(game: Game) -> dict[Piece, list[int]]:
    """Power and Strike of every card in a base.

    Effects apply from the oldest to the newest (CR 10.10.1.6); one that reads Power or Strike depends on the others
    and comes after them.
    """
    table: dict[Piece, list[int]] | None = game.memo.get("numbers")
    if table is not None:
        return table
    table = {piece: [piece.card.power or 0, piece.card.strike or 0] for piece in game.base()}
    game.memo["numbers"] = table
    made: list[tuple[bool, int, Lasting | tuple[Held, Static]]] = [
        (False, effect.stamp, effect) for effect in game.lasting if effect.kind == "modify"
    ]
    for held, static in standing(game).get("modify", ()):
        made.append((depends(held.ability, static), held.stamp, (held, static)))
    for _, _, effect in sorted(made, key=lambda entry: entry[:2]):
        if isinstance(effect, Lasting):
            for target in effect.pieces:
                if target in table:
                    table[target][0] += effect.power
                    table[target][1] += effect.strike
        elif active(game, effect[0]):
            held, static = effect
            frame = own_frame(held.piece)
            plus = [reading.value(game, amount, frame) for amount in (static.power, static.strike)]
            for target in static_targets(game, static, held.piece):
                if target in table:
                    table[target][0] += plus[0]
                    table[target][1] += plus[1]
    return table


def depends(ability: Ability, static: Static) -> bool:
    """The effect reads Power or Strike of cards."""
    text = reading.spelled((ability.when, static.target, static.power, static.strike))
    return any(word in text for word in ("'power'", "'strike'"))


def power(game: Game, piece: Piece) -> int:
    """Power, of a structure its durability (CR 2.8); below 0 too."""
    if piece.last is not None:
        return piece.last.power
    if piece.zone == "base":
        return numbers(game)[piece][0]
    return piece.card.power or 0


def strike(game: Game, piece: Piece) -> int:
    """CR 2.9."""
    if piece.last is not None:
        return piece.last.strike
    if piece.zone == "base":
        return numbers(game)[piece][1]
    return piece.card.strike or 0


def cost(game: Game, piece: Piece) -> int:
    """Cost (CR 2.7) with the reductions of continuous abilities, each down to its floor."""
    if piece.last is not None:
        return piece.last.cost
    key = ("cost", piece)
    if key not in game.memo:
        found = [
            (held, static)
            for held, static in statics(game, "cost")
            if static.target != "this" and piece in static_targets(game, static, held.piece)
        ]
        for held in printed(piece):
            for static in held.ability.statics:
                if static.kind == "cost" and static.target == "this" and active(game, held):
                    found.append((held, static))
        price = piece.card.cost
        for held, static in sorted(found, key=lambda one: one[0].stamp):  # CR 10.10.1.6
            price = lowered(price, reading.value(game, static.amount, own_frame(held.piece)), static.floor)
        game.memo[key] = price
    return int(game.memo[key])


def lowered(price: int, reduction: int, floor: int = 1) -> int:
    """A cost after a reduction that stops at a floor; a cost that was below it stays."""
    return max(price - max(reduction, 0), min(price, floor))


def play_cost(game: Game, piece: Piece, less: int = 0) -> int:
    """What playing the card costs now (CR 10.6.2.3): its cost, and what is taken off the next card of its kind."""
    reduction = less + sum(effect.power for effect in discounts(game, piece) if piece.zone == "hand")
    return lowered(cost(game, piece), reduction)


def discounts(game: Game, piece: Piece) -> list[Lasting]:
    """Effects that make the next play of such a card from the hand cheaper."""
    return [
        effect
        for effect in game.lasting
        if effect.kind == "discount"
        and effect.master == piece.owner
        and effect.what is not None
        and reading.fits(game, effect.what, piece, own_frame(piece))
    ]


def snapshot(game: Game, piece: Piece) -> Last:
    """Last information of a card about to leave its zone (CR 10.12)."""
    return Last(power(game, piece), strike(game, piece), cost(game, piece), names(game, piece), keywords(game, piece))
