// Elements without innerHTML: whatever a name or a text holds, it stays text.

const SVG = "http://www.w3.org/2000/svg";

export const find = (selector, within = document) => within.querySelector(selector);
export const all = (selector, within = document) => [...within.querySelectorAll(selector)];

// element("p", { class: "said", "data-cell": "c3" }, "text", child, …); what is null or false is left out.
export const element = (tag, ...rest) => fill(document.createElement(tag), ...rest);
export const svg = (tag, ...rest) => fill(document.createElementNS(SVG, tag), ...rest);

function fill(made, attributes = {}, ...children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}
