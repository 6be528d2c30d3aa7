"""The reference engine of Aether: the rules text (s1 to s8) and its resolutions (AE-x.y) in plain Python over the
parsed cards.

    objects   cards, players, the table, events
    derived   attack, HP, keywords, cost, conditions, descriptions of cards as they are now
    choices   interchangeable cards, picks
    moves     zones, life, damage
    effects   one function a node, one a verb
    checks    destruction, defeat, waiting abilities (AE-8.9 to 8.12)
    combat    s6
    turns     s3, s5
    engine    the interface: options, choose, state, copy

Readings, where rules and resolutions leave something open:

- A choice that has to be made and finds nothing ends the text in which it stands (up to the closing brace); other
  abilities of the card still happen (AE-8.3 "no effect").
- Targets are chosen when their part is reached; what is needed to cast is read before the cost is paid. Units without
  HP are on the field, and can be chosen, until the check.
- A unit whose effect deals damage after it has left the field has the keywords with which it left.
- Each on-destroy, turn-start or turn-end ability is an effect of its own with its own check; only spells and on-summon
  abilities are taken together (AE-9.3).
- "Each turn" effects of both players come in one list, the active player's units first.
- A keyword that is lost is lost with all its grants; a later grant gives it back, what a card gives itself stays.
- In an attack the excess of pierce comes before the healing by drain, which counts where life is near its limit.
- In a position a life at or below 0 and units without HP wait for the first check.
"""

from .engine import Reference, fresh

__all__ = ["Reference", "fresh"]
