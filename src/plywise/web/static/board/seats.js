/** The two seats beside the board: the players, what they have taken, their clocks, and what an engine thinks. */

import { byId, element } from "../element.js";
import { colour, pieceElement, pieceWords } from "./pieces.js";

const LOW = 20; // seconds: the clock turns red

/** `9:59`, `1:02:03`, and tenths near the end. */
export function clockText(seconds) {
  const left = Math.max(0, seconds);
  if (left < 10) return `0:0${(Math.floor(left * 10) / 10).toFixed(1)}`;
  const whole = Math.floor(left);
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** Who plays a side, in words. */
export function seatWords(seat, info) {
  if (seat.kind === "person") return "You";
  if (seat.kind === "player") return seat.seat;
  const level = info?.levels.find((one) => one.number === seat.level);
  return `${level?.name ?? "Engine"}, level ${seat.level}`;
}

/** The name that a game gives a side's player, or who has the seat. */
function playerName(state, side, info) {
  const name = state.tags?.[capital(info.sides[side])];
  return name && name !== "?" ? name : seatWords(state.seats[side], info);
}

/** Build the two seats; `page.flipped` decides which is the far one. */
export function mountSeats(page) {
  const { session } = page;
  let receivedAt = 0;
  let thoughts = ["", ""];
  const draw = () => {
    const { state, view, info } = session;
    if (!state || !info) return;
    const far = page.flipped ? 0 : 1;
    fill(byId("seat-far"), far, state, view, info, thoughts[far]);
    fill(byId("seat-near"), 1 - far, state, view, info, thoughts[1 - far]);
    tick();
  };
  const tick = () => {
    const { clock } = session.state ?? {};
    if (!clock) return;
    for (const made of document.querySelectorAll(".clock")) {
      const side = Number(made.dataset.side);
      const runs = clock.running === side;
      const left = clock.left[side] - (runs ? (performance.now() - receivedAt) / 1000 : 0);
      made.textContent = clockText(left);
      made.classList.toggle("running", runs);
      made.classList.toggle("low", left < LOW);
    }
  };
  session.connection.addEventListener("tell:state", () => (receivedAt = performance.now()));
  session.addEventListener("change", () => {
    if (!session.state.thinking?.length) thoughts = ["", ""];
    draw();
  });
  session.addEventListener("thinking", (event) => {
    const { side, depth, words, line } = event.detail;
    if (!session.state?.thinking?.includes(side)) return; // it has moved meanwhile
    thoughts = [...thoughts];
    const said = Array.isArray(line) ? line.slice(0, 4).join(" ") : line ?? "";
    thoughts[side] = [depth ? `depth ${depth}` : "", words, said].filter(Boolean).join(" · ");
    const made = document.querySelector(`.thought[data-side="${side}"]`);
    if (made) made.textContent = thoughts[side];
  });
  setInterval(tick, 100);
  return draw;
}

function fill(place, side, state, view, info, thought) {
  const turn = !state.outcome && (state.thinking?.includes(side) || view?.choosing?.includes(side));
  const taken = view?.taken?.[1 - side] ?? [];
  const look = { game: info.name, sides: info.sides };
  const ahead = view && !info.world ? lead(view, side) : 0;
  const thinks = state.thinking?.includes(side) && !state.paused;
  place.replaceChildren(...[
    element(
      "span",
      { class: turn ? "chip turn" : "chip", "data-colour": colour(info.sides, side), "aria-hidden": "true" },
    ),
    element(
      "span",
      { class: "who" },
      sideFirst(info.sides[side]),
      element("small", {}, playerName(state, side, info)),
    ),
    element("span", { class: "thought", "data-side": side }, thinks ? thought || "thinking…" : ""),
    element(
      "span",
      { class: "taken", role: "img", "aria-label": takenWords(taken, info), hidden: !taken.length },
      ...taken.flatMap((piece) => takenPieces(piece, look)),
    ),
    ahead > 0 && (taken.length || view.taken?.[side]?.length) ? element("span", { class: "lead", "aria-label": `${ahead} ahead` }, `+${ahead}`) : null,
  ].filter(Boolean));
  if (state.clock) place.append(
    element(
      "span",
      { class: "clock", "data-side": side, role: "timer", "aria-label": `clock of ${info.sides[side]}` },
    ),
  );
}

/** What pieces are usually counted as; others count one each. */
const VALUES = { king: 0, queen: 9, rook: 5, bishop: 3, knight: 3, pawn: 1 };

/** How much more a side has on the board, as players count it. */
export function lead(view, side) {
  const chess = view.board.cells.some((piece) => piece?.name === "pawn" || piece?.name === "queen");
  const worth = (piece) => (chess ? VALUES[piece.name] ?? 1 : 1);
  return view.board.cells.reduce((sum, piece) => {
    if (!piece || piece.side === null || piece.side === undefined) return sum;
    return sum + (piece.side === side ? 1 : -1) * worth(piece);
  }, 0);
}

function takenPieces(piece, look) {
  const count = piece.count ?? 1;
  const bare = { ...piece, note: "" };
  if (count > 4) return [pieceElement(bare, look), element("sub", {}, `×${count}`)];
  return Array.from({ length: count }, () => pieceElement(bare, look));
}

function takenWords(taken, info) {
  const words = taken.map((piece) => `${piece.count ?? 1} ${pieceWords({ ...piece, note: "" }, info.sides)}`);
  return `taken: ${words.join(", ")}`;
}

/** A side's name at the start of a sentence or a label; a letter, as in tic-tac-toe, stays as it is. */
export function sideFirst(side) {
  return side.length === 1 ? side : capital(side);
}

/** With a capital letter. */
export function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
