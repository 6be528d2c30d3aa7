"""The charts of the page, declared with Altair.

Colours are names like "@accent": the page puts the colours of the light or the dark theme in their place. Data are
inline and sorted, nothing is named by a counter, so that the same run gives the same specification.
"""

from __future__ import annotations

from typing import Any

import altair as alt

Row = dict[str, Any]
STRIKES = ["@one", "@two", "@three", "@four", "@five"]
SHARE_AXIS = alt.Axis(format="%", title=None, tickCount=5)


def data(rows: list[Row]) -> alt.Data:
    return alt.Data(values=rows)


def finish(chart: Any, height: int, label: str) -> dict[str, Any]:
    """The specification, as wide as its place on the page; `label` is what a screen reader says."""
    return chart.properties(width="container", height=height, description=label).to_dict(validate=False)


def names_axis(limit: int) -> alt.Axis:
    """Names at the left of a chart, in the colour of the text."""
    return alt.Axis(
        domain=False, ticks=False, grid=False, labelFontSize=13, labelColor="@ink", labelLimit=limit, labelPadding=8
    )


def heatmap(rows: list[Row], decks: list[str], step: int, label: str) -> dict[str, Any]:
    """Score of the row's deck against the column's; columns carry the numbers of the rows."""
    order = [f"{i + 1}  {name}" for i, name in enumerate(decks)]
    base = alt.Chart(data(rows)).encode(
        x=alt.X(
            "column:O",
            sort=[str(i + 1) for i in range(len(decks))],
            title=None,
            axis=alt.Axis(orient="top", labelAngle=0, domain=False, ticks=False, labelFontSize=12, labelPadding=6),
        ),
        y=alt.Y(
            "row:N",
            sort=order,
            title=None,
            axis=names_axis(230),
        ),
        tooltip=[
            alt.Tooltip("deck:N", title="deck"),
            alt.Tooltip("opponent:N", title="against"),
            alt.Tooltip("score:Q", format=".1%"),
            alt.Tooltip("interval:N", title="95% interval"),
            alt.Tooltip("games:Q", format=","),
            alt.Tooltip("verdict:N"),
        ],
    )
    cells = base.mark_rect(stroke="@paper", strokeWidth=2, cornerRadius=2).encode(
        color=alt.Color(
            "score:Q",
            scale=alt.Scale(domain=[0.2, 0.5, 0.8], range=["@lose", "@even", "@win"], clamp=True, interpolate="lab"),
            legend=None,
        )
    )
    strong = "abs(datum.score - 0.5) > 0.17"
    text = base.mark_text(fontSize=14 if step >= 40 else 11).encode(
        text="shown:N",
        color=alt.condition(strong, alt.value("@onstrong"), alt.value("@ink")),
        opacity=alt.condition("datum.verdict == 'unresolved'", alt.value(0.72), alt.value(1.0)),
    )
    chart = cells + text
    if len(decks) > 6:
        side = step * len(decks)
        return chart.properties(width=side, height=side, description=label).to_dict(validate=False)
    return finish(chart, step * len(decks), label)


def intervals(rows: list[Row], zero: float, form: str, label: str, axis: str | None = None) -> dict[str, Any]:
    """A point with its interval for each name, in the given order, and a line at `zero`."""
    names = [row["name"] for row in rows]
    base = alt.Chart(data(rows)).encode(
        y=alt.Y(
            "name:N",
            sort=names,
            title=None,
            axis=names_axis(230 if max(map(len, names)) < 36 else 330),
        ),
        tooltip=[
            alt.Tooltip("name:N", title=" "),
            alt.Tooltip("text:N", title="value"),
            alt.Tooltip("interval:N", title="95% interval"),
            alt.Tooltip("games:Q", format=","),
        ],
    )
    low, high = min(row["low"] for row in rows), max(row["high"] for row in rows)
    scale = alt.Scale(domain=[min(low, zero), max(high, zero)], nice=True, zero=False)
    make = signed_axis if form.startswith("+") else alt.Axis
    x = alt.X("value:Q", scale=scale, axis=make(format=form, title=axis, tickCount=6))
    line = alt.Chart(data([{"at": zero}])).mark_rule(color="@muted", strokeDash=[3, 3]).encode(x="at:Q")
    bars = base.mark_rule(strokeWidth=5, opacity=0.35, color="@accent", strokeCap="round").encode(
        x=alt.X("low:Q", scale=scale), x2="high:Q"
    )
    dots = base.mark_point(filled=True, size=70, color="@accent", opacity=1).encode(
        x=x, color=alt.condition("datum.strong", alt.value("@accent"), alt.value("@muted"))
    )
    return finish(line + bars + dots, 30 * len(names), label)


