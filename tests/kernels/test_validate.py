"""What must hold of every state: games of random decks hold it, and each fault is found when a state is broken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from kernels import batch
from kernels.agents import AGENTS
from kernels.jit import CHECKED, PLAIN
from kernels.palworld import codes, validate
from tests.kernels import soak
from tests.kernels.table import Table, starters

GAMES = 6 if PLAIN else 600
LONGEST = {"palworld": 91, "aether": 100}
"""Turns: until the deck is empty."""


def u64(mask: int) -> np.uint64:
    return np.uint64(mask)


def lowest(mask: Any) -> int:
    value = int(mask)
    return (value & -value).bit_length() - 1


@pytest.mark.parametrize("game", soak.GAMES)
def test_games_of_all_players_are_sound(game: str) -> None:
    """Random and built-in decks, every player; `make soak` plays more, with bounds checks."""
    total = soak.Total(game)
    soak.soak(total, seed=0, games=GAMES, each=1 if PLAIN else 20)
    assert total.games == GAMES
    assert set(total.ends) <= {"life", "deck", "both"}
    assert total.longest <= LONGEST[game]
    assert all(0 < total.largest[name] <= room for name, room in soak.GAMES[game].lists.items() if name == "groups")
    assert PLAIN or set(total.players) == set(AGENTS)


@pytest.fixture(scope="module")
def lane() -> Table:
    """A game at a play timing of the main phase of seat 0, both players with Pals in the base, one of them rested."""
    table = Table(starters(), key=12)
    S = table.lane
    for g in range(200):
        table.start(g)
        left = table.advance()
        while left:
            ready = int(S.decision) == codes.AT_MAIN and int(S.turn_seat) == 0 and int(S.turn) > 8
            if ready and all(len(pals(table, p)) > 1 for p in range(2)) and S.resting[1] and hand_options(S):
                assert table.fault() is None
                return table
            left = table.step()
    raise AssertionError("no such position")


def pals(table: Table, p: int) -> list[int]:
    """Pals of a base as objs."""
    mask = int(table.lane.bases[p]) & int(table.tables.type_mask[p, 0])
    return [p * 64 + slot for slot in range(64) if mask >> slot & 1]


def hand_options(S: Any) -> bool:
    return any(S.group_kind[i] == codes.K_PLAY for i in range(int(S.groups)))


def twice(S: Any) -> None:
    S.hand[0] |= u64(1 << int(S.deck[0, 0]))


def twice_in_the_deck(S: Any) -> None:
    S.deck[0, 0] = S.deck[0, 1]


def nowhere(S: Any) -> None:
    S.deck_count[1] -= 1
    S.known[1] = 0


def stranger(S: Any) -> None:
    S.graveyard[1] |= u64(1 << 60)


def souls(S: Any) -> None:
    S.souls[0] = 11


def rested_souls(S: Any) -> None:
    S.souls_rested[1] = S.souls[1] + 1


def debt(S: Any) -> None:
    S.material[0] = -1


def mark(S: Any) -> None:
    S.resting[0] |= S.hand[0]


def damage_unmarked(S: Any) -> None:
    S.damage[64 + int(S.deck[1, 0])] = 100


def use_unmarked(S: Any) -> None:
    S.changed[0] = 0
    S.hurt[0] = 0
    S.uses[int(S.deck[0, 0]), 1] = 1


def known(S: Any) -> None:
    S.known[1] = S.hand[1]


def power(S: Any) -> None:
    S.power[lowest(S.bases[0])] += 100


def strike(S: Any) -> None:
    S.strike[64 + lowest(S.bases[1])] += 1


def keyword(S: Any) -> None:
    S.keywords[lowest(S.bases[0])] ^= 1


def night(S: Any) -> None:
    S.is_night ^= 1


def life(S: Any) -> None:
    S.life[1] = 0


def waits(S: Any) -> None:
    S.waits = 1


def rooms(S: Any) -> None:
    S.grants = 200


def count(S: Any) -> None:
    S.options += 1


def wrong_zone(S: Any) -> None:
    for i in range(int(S.groups)):
        if S.group_kind[i] == codes.K_PLAY:
            S.group_mask[i] = u64(1 << lowest(S.bases[0]))


def wrong_player(S: Any) -> None:
    S.decider = 1


def over(S: Any) -> None:
    S.winner, S.end = 0, codes.END_DECK


def over_by_the_living(S: Any) -> None:
    S.life[0] = 0
    S.winner, S.end = 0, codes.END_LIFE


BREAKS: dict[Callable[[Any], None], int] = {
    twice: validate.TWO_ZONES,
    twice_in_the_deck: validate.TWO_ZONES,
    nowhere: validate.NO_ZONE,
    stranger: validate.STRANGER,
    souls: validate.SOULS,
    rested_souls: validate.SOULS,
    debt: validate.RESOURCES,
    mark: validate.MARKS,
    damage_unmarked: validate.CHANGES,
    use_unmarked: validate.CHANGES,
    known: validate.KNOWN,
    power: validate.DERIVED,
    strike: validate.DERIVED,
    keyword: validate.DERIVED,
    night: validate.DERIVED,
    life: validate.LOST,
    waits: validate.WAITS,
    rooms: validate.ROOM,
    count: validate.OPTIONS,
    wrong_zone: validate.OPTION_ZONE,
    wrong_player: validate.OPTION_ZONE,
    over: validate.OUTCOME,
    over_by_the_living: validate.OUTCOME,
}


def broken(lane: Table, change: Callable[[Table], None]) -> str | None:
    """What is found wrong after a change; the state is as before afterwards."""
    before = lane.lane.tobytes()
    change(lane)
    found = lane.fault()
    lane.lane.status = 0
    whole = np.frombuffer(before, lane.lane.dtype)
    for name in lane.lane.dtype.names:
        lane.lane[name] = whole[0][name]
    assert lane.fault() is None
    return found


@pytest.mark.parametrize("change", BREAKS, ids=lambda change: change.__name__)
def test_a_broken_state_is_found(change: Callable[[Any], None], lane: Table) -> None:
    assert broken(lane, lambda table: change(table.lane)) == validate.FAULTS[BREAKS[change] - validate.CAPACITY - 1]


def test_a_lethally_damaged_pal_is_found(lane: Table) -> None:
    def change(table: Table) -> None:
        S, obj = table.lane, pals(table, 1)[0]
        S.damage[obj] = S.power[obj]
        S.hurt[1] |= u64(1 << (obj & 63))
        S.changed[1] |= u64(1 << (obj & 63))

    assert broken(lane, change) == validate.FAULTS[validate.LETHAL - validate.CAPACITY - 1]


def test_a_sixth_pal_is_found(lane: Table) -> None:
    def change(table: Table) -> None:
        S, mask = table.lane, int(table.tables.type_mask[0, 0])
        cards = [int(slot) for slot in S.deck[0, : int(S.deck_count[0])] if mask >> int(slot) & 1]
        while len(pals(table, 0)) < 6:
            slot = cards.pop()
            left = [int(s) for s in S.deck[0, : int(S.deck_count[0])] if int(s) != slot]
            S.deck[0, : len(left)] = left
            S.deck_count[0] = len(left)
            S.bases[0] |= u64(1 << slot)
        S.known[0] = 0
        S.dirty = 1

    assert broken(lane, change) == validate.FAULTS[validate.PALS - validate.CAPACITY - 1]


def test_every_fault_is_tested() -> None:
    tested = {*BREAKS.values(), validate.LETHAL, validate.PALS}
    assert tested == set(range(validate.CAPACITY + 1, validate.CAPACITY + 1 + len(validate.FAULTS)))


def credit(table: Table) -> Table:
    """Tables with which every card of the hand may be played, whether it can be paid or not."""
    table.tables.cost_at_most[:] = u64(2**64 - 1)
    return table


def test_a_run_stops_at_a_broken_state() -> None:
    table = credit(Table(starters(), key=4))
    table.lane.check_on = 1
    with pytest.raises(batch.BrokenState, match=r"game 7 of key 0x4, decision \d+: souls outside"):
        table.play(7, 5)


@pytest.mark.skipif(not CHECKED, reason="only a checked build looks at bounds")
def test_bounds_are_checked() -> None:
    table = Table(starters(), key=4)
    table.start(0)
    table.advance()
    table.lane.deck_count[0] = 70
    with pytest.raises(IndexError):
        table.fault()


def test_soak_says_how_to_see_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = soak.pair

    def broken(game: str, seed: int) -> tuple[Table, tuple[str, str]]:
        table, agents = pair(game, seed)
        return credit(table), agents

    monkeypatch.setattr(soak, "pair", broken)
    again = r"souls.*again: python -m tests.kernels.soak --game palworld --seed 3"
    with pytest.raises(batch.BrokenState, match=again):
        soak.soak(soak.Total("palworld"), 3, 10, 5)
