/** The question that remains when several moves touch the same cells: which piece a pawn becomes. */

import { button, element } from "../element.js";
import { cellXY } from "./geometry.js";
import { pieceElement, pieceWords } from "./pieces.js";

/**
 * Ask which of the moves is meant, beside the cell where they end.
 * @param {import("./board.js").Board} board
 * @param {import("./move-entry.js").Move[]} moves they differ in their choice only
 * @param {number} cell
 * @returns {Promise<import("./move-entry.js").Move|null>} null if it was cancelled
 */
export async function choose(board, moves, cell) {
  const results = await Promise.all(moves.map((move) => board.previewMove(move.move).catch(() => [])));
  return new Promise((resolve) => {
    const { x, y } = cellXY(cell, board.shape);
    const box = element(
      "div",
      { class: "chooser", role: "dialog", "aria-modal": "true", "aria-label": "Which one?" },
    );
    const end = (move) => {
      box.remove();
      document.removeEventListener("pointerdown", away, true);
      resolve(move);
    };
    const away = (event) => {
      if (!box.contains(event.target)) end(null);
    };
    moves.forEach((move, i) => {
      const piece = pieceAfter(results[i], cell);
      const label = piece ? pieceWords(piece, board.look.sides) : move.said || move.move;
      const made = button("", () => end(move), { "aria-label": label, title: label });
      made.append(piece ? pieceElement(piece, board.look) : move.choice || move.said);
      box.append(made);
    });
    box.addEventListener("keydown", (event) => {
      const all = [...box.children];
      const at = all.indexOf(document.activeElement);
      const letter = moves.find((move) => move.choice && move.choice.toLowerCase() === event.key.toLowerCase());
      if (event.key === "Escape") end(null);
      else if (letter) end(letter);
      else if (/^Arrow(Down|Right)$/.test(event.key)) all[(at + 1) % all.length].focus();
      else if (/^Arrow(Up|Left)$/.test(event.key)) all[(at + all.length - 1) % all.length].focus();
      else if (event.key === "Tab") all[(at + (event.shiftKey ? all.length - 1 : 1)) % all.length].focus();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    const { columns, rows } = board.shape;
    const up = y >= rows / 2;
    box.style.setProperty("--count", String(moves.length));
    box.style.left = `${(100 * x) / columns}%`;
    if (up) box.style.bottom = `${(100 * (rows - 1 - y)) / rows}%`;
    else box.style.top = `${(100 * y) / rows}%`;
    box.classList.toggle("up", up);
    board.surface.append(box);
    document.addEventListener("pointerdown", away, true);
    box.firstElementChild.focus();
  });
}

/** The piece on the cell after the phases, if they put one there. */
function pieceAfter(phases, cell) {
  const effects = phases.flatMap((phase) => phase.effects);
  return effects.filter((effect) => (effect.to ?? effect.at) === cell && effect.piece).at(-1)?.piece ?? null;
}
