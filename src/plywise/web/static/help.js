/** The help overlay and the keys that work everywhere on the page. */

import { byId, element } from "./element.js";
import { makeDialog } from "./dialog.js";

const KEYS = [
  [
    "On the board",
    [["arrows", "go from cell to cell"], ["Enter or Space", "take a piece, put it down"], ["Esc", "put it back"]],
  ],
  [
    "Everywhere",
    [
      ["m", "type a move"],
      ["b", "go to the board"],
      ["h", "a hint"],
      ["Space", "play the best move of the analysis, or a hint"],
      ["x", "what the other side threatens"],
      ["w", "why is the last move bad?"],
      ["f", "flip the board"],
      ["a", "analysis on or off"],
      ["u", "take back"],
      ["r", "redo"],
      ["n", "new game"],
      ["e", "set up a position"],
      ["t", "light or dark"],
      ["p", "pause or go on"],
      ["?", "this help"],
    ],
  ],
  [
    "Through the game",
    [
      ["← →, k j", "one move back or on"],
      ["Home End, 0 $", "first or latest position"],
      ["mouse wheel", "one move back or on"],
      ["[ ]", "the mistake before or after, once reviewed"],
      ["1 … 9", "the tabs of the panel"],
    ],
  ],
  [
    "Variations",
    [
      ["Shift + ↑ ↓", "the other moves at this place"],
      ["Shift + ←", "back to where the variation begins"],
      ["Shift + →", "into the first variation"],
      ["Shift + P", "put this variation first"],
      ["Delete", "delete this move and what follows"],
      ["c", "comment on this move"],
      ["Ctrl + Z, Ctrl + Y", "undo an edit, redo it"],
    ],
  ],
];

/** Build the overlay and listen to keys. */
export function mountHelp(page) {
  const { session } = page;
  const tables = KEYS.map(([title, keys]) => {
    const rows = keys.map(
      ([key, words]) => element(
        "tr",
        {},
        element("th", { scope: "row" }, element("kbd", {}, key)),
        element("td", {}, words),
      ),
    );
    return element("section", {}, element("h3", {}, title), element("table", {}, element("tbody", {}, ...rows)));
  });
  const words = element("p", {}, "Move by clicking or tapping a piece and then its goal, by dragging, by keys, or by "
    + "typing the move. "
    + "A jump over several pieces goes cell by cell, or straight to its end where only one way leads there. "
    + "A move made in an earlier position is a variation: the game itself stays as it was played. "
    + "Right-click a move of the list, or press it long, to edit it. "
    + "Typed in place of a move, pieces, scan e4, last and clock are read out. "
    + "Draw arrows and circles on the board with the right mouse button.");
  const dialog = makeDialog(
    { id: "help", title: "Help and keys", wide: true },
    words,
    element("div", { class: "keys" }, ...tables),
  );
  const open = () => dialog.open || dialog.showModal();
  const bestMove = () => {
    const { analysis, node } = session;
    const first = session.analysing && analysis?.node === node ? analysis.lines?.[0]?.moves[0] : null;
    if (first && session.playable) session.play(first);
    else if (session.playable) session.hint();
  };
  byId("open-help").addEventListener("click", open);
  const actions = {
    "?": open,
    m: () => page.controls.typed.focus(),
    b: () => page.board.focusCell(page.board.focus),
    h: () => session.playable && session.hint(),
    " ": bestMove,
    c: () => page.study.comment(),
    P: () => session.inVariation && page.study.promote(),
    Delete: () => session.state && !session.path(session.state.tip).includes(session.node) && page.study.remove(),
    "[": () => goToMistake(session, -1),
    "]": () => goToMistake(session, 1),
    w: () => session.state && session.node && page.reason.ask(session.node),
    f: () => page.flip(),
    a: () => page.toggleAnalysis(),
    u: () => session.state?.can?.back && session.requestForGame("back"),
    r: () => session.state?.can?.forward && session.requestForGame("forward"),
    n: () => page.newGame(),
    e: () => page.edit(),
    x: () => session.threat(),
    t: () => page.theme(),
    p: () => session.state && !session.state.outcome && session.requestForGame("pause", { paused: !session.state.paused }),
    j: () => session.step(1),
    k: () => session.step(-1),
    ArrowLeft: () => session.step(-1),
    ArrowRight: () => session.step(1),
    Home: () => session.step(-1e6),
    End: () => session.step(1e6),
    0: () => session.step(-1e6),
    $: () => session.step(1e6),
  };
  const shifted = {
    ArrowUp: () => lookBeside(session, -1),
    ArrowDown: () => lookBeside(session, 1),
    ArrowLeft: () => leaveVariation(session),
    ArrowRight: () => enterVariation(session),
  };
  const edits = { z: () => page.study.undo(), y: () => page.study.redo(), Z: () => page.study.redo() };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || document.querySelector("dialog[open]")) return;
    if (event.target.closest?.("input, textarea, select, [contenteditable], .chooser")) return;
    const special = event.ctrlKey || event.metaKey ? edits[event.key] : event.shiftKey ? shifted[event.key] : null;
    if (special && session.state) {
      event.preventDefault();
      special();
    }
    if (special || event.ctrlKey || event.metaKey) return;
    if (event.target.getAttribute?.("role") === "tabpanel" && ["Home", "End"].includes(event.key)) return;
    const tab = /^[1-9]$/.test(event.key) ? document.querySelectorAll("#tabs [role=tab]")[Number(event.key) - 1] : null;
    if (event.key === " " && event.target !== document.body) return; // it presses the button in focus
    const action = tab ? () => tab.click() : actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

/** Look at the move before or after this one among those that were played or tried in the same position. */
function lookBeside(session, by) {
  const line = session.path(session.goal).reverse();
  const n = line.find((one) => one && session.children(session.at(one).parent).length > 1);
  if (n === undefined) return;
  const beside = session.children(session.at(n).parent).map((node) => node.n);
  session.look(beside[(beside.indexOf(n) + by + beside.length) % beside.length]);
}

/** Back to the position in which this variation begins. */
function leaveVariation(session) {
  const line = session.path(session.goal).reverse();
  const first = line.find((one) => one && session.children(session.at(one).parent)[0].n !== one);
  session.look(first === undefined ? 0 : session.at(first).parent);
}

/** To the first other move that was tried in this position, or in the next one that has some. */
function enterVariation(session) {
  const line = session.line();
  for (const n of line.slice(line.indexOf(session.goal))) {
    const [, other] = session.children(n);
    if (other) return session.look(other.n);
  }
  return null;
}

/** To the mistake before or after this position, as the review found them. */
function goToMistake(session, by) {
  const line = session.gameLine();
  const at = Math.max(0, line.indexOf(session.goal));
  const found = line.filter((n, i) => session.verdicts[n]?.mark && (i - at) * by > 0);
  const n = by > 0 ? found[0] : found.at(-1);
  if (n !== undefined) session.look(n);
}
