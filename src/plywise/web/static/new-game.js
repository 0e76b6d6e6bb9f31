/** The new game dialog: the game, who plays, how strong, how long, and from where. */

import { button, byId, element, once } from "./element.js";
import { Refusal } from "./connection.js";
import { makeDialog } from "./dialog.js";
import { colour, pieceElement } from "./board/pieces.js";
import { capital, sideFirst } from "./board/seats.js";

const CLOCKS = [
  ["none", "No clock"],
  ["60+0", "1 minute"],
  ["180+2", "3 minutes + 2 s"],
  ["300+3", "5 minutes + 3 s"],
  ["600+5", "10 minutes + 5 s"],
  ["900+10", "15 minutes + 10 s"],
  ["1800+20", "30 minutes + 20 s"],
  ["own", "Other…"],
];
const CARD_PIECES = {
  chess: ["knight", 0],
  checkers: ["king", 0],
  polis: ["chariot", 0],
  skirmish: ["archer", 1],
  connect_four: ["disc", 1],
  tic_tac_toe: ["cross", 0],
};
const STORAGE_KEY = "plywise.new";

/** Build the dialog. @returns {(game?: string, position?: string) => void} opens it */
export function mountNewGame(page) {
  const { session } = page;
  const games = element("div", { class: "games", role: "radiogroup", "aria-label": "Game" });
  const about = element("p", { class: "about" });
  const seats = element("div", { class: "seats" });
  const start = element("select", { id: "new-start" });
  const text = element(
    "input",
    { id: "new-position", spellcheck: false, autocomplete: "off", "aria-label": "Position as text" },
  );
  const clock = element(
    "select",
    { id: "new-clock" },
    ...CLOCKS.map(([value, words]) => element("option", { value }, words)),
  );
  const minutes = element(
    "input",
    {
      id: "new-minutes",
      type: "number",
      min: 0.1,
      max: 600,
      step: "any",
      value: 10,
      "aria-label": "Minutes for each side",
    },
  );
  const seconds = element(
    "input",
    {
      id: "new-increment",
      type: "number",
      min: 0,
      max: 300,
      step: 1,
      value: 0,
      "aria-label": "Seconds more for each move",
    },
  );
  const ownClock = element("span", { class: "own-clock" }, minutes, " min + ", seconds, " s");
  const evaluator = element("select", { id: "new-evaluator" });
  const field = (words, made, ...more) => element(
    "div",
    { class: "field" },
    element("label", { htmlFor: made.id }, words),
    element("div", { class: "bar" }, made, ...more),
  );
  const evaluatorField = field("Evaluation", evaluator);
  const form = element(
    "form",
    { class: "new-game" },
    games,
    about,
    seats,
    element("div", { class: "fields" }, field("Start", start), text, field("Clock", clock, ownClock), evaluatorField),
    element(
      "div",
      { class: "bar end" },
      button("Beat the level…", () => {
        dialog.close();
        page.ladder.open(chosen);
      }, { title: "The ten levels with your record" }),
      element("button", { type: "submit", class: "primary big" }, "Play"),
    ),
  );
  const dialog = makeDialog({ id: "new-game", title: "New game", wide: true }, form);
  let chosen = null;
  let chosenSeats = loadSeats();
  let seatChecks = [];

  const info = () => session.games.find((one) => one.name === chosen) ?? session.games[0];
  /** What the server says of a seat as text: words, and whether they say what is wrong. */
  const checkSeat = async (side, seat) => {
    try {
      const { words } = await session.connection.ask("seat", { game: info().name, side, seat });
      return { said: capital(words), wrong: false };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { said: capital(error.message), wrong: true };
    }
  };
  const showOwn = () => {
    text.hidden = start.value !== "own";
    ownClock.hidden = clock.value !== "own";
  };
  start.addEventListener("change", showOwn);
  clock.addEventListener("change", showOwn);

  function selectGame(name) {
    chosen = name;
    const game = info();
    if (!game) return;
    about.textContent = game.about;
    const options = game.starts.length ? game.starts : [{ name: "Usual start", position: "start" }];
    start.replaceChildren(
      ...options.map((one) => element("option", { value: `at ${one.position}` }, capital(one.name))),
      options.length > 200 ? element("option", { value: "random" }, `Random (one of ${options.length})`) : "",
      element("option", { value: "own" }, "Paste a position…"),
    );
    evaluator.replaceChildren(...game.evaluators.map((one) => element("option", { value: one }, one)));
    evaluatorField.hidden = game.evaluators.length < 2;
    evaluator.value = game.evaluator;
    seatChecks = [];
    seats.replaceChildren(
      ...[0, 1].map((side) => {
        const made = seatFields(game, side, chosenSeats[side], (seat) => (chosenSeats[side] = seat), checkSeat);
        seatChecks.push(made.isRight);
        return made.field;
      }),
    );
    showOwn();
  }
  function chosenStart(game) {
    if (start.value === "own") return text.value.trim() || "start";
    if (start.value === "random") return game.starts[Math.floor(Math.random() * game.starts.length)].position;
    return start.value.slice(3);
  }
  function drawGames() {
    games.replaceChildren(...session.games.map((game) => gameCard(game, game.name === chosen, selectGame)));
  }
  session.addEventListener("games", () => {
    chosen ??= session.games[0]?.name;
    drawGames();
    selectGame(chosen);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    begin();
  });
  const begin = once(async () => {
    for (const isRight of seatChecks) if (!(await isRight())) return; // the reason stands beside the field
    const game = info();
    const given = {
      game: game.name,
      seats: chosenSeats,
      position: chosenStart(game),
    };
    if (evaluator.value && game.evaluators.length > 1) given.evaluator = evaluator.value;
    const time = clockChosen(clock.value, minutes, seconds);
    if (time) given.clock = time;
    saveSeats(chosenSeats);
    if (await session.create(given)) dialog.close();
  });
  byId("open-new").addEventListener("click", () => open());
  function open(name = session.info?.name, position = null) {
    if (name && session.games.some((game) => game.name === name)) chosen = name;
    drawGames();
    selectGame(chosen);
    if (position) {
      start.value = "own";
      text.value = position;
    }
    showOwn();
    if (!dialog.open) dialog.showModal();
    games.querySelector("input:checked")?.focus();
  }
  return open;
}

