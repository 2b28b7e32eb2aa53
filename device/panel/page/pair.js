// Taking a seat with this phone: choose it, then type the code that the box shows.

import { element, find } from "./dom.js";
import { seatMark } from "./scene.js";

let place, store, told = null, asked = null;

export function mount(at, from) {
  place = at;
  store = from;
  store.on("match", look);
}

// The seats that this phone acts for; null where everybody acts, or nobody.
export const own = () => told?.act === "paired" ? told.seats : null;

async function look(match) {
  remind(match);
  const answer = match && await fetch("pair");
  told = answer?.ok ? await answer.json() : null;
  if (asked === null || told?.seats.includes(asked)) {
    asked = null;
    show(match);
  }
}

// It is the turn of a seat of this phone: by the tab's name, and by a buzz where the browser lets it.
let called = false;

function remind(match) {
  const mine = match && !match.turn.over && (own() ?? []).some((seat) => seat === match.turn.seat || match.turn.left.includes(seat));
  if (mine && !called) navigator.vibrate?.(200);
  called = Boolean(mine);
  document.title = mine ? "● Your turn – Podestà" : "Podestà";
}

function show(match) {
  place.classList.toggle("sits", Boolean(told?.seats.length));
  place.hidden = told?.act !== "paired" || match.turn.over;
  if (place.hidden) return;
  const names = told.seats.map((seat) => match.players[seat].name).join(", ");
  const free = match.players.map((player, seat) => ({ ...player, seat })).filter(({ seat }) => !told.seats.includes(seat));
  const seats = element("ul", { class: "plain" }, free.map(({ name, seat }) => element("li", {}, ask(name, seat))));
  const first = element("p", {}, names ? `This phone acts for ${names}.` : "Who are you? This phone then acts for you.");
  place.replaceChildren(first, ...(names ? [element("details", {}, element("summary", {}, "Another seat"), seats)] : [seats]),
    element("p", { class: "quiet" }, "Not encrypted: whoever is on this network could listen."));
}

function ask(name, seat) {
  const made = element("button", { type: "button", class: "choose" }, seatMark(seat), ` I am ${name}`);
  made.addEventListener("click", async () => {
    if (!await store.post(`pair?seat=${seat}`)) return;
    asked = seat;
    typing(name);
  });
  return made;
}

function typing(name) {
  const input = element("input", { type: "text", inputmode: "numeric", autocomplete: "one-time-code", maxlength: 7, required: "", "aria-label": "Code" });
  const form = element("form", { class: "enter" }, element("label", {}, element("span", {}, `The code for ${name} that the box shows`), input),
    element("button", { class: "choose" }, "Sit down"));
  const leave = element("button", { type: "button", class: "choose quiet" }, "Not now");
  leave.addEventListener("click", () => {
    asked = null;
    show(store.get("match"));
  });
  form.append(leave);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!await store.post(`pair?code=${encodeURIComponent(input.value)}`)) {
      input.select();
      return;
    }
    asked = null;
    store.say(`You are ${name}.`);
    await look(store.get("match"));
    remind(store.get("match"));
    document.dispatchEvent(new Event("paired"));
  });
  place.replaceChildren(form);
  input.focus();
}
