// Applies a change from the box (device/panel/feed.py): unchanged parts stay the same objects.

export function changed(old, change) {
  if (!Array.isArray(change)) {
    const made = { ...old };
    for (const [key, one] of Object.entries(change)) {
      if (Array.isArray(one) && !one.length) delete made[key];
      else made[key] = changed(old[key], one);
    }
    return made;
  }
  if (change.length === 1) return change[0];
  const made = [];
  let at = 0;
  for (const one of change) {
    if (typeof one === "number") {
      if (one > 0) made.push(...old.slice(at, at + one));
      at += Math.abs(one);
    } else if (Array.isArray(one) && one.length === 1) made.push(one[0]);
    else made.push(changed(old[at++], one));
  }
  return made;
}
