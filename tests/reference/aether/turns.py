"""Set-up, and the phases of a turn (s3, s5)."""

from __future__ import annotations

from sim.position import PLAYER, Option

from . import checks, choices, combat, derived, effects, moves
from .objects import ROWS, TURN_CAP, Flow, Game, Piece, ask

PHASES = ("start", "main", "end")


def set_up(game: Game, first: int) -> Flow:
    """Opening hands, then mulligans: the first player decides and redraws, then the second (AE-1.2, 1.3)."""
    game.turn_player = first
    for seat in (first, 1 - first):
        for _ in range(hand_size(game, seat, first)):
            moves.draw(game, seat)
    for seat in (first, 1 - first):
        answer = yield from ask(seat, [Option("mulligan"), Option("keep")])
        if answer.kind == "mulligan":
            mulligan(game, seat, hand_size(game, seat, first))


def hand_size(game: Game, seat: int, first: int) -> int:
    return game.rules["first_hand" if seat == first else "second_hand"]


def mulligan(game: Game, seat: int, count: int) -> None:
    """All cards or none, once, the same number again (AE-1.2)."""
    player = game.players[seat]
    game.happened("mulligan", PLAYER + seat)
    for piece in sorted(player.hand, key=lambda piece: piece.obj):
        piece.zone = "deck"
        player.deck.insert(0, piece)
    player.hand.clear()
    game.shuffle(seat)
    for _ in range(count):
        moves.draw(game, seat)


def play(game: Game, phase: str) -> Flow:
    """Turn after turn from a phase on."""
    while True:
        if phase == "start":
            yield from start_phase(game)
        if phase != "end":
            yield from main_phase(game)
        yield from end_phase(game)
        next_turn(game)
        phase = "start"


def next_turn(game: Game) -> None:
    """The turn passes; a game without end is a fault of the engine (AE-3.10)."""
    game.turn += 1
    game.turn_player = 1 - game.turn_player
    if game.turn > TURN_CAP:
        checks.finish(game, "none", "cap")


# ------------------------------------------------------------------------------------------------------- phases


def start_phase(game: Game) -> Flow:
    """Aether, action rights and thaw, regen, draw, effects, in this order (AE-3.1), in the first turn too (AE-1.5)."""
    game.phase = "start"
    game.turn_decisions = 0
    game.happened("turn", PLAYER + game.turn_player, game.turn)
    player = game.players[game.turn_player]
    player.used, player.charged = 0, False  # AE-2.4, 2.11
    for unit in player.units():
        unit.attacks, unit.moved = 0, False
    moves.thaw(player.units())
    regenerate(game)
    if game.turn > 1:  # AE-1.4
        moves.draw(game, game.turn_player)
    yield from checks.settle(game)  # AE-3.2
    yield from timed(game, "turn_start")


def regenerate(game: Game) -> None:
    """Frozen units too; damage only, no lowered HP comes back (AE-6.16)."""
    for unit in game.players[game.turn_player].units():
        if "regen" in derived.keywords(game, unit):
            moves.heal_unit(game, unit, unit.damage)


def timed(game: Game, event: str) -> Flow:
    """Effects of the turn's start or end: the active player's, and those of "each turn" of both (AE-3.3), in slot
    order. The list is fixed now, a unit that is gone is skipped (AE-3.4). What one causes comes before the next
    (AE-9.2)."""
    due = [
        (unit, ability, n)
        for unit in game.units()
        for n, ability in enumerate(unit.card.abilities, 1)
        if ability.trigger is not None
        if ability.trigger.event == f"each_{event}"
        or (ability.trigger.event == event and unit.owner == game.turn_player)
    ]
    while due:
        unit, ability, n = due.pop(0)
        game.coming = [one for one, _, _ in due]
        if unit.on_field:
            yield from effects.resolve(game, unit, ability, n)
            yield from checks.settle(game)
    game.coming = []


def end_phase(game: Game) -> Flow:
    """Effects, then "this turn" expires, with a check before the turn passes (AE-3.5, 3.6). No hand limit (AE-3.7)."""
    game.phase = "end"
    yield from timed(game, "turn_end")
    for unit in game.units():
        unit.attack_turn = unit.hp_turn = 0
        unit.keywords_turn.clear()
    yield from checks.settle(game)
    for unit in game.units():
        unit.summoned = unit.idle = unit.moved = False  # AE-9.7
        unit.attacks = 0


# ---------------------------------------------------------------------------------------------------- main phase


