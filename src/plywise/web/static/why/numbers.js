/** What the search was worth in numbers: counters, switches, and why not another move. */

import { button, element } from "../element.js";
import { causeClass, causeName, SWITCHES } from "./names.js";

const countText = (count) => (count < 1e7 ? Math.round(count).toLocaleString("en") : count.toExponential(1).replace(/e\+?(\d+)/, (_, power) => ` × 10${[...power].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("")}`));
const folding = (title, ...content) => element("details", { class: "why-part" }, element("summary", {}, title), ...content);

/** Build the parts that count. */
export function makeNumbers(why) {
  return element("div", {}, makeCounters(why), makeSwitches(why), makeWhyNot(why));
}

// --- counters -------------------------------------------------------------------------------------
function makeCounters(why) {
  const body = element("div");
  const part = folding("Counters of this iteration", body);
  const draw = async () => {
    const { iteration } = why;
    if (!part.open || !iteration) return;
    const counted = await why.ask("why-counters", { node: iteration.root });
    if (!counted || iteration !== why.iteration) return;
    const sticks = element("div", { class: "why-sticks" }, "measuring…");
    body.replaceChildren(counterTable(counted), sticks);
    const stick = await why.ask("why-yardstick", { depth: iteration.depth });
    if (iteration === why.iteration) sticks.replaceChildren(...(stick ? yardsticks(iteration.nodes, stick) : []));
  };
  part.addEventListener("toggle", draw);
  why.addEventListener("iteration", draw);
  why.addEventListener("recorded", draw);
  return part;
}

function counterTable(counted) {
  const percent = counted.ordering === null ? "–" : `${(100 * counted.ordering).toFixed(1)} %`;
  const rows = [
    ["Nodes", `${countText(counted.nodes)}, of them ${countText(counted.quiescence)} at the depth and beyond`],
    ["Cut-offs by a move", `${countText(counted.cuts)}, ${percent} by the first move tried`],
    ["Effective branching factor", counted.branching === null ? "–" : counted.branching.toFixed(2)],
    ["Null moves tried", countText(counted.passes)],
    ["Moves reduced", `${countText(counted.reduced)}, ${countText(counted.again)} searched again`],
  ];
  const causes = Object.entries(counted.causes).sort((one, other) => other[1] - one[1]);
  return element(
    "table",
    { class: "why-figures" },
    element("tbody", {}, ...rows.map(([name, words]) => element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, words)))),
    element("tbody", {}, ...causes.map(([cause, count]) => element("tr", {}, element("th", { scope: "row" }, element("i", { class: causeClass(cause), "aria-hidden": "true" }), causeName(cause)), element("td", {}, `${countText(count)} (${((100 * count) / counted.nodes).toFixed(1)} %)`)))),
  );
}

/** Bars on a scale of powers of ten: this search, the minimal tree, plain minimax. */
function yardsticks(nodes, { depth, minimax, minimal, counted, moves }) {
  const rows = [["This search", nodes], ["Minimal tree", minimal], ["Plain minimax", minimax]];
  const most = Math.log10(Math.max(10, minimax, nodes, minimal));
  const bars = rows.map(([name, count], i) => {
    const bar = element("i", { class: i ? "other" : "" });
    bar.style.width = `${(100 * Math.log10(Math.max(1.3, count))) / most}%`;
    return element("tr", {}, element("th", { scope: "row" }, name), element("td", { class: "stick", "aria-hidden": "true" }, bar), element("td", {}, `${i === 2 && !counted ? "about " : ""}${countText(count)}`));
  });
  return [
    element("table", { class: "why-figures" }, element("caption", {}, `Nodes to depth ${depth}; each step of the scale is ten times more`), element("tbody", {}, ...bars)),
    element("p", { class: "facts" }, `The minimal tree is what alpha-beta must visit at least with perfect ordering (Knuth and Moore), for ${moves.toFixed(1)} moves a position. A search with a hash table or risky pruning can do with less.`),
  ];
}

