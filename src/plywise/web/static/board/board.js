/**
 * A board of any size that knows no rule: it is given the pieces and the legal moves, shows what a move does
 * before and after it is made, and reports the move that was entered by mouse, finger or keys.
 *
 * @typedef {import("./move-entry.js").Move} Move
 * @typedef {{letter: string, name: string, side: number|null, symbol: string, note: string}} Piece
 * @typedef {{kind: string, at: number, to: number|null, piece: Piece|null, amount: number|null}} Effect
 * @typedef {{name: string, effects: Effect[]}} Phase
 * @typedef {{cell: number, kind: string, reason: string}} Mark
 */

import { Arrows } from "./arrows.js";
import { layCells, paintCells } from "./cells.js";
import { choose } from "./chooser.js";
import { element } from "../element.js";
import { matchMoves, nextCells, onlyOrigin } from "./move-entry.js";
import { cellXY, isSameShape, makeShape, NO_SHAPE, placePiece } from "./geometry.js";
import { BoardInput } from "./input.js";
import { MoveAnimation } from "./animation.js";
import { looksAlike, updatePiece, healthOf, pieceElement, isSameUnit } from "./pieces.js";
import { Preview } from "./preview.js";
import { Reach } from "./reach.js";

/** Events: `move` ({move}) when a move was entered, `touched` ({names}) while it is being entered. */
export class Board extends EventTarget {
  /** @type {Move[]} */ moves = [];
  /** @type {string[]} */ touched = [];
  /** @type {(Piece|null)[]} */ cells = [];
  /** @type {Map<number, HTMLElement>} */ pieces = new Map();
  names = [];
  shape = NO_SHAPE;
  look = { game: "", sides: ["", ""], most: new Map() };
  focus = 0;
  /** Gives the phases of a move; the owner of the board sets it. @type {(move: string) => Promise<Phase[]>} */
  previewMove = async () => [];
  /** Whether the first of several choices (the queen) is taken at once. */ takesFirst = false;
  #last = [];
  #marks = [];
  #firstSteps = [];

  constructor(frame) {
    super();
    this.frame = frame;
    this.grid = element("div", { class: "cells", role: "grid", "aria-label": "board" });
    this.ground = element("div", { class: "under", "aria-hidden": "true" });
    this.ghosts = element("div", { class: "ghosts", "aria-hidden": "true" });
    this.pieceLayer = element("div", { class: "pieces", "aria-hidden": "true" });
    this.arrows = new Arrows();
    this.surface = element("div", { class: "surface" }, this.ground, this.grid, this.ghosts, this.pieceLayer, this.arrows.svg);
    this.left = element("div", { class: "labels left", "aria-hidden": "true" });
    this.bottom = element("div", { class: "labels bottom", "aria-hidden": "true" });
    frame.append(this.left, this.surface, this.bottom);
    this.animation = new MoveAnimation(this);
    this.preview = new Preview(this);
    this.reach = new Reach(this);
    this.input = new BoardInput(this);
  }

  /**
   * Show a position.
   * @param {any} view what the server says of it
   * @param {{look: {game: string, sides: string[], title?: string}, flipped: boolean, phases?: Phase[]|null,
   *   from?: any, playable?: boolean, leading?: boolean}} how `phases` lead here from the view `from`,
   *   or from the one shown before;
   *   `leading`: the only piece that can move is taken in hand at once
   */
  async show(view, { look, flipped, phases = null, from = null, playable = false, leading = false }) {
    const { board } = view;
    const shape = makeShape(board, flipped);
    const relaid = look.game !== this.look.game || !isSameShape(shape, this.shape)
      || String(board.names) !== String(this.names);
    if (look.game !== this.look.game) this.look = { ...look, most: new Map() };
    this.look.sides = look.sides;
    this.names = board.names;
    this.shape = shape;
    if (relaid) this.#layOut(board);
    this.grid.setAttribute("aria-label", `${look.title ?? look.game} board`);
    const ways = (move) => [move, ...(move.also ?? []).map((steps) => ({ ...move, steps }))];
    this.moves = playable ? view.moves.filter((move) => move.steps.length).flatMap(ways) : [];
    const origin = leading ? onlyOrigin(this.moves) : null;
    this.#firstSteps = origin ? [origin] : [];
    this.touched = [...this.#firstSteps];
    this.#last = view.last?.cells ?? [];
    this.#marks = view.marks ?? [];
    this.input.cancelDrag();
    this.preview.clear();
    for (const piece of board.cells) {
      const health = healthOf(piece);
      if (health !== null) this.look.most.set(piece.name, Math.max(health, this.look.most.get(piece.name) ?? 0));
    }
    const run = this.animation.startRun();
    if (phases?.length && !relaid) {
      if (from?.board.cells.length === board.cells.length && this.cells.some(healthOf)) this.#placePieces(
        from.board.cells,
        false,
      );
      this.#paint([]);
      if (!(await this.animation.play(phases, run))) return;
    }
    this.#placePieces(board.cells, !relaid);
    this.#paint();
  }

  /** Touch a cell: a step of a move, another piece, or nothing; `dragged`: a piece was dragged there. */
  touch(cell, dragged = false) {
    const name = this.names[cell];
    const now = matchMoves(this.moves, this.touched);
    if (name && nextCells(this.moves, this.touched).has(name)) {
      this.touched.push(name);
      const { chosen, open } = matchMoves(this.moves, this.touched);
      if (chosen.length && !open.length) return this.#choose(chosen, cell, dragged);
      this.#carryPiece(cell, dragged);
      this.#fadeJumped(open);
    } else if (name && name === this.touched.at(-1) && now.chosen.length) {
      return this.#choose(now.chosen, cell, dragged);
    } else if (name && nextCells(this.moves, []).has(name) && String(this.touched) !== name) {
      this.release(false);
      this.touched = [];
      return this.touch(cell);
    } else this.release(false);
    this.#paint();
    this.dispatchEvent(new CustomEvent("touched", { detail: { names: [...this.touched] } }));
    return false;
  }

