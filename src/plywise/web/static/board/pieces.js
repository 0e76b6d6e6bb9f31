/** Pictures of pieces: found by the game's and the piece's name, coloured by the side's name. */

import { svgElement, element } from "../element.js";

/** Sides that have a colour by their name; others are teal and amber. */
const COLOURS = { white: "white", black: "black", blue: "blue", red: "red", yellow: "yellow", footmen: "blue", archers: "red" };

let known = new Set();

/** Fetch the pictures once; they are hidden in the page, so that every use of one is instant. */
export async function loadPictures() {
  const answer = await fetch(new URL("pictures.svg", import.meta.url));
  const sheet = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
  known = new Set([...sheet.querySelectorAll("symbol")].map((symbol) => symbol.id));
  sheet.setAttribute("class", "hidden-sheet");
  sheet.setAttribute("aria-hidden", "true");
  document.body.prepend(document.importNode(sheet, true));
}

/** A picture of the sheet by its name. */
export function picture(id) {
  return svgElement("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, svgElement("use", { href: `#${id}` }));
}

/**
 * The colour of a side: a word for the style sheet.
 * @param {string[]} sides the game's names of its sides
 * @param {number|null} side
 */
export function colour(sides, side) {
  if (side === null || side === undefined) return "none";
  return COLOURS[String(sides[side]).toLowerCase()] ?? (side === 0 ? "first" : "second");
}

/**
 * A piece as an element: its picture, a bar for its health, and stars if it is stunned.
 * @param {{name: string, side: number|null, symbol: string, letter: string, note: string}} piece
 * @param {{game: string, sides: string[], most?: Map<string, number>}} look how this game is drawn
 */
export function pieceElement(piece, look) {
  const made = element("div", { class: "piece", "data-colour": colour(look.sides, piece.side), "data-letter": piece.letter.toUpperCase() || null });
  const id = [`${look.game}-${piece.name}`, piece.name, `chess-${piece.name}`].find((name) => known.has(name));
  if (isPile(piece)) made.classList.add("pile");
  else if (id) made.append(picture(id));
  else made.append(picture("token"), element("span", { class: "symbol" }, piece.symbol || piece.letter));
  updatePiece(made, piece, look);
  return made;
}

/** Whether it is a number of stones. */
function isPile(piece) {
  return piece?.pile !== null && piece?.pile !== undefined;
}

/** Stones that lie together: as many as can be told apart, and their number. */
function pileElements(count) {
  const shown = Math.min(count, 24);
  const stones = Array.from({ length: shown }, (_, i) => {
    const [turn, far] = [i * 2.39996, 27 * Math.sqrt((i + 0.5) / Math.max(shown, 7))]; // as seeds in a sunflower
    return svgElement("circle", { cx: 50 + far * Math.cos(turn), cy: 41 + far * Math.sin(turn), r: 8 });
  });
  const picture = svgElement("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, ...stones);
  return [picture, element("span", { class: "pile-count" }, String(count))];
}

/** Show on a piece what its note says, health and stun, and how many stones there are. */
export function updatePiece(made, piece, look) {
  if (isPile(piece)) {
    if (made.dataset.count !== String(piece.pile)) made.replaceChildren(...pileElements(piece.pile));
    made.dataset.count = String(piece.pile);
    return;
  }
  const stunned = /stun/.test(piece.note ?? "");
  made.classList.toggle("stunned", stunned);
  if (stunned && !made.querySelector(".stars")) {
    const stars = picture("stars");
    stars.setAttribute("class", "stars");
    made.append(stars);
  } else if (!stunned) made.querySelector(".stars")?.remove();
  const unit = /^(\w+): (\d+)$/.exec(piece.note ?? "");
  let name = made.querySelector(".unit");
  if (unit && !name) {
    name = element("span", { class: "unit" });
    made.append(name);
  }
  if (name) name.textContent = unit ? `${unit[1]} ${unit[2]}` : "";
  const health = healthOf(piece);
  let bar = made.querySelector(".health");
  if (health === null) {
    bar?.remove();
    return;
  }
  if (!bar) {
    bar = element("div", { class: "health" }, element("i"));
    made.append(bar);
  }
  const most = Math.max(health, look.most?.get(piece.name) ?? 0);
  const share = most ? health / most : 1;
  bar.firstElementChild.style.width = `${100 * share}%`;
  bar.dataset.state = share > 0.6 ? "well" : share > 0.3 ? "hurt" : "dying";
}

/** The hit points in a piece's note (`F1: 160`), or null. */
export function healthOf(piece) {
  const found = /(\d+)\s*$/.exec(piece?.note ?? "");
  return found ? Number(found[1]) : null;
}

/** How much health an effect takes from the piece that stood there; 0 if none. */
export function loss(effect, before) {
  if (effect.kind === "damage") return effect.amount ?? 0;
  const [had, has] = [healthOf(before), healthOf(effect.piece)];
  return had !== null && has !== null && effect.to === null ? Math.max(0, had - has) : 0;
}

/** A piece in words: `White pawn`, `red chariot, stunned`, `footman F1, 160 left`. */
export function pieceWords(piece, sides) {
  const side = piece.side === null || piece.side === undefined ? "" : sides[piece.side];
  const twice = side.slice(0, 3).toLowerCase() === piece.name.slice(0, 3).toLowerCase();
  const unit = /^(\w+): (\d+)$/.exec(piece.note ?? "");
  const note = unit ? ` ${unit[1]}, ${unit[2]} left` : piece.note ? `, ${piece.note}` : "";
  const number = isPile(piece) ? `${piece.pile} ` : "";
  const name = number && piece.pile === 1 ? piece.name.replace(/s$/, "") : piece.name;
  return `${side && !twice ? `${side} ` : ""}${number}${name}${note}`;
}

/** Whether two pieces look the same but for their notes. */
export function looksAlike(one, other) {
  if (!one || !other || one.name !== other.name || one.side !== other.side) return false;
  return one.letter === other.letter || (isPile(one) && isPile(other));
}

/** Whether it is the same unit: alike, and of the same number if units are numbered. */
export function isSameUnit(one, other) {
  const number = (piece) => /^(\w+):/.exec(piece.note ?? "")?.[1];
  return looksAlike(one, other) && number(one) === number(other);
}
