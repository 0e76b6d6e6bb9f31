/** Matches and learning runs as they are now: a list, and one of them with its table, curves and games. */

import { button, byId, element, once, sentence } from "../element.js";
import { makeDialog } from "../dialog.js";
import { makeChart } from "./chart.js";

const POLL_TIME = 2000; // ms between two looks at the file
const STATES = { running: "running", finished: "finished", stopped: "stopped", unreadable: "cannot be read" };

/** Build the dialog. @returns {(id?: string) => void} opens it, at once with a match or run if its id is given */
export function mountWatch(page) {
  const { session } = page;
  const place = element("div", { class: "watch" });
  const dialog = makeDialog({ id: "watch", title: "Matches and learning", wide: true }, place);
  let shown = null; // the id of what is shown; null: the list
  let known = "";
  let timer = 0;
  const draw = (data, build) => {
    const text = JSON.stringify(data);
    if (text === known) return; // nothing new: the focus stays where it is
    known = text;
    const { scrollTop } = dialog;
    place.replaceChildren(...build(data, actions).filter(Boolean));
    dialog.scrollTop = scrollTop;
  };
  const look = async () => {
    const asked = shown;
    const answer = asked === null ? await session.request("watch list") : await session.request("watch", { watched: asked });
    if (asked !== shown || !dialog.open) return;
    if (!answer && asked !== null) return actions.show(null); // gone or damaged: the sentence is on the page
    if (!answer) return;
    if (asked === null) draw(answer, listElements);
    else draw(answer, answer.kind === "run" ? runElements : matchElements);
  };
  const repeat = async () => {
    clearTimeout(timer);
    if (!dialog.open) return;
    if (!document.hidden && session.connection.connected) await look();
    timer = setTimeout(repeat, POLL_TIME);
  };
  const actions = {
    title: (name) => session.games.find((one) => one.name === name)?.title ?? name,
    show(id) {
      shown = id;
      known = "";
      dialog.scrollTop = 0;
      repeat();
    },
    replay: once(async (game) => {
      const answer = await session.request("replay", { watched: shown, pair: game.pair, place: game.place });
      if (answer && (await session.open(answer.game))) dialog.close();
    }),
  };
  const open = (id = "") => {
    if (!dialog.open) dialog.showModal();
    actions.show(id || null);
  };
  dialog.addEventListener("close", () => clearTimeout(timer));
  byId("open-watch").addEventListener("click", () => open());
  return open;
}

function chip(state) {
  return element("span", { class: `watch-state ${state}` }, STATES[state] ?? state);
}

function back(actions) {
  return button("◂ All matches and runs", () => actions.show(null), { class: "link" });
}

function listElements({ entries }, actions) {
  if (!entries.length) return [
    element("p", {}, "There is no match and no learning run yet."),
    element("p", { class: "facts" }, ...sentence("`plywise match` and `plywise learn` keep theirs where this page finds them; `plywise serve --watch PATH` shows others.")),
  ];
  const rows = entries.map((one) => element(
    "li",
    {},
    one.state === "unreadable" ? element("b", {}, one.name) : button(one.name, () => actions.show(one.id), { class: "link" }),
    element("span", { class: "players" }, [one.kind === "run" ? "Learning" : "Match", actions.title(one.game)].filter(Boolean).join(" · "), " ", chip(one.state)),
    element("span", { class: "how" }, one.words),
  ));
  return [element("ul", { class: "saved watch-list" }, ...rows)];
}

// --- a match --------------------------------------------------------------------------------------
function matchElements(match, actions) {
  const of = match.of === null ? "" : ` of ${match.of.toLocaleString("en")}`;
  const facts = [actions.title(match.game), `${match.games.toLocaleString("en")}${of} games`, match.control].filter(Boolean).join(" · ");
  const parts = [back(actions), element("h3", {}, match.players.join(" v ") || match.name, " ", chip(match.state)), element("p", { class: "facts" }, facts)];
  parts.push(...match.notes.map((words) => element("p", { class: "watch-note" }, words)));
  if (!match.games) return [...parts, element("p", {}, "No pair is finished yet.")];
  parts.push(standings(match.table), testWords(match.test));
  if (match.points.length) {
    const [one, other] = match.players;
    parts.push(makeChart({
      title: `Elo of ${one} against ${other}, with its 95 % error`,
      across: "games",
      zero: true,
      curves: [{ name: one, points: match.points.map(([games, elo]) => [games, elo]) }],
      band: match.points.map(([games, , low, high]) => [games, low, high]),
    }));
  }
  if (match.players.length > 2) parts.push(meetings(match.meetings));
  parts.push(element("h3", {}, "Games"), games(match, actions));
  return parts;
}

const signed = (value) => (value === null ? "" : `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(0)}`);
const withError = (elo, error) => (elo === null ? "–" : signed(elo) + (error === null ? "" : ` ± ${error.toFixed(0)}`));

