"""The schema of a run folder: the one thing that the engine and the analysis share.

Every table is a folder of Parquet files inside the run. Old runs stay readable: a change of a column raises `VERSION`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pyarrow as pa

if TYPE_CHECKING:
    import polars as pl

VERSION = 2
READS = 5
"""How often a file in a store is read that changes while it is read."""

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

TURN_COLUMNS = {
    "options": Column("int32", "options at the decisions of the player with two or more, added up"),
    "dead_turns": Column("int16", "own turns that ended with nothing done"),
    "stuck_turns": Column(
        "int16", "own turns that ended with cards in hand of which none could be played in that turn"
    ),
}
"""Columns by side that games declare besides (`dead_turns_a`); runs from before they were counted lack them."""

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
    if info.events:
        tables["events"] = EVENTS
    return tables


def _field(name: str, column: Column) -> pa.Field:
    return pa.field(name, pa.type_for_alias(column.kind), False)


EVENTS = pa.schema(
    [
        pa.field("game", pa.int64(), False),
        pa.field("matchup", pa.int32(), False),
        pa.field("g", pa.int64(), False),
        pa.field("n", pa.int32(), False),
        pa.field("turn", pa.int16(), False),
        pa.field("kind", pa.string(), False),
        pa.field("side", pa.string(), True),
        pa.field("card", pa.string(), True),
        pa.field("copy", pa.int8(), False),
        pa.field("a", pa.int32(), False),
        pa.field("b", pa.int32(), False),
    ]
)
"""Only with `--events`. One row an event, in the order in which they happen: n counts from 0 in each game; side: owner
of the card, or the player it is about; copy: which copy in its deck, from 1; a and b: numbers of the event."""


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
    """One file in each table: games g0 <= g < g1 of every matchup that was not stopped before; how many rows each file
    has, and the hash of its bytes."""

    index: int
    g0: int
    g1: int
    rows: dict[str, int]
    hashes: dict[str, str] = {}


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
    events: bool = False  # whether there is a table of events
    until: str = ""  # the rule that ends matchups early, as in `decided` or `±0.5%`; `games` is the most then
    looked: int = 0  # games of each matchup at the last look of that rule
    stops: dict[int, int] = {}  # matchup to the number of games at which the rule ended it

    @property
    def played(self) -> int:
        """Games of each matchup that are in the files, but for those that were stopped before."""
        return sum(block.g1 - block.g0 for block in self.blocks)

    @property
    def tables(self) -> dict[str, pa.Schema]:
        """The tables that the run has."""
        return tables_of(self)

    def games_of(self, matchup: int) -> int:
        """Games of one matchup that are in the files."""
        return min(self.played, self.stops.get(matchup, self.played))

    def games_between(self, g0: int, g1: int) -> int:
        """Games g0 <= g < g1 of all matchups together."""
        return sum(max(0, min(g1, self.stops.get(m, g1)) - g0) for m in range(len(self.matchups)))


def is_address(run: str | Path) -> bool:
    """Whether a run lies in a store that is named by an address, as in s3://bucket/folder, and not in a folder."""
    return re.match(r"[^/\\]*://", str(run)) is not None


def connect(address: str) -> tuple[Any, str]:
    """The file system and the path that an address means: those that pyarrow knows, else those of fsspec.

    Raises OSError where there is none."""
    import pyarrow.fs as fs

    scheme, _, place = address.partition("://")
    if not place.strip("/") or not re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]*", scheme):
        raise OSError("the address names no place; as in s3://bucket/folder")
    try:
        files, path = fs.FileSystem.from_uri(address)
        return files, path.rstrip("/")
    except pa.ArrowInvalid:
        pass
    try:
        import fsspec

        known, path = fsspec.core.url_to_fs(address)
    except ImportError:
        raise OSError(f"addresses with {scheme}:// need the package fsspec: pip install fsspec") from None
    except ValueError as error:
        raise OSError(f"no store is known for {scheme}:// ({error})") from None
    return fs.PyFileSystem(fs.FSSpecHandler(known)), path.rstrip("/")


def read_whole(files: Any, path: str) -> bytes:
    """The bytes of a small file in a store. Its length is asked for before its bytes, so that a file which is replaced
    meanwhile may be read in part: then it is read again. Raises OSError."""
    for _ in range(READS):
        with files.open_input_stream(path) as file:
            data: bytes = file.read()
        if files.get_file_info(path).size in (None, len(data)):
            return data
    raise OSError(f"{path} changes all the time")


def read_info(path: str | Path) -> RunInfo:
    """Read `run.json` of the run at `path`, a folder or an address. Raises OSError or msgspec.ValidationError."""
    if is_address(path):
        files, folder = connect(str(path))
        data = read_whole(files, f"{folder}/run.json")
    else:
        data = (Path(path) / "run.json").read_bytes()
    return sound(msgspec.json.decode(data, type=RunInfo))


