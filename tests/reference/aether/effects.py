"""What abilities do: one function a node, one a verb."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from sim.cards.ast import Ability, Choose, Do, Effect, Filter, If, May, Modes
from sim.position import Option

from . import choices, derived, moves
from .objects import ROWS, Decision, Flow, Game, Piece, ask, player_of

Effects = tuple[Effect, ...]


class Text:
    """An ability that is being followed: its card, its master, and "them" (cards and players)."""

    def __init__(self, game: Game, source: Piece) -> None:
        self.game, self.source, self.seat = game, source, source.owner
        self.them: list[int] = []


def resolve(game: Game, source: Piece, ability: Ability, n: int) -> Flow:
    """One triggered ability as one effect."""
    game.happened("resolve", source.obj, n)
    yield from follow(game, source, ability)


def follow(game: Game, source: Piece, ability: Ability) -> Flow:
    game.resolving = source
    yield from block(Text(game, source), ability.effects)
    game.resolving = None


def block(text: Text, effects: Effects) -> Flow:
    """In written order, without a check between (AE-8.8). A choice that has to be made and cannot ends the block: the
    rest has no effect (s8, AE-8.3)."""
    for effect in effects:
        match effect:
            case Choose():
                if not candidates(text, effect) and required(text, effect):
                    return
                yield from choose(text, effect)
            case If():
                yield from block(text, branch(text, effect))
            case May():
                yield from may(text, effect)
            case Modes():
                yield from modes(text, effect)
            case Do():
                yield from VERBS[effect.verb](text, effect)


def branch(text: Text, effect: If) -> Effects:
    """Resonance is read when the effect is reached (AE-8.19)."""
    held = derived.holds(text.game, text.source, text.seat, effect.when)
    return effect.then if held else effect.otherwise


def number(text: Text, effect: Do) -> int:
    return derived.amount(text.game, text.source, text.seat, effect.amount)


# ------------------------------------------------------------------------------------------------------ choices


def candidates(text: Text, effect: Choose) -> list[int]:
    return derived.candidates(text.game, text.source, text.seat, effect.what)


def required(text: Text, effect: Choose) -> bool:
    return derived.amount(text.game, text.source, text.seat, effect.low) > 0


def choose(text: Text, effect: Choose) -> Flow:
    """The controller chooses (AE-8.6)."""
    low = derived.amount(text.game, text.source, text.seat, effect.low)
    high = derived.amount(text.game, text.source, text.seat, effect.high)
    text.them = yield from choices.pick(text.game, text.seat, "choose", candidates(text, effect), low, high)


def possible(text: Text, effects: Effects) -> bool:
    """Whether every target that has to be chosen on the way could be chosen now (AE-8.1, 8.2, 9.4)."""
    for effect in effects:
        match effect:
            case Choose():
                if required(text, effect) and not candidates(text, effect):
                    return False
            case If():
                if not possible(text, branch(text, effect)):
                    return False
            case Modes():
                if not any(possible(text, body) for body in effect.bodies):
                    return False
    return True


def castable(game: Game, spell: Piece) -> bool:
    """Whether a spell has all targets that it needs (AE-8.1, 8.2)."""
    text = Text(game, spell)
    return all(possible(text, ability.effects) for ability in spell.card.abilities if ability.kind == "spell")


def may(text: Text, effect: May) -> Flow:
    """Decided before the target is chosen (AE-8.7); not asked without a legal target (AE-9.4)."""
    if not possible(text, effect.body):
        return
    answer = yield from ask(text.seat, [Option("yes"), Option("no")])
    if answer.kind == "yes":
        yield from block(text, effect.body)


def modes(text: Text, effect: Modes) -> Flow:
    """One of the bodies that can be done."""
    open_ones = [n for n, body in enumerate(effect.bodies, 1) if possible(text, body)]
    if open_ones:
        answer = yield from ask(text.seat, [Option("mode", n=n) for n in open_ones])
        yield from block(text, effect.bodies[answer.n - 1])


# ------------------------------------------------------------------------------------------------------ targets


def units(text: Text, effect: Do) -> list[Piece]:
    """The units that the effect is about, the active player's first, in slot order. One that is gone is skipped
    (AE-8.8)."""
    game, target = text.game, effect.target
    if isinstance(target, Filter):
        return derived.matching(game, text.source, text.seat, target)
    wanted = [text.source.obj] if target == "this" else text.them
    return [unit for unit in game.units() if unit.obj in wanted and (target != "this" or unit is text.source)]


def players(text: Text, effect: Do) -> list[int]:
    if effect.target != "them":
        return []
    return [seat for obj in text.them if (seat := player_of(obj)) is not None]


def source_keywords(text: Text) -> set[str]:
    """Of the card whose effect it is; a spell has none. A unit that is gone has those with which it left."""
    return set() if text.source.card.type == "spell" else derived.keywords(text.game, text.source)


# -------------------------------------------------------------------------------------------------------- verbs


Verb = Callable[[Text, Do], Flow]
VERBS: dict[str, Verb] = {}


def plain(act: Callable[[Text, Do], None]) -> Callable[[Text, Do], None]:
    """A verb without choices."""

    def verb(text: Text, effect: Do) -> Flow:
        act(text, effect)
        return
        yield

    VERBS[act.__name__.removeprefix("do_")] = verb
    return act


@plain
def do_draw(text: Text, effect: Do) -> None:
    """At the first impossible draw the loss is noted, the cards drawn before stay drawn (AE-7.3)."""
    for _ in range(number(text, effect)):
        moves.draw(text.game, text.seat)


@plain
def do_mill(text: Text, effect: Do) -> None:
    """From an empty deck nothing happens (AE-7.10)."""
    for _ in range(number(text, effect)):
        if deck := text.game.players[text.seat].deck:
            piece = deck.pop(0)
            moves.enter(text.game, piece, "graveyard")
            text.game.happened("mill", piece.obj)


@plain
def do_ramp(text: Text, effect: Do) -> None:
    """Not the charge of the turn, no draw (AE-2.10); from an empty deck nothing happens (AE-7.10)."""
    player = text.game.players[text.seat]
    for _ in range(number(text, effect)):
        if player.deck:
            piece = player.deck.pop(0)
            moves.enter(text.game, piece, "aether")
            player.used += effect.word == "used"
            text.game.happened("ramp", piece.obj, int(effect.word == "used"))


@plain
def do_life(text: Text, effect: Do) -> None:
    moves.heal_player(text.game, text.seat, number(text, effect))


@plain
def do_lose(text: Text, effect: Do) -> None:
    """Not damage."""
    moves.change_life(text.game, text.seat, -number(text, effect))


@plain
def do_player_damage(text: Text, effect: Do) -> None:
    """To the enemy player: no target (AE-8.26)."""
    source = source_keywords(text)
    dealt = moves.damage_player(text.game, 1 - text.seat, number(text, effect))
    drain(text, source, dealt)


@plain
def do_damage(text: Text, effect: Do) -> None:
    amount, source = number(text, effect), source_keywords(text)
    dealt = sum(moves.damage_unit(text.game, source, unit, amount) for unit in units(text, effect))
    dealt += sum(moves.damage_player(text.game, seat, amount) for seat in players(text, effect))
    drain(text, source, dealt)


def drain(text: Text, source: set[str], dealt: int) -> None:
    """Drain counts for damage by the unit's own effects too (AE-6.9, 6.10)."""
    if "drain" in source:
        moves.heal_player(text.game, text.seat, dealt)


