"""A divergence as a small scenario: the last turns of the game from a written position, with few cards and choices.

What a position cannot say (effects that last into the turn, uses of abilities) is lost, so that a divergence that needs
it is not reproduced from there; then an earlier turn is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from kernels.palworld import codes
from sim.labels import option_label
from sim.position import PLAYER, Option, Placed, Position, Side
from tests.differential.pair import Divergence
from tests.differential.palworld import Pair

ZONES = ("base", "hand", "deck", "graveyard", "exile")
Item = TypeVar("Item")


@dataclass
class Start:
    """A position to start from. cards: of each seat, each with the obj that it had in the game; choices: from there,
    with those objs."""

    cards: tuple[list[tuple[int, Placed]], list[tuple[int, Placed]]]
    players: list[dict[str, int]]
    turn: int
    turn_player: int
    night: bool
    choices: list[Option] = field(default_factory=list)

    def position(self) -> Position:
        """The position, with slots in the order of its cards."""
        new = self.objs()
        sides = []
        for seat in range(2):
            placed = [
                Placed(**{**{name: getattr(one, name) for name in one.__struct_fields__}, "exiled_by": exiler})
                for _, one in self.cards[seat]
                for exiler in [new.get(one.exiled_by, -1)]
            ]
            sides.append(Side(cards=placed, **self.players[seat]))
        return Position(sides=(sides[0], sides[1]), turn=self.turn, turn_player=self.turn_player, night=self.night)

    def objs(self) -> dict[int, int]:
        """Old obj to new obj."""
        return {old: seat * 64 + slot for seat in range(2) for slot, (old, _) in enumerate(self.cards[seat])}


def snapshot(pair: Pair) -> Start | None:
    """The game at a play timing of the main phase; None elsewhere."""
    S = pair.kernel.lane
    if pair.over or int(S.decision) != codes.AT_MAIN or S.waits or S.battle:
        return None
    state = pair.kernel.state()
    cards: tuple[list[tuple[int, Placed]], list[tuple[int, Placed]]] = ([], [])
    for seat, player in enumerate(state["players"]):
        for zone in ZONES:
            for obj in player[zone]:
                one = Placed(card=pair.kernel.sides[seat][obj & 63], zone=zone)
                if zone == "base":
                    one.rested, one.damage = state["objects"][obj]["rested"], state["objects"][obj]["damage"]
                    one.assigned = bool(int(S.assigned[seat]) >> (obj & 63) & 1)
                if zone == "exile" and int(S.exiled_by[obj]) < PLAYER:
                    one.exiled_by = int(S.exiled_by[obj])
                if zone == "graveyard" and not any(other.played_this_turn for _, other in cards[seat]):
                    one.played_this_turn = bool(S.played_count[seat])
                cards[seat].append((obj, one))
    counters = ("life", "souls", "rested_souls", "material", "ingredient")
    players = [{name: player[name] for name in counters} for player in state["players"]]
    return Start(cards, players, state["turn"], state["turn_player"], state["night"])


def replay(start: Start) -> tuple[str, list[Option], Pair | None]:
    """What goes wrong from a start ("" for nothing), with the choices that were made, in new objs."""
    new, made = start.objs(), []
    pair = None
    try:
        pair = Pair.of_position(start.position())
        for option in start.choices:
            wanted = option._replace(obj=new.get(option.obj, option.obj), target=new.get(option.target, option.target))
            offered = find(pair, wanted)
            if offered is None:
                return "", made, pair
            made.append(offered)
            pair.choose(offered)
    except Divergence as error:
        return str(error), made, pair
    return "", made, pair


def find(pair: Pair, wanted: Option) -> Option | None:
    """The open option that is meant: itself, or one of interchangeable cards."""
    options = pair.kernel.options()
    if wanted in options or pair.over:
        return wanted if wanted in options else None

    def same(obj: int, other: int) -> bool:
        return obj == other or (0 <= obj < PLAYER and 0 <= other < PLAYER and other in pair.kernel.alike(obj))

    for option in options:
        alike = (option.kind, option.n) == (wanted.kind, wanted.n)
        if alike and same(wanted.obj, option.obj) and same(wanted.target, option.target):
            return option
    return None


def fewer(items: Sequence[Item], fails: Callable[[list[Item]], bool]) -> list[Item]:
    """A small part of the items with which it still fails: chunks are left out where possible, smaller and smaller."""
    left, size = list(items), max(1, len(items) // 2)
    while True:
        i = 0
        while i < len(left):
            trial = left[:i] + left[i + size :]
            if fails(trial):
                left = trial
            else:
                i += size
        if size == 1:
            return left
        size //= 2


def shrink(starts: Sequence[tuple[int, Start]], history: Sequence[Option]) -> str | None:
    """A scenario that shows a divergence; None where no start reproduces it. starts: with their places in history."""
    for step, start in reversed(starts):
        whole = replace(start, choices=list(history[step:]))
        if replay(whole)[0]:
            return scenario(reduced(whole))
    return None


def reduced(start: Start) -> Start:
    """The start with fewer choices, then fewer cards."""
    return fewer_cards(fewer_cards(fewer_choices(start), 0), 1)


def fewer_choices(start: Start) -> Start:
    """The start without choices that do not matter."""
    kept = fewer(start.choices, lambda part: bool(replay(replace(start, choices=part))[0]))
    return replace(start, choices=kept)


def fewer_cards(start: Start, seat: int) -> Start:
    """The start without cards of a seat that do not matter."""

    def with_cards(part: list[tuple[int, Placed]]) -> Start:
        return replace(start, cards=(part, start.cards[1]) if seat == 0 else (start.cards[0], part))

    return with_cards(fewer(start.cards[seat], lambda part: bool(replay(with_cards(part))[0])))


# Written down -------------------------------------------------------------------------------------------------------


def scenario(start: Start) -> str:
    """The text of a scenario file, with the difference as a comment."""
    error, choices, pair = replay(start)
    rows = ['name = "A divergence"', 'rule = "?"', "", "[position]"]
    rows += [f"turn = {start.turn}", f'turn_player = "{"AB"[start.turn_player]}"']
    if start.night:
        rows.append("night = true")
    for seat in range(2):
        rows += ["", f"[position.{'AB'[seat]}]"]
        rows += [f"{name} = {number}" for name, number in start.players[seat].items()]
        for zone in ZONES:
            placed = [(slot, one) for slot, (_, one) in enumerate(start.cards[seat]) if one.zone == zone]
            cards = [written(seat, slot, one, start) for slot, one in placed]
            if cards or zone == "deck":
                rows.append(f"{zone} = [{', '.join(cards)}]")
    names = pair.kernel.names if pair else []
    labels = [option_label(option, name_of, names) for option in choices]
    steps = [f'"{"AB"[seat]}: {label}"' for seat, label in zip(deciders(start, choices), labels, strict=True)]
    rows += ["", "[[play]]", f"line = [{', '.join(steps)}]", "", *(f"# {line}" for line in error.splitlines())]
    return "\n".join(rows) + "\n"


def deciders(start: Start, choices: Sequence[Option]) -> list[int]:
    """Who makes each of the choices."""
    pair, seats = Pair.of_position(start.position()), []
    for option in choices:
        seats.append(pair.kernel.decides or 0)
        try:
            pair.choose(option)
        except Divergence:
            break
    return seats


def name_of(obj: int) -> str:
    """Name of a card in the scenario: `a3`."""
    return f"{'ab'[obj >> 6]}{obj & 63}"


def written(seat: int, slot: int, one: Placed, start: Start) -> str:
    """A card of the position."""
    marks: dict[str, Any] = {"card": f'"{one.card.number}"', "id": f'"{name_of(seat * 64 + slot)}"'}
    marks |= {key: "true" for key in ("rested", "assigned", "played_this_turn") if getattr(one, key)}
    if one.damage:
        marks["damage"] = one.damage
    exiler = start.objs().get(one.exiled_by)
    if exiler is not None:
        marks["exiled_by"] = f'"{name_of(exiler)}"'
    return "{ " + ", ".join(f"{key} = {value}" for key, value in marks.items()) + " }"
