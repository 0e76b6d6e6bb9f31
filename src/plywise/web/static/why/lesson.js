/** A lesson: textbook minimax or alpha-beta on a small tree, drawn step by step as on paper. */

import { button, svgElement, element } from "../element.js";

const LEAF_WIDTH = 48; // px of a leaf
const INNER_WIDTH = 112; // px of a node with its window beside it
const LEVEL_HEIGHT = 76; // px between levels
const STEP_TIME = 900; // ms a step
const TRIANGLES = { max: "0,-22 23,15 -23,15", min: "0,22 23,-15 -23,-15" };

/** Build the lesson's part of the tab. */
export function makeLesson(why) {
  const { session } = why;
  const depth = element("input", { type: "number", min: 1, max: 9, value: 2, class: "why-small", "aria-label": "Depth of the lesson" });
  const player = element("select", { "aria-label": "Player" }, element("option", { value: "alphabeta" }, "alpha-beta"), element("option", { value: "minimax" }, "minimax"));
  const begin = button("Begin", () => start(), { class: "primary" });
  const words = element("p", { class: "why-step", "aria-live": "polite" });
  const paper = element("div", { class: "why-paper", tabindex: "0", "aria-label": "The tree of the lesson: arrows go step by step, Space plays" });
  const place = element("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Step" });
  const play = button("Play", () => toggle(), { title: "Play (Space)" });
  const controls = element(
    "div",
    { class: "bar why-steps", role: "group", "aria-label": "Steps" },
    button("|◀", () => go(0), { class: "icon", "aria-label": "First step" }),
    button("◀", () => go(at - 1), { class: "icon", "aria-label": "Previous step" }),
    play,
    button("▶", () => go(at + 1), { class: "icon", "aria-label": "Next step" }),
    button("▶|", () => go(1e9), { class: "icon", "aria-label": "Last step" }),
    place,
  );
  const room = element("div", { hidden: true }, controls, words, paper);
  const part = element(
    "details",
    { class: "why-part why-lesson" },
    element("summary", {}, "Lesson: minimax and alpha-beta on paper"),
    element("p", { class: "facts" }, "The textbook search of the position on the board, one step at a time, with α and β at every node. Small trees only: positions with few moves, or little depth."),
    element("div", { class: "bar" }, element("label", {}, "depth ", depth), player, begin),
    room,
  );
  let lesson = null;
  let tree = null;
  let at = 0;
  let timer = 0;

  const start = async () => {
    begin.disabled = true;
    const asked = { node: session.node, depth: Number(depth.value), player: player.value };
    const found = await session.requestForGame("why-lesson", asked);
    begin.disabled = false;
    if (!found) return;
    lesson = { ...found, asked };
    tree = layOut(lesson);
    paper.replaceChildren(tree.svg);
    room.hidden = false;
    place.max = String(lesson.steps.length - 1);
    go(0);
    paper.focus({ preventScroll: true });
  };
  const pause = () => {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play";
  };
  const toggle = () => {
    if (timer) return pause();
    if (at >= lesson.steps.length - 1) go(0);
    play.textContent = "Pause";
    timer = setInterval(() => (at < lesson.steps.length - 1 ? go(at + 1, true) : pause()), STEP_TIME);
  };
  const go = (to, playing = false) => {
    if (!lesson) return;
    if (!playing) pause();
    at = Math.max(0, Math.min(lesson.steps.length - 1, to));
    place.value = String(at);
    tree.draw(at);
    const step = lesson.steps[at];
    words.textContent = `${at + 1} of ${lesson.steps.length}: ${sentence(lesson, step)}`;
    const { x, y } = tree.spots[step.node];
    const smooth = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    paper.scrollTo({ left: x - paper.clientWidth / 2, top: y - paper.clientHeight / 2, behavior: playing ? smooth : "auto" });
    showOnBoard(step.node);
  };
  let wanted = null;
  /** Show on the board where the lesson is. */
  const showOnBoard = async (node) => {
    const busy = wanted !== null;
    wanted = node;
    if (busy) return;
    const { asked } = lesson;
    while (wanted !== null) {
      const now = wanted;
      const moves = [];
      for (let one = now; lesson.places[one].parent !== null; one = lesson.places[one].parent) moves.unshift(lesson.places[one].move);
      const found = await session.requestForGame("why-look", { node: asked.node, moves });
      if (now !== wanted) continue;
      wanted = null;
      if (found && part.contains(document.activeElement)) why.showPosition(found.view);
    }
  };
  place.addEventListener("input", () => go(Number(place.value)));
  for (const one of [paper, place]) {
    one.addEventListener("keydown", (event) => {
      const actions = { ArrowRight: () => go(at + 1), ArrowLeft: () => go(at - 1), Home: () => go(0), End: () => go(1e9), " ": toggle };
      const action = actions[event.key];
      if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      action();
    });
  }
  part.addEventListener("focusout", (event) => part.contains(event.relatedTarget) || (!timer && why.restoreBoard()));
  part.addEventListener("toggle", () => part.open || (pause(), why.restoreBoard()));
  session.addEventListener("opened", () => {
    pause();
    lesson = null;
    room.hidden = true;
  });
  return part;
}