def main_phase(game: Game) -> Flow:
    """Actions in any order until the player ends the turn (AE-3.8); the opponent has nothing to say (AE-3.9)."""
    game.phase = "main"
    while True:
        answer = yield from ask(game.turn_player, actions(game))
        if answer.kind == "end":
            return
        piece = game.find(answer.obj)
        assert piece is not None
        if answer.kind == "charge":
            charge(game, piece)
        elif answer.kind == "attack":
            combat.attack(game, piece, answer.target)
        elif answer.kind == "move":
            piece.moved = True
            effects.shift(game, piece, ROWS[1 - ROWS.index(piece.zone)])
        elif answer.n:
            yield from summon(game, piece, ROWS[answer.n - 1])
        else:
            yield from cast(game, piece)
        yield from checks.settle(game)  # AE-9.1


def actions(game: Game) -> list[Option]:
    player = game.players[game.turn_player]
    options = [Option("end")]
    for piece in choices.different(game, player.hand):
        if not player.charged:
            options.append(Option("charge", piece.obj))
        options += plays(game, piece)
    for unit in choices.different(game, player.units()):
        if combat.can_attack(game, unit):
            units, open_player = combat.targets(game, unit)
            options += [Option("attack", unit.obj, foe.obj) for foe in choices.different(game, units)]
            if open_player:
                options.append(Option("attack", unit.obj, PLAYER + 1 - game.turn_player))
        if can_move(game, unit):
            options.append(Option("move", unit.obj))
    return options


def plays(game: Game, piece: Piece) -> list[Option]:
    """How a card may be played now: a unit into a row with room (AE-4.3), a spell with all its targets (AE-8.1)."""
    player = game.players[piece.owner]
    if not payable(game, piece):
        return []
    if piece.card.type == "spell":
        return [Option("play", piece.obj, n=0)] if effects.castable(game, piece) else []
    return [Option("play", piece.obj, n=n) for n, row in enumerate(ROWS, 1) if player.free(row)]


def payable(game: Game, piece: Piece) -> bool:
    """s4: enough unused aether, and one of the card's element, used or not; neutral needs none (AE-2.6, 2.7, 2.12)."""
    player, element = game.players[piece.owner], piece.card.element
    known = element == "neutral" or any(one.card.element == element for one in player.aether)
    return known and len(player.aether) - player.used >= derived.cost(game, piece)


def pay(game: Game, piece: Piece) -> None:
    """Which aether is used never matters (AE-2.5)."""
    game.players[piece.owner].used += derived.cost(game, piece)


def can_move(game: Game, unit: Piece) -> bool:
    """It has neither attacked nor moved (AE-4.6, 4.7), and the other row has room. A switch says whether it may in the
    turn in which it was summoned (AE-4.4)."""
    return (
        combat.can_act(unit)
        and unit.attacks == 0
        and (not unit.summoned or bool(game.rules["move_when_summoned"]))
        and game.players[unit.owner].free(ROWS[1 - ROWS.index(unit.zone)])
    )


def charge(game: Game, piece: Piece) -> None:
    """Once a turn: a card from the hand becomes aether, unused (AE-2.1), and one is drawn, always (AE-2.2, 2.3)."""
    player = game.players[piece.owner]
    player.charged = True
    player.hand.remove(piece)
    moves.enter(game, piece, "aether")
    game.happened("charge", piece.obj)
    moves.draw(game, piece.owner)


def summon(game: Game, unit: Piece, row: str) -> Flow:
    """The unit is on the field before its on-summon effect (AE-8.14). Several abilities are one effect (AE-9.3)."""
    pay(game, unit)
    game.players[unit.owner].hand.remove(unit)
    game.happened("play", unit.obj, 1 + ROWS.index(row))
    moves.put_into_play(game, unit, row)
    for n, ability in enumerate(unit.card.abilities, 1):
        if ability.trigger is not None and ability.trigger.event == "summoned":
            yield from effects.resolve(game, unit, ability, n)


def cast(game: Game, spell: Piece) -> Flow:
    """Its abilities are one effect (AE-9.3); it goes to the graveyard after the last part (AE-8.24)."""
    pay(game, spell)
    game.players[spell.owner].hand.remove(spell)
    spell.zone = "none"
    game.happened("play", spell.obj, 0)
    for ability in spell.card.abilities:
        if ability.kind == "spell":
            yield from effects.follow(game, spell, ability)
    moves.enter(game, spell, "graveyard")
    game.happened("used", spell.obj)
