"""Plays the pairs of decks of which results between people are known: one run for each player."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from sim.agents import parse_agent
from sim.cards import load_cards
from sim.decks import load_decks
from sim.engines import ChunkPlayer
from sim.errors import DeckError, InputError
from sim.games import load_game
from sim.results import Observed, RunInfo
from sim.runs import Run, simulate
from sim.session import Progress, Silent


def calibrate(
    observed: Observed,
    agents: Sequence[str],
    games: int = 2000,
    seed: int | None = None,
    out: str | Path = "calibration",
    *,
    decks: Sequence[str | Path] = (),
    every_pair: bool = False,
    game: str = "palworld",
    cards: Sequence[str | Path] = (),
    threads: int | None = None,
    engine: str = "local",
    progress: Progress | None = None,
    player: Callable[[RunInfo], ChunkPlayer] | None = None,
) -> list[Run]:
    """One run for each player in the folder `out`; the same call goes on with what is there.

    The decks are looked up by the observed names; decks: files of those that are not built in. every_pair: all pairs of
    these decks, not only the observed ones. All runs have one seed, so that they differ by what players choose.
    """
    tell = progress or Silent()
    known = load_game(game).AGENTS
    labels = [parse_agent(text, known).label for text in agents]
    if len(set(labels)) != len(labels):
        raise InputError("players must be different")
    names = list(dict.fromkeys(name for a, b, _, _ in observed.matchups for name in (a, b)))
    pool = load_cards(game, [Path(file) for file in cards])
    given = {deck.name: deck for deck in load_decks(decks, pool, game)} if decks else {}
    try:
        found = [given.get(name) or load_decks([name], pool, game)[0] for name in names]
    except DeckError as error:
        raise InputError(f"a deck of the observed results: {error}; give its file with --decks") from None
    pairs = None if every_pair else [(a, b) for a, b, _, _ in observed.matchups]
    runs = []
    for i, (text, label) in enumerate(zip(agents, labels, strict=True), 1):
        tell.say(f"{label}:")
        folder = Path(out) / f"{i}-{''.join(c if c.isalnum() or c in '-.' else '_' for c in label)[:60]}"
        run = simulate(
            found,
            games,
            text,
            None,
            seed,
            folder,
            game=game,
            cards=cards,
            pairs=pairs,
            threads=threads,
            engine=engine,
            progress=tell,
            player=player,
        )
        seed = run.info.seed
        runs.append(run)
    return runs
