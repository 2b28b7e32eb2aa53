// Applies a change that the box told (device/panel/feed.py): what did not change stays the same object.

export function changed(old, change) {
  if (!Array.isArray(change)) {
    return { ...old, ...mapped(change, (key, one) => changed(old[key], one)) };
  }
  if (change.length === 1) return change[0];
  const [length, at] = change, made = old.slice(0, length);
  for (const [index, one] of Object.entries(at)) made[index] = index < old.length ? changed(old[index], one) : one[0];
  return made;
}

const mapped = (object, make) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, make(key, value)]));
