/**
 * The controls below the tabs: stepping through the game, typing a move, and actions like take back. While a game
 * is played no button appears, disappears or changes its place: a hand that clicks twice hits the same one.
 */

import { button, byId, svgElement, element } from "../element.js";
import { scan } from "../scan.js";
import { makeAutoplay } from "./autoplay.js";

const SHAPES = {
  first: "M5 4v16M19 5l-10 7 10 7z",
  previous: "M16 5l-10 7 10 7z",
  next: "M8 5l10 7-10 7z",
  last: "M19 4v16M5 5l10 7-10 7z",
  auto: "M3 5l9 7-9 7zM13 5l9 7-9 7z",
  pause: "M7 5v14M17 5v14",
  flip: "M7 4v13m0 0l-3.5-3.5M7 17l3.5-3.5M17 20V7m0 0l-3.5 3.5M17 7l3.5 3.5",
};

/** A small drawing for a button. */
function shape(name) {
  const path = svgElement(
    "path",
    {
      d: SHAPES[name],
      fill: name === "flip" ? "none" : "currentColor",
      stroke: "currentColor",
      "stroke-width": 2,
      "stroke-linejoin": "round",
      "stroke-linecap": "round",
    },
  );
  return svgElement("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, path);
}

function iconButton(name, label, act) {
  return button(shape(name), act, { class: "icon", "aria-label": label, title: label });
}

/** Build the controls for a page. */
export function mountControls(page) {
  const { session } = page;
  const by = (steps) => () => session.step(steps);
  const buttons = {
    back: button("Take back", () => session.requestForGame("back"), { title: "Take back (u)" }),
    forward: button("Redo", () => session.requestForGame("forward"), { title: "Play the moves again that were taken back (r)" }),
    hint: button("Hint", () => session.hint(), { title: "Show a good move (h)" }),
    here: button("From here", () => session.requestForGame("go", { node: session.node }), { title: "Go on with the game from the position on the board" }),
    unchoose: button("Undo orders", () => session.requestForGame("unchoose")),
    pause: button("Pause", () => session.requestForGame("pause", { paused: !session.state.paused })),
    offer: button("Offer draw", () => page.offer()),
    resign: button("Resign", () => page.resign(), { id: "resign" }),
    rematch: button("Rematch", () => page.rematch()),
  };
  const typed = element(
    "input",
    {
      id: "typed",
      autocomplete: "off",
      spellcheck: false,
      placeholder: "Type a move",
      "aria-label": "Type a move and press Enter",
      enterKeyHint: "go",
    },
  );
  const form = element("form", { class: "typed" }, typed, element("button", { type: "submit" }, "Play"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = typed.value.trim();
    if (!text || !session.view) return;
    const told = scan(text, session);
    if (told !== null) {
      page.status.say(told);
      page.notify(told);
      typed.value = "";
      return;
    }
    const exact = session.view.moves.find((move) => move.move === text || move.said === text);
    if (await session.play(exact?.move ?? text)) typed.value = "";
    else typed.select();
  });
  typed.addEventListener("keydown", (event) => {
    if (event.key === "Escape") typed.blur();
    event.stopPropagation();
  });
  const auto = iconButton("auto", "Autoplay: one move after the other", () => autoplay.toggle());
  const autoplay = makeAutoplay(session, () => page.settings.pause, (running) => {
    auto.replaceChildren(shape(running ? "pause" : "auto"));
    auto.setAttribute("aria-pressed", String(running));
  });
  auto.id = "autoplay";
  auto.setAttribute("aria-pressed", "false");
  const flip = iconButton("flip", "Flip the board (f)", () => page.flip());
  const steps = element(
    "div",
    { class: "steps", role: "group", "aria-label": "Go through the game" },
    iconButton("first", "First position (Home)", by(-1e6)),
    iconButton("previous", "One move back (←)", by(-1)),
    iconButton("next", "One move on (→)", by(1)),
    iconButton("last", "Latest position (End)", by(1e6)),
    auto,
    flip,
  );
  const actions = element(
    "div",
    { class: "actions", role: "group", "aria-label": "Game" },
    ...Object.values(buttons),
  );
  byId("controls").append(form, actions, steps);
  const refresh = () => {
    const { state, view, info } = session;
    if (!state) return;
    const over = Boolean(state.outcome);
    const persons = page.ownSides();
    const { owner } = session;
    const can = state.can ?? {};
    const away = session.node !== state.tip;
    flip.disabled = !page.canFlip;
    buttons.back.disabled = !can.back || !owner;
    buttons.back.textContent = state.takebacks ? `Take back (${state.takebacks})` : "Take back";
    buttons.forward.disabled = !can.forward || !owner;
    buttons.hint.disabled = !session.playable;
    buttons.hint.textContent = state.hints ? `Hint (${state.hints})` : "Hint";
    buttons.here.disabled = !away || !owner;
    buttons.unchoose.hidden = !info?.world;
    buttons.unchoose.disabled = !view?.chosen?.length;
    buttons.pause.hidden = persons.length > 0 && !state.clock;
    buttons.pause.disabled = over || !owner;
    buttons.pause.textContent = state.paused ? "Go on" : "Pause";
    buttons.offer.hidden = buttons.resign.hidden = !persons.length;
    buttons.offer.disabled = over || !can.offer;
    buttons.offer.textContent = persons.includes(1 - (state.offered ?? 2)) ? "Accept draw" : "Offer draw";
    buttons.resign.disabled = over;
    buttons.rematch.disabled = !over;
    form.lastElementChild.disabled = !session.playable;
    const example = view?.moves[0];
    const waiting = example ? `Type a move, like ${example.said || example.move}` : "";
    const thinking = state.thinking?.length && !state.paused ? "Plywise is thinking…" : "";
    typed.placeholder = waiting || (over ? "The game is over." : thinking || "Not your turn.");
  };
  session.addEventListener("change", refresh);
  return { refresh, typed };
}
