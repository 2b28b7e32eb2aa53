// The table as the referee believes it: the players with their scores, the turn, all pieces, and the
// last entry.
//
// Pieces and spaces can be tapped, by finger or Enter: the panel then has a bubbling event "tap" whose detail is the
// element's data: { board, cell }, { answers } (of questions, each "question token"), or { zone, seat, piece } in a game
// without a drawn table. `mark` shows the playable ones.

import { all, element, find } from "./dom.js";
import { bandOf, mainOf, modeOf, onTelevision, packed, unitOf } from "./layout.js";
import { beside, rowsOf } from "./rows.js";
import { palette, panelOf, seatMark } from "./scene.js";
import { list, parts, t } from "./words.js";

const TAPPABLE = "[data-cell], [data-piece], [data-answers]";
const AWAKE_MS = 12000; // a television shows its menu for so long after a touch

let panel, store, match = null, past = null, marked = null, ghost = null, asks = null, notes = [];
let drawing = null, shown = new Map(); // the game's colours and pictograms; panels by their place in the scene

export function mount(place, told) {
  panel = place;
  store = told;
  store.on("match", show);
  store.on("state", (state) => {
    showCrop(state);
    const { unsaved, asking } = state.status, was = notes;
    notes = [unsaved, asking];
    if (String(was) !== String(notes) && match) showStrip();
  });
  panel.addEventListener("click", (event) => tap(event.target.closest?.(TAPPABLE)));
  panel.addEventListener("keydown", useKeys);
  find("#others", panel).addEventListener("click", ({ target }) => {
    target.setAttribute("aria-expanded", String(panel.classList.toggle("all-shown")));
  });
  find("#foot", panel).addEventListener("click", (event) => event.target.closest(".entry") && replay());
  new ResizeObserver(fitStrip).observe(document.body);
  for (const place of [document.body, find("#play", panel)]) new ResizeObserver(arrange).observe(place);
  let asleep = 0;
  for (const event of ["pointermove", "pointerdown", "keydown"]) {
    document.addEventListener(event, () => {
      document.body.classList.add("awake");
      clearTimeout(asleep);
      asleep = setTimeout(() => document.body.classList.remove("awake"), AWAKE_MS);
    }, { passive: true });
  }
}

// Mark the playable cells and pieces, by these names, and things that answer `question` by one of `tokens`;
// null takes all marks away. The answer to `chosen` is the latest one, which waits for its record.
export function mark(may, chosen = null) {
  marked = may;
  ghost = chosen;
  const open = past ? null : may, waiting = past ? null : chosen; // the past is not playable
  let stop = null; // Tab stops at one space of a board, arrow keys lead on
  for (const one of all(TAPPABLE, panel)) {
    const can = open !== null && answering(one, open), waits = waiting !== null && answering(one, waiting);
    const space = one.dataset.cell !== undefined, says = one.dataset.says ?? (can || waits ? named(one, waiting ?? open) : "");
    one.classList.toggle("may", can);
    one.classList.toggle("ghost", waits);
    one.setAttribute("role", says ? (open || waits ? "button" : "img") : "presentation");
    if (says) one.setAttribute("aria-label", waits || can ? t(waits ? "table.waits" : "table.can", { what: says }) : says);
    one.setAttribute("tabindex", (can || waits) && !space ? "0" : "-1");
    if (space && (!stop || (waits && !stop.classList.contains("ghost")) || (can && !stop.matches(".may, .ghost")))) stop = one;
  }
  stop?.setAttribute("tabindex", "0");
}

const tokensOf = (one, question) => (one.dataset.answers ?? "").split("|").filter((answer) => answer.startsWith(`${question} `))
  .map((answer) => answer.slice(question.length + 1));

function answering(one, { names, board, question, tokens }) {
  const { cell, piece } = one.dataset;
  if (cell && one.dataset.board === board && names.has(cell)) return true;
  if (piece && names.has(piece)) return true;
  return tokensOf(one, question).some((token) => tokens.has(token));
}

function named(one, { question, tokens }) {
  const token = tokensOf(one, question).find((answer) => tokens.has(answer));
  return one.dataset.cell ?? tokens.get?.(token) ?? token ?? "";
}

// The turn for a screen reader: the last entry, orders for hands, the question.
export function spoken({ last, turn }) {
  const made = last ? [last.said, ...last.hands, ...last.news] : [];
  const asked = turn.question ? `${turn.who}: ${turn.question}` : turn.who;
  return [...made, turn.halted, asked, ...turn.about].filter(Boolean).map(sentence).join(" ");
}

const sentence = (text) => /[.!?…。？]$/.test(text) ? text : t("sentence", { text });

function tap(one) {
  if (one && !past) one.dispatchEvent(new CustomEvent("tap", { bubbles: true, detail: { ...one.dataset, ghost: one.classList.contains("ghost") } }));
}

