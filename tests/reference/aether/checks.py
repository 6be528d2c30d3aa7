"""Checks: which units are destroyed, who has lost, and the abilities that wait for it."""

from __future__ import annotations

from sim.position import PLAYER

from . import derived, effects, moves
from .objects import Flow, Game, GameOver, Piece, Waiting

NOBODY = 255


def settle(game: Game) -> Flow:
    """A check, then every waiting ability with a check after each (AE-8.9, 8.11, 9.1)."""
    check(game)
    while game.queue:
        entry = game.queue.pop(0)
        yield from effects.resolve(game, entry.source, entry.ability, entry.n)
        check(game)


def check(game: Game) -> None:
    """Units with no HP left or marked leave together, then defeat is read (AE-8.9)."""
    while doomed := [unit for unit in game.units() if unit.marked or derived.hp(game, unit) <= 0]:
        destroy(game, doomed)
    defeat(game)


def destroy(game: Game, doomed: list[Piece]) -> None:
    """Together, then their on-destroy abilities wait: the active player's first, in slot order (AE-8.10, 8.12). A token
    vanishes after its ability was triggered (AE-8.16)."""
    for unit in doomed:
        unit.last = frozenset(derived.keywords(game, unit))
    lasts = {unit.obj: unit.last for unit in doomed}
    for unit in doomed:
        moves.leave_field(game, unit)
        unit.last = lasts[unit.obj]
        if not unit.is_token:
            moves.enter(game, unit, "graveyard")
        game.happened("destroy", unit.obj)
    for unit in doomed:
        for n, ability in enumerate(unit.card.abilities, 1):
            if ability.trigger is not None and ability.trigger.event == "destroyed":
                game.queue.append(Waiting(unit, ability, n))


def defeat(game: Game) -> None:
    """s1: no life left, or a draw from an empty deck; both at once is a draw, in any mix (AE-7.5). What waits is not
    resolved (AE-7.8)."""
    losers = [seat for seat in (0, 1) if game.players[seat].life <= 0 or game.players[seat].decked]
    if len(losers) == 2:
        finish(game, "draw", "both")
    if losers:
        finish(game, 1 - losers[0], "life" if game.players[losers[0]].life <= 0 else "deck")


ENDS = ("life", "deck", "both", "loop", "cap")


def finish(game: Game, winner: int | str, end: str) -> None:
    game.winner, game.end = winner, end
    game.queue.clear()
    game.happened("over", PLAYER + winner if isinstance(winner, int) else NOBODY, ENDS.index(end))
    raise GameOver
