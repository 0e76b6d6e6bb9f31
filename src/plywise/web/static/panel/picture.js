/** The board on the page as a picture in SVG that stands on its own. */

import { cellXY } from "../board/geometry.js";
import { svgElement } from "../element.js";

const CELL = 100; // units of the picture
const INKS = ["--fill", "--line", "--line-of", "--shade", "--shine", "--crown", "--bark", "--leaf", "--leaf-shade"];

/** @param {import("../board/board.js").Board} board @returns {string} */
export function boardPicture(board) {
  const { width, height } = board.shape;
  const made = svgElement("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width * CELL} ${height * CELL}` });
  const ground = getComputedStyle(board.grid).backgroundColor;
  made.append(svgElement("rect", { width: width * CELL, height: height * CELL, fill: ground }));
  for (const cell of board.grid.querySelectorAll(".cell")) {
    const { backgroundColor } = getComputedStyle(cell);
    const { x, y } = cellXY(Number(cell.dataset.cell), board.shape);
    const fill = /, 0\)$|transparent/.test(backgroundColor) ? "none" : backgroundColor;
    made.append(svgElement("rect", { x: x * CELL, y: y * CELL, width: CELL, height: CELL, fill, stroke: "#0003" }));
  }
  for (const [cell, piece] of board.pieces) {
    const { x, y } = cellXY(cell, board.shape);
    const style = getComputedStyle(piece);
    const group = svgElement("g", { transform: `translate(${x * CELL} ${y * CELL})` });
    for (const name of INKS) {
      const ink = style.getPropertyValue(name).trim();
      if (ink) group.style.setProperty(name, ink);
    }
    const symbol = document.querySelector(piece.querySelector("use")?.getAttribute("href") ?? "none");
    if (symbol) group.append(...[...symbol.childNodes].map((node) => node.cloneNode(true)));
    const letter = piece.querySelector(".symbol")?.textContent;
    if (letter) {
      const text = svgElement("text", { x: CELL / 2, y: CELL * 0.68, "text-anchor": "middle", "font-size": CELL / 2, fill: "var(--shine)" });
      text.textContent = letter;
      group.append(text);
    }
    made.append(group);
  }
  return new XMLSerializer().serializeToString(made);
}
