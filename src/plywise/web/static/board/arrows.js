/** Arrows over a board, in layers: hints, the lines of an analysis, what a move would do. */

import { svgElement } from "../element.js";

const WIDTH = { hint: 0.17, threat: 0.15, drawn: 0.15, best: 0.16, line: 0.1, go: 0.09, hop: 0.07 };

export class Arrows {
  #layers = new Map();

  constructor() {
    this.svg = svgElement("svg", { class: "arrows", "aria-hidden": "true", viewBox: "0 0 1 1" });
  }

  /** The board has this many cells now. */
  resize({ columns, rows }) {
    this.svg.setAttribute("viewBox", `0 0 ${columns} ${rows}`);
    this.#layers.clear();
    this.svg.replaceChildren();
  }

  /**
   * Draw the arrows of one layer in place of those it had.
   * @param {string} layer
   * @param {{from: {x: number, y: number}, to: {x: number, y: number}, kind: string}[]} arrows middles of
   *   cells, in cells; a ring is drawn where both ends are the same
   */
  draw(layer, arrows) {
    let group = this.#layers.get(layer);
    if (!group) {
      group = svgElement("g", { class: layer });
      this.#layers.set(layer, group);
      this.svg.append(group);
    }
    group.replaceChildren(...arrows.map(arrow));
  }
}

function arrow({ from, to, kind }) {
  const width = WIDTH[kind] ?? 0.1;
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const long = Math.hypot(dx, dy);
  if (long < 0.01) return svgElement(
    "circle",
    { class: kind, cx: from.x, cy: from.y, r: 0.42, "stroke-width": width * 0.6, fill: "none" },
  );
  const [ux, uy] = [dx / long, dy / long];
  const head = width * 2.6;
  const tip = { x: to.x - ux * 0.08, y: to.y - uy * 0.08 };
  const neck = { x: tip.x - ux * head, y: tip.y - uy * head };
  const tail = { x: from.x + ux * 0.25, y: from.y + uy * 0.25 };
  const wing = head * 0.62;
  const points = [
    [tip.x, tip.y],
    [neck.x - uy * wing, neck.y + ux * wing],
    [neck.x + uy * wing, neck.y - ux * wing],
  ];
  return svgElement(
    "g",
    { class: kind },
    svgElement(
      "line",
      { x1: tail.x, y1: tail.y, x2: neck.x, y2: neck.y, "stroke-width": width, "stroke-linecap": "round" },
    ),
    svgElement("polygon", { points: points.map((point) => point.join(",")).join(" "), stroke: "none" }),
  );
}
