/** The panel under the picture: one node in words, and the moves that were not searched there. */

import { button, element } from "../element.js";
import { causeClass, causeName } from "./names.js";

const FIRST_STUBS = 8; // stubs that are shown before "all"

/** Build the panel. */
export function makeNodePanel(why) {
  const title = element("h3");
  const list = element("dl");
  const words = element("p", { class: "why-words" });
  const stubs = element("div", { class: "why-stubs" });
  const panel = element("section", { class: "why-node", "aria-label": "The node looked at", hidden: true }, title, list, words, stubs);
  let shown = null;
  const draw = (node) => {
    const again = shown?.node === node.node && shown.record === why.summary?.record;
    if (again) return;
    shown = { ...node, record: why.summary?.record };
    panel.hidden = false;
    const moves = node.path.slice(1).map((step) => step.said);
    title.textContent = moves.length ? moves.join(" ") : "The position searched";
    list.replaceChildren(...node.facts.flatMap(({ name, words: said }) => [element("dt", {}, name), element("dd", {}, name === "Cause" ? element("i", { class: causeClass(said), "aria-hidden": "true" }) : null, name === "Cause" ? causeName(said) : said)]));
    words.textContent = node.words;
    drawStubs(node, false);
  };
  const drawStubs = (node, all) => {
    const { skipped } = node;
    const listed = all ? skipped : skipped.slice(0, FIRST_STUBS);
    if (!skipped.length || !node.opens) {
      stubs.replaceChildren();
      return;
    }
    const items = listed.map((stub) => stubItem(why, node.node, stub));
    if (listed.length < skipped.length) items.push(element("li", {}, button(`all ${skipped.length}`, () => drawStubs(node, true))));
    stubs.replaceChildren(element("h4", {}, skipped.length === 1 ? "One move was not searched here" : `${skipped.length} moves were not searched here`), element("ul", {}, ...items));
  };
  why.addEventListener("recorded", () => {
    shown = null;
    panel.hidden = true;
  });
  return { element: panel, draw, spokenText: () => (shown ? `${title.textContent}. ${shown.facts.map(({ name, words: said }) => `${name}: ${said}`).join(". ")}. ${shown.words}` : "") };
}

/** A move that was cut off; it is searched when it is opened. */
function stubItem(why, node, { move, said, reason }) {
  const verdict = element("span", { class: "verdict-words" });
  const open = button(said, async () => {
    open.disabled = true;
    verdict.textContent = " searching…";
    const found = await why.ask("why-open", { node, move });
    open.disabled = false;
    if (!found) {
      verdict.textContent = "";
      return;
    }
    item.classList.add(found.matters ? "matters" : "right");
    verdict.textContent = ` ${found.matters ? "!" : "✓"} ${found.words}${found.line.length > 1 ? ` Line: ${found.line.join(" ")}.` : ""}`;
    why.page.status?.say(found.words);
  }, { title: `Not searched: ${reason}. Search it now.`, class: "stub" });
  const item = element("li", {}, open, verdict);
  return item;
}
