// The table as it stood: a slider over the entries of the match.

import { element, find } from "./dom.js";
import { showPast } from "./table.js";
import { list, t } from "./words.js";

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

// A number of the record that opens the table as it stood after entry n.
export function looking(number, label, n = number) {
  const made = element("button", { type: "button", class: "number", "aria-label": label }, number);
  made.addEventListener("click", () => {
    location.hash = "#table";
    look(n);
  });
  return made;
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
  find("output", bar).replaceChildren(t("past.at", { n, steps, said: told.said }), " ",
    element("strong", {}, list(players.map(({ name }, seat) => `${name} ${told.points[seat]}`))));
  showPast(told);
}
