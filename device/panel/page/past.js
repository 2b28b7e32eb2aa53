// The table as it stood: a slider over the entries of the match.

import { element, find } from "./dom.js";
import { showPast } from "./table.js";

let bar, store, asked = 0;

export function mount(place, told) {
  bar = place;
  store = told;
  store.on("match", () => (bar.hidden = true));
  find("input", bar).addEventListener("input", ({ target }) => look(Number(target.value)));
  find("button", bar).addEventListener("click", () => {
    asked++;
    bar.hidden = true;
    showPast(null);
  });
}

// Open the table as it stood after entry n.
export function lookBack(n) {
  location.hash = "#table";
  look(n);
}

async function look(n) {
  const mine = ++asked, answer = await fetch(`match/at/${n}`);
  if (mine !== asked) return; // the slider has gone on
  if (!answer.ok) {
    store.say((await answer.text()).trim());
    return;
  }
  const told = await answer.json(), { players, steps } = store.get("match"), slider = find("input", bar);
  bar.hidden = false;
  slider.max = steps;
  slider.value = n;
  find("output", bar).replaceChildren(`${n} of ${steps}: ${told.said} `,
    element("strong", {}, players.map(({ name }, seat) => `${name} ${told.points[seat]}`).join(", ")));
  showPast(told);
}