  /** Give up a move that is half entered. */
  release(paint = true) {
    this.touched = [...this.#firstSteps];
    this.preview.clear();
    for (const [cell, made] of this.pieces) {
      placePiece(made, cell, this.shape);
      made.classList.remove("jumped");
    }
    if (paint) this.#paint();
  }

  /** The cells that may be touched now. @returns {Map<string, Move[]>} */
  next() {
    return nextCells(this.moves, this.touched);
  }

  /** The first cell of that name, or -1. */
  cellOf(name) {
    return this.names.indexOf(name);
  }

  /** The cell's element. */
  element(cell) {
    return this.grid.querySelector(`[data-cell="${cell}"]`);
  }

  /** Give a cell the keyboard focus. */
  focusCell(cell, focus = true) {
    this.element(this.focus)?.setAttribute("tabindex", "-1");
    this.focus = cell;
    const made = this.element(cell);
    made?.setAttribute("tabindex", "0");
    if (focus) made?.focus({ preventScroll: true });
  }

  /** What a cell is called. */
  cellLabel(cell) {
    const name = this.names[cell];
    if (!name) return "";
    const shared = this.names.indexOf(name) !== this.names.lastIndexOf(name);
    return shared ? `${name}, row ${this.shape.height - Math.floor(cell / this.shape.width)}` : name;
  }

  /** A new piece on a cell. */
  addPiece(piece, cell) {
    const made = pieceElement(piece, this.look);
    placePiece(made, cell, this.shape);
    this.pieceLayer.append(made);
    return made;
  }

  async #choose(chosen, cell, dragged) {
    if (dragged) this.#carryPiece(cell, true);
    let move = chosen[0];
    if (chosen.length > 1 && (!this.takesFirst || this.input.ctrl)) {
      this.#paint();
      move = await choose(this, chosen, cell);
      this.focusCell(cell);
      if (!move) return this.release();
    }
    this.moves = [];
    this.touched = [];
    this.preview.clear();
    this.#paint();
    this.dispatchEvent(new CustomEvent("move", { detail: { move: move.move } }));
    return true;
  }

  /** Fade the pieces that the steps so far have jumped over, as the server tells it of a move that goes on so. */
  async #fadeJumped(open) {
    const { touched } = this;
    if (touched.length < 2 || !open.length) return;
    const effects = (await this.previewMove(open[0].move)).flatMap((phase) => phase.effects);
    if (this.touched !== touched) return;
    const hops = effects.filter((effect) => effect.to !== null).slice(0, touched.length - 1);
    const between = (hop, cell) => {
      const [from, to, at] = [hop.at, hop.to, cell].map((one) => this.middle(one));
      return Math.abs((from.x + to.x) / 2 - at.x) < 0.1 && Math.abs((from.y + to.y) / 2 - at.y) < 0.1;
    };
    for (const effect of effects.filter((one) => one.kind === "capture" && hops.some((hop) => between(hop, one.at)))) {
      this.pieces.get(effect.at)?.classList.add("jumped");
    }
  }

  /** Leave a piece where it was put, until the server has answered the move. */
  #carryPiece(cell, dragged) {
    const made = this.pieces.get(this.cellOf(this.touched[0]));
    if (!made || this.touched.length < 2) return;
    if (!dragged) this.animation.slide(made, cell);
    placePiece(made, cell, this.shape);
  }

  /** Lay out cells and labels. */
  #layOut(data) {
    this.pieces.clear();
    this.pieceLayer.replaceChildren();
    this.arrows.resize(this.shape);
    layCells(this, data);
    const first = Number(this.grid.querySelector(".cell")?.dataset.cell ?? 0); // points may begin later than 0
    this.focusCell(this.element(this.focus) ? this.focus : first, false);
  }

  /** Make the pieces those of the position; what has only moved slides there. */
  #placePieces(cells, slide) {
    const free = new Map(this.pieces);
    const now = new Map();
    const wanted = [];
    cells.forEach((piece, cell) => {
      if (!piece) return;
      const made = this.pieces.get(cell);
      if (made && isSameUnit(this.cells[cell], piece)) {
        now.set(cell, made);
        free.delete(cell);
      } else wanted.push(cell);
    });
    for (const cell of wanted) {
      const piece = cells[cell];
      const from = [...free.keys()].find((other) => isSameUnit(this.cells[other], piece))
        ?? [...free.keys()].find((other) => looksAlike(this.cells[other], piece) && healthOf(piece) === null);
      if (from === undefined) now.set(cell, this.addPiece(piece, cell));
      else {
        now.set(cell, free.get(from));
        free.delete(from);
      }
    }
    for (const made of free.values()) made.remove();
    for (const [cell, made] of now) {
      if (slide && made.dataset.at !== String(cell)) this.animation.slide(made, cell);
      placePiece(made, cell, this.shape);
      made.classList.remove("held", "jumped");
      updatePiece(made, cells[cell], this.look);
    }
    this.pieces = now;
    this.cells = cells;
  }

  /** Bring the classes and labels of the cells up to date. */
  #paint(marks = this.#marks) {
    paintCells(this, marks, this.#last);
    this.reach.show();
  }

  /** Where a cell's middle is, in cells from the top left. */
  middle(cell) {
    const { x, y } = cellXY(cell, this.shape);
    return { x: x + 0.5, y: y + 0.5 };
  }
}
