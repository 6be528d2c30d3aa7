"""Options as text and back."""

from __future__ import annotations

import pytest

from sim.labels import SHAPES, form_of, option_label, parse_label
from sim.position import PLAYER, Option

NAMES = ["Antique Mirror", "Lamball – My First Pal"]
OPTIONS = {
    "": {},
    "CARD": {"obj": 3},
    "CARD [ROW]": {"obj": 3, "n": 2},
    "CARD.N": {"obj": 3, "n": 2},
    "PAL -> TARGET": {"obj": 3, "target": 70},
    "=N": {"n": 4},
    "N": {"n": 2},
    "NAME": {"n": 1},
}


def name_of(obj: int) -> str:
    return f"c{obj}"


@pytest.mark.parametrize("kind", SHAPES)
def test_there_and_back(kind: str) -> None:
    option = Option(kind, **OPTIONS[SHAPES[kind]])
    wanted = parse_label(option_label(option, name_of, NAMES))
    assert wanted.kind == kind
    assert wanted.obj == (name_of(3) if option.obj >= 0 else "")
    assert wanted.target == (name_of(70) if option.target >= 0 else "")
    assert wanted.name == (NAMES[1] if kind == "name" else "")
    assert wanted.n == (0 if kind == "name" else option.n)


@pytest.mark.parametrize(
    ("option", "label"),
    [
        (Option("no_block"), "no block"),
        (Option("attack", 3, PLAYER + 1), "attack c3 -> player"),
        (Option("attack", 3, 70), "attack c3 -> c70"),
        (Option("activate", 3, -1, 1), "activate c3.1"),
        (Option("x", n=0), "x=0"),
        (Option("choose", PLAYER), "choose A"),
        (Option("play", 3), "play c3"),
        (Option("play", 3, n=1), "play c3 front"),
        (Option("name", n=1), "name Lamball – My First Pal"),
    ],
)
def test_label(option: Option, label: str) -> None:
    assert option_label(option, name_of, NAMES) == label


@pytest.mark.parametrize("text", ["x=3", "x = 3", " x =3 "])
def test_numbers(text: str) -> None:
    assert parse_label(text) == ("x", "", "", 3, "")


def test_names_with_dots_and_spaces() -> None:
    assert parse_label("activate my.old gun.2").obj == "my.old gun"
    assert parse_label("attack the  pal -> the wall")[1:3] == ("the pal", "the wall")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "unknown option ''"),
        ("blok c3", "block CARD"),
        ("x=-1", "unknown option 'x=-1'"),
        ("mode two", "'mode N'"),
        ("activate c3", "'activate CARD.N'"),
        ("attack c3", "'attack PAL -> TARGET'"),
        ("end now", "'end'"),
        ("name", "'name NAME'"),
        ("no_block", "unknown option"),
    ],
)
def test_what_is_no_option(text: str, told: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_label(text)
    assert told in str(caught.value)


def test_forms() -> None:
    assert form_of("x") == "x=N"
    assert form_of("no_block") == "no block"
    assert form_of("attack") == "attack PAL -> TARGET"
