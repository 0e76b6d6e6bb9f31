/**
 * The tab "Why": a recorded search of the position on the board. A picture, a table and a
 * panel show the same tree; the board shows the position of the node under the cursor.
 */

import { shortCount } from "../panel/analysis.js";
import { button, byId, element } from "../element.js";
import { addTab } from "../panel/tabs.js";
import { makeExamples } from "./examples.js";
import { Icicle } from "./icicle.js";
import { makeLesson } from "./lesson.js";
import { CAUSES, causeClass, causeName } from "./names.js";
import { makeNodePanel } from "./node-panel.js";
import { makeNumbers } from "./numbers.js";
import { TreeTable } from "./tree-table.js";

addTab({ id: "why", title: "Why", order: 25, mount });

const LIMITS = {
  time: { label: "seconds", value: 1, min: 0.01, max: 30, step: "any" },
  nodes: { label: "nodes", value: 200000, min: 1, max: 1000000, step: 1 },
  depth: { label: "turns deep", value: 6, min: 1, max: 100, step: 1 },
};
const ABOUT = "Records every node of a search of this position and shows the tree.";
const FIRST_TREE = 20000; // nodes of a tree that must be there at once, compiled or not
const MAX_CACHED_NODES = 300; // nodes that need not be asked for again

/** What the parts of the tab share. */
class Why extends EventTarget {
  /** The record on show, as the server summed it up. @type {any} */ summary = null;
  /** The iteration on show, one of `summary.iterations`. @type {any} */ iteration = null;
  picked = null;
  #nodeCache = new Map();
  #wantedNode = null;
  #isFetching = false;

  constructor(page) {
    super();
    this.page = page;
    this.session = page.session;
  }

  emit(name, detail = {}) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** Ask the server about the record; null if it refuses, and the visitor is told why. */
  ask = async (what, given = {}) => {
    const { summary } = this;
    if (!summary) return null;
    const found = await this.session.request(what, { record: summary.record, ...given });
    return summary === this.summary ? found : null;
  };

  /** Show a record, or none (null); its last whole iteration comes first. */
  setRecord(summary) {
    this.summary = summary;
    const done = summary?.iterations.filter((one) => one.cause !== "stopped" && !one.cut_short) ?? [];
    this.iteration = done.at(-1) ?? summary?.iterations.at(-1) ?? null;
    this.picked = this.#wantedNode = null;
    this.#nodeCache.clear();
    this.emit("recorded");
  }

  /** Show another iteration of the record. */
  setIteration(iteration) {
    this.iteration = iteration;
    this.picked = null;
    this.emit("iteration");
  }

  /** All about a node, asked for once. */
  async fetchNode(node) {
    const found = this.#nodeCache.get(node) ?? (await this.ask("why-node", { node }));
    if (this.#nodeCache.size > MAX_CACHED_NODES) this.#nodeCache.clear();
    if (found) this.#nodeCache.set(node, found);
    return found;
  }

  /** Show a node on the board and in the panel: at once if it is cached, else when the server has sent it. */
  async showNode(node) {
    this.#wantedNode = node;
    if (node === null || this.#isFetching) return;
    this.#isFetching = true;
    while (this.#wantedNode !== null && this.summary) {
      const now = this.#wantedNode;
      const found = await this.fetchNode(now);
      if (!found) break;
      if (now !== this.#wantedNode) continue;
      this.showPosition(found.view);
      this.emit("look", found);
      break;
    }
    this.#isFetching = false;
  }

  /** Put a position on the board in place of the game's. */
  showPosition(view) {
    const { session, page } = this;
    const { info } = session;
    this.boardIsTaken = true;
    const drawable = view.board.width > 0;
    byId("board").hidden = !drawable;
    byId("position-text").hidden = drawable;
    if (!drawable) byId("position-text").textContent = view.board.notes?.join("\n") || view.text;
    else page.board.show(view, { look: { game: info.name, sides: info.sides, title: info.title }, flipped: page.flipped }).catch(console.error);
    page.board.arrows.draw("analysis", []);
    page.board.arrows.draw("hint", []);
    page.status?.showTreePosition(view);
  }

  /** Show the game's position on the board again. */
  restoreBoard() {
    this.#wantedNode = null;
    if (!this.boardIsTaken) return;
    this.boardIsTaken = false;
    this.page.reason?.clear(); // its arrow belongs to the position that goes
    this.page.draw();
    this.page.status?.draw();
    if (this.picked !== null && this.#nodeCache.has(this.picked)) this.emit("look", this.#nodeCache.get(this.picked));
  }
}

function mount(panel, page) {
  const { session } = page;
  const why = new Why(page);
  const kind = element("select", { "aria-label": "Search up to" }, ...Object.entries(LIMITS).map(([name, { label }]) => element("option", { value: name }, label)));
  const amount = element("input", { type: "number", class: "why-amount", "aria-label": "How many", required: true });
  const sound = element("input", { type: "checkbox" });
  const start = element("button", { type: "submit", class: "primary" }, "Record the search");
  const stop = button("Stop", () => session.request("why-stop"), { hidden: true });
  const state = element("p", { class: "facts", role: "status" }, ABOUT);
  const form = element("form", { class: "bar" }, element("span", {}, "Search"), amount, kind, start, stop, element("label", { class: "why-sound", title: "Leave out null moves, reductions and all other risky pruning: the tree is then pure alpha-beta with a hash table" }, sound, " exact search only"));
  const setLimit = () => {
    const { label, ...given } = LIMITS[kind.value];
    Object.assign(amount, Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)])));
  };
  kind.addEventListener("change", setLimit);
  setLimit();

