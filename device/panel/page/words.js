// The page's own texts (GET /texts), in the language of this browser, otherwise of the box.

let told = { texts: {}, language: "en" }, plural;

// Fetch the texts, repeatedly while the box does not answer, and put those in that index.html names by `data-t`.
export async function load() {
  while (!plural) {
    try {
      told = await (await fetch("texts")).json();
      plural = new Intl.PluralRules(told.language);
    } catch {
      await new Promise((later) => setTimeout(later, 1000));
    }
  }
  document.documentElement.lang = told.language;
  for (const one of document.querySelectorAll("[data-t]")) {
    one.replaceChildren(...parts(one.dataset.t, Object.fromEntries([...one.children].map((child) => [child.dataset.b, child]))));
  }
  for (const [as, name] of [["label", "aria-label"], ["title", "title"]]) {
    for (const one of document.querySelectorAll(`[data-t-${as}]`)) one.setAttribute(name, t(one.getAttribute(`data-t-${as}`)));
  }
}

// The text at a key, its blanks filled; a plural in the form for its number.
export const t = (key, blanks) => parts(key, blanks).join("");

// The same text as a list, in which elements may fill blanks.
export function parts(key, blanks = {}) {
  const text = told.texts[key] ?? key;
  const said = text.forms ? text.forms[plural.select(blanks[text.by])] ?? text.forms.other : text;
  return said.split(/\{(\w+)\}/).map((one, at) => at % 2 ? blanks[one] : one);
}

// Names in a row.
export const list = (names, key = "comma") => names.length ? names.reduce((a, b) => t(key, { a, b })) : "";

// A moment, 18:50 on the box's clock; in English as this browser writes dates.
export const moment = (ms, style) => new Date(ms).toLocaleString(told.language === "en" ? [] : told.language, { hourCycle: "h23", ...style });

// The language, all languages' names by code, and a choice of another.
export const language = () => told.language;
export const languages = () => Object.entries(told.languages);
export function speak(code) {
  document.cookie = `language=${code}; path=/; SameSite=Strict; max-age=31536000`;
  location.reload();
}
