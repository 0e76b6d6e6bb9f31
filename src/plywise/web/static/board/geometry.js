/**
 * Where cells stand on the screen, flipped or not. All lengths are in sides of a cell.
 *
 * @typedef {{kind: string, width: number, height: number, flipped: boolean, places: number[][], columns: number,
 *   rows: number, lengths: number[], layout: any}} Shape `columns` and `rows` are the size of all; `places` have
 *   the middle of each cell as the first side sees it, and its height
 */

const REACH = { hexagons: 0.6, points: 0.5, pits: 0.5 }; // from a cell's middle: a point further away does not mean the cell

/** The shape of no board. @type {Shape} */
export const NO_SHAPE = {
  kind: "squares", width: 0, height: 0, flipped: false, places: [], columns: 0, rows: 0, lengths: [], layout: null,
};

/**
 * The shape of a board as the server describes it; squares need no description.
 * @returns {Shape}
 */
export function makeShape({ width, height, shape: kind = "squares", layout = null }, flipped) {
  if (layout) {
    const [columns, rows] = layout.size;
    return { kind, width, height, flipped, places: layout.places, columns, rows, lengths: layout.rows, layout };
  }
  const places = Array.from({ length: width * height }, (_, i) => [(i % width) + 0.5, Math.floor(i / width) + 0.5, 1]);
  const lengths = Array(height).fill(width);
  return { kind, width, height, flipped, places, columns: width, rows: height, lengths, layout };
}

/** Whether two shapes are laid out alike. */
export function isSameShape(one, other) {
  return one.flipped === other.flipped && one.kind === other.kind && one.width === other.width
    && JSON.stringify(one.layout ?? one.height) === JSON.stringify(other.layout ?? other.height);
}

/** A point of the board as seen: the other way round if the board is flipped. */
export function toView(x, y, { columns, rows, flipped }) {
  return flipped ? { x: columns - x, y: rows - y } : { x, y };
}

/**
 * The place of a cell as seen: the top left corner of the square around its middle.
 * @param {number} cell counted row by row as the first side sees it
 * @param {Shape} shape
 * @returns {{x: number, y: number}}
 */
export function cellXY(cell, shape) {
  const [x, y] = shape.places[cell] ?? [0.5, 0.5];
  const place = toView(x, y, shape);
  return { x: place.x - 0.5, y: place.y - 0.5 };
}

/** The rows of cells, as they are read on the screen. @returns {number[][]} */
export function readingRows({ lengths, flipped }) {
  let next = 0;
  const rows = lengths.map((length) => Array.from({ length }, () => next++));
  return flipped ? rows.reverse().map((row) => row.reverse()) : rows;
}

/** Of the cells that are meant at all the one nearest to a point of the screen, within some pixels; or null. */
export function cellNear(point, box, shape, isMeant, pixels) {
  let [found, least] = [null, pixels];
  shape.places.forEach((_, cell) => {
    if (!isMeant(cell)) return;
    const at = cellXY(cell, shape);
    const x = box.left + ((at.x + 0.5) / shape.columns) * box.width;
    const y = box.top + ((at.y + 0.5) / shape.rows) * box.height;
    const away = Math.hypot(point.clientX - x, point.clientY - y);
    if (away < least) [found, least] = [cell, away];
  });
  return found;
}

/** The cell under a point of the screen, or null. */
export function cellUnder(point, box, shape) {
  const x = ((point.clientX - box.left) / box.width) * shape.columns;
  const y = ((point.clientY - box.top) / box.height) * shape.rows;
  if (shape.kind === "squares") {
    if (x < 0 || y < 0 || x >= shape.columns || y >= shape.rows) return null;
    const cell = Math.floor(y) * shape.width + Math.floor(x);
    return shape.flipped ? shape.places.length - 1 - cell : cell;
  }
  const at = toView(x, y, shape);
  const away = shape.places.map(([px, py, high]) => Math.hypot(
    at.x - px,
    Math.max(0, Math.abs(at.y - py) - (high - 1) / 2), // a high cell is a stretch, not a point
  ));
  const nearest = away.indexOf(Math.min(...away));
  return nearest >= 0 && away[nearest] <= REACH[shape.kind] ? nearest : null;
}

/** The nearest cell in a direction, by the arrow keys; null if there is none. `usable` says which cells count. */
export function cellBeside(cell, [dx, dy], shape, usable = () => true) {
  const from = cellXY(cell, shape);
  let best = null;
  let least = Infinity;
  shape.places.forEach((_, other) => {
    const to = cellXY(other, shape);
    const ahead = (to.x - from.x) * dx + (to.y - from.y) * dy;
    const aside = Math.abs((to.x - from.x) * dy - (to.y - from.y) * dx);
    // What lies straight ahead comes before what lies nearer at an angle.
    if (ahead < 0.2 || aside > 2 * ahead || !usable(other)) return;
    const cost = ahead + 2 * aside;
    if (cost < least) [best, least] = [other, cost];
  });
  return best;
}

/** The `translate` that puts a piece of one cell's size onto a cell, and `dx`, `dy` pixels beside it. */
export function translateTo(cell, shape, dx = 0, dy = 0) {
  const { x, y } = cellXY(cell, shape);
  return `calc(${100 * x}% + ${dx}px) calc(${100 * y}% + ${dy}px)`;
}

/** Put a piece onto a cell. */
export function placePiece(shown, cell, shape) {
  shown.dataset.at = String(cell);
  shown.style.translate = translateTo(cell, shape);
}
