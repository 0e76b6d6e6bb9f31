/** "Beat the level": the ten levels of a game with your record, the next one offered, and the level of this game. */

import { button, element, once } from "./element.js";
import { makeDialog } from "./dialog.js";
import { capital } from "./board/seats.js";

/** The person's side and the level of a game between the two; null for any other game. */
export function duel(state) {
  const person = state?.seats.findIndex((seat) => seat.kind === "person") ?? -1;
  const other = state?.seats[1 - person];
  return person >= 0 && other?.kind === "level" ? { person, level: other.level } : null;
}

/** Build the dialog. @returns {{open: (game?: string) => void, play: (game: string, level: number, side?: string) => void}} */
export function mountLadder(page) {
  const { session } = page;
  const games = element("select", { id: "ladder-game", "aria-label": "Game" });
  const side = element("select", { id: "ladder-side", "aria-label": "Your side" });
  const rows = element("tbody");
  const heads = ["Level", "Won", "Drawn", "Lost"].map((name) => element("th", { scope: "col" }, name));
  heads.push(element("td"));
  const table = element("table", { class: "ladder" }, element("thead", {}, element("tr", {}, ...heads)), rows);
  const change = element("select", { id: "ladder-change", "aria-label": "Level of this game" });
  const changing = element("div", { class: "bar", id: "ladder-now" });
  const dialog = makeDialog(
    { id: "ladder", title: "Beat the level", wide: true },
    element("div", { class: "bar" }, games, side),
    element("p", { class: "facts" }, "A clean win is one without hints and take-backs. Games from a usual start count."),
    table,
    changing,
  );
  const info = () => session.games.find((one) => one.name === games.value);

  /** Begin a game against a level; the side is drawn by lot unless it is said. */
  const play = once(async (game, level, chosen = "random") => {
    const person = chosen === "random" ? Math.floor(Math.random() * 2) : Number(chosen);
    const seats = [0, 1].map((one) => (one === person ? { kind: "person" } : { kind: "level", level }));
    if (await session.create({ game, seats, position: "start", orientation: person })) dialog.close();
  });
  function row(one, next) {
    const clean = one.won && one.clean !== one.won ? ` (${one.clean} clean)` : "";
    const name = element("th", { scope: "row" }, `${one.number} ${one.name}`, element("small", {}, `${capital(one.about)}${one.elo ? `; about Elo ${one.elo}` : ""}.`));
    const start = button(one.number === next ? "Play next" : "Play", () => play(games.value, one.number, side.value), {
      class: one.number === next ? "primary" : "",
      "aria-label": `${one.number === next ? "Play next:" : "Play"} level ${one.number}, ${one.name}`,
    });
    const done = one.clean ? element("span", { class: "right", title: "Beaten cleanly" }, " ✓") : null;
    return element(
      "tr",
      { class: one.number === next ? "next" : "" },
      name,
      element("td", {}, `${one.won}${clean}`, done),
      element("td", {}, String(one.drawn)),
      element("td", {}, String(one.lost)),
      element("td", {}, start),
    );
  }
  /** The level of the game on the page, which can be changed while it runs. */
  function drawChange() {
    const now = duel(session.state);
    changing.hidden = !now || session.state.outcome || !session.owner;
    if (changing.hidden) return;
    change.replaceChildren(...session.info.levels.map((one) => element("option", { value: one.number, selected: one.number === now.level }, `Level ${one.number}: ${one.name}`)));
    changing.replaceChildren(
      element("label", { htmlFor: change.id }, "In the game on the board:"),
      change,
      button("Change", async () => {
        const given = { side: 1 - now.person, level: Number(change.value) };
        if (await session.requestForGame("change level", given)) dialog.close();
      }),
    );
  }
  async function load() {
    side.replaceChildren(
      element("option", { value: "random" }, "Random side"),
      ...info().sides.map((name, i) => element("option", { value: i }, `You play ${name}`)),
    );
    const asked = games.value;
    const found = await session.request("ladder", { game: asked });
    if (!found || asked !== games.value) return;
    rows.replaceChildren(...found.levels.map((one) => row(one, found.next)));
  }
  games.addEventListener("change", load);
  async function open(game = session.info?.name) {
    games.replaceChildren(...session.games.map((one) => element("option", { value: one.name, selected: one.name === game }, one.title)));
    drawChange();
    await load();
    if (!dialog.open) dialog.showModal();
  }
  return { open, play };
}
