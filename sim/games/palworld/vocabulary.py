"""The words of Palworld cards: facts that a card may state, and its keywords in terms of the card language."""

from __future__ import annotations

TYPES = ("pal", "structure", "gear", "event")
SUBTYPES = ("normal", "lucky")
COLORS = ("red", "blue", "green", "purple", "colorless")
ELEMENTS = ("Neutral", "Fire", "Water", "Grass", "Electric", "Ground", "Ice", "Dark", "Dragon")
WORK = (
    "Kindling",
    "Harvesting",
    "Farming",
    "Electricity",
    "Crafting",
    "Collecting",
    "Cooling",
    "Transporting",
)
RESOURCES = ("material", "ingredient")

KEYWORDS: dict[str, str] = {
    "Brave": "auto attacks: this gets power +N until end of turn",  # CR 12.6
    "Serious": "auto assigned: choose 1 pal; they get power +N until end of turn",  # CR 12.7
    "Interrupt": "act quick in hand [1 soul, discard this] or [discard this, discard 1]: fail attack",  # CR 12.8
    "Vigilance": "auto turn end: stand this",  # CR 12.9
    "Taunt": "cont: taunt",  # CR 12.10
    "Stealth": "cont: stealth",  # CR 12.11
    "Retaliate": "auto buried in battle: bury that",  # CR 12.12
    "Nocturnal": "cont while night: this gets power +300",  # CR 12.13
    "Breakthrough": "auto foe buried attacking: damage strike of this to player",  # CR 12.14
    "Assault": "cont: assault",  # CR 12.15
    "Legendary": "cont: legendary",  # printed on the cards that have it
}
"""What each keyword stands for; N is the number written after it."""
