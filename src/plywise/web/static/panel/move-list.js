/** The moves of the game: numbered rows, branches below the move they are an alternative to. */

import { button, element } from "../element.js";
import { addTab } from "./tabs.js";

export const MARKS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

addTab({
  id: "moves",
  title: "Moves",
  order: 10,
  mount(panel, { session }) {
    const list = element("div", { class: "move-list", role: "navigation", "aria-label": "Moves of the game" });
    panel.append(list);
    const draw = () => {
      if (!session.state) return;
      list.replaceChildren(...rows(session, session.line(), (n) => session.look(n)));
      const current = list.querySelector("[aria-current]");
      if (current && !panel.hidden) bringIntoView(list, current);
    };
    session.addEventListener("change", draw);
    session.addEventListener("review", draw);
    list.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -2, ArrowDown: 2, Home: -1e6, End: 1e6 }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      Promise.resolve(session.step(by)).then(() => list.querySelector("[aria-current]")?.focus());
    });
    return { shown: draw };
  },
});

function bringIntoView(list, current) {
  const box = list.getBoundingClientRect();
  const at = current.getBoundingClientRect();
  if (at.top < box.top || at.bottom > box.bottom) list.scrollTop += at.top - box.top - box.height / 2;
}

/** One line as rows; other moves that were tried at a node are listed below it. */
function rows(session, line, go) {
  const pairs = !session.info?.world;
  const start = button(
    "Start",
    () => go(line[0]),
    { class: "move start", "aria-current": session.node === line[0] ? "step" : null },
  );
  const made = [start];
  let row = null;
  line.slice(1).forEach((n) => {
    const node = session.at(n);
    if (!row || !pairs || node.side !== 1 || row.full) {
      row = {
        element: element("div", { class: pairs ? "row" : "row single" }),
        full: false,
        number: (row?.number ?? 0) + 1,
      };
      const resumed = pairs && node.side === 1;
      row.element.append(
        element("span", { class: "number" }, `${resumed && made.length > 1 ? --row.number : row.number}.`),
      );
      if (resumed) row.element.append(element("span", { class: "gap" }, "…"));
      made.push(row.element);
    }
    row.element.append(moveButton(session, node, go));
    if (node.side === 1 || !pairs) row.full = true;
    const others = session.children(node.parent).filter((other) => other.n !== n);
    if (others.length) {
      made.push(element("div", { class: "branches" }, ...others.map((other) => branch(session, other, go))));
      row.full = true;
    }
  });
  return made;
}

function branch(session, node, go) {
  const words = [];
  for (let at = node; at; at = session.children(at.n).at(-1)) {
    words.push(moveButton(session, at, go));
    const [, ...others] = session.children(at.n).reverse();
    words.push(...others.map((other) => branch(session, other, go)));
  }
  return element("div", { class: "branch" }, ...words);
}

function moveButton(session, node, go) {
  const mark = session.verdicts[node.n]?.mark ?? null;
  const here = session.node === node.n;
  const made = button(node.said, () => go(node.n), {
    class: `move${node.n === session.state.tip ? " tip" : ""}`,
    "aria-current": here ? "step" : null,
    tabindex: here ? "0" : "-1",
    title: mark ? `${node.said}: ${mark}` : node.said,
  });
  if (mark) {
    made.dataset.verdict = mark;
    made.append(
      element("span", { class: "verdict", "aria-hidden": "true" }, MARKS[mark] ?? ""),
      element("span", { class: "unseen" }, `, ${mark}`),
    );
  }
  return made;
}
