// The score: places, the breakdown of points, and their course.

import { element, find, svg, wide } from "./dom.js";
import { broad, seatClass, seatMark } from "./scene.js";
import { list, t } from "./words.js";

const DASHES = ["", "9 5", "2 4", "12 4 2 4"]; // a line style each seat, beside its colour

let panel, match = null;

export function mount(place, store) {
  panel = find("#points", place);
  store.on("match", show);
  new ResizeObserver(draw).observe(panel);
}

function show(now) {
  match = now;
  if (!match) {
    panel.replaceChildren(element("p", { class: "card none" }, t("no_match")));
    return;
  }
  const open = find(".course details", panel)?.open;
  panel.replaceChildren(places(match), breakdown(match), course(match));
  if (open) find(".course details", panel).open = true;
  draw();
}

// As wide as its place, so that its letters are as large as others; a hidden place has no width.
function draw() {
  const place = find(".plot", panel);
  if (place?.clientWidth) place.replaceChildren(plot(match, place.clientWidth));
}

function places({ score, turn }) {
  return element("section", { class: "card places", "aria-label": t("score.places") },
    element("h2", {}, t(score.over ? "score.final" : "score.now")),
    element("ol", {}, score.places.map(({ place, name, seat, points }) => element("li", {},
      element("span", { class: "place" }, t("score.place", { n: place })), seatMark(seat), element("span", { class: "who" }, name),
      element("strong", {}, why(points, name, { "data-seat": seat }))))),
    element("ul", {}, [...score.over ? turn.about : [], ...score.ties].map((text) => element("li", {}, text)),
      score.tallies.map(({ name, figures }) => element("li", {},
        `${name}: ${list(figures.map((one) => `${one.name} ${one.figure}`))}`))));
}

// A number that opens its explanation (why.js).
const why = (points, of, asked) => element("button", { type: "button", class: "number",
  "aria-label": t("score.why", { what: of, points }), ...asked }, points);

// Rows are categories in which somebody scored, columns players.
function breakdown({ players, score }) {
  const sum = (rows, seat) => rows.reduce((total, row) => total + row.points[seat], 0);
  const figures = (points) => points.map((one) => element("td", {}, one));
  const totals = (name, rows, kind) => element("tr", { class: kind }, element("th", { scope: "row" }, name),
    figures(players.map((_, seat) => sum(rows, seat))));
  const parts = score.parts.map(({ name, rows }) => element("tbody", {},
    name && element("tr", {}, element("th", { scope: "rowgroup", colspan: players.length + 1 }, name)),
    rows.filter((row) => row.points.some(Boolean)).map((row) => element("tr", {}, element("th", { scope: "row" }, row.name),
      row.points.map((points, seat) => element("td", {}, why(points, t("score.of", { category: row.name, name: players[seat].name }),
        { "data-category": row.category, "data-part": row.part, "data-seat": seat }))))),
    name && totals(t("score.together"), rows, "subtotal")));
  return element("section", { class: "card breakdown", "aria-label": t("score.parts") },
    element("h2", {}, t("score.made")),
    wide(t("score.table"),
      element("table", {},
        element("thead", {}, element("tr", {}, element("td", {}),
          players.map(({ name }, seat) => element("th", { scope: "col" }, seatMark(seat), name)))),
        parts,
        element("tfoot", {}, totals(t("score.all"), score.parts.flatMap((part) => part.rows), "total")))));
}

// The course of the points, step by step

function course(now) {
  return element("section", { class: "card course", "aria-label": t("score.course") },
    element("h2", {}, t("score.came")),
    now.score.course.length > 1 ? element("div", { class: "plot" }) : element("p", { class: "quiet" }, t("score.nothing")),
    element("details", {}, element("summary", {}, t("score.figures")), figures(now)));
}

function plot({ players, score }, wide) {
  const lines = score.course, letter = parseFloat(getComputedStyle(document.documentElement).fontSize) * 0.85;
  const labels = players.map(({ name }, seat) => `${name} ${lines.at(-1)[seat]}`);
  const sample = 2 * letter, room = Math.max(...labels.map((text) => broad(text, true))) * letter + sample + letter;
  const left = letter * 2.4, tall = Math.max(14 * letter, wide * 0.4);
  const most = Math.max(1, ...lines.flat()), least = Math.min(0, ...lines.flat());
  const step = nice((most - least) / 5), low = Math.floor(least / step) * step;
  const high = Math.max(step, Math.ceil(most / step) * step);
  const x = (at) => left + at / (lines.length - 1) * (wide - left - room);
  const y = (points) => letter + (high - points) / (high - low) * (tall - 3 * letter);
  const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, at) => low + at * step);
  const drawn = svg("svg", { viewBox: `0 0 ${wide} ${tall}`, role: "img",
    "aria-label": t("score.plot", { n: lines.length - 1, scores: list(labels) }) },
  ticks.map((points) => svg("g", { class: "tick" }, svg("path", { d: `M${left} ${y(points)}H${wide - room}` }),
    svg("text", { x: left - 6, y: y(points) + letter / 3 }, String(points)))),
  svg("text", { class: "axis", x: wide - room, y: tall - letter * 0.4 }, t("score.steps", { n: lines.length - 1 })),
  players.map((_, seat) => line(seat, lines.map((points, at) => at
    ? `H${x(at).toFixed(1)}V${y(points[seat]).toFixed(1)}` : `M${x(0)} ${y(points[seat]).toFixed(1)}`).join(""))),
  ends(lines.at(-1).map(y), letter * 1.25, y(low)).map((at, seat) => [
    line(seat, `M${wide - room + 6} ${at}h${sample}`),
    svg("text", { class: "end", x: wide - room + sample + 12, y: at + letter / 3 }, labels[seat])]));
  drawn.style.fontSize = `${letter}px`;
  return drawn;
}

const line = (seat, d) => svg("path",
  { class: `line ${seatClass(seat)}`, "stroke-dasharray": DASHES[seat] || null, d });

// The heights of labels that want these ones: none over another and none below the lowest.
function ends(heights, apart, lowest) {
  const order = heights.map((_, at) => at).sort((one, other) => heights[other] - heights[one]);
  const placed = [...heights];
  let free = lowest + apart;
  for (const at of order) placed[at] = free = Math.min(heights[at], free - apart);
  return placed;
}

function nice(step) {
  const size = 10 ** Math.floor(Math.log10(Math.max(step, 1)));
  return [1, 2, 5, 10].map((one) => one * size).find((one) => one >= step) ?? size;
}

function figures({ players, score, entries }) {
  const rows = score.course.flatMap((points, at) => {
    const before = score.course[at - 1];
    return !before || points.some((one, seat) => one !== before[seat]) ? [[at, points]] : [];
  });
  return wide(t("score.each"),
    element("table", {},
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, t("score.after")),
        players.map(({ name }) => element("th", { scope: "col" }, name)))),
      element("tbody", {}, rows.map(([at, points]) => element("tr", {},
        element("th", { scope: "row" }, at && entries[at - 1]), points.map((one) => element("td", {}, one)))))));
}
