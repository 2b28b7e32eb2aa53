// Typing a text that the box asks for, such as a name.

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
