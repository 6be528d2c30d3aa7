"""Resolving effects: one function per node of the card language, one per verb of the verb table (`do_VERB`).

A verb returns how many cards it affected, which is what the flag "did" remembers; None leaves the flag as it was.
One that asks questions is a generator.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

from sim.cards.ast import Choose, Delay, Do, Effect, If, May, Modes, Repeat
from sim.position import PLAYER, Option

from . import choices, costs, derived, moves, plays, reading
from .objects import SOUL_LIMIT, Delayed, Flow, Frame, Game, Lasting, Piece

# Nodes --------------------------------------------------------------------------------------------------------------


def resolve(game: Game, effects: Sequence[Effect], frame: Frame) -> Flow:
    """Do what a text says, in its order (CR 10.9.1)."""
    for effect in effects:
        match effect:
            case Do():
                done = VERB[effect.verb](game, effect, frame)
                if isinstance(done, Generator):
                    done = yield from done
                if done is not None:
                    frame.did = done > 0
            case Choose():
                yield from choose(game, effect, frame)
            case If():
                branch = effect.then if reading.holds(game, effect.when, frame) else effect.otherwise
                yield from resolve(game, branch, frame)
            case Repeat():
                # The number is read once; every round may choose the same cards again (CR 10.6.3.1.4).
                for _ in range(reading.count_of(game, effect.times, frame)):
                    yield from resolve(game, effect.body, frame)
            case Modes():
                yield from modes(game, effect, frame)
            case May():
                yield from may(game, effect, frame)
            case Delay():
                game.delayed.append(Delayed(frame.this, frame.master, effect.body, tuple(frame.them)))


def choose(game: Game, effect: Choose, frame: Frame) -> Flow:
    """Choose cards when the text says so (CR 10.6.3); none can be chosen from none (CR 10.6.3.1.3)."""
    seat = chooser(effect.who, frame)
    pool = reading.members(game, effect.what, frame)
    if effect.keep:
        pool = [piece for piece in pool if piece not in frame.them]
    low, high = reading.count_of(game, effect.low, frame), reading.count_of(game, effect.high, frame)
    apart = differ(game) if effect.different_names else None
    kept = frame.them if effect.keep else []
    frame.them = kept  # what was chosen before is forgotten before the new choice
    picked = yield from choices.pick(game, seat, "choose", pool, min(low, high), high, apart)
    frame.them = kept + picked
    frame.chosen = len(picked)
    frame.did = bool(picked)


def differ(game: Game) -> Callable[[Piece, Piece], bool]:
    """Different card names (CR 5.20.2)."""
    return lambda one, other: not derived.names(game, one) & derived.names(game, other)


def chooser(who: str, frame: Frame) -> int:
    return frame.master if who == "my" else 1 - frame.master


def modes(game: Game, effect: Modes, frame: Frame) -> Flow:
    """Choose one of the bodies; `fresh` remembers the choices of this turn on the card, by ability."""
    taken = frame.this.modes.get(frame.key, set()) if effect.fresh else set()
    options = [Option("mode", n=n) for n in range(1, len(effect.bodies) + 1) if n not in taken]
    if not options:
        frame.did = False
        return
    answer = yield from choices.ask(frame.master, options)
    if effect.fresh:
        frame.this.modes.setdefault(frame.key, set()).add(answer.n)
    yield from resolve(game, effect.bodies[answer.n - 1], frame)


def may(game: Game, effect: May, frame: Frame) -> Flow:
    """You may: not asked where the body can do nothing. After "yes" the flag says what the body did."""
    frame.did = False
    if possible(game, effect.body, frame):
        yes = yield from choices.confirm(frame.master)
        if yes:
            frame.did = True
            yield from resolve(game, effect.body, frame)


def possible(game: Game, effects: Sequence[Effect], frame: Frame) -> bool:
    """The first effect that does not depend on a choice still to be made can do something."""
    chosen = False
    for effect in effects:
        match effect:
            case Choose():
                chosen = True
                if reading.members(game, effect.what, frame) and reading.count_of(game, effect.high, frame):
                    return True
            case Do():
                if not (chosen and effect.target == "them") and can(game, effect, frame):
                    return True
            case If():
                branch = effect.then if reading.holds(game, effect.when, frame) else effect.otherwise
                if possible(game, branch, frame):
                    return True
            case Repeat() | May():
                times = reading.count_of(game, effect.times, frame) if isinstance(effect, Repeat) else 1
                if times and possible(game, effect.body, frame):
                    return True
            case Modes():
                if any(possible(game, body, frame) for body in effect.bodies):
                    return True
            case Delay():
                return True
    return False


def can(game: Game, do: Do, frame: Frame) -> bool:
    """The verb would change something."""
    match do.verb:
        case "discard" | "discard_to":
            return bool(hand_cards(game, do, frame))
        case "draw" | "look" | "reveal" | "mill":
            return bool(game.players[frame.master].deck)
    if do.target is None or do.verb == "discount":
        return True
    pieces = reading.targets(game, do.target, frame)
    match do.verb:
        case "rest":
            return any(piece.zone == "base" and not piece.rested for piece in pieces)
        case "stand":
            return any(
                piece.zone == "base" and piece.rested and not derived.cannot_stand(game, piece) for piece in pieces
            )
        case "butcher":
            return any(butcherable(piece, frame) for piece in pieces)
        case "deploy":
            return any(piece.zone != "base" and moves.may_enter(game, piece) for piece in pieces)
        case "play":
            less = reading.value(game, do.amount, frame)
            return any(plays.can_play(game, piece, derived.play_cost(game, piece, less)) for piece in pieces)
    return bool(pieces)


# Verbs --------------------------------------------------------------------------------------------------------------


def do_draw(game: Game, do: Do, frame: Frame) -> int:
    """CR 5.7.2."""
    return moves.draw(game, chooser(do.who, frame), reading.count_of(game, do.amount, frame))


def do_draw_to(game: Game, do: Do, frame: Frame) -> int:
    """Draw until the hand has that many cards."""
    seat = chooser(do.who, frame)
    return moves.draw(game, seat, reading.count_of(game, do.amount, frame) - len(game.players[seat].hand))


def hand_cards(game: Game, do: Do, frame: Frame) -> list[Piece]:
    """The cards a player may discard for an effect (CR 5.10.2)."""
    hand = game.players[chooser(do.who, frame)].hand
    if do.target is None:
        return list(hand)
    if isinstance(do.target, str):
        return [piece for piece in reading.targets(game, do.target, frame) if piece in hand]
    what = do.target
    return [
        piece
        for piece in hand
        if (not what.types or piece.card.type in what.types)
        and all(reading.passes(game, test, piece, frame) for test in what.where)
    ]


def do_discard(game: Game, do: Do, frame: Frame) -> Flow:
    """CR 5.10."""
    return (yield from discard(game, do, frame, reading.count_of(game, do.amount, frame)))


def do_discard_to(game: Game, do: Do, frame: Frame) -> Flow:
    """Discard until the hand has that many cards."""
    hand = game.players[chooser(do.who, frame)].hand
    return (yield from discard(game, do, frame, len(hand) - reading.count_of(game, do.amount, frame)))


def discard(game: Game, do: Do, frame: Frame, count: int) -> Flow:
    """Pick cards of the hand, then discard them together."""
    pool = hand_cards(game, do, frame)
    picked = yield from choices.pick(game, chooser(do.who, frame), "discard", pool, count, count)
    return len(moves.put(game, picked, "graveyard"))


def do_gain(game: Game, do: Do, frame: Frame) -> None:
    """Get a resource (CR 3.3)."""
    count = reading.count_of(game, do.amount, frame)
    change_resource(game, frame.master, do.word, count)
    game.note("gain", PLAYER + frame.master, moves.RESOURCES.index(do.word), count)


def change_resource(game: Game, seat: int, resource: str, change: int) -> None:
    """CR 3.3.3.1: never below 0."""
    me = game.players[seat]
    setattr(me, resource, max(0, getattr(me, resource) + change))
    game.touch()


def do_take(game: Game, do: Do, frame: Frame) -> Flow:
    """How many of each resource is chosen kind after kind, then the opponent loses them together."""
    left = reading.count_of(game, do.amount, frame)
    foe = 1 - frame.master
    taken = {}
    for resource in moves.RESOURCES:
        high = min(left, getattr(game.players[foe], resource))
        taken[resource] = yield from choices.pick_number(frame.master, high)
        left -= taken[resource]
    for resource, number in taken.items():
        change_resource(game, foe, resource, -number)


def do_life(game: Game, do: Do, frame: Frame) -> None:
    """CR 3.2.1.1."""
    moves.change_life(game, frame.master, reading.value(game, do.amount, frame))


def do_damage(game: Game, do: Do, frame: Frame) -> int:
    """CR 5.14.1; the amount is read once for all targets."""
    pieces = reading.targets(game, do.target, frame)
    return moves.damage(game, pieces, reading.count_of(game, do.amount, frame), frame)


def do_player_damage(game: Game, do: Do, frame: Frame) -> None:
    """CR 5.14.2."""
    moves.damage_player(game, 1 - frame.master, reading.value(game, do.amount, frame))


def last(game: Game, kind: str, do: Do, frame: Frame, pieces: Sequence[Piece] = (), **what: Any) -> int:
    """A continuous effect comes into force (CR 10.2.1.2); as long as a card stays, only if it still does."""
    anchor = frame.this if do.until == "this_in_base" else None
    if anchor is not None and (anchor.gone or anchor.zone != "base"):
        return 0
    game.lasting.append(
        Lasting(kind, frame.master, game.next_stamp(), game.turn, do.until, tuple(pieces), anchor, **what)
    )
    game.touch()
    return len(pieces)


def in_base(game: Game, do: Do, frame: Frame) -> list[Piece]:
    """The targets that are in a base."""
    return [piece for piece in reading.targets(game, do.target, frame) if piece.zone == "base"]


def do_modify(game: Game, do: Do, frame: Frame) -> int:
    """Power and Strike change by amounts read now."""
    power, strike = reading.value(game, do.power, frame), reading.value(game, do.strike, frame)
    pieces = in_base(game, do, frame)
    for piece in pieces:
        game.note("modify", piece.obj, power, strike)
    return last(game, "modify", do, frame, pieces, power=power, strike=strike)


def do_grant(game: Game, do: Do, frame: Frame) -> int:
    """Cards get an ability, each as an ability of its own."""
    pieces = in_base(game, do, frame)
    for piece in pieces:
        game.note("grant", piece.obj)
        last(game, "grant", do, frame, [piece], ability=do.ability)
    return len(pieces)


def do_declare(game: Game, do: Do, frame: Frame) -> Flow:
    """Declare a card name (CR 5.19.1)."""
    answer = yield from choices.ask(frame.master, [Option("name", n=n) for n in range(len(game.names))])
    frame.name = game.names[answer.n]


def do_add_name(game: Game, do: Do, frame: Frame) -> int:
    """CR 2.1.5."""
    return last(game, "name", do, frame, in_base(game, do, frame), name=frame.name)


def do_rest(game: Game, do: Do, frame: Frame) -> int:
    """CR 5.2."""
    return sum(moves.rest(game, piece) for piece in reading.targets(game, do.target, frame))


def do_stand(game: Game, do: Do, frame: Frame) -> int:
    """CR 5.2."""
    return sum(moves.stand(game, piece) for piece in reading.targets(game, do.target, frame))


def do_no_stand(game: Game, do: Do, frame: Frame) -> int:
    """The cards do not stand. In the opponent's stand phase only cards of the opponent would."""
    pieces = in_base(game, do, frame)
    kept = [piece for piece in pieces if do.until != "enemy_stand" or piece.owner != frame.master]
    last(game, "no_stand", do, frame, kept)
    return len(pieces)


