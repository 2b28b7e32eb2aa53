// The deciding entries of a finished match, everybody's thinking time, and the last table as a picture to keep.

import { button, element, svg } from "./dom.js";
import { looking } from "./past.js";
import { seatMark } from "./scene.js";
import { televised } from "./table.js";
import { t } from "./words.js";

let place, store;

export function mount(at, told) {
  place = at;
  store = told;
  store.on("match", show);
}

async function show(match) {
  place.hidden = !match?.turn.over;
  if (place.hidden) return;
  const told = await store.ask("match/ending");
  if (!told || store.get("match") !== match) return;
  const { moments, thought } = told, named = (seat) => match.players[seat].name;
  const stands = (seat, by) => seat === null ? t("ending.level") : t("ending.ahead", { name: named(seat), n: by });
  const opened = moments.map(({ entries, record, says, leader_before: led, lead_before: by, leader, lead }) => {
    return element("li", {}, looking(record, entries), " ", t("ending.swing", { says, before: stands(led, by), after: stands(leader, lead) }));
  });
  place.replaceChildren(...[element("h2", {}, t("ending.decided")),
    opened.length ? element("ul", { class: "plain" }, opened) : element("p", { class: "quiet" }, t("ending.never")),
    thought.some(Boolean) && element("h2", {}, t("ending.time")),
    thought.some(Boolean) && element("ul", { class: "plain" }, thought.map((ms, seat) =>
      element("li", {}, seatMark(seat), ` ${named(seat)}: ${minutes(ms)}`))),
    match.scene && element("p", {}, button(t("ending.picture"), () => download(match)))].filter(Boolean));
}

const minutes = (ms) => `${Math.floor(ms / 60000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}`;

// The drawn table under everybody's score, as a PNG: no colour of the page reaches a picture, so each is put in.

const WIDE = 1920, HIGH = 1012, TOP = 160;

async function download({ scene, players, score, game }) {
  const look = getComputedStyle(document.documentElement), value = (name) => look.getPropertyValue(name).trim();
  const panels = televised(scene).map((drawn, at) => {
    const { x, y, width, height, scale } = scene.panels[at];
    for (const [name, one] of Object.entries({ x: x + 16, y: y + TOP, width: width * scale, height: height * scale })) drawn.setAttribute(name, one);
    drawn.prepend(svg("rect", { width, height, rx: 18, fill: "var(--c-card)" }));
    return drawn;
  });
  const points = new Map(score.places.map((one) => [one.seat, one.points]));
  const names = players.map(({ name }, seat) => svg("text", { x: 40 + seat * 1840 / players.length, y: 100, "font-size": 54, "font-weight": 700, fill: "var(--text)" }, `${name} ${points.get(seat)}`));
  const drawn = svg("svg", { width: WIDE, height: HIGH, "font-family": "sans-serif" }, svg("rect", { width: "100%", height: "100%", fill: "var(--ground)" }), names, panels);
  const whole = new XMLSerializer().serializeToString(drawn).replace(/var\((--[\w-]+)(?:, var\((--[\w-]+)\))?\)/g, (_, name, other) => value(name) || value(other ?? name));
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(whole)}`;
  await image.decode();
  const canvas = element("canvas", { width: WIDE, height: HIGH });
  canvas.getContext("2d").drawImage(image, 0, 0);
  canvas.toBlob((blob) => {
    const link = element("a", { href: URL.createObjectURL(blob), download: `${game}.png` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }, "image/png");
}
