/** How long each move took, as bars: the first side upwards, the second downwards. */

import { element, svgElement } from "../element.js";

const WIDE = 400;
const HIGH = 70;

/** Build a chart that follows the session; hidden in games without clocks. */
export function makeTimeChart(session) {
  const svg = svgElement("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "times", role: "img", preserveAspectRatio: "none" });
  const holder = element("div", { class: "graph-holder" }, element("h3", {}, "Time for each move"), svg);
  const draw = () => {
    const { state, info } = session;
    const moves = state?.clock ? moveTimes(session) : [];
    holder.hidden = !moves.some((one) => one.seconds > 0);
    if (holder.hidden) return;
    const most = Math.max(...moves.map((one) => one.seconds));
    const step = WIDE / moves.length;
    svg.replaceChildren(...moves.map(({ n, side, seconds }, i) => {
      const high = (HIGH / 2) * (seconds / most);
      const bar = svgElement("rect", { x: i * step, width: Math.max(0.5, step * 0.8), y: side === 0 ? HIGH / 2 - high : HIGH / 2, height: high, class: n === session.node ? "here" : `side-${side}` });
      bar.append(svgElement("title", {}, document.createTextNode(`${session.at(n).said}: ${seconds.toFixed(1)} s`)));
      return bar;
    }));
    svg.setAttribute("aria-label", `Time for each move: ${info.sides.map((name, side) => `${name} ${moves.filter((one) => one.side === side).reduce((sum, one) => sum + one.seconds, 0).toFixed(0)} s`).join(", ")}`);
  };
  svg.addEventListener("pointerdown", (event) => {
    const box = svg.getBoundingClientRect();
    const moves = moveTimes(session);
    session.look(moves[Math.min(moves.length - 1, Math.floor(((event.clientX - box.left) / box.width) * moves.length))]?.n);
  });
  session.addEventListener("change", draw);
  return holder;
}

/** The seconds that each move of the game took, by the clocks before and after it. */
export function moveTimes(session) {
  const { increment } = session.state.clock;
  return session.gameLine().slice(1).map((n) => session.at(n)).filter((node) => node.clocks && node.side !== null)
    .map((node) => ({ n: node.n, side: node.side, before: session.at(node.parent).clocks, after: node.clocks }))
    .filter((one) => one.before)
    .map(({ n, side, before, after }) => ({ n, side, seconds: Math.max(0, before[side] + increment - after[side]) }));
}