def do_no_block(game: Game, do: Do, frame: Frame) -> int:
    """The cards cannot block (CR 9.4.2)."""
    return last(game, "no_block", do, frame, in_base(game, do, frame))


def do_rush(game: Game, do: Do, frame: Frame) -> None:
    """CR 7.5.2.1."""
    last(game, "rush", do, frame)


def do_bury(game: Game, do: Do, frame: Frame) -> int:
    """Put cards into their owners' graveyards (CR 5.4)."""
    return len(moves.put(game, reading.targets(game, do.target, frame), "graveyard"))


def butcherable(piece: Piece, frame: Frame) -> bool:
    """CR 5.16.1: only own Pals."""
    return piece.is_pal and piece.zone == "base" and piece.owner == frame.master


def do_butcher(game: Game, do: Do, frame: Frame) -> int:
    """CR 5.16."""
    pieces = [piece for piece in reading.targets(game, do.target, frame) if butcherable(piece, frame)]
    return len(moves.put(game, pieces, "graveyard", butchered=True))


def do_exile(game: Game, do: Do, frame: Frame) -> int:
    """CR 5.5; the cards are linked to the one whose ability it is."""
    return len(moves.put(game, reading.targets(game, do.target, frame), "exile", by=frame.this))


def do_hand(game: Game, do: Do, frame: Frame) -> int:
    """Put cards into their owners' hands."""
    return len(moves.put(game, reading.targets(game, do.target, frame), "hand"))


