/** The line below the board: whose turn, why a cell is marked, what happened, how it ended. */

import { button, byId, element } from "../element.js";
import { duel } from "../ladder.js";
import { countScore, scoreWords } from "./score.js";
import { capital, seatWords, sideFirst } from "./seats.js";

/** Build the status line and the spoken words. */
export function mountStatus(page) {
  const { session } = page;
  const status = byId("status");
  const live = byId("live");
  let preparing = null;
  const bar = preparingBar();
  let hint = null;
  const draw = () => {
    const { state, view, info } = session;
    if (!state || !view || !info) return;
    const parts = [];
    const ended = view.outcome ?? (session.node === state.tip ? state.outcome : null);
    if (ended) parts.push(outcome(ended, page));
    else parts.push(element("p", { class: "now" }, turnWords(session)));
    parts.push(...reasons(view));
    if (hint && session.hintShown) parts.push(element("p", { class: "reason" }, hint));
    const loose = view.moves.filter((move) => !move.steps.length || !view.board?.width);
    if (session.playable && loose.length) parts.push(choices(loose, session));
    const marked = (view.marks ?? []).map((mark) => mark.reason);
    const notes = view.board?.width ? view.board.notes ?? [] : []; // a game without a board has its text there
    const events = [...(view.told ?? []), ...notes].filter((words) => !marked.includes(words));
    if (events.length) parts.push(element("p", { class: "reason" }, events.join(" · ")));
    if (preparing) parts.push(bar.element);
    const inside = status.contains(document.activeElement);
    status.replaceChildren(...parts);
    if (inside) status.querySelector("button")?.focus(); // so that a player can go on with these buttons
  };
  session.addEventListener("opened", () => (preparing = hint = null));
  session.addEventListener("change", draw);
  session.addEventListener("preparing", (event) => {
    const before = preparing;
    preparing = event.detail.share === 1 ? null : event.detail;
    if (preparing) bar.show(preparing);
    if (!before !== !preparing) draw(); // the line itself is not built again: it has buttons that are in use
  });
  session.addEventListener("hint", (event) => {
    const { words, move } = event.detail;
    hint = session.hintShown?.threat ? words : session.hintShown ? `Hint: ${words || move}` : "";
    say(hint);
    draw();
  });
  session.addEventListener("moved", (event) => {
    const { node } = event.detail;
    const { info, state } = session;
    const who = node.side === null || node.side === undefined ? "" : `${sideFirst(info.sides[node.side])}: `;
    const marks = (state.view.marks ?? []).map((mark) => mark.reason);
    const end = state.outcome ? outcomeWords(state.outcome, info) : "";
    say(
      [`${who}${node.said}`, ...(state.view.told ?? []), ...marks, end].filter(Boolean).join(". "),
    );
  });
  function say(words) {
    live.replaceChildren(element("p", {}, words));
  }
  /** Say whose turn it is in a position of a search's tree that is on the board in place of the game's. */
  const showTreePosition = (view) => {
    const { info } = session;
    const turn = view.turn === undefined || view.turn === null ? "" : ` ${sideFirst(info.sides[view.turn])} to move.`;
    status.replaceChildren(element("p", { class: "now" }, `A position of the search.${turn}`));
  };
  return { draw, say, showTreePosition };
}

/** Why cells are marked; all that must capture in one sentence. */
function reasons(view) {
  const marks = view.marks ?? [];
  const must = marks.filter((mark) => mark.kind === "must").map((mark) => view.board.names[mark.cell] || "this piece");
  const cells = must.length > 1 ? `${must.slice(0, -1).join(", ")} or ${must.at(-1)}` : must[0];
  return [
    ...(must.length ? [["must", `You must capture, with ${cells}.`]] : []),
    ...marks.filter((mark) => mark.kind !== "must").map((mark) => [mark.kind, `${capital(mark.reason)}.`]),
  ].map(([kind, words]) => element("p", { class: `reason ${kind}` }, words));
}

function turnWords(session) {
  const { state, view, info } = session;
  const past = session.node !== state.tip ? viewedMoveText(session) : "";
  const chosen = view.chosen?.length ? ` Chosen: ${view.chosen.join(", ")}.` : "";
  if (state.paused) return `${past}Paused.${chosen}`;
  const side = info.sides[view.turn];
  if (info.world && view.choosing?.length > 1) return `${past}Orders for the ${side}; both sides act at once.${chosen}`;
  return `${past}${sideFirst(side)} to move.${chosen}`;
}

/** Which move of the game is on the board, where it is not the last one. */
function viewedMoveText(session) {
  const node = session.at(session.node);
  if (session.inVariation) return "Viewing a variation. ";
  return `Viewing move ${node?.number ?? 0} of ${session.mainLine().length - 1}. `;
}

/** How it ended, in one sentence. */
export function outcomeWords(outcome, info) {
  if (outcome.words) return outcome.words;
  const { winner } = outcome;
  const who = winner === null || winner === undefined ? "Draw" : `${sideFirst(info.sides[winner])} won`;
  return `${who}: ${outcome.reason}`;
}

function outcome(given, page) {
  const { state, info } = page.session;
  const now = duel(state);
  const next = now && given.winner === now.person && now.level < info.levels.length ? now.level + 1 : null;
  const score = element("span", { class: "score-so-far" });
  drawScore(page, score);
  return element(
    "div",
    { class: "outcome" },
    element("strong", {}, outcomeWords(given, info)),
    score,
    next && button(`Play level ${next}`, () => page.ladder.play(info.name, next), { class: "primary" }),
    button("Rematch", () => page.rematch()),
    now && button("Ladder", () => page.ladder.open(), { title: "Your record against each level" }),
    button("Review", () => {
      page.showTab("analysis");
      page.session.requestForGame("review");
    }),
  );
}

/** The score between these two players, once the server has told what they have played. */
async function drawScore(page, place) {
  const { session } = page;
  const { state, info, id } = session;
  if (!session.owner) return;
  const key = `${id} ${state.outcome.words}`;
  if (page.score?.key !== key) {
    const answer = await session.request("list");
    if (!answer || session.id !== id) return;
    const two = page.seatSides("person").length > 1;
    const names = state.seats.map((seat, side) => (two ? sideFirst(info.sides[side]) : seatWords(seat, info)));
    page.score = { key, words: scoreWords(countScore(answer.games, state, info), names) };
  }
  place.textContent = page.score.words;
}

function choices(moves, session) {
  const few = moves.slice(0, 60);
  return element(
    "div",
    { class: "choices", role: "group", "aria-label": "Moves" },
    ...few.map((move) => button(move.said || move.move, () => session.play(move.move))),
  );
}

/** The bar of a game that is being compiled: one element, changed as the work goes on. */
function preparingBar() {
  const progress = element("progress", { max: 1 });
  const words = element("span", {});
  const share = element("span", { class: "share" });
  const show = (preparing) => {
    const known = preparing.share !== null && preparing.share !== undefined;
    if (known) progress.value = preparing.share;
    else progress.removeAttribute("value");
    progress.setAttribute("aria-label", preparing.what);
    words.textContent = preparing.what;
    share.textContent = known ? `${Math.floor(100 * preparing.share)} %` : "";
  };
  return { element: element("div", { class: "preparing" }, progress, share, words), show };
}
