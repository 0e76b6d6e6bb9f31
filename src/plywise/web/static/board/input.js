/** Mouse, pen, finger and keys on a board. All of them end in `board.touch(cell)`. */

import { cellBeside, cellNear, cellUnder, cellXY, readingRows, translateTo } from "./geometry.js";

const DRAG_DISTANCE = { mouse: 4, pen: 6, touch: 8 }; // pixels before a press becomes a drag
const FINGER = 24; // pixels: on smaller cells a finger cannot hit one for sure
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class BoardInput {
  #press = null;
  ctrl = false; // whether the key was held when the last cell was touched

  constructor(board) {
    this.board = board;
    const { surface, grid } = board;
    surface.addEventListener("pointerdown", (event) => this.#onPointerDown(event));
    surface.addEventListener("pointermove", (event) => this.#onPointerMove(event));
    surface.addEventListener("pointerup", (event) => this.#onPointerUp(event));
    surface.addEventListener("pointercancel", () => this.cancelDrag());
    surface.addEventListener("pointerleave", () => this.#preview(null));
    grid.addEventListener("keydown", (event) => this.#onKey(event));
    grid.addEventListener("focusin", (event) => this.#preview(Number(event.target.dataset?.cell ?? NaN)));
  }

  /** Put back whatever is being dragged. */
  cancelDrag() {
    const press = this.#press;
    this.#press = null;
    if (!press?.dragged) return;
    press.piece.classList.remove("dragged");
    press.piece.style.translate = translateTo(press.cell, this.board.shape);
    press.shadow?.remove();
    this.board.element(press.over ?? -1)?.classList.remove("over");
  }

  /** The cell that a pointer means; a finger on small cells means the nearest one that can be touched now. */
  #cellUnder(event) {
    const { board } = this;
    const box = board.surface.getBoundingClientRect();
    const cell = cellUnder(event, box, board.shape);
    if (cell === null || event.pointerType !== "touch" || box.width / board.shape.columns >= FINGER) return cell;
    const useful = new Set([...board.next().keys(), ...firstSteps(board)]);
    if (useful.has(board.names[cell])) return cell;
    return cellNear(event, box, board.shape, (one) => useful.has(board.names[one]), FINGER) ?? cell;
  }

  #onPointerDown(event) {
    if (event.button !== 0 || !event.isPrimary || event.target.closest(".chooser")) return;
    const cell = this.#cellUnder(event);
    const { board } = this;
    if (cell === null || !board.element(cell)) return;
    board.frame.classList.add("by-pointer");
    board.focusCell(cell, false); // the arrow keys go through the game, unless keys have chosen a cell
    board.grid.querySelector(":focus")?.blur();
    if (event.pointerType === "mouse") event.preventDefault(); // no text selection
    const name = board.names[cell];
    const target = board.touched.length > 0 && board.next().has(name);
    const origin = !target && Boolean(name) && firstSteps(board).has(name);
    const before = String(board.touched);
    if (origin && before !== name) board.touch(cell);
    const taken = origin && before !== name;
    this.#press = {
      cell,
      origin,
      target,
      taken,
      x: event.clientX,
      y: event.clientY,
      kind: event.pointerType,
      dragged: false,
      over: null,
    };
    const piece = board.pieces.get(cell);
    if ((origin || String(board.touched) === name) && piece && board.touched.length) {
      board.surface.setPointerCapture(event.pointerId);
      this.#press.piece = piece;
    }
  }

  #onPointerMove(event) {
    const press = this.#press;
    const cell = this.#cellUnder(event);
    if (!press?.piece) {
      this.#preview(event.pointerType === "mouse" ? cell : null);
      return;
    }
    const far = Math.hypot(event.clientX - press.x, event.clientY - press.y);
    if (!press.dragged && far < (DRAG_DISTANCE[press.kind] ?? 6)) return;
    if (!press.dragged) this.#startDrag(press);
    const box = this.board.surface.getBoundingClientRect();
    const side = box.width / this.board.shape.columns;
    const at = cellXY(press.cell, this.board.shape);
    const x = event.clientX - box.left - (at.x + 0.5) * side;
    const y = event.clientY - box.top - (at.y + 0.5) * side;
    press.piece.style.translate = translateTo(press.cell, this.board.shape, x, y);
    if (cell === press.over) return;
    this.board.element(press.over ?? -1)?.classList.remove("over");
    press.over = cell;
    const legal = cell !== null && this.board.next().has(this.board.names[cell]);
    if (legal) this.board.element(cell).classList.add("over");
    this.#preview(legal ? cell : null, press.cell);
  }

  #startDrag(press) {
    press.dragged = true;
    press.shadow = press.piece.cloneNode(true);
    press.shadow.classList.add("shadow");
    press.piece.before(press.shadow);
    press.piece.classList.add("dragged");
    press.piece.classList.toggle("by-finger", press.kind === "touch");
  }

  #onPointerUp(event) {
    this.ctrl = event.ctrlKey;
    const press = this.#press;
    if (!press) return;
    const cell = this.#cellUnder(event);
    const { board } = this;
    this.cancelDrag();
    if (press.dragged) {
      const legal = cell !== null && board.next().has(board.names[cell]);
      if (legal) board.touch(cell, true);
      else if (cell !== press.cell) board.release();
    } else if (cell === press.cell && !press.taken) board.touch(cell);
    if (event.pointerType !== "mouse") this.#preview(null);
  }

  #preview(cell, held = null) {
    this.board.preview.update(Number.isInteger(cell) ? cell : null, held);
  }

  #onKey(event) {
    const { board } = this;
    board.frame.classList.remove("by-pointer");
    this.ctrl = event.ctrlKey && event.key === "Enter";
    if (event.ctrlKey && !this.ctrl || event.metaKey || event.altKey) return;
    const usable = (one) => board.element(one) !== null;
    const row = readingRows(board.shape).find((cells) => cells.includes(board.focus))?.filter(usable) ?? [];
    let cell = null;
    if (ARROWS[event.key]) cell = cellBeside(board.focus, ARROWS[event.key], board.shape, usable);
    else if (event.key === "Home") cell = row[0] ?? null;
    else if (event.key === "End") cell = row.at(-1) ?? null;
    else if (event.key === "Enter" || event.key === " ") board.touch(board.focus);
    else if (event.key === "Escape" && board.touched.length) board.release();
    else return;
    event.preventDefault();
    event.stopPropagation();
    if (cell !== null) board.focusCell(cell);
  }
}

/** The cells with which moves begin. */
function firstSteps(board) {
  return new Set(board.moves.map((move) => move.steps[0]));
}
