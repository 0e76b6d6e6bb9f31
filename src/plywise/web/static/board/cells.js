/** The cells of a board: their layout, row by row, and their classes and labels. */

import { element } from "../element.js";
import { cellXY, readingRows } from "./geometry.js";
import { groundElements } from "./ground.js";
import { pieceWords } from "./pieces.js";

/**
 * Lay out cells and labels. Boards without labels along the edges show the names of their cells.
 * @param {import("./board.js").Board} board
 * @param {any} data the board as the server says it
 */
export function layCells(board, data) {
  const { frame, shape } = board;
  const { width, columns, rows, kind, flipped } = shape;
  frame.dataset.game = board.look.game;
  frame.dataset.ground = data.ground || (data.checkered ? "checkered" : "plain");
  frame.classList.toggle("padded", data.padding > 0);
  frame.style.setProperty("--padding", `${100 * (data.padding ?? 0)}%`);
  frame.dataset.shape = kind;
  frame.classList.toggle("flat", Boolean(shape.layout?.flat));
  frame.classList.toggle("large", width > 12);
  frame.style.setProperty("--columns", String(columns));
  frame.style.setProperty("--rows", String(rows));
  const named = !data.left?.length && !data.bottom?.length && kind !== "pits";
  board.grid.replaceChildren(...readingRows(shape).map((cells) => {
    const shown = cells.filter((cell) => kind !== "points" || board.names[cell]);
    return element("div", { role: "row" }, ...shown.map((cell) => cellElement(cell, board, named)));
  }));
  board.ground.replaceChildren(...groundElements(shape, board.names, board.look.sides));
  if (kind !== "squares") {
    board.left.replaceChildren();
    board.bottom.replaceChildren();
    return;
  }
  const order = (labels) => (flipped ? [...labels].reverse() : labels).map((text) => element("span", {}, text));
  board.left.replaceChildren(...order(data.left ?? []));
  board.bottom.replaceChildren(...order(data.bottom ?? []));
}

function cellElement(cell, board, named) {
  const dark = (Math.floor(cell / board.shape.width) + (cell % board.shape.width)) % 2 === 1;
  const shown = element("div", { role: "gridcell", class: dark ? "cell dark" : "cell", tabindex: "-1" });
  shown.dataset.cell = String(cell);
  if (board.shape.kind !== "squares") {
    const { x, y } = cellXY(cell, board.shape);
    const { columns, rows, places } = board.shape;
    shown.style.left = `${(100 * (x + 0.5)) / columns}%`;
    shown.style.top = `${(100 * (y + 0.5)) / rows}%`;
    shown.style.setProperty("--high", String(places[cell][2]));
  }
  if (named && board.names[cell]) shown.append(element("small", { "aria-hidden": "true" }, board.names[cell]));
  return shown;
}

/**
 * Set the classes and the label of each cell: held, a goal, marked, part of the last move.
 * @param {import("./board.js").Board} board
 * @param {import("./board.js").Mark[]} marks
 * @param {number[]} last the cells that the last move touched
 */
export function paintCells(board, marks, last) {
  const next = board.next();
  const held = board.touched.map((name) => board.cellOf(name));
  const spoken = new Map(marks.map((mark) => [mark.cell, mark]));
  board.frame.classList.toggle("playable", board.moves.length > 0);
  for (const shown of board.grid.querySelectorAll(".cell")) {
    const cell = Number(shown.dataset.cell);
    const name = board.names[cell];
    const piece = board.cells[cell];
    const mark = spoken.get(cell);
    const can = Boolean(name) && next.has(name);
    const inHand = held.includes(cell);
    const goal = can && board.touched.length > 0;
    shown.classList.toggle("held", inHand);
    shown.classList.toggle("last", last.includes(cell));
    shown.classList.toggle("origin", can && !goal);
    shown.classList.toggle("target", goal);
    shown.classList.toggle("filled", Boolean(piece));
    if (mark) shown.dataset.mark = mark.kind;
    else delete shown.dataset.mark;
    shown.title = mark?.reason ?? "";
    const words = [board.cellLabel(cell) || (board.shape.kind === "pits" ? "store" : "unused square"), piece ? pieceWords(piece, board.look.sides) : "empty"];
    if (mark) words.push(mark.reason);
    if (inHand) words.push("in hand");
    if (goal) words.push("can go here");
    shown.setAttribute("aria-label", words.join(", "));
    shown.setAttribute("aria-selected", String(inHand));
  }
}
