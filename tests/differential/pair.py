"""The kernel and the reference at the same game, compared at every decision.

The kernel plays and the reference follows. The reference shuffles as the kernel does: from the same stream of random
numbers, computed here once more in plain Python.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

from kernels.rng import SHUFFLE
from sim.position import Option

WORD = 2**64 - 1
GAMMA, MIX1, MIX2, STEP = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0xD1342543DE82EF95

Event = tuple[str, int, int, int]


class Divergence(AssertionError):
    """The two engines disagree, or an invariant is broken."""


def mix(z: int) -> int:
    """Finaliser of splitmix64."""
    z = (z ^ (z >> 30)) * MIX1 & WORD
    z = (z ^ (z >> 27)) * MIX2 & WORD
    return z ^ (z >> 31)


def stream(key: int, g: int, seat: int, purpose: int) -> int:
    """Start of a stream of the kernel."""
    return mix(mix((key + GAMMA) & WORD) ^ (g * STEP + (seat * 16 + purpose) * GAMMA & WORD))


class Shuffles:
    """The shuffle streams of both seats."""

    def __init__(self, starts: Sequence[int]) -> None:
        self.states = [int(start) for start in starts]

    def __call__(self, seat: int, order: list[int]) -> list[int]:
        """A deck in its new order, the top card first."""
        deck = order[::-1]
        for i in range(len(deck) - 1, 0, -1):
            self.states[seat] = (self.states[seat] + GAMMA) & WORD
            j = (mix(self.states[seat]) >> 32) * (i + 1) >> 32
            deck[i], deck[j] = deck[j], deck[i]
        return deck[::-1]


class Pair:
    """Both engines at one game. `check` compares them and the invariants, `choose` goes on in both. Each game has its
    own Pair (tests.differential.palworld, .aether)."""

    game: ClassVar[type[Any]]
    """The compiled engine, stepped."""
    played_by: ClassVar[type[Any]]
    """The reference engine."""
    fields: ClassVar[Mapping[str, str]]
    """Events that both engines log, with the numbers that are compared beside the card."""

    def __init__(self, kernel: Any, reference: Any, shuffles: Shuffles, sound: bool = True) -> None:
        """sound: the game has begun so that the invariants hold."""
        self.kernel, self.reference, self.shuffles, self.sound = kernel, reference, shuffles, sound
        reference.game.shuffler = shuffles
        self.history: list[Option] = []
        self.seen = 0
        self.options: list[Option] = []
        self.state_each = 1  # decisions; options, events and shuffles are compared at all of them
        self.check()

    @classmethod
    def of_run(cls, table: Any, first: int, seed: int) -> Self:
        """A game as runs play it: the decks of a table, in order, shuffled from the seed, the first seat given."""
        kernel = table.copy()
        kernel.start(seed, 0, first)
        shuffles = Shuffles([stream(seed, 0, seat, int(SHUFFLE)) for seat in (0, 1)])
        sizes = [len(side) for side in kernel.sides]
        orders = [shuffles(seat, [seat * 64 + slot for slot in range(sizes[seat])][::-1]) for seat in (0, 1)]
        return cls(kernel, cls.played_by.new_game(kernel.sides, first, shuffles=orders), shuffles)

    @classmethod
    def of_position(cls, position: Any, sound: bool = True) -> Self:
        """A game from a position, or with `setup` one before the choice of who goes first."""
        kernel = cls.game.from_position(position)
        shuffles = Shuffles(kernel.lane.shuffle_rng)
        return cls(kernel, cls.played_by.from_position(position), shuffles, sound)

    @property
    def over(self) -> bool:
        return self.kernel.over

    def choose(self, option: Option) -> None:
        """Take an option in both engines and compare what comes of it."""
        self.history.append(option)
        try:
            self.kernel.choose(option)
        except Exception as error:
            raise Divergence(f"the kernel failed: {error!r}") from error
        try:
            self.reference.choose(option)
        except Exception as error:
            raise Divergence(f"the reference failed: {error!r}") from error
        self.check()

    # Comparing

    def check(self) -> None:
        """Raise Divergence where the engines differ or an invariant is broken."""
        ours, theirs = self.events()
        whole = len(self.history) % self.state_each == 0 or self.over or ours != theirs
        state = self.kernel.state() if whole else {}
        theirs_now = self.reference.state() if whole else {}
        wrong = [] if state == theirs_now else differences(state, theirs_now)
        self.options = self.kernel.options()
        wrong += lines("options", self.options, self.reference.options())
        if self.sound or self.history:  # where a position stands in a turn that has begun, only the kernel says so
            wrong += lines("events", ours, theirs)
        wrong += lines("shuffles", [int(word) for word in self.kernel.lane.shuffle_rng], self.shuffles.states)
        if not wrong and not self.over and whole:
            wrong += self.costs(state)
        if whole and (len(self.history) % 8 == 0 or self.over or not self.sound):
            wrong += self.more(state)
        if whole and self.sound:
            wrong += self.invariants(state)
        if wrong:
            raise Divergence("\n".join(wrong))
        self.seen = len(self.reference.log)

    def events(self) -> tuple[list[Event], list[Event]]:
        """What both have logged since the last choice, as (kind, card, a, b)."""
        logged = self.reference.log[self.seen :]
        theirs = [self.event(kind, obj, a, b) for kind, _, obj, a, b in logged if kind in self.fields]
        return [self.event(*one) for one in self.kernel.events if one[0] in self.fields], theirs

    def event(self, kind: str, obj: int, a: int, b: int) -> Event:
        """An event as it is compared."""
        fields = self.fields[kind]
        return kind, obj, a if "a" in fields else 0, b if "b" in fields else 0

    def costs(self, state: dict[str, Any]) -> list[str]:
        """Cost of every card in a hand, now and then."""
        if len(self.history) % self.costs_each():
            return []
        hands = [obj for player in state["players"] for obj in player["hand"]]
        return lines(
            "costs",
            [(obj, self.kernel.cost_of(obj)) for obj in hands],
            [(obj, self.reference.cost_of(obj)) for obj in hands],
        )

    def costs_each(self) -> int:
        """At how many decisions costs are looked at once."""
        return 32

    def more(self, state: dict[str, Any]) -> list[str]:
        """What else is compared, at every eighth decision."""
        return []

    def invariants(self, state: dict[str, Any]) -> list[str]:
        """What must hold of the kernel's own state, whatever the reference says; what it validates itself is looked at
        once more at every eighth decision only."""
        fault = self.kernel.fault()
        wrong = [f"the kernel finds: {fault}"] if fault else []
        if int(self.kernel.lane.status):
            wrong.append(f"ended by force: {state['end']}")
        if len(self.history) % 8 and not self.over and not wrong:
            return wrong
        return wrong + self.own_invariants(state)

    def own_invariants(self, state: dict[str, Any]) -> list[str]:
        """The same of the game's own: cards kept, numbers in bounds."""
        raise NotImplementedError


