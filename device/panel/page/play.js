// Playing by tapping: the question with its answers as buttons, the spaces and pieces that answer it, the step before
// it is recorded, and undo. The box knows nothing of a half-chosen step: each request has all words so far,
// and the answer is the next question.

import { counts } from "./counting.js";
import { all, button, choice, element, find, meanings } from "./dom.js";
import { own } from "./pair.js";
import { asking, mark } from "./table.js";
import { parts, t } from "./words.js";

const FEW = 12; // up to so many answers keep their places, including impossible ones

let place, store;
let asked = null; // the box's question, or the whole step
let path = []; // the words chosen before each question that Back goes to
let shown = false; // all have made their unseen choices
let verb = null; // the chosen verb; only its answers are listed
let among = null; // the possible answers of the tapped thing
let aside = null; // shown under the question: a refusal, or the offers of an undo
let last = null; // the latest answer, whose place on the table waits for its record
let still = ""; // the reason for a standstill
let posting = false; // an entry of this page is on its way; its changes are shown after the answer

export function mount(at, told) {
  place = at;
  store = told;
  store.on("match", look);
  document.addEventListener("tap", ({ detail }) => tapped(detail));
  document.addEventListener("paired", async () => begin(await start() ?? asked)); // its question may be answered now
}

// Asking

const query = (words, more = {}) => new URLSearchParams([...words.map((word) => ["t", word]), ...Object.entries(more)]);

let sent = 0, heard = 0;

// The question at the start of a step; an answer that comes after a later one is ignored.
async function start() {
  const mine = ++sent, now = await question([]);
  if (!now || mine < heard) return undefined;
  heard = mine;
  return now;
}

const question = (words) => store.ask(`match/question?${query(words, shown ? { shown: 1 } : {})}`);

// The match has changed: give up a step that was begun before.
async function look(match) {
  place.hidden = !match;
  if (!match) {
    asked = null;
    mark(null);
    return;
  }
  if (posting) return;
  const now = await start();
  if (!now || posting) return;
  if (asked?.head === now.head && asked.over === now.over) {
    if (still !== match.turn.halted) show(asked);
    return;
  }
  if (path.length) store.say(t("play.meanwhile"));
  const begun = asked ? null : JSON.parse(sessionStorage.begun ?? "null"); // before the page was reloaded
  begin(now);
  if (begun?.at !== placeOf(now)) return;
  for (const word of begun.words) if (!await take(word)) break;
  show(asked);
}

const placeOf = ({ head, question }) => String([head, question, store.get("match")?.players.map(({ name }) => name)]);

function begin(now) {
  if (!now.covered && now.seat === null) shown = false;
  path = [];
  verb = among = aside = last = null;
  show(now);
}

// An answer counts only while its question is shown: anybody may move the match on.
async function take(word) {
  const was = asked, now = await question([...was.tokens, word]);
  if (!now || asked !== was) return null;
  path.push({ asked, verb, word });
  last = { question: was.question, board: was.board, token: word, cell: was.answers.find((answer) => answer.token === word)?.cell };
  verb = among = aside = null;
  return asked = now;
}

// A choice by name is recorded at once, as at the box. A space, or a thing `tapped` on the table, is shown
// first; a choice that ends the turn, shows cards or gives something up is asked once more.
async function choose(word, tapped = false) {
  const now = await take(word);
  if (now?.whole && now.act && !now.ends && !now.gives_up && !last.cell && !tapped) await record();
  else if (now) show(now);
}

function back() {
  last = null;
  if (among || aside) among = aside = null;
  else if (verb) verb = null;
  else if (path.length) ({ asked, verb } = path.pop());
  show(asked);
}

const whyNot = (word) => refused([...asked.tokens, word]);

async function refused(words, more = {}) {
  const was = asked, why = await store.ask(`match/why?${query(words, more)}`);
  if (!why || asked !== was) return;
  aside = refusal(why, words);
  show(asked);
}

async function record() {
  for (const pressed of all(".record", place)) pressed.disabled = true; // pressed twice: one step
  await done(store.enter(`match/step?${query(asked.tokens, { head: asked.head })}`), (says) => t("play.recorded", { says }));
}

async function done(posted, what = String) {
  posting = true; // until its change is shown: the stream may tell it before
  const was = asked, answer = await posted;
  if (answer) {
    const { says, held } = await answer.json();
    store.say(held ? t("sentence", { text: says }) : what(says));
  }
  const now = await start();
  posting = false;
  if (asked === was) now && (answer || now.head !== was.head) ? begin(now) : show(was); // refused: again, if they like
}

