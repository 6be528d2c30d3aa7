"""Check timings (CR 10.5): rule actions (CR 11) first, then waiting automatic abilities one by one."""

from __future__ import annotations

from sim.position import PLAYER

from . import choices, derived, moves, plays
from .objects import PAL_LIMIT, Flow, Game, GameOver, Piece

ENDS = ("life", "deck", "both", "loop", "cap")


def check_timing(game: Game) -> Flow:
    """CR 10.5.3."""
    while True:
        acted = True
        while acted:  # CR 10.5.3.1
            acted = yield from rule_actions(game)
        for seat in (game.turn_player, 1 - game.turn_player):  # CR 10.5.3.2, 10.5.3.3
            groups = choices.waiting_groups(game, seat)
            if groups:
                option = yield from choices.ask(seat, groups)
                yield from plays.play_waiting(game, groups[option])
                break
        else:
            return


def rule_actions(game: Game) -> Flow:
    """All rule actions that are due, at once (CR 11.1.2.4); whether there were any."""
    defeat(game)
    lethal = lethal_damage(game)
    surplus: set[Piece] = set()
    for seat in (game.turn_player, 1 - game.turn_player):
        surplus |= yield from surplus_pals(game, seat)
    leaving = lethal | surplus
    for piece in sorted(leaving, key=lambda piece: piece.obj):
        game.note("rule", piece.obj, 1 if piece in lethal else 2)
    moves.put(game, leaving, "graveyard")
    return bool(leaving)


def defeat(game: Game) -> None:
    """CR 11.3, 1.2: without life or without a deck a player loses, both at once draw."""
    losers = [player for player in game.players if player.life <= 0 or not player.deck]
    if len(losers) == 2:
        finish(game, "draw", "both")
    if losers:
        finish(game, 1 - losers[0].seat, "life" if losers[0].life <= 0 else "deck")


def finish(game: Game, winner: int | str, end: str) -> None:
    """The game ends at once (CR 1.2.1)."""
    game.winner, game.end = winner, end
    game.note("over", PLAYER + winner if isinstance(winner, int) else 255, ENDS.index(end))
    raise GameOver


def lethal_damage(game: Game) -> set[Piece]:
    """CR 11.4: Pals and structures with damage above 0 that reaches their Power."""
    return {
        piece
        for piece in game.base()
        if piece.card.type in ("pal", "structure") and 0 < piece.damage >= derived.power(game, piece)
    }


def surplus_pals(game: Game, seat: int) -> Flow:
    """CR 11.5: Pals above the limit leave, those that came last stay as long as they fit.

    The player picks the Pals that leave, one by one.
    """
    pals = game.players[seat].pals
    if len(pals) <= PAL_LIMIT:
        return set()
    latest = max(pal.stamp for pal in pals)
    newest = [pal for pal in pals if pal.stamp == latest]
    older = [pal for pal in pals if pal.stamp != latest]
    if len(newest) > PAL_LIMIT:  # 11.5.1.1: none of the others stays, and some of the newest leave too
        count = len(newest) - PAL_LIMIT
        picked = yield from choices.pick(game, seat, "choose", newest, count, count)
        return set(older) | set(picked)
    count = len(pals) - PAL_LIMIT
    picked = yield from choices.pick(game, seat, "choose", older, count, count)
    return set(picked)