def do_top(game: Game, do: Do, frame: Frame) -> Flow:
    """Put cards on top of their owners' decks, each above the one before."""
    return (yield from to_deck(game, do, frame, True))


def do_bottom(game: Game, do: Do, frame: Frame) -> Flow:
    """Put cards at the bottom of their owners' decks, each below the one before."""
    return (yield from to_deck(game, do, frame, False))


def to_deck(game: Game, do: Do, frame: Frame, top: bool) -> Flow:
    """The owner decides in which order they are placed (CR 4.1.5), the turn player first (CR 1.3.4)."""
    pieces = reading.targets(game, do.target, frame)
    moves.leave_base(game, [piece for piece in pieces if piece.zone == "base"], "deck")
    for seat in (game.turn_player, 1 - game.turn_player):
        left = [piece for piece in pieces if piece.owner == seat]
        order = []
        while left:
            options = [Option("choose", piece.obj) for piece in choices.representatives(game, left)]
            answer = yield from choices.ask(seat, options)
            order.append(next(piece for piece in left if piece.obj == answer.obj))
            left.remove(order[-1])
        for piece in order:
            moves.move(game, piece, "deck", "top" if top else "bottom", top)
    return len(pieces)


def do_deploy(game: Game, do: Do, frame: Frame) -> int:
    """CR 5.15.2."""
    pieces = reading.targets(game, do.target, frame)
    return len(moves.deploy(game, pieces, rested="rested" in do.word))


