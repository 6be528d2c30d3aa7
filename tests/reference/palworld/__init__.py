"""The reference engine of Palworld: the comprehensive rules (CR 1.00) in plain Python over the parsed cards.

    objects   cards, players, effects in force, the table
    reading   amounts, filters, references, conditions of the card language
    derived   abilities, names, night, Power, Strike, cost as they are now (CR 10.10)
    moves     zones, triggers, damage (CR 4, 5, 10.8, 11.2)
    choices   interchangeable cards, picks, which waiting abilities are different
    costs     what can be paid, and paying it (CR 10.4)
    effects   one function a node, one a verb
    plays     playing cards and abilities (CR 10.6)
    checks    rule actions and waiting abilities (CR 10.5, 11)
    battle    CR 9
    turns     CR 6.2, 7, 8
    engine    the interface: options, choose, state, copy

Readings, where the rules leave something open:

- A card that changes zone is a new card (CR 4.1.4): effects on the old one are skipped, its numbers stay readable as
  they were just before (CR 10.12). An effect is on the cards it found when it was made (CR 10.10.2).
- Numbers of "this" and "that" in an ability that a card triggered by leaving the base are those of the moment before
  it left (CR 10.8.4.1.2), though the ability resolves later: Breakthrough deals the Strike at which the foe fell.
- Cards that leave together trigger each other, and "triggered twice" is read at that moment too. Cards that enter
  together see each other (CR 10.8.4.2).
- Several cards of one cost or one choice are picked one by one and moved together, in the order of their slots. The
  order of cards put on or under a deck is the order of the picks: each goes above, or below, the one before.
- "You may" is asked where its first effects could do something now. After "no", or where it was not asked, the flag
  "did" is off; after "yes" it says what the last verb with cards, or choice, affected.
- Interrupt may be activated in the main phase too (CR 8.3.1, 12.2.1.1); without an attack of the opponent it fails
  nothing. A failed attack skips from the end of the resolving ability to CR 9.7.
- The triggers of CR 7.6.1 and 9.7.1 happen once; an ability that comes later in that check timing waits for the next
  turn or battle. A delayed trigger for a turn end that has begun is lost.
- "The opponent's next turn" begins after the effect; "during the opponent's next stand phase" keeps only cards from
  standing that would stand then: the opponent's.
- Damage of 0 or less is no damage and is not increased (CR 1.3.2.2). Amounts are read once for all cards of an effect.
- A Legendary Pal that could not be put into the base cannot be played, and is left where it is by an effect.
- Different card names among cards: the most cards of which no two share a name (CR 5.20).
- Reductions for the next card add up and are all used by it; they are not part of the card's cost for filters.
- Attackers that have left are not blocked; the quick step takes place. Combat Pals are one another's from CR 9.4.3 on,
  while both are in the base.
- Two waiting abilities are the same where they have the same text of interchangeable cards and the same "that"; the
  option of one with another card as "that" carries it as target. A delayed trigger is numbered behind the automatic
  abilities of its card.
"""
