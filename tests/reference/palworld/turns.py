"""Preparing a game (CR 6.2) and playing turns (CR 7), with the actions of the main phase (CR 8)."""

from __future__ import annotations

from sim.position import PLAYER, Option

from . import battle, checks, choices, costs, derived, moves, plays
from .checks import check_timing
from .objects import DRAW_PRICE, SOUL_GROWTH, SOUL_LIMIT, START_HAND, TURN_LIMIT, Flow, Game


def set_up(game: Game, coin: int | None, first: int | None) -> Flow:
    """CR 6.2 from the choice of who starts; the decks lie in order. `first` given: no coin flip."""
    game.phase, game.turn = "setup", 1
    if first is None:  # 6.2.1.3
        winner = game.random.randrange(2) if coin is None else coin
        answer = yield from choices.ask(winner, [Option("first"), Option("second")])
        first = winner if answer.kind == "first" else 1 - winner
    game.turn_player = first
    game.players[1 - first].souls = 1  # 6.2.1.5
    for seat in (first, 1 - first):  # 6.2.1.6
        moves.draw(game, seat, START_HAND)
    for seat in (first, 1 - first):  # 6.2.1.7
        answer = yield from choices.ask(seat, [Option("keep"), Option("mulligan")])
        if answer.kind == "mulligan":
            game.note("mulligan", PLAYER + seat)
            for card in sorted(game.players[seat].hand, key=lambda card: card.obj):
                moves.move(game, card, "deck")
            game.shuffle(seat)
            moves.draw(game, seat, START_HAND)


def turns(game: Game, start: str) -> Flow:
    """Turn after turn (CR 7.1); the first one from the beginning of the phase `start` on."""
    phases = [stand_phase, draw_phase, soul_phase, main_phase, end_phase]
    names = ["stand", "draw", "soul", "main", "end"]
    left = phases[names.index(start) :]
    while True:
        for phase in left:
            yield from phase(game)
        left = phases
        next_turn(game)


def next_turn(game: Game) -> None:
    """The other player's turn begins; limits per turn and marks of this turn end."""
    game.turn += 1
    game.turn_player = 1 - game.turn_player
    begin_turn(game)


def begin_turn(game: Game) -> None:
    """Start counting a turn."""
    if game.turn > TURN_LIMIT:
        checks.finish(game, "none", "cap")
    game.turn_decisions = 0
    game.soul_drawn = False
    game.delayed = []
    for player in game.players:
        for piece in player.base + player.hand + player.graveyard:
            piece.used, piece.modes, piece.assigned = {}, {}, False
    game.touch()
    game.note("turn", PLAYER + game.turn_player, game.turn)


def stand_phase(game: Game) -> Flow:
    """CR 7.2. Effects for "the opponent's next stand phase" have had it afterwards."""
    game.phase = "stand"
    game.touch()
    me = game.players[game.turn_player]
    costs.pay_souls(game, me.seat, -me.rested_souls)
    for piece in sorted(me.base, key=lambda piece: piece.obj):
        moves.stand(game, piece)
    yield from check_timing(game)
    game.lasting = [
        effect for effect in game.lasting if effect.until != "enemy_stand" or effect.master == game.turn_player
    ]
    game.touch()


def draw_phase(game: Game) -> Flow:
    """CR 7.3; the first turn of the game has none."""
    if game.turn == 1:
        return
    game.phase = "draw"
    yield from check_timing(game)
    moves.draw(game, game.turn_player, 1)
    yield from check_timing(game)


def soul_phase(game: Game) -> Flow:
    """CR 7.4."""
    game.phase = "soul"
    yield from check_timing(game)
    me = game.players[game.turn_player]
    more = min(SOUL_GROWTH, SOUL_LIMIT - me.souls - me.rested_souls)
    me.souls += more
    game.touch()
    if more:
        game.note("souls", PLAYER + me.seat, more)
    yield from check_timing(game)


def main_phase(game: Game) -> Flow:
    """CR 7.5."""
    game.phase = "main"
    yield from check_timing(game)
    yield from play_timing(game)


def play_timing(game: Game) -> Flow:
    """CR 10.5.4 in the main phase, from the first decision on: one action, a check timing, and so on."""
    while True:
        table = plays.choices_of(game, game.turn_player, quick=False)
        attacks = battle.attack_options(game)
        options = [*table, *attacks]
        if not game.soul_drawn and game.players[game.turn_player].souls >= DRAW_PRICE:
            options.append(Option("draw"))
        if not (attacks and derived.rushed(game, game.turn_player)):  # 7.5.2.1
            options.append(Option("end"))
        answer = yield from choices.ask(game.turn_player, options)
        if answer.kind == "end":  # 7.5.3
            return
        if answer.kind == "draw":
            soul_draw(game)
        elif answer.kind == "attack":
            attacker = game.find(answer.obj)
            target = answer.target - PLAYER if answer.target >= PLAYER else game.find(answer.target)
            assert attacker is not None and target is not None
            yield from battle.fight(game, attacker, target)
            game.phase = "main"
        else:
            yield from table[answer]()
        yield from check_timing(game)


def soul_draw(game: Game) -> None:
    """CR 8.5: once a turn."""
    game.soul_drawn = True
    costs.pay_souls(game, game.turn_player, DRAW_PRICE)
    moves.draw(game, game.turn_player, 1)


def end_phase(game: Game) -> Flow:
    """CR 7.6: triggers once, check timing, damage is healed, effects until the end of the turn end."""
    game.phase = "end"
    game.touch()
    for piece in sorted(game.base(), key=moves.by_obj):  # 7.6.1
        if piece.owner == game.turn_player:
            moves.trigger(game, "turn_end", piece)
    for delayed in game.delayed:
        moves.start_delayed(game, delayed)
    game.delayed = []
    yield from check_timing(game)
    for piece in game.base():  # 7.6.3
        piece.damage = 0
    game.lasting = [effect for effect in game.lasting if not ends_now(game, effect.until, effect.master, effect.turn)]
    game.touch()


def ends_now(game: Game, until: str, master: int, turn: int) -> bool:
    """CR 7.6.4. "The opponent's next turn" is one that began after the effect."""
    return until == "turn" or (until == "enemy_turn" and game.turn_player != master and game.turn > turn)