async function offerUndo() {
  if (path.length) { // first the choices of the next step
    store.say(t("play.dropped"));
    begin(path[0].asked);
    return;
  }
  const was = asked, told = await store.ask("match/undo");
  if (!told || asked !== was) return;
  aside = undoing(told);
  show(asked);
}

async function undo({ group }) {
  await done(store.enter(`match/undo?group=${group}`));
}

// Tapping the table: the space or the piece first, then what to do there

function tapped({ board, cell, piece, answers = "", ghost }) {
  if (!asked || asked.over || asked.covered || still || !store.get("match")) return;
  if (asked.whole) {
    if (ghost && asked.act) record();
    else if (path.length) back();
    return;
  }
  const tokens = new Set(answers.split("|").filter((one) => one.startsWith(`${asked.question} `))
    .map((one) => one.slice(asked.question.length + 1)));
  const fits = (answer) => (cell && board === asked.board && answer.cell === cell) || tokens.has(answer.token)
    || (piece && ` ${answer.label} `.includes(` ${piece} `));
  const every = asked.answers.filter(fits);
  const narrow = every.filter((answer) => verb?.tokens.includes(answer.token));
  const here = narrow.length ? narrow : every; // tapping another thing is a change of mind about the verb
  const legal = here.filter((answer) => answer.legal);
  if (legal.length === 1) choose(legal[0].token, true);
  else if (here.length === 1) whyNot(here[0].token);
  else if (here.length) {
    among = { title: cell ?? piece ?? asked.prompt, answers: here };
    aside = null;
    show(asked);
  } else if (cell || piece || tokens.size) store.say(cell || piece ? t("play.nothing", { what: cell ?? piece }) : t("play.nothing_that"));
}

// Showing

function show(now) {
  asked = now;
  still = store.get("match")?.turn.halted;
  sessionStorage.begun = JSON.stringify({ at: placeOf(path[0]?.asked ?? asked), words: path.map(({ word }) => word) });
  const focused = place.contains(document.activeElement);
  place.replaceChildren(...(still ? [element("h3", { class: "ask unseen", tabindex: "-1" }, still)] : [title(), aside, ...body(), foot()].filter(Boolean)));
  const open = asked.over || asked.whole || asked.covered || still ? null : listed().filter((answer) => answer.legal);
  // Free spaces are marked once a verb is chosen; before it nearly all of them would be.
  const near = open && (verb || among || !asked.verbs.length) ? open : [];
  mark(open && marking(asked, near), asked.whole && last ? marking(last, [last]) : null);
  if (focused) (find(".record", place) ?? find(".ask", place)).focus();
}

const marking = ({ question, board }, answers) => ({
  question, board,
  names: new Set(answers.map((answer) => answer.cell || answer.label).filter(Boolean)),
  tokens: new Map(answers.map((answer) => [answer.token, answer.label])),
});

function title() {
  if (asked.over) return element("h3", { class: "ask unseen", tabindex: "-1" }, asked.prompt);
  const what = asked.whole ? t("play.sure") : among ? t("play.there", { place: among.title }) : verb?.label ?? asked.prompt;
  asking(path.length ? what : null);
  return element("h3", { tabindex: "-1", class: begun() ? "ask" : "ask unseen" }, `${asked.who}: ${what}`);
}

// What is asked at first is shown above, as the turn.
const begun = () => path.length || among || verb || asked.whole;

function body() {
  if (asked.over) return [];
  const told = begun() ? asked.about.map((text) => element("p", { class: "about" }, text)) : [];
  if (asked.said) told.push(element("p", { class: asked.whole ? "said whole" : "said" }, asked.said));
  if (!asked.act && (verb || path.length)) told.push(element("p", { class: "quiet" }, t("play.elsewhere")));
  if (asked.whole) {
    if (asked.gives_up) told.push(element("p", { class: "gives-up" }, asked.gives_up));
    return asked.act ? [...told, button(t("play.record"), record, "record")] : told;
  }
  if (asked.covered) {
    return [...told, element("p", {}, asked.covered), button(t("play.shown"), async () => {
      shown = true;
      begin(await start() ?? asked);
    })];
  }
  return [...told, asked.entry ? entering(asked.entry) : answers()];
}

// The answers to list: those of the tapped thing, of the verb, or all.
function listed() {
  if (among) return among.answers;
  return verb ? asked.answers.filter((answer) => verb.tokens.includes(answer.token)) : asked.answers;
}