class Both:
    """An engine for scenarios: the kernel, with the reference beside it as long as there is one line of play. Their
    positions may be such as no game comes to."""

    pair: Pair
    of: ClassVar[type[Pair]]
    """The two engines of a game."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair

    @classmethod
    def from_position(cls, position: Any) -> Self:
        """Both at a position; Divergence where they differ in it already."""
        return cls(cls.of.of_position(position, sound=False))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.pair.kernel, name)

    def choose(self, option: Option) -> None:
        self.pair.choose(option)

    def copy(self) -> Any:
        """The kernel alone."""
        return self.pair.kernel.copy()


def lines(name: str, ours: Any, theirs: Any) -> list[str]:
    """A difference as lines of text; lists without what both begin and end with."""
    if ours == theirs:
        return []
    if isinstance(ours, list) and isinstance(theirs, list):
        same = 0
        while same < min(len(ours), len(theirs)) and ours[same] == theirs[same]:
            same += 1
        tail = 0
        while tail < min(len(ours), len(theirs)) - same and ours[-1 - tail] == theirs[-1 - tail]:
            tail += 1
        ours, theirs = ours[same : len(ours) - tail], theirs[same : len(theirs) - tail]
        name = f"{name} [from {same}]"
    return [f"{name}:", f"  kernel    {ours}", f"  reference {theirs}"]


def differences(ours: dict[str, Any], theirs: dict[str, Any], path: str = "") -> list[str]:
    """The keys in which two states differ."""
    wrong = []
    for key in sorted({*ours, *theirs}, key=str):
        left, right = ours.get(key), theirs.get(key)
        if isinstance(left, dict) and isinstance(right, dict):
            wrong += differences(left, right, f"{path}{key}.")
        elif key == "players" and left is not None and right is not None:
            for p in range(2):
                wrong += differences(left[p], right[p], f"{path}{'AB'[p]}.")
        else:
            wrong += lines(f"{path}{key}", left, right)
    return wrong
