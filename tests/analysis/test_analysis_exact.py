"""Damage checks: golden fractions, properties, and every order of small decks (statistics 0)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product

import pytest

from analysis import exact
from analysis.stats import chi_square_p


def enumerate_checks(deck: int, lucky: int, strikes: tuple[int, ...]) -> tuple[Counter, list[int], Counter, int]:
    """Twin of the exact program: plays every placing of the lucky cards card by card (CR 11.2.2)."""
    damage, milled, orders = Counter(), Counter(), 0
    stops = [0] * len(strikes)
    for places in combinations(range(deck), lucky):
        orders += 1
        place, taken = 0, 0
        for i, strike in enumerate(strikes):
            for _ in range(strike):
                if place == deck:
                    taken += strike
                    break
                place += 1
                if place - 1 in places:
                    stops[i] += 1
                    break
            else:
                taken += strike
        damage[taken] += 1
        milled[place] += 1
    return damage, stops, milled, orders


@pytest.mark.parametrize(
    ("strike", "golden"), [(1, (4, 25)), (2, (52, 175)), (3, (29, 70)), (4, (1691, 3290))], ids=str
)
def test_stop_golden(strike, golden):
    assert exact.stop(50, 8, strike) == Fraction(*golden)


def test_stop_of_five_and_expectations():
    assert float(exact.stop(50, 8, 5)) == pytest.approx(0.598507, abs=5e-7)
    lost = [float(exact.life_lost(50, 8, n)) for n in (1, 2, 3, 4)]
    assert lost == pytest.approx([0.84, 1.405714, 1.757143, 1.944073], abs=5e-7)
    assert [exact.milled(50, 8, n) for n in (1, 2, 3, 4)] == [1, Fraction(46, 25), Fraction(89, 35), Fraction(219, 70)]


def test_opening_hand_golden():
    golden = [0.401493, 0.422625, 0.151711, 0.022757, 0.001388, 0.000026]
    assert [float(p) for p in exact.opening(50, 8)] == pytest.approx(golden, abs=5.1e-7)
    assert sum(exact.opening(50, 8)) == 1


@pytest.mark.parametrize(
    ("strikes", "golden"),
    [
        ([2, 2, 2], {0: 0.019367, 2: 0.182812, 4: 0.467705, 6: 0.330117}),
        ([3, 3, 3], {0: 0.055237, 3: 0.310352, 6: 0.456440, 9: 0.177970}),
    ],
)
def test_damage_golden(strikes, golden):
    found = exact.damage(50, 8, strikes)
    assert list(found) == list(golden)
    assert [float(p) for p in found.values()] == pytest.approx(list(golden.values()), abs=5.1e-7)
    assert sum(found.values()) == 1


@pytest.mark.parametrize(
    ("strikes", "golden"), [([2] * 6, 0.404022), ([2] * 8, 0.849255), ([3] * 4, 0.091089), ([1] * 12, 0.712547)]
)
def test_kill_golden(strikes, golden):
    assert float(exact.kill(exact.damage(50, 8, strikes), 10)) == pytest.approx(golden, abs=5.1e-7)


def test_small_golden():
    assert exact.stop(5, 2, 2) == Fraction(7, 10)
    assert exact.stop(3, 1, 3) == 1
    assert exact.stop(50, 0, 7) == 0


@pytest.mark.parametrize("split", [(4,), (2, 2), (1, 1, 1, 1), (3, 1)], ids=str)
def test_no_stop_is_the_same_for_every_split(split):
    """statistics 0, property a."""
    assert exact.damage(50, 8, split)[4] == exact.no_stop(50, 8, split)
    assert float(exact.no_stop(50, 8, split)) == pytest.approx(0.486018, abs=5e-7)


def test_splitting_raises_the_expectation():
    """statistics 0, property d."""
    mean = [float(exact.expected(exact.damage(50, 8, split))) for split in ([4], [2, 2], [1] * 4)]
    assert mean == pytest.approx([1.944073, 2.811429, 3.36], abs=5e-7)


def test_order_of_strikes_is_free_while_the_deck_lasts():
    """statistics 0, property b; and a deck that runs out breaks it."""
    for deck, lucky, strikes in [(8, 2, (1, 2, 3)), (10, 3, (4, 1, 2, 2)), (6, 1, (3, 2, 1)), (50, 8, (5, 1, 3, 2))]:
        assert len({tuple(exact.damage(deck, lucky, order).items()) for order in permutations(strikes)}) == 1
    assert exact.damage(4, 1, (1, 3, 2)) != exact.damage(4, 1, (3, 2, 1))


def test_more_lucky_and_more_strike_never_stop_less():
    """statistics 0, property c."""
    for deck in (1, 5, 50):
        table = [[exact.stop(deck, lucky, n) for n in range(8)] for lucky in range(min(deck, 8) + 1)]
        assert all(a <= b for row in table for a, b in pairwise(row))
        assert all(a <= b for up, down in pairwise(table) for a, b in zip(up, down, strict=True))


@pytest.mark.parametrize("deck", range(1, 9))
def test_every_small_deck(deck):
    """All placings of the lucky cards, with sequences that run the deck out too."""
    for lucky in range(deck + 1):
        for strikes in [*product((1, 2, 3), repeat=2), (1, 1, 1, 1), (2, 3, 1, 2), (9,), (4, 4)]:
            damage, stops, milled, orders = enumerate_checks(deck, lucky, strikes)
            answer = exact.lucky(deck, lucky, strikes, life=3)
            assert answer.damage == {d: Fraction(n, orders) for d, n in sorted(damage.items())}
            assert [check.stop for check in answer.checks] == [Fraction(n, orders) for n in stops]
            assert answer.expected_milled == Fraction(sum(k * n for k, n in milled.items()), orders)
            assert answer.deck_out == Fraction(milled[deck], orders)
            assert answer.kill == Fraction(sum(n for d, n in damage.items() if d >= 3), orders)


def test_a_later_check_stops_like_the_first():
    answer = exact.lucky(50, 8, (3, 2, 2), life=10)
    assert [str(check.stop) for check in answer.checks] == ["29/70", "52/175", "52/175"]
    assert answer.checks[1].stop_if_none == exact.stop(47, 8, 2)
    assert answer.at_least[0] == 1 and answer.kill == 0


def test_answer_as_json():
    plain = exact.lucky(50, 8, [2], life=2).to_dict()
    assert plain["checks"][0]["stop"] == "52/175"
    assert plain["checks"][0]["stop_p"] == pytest.approx(52 / 175)
    assert plain["damage"] == {"0": pytest.approx(52 / 175), "2": pytest.approx(123 / 175)}
    assert plain["at_least"]["2"] == plain["kill"] == pytest.approx(123 / 175)
    assert exact.lucky(50, 8, [2]).to_dict()["kill"] is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0, 0, [1]), "1 to 250 cards"),
        ((5, 6, [1]), "0 to 5 lucky"),
        ((50, 8, []), "1 to 60 strikes"),
        ((50, 8, [0]), "strike is a whole number"),
        ((50, 8, [1], 0), "life is 1 or more"),
    ],
)
def test_bad_questions_are_answered_in_words(arguments, words):
    with pytest.raises(ValueError, match=words):
        exact.lucky(*arguments)


def test_simulation_agrees_with_exact():
    strikes, games = (3, 2, 2, 1, 4), 200_000
    answer, seen = exact.lucky(50, 8, strikes, 8), exact.simulate(50, 8, strikes, games, seed=11, life=8)
    assert sum(seen.damage.values()) == games
    for i, check in enumerate(answer.checks):
        p = float(check.stop)
        assert abs(seen.stops[i] - games * p) < 4.5 * (games * p * (1 - p)) ** 0.5
    for total, p in answer.damage.items():
        assert abs(seen.damage.get(total, 0) - games * p) < 4.5 * float(games * p * (1 - p)) ** 0.5 + 1e-9
    assert seen.kill.low <= float(answer.kill) <= seen.kill.high
    assert seen == exact.simulate(50, 8, strikes, games, seed=11, life=8)


def test_simulation_where_the_deck_runs_out():
    answer, seen = exact.lucky(4, 1, (3, 2, 5)), exact.simulate(4, 1, (3, 2, 5), 20_000, seed=3)
    assert set(seen.damage) == set(answer.damage)
    for total, p in answer.damage.items():
        assert seen.damage[total] / 20_000 == pytest.approx(float(p), abs=0.02)


@pytest.mark.slow
def test_ten_million_simulated_checks():
    strikes = (2,) * 10
    seen, answer = exact.simulate(50, 8, strikes, 1_000_000, seed=5), exact.lucky(50, 8, strikes)
    p = float(answer.checks[0].stop)
    for stopped in seen.stops:
        assert abs(stopped - 1e6 * p) < 4.5 * (1e6 * p * (1 - p)) ** 0.5
    cells = [(1e6 * float(share), seen.damage.get(total, 0)) for total, share in answer.damage.items()]
    assert sum(n for _, n in cells) == 1_000_000
    common = [(expected, n) for expected, n in cells if expected >= 5]
    statistic = sum((n - expected) ** 2 / expected for expected, n in common)
    p_value = chi_square_p(statistic, len(common) - 1)
    assert len(common) >= 8 and p_value is not None and p_value > 1e-4


# known cards, kill curves, checks to lose


def play_out(deck: int, places: set[int], strikes: tuple[int, ...], life: int) -> tuple[int, int, list[int], int]:
    """One order of a deck: damage, cards turned, which checks were stopped, and in which check the player loses where
    the strikes are repeated."""
    place = taken = lost = n = 0
    stops, first = [], None
    while not lost or n < len(strikes):
        strike, stopped = strikes[n % len(strikes)], False
        for _ in range(strike):
            if place == deck:
                break
            place += 1
            if place - 1 in places:
                stopped = True
                break
        taken += 0 if stopped else strike
        n += 1
        if n <= len(strikes):
            stops.append(int(stopped))
        if n == len(strikes):
            first = taken, place
        if not lost and (taken >= life or place == deck):
            lost = n
    return *first, stops, lost


@pytest.mark.parametrize(
    ("deck", "lucky", "top", "bottom", "strikes"),
    [
        (6, 2, "", "", (2, 1)),
        (6, 2, "x", "", (2, 1)),
        (6, 2, "L", "", (1, 2)),
        (7, 3, "?L", "x", (2, 2, 3)),
        (7, 2, "xx?", "L", (1, 3)),
        (5, 2, "x?x", "L?", (2, 2)),
        (4, 4, "LL", "", (1, 1)),
        (5, 0, "x", "", (2,)),
    ],
)
def test_known_cards_against_every_order(deck, lucky, top, bottom, strikes):
    """All answers of `lucky` for all placings of the unknown lucky cards, played card by card."""
    life = 4
    known = exact.known_places(deck, top, bottom)
    free = [place for place in range(deck) if place not in known]
    sure = {place for place, is_lucky in known.items() if is_lucky}
    damage, stopped, lost, curve, turned, orders = Counter(), Counter(), Counter(), Counter(), 0, 0
    for hidden in combinations(free, lucky - len(sure)):
        places = sure | set(hidden)
        orders += 1
        total, place, stops, n = play_out(deck, places, strikes, life)
        damage[total] += 1
        turned += place
        lost[n] += 1
        stopped.update(i for i, stop in enumerate(stops) if stop)
        for i in range(len(strikes)):
            curve[i] += play_out(deck, places, strikes[: i + 1], life)[0] >= life
    answer = exact.lucky(deck, lucky, strikes, life, top, bottom)
    share = lambda n: Fraction(n, orders)  # noqa: E731
    assert answer.damage == {total: share(n) for total, n in sorted(damage.items())}
    assert [check.stop for check in answer.checks] == [share(stopped[i]) for i in range(len(strikes))]
    assert answer.expected_milled == share(turned)
    assert list(answer.kill_curve) == [share(curve[i]) for i in range(len(strikes))]
    assert answer.checks_to_lose == {n: share(count) for n, count in sorted(lost.items())}


def test_without_known_cards_both_programs_agree():
    for strikes in ((3, 2, 2), (1,), (5, 5, 5, 5)):
        _, states = exact.outcomes(exact.Deck(50, 8), strikes)
        plain = exact.after(50, 8, strikes)
        assert {(50 - turned, 8 - found, total): p for (turned, found, total), p in states.items()} == plain
    answer = exact.lucky(50, 8, [3, 2, 2], 7)
    assert [check.stop for check in answer.checks] == exact.stops(50, 8, [3, 2, 2])
    assert answer.kill_curve[-1] == answer.kill == exact.kill(exact.damage(50, 8, [3, 2, 2]), 7)


def test_kill_curves_and_checks_to_lose():
    """Goldens of statistics 0 as points of the curves; a sure blow; monotone in life."""
    curve = exact.kill_curve(exact.Deck(50, 8), [2] * 8, 10)
    assert [float(p) for p in (curve[5], curve[7])] == pytest.approx([0.404022, 0.849255], abs=5.1e-7)
    assert all(a <= b for a, b in pairwise(curve)) and curve[3] == 0
    lost = exact.checks_to_lose(exact.Deck(50, 8), [2], 10)
    assert sum(lost.values()) == 1 and min(lost) == 5
    assert sum(p for n, p in lost.items() if n <= 6) == curve[5]
    assert exact.checks_to_lose(exact.Deck(50, 0), [3], 10) == {4: 1}
    means = [exact.expected(exact.checks_to_lose(exact.Deck(50, 8), [2], life)) for life in range(1, 14)]
    assert all(a <= b for a, b in pairwise(means))
    # A known lucky card on top stops whatever comes first.
    assert exact.lucky(50, 8, [4], 4, top="L").kill == 0
    assert exact.lucky(50, 8, [4], 4, top="xxxx").kill == 1


def test_simulation_with_known_cards():
    known = exact.known_places(12, "?x", "L")
    sampled = exact.simulate(12, 3, [2, 3], 40_000, 3, 3, known)
    answer = exact.lucky(12, 3, [2, 3], 3, "?x", "L")
    assert abs(sampled.kill.value - float(answer.kill)) < 0.012
    assert abs(sampled.stop(1).value - float(answer.checks[1].stop)) < 0.012


@pytest.mark.parametrize(
    ("top", "bottom", "match"),
    [("LQ", "", "'Q'"), ("LLL", "", "do not fit"), ("xxxxx", "x", "6 places"), ("", "LLL", "do not fit")],
)
def test_known_cards_that_do_not_fit(top, bottom, match):
    with pytest.raises(ValueError, match=match):
        exact.lucky(5, 2, [1], None, top, bottom)
