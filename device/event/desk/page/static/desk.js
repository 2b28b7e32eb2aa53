// Reloads a page's contents as soon as the desk reports a change, or at intervals if it reports none.
"use strict";

let main = document.querySelector("main[data-again]");
let asking = 0;

/** True if somebody is typing, or has typed text that a reload would lose. */
function busy() {
  const typed = [...main.querySelectorAll("input:not([type=hidden])")].some((one) => one.value !== one.defaultValue);
  return typed || (main.contains(document.activeElement) && document.activeElement.matches("input, select, textarea"));
}

async function renew() {
  if (busy()) return;
  const answer = await fetch(location.href);
  if (answer.redirected) return location.reload(); // the session has ended
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main[data-again]");
  if (!answer.ok || !fresh || busy()) return;
  const places = "a, button, summary, pre";
  for (const one of main.querySelectorAll("details[open]")) {
    const name = one.querySelector("summary").textContent;
    [...fresh.querySelectorAll("details")].filter((two) => two.querySelector("summary").textContent === name)
      .forEach((two) => { two.open = true; });
  }
  const at = main.contains(document.activeElement) ? document.activeElement : null;
  const alike = (one) => at && one.outerHTML === at.outerHTML;
  main.replaceWith(fresh);
  main = fresh;
  [...main.querySelectorAll(places)].find(alike)?.focus({ preventScroll: true });
}

function ask() {
  asking ||= setInterval(() => renew().catch(() => {}), 1000 * main.dataset.again);
}

if (main.dataset.mark) {
  const desk = new EventSource("/changes" + location.search);
  desk.onmessage = (event) => event.data === main.dataset.mark || renew().catch(ask);
  desk.onopen = () => { clearInterval(asking); asking = 0; };
  desk.onerror = ask;
  document.addEventListener("focusout", () => setTimeout(() => renew().catch(ask)));
} else ask();
