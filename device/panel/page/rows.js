// The table of a game without a drawn one: its boards, the pieces beside them and in front of each seat, in rows.

import { element, find, svg } from "./dom.js";
import { seatClass, seatMark, seatPath } from "./scene.js";
import { list, parts, t } from "./words.js";

const CELL = 10, EDGE = 4; // units of the drawing
const ROW = { squares: CELL, hexes: CELL * 0.866 };

let match = null;

// All of it, for the table's place.
export function rowsOf(now) {
  match = now;
  return [match.boards.length ? boardsOf(match) : tableOf(match), ...match.players.map(playerOf)].filter(Boolean);
}

// The element so many columns and rows from a cell of a board; null if there is none.
export function beside(at, way) {
  const board = match?.boards.find((one) => one.name === at.dataset.board);
  if (!board) return null;
  const place = board.cells.findIndex((cell) => cell?.name === at.dataset.cell);
  const column = place % board.columns + way[0], row = Math.floor(place / board.columns) + way[1];
  const to = column in { ...Array(board.columns).fill() } ? board.cells[row * board.columns + column] : null;
  return to && find(`[data-board="${board.name}"][data-cell="${to.name}"]`);
}

// The boards in play, a legend of their signs, and the pieces beside them

function boardsOf(now) {
  return element("div", { class: "boards" },
    now.boards.filter((board) => board.near).map((board) => element("figure", {},
      board.seat !== null && element("figcaption", {}, seatMark(board.seat), now.players[board.seat].name), boardOf(board))),
    legendOf(now), tableOf(now));
}

function legendOf({ grounds, other }) {
  const said = Object.entries(grounds).map(([letter, name]) => `${letter.toUpperCase()} ${name}`);
  if (!said.length) return null;
  if (other.length) said.push(`★ ${list(other)}`);
  return element("ul", { class: "card legend", "aria-label": t("table.legend") },
    [...said, t("table.framed")].map((text) => element("li", {}, text)));
}

function boardOf(board) {
  const high = board.hexes ? ROW.hexes : ROW.squares;
  const wide = board.columns * CELL + (board.hexes ? CELL / 2 : 0) + EDGE;
  const tall = (board.rows - 1) * high + CELL * (board.hexes ? 1.155 : 1) + EDGE;
  const doubtful = new Set(match.drift.filter((one) => one.board === board.name).flatMap((one) => one.cells));
  const letters = Array.from({ length: board.columns }, (_, column) => svg("text",
    { class: "name", x: EDGE + (column + 0.5) * CELL, y: EDGE * 0.7 }, String.fromCharCode(97 + column)));
  const numbers = Array.from({ length: board.rows }, (_, row) => svg("text",
    { class: "name", x: EDGE * 0.45, y: EDGE + row * high + CELL / 2 + 1 }, String(row + 1)));
  const cells = board.cells.map((cell, at) => cell && cellOf(board, cell, Math.floor(at / board.columns) * high,
    doubtful.has(cell.name)));
  const drawn = svg("svg", { class: "board", viewBox: `0 0 ${wide} ${tall}`, role: "group",
    "aria-label": board.seat === null ? t("table.board") : t("table.board_of", match.players[board.seat]) }, svg("g", { "aria-hidden": "true" }, letters, numbers), cells);
  const first = find(".cell", drawn);
  if (first) first.setAttribute("tabindex", "0"); // one stop for Tab; arrow keys go on from there
  return drawn;
}

function cellOf(board, cell, y, doubtful) {
  const { name, height = 0, piece = "", ground, covered, stands, changed } = cell;
  const says = list([name, height && t("height", { n: height }), stands, changed && t("changed"),
    doubtful && t("doubt")].filter(Boolean));
  const kind = ["cell", ground && `tint tint-${ground}`, ground && piece && "taken", changed && "changed", doubtful && "doubtful"].filter(Boolean).join(" ");
  const outline = board.hexes ? hexagon : square;
  const drawn = svg("g", { class: kind, "data-board": board.name, "data-cell": name, "data-says": says, role: "img",
    "aria-label": says, tabindex: "-1", transform: `translate(${EDGE + cell.halves * CELL / 2} ${EDGE + y})` },
  outline("ground", 0.15),
  changed && outline("frame", 0.75),
  doubtful && outline("doubt", 0.75),
  ground && svg("text", { class: "letter", x: CELL / 2, y: CELL / 2 + 2.2 }, ground.toUpperCase()),
  ground && piece && !covered && svg("text", { class: "star", x: CELL / 2, y: CELL / 2 - 2 }, "★"),
  height && !piece && !ground && svg("text", { class: "height alone", x: CELL / 2, y: CELL / 2 + 1.7 }, String(height)),
  height && (piece || ground) && svg("text", { class: "height", x: 2.1, y: 3.8 }, String(height)),
  piece && !ground && pieceOf(piece),
  doubtful && svg("text", { class: "height", x: 8.1, y: 3.8 }, "?"),
  svg("circle", { class: "choice", cx: CELL / 2, cy: CELL / 2, r: 4.2 }));
  drawn.style.setProperty("--level", Math.min(height, 8) / 8);
  return drawn;
}

