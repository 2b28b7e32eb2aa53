// The rules by word: of the current game, or of another. The address holds the search.

import { element, find } from "./dom.js";
import { t } from "./words.js";

const PAUSE_MS = 200; // between letters of a word

let panel, store, games = null, waiting = 0, game = "";

export function mount(place, told) {
  panel = place;
  store = told;
  const wanted = element("input", { type: "search", id: "rules-word", autocomplete: "off", maxlength: 60 });
  const which = element("select", { id: "rules-game" });
  panel.replaceChildren(element("section", { class: "card" },
    element("form", { class: "search", role: "search" },
      element("label", { for: "rules-word" }, t("rules.word")), wanted,
      element("label", { for: "rules-game" }, t("game")), which),
    element("p", { class: "quiet found", role: "status" }), element("div", { class: "clauses" })));
  find("form", panel).addEventListener("submit", (event) => event.preventDefault());
  wanted.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(search, PAUSE_MS);
  });
  which.addEventListener("change", () => {
    game = which.value;
    search();
  });
  window.addEventListener("hashchange", open);
  store.on("match", open);
}

async function open() {
  const [tab, word] = location.hash.slice(1).split("/");
  if (tab !== "rules") return;
  if (!games) {
    games = await store.ask("rules");
    if (!games) return;
    find("select", panel).replaceChildren(...Object.entries(games).map(([id, title]) => element("option", { value: id }, title)));
  }
  const played = Object.entries(games).find(([, title]) => title === store.get("match")?.game)?.[0];
  game = word && played ? played : game || played || Object.keys(games)[0];
  find("select", panel).value = game;
  if (word) find("input", panel).value = decodeURIComponent(word);
  search();
}

async function search() {
  const word = find("input", panel).value.trim();
  const told = await store.ask(`rules/${game}?${new URLSearchParams({ q: word })}`);
  if (!told || word !== find("input", panel).value.trim()) return;
  const { clauses, title } = told;
  const many = { n: clauses.length, game: title, word };
  find(".found", panel).textContent = word ? t("rules.found", many) : t("rules.many", many);
  const sections = new Map();
  for (const clause of clauses) sections.set(clause.section, [...(sections.get(clause.section) ?? []), clause]);
  find(".clauses", panel).replaceChildren(...[...sections].map(([section, ours]) => element("section", {},
    element("h2", {}, section),
    element("dl", {}, ours.flatMap((one) => [element("dt", {}, one.id), element("dd", {}, one.text)])))));
}
