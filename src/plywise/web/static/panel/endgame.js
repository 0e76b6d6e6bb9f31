/** What the endgame database says of the position on the board: who wins, and what each move leads to. */

import { button, element, sentence } from "../element.js";

/** The part of the analysis tab for it; hidden where the game has no database or it knows nothing. */
export function makeEndgame(page, isShown) {
  const { session } = page;
  const words = element("p", { class: "facts", role: "status" });
  const list = element("ol", { class: "lines endgame" });
  const section = element("section", { hidden: true }, element("h2", {}, "Endgame database"), words, list);
  let drawn = null;
  const draw = async () => {
    const { node, state } = session;
    if (!session.info?.endgames || !state || !isShown() || session.view?.outcome) {
      section.hidden = true;
      drawn = null;
      return;
    }
    const key = `${session.id} ${node}`;
    if (key === drawn) return;
    drawn = key;
    const found = await session.requestForGame("endgame", { node });
    if (drawn !== key) return;
    section.hidden = !found || !(found.words || found.moves.length);
    if (section.hidden) return;
    words.replaceChildren(...sentence(found.words && `${found.words[0].toUpperCase()}${found.words.slice(1)}`));
    list.replaceChildren(...found.moves.map((move) => item(move, page)));
  };
  session.addEventListener("change", draw);
  list.addEventListener("pointerleave", () => page.board.arrows.draw("reply", []));
  return { element: section, draw };
}

function item({ move, said, steps, words, result }, page) {
  const { session } = page;
  const label = session.playable
    ? button(said, () => session.play(move), { class: "play", title: "Play this move" })
    : element("span", { class: "play" }, said);
  const made = element("li", { "data-result": result }, label, element("span", { class: "score" }, words));
  made.addEventListener("pointerenter", () => page.board.arrows.draw("reply", page.arrow("line", steps)));
  return made;
}