// Show the question in the midst of a step; null: the match's own.
export function asking(text) {
  if (asks === text) return;
  asks = text;
  if (match) showStrip();
}

// Show the table after some entries (/match/at), without any input; null leads back to now.
export function showPast(told) {
  past = told;
  document.body.classList.toggle("in-past", past !== null);
  if (!match) return;
  showStrip();
  draw();
}

function show(now) {
  if (now?.entries.length !== match?.entries.length) asks = null;
  match = now;
  past = null;
  document.body.classList.remove("in-past");
  panel.classList.toggle("drawn", Boolean(match?.scene));
  if (!match) {
    shown = new Map();
    find("#strip", panel).replaceChildren(element("li", { class: "card" }, parts("table.begin", { box: element("a", { href: "#box" }, t("table.box")) })));
    for (const part of ["#scene", "#lies", "#foot", "#last"]) find(part, panel).replaceChildren();
    return;
  }
  showStrip();
  find("#foot", panel).replaceChildren(...footOf(match));
  find("#last", panel).replaceChildren(...lastOf(match));
  panel.classList.toggle("boarded", match.boards.length > 0);
  draw();
  showCrop(store.get("state"));
}

function draw() {
  const scene = past ? past.scene : match.scene;
  if (scene) drawScene(scene);
  else {
    const at = document.activeElement?.dataset, focused = at?.cell && `[data-board="${at.board}"][data-cell="${at.cell}"]`;
    find("#scene", panel).replaceChildren();
    find("#lies", panel).replaceChildren(...rowsOf(match));
    if (focused) find(focused, panel)?.focus();
  }
  if (!scene) mark(marked, ghost);
}

// The strip: the player to move first and large, then the others in the order of their turns

function showStrip() {
  find("#strip", panel).replaceChildren(...stripOf(past ? stood(past) : match));
  fitStrip();
}

// The strip of a past table: its last entry, and the points.
const stood = ({ record, said, points }) => ({ ...match, last: null, score: { places: points.map((one, seat) => ({ seat, points: one })) },
  turn: { who: t("past.at", { n: record }), question: said, about: [], left: [], over: true } });

function stripOf({ players, turn, score, last }) {
  const points = new Map(score.places.map((place) => [place.seat, place.points]));
  const first = turn.acting ?? turn.seat ?? 0, together = turn.left.length > 0;
  const order = players.map((_, at) => (first + at) % players.length);
  const what = element("div", { class: "what" }, [notes[0], turn.halted].map((text) => text && element("p", { class: "halted" }, text)),
    notes[1] && element("p", { class: "asking" }, notes[1]),
    element("h2", { class: "asks" }, !past && asks || turn.question || match.game), element("p", { class: "hands" }, handsOf(last, turn)));
  const tile = (seat, kind, ...more) => element("li", { class: `tile ${kind}`, "data-seat": seat }, signOf(seat),
    element("span", { class: "name" }, players[seat].name), ...more, element("strong", { class: "score" }, points.get(seat)));
  if (together || turn.over) {
    const title = turn.over ? turn.who : t("table.all");
    return [element("li", { class: "tile mover" }, element("span", { class: "name" }, title), what),
      ...players.map((_, seat) => tile(seat, "other", together && element("span", { class: "next" }, t(turn.left.includes(seat) ? "table.chooses" : "table.done"))))];
  }
  return [element("li", { class: "tile mover", "data-seat": first, "aria-current": "true" }, signOf(first),
    element("span", { class: "name" }, players[first].name), element("strong", { class: "score" }, points.get(first)), what),
  ...order.slice(1).map((seat, at) => tile(seat, "other", at === 0 && players.length > 2 && element("span", { class: "next" }, t("table.next"))))];
}

// Names and questions without room in a tile get smaller, down to half.
function fitStrip() {
  for (const tile of all(".tile", find("#strip", panel))) {
    const name = find(".name", tile);
    shrink(name, () => name.scrollWidth > name.clientWidth);
    for (const what of all(".what", tile)) shrink(what, () => tile.scrollHeight > tile.clientHeight);
  }
}

function shrink(part, crowded) {
  part.style.removeProperty("--fit");
  for (let size = 0.95; size >= 0.5 && crowded(); size -= 0.05) part.style.setProperty("--fit", size);
}

const signOf = (seat) => {
  const sign = seatMark(seat);
  return element("span", { class: "sign-of" }, sign, element("b", { "aria-hidden": "true" }, match.players[seat].short));
};

// Orders for hands after the last entry; otherwise the subject of the question.
function handsOf(last, turn) {
  const told = last ? [...last.hands, ...last.news] : [];
  return list(turn.over ? [...turn.about, ...told] : [...told, ...turn.about], "row");
}

