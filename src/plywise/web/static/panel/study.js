/** Editing a study: glyphs, a comment, the order of variations, undo; by buttons, keys, and a menu on each move. */

import { button, byId, element } from "../element.js";
import { JUDGEMENTS } from "./glyphs.js";

const LONG_PRESS = 500; // ms

/** Build the row of editing buttons below the list of moves. @returns {HTMLElement} */
export function mountStudy(page, list) {
  const { session } = page;
  const edit = (what, given = {}) => session.requestForGame(what, given);
  const at = () => session.at(session.node);
  const actions = {
    promote: (node = session.node) => edit("promote", { node }),
    main: (node = session.node) => edit("main line", { node }),
    remove: (node = session.node) => edit("delete variation", { node }),
    undo: () => session.state?.edits.undo && edit("undo edit"),
    redo: () => session.state?.edits.redo && edit("redo edit"),
    judge(nag) {
      const known = at()?.nags ?? [];
      const others = known.filter((one) => !JUDGEMENTS.some(([judged]) => judged === one));
      return edit("glyphs", { node: session.node, nags: known.includes(nag) ? others : [nag, ...others] });
    },
    comment: () => words.focus(),
    why: (node = session.node) => page.reason.ask(node),
  };
  page.study = actions;
  const glyphs = JUDGEMENTS.map(([nag, sign, title]) => button(sign, () => actions.judge(nag), { title, "aria-label": title, "data-nag": nag }));
  const words = element("input", {
    id: "comment",
    placeholder: "Comment on this move",
    "aria-label": "Comment on this move",
    maxLength: 4000,
    autocomplete: "off",
  });
  const save = () => {
    const node = Number(words.dataset.node);
    if (session.at(node) && words.value !== (session.at(node).comment ?? "")) edit("comment", { node, text: words.value });
  };
  words.addEventListener("change", save);
  words.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter") words.blur();
    if (event.key === "Escape") {
      words.value = at()?.comment ?? "";
      words.blur();
    }
  });
  const promote = button("Promote", () => actions.promote(), { title: "Put this variation first (Shift+P)" });
  const main = button("Main line", () => actions.main(), { title: "Make this the main line" });
  const remove = button("Delete", () => actions.remove(), { title: "Delete this move and what follows (Delete)" });
  const why = button("Why?", () => actions.why(), { title: "Why is this bad? (w)" });
  const undo = button("↶", () => actions.undo(), { "aria-label": "Undo the last edit" });
  const redo = button("↷", () => actions.redo(), { "aria-label": "Redo the edit" });
  const refresh = () => {
    const { state } = session;
    if (!state) return;
    const node = at();
    const variation = session.inVariation;
    const played = session.path(state.tip).includes(session.node);
    for (const made of glyphs) {
      made.disabled = !session.node;
      made.setAttribute("aria-pressed", String(Boolean(node?.nags?.includes(Number(made.dataset.nag)))));
    }
    why.disabled = !session.node;
    promote.disabled = main.disabled = !variation;
    remove.disabled = played;
    undo.disabled = !state.edits.undo;
    redo.disabled = !state.edits.redo;
    undo.title = state.edits.undo ? `Undo: ${state.edits.undo} (Ctrl+Z)` : "Nothing to undo";
    redo.title = state.edits.redo ? `Redo: ${state.edits.redo} (Ctrl+Y)` : "Nothing to redo";
    if (document.activeElement === words && words.dataset.node === String(session.node)) return;
    words.dataset.node = String(session.node);
    words.value = node?.comment ?? "";
  };
  session.addEventListener("change", refresh);
  mountMenu(list, session, actions);
  return element(
    "div",
    { class: "study", role: "group", "aria-label": "Edit this move" },
    element("div", { class: "glyph-bar" }, ...glyphs, words),
    element("div", { class: "edit-bar" }, why, promote, main, remove, undo, redo),
  );
}

/** The menu of a move: right click, long press, or the menu key. */
function mountMenu(list, session, actions) {
  let menu = null;
  let timer = 0;
  let asked = 0; // the latest menu that was asked for
  const close = () => {
    menu?.remove();
    menu = null;
  };
  const open = async (move, x, y) => {
    close();
    const n = Number(move.dataset.n);
    if (!n) return;
    const mine = ++asked;
    await session.look(n);
    if (mine !== asked || session.node !== n) return;
    const played = session.path(session.state.tip).includes(n);
    const item = (label, act, disabled) => button(label, () => {
      close();
      act();
    }, { role: "menuitem", disabled });
    menu = element(
      "div",
      { class: "menu", role: "menu", "aria-label": `Edit ${move.title}` },
      item("Put this variation first", () => actions.promote(n), !session.inVariation),
      item("Make this the main line", () => actions.main(n), !session.inVariation),
      item("Delete from here", () => actions.remove(n), played),
      item("Why is this bad?", () => actions.why(n)),
      item("Comment", () => actions.comment()),
      item("Play from here", () => session.requestForGame("go", { node: n })),
    );
    byId("panel").append(menu);
    menu.style.left = `${Math.max(4, Math.min(x, innerWidth - menu.offsetWidth - 4))}px`;
    menu.style.top = `${Math.max(4, Math.min(y, innerHeight - menu.offsetHeight - 4))}px`;
    menu.querySelector("button:enabled")?.focus();
    menu.addEventListener("keydown", (event) => {
      const items = [...menu.querySelectorAll("button:enabled")];
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (by) items.at((items.indexOf(document.activeElement) + by) % items.length).focus();
      else if (event.key === "Escape" || event.key === "Tab") {
        close();
        move.focus();
      } else if (event.key !== "Enter" && event.key !== " ") return;
      else {
        event.stopPropagation();
        return;
      }
      event.preventDefault();
      event.stopPropagation();
    });
  };
  list.addEventListener("contextmenu", (event) => {
    const move = event.target.closest?.(".move");
    if (!move) return;
    event.preventDefault();
    const box = move.getBoundingClientRect();
    open(move, event.clientX || box.left, event.clientY || box.bottom);
  });
  list.addEventListener("pointerdown", (event) => {
    const move = event.pointerType === "touch" && event.target.closest?.(".move");
    if (move) timer = setTimeout(() => open(move, event.clientX, event.clientY), LONG_PRESS);
  });
  for (const end of ["pointerup", "pointercancel", "pointermove"]) list.addEventListener(end, (event) => {
    if (event.type !== "pointermove" || Math.hypot(event.movementX, event.movementY) > 6) clearTimeout(timer);
  });
  document.addEventListener("pointerdown", (event) => menu && !menu.contains(event.target) && close());
}
