// Kinds to count by tapping them, each up to the most that there can be.

import { button, element } from "./dom.js";
import { t } from "./words.js";

// `entry` has the `counts`, each with its label, the number at the `start` and at most (`cap`); in all there are `least` to
// `most`. `numbers` are those tapped so far; `wrong` says if they are too few or many.
export function counts(entry) {
  const numbers = entry.counts.map(({ start }) => start);
  const total = element("p", { class: "quiet", role: "status" });
  const rows = entry.counts.map(({ label, cap }, at) => {
    const more = button("", () => set(at, numbers[at] + 1), "more"), less = button("−", () => set(at, numbers[at] - 1), "less");
    less.setAttribute("aria-label", t("counts.less", { kind: label }));
    return { row: element("span", { class: "counted" }, more, less), more, less, most: cap ?? entry.most };
  });
  const most = Math.min(entry.most, rows.reduce((sum, row) => sum + row.most, 0));
  const { least } = entry, counted = (n) => least === most ? t("counts.exact", { n, most })
    : least ? t("counts.between", { n, least, most }) : t("counts.most", { n, most });
  const sum = () => numbers.reduce((all, one) => all + one, 0);
  const set = (at, number) => {
    numbers[at] = Math.max(0, Math.min(number, rows[at].most));
    for (const [place, { more, less, most }] of rows.entries()) {
      more.textContent = `${entry.counts[place].label} ${numbers[place]}`;
      more.disabled = numbers[place] >= most;
      less.disabled = numbers[place] === 0;
    }
    total.textContent = counted(sum());
  };
  if (rows.length) set(0, numbers[0]);
  const shown = [total, element("div", { class: "counts" }, rows.filter(({ most }) => most).map(({ row }) => row))];
  return { shown, numbers, wrong: () => (sum() < least || sum() > entry.most) && total.textContent };
}
