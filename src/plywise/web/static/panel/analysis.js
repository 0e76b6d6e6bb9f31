/** The analysis tab: best lines while the engine thinks, the terms of the evaluation, the review of the game. */

import { button, element } from "../element.js";
import { makeEndgame } from "./endgame.js";
import { makeGraph } from "./graph.js";
import { makeReview } from "./review.js";
import { makeTimeChart } from "./time-chart.js";
import { addTab } from "./tabs.js";

addTab({ id: "analysis", title: "Analysis", order: 20, mount });

/** `1.2 M`, `340 k`: a count that can be read at a glance. */
export function shortCount(count) {
  if (count >= 1e9) return `${(count / 1e9).toFixed(1)} G`;
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)} M`;
  if (count >= 1e4) return `${Math.round(count / 1e3)} k`;
  return String(Math.round(count));
}

function mount(panel, page) {
  const { session } = page;
  const toggle = button(
    "Analyse",
    () => switchOn(!session.analysing),
    { class: "primary", "aria-pressed": "false", title: "Analyse (a)" },
  );
  const lines = element(
    "select",
    { "aria-label": "How many lines" },
    ...[1, 2, 3, 4, 5].map(
      (n) => element("option", { value: n, selected: n === 3 }, n === 1 ? "1 line" : `${n} lines`),
    ),
  );
  const evaluators = element("select", { "aria-label": "Evaluation" });
  const threads = element("select", { "aria-label": "Threads" });
  const hash = element("select", { "aria-label": "Hash table" });
  const facts = element("p", { class: "facts" });
  const list = element("ol", { class: "lines" });
  const terms = element("details", { class: "terms" }, element("summary", {}, "Evaluation, term by term"));
  const endgame = makeEndgame(page, () => !panel.hidden);
  const graph = makeGraph(session);
  panel.append(
    element("div", { class: "bar" }, toggle, lines, evaluators, threads, hash),
    facts,
    list,
    endgame.element,
    terms,
    element("h2", {}, "The game"),
    graph.element,
    makeTimeChart(session),
    makeReview(page),
  );
  const evaluator = () => (evaluators.value ? { evaluator: evaluators.value } : {});
  const options = () => ({
    lines: Number(lines.value),
    ...evaluator(),
    ...(threads.value ? { threads: Number(threads.value) } : {}),
    ...(hash.value ? { hash: Number(hash.value) } : {}),
  });
  const switchOn = (on) => {
    session.analyse(on ? options() : null);
    toggle.setAttribute("aria-pressed", String(on));
    toggle.textContent = on ? "Stop" : "Analyse";
    toggle.classList.toggle("primary", !on);
  };
  page.toggleAnalysis = () => switchOn(!session.analysing);
  for (const select of [lines, evaluators, threads, hash]) select.addEventListener("change", () => session.analysing && switchOn(true));
  let pressed = false;
  const draw = () => {
    const { analysis } = session;
    if (!session.analysing || !analysis) {
      facts.textContent = session.analysing ? "Thinking…" : "The engine's best lines for the position on the board.";
      if (!session.analysing) list.replaceChildren();
      page.drawArrows();
      return;
    }
    const parts = [`depth ${analysis.depth}`, `${shortCount(analysis.nodes)} nodes`];
    if (analysis.speed) parts.push(`${shortCount(analysis.speed)}/s`);
    if (analysis.threads > 1) parts.push(`${analysis.threads} threads`);
    const full = analysis.full >= 10 ? ` ${Math.round(analysis.full / 10)} % full` : "";
    if (full || analysis.hash > session.limits.hash[0]) parts.push(`${analysis.hash} MB hash${full}`);
    if (analysis.compiled === false) parts.push("getting ready, slow until then");
    if (analysis.over) parts.push("done");
    facts.textContent = parts.join(" · ");
    if (!pressed) list.replaceChildren(...(analysis.lines ?? []).map((line, i) => lineItem(line, i, page)));
    page.drawArrows();
  };
  // News come ten times a second: what a hand is pressing stays until it is let go.
  list.addEventListener("pointerdown", () => (pressed = true));
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => pressed && setTimeout(() => {
    pressed = false;
    draw();
  }));
  session.addEventListener("analysis", draw);
  session.addEventListener("opened", () => {
    const { info } = session;
    evaluators.replaceChildren(...(info?.evaluators ?? []).map((name) => element("option", { value: name }, name)));
    evaluators.hidden = (info?.evaluators.length ?? 0) < 2;
    if (info?.evaluators.includes(session.state.evaluator)) evaluators.value = session.state.evaluator;
    draw();
  });
  session.addEventListener("games", () => {
    offer(threads, range(session.limits.threads), (n) => (n === 1 ? "1 thread" : `${n} threads`));
    offer(hash, session.limits.hash, (n) => `${n} MB hash`);
  });
  const drawTerms = async () => {
    if (!terms.open || panel.hidden || !session.state) return;
    const asked = session.node;
    const answer = await session.requestForGame("terms", { node: asked, ...evaluator() });
    if (!answer || asked !== session.node) return;
    terms.replaceChildren(terms.firstElementChild, termTable(answer, session.info));
  };
  terms.addEventListener("toggle", drawTerms);
  session.addEventListener("change", drawTerms);
  evaluators.addEventListener("change", drawTerms);
  list.addEventListener("pointerleave", () => page.drawArrows());
  draw();
  return { shown: () => { draw(); drawTerms(); endgame.draw(); graph.draw(); } };
}

/** `1, 2, 4, 8 …` and the last one itself. */
function range(last) {
  const powers = Array.from({ length: 10 }, (_, i) => 2 ** i).filter((n) => n < last);
  return [...powers, last];
}

/** Put these choices into a list; what was chosen before stays chosen. A single choice is none. */
function offer(select, values, words) {
  const before = select.value;
  select.replaceChildren(...values.map((n) => element("option", { value: n, selected: String(n) === before }, words(n))));
  select.hidden = values.length < 2;
}

function lineItem(line, i, page) {
  const { session, hoverBoard } = page;
  const proven = line.kind === "proven";
  const first = line.moves[0];
  const playable = session.playable && session.view.moves.some((move) => move.move === first);
  const words = element(
    "span",
    {
      class: proven ? "score proven" : "score",
      title: proven ? "Proven: true at any depth." : line.kind,
    },
    line.words,
  );
  const said = line.said ?? line.moves;
  const play = () => session.play(first);
  const hover = (made, count) => {
    made.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && hoverBoard.show(made, line.moves.slice(0, count)));
    made.addEventListener("pointerleave", hoverBoard.hide);
    made.addEventListener("focus", () => hoverBoard.show(made, line.moves.slice(0, count)));
    made.addEventListener("blur", hoverBoard.hide);
    return made;
  };
  const head = playable && said.length ? hover(button(said[0], play, { class: "play", title: "Play this move" }), 1) : null;
  const rest = said.map((label, k) => hover(element("span", {}, `${label} `), k + 1)).slice(head ? 1 : 0);
  return element(
    "li",
    { value: i + 1 },
    words,
    proven ? element("span", { class: "proof" }, "proven") : null,
    head,
    element("span", { class: "moves" }, ...rest),
    i && first ? button("Why?", () => page.reason.ask(session.node, first), { class: "why-link", title: "Why is this bad?" }) : null,
  );
}

function termTable({ total, unit, terms }, info) {
  const shown = (value) => (unit && unit !== 1 ? (value / unit).toFixed(2) : String(value));
  const most = Math.max(1, ...terms.map((term) => Math.abs(term.value)));
  const row = ({ name, value }) => {
    const bar = element("i", { class: value < 0 ? "against" : "for" });
    bar.style.width = `${(50 * Math.abs(value)) / most}%`;
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, name),
      element("td", {}, shown(value)),
      element("td", { class: "share", "aria-hidden": "true" }, bar),
    );
  };
  return element(
    "table",
    {},
    element("caption", {}, `For ${info.sides[0]}; all together ${shown(total)}`),
    element("tbody", {}, ...terms.filter((term) => term.value !== 0).map(row)),
    element("tfoot", {}, element("tr", {}, element("td", { colSpan: 3 }, zeroTermsText(terms)))),
  );
}

/** The terms that weigh nothing here, by name. */
function zeroTermsText(terms) {
  const names = terms.filter((term) => term.value === 0).map((term) => term.name);
  return names.length ? `Worth nothing here: ${names.join(", ")}.` : "";
}
