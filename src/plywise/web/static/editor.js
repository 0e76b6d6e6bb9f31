/** The position editor: pieces of the game are put on its board; the game itself says what is possible. */

import { Board } from "./board/board.js";
import { pieceElement, pieceWords } from "./board/pieces.js";
import { capital, sideFirst } from "./board/seats.js";
import { makeDialog } from "./dialog.js";
import { button, element, once } from "./element.js";

/** The editor is built when it is opened first. @returns {() => void} opens it with the position on the board */
export function mountEditor(page) {
  let open = null;
  return () => (open ??= makeEditor(page))();
}

function makeEditor(page) {
  const { session } = page;
  const frame = element("div", { class: "mini-board setup-board" });
  const board = new Board(frame);
  const tools = element("div", { class: "tools", role: "radiogroup", "aria-label": "Piece to put on the board" });
  const turn = element("select", { id: "setup-turn" });
  const text = element("input", { id: "setup-text", spellcheck: false, autocomplete: "off", "aria-label": "The position as text" });
  const details = makeDetails(() => check());
  const reason = element("p", { class: "setup-reason", role: "status" });
  let info = null;
  let pieces = [];
  let base = { position: "start", turn: 0, board: null };
  let cells = []; // what is on the board now
  let tool = null; // an index of `pieces`; null takes away
  let ready = null; // the text of the position, if it is possible

  const draw = () => {
    const look = { game: info.name, sides: info.sides, title: info.title };
    board.show({ board: { ...base.board, cells }, moves: [], marks: [], last: null }, { look, flipped: page.flipped });
  };
  const changes = () => cells.flatMap((piece, cell) => {
    const before = base.board.cells[cell];
    if (same(piece, before)) return [];
    return [{ cell, piece: piece ? pieces.findIndex((one) => same(one, piece)) : null }];
  });
  let asked = 0; // answers that a later question has overtaken are not shown
  let checking = null; // the answer to the last question, which the buttons below wait for
  const check = () => (checking = askWhetherPossible(++asked));
  const askWhetherPossible = async (mine) => {
    let answer;
    try {
      const wanted = { cells: changes(), turn: Number(turn.value), details: details.changes() };
      answer = await session.connection.ask("set up", { game: info.name, position: base.position, ...wanted });
      if (mine !== asked) return;
    } catch (error) {
      if (mine === asked) refuse(error);
      return;
    }
    ready = answer.position;
    text.value = answer.position;
    details.show(answer.details);
    reason.textContent = "This position can be played.";
    reason.classList.remove("bad");
    for (const one of actions) one.disabled = false;
  };
  const refuse = (error) => {
    ready = null;
    reason.textContent = error.message;
    reason.classList.add("bad");
    for (const one of actions) one.disabled = true;
  };
  const begin = (position) => (checking = read(position));
  const read = async (position) => {
    let answer;
    try {
      answer = await session.connection.ask("set up", { game: info.name, position });
    } catch (error) {
      refuse(error);
      return;
    }
    base = answer;
    cells = [...answer.board.cells];
    turn.value = String(answer.turn);
    details.begin(answer.details);
    draw();
    await check();
  };
  board.touch = (cell) => {
    const now = tool === null ? null : pieces[tool];
    cells[cell] = same(cells[cell], now) ? null : now;
    draw();
    check();
    return false;
  };
  const drawTools = () => {
    const choice = (value, label, picture) => {
      const input = element("input", { type: "radio", name: "tool", checked: value === tool, "aria-label": label, onchange: () => (tool = value) });
      return element("label", { class: "tool", title: label }, input, picture);
    };
    const look = { game: info.name, sides: info.sides };
    const rows = Map.groupBy(pieces.keys(), (i) => pieces[i].side); // a row for each side
    const longest = Math.max(1, ...[...rows.values()].map((some) => some.length));
    tools.style.setProperty("--longest", String(Math.min(longest, 6)));
    const one = (i) => choice(i, capital(pieceWords(pieces[i], info.sides)), pieceElement(pieces[i], look));
    tools.replaceChildren(
      ...[...rows.values()].map((some) => element("div", {}, ...some.map(one))),
      element("div", {}, choice(null, "Remove a piece", element("span", { class: "erase" }, "×"))),
    );
  };
  const clear = button("Clear the board", () => {
    cells = cells.map(() => null);
    draw();
    check();
  });
  const first = button("Usual start", () => begin("start"));
  /** Do something with the position as it is on the board now, if it is possible. */
  const withPosition = (action) => once(async () => {
    await checking;
    if (ready !== null) await action();
  });
  const start = async (after) => {
    const person = { kind: "person" };
    dialog.close();
    if (await session.create({ game: info.name, position: ready, seats: [person, person] })) after?.();
  };
  const actions = [
    button("Play…", withPosition(() => {
      dialog.close();
      page.newGame(info.name, ready);
    }), { class: "primary" }),
    button("Analyse", withPosition(() => start(() => {
      page.showTab("analysis");
      if (!session.analysing) page.toggleAnalysis();
    }))),
    button("Why", withPosition(() => start(() => page.showTab("why")))),
  ];
  turn.addEventListener("change", check);
  text.addEventListener("change", () => begin(text.value));
  const dialog = makeDialog(
    { id: "editor", title: "Set up a position", wide: true },
    element("div", { class: "setup" }, frame, tools),
    element("div", { class: "bar" }, element("label", { htmlFor: "setup-turn" }, "To move"), turn, clear, first),
    details.frame,
    text,
    reason,
    element("div", { class: "bar end" }, ...actions),
  );
  const open = async () => {
    if (!session.view?.board.width) return page.notify("This game has no board to set up; paste a position instead.");
    info = session.info;
    const answer = await session.request("pieces", { game: info.name });
    if (!answer) return null;
    pieces = answer.pieces;
    tool = pieces.length ? 0 : null;
    turn.replaceChildren(...info.sides.map((side, i) => element("option", { value: i }, sideFirst(side))));
    drawTools();
    if (!dialog.open) dialog.showModal();
    tools.querySelector("input:checked")?.focus();
    return begin(session.view.text);
  };
  return open;
}

