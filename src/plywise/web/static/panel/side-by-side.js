/** The tab "Compare": two evaluations, levels, players or switches on the position of the board, beside each other. */

import { button, element, svgElement } from "../element.js";
import { capital } from "../board/seats.js";
import { CAUSES, causeClass, SWITCHES } from "../why/names.js";
import { addTab } from "./tabs.js";

const NODES = [1000, 5000, 20000, 50000];
const OFF = { ordering: "capture_order+killers+history", table: "table", "null moves": "null_move", reductions: "reductions", guesses: "unsound" };
const ABOUT = "Two evaluations, levels, players or searches on the position on the board.";
const HIGH = 11; // of a level of the tree

addTab({ id: "compare", title: "Compare", order: 27, mount });

function mount(panel, page) {
  const { session } = page;
  const seats = [0, 1].map((i) => element("select", { id: `compare-${i}`, "aria-label": i ? "Right side" : "Left side" }));
  const nodes = element(
    "select",
    { "aria-label": "Nodes of each search" },
    ...NODES.map((count) => element("option", { value: count, selected: count === 20000 }, `${count.toLocaleString("en")} nodes`)),
  );
  const run = button("Compare", () => compare(), { class: "primary" });
  const state = element("p", { class: "facts", role: "status" }, ABOUT);
  const result = element("div", { class: "compared" });
  panel.append(element("div", { class: "compare-seats" }, ...seats), element("div", { class: "bar" }, nodes, run), state, result);
  session.addEventListener("opened", () => {
    const { info } = session;
    seats.forEach((select, i) => {
      select.replaceChildren(...choices(info));
      select.value = i ? second(info) : "default";
    });
    result.replaceChildren();
    state.textContent = ABOUT;
  });
  session.addEventListener("change", () => result.classList.toggle("elsewhere", Number(result.dataset.node) !== session.node));
  async function compare() {
    const { id, node } = session;
    const names = seats.map((select) => select.selectedOptions[0].textContent);
    run.disabled = true;
    state.textContent = "Searching…";
    const given = { node, seats: seats.map((select) => select.value), nodes: Number(nodes.value) };
    const found = await session.requestForGame("side-by-side", given);
    run.disabled = false;
    if (!found || id !== session.id) {
      state.textContent = ABOUT;
      return;
    }
    const [one, other] = found.views;
    const same = one.move === other.move ? `Both play ${one.said}.` : `They play ${one.said} and ${other.said}.`;
    const why = found.preparing ? "Still getting ready: compare again in some seconds. Now" : "One of them is not compiled:";
    const fewer = found.nodes < given.nodes ? ` ${why} only ${found.nodes.toLocaleString("en")} nodes each.` : "";
    state.textContent = `${same}${fewer}`;
    result.dataset.node = String(node);
    result.classList.remove("elsewhere");
    const widest = Math.max(...found.views.map((view) => view.nodes));
    result.replaceChildren(...found.views.map((view, i) => column(view, names[i], page, widest)), termTable(found.views, names, session.info));
  }
}

/** All that can be compared, in groups. */
function choices(info) {
  const option = (value, words) => element("option", { value }, words);
  const group = (label, options) => (options.length ? [element("optgroup", { label }, ...options)] : []);
  return [
    option("default", "The whole search"),
    ...group("Evaluations", info.evaluators.filter((name) => name !== "default").map((name) => option(`default,evaluator=${name}`, `Evaluation ${name}`))),
    ...group("Levels", info.levels.map((level) => option(`level=${level.number}`, `Level ${level.number}: ${level.name}`))),
    ...group("Switched off", Object.entries(SWITCHES).map(([name, words]) => option(`default,without=${OFF[name]}`, `Without ${words}`))),
    ...group("Players", ["minimax,depth=2", "alphabeta,depth=2", "greedy"].map((seat) => option(seat, capital(seat.replace(",", ", "))))),
    ...group("Players of this game", info.players.map((player) => option(player.name, player.name))),
  ];
}

/** What a comparison begins with on the right: another evaluation if there is one. */
function second(info) {
  const other = info.evaluators.find((name) => name !== "default");
  return other ? `default,evaluator=${other}` : "level=1";
}

function column(view, name, page, widest) {
  const share = element("i");
  share.style.width = `${(100 * view.nodes) / widest}%`;
  return element(
    "section",
    { "aria-label": name },
    element("h2", {}, name),
    element("p", {}, element("strong", {}, view.said ?? "–"), ` ${view.words}`),
    element("p", { class: "facts" }, `depth ${view.depth}, ${view.nodes.toLocaleString("en")} nodes`),
    element("div", { class: "share", "aria-hidden": "true" }, share),
    element("ol", { class: "lines" }, ...view.lines.map((line) => lineItem(line, page))),
    view.note ? element("p", { class: "facts" }, view.note) : null,
    view.tree ? tree(view.tree) : element("p", { class: "facts" }, "A textbook player records no tree."),
  );
}

function lineItem(line, page) {
  const moves = element("span", { class: "moves" }, ` ${line.said.slice(0, 8).join(" ")}`);
  const item = element("li", {}, element("span", { class: "score" }, line.words), moves);
  item.addEventListener("pointerenter", () => page.board.arrows.draw("reply", page.arrow("line", line.steps)));
  item.addEventListener("pointerleave", () => page.board.arrows.draw("reply", []));
  return item;
}

/** A small icicle of the last iteration; the colours are those of the tab Why. */
function tree({ nodes, level, left, right, cause }) {
  const wide = 240;
  const rows = Math.max(...level) + 1;
  const bars = level.map((row, i) => svgElement("rect", {
    x: (left[i] * wide).toFixed(2),
    y: row * HIGH,
    width: Math.max(0.4, (right[i] - left[i]) * wide - 0.3).toFixed(2),
    height: HIGH - 1,
    class: causeClass(CAUSES[cause[i]]),
  }));
  return svgElement("svg", { viewBox: `0 0 ${wide} ${rows * HIGH}`, class: "compare-tree", role: "img", "aria-label": `The tree of the last iteration: ${nodes} nodes` }, ...bars);
}

/** The terms of both evaluations in one table. */
function termTable(views, names, info) {
  const terms = [...new Set(views.flatMap((view) => view.terms.map((term) => term.name)))];
  const shown = (view, value) => (value === undefined ? "–" : view.unit > 1 ? (value / view.unit).toFixed(2) : String(value));
  const value = (view, name) => view.terms.find((term) => term.name === name)?.value;
  const rows = terms.filter((name) => views.some((view) => value(view, name)));
  const row = (name, values) => element("tr", {}, element("th", { scope: "row" }, name), ...values.map((words) => element("td", {}, words)));
  return element(
    "table",
    { class: "compare-terms" },
    element("caption", {}, `The evaluation of this position, for ${info.sides[0]}`),
    element("thead", {}, element("tr", {}, element("td"), ...names.map((name) => element("th", { scope: "col" }, name)))),
    element("tbody", {}, ...rows.map((name) => row(name, views.map((view) => shown(view, value(view, name)))))),
    element("tfoot", {}, row("all together", views.map((view) => shown(view, view.total)))),
  );
}
