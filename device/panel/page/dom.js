// Elements without innerHTML: names and texts always stay text.

import { t } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

export const find = (selector, within = document) => within.querySelector(selector);
export const all = (selector, within = document) => [...within.querySelectorAll(selector)];

// element("p", { class: "said", "data-cell": "c3" }, "text", child, …); null and false are left out.
export const element = (tag, ...rest) => fill(document.createElement(tag), ...rest);
export const svg = (tag, ...rest) => fill(document.createElementNS(SVG, tag), ...rest);

// The choices for a printed fact, and the meanings of the words of a list.
export const choice = (words, attributes = {}) => element("select", attributes,
  words.map(([word, called]) => element("option", { value: word }, called)));
export const meanings = (words) => words.some(([word, called]) => word !== called)
  && element("details", { class: "meanings" }, element("summary", {}, t("words")),
    element("dl", {}, words.map(([word, called]) => [element("dt", {}, word), element("dd", {}, called)])));

// Wide content scrolls in its place.
export const wide = (label, ...inside) => element("div", { class: "wide", tabindex: "0", role: "group", "aria-label": label }, inside);

function fill(made, attributes = {}, ...children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

// A button to choose something by; `kind` are further classes.
export function button(label, act, kind = "", more = {}) {
  const made = element("button", { type: "button", class: `choose ${kind}`, ...more }, label);
  made.addEventListener("click", act);
  return made;
}
