// The explanation of a number of the score: the entries that made it, in a dialog over the page.

import { button, element, find } from "./dom.js";
import { t } from "./words.js";

let dialog;

export function mount(place, store) {
  dialog = place;
  document.addEventListener("click", async (event) => {
    const number = event.target.closest?.("button[data-seat]");
    if (!number) return;
    const { seat, category, part } = number.dataset;
    const asked = category === undefined ? { seat } : { seat, category, part };
    const told = await store.ask(`match/points?${new URLSearchParams(asked)}`);
    if (told) show(told);
  });
}

function show({ name, category, points, made }) {
  dialog.replaceChildren(
    element("h2", { id: "why-title" }, t("why.title", { name, category, points })),
    made.length ? element("ol", {}, made.map((one) => element("li", {},
      element("p", {}, one.record ? `${one.record} ` : "", one.says),
      one.how.map((text) => element("p", { class: "quiet" }, text)))))
      : element("p", {}, t("why.none")),
    button(t("why.close"), () => dialog.close()));
  dialog.showModal();
  find("h2", dialog).scrollIntoView();
}
