"""The log of one game, as a judge would write it: who did what, what moved from where to where, which rule acted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from sim.cards.ast import Card
from sim.errors import RunError
from sim.labels import SEATS, option_label
from sim.position import PLAYER, Option
from sim.results import AgentInfo, RunInfo, read_info

SEAT_CARDS = 64


class Entry(NamedTuple):
    """A line of the log. kind: "turn", "decision" or "event"; seat: who it is about, None for nobody."""

    kind: str
    text: str
    turn: int
    seat: int | None = None
    detail: dict[str, Any] = {}


class Log(NamedTuple):
    """A game told: `about` holds what is known of it, `text` is for people, `to_dict` for machines."""

    title: str
    about: dict[str, Any]
    entries: list[Entry]

    def text(self) -> str:
        indent = {"turn": "\n", "decision": "  ", "event": "    "}
        return "\n".join([self.title, *(indent[entry.kind] + entry.text for entry in self.entries)])

    def to_dict(self) -> dict[str, Any]:
        return {
            **self.about,
            "log": [
                {
                    "kind": entry.kind,
                    "turn": entry.turn,
                    "seat": None if entry.seat is None else SEATS[entry.seat],
                    "text": entry.text,
                    **entry.detail,
                }
                for entry in self.entries
            ],
        }


def replay(run: str | Path, game: int) -> Log:
    """Plays game number `game` of a run again from its seed. Raises RunError where there is no such game, or where this
    version of the program does not play it as the run did."""
    info = _info(Path(run))
    number, g = game % len(info.matchups), game // len(info.matchups)
    if game < 0 or g >= info.games_of(number):
        last = info.played * len(info.matchups) - 1
        stopped = (
            f" but for matchup {number}, which ended after {info.stops[number]} games" if number in info.stops else ""
        )
        what = f"no game {game}; its games are 0 to {last}{stopped}" if last >= 0 else "no game is finished"
        raise RunError(what, str(run))
    row = _row(Path(run), game)
    stepped, agents, names = game_of_run(info, number, g)
    entries = list(narrate(stepped, lambda position: position.pick(), info.game))
    found = int(stepped.lane.signature)
    if row and int(row["signature"]) != found:
        raise RunError(
            f"game {game} is played differently by this version of the program (its rules, cards or players have "
            f"changed since the run); replay it with the version that the run names",
            str(run),
        )
    state = stepped.state()
    about = {
        "game": game,
        "g": g,
        "seed": info.seed,
        "deck_a": names[0],
        "deck_b": names[1],
        "agent_a": agents[0].label,
        "agent_b": agents[1].label,
        "first": "ab"[g & 1],
        "winner": {"A": "a", "B": "b", "draw": "draw"}.get(state["winner"]),
        "end": state["end"],
        "turns": state["turn"],
        "signature": found,
    }
    title = (
        f"Game {game} of {run} (seed {info.seed}): A plays {names[0]} ({agents[0].label}), "
        f"B plays {names[1]} ({agents[1].label}); {SEATS[g & 1]} goes first"
    )
    return Log(title, about, entries)


def _info(path: Path) -> RunInfo:
    try:
        return read_info(path)
    except OSError:
        raise RunError("is not a run folder (no run.json in it)", str(path)) from None
    except msgspec.MsgspecError as error:
        raise RunError(f"run.json is damaged: {error}", str(path)) from None


def _row(path: Path, game: int) -> dict[str, Any] | None:
    """The row of the game in the run's table of games."""
    import polars as pl

    rows = pl.scan_parquet(path / "games" / "*.parquet").filter(pl.col("game") == game).select("signature").collect()
    return rows.row(0, named=True) if rows.height else None


def game_of_run(info: RunInfo, matchup: int, g: int) -> tuple[Any, tuple[AgentInfo, AgentInfo], tuple[str, str]]:
    """Game g of a matchup at its first decision, with who plays and the names of the decks."""
    from sim.engines.kernel import opposing_lists, player_records
    from sim.game import game_class
    from sim.provenance import stream_key
    from sim.runs import agent_of, run_cards

    cards = run_cards(info)
    decks = [info.decks[i] for i in info.matchups[matchup]]
    sides = [[cards[number] for number in deck.slots] for deck in decks]
    lists = opposing_lists(info.game, info.agents, cards)
    stepped = game_class(info.game)(sides, rules=info.rules, lists=lists)
    swapped = (g >> 1) & 1 if info.versus else 0
    stepped.players[0] = player_records(info.game, info.agents)[swapped]
    stepped.start(stream_key(info.seed, decks[0].name, decks[1].name), g, g & 1)
    return stepped, agent_of(info, g), (decks[0].name, decks[1].name)


def narrate(game: Any, choose: Callable[[Any], Option], name: str = "palworld") -> Iterator[Entry]:
    """Plays a game to its end and tells it. game: an engine at a decision, with `sides` (the cards by slot), `events`
    ((kind, obj, a, b) since the last choice) and the rest of the engine's interface; choose: the option to take."""
    tell = Narrator(game, import_module(f"sim.games.{name}.log"))
    yield from tell.events(game)
    while not game.over:
        option = choose(game)
        yield tell.decision(game, option)
        game.choose(option)
        yield from tell.events(game, option)