  const headline = element("p", { class: "why-headline" });
  const notes = element("ul", { class: "why-notes" });
  const slider = element("input", { type: "range", min: 0, max: 0, step: 1, "aria-label": "Iteration" });
  const iterationText = element("output");
  const iterationBar = element("div", { class: "why-passes" }, element("label", {}, "Iteration ", slider), iterationText);
  const crumbs = element("nav", { class: "why-crumbs", "aria-label": "Path to this part" });
  const legend = makeLegend();
  const icicle = new Icicle(legend, (fields) => why.ask("why-picture", fields));
  const nodePanel = makeNodePanel(why);
  const tree = new TreeTable(why.ask);
  const treeBox = folding("The tree as a table", tree.element);
  const result = element("div", { class: "why-result", hidden: true }, headline, notes, iterationBar, crumbs, icicle.canvas, legend, nodePanel.element, treeBox, makeNumbers(why));
  const examples = makeExamples(page, (node, depth) => record({ node, depth }));
  panel.append(form, state, examples, result, makeLesson(why));

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (session.state) await record({ node: session.node, [kind.value]: Number(amount.value) });
  });
  /** Record a search. @returns {Promise<boolean>} whether it has begun */
  async function record(given) {
    const answer = await session.requestForGame("why-record", { ...given, sound: sound.checked });
    if (!answer) return false;
    why.restoreBoard();
    setWorking(true);
    state.textContent = "Waiting for the processor…";
    return true;
  }
  const setWorking = (on) => {
    stop.hidden = !on;
    start.disabled = on;
  };

  session.connection.addEventListener("tell:why", ({ detail }) => {
    if (detail.game !== session.id) return;
    if (detail.state === "preparing") state.textContent = `Preparing: ${detail.words}…`;
    if (detail.state === "searching") state.textContent = `Recording: depth ${detail.depth}, ${shortCount(detail.nodes)} nodes…`;
    if (detail.state !== "done" && detail.state !== "failed") return;
    setWorking(false);
    if (detail.state === "failed") state.textContent = `${detail.words[0].toUpperCase()}${detail.words.slice(1)}.`;
    else {
      performance.mark("why-recorded");
      state.textContent = `${detail.recorded.toLocaleString("en")} nodes recorded, depth ${detail.depth}, in ${detail.seconds} s.`;
      why.setRecord(detail);
    }
  });

  const showIteration = async () => {
    const { iteration, summary } = why;
    const at = summary.iterations.indexOf(iteration);
    slider.max = String(summary.iterations.length - 1);
    slider.value = String(at);
    const again = summary.iterations[at - 1]?.depth === iteration.depth ? ", once more with a wider window" : "";
    iterationText.textContent = `depth ${iteration.depth}${again}: ${iteration.nodes.toLocaleString("en")} nodes, ${iteration.value} for ${session.info.sides[0]}, window ${iteration.window.join(" to ")}${iteration.cut_short ? "; the record ends in it" : ""}${at + 1 < summary.iterations.length ? "; the search went on after it" : ""}`;
    slider.setAttribute("aria-valuetext", iterationText.textContent);
    icicle.picked = null;
    await zoom(iteration.root, false);
    if (treeBox.open) showTree();
  };
  const showTree = () => why.iteration && tree.show(why.iteration, "start", session.info.sides[0]);
  const zoom = async (node, animate = true) => {
    const found = await icicle.show(node, animate);
    if (!found) return;
    why.picked = icicle.picked = node;
    icicle.setCursor(icicle.cursor);
    drawCrumbs(crumbs, found.path, zoom);
    result.dataset.shown = String(node);
    performance.mark("why-drawn");
    const known = await why.fetchNode(node);
    if (known && why.picked === node && !why.boardIsTaken) why.emit("look", known);
  };
  slider.addEventListener("input", () => why.setIteration(why.summary.iterations[Number(slider.value)]));
  slider.addEventListener("keydown", (event) => event.stopPropagation());
  why.addEventListener("iteration", showIteration);
  why.addEventListener("recorded", () => {
    const { summary } = why;
    result.hidden = !summary?.iterations.length;
    delete result.dataset.shown;
    icicle.clear();
    tree.clear();
    if (result.hidden) return;
    headline.textContent = `${summary.words}.`;
    headline.append(element("span", { class: "moves" }, ` ${summary.line.join(" ")}${summary.line.length ? ". " : ""}${summary.change}`));
    notes.replaceChildren(...summary.notes.map((words) => element("li", {}, `${words[0].toUpperCase()}${words.slice(1)}.`)));
    for (const item of legend.querySelectorAll("[data-cause]")) item.parentElement.hidden = !summary.causes.includes(item.dataset.cause);
    showIteration().then(zoomToWanted);
  });
  let wanted = null; // the move at the root at which the tree is to be opened
  const zoomToWanted = async () => {
    const said = wanted;
    wanted = null;
    if (said === null || !why.iteration) return;
    const found = await why.ask("why-children", { node: why.iteration.root, count: 200 });
    const rows = (found?.rows ?? []).filter((row) => row.said === said && row.node !== undefined);
    if (!rows.length) return;
    const { node } = rows.reduce((one, other) => (other.nodes > one.nodes ? other : one));
    await zoom(node);
    await why.showNode(node); // the board shows what the tree is opened at
    icicle.canvas.scrollIntoView({ block: "nearest" });
  };
  why.addEventListener("zoom", (event) => zoom(event.detail.node));
  treeBox.addEventListener("toggle", () => treeBox.open && showTree());

  for (const part of [icicle, tree]) {
    part.addEventListener("over", (event) => why.showNode(event.detail.node));
    part.addEventListener("leave", () => why.restoreBoard());
    part.addEventListener("pick", (event) => zoom(event.detail.node));
  }
  tree.addEventListener("pick", () => icicle.canvas.scrollIntoView({ block: "nearest" }));
  tree.addEventListener("announce", (event) => page.status?.say(event.detail.words));
  icicle.addEventListener("out", () => {
    const way = [...crumbs.querySelectorAll("button")];
    way.at(-1)?.click();
  });
  why.addEventListener("look", (event) => {
    nodePanel.draw(event.detail);
    if (document.activeElement === icicle.canvas && icicle.cursor === event.detail.node) page.status?.say(nodePanel.spokenText());
  });
  session.addEventListener("opened", () => {
    setWorking(false);
    state.textContent = ABOUT;
    if (why.summary) session.request("why-forget");
    why.setRecord(null);
  });
  session.addEventListener("change", () => {
    why.boardIsTaken = false;
    const { summary } = why;
    start.textContent = summary && summary.node !== session.node ? "Record this position" : "Record the search";
    state.classList.toggle("elsewhere", Boolean(summary && summary.node !== session.node));
  });
  session.connection.addEventListener("lost", () => {
    if (why.summary || !stop.hidden) state.textContent = "The connection was lost, and the record with it. Record the search again.";
    setWorking(false);
    why.setRecord(null);
  });
  page.why = { icicle, why };
  /** Record a search of a position, and open its tree at one of the moves there. */
  page.showTree = async (node, said) => {
    page.showTab("why");
    why.restoreBoard();
    await session.look(node);
    wanted = (await record({ node, nodes: FIRST_TREE, time: 0.8 })) ? said : null;
  };
  return { hidden: () => why.restoreBoard() };
}

function makeLegend() {
  const items = CAUSES.map((cause) => {
    const swatch = element("i", { class: causeClass(cause), "data-cause": cause });
    return [cause, element("li", {}, swatch, causeName(cause))];
  });
  const legend = element("ul", { class: "why-legend", "aria-label": "Colours: how a node ended" }, ...items.map(([, item]) => item));
  legend.append(element("li", {}, element("i", { class: "why-fog" }), "too small to draw: zoom in"));
  return legend;
}

function drawCrumbs(crumbs, path, zoom) {
  const name = (step) => step.said ?? "start";
  const parts = path.slice(0, -1).map((step) => button(name(step), () => zoom(step.node), { title: "Zoom out to here" }));
  crumbs.replaceChildren(...parts, element("b", { "aria-current": "true" }, name(path.at(-1))));
}

/** A part of the tab that can be folded away. */
export function folding(title, ...content) {
  return element("details", { class: "why-part" }, element("summary", {}, title), ...content);
}
