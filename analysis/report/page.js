"use strict";
(() => {
  const plots = JSON.parse(document.getElementById("plots").textContent);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");

  // On a phone, names of matchups break in two lines, so that the chart keeps its room.
  const fitted = (value, narrow) => {
    if (Array.isArray(value)) return value.map((v) => fitted(v, narrow));
    if (!value || typeof value !== "object") return value;
    const inner = Object.fromEntries(Object.entries(value).map(([k, v]) => [k, fitted(v, narrow)]));
    return "labelLimit" in inner && narrow
      ? { ...inner, labelLimit: 130, labelFontSize: 12, labelExpr: "split(datum.label, ' \u2013 ')",
          labelOffset: { condition: { test: "indexof(datum.label, ' \u2013 ') > 0", value: -7 }, value: 0 } }
      : inner;
  };

  // Colours are taken from the style sheet: "@accent" in a chart is --accent on the page.
  const themed = (value, colours) => {
    if (typeof value === "string") return value[0] === "@" ? colours(value.slice(1)) : value;
    if (Array.isArray(value)) return value.map((v) => themed(v, colours));
    if (value && typeof value === "object") {
      return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, themed(v, colours)]));
    }
    return value;
  };

  const config = (colour, font) => ({
    background: null,
    font,
    view: { stroke: null },
    axis: {
      labelColor: colour("muted"), titleColor: colour("muted"), titleFontWeight: 400, titleFontSize: 12,
      labelFontSize: 12, gridColor: colour("rule"), domainColor: colour("rule"), tickColor: colour("rule"),
      titlePadding: 10,
    },
    axisY: { domain: false, ticks: false },
    axisX: { grid: false, labelFlush: false, labelOverlap: true },
    legend: { labelColor: colour("ink"), titleColor: colour("muted"), titleFontWeight: 400, labelFontSize: 12,
      titleFontSize: 12, orient: "top", offset: 6, symbolSize: 90 },
    text: { font, color: colour("ink") },
  });

  let turn = 0;
  const draw = async () => {
    const mine = ++turn;
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    const font = style.getPropertyValue("--sans").trim();
    for (const [place, chart] of Object.entries(plots)) {
      if (mine !== turn) return;
      const node = document.getElementById(place);
      const { data, datasets, layer, ...rest } = chart;
      const styled = (part) => fitted(themed(part, colour), node.clientWidth < 480);
      const spec = { ...styled(rest), data, datasets, autosize: { type: "fit-x", contains: "padding" } };
      // Data are never touched: a deck may be called "@ink".
      if (layer) {
        spec.layer = layer.map(({ data: own, ...other }) => ({ ...styled(other), ...(own && { data: own }) }));
      }
      if (spec.width !== "container") spec.autosize = { type: "pad", contains: "padding" };
      spec.config = config(colour, font);
      try {
        await window.vegaEmbed(node, spec, { renderer: "svg", actions: false, tooltip: { theme: "custom" } });
        node.dataset.drawn = "yes";
      } catch (error) {
        node.textContent = "This chart cannot be drawn here; its numbers are in the table below.";
        console.error(place, error);
      }
    }
    document.documentElement.dataset.drawn = dark.matches ? "dark" : "light";
  };
  dark.addEventListener("change", draw);
  draw();

  // The cards table: headings sort, the form filters.
  const table = document.getElementById("card-table");
  if (!table) return;
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];
  const find = document.getElementById("card-find");
  const deck = document.getElementById("card-deck");
  const count = document.getElementById("card-count");

  const filter = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = `${row.cells[0].textContent} ${row.cells[1].textContent}`.toLowerCase();
      const fits = words.every((w) => text.includes(w)) && (!deck.value || row.cells[1].textContent === deck.value);
      row.hidden = !fits;
      shown += fits;
    }
    count.textContent = `${shown} of ${rows.length} rows`;
  };

  const sort = (index) => {
    const head = heads[index];
    const numeric = head.classList.contains("n");
    const down = head.getAttribute("aria-sort") === (numeric ? "descending" : "ascending") ? !numeric : numeric;
    heads.forEach((h) => h.setAttribute("aria-sort", "none"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const key = (row) => {
      const cell = row.cells[index];
      return numeric ? (cell.dataset.k === undefined ? null : Number(cell.dataset.k)) : cell.textContent;
    };
    const sorted = rows.map((row, place) => [key(row), place, row]).sort(([a, i], [b, j]) => {
      // Rows without a number stay at the end, whatever the direction.
      if (a === null || b === null) return (a === null) - (b === null) || i - j;
      const order = numeric ? a - b : a.localeCompare(b);
      return (down ? -order : order) || i - j;
    });
    body.append(...sorted.map((entry) => entry[2]));
  };

  heads.forEach((head, index) => head.firstElementChild.addEventListener("click", () => sort(index)));
  find.addEventListener("input", filter);
  deck.addEventListener("change", filter);
  filter();
})();