function same(one, other) {
  if (!one || !other) return !one && !other;
  return one.side === other.side && one.name === other.name && one.letter === other.letter;
}

/**
 * What a position has beside its pieces and its turn: a box for a right, a number for a counter, a list for a choice.
 * A detail that nobody touched follows the board: a right to castle goes with its rook.
 */
function makeDetails(changed) {
  const frame = element("fieldset", { class: "details", hidden: true }, element("legend", {}, "Details"));
  const controls = new Map(); // the input of each detail by its name
  let touched = new Map();
  const touch = (name, value) => {
    touched.set(name, value);
    changed();
  };
  const make = ({ name, value, least, most, choices }) => {
    let input;
    if (typeof value === "boolean") input = element("input", { type: "checkbox", onchange: () => touch(name, input.checked) });
    else if (typeof value === "number") input = element("input", { type: "number", min: least, max: most, step: 1, required: true, onchange: () => touch(name, Math.trunc(Number(input.value))) });
    else input = element("select", { onchange: () => touch(name, input.value) }, ...choices.map((one) => element("option", { value: one }, one === "-" ? "none" : one)));
    controls.set(name, input);
    const words = element("span", {}, capital(name));
    return element("label", { class: "detail" }, ...(input.type === "checkbox" ? [input, words] : [words, input]));
  };
  let shape = "";
  const show = (some) => {
    const now = JSON.stringify(some.map(({ value, ...rest }) => [typeof value, rest]));
    if (now !== shape) { // the squares of a choice may depend on the side to move
      const focused = [...controls].find(([, input]) => input === document.activeElement)?.[0];
      controls.clear();
      frame.replaceChildren(frame.firstChild, ...some.map(make));
      controls.get(focused)?.focus();
      shape = now;
    }
    frame.hidden = !some.length;
    for (const { name, value } of some) {
      const input = controls.get(name);
      if (input.type === "checkbox") input.checked = value;
      else if (input.type !== "number" || input !== document.activeElement) input.value = String(value); // not while one types
    }
  };
  return {
    frame,
    show,
    begin: (some) => {
      touched = new Map();
      show(some);
    },
    changes: () => [...touched].map(([name, value]) => ({ name, value })),
  };
}
