// Teaching a camera a copy's pieces: what to lay out, what the camera sees now, and what it learnt or what is wrong.

import { element, find } from "./dom.js";

const SIDES = ["width", "height"];

let panel;


export function mount(place) {
  panel = place;
  panel.replaceChildren(element("details", {}, element("summary", {}, "Teach the camera"), element("div", { class: "lesson" })));
  find("details", panel).addEventListener("toggle", open);
}

async function open() {
  const place = find(".lesson", panel);
  if (!find("details", panel).open || place.children.length) return;
  const answer = await fetch("lessons");
  if (!answer.ok) return;
  const { act, lessons, none } = await answer.json();
  if (none || !act) {
    place.replaceChildren(element("p", { class: "quiet" }, none || "This page only looks on: teach it with the box's keys."));
    return;
  }
  const chosen = element("select", { id: "lesson" }, lessons.map(({ title }, at) => element("option", { value: at }, title)));
  const form = element("div");
  const show = () => form.replaceChildren(formOf(chosen.value, lessons[chosen.value]));
  chosen.addEventListener("change", show);
  place.replaceChildren(element("label", { for: "lesson" }, "What shall it learn?"), chosen, form);
  show();
}

function formOf(number, { lay, sizes }) {
  const says = element("p", { class: "says", role: "status" });
  const seen = element("img", { alt: "What the camera sees", hidden: "" });
  const look = element("button", { type: "button", class: "choose look" }, "Look");
  const buttons = [look, element("button", { class: "choose" }, "Take the picture")];
  const form = element("form", { class: "fact" }, element("p", {}, lay), sizes.map(sizeOf), seen, element("p", {}, buttons), says);
  const ask = async (sent) => {
    for (const button of buttons) button.disabled = true;
    says.textContent = "Taking the picture";
    try {
      const query = new URLSearchParams(sent === "POST" ? new FormData(form) : {});
      const answer = await fetch(`lessons/${number}?${query}`, { method: sent });
      const { says: said, picture } = answer.ok ? await answer.json() : { says: (await answer.text()).trim(), picture: "" };
      says.textContent = said;
      if (picture) seen.src = `data:image/jpeg;base64,${picture}`;
      seen.hidden = !picture;
    } catch {
      says.textContent = "The box does not answer.";
    }
    for (const button of buttons) button.disabled = false;
  };
  look.addEventListener("click", () => ask("GET"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask("POST");
  });
  return form;
}

function sizeOf([name, what, usual]) {
  return element("fieldset", { class: "sizes" }, element("legend", {}, `${what}, in mm`), SIDES.map((side, at) =>
    element("label", {}, `${side} `, element("input", { type: "number", name, min: 2, max: 1000, step: "any", required: usual ? null : "",
      placeholder: usual ? usual[at] : null, class: "mm" }))));
}
