"""What the loop over games asks of Aether (see kernels.games)."""

from kernels.aether.choices import copies_of
from kernels.aether.collect import count_cards, count_own, write_row
from kernels.aether.derived import cost_of, derive
from kernels.aether.hidden import determinize, fixed_cards
from kernels.aether.machine import advance, choose
from kernels.aether.players import pick
from kernels.aether.setup import new_game
from kernels.aether.standing import evaluate
from kernels.aether.validate import CAPACITY, FAULTS, sound
from kernels.counts import count_turns

__all__ = [
    "CAPACITY",
    "FAULTS",
    "advance",
    "choose",
    "copies_of",
    "cost_of",
    "count_cards",
    "count_own",
    "count_turns",
    "derive",
    "determinize",
    "evaluate",
    "fixed_cards",
    "new_game",
    "pick",
    "sound",
    "write_row",
]