function clockChosen(value, minutes, seconds) {
  if (value === "none") return null;
  if (value === "own") return { base: Number(minutes.value) * 60, increment: Number(seconds.value) };
  const [base, increment] = value.split("+").map(Number);
  return { base, increment };
}

/** A game as a card with a picture of one of its pieces. */
function gameCard(game, checked, selectGame) {
  const [name, side] = CARD_PIECES[game.name] ?? ["", 0];
  const piece = { name, side, symbol: game.title.charAt(0), letter: "", note: "" };
  const input = element(
    "input",
    { type: "radio", name: "game", value: game.name, checked, onchange: () => selectGame(game.name) },
  );
  return element(
    "label",
    { class: "card" },
    input,
    pieceElement(piece, { game: game.name, sides: game.sides }),
    element("span", {}, game.title),
  );
}

/**
 * Who plays a side: a person, one of the levels, or under "More players" one of the game's own by name, or any
 * other as text. `check` asks the server whether somebody can take a seat that is written as text.
 */
function seatFields(game, side, seat, changed, check) {
  const id = `new-seat-${side}`;
  const person = element("option", { value: "person" }, "Person");
  const levels = game.levels.map(
    (level) => element("option", { value: level.number }, `Level ${level.number}: ${level.name}`),
  );
  const players = game.players.filter((one) => one.side === null || one.side === side);
  const about = element("small", { id: `${id}-about` });
  const text = element(
    "input",
    {
      id: `${id}-text`,
      spellcheck: false,
      autocomplete: "off",
      placeholder: "alphabeta,depth=4",
      "aria-label": `Player of ${game.sides[side]} as text`,
      "aria-describedby": `${id}-about`,
    },
  );
  const select = element(
    "select",
    { id, "aria-describedby": `${id}-about` },
    person,
    element("optgroup", { label: "Plywise" }, ...levels),
    element(
      "optgroup",
      { label: "More players" },
      ...players.map((one) => element("option", { value: `player ${one.name}` }, one.name)),
      element("option", { value: "text" }, "Player as text…"),
    ),
  );
  const say = (words, wrong) => {
    about.textContent = words;
    about.classList.toggle("wrong", wrong);
    text.setAttribute("aria-invalid", String(wrong));
  };
  const readText = async () => {
    const words = text.value.trim();
    changed({ kind: "player", seat: words || text.placeholder });
    const { said, wrong } = await check(side, words || text.placeholder);
    if (select.value === "text" && text.value.trim() === words) say(said, wrong);
    return !wrong;
  };
  /** Whether somebody can take the seat; the field with what is wrong gets the focus. */
  const isRight = async () => {
    if (select.value !== "text" || (await readText())) return true;
    text.focus();
    return false;
  };
  const read = () => {
    text.hidden = select.value !== "text";
    if (select.value === "text") return readText();
    const level = game.levels.find((one) => String(one.number) === select.value);
    const player = players.find((one) => `player ${one.name}` === select.value);
    say(level ? `${capital(level.about)}.` : player?.about ?? "You, or a friend at this computer.", false);
    changed(
      level ? { kind: "level", level: level.number }
        : player ? { kind: "player", seat: player.name }
          : { kind: "person" },
    );
  };
  select.value = seat.kind === "level" ? String(seat.level) : seat.kind === "player" ? `player ${seat.seat}` : "person";
  if (select.selectedIndex < 0) {
    const written = seat.kind === "player" && /[,=]/.test(seat.seat); // not the name of another game's player
    select.value = written ? "text" : "person";
    if (written) text.value = seat.seat;
  }
  select.addEventListener("change", read);
  text.addEventListener("change", readText);
  read();
  const chip = element("span", { class: "chip", "data-colour": colour(game.sides, side), "aria-hidden": "true" });
  const first = side === 0 ? " (moves first)" : "";
  const field = element(
    "div",
    { class: "field" },
    element("label", { htmlFor: id }, chip, `${sideFirst(game.sides[side])}${game.world ? "" : first}`),
    select,
    text,
    about,
  );
  return { field, isRight };
}

function loadSeats() {
  try {
    const kept = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "null");
    const good = (seat) => seat.kind === "person" || seat.level > 0 || typeof seat.seat === "string";
    if (Array.isArray(kept) && kept.length === 2 && kept.every(good)) return kept;
  } catch {
    // somebody else may have written there
  }
  return [{ kind: "person" }, { kind: "level", level: 3 }];
}

function saveSeats(seats) {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(seats));
  } catch {
    // a private window keeps nothing; the game begins all the same
  }
}
