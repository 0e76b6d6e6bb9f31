/** The dialog of saved games: find one by its names, open it, put it into the bin, and take it out again. */

import { button, byId, element } from "./element.js";
import { askConfirmation, makeDialog } from "./dialog.js";
import { notify } from "./notices.js";
import { capital, seatWords, sideFirst } from "./board/seats.js";

/** Build the dialog of saved games. */
export function mountSaved(page) {
  const { session } = page;
  const list = element("ul", { class: "saved" });
  const search = element("input", { type: "search", id: "search-saved", placeholder: "Search names, games, results, dates", "aria-label": "Search saved games" });
  const bin = button("Bin", () => {
    inBin = !inBin;
    draw();
  }, { "aria-pressed": "false" });
  const empty = button("Empty the bin", async () => {
    if (!(await askConfirmation("Delete all games in the bin for ever?", "Delete"))) return;
    for (const game of games.filter((one) => one.binned)) await session.request("delete", { game: game.id });
    await load();
  });
  const matches = button("Matches", () => {
    dialog.close();
    byId("open-watch").click();
  }, { class: "narrow-only" }); // a narrow window has no room for it beside the other buttons of the page
  const dialog = makeDialog(
    { id: "saved-games", title: "Saved games", wide: true },
    element("div", { class: "bar" }, search, bin, empty, matches),
    list,
  );
  let games = [];
  let inBin = false;
  const draw = () => {
    const binned = games.filter((game) => game.binned).length;
    bin.textContent = `Bin (${binned})`;
    bin.setAttribute("aria-pressed", String(inBin));
    empty.hidden = !inBin;
    empty.disabled = !binned;
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = games.filter((game) => Boolean(game.binned) === inBin)
      .map((game) => ({ game, text: describe(game, session) }))
      .filter(({ text }) => words.every((word) => Object.values(text).join(" ").toLowerCase().includes(word)))
      .map(({ game, text }) => row(game, text, actions));
    const none = games.length && words.length ? "Nothing found." : inBin ? "The bin is empty." : "No games yet.";
    list.replaceChildren(...(rows.length ? rows : [element("li", { class: "none" }, none)]));
  };
  const load = async () => {
    const answer = await session.request("list");
    if (!answer) return;
    games = answer.games;
    draw();
  };
  const put = async (game, binned) => {
    if (!(await session.request("bin", { game: game.id, binned }))) return false;
    await load();
    return true;
  };
  const actions = {
    current: () => session.id,
    open: async (game) => {
      if (await session.open(game.id)) dialog.close();
    },
    remove: async (game) => {
      if (await put(game, true)) notify("The game is in the bin.", { label: "Undo", act: () => put(game, false) });
    },
    restore: (game) => put(game, false),
    destroy: async (game) => {
      if (!(await askConfirmation("Delete this game for ever?", "Delete"))) return;
      if (await session.request("delete", { game: game.id })) await load();
    },
  };
  search.addEventListener("input", draw);
  byId("open-saved").addEventListener("click", async () => {
    inBin = false;
    search.value = "";
    if (!dialog.open) dialog.showModal(); // at once: what is pressed next is pressed in it
    search.focus();
    await load();
  });
}

/** A tag's value, unless it says that it is not known. */
function known(value) {
  return value && !/^[?.]+$/.test(value) ? value : undefined;
}

/** What a row says of a game, and what a search looks at. */
function describe(game, session) {
  const info = session.games.find((one) => one.name === game.game);
  const tags = game.tags ?? {};
  const title = game.title || info?.title || game.game;
  const sides = info?.sides ?? ["first", "second"];
  const players = game.seats.map((seat, side) => `${sideFirst(sides[side])}: ${known(tags[capital(sides[side])]) ?? seatWords(seat, info)}`);
  return {
    title: known(tags.Event) ? `${title}: ${tags.Event}` : title,
    players: players.join(" · "),
    how: [`${game.moves} ${game.moves === 1 ? "move" : "moves"}`, game.outcome?.words ?? "in progress", known(tags.Date), when(game.changed)].filter(Boolean).join(", "),
  };
}

function row(game, { title, players, how }, actions) {
  const name = `${title}, ${players}`;
  const buttons = game.binned
    ? [
      button("Restore", () => actions.restore(game), { "aria-label": `Restore ${name}` }),
      button("Delete for ever", () => actions.destroy(game), { "aria-label": `Delete for ever ${name}` }),
    ]
    : [button("Delete", () => actions.remove(game), { "aria-label": `Delete ${name}`, disabled: game.id === actions.current() })];
  return element(
    "li",
    {},
    button(title, () => actions.open(game), { class: "link", "aria-label": `Open ${name}` }),
    element("span", { class: "players" }, players),
    element("span", { class: "how" }, how),
    element("span", { class: "bar row-buttons" }, ...buttons),
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