function table(head, rows) {
  const cells = (row, tag) => row.map((cell, i) => element(tag, { class: i ? "count" : "" }, cell === null || cell === undefined ? "" : typeof cell === "number" ? cell.toLocaleString("en") : cell));
  return element(
    "div",
    { class: "watch-scroll", tabindex: "0", role: "region", "aria-label": "Table" },
    element("table", { class: "watch-table" }, element("thead", {}, element("tr", {}, ...cells(head, "th"))), element("tbody", {}, ...rows.map((row) => element("tr", {}, ...cells(row, "td"))))),
  );
}

function standings(rows) {
  const faults = rows.some((row) => row.faults);
  const rated = rows.filter((row) => row.elo !== null).length > 1; // a 0 beside nothing would say nothing
  return table(
    ["Player", "Games", "Won", "Drawn", "Lost", "Points", "Elo", "Nodes/s", "Depth", ...(faults ? ["Faults"] : [])],
    rows.map((row) => [
      row.name, row.games, row.wins, row.draws, row.losses, row.games ? `${((100 * row.points) / row.games).toFixed(1)} %` : "",
      withError(rated ? row.elo : null, row.error), row.nps, row.depth, ...(faults ? [row.faults] : []),
    ]),
  );
}

function meetings(rows) {
  return element("div", {}, element("h3", {}, "Meetings"), table(
    ["Players", "Won", "Drawn", "Lost", "Elo"],
    rows.map((row) => [`${row.first} v ${row.second}`, row.wins, row.draws, row.losses, withError(row.elo, row.error)]),
  ));
}

function testWords(test) {
  if (!test) return null;
  const verdict = { stronger: "the first is stronger", "not stronger": "the first is not stronger" }[test.verdict] ?? "not decided";
  return element("p", {}, `Sequential test of ${test.elo0} against ${test.elo1} Elo (${test.model}): LLR ${test.llr?.toFixed(2) ?? "–"} between ${test.low.toFixed(2)} and ${test.high.toFixed(2)}: ${verdict}.`);
}

function games(match, actions) {
  const number = (game) => `${game.pair + 1}.${game.place + 1}`;
  const rows = match.list.map((game) => element(
    "li",
    {},
    match.locked || (match.dice && !game.recorded) ? element("span", {}, number(game)) : button(number(game), () => actions.replay(game), { class: "link", "aria-label": `Replay game ${number(game)}` }),
    element("span", { class: "players" }, `${game.sides[0]} – ${game.sides[1]} `, element("b", {}, game.result)),
    element("span", { class: "how" }, `${game.moves} ${game.moves === 1 ? "move" : "moves"}, ${game.reason}${game.how === "rules" ? "" : ` (${game.how})`}`),
  ));
  const more = match.games > match.list.length ? element("p", { class: "facts" }, `The latest ${match.list.length} games.`) : null;
  const locked = match.locked ? element("p", { class: "facts" }, ...sentence(match.locked)) : null;
  return element("div", {}, locked, more, element("ul", { class: "saved watch-games" }, ...rows));
}

// --- a learning run ---------------------------------------------------------------------------------
function runElements(run, actions) {
  const facts = [
    actions.title(run.game), run.form, `${run.hidden} hidden`, `${run.nodes.toLocaleString("en")} nodes a move`,
    `${(run.seconds / 60).toFixed(run.seconds < 600 ? 1 : 0)} of ${run.minutes} minutes`, `Plywise ${run.version}`,
  ];
  const parts = [
    back(actions),
    element("h3", {}, run.name, " ", chip(run.state)),
    element("p", {}, run.doing),
    element("p", { class: "facts" }, facts.join(" · ")),
  ];
  if (run.proof) parts.push(element("p", {}, `The proof: ${run.proof}.`));
  if (run.matches.length) parts.push(element("p", { class: "bar" }, "Matches: ", ...run.matches.map((one) => button(one.name, () => actions.show(one.id)))));
  if (!run.generations.length) return parts;
  parts.push(table(
    ["Generation", "Games", "Positions", "A second", "Held-out loss", "Screen"],
    run.generations.map((one) => [String(one.number), one.games, one.positions, one.speed, one.losses.length ? Math.min(...one.losses.map(([, , held]) => held)).toFixed(4) : "", one.screen]),
  ));
  for (const one of run.generations) for (const fit of [1, 2]) {
    const losses = one.losses.filter(([, , , made]) => made === fit);
    if (losses.length) parts.push(makeChart({
      title: `Generation ${one.number}${fit === 2 ? ", a shorter fit" : ""}: loss by epoch`,
      across: "epochs",
      digits: 4,
      curves: [
        { name: "held out", points: losses.map(([epoch, , held]) => [epoch, held]) },
        { name: "learned from", points: losses.map(([epoch, loss]) => [epoch, loss]) },
      ],
    }));
  }
  return parts;
}
