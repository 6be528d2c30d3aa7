"""The schema of a run folder: the one thing that the engine and the analysis share.

Every table is a folder of Parquet files inside the run. Old runs stay readable: a change of a column raises `VERSION`.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pyarrow as pa

VERSION = 2

SIDES = ("a", "b")
ENDS = ("life", "deck", "both", "loop", "cap")


class Column(msgspec.Struct, frozen=True):
    """A column that a game declares. kind: name of an Arrow type; counted: what a side did, so that a mean of it says
    how games go."""

    kind: str
    about: str
    counted: bool = False


class OwnTable(msgspec.Struct, frozen=True):
    """A table of counts that only one game has: `count` times the same values of its columns.

    Beside these columns it has `matchup`, `deck`, `side` (a b) and `seat` (first second), of the player it is about.
    """

    name: str
    about: str
    columns: dict[str, Column]


PER_SIDE = {
    "life": Column("int32", "life left at the end, 0 or below for a player who lost by damage"),
    "cards_left": Column("int16", "cards left in the deck"),
    "attacks": Column("int16", "attacks declared", True),
    "played": Column("int16", "cards played", True),
    "mulligan": Column("bool", "opening hand redrawn"),
}
"""Columns of `games` that every game has, one for each side (`life_a`, `life_b`); those of a game stand in run.json."""

GAMES = pa.schema(
    [
        pa.field("game", pa.int64(), False),
        pa.field("matchup", pa.int32(), False),
        pa.field("g", pa.int64(), False),
        pa.field("deck_a", pa.string(), False),
        pa.field("deck_b", pa.string(), False),
        pa.field("agent_a", pa.string(), False),
        pa.field("agent_b", pa.string(), False),
        pa.field("first", pa.string(), False),
        pa.field("winner", pa.string(), True),
        pa.field("end", pa.string(), False),
        pa.field("turns", pa.int16(), False),
        pa.field("decisions", pa.int32(), False),
        pa.field("steps", pa.int32(), False),
    ]
)
"""What every game has, without the columns by side and the signature."""

CARD_MEASURES = ("offered", "kept", "returned", "drawn", "hand", "played", "unseen")
"""Measures that every game has. offered: in the first hand; kept: in the opening hand that was kept; returned: in a
hand that was redrawn; drawn: came into the hand later; hand: was in the hand at some time; unseen: in the deck at the
end, never in hand. `seen_by_N`: in hand (kept or drawn) by the end of the N-th turn of the game, in games alive at
turn N. What else a game counts stands in run.json."""
SEEN_TURNS = (2, 4, 6, 8, 10, 12, 16, 20)

CARDS = pa.schema(
    [
        pa.field("matchup", pa.int32(), False),
        pa.field("deck", pa.string(), False),
        pa.field("opponent", pa.string(), False),
        pa.field("side", pa.string(), False),
        pa.field("agent", pa.string(), False),
        pa.field("card", pa.string(), False),
        pa.field("in_deck", pa.int8(), False),
        pa.field("measure", pa.string(), False),
        pa.field("k", pa.int8(), False),
        pa.field("result", pa.string(), True),
        pa.field("games", pa.int64(), False),
    ]
)
"""One row: `games` games in which exactly k copies of the card met the measure; result win, draw, loss, null."""

TURNS = pa.schema(
    [
        pa.field("matchup", pa.int32(), False),
        pa.field("deck_a", pa.string(), False),
        pa.field("deck_b", pa.string(), False),
        pa.field("turn", pa.int16(), False),
        pa.field("first", pa.string(), False),
        pa.field("lead", pa.int16(), False),
        pa.field("result", pa.string(), True),
        pa.field("games", pa.int64(), False),
    ]
)
"""Games alive at the start of `turn`: lead is life of deck_a minus life of deck_b (clamped to -20..20);
first: which side went first; result of deck_a: win, draw, loss, null."""


def tables_of(info: RunInfo) -> dict[str, pa.Schema]:
    """The tables of a run with their columns."""
    sides = {**PER_SIDE, **info.columns}
    by_side = [_field(f"{name}_{side}", column) for name, column in sides.items() for side in SIDES]
    tables = {
        "games": pa.schema([*GAMES, *by_side, pa.field("signature", pa.uint64(), False)]),
        "cards": CARDS,
        "turns": TURNS,
    }
    if info.own:
        head = [pa.field("matchup", pa.int32(), False)] + [
            pa.field(name, pa.string(), False) for name in ("deck", "side", "seat")
        ]
        own = [_field(name, column) for name, column in info.own.columns.items()]
        tables[info.own.name] = pa.schema([*head, *own, pa.field("count", pa.int64(), False)])
    return tables


def _field(name: str, column: Column) -> pa.Field:
    return pa.field(name, pa.type_for_alias(column.kind), False)


class DeckInfo(msgspec.Struct):
    """A deck as it was played: card number to copies, and where the list came from.

    order: card numbers by slot, where that is not the order of numbers: an edited deck keeps the places of its cards.
    """

    name: str
    cards: dict[str, int]
    path: str = ""
    title: str = ""
    order: list[str] = []

    @property
    def slots(self) -> list[str]:
        """Card numbers by slot."""
        return self.order or [number for number, n in sorted(self.cards.items()) for _ in range(n)]


class AgentInfo(msgspec.Struct):
    """A player with every parameter that it played with; `label` is what the tables say."""

    name: str
    params: dict[str, float] = {}
    label: str = ""


class Block(msgspec.Struct):
    """One file in each table: games g0 <= g < g1 of every matchup, and how many rows each file has."""

    index: int
    g0: int
    g1: int
    rows: dict[str, int]


class RunInfo(msgspec.Struct):
    """`run.json`: what was asked, everything needed to play it again, and which files are whole."""

    version: int
    game: str
    seed: int
    games: int  # asked for, per matchup
    decks: list[DeckInfo]
    matchups: list[tuple[int, int]]  # indices into decks, in the order of the column `matchup`
    agents: list[AgentInfo]  # one for both seats, or two with `versus`
    versus: bool = False
    mirrors: bool = False
    rules: dict[str, int | float | str] = {}
    user_cards: dict[str, str] = {}  # file name to its text
    names: dict[str, str] = {}  # card number to name, of the cards in the decks
    columns: dict[str, Column] = {}  # of `games`, one for each side: what this game has besides
    measures: dict[str, str] = {}  # of `cards`: what this game has besides, with their meaning
    own: OwnTable | None = None
    coverage: dict[str, float] = {}  # percent of the cards of the decks: exact, approximate, not modelled
    hashes: dict[str, str] = {}  # rules, cards, decks, engine
    versions: dict[str, str] = {}
    machine: dict[str, str] = {}
    command: str = ""
    created: str = ""
    seconds: float = 0.0  # of play, over all sessions
    compile_seconds: float = 0.0
    block_games: int = 0  # how many g a whole block covers
    blocks: list[Block] = []

    @property
    def played(self) -> int:
        """Games of each matchup that are in the files."""
        return sum(block.g1 - block.g0 for block in self.blocks)


def read_info(path: str | Path) -> RunInfo:
    """Read `run.json` of the run folder `path`. Raises OSError or msgspec.ValidationError."""
    return msgspec.json.decode((Path(path) / "run.json").read_bytes(), type=RunInfo)


class Arm(msgspec.Struct):
    """One side of a comparison: a run in the folder `folder`, with what was changed in it."""

    folder: str
    says: list[str] = []  # the changes as they were written
    value: float | None = None  # of what a sweep goes through


class BalanceInfo(msgspec.Struct):
    """`balance.json`: runs on the same seeds that differ in a change. The first arm is the one without it."""

    version: int
    game: str
    arms: list[Arm]
    targets: list[str] = []  # decks whose cards the change touches; none: it touches all
    sweep: str = ""  # what a sweep goes through
    printed: float | None = None  # its value without a change
    until: float | None = None  # the effect that was to be decided
    command: str = ""
    created: str = ""


BALANCE_VERSION = 1
