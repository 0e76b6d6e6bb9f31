/** The help overlay and the keys that work everywhere on the page. */

import { byId, element } from "./element.js";
import { makeDialog } from "./dialog.js";

const KEYS = [
  [
    "On the board",
    [["arrows", "go from cell to cell"], ["Enter or Space", "take a piece, put it down"], ["Esc", "let go"]],
  ],
  [
    "Everywhere",
    [
      ["m", "type a move"],
      ["b", "to the board"],
      ["h or Space", "a hint"],
      ["f", "flip the board"],
      ["a", "analysis on or off"],
      ["u", "take back"],
      ["r", "redo"],
      ["n", "new game"],
      ["t", "light or dark"],
      ["p", "pause or go on"],
      ["?", "this help"],
    ],
  ],
  [
    "Through the game",
    [
      ["← →, or k j", "one move back or on"],
      ["Home End, or 0 $", "first or latest position"],
      ["1 … 9", "the tabs of the panel"],
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
    + "Any position of the list can be looked at; a move made there begins a branch.");
  const dialog = makeDialog(
    { id: "help", title: "Help and keys", wide: true },
    words,
    element("div", { class: "keys" }, ...tables),
  );
  const open = () => dialog.open || dialog.showModal();
  byId("open-help").addEventListener("click", open);
  const actions = {
    "?": open,
    m: () => page.controls.typed.focus(),
    b: () => page.board.focusCell(page.board.focus),
    h: () => session.playable && session.hint(),
    " ": () => session.playable && session.hint(),
    f: () => page.flip(),
    a: () => page.toggleAnalysis(),
    u: () => session.state?.can?.back && session.requestForGame("back"),
    r: () => session.state?.can?.forward && session.requestForGame("forward"),
    n: () => page.newGame(),
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
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.target.closest?.("input, textarea, select, [contenteditable], .chooser")) return;
    if (event.target.getAttribute?.("role") === "tabpanel" && ["Home", "End"].includes(event.key)) return;
    const tab = /^[1-9]$/.test(event.key) ? document.querySelectorAll("#tabs [role=tab]")[Number(event.key) - 1] : null;
    if (event.key === " " && event.target !== document.body) return; // it presses the button in focus
    const action = tab ? () => tab.click() : actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
