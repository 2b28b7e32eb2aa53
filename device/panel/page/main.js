// The page of the box: hears /events, keeps the latest of each kind, and mounts the tabs, a module each.
// It has no rules of a game and no state of its own; after an interruption the next event makes it right.

import { all, find } from "./dom.js";
import * as box from "./box.js";
import * as copies from "./copies.js";
import * as ending from "./ending.js";
import * as history from "./history.js";
import * as pair from "./pair.js";
import * as past from "./past.js";
import * as play from "./play.js";
import * as rules from "./rules.js";
import * as score from "./score.js";
import * as table from "./table.js";
import * as teaching from "./teaching.js";
import * as typing from "./typing.js";
import * as why from "./why.js";
import { language, load, t } from "./words.js";

const TABS = ["table", "score", "history", "rules", "box"];
const VIEWS = { // modules and their places
  "#panel-table": table, "#play": play, "#pair": pair, "#past": past, "#panel-score": score, "#ending": ending, "#why": why, "#panel-history": history, "#panel-rules": rules,
  "#panel-box": box, "#copies": copies, "#lessons": teaching, "#typing": typing,
};
const SILENCE_MS = 7000; // the box gives a sign of life every 2 s
const body = document.body;

// The latest value of each event ("picture", "state", "match"), and its listeners

const told = new Map();
const takers = new Map();

export const store = {
  simulated: body.dataset.hardware === "simulated",

  // Call take(value) with the latest value of this event, now and at each new one.
  on(name, take) {
    takers.set(name, [...(takers.get(name) ?? []), take]);
    if (told.has(name)) take(told.get(name));
  },

  get: (name) => told.get(name),

  get connected() {
    return !body.classList.contains("disconnected");
  },

  // The box's answer to a GET; undefined if it refused (a message says so) or could not be reached.
  async ask(path) {
    return (await answered(() => fetch(path)))?.json();
  },

  // POST to the box; the answer, or null if it refused (a message says so) or could not be reached.
  async post(path, body) {
    return answered(() => fetch(path, { method: "POST", keepalive: true, body }));
  },

  // POST an entry. Without an answer (a sleeping phone?) ask whether it arrived once the box is heard again.
  async enter(path) {
    const key = `${page}-${entries += 1}`;
    const answer = await answered(() => fetch(`${path}&n=${key}`, { method: "POST", keepalive: true }));
    if (answer || !body.classList.contains("disconnected")) return answer;
    await new Promise((heard) => back.push(heard));
    const landed = await answered(() => fetch(`match/landed?n=${key}`));
    if (landed && await landed.clone().json() !== null) return landed;
    store.say(t("landed"));
    return null;
  },

  // Begin the stream anew.
  again: () => connect(),

  // Say something for a moment, by eye and ear.
  say(text) {
    const toast = find(".toast");
    toast.textContent = text;
    toast.classList.add("shown");
    clearTimeout(silence);
    silence = setTimeout(() => toast.classList.remove("shown"), 5000);
  },
};

const page = crypto.getRandomValues(new Uint32Array(2)).join("-"); // no two pages number alike
const back = []; // waiting until the box is heard again
let silence = 0, entries = 0;

async function answered(ask) {
  try {
    const answer = await ask();
    if (answer.ok) return answer;
    store.say((await answer.text()).trim());
  } catch {
    lost();
  }
  return null;
}

function hear(name, value) {
  told.set(name, value);
  for (const take of takers.get(name) ?? []) take(value);
}

// The stream

let events = null, heard = 0;

function connect() {
  events?.close();
  heard = Date.now();
  events = new EventSource("events");
  const listen = (name, read) => events.addEventListener(name, (event) => {
    heard = Date.now();
    body.classList.remove("connecting", "disconnected");
    for (const heardAgain of back.splice(0)) heardAgain();
    hear(name, read(event.data));
  });
  listen("picture", (data) => Uint8Array.from(atob(data), (char) => char.charCodeAt(0)));
  listen("own", JSON.parse);
  listen("match", JSON.parse);
  listen("state", JSON.parse);
  events.onerror = lost;
}

function lost() {
  // Our own retry: the browser's gives up for good when something answers in the box's place.
  events?.close();
  events = null;
  body.classList.add("disconnected");
  hear("lost", true);
}

setInterval(() => {
  if (document.hidden) return;
  if (events && Date.now() - heard > SILENCE_MS) lost();
  else if (!events) connect();
}, 1000);

// A sleeping phone hears nothing, and when it wakes an old stream still says that it is open.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    events?.close();
    events = null;
  } else connect();
});
window.addEventListener("pageshow", (event) => event.persisted && connect());

// Tabs: the address names the open one; arrow keys go from one to the next

const links = all("[role=tab]");

function openTab() {
  const asked = location.hash.slice(1).split("/")[0];
  const name = TABS.includes(asked) ? asked : store.get("match") === null ? "box" : "table";
  for (const link of links) {
    const chosen = link.id === `tab-${name}`;
    link.setAttribute("aria-selected", String(chosen));
    link.tabIndex = chosen ? 0 : -1;
    find(`#${link.getAttribute("aria-controls")}`).hidden = !chosen;
  }
}

for (const [at, link] of links.entries()) {
  link.addEventListener("mousedown", (event) => event.preventDefault()); // or the tabs would keep the arrow keys
  link.addEventListener("keydown", (event) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: links.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = links.at(to % links.length);
    next.focus();
    next.click();
  });
}

window.addEventListener("hashchange", openTab);
openTab();
store.on("match", (match) => {
  openTab();
  find("#live").textContent = match ? table.spoken(match) : "";
});
load().then(() => {
  for (const [place, view] of Object.entries(VIEWS)) view.mount(find(place), store);
  store.on("state", ({ status }) => status.language !== language() && location.reload()); // somebody changed the box's
  connect();
});
