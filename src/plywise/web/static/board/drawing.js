/** Arrows and circles that a visitor draws with the right mouse button; a move or a left click takes them away. */

import { cellUnder } from "./geometry.js";

/** Let a visitor draw on a board. @returns {() => void} clears what was drawn */
export function mountDrawing(board) {
  let shapes = [];
  let from = null;
  const draw = () => board.arrows.draw("drawn", shapes.map(({ start, end }) => ({ from: board.middle(start), to: board.middle(end), kind: "drawn" })));
  const cellAt = (event) => cellUnder(event, board.surface.getBoundingClientRect(), board.shape);
  const clear = () => {
    if (!shapes.length) return;
    shapes = [];
    draw();
  };
  board.surface.addEventListener("contextmenu", (event) => event.preventDefault());
  board.surface.addEventListener("pointerdown", (event) => {
    if (event.button === 2) from = cellAt(event);
    else if (event.button === 0) clear();
  });
  addEventListener("pointerup", (event) => {
    if (event.button !== 2 || from === null) return;
    const [start, end] = [from, cellAt(event)];
    from = null;
    if (end === null) return;
    const known = shapes.findIndex((shape) => shape.start === start && shape.end === end);
    if (known >= 0) shapes.splice(known, 1);
    else shapes.push({ start, end });
    draw();
  });
  return clear;
}
