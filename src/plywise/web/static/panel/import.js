/** Importing games: pasted or from a file; of several games in one text the visitor chooses. */

import { button, element, once } from "../element.js";
import { makeDialog } from "../dialog.js";

const MAX_FILE = 64 << 20; // bytes; a file is cut into games here, and one of them is sent
const MAX_GAME = 256 << 10; // characters of one game that the server takes
const MAX_LISTED = 300;
const MAX_HEAD = 8000; // characters of a game in which its tags are looked for

/** The games of a text in PGN or PDN, each as its own text: a game begins with a tag behind what is no tag. */
export function splitGames(text) {
  const games = [];
  let lines = [];
  let tags = false;
  let moves = false;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const tag = /^\s*\[\w+\s+"/.test(line);
    if (tag && moves) {
      games.push(lines.join("\n"));
      lines = [];
      moves = false;
    }
    if (tag) tags = true;
    else if (tags && line.trim()) moves = true;
    lines.push(line);
  }
  if (lines.join("").trim()) games.push(lines.join("\n"));
  return games;
}

/** What a list of games says of one: players, result, event, date. */
function gameWords(text) {
  const tags = Object.fromEntries([...text.slice(0, MAX_HEAD).matchAll(/^[ \t]*\[(\w+)\s+"((?:[^"\\\n]|\\.)*)"\]/gm)].map(([, name, value]) => [name, value]));
  const players = [tags.White, tags.Black].filter(Boolean).join(" – ");
  return [players, tags.Result, tags.Event, tags.Date?.replace(/[.?]+$/, "")].filter(Boolean).join(", ").slice(0, 300) || text.trim().slice(0, 80);
}

/** Build the part of the Share tab that imports. @returns {{element: HTMLElement, refresh: () => void}} */
export function makeImport({ session, notify }) {
  const incoming = element("textarea", { id: "game-in", rows: 5, spellcheck: false });
  const kind = element("select", { id: "game-in-kind", "aria-label": "Game" });
  const file = element("input", { type: "file", id: "game-file", accept: ".pgn,.pdn,.txt,.json,.fen" });
  const send = once(async (text) => {
    if (text.length > MAX_GAME) return notify(`This game is too long: it has ${text.length} characters; ${MAX_GAME} can be read.`);
    const answer = await session.request("import", { game: kind.value, text: text.replaceAll("\u0000", "") });
    if (!answer) return null;
    incoming.value = "";
    await session.open(answer.game);
    if (answer.left_out) notify(`Imported as far as it could be read. Left out: ${answer.left_out}`);
    return null;
  });
  const read = async (text) => {
    if (!text.trim()) return notify("Paste a game or a position first.");
    const games = text.trimStart().startsWith("{") ? [text] : splitGames(text);
    return games.length > 1 ? choose(games, send) : send(text);
  };
  file.addEventListener("change", async () => {
    const [chosen] = file.files;
    if (!chosen) return;
    if (chosen.size > MAX_FILE) notify(`This file is too large: it has ${Math.round(chosen.size / 2 ** 20)} MB; ${MAX_FILE >> 20} MB can be read.`);
    else await read(await chosen.text());
    file.value = "";
  });
  const made = element(
    "section",
    {},
    element("h2", {}, "Import"),
    element("label", { htmlFor: "game-in" }, "Paste a game (PGN, PDN, JSON) or a position (FEN)"),
    incoming,
    element("div", { class: "bar" }, kind, button("Import", () => read(incoming.value), { class: "primary" })),
    element("div", { class: "field" }, element("label", { htmlFor: "game-file" }, "Or open a file"), file),
  );
  const refresh = () => {
    kind.replaceChildren(...session.games.map((one) => element("option", { value: one.name }, one.title)));
    if (session.info) kind.value = session.info.name;
  };
  return { element: made, refresh };
}

/** A dialog with the games of a text. */
function choose(games, send) {
  const search = element("input", { type: "search", "aria-label": "Search these games", placeholder: "Search" });
  const list = element("ul", { class: "saved choose-game" });
  const dialog = makeDialog({ id: "choose-game", title: `${games.length} games`, wide: true }, search, list);
  const known = games.map((text, i) => ({ text, words: `${i + 1}. ${gameWords(text)}` }));
  const draw = () => {
    const wanted = search.value.toLowerCase();
    const found = known.filter(({ words }) => words.toLowerCase().includes(wanted));
    const rows = found.slice(0, MAX_LISTED).map(({ text, words }) => element("li", {}, button(words, () => {
      dialog.close();
      send(text);
    }, { class: "link" })));
    if (found.length > MAX_LISTED) rows.push(element("li", { class: "none" }, `… and ${found.length - MAX_LISTED} more: search for a name.`));
    list.replaceChildren(...rows);
  };
  search.addEventListener("input", draw);
  dialog.addEventListener("close", () => dialog.remove());
  draw();
  dialog.showModal();
}
