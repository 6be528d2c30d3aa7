"""What would a change do? The same seeds with and without it, as runs side by side in one folder.

    comparison = balance(["mine", "other"], sets=["BP01-002.power=1400"], games=10_000, seed=7, out="study")

`base` holds the games as they are, `edited` (in a sweep one folder a value) the ones with the change. Both arms share
their seeds, and a card keeps its slot, so that games differ only by what the change does (statistics 3.3, 3.4b).
"""

from __future__ import annotations

import secrets
import shlex
import sys
import tempfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import msgspec

from sim.decks import Deck, load_decks
from sim.edits import Edits, Source, lucky_cards, touched
from sim.engines import ChunkPlayer
from sim.errors import InputError, RunError
from sim.places import file_in_the_way
from sim.results import BALANCE_VERSION, Arm, BalanceInfo, RunInfo, read_info
from sim.runs import Progress, Silent, simulate

FIRST_LOOK = 400
"""Games of each pair at the first look of a sequential test."""


class Changed(NamedTuple):
    """One arm and what it is played with."""

    arm: Arm
    decks: list[Deck]
    cards: str
    rules: dict[str, int]


class Comparison(NamedTuple):
    """A folder with `balance.json` and the runs that it names."""

    path: Path
    info: BalanceInfo


def balance(
    decks: Sequence[str | Path],
    sets: Sequence[str] = (),
    swaps: Sequence[str] = (),
    rules: Sequence[str] = (),
    sweep: str | None = None,
    lucky: str | None = None,
    games: int = 10_000,
    agent: str = "greedy",
    seed: int | None = None,
    out: str | Path = "balance",
    *,
    game: str = "palworld",
    cards: Sequence[str | Path] = (),
    mirrors: bool = False,
    threads: int | None = None,
    engine: str = "local",
    until: float | None = None,
    enough: Callable[[Path], bool] | None = None,
    planned: Callable[[int], str] | None = None,
    progress: Progress | None = None,
    player: Callable[[RunInfo], ChunkPlayer] | None = None,
) -> Comparison:
    """Play `games` games of every pair of decks that a change touches, with and without it, on the same seeds.

    sets: `BP01-002.power=1400`; swaps: `BP01-002=TD01-002`; rules: `life=12`; sweep: `BP01-002.power=1000:1600:100` or
    `life=8:14`, an arm for each value; lucky: `0:8`, the first deck with so many of its lucky icons. With `enough`
    games are added until it says so of the folder, at most `games`; `until` is noted as the effect to be decided.
    planned: what to say of a number of games in each arm, before anything is played.

    Raises InputError for what cannot be played; Interrupted on Ctrl-C, and the same call goes on.
    """
    tell, path = progress or Silent(), Path(out)
    source = Source(game, cards)
    loaded = load_decks(decks, source.cards, game)
    if len(loaded) == 1 and not mirrors:
        raise InputError("give two decks or more: a change is seen in the games against others (or --mirrors)")
    arms, targets, printed = _arms(source, loaded, source.read(sets, swaps, rules), sweep, lucky)
    for changed in arms:
        for before, deck in zip(loaded, changed.decks, strict=True):
            if deck.cards() != before.cards() and lucky is None and (faults := source.faults(deck)):
                tell.say(f"{deck.name} is no legal deck with this change ({faults}); it is played all the same")
    swept = sweep.partition("=")[0].strip() if sweep else "lucky" if lucky is not None else ""
    info = BalanceInfo(
        version=BALANCE_VERSION,
        game=game,
        arms=[Arm("base", [], printed), *(changed.arm for changed in arms)],
        targets=targets,
        sweep=swept,
        printed=printed,
        until=until,
        command=shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]]),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    _claim(path, info)
    if seed is None:
        seed = _seed_of(path)
        if seed is None:
            seed = secrets.randbits(63)
            tell.say(f"seed {seed}")

    only = targets if not any(changed.rules for changed in arms) else None
    if planned is not None:
        pairs = [(i, j) for i in range(len(loaded)) for j in range(i + 1 - mirrors, len(loaded))]
        seen = sum(only is None or (loaded[i].name in only) != (loaded[j].name in only) for i, j in pairs)
        tell.say(planned(games * seen))
    with tempfile.TemporaryDirectory() as folder:
        base = Changed(info.arms[0], loaded, source.card_file(Edits({}, [], {}, [])), {})
        for count in _looks(games, enough is not None):
            for i, changed in enumerate([base, *arms]):
                file = Path(folder) / f"{i}.toml"
                file.write_text(changed.cards, encoding="utf-8")
                simulate(
                    changed.decks,
                    max(count, _played(path / changed.arm.folder)),
                    agent,
                    seed=seed,
                    out=path / changed.arm.folder,
                    game=game,
                    cards=[file] if changed.cards else [],
                    mirrors=mirrors,
                    rules=changed.rules,
                    only=only,
                    threads=threads,
                    engine=engine,
                    progress=tell,
                    player=player,
                )
            if enough is not None and enough(path):
                break
    return Comparison(path, info)


