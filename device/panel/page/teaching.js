// Teaching a camera a copy's pieces: the pieces to lay out, the camera's picture, and the result.

import { button, element, find } from "./dom.js";
import { t } from "./words.js";

let panel;

export function mount(place) {
  panel = place;
  panel.replaceChildren(element("details", {}, element("summary", {}, t("teach.title")), element("div", { class: "lesson" })));
  find("details", panel).addEventListener("toggle", open);
}

async function open() {
  const place = find(".lesson", panel);
  if (!find("details", panel).open || place.children.length) return;
  const answer = await fetch("lessons");
  if (!answer.ok) return;
  const { act, lessons, none } = await answer.json();
  if (none || !act) {
    place.replaceChildren(element("p", { class: "quiet" }, none || t("teach.look_only")));
    return;
  }
  const chosen = element("select", { id: "lesson" }, lessons.map(({ title }, at) => element("option", { value: at }, title)));
  const form = element("div");
  const show = () => form.replaceChildren(formOf(chosen.value, lessons[chosen.value]));
  chosen.addEventListener("change", show);
  place.replaceChildren(element("label", { for: "lesson" }, t("teach.what")), chosen, form);
  show();
}

function formOf(number, { lay, sizes }) {
  const says = element("p", { class: "says", role: "status" });
  const seen = element("img", { alt: t("teach.seen"), hidden: "" });
  const look = button(t("teach.look"), () => ask("GET"), "look");
  const buttons = [look, element("button", { class: "choose" }, t("teach.take"))];
  const form = element("form", { class: "fact" }, element("p", {}, lay), sizes.map(sizeOf), seen, element("p", {}, buttons), says);
  const ask = async (sent) => {
    for (const one of buttons) one.disabled = true;
    says.textContent = t("teach.taking");
    try {
      const query = new URLSearchParams(sent === "POST" ? new FormData(form) : {});
      const answer = await fetch(`lessons/${number}?${query}`, { method: sent });
      const { says: said, picture } = answer.ok ? await answer.json() : { says: (await answer.text()).trim(), picture: "" };
      says.textContent = said;
      if (picture) seen.src = `data:image/jpeg;base64,${picture}`;
      seen.hidden = !picture;
    } catch {
      says.textContent = t("teach.silent");
    }
    for (const one of buttons) one.disabled = false;
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask("POST");
  });
  return form;
}

function sizeOf([name, what, usual]) {
  return element("fieldset", { class: "sizes" }, element("legend", {}, t("teach.mm", { what })), [t("teach.width"), t("teach.height")].map((side, at) =>
    element("label", {}, `${side} `, element("input", { type: "number", name, min: 2, max: 1000, step: "any", required: usual ? null : "",
      placeholder: usual ? usual[at] : null, class: "mm" }))));
}
