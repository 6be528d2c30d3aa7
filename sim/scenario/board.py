"""An engine in the middle of a scenario: which options a written step names, and what has resolved itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol, Self

from sim.labels import SEATS, Wanted, option_label, parse_label
from sim.position import PLAYER, Option
from sim.scenario.names import Names

PLAYER_NAMES = ("player", *SEATS)


class Engine(Protocol):
    """What a scenario needs of an engine. Optional: `auto` (what has resolved itself since the last choice, the cards
    taken by "choose N" where there are no more included), `alike(obj)` (the interchangeable copies that an option
    for obj stands for), `names` (the card names that may be declared), `appeared` (cards that came into being, in this
    order: obj and card number)."""

    over: bool
    decides: int | None

    @classmethod
    def from_position(cls, position: Any) -> Self: ...
    def options(self) -> list[Option]: ...
    def choose(self, option: Option) -> None: ...
    def state(self) -> dict[str, Any]: ...
    def cost_of(self, obj: int) -> int: ...
    def copy(self) -> Self: ...


class Step(NamedTuple):
    """A step as written and as understood."""

    text: str
    seat: int
    wanted: Wanted


class Reading(NamedTuple):
    """One way to take a step: an open option, or (auto) the index of one that resolved itself; swaps: see Names."""

    option: Option
    swaps: tuple[tuple[int, int], ...]
    auto: int | None = None


def parse_step(text: str) -> Step:
    """`A: end`; ValueError for anything else."""
    player, colon, option = text.partition(":")
    if not colon or player.strip() not in SEATS:
        raise ValueError(f"a step is 'PLAYER: option', such as 'A: end', not '{text}'")
    return Step(text, SEATS.index(player.strip()), parse_label(option))


class Board:
    def __init__(
        self, engine: Engine, names: Names, auto: Iterable[tuple[int, Option]] = (), appeared: int = 0
    ) -> None:
        """appeared: how many of the cards that came into being are named already."""
        self.engine = engine
        self.names = names
        self.auto = list(auto)
        self.appeared = appeared
        self.look()

    def look(self) -> None:
        """Name the cards that have come into being."""
        appeared = list(getattr(self.engine, "appeared", ()))
        for obj, number in appeared[self.appeared :]:
            self.names.add(obj, number)
        self.appeared = len(appeared)

    @classmethod
    def start(cls, engine: Engine, names: Names) -> Board:
        return cls(engine, names.copy(), getattr(engine, "auto", ()))

    def copy(self) -> Board:
        return Board(self.engine.copy(), self.names.copy(), self.auto, self.appeared)

    @property
    def decides(self) -> int | None:
        return None if self.engine.over else self.engine.decides

    def options(self) -> list[Option]:
        return [] if self.engine.over else self.engine.options()

    def label(self, option: Option) -> str:
        return option_label(option, self.names.label, self.card_names)

    def open_text(self) -> str:
        """The open decision as a sentence part."""
        if self.decides is None:
            return "the game is over, no option is open"
        return f"open for {SEATS[self.decides]}: {', '.join(map(self.label, self.options()))}"

    @property
    def card_names(self) -> Sequence[str]:
        """The names that may be declared."""
        return getattr(self.engine, "names", ())

    def zone_of(self, obj: int) -> tuple[int, str] | None:
        """(seat, zone) of a card; None while it is in no zone."""
        for seat, player in enumerate(self.engine.state()["players"]):
            for zone, objs in player.items():
                if not isinstance(objs, int) and obj in objs:
                    return seat, zone
        return None

    # Steps.

    def open_readings(self, step: Step) -> list[Reading]:
        """The open options that a step names."""
        if self.decides != step.seat:
            return []
        options = self.options()
        return [reading for option in options if (reading := self._match(step.wanted, option, options))]

    def auto_readings(self, step: Step) -> list[Reading]:
        """Options that resolved themselves and that a step names, the first of equal ones."""
        found: dict[Option, Reading] = {}
        for index, (seat, option) in enumerate(self.auto):
            if seat == step.seat and (reading := self._match(step.wanted, option, [option])):
                found.setdefault(option, reading._replace(auto=index))
        return list(found.values())

    def take(self, reading: Reading) -> None:
        for a, b in reading.swaps:
            self.names.swap(a, b)
        if reading.auto is None:
            self.engine.choose(reading.option)
            self.auto = list(getattr(self.engine, "auto", ()))
            self.look()
        else:
            del self.auto[reading.auto]

    def _match(self, wanted: Wanted, option: Option, options: list[Option]) -> Reading | None:
        if option.kind != wanted.kind:
            return None
        if wanted.name:
            named = option.n < len(self.card_names) and self.card_names[option.n] in self.names.names_of(wanted.name)
            return Reading(option, ()) if named else None
        if option.n != wanted.n:
            return None
        swaps: list[tuple[int, int]] = []
        for text, obj in ((wanted.obj, option.obj), (wanted.target, option.target)):
            if not text:
                continue
            named_obj = self._named(text, obj, option, options)
            if named_obj is None:
                return None
            if named_obj != obj:
                swaps.append((obj, named_obj))
        return Reading(option, tuple(swaps))

    def _named(self, text: str, obj: int, option: Option, options: list[Option]) -> int | None:
        """The card that a name means where the option says obj: obj, or an interchangeable copy."""
        if obj >= PLAYER or text in PLAYER_NAMES:
            return obj if obj >= PLAYER and text in ("player", SEATS[obj - PLAYER]) else None
        try:
            objs = self.names.find(text)
        except ValueError:  # a card that has not come into being yet
            return None
        if obj in objs:
            return obj
        offered = {o.obj for o in options if o.kind == option.kind} | {o.target for o in options}
        twins = {o for o in objs if o not in offered and self.names.number[o] == self.names.number[obj]}
        return min(twins & self._alike(obj, option), default=None) if twins else None

    def _alike(self, obj: int, option: Option) -> set[int]:
        if option.kind == "resolve":  # equal waiting abilities of copies appear once
            return {o for o, n in self.engine.state()["waiting"] if n == option.n and o // 64 == obj // 64}
        alike = getattr(self.engine, "alike", None)
        if alike is not None:
            return set(alike(obj))
        state = self.engine.state()
        for player in state["players"]:
            for objs in player.values():
                if not isinstance(objs, int) and obj in objs:
                    look = state["objects"].get(obj)
                    return {o for o in objs if state["objects"].get(o) == look}
        return set()