const square = (kind, inset) => svg("rect",
  { class: kind, x: inset, y: inset, width: CELL - 2 * inset, height: CELL - 2 * inset, rx: 0.7 });

function hexagon(kind, inset) {
  const [middle, radius] = [CELL / 2, CELL / 2 - inset], slope = radius / 0.866;
  const corners = [[0, -slope], [radius, -slope / 2], [radius, slope / 2], [0, slope], [-radius, slope / 2],
    [-radius, -slope / 2]];
  const points = corners.map(([x, y]) => `${middle + x},${CELL * 0.5775 + y}`).join(" ");
  return svg("polygon", { class: kind, points });
}

const CROWN = "M-3.2 2.6V-2.2L-1.6-.2 0-3 1.6-.2 3.2-2.2V2.6Z";

function pieceOf(piece) {
  const seat = "abcd".indexOf(piece);
  const letter = seat >= 0 ? match.players[seat].short : piece;
  const shape = svg("path", { d: seat >= 0 ? seatPath(seat, 3) : CROWN });
  const kind = seat >= 0 ? seatClass(seat) : "other";
  return svg("g", { class: `man ${kind}`, transform: `translate(${CELL / 2 + 0.9} ${CELL / 2 + 0.9})` }, shape,
    svg("text", { y: seat === 2 ? 2 : seat >= 0 ? 1.1 : 1.9, class: letter.length > 2 ? "long" : null }, letter));
}

// Pieces beside the boards: in front of all, then of each player

function tableOf({ zones }) {
  const shared = zones.filter((zone) => zone.seat === null);
  return !!shared.length && element("section", { class: "card all zones", "aria-label": t("table.zones") },
    zonesOf(shared));
}

function playerOf({ name }, seat) {
  const { turn, zones, score, boards } = match;
  const points = score.places.find((one) => one.seat === seat)?.points;
  const asked = turn.seat === seat;
  return element("section", { class: `card player ${asked ? "asked" : ""}`, "aria-label": name },
    element("h3", {}, seatMark(seat), element("span", { class: "who" }, name),
      asked && element("span", { class: "to-move" }, t("table.to_move")), element("span", { class: "points" }, points)),
    score.tallies.map((tally) => element("p", { class: "tally" }, `${tally.name} ${tally.figures[seat].figure}`)),
    boards.filter((board) => board.seat === seat && !board.near).map(boardOf),
    element("div", { class: "zones" }, zonesOf(zones.filter((zone) => zone.seat === seat))));
}

// Piles of one name stand side by side under one title, an empty one in its place.
function zonesOf(zones) {
  const rows = [];
  for (const zone of zones) {
    if (zone.lay === "pile" && rows.at(-1)?.[0].name === zone.name) rows.at(-1).push(zone);
    else rows.push([zone]);
  }
  return rows.map(zoneOf);
}

function zoneOf(alike) {
  const { lay, title, pieces: lie } = alike[0];
  const total = lay === "pile" && alike.length === 1 && lie.length > 1
    && lie.reduce((sum, { count }) => sum + count, 0);
  const pieces = alike.flatMap((zone) => zone.pieces.length || alike.length === 1
    ? zone.pieces.flatMap((piece) => Array.from({ length: lay === "column" ? Math.max(1, piece.count) : 1 }, () => lying(zone, piece)))
    : [element("span", { class: "quiet" }, "–")]);
  return element("div", { class: `zone ${lay}` },
    element("p", { class: "title" }, title, total && element("b", {}, ` ${total}`)),
    pieces.length ? element("ul", { "aria-label": title }, pieces.map((piece) => element("li", {}, piece)))
      : element("p", { class: "quiet" }, "–"));
}

function lying(zone, { name, count, marks, grew }) {
  const change = grew > 0 ? `+${grew}` : grew < 0 ? `−${-grew}` : "";
  const one = zone.lay === "column" || count === 1 || (change && !count);
  const named = element("span", {}, one ? name : parts("counted", { n: element("b", {}, count), what: name }));
  const says = list([zone.title, named.textContent, ...marks, change && t("table.by", { change })].filter(Boolean));
  const kind = `piece ${change && (count ? "changed" : "changed gone")}`;
  return element("div", { class: kind, "data-zone": zone.name, "data-seat": zone.seat, "data-piece": name,
    "data-says": says, role: "img", "aria-label": says },
  named, marks.map((text) => element("small", {}, text)), change && element("i", {}, change));
}
