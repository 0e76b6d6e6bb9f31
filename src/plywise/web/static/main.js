/** The page begins here: its parts are built and connected, and the visitor's game is put on the board. */

import "./panel/analysis.js";
import "./panel/move-list.js";
import "./panel/rules.js";
import "./panel/share.js";
import "./panel/side-by-side.js";
import "./why/tab.js";

import { Board } from "./board/board.js";
import { mountControls } from "./panel/controls.js";
import { askConfirmation } from "./dialog.js";
import { byId, once } from "./element.js";
import { mountGauge } from "./board/gauge.js";
import { mountHelp } from "./help.js";
import { mountLadder } from "./ladder.js";
import { mountNewGame } from "./new-game.js";
import { clearNotices, mountBanner, notify } from "./notices.js";
import { loadPictures, picture } from "./board/pieces.js";
import { mountSaved } from "./saved-games.js";
import { mountSeats, seatWords, sideFirst } from "./board/seats.js";
import { Session } from "./session.js";
import { mountStatus } from "./board/status.js";
import { mountTabs } from "./panel/tabs.js";
import { mountMistakes } from "./panel/mistakes.js";
import { mountReason } from "./panel/reason.js";
import { mountTheme } from "./theme.js";
import { mountDrawing } from "./board/drawing.js";
import { mountEditor } from "./editor.js";
import { makeHoverBoard } from "./board/hover-board.js";
import { mountSettings } from "./settings.js";
import { mountSounds } from "./sounds.js";
import { mountWatch } from "./watch/dialog.js";
import { mountWheel } from "./board/wheel.js";
import { Connection } from "./connection.js";

const VISITOR = "plywise.visitor";
const MAX_LINK_DATA = 64 << 10; // characters of a game in a link that the server reads

/** The token by which the server recognises this visitor. */
function visitor() {
  const fresh = () => {
    const bytes = crypto.getRandomValues(new Uint8Array(24));
    return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_");
  };
  try {
    const known = localStorage.getItem(VISITOR) ?? fresh();
    localStorage.setItem(VISITOR, known);
    return known;
  } catch {
    return fresh();
  }
}