function footOf({ game, scene, last, entries, sample }) {
  return [element("strong", {}, scene?.when ? list([game, scene.when]) : game),
    last ? element("button", { type: "button", class: "entry", title: t("table.again") }, element("i", { "aria-hidden": "true" }), last.said) : null,
    store.simulated && element("strong", { class: "badge simulated" }, t("simulated")), sample && element("strong", { class: "badge" }, t("sample")),
    element("span", { class: "steps" }, t("table.number", { n: entries.at(-1) ?? 0 }))].filter(Boolean);
}

function lastOf({ last, turn, entries }) {
  return [turn.about.map((text) => element("p", { class: "about" }, text)),
    last && [element("h3", {}, t("table.recorded", { n: entries.at(-1) })), element("p", {}, last.said),
      element("ul", {}, [...last.hands, ...last.news].map((text) => element("li", {}, text)))]].flat(2).filter(Boolean);
}

// The drawn table

async function drawScene(scene) {
  if (drawing?.game !== scene.game) {
    const told = await store.ask(`drawing/${scene.game}`);
    if (!told || (past ? past.scene : match?.scene) !== scene) return;
    drawing = { ...told, game: scene.game };
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(palette(drawing));
    document.adoptedStyleSheets = [sheet];
    shown = new Map();
  }
  const place = find("#scene", panel), changed = new Set(scene.changed), next = new Map();
  const before = positions();
  for (const [at, one] of facesOf(scene, panel.dataset.mode).entries()) {
    const rings = one.marks.map((each) => each.k).filter((key) => changed.has(key)).join(" ");
    const look = JSON.stringify([one, rings]), had = shown.get(at);
    if (had?.look === look) {
      next.set(at, { ...had, panel: one });
      continue;
    }
    const drawn = panelOf(one, drawing.icons, match.players);
    for (const thing of all(".thing", drawn)) thing.classList.toggle("changed", changed.has(thing.dataset.key));
    for (const cell of all("[data-cell]", drawn)) cell.dataset.says = saying(cell.dataset);
    next.set(at, { panel: one, look, drawn });
  }
  find("#lies", panel).replaceChildren();
  place.replaceChildren(...[...next.values()].map(({ drawn }) => drawn));
  shown = next;
  doubt();
  mark(marked, ghost);
  arrange();
  travel(before);
}

// The panels' look in this mode.
const facesOf = ({ panels }, mode) => panels.map((one) => mode === "tablet" && one.tablet || one);

// The panels of a table for a television, drawn anew.
export const televised = (scene) => scene.panels.map((one) => panelOf(one, drawing.icons, match.players));

// A space of a board in words: its name and what stands there.
function saying({ board, cell: name }, other) {
  const cell = match.boards.find((one) => one.name === board)?.cells.find((one) => one?.name === name);
  return list([name, cell?.height ? t("height", { n: cell.height }) : "", cell?.stands, cell?.changed && t("changed"), other && t("doubt")].filter(Boolean));
}

// Spaces that a sensor sees differently.
function doubt() {
  const doubtful = new Set(match.drift.flatMap(({ board, cells }) => cells.map((cell) => `${board} ${cell}`)));
  for (const cell of all("#scene [data-cell]", panel)) {
    const { board, cell: name } = cell.dataset, other = doubtful.has(`${board} ${name}`);
    cell.classList.toggle("doubtful", other);
    if (other !== cell.dataset.says.endsWith(t("doubt"))) cell.dataset.says = saying(cell.dataset, other);
    cell.setAttribute("aria-label", cell.dataset.says);
  }
}

// The places of things by key, and by kind, which is the key without its last word.

function positions() {
  const found = new Map();
  for (const { panel: one } of shown.values()) for (const { k: key, x, y } of one.marks) if (key) found.set(key, { x, y, of: one.name + one.seat });
  return found;
}

const MOVE_MS = 350, APART_MS = 80, LONGEST_MS = 1200;

