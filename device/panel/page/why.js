// Why a number of the score is what it is: the entries that made it, in a dialog over the page.

import { element, find } from "./dom.js";

let dialog;

export function mount(place, store) {
  dialog = place;
  document.addEventListener("click", async (event) => {
    const number = event.target.closest?.("button[data-seat]");
    if (!number) return;
    const { seat, category, part } = number.dataset;
    const asked = category === undefined ? { seat } : { seat, category, part };
    const answer = await fetch(`match/points?${new URLSearchParams(asked)}`);
    if (answer.ok) show(await answer.json());
    else store.say((await answer.text()).trim());
  });
}

function show({ name, category, points, made }) {
  const close = element("button", { type: "button", class: "choose" }, "Close");
  close.addEventListener("click", () => dialog.close());
  dialog.replaceChildren(
    element("h2", { id: "why-title" }, `${name}, ${category}: why ${points}?`),
    made.length ? element("ol", {}, made.map((one) => element("li", {},
      element("p", {}, one.number ? `${one.number} ` : "", one.says),
      one.how.map((text) => element("p", { class: "quiet" }, text)))))
      : element("p", {}, "No entry has changed these points."),
    close);
  dialog.showModal();
  find("h2", dialog).scrollIntoView();
}
