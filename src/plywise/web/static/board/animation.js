/** The effects of a move, phase by phase, as something to see. */

import { element } from "../element.js";
import { translateTo, placePiece } from "./geometry.js";
import { updatePiece, loss, pieceElement } from "./pieces.js";

const TIMES = {
  move: 190,
  hop: 330,
  capture: 230,
  place: 220,
  promote: 240,
  change: 200,
  damage: 380,
  stun: 260,
  free: 200,
};
const LONGEST = 1800; // ms for all phases of one turn together

export class MoveAnimation {
  #run = 0;

  constructor(board) {
    this.board = board;
    this.reduced = matchMedia("(prefers-reduced-motion: reduce)");
  }

  /** A new position is coming: whatever is still moving no longer matters. */
  begin() {
    for (const left of this.board.pieceLayer.querySelectorAll(".passing")) left.remove();
    return ++this.#run;
  }

  /** Move a piece to its new place without hurry, unless the visitor wants no motion. */
  slide(made, cell) {
    if (this.reduced.matches || !made.style.translate) return;
    const frames = [{ translate: made.style.translate }, { translate: translateTo(cell, this.board.shape) }];
    made.animate(frames, { duration: TIMES.move, easing: "ease-out" });
  }

  /**
   * Play the phases on the pieces as they stand.
   * @returns {Promise<boolean>} false if a newer position has come meanwhile
   */
  async perform(phases, turn) {
    if (this.reduced.matches || document.hidden) return turn === this.#run;
    const long = phases.reduce((sum, phase) => sum + duration(phase), 0);
    const pace = Math.min(1, LONGEST / Math.max(1, long));
    for (const phase of phases) {
      await this.#phase(phase, duration(phase) * pace);
      if (turn !== this.#run) return false;
    }
    return true;
  }

  /** One phase: everything is lifted, then everything is put down, all at the same time. */
  async #phase(phase, time) {
    const { board } = this;
    const lifted = phase.effects.map(
      (effect) => ({ effect, made: board.pieces.get(effect.at), piece: board.cells[effect.at] }),
    );
    const cells = [...board.cells];
    for (const { effect } of lifted) {
      board.pieces.delete(effect.at);
      cells[effect.at] = null;
    }
    const running = [];
    for (const { effect, made, piece } of lifted) {
      const to = effect.to ?? effect.at;
      if (effect.kind === "capture") {
        if (made) running.push(this.#take(made, time));
        continue;
      }
      const after = effect.piece ?? piece;
      if (!after) continue;
      let standing = made;
      if (!made) {
        standing = board.put(after, to);
        running.push(this.#arrive(standing, to, time));
      } else if (loss(effect, piece)) running.push(this.#hurt(made, effect.at, loss(effect, piece), time));
      else if (effect.to !== null && effect.to !== undefined) running.push(this.#go(made, effect, time));
      else running.push(this.#turnInto(made, after, time));
      if (made && effect.piece) updatePiece(made, after, board.look);
      const other = board.pieces.get(to);
      if (other && other !== standing) other.remove();
      board.pieces.set(to, standing);
      cells[to] = after;
    }
    board.cells = cells;
    await Promise.all(running);
  }

  #go(made, effect, time) {
    const from = made.style.translate;
    const there = made.dataset.at === String(effect.to); // the hand has put it there already
    placePiece(made, effect.to, this.board.shape);
    if (there) return null;
    const goal = made.style.translate;
    const frames = effect.kind === "hop"
      ? [{ translate: from, scale: 1 }, { scale: 1.28, offset: 0.5 }, { translate: goal, scale: 1 }]
      : [{ translate: from }, { translate: goal }];
    made.classList.add("moving");
    const done = made.animate(frames, { duration: time, easing: "ease-in-out" }).finished;
    return done.then(() => made.classList.remove("moving"), () => null);
  }

  #take(made, time) {
    made.classList.add("passing");
    const done = made.animate(
      [{ opacity: 1, scale: 1 }, { opacity: 0, scale: 0.3 }],
      { duration: time, easing: "ease-in", fill: "forwards" },
    );
    return done.finished.then(() => made.remove(), () => made.remove());
  }

  /** Where cells share a name, a piece comes in at the first of them: a disc falls down its column. */
  #arrive(made, cell, time) {
    const { board } = this;
    const name = board.names[cell];
    const entrance = name ? board.names.indexOf(name) : cell;
    if (entrance !== cell) {
      const frames = [{ translate: translateTo(entrance, board.shape) }, { translate: translateTo(cell, board.shape) }];
      return whenFinished(made.animate(frames, { duration: time * 1.6, easing: "cubic-bezier(.5,0,.9,.6)" }));
    }
    const frames = [{ opacity: 0, scale: 0.4 }, { opacity: 1, scale: 1 }];
    return whenFinished(made.animate(frames, { duration: time, easing: "ease-out" }));
  }

  #hurt(made, cell, lost, time) {
    const word = element("span", { class: "hit passing" }, `−${lost}`);
    placePiece(word, cell, this.board.shape);
    this.board.pieceLayer.append(word);
    word.animate(
      [{ opacity: 1, transform: "none" }, { opacity: 0, transform: "translateY(-60%)" }],
      { duration: time * 2, easing: "ease-out", fill: "forwards" },
    )
      .finished.then(() => word.remove(), () => word.remove());
    const shake = ["none", "translateX(-7%)", "translateX(7%)", "none"].map((transform) => ({ transform }));
    return whenFinished(made.animate(shake, { duration: time }));
  }

  #turnInto(made, piece, time) {
    const other = pieceElement(piece, this.board.look);
    made.replaceChildren(...other.childNodes);
    made.dataset.colour = other.dataset.colour;
    const frames = [{ scale: 0.6 }, { scale: 1.18 }, { scale: 1 }];
    return whenFinished(made.animate(frames, { duration: time, easing: "ease-out" }));
  }
}

/** Settled when the animation is over, or cut short. */
function whenFinished(animation) {
  return animation.finished.catch(() => null);
}

function duration(phase) {
  return Math.max(...phase.effects.map((effect) => TIMES[effect.kind] ?? 200), 0);
}