function answers() {
  const list = listed();
  if (!verb && !among && asked.verbs.length) return group(null, asked.verbs.map(verbButton));
  const words = list.filter((answer) => !answer.cell), cells = list.filter((answer) => answer.cell);
  const few = words.length <= FEW, near = cells.length <= FEW;
  const can = cells.filter((answer) => near || answer.legal), cannot = cells.filter((answer) => !near && !answer.legal);
  const far = words.filter((answer) => !few && !answer.legal);
  return element("div", { class: "answers" },
    words.length ? group(null, words.filter((answer) => few || answer.legal).map(answerButton)) : null,
    can.length ? group(words.length ? t("play.spaces") : null, can.map(answerButton), "cells") : null,
    cannot.length + far.length ? element("details", {},
      element("summary", {}, t("play.not_now", { n: cannot.length + far.length })),
      group(null, [...far, ...cannot].map(answerButton), "cells")) : null);
}

const group = (label, buttons, kind = "") => element("div", { class: `group ${kind}` },
  label && element("h4", {}, label), element("ul", {}, buttons.map((one) => element("li", {}, one))));

function verbButton(one) {
  const legal = asked.answers.filter((answer) => answer.legal && one.tokens.includes(answer.token));
  const only = one.tokens.length === 1 ? one.tokens[0] : null;
  const act = () => {
    if (only) (legal.length ? choose : whyNot)(only);
    else if (!legal.length) refused(asked.tokens, { verb: one.name });
    else {
      verb = one;
      among = aside = null; // a refusal was of another verb
      show(asked);
    }
  };
  return option(one.label, legal.length > 0, act, only ? { "data-token": only } : { "data-verb": one.tokens.join(" ") });
}

const answerButton = ({ token, label, legal }) => option(label, legal, () => (legal ? choose : whyNot)(token),
  { "data-token": token });

function option(label, legal, act, more) {
  const made = button(label, act, legal ? "" : "grey", more);
  if (!legal) made.replaceChildren(...parts("play.grey", { label: null }).map((one) => one === null ? label : element("span", { class: "unseen" }, one)));
  return made;
}

// Unlisted answers: a number, counts, a printed fact

function entering(entry) {
  const form = element("form", { class: "enter" });
  const fields = { number, counts: letters, fact }[entry.kind](entry);
  form.append(...fields.shown, button(t("play.enter"), () => {}, "", { type: "submit" }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const word = fields.word();
    if (word) whyNotOr(word);
  });
  return form;
}

async function whyNotOr(word) {
  const was = asked, why = await store.ask(`match/why?${query([...was.tokens, word])}`);
  if (asked !== was) return;
  if (why === null) choose(word);
  else if (why) {
    aside = refusal(why, [...was.tokens, word]);
    show(asked);
  }
}

const field = (label, input) => element("label", {}, element("span", {}, label), input);

function number({ says, least, most, start }) {
  const input = element("input", { type: "number", min: least, max: most, value: start, required: "" });
  return { shown: [field(says, input)], word: () => String(Number(input.value)) };
}

function letters(entry) {
  const { shown, numbers, wrong } = counts(entry);
  return { shown, word: () => wrong() ? store.say(wrong()) : numbers.map((number, at) => number ? `${number}${entry.counts[at].letter}` : "").join("") || "0" };
}

function fact({ says, words, several, value }) {
  const one = words.length && !several;
  const input = one ? choice(words) : element("input", { type: "text", required: "", autocomplete: "off", maxlength: 400 });
  if (value) input.value = value;
  return { shown: [field(says, input), several && meanings(words)].filter(Boolean), word: () => input.value.trim() };
}

// Asides

function refusal({ what, reason, remedy, evidence, clause, text, may_stand: stands }, words) {
  const stand = () => done(store.enter(`match/stand?${query(words, { head: asked.head })}`));
  return element("section", { class: "aside", role: "alert" },
    element("h4", {}, what), element("p", {}, reason), remedy && element("p", { class: "remedy" }, remedy),
    evidence.length ? element("ul", {}, evidence.map((one) => element("li", {}, one))) : null,
    clause && element("p", { class: "quiet" }, element("a", { href: `#rules/${clause}` }, clause), ` ${text}`),
    stands && asked.act ? button(t("play.stand"), stand, "quiet") : null);
}

function undoing({ offers, why }) {
  return element("section", { class: "aside", "aria-label": t("play.undo") }, element("h4", {}, t("play.undo")),
    offers.length ? null : element("p", {}, why || t("play.none")),
    element("ul", { class: "plain" }, offers.map((offer) => element("li", {}, element("p", {}, offer.says),
      button(t("play.take_it"), () => undo(offer), "undo")))));
}

function foot() {
  const buttons = [];
  if (path.length || verb || among || aside) buttons.push(button(t("play.back"), back, "quiet"));
  if (asked.act || own()?.length) buttons.push(button(t("play.undo"), offerUndo, "quiet"));
  return element("p", { class: "foot" }, buttons);
}