def _arms(
    source: Source, decks: list[Deck], edits: Edits, sweep: str | None, lucky: str | None
) -> tuple[list[Changed], list[str], float | None]:
    """The arms, the decks that they touch, and the value that a sweep starts from."""
    if lucky is not None:
        if sweep or edits.says:
            raise InputError("--lucky is a comparison of its own; leave the other changes out")
        return _doses(source, decks, lucky)
    plans: list[tuple[str, int | None, Edits]] = []
    printed: float | None = None
    if sweep:
        left, values = source.sweep(sweep)
        for value in values:
            one = Edits(dict(edits.cards), list(edits.swaps), dict(edits.rules), list(edits.says))
            if left in source.rules:
                one.rules[left] = source.rule(left, str(value))
                one.says.append(f"{left}={value}")
                printed = float(source.rules[left])
            else:
                source.set(one, left, str(value))
                number, _, field = left.rpartition(".")
                now = source.table(source.number(number, "--sweep")).get(field) if field.isalpha() else None
                printed = float(now) if isinstance(now, int) else None
            plans.append((f"{_folder(left)}-{value}", value, one))
    elif edits.says:
        plans.append(("edited", None, edits))
    else:
        raise InputError(
            "what is to be changed? --set BP01-002.power=1400, --swap BP01-002=TD01-002, --rule life=12, "
            "--sweep BP01-002.power=1000:1600:100 or --lucky 0:8"
        )
    arms = []
    targets: list[str] = []
    for folder, at, one in plans:
        changed = source.decks(decks, one)
        arms.append(Changed(Arm(folder, one.says, at), changed, source.card_file(one), one.rules))
        targets += [name for name in touched(decks, changed, one) if name not in targets]
        if not targets and not one.rules:
            named = ", ".join(one.cards)
            raise InputError(f"no deck has the card {named}: the change could not matter")
    return arms, [deck.name for deck in decks if deck.name in targets], printed


def _doses(source: Source, decks: list[Deck], lucky: str) -> tuple[list[Changed], list[str], float | None]:
    values = source.span(lucky, f"--lucky {lucky}")
    deck, most = decks[0], lucky_cards(decks[0], source.cards)
    if values[0] < 0 or values[-1] > most:
        raise InputError(f"--lucky {lucky}: {deck.name} has {most} lucky cards; from 0 to {most}")
    arms = []
    for k in values:
        changed, plain = source.lucky_dose(deck, k)
        file = source.card_file(Edits(plain, [], {}, []))
        arms.append(Changed(Arm(f"lucky-{k}", [f"{k} lucky in {deck.name}"], k), [changed, *decks[1:]], file, {}))
    return arms, [deck.name], most


def _folder(text: str) -> str:
    return "".join(char if char.isalnum() or char in "-." else "_" for char in text)


def _looks(games: int, sequential: bool) -> list[int]:
    """Games of each pair after each step: all at once, or in steps of a half more."""
    looks, now = [], FIRST_LOOK
    while sequential and now < games:
        looks.append(now)
        now = now * 3 // 2 // 4 * 4
    return [*looks, games]


def _played(run: Path) -> int:
    """Games that an arm has already: none is ever taken away."""
    try:
        return read_info(run).played
    except (OSError, msgspec.MsgspecError):
        return 0


def _seed_of(path: Path) -> int | None:
    try:
        return read_info(path / "base").seed
    except (OSError, msgspec.MsgspecError):
        return None


def _claim(path: Path, info: BalanceInfo) -> None:
    """Write balance.json; refuse a folder that holds another comparison."""
    file = path / "balance.json"
    if file.is_file():
        try:
            found = msgspec.json.decode(file.read_bytes(), type=BalanceInfo)
        except (OSError, msgspec.MsgspecError) as error:
            raise RunError(f"is not a comparison of this program: {error}", str(file)) from None
        if (found.game, found.arms) != (info.game, info.arms):
            before = "; ".join(", ".join(arm.says) or "as it is" for arm in found.arms)
            raise RunError(f"holds another comparison ({before}); choose another --out", str(path))
    elif path.is_dir() and any(path.iterdir()):
        raise RunError("is not empty and holds no comparison; choose another --out", str(path))
    try:
        path.mkdir(parents=True, exist_ok=True)
        part = file.with_name(".balance.json.tmp")
        part.write_bytes(msgspec.json.format(msgspec.json.encode(info), indent=1))
        part.replace(file)
    except (FileExistsError, NotADirectoryError):
        raise RunError("is a file; a comparison needs a folder", file_in_the_way(path)) from None
    except OSError as error:
        raise RunError(f"cannot be written: {error.strerror or error}", str(path)) from None
