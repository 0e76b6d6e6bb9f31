/** What lies below the cells of a board that has no squares: hexagons, lines between points, pits, labels. */

import { element, svgElement } from "../element.js";
import { toView } from "./geometry.js";
import { colour } from "./pieces.js";

const CORNER = 1 / Math.sqrt(3); // from the middle of a hexagon to its corner
const POINTED = [[0, -CORNER], [0.5, -CORNER / 2], [0.5, CORNER / 2], [0, CORNER], [-0.5, CORNER / 2], [-0.5, -CORNER / 2]];
const PIT = 0.44; // half the width of a pit

/**
 * Draw the ground of a board.
 * @param {import("./geometry.js").Shape} shape
 * @param {string[]} names of cells; a point without a name is not drawn
 * @param {string[]} sides the names of the sides
 * @returns {HTMLElement[]} in the order in which they lie over each other
 */
export function groundElements(shape, names, sides) {
  const { kind, columns, rows, layout } = shape;
  if (!layout) return [];
  const svg = svgElement("svg", { class: "ground", viewBox: `0 0 ${columns} ${rows}`, "aria-hidden": "true" });
  if (kind === "hexagons") svg.append(...hexagons(shape), ...edges(shape, sides));
  if (kind === "points") svg.append(...strokes(shape), ...dots(shape, names));
  if (kind === "pits") svg.append(...pits(shape));
  return [svg, ...layout.labels.map((label) => labelElement(label, shape))];
}

/** The corners of a hexagon around its middle. */
function corners({ layout }) {
  return layout.flat ? POINTED.map(([x, y]) => [y, x]) : POINTED;
}

function hexagons(shape) {
  return shape.places.map(([x, y]) => svgElement("polygon", { points: path(corners(shape).map(([dx, dy]) => [x + dx, y + dy]), shape) }));
}

/** The edges that a side has to join, as bands along the hexagons. */
function edges(shape, sides) {
  const { layout, lengths, places } = shape;
  if (!layout.edges.length || layout.flat) return [];
  const [top, upperRight, lowerRight, bottom, lowerLeft, upperLeft] = POINTED;
  const starts = lengths.map((_, row) => lengths.slice(0, row).reduce((sum, length) => sum + length, 0));
  const first = starts.map((start) => places[start]);
  const last = starts.map((start, row) => places[start + lengths[row] - 1]);
  const ends = [places.slice(0, lengths[0]), places.slice(starts.at(-1))];
  const along = (cells, ...around) => cells.flatMap(([x, y]) => around.map(([dx, dy]) => [x + dx, y + dy]));
  const ways = [
    along(ends[0], upperLeft, top, upperRight),
    along(last, upperRight, lowerRight),
    along(ends[1], lowerLeft, bottom, lowerRight),
    along(first, upperLeft, lowerLeft),
  ];
  return ways.flatMap((way, i) => {
    const side = layout.edges[i];
    if (side === null) return [];
    return [svgElement("polyline", { class: "edge", "data-colour": colour(sides, side), points: path(way, shape) })];
  });
}

function strokes(shape) {
  return shape.layout.lines.map(([from, to]) => {
    const [one, other] = [from, to].map((cell) => toView(shape.places[cell][0], shape.places[cell][1], shape));
    return svgElement("line", { x1: one.x, y1: one.y, x2: other.x, y2: other.y });
  });
}

function dots(shape, names) {
  return shape.places.flatMap(([x, y], cell) => {
    const at = toView(x, y, shape);
    return names[cell] ? [svgElement("circle", { cx: at.x, cy: at.y, r: 0.09 })] : [];
  });
}

function pits(shape) {
  return shape.places.map(([x, y, high]) => {
    const at = toView(x, y, shape);
    const half = high / 2 - 0.5 + PIT;
    return svgElement("rect", { x: at.x - PIT, y: at.y - half, width: 2 * PIT, height: 2 * half, rx: PIT });
  });
}

function path(points, shape) {
  return points.map(([x, y]) => toView(x, y, shape)).map(({ x, y }) => `${x.toFixed(3)},${y.toFixed(3)}`).join(" ");
}

function labelElement([text, x, y], shape) {
  const made = element("span", { class: "place-label", "aria-hidden": "true" }, text);
  const at = toView(x, y, shape);
  made.style.left = `${(100 * at.x) / shape.columns}%`;
  made.style.top = `${(100 * at.y) / shape.rows}%`;
  return made;
}
