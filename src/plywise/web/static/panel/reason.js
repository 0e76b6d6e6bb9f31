/**
 * "Why is this bad?": the reason in plain words, the refutation to step through on the board, and the way to the
 * tree. Everything that can be asked about a move leads here, so it looks and works alike everywhere.
 */

import { button, byId, element, sentence } from "../element.js";

const MAX_SHOWN = 24; // moves of a line; what is said to be won is won before

/**
 * Build the card above the tabs.
 * @returns {{ask: (node: number, move?: string|null) => Promise<void>, hide: () => void,
 *   body: (answer: any, solved?: boolean) => HTMLElement[], showBad: (answer: any) => void, keep: (draw: () => void) => void, clear: () => void}}
 */
export function mountReason(page) {
  const { session, board } = page;
  const title = element("h2");
  const words = element("div", { class: "reason-words", "aria-live": "polite" });
  const again = button("Try again", () => {
    hide();
    page.mistakes.start(asked);
  });
  const tree = button("Show the tree here", () => answer && page.showTree(answer.from, answer.played.said[0]), { title: "Record a search of the position and open its tree at this move" });
  const card = element(
    "section",
    { id: "reason", class: "teach-card", hidden: true, "aria-label": "Why is this bad?" },
    element("div", { class: "head" }, title, button("×", () => hide(), { class: "icon close", "aria-label": "Close" })),
    words,
    element("div", { class: "bar" }, tree, again),
  );
  byId("tab-panels").before(card);
  let asked = null; // the node of the move that is asked about, if it was played
  let answer = null;
  let number = 0;
  let look = 0; // the latest position of a line that was asked for
  let place = null; // the node for which the card puts something on the board, or will when the answer comes
  let kept = null; // how that is drawn

  const clear = () => {
    look++;
    place = kept = null;
    board.arrows.draw("reply", []);
  };
  /** Put something on the board that stays until another position is looked at. */
  const keep = (draw) => {
    place = session.node;
    kept = draw;
    draw();
  };
  /** A new state draws the board anew, perhaps only because a try was counted. */
  const keepOrClear = () => (place === session.node ? queueMicrotask(() => kept?.()) : clear());
  function hide() {
    number++;
    card.hidden = true;
    clear();
    page.why.why.restoreBoard();
  }

  /** Show the position after some moves of a line, with an arrow for the next one. */
  async function showLine(from, line, count) {
    const mine = ++look;
    place = session.node;
    const found = await session.requestForGame("why-look", { node: from, moves: line.line.slice(0, count) });
    if (!found || mine !== look) return; // another position is on the board by now
    const kind = count === line.reply ? "threat" : "line";
    keep(() => {
      page.why.why.showPosition(found.view);
      board.arrows.draw("reply", page.arrow(kind, line.steps[count]));
    });
  }

  /** A line whose moves can be pressed, and stepped through with the arrow keys. */
  function lineOf(name, from, line) {
    const { first } = line; // moves of the same turn may come before the one in question
    const moves = line.said.slice(0, MAX_SHOWN).map((label, i) => button(label, () => show(i), { class: "move", tabindex: i === first ? "0" : "-1" }));
    let at = first;
    const show = (i) => {
      at = Math.max(0, Math.min(moves.length - 1, i));
      for (const one of row.closest(".teach-card").querySelectorAll(".reason-line [aria-current]")) one.removeAttribute("aria-current");
      moves.forEach((one, k) => (one.tabIndex = k === at ? 0 : -1));
      moves[at].setAttribute("aria-current", "step");
      moves[at].focus({ preventScroll: true });
      return showLine(from, line, at + 1);
    };
    const row = element("div", { class: "reason-line", role: "group", "aria-label": name }, element("b", {}, `${name} `), ...moves);
    row.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1, Home: -1e6, End: 1e6 }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      show(at + by);
    });
    return row;
  }

  /** The sentences and the lines of an answer; `solved`: the best line, whether the other is bad or not. */
  const body = (found, solved = false) => {
    const best = found.best && (solved || found.bad) ? [lineOf(found.bad ? "Better:" : "Best:", found.from, found.best)] : [];
    return [
      ...found.words.map((words) => element("p", {}, ...sentence(words))),
      lineOf(found.bad ? "The line:" : "Line:", found.from, found.played),
      ...best,
    ];
  };
  /** The position after the move, with the answer as an arrow. */
  const showBad = (found) => showLine(found.from, found.played, found.played.first + 1);

  async function ask(node, move = null) {
    const mine = ++number;
    page.mistakes.stop();
    asked = move === null ? node : null;
    answer = null;
    const said = move === null ? session.at(node)?.said : session.view.moves.find((one) => one.move === move)?.said ?? move;
    title.textContent = `Why is ${said} bad?`;
    words.replaceChildren(element("p", {}, "Searching…"));
    card.hidden = false;
    if (card.getBoundingClientRect().top > innerHeight * 0.8) card.scrollIntoView({ block: "center" });
    again.hidden = tree.disabled = true;
    const found = await session.requestForGame("why-bad", move === null ? { node } : { node, move });
    if (mine !== number) return;
    if (!found) {
      card.hidden = true;
      return;
    }
    answer = found;
    if (!found.bad) title.textContent = `Is ${said} bad?`;
    performance.mark("reason-shown");
    tree.disabled = false;
    again.hidden = asked === null || !found.bad || !session.owner;
    words.replaceChildren(...body(found));
    if (asked !== null) await session.look(asked);
    if (mine === number) await showBad(found);
  }
  session.addEventListener("opened", hide);
  session.addEventListener("change", keepOrClear);
  return { ask, hide, body, showBad, keep, clear };
}
