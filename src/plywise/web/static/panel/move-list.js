/**
 * The moves of the game: numbered rows for the main line, and below a move the variations that were tried in
 * its place, with their own numbers. The list is built when the tree changes; stepping only moves the mark.
 */

import { button, element } from "../element.js";
import { signs } from "./glyphs.js";
import { mountStudy } from "./study.js";
import { addTab } from "./tabs.js";

export const MARKS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
const MAX_INDENT = 8; // variations nested deeper are drawn at this depth

addTab({
  id: "moves",
  title: "Moves",
  order: 10,
  mount(panel, page) {
    const { session } = page;
    const list = element("div", { class: "move-list", role: "navigation", "aria-label": "Moves of the game" });
    const opening = element("p", { class: "opening", hidden: true });
    panel.append(opening, list, mountStudy(page, list));
    let buttons = new Map();
    let drawn = null;
    const mark = () => {
      list.querySelector("[aria-current]")?.removeAttribute("aria-current");
      for (const made of list.querySelectorAll('.move[tabindex="0"]')) made.tabIndex = -1;
      const current = buttons.get(session.node);
      current?.setAttribute("aria-current", "step");
      if (current) current.tabIndex = 0;
      if (current && !panel.hidden) bringIntoView(list, current);
    };
    const draw = () => {
      if (!session.state) return;
      opening.textContent = session.view?.opening || "\u00a0"; // the line stays, so that nothing below it moves
      opening.hidden = !session.info?.openings;
      if (drawn !== session.state) {
        drawn = session.state;
        buttons = new Map();
        list.replaceChildren(...rows(session, buttons));
      }
      mark();
    };
    session.addEventListener("change", draw);
    session.addEventListener("review", () => {
      drawn = null;
      draw();
    });
    list.addEventListener("click", (event) => {
      const n = event.target.closest?.(".move")?.dataset.n;
      if (n !== undefined) session.look(Number(n));
    });
    list.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -2, ArrowDown: 2, Home: -1e6, End: 1e6 }[event.key];
      if (!by || event.shiftKey) return;
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

/** The main line as rows; comments and variations below the move they belong to. */
function rows(session, buttons) {
  const pairs = !session.info?.world;
  const [root, ...line] = session.mainLine().map((n) => session.at(n));
  const start = button("Start", null, { class: "move start", "data-n": 0, tabindex: "-1" });
  buttons.set(0, start);
  const made = [start, ...comment(root.comment)];
  let row = null;
  for (const node of line) {
    if (!row || !pairs || node.side !== 1 || row.full) {
      row = { element: element("div", { class: pairs ? "row" : "row single" }), full: false };
      row.element.append(element("span", { class: "number" }, `${node.move}.`));
      if (pairs && node.side === 1) row.element.append(element("span", { class: "gap" }, "…"));
      made.push(row.element);
    }
    row.element.append(moveButton(session, node, buttons));
    row.full = node.side === 1 || !pairs;
    const [, ...others] = session.children(node.parent);
    const below = [...comment(node.comment), ...others.flatMap((other, i) => variation(session, other, i + 1, buttons))];
    if (!below.length) continue;
    made.push(element("div", { class: "branches" }, ...below));
    row.full = true;
  }
  return made;
}

function comment(words) {
  return words ? [element("p", { class: "comment" }, words)] : [];
}

/** A variation as lines; what branches off within it follows the move that it is an alternative to, further in. */
function variation(session, first, place, buttons) {
  const lines = [];
  const waiting = [{ node: first, depth: 0, place }];
  while (waiting.length) {
    const { node, depth, place: number } = waiting.pop();
    const words = number ? [element("span", { class: "place" }, `${number})`)] : [];
    let numbered = false;
    for (let at = node; at; at = session.children(at.n)[0]) {
      if (at.before) words.push(...comment(at.before));
      if (at.side !== 1 || !numbered || at.before) words.push(
        element("span", { class: "number" }, `${at.move}${at.side === 1 ? "…" : "."}`),
      );
      words.push(moveButton(session, at, buttons), ...comment(at.comment));
      numbered = !at.comment;
      const [, ...others] = at === node && number ? [] : session.children(at.parent);
      if (!others.length) continue;
      const [next] = session.children(at.n);
      if (next) waiting.push({ node: next, depth, place: 0 });
      others.map((other, i) => ({ node: other, depth: depth + 1, place: i + 1 })).reverse().forEach((one) => waiting.push(one));
      break;
    }
    const line = element("div", { class: "branch" }, ...words);
    line.style.setProperty("--depth", String(Math.min(depth, MAX_INDENT)));
    lines.push(line);
  }
  return lines;
}

function moveButton(session, node, buttons) {
  const mark = session.verdicts[node.n]?.mark ?? null;
  const glyphs = signs(node.nags);
  const made = button(node.said, null, {
    class: `move${node.n === session.state.tip ? " tip" : ""}`,
    tabindex: "-1",
    title: mark ? `${node.said}: ${mark}` : node.said,
  });
  made.dataset.n = String(node.n);
  buttons.set(node.n, made);
  if (glyphs) made.append(element("span", { class: "glyphs" }, glyphs));
  if (!mark) return made;
  made.dataset.verdict = mark;
  if (!glyphs) made.append(element("span", { class: "verdict", "aria-hidden": "true" }, MARKS[mark] ?? ""));
  made.append(element("span", { class: "unseen" }, `, ${mark}`));
  return made;
}
