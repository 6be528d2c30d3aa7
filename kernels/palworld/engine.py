"""What the loop over games asks of Palworld (see kernels.games)."""

from kernels.counts import count_turns
from kernels.palworld.cards import cost_of
from kernels.palworld.collect import count_cards, write_row
from kernels.palworld.collect import count_checks as count_own
from kernels.palworld.copies import copies_of
from kernels.palworld.derived import derive
from kernels.palworld.hidden import determinize, fixed_cards
from kernels.palworld.machine import advance, choose
from kernels.palworld.players import pick
from kernels.palworld.setup import new_game
from kernels.palworld.standing import evaluate
from kernels.palworld.validate import CAPACITY, FAULTS, sound

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
