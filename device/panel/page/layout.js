// The places of a drawn table's panels: the game's own on a television, otherwise legible ones.

const TELEVISION = 1600, TABLET = 1000, UPRIGHT = 640, GAP = 8;
const BAND = { x: 16, y: 176, width: 1888, height: 836 }; // of a television 1920 x 1080

export const modeOf = (width) => width >= TELEVISION ? "television" : width >= TABLET ? "tablet"
  : width >= UPRIGHT ? "upright" : "phone";

// The panel in play: the largest one in front of all or of the acting player.
export function mainOf(panels, acting) {
  const near = panels.filter(({ seat }) => seat === null || seat === acting);
  return (near.length ? near : panels).reduce((best, one) => area(one) > area(best) ? one : best);
}

const area = ({ width, height }) => width * height;

// A place { left, top, width, height } in pixels for each panel of a television's table.
export function onTelevision(panels, unit) {
  return panels.map(({ x, y, width, height, scale }) =>
    ({ left: x * unit, top: y * unit, width: width * scale * unit, height: height * scale * unit }));
}

export const unitOf = (width, height) => Math.min(width / 1920, height / 1080);
export const bandOf = (unit) => ({ width: BAND.width * unit, height: BAND.height * unit });

// Places for panels within width x height: in rows that are as wide, or in columns that are as high, whichever way the
// smallest of them comes out largest. Their order stays.
export function packed(panels, width, height) {
  let best = [], largest = 0;
  for (let cuts = 0; cuts < 2 ** (panels.length - 1); cuts++) {
    const groups = grouped(panels, cuts);
    for (const places of [rows(groups, width, height), columns(groups, width, height)]) {
      const smallest = Math.min(...places.map((place, at) => place.width / panels[at].width));
      if (smallest > largest) [best, largest] = [places, smallest];
    }
  }
  return best;
}

// Panels in groups: each bit of `cuts` begins another group behind a panel.
function grouped(panels, cuts) {
  const groups = [[panels[0]]];
  for (const [at, one] of panels.slice(1).entries()) {
    if (cuts >> at & 1) groups.push([one]);
    else groups.at(-1).push(one);
  }
  return groups;
}

const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);

function rows(groups, width, height) {
  const high = (group) => (width - GAP * (group.length - 1)) / sum(group.map((one) => one.width / one.height));
  const most = (height - GAP * (groups.length - 1)) / sum(groups.map(high)), shrink = Math.min(1, most);
  let top = 0;
  return groups.flatMap((group) => {
    const tall = high(group) * shrink, wide = group.map((one) => tall * one.width / one.height);
    const places = group.map((_, at) => ({ left: sum(wide.slice(0, at)) + GAP * at, top, width: wide[at], height: tall }));
    top += tall + GAP;
    return places;
  });
}

function columns(groups, width, height) {
  const wide = (group) => (height - GAP * (group.length - 1)) / sum(group.map((one) => one.height / one.width));
  const most = (width - GAP * (groups.length - 1)) / sum(groups.map(wide)), shrink = Math.min(1, most);
  let left = 0;
  return groups.flatMap((group) => {
    const across = wide(group) * shrink, tall = group.map((one) => across * one.height / one.width);
    const places = group.map((_, at) => ({ left, top: sum(tall.slice(0, at)) + GAP * at, width: across, height: tall[at] }));
    left += across + GAP;
    return places;
  });
}