// --- switches -------------------------------------------------------------------------------------
function makeSwitches(why) {
  const depth = element("input", { type: "number", min: 1, max: 100, value: 4, class: "why-small", "aria-label": "Depth of the comparison" });
  const boxes = Object.entries(SWITCHES).map(([name, words]) => {
    const box = element("input", { type: "checkbox", value: name, checked: true });
    return element("label", {}, box, ` ${words}`);
  });
  const rows = element("tbody");
  const table = element("table", { class: "why-figures why-compared", hidden: true }, element("thead", {}, element("tr", {}, ...["Search", "Nodes", "", "Move", "Value"].map((name) => element("th", { scope: "col" }, name)))), rows);
  const state = element("span", { class: "facts", role: "status" });
  const run = button("Search with these", () => search([off()]));
  const all = button("Compare all", () => search([[], ...Object.keys(SWITCHES).map((name) => [name])]));
  const part = folding("Switches: what each part of the search saves", element("p", { class: "facts" }, "The same position to the same depth, with parts of the search switched off."), element("div", { class: "why-boxes", role: "group", "aria-label": "Parts of the search" }, ...boxes), element("div", { class: "bar" }, element("label", {}, "to depth ", depth), run, all, state), table);
  const off = () => boxes.map((label) => label.firstElementChild).filter((box) => !box.checked).map((box) => box.value);
  let found = [];
  const draw = () => {
    table.hidden = !found.length;
    const most = Math.max(...found.map((row) => row.nodes));
    rows.replaceChildren(...found.map((row) => {
      const bar = element("i");
      bar.style.width = `${Math.max(1, (100 * row.nodes) / most)}%`;
      const name = row.without.length ? `without ${row.without.map((one) => SWITCHES[one]).join(", ")}` : "the whole search";
      return element("tr", {}, element("th", { scope: "row" }, `${name}, depth ${row.asked}`), element("td", {}, `${row.limited ? "over " : ""}${countText(row.nodes)}`), element("td", { class: "stick", "aria-hidden": "true" }, bar), element("td", {}, row.move ?? "–"), element("td", {}, row.limited ? `${row.value} (depth ${row.depth})` : row.value));
    }));
  };
  const search = async (choices) => {
    run.disabled = all.disabled = true;
    state.textContent = "searching…";
    for (const without of choices) {
      const asked = Number(depth.value);
      const row = await why.ask("why-compare", { depth: asked, without });
      if (!row) break;
      found = [...found.filter((one) => one.asked !== asked || String(one.without) !== String(without)), { ...row, asked }];
      draw();
    }
    run.disabled = all.disabled = false;
    state.textContent = "";
  };
  why.addEventListener("recorded", () => {
    found = [];
    draw();
    if (why.summary) depth.value = String(Math.max(1, why.summary.depth - 1));
  });
  return part;
}

// --- why not? -------------------------------------------------------------------------------------
function makeWhyNot(why) {
  const { session } = why;
  const choice = element("select", { "aria-label": "A move that was not chosen" });
  const words = element("div", { class: "why-words", "aria-live": "polite" });
  const ask = button("Why not?", async () => {
    ask.disabled = true;
    words.replaceChildren(element("p", {}, "Searching it on its own…"));
    const found = await why.ask("why-not", { move: choice.value });
    ask.disabled = false;
    words.replaceChildren(...(found?.words ?? []).map((text) => element("p", {}, text)));
  });
  const part = folding("Why not this move?", element("div", { class: "bar" }, choice, ask), words);
  why.addEventListener("recorded", () => {
    words.replaceChildren();
    const moves = why.summary?.moves ?? [];
    choice.replaceChildren(...moves.map(({ move, said }) => element("option", { value: move }, said)));
    part.hidden = !moves.length;
  });
  session.addEventListener("opened", () => words.replaceChildren());
  return part;
}