/** What a step says, in words. */
function sentence({ places, side, player }, { event, node, value, alpha, beta, child }) {
  const one = places[node];
  const who = one.max ? "MAX" : "MIN";
  const name = one.parent === null ? `the root (${side} is MAX)` : `${one.move}`;
  const window = player === "alphabeta" ? ` α is ${alpha}, β is ${beta}.` : "";
  if (event === "enter") return `Look at ${name}: ${one.cause === "leaf" || one.cause === "over" || one.cause === "draw" ? "an end of the tree" : `${who} is to move`}.${window}`;
  if (event === "value") return `${name} is worth ${value}${one.cause === "over" ? ": the game is over" : one.cause === "draw" ? ": a draw" : " by the evaluation"}.`;
  if (event === "update") return `${places[child].move} brings ${one.max ? "at least" : "at most"} ${value} so far: ${who} takes the ${one.max ? "largest" : "smallest"}.${window}`;
  if (event === "cut") return `α ${alpha} ≥ β ${beta}: ${one.max ? "MIN" : "MAX"} has something as good elsewhere, so ${one.cut.length === 1 ? "one move is" : `${one.cut.length} moves are`} cut off: ${one.cut.slice(0, 6).join(", ")}${one.cut.length > 6 ? ", …" : ""}.`;
  return `${name} is done: its value is ${value}.`;
}

/** Lay the tree out; `draw` shows it as it is after a step. */
function layOut({ places, steps, player }) {
  const below = places.map(() => []);
  places.forEach((one, i) => one.parent !== null && below[one.parent].push(i));
  const spots = places.map(() => null);
  let right = 10;
  /** Place what is below a node, then the node above the middle of it. */
  const arrange = (i) => {
    const left = right;
    for (const child of below[i]) arrange(child);
    if (places[i].cut.length) right += LEAF_WIDTH * 0.8;
    right = Math.max(right, left + (below[i].length && player === "alphabeta" ? INNER_WIDTH : LEAF_WIDTH));
    const kids = below[i].map((child) => spots[child].x);
    spots[i] = { x: kids.length ? Math.max(left + 24, (kids[0] + kids.at(-1)) / 2) : left + LEAF_WIDTH / 2, y: 34 + LEVEL_HEIGHT * places[i].ply };
  };
  arrange(0);
  const wide = right + 30;
  const high = 34 + LEVEL_HEIGHT * Math.max(...places.map((one) => one.ply)) + 34;
  const edges = svgElement("g");
  const nodes = svgElement("g");
  const svg = svgElement("svg", { class: "why-lesson-tree", width: Math.max(wide, 200), height: high, viewBox: `0 0 ${Math.max(wide, 200)} ${high}`, "aria-hidden": "true" }, edges, nodes);
  const parts = places.map((one, i) => {
    const { x, y } = spots[i];
    const leaf = !below[i].length;
    const from = one.parent === null ? null : spots[one.parent];
    const label = one.parent === null ? null : svgElement("text", { x: from.x + (x - from.x) * 0.62, y: from.y + 16 + (y - from.y - 34) * 0.66, class: "move" });
    if (label) label.textContent = one.move;
    const edge = from ? svgElement("path", { d: `M${from.x} ${from.y + 16}L${x} ${y - 18}`, class: "edge" }) : null;
    const shape = leaf ? svgElement("rect", { x: -21, y: -14, width: 42, height: 26, rx: 4 }) : svgElement("polygon", { points: TRIANGLES[one.max ? "max" : "min"] });
    const value = svgElement("text", { y: leaf ? 4 : one.max ? 11 : -3, class: "value" });
    const window = svgElement("text", { x: 27, y: -2, class: "window" });
    const second = svgElement("text", { x: 27, y: 12, class: "window" });
    const group = svgElement("g", { transform: `translate(${x} ${y})`, class: leaf ? "leaf" : one.max ? "max" : "min" }, shape, value, window, second);
    const cuts = svgElement("g", { class: "cuts" });
    if (one.cut.length) {
      const far = Math.max(x, below[i].length ? spots[below[i].at(-1)].x : x);
      cuts.append(svgElement("path", { d: `M${x} ${y + 16}L${far + LEAF_WIDTH * 0.75} ${y + LEVEL_HEIGHT - 22}`, class: "edge cut" }));
      const note = svgElement("text", { x: far + LEAF_WIDTH * 0.8, y: y + LEVEL_HEIGHT - 8, class: "move" });
      note.textContent = `✂ ${one.cut.length}`;
      const mark = { x: x + (far + LEAF_WIDTH * 0.75 - x) * 0.55, y: y + 16 + (LEVEL_HEIGHT - 38) * 0.55 };
      cuts.append(note, svgElement("path", { d: `M${mark.x - 7} ${mark.y + 5}l9 -10M${mark.x - 2} ${mark.y + 7}l9 -10`, class: "slash" }));
      edges.append(cuts);
    }
    if (edge) edges.append(edge);
    if (label) edges.append(label);
    nodes.append(group);
    return { group, edge, label, value, window, second, cuts };
  });
  /** Show what is known after a step. */
  const draw = (at) => {
    const known = new Map();
    for (let i = 0; i <= at; i++) {
      const step = steps[i];
      const now = known.get(step.node) ?? {};
      known.set(step.node, { ...now, ...step, value: step.value ?? now.value, done: step.event === "leave" || step.event === "value", cut: now.cut || step.event === "cut" });
    }
    const current = steps[at].node;
    parts.forEach((part, i) => {
      const now = known.get(i);
      part.group.classList.toggle("unseen-yet", !now);
      part.group.classList.toggle("done", Boolean(now?.done));
      part.group.classList.toggle("current", i === current);
      for (const one of [part.edge, part.label]) one?.classList.toggle("unseen-yet", !now);
      part.cuts.classList.toggle("unseen-yet", !now?.cut);
      part.value.textContent = now?.value ?? "";
      part.value.classList.toggle("long", (now?.value ?? "").length > 5);
      const open = now && player === "alphabeta" && places[i].cause !== "leaf" && places[i].cause !== "over" && places[i].cause !== "draw";
      part.window.textContent = open ? `α ${now.alpha}` : "";
      part.second.textContent = open ? `β ${now.beta}` : "";
    });
  };
  return { svg, spots, draw };
}