def do_play(game: Game, do: Do, frame: Frame) -> Flow:
    """Play a card in the middle of an effect, for less (CR 10.6.2)."""
    played = 0
    for piece in reading.targets(game, do.target, frame):
        price = derived.play_cost(game, piece, reading.value(game, do.amount, frame))
        if plays.can_play(game, piece, price):
            yield from plays.play_card(game, piece, price)
            played += 1
    return played


def do_look(game: Game, do: Do, frame: Frame) -> int:
    """Look at cards of the own deck (CR 5.8); they stay where they are and are "them"."""
    deck = game.players[frame.master].deck
    frame.looked = deck[: reading.count_of(game, do.amount, frame)]
    frame.them = list(frame.looked)
    return len(frame.looked)


def do_reveal(game: Game, do: Do, frame: Frame) -> int:
    """The same for both players to see."""
    count = do_look(game, do, frame)
    for piece in frame.looked:
        game.note("reveal", piece.obj)
    return count


def do_show(game: Game, do: Do, frame: Frame) -> int:
    """Reveal cards where they are."""
    pieces = reading.targets(game, do.target, frame)
    for piece in pieces:
        game.note("reveal", piece.obj)
    return len(pieces)


def do_shuffle(game: Game, do: Do, frame: Frame) -> None:
    """CR 5.6; what was looked at is known no longer."""
    frame.looked = []
    game.shuffle(frame.master)
    game.note("shuffle", PLAYER + frame.master)


def do_mill(game: Game, do: Do, frame: Frame) -> int:
    """Put the top cards of the own deck into the graveyard."""
    return moves.mill(game, chooser(do.who, frame), reading.count_of(game, do.amount, frame))


def do_souls(game: Game, do: Do, frame: Frame) -> None:
    """More souls, up to 10 (CR 6.1.2.1)."""
    me = game.players[frame.master]
    more = min(reading.count_of(game, do.amount, frame), SOUL_LIMIT - me.souls - me.rested_souls)
    if "rested" in do.word:
        me.rested_souls += more
    else:
        me.souls += more
    game.touch()
    if more:
        game.note("souls", PLAYER + frame.master, more)


def do_stand_souls(game: Game, do: Do, frame: Frame) -> Flow:
    """Stand rested souls: as many as possible, or with "up to" as many as the master wants."""
    me = game.players[frame.master]
    number = min(reading.count_of(game, do.amount, frame), me.rested_souls)
    if "up to" in do.word:
        number = yield from choices.pick_number(frame.master, number)
    costs.pay_souls(game, frame.master, -number)


def do_night(game: Game, do: Do, frame: Frame) -> None:
    """It becomes night until the end of the opponent's next turn (CR 5.3.2)."""
    game.lasting.append(Lasting("night", frame.master, game.next_stamp(), game.turn, "enemy_turn"))
    game.touch()
    game.note("night", PLAYER + frame.master)


def do_fail_attack(game: Game, do: Do, frame: Frame) -> None:
    """CR 5.18.1: only while a Pal of the opponent is attacking; it takes effect when this text has been resolved."""
    if game.battle is not None and not game.battle.attacker.gone and game.battle.attacker.owner != frame.master:
        game.battle.failed = True
        game.note("fail", game.battle.attacker.obj)


def do_discount(game: Game, do: Do, frame: Frame) -> None:
    """The next such card of the master's hand costs less."""
    what = do.target if not isinstance(do.target, str) else None
    last(game, "discount", do, frame, power=reading.count_of(game, do.amount, frame), what=what)


VERB = {name[3:]: function for name, function in list(globals().items()) if name.startswith("do_")}
"""The verbs by name; every row of `sim.cards.verbs.VERBS` has its function here."""
