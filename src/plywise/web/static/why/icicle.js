/**
 * The tree as an icicle on a canvas: a bar's left edge is its node's number and its width the nodes below
 * it, so pictures of any part of the tree fit each other and zooming only changes which part is seen.
 *
 * @typedef {{node: number, nodes: number, ply: number, bars: number[], sizes: number[], levels: number[],
 *   causes: number[], folded: number[], moves: Record<string, string|null>}} Picture
 */

import { element } from "../element.js";

const ROW = 20; // px of a level
const LEVELS = 15;
const ZOOMING = 260; // ms
const SETTLED = 90; // ms without a movement until finer bars are asked for
const CUT = 3; // the cause of a node whose other moves were cut off
const STUB = 8; // px of the mark where moves were cut off

/** Events: `over` ({node|null}), `pick` ({node}: zoom there), `out` (zoom out), `leave`. */
export class Icicle extends EventTarget {
  cursor = null;
  picked = null;
  #pictures = [];
  #view = { x: 0, w: 1, y: 0 };
  #goal = null;
  #frame = 0;
  #asking = 0;
  #settle = 0;
  #drag = null;
  #levels = [];
  #colours = [];
  #width = 0;

  /**
   * @param {HTMLElement} legend its swatches have the colours, in the order of the causes
   * @param {(wish: Record<string, number>) => Promise<Picture|null>} ask for a picture
   */
  constructor(legend, ask) {
    super();
    this.legend = legend;
    this.ask = ask;
    this.canvas = element("canvas", { class: "why-icicle", tabindex: "0", role: "application", "aria-roledescription": "icicle of the search tree", "aria-label": "Search tree. Arrows go from node to node, Enter zooms in, Escape zooms out. The table below has the same tree." });
    this.canvas.style.height = `${LEVELS * ROW}px`;
    this.pen = this.canvas.getContext("2d");
    const { canvas } = this;
    new ResizeObserver(() => this.#resize()).observe(canvas);
    new MutationObserver(() => this.#recolour()).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#recolour());
    canvas.addEventListener("pointerdown", (event) => this.#down(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    canvas.addEventListener("pointerup", (event) => this.#up(event));
    canvas.addEventListener("pointercancel", () => (this.#drag = null));
    canvas.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && this.#leave());
    document.addEventListener("pointerdown", (event) => event.target !== canvas && this.cursor !== null && this.#leave());
    canvas.addEventListener("blur", () => this.#leave());
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    canvas.addEventListener("keydown", (event) => this.#key(event));
  }

  /** The root of the picture on show, or null. */
  get root() {
    return this.#pictures.at(-1)?.node ?? null;
  }

  /** Show a node and what is below it. */
  async show(node, animate = true) {
    const known = this.#bar(node);
    if (known && animate) this.#go({ x: node, w: known.size, y: known.ply });
    const asked = ++this.#asking;
    const found = await this.ask({ node, levels: LEVELS, share: this.#share(1) });
    if (!found || asked !== this.#asking) return null;
    this.#put(found);
    this.canvas.style.height = `${ROW * Math.max(7, Math.min(LEVELS, Math.max(...found.levels) + 2))}px`;
    this.#go({ x: found.node, w: found.nodes, y: found.ply }, known && animate ? undefined : 0);
    return found;
  }

  /** Nothing is shown. */
  clear() {
    this.#asking++;
    this.#pictures = [];
    this.#levels = [];
    this.cursor = this.picked = null;
    this.#draw();
  }

  /** Put the cursor on a node, without telling anybody. */
  mark(node) {
    this.cursor = node;
    this.#ask();
  }

  /** The part of the tree that is seen, for those who measure. */
  get view() {
    return { ...this.#view, root: this.root, bars: this.#pictures.at(-1)?.bars.length ?? 0 };
  }

  #put(found) {
    const order = found.bars.map((_, i) => i).sort((one, other) => found.causes[one] - found.causes[other]);
    const picture = { ...found, order };
    this.#pictures = [...this.#pictures.slice(-1), picture];
    this.#levels = [];
    found.bars.forEach((bar, i) => (this.#levels[found.ply + found.levels[i]] ??= []).push(i));
  }

  #share(part) {
    return Math.min(1, part / Math.max(200, this.#width));
  }

  // --- the view -----------------------------------------------------------------------------------
  #go(goal, lasting = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : ZOOMING) {
    this.#goal = { from: { ...this.#view }, to: goal, began: performance.now(), lasting };
    if (!lasting) this.#view = { ...goal };
    this.#ask();
  }

  #ask() {
    this.#frame ||= requestAnimationFrame((now) => {
      this.#frame = 0;
      if (this.#goal) {
        const { from, to, began, lasting } = this.#goal;
        const t = lasting ? Math.min(1, (now - began) / lasting) : 1;
        const eased = t < 1 ? 1 - (1 - Math.max(0, t)) ** 3 : 1;
        for (const name of ["x", "w", "y"]) this.#view[name] = from[name] + (to[name] - from[name]) * eased;
        if (t < 1) this.#ask();
        else {
          this.#goal = null;
          this.#pictures = this.#pictures.slice(-1);
        }
      }
      this.#draw();
    });
  }

  /** Look at another part of the same picture; finer bars come when the hand rests. */
  #pan(x, w) {
    const shown = this.#pictures.at(-1);
    if (!shown) return;
    this.#goal = null;
    const wide = Math.max(Math.min(w, shown.nodes), Math.min(shown.nodes, 4));
    this.#view = { x: Math.max(shown.node, Math.min(shown.node + shown.nodes - wide, x)), w: wide, y: shown.ply };
    this.#ask();
    clearTimeout(this.#settle);
    this.#settle = setTimeout(() => this.#refine(), SETTLED);
  }

  async #refine() {
    const { node, nodes } = this.#pictures.at(-1);
    const { x, w } = this.#view;
    const asked = ++this.#asking;
    const margin = w / 2;
    const begin = Math.max(node, Math.floor(x - margin));
    const end = Math.min(node + nodes, Math.ceil(x + w + margin));
    const found = await this.ask({ node, levels: LEVELS, share: this.#share(w / nodes), begin, end });
    if (!found || asked !== this.#asking) return;
    this.#put(found);
    this.#pictures = this.#pictures.slice(-1);
    this.#ask();
  }

  #resize() {
    const ratio = devicePixelRatio || 1;
    const { clientWidth: wide, clientHeight: high } = this.canvas;
    if (!wide || (this.canvas.width === Math.round(wide * ratio) && this.canvas.height === Math.round(high * ratio))) return;
    this.canvas.width = Math.round(wide * ratio);
    this.canvas.height = Math.round(high * ratio);
    const before = this.#width;
    this.#width = wide;
    this.#recolour();
    if (this.#pictures.length && wide > 1.3 * before) this.#pan(this.#view.x, this.#view.w);
  }

  /** The colours are those of the legend, as the theme has them. */
  #recolour() {
    this.#colours = [...this.legend.querySelectorAll("[data-cause]")].map((swatch) => {
      const fill = getComputedStyle(swatch).backgroundColor;
      const [r, g, b] = fill.match(/[\d.]+/g).map(Number);
      return { fill, ink: 0.3 * r + 0.59 * g + 0.11 * b > 135 ? "#10181a" : "#ffffff" };
    });
    const style = getComputedStyle(this.canvas);
    this.ink = style.color;
    this.paper = style.backgroundColor;
    this.fog = style.outlineColor;
    this.font = `600 12px ${style.fontFamily}`;
    this.hatch = this.#hatching("#00000070", "#ffffff50");
    this.#draw();
  }

  #hatching(dark, light) {
    const ratio = devicePixelRatio || 1;
    const tile = document.createElement("canvas");
    tile.width = tile.height = Math.round(7 * ratio);
    const pen = tile.getContext("2d");
    pen.scale(tile.width / 7, tile.width / 7);
    for (const [colour, shift] of [[dark, 0], [light, 1.6]]) {
      pen.strokeStyle = colour;
      pen.lineWidth = 1.5;
      pen.beginPath();
      for (const x of [-7, 0, 7]) {
        pen.moveTo(x + shift, 7);
        pen.lineTo(x + 7 + shift, 0);
      }
      pen.stroke();
    }
    const pattern = this.pen.createPattern(tile, "repeat");
    pattern.setTransform(new DOMMatrix().scale(7 / tile.width));
    return pattern;
  }

  // --- drawing ------------------------------------------------------------------------------------
  #draw() {
    const { pen, canvas } = this;
    if (!this.#width || !this.hatch) return;
    const ratio = canvas.width / this.#width;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, this.#width, canvas.height);
    for (const picture of this.#pictures) this.#bars(picture);
    const shown = this.#pictures.at(-1);
    if (!shown) return;
    this.#outline(this.picked, this.ink, 2);
    this.#outline(this.cursor, this.ink, 3);
  }

  #bars({ ply, bars, sizes, levels, causes, folded, moves, order }) {
    const { pen } = this;
    const { x, w, y } = this.#view;
    const wide = this.#width;
    const scale = wide / w;
    const seen = [];
    pen.fillStyle = this.fog;
    for (const i of order) {
      const left = (bars[i] - x) * scale;
      const size = sizes[i] * scale;
      const top = (ply + levels[i] - y) * ROW;
      if (left > wide || left + size < 0 || top < -ROW || top > LEVELS * ROW || size < 0.4) continue;
      seen.push(i);
      if (folded[i] && size > 2) pen.fillRect(left, top + ROW, size, ROW - 8);
    }
    let cause = -1;
    const cuts = [];
    for (const i of seen) {
      if (causes[i] !== cause) {
        cause = causes[i];
        pen.fillStyle = this.#colours[cause]?.fill ?? "#888";
      }
      const left = Math.max(-2, (bars[i] - x) * scale);
      const size = Math.min(wide + 2, (bars[i] + sizes[i] - x) * scale) - left;
      const top = (ply + levels[i] - y) * ROW;
      pen.fillRect(left, top, size > 3 ? size - 1 : size, ROW - 1);
      if (cause === CUT && size > 3) cuts.push([left, top, size]);
    }
    pen.fillStyle = this.hatch;
    for (const [left, top, size] of cuts) pen.fillRect(left, top, size - 1, ROW - 1);
    pen.font = this.font;
    pen.textBaseline = "middle";
    for (const i of seen) {
      const word = moves[bars[i]];
      const left = Math.max(0, (bars[i] - x) * scale);
      const size = Math.min(wide, (bars[i] + sizes[i] - x) * scale) - left;
      if (word === undefined || size < 26) continue;
      const top = (ply + levels[i] - y) * ROW;
      this.#label(word ?? "start", left, top, size, causes[i]);
    }
    for (const [left, top, size] of cuts) if (size > 22) this.#stub(left + size - STUB - 1, top + ROW);
  }

  #label(word, left, top, size, cause) {
    const { pen } = this;
    const { fill, ink } = this.#colours[cause];
    let text = word;
    let needs = pen.measureText(text).width;
    if (needs > size - 8) {
      text = `${word.slice(0, Math.max(1, Math.floor(word.length * ((size - 14) / needs))))}…`;
      needs = pen.measureText(text).width;
      if (needs > size - 4) return;
    }
    if (cause === CUT) {
      pen.fillStyle = fill;
      pen.fillRect(left + 2, top + 3, needs + 5, ROW - 7);
    }
    pen.fillStyle = ink;
    pen.fillText(text, left + 4, top + ROW / 2);
  }

  /** A twig that was cut: where it stands, moves were not searched. */
  #stub(left, top) {
    const { pen } = this;
    pen.fillStyle = this.paper;
    pen.fillRect(left, top, STUB, 9);
    pen.fillStyle = this.#colours[CUT].fill;
    pen.fillRect(left + 1, top, STUB - 2, 8);
    pen.fillStyle = this.hatch;
    pen.fillRect(left + 1, top, STUB - 2, 8);
  }

  #outline(node, colour, thick) {
    const bar = this.#bar(node);
    if (!bar) return;
    const { x, w, y } = this.#view;
    const scale = this.#width / w;
    const left = Math.max(1, (bar.node - x) * scale);
    const right = Math.min(this.#width - 1, (bar.node + bar.size - x) * scale);
    const top = (bar.ply - y) * ROW;
    if (right < 0 || left > this.#width || top < 0) return;
    this.pen.strokeStyle = this.paper;
    this.pen.lineWidth = thick + 2;
    const shape = [left, top + 1.5, Math.max(2, right - left - 1), ROW - 4];
    this.pen.strokeRect(...shape);
    this.pen.strokeStyle = colour;
    this.pen.lineWidth = thick;
    this.pen.strokeRect(...shape);
  }

  // --- finding nodes ------------------------------------------------------------------------------
  #bar(node) {
    if (node === null) return null;
    for (const picture of [...this.#pictures].reverse()) {
      const i = picture.bars.indexOf(node);
      if (i >= 0) return { i, node, size: picture.sizes[i], ply: picture.ply + picture.levels[i], folded: picture.folded[i] };
    }
    return null;
  }

  /** The bar that holds a place of a level, or null. */
  #holds(ply, place) {
    const shown = this.#pictures.at(-1);
    const level = this.#levels[ply] ?? [];
    let [low, high] = [0, level.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (shown.bars[level[middle]] <= place) low = middle;
      else high = middle - 1;
    }
    const i = level[low];
    return i !== undefined && shown.bars[i] <= place && place < shown.bars[i] + shown.sizes[i] ? shown.bars[i] : null;
  }

  /** The node under a point; below the bars that are drawn, the last one above it. */
  #under(event) {
    if (!this.#pictures.length) return null;
    const place = this.#view.x + (event.offsetX / this.#width) * this.#view.w;
    for (let ply = Math.floor(this.#view.y + event.offsetY / ROW); ply >= 0; ply--) {
      const found = this.#holds(ply, place);
      if (found !== null) return found;
    }
    return null;
  }

  #tell(name, node = null) {
    this.dispatchEvent(new CustomEvent(name, { detail: { node } }));
  }

  #over(node) {
    if (node === this.cursor) return;
    this.cursor = node;
    this.#ask();
    this.#tell("over", node);
  }

  #leave() {
    if (this.#drag) return;
    this.cursor = null;
    this.#ask();
    this.#tell("leave");
  }

  // --- hands --------------------------------------------------------------------------------------
  #down(event) {
    if (event.button) return;
    this.#drag = { at: event.clientX, x: this.#view.x, moved: false, before: this.cursor };
    this.canvas.setPointerCapture(event.pointerId);
  }

  #move(event) {
    const drag = this.#drag;
    if (drag) {
      const by = event.clientX - drag.at;
      drag.moved ||= Math.abs(by) > 5;
      if (drag.moved) return this.#pan(drag.x - (by / this.#width) * this.#view.w, this.#view.w);
    }
    this.#over(this.#under(event));
  }

  #up(event) {
    const drag = this.#drag;
    this.#drag = null;
    if (!drag || drag.moved) return;
    const node = this.#under(event);
    if (node === null) return;
    // A finger has no way to look without touching: its first touch looks, a second one zooms.
    if (event.pointerType === "mouse" || node === drag.before) this.#tell(node === this.root ? "out" : "pick", node);
    else this.#over(node);
  }

  #wheel(event) {
    if (!this.#pictures.length) return;
    const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
    if (!sideways && !event.ctrlKey && !event.metaKey) return; // the panel scrolls
    event.preventDefault();
    const { x, w } = this.#view;
    if (sideways) return this.#pan(x + ((event.deltaX || event.deltaY) / this.#width) * w, w);
    this.zoom(Math.exp(event.deltaY * 0.004), event.offsetX / this.#width);
  }

  /** See so many times more, around a point from 0 (left) to 1. */
  zoom(by, around = 0.5) {
    const { x, w } = this.#view;
    this.#pan(x + around * w * (1 - by), w * by);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#pictures.length) return;
    const acts = {
      ArrowLeft: () => this.#beside(-1),
      ArrowRight: () => this.#beside(1),
      ArrowUp: () => this.#above(),
      ArrowDown: () => this.#below(),
      Enter: () => this.cursor !== null && this.#tell(this.cursor === this.root ? "out" : "pick", this.cursor),
      Escape: () => this.#tell("out"),
      Backspace: () => this.#tell("out"),
      Home: () => this.#over(this.root),
      "+": () => this.zoom(1 / 1.5),
      "-": () => this.zoom(1.5),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  #beside(step) {
    const bar = this.#bar(this.cursor);
    if (!bar) return this.#over(this.root);
    const shown = this.#pictures.at(-1);
    const level = this.#levels[bar.ply] ?? [];
    const next = level[level.findIndex((i) => shown.bars[i] === bar.node) + step];
    if (next !== undefined) this.#attend(shown.bars[next]);
  }

  #above() {
    const bar = this.#bar(this.cursor);
    if (!bar) return this.#over(this.root);
    if (bar.node === this.root) return this.#tell("out");
    const parent = this.#holds(bar.ply - 1, bar.node);
    if (parent !== null) this.#attend(parent);
  }

  #below() {
    const bar = this.#bar(this.cursor);
    if (!bar) return this.#over(this.root);
    const shown = this.#pictures.at(-1);
    const child = (this.#levels[bar.ply + 1] ?? []).find((i) => shown.bars[i] > bar.node && shown.bars[i] < bar.node + bar.size);
    if (child !== undefined && bar.ply + 1 - this.#view.y < LEVELS) this.#attend(shown.bars[child]);
    else if (bar.folded) this.#tell("pick", bar.node);
  }

  /** The cursor goes to a node, and the view with it. */
  #attend(node) {
    const { x, w } = this.#view;
    const { size } = this.#bar(node);
    if (node + size <= x || node >= x + w) this.#pan(node + size / 2 - w / 2, w);
    this.#over(node);
  }
}
