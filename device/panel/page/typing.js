// Where the box asks for a text, a name say, it may be typed here whole.

import { find } from "./dom.js";

export function mount(form, store) {
  const input = find("input", form);
  store.on("state", ({ status }) => {
    if (form.hidden !== !status.typing) input.value = "";
    form.hidden = !status.typing;
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    store.post(`box/type?${new URLSearchParams({ text: input.value })}`);
    input.value = "";
  });
}
