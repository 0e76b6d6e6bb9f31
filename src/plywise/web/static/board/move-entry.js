/**
 * Entering a move: cells are touched one after the other until one move is left.
 * Knows no rule, only the list of legal moves and the cells that each of them names.
 *
 * @typedef {{move: string, said: string, steps: string[], choice: string}} Move
 */

/** The moves that begin with the touched cells, step by step. */
function movesStarting(moves, touched) {
  return moves.filter((move) => touched.every((name, i) => move.steps[i] === name));
}

/** The moves from the first to the last of the touched cells that leave out the cells between. */
function shortcuts(moves, touched) {
  if (touched.length < 2) return [];
  const last = touched.at(-1);
  const way = touched.slice(0, -1);
  return movesStarting(moves, way).filter((move) => move.steps.length > touched.length && move.steps.at(-1) === last);
}

/**
 * What the touched cells mean.
 * @param {Move[]} moves the legal moves
 * @param {string[]} touched names of cells, in order
 * @returns {{chosen: Move[], open: Move[]}} `chosen`: moves that are complete now (several differ only in
 *   their choice); `open`: moves that go on from here.
 */
export function matchMoves(moves, touched) {
  const begun = movesStarting(moves, touched);
  let chosen = begun.filter((move) => move.steps.length === touched.length);
  const open = begun.filter((move) => move.steps.length > touched.length);
  if (!chosen.length && !open.length) {
    const short = shortcuts(moves, touched);
    if (short.length === 1 || (short.length && short.every((move) => alikeButChoice(move, short[0])))) chosen = short;
  }
  return { chosen, open };
}

function alikeButChoice(one, other) {
  return one.steps.length === other.steps.length && one.steps.every((name, i) => name === other.steps[i]);
}

/**
 * The cells that may be touched next, each with the moves it could lead to.
 * @param {Move[]} moves
 * @param {string[]} touched
 * @returns {Map<string, Move[]>}
 */
export function nextCells(moves, touched) {
  const cells = new Map();
  for (const move of movesStarting(moves, touched)) {
    const name = move.steps[touched.length];
    if (name === undefined) continue;
    if (!cells.has(name)) cells.set(name, []);
    cells.get(name).push(move);
  }
  if (!touched.length) return cells;
  for (const move of movesStarting(moves, touched)) {
    const last = move.steps.at(-1);
    if (move.steps.length <= touched.length + 1 || cells.has(last)) continue;
    if (matchMoves(moves, [...touched, last]).chosen.length) cells.set(last, [move]);
  }
  return cells;
}

/** The cell that all moves begin with, if there is only one: then it need not be touched. */
export function onlyOrigin(moves) {
  const first = moves[0]?.steps[0];
  const sole = moves.every((move) => move.steps.length > 1 && move.steps[0] === first);
  return first !== undefined && sole ? first : null;
}
