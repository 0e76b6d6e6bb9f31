/** The position editor: pieces of the game are put on its board; the game itself says what is possible. */

import { Board } from "./board/board.js";
import { pieceElement, pieceWords } from "./board/pieces.js";
import { capital } from "./board/seats.js";
import { makeDialog } from "./dialog.js";
import { button, element } from "./element.js";

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
  const check = async () => {
    let answer;
    try {
      answer = await session.connection.ask("set up", { game: info.name, position: base.position, cells: changes(), turn: Number(turn.value) });
    } catch (error) {
      ready = null;
      reason.textContent = error.message;
      reason.classList.add("bad");
      for (const one of actions) one.disabled = true;
      return;
    }
    ready = answer.position;
    text.value = answer.position;
    reason.textContent = "This position can be played.";
    reason.classList.remove("bad");
    for (const one of actions) one.disabled = false;
  };
  const begin = async (position) => {
    let answer;
    try {
      answer = await session.connection.ask("set up", { game: info.name, position });
    } catch (error) {
      reason.textContent = error.message;
      reason.classList.add("bad");
      return;
    }
    base = answer;
    cells = [...answer.board.cells];
    turn.value = String(answer.turn);
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
    tools.replaceChildren(
      choice(null, "Take away", element("span", { class: "erase" }, "×")),
      ...pieces.map((piece, i) => choice(i, capital(pieceWords(piece, info.sides)), pieceElement(piece, look))),
    );
  };
  const clear = button("Clear the board", () => {
    cells = cells.map(() => null);
    draw();
    check();
  });
  const first = button("Usual start", () => begin("start"));
  const start = async (after) => {
    const person = { kind: "person" };
    dialog.close();
    if (await session.create({ game: info.name, position: ready, seats: [person, person] })) after?.();
  };
  const actions = [
    button("Play…", () => {
      dialog.close();
      page.newGame(info.name, ready);
    }, { class: "primary" }),
    button("Analyse", () => start(() => {
      page.showTab("analysis");
      if (!session.analysing) page.toggleAnalysis();
    })),
    button("Why", () => start(() => page.showTab("why"))),
  ];
  turn.addEventListener("change", check);
  text.addEventListener("change", () => begin(text.value));
  const dialog = makeDialog(
    { id: "editor", title: "Set up a position", wide: true },
    element("div", { class: "setup" }, frame, tools),
    element("div", { class: "bar" }, element("label", { htmlFor: "setup-turn" }, "To move"), turn, clear, first),
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
    turn.replaceChildren(...info.sides.map((side, i) => element("option", { value: i }, capital(side))));
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
