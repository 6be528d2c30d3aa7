"""The page: same bytes for the same run, nothing from outside, every name escaped, charts drawn in a real browser."""

from __future__ import annotations

import html
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import analysis
from analysis.report import library, page
from analysis.report.sections import SECTIONS
from tests.analysis.synthetic import DECKS, damage_file, write_run

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--allow-file-access-from-files",
    "--enable-logging=stderr",
    "--virtual-time-budget=20000",
    "--dump-dom",
]
STRANGE = ('<script>alert("x")</script>', "@ink & “curly” – A", "パルデッキ'; --")
PROBE = """
<script>
addEventListener("load", async () => {
  while (!document.documentElement.dataset.drawn) await new Promise((go) => setTimeout(go, 50));
  const plots = [...document.querySelectorAll(".plot")];
  const said = { theme: document.documentElement.dataset.drawn, plots: plots.length,
    drawn: plots.filter((p) => p.querySelector("svg")).length,
    wide: document.documentElement.scrollWidth - innerWidth };
  const table = document.getElementById("card-table");
  if (table) {
    const shown = () => [...table.tBodies[0].rows].filter((r) => !r.hidden);
    const find = document.getElementById("card-find");
    const iwd = [...table.tHead.rows[0].cells].find((h) => h.textContent === "IWD");
    const number = (r) => Number(r.cells[iwd.cellIndex].dataset.k);
    const sorted = () => { const n = shown().map(number);
      return n.every((x, i) => !i || n[i - 1] >= x) ? "down" : n.every((x, i) => !i || n[i - 1] <= x) ? "up" : "no"; };
    said.before = sorted() + iwd.ariaSort;
    iwd.firstElementChild.click(); said.clicked = sorted() + iwd.ariaSort;
    iwd.firstElementChild.click(); said.again = sorted() + iwd.ariaSort;
    find.value = "toy1 003"; find.dispatchEvent(new Event("input")); said.found = shown().length;
    said.count = document.getElementById("card-count").textContent;
  }
  const out = document.createElement("pre"); out.id = "said"; out.textContent = JSON.stringify(said);
  (window.parent.document.body || document.body).append(out);
});
</script>
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return analysis.open_run(write_run(tmp_path_factory.mktemp("runs") / "toy", games=300))


def text_of(source: str) -> str:
    """What a reader sees, without scripts, style and tags."""
    bare = re.sub(r"<(script|style)\b.*?</\1>", " ", source, flags=re.S)
    return html.unescape(re.sub(r"<[^>]+>", " ", bare))


def test_same_run_same_bytes(run, tmp_path):
    """In one process, in another with another hash seed, and after reading the folder again."""
    first = page(run)
    assert page(analysis.open_run(run.path)) == first
    code = "import sys, analysis; analysis.write_report(sys.argv[1], sys.argv[2])"
    subprocess.run(
        [sys.executable, "-c", code, str(run.path), str(tmp_path / "page.html")],
        env=os.environ | {"PYTHONHASHSEED": "123", "PYTHONPATH": os.getcwd()},
        check=True,
    )
    assert (tmp_path / "page.html").read_bytes() == first.encode()
    assert [f.name for f in tmp_path.iterdir()] == ["page.html"]


def test_page_needs_nothing_from_outside(run):
    source = page(run)
    ours = source.replace(library.chart_library(), "")
    assert len(source) - len(ours) == len(library.chart_library()), "the chart library is there exactly once"
    assert not re.search(r"""\b(src|href)=["']?(?!["'#]|data:)""", ours)
    assert "@import" not in ours and "url(" not in ours and "default-src 'none'" in ours


def test_chart_library_is_bundled_once(tmp_path, monkeypatch):
    """A broken file is made anew; a folder that cannot be written does no harm."""
    bundled = []

    def bundle(snippet):
        bundled.append(snippet)
        return "lib = '</script>'; // ü"

    monkeypatch.setattr("vl_convert.javascript_bundle", bundle)
    monkeypatch.setenv("CARDMILL_CACHE", str(tmp_path))
    script = library.chart_library.__wrapped__
    assert script() == script() == "lib = '<\\/script>'; // ü"
    assert len(bundled) == 1
    (kept,) = (tmp_path / "cardmill").iterdir()
    damage_file(kept)
    assert script() == script() == "lib = '<\\/script>'; // ü"
    assert len(bundled) == 2
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CARDMILL_CACHE", str(tmp_path / "file"))
    assert script() == "lib = '<\\/script>'; // ü"
    assert len(bundled) == 3


def test_page_has_its_parts(run):
    source = page(run)
    assert source.startswith("<!doctype html>") and '<html lang="en">' in source
    parts = [part for make in SECTIONS if (part := make(run)) is not None]
    assert len(parts) >= len(SECTIONS) - 1  # what players have turn by turn is for games that count it
    for part in parts:
        assert f'<section id="{part.name}"' in source and f'href="#{part.name}"' in source
    assert source.count("<h1") == 1
    assert source.count('role="img" aria-label="') >= source.count('class="plot"') == source.count("Show the numbers")
    assert "--seed 7" in text_of(source)


def test_names_are_escaped(tmp_path):
    source = page(analysis.open_run(write_run(tmp_path / "strange", games=60, decks=STRANGE)))
    assert "<script>alert" not in source
    assert all(name in text_of(source) for name in STRANGE)


@pytest.mark.parametrize(
    "options",
    [
        {"games": 1, "blocks": 1, "decks": DECKS[:2]},
        {"games": 40, "winner": "draw", "decks": DECKS[:3]},
        {"games": 40, "decks": DECKS[:1]},
        {"games": 40, "winner": "a", "decks": DECKS[:3]},
        {"games": 40, "winner": None, "decks": DECKS[:3]},
        {"games": 40, "lucky": (0, 0, 0, 0), "decks": DECKS[:3]},
    ],
    ids=["one game", "all draws", "one deck", "only wins", "nothing finished", "no lucky cards"],
)
def test_pages_at_the_edge(tmp_path, options):
    text = text_of(page(analysis.open_run(write_run(tmp_path / "edge", **options))))
    assert not re.search(r"\b(nan|NaN|inf|Infinity|None|null|undefined)\b", text)
    assert "How to get the same numbers" in text


def test_headlines(tmp_path):
    def headline(name, **options):
        source = page(analysis.open_run(write_run(tmp_path / name, **options)))
        return html.unescape(re.search(r"<h1>(.*?)</h1>", source).group(1))

    two = DECKS[:2]
    assert headline("wins", games=40, decks=two, winner="a") == "Lamball Lunch beats Foxparks Fire"
    assert headline("loses", games=40, decks=two, winner="b") == "Foxparks Fire beats Lamball Lunch"
    assert headline("open", games=4, decks=two, winner="draw") == "Lamball Lunch against Foxparks Fire: still open"
    assert headline("mirror", games=4, decks=DECKS[:1]) == "Lamball Lunch against itself"
    assert headline("none", games=4, winner=None) == "No finished games"
    versus = headline("versus", games=400, decks=two, versus=True)
    assert versus == "greedy beats random"
    assert headline("level", games=4, winner="draw") == "No clear leader among four decks"


def test_a_sick_run_says_so_at_the_top(tmp_path):
    path = write_run(tmp_path / "sick", games=40, decks=DECKS[:2])
    shutil.copy(path / "games" / "000000.parquet", path / "games" / "000001.parquet")
    source = page(analysis.open_run(path))
    assert 'role="alert"' in source and source.index('role="alert"') < source.index("<main")
    damage_file(path / "games" / "000001.parquet")
    with pytest.raises(analysis.RunError):
        analysis.write_report(path, tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()


def colours(css: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6})", css))


def contrast(a: str, b: str) -> float:
    """Contrast of two colours (WCAG 2.2, 1.4.3)."""

    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(a), light(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast_in_both_themes():
    css = (Path(analysis.__file__).parent / "report" / "page.css").read_text(encoding="utf-8")
    light, dark = css.split("prefers-color-scheme: dark", 1)
    for theme in (colours(light), colours(dark)):
        for name in ("ink", "muted", "accent", "warm", "good", "bad"):
            assert contrast(theme[name], theme["paper"]) >= 4.5, name
        for name in ("one", "two", "three", "four", "five"):
            assert contrast(theme[name], theme["paper"]) >= 3.0, name
        for name in ("win", "lose"):
            assert contrast(theme["onstrong"], theme[name]) >= 4.5, name
        assert contrast(theme["ink"], theme["even"]) >= 7.0


def look(folder: Path, source: str, width: int | None = None, *flags: str) -> tuple[dict, list[str]]:
    """Opens a page in headless Chromium; what the probe found, and every line of the console."""
    import json

    inner = folder / "page.html"
    inner.write_text(PROBE.join(source.rpartition("</body>")[::2]) + "</body>", encoding="utf-8")
    outer = inner
    if width is not None:
        outer = folder / "frame.html"
        outer.write_text(f'<body><iframe src="page.html" width="{width}" height="5000"></iframe></body>')
    done = subprocess.run(
        [CHROMIUM, *FLAGS, f"--user-data-dir={folder / 'profile'}", "--window-size=1200,900", *flags, outer.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
    )
    said = re.search(r'<pre id="said">(.*?)</pre>', done.stdout, flags=re.S)
    assert said, done.stderr[-2000:]
    return json.loads(html.unescape(said.group(1))), [line for line in done.stderr.splitlines() if "CONSOLE" in line]


@pytest.fixture
def browser():
    if CHROMIUM is None:
        print("skipped: no Chromium here, the page is not opened in a browser")
        pytest.skip("no Chromium here, the page is not opened in a browser")


@pytest.mark.browser
@pytest.mark.usefixtures("browser")
@pytest.mark.parametrize(
    ("width", "theme", "flags"),
    [(None, "light", ()), (None, "dark", ("--blink-settings=preferredColorScheme=0",)), (375, "light", ())],
    ids=["light", "dark", "phone"],
)
def test_in_a_browser(run, tmp_path, width, theme, flags):
    said, console = look(tmp_path, page(run), width, *flags)
    assert console == []
    assert said["theme"] == theme
    assert said["plots"] == said["drawn"] == 8
    assert said["wide"] <= 0, "the page never scrolls sideways"
    assert (said["before"], said["clicked"], said["again"]) == ("downdescending", "upascending", "downdescending")
    assert said["found"] == 1 and said["count"].startswith("1 of ")


@pytest.mark.browser
@pytest.mark.usefixtures("browser")
def test_strange_names_in_a_browser(tmp_path):
    run = analysis.open_run(write_run(tmp_path / "run", games=60, decks=STRANGE))
    said, console = look(tmp_path, page(run))
    assert console == [] and said["plots"] == said["drawn"] > 3


def test_charts_are_valid_vega_lite(run):
    """The page leaves out Altair's check of the finished charts, which takes longer than the rest; here it is."""
    import altair

    charts = [chart for make in SECTIONS if (part := make(run)) for chart in part.charts.values()]
    assert len(charts) == 8
    for chart in charts:
        altair.LayerChart.from_dict(chart, validate=True)
