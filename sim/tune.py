"""Better weights by playing: SPSA over self-play, and a test on fresh seeds and other decks.

Spall: Multivariate stochastic approximation using a simultaneous perturbation gradient approximation (1992). Weights
are factors, so they move on a logarithmic scale. A step shakes all weights at once by a random sign each, lets the two
players so made meet on the same seeds over a sample of pairs of decks (`sim.duels`), and moves along the signs by how
clearly the one has won. The mean of the later steps is the result, which is then tested against the start: with seeds
of its own, and with decks that no step has seen.
"""

from __future__ import annotations

import secrets
import shlex
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from kernels.agents import PARAMETERS
from sim.agents import AgentTable, parse_agent
from sim.cards.ast import Card
from sim.decks import built_in_decks
from sim.duels import Duels, Joint, Pairing, Tally, finished_games, play_pairs
from sim.engines import ChunkPlayer, Engine
from sim.errors import InputError, Interrupted, RunError
from sim.games import load_game
from sim.kept import Kept, asked_before
from sim.ladder import known_decks, ladder
from sim.provenance import engine_hash, hash64, versions
from sim.results import AgentInfo, Duel, LadderInfo, RunInfo
from sim.runs import plan, workers_of
from sim.session import Progress, Signals, Silent

SHAKE, SHAKE_POWER = 0.3, 0.101
"""Size of the shake of step k, on the logarithmic scale: SHAKE / (k + 1) ** SHAKE_POWER."""
MOVE, MOVE_POWER = 0.5, 0.602
"""Factor of the move of step k: MOVE / (1 + k / (a tenth of the steps)) ** MOVE_POWER."""
FARTHEST = 0.1
"""No step moves a weight farther, on the logarithmic scale: a clear win says little about any one weight."""
LEAST, MOST = 0.05, 20.0
"""Weights stay in this range."""
PAIRS = 20
"""Pairs of games of a pair of decks in a step; a step samples as many pairs of decks as fit."""

PairsPlayer = Callable[[RunInfo, Mapping[str, Card], Sequence[Pairing]], Duels]


class Step(NamedTuple):
    """A step: score of the player with the signs against the one with the opposite signs; weights after it."""

    score: float
    weights: dict[str, float]


class Tuned(NamedTuple):
    """What came out: the start, the new player, all steps, and the ladder of both on fresh seeds and other decks."""

    start: AgentInfo
    tuned: AgentInfo
    seed: int
    decks: list[str]
    steps: list[Step]
    games: int
    check: LadderInfo