class Narrator:
    """Puts events into words; keeps in mind where each card is, so that it can say where it comes from."""

    def __init__(self, game: Any, words: Any) -> None:
        self.words = words
        self.cards: dict[int, Card] = {
            seat * SEAT_CARDS + slot: card for seat, side in enumerate(game.sides) for slot, card in enumerate(side)
        }
        self.copy_of = self._copies()
        self.names: Sequence[str] = list(getattr(game, "names", ()))
        self.turn = 0
        self.place = dict.fromkeys(self.cards, "deck")
        self.life = [0, 0]
        self.appeared = 0

    def _copies(self) -> dict[int, int]:
        """Which copy of its number in its deck a card is, from 1; 0 for the only one."""
        total: Counter[tuple[int, str]] = Counter((obj // SEAT_CARDS, card.number) for obj, card in self.cards.items())
        seen: Counter[tuple[int, str]] = Counter()
        copies = {}
        for obj, card in self.cards.items():
            key = (obj // SEAT_CARDS, card.number)
            seen[key] += 1
            copies[obj] = seen[key] if total[key] > 1 else 0
        return copies

    def called(self, obj: int) -> str:
        """`Jolthog (A's TD01-002#3)`."""
        card, copy = self.cards[obj], self.copy_of[obj]
        return f"{card.main_name or card.name} ({SEATS[obj // SEAT_CARDS]}'s {card.number}{f'#{copy}' if copy else ''})"

    def target(self, target: int) -> str:
        if target in self.cards:
            return self.called(target)
        return f"player {SEATS[target - PLAYER]}" if target in (PLAYER, PLAYER + 1) else "nothing"

    def decision(self, game: Any, option: Option) -> Entry:
        """The choice that the deciding player makes."""
        seat = game.decides
        label = option_label(option, self.called, self.names)
        options = [option_label(one, self.called, self.names) for one in game.options()]
        return Entry("decision", f"{SEATS[seat]}: {label}", self.turn, seat, {"option": label, "options": options})

    def events(self, game: Any, option: Option | None = None) -> Iterator[Entry]:
        """What has happened since the last choice, which was `option`. What only says that again is no line."""
        state = game.state()
        for obj, _ in game.appeared[self.appeared :]:
            self.cards[obj], self.copy_of[obj] = game.card_of(obj), 0
            self.place[obj] = "nowhere"
        self.appeared = len(game.appeared)
        if option is None:
            self.life = [player["life"] for player in state["players"]]
        told = option is None
        for kind, obj, a, b in game.events:
            if not told and kind == option.kind and obj == option.obj:  # type: ignore[union-attr]
                told = True
                continue
            yield self.event(state, kind, obj, a, b)
        for seat, player in enumerate(state["players"]):
            self.life[seat] = player["life"]
            for zone, objs in player.items():
                if not isinstance(objs, int):
                    self.place.update(dict.fromkeys(objs, zone))

    def event(self, state: dict[str, Any], kind: str, obj: int, a: int, b: int) -> Entry:
        line = self.words.LINES[self.words.key_of(kind, obj, a, b)]
        is_card = obj in self.cards
        seat = obj // SEAT_CARDS if is_card else obj - PLAYER if PLAYER <= obj < PLAYER + 2 else None
        if kind == "life" and seat is not None:
            self.life[seat] += a
        move = f"{self.place[obj]} -> {line.zone}" if line.zone else ""
        text = line.text.format(
            card=self.called(obj) if is_card else "",
            who=SEATS[seat] if seat is not None else "nobody",
            a=a,
            b=b,
            target=self.target(a) if "{target}" in line.text else "",
            life=self.life[seat] if kind == "life" and seat is not None else "",
            word=self.words.word_of(kind, a),
            end=self.words.ENDS[state["end"]] if kind == "over" else "",
            move=move,
        )
        detail: dict[str, Any] = {"event": kind, "a": a, "b": b}
        if is_card:
            detail |= {"card": self.cards[obj].number, "copy": self.copy_of[obj]}
        if line.zone:
            text += "" if "{move}" in line.text else f": {move}"
            detail |= {"from": self.place[obj], "to": line.zone}
            self.place[obj] = line.zone
        if line.whole and seat is not None:
            moved = [one for one, zone in self.place.items() if one // SEAT_CARDS == seat and zone == line.whole[0]]
            self.place.update(dict.fromkeys(moved, line.whole[1]))
        if kind == "turn":
            self.turn = a
            return Entry("turn", f"{text[0].upper()}{text[1:]} ({self.standing()})", a, seat, detail)
        return Entry("event", text, self.turn, seat, detail)

    def standing(self) -> str:
        """Life, hand and deck of both players, as told so far."""
        return "; ".join(
            f"{letter}: life {self.life[seat]}, hand {self._count(seat, 'hand')}, deck {self._count(seat, 'deck')}"
            for seat, letter in enumerate(SEATS)
        )

    def _count(self, seat: int, zone: str) -> int:
        return sum(place == zone and obj // SEAT_CARDS == seat for obj, place in self.place.items())
