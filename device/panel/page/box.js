// The box itself: its screen, the state of its parts and, if simulated, keys, knob and faults.

import { all, element, find } from "./dom.js";
import { language, languages, speak, t } from "./words.js";

const WIDTH = 128, HEIGHT = 64, LARGEST = 5;
const LIT = "#d6eaff", HALO = "#7d97b3"; // a pixel, and its light in the gap to the next
const DETENT_DEG = 15; // 24 detents a turn
const NOTCH_PX = 60; // scrolled by a wheel or a trackpad for one detent, the most that an event counts for
const MAX_STEPS = 100;

const body = document.body;
let panel, store;

export function mount(place, told) {
  panel = place;
  store = told;
  canvas = find("#screen");
  store.on("picture", (picture) => {
    bits = picture;
    draw();
  });
  store.on("state", show);
  const chosen = find("#language select");
  chosen.append(...languages().map(([code, name]) => element("option", { value: code, lang: code }, name)));
  chosen.value = language();
  chosen.addEventListener("change", () => speak(chosen.value));
  store.on("lost", () => { queue.length = 0; }); // keys meant for the box then must not be pressed later
  if (store.simulated) {
    useKeys();
    useKnob();
    useKeyboard();
  }
  new ResizeObserver(fit).observe(canvas.parentElement.parentElement);
  fit();
}

// The screen

let canvas;
let bits = new Uint8Array(WIDTH * HEIGHT / 8);

function fit() {
  // Whole pixels of the device to each of the OLED's, or they come out uneven.
  const dpr = window.devicePixelRatio || 1;
  const glass = canvas.parentElement, front = glass.parentElement;
  const inner = (box) => parseFloat(getComputedStyle(box).paddingLeft) * 2;
  const room = Math.min(front.clientWidth - inner(front) - inner(glass), WIDTH * LARGEST);
  const size = Math.max(1, Math.floor(room * dpr / WIDTH));
  canvas.width = WIDTH * size;
  canvas.height = HEIGHT * size;
  canvas.style.width = `${WIDTH * size / dpr}px`;
  canvas.style.height = `${HEIGHT * size / dpr}px`;
  draw();
}

function draw() {
  const size = canvas.width / WIDTH, gap = size < 4 ? 0 : Math.round(size / 7);
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#000";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  for (let at = 0; at < WIDTH * HEIGHT; at++) {
    if (bits[at >> 3] & (0x80 >> (at & 7))) {
      const x = (at % WIDTH) * size, y = Math.floor(at / WIDTH) * size;
      pen.fillStyle = HALO;
      pen.fillRect(x, y, size, size);
      pen.fillStyle = LIT;
      pen.fillRect(x, y, size - gap, size - gap);
    }
  }
}

// The state of the box

function show(state) {
  body.classList.toggle("away", !state.display || state.brightness === 0);
  canvas.style.opacity = state.brightness === undefined || state.brightness > 0.3 ? 1 : 0.45;
  for (const light of all("[data-light]")) {
    const on = state.lights?.[light.dataset.light];
    light.hidden = on === undefined;
    light.classList.toggle("on", Boolean(on));
  }
  const text = find("#screen-text"), lines = state.text.filter((line) => !/^-+$/.test(line)).join("\n");
  if (text.textContent !== lines) text.textContent = lines;
  showStatus({ ...state.status, display: state.display });
  for (const [name, on] of Object.entries(state.faults ?? {})) {
    faultButton(name).setAttribute("aria-pressed", String(on));
  }
}

function showStatus({ display, keys, keypads = [], lines = [], sensors = [], head, recorded, problems = [] }) {
  const rows = [row(t("box.display"), display)];
  if (keys !== undefined) rows.push(row(t("box.keys"), keys));
  for (const { device, online, why } of keypads) {
    rows.push(row(t("box.keypad", { name: device.split("/").at(-1) }), online, why, device));
  }
  for (const { url, online, node, why } of lines) {
    const name = lines.length > 1 ? t("box.line_of", { name: url.split("/").at(-1) }) : t("box.line");
    rows.push(row(name, online && !why, why || node, url));
  }
  for (const { title, online, says } of sensors) rows.push(row(title, online, says));
  if (recorded !== undefined) {
    rows.push(row(t("box.recorded"), head > recorded ? t("box.of", { n: recorded, all: head }) : recorded || "–"));
  }
  find("#status").replaceChildren(...rows.flat());
  find("#problems").replaceChildren(...problems.map((text) => element("li", {}, text)));
}

function row(name, value, detail, title = "") {
  const label = element("dt", { title: title || null }, name), told = element("dd", {}, String(value));
  if (typeof value === "boolean") {
    told.dataset.is = value ? "online" : "away";
    told.textContent = detail || t(value ? "box.online" : "box.away");
  }
  return [label, told];
}

