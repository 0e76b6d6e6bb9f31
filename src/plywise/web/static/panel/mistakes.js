/**
 * "Learn from your mistakes": at each mistake that a review has found, the player looks for a better move. A wrong
 * try is refuted on the board; what came of each mistake is kept with the game.
 */

import { button, byId, element } from "../element.js";
import { sideFirst } from "../board/seats.js";
import { MARKS } from "./move-list.js";

/** Build the card above the tabs. @returns {{start: (node?: number) => void, stop: () => void, nodes: () => number[]}} */
export function mountMistakes(page) {
  const { session } = page;
  const title = element("h2");
  const task = element("p", { class: "task" });
  const feedback = element("div", { class: "reason-words", "aria-live": "polite" });
  const record = element("p", { class: "facts" });
  const again = button("Try again", () => ask(), { class: "primary" });
  const next = button("Next mistake", () => goTo(at + 1));
  const reveal = button("Show the better move", () => showSolution());
  const card = element(
    "section",
    { id: "learn", class: "teach-card", hidden: true, "aria-label": "Learn from your mistakes" },
    element("div", { class: "head" }, title, button("×", () => stop(), { class: "icon close", "aria-label": "Stop" })),
    task,
    feedback,
    element("div", { class: "bar" }, again, reveal, next),
    record,
  );
  byId("tab-panels").before(card);
  let queue = [];
  let at = 0;
  let tries = 0; // the latest one is answered

  /** The mistakes of the players who sit here; of both sides if nobody does, or if both do. */
  const nodes = () => {
    if (!session.state) return [];
    const own = page.ownSides();
    const sides = own.length === 1 ? own : [0, 1];
    return session.gameLine().filter((n) => session.verdicts[n]?.mark && sides.includes(session.at(n).side));
  };
  const outcomeOf = (n) => session.state.tries?.[n] ?? [0, "open"];
  const drawRecord = () => {
    if (card.hidden || !session.state) return;
    const known = queue.map(outcomeOf);
    const solved = known.filter(([, state]) => state === "solved");
    const first = solved.filter(([wrong]) => wrong === 0).length;
    const shown = known.filter(([, state]) => state === "shown").length;
    const wrong = known.reduce((sum, [count]) => sum + count, 0);
    const parts = [`Solved ${solved.length} of ${queue.length}, ${first} at the first try`];
    if (shown) parts.push(`${shown} shown`);
    if (wrong) parts.push(wrong === 1 ? "1 wrong try" : `${wrong} wrong tries`);
    record.textContent = `${parts.join(" · ")}.`;
  };

  /** Take the move that was entered as a try. @returns {Promise<boolean>} whether it was one */
  async function take(move) {
    const node = queue[at];
    if (card.hidden || session.node !== session.at(node)?.parent) return false;
    const mine = ++tries;
    feedback.replaceChildren(element("p", {}, "Searching…"));
    const found = await session.requestForGame("try", { node, move });
    if (mine !== tries) return true; // another mistake is asked about by now
    if (!found) {
      feedback.replaceChildren();
      page.draw();
      return true;
    }
    showAnswer(found);
    return true;
  }
  /** On a phone the card is below the board: what it says must be seen. */
  function bringIntoSight() {
    if (card.getBoundingClientRect().top > innerHeight * 0.8) card.scrollIntoView({ block: "center" });
  }
  function showAnswer(found) {
    const head = found.doubted ? "Perhaps: it counts as good." : found.good ? "Yes, a good move." : found.bad ? "No." : "Not quite.";
    feedback.replaceChildren(element("p", {}, element("strong", { class: found.good ? "right" : "wrong" }, head)), ...page.reason.body(found));
    again.hidden = found.good;
    reveal.hidden = found.good;
    next.classList.toggle("primary", found.good);
    page.reason.showBad(found);
    bringIntoSight();
    page.status.say([head, ...found.words].join(" "));
    drawRecord();
  }
  async function showSolution() {
    const node = queue[at];
    const mine = ++tries;
    reveal.disabled = true;
    feedback.replaceChildren(element("p", {}, "Searching…"));
    const found = await session.requestForGame("solution", { node });
    reveal.disabled = false;
    if (mine !== tries) return;
    feedback.replaceChildren(...(found ? page.reason.body(found, true) : []));
    if (!found) return;
    again.hidden = false;
    reveal.hidden = true;
    await session.look(session.at(node).parent);
    page.reason.clear();
    page.why.why.restoreBoard();
    page.reason.keep(() => page.board.arrows.draw("reply", page.arrow("best", found.best.steps[found.best.first])));
    drawRecord();
  }
  /** Ask for the better move at the present mistake. */
  async function ask() {
    tries++;
    const node = session.at(queue[at]);
    const verdict = session.verdicts[node.n];
    const side = sideFirst(session.info.sides[node.side]);
    title.textContent = `Learn from your mistakes: ${at + 1} of ${queue.length}`;
    task.textContent = `Move ${node.move}: ${side} played ${node.said}${MARKS[verdict.mark] ?? ""}, ${verdict.mark === "inaccuracy" ? "an" : "a"} ${verdict.mark}. Find a better move for ${side}.`;
    feedback.replaceChildren();
    again.hidden = true;
    reveal.hidden = false;
    next.classList.remove("primary");
    next.disabled = at + 1 >= queue.length;
    page.reason.clear();
    page.why.why.restoreBoard();
    await session.look(node.parent);
    page.status.say(task.textContent);
    drawRecord();
  }
  function goTo(place) {
    at = Math.max(0, Math.min(queue.length - 1, place));
    return ask();
  }
  /** Begin with a mistake, or with the first one that is not solved. */
  function start(node = null) {
    page.reason.hide();
    queue = nodes();
    if (node !== null && !queue.includes(node)) queue = [node, ...queue];
    if (!queue.length) {
      page.notify("No mistakes were found. Review a game first.");
      return;
    }
    card.hidden = false;
    document.body.classList.add("learning"); // the list of mistakes keeps the better moves to itself
    bringIntoSight();
    session.taker = take;
    const open = queue.findIndex((n) => outcomeOf(n)[1] === "open");
    goTo(node === null ? Math.max(0, open) : queue.indexOf(node));
  }
  function stop() {
    if (card.hidden) return;
    tries++;
    card.hidden = true;
    document.body.classList.remove("learning");
    session.taker = null;
    page.reason.clear();
    page.why.why.restoreBoard();
  }
  session.addEventListener("opened", stop);
  session.addEventListener("change", drawRecord);
  return { start, stop, nodes };
}
