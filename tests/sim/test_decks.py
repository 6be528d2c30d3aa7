"""Deck files: every way in which people write a list, every rule of deck building, every error."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sim.cards import load_cards
from sim.cards.ast import Card
from sim.decks import Names, built_in_decks, fold, load_deck, load_decks, parse_deck, split_line
from sim.errors import DeckError

CARDS = load_cards()
NAMES = Names(CARDS)
HARNESS = "BP01-019"  # Foxparks' Harness
GOOD = built_in_decks()["starter-red-blue"].read_text(encoding="utf-8")


def read(line: str) -> tuple[int, str] | None:
    parsed = split_line(line, NAMES)
    return parsed and (parsed.count, NAMES.find(parsed.text))


def error_of(text: str | bytes, tmp_path: Path, name: str = "deck.txt") -> str:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(DeckError) as caught:
        load_deck(path, CARDS)
    return str(caught.value)


def legal_text() -> str:
    deck = load_deck("starter-red-blue", CARDS)
    return "".join(f"{count} {number}\n" for number, count in deck.counts.items())


@pytest.mark.parametrize(
    "line",
    [
        "2 BP01-019",
        "2x Foxparks' Harness",
        "Foxparks’ Harness x2",
        "EBP01-019SR * 2",
        "２ ＢＰ０１－０１９",
        "２枚 キツネビのハーネス",
        "キツネビのハーネス×２",
        "キツネビのハーネス 2枚",
        "ｷﾂﾈﾋﾞのﾊｰﾈｽ ｘ２",
        "2xBP01-019",
        "2XEBP01-019",
        "BP01-019x2",
        "2BP01-019",
        "BP01-019,2",
        "2,BP01-019",
        "2\tBP01-019\tFoxparks' Harness",
        "- 2 foxparks harness // the old one",
        "• FOXPÁRKS' HARNESS (2)   # twice",
        "Foxparks' Harness (BP01-019) x2",
        '2 "Foxparks\' Harness"',
        "2x ebp01-019tsp",
        "\ufeff2 BP01-019",
        "  2   Foxparks'   Harness  ",
    ],
)
def test_two_copies_of_the_harness(line: str) -> None:
    assert read(line) == (2, HARNESS)


@pytest.mark.parametrize("line", ["", "   ", "# a comment", "// another", "＃ full-width", "\u200b"])
def test_lines_without_a_card(line: str) -> None:
    assert read(line) is None


def test_a_name_alone_is_one_copy() -> None:
    assert read("Foxparks' Harness") == (1, HARNESS)


@pytest.mark.parametrize("card", CARDS.values(), ids=lambda card: card.number)
def test_every_card_by_number_and_names(card: Card) -> None:
    names = [card.number, "E" + card.number, card.number + "SP", card.name, card.name.replace(" – ", " - ")]
    names += [card.name.upper(), card.name.replace("'", "’")] + ([card.name_ja] if card.name_ja else [])
    for name in names:
        assert read(f"3 {name}") == read(f"{name} x3") == read(f"3x {name}") == (3, card.number), name


def test_prefix_names_are_the_exact_name_first() -> None:
    mains = {card.main_name for card in CARDS.values() if card.main_name}
    pairs = [(a, b) for a in mains for b in mains if b.startswith(a + " ")]
    assert len(pairs) >= 15
    for short, _ in pairs:
        fitting = [card.number for card in CARDS.values() if card.main_name == short]
        if len(fitting) == 1:
            assert read(f"2 {short}") == (2, fitting[0])


def test_voiced_kana_are_letters_of_their_own() -> None:
    assert fold("グ") != fold("ク")
    assert fold("é") == fold("E")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("4 Foxparks", ["several cards", "BP01-006", "TD01-004"]),
        ("4 キツネビ", ["several cards", "BP01-006", "TD01-004"]),
        ("4 Suzak", ["unknown card 'Suzak'", "BP01-002", "did you mean"]),
        ("4 BT01-039", ["unknown card", "BP01-039"]),
        ("4 ETD01-0011", ["unknown card", "TD01-011"]),
        ("0 BP01-019", ["0 is not a number of copies"]),
        ("51 BP01-061", ["51 is not a number of copies"]),
        ("99999999999999999999 BP01-061", ["not a number of copies"]),
        ("-2 Suzaku", ["unknown card"]),
        ("2.5 Suzaku", ["unknown card"]),
        ("2 BP01-019 Suzaku", ["BP01-019 is", "Harness"]),
        ("Pals", ["unknown card 'Pals'"]),
        ("10 Soul", ["souls are not part"]),
    ],
)
def test_lines_that_are_errors(line: str, words: list[str], tmp_path: Path) -> None:
    message = error_of(f"# heading\r\n\r\n{line}\r\n", tmp_path)
    assert "deck.txt:3: " in message
    for word in words:
        assert word in message


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_marks_and_newlines(start: bytes, newline: str, tmp_path: Path) -> None:
    path = tmp_path / "Naïve deck.txt"
    path.write_bytes(start + legal_text().replace("\n", newline).encode())
    deck = load_deck(path, CARDS)
    assert deck.counts == load_deck("starter-red-blue", CARDS).counts
    assert deck.name == "Naïve deck"


def test_utf_16_with_a_mark(tmp_path: Path) -> None:
    path = tmp_path / "wide.txt"
    path.write_bytes(legal_text().encode("utf-16"))
    assert sum(load_deck(path, CARDS).counts.values()) == 50


def test_lines_of_one_card_add_up(tmp_path: Path) -> None:
    path = tmp_path / "split.txt"
    path.write_text(legal_text().replace("4 TD01-004", "1 TD01-004\n3 ETD01-004SR"), encoding="utf-8")
    assert load_deck(path, CARDS).counts == load_deck("starter-red-blue", CARDS).counts


@pytest.mark.parametrize("form", ['cards = ["{}"]', 'cards = """\n{}\n"""'])
def test_toml_with_lines(form: str, tmp_path: Path) -> None:
    lines = legal_text().strip().splitlines()
    path = tmp_path / "x.toml"
    path.write_text(form.format(('", "' if "[" in form else "\n").join(lines)), encoding="utf-8")
    assert load_deck(path, CARDS).counts == load_deck("starter-red-blue", CARDS).counts


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name = ", [":1:", "not valid TOML"]),
        ("nmae = 'x'\n[cards]\n'TD01-002' = 4", [":1:", "unknown key 'nmae'", "'name'"]),
        ("name = 3\n[cards]\n'TD01-002' = 4", [":1:", "must be text, not 3"]),
        ("[cards]\n'TD01-002' = '4'", [":2:", "not a number of copies"]),
        ("[cards]\n'TD01-002' = true", [":2:", "not a number of copies"]),
        ("[cards]\n'Foxparks' = 4", [":2:", "several cards"]),
        ("cards = 4", [":1:", "must be a table"]),
        ("cards = [4]", [":1:", "not a line such as"]),
        ("name = 'x'", ["holds no cards"]),
        ("name = ' '\n[cards]\n'TD01-002' = 4", ["no name"]),
    ],
)
def test_toml_errors(text: str, words: list[str], tmp_path: Path) -> None:
    message = error_of(text, tmp_path, "deck.toml")
    assert "deck.toml" in message
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("4 TD01-004", "5 TD01-004"), ["51 cards", "exactly 50"]),
        (("4 TD01-004", "3 TD01-004"), ["49 cards"]),
        (("4 TD01-004\n3 TD01-005", "5 TD01-004\n2 TD01-005"), ["5 copies of 'Foxparks", "at most 4"]),
        (("2 TD01-001\n2 TD01-002", "3 TD01-001\n1 TD01-002"), ["9 cards with a lucky icon", "at most 8"]),
        (("2 TD01-002", "2 TD02-002"), ["3 colours (blue, green, red)", "at most 2"]),
    ],
)
def test_deck_rules(change: tuple[str, str], words: list[str], tmp_path: Path) -> None:
    text = legal_text()
    assert change[0] in text
    message = error_of(text.replace(*change), tmp_path)
    for word in words:
        assert word in message


def test_four_copies_count_by_name_not_by_number(tmp_path: Path) -> None:
    cards = dict(CARDS)
    cards["XX01-001"] = msgspec.structs.replace(CARDS["TD01-004"], number="XX01-001")
    path = tmp_path / "deck.txt"
    path.write_text(legal_text().replace("3 TD01-005", "3 XX01-001"), encoding="utf-8")
    with pytest.raises(DeckError, match="7 copies of 'Foxparks"):
        load_deck(path, cards)


def test_a_card_without_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "bees.txt"
    path.write_text("50 BP01-061", encoding="utf-8")
    assert load_deck(path, CARDS).counts == {"BP01-061": 50}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", ["holds no cards"]),
        (b"\n# nothing\n", ["holds no cards"]),
        (b"\x7fELF\x00\x01\x02", ["binary file"]),
        ("4 Foxpärks".encode("latin-1"), [":1:", "not text in UTF-8"]),
        (b"\xff\xfe\x00", ["not text"]),
    ],
)
def test_files_that_are_no_lists(data: bytes, words: list[str], tmp_path: Path) -> None:
    message = error_of(data, tmp_path)
    for word in words:
        assert word in message


def test_a_folder_and_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match="is a folder"):
        load_deck(tmp_path, CARDS)
    with pytest.raises(DeckError, match=r"no such deck file.*starter-red-blue"):
        load_deck("starter-red-blu", CARDS)
    with pytest.raises(DeckError):
        load_deck("a\0b", CARDS)


def test_names_in_a_run_differ(tmp_path: Path) -> None:
    path = tmp_path / "starter-red-blue.txt"
    path.write_text(legal_text(), encoding="utf-8")
    with pytest.raises(DeckError, match=r"already in this run.*--mirrors"):
        load_decks(["starter-red-blue", path], CARDS)


def test_built_in_decks_are_legal() -> None:
    decks = load_decks(built_in_decks(), CARDS)
    assert len(decks) == 37
    for deck in decks:
        assert sum(deck.counts.values()) == len(deck.cards()) == 50
        assert list(deck.counts) == sorted(deck.counts)
        assert deck.title
    starters = [deck for deck in decks if deck.name in ("starter-red-blue", "starter-green-purple")]
    assert [sum(n for number, n in d.counts.items() if CARDS[number].lucky) for d in starters] == [8, 8]
    assert sorted({number[:4] for deck in starters for number in deck.counts}) == ["TD01", "TD02"]


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60))
def test_any_line_is_read_or_explained(line: str) -> None:
    try:
        parsed = split_line(line, NAMES)
        if parsed:
            assert NAMES.find(parsed.text) in CARDS
            assert 1 <= parsed.count <= 50
    except LookupError as error:
        assert error.args[0]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200), st.sampled_from(["x.txt", "x.toml"]))
def test_any_file_is_read_or_explained(tmp_path_factory: pytest.TempPathFactory, data: bytes, name: str) -> None:
    path = tmp_path_factory.getbasetemp() / name
    path.write_bytes(data)
    with pytest.raises(DeckError):
        load_deck(path, CARDS)


def test_a_megabyte_on_one_line_is_explained_quickly(tmp_path: Path) -> None:
    assert "..." in error_of("Suzaku " * 150_000, tmp_path)


def test_the_plain_deck_has_no_abilities() -> None:
    """The all-vanilla deck that other tests play with; two colours of printed cards do not have 50 such cards."""
    folder = Path(__file__).parents[1] / "fixtures" / "palworld"
    cards = load_cards("palworld", [folder / "plain-cards.toml"])
    deck = load_deck(folder / "plain.toml", cards)
    assert not any(cards[number].abilities for number in deck.counts)
    assert sum(n for number, n in deck.counts.items() if cards[number].lucky) == 8


@pytest.mark.parametrize("name", ["a\x1b[31mred", "two\nlines", "nul\x00", "x" * 201])
def test_names_that_no_terminal_can_show(name: str, tmp_path: Path) -> None:
    text = f"name = {json.dumps(name)}\n[cards]\n" + "".join(
        f'"{number}" = {count}\n' for number, count in load_deck("starter-red-blue", CARDS).counts.items()
    )
    assert "its name has" in error_of(text, tmp_path, "mine.toml")


def test_a_file_name_that_is_no_text() -> None:
    with pytest.raises(DeckError, match="U\\+DCFF"):
        parse_deck(legal_text(), "bad\udcff.txt", NAMES)


def test_all_faults_of_a_list_at_once(tmp_path: Path) -> None:
    text = error_of("4 TD01-002\n4 XX99-001\nno such card\n", tmp_path)
    assert "line 2: " in text and "'XX99-001'" in text
    assert "line 3: " in text and "'no such card'" in text
    toml = error_of('[cards]\n"XX99-001" = 4\n"TD01-002" = 0\n', tmp_path, "deck.toml")
    assert "line 2: " in toml and "line 3: " in toml and "0 is not a number of copies" in toml


def test_all_wrong_decks_of_a_run_at_once() -> None:
    with pytest.raises(DeckError) as error:
        load_decks(["nothing-here", "starter-red-blue", "nor-here"], load_cards("palworld"))
    assert "nothing-here" in str(error.value) and "nor-here" in str(error.value)