function faultButton(name) {
  let button = find(`[data-fault="${name}"]`);
  if (!button) {
    button = element("button", { type: "button", class: "fault", "data-fault": name }, t(`fault.${name}`));
    button.addEventListener("click", () => {
      send(`fault/${name}/${button.getAttribute("aria-pressed") === "true" ? "off" : "on"}`);
    });
    find("#faults").append(button);
  }
  return button;
}

// Acts on the keys, sent one after the other to keep the order

const queue = [];
let sending = false;

function send(path, steps = 0) {
  if (!store.connected) return;
  if (!location.hash) location.replace("#box"); // a user of the keys stays there
  const last = queue.at(-1);
  if (steps && last?.steps * steps > 0 && Math.abs(last.steps + steps) <= MAX_STEPS) {
    last.steps += steps;
  } else {
    queue.push({ path, steps });
  }
  pump();
}

async function pump() {
  if (sending) return;
  sending = true;
  while (queue.length) {
    const { path, steps } = queue.shift();
    await store.post(steps ? `turn/${steps}` : path);
  }
  sending = false;
}

const held = new Set();

function down(key) {
  if (held.has(key)) return;
  held.add(key);
  find(`[data-key="${key}"]`).classList.add("down");
  send(`down/${key}`);
}

function up(key) {
  if (!held.delete(key)) return;
  find(`[data-key="${key}"]`).classList.remove("down");
  send(`up/${key}`);
}

let angle = 0;

function turn(steps) {
  angle += steps * DETENT_DEG;
  find(".grip").style.transform = `rotate(${angle}deg)`;
  send("", steps);
}

// Mouse, finger, keyboard

function useKeys() {
  for (const button of all("[data-key]")) {
    const key = button.dataset.key;
    button.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      button.setPointerCapture(event.pointerId);
      down(key);
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      button.addEventListener(end, () => up(key));
    }
  }
  // A clicked key must not keep the focus, or Enter would press it instead of OK.
  panel.addEventListener("mousedown", (event) => {
    if (event.target.closest("button")) event.preventDefault();
  });
  panel.addEventListener("contextmenu", (event) => {
    if (event.target.closest("[data-key], .knob")) event.preventDefault();
  });
  for (const button of all("[data-turn]")) {
    button.addEventListener("click", () => turn(Number(button.dataset.turn)));
  }
}

function useKnob() {
  const knob = find(".knob");
  let scrolled = 0, from = null;
  knob.addEventListener("wheel", (event) => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1;
    const most = Math.max(-NOTCH_PX, Math.min(NOTCH_PX, event.deltaY * lines));
    if (scrolled * most < 0) scrolled = 0;
    scrolled += most;
    const steps = Math.trunc(scrolled / NOTCH_PX);
    scrolled -= steps * NOTCH_PX;
    if (steps) turn(steps);
  }, { passive: false });

  const bearing = (event) => {
    const box = knob.getBoundingClientRect();
    const y = event.clientY - box.top - box.height / 2, x = event.clientX - box.left - box.width / 2;
    return Math.atan2(y, x) * 180 / Math.PI;
  };
  knob.addEventListener("pointerdown", (event) => {
    if (event.button || event.target.closest("[data-key]")) return;
    knob.setPointerCapture(event.pointerId);
    from = bearing(event);
  });
  knob.addEventListener("pointermove", (event) => {
    if (from === null) return;
    const moved = ((bearing(event) - from + 540) % 360) - 180;
    const steps = Math.trunc(moved / DETENT_DEG);
    if (steps) {
      turn(steps);
      from += steps * DETENT_DEG;
    }
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
    knob.addEventListener(end, () => { from = null; });
  }
}

const KEYS = { Enter: "ok", Backspace: "back", Escape: "back", u: "undo", c: "call" };
const TURNS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

function useKeyboard() {
  const pressed = new Map(); // the box's keys, by the keyboard's
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || panel.hidden || event.target.closest("input, select, #copies, #lessons")) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (name in TURNS) {
      event.preventDefault();
      turn(TURNS[name]);
      return;
    }
    const focused = document.activeElement?.closest("button, a");
    if (focused && !focused.dataset.key && (name === "Enter" || name === " ")) return; // its own click
    const key = focused && (name === "Enter" || name === " ") ? focused.dataset.key : KEYS[name];
    if (!key) return;
    event.preventDefault();
    if (event.repeat) return;
    pressed.set(event.code, key);
    down(key);
  });
  document.addEventListener("keyup", (event) => {
    const key = pressed.get(event.code);
    if (pressed.delete(event.code)) up(key);
  });
  const letGo = () => {
    pressed.clear();
    for (const key of [...held]) up(key);
  };
  window.addEventListener("blur", letGo);
  window.addEventListener("pagehide", letGo);
}
