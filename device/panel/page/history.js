// What was played: the entries of this match with the score after each, past matches, and each player's figures.

import { element, find } from "./dom.js";
import { lookBack } from "./past.js";

let panel, store, told = null;

export function mount(place, from) {
  panel = place;
  store = from;
  window.addEventListener("hashchange", open);
  store.on("match", open);
}

const moment = (ms) => new Date(ms).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
const clock = (ms) => new Date(ms).toLocaleTimeString([], { timeStyle: "short" });

async function get(path) {
  const answer = await fetch(path);
  if (answer.ok) return answer.json();
  store.say((await answer.text()).trim());
  return null;
}

async function open() {
  const [tab, file] = location.hash.slice(1).split("/");
  if (tab !== "history") return;
  const match = store.get("match");
  told = await get("matches");
  if (!told) return;
  const entries = file ? await get(`matches/${file}`) : match ? await get("match/history") : null;
  const past = file && told.results.find((one) => one.file === decodeURIComponent(file));
  const shown = [entries && entriesOf(entries, past ? `${nameOf(past)}` : "This match", past)];
  if (past) shown.unshift(element("p", {}, element("a", { href: "#history" }, "All matches")));
  else shown.push(pastOf(), playersOf());
  panel.replaceChildren(...shown.filter(Boolean));
}

const nameOf = ({ names, began_ms: began, date, game }) =>
  `${told.titles[game] ?? game}: ${names.join(" – ")}, ${began ? moment(began) : date}`;

function table(heads, rows, label) {
  return element("div", { class: "wide", tabindex: "0", role: "group", "aria-label": label },
    element("table", {}, element("thead", {}, element("tr", {}, heads.map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, rows)));
}

function entriesOf({ names, entries }, title, past) {
  // A total stands where it changed; of this match each entry opens the table as it stood after it.
  const rows = entries.map(({ number, says, utc_ms: at, corrected, points }, place) => element("tr", {},
    element("td", {}, past ? number : looking(number, entries.length - place)),
    element("td", { class: "says" }, says, corrected && element("small", {}, " (corrected)")),
    points.map((one, seat) => element("td", {}, entries[place + 1]?.points[seat] === one ? "" : one)), element("td", {}, clock(at))));
  return element("section", { class: "card entries", "aria-label": title }, element("h2", {}, title),
    past && element("p", {}, resultOf(past)),
    entries.length ? table(["", "Entry", ...names, "at"], rows, "Entries, the last first")
      : element("p", { class: "quiet" }, "Nothing has been entered yet."));
}

function looking(number, n) {
  const made = element("button", { type: "button", class: "number", "aria-label": `${number}: show the table after it` }, number);
  made.addEventListener("click", () => lookBack(n));
  return made;
}

function resultOf({ names, points, winners, over, abandoned }) {
  const score = names.map((name, seat) => `${name} ${points[seat]}`).join(", ");
  if (abandoned) return `${score}, given up`;
  if (!over) return `${score}, not over`;
  const won = winners.map((seat) => names[seat]).join(" and ");
  return `${score}: ${won} ${winners.length > 1 ? "share the win" : "wins"}`;
}

function pastOf() {
  const rows = told.results.map((one) => element("li", {},
    element("a", { href: `#history/${encodeURIComponent(one.file)}` }, nameOf(one)),
    element("p", {}, resultOf(one), one.simulated && element("small", {}, " SIMULATED"))));
  const damaged = told.damaged.map(({ file, why }) => element("li", { class: "damaged" }, `${file}: ${why}`));
  return element("section", { class: "card past", "aria-label": "Matches on this box" }, element("h2", {}, "Matches on this box"),
    rows.length + damaged.length ? element("ul", {}, rows, damaged)
      : element("p", { class: "quiet" }, "No match has been played yet."));
}

function playersOf() {
  const rows = told.players.flatMap(({ name, played }) => played.map((one, at) => element("tr", {},
    at ? element("td", {}) : element("th", { scope: "row", rowspan: null }, name),
    element("td", { class: "says" }, told.titles[one.game] ?? one.game), element("td", {}, one.games),
    element("td", {}, one.wins), element("td", {}, one.mean.toFixed(1)), element("td", {}, one.best))));
  return element("section", { class: "card figures", "aria-label": "Players" }, element("h2", {}, "Players"),
    rows.length ? table(["Player", "Game", "Matches", "Wins", "Mean", "Best"], rows, "Each player's matches, wins and means")
      : element("p", { class: "quiet" }, "No match has come to its end yet."));
}
