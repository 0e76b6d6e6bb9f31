/** Curves over time in a small chart, with a band around the first of them where its error is known. */

import { element, svgElement } from "../element.js";

const WIDE = 640;
const HIGH = 180;
const LEFT = 52; // px for the numbers at the side
const BELOW = 22; // px for the numbers below

/**
 * @param {{title: string, across: string, zero?: boolean, digits?: number, curves: {name: string, points: [number, number|null][]}[],
 *   band?: [number, number|null, number|null][]}} given points are [x, y]; those without a y are left out
 * @returns {HTMLElement}
 */
export function makeChart({ title, across, zero = false, digits = 0, curves, band = [] }) {
  const shown = curves.map((curve) => ({ ...curve, points: curve.points.filter(([, y]) => y !== null) }));
  // An end that is infinite is drawn to the edge.
  const known = band.filter(([, low, high]) => low !== null || high !== null).map(([one, low, high]) => [one, low ?? -Infinity, high ?? Infinity]);
  // A band that is still very wide would make a line of the curve.
  const heights = [...shown.flatMap((curve) => curve.points.map(([, y]) => y)), ...known.slice(-Math.ceil(known.length / 2)).flatMap(([, low, high]) => [low, high]).filter(Number.isFinite)];
  if (!heights.length) return element("p", { class: "facts" }, `${title}: nothing to draw yet.`);
  if (zero) heights.push(0);
  let [low, high] = [Math.min(...heights), Math.max(...heights)];
  const room = (high - low || Math.abs(high) || 1) * 0.06;
  [low, high] = [low - room, high + room];
  const ends = shown.flatMap((curve) => curve.points.map(([x]) => x));
  const [first, last] = [Math.min(...ends), Math.max(...ends)];
  const x = (value) => LEFT + ((WIDE - LEFT - 8) * (value - first)) / (last - first || 1);
  const y = (value) => 6 + (HIGH - BELOW - 12) * (1 - (Math.min(high, Math.max(low, value)) - low) / (high - low));
  const path = (points) => points.map(([one, other]) => `${x(one).toFixed(1)},${y(other).toFixed(1)}`).join(" ");
  const words = (text, at) => {
    const made = svgElement("text", at);
    made.textContent = text;
    return made;
  };
  const parts = [];
  if (known.length > 1) parts.push(svgElement("polygon", { class: "band", points: path([...known.map(([one, bottom]) => [one, bottom]), ...known.map(([one, , top]) => [one, top]).reverse()]) }));
  if (zero) parts.push(svgElement("line", { class: "zero", x1: LEFT, x2: WIDE - 8, y1: y(0), y2: y(0) }));
  shown.forEach((curve, i) => {
    parts.push(svgElement("polyline", { class: `curve-${i}`, points: path(curve.points) }));
    if (curve.points.length) parts.push(svgElement("circle", { class: `curve-${i}`, r: 3, cx: x(curve.points.at(-1)[0]), cy: y(curve.points.at(-1)[1]) }));
  });
  const number = (value) => value.toFixed(digits).replace("-", "−");
  parts.push(
    words(number(high - room), { x: LEFT - 6, y: 16, class: "end" }),
    words(number(low + room), { x: LEFT - 6, y: HIGH - BELOW - 6, class: "end" }),
    words(String(first), { x: LEFT, y: HIGH - 5 }),
    words(`${last} ${across}`, { x: WIDE - 8, y: HIGH - 5, class: "end" }),
  );
  const latest = shown.filter((curve) => curve.points.length).map((curve) => `${curve.name} ${number(curve.points.at(-1)[1])}`);
  const svg = svgElement("svg", { class: "watch-chart", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": `${title}: ${latest.join(", ")}` }, ...parts);
  const legend = shown.length > 1 ? element("p", { class: "watch-legend" }, ...shown.map((curve, i) => element("span", { class: `curve-${i}` }, curve.name))) : null;
  return element("figure", { class: "watch-figure" }, element("figcaption", {}, title), svg, legend);
}