def histogram(rows: list[Row], median: float, label: str) -> dict[str, Any]:
    """Share of games that ended on each turn (a bar from `low` to `high`), the middle game marked."""
    bars = (
        alt.Chart(data(rows))
        .mark_bar()
        .encode(
            x=alt.X("low:Q", title="turn on which the game ended", axis=alt.Axis(format="d", grid=False)),
            x2="high:Q",
            y=alt.Y("share:Q", axis=SHARE_AXIS),
            y2=alt.datum(0),
            color=alt.condition(f"datum.turn == {int(median)}", alt.value("@warm"), alt.value("@accent")),
            tooltip=[
                alt.Tooltip("turn:Q", title="turn"),
                alt.Tooltip("games:Q", format=","),
                alt.Tooltip("share:Q", format=".2%", title="share of games"),
            ],
        )
    )
    text = (
        alt.Chart(data([{"low": int(median), "text": f"median {median:g}"}]))
        .mark_text(color="@warm", fontSize=12, baseline="bottom")
        .encode(x="low:Q", y=alt.value(-4), text="text:N")
    )
    return finish(bars + text, 220, label)


def stops(rows: list[Row], strikes: list[int], label: str) -> dict[str, Any]:
    """Observed share of stopped checks with intervals over the exact line, by share of lucky cards in the deck."""
    base = alt.Chart(data(rows)).encode(
        x=alt.X("density:Q", title="lucky cards left, as a share of the cards left", axis=alt.Axis(format="%")),
        color=alt.Color(
            "strike:O",
            scale=alt.Scale(domain=strikes, range=STRIKES[: len(strikes)]),
            legend=alt.Legend(title="strike", symbolType="circle", symbolStrokeWidth=0, symbolOpacity=1),
        ),
    )
    line = base.mark_line(strokeWidth=1.5, opacity=0.75).encode(y=alt.Y("exact:Q", axis=SHARE_AXIS))
    bars = base.mark_rule(strokeWidth=1.5, opacity=0.6).encode(y="low:Q", y2="high:Q")
    dots = base.mark_point(filled=True, size=45, opacity=1).encode(
        y="observed:Q",
        tooltip=[
            alt.Tooltip("strike:O"),
            alt.Tooltip("density:Q", format=".1%", title="lucky cards left"),
            alt.Tooltip("observed:Q", format=".2%"),
            alt.Tooltip("exact:Q", format=".2%"),
            alt.Tooltip("checks:Q", format=","),
        ],
    )
    return finish(line + bars + dots, 300, label)


def deciles(rows: list[Row], label: str) -> dict[str, Any]:
    """Score with interval by tenth of the games, from the unluckiest to the luckiest."""
    base = alt.Chart(data(rows)).encode(
        x=alt.X("decile:O", title="tenth of the games, by luck", axis=alt.Axis(labelAngle=0, grid=False)),
        tooltip=[
            alt.Tooltip("decile:O", title="tenth"),
            alt.Tooltip("luck:Q", format="+.2f", title="mean luck"),
            alt.Tooltip("score:Q", format=".1%"),
            alt.Tooltip("games:Q", format=","),
        ],
    )
    line = base.mark_line(strokeWidth=1.5, color="@accent", opacity=0.6).encode(y=alt.Y("score:Q", axis=SHARE_AXIS))
    bars = base.mark_rule(strokeWidth=5, opacity=0.35, color="@accent").encode(y="low:Q", y2="high:Q")
    dots = base.mark_point(filled=True, size=60, color="@accent", opacity=1).encode(
        y=alt.Y("score:Q", scale=alt.Scale(domain=[0, 1]))
    )
    half = alt.Chart(data([{"at": 0.5}])).mark_rule(color="@muted", strokeDash=[3, 3]).encode(y="at:Q")
    return finish(half + line + bars + dots, 260, label)


def signed_axis(format: str, **more: Any) -> alt.Axis:
    """An axis whose labels have a sign, but for 0."""
    return alt.Axis(format=format, labelExpr="datum.value === 0 ? slice(datum.label, 1) : datum.label", **more)


