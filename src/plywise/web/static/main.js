/** The page begins here: everything is made, connected, and the visitor's game is put on the board. */

import "./analysis.js";
import "./movelist.js";
import "./rules.js";
import "./share.js";
import "./why.js";

import { Board } from "./board.js";
import { mountControls } from "./controls.js";
import { confirmed } from "./dialog.js";
import { byId } from "./element.js";
import { mountGauge } from "./gauge.js";
import { mountHelp } from "./help.js";
import { mountNewGame } from "./newgame.js";
import { mountBanner, notify } from "./notice.js";
import { loadPictures, picture } from "./pieces.js";
import { mountSaved } from "./saved.js";
import { mountSeats, seatWords } from "./seats.js";
import { Session } from "./session.js";
import { mountStatus } from "./status.js";
import { mountTabs } from "./tabs.js";
import { mountTheme } from "./theme.js";
import { Wire } from "./wire.js";

const VISITOR = "plywise.visitor";

/** The token by which the server knows this visitor again. */
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

const wire = new Wire(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
const session = new Session(wire, visitor());
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

  flip() {
    page.flipped = !page.flipped;
    draw(null);
    drawSeats();
    drawGauge();
  },

  async resign() {
    const persons = page.seatSides("person");
    const side = persons.length === 1 ? persons[0] : session.view?.turn ?? persons[0];
    if (await confirmed(`Resign for ${session.info.sides[side]}?`, "Resign")) await session.about("resign", { side });
  },

  /** Offer a draw, or accept the other person's. */
  async offer() {
    const persons = page.seatSides("person");
    const { offered } = session.state;
    let side = persons.length === 1 ? persons[0] : session.view?.turn ?? persons[0];
    if (offered !== null && offered !== undefined && persons.includes(1 - offered)) side = 1 - offered;
    const answer = await session.about("offer", { side });
    if (answer?.words) notify(answer.words);
  },

  async rematch() {
    const answer = await session.about("rematch");
    if (answer) await session.open(answer.game);
  },

  /** Arrows of the hint and of the analysis. */
  drawArrows() {
    const arrow = (kind) => (steps) => {
      const cells = (steps ?? []).map((name) => board.cellOf(name)).filter((cell) => cell >= 0);
      if (cells.length === 1) return [{ from: board.middle(cells[0]), to: board.middle(cells[0]), kind }];
      return cells.slice(1).map((cell, i) => ({ from: board.middle(cells[i]), to: board.middle(cell), kind }));
    };
    const { analysis, node, hintShown } = session;
    const lines = session.analysing && analysis?.node === node ? analysis.lines ?? [] : [];
    const drawn = lines.map((line, i) => arrow(i ? "line" : "best")(line.steps)).reverse();
    board.arrows.draw("analysis", drawn.flat());
    board.arrows.draw("hint", hintShown?.node === node ? arrow("hint")(hintShown.steps) : []);
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
  const players = state.seats.map((seat, side) => `${info.sides[side]}: ${seatWords(seat, info)}`);
  byId("playing").textContent = [info.title, ...players].join(" · ");
  document.title = `${info.title} · Plywise`;
}

session.addEventListener("opened", () => {
  const persons = page.seatSides("person");
  page.flipped = Boolean(session.state.view.board.checkered) && persons.length === 1 && persons[0] === 1;
  if (location.hash !== `#game/${session.id}`) history.replaceState(null, "", `#game/${session.id}`);
});
session.addEventListener("change", (event) => draw(event.detail.phases, event.detail.from));
session.addEventListener("hint", () => page.drawArrows());
session.addEventListener("refused", (event) => notify(event.detail.words));
wire.addEventListener("lost", () => draw(null));
board.foresee = (move) => session.foresee(move);
board.addEventListener("move", (event) => session.play(event.detail.move));

mountBanner(wire);
page.controls = mountControls(page);
page.status = mountStatus(page);
const drawSeats = mountSeats(page);
const drawGauge = mountGauge(page);
page.newGame = mountNewGame(page);
mountSaved(page);
mountHelp(page);
page.turn = mountTabs(page);

/** The parts of the address behind its `#`: what, name, position. */
function address() {
  const [what, name = "", ...rest] = location.hash.slice(1).split("/");
  try {
    return [what, decodeURIComponent(name), decodeURIComponent(rest.join("/"))];
  } catch {
    notify("The address of this page cannot be read: a % in it is not followed by two digits.");
    return ["", "", ""];
  }
}

/** Go where the address says: to a game, or to a new one from a position. @returns {Promise<boolean>} */
async function arrive() {
  const [what, name, position] = address();
  if (what === "game" && name) return session.open(name);
  if (what === "new" && name) {
    const person = { kind: "person" };
    return session.create({ game: name, position: position || "start", seats: [person, person] });
  }
  return false;
}

/** Put something on the board: what the address says, the latest game, or a first one. */
async function settle(running) {
  if (await arrive()) return;
  if (running.length && (await session.open(running[0].id))) return;
  const first = session.games.find((game) => game.name === "chess") ?? session.games[0];
  await session.create(
    { game: first.name, position: "start", seats: [{ kind: "person" }, { kind: "level", level: 3 }] },
  );
}

wire.addEventListener("open", async () => {
  const running = await session.hello().catch((error) => notify(error.message));
  if (!running) return;
  if (session.id) await session.open(session.id);
  else await settle(running);
});
addEventListener("hashchange", () => {
  if (location.hash !== `#game/${session.id}`) arrive();
});

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  board.attend(board.focus);
});

await loadPictures();
byId("logo").append(picture("plywise"));
wire.connect();
