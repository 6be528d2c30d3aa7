"""The card language: card files, their parsed form, checks, and the way back to English."""

from sim.cards.errors import CardError
from sim.cards.files import card_files, load_cards

__all__ = ["CardError", "card_files", "load_cards"]
