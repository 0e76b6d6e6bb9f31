/** The same tree as a table that can be opened row by row, for keyboards and for screen readers. */

import { button, element } from "../element.js";
import { causeName } from "./names.js";

const CHILDREN_OF_PAGE = 50; // children that are asked for at once

/** Events: `over` ({node}), `pick` ({node}), `announce` ({words}: what a screen reader should say), `leave`. */
export class TreeTable extends EventTarget {
  /** @param {(what: string, given: any) => Promise<any>} ask the server about the record */
  constructor(ask) {
    super();
    this.ask = ask;
    this.body = element("tbody");
    this.heads = element("tr", { role: "row" });
    this.table = element("table", { class: "why-tree", role: "treegrid", "aria-label": "The search tree" }, element("thead", { role: "rowgroup" }, this.heads), this.body);
    this.element = element("div", { class: "why-tree-holder" }, this.table);
    this.table.addEventListener("keydown", (event) => this.#onKey(event));
    this.body.addEventListener("focusin", (event) => this.#focusRow(event.target.closest("tr")));
    this.table.addEventListener("focusout", (event) => this.table.contains(event.relatedTarget) || this.#emit("leave"));
    this.body.addEventListener("pointerover", (event) => this.#hoverRow(event.target.closest("tr")));
    this.table.addEventListener("pointerleave", () => this.#emit("leave"));
  }

  /** Show a tree with its first row open. @param {string} side whose scores these are */
  async show(root, words, side) {
    this.side = side;
    this.heads.replaceChildren(...["Move", `Value for ${side}`, "Nodes", "Why it ended"].map((name) => element("th", { role: "columnheader", scope: "col" }, name)));
    const row = this.#makeRow({ node: root.root, said: words, value: root.value, nodes: root.nodes, cause: root.cause ?? "", opens: true }, 1, 1, 1);
    row.tabIndex = 0;
    this.body.replaceChildren(row);
    await this.#open(row);
  }

  clear() {
    this.body.replaceChildren();
  }

  #emit(name, node = null) {
    this.dispatchEvent(new CustomEvent(name, { detail: { node } }));
  }

  #makeRow(data, level, place, of) {
    const cell = (className, ...content) => element("td", { role: "gridcell", class: className }, ...content);
    const row = element("tr", { role: "row", tabindex: "-1", "aria-level": level, "aria-posinset": place, "aria-setsize": of });
    row.style.setProperty("--level", String(Math.min(level - 1, 14)));
    row.data = data;
    if (data.stub !== undefined) {
      row.classList.add("stub");
      const open = button("open", () => this.#openStub(row), { tabindex: "-1", title: "Search this move now" });
      row.append(cell("name", element("span", { class: "twig", "aria-hidden": "true" }), data.said), element("td", { role: "gridcell", colSpan: 3, class: "words" }, `not searched: ${data.reason} `, open));
      return row;
    }
    if (data.opens) row.setAttribute("aria-expanded", "false");
    const twist = element("span", { class: "twist", "aria-hidden": "true" });
    const name = cell("name", twist, data.said);
    row.append(name, cell("value", data.value), cell("count", data.nodes.toLocaleString("en")), cell("cause", element("i", { class: `why-${(data.cause || "all moves").replace(" ", "-")}`, "aria-hidden": "true" }), causeText(data)));
    row.addEventListener("click", () => {
      row.focus();
      if (data.opens) this.#toggle(row);
    });
    row.addEventListener("dblclick", () => this.#emit("pick", data.node));
    return row;
  }

  async #open(row) {
    if (row.getAttribute("aria-expanded") !== "false") return;
    row.setAttribute("aria-expanded", "true");
    await this.#loadChildren(row, row, 0);
  }

  /** Put a page of a row's children behind another row. */
  async #loadChildren(row, behind, start) {
    row.setAttribute("aria-busy", "true");
    const found = await this.ask("why-children", { node: row.data.node, start, count: CHILDREN_OF_PAGE });
    row.removeAttribute("aria-busy");
    if (!found || row.getAttribute("aria-expanded") !== "true" || !row.isConnected) return null;
    const level = Number(row.getAttribute("aria-level")) + 1;
    const rows = found.rows.map((one, i) => Object.assign(this.#makeRow(one, level, start + i + 1, found.total), { above: row }));
    const next = start + rows.length;
    if (next < found.total) rows.push(this.#makeMoreRow(row, level, next, found.total));
    behind.after(...rows);
    if (behind !== row) behind.remove();
    return rows[0];
  }

  #makeMoreRow(row, level, next, total) {
    const more = element("tr", { role: "row", tabindex: "-1", class: "more", "aria-level": level, "aria-posinset": next + 1, "aria-setsize": total });
    more.style.setProperty("--level", String(Math.min(level - 1, 14)));
    more.above = row;
    more.act = async () => (await this.#loadChildren(row, more, next))?.focus();
    more.append(element("td", { role: "gridcell", colSpan: 4 }, button(`${total - next} more`, more.act, { tabindex: "-1" })));
    return more;
  }

  #close(row) {
    if (row.getAttribute("aria-expanded") !== "true") return;
    row.setAttribute("aria-expanded", "false");
    const level = Number(row.getAttribute("aria-level"));
    while (row.nextElementSibling && Number(row.nextElementSibling.getAttribute("aria-level")) > level) row.nextElementSibling.remove();
  }

  #toggle(row) {
    return row.getAttribute("aria-expanded") === "true" ? this.#close(row) : this.#open(row);
  }

  async #openStub(row) {
    const words = row.querySelector(".words");
    if (row.opened) return;
    row.opened = true;
    words.textContent = "searching…";
    const found = await this.ask("why-open", { node: row.above.data.node, move: row.data.stub });
    row.opened = Boolean(found);
    if (!found) {
      words.replaceChildren(`not searched: ${row.data.reason}`);
      return;
    }
    row.classList.add(found.matters ? "matters" : "right");
    words.textContent = `${found.matters ? "!" : "✓"} ${found.words}`;
    this.dispatchEvent(new CustomEvent("announce", { detail: { words: found.words } }));
  }

  #focusRow(row) {
    if (!row) return;
    for (const other of this.body.querySelectorAll('tr[tabindex="0"]')) other.tabIndex = -1;
    row.tabIndex = 0;
    if (row.data?.node !== undefined) this.#emit("over", row.data.node);
  }

  #hoverRow(row) {
    if (row?.data?.node !== undefined) this.#emit("over", row.data.node);
  }

  #onKey(event) {
    const row = event.target.closest("tbody tr");
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const open = row.getAttribute("aria-expanded");
    const all = () => [...this.body.children];
    const actions = {
      ArrowDown: () => row.nextElementSibling?.focus(),
      ArrowUp: () => row.previousElementSibling?.focus(),
      ArrowRight: () => (open === "false" ? this.#open(row) : open === "true" && row.nextElementSibling?.focus()),
      ArrowLeft: () => (open === "true" ? this.#close(row) : row.above?.focus()),
      Home: () => all()[0].focus(),
      End: () => all().at(-1).focus(),
      Enter: () => (row.act ? row.act() : row.data.stub !== undefined ? this.#openStub(row) : this.#emit("pick", row.data.node)),
      " ": () => (row.act ? row.act() : row.data.stub !== undefined ? this.#openStub(row) : open && this.#toggle(row)),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }
}

/** How a node ended, and how it came to be searched where that is unusual. */
function causeText({ cause, how: way }) {
  const notes = { reduced: "reduced", again: "again", noisy: "noisy", pass: "pass", without: "others", shallow: "shallow", all: "all moves" };
  return notes[way] ? `${causeName(cause)}, ${notes[way]}` : causeName(cause);
}
