/** The dialog of saved games: open one, or delete it. */

import { button, byId, element } from "./element.js";
import { makeDialog } from "./dialog.js";
import { seatWords } from "./board/seats.js";

/** Build the dialog of saved games. */
export function mountSaved(page) {
  const { session } = page;
  const list = element("ul", { class: "saved" });
  const dialog = makeDialog({ id: "saved-games", title: "Saved games", wide: true }, list);
  const draw = async () => {
    const answer = await session.request("list");
    if (!answer) return;
    const rows = answer.games.map((game) => row(game, session, dialog, draw));
    list.replaceChildren(...(rows.length ? rows : [element("li", { class: "none" }, "No games yet.")]));
  };
  byId("open-saved").addEventListener("click", async () => {
    await draw();
    dialog.showModal();
  });
}

function row(game, session, dialog, draw) {
  const info = session.games.find((one) => one.name === game.game);
  const open = async () => {
    if (await session.open(game.id)) dialog.close();
  };
  const remove = async () => {
    if (await session.request("delete", { game: game.id })) await draw();
  };
  const players = game.seats.map((seat, side) => `${info?.sides[side] ?? side}: ${seatWords(seat, info)}`).join(" · ");
  const end = game.outcome?.words ?? game.outcome?.reason ?? (game.outcome ? "over" : "under way");
  const title = game.title || info?.title || game.game;
  return element(
    "li",
    {},
    button(title, open, { class: "link", "aria-label": `Open ${title}, ${players}` }),
    element("span", { class: "players" }, players),
    element("span", { class: "how" }, `${game.moves} moves, ${end}, ${when(game.changed)}`),
    button("Delete", remove, { "aria-label": `Delete ${title}, ${players}`, disabled: game.id === session.id }),
  );
}

/** `5 minutes ago`, in the visitor's words. */
export function when(seconds, now = Date.now() / 1000) {
  const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  const past = now - seconds;
  if (past < 90) return "just now";
  if (past < 5400) return words.format(-Math.round(past / 60), "minute");
  if (past < 129600) return words.format(-Math.round(past / 3600), "hour");
  return words.format(-Math.round(past / 86400), "day");
}
