// Earlier states of the table: a slider over the entries of the match.

import { element, find } from "./dom.js";
import { showPast } from "./table.js";
import { t } from "./words.js";

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

// An entry's number, which opens the table after that entry.
export function looking(record, n) {
  const made = element("button", { type: "button", class: "number", "aria-label": t("after", { n: record }) }, record);
  made.addEventListener("click", () => {
    location.hash = "#table";
    look(n);
  });
  return made;
}

async function look(n) {
  const mine = ++asked, told = await store.ask(`match/at/${n}`);
  if (!told || mine !== asked) return; // the slider has gone on
  const { entries } = store.get("match"), slider = find("input", bar);
  bar.hidden = false;
  slider.max = entries.length;
  slider.value = n;
  find("output", bar).replaceChildren(t("past.of", { n: told.record, last: entries.at(-1) ?? 0 }));
  showPast(told);
}