def sound(info: RunInfo) -> RunInfo:
    """The same, where its parts fit together. Raises msgspec.ValidationError where an edit has broken it."""
    decks, matchups = len(info.decks), len(info.matchups)
    wrong = [
        ("decks, matchups or agents are missing", not (decks and matchups and info.agents)),
        ("a deck has no cards", any(min(deck.cards.values(), default=0) < 1 for deck in info.decks)),
        ("a matchup names a deck that is not there", any(not 0 <= i < decks for pair in info.matchups for i in pair)),
        ("the number of agents does not fit", len(info.agents) != (2 if info.versus else 1)),
        ("the seed is not from 0 to 2^64 - 1", not 0 <= info.seed < 2**64),
        ("numbers of games do not fit", not 0 <= info.games < 2**53 or not 0 <= info.block_games < 2**53),
        ("a block ends before it begins", any(not 0 <= block.g0 <= block.g1 < 2**53 for block in info.blocks)),
        ("blocks overlap", any(a.g1 > b.g0 for a, b in pairwise(sorted(info.blocks, key=lambda block: block.g0)))),
        ("a number of a block is not possible", any(not 0 <= block.index < 10**7 for block in info.blocks)),
        ("a stop names a matchup that is not there", any(not 0 <= m < matchups for m in info.stops)),
    ]
    try:
        tables_of(info)
    except (ValueError, TypeError):
        wrong.append(("a column has a type that is not known", True))
    for what, found in wrong:
        if found:
            raise msgspec.ValidationError(what)
    return info


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


class DuelCell(msgspec.Struct):
    """Two players in one pair of decks: joint[i][j] pairs of games on one seed, in which the first player got i with
    deck_a and j with deck_b; 0 loss, 1 draw, 2 win, 3 unfinished."""

    deck_a: str
    deck_b: str
    joint: list[list[int]]


class Duel(msgspec.Struct):
    """Two players against each other over all pairs of decks; `stopped`: a sequential test has ended it."""

    agent: str
    opponent: str
    cells: list[DuelCell]
    stopped: bool = False


class LadderInfo(msgspec.Struct):
    """What `cardmill ladder` has played: each player against each other on the same seeds."""

    game: str
    seed: int
    games: int  # most games of each pair of players in each pair of decks
    agents: list[AgentInfo]
    decks: list[str]
    duels: list[Duel]
    seconds: float = 0.0


def scan(path: str | Path, table: str, blocks: Iterable[int]) -> pl.LazyFrame:
    """The files of a table of the run at `path`, a folder or an address."""
    import polars as pl

    names = [f"{table}/{block:07}.parquet" for block in blocks]
    if not is_address(path):
        return pl.scan_parquet([Path(path) / name for name in names])
    import pyarrow.dataset as ds

    files, folder = connect(str(path))
    return pl.scan_pyarrow_dataset(ds.dataset([f"{folder}/{name}" for name in names], filesystem=files))


class Observed(msgspec.Struct):
    """Results between people. matchups: deck a, deck b, share won by a, games; rounded: the step of shares."""

    matchups: list[tuple[str, str, float, int]]
    rounded: float = 0.0
    about: str = ""
    win_rates: dict[str, float] = {}
    first_seat: dict[str, tuple[float, float, int]] = {}


class Habits(msgspec.Struct):
    """How a player has played a deck in a sample of games, as counts (`sim.diagnose` says what each means)."""

    agent: str
    deck: str
    games: int = 0
    had: int = 0  # cards that came into the hand
    held: int = 0  # of these, in the hand at the end of the game
    turns: int = 0  # own turns that ended by a choice
    idle: int = 0  # of these, with something left to do that could be paid
    judged: int = 0  # idle ends that were played on both ways
    better: int = 0  # of these, another option was better
    actions: int = 0  # cards played and abilities activated in the own turn
    empty: int = 0  # of these, nothing came of them but their cost
    interrupts: int = 0  # attacks stopped
    wasted: int = 0  # of these, the attack would have done nothing
    won: int = 0  # turns in which the player won
    searched: int = 0  # other turns that were searched for a win
    missed: int = 0  # of these, a win was there whatever the opponent does and the hidden cards are
    left: dict[str, int] = {}  # what was better than ending the turn, by kind and card number
    vain: dict[str, int] = {}  # actions of which nothing came, by kind and card number


class Diagnosis(msgspec.Struct):
    """`diagnosis.json` of a run: what `cardmill diagnose` has found."""

    version: int
    sample: int  # games of each matchup
    playouts: int
    rows: list[Habits]
    created: str = ""


DIAGNOSIS_VERSION = 1