const connection = new Connection(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
const session = new Session(connection, visitor());
const board = new Board(byId("board"));

/** What the parts of the page share. Tabs get it when they are mounted. */
const page = {
  session,
  board,
  notify,
  flipped: false,
  theme: mountTheme(),
  toggleAnalysis() {},
  draw: () => draw(null),

  /** The sides whose seats are of a kind. */
  seatSides(kind) {
    return (session.state?.seats ?? []).flatMap((seat, side) => (seat.kind === kind ? [side] : []));
  },

  /** The sides that this page may play. */
  ownSides() {
    return page.seatSides("person").filter((side) => session.sides.includes(side));
  },

  /** Whether the board can be turned round: not where pieces fall to its lower edge, in columns of one name. */
  get canFlip() {
    const names = (session.view?.board.names ?? []).filter(Boolean);
    return new Set(names).size === names.length;
  },

  flip() {
    if (!page.canFlip) return;
    page.flipped = !page.flipped;
    draw(null);
    drawSeats();
    drawGauge();
  },

  async resign() {
    const persons = page.ownSides();
    const side = persons.length === 1 ? persons[0] : session.view?.turn ?? persons[0];
    const whose = persons.length === 1 ? "this game" : `for ${session.info.sides[side]}`;
    if (await askConfirmation(`Resign ${whose}?`, "Resign")) await session.requestForGame("resign", { side });
  },

  /** Offer a draw, or accept the other person's. */
  async offer() {
    const persons = page.ownSides();
    const { offered } = session.state;
    let side = persons.length === 1 ? persons[0] : session.view?.turn ?? persons[0];
    if (offered !== null && offered !== undefined && persons.includes(1 - offered)) side = 1 - offered;
    const answer = await session.requestForGame("offer", { side });
    if (answer?.words) notify(answer.words);
  },

  rematch: once(async () => {
    const answer = await session.requestForGame("rematch");
    if (answer) await session.open(answer.game);
  }),

  /** The arrows of a move, by the cells that are touched to enter it. */
  arrow(kind, steps) {
    const cells = (steps ?? []).map((name) => board.cellOf(name)).filter((cell) => cell >= 0);
    if (cells.length === 1) return [{ from: board.middle(cells[0]), to: board.middle(cells[0]), kind }];
    return cells.slice(1).map((cell, i) => ({ from: board.middle(cells[i]), to: board.middle(cell), kind }));
  },

  /** Arrows of the hint and of the analysis. */
  drawArrows() {
    const { analysis, node, hintShown } = session;
    const lines = session.analysing && analysis?.node === node ? analysis.lines ?? [] : [];
    const drawn = lines.map((line, i) => page.arrow(i ? "line" : "best", line.steps)).reverse();
    board.arrows.draw("analysis", drawn.flat());
    board.arrows.draw("hint", hintShown?.node === node ? page.arrow(hintShown.threat ? "threat" : "hint", hintShown.steps) : []);
  },
};

function draw(phases, from = null) {
  const { view, info, state } = session;
  if (!view || !info) return;
  const drawable = view.board.width > 0;
  byId("board").hidden = !drawable;
  byId("position-text").hidden = drawable;
  if (!drawable) byId("position-text").textContent = view.board.notes?.join("\n") || view.text;
  else {
    const look = { game: info.name, sides: info.sides, title: info.title };
    const { flipped } = page;
    const { playable } = session;
    board.show(view, { look, flipped, phases, from, playable, leading: info.world }).catch(console.error);
  }
  page.drawArrows();
  const players = state.seats.map((seat, side) => `${sideFirst(info.sides[side])}: ${seatWords(seat, info)}`);
  const role = session.owner ? [] : [session.sides.length ? `you play ${info.sides[session.sides[0]]}` : "you watch"];
  byId("playing").textContent = [info.title, ...players, ...role].join(" · ");
  document.title = `${info.title} · Plywise`;
}

session.addEventListener("opened", () => {
  const persons = page.ownSides();
  page.flipped = Boolean(session.state.view.board.checkered) && persons.length === 1 && persons[0] === 1;
  const { address } = session;
  // Back leads to the game before; a link that made this one is not followed again.
  if (location.hash.startsWith("#game/") && location.hash !== address) history.pushState(null, "", address);
  else if (location.hash !== address) history.replaceState(null, "", address);
});
session.addEventListener("moved", clearNotices);
session.addEventListener("change", (event) => draw(event.detail.phases, event.detail.from));
session.addEventListener("hint", () => page.drawArrows());
session.addEventListener("refused", (event) => notify(event.detail.words));
connection.addEventListener("lost", () => draw(null));
board.previewMove = (move) => session.previewMove(move);
board.addEventListener("move", async (event) => {
  const { move } = event.detail;
  const said = session.view.moves.find((one) => one.move === move)?.said ?? move;
  if (settings.confirm && !(await askConfirmation(`Play ${said}?`, "Play"))) draw(null);
  else session.play(move);
});

const settings = mountSettings(page);
page.settings = settings;
mountSounds(session, () => settings.sounds);
const clearDrawing = mountDrawing(board);
session.addEventListener("change", (event) => event.detail.phases && clearDrawing());
page.hoverBoard = makeHoverBoard(page);
page.edit = mountEditor(page);
mountBanner(connection);
mountWheel(byId("board"), session);
page.controls = mountControls(page);
page.status = mountStatus(page);
const drawSeats = mountSeats(page);
const drawGauge = mountGauge(page);
page.newGame = mountNewGame(page);
page.ladder = mountLadder(page);
mountSaved(page);
page.watch = mountWatch(page);
mountHelp(page);
page.showTab = mountTabs(page);
page.reason = mountReason(page);
page.mistakes = mountMistakes(page);

/** The parts of the address behind its `#`: what, name, position or key. */
function address() {
  const [what, name = "", ...rest] = location.hash.slice(1).split("/");
  try {
    return [what, decodeURIComponent(name), decodeURIComponent(rest.join("/"))];
  } catch {
    notify("The address of this page cannot be read: a % in it is not followed by two digits.");
    return ["", "", ""];
  }
}

/** Go where the address says: to a game, to a new one from a position, or to the one that a link carries. @returns {Promise<boolean>} */
async function followAddress() {
  const [what, name, position] = address();
  if (what === "game" && name) return session.open(name, position);
  if (what === "new" && name) {
    const person = { kind: "person" };
    return session.create({ game: name, position: position || "start", seats: [person, person] });
  }
  if (what === "import" && name) return openLink(name, position);
  if (what === "watch") page.watch(name); // over whatever is on the board
  return false;
}

/** Put the game on the board that a link carries. @returns {Promise<boolean>} */
async function openLink(game, data) {
  const answer = await session.request("open link", { game, data: data.slice(0, MAX_LINK_DATA) });
  if (!answer) return false;
  if (answer.left_out) notify(`Opened as far as it could be read. Left out: ${answer.left_out}`);
  return session.open(answer.game);
}

/** Put something on the board: what the address says, the latest game, or a first one. */
async function openFirstGame(running) {
  if (await followAddress()) return;
  if (running.length && (await session.open(running[0].id))) return;
  const first = session.games.find((game) => game.name === "chess") ?? session.games[0];
  await session.create(
    { game: first.name, position: "start", seats: [{ kind: "person" }, { kind: "level", level: 3 }] },
  );
}

connection.addEventListener("open", async () => {
  const running = await session.hello().catch((error) => notify(error.message));
  if (!running) return;
  if (session.id) await session.open(session.id, session.key);
  else await openFirstGame(running);
});
addEventListener("hashchange", () => {
  if (location.hash !== session.address) followAddress();
  else session.stay(); // Back and forward again, before the server has answered
});

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  board.focusCell(board.focus);
});

await loadPictures();
byId("logo").append(picture("plywise"));
connection.connect();
