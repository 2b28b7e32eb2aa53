// A table that the game describes (engines/contract/scene.py), drawn: each panel is an SVG, each mark a group in it.
//
// This module knows no game. Colours are custom properties of the page, `--c-NAME`, the legible ink on
// them is `--on-NAME`; pictograms come with the table.

import { svg } from "./dom.js";

const points = (...pairs) => `M${pairs.map(([x, y]) => `${round(x)} ${round(y)}`).join("L")}Z`;
const round = (value) => Math.round(value * 100) / 100;

// The signs of the seats by half their size, and how far below the middle their letter stands.
const SEATS = [
  { outline: (r) => box(r, r, r), low: 0 },
  { outline: (r) => box(r * 0.9, r * 0.9, r * 0.1), low: 0 },
  { outline: (r) => points([0, -r * 1.05], [r * 1.08, r * 0.85], [-r * 1.08, r * 0.85]), low: 0.28 },
  { outline: (r) => points([0, -r * 1.15], [r * 1.15, 0], [0, r * 1.15], [-r * 1.15, 0]), low: 0 },
];

// The outline of each shape, for half its width and half its height.
const OUTLINES = {
  rect: (w, h) => box(w, h, Math.min(w, h, 10) * 0.8),
  round: (w, h) => box(w, h, Math.min(w, h)),
  octagon: (w, h) => {
    const [a, b] = [w * 0.4142, h * 0.4142];
    return points([-a, -h], [a, -h], [w, -b], [w, b], [a, h], [-a, h], [-w, b], [-w, -b]);
  },
  hex: (w, h) => points([0, -h], [w, -h / 2], [w, h / 2], [0, h], [-w, h / 2], [-w, -h / 2]),
  arch: (w, h) => `M${-w} ${h}V${w - h}A${w} ${w} 0 0 1 ${w} ${w - h}V${h}Z`,
};

function box(w, h, r) {
  const arc = (x, y) => `a${r} ${r} 0 0 1 ${x} ${y}`;
  return `M${r - w} ${-h}H${w - r}${arc(r, r)}V${h - r}${arc(-r, r)}H${r - w}${arc(-r, -r)}V${r - h}${arc(r, -r)}Z`;
}

const colour = (name) => name && `var(--c-${name})`;
const readable = (name) => name ? `var(--on-${name}, var(--c-ink))` : "var(--c-ink)";

// One mark; `names` are the players' { name, short }, `icons` the pictograms' paths.
function drawn(mark, icons, names) {
  const { s: shape = "", x, y, w = 0, h = w, d: path, f: fill, e: edge, l: line = 2, b: dashed, p: pale, r: turn,
    t: text = "", z: size = 0, i: ink, o: bold, a: align, c: icon, u: seat, k: key, m: board, n: cell, q: answers } = mark;
  const outline = shape === "seat" ? SEATS[seat].outline(w / 2) : shape === "path" ? path : OUTLINES[shape]?.(w / 2, h / 2);
  const filled = shape === "seat" ? `seat${seat}` : fill;
  const letter = shape === "seat" ? text || names[seat].short : text || (seat === undefined ? "" : names[seat].name);
  const strong = bold || (outline && letter.length < 3);
  const wanted = size || Math.min(w, h) * (shape === "seat" ? 0.62 : 0.66);
  const high = w && letter ? Math.min(wanted, w * (outline ? 0.9 : 0.97) / broad(letter, strong)) : wanted;
  const written = colour(ink) ?? readable(filled);
  const symbol = Math.min(w, h || w) * (outline && shape !== "path" ? 0.62 : 1);
  return svg("g", { class: ["mark", pale && "pale", key && "thing"].filter(Boolean).join(" "), "data-key": key,
    "data-board": board, "data-cell": cell, "data-answers": answers?.join("|"),
    transform: `translate(${x} ${y})${turn ? ` rotate(${turn})` : ""}` },
  outline && svg("path", { d: outline, fill: colour(filled) ?? "none", stroke: colour(edge) ?? "none",
    "stroke-width": edge && line, "stroke-dasharray": dashed && `${3 * line} ${2 * line}`, "stroke-linejoin": "round" }),
  icon && svg("path", { class: "icon", d: icons[icon], fill: written,
    transform: `scale(${round(symbol / 24)}) translate(-12 -12)` }),
  letter && svg("text", { y: round(high * 0.35 + (shape === "seat" ? SEATS[seat].low * w / 2 : 0)), "font-size": high,
    fill: written, class: strong ? "strong" : null, "text-anchor": align || "middle" }, letter));
}

// The width of a text in the page's letters, in multiples of their size.
const pen = document.createElement("canvas").getContext("2d");
export function broad(text, strong = false) {
  pen.font = `${strong ? 700 : 400} 100px ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(text).width / 100;
}

// A panel as an SVG that fills its place.
export function panelOf({ name, title, width, height, marks, seat }, icons, names) {
  const label = seat === null ? title : `${title}: ${names[seat].name}`;
  return svg("svg", { class: "panel", viewBox: `0 0 ${width} ${height}`, "data-panel": name, "data-seat": seat, role: "group",
    "aria-label": label }, marks.map((mark) => drawn(mark, icons, names)));
}

// The outline of a seat's sign, `r` half its size, and the sign by itself, to stand in a line of text.
export const seatPath = (seat, r) => SEATS[seat % SEATS.length].outline(r);
export const seatClass = (seat) => `seat-${seat}`;
export const seatMark = (seat) => svg("svg", { class: `sign ${seatClass(seat)}`, viewBox: "-12 -12 24 24", "aria-hidden": "true" },
  svg("path", { d: seatPath(seat, 10) }));

// The colours of a game as a style sheet, each with its legible ink, black or white.
export function palette({ light, dark }) {
  const rules = (colours) => Object.entries(colours)
    .map(([name, hex]) => `--c-${name}:${hex};--on-${name}:${contrasting(hex)}`).join(";");
  return `:root{${rules(light)}}@media(prefers-color-scheme:dark){:root{${rules(dark)}}}`;
}

export function contrasting(hex) {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? "#141210" : "#ffffff";
}
