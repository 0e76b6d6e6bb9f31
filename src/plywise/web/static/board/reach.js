/** How far a unit strikes: a frame around the cells in its reach, for the unit in hand or under the mouse. */

import { element } from "../element.js";

export class Reach {
  constructor(board) {
    this.board = board;
    this.frame = element("div", { class: "reach", "aria-hidden": "true", hidden: true });
    board.surface.append(this.frame);
    board.surface.addEventListener("pointermove", (event) => {
      const shown = event.target.closest?.(".cell");
      this.show(shown ? Number(shown.dataset.cell) : null);
    });
    board.surface.addEventListener("pointerleave", () => this.show(null));
  }

  /** Show the reach of the piece on a cell, else of the one in hand. */
  show(cell = null) {
    const { board } = this;
    const { columns, rows } = board.shape;
    const inHand = board.touched.length ? board.cellOf(board.touched[0]) : null;
    const at = [cell, inHand].find((one) => one !== null && board.cells[one]?.reach);
    this.frame.hidden = at === undefined || board.shape.kind !== "squares";
    if (this.frame.hidden) return;
    const { reach } = board.cells[at];
    const { x, y } = board.middle(at);
    const [left, right] = [Math.max(0, x - 0.5 - reach), Math.min(columns, x + 0.5 + reach)];
    const [top, bottom] = [Math.max(0, y - 0.5 - reach), Math.min(rows, y + 0.5 + reach)];
    Object.assign(this.frame.style, {
      left: `${(100 * left) / columns}%`,
      top: `${(100 * top) / rows}%`,
      width: `${(100 * (right - left)) / columns}%`,
      height: `${(100 * (bottom - top)) / rows}%`,
    });
  }
}
