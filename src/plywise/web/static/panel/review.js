/** The review of the whole game: mistakes, and how accurate each side was. */

import { button, element } from "../element.js";
import { capital, sideFirst } from "../board/seats.js";
import { MARKS } from "./move-list.js";

const NAMES = { inaccuracy: "inaccuracies", mistake: "mistakes", blunder: "blunders" };

/** The part of the analysis tab that reviews a game. */
export function makeReview(page) {
  const { session } = page;
  const start = button("Review the game", () => session.requestForGame("review"));
  const learn = button("Learn from your mistakes", () => page.mistakes.start(), { class: "primary", hidden: true });
  const stop = button("Stop", async () => {
    await session.requestForGame("stop review"); // the last report comes before the answer
    end();
  }, { hidden: true, title: "End the review; what it has found stays" });
  const bar = element("progress", { max: 1, hidden: true, "aria-label": "Review" });
  const summary = element("div", { class: "summary" });
  const list = element("ul", { class: "mistakes" });
  const nothing = element("p", { class: "facts", hidden: true });
  const waiting = element("p", { class: "facts", role: "status", hidden: true });
  let progress = { done: 0, of: 0 };
  let shown = "";
  const draw = () => {
    if (!session.state) return;
    const { done, of } = progress;
    waiting.hidden = !progress.waiting;
    if (waiting.textContent !== (progress.waiting ?? "")) waiting.textContent = progress.waiting ?? "";
    const running = done < of;
    bar.hidden = stop.hidden = !running;
    if (running) bar.value = done / of;
    start.disabled = running || session.state.nodes.length < 2;
    const known = session.gameLine().slice(1).filter((n) => session.verdicts[n]);
    const line = known.map((n) => ({ node: session.at(n), verdict: session.verdicts[n] }));
    const reviewed = line.some((one) => one.verdict.accuracy !== undefined && one.verdict.accuracy !== null);
    summary.replaceChildren(...(reviewed ? [table(line, session.info)] : []));
    const count = running || !session.owner ? 0 : page.mistakes.nodes().length;
    learn.hidden = !count;
    learn.textContent = `Learn from your mistakes (${count})`;
    const marked = line.filter((one) => one.verdict.mark);
    nothing.hidden = running || !line.length || marked.length > 0;
    nothing.textContent = session.info.world
      ? "Both sides act at once here, so the review marks no move. To ask about one, press Why? below the list of moves."
      : "No mistakes were found.";
    const now = JSON.stringify([session.id, session.owner, marked.map(({ node, verdict }) => [node.n, node.said, verdict])]);
    if (now === shown) return; // nothing new: a button that is being pressed stays where it is
    shown = now;
    list.replaceChildren(...marked.map((one) => item(one, page)));
  };
  const setProgress = ({ done, of, waiting }) => {
    progress = { done, of, waiting };
    draw();
  };
  session.addEventListener("review", (event) => setProgress(event.detail));
  session.addEventListener("change", draw);
  const end = () => setProgress({ done: 0, of: 0 }); // the server does not go on with it
  session.addEventListener("opened", end);
  session.connection.addEventListener("lost", end);
  session.connection.addEventListener("tell:error", (event) => event.detail.game === session.id && end());
  return element(
    "section",
    { class: "review", "aria-label": "Review" },
    element("div", { class: "bar" }, start, bar, stop, learn),
    waiting,
    summary,
    nothing,
    list,
  );
}

function table(line, info) {
  const head = element(
    "tr",
    {},
    element("td", {}),
    ...info.sides.map((side) => element("th", { scope: "col" }, sideFirst(side))),
  );
  const of = (side) => line.filter((one) => one.node.side === side);
  const accuracy = (side) => {
    const known = of(side).map((one) => one.verdict.accuracy).filter((value) => value !== undefined && value !== null);
    if (!known.length) return "–";
    return `${Math.round(known.reduce((sum, value) => sum + value, 0) / known.length)} %`;
  };
  const rows = [["accuracy", accuracy(0), accuracy(1)]];
  for (const mark of Object.keys(NAMES)) {
    const count = (side) => of(side).filter((one) => one.verdict.mark === mark).length;
    rows.push([`${NAMES[mark]} ${MARKS[mark]}`, count(0), count(1)]);
  }
  const made = rows.map(
    ([name, ...values]) => element(
      "tr",
      {},
      element("th", { scope: "row" }, name),
      ...values.map((value) => element("td", {}, String(value))),
    ),
  );
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...made));
}

function item({ node, verdict }, page) {
  const { session } = page;
  const best = verdict.best ? element("span", { class: "best" }, ` Best was ${verdict.best}.`) : null;
  const made = button(
    `${node.said}${MARKS[verdict.mark] ?? ""}`,
    () => session.look(node.n),
    { class: "move", "data-verdict": verdict.mark },
  );
  return element(
    "li",
    {},
    made,
    element("span", {}, ` ${capital(verdict.mark)}: ${verdict.words ? `now ${verdict.words}` : "it gives a part of the chances away"}.`),
    best,
    " ",
    button("Why?", () => page.reason.ask(node.n), { class: "why-link", title: "Why is this bad?" }),
    session.owner ? button("Try again", () => page.mistakes.start(node.n), { class: "why-link" }) : null,
  );
}
