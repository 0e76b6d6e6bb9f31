/** What the move under the pointer would do: pale pieces where they would stand, and arrows. */

import { matchMoves } from "./move-entry.js";
import { placePiece } from "./geometry.js";
import { element } from "../element.js";
import { loss, pieceElement } from "./pieces.js";

export class Preview {
  #shown = null;

  constructor(board) {
    this.board = board;
  }

  /** Show the move to a cell, or none (null); `held`: the cell whose piece is being dragged. */
  async update(cell, held = null) {
    const move = cell === null ? null : this.#moveTo(cell);
    if (move === this.#shown) return;
    this.clear();
    this.#shown = move;
    if (!move) return;
    const phases = await this.board.previewMove(move);
    if (move === this.#shown) this.#draw(phases, held);
  }

  /** Show nothing. */
  clear() {
    this.#shown = null;
    this.board.ghosts.replaceChildren();
    for (const made of this.board.pieceLayer.querySelectorAll(".leaving, .covered")) made.classList.remove(
      "leaving",
      "covered",
    );
    this.board.arrows.draw("ghost", []);
  }

  /** The move that touching the cell would complete, or that alone goes on from there, as text; else null. */
  #moveTo(cell) {
    const { board } = this;
    const name = board.names[cell];
    if (!name || !board.next().has(name)) return null;
    const { chosen, open } = matchMoves(board.moves, [...board.touched, name]);
    const through = board.touched.length && open.length === 1 ? open[0] : null;
    return (chosen[0] ?? through)?.move ?? null;
  }

  #draw(phases, held) {
    const { board } = this;
    const cells = [...board.cells];
    const arrows = [];
    const ghosts = new Map();
    const notes = [];
    for (const { effects } of phases) {
      const lifted = effects.map((effect) => cells[effect.at]);
      for (const effect of effects) {
        cells[effect.at] = null;
        ghosts.delete(effect.at);
      }
      effects.forEach((effect, i) => {
        const to = effect.to ?? effect.at;
        if (effect.kind === "capture") {
          notes.push(this.#makeNote("lost", effect.at, ""));
          return;
        }
        const piece = effect.piece ?? lifted[i];
        const lost = loss(effect, lifted[i]);
        if (lost) notes.push(this.#makeNote("hit", effect.at, `−${lost}`));
        else if (piece && effect.at !== held) ghosts.set(to, piece);
        cells[to] = piece;
        if (effect.at === held) return; // it is in the hand, and needs no ghost
        if (to !== effect.at) board.pieces.get(effect.at)?.classList.add("leaving");
        board.pieces.get(to)?.classList.add("covered");
        if (to !== effect.at) arrows.push({ from: effect.at, to, kind: effect.kind === "hop" ? "hop" : "go" });
      });
    }
    const made = [...ghosts].map(([cell, piece]) => {
      const ghost = pieceElement(piece, board.look);
      placePiece(ghost, cell, board.shape);
      return ghost;
    });
    board.ghosts.replaceChildren(...made, ...notes);
    board.arrows.draw(
      "ghost",
      arrows.map((arrow) => ({ from: board.middle(arrow.from), to: board.middle(arrow.to), kind: arrow.kind })),
    );
  }

  #makeNote(kind, cell, text) {
    const made = element("span", { class: `ghost-${kind}` }, text);
    placePiece(made, cell, this.board.shape);
    return made;
  }
}
