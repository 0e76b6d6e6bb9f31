/** A small board that shows where a line of moves leads while the mouse or the focus is on one of its moves. */

import { Board } from "./board.js";
import { element } from "../element.js";

/** Build it. @returns {{show: (place: Element, moves: string[]) => void, hide: () => void}} */
export function makeHoverBoard(page) {
  const { session } = page;
  const frame = element("div", { class: "mini-board hover-board", "aria-hidden": "true", inert: true });
  const board = new Board(frame);
  let asked = 0;
  const hide = () => {
    asked++;
    frame.remove();
  };
  const show = async (place, moves) => {
    const mine = ++asked;
    const answer = await session.connection.ask("follow", { game: session.id, node: session.node, moves }).catch(() => null);
    if (!answer || mine !== asked || !answer.board.width || !place.isConnected) return;
    const { info } = session;
    document.body.append(frame);
    await board.show(
      { board: answer.board, moves: [], marks: [], last: answer.last },
      { look: { game: info.name, sides: info.sides, title: info.title }, flipped: page.flipped },
    );
    for (const cell of frame.querySelectorAll("[tabindex]")) cell.removeAttribute("tabindex"); // only to be seen
    const at = place.getBoundingClientRect();
    frame.style.left = `${Math.max(4, Math.min(at.left, innerWidth - frame.offsetWidth - 4))}px`;
    const below = at.bottom + 6;
    frame.style.top = `${below + frame.offsetHeight < innerHeight ? below : Math.max(4, at.top - frame.offsetHeight - 6)}px`;
  };
  session.addEventListener("change", hide);
  return { show, hide };
}
