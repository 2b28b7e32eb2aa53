// Taking a seat with this phone: choose it, then type the code that the box shows.

import { counts } from "./counting.js";
import { button, element } from "./dom.js";
import { seatMark } from "./scene.js";
import { list, t } from "./words.js";

let place, store, told = null, asked = null;

export function mount(at, from) {
  place = at;
  store = from;
  store.on("match", look);
  store.on("own", heard);
}

// The seats that this phone acts for; null if everybody or nobody acts.
export const own = () => told?.act === "paired" ? told.seats : null;

function heard(now) {
  const lost = (told?.seats ?? []).filter((seat) => !now?.seats.includes(seat)), was = told, match = store.get("match");
  told = now;
  if (match && lost.length && !match.turn.over) store.say(t("pair.over", { names: named(match, lost) }));
  if (was && was.seats.join() !== (now?.seats ?? []).join()) document.dispatchEvent(new Event("paired"));
  look(match);
}

const named = (match, seats) => list(seats.map((seat) => match.players[seat].name));

function look(match) {
  remind(match);
  if (asked === null || told?.seats.includes(asked)) {
    asked = null;
    show(match);
  }
}

// Announce a turn of, or question to, this phone's seat: by the tab's name, and, if the browser can, a buzz and a tone.
let called = false;

function remind(match) {
  const turn = match && !match.turn.over && (own() ?? []).some((seat) => seat === match.turn.seat || match.turn.left.includes(seat));
  const mine = Boolean(turn || told?.asks);
  if (mine && !called) {
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(200);
    tone();
  }
  called = mine;
  document.title = t(mine ? "pair.turn" : "title");
}

// A browser lets a page make sounds once somebody has tapped it.
let sound = null;

function tone() {
  if (sound?.state !== "running") return;
  const gain = new GainNode(sound, { gain: 0.1 }), note = new OscillatorNode(sound, { frequency: 660 });
  gain.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + 0.4);
  note.connect(gain).connect(sound.destination);
  note.start();
  note.stop(sound.currentTime + 0.4);
}

function sounding() {
  const made = button(t("pair.tone"), () => {
    if (sound) sound.close();
    sound = sound ? null : new AudioContext();
    made.setAttribute("aria-pressed", String(sound !== null));
  }, "quiet", { "aria-pressed": String(sound !== null) });
  return made;
}

function show(match) {
  if (!match) {
    place.hidden = true;
    return;
  }
  place.classList.toggle("sits", Boolean(told?.seats.length && !told.asks));
  place.hidden = told?.act !== "paired" || match.turn.over;
  if (place.hidden) return;
  const names = named(match, told.seats);
  const free = match.players.map((player, seat) => ({ ...player, seat })).filter(({ seat }) => !told.seats.includes(seat));
  const seats = element("ul", { class: "plain" }, free.map(({ name, seat }) => element("li", {}, ask(name, seat))));
  const first = element("p", {}, names ? t("pair.acts", { names }) : t("pair.who"));
  place.replaceChildren(...asks(), first, ...hands(match), ...(names ? [element("details", {}, element("summary", {}, t("pair.more")), seats, sounding())] : [seats]),
    element("p", { class: "quiet" }, t("pair.open")));
}

// Somebody else's entry, which counts once this phone's seat confirms it.
function asks() {
  if (!told.asks) return [];
  const say = (yes, label, kind) =>
    button(label, () => store.post(`match/confirm?${new URLSearchParams({ asks: told.asks, yes })}`), kind);
  return [element("section", { class: "aside", role: "alert" }, element("p", {}, told.asks), say(1, t("pair.yes"), "record"), say(0, t("pair.no"), "quiet"))];
}

// The hands of this phone's seats, for this phone alone: it shows gray the choices they rule out. An open one stays.
const drawers = new Map();

function hands(match) {
  return told.held.map((held, at) => {
    const seat = told.seats[at], had = drawers.get(seat);
    if (had?.whole.open && had.held === held) return had.whole;
    const whole = hand(seat, t(held ? "pair.hand" : "pair.untold", match.players[seat]));
    drawers.set(seat, { whole, held });
    return whole;
  });
}

function hand(seat, title) {
  const form = element("form", { class: "enter" }), whole = element("details", { class: "hand" }, element("summary", {}, title), form);
  whole.addEventListener("toggle", async () => {
    const told = whole.open && await store.ask(`match/hand?seat=${seat}`);
    if (!told) return;
    const { size, kinds } = told;
    const { shown, numbers } = counts({ least: size, most: size, counts: kinds.map(([, label, cap]) => ({ label, cap, start: 0 })) });
    form.replaceChildren(...shown, element("button", { class: "choose" }, t("pair.keep")));
    form.onsubmit = async (event) => {
      event.preventDefault();
      const words = numbers.flatMap((number, kind) => Array(number).fill(kinds[kind][0]));
      if (!await store.post(`match/hand?seat=${seat}`, words.join(",") || "-")) return;
      whole.open = false;
      document.dispatchEvent(new Event("paired"));
    };
  });
  return whole;
}

function ask(name, seat) {
  return button([seatMark(seat), " ", t("pair.i_am", { name })], async () => {
    if (!await store.post(`pair?seat=${seat}`)) return;
    asked = seat;
    typing(name);
  });
}

function typing(name) {
  const input = element("input", { type: "text", inputmode: "numeric", autocomplete: "one-time-code", maxlength: 7, required: "", "aria-label": t("pair.code") });
  const form = element("form", { class: "enter" }, element("label", {}, element("span", {}, t("pair.shows", { name })), input),
    element("button", { class: "choose" }, t("pair.sit")));
  form.append(button(t("pair.leave"), () => {
    asked = null;
    show(store.get("match"));
  }, "quiet"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!await store.post(`pair?code=${encodeURIComponent(input.value)}`)) {
      input.select();
      return;
    }
    asked = null;
    store.say(t("pair.you", { name }));
    store.again(); // the stream knows this phone by its first cookie
  });
  place.replaceChildren(form);
  input.focus();
}
