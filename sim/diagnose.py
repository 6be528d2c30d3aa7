"""How far the results of a run can be trusted: what its players do badly, by deck, on a sample of its games.

Games are played again and looked at from outside. What a player left undone is judged by playouts that know what the
player knew; whether an Interrupt was wasted is judged in hindsight, with all cards open.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from kernels.agents import PARAMETERS
from sim.agents import parse_agent
from sim.engines.kernel import player_records
from sim.errors import RunError
from sim.game import Stepped, bits
from sim.games import load_game
from sim.position import PLAYER, Option
from sim.replay import game_of_run
from sim.results import DIAGNOSIS_VERSION, AgentInfo, Diagnosis, Habits, RunInfo

PLAYOUTS = 200
MARGIN = 20
"""Thousandths of a game by which an option must be better than ending the turn."""
JUDGED = 40
"""Idle ends of each deck and player that are judged."""
SEARCHED = 40
"""Turns of each deck and player that are searched for a win."""
WORLDS = 3
"""Deals of the hidden cards in which a win must be there."""
NODES = 300
"""Positions of a search in one of them; a search that needs more finds nothing."""
KEEP_SECONDS = 5.0
"""How often what is done is kept, about."""
DOING = ("play", "activate", "attack", "draw", "charge", "move")
"""Kinds of options that do something in the own turn."""


def diagnose(
    info: RunInfo,
    sample: int = 20,
    playouts: int = PLAYOUTS,
    tell: Callable[[int], None] = lambda done: None,
    keep: Path | None = None,
) -> Diagnosis:
    """Look at the first `sample` games of each matchup of a run. tell: games looked at so far; keep: a file for what is
    done, so that the same call goes on where it was stopped."""
    if sample < 1 or playouts < 1:
        raise RunError("--sample and --playouts: 1 or more")
    asked = [info.seed, info.created, info.hashes, sample, playouts]
    begun = _begun(keep, asked)
    found = {(row.agent, row.deck): row for row in begun.rows}
    done, saved = 0, time.monotonic()
    for matchup in range(len(info.matchups)):
        for g in range(min(sample, info.games_of(matchup))):
            done += 1
            if done <= begun.done:
                continue
            game, agents, names = game_of_run(info, matchup, g)
            sides = [
                found.setdefault((agents[seat].label, names[seat]), Habits(agents[seat].label, names[seat]))
                for seat in (0, 1)
            ]
            judges = [judge_of(info.game, agent, playouts) for agent in agents]
            watch(game, info.game, sides, judges, random.Random(f"{info.seed} {matchup} {g}"))
            tell(done)
            if keep is not None and time.monotonic() - saved > KEEP_SECONDS:
                _write(Begun(asked, done, list(found.values())), keep)
                saved = time.monotonic()
    rows = [found[key] for key in sorted(found)]
    return Diagnosis(DIAGNOSIS_VERSION, sample, playouts, rows, datetime.now(UTC).isoformat(timespec="seconds"))


def judge_of(game: str, agent: AgentInfo, playouts: int) -> Any:
    """The record of a player who plays on from each option; with the weights of the one that is judged."""
    known = load_game(game).AGENTS
    budgets = {key for name in PARAMETERS for key, _, _ in PARAMETERS[name]}
    weights = "".join(f",{key}={value!r}" for key, value in agent.params.items() if key not in budgets)
    return player_records(game, [parse_agent(f"search:playouts={playouts},prior={MARGIN}{weights}", known)])[0]


def write_diagnosis(found: Diagnosis, run: Path) -> Path:
    """`diagnosis.json` in the run folder, whole or not at all. Raises RunError."""
    path = run / "diagnosis.json"
    _write(found, path)
    return path


class Begun(msgspec.Struct):
    """A diagnosis on its way. asked: what decides it; done: games looked at, in order."""

    asked: list[Any] = []
    done: int = 0
    rows: list[Habits] = []


def _begun(keep: Path | None, asked: list[Any]) -> Begun:
    """What is kept of the same diagnosis; nothing where it was of other games."""
    try:
        begun = msgspec.json.decode(keep.read_bytes(), type=Begun) if keep is not None else Begun()
    except (OSError, msgspec.MsgspecError):
        return Begun()
    return begun if begun.asked == asked else Begun()


def _write(value: msgspec.Struct, path: Path) -> None:
    """Whole or not at all. Raises RunError."""
    try:
        part = path.with_name(f".{path.name}.tmp")
        part.write_bytes(msgspec.json.format(msgspec.json.encode(value), indent=1))
        part.replace(path)
    except OSError as error:
        raise RunError(f"cannot be written: {error.strerror or error}", str(path)) from None


# ---------------------------------------------------------------------------------------------------------------
# a game


class Watch:
    """What is still open while a game is played: the last action, an answer to an attack, the turn."""

    def __init__(self, game: Stepped, name: str, sides: list[Habits], rng: random.Random) -> None:
        self.game, self.sides, self.rng = game, sides, rng
        self.costs: frozenset[str] = import_module(f"sim.games.{name}.log").COSTS
        self.half = int(game.lane.life.max()) // 2
        self.action: tuple[int, Option] | None = None  # seat and action of which nothing came yet
        self.promise: tuple[int, Option] | None = None  # seat and action that made a coming card cheaper
        self.answer: tuple[int, Stepped] | None = None  # seat that answers an attack, and the game before it did
        self.turn: tuple[int, int] | None = None  # turn and seat of the last decision of a main phase
        self.searched = self.there = False  # whether the turn was searched for a win, and one was there

    def main(self, seat: int) -> None:
        """The seat may act in its own turn: the action before is over."""
        if self.promise is not None and not cheaper(self.game, seat):
            self.promise = None  # kept
        if self.action is not None and cheaper(self.game, seat):
            self.promise, self.action = self.action, None
        self.close()
        self.answer = None
        now = int(self.game.lane.turn), seat
        if now != self.turn:
            self.turn = now
            near = int(self.game.lane.life[1 - seat]) <= self.half
            self.searched = near and self.sides[seat].searched < SEARCHED
            self.there = self.searched and sure_win(self.game, seat, self.rng)

    def close(self) -> None:
        """The last action is over, and if nothing came of it, it was in vain."""
        if self.action is not None:
            seat, option = self.action
            self.sides[seat].empty += 1
            tally(self.sides[seat].vain, self.game, option)
        self.action = None

    def happened(self) -> None:
        """Read the events since the last choice, and which turns ended by themselves."""
        for seat, option in self.game.auto:
            self.sides[seat].turns += option.kind == "end"
        for kind, obj, a, b in self.game.events:
            if self.action is not None and matters(self.action, kind, obj, a, b, self.costs):
                self.action = None
            if kind == "fail" and self.answer is not None:
                seat, before = self.answer
                self.sides[seat].interrupts += 1
                self.sides[seat].wasted += not would_matter(before, seat)
                self.answer = None

    def ended(self) -> None:
        """The turn or the game has ended."""
        self.action = self.action or self.promise
        self.promise = None
        self.close()
        if self.turn is not None:
            seat = self.turn[1]
            won = self.game.over and int(self.game.lane.winner) == seat
            self.sides[seat].won += won
            if self.searched and not won:
                self.sides[seat].searched += 1
                self.sides[seat].missed += self.there
        self.turn, self.searched = None, False


def watch(game: Stepped, name: str, sides: list[Habits], judges: list[Any], rng: random.Random) -> None:
    """Play a game to its end and count; sides: of seat 0 and 1."""
    seen = Watch(game, name, sides, rng)
    for side in sides:
        side.games += 1
    while not game.over:
        seat, turn, options = int(game.lane.decider), int(game.lane.turn), game.options()
        main = any(option.kind == "end" for option in options)
        if main:
            seen.main(seat)
        option = game.pick()
        if main and option.kind == "end":
            end(game, sides[seat], options, judges[seat])
        elif main and option.kind in ("play", "activate"):
            sides[seat].actions += 1
            seen.action = seat, option
        elif option.kind == "activate":
            seen.answer = seat, game.copy()
        game.choose(option)
        seen.happened()
        if game.over or int(game.lane.turn) != turn:
            seen.ended()
    for seat, side in enumerate(sides):
        had = int(game.lane.kept[seat]) | int(game.lane.drawn[seat])
        side.had += had.bit_count()
        side.held += (had & int(game.lane.hand[seat])).bit_count()


def cheaper(game: Stepped, seat: int) -> bool:
    """Whether a coming card of the seat costs less by what it has done in this turn."""
    return "discount" in (game.lane.dtype.names or ()) and int(game.lane.discount[seat]) > 0


def tally(counts: dict[str, int], game: Stepped, option: Option) -> None:
    """Count an option by its kind and card."""
    what = f"{option.kind} {game.card_of(option.obj).number}" if option.obj >= 0 else option.kind
    if option.kind == "activate":
        what += f".{option.n}"
    counts[what] = counts.get(what, 0) + 1


def matters(action: tuple[int, Option], kind: str, obj: int, a: int, b: int, costs: frozenset[str]) -> bool:
    """Whether an event is more than the cost of an action."""
    if kind in ("gain", "souls"):
        return (b if kind == "gain" else a) > 0
    if kind == "play":
        return a > 0  # into a row
    if kind in ("bury", "discard", "exile") and obj >> 6 == action[0]:
        return False
    return kind not in costs


def end(game: Stepped, side: Habits, options: list[Option], judge: Any) -> None:
    """The player ends its turn: was there anything left to do, and was it better?"""
    side.turns += 1
    if not any(option.kind in DOING for option in options):
        return
    side.idle += 1
    if side.judged >= JUDGED:
        return
    twin = game.copy()
    twin.players[0] = judge
    better = twin.pick()
    side.judged += 1
    if better.kind in DOING:
        side.better += 1
        tally(side.left, game, better)


def would_matter(before: Stepped, seat: int) -> bool:
    """Whether the attack that was stopped would have cost its target anything, as the cards lie: the same player passes
    and the battle is played on."""
    passes = [option for option in before.options() if option.kind in ("pass", "no_block")]
    if not passes:
        return True
    turn, start = int(before.lane.turn), _belongings(before, seat)
    before.choose(passes[0])
    while not before.over and int(before.lane.turn) == turn:
        if any(option.kind == "end" for option in before.options()):
            break
        before.choose(before.pick())
    return before.over or _belongings(before, seat) != start


def _belongings(game: Stepped, seat: int) -> tuple[int, int, bytes]:
    """Life, cards in the base, and the damage on them."""
    S = game.lane
    own = slice(seat * 64, seat * 64 + 64)
    return int(S.life[seat]), int(S.bases[seat]), S.damage[own].tobytes()


# ---------------------------------------------------------------------------------------------------------------
# a win that is there


def sure_win(game: Stepped, seat: int, rng: random.Random) -> bool:
    """Whether one of the options wins in this turn whatever the opponent answers, in every one of a few deals of what
    the player cannot know. Which line follows may differ from deal to deal, which is a little kind to the searcher."""
    left = [option for option in _sorted(game.options()) if option.kind in DOING]
    for _ in range(WORLDS):
        world, budget, wins = deal_anew(game, seat, rng), [NODES], []
        for option in left:
            child = world.copy()
            child.choose(option)
            if _won(child, seat, int(world.lane.turn), budget):
                wins.append(option)
        left = wins
        if not left:
            return False
    return True


def _sorted(options: list[Option]) -> list[Option]:
    """Attacks on the player first: they end games."""
    return sorted(options, key=lambda option: (option.kind != "attack", option.target < PLAYER))


def _won(game: Stepped, seat: int, turn: int, budget: list[int]) -> bool:
    if game.over:
        return int(game.lane.winner) == seat
    budget[0] -= 1
    if budget[0] < 0 or int(game.lane.turn) != turn:
        return False
    options = game.options()
    own = int(game.lane.decider) == seat
    for option in _sorted(options) if own else options:
        if own and option.kind == "end":
            continue
        child = game.copy()
        child.choose(option)
        if _won(child, seat, turn, budget) == own:
            return own
    return not own


def deal_anew(game: Stepped, seat: int, rng: random.Random) -> Stepped:
    """A copy in which everything that a seat cannot know has other values: the opponent's hand and deck but for cards
    that were seen, the order of the own deck but for known places, and coming shuffles."""
    world = game.copy()
    S = world.lane
    for q in (0, 1):
        known = int(S.known[q]) if "known" in (S.dtype.names or ()) else 0
        fixed = known | int(S.hand[q]) if q == seat else int(S.shown[q])
        places = [i for i in range(int(S.deck_count[q])) if not fixed >> int(S.deck[q, i]) & 1]
        marks = [i for i in places if known >> int(S.deck[q, i]) & 1]
        held = bits(int(S.hand[q]) & ~fixed)
        pool = held + [int(S.deck[q, i]) for i in places]
        rng.shuffle(pool)
        S.hand[q] = int(S.hand[q]) & fixed | sum(1 << slot for slot in pool[: len(held)])
        for i, slot in zip(places, pool[len(held) :], strict=True):
            S.deck[q, i] = slot
        if marks:
            S.known[q] = known & fixed | sum(1 << int(S.deck[q, i]) for i in marks)
        S.shuffle_rng[q] = rng.getrandbits(64)
    return world
