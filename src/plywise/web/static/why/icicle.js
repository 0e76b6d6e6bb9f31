/**
 * The tree as an icicle on a canvas: a bar's left edge is its node's number and its width the nodes below
 * it, so pictures of any part of the tree fit each other and zooming only changes which part is seen.
 *
 * @typedef {{node: number, nodes: number, ply: number, bars: number[], sizes: number[], levels: number[],
 *   causes: number[], folded: number[], moves: Record<string, string|null>}} Picture
 */

import { element } from "../element.js";

const ROW_HEIGHT = 20; // px of a level
const MAX_LEVELS = 15; // that are drawn at once
const ZOOM_TIME = 260; // ms
const REFINE_DELAY = 90; // ms without a movement until finer bars are asked for
const CUT = 3; // the cause of a node whose other moves were cut off
const STUB_WIDTH = 8; // px of the mark where moves were cut off

/** Events: `over` ({node|null}), `pick` ({node}: zoom there), `out` (zoom out), `leave`. */
export class Icicle extends EventTarget {
  cursor = null;
  picked = null;
  #pictures = [];
  #view = { x: 0, w: 1, y: 0 };
  #goal = null;
  #frame = 0;
  #requestNumber = 0;
  #refineTimer = 0;
  #drag = null;
  #levels = [];
  #colours = [];
  #width = 0;
  #zoom = 0; // the request for a picture that is not here yet

