/** Animates the effects of a move, phase by phase. */

import { element } from "../element.js";
import { translateTo, placePiece } from "./geometry.js";
import { updatePiece, loss, pieceElement } from "./pieces.js";

const DURATIONS = {
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
const MAX_DURATION = 1800; // ms for all phases of one turn together

export class MoveAnimation {
  #run = 0;

  constructor(board) {
    this.board = board;
    this.reduced = matchMedia("(prefers-reduced-motion: reduce)");
  }

  /** Start a run, for a new position: what an earlier run still moves does not matter any more. */
  startRun() {
    for (const left of this.board.pieceLayer.querySelectorAll(".passing")) left.remove();
    return ++this.#run;
  }

  /** Let a piece slide to its new place, unless the visitor wants no motion. */
  slide(shown, cell) {
    if (this.reduced.matches || !shown.style.translate) return;
    const frames = [{ translate: shown.style.translate }, { translate: translateTo(cell, this.board.shape) }];
    shown.animate(frames, { duration: DURATIONS.move, easing: "ease-out" });
  }

  /**
   * Play the phases on the pieces of the board.
   * @returns {Promise<boolean>} false if a newer position has come meanwhile
   */
  async play(phases, run) {
    if (this.reduced.matches || document.hidden) return run === this.#run;
    const long = phases.reduce((sum, phase) => sum + duration(phase), 0);
    const pace = Math.min(1, MAX_DURATION / Math.max(1, long));
    for (const phase of phases) {
      await this.#playPhase(phase, duration(phase) * pace);
      if (run !== this.#run) return false;
    }
    return true;
  }

  /** One phase: everything is lifted, then everything is put down, all at the same time. */
  async #playPhase(phase, time) {
    const { board } = this;
    const lifted = phase.effects.map(
      (effect) => ({ effect, shown: board.pieces.get(effect.at), piece: board.cells[effect.at] }),
    );
    const cells = [...board.cells];
    for (const { effect } of lifted) {
      board.pieces.delete(effect.at);
      cells[effect.at] = null;
    }
    const running = [];
    for (const { effect, shown, piece } of lifted) {
      const to = effect.to ?? effect.at;
      if (effect.kind === "capture") {
        if (shown) running.push(this.#capturePiece(shown, time));
        continue;
      }
      const after = effect.piece ?? piece;
      if (!after) continue;
      let standing = shown;
      if (!shown) {
        standing = board.addPiece(after, to);
        running.push(this.#addPiece(standing, to, time));
      } else if (loss(effect, piece)) running.push(this.#showDamage(shown, effect.at, loss(effect, piece), time));
      else if (effect.to !== null && effect.to !== undefined) running.push(this.#movePiece(shown, effect, time));
      else running.push(this.#changePiece(shown, after, time));
      if (shown && effect.piece) updatePiece(shown, after, board.look);
      const other = board.pieces.get(to);
      if (other && other !== standing) other.remove();
      board.pieces.set(to, standing);
      cells[to] = after;
    }
    board.cells = cells;
    await Promise.all(running);
  }

  #movePiece(shown, effect, time) {
    const from = shown.style.translate;
    const there = shown.dataset.at === String(effect.to); // the hand has put it there already
    placePiece(shown, effect.to, this.board.shape);
    if (there) return null;
    const goal = shown.style.translate;
    const frames = effect.kind === "hop"
      ? [{ translate: from, scale: 1 }, { scale: 1.28, offset: 0.5 }, { translate: goal, scale: 1 }]
      : [{ translate: from }, { translate: goal }];
    shown.classList.add("moving");
    const done = shown.animate(frames, { duration: time, easing: "ease-in-out" }).finished;
    return done.then(() => shown.classList.remove("moving"), () => null);
  }

  #capturePiece(shown, time) {
    shown.classList.add("passing");
    const done = shown.animate(
      [{ opacity: 1, scale: 1 }, { opacity: 0, scale: 0.3 }],
      { duration: time, easing: "ease-in", fill: "forwards" },
    );
    return done.finished.then(() => shown.remove(), () => shown.remove());
  }

  /** Where cells share a name, a piece comes in at the first of them: a disc falls down its column. */
  #addPiece(shown, cell, time) {
    const { board } = this;
    const name = board.names[cell];
    const entrance = name ? board.names.indexOf(name) : cell;
    if (entrance !== cell) {
      const frames = [{ translate: translateTo(entrance, board.shape) }, { translate: translateTo(cell, board.shape) }];
      return whenFinished(shown.animate(frames, { duration: time * 1.6, easing: "cubic-bezier(.5,0,.9,.6)" }));
    }
    const frames = [{ opacity: 0, scale: 0.4 }, { opacity: 1, scale: 1 }];
    return whenFinished(shown.animate(frames, { duration: time, easing: "ease-out" }));
  }

  #showDamage(shown, cell, lost, time) {
    const word = element("span", { class: "hit passing" }, `−${lost}`);
    placePiece(word, cell, this.board.shape);
    this.board.pieceLayer.append(word);
    word.animate(
      [{ opacity: 1, transform: "none" }, { opacity: 0, transform: "translateY(-60%)" }],
      { duration: time * 2, easing: "ease-out", fill: "forwards" },
    )
      .finished.then(() => word.remove(), () => word.remove());
    const shake = ["none", "translateX(-7%)", "translateX(7%)", "none"].map((transform) => ({ transform }));
    return whenFinished(shown.animate(shake, { duration: time }));
  }

  #changePiece(shown, piece, time) {
    const other = pieceElement(piece, this.board.look);
    shown.replaceChildren(...other.childNodes);
    shown.dataset.colour = other.dataset.colour;
    if (other.dataset.count !== undefined) shown.dataset.count = other.dataset.count;
    const frames = [{ scale: 0.6 }, { scale: 1.18 }, { scale: 1 }];
    return whenFinished(shown.animate(frames, { duration: time, easing: "ease-out" }));
  }
}

/** Settled when the animation is over, or cut short. */
function whenFinished(animation) {
  return animation.finished.catch(() => null);
}

function duration(phase) {
  return Math.max(...phase.effects.map((effect) => DURATIONS[effect.kind] ?? 200), 0);
}
