// The entries of this match with the score after each, past matches, and each player's figures.

import { element, find, wide } from "./dom.js";
import { looking } from "./past.js";
import { list, moment, t } from "./words.js";

let panel, store, told = null;

export function mount(place, from) {
  panel = place;
  store = from;
  window.addEventListener("hashchange", open);
  store.on("match", open);
}

async function open() {
  const [tab, file] = location.hash.slice(1).split("/");
  if (tab !== "history") return;
  const match = store.get("match");
  told = await store.ask("matches");
  if (!told) return;
  const entries = (file || match) && await store.ask(file ? `matches/${file}` : "match/history");
  const past = file && told.results.find((one) => one.file === decodeURIComponent(file));
  const shown = [entries && entriesOf(entries, past ? nameOf(past) : t("history.this"), past)];
  if (past) shown.unshift(element("p", {}, element("a", { href: "#history" }, t("history.all"))));
  else shown.push(pastOf(), playersOf());
  panel.replaceChildren(...shown.filter(Boolean));
}

const nameOf = ({ names, began_ms: began, date, game }) => t("history.match", { game: told.titles[game] ?? game,
  names: names.join(" – "), when: began ? moment(began, { dateStyle: "medium", timeStyle: "short" }) : date });

function table(heads, rows, label) {
  return wide(label, element("table", {}, element("thead", {}, element("tr", {}, heads.map((head) => element("th", { scope: "col" }, head)))),
    element("tbody", {}, rows)));
}

function entriesOf({ names, entries }, title, past) {
  // A total stands where it changed; of this match each entry opens the table after it.
  const rows = entries.map(({ record, entries: n, says, utc_ms: at, corrected, points }, place) => element("tr", { class: n ? null : "quiet" },
    element("td", {}, past || !n ? record : looking(record, n)),
    element("td", { class: "says" }, says, corrected && element("small", {}, " ", t("history.corrected"))),
    points.map((one, seat) => element("td", {}, entries[place + 1]?.points[seat] === one ? "" : one)), element("td", {}, moment(at, { timeStyle: "short" }))));
  return element("section", { class: "card entries", "aria-label": title }, element("h2", {}, title),
    past && element("p", {}, resultOf(past)),
    entries.length ? table(["", t("history.entry"), ...names, t("history.at")], rows, t("history.entries"))
      : element("p", { class: "quiet" }, t("history.nothing")),
    entries.some(({ record }, at) => record > (entries[at + 1]?.record ?? 0) + 1) && element("p", { class: "quiet" }, t("history.gaps")));
}

function resultOf({ names, points, winners, over, abandoned }) {
  const score = list(names.map((name, seat) => `${name} ${points[seat]}`));
  if (abandoned) return t("history.given_up", { score });
  if (!over) return t("history.open", { score });
  const won = { score, names: list(winners.map((seat) => names[seat]), "and") };
  return winners.length > 1 ? t("history.shared", won) : t("history.won", won);
}

function pastOf() {
  const rows = told.results.map((one) => element("li", {},
    element("a", { href: `#history/${encodeURIComponent(one.file)}` }, nameOf(one)),
    element("p", {}, resultOf(one), one.simulated && element("small", {}, " ", t("simulated")))));
  const damaged = told.damaged.map(({ file, why }) => element("li", { class: "damaged" }, `${file}: ${why}`));
  return element("section", { class: "card past", "aria-label": t("history.here") }, element("h2", {}, t("history.here")),
    rows.length + damaged.length ? element("ul", {}, rows, damaged)
      : element("p", { class: "quiet" }, t("history.none")));
}

function playersOf() {
  const rows = told.players.flatMap(({ name, played }) => played.map((one, at) => element("tr", {},
    at ? element("td", {}) : element("th", { scope: "row", rowspan: null }, name),
    element("td", { class: "says" }, told.titles[one.game] ?? one.game), element("td", {}, one.games),
    element("td", {}, one.wins), element("td", {}, one.mean.toFixed(1)), element("td", {}, one.best))));
  return element("section", { class: "card figures", "aria-label": t("players") }, element("h2", {}, t("players")),
    rows.length ? table([t("history.player"), t("game"), t("history.matches"), t("history.wins"), t("history.mean"), t("history.best")], rows, t("history.figures"))
      : element("p", { class: "quiet" }, t("history.no_end")));
}