  /**
   * @param {HTMLElement} legend its swatches have the colours, in the order of the causes
   * @param {(fields: Record<string, number>) => Promise<Picture|null>} ask for a picture
   */
  constructor(legend, ask) {
    super();
    this.legend = legend;
    this.ask = ask;
    this.canvas = element("canvas", { class: "why-icicle", tabindex: "0", role: "application", "aria-roledescription": "icicle of the search tree", "aria-label": "Search tree. Arrows go from node to node, Enter zooms in, Escape zooms out. The table below has the same tree." });
    this.canvas.style.height = `${MAX_LEVELS * ROW_HEIGHT}px`;
    this.pen = this.canvas.getContext("2d");
    const { canvas } = this;
    new ResizeObserver(() => this.#resize()).observe(canvas);
    new MutationObserver(() => this.#readColours()).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#readColours());
    canvas.addEventListener("pointerdown", (event) => this.#onPointerDown(event));
    canvas.addEventListener("pointermove", (event) => this.#onPointerMove(event));
    canvas.addEventListener("pointerup", (event) => this.#onPointerUp(event));
    canvas.addEventListener("pointercancel", () => (this.#drag = null));
    canvas.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && this.#removeCursor());
    document.addEventListener("pointerdown", (event) => event.target !== canvas && this.cursor !== null && this.#removeCursor());
    canvas.addEventListener("blur", () => this.#removeCursor());
    canvas.addEventListener("wheel", (event) => this.#onWheel(event), { passive: false });
    canvas.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /** The root of the picture on show, or null. */
  get root() {
    return this.#pictures.at(-1)?.node ?? null;
  }

  /** Show a node and what is below it. */
  async show(node, animate = true) {
    const known = this.#barOf(node);
    if (known && animate) this.#animateTo({ x: node, w: known.size, y: known.ply });
    const asked = this.#zoom = ++this.#requestNumber;
    const found = await this.ask({ node, levels: MAX_LEVELS, share: this.#minShare(1) });
    if (this.#zoom === asked) this.#zoom = 0;
    if (!found || asked !== this.#requestNumber) return null;
    this.#addPicture(found);
    this.canvas.style.height = `${ROW_HEIGHT * Math.max(7, Math.min(MAX_LEVELS, Math.max(...found.levels) + 2))}px`;
    this.#animateTo({ x: found.node, w: found.nodes, y: found.ply }, known && animate ? undefined : 0);
    return found;
  }

  /** Show nothing. */
  clear() {
    this.#requestNumber++;
    this.#pictures = [];
    this.#levels = [];
    this.cursor = this.picked = null;
    this.#draw();
  }

  /** Put the cursor on a node, without an event. */
  setCursor(node) {
    this.cursor = node;
    this.#requestDraw();
  }

  /** The part of the tree that is visible, for benchmarks. */
  get view() {
    return { ...this.#view, root: this.root, bars: this.#pictures.at(-1)?.bars.length ?? 0 };
  }

  #addPicture(found) {
    const order = found.bars.map((_, i) => i).sort((one, other) => found.causes[one] - found.causes[other]);
    const picture = { ...found, order };
    this.#pictures = [...this.#pictures.slice(-1), picture];
    this.#levels = [];
    found.bars.forEach((bar, i) => (this.#levels[found.ply + found.levels[i]] ??= []).push(i));
  }

  #minShare(part) {
    return Math.min(1, part / Math.max(200, this.#width));
  }

  // --- the view -----------------------------------------------------------------------------------
  #animateTo(goal, duration = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : ZOOM_TIME) {
    this.#goal = { from: { ...this.#view }, to: goal, began: performance.now(), duration };
    if (!duration) this.#view = { ...goal };
    this.#requestDraw();
  }

  #requestDraw() {
    this.#frame ||= requestAnimationFrame((now) => {
      this.#frame = 0;
      if (this.#goal) {
        const { from, to, began, duration } = this.#goal;
        const t = duration ? Math.min(1, (now - began) / duration) : 1;
        const eased = t < 1 ? 1 - (1 - Math.max(0, t)) ** 3 : 1;
        for (const name of ["x", "w", "y"]) this.#view[name] = from[name] + (to[name] - from[name]) * eased;
        if (t < 1) this.#requestDraw();
        else {
          this.#goal = null;
          this.#pictures = this.#pictures.slice(-1);
        }
      }
      this.#draw();
    });
  }

  /** Show another part of the same picture; finer bars are asked for when the pointer rests. */
  #pan(x, w) {
    const shown = this.#pictures.at(-1);
    if (!shown) return;
    this.#goal = null;
    const wide = Math.max(Math.min(w, shown.nodes), Math.min(shown.nodes, 4));
    this.#view = { x: Math.max(shown.node, Math.min(shown.node + shown.nodes - wide, x)), w: wide, y: shown.ply };
    this.#requestDraw();
    clearTimeout(this.#refineTimer);
    this.#refineTimer = setTimeout(() => this.#refine(), REFINE_DELAY);
  }

  async #refine() {
    if (this.#zoom || !this.#pictures.length) return; // another picture is on its way, which it would overtake
    const { node, nodes } = this.#pictures.at(-1);
    const { x, w } = this.#view;
    const asked = ++this.#requestNumber;
    const margin = w / 2;
    const begin = Math.max(node, Math.floor(x - margin));
    const end = Math.min(node + nodes, Math.ceil(x + w + margin));
    const found = await this.ask({ node, levels: MAX_LEVELS, share: this.#minShare(w / nodes), begin, end });
    if (!found || asked !== this.#requestNumber) return;
    this.#addPicture(found);
    this.#pictures = this.#pictures.slice(-1);
    this.#requestDraw();
  }

  #resize() {
    const ratio = devicePixelRatio || 1;
    const { clientWidth: wide, clientHeight: high } = this.canvas;
    if (!wide || (this.canvas.width === Math.round(wide * ratio) && this.canvas.height === Math.round(high * ratio))) return;
    this.canvas.width = Math.round(wide * ratio);
    this.canvas.height = Math.round(high * ratio);
    const before = this.#width;
    this.#width = wide;
    this.#readColours();
    if (this.#pictures.length && wide > 1.3 * before) this.#pan(this.#view.x, this.#view.w);
  }

  /** Read the colours of the legend, as the theme has them. */
  #readColours() {
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
    this.hatch = this.#makeHatching("#00000070", "#ffffff50");
    this.#draw();
  }

  #makeHatching(dark, light) {
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
    for (const picture of this.#pictures) this.#drawBars(picture);
    const shown = this.#pictures.at(-1);
    if (!shown) return;
    this.#drawOutline(this.picked, this.ink, 2);
    this.#drawOutline(this.cursor, this.ink, 3);
  }

  #drawBars({ ply, bars, sizes, levels, causes, folded, moves, order }) {
    const { pen } = this;
    const { x, w, y } = this.#view;
    const wide = this.#width;
    const scale = wide / w;
    const seen = [];
    pen.fillStyle = this.fog;
    for (const i of order) {
      const left = (bars[i] - x) * scale;
      const size = sizes[i] * scale;
      const top = (ply + levels[i] - y) * ROW_HEIGHT;
      if (left > wide || left + size < 0 || top < -ROW_HEIGHT || top > MAX_LEVELS * ROW_HEIGHT || size < 0.4) continue;
      seen.push(i);
      if (folded[i] && size > 2) pen.fillRect(left, top + ROW_HEIGHT, size, ROW_HEIGHT - 8);
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
      const top = (ply + levels[i] - y) * ROW_HEIGHT;
      pen.fillRect(left, top, size > 3 ? size - 1 : size, ROW_HEIGHT - 1);
      if (cause === CUT && size > 3) cuts.push([left, top, size]);
    }
    pen.fillStyle = this.hatch;
    for (const [left, top, size] of cuts) pen.fillRect(left, top, size - 1, ROW_HEIGHT - 1);
    pen.font = this.font;
    pen.textBaseline = "middle";
    for (const i of seen) {
      const word = moves[bars[i]];
      const left = Math.max(0, (bars[i] - x) * scale);
      const size = Math.min(wide, (bars[i] + sizes[i] - x) * scale) - left;
      if (word === undefined || size < 26) continue;
      const top = (ply + levels[i] - y) * ROW_HEIGHT;
      this.#drawLabel(word ?? "start", left, top, size, causes[i]);
    }
    for (const [left, top, size] of cuts) if (size > 22) this.#drawStub(left + size - STUB_WIDTH - 1, top + ROW_HEIGHT);
  }

  #drawLabel(word, left, top, size, cause) {
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
      pen.fillRect(left + 2, top + 3, needs + 5, ROW_HEIGHT - 7);
    }
    pen.fillStyle = ink;
    pen.fillText(text, left + 4, top + ROW_HEIGHT / 2);
  }

  /** The mark of a cut: moves were not searched here. */
  #drawStub(left, top) {
    const { pen } = this;
    pen.fillStyle = this.paper;
    pen.fillRect(left, top, STUB_WIDTH, 9);
    pen.fillStyle = this.#colours[CUT].fill;
    pen.fillRect(left + 1, top, STUB_WIDTH - 2, 8);
    pen.fillStyle = this.hatch;
    pen.fillRect(left + 1, top, STUB_WIDTH - 2, 8);
  }

  #drawOutline(node, colour, thick) {
    const bar = this.#barOf(node);
    if (!bar) return;
    const { x, w, y } = this.#view;
    const scale = this.#width / w;
    const left = Math.max(1, (bar.node - x) * scale);
    const right = Math.min(this.#width - 1, (bar.node + bar.size - x) * scale);
    const top = (bar.ply - y) * ROW_HEIGHT;
    if (right < 0 || left > this.#width || top < 0) return;
    this.pen.strokeStyle = this.paper;
    this.pen.lineWidth = thick + 2;
    const shape = [left, top + 1.5, Math.max(2, right - left - 1), ROW_HEIGHT - 4];
    this.pen.strokeRect(...shape);
    this.pen.strokeStyle = colour;
    this.pen.lineWidth = thick;
    this.pen.strokeRect(...shape);
  }

  // --- finding nodes ------------------------------------------------------------------------------
  #barOf(node) {
    if (node === null) return null;
    for (const picture of [...this.#pictures].reverse()) {
      const i = picture.bars.indexOf(node);
      if (i >= 0) return { i, node, size: picture.sizes[i], ply: picture.ply + picture.levels[i], folded: picture.folded[i] };
    }
    return null;
  }

  /** The node whose bar covers a place of a level, or null. */
  #nodeAt(ply, place) {
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

  /** The node under the pointer; below the bars that are drawn, the last one above it. */
  #nodeUnder(event) {
    if (!this.#pictures.length) return null;
    const place = this.#view.x + (event.offsetX / this.#width) * this.#view.w;
    for (let ply = Math.floor(this.#view.y + event.offsetY / ROW_HEIGHT); ply >= 0; ply--) {
      const found = this.#nodeAt(ply, place);
      if (found !== null) return found;
    }
    return null;
  }

  #emit(name, node = null) {
    this.dispatchEvent(new CustomEvent(name, { detail: { node } }));
  }

  #moveCursor(node) {
    if (node === this.cursor) return;
    this.cursor = node;
    this.#requestDraw();
    this.#emit("over", node);
  }

  #removeCursor() {
    if (this.#drag) return;
    this.cursor = null;
    this.#requestDraw();
    this.#emit("leave");
  }

  // --- pointer and keys ---------------------------------------------------------------------------
  #onPointerDown(event) {
    if (event.button) return;
    this.#drag = { at: event.clientX, x: this.#view.x, moved: false, before: this.cursor };
    this.canvas.setPointerCapture(event.pointerId);
  }

  #onPointerMove(event) {
    const drag = this.#drag;
    if (drag) {
      const by = event.clientX - drag.at;
      drag.moved ||= Math.abs(by) > 5;
      if (drag.moved) return this.#pan(drag.x - (by / this.#width) * this.#view.w, this.#view.w);
    }
    this.#moveCursor(this.#nodeUnder(event));
  }

  #onPointerUp(event) {
    const drag = this.#drag;
    this.#drag = null;
    if (!drag || drag.moved) return;
    const node = this.#nodeUnder(event);
    if (node === null) return;
    // A finger cannot hover: its first touch shows a node, a second one zooms there.
    if (event.pointerType === "mouse" || node === drag.before) this.#emit(node === this.root ? "out" : "pick", node);
    else this.#moveCursor(node);
  }

  #onWheel(event) {
    if (!this.#pictures.length) return;
    const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
    if (!sideways && !event.ctrlKey && !event.metaKey) return; // the panel scrolls
    event.preventDefault();
    const { x, w } = this.#view;
    if (sideways) return this.#pan(x + ((event.deltaX || event.deltaY) / this.#width) * w, w);
    this.zoom(Math.exp(event.deltaY * 0.004), event.offsetX / this.#width);
  }

  /** Show `by` times as many nodes, around a point from 0 (left) to 1. */
  zoom(by, around = 0.5) {
    const { x, w } = this.#view;
    this.#pan(x + around * w * (1 - by), w * by);
  }

  #onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#pictures.length) return;
    const acts = {
      ArrowLeft: () => this.#cursorSideways(-1),
      ArrowRight: () => this.#cursorSideways(1),
      ArrowUp: () => this.#cursorUp(),
      ArrowDown: () => this.#cursorDown(),
      Enter: () => this.cursor !== null && this.#emit(this.cursor === this.root ? "out" : "pick", this.cursor),
      Escape: () => this.#emit("out"),
      Backspace: () => this.#emit("out"),
      Home: () => this.#moveCursor(this.root),
      "+": () => this.zoom(1 / 1.5),
      "-": () => this.zoom(1.5),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  #cursorSideways(step) {
    const bar = this.#barOf(this.cursor);
    if (!bar) return this.#moveCursor(this.root);
    const shown = this.#pictures.at(-1);
    const level = this.#levels[bar.ply] ?? [];
    const next = level[level.findIndex((i) => shown.bars[i] === bar.node) + step];
    if (next !== undefined) this.#cursorTo(shown.bars[next]);
  }

  #cursorUp() {
    const bar = this.#barOf(this.cursor);
    if (!bar) return this.#moveCursor(this.root);
    if (bar.node === this.root) return this.#emit("out");
    const parent = this.#nodeAt(bar.ply - 1, bar.node);
    if (parent !== null) this.#cursorTo(parent);
  }

  #cursorDown() {
    const bar = this.#barOf(this.cursor);
    if (!bar) return this.#moveCursor(this.root);
    const shown = this.#pictures.at(-1);
    const child = (this.#levels[bar.ply + 1] ?? []).find((i) => shown.bars[i] > bar.node && shown.bars[i] < bar.node + bar.size);
    if (child !== undefined && bar.ply + 1 - this.#view.y < MAX_LEVELS) this.#cursorTo(shown.bars[child]);
    else if (bar.folded) this.#emit("pick", bar.node);
  }

  /** Move the cursor to a node, and the view with it. */
  #cursorTo(node) {
    const { x, w } = this.#view;
    const { size } = this.#barOf(node);
    if (node + size <= x || node >= x + w) this.#pan(node + size / 2 - w / 2, w);
    this.#moveCursor(node);
  }
}
