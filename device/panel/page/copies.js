// Facts printed on the owner's copies: plain fields, and boards of hexes to paint. The box checks and keeps them.

import { choice, element, find, meanings } from "./dom.js";
import { t } from "./words.js";

const UNPAINTED = "·";

let panel, store;

export function mount(place, told) {
  panel = place;
  store = told;
  panel.replaceChildren(element("details", {}, element("summary", {}, t("copies.title")),
    element("label", { for: "copies-game" }, t("game")), element("select", { id: "copies-game" }),
    element("div", { class: "facts" })));
  find("details", panel).addEventListener("toggle", open);
  find("select", panel).addEventListener("change", show);
}

async function open() {
  if (!find("details", panel).open || find("option", panel)) return;
  const games = await store.ask("copies");
  if (!games) return;
  find("select", panel).replaceChildren(...Object.entries(games).map(([id, title]) => element("option", { value: id }, title)));
  show();
}

async function show() {
  const game = find("select", panel).value;
  const told = await store.ask(`copies/${game}`);
  if (!told || game !== find("select", panel).value) return;
  const { act, sample, problems, facts } = told;
  find(".facts", panel).replaceChildren(...[
    sample && element("strong", { class: "badge" }, t("sample")),
    problems.length > 0 && element("ul", {}, problems.map((one) => element("li", {}, one))),
    !act && element("p", { class: "quiet" }, t("copies.look")),
    ...facts.map((fact) => formOf(game, fact, act)),
  ].filter(Boolean));
}

function formOf(game, fact, act) {
  const id = `fact-${fact.name}`;
  const one = fact.words.length > 0 && !fact.several, about = { id, "aria-describedby": `${id}-about` };
  const field = one ? choice([["", t("copies.standing.unknown")], ...fact.words], { ...about, disabled: act ? null : "" })
    : element("input", { ...about, readonly: act ? null : "", autocomplete: "off", maxlength: 400 });
  field.value = fact.value;
  const standing = element("span", { class: "quiet" }, t(`copies.standing.${fact.standing}`));
  const says = element("p", { class: "says", role: "status" });
  const hexes = fact.signs.length ? painter(fact, field, act) : null;
  const form = element("form", { class: "fact", "data-fact": fact.name }, element("label", { for: id }, fact.label), standing,
    element("p", { class: "quiet", id: `${id}-about` }, fact.about), hexes, field, fact.several && meanings(fact.words),
    act && element("button", { class: "choose" }, t("copies.keep")), says);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const answer = await fetch(`copies/${game}/${fact.name}?${new URLSearchParams({ value: field.value })}`, { method: "POST" });
    if (!answer.ok) {
      says.textContent = (await answer.text()).trim();
      return;
    }
    const kept = await answer.json();
    field.value = kept.value;
    standing.textContent = t(`copies.standing.${kept.standing}`);
    says.textContent = t(kept.value ? "copies.kept" : "copies.forgot");
    field.dispatchEvent(new Event("input"));
  });
  return form;
}

// Choose a kind, tap hexes: the field has a letter for each, and can be typed in, too.
function painter({ name, label, signs, rows }, field, act) {
  const words = Object.fromEntries(signs);
  const count = rows.reduce((sum, [, length]) => sum + length, 0);
  let at = 0;
  const cells = rows.map(([begin, length], row) => element("div", { class: `hexes begin-${begin}` },
    Array.from({ length }, (_, n) => {
      const number = at++;
      const hex = element("button", { type: "button", class: "hex", "data-hex": number, disabled: act ? null : "" });
      hex.addEventListener("click", () => {
        const kind = find(`input[name="kind-${name}"]:checked`, palette).value;
        const painted = [...field.value.padEnd(count, UNPAINTED)];
        painted[number] = kind;
        field.value = painted.join("");
        draw();
      });
      return hex;
    })));
  const palette = element("fieldset", { class: "kinds" }, element("legend", {}, t("copies.kind")),
    signs.map(([sign, said], n) => element("label", { class: `tint-${sign}` },
      element("input", { type: "radio", name: `kind-${name}`, value: sign, checked: n ? null : "" }), `${sign.toUpperCase()} ${said}`)));
  const draw = () => {
    for (const hex of cells.flatMap((row) => [...row.children])) {
      const sign = field.value[hex.dataset.hex] ?? UNPAINTED;
      hex.className = `hex tint-${sign in words ? sign : "none"}`;
      hex.textContent = sign in words ? sign.toUpperCase() : UNPAINTED;
      hex.setAttribute("aria-label", t("copies.hex", { label, n: Number(hex.dataset.hex) + 1, kind: words[sign] ?? t("copies.bare") }));
    }
  };
  field.addEventListener("input", draw);
  draw();
  return element("details", { class: "painter" }, element("summary", {}, t("copies.paint")), act && palette,
    element("div", { class: "region" }, cells));
}
