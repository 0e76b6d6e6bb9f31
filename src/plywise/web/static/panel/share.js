/** The tab that exports and imports positions and games: text, files, and links. */

import { button, element } from "../element.js";
import { makeImport } from "./import.js";
import { makeNames } from "./names.js";
import { addTab } from "./tabs.js";

const NAMES = { pgn: "PGN", pdn: "PDN", fen: "FEN", text: "Text", json: "JSON" };

addTab({ id: "share", title: "Share", order: 30, mount });

function mount(panel, page) {
  const { session, notify } = page;
  const incoming = makeImport(page);
  const names = makeNames(page);
  const copy = (from) => async () => {
    try {
      await navigator.clipboard.writeText(from.value);
      notify("Copied.");
    } catch {
      from.select();
      notify("Press Ctrl+C to copy what is selected.");
    }
  };
  const position = element("input", { id: "position-out", readOnly: true });
  const link = element("input", { id: "link-out", readOnly: true });
  const watch = element("input", { id: "watch-out", readOnly: true });
  const whole = element("input", { id: "whole-out", readOnly: true, title: "The link carries the whole game: whoever opens it gets a copy" });
  const play = element("input", { id: "play-out", readOnly: true, placeholder: "Press Invite to make it" });
  const invite = async () => {
    const answer = await session.requestForGame("invite", { side: page.flipped ? 0 : 1 });
    if (answer) play.value = new URL(answer.play, location.href).href;
  };
  const format = element("select", { id: "format-out" });
  const game = element(
    "textarea",
    { id: "game-out", rows: 7, readOnly: true, spellcheck: false, "aria-label": "The game as text" },
  );
  let file = "game.txt";
  const download = (text, type, name) => {
    const address = URL.createObjectURL(new Blob([text], { type }));
    element("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  };
  const save = () => download(game.value, "text/plain", file);
  /** Save the position on the board, or the line on show as a moving picture. */
  const savePicture = async (moving) => {
    const node = moving ? session.line().at(-1) : session.node;
    const { board: look } = document.documentElement.dataset;
    const answer = await session.requestForGame("picture", { node, moving, flipped: page.flipped, look });
    if (answer) download(answer.text, "image/svg+xml", answer.name);
  };
  const labelled = (words, made, ...more) => element(
    "div",
    { class: "field" },
    element("label", { htmlFor: made.id }, words),
    element("div", { class: "bar" }, made, ...more),
  );
  const playing = labelled(
    "To play",
    play,
    button("Invite", invite, { "aria-label": "Invite: make the link by which a friend plays the far side" }),
    button("Copy", copy(play), { "aria-label": "Copy the link to play" }),
  );
  panel.append(
    element("h2", {}, "This position"),
    labelled("As text", position, button("Copy", copy(position), { "aria-label": "Copy the position" })),
    button("Save a picture (SVG)", () => savePicture(false)),
    " ",
    button("Set up a position…", () => page.edit(), { title: "Set up a position (e)" }),
    labelled("As a link", link, button("Copy", copy(link), { "aria-label": "Copy the link" })),
    element("h2", {}, "This game"),
    labelled("To watch", watch, button("Copy", copy(watch), { "aria-label": "Copy the link to watch" })),
    playing,
    labelled("A link with the whole game", whole, button("Copy", copy(whole), { "aria-label": "Copy the link with the whole game" })),
    button("Save a moving picture (SVG)", () => savePicture(true), { title: "All moves, one after the other" }),
    labelled(
      "Format",
      format,
      button("Copy", copy(game), { "aria-label": "Copy the game" }),
      button("Save", save, { "aria-label": "Save the game as a file" }),
    ),
    game,
    names.element,
    incoming.element,
  );
  const draw = async () => {
    if (panel.hidden || !session.state || !session.view) return;
    names.refresh();
    position.value = session.view.text;
    watch.value = new URL(`#game/${session.id}`, location.href).href;
    playing.hidden = !session.owner || page.seatSides("person").length < 2;
    const asked = session.node;
    const [place, carried, text] = await Promise.all([
      session.requestForGame("link", { node: asked }),
      session.requestForGame("game link"),
      format.value ? session.requestForGame("export", { format: format.value }) : null,
    ]);
    if (asked !== session.node) return;
    if (place) link.value = new URL(`#${place.fragment.replace(/^#/, "")}`, location.href).href;
    if (carried) {
      whole.value = carried.fragment ? new URL(carried.fragment, location.href).href : "";
      whole.placeholder = whole.title = carried.words || "The link carries the whole game: whoever opens it gets a copy";
    }
    if (text) {
      game.value = text.text;
      file = text.name || file;
    }
  };
  format.addEventListener("change", draw);
  session.addEventListener("change", draw);
  session.addEventListener("games", incoming.refresh);
  session.addEventListener("opened", () => {
    const { info } = session;
    play.value = "";
    format.replaceChildren(
      ...(info?.formats ?? []).map((name) => element("option", { value: name }, NAMES[name] ?? name)),
    );
    incoming.refresh();
  });
  return { shown: draw };
}