@plain
def do_heal(text: Text, effect: Do) -> None:
    amount = number(text, effect)
    for unit in units(text, effect):
        moves.heal_unit(text.game, unit, amount)


@plain
def do_restore(text: Text, effect: Do) -> None:
    for unit in units(text, effect):
        moves.heal_unit(text.game, unit, unit.damage)


@plain
def do_modify(text: Text, effect: Do) -> None:
    """+X/+Y for this turn or for good (AE-8.22, 8.23)."""
    attack = derived.amount(text.game, text.source, text.seat, effect.attack)
    hp = derived.amount(text.game, text.source, text.seat, effect.hp)
    for unit in units(text, effect):
        if effect.until:
            unit.attack_turn += attack
            unit.hp_turn += hp
        else:
            unit.attack_plus += attack
            unit.hp_plus += hp
        text.game.happened("modify", unit.obj, attack, hp)


@plain
def do_keyword(text: Text, effect: Do) -> None:
    for unit in units(text, effect):
        moves.give_keyword(text.game, unit, effect.word, bool(effect.until))


@plain
def do_lose_keyword(text: Text, effect: Do) -> None:
    for unit in units(text, effect):
        moves.lose_keyword(text.game, unit, effect.word)


@plain
def do_freeze(text: Text, effect: Do) -> None:
    for unit in units(text, effect):
        moves.freeze(text.game, unit)


@plain
def do_destroy(text: Text, effect: Do) -> None:
    """Marked; it leaves in the next check (AE-8.9). A barrier does not help (AE-6.3)."""
    for unit in units(text, effect):
        unit.marked = True


@plain
def do_hand(text: Text, effect: Do) -> None:
    for unit in units(text, effect):
        moves.bounce(text.game, unit)


@plain
def do_move(text: Text, effect: Do) -> None:
    """To the other row if there is room; frozen units too, and it is no action of theirs (AE-4.8, 4.9)."""
    for unit in units(text, effect):
        row = ROWS[1 - ROWS.index(unit.zone)]
        if text.game.players[unit.owner].free(row):
            shift(text.game, unit, row)


def shift(game: Game, unit: Piece, row: str) -> None:
    """A unit changes its row."""
    slots = game.players[unit.owner].rows[unit.zone]
    slots[slots.index(unit)] = None
    moves.place(game, unit, row)
    game.happened("move", unit.obj, 1 + ROWS.index(row))


@plain
def do_summon(text: Text, effect: Do) -> None:
    """One at a time (AE-8.17)."""
    for _ in range(number(text, effect)):
        moves.summon_token(text.game, text.seat, effect.word)


def do_discard(text: Text, effect: Do) -> Flow:
    """The player who discards chooses (AE-8.6)."""
    seat = text.seat if effect.who == "my" else 1 - text.seat
    hand = text.game.players[seat].hand
    amount = number(text, effect)
    picked = yield from choices.pick(text.game, seat, "discard", [piece.obj for piece in hand], amount, amount)
    for obj in picked:
        piece = next(piece for piece in hand if piece.obj == obj)
        hand.remove(piece)
        moves.enter(text.game, piece, "graveyard")
        text.game.happened("discard", obj)


def do_return(text: Text, effect: Do) -> Generator[Decision, Option, Any]:
    """From the graveyard to the hand; nothing is chosen into a full hand, the card stays where it is (AE-7.2, 9.6)."""
    assert isinstance(effect.target, Filter)
    game, player = text.game, text.game.players[text.seat]
    room = game.rules["hand_limit"] - len(player.hand)
    amount = min(number(text, effect), room)
    fitting = [piece.obj for piece in derived.matching(game, text.source, text.seat, effect.target)]
    picked = yield from choices.pick(game, text.seat, "choose", fitting, amount, amount)
    for obj in picked:
        piece = next(piece for piece in player.graveyard if piece.obj == obj)
        player.graveyard.remove(piece)
        moves.enter(game, piece, "hand")
        game.happened("return", obj)


VERBS["discard"], VERBS["return"] = do_discard, do_return