def lead(rows: list[Row], turns: list[int], label: str) -> dict[str, Any]:
    """Chance to win of the first player by lead in life, one line a turn."""
    base = alt.Chart(data(rows)).encode(
        x=alt.X("lead:Q", title="lead in life of the player who went first", axis=signed_axis("+d", tickMinStep=1)),
        color=alt.Color(
            "turn:O",
            scale=alt.Scale(domain=turns, range=["@one", "@two", "@three", "@four"][: len(turns)]),
            legend=alt.Legend(title="at the start of turn", symbolType="stroke", symbolStrokeWidth=3, symbolOpacity=1),
        ),
    )
    band = base.mark_area(opacity=0.16).encode(y=alt.Y("low:Q", axis=SHARE_AXIS), y2="high:Q")
    line = base.mark_line(strokeWidth=2, point=alt.OverlayMarkDef(size=28, filled=True)).encode(
        y=alt.Y("score:Q", scale=alt.Scale(domain=[0, 1])),
        tooltip=[
            alt.Tooltip("turn:O"),
            alt.Tooltip("lead:Q", format="+d"),
            alt.Tooltip("score:Q", format=".1%", title="chance to win"),
            alt.Tooltip("games:Q", format=","),
        ],
    )
    half = alt.Chart(data([{"at": 0.5}])).mark_rule(color="@muted", strokeDash=[3, 3]).encode(y="at:Q")
    return finish(half + band + line, 320, label)


def curve(rows: list[Row], names: list[str], label: str) -> dict[str, Any]:
    """Means by turn of a player, one line for each name."""
    base = alt.Chart(data(rows)).encode(
        x=alt.X("turn:Q", title="turn of the player", axis=alt.Axis(tickMinStep=1)),
        color=alt.Color(
            "what:N",
            scale=alt.Scale(domain=names, range=["@one", "@two", "@three", "@four"][: len(names)]),
            legend=alt.Legend(title=None, symbolType="stroke", symbolStrokeWidth=3, symbolOpacity=1),
        ),
    )
    line = base.mark_line(strokeWidth=2, point=alt.OverlayMarkDef(size=28, filled=True)).encode(
        y=alt.Y("mean:Q", title="mean"),
        tooltip=[
            alt.Tooltip("what:N", title="count"),
            alt.Tooltip("turn:Q"),
            alt.Tooltip("mean:Q", format=".2f"),
            alt.Tooltip("turns:Q", format=","),
        ],
    )
    return finish(line, 260, label)


def sweep(rows: list[Row], title: str, printed: float | None, label: str) -> dict[str, Any]:
    """Change of the score by value, a line with its band for each series, and a mark at the value as printed."""
    names = list(dict.fromkeys(row["name"] for row in rows))
    scale = alt.Scale(domain=names, range=[STRIKES[i % len(STRIKES)] for i in range(len(names))])
    legend = alt.Legend(
        title=None, symbolType="stroke", symbolStrokeWidth=3, symbolOpacity=1, columns=2, labelLimit=230
    )
    base = alt.Chart(data(rows)).encode(
        x=alt.X("value:Q", title=title, scale=alt.Scale(zero=False), axis=alt.Axis(tickMinStep=1, grid=False)),
        color=alt.Color("name:N", scale=scale, legend=legend if len(names) > 1 else None),
    )
    band = base.mark_area(opacity=0.16).encode(
        y=alt.Y("change_low:Q", axis=signed_axis("+%", title=None)), y2="change_high:Q"
    )
    line = base.mark_line(strokeWidth=2, point=alt.OverlayMarkDef(size=34, filled=True)).encode(
        y="change:Q",
        tooltip=[
            alt.Tooltip("name:N", title=" "),
            alt.Tooltip("value:Q"),
            alt.Tooltip("score:Q", format=".2%"),
            alt.Tooltip("change:Q", format="+.2%"),
            alt.Tooltip("change_low:Q", format="+.2%", title="from"),
            alt.Tooltip("change_high:Q", format="+.2%", title="to"),
            alt.Tooltip("games:Q", format=","),
        ],
    )
    none = alt.Chart(data([{"at": 0.0}])).mark_rule(color="@muted", strokeDash=[3, 3]).encode(y="at:Q")
    layers = none + band + line
    if printed is not None:
        layers += alt.Chart(data([{"at": printed}])).mark_rule(color="@muted", strokeDash=[3, 3]).encode(x="at:Q")
    return finish(layers, 320, label)