def tune(
    agent: str = "greedy",
    decks: Sequence[str | Path] = (),
    check_decks: Sequence[str | Path] = (),
    steps: int = 100,
    games: int = 2000,
    check_games: int = 2000,
    seed: int | None = None,
    *,
    only: Sequence[str] = (),
    game: str = "palworld",
    threads: int | None = None,
    enough: Callable[[Duel], bool] | None = None,
    rule: str = "",
    out: Path | None = None,
    progress: Progress | None = None,
    player: PairsPlayer = Duels,
    check_player: Callable[[RunInfo], ChunkPlayer] | None = None,
) -> Tuned:
    """Improve the weights of a player from where `agent` has them.

    decks: to learn with, none: the built-in ones that are not tested with; check_decks: to test with, none: those that
    are known from play between people, or every second one. steps of `games` games each; check_games: games of each
    pair of decks in the test, at most; rule: what `enough` tests, in words. only: weights to move, none: all. out: a
    folder that keeps what is done, so that the same call goes on.

    Raises InputError, and Interrupted on Ctrl-C.
    """
    tell = progress or Silent()
    known = load_game(game).AGENTS
    start = parse_agent(agent, known)
    moved = weights_of(start, known, only)
    if steps < 1 or games < 4 or games % 4:
        raise RunError("--steps 1 or more, --games a multiple of 4: each step plays both players in both seats")
    learn, test = split_decks(game, decks, check_decks)
    seed = asked_before(out, "seed") if seed is None else seed
    seed = secrets.randbits(63) if seed is None else seed
    info, used = plan(learn, 2 * PAIRS, agent, None, seed, None, game, [], True, Silent())
    tell.say(f"seed {seed}; {steps} steps of {games:,} games on {len(info.decks)} decks, {len(moved)} weights")
    asked = {
        "game": game,
        "seed": seed,
        "player": start.label,
        "parameters of the player": start.params,
        "weights that move": list(moved),
        "steps": steps,
        "games of a step": games,
        "decks": {deck.name: deck.cards for deck in info.decks},
        "decks of the test": test,
        "games of the test": check_games,
        "test": rule or "none",
        "what the cards do": info.hashes["cards"],
        "the engine": info.hashes["engine"],
    }
    with Kept(out, asked, Climb([float(np.log(start.params[key])) for key in moved])) as kept:
        if len(kept.state.path) < steps:
            _climb(kept, info, used, start, known, moved, steps, games, seed, threads, player, tell)
        path, played = kept.state.path, kept.state.played
        later = path[len(path) // 2 :]
        mean = {key: float(np.exp(np.mean([np.log(step.weights[key]) for step in later]))) for key in moved}
        tuned = with_weights(start, known, mean)
        if tuned.label == start.label:
            raise RunError("no weight has moved by a hundredth; more --steps or --games are needed")
        tell.say(f"tested on fresh seeds with other decks: {', '.join(test)}")
        check = ladder(
            [tuned.label, start.label],
            test,
            check_games,
            hash64(seed, "check") >> 1,
            game=game,
            threads=threads,
            enough=enough,
            rule=rule,
            out=out / "test" if out is not None else None,
            progress=tell,
            player=check_player,
        )
    return Tuned(start, tuned, seed, [deck.name for deck in info.decks], path, played, check)


class Climb(msgspec.Struct):
    """How far the steps are. theta: logarithms of the weights; tally: of the step that is being played."""

    theta: list[float]
    path: list[Step] = []
    played: int = 0
    tally: Tally = msgspec.field(default_factory=Tally)


def _climb(
    kept: Kept[Climb],
    info: RunInfo,
    used: Mapping[str, Card],
    start: AgentInfo,
    known: AgentTable,
    moved: Sequence[str],
    steps: int,
    games: int,
    seed: int,
    threads: int | None,
    player: PairsPlayer,
    tell: Progress,
) -> None:
    """Do the steps that lack. Raises Interrupted where the user stops it."""
    made: list[Duels] = []

    def make(info: RunInfo) -> Duels:
        made.append(player(info, used, [(start, start)]))
        return made[-1]

    with Signals() as signals:
        workers = workers_of("local", info, dict(used), threads, make, tell)
        signals.take()
        try:
            with tell.playing(len(kept.state.path) * games, steps * games) as show:
                whole = climb(made[0], workers, info, start, known, moved, steps, games, seed, show, kept, signals.stop)
        finally:
            kept.save()
            workers.close()
    if not whole:
        done, where = len(kept.state.path), kept.folder
        end = f"kept in {where}; the same command goes on" if where is not None else "nothing is kept without out"
        raise Interrupted(f"stopped; {done} of {steps} steps are done, {end}", kept.state)


def weights_of(agent: AgentInfo, known: AgentTable, only: Sequence[str]) -> list[str]:
    """The weights that are to move. Raises RunError where the player has none, or not the named ones."""
    budgets = {key for key, _, _ in PARAMETERS.get(agent.name, ())}
    weights = [key for key in known[agent.name][1] if key not in budgets]
    if not weights:
        raise RunError(f"agent {agent.name!r} has no weights to tune")
    for key in only:
        if key not in weights:
            raise RunError(f"agent {agent.name!r} has no weight {key!r} (known: {', '.join(weights)})")
    still = [key for key in (only or weights) if agent.params[key] <= 0.0]
    if still:
        raise RunError(f"weight {still[0]!r} is {agent.params[still[0]]:g}; only weights above 0 can be tuned")
    return list(only) or weights


def split_decks(game: str, decks: Sequence[str | Path], check: Sequence[str | Path]) -> tuple[list[str], list[str]]:
    """Decks to learn with and decks to test with; no built-in deck is in both by default."""
    names = sorted(built_in_decks(game))
    test = [str(deck) for deck in check]
    if not test:
        test = known_decks(game)
        if len(test) == len(names):  # no deck is known from play
            test = names[::2]
        test = [name for name in test if name not in {str(deck) for deck in decks}]
    learn = [str(deck) for deck in decks] or [name for name in names if name not in test]
    if not learn or not test:
        raise InputError("no decks are left: name some to learn with (--decks) and others to test with (--check)")
    return learn, test


def with_weights(agent: AgentInfo, known: AgentTable, weights: Mapping[str, float]) -> AgentInfo:
    """The same player with other weights, in hundredths, which is what kernels count in."""
    params = agent.params | {key: round(min(MOST, max(LEAST, value)), 2) for key, value in weights.items()}
    given = ",".join(f"{key}={value!r}" for key, value in params.items())
    return parse_agent(f"{agent.name}:{given}", known)


def climb(
    duels: Duels,
    workers: Engine,
    info: RunInfo,
    start: AgentInfo,
    known: AgentTable,
    moved: Sequence[str],
    steps: int,
    games: int,
    seed: int,
    show: Callable[[int], None],
    kept: Kept[Climb],
    stop: threading.Event,
) -> bool:
    """The steps that `kept` lacks; whether all are done, unless `stop` was set. Depends on the seed alone, not on the
    workers or on how often it was stopped."""
    generator = np.random.default_rng(hash64(seed, "steps"))
    state = kept.state
    many = max(1, min(len(info.matchups), games // 2 // PAIRS))
    each = max(2, games // 4 // many * 2)  # even: both seats alike
    for k in range(steps):
        signs = generator.choice([-1.0, 1.0], len(moved))
        chosen = generator.choice(len(info.matchups), many, replace=False)
        if k < len(state.path):
            continue
        theta = np.array(state.theta)
        shake = SHAKE / (k + 1) ** SHAKE_POWER
        up, down = (np.exp(theta + way * shake * signs) for way in (1, -1))
        pair = [with_weights(start, known, dict(zip(moved, values.tolist(), strict=True))) for values in (up, down)]
        duels.pairings([(pair[0], pair[1])])
        wanted = dict.fromkeys(sorted(int(m) for m in chosen), (k * each, (k + 1) * each))
        if not play_pairs(workers, wanted, state.tally, stop=stop, keep=kept.save_sometimes):
            return False
        score, finished = score_of({m: state.tally.joint(m) for m in wanted})
        slope = (2.0 * score - 1.0) / (2.0 * shake)
        move = MOVE / (1.0 + 10.0 * k / steps) ** MOVE_POWER * slope
        theta = theta + max(-FARTHEST, min(FARTHEST, move)) * signs
        theta = np.clip(theta, np.log(LEAST), np.log(MOST))
        state.path.append(Step(score, dict(zip(moved, np.exp(theta).tolist(), strict=True))))
        state.theta, state.tally = theta.tolist(), Tally()
        state.played += finished
        kept.save_sometimes()
        show((k + 1) * games)
    return True


def score_of(joints: Mapping[int, Joint]) -> tuple[float, int]:
    """Score of the first player over all pairs without an unfinished game, one half where there is none; games."""
    whole = sum((finished_games(joint) for joint in joints.values()), np.zeros((3, 3), np.int64))
    n = int(whole.sum())
    won = (whole.sum(0) + whole.sum(1)) @ np.array([0.0, 0.5, 1.0])
    return (float(won) / (2 * n) if n else 0.5), 2 * n


def weights_file(tuned: Tuned, game: str, verdict: str, known: AgentTable) -> str:
    """The weights as TOML with what they come from; `sim.agents.parse_agent` reads it."""
    check = tuned.check
    budgets = {key for key, _, _ in PARAMETERS.get(tuned.tuned.name, ())}
    lines = [
        f"# Weights of the player {tuned.tuned.name} of {game}, for --agent {tuned.tuned.name}:weights=FILE",
        f"# {verdict}",
        f"game = {quoted(game)}",
        f"agent = {quoted(tuned.tuned.name)}",
        "",
        "[weights]",
        *(f"{key} = {tuned.tuned.params[key]!r}" for key in known[tuned.tuned.name][1] if key not in budgets),
        "",
        "[provenance]",
        f"method = {quoted('SPSA over self-play, common random numbers')}",
        f"command = {quoted(shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]]))}",
        f"created = {quoted(datetime.now(UTC).isoformat(timespec='seconds'))}",
        f"start = {quoted(tuned.start.label)}",
        f"seed = {tuned.seed}",
        f"steps = {len(tuned.steps)}",
        f"games = {tuned.games}",
        f"decks = [{', '.join(quoted(name) for name in tuned.decks)}]",
        f"engine = {quoted(engine_hash(game))}",
        f"version = {quoted(versions()['cardmill'])}",
        "",
        "[check]",
        f"verdict = {quoted(verdict)}",
        f"seed = {check.seed}",
        f"games = {2 * sum(sum(map(sum, cell.joint)) for cell in check.duels[0].cells)}",
        f"decks = [{', '.join(quoted(name) for name in check.decks)}]",
    ]
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    """A TOML string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(char if char >= " " and char != "\x7f" else f"\\u{ord(char):04x}" for char in escaped) + '"'


def write_weights(text: str, path: Path) -> None:
    """Whole or not at all. Raises RunError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f".{path.name}.tmp")
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise RunError(f"cannot be written: {error.strerror or error}", str(path)) from None