// A new thing comes from the place of a gone one of its kind.
function travel(before) {
  if (!before.size || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const now = positions(), stem = (key) => key.slice(0, key.lastIndexOf(":"));
  const gone = [...before].filter(([key]) => !now.has(key));
  let moved = 0;
  for (const thing of all(".thing.changed", find("#scene", panel))) {
    const key = thing.dataset.key, to = now.get(key);
    if (!to || before.has(key) || moved * APART_MS > LONGEST_MS - MOVE_MS) continue;
    const from = gone.find(([old, place]) => stem(old) === stem(key) && place.of === to.of)?.[1];
    const frames = from ? { translate: [`${from.x - to.x}px ${from.y - to.y}px`, "0 0"] } : { opacity: [0, 1] };
    thing.animate(frames, { duration: MOVE_MS, delay: APART_MS * moved++, easing: "ease-out", fill: "backwards" });
  }
}

// The last entry once more.
function replay() {
  const things = all(".thing.changed", find("#scene", panel));
  for (const [at, thing] of things.entries()) {
    thing.animate({ opacity: [0, 1, 0, 1] }, { duration: 2 * MOVE_MS, delay: Math.min(APART_MS * at, LONGEST_MS) });
  }
}

function arrange() {
  const scene = past ? past.scene : match?.scene, place = find("#scene", panel);
  if (!scene || !shown.size || panel.hidden) return;
  const wide = document.documentElement.clientWidth, high = window.innerHeight, mode = modeOf(wide);
  const was = panel.dataset.mode, panels = facesOf(scene, mode);
  panel.dataset.mode = mode;
  if (facesOf(scene, was).some((one, at) => one !== panels[at])) return drawScene(scene);
  const acting = match.turn.acting ?? match.turn.seat, main = mainOf(panels, acting);
  for (const { panel: one, drawn } of shown.values()) {
    drawn.classList.toggle("main", one === main);
    drawn.classList.toggle("celled", one.marks.some((each) => each.n));
    drawn.classList.toggle("mover", one.seat !== null && one.seat === acting);
    drawn.classList.toggle("fresh", one !== main && all(".changed", drawn).length > 0);
  }
  let places = panels.map(() => null), size = null;
  if (mode === "television") {
    const unit = unitOf(wide, high);
    places = onTelevision(panels, unit);
    size = bandOf(unit);
    const [x, y, width, height] = scene.free;
    put(find(".drift", panel), width ? { left: x * unit, top: y * unit, width: width * unit, height: height * unit } : null);
  } else if (mode === "tablet") {
    put(find(".drift", panel), null);
    const top = place.getBoundingClientRect().top + window.scrollY, room = Math.max(300, high - top - find("#foot", panel).offsetHeight - 14);
    const across = place.parentElement.clientWidth, width = Math.min(across * 0.56, room * main.width / main.height);
    const left = width + 10, right = across - left, used = Math.min(find(".now", panel).scrollHeight, room * 0.55);
    find(".now", panel).style.maxHeight = `${room * 0.55}px`;
    put(find(".now", panel), { left, top: 0, width: right, height: null });
    const rest = panels.filter((one) => one !== main);
    const others = packed(rest, right, room - used - 10);
    places = panels.map((one) => one === main ? { left: 0, top: 0, width, height: width * main.height / main.width }
      : moved(others[rest.indexOf(one)], left, used + 10));
    size = { width: across, height: room };
  }
  if (mode !== "tablet") {
    put(find(".now", panel), null);
    find(".now", panel).style.maxHeight = "";
  }
  place.style.width = size ? `${size.width}px` : "";
  place.style.height = size ? `${size.height}px` : "";
  for (const [at, { drawn }] of shown) put(drawn, places[at]);
}

const moved = ({ left, top, width, height }, dx, dy) => ({ left: left + dx, top: top + dy, width, height });

function put(one, place) {
  for (const side of ["left", "top", "width", "height"]) one.style[side] = place && place[side] !== null ? `${place[side]}px` : "";
}

// Differences that a sensor saw, with its picture

function showCrop(state) {
  const figure = find(".drift", panel);
  if (!match) {
    figure.hidden = true;
    return;
  }
  const crop = state?.status.asked?.crop, said = match.drift.flatMap((one) => one.says);
  figure.hidden = !crop && !said.length;
  figure.replaceChildren(...element("div", {},
    element("h3", {}, t("table.drift")),
    crop && element("img", { src: `data:image/png;base64,${crop}`, alt: t("table.crop") }),
    element("ul", {}, said.map((text) => element("li", {}, text))),
    element("p", { class: "quiet" }, t("table.which"))).childNodes);
}

// Keys: Enter taps, arrows lead to the next tappable thing in that direction

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function useKeys(event) {
  const at = event.target.closest?.(TAPPABLE);
  if (!at) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    tap(at);
    return;
  }
  if (!(event.key in WAYS)) return;
  const next = at.matches(".cell") ? beside(at, WAYS[event.key]) : towards(at, WAYS[event.key]);
  event.preventDefault();
  if (!next) return;
  at.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
}

function towards(at, [dx, dy]) {
  const middle = (one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const [x, y] = middle(at);
  const found = all(at.dataset.cell ? `#scene [data-board="${at.dataset.board}"]` : ".may, .ghost", panel).filter((one) => one !== at).map((one) => {
    const [to, down] = middle(one), along = (to - x) * dx + (down - y) * dy, aside = Math.abs((to - x) * dy) + Math.abs((down - y) * dx);
    return { one, along, cost: along + 2 * aside };
  }).filter(({ along }) => along > 1);
  return found.sort((one, other) => one.cost - other.cost)[0]?.one;
}
