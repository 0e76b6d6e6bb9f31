/** Commands for those who do not see the board, typed in place of a move: `pieces`, `scan e4`, `last`, `clock`. */

import { clockText, sideFirst } from "./board/seats.js";
import { pieceWords } from "./board/pieces.js";

/**
 * What a typed command says of the position on the board; null if it is no command.
 * @param {string} typed
 * @param {any} session
 */
export function scan(typed, session) {
  const [word, cell] = typed.trim().toLowerCase().split(/\s+/);
  const { view, info, state } = session;
  const { names, cells, width } = view.board;
  const words = (i) => `${names[i]} ${cells[i] ? pieceWords(cells[i], info.sides) : "empty"}`;
  if (word === "pieces") {
    const kinds = new Map();
    cells.forEach((piece, i) => {
      if (!piece) return;
      const name = pieceWords({ ...piece, note: "" }, info.sides);
      kinds.set(name, [...(kinds.get(name) ?? []), names[i]]);
    });
    return [...kinds].map(([name, at]) => `${name}: ${at.join(", ")}`).join(". ");
  }
  if (word === "scan" && names.includes(cell)) {
    const at = names.indexOf(cell);
    const [x, y] = [at % width, Math.floor(at / width)];
    const rays = [[0, -1, "up"], [1, -1, "up right"], [1, 0, "right"], [1, 1, "down right"], [0, 1, "down"], [-1, 1, "down left"], [-1, 0, "left"], [-1, -1, "up left"]];
    const seen = rays.flatMap(([dx, dy, name]) => {
      for (let step = 1; ; step++) {
        const [cx, cy] = [x + dx * step, y + dy * step];
        if (cx < 0 || cy < 0 || cx >= width || cy * width >= cells.length) return [];
        const i = cy * width + cx;
        if (cells[i]) return [`${name}: ${words(i)}`];
      }
    });
    return [words(at), ...seen].join(". ");
  }
  if (word === "last") return session.at(session.node)?.said || "No move yet";
  if (word === "clock" && state.clock) return info.sides.map((side, i) => `${sideFirst(side)} ${clockText(state.clock.left[i])}`).join(", ");
  return null;
}
