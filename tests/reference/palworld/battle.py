"""Battles (CR 9): who may attack what, and the steps from declaration to end."""

from __future__ import annotations

from sim.position import PLAYER, Option

from . import choices, derived, moves, plays
from .checks import check_timing
from .objects import AttackFailed, Battle, Flow, Game, Piece

Target = Piece | int


def attackers(game: Game) -> list[Piece]:
    """CR 9.2.2."""
    return [pal for pal in game.players[game.turn_player].pals if not pal.rested]


def attack_targets(game: Game, attacker: Piece) -> list[Target]:
    """CR 9.2.3: the other player, any structure, rested Pals; with Assault any Pal (CR 12.15). Taunt binds among
    these (CR 12.10)."""
    foe = 1 - game.turn_player
    assault = derived.has_static(game, attacker, "assault")
    cards = [
        piece
        for piece in game.players[foe].base
        if piece.card.type == "structure" or (piece.is_pal and (piece.rested or assault))
    ]
    cards = [piece for piece in cards if may_be_attacked(game, piece, attacker)]
    taunting = [piece for piece in cards if derived.has_static(game, piece, "taunt")]
    return list(taunting) if taunting else [foe, *cards]


def may_be_attacked(game: Game, piece: Piece, attacker: Piece) -> bool:
    """No effect forbids this attacker this target (CR 9.2.4.1)."""
    return not any(
        attacker in derived.static_targets(game, static, piece)
        for _, static in derived.piece_statics(game, piece, "unattackable")
    )


def attack_options(game: Game) -> list[Option]:
    """Every attack that may be declared (CR 9.2.4)."""
    options = []
    for attacker in choices.representatives(game, attackers(game)):
        targets = attack_targets(game, attacker)
        cards = choices.representatives(game, [target for target in targets if isinstance(target, Piece)])
        options += [Option("attack", attacker.obj, card.obj) for card in cards]
        options += [Option("attack", attacker.obj, PLAYER + seat) for seat in targets if isinstance(seat, int)]
    return options


def fight(game: Game, attacker: Piece, target: Target) -> Flow:
    """One battle, from 9.3 to 9.7."""
    try:
        yield from attack_step(game, attacker, target)
        yield from block_step(game)
        yield from quick_step(game)
        yield from damage_step(game)
    except AttackFailed:
        pass
    yield from battle_end_step(game)


def attack_step(game: Game, attacker: Piece, target: Target) -> Flow:
    """CR 9.3."""
    game.phase = "attack"
    game.battle = Battle(attacker, target)
    goal = target.obj if isinstance(target, Piece) else PLAYER + target
    game.note("attack", attacker.obj, goal)
    moves.rest(game, attacker)
    attacked = target if isinstance(target, Piece) else None
    moves.trigger(game, "attacks", attacker, attacked)
    if attacked is not None:
        moves.trigger(game, "attacked", attacked, attacker)
    yield from check_timing(game)


def block_step(game: Game) -> Flow:
    """CR 9.4. Without an attacking Pal there is nothing to block."""
    battle = game.battle
    assert battle is not None
    game.phase = "block"
    yield from check_timing(game)
    if not battle.attacker.gone:
        able = blockers(game)
        options = [Option("block", pal.obj) for pal in choices.representatives(game, able)]
        answer = yield from choices.ask(1 - game.turn_player, [*options, Option("no_block")])
        if answer.kind == "block":  # 9.4.2.1
            blocker = next(pal for pal in able if pal.obj == answer.obj)
            game.note("block", blocker.obj)
            moves.rest(game, blocker)
            battle.target = blocker
    if (
        not battle.attacker.gone
        and isinstance(battle.target, Piece)
        and battle.target.is_pal
        and not battle.target.gone
    ):
        battle.combat = (battle.attacker, battle.target)  # 9.4.3
    yield from check_timing(game)


def blockers(game: Game) -> list[Piece]:
    """CR 9.4.2: standing Pals other than the target; none against Stealth (CR 12.11)."""
    battle = game.battle
    assert battle is not None
    if derived.has_static(game, battle.attacker, "stealth"):
        return []
    return [
        pal
        for pal in game.players[1 - game.turn_player].pals
        if not pal.rested and pal is not battle.target and not derived.cannot_block(game, pal)
    ]


def quick_step(game: Game) -> Flow:
    """CR 9.5: the other player may play quick events and quick abilities."""
    game.phase = "quick"
    seat = 1 - game.turn_player
    yield from check_timing(game)
    while True:
        table = plays.choices_of(game, seat, quick=True)
        answer = yield from choices.ask(seat, [*table, Option("pass")])
        if answer.kind == "pass":
            break
        yield from table[answer]()
        yield from check_timing(game)
    yield from check_timing(game)


def damage_step(game: Game) -> Flow:
    """CR 9.6: battle damage, which effects that add to damage leave alone."""
    battle = game.battle
    assert battle is not None
    game.phase = "damage"
    yield from check_timing(game)
    attacker, target = battle.attacker, battle.target
    if not attacker.gone:
        power = derived.power(game, attacker)
        if isinstance(target, int):  # 9.6.3.3
            moves.damage_player(game, target, derived.strike(game, attacker))
        elif not target.gone:
            back = derived.power(game, target) if target.is_pal else 0  # 9.6.3.1, 9.6.3.2.1
            moves.damage(game, [target], power, None)
            moves.damage(game, [attacker], back, None)
    yield from check_timing(game)


def battle_end_step(game: Game) -> Flow:
    """CR 9.7."""
    battle = game.battle
    assert battle is not None
    game.phase = "battle_end"
    battle.ending = True
    if not battle.attacker.gone:
        moves.trigger(game, "battle_end", battle.attacker)
    yield from check_timing(game)
    game.lasting = [effect for effect in game.lasting if effect.until != "battle"]
    game.battle = None
    game.touch()
