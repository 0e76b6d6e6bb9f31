/** Where cells stand on the screen: rows and columns, flipped or not. */

/**
 * The place of a cell as seen: column and row from the top left of the screen.
 * @param {number} cell counted row by row as the first side sees it
 * @param {{width: number, height: number, flipped: boolean}} shape
 * @returns {{x: number, y: number}}
 */
export function cellXY(cell, { width, height, flipped }) {
  const x = cell % width;
  const y = Math.floor(cell / width);
  return flipped ? { x: width - 1 - x, y: height - 1 - y } : { x, y };
}

/** The cell that is seen at a column and row, or null beyond the edge. */
export function cellAt(x, y, { width, height, flipped }) {
  if (x < 0 || y < 0 || x >= width || y >= height) return null;
  return flipped ? (height - 1 - y) * width + (width - 1 - x) : y * width + x;
}

/** The cell under a point of the screen, or null. */
export function cellUnder(point, box, shape) {
  const x = Math.floor(((point.clientX - box.left) / box.width) * shape.width);
  const y = Math.floor(((point.clientY - box.top) / box.height) * shape.height);
  return cellAt(x, y, shape);
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
