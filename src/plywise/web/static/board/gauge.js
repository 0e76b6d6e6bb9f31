/** The bar beside the board: the first side's chance to win. */

import { byId, element } from "../element.js";
import { colour } from "./pieces.js";
import { sideFirst } from "./seats.js";

const SHADES = {
  white: "#f4f1e6",
  black: "#3c4347",
  blue: "#3f86c6",
  red: "#d2543f",
  first: "#1d8f80",
  second: "#eda52f",
};

/** Build the bar; it shows the running analysis, else what is known of the position looked at. */
export function mountGauge(page) {
  const { session } = page;
  const bar = byId("gauge");
  const level = element("i");
  bar.append(level);
  bar.setAttribute("role", "meter");
  bar.setAttribute("aria-valuemin", "0");
  bar.setAttribute("aria-valuemax", "100");
  const draw = () => {
    const { info } = session;
    const chance = chanceNow(session);
    const on = Boolean(info) && (session.analysing || Object.keys(session.verdicts).length > 0);
    bar.hidden = !on;
    if (!on) return;
    const near = page.flipped ? 1 : 0;
    bar.style.setProperty("--near", SHADES[colour(info.sides, near)]);
    bar.style.setProperty("--far", SHADES[colour(info.sides, 1 - near)]);
    const share = chance ?? 0.5;
    level.style.height = `${100 * (near === 0 ? share : 1 - share)}%`;
    const percent = Math.round(100 * share);
    bar.setAttribute("aria-valuenow", String(percent));
    bar.setAttribute("aria-label", `chances of ${info.sides[0]}`);
    const shares = `${sideFirst(info.sides[0])} ${percent} %, ${info.sides[1]} ${100 - percent} %`;
    bar.title = chance === null ? "not yet known" : shares;
  };
  for (const news of ["change", "analysis", "review"]) session.addEventListener(news, draw);
  return draw;
}

/** The first side's chance in the position looked at, from 0 to 1, or null. */
export function chanceNow(session) {
  const { analysis, view, node } = session;
  const outcome = view?.outcome;
  if (outcome) return outcome.winner === null || outcome.winner === undefined ? 0.5 : 1 - outcome.winner;
  if (analysis?.node === node && analysis.lines?.[0]?.chance !== undefined) return analysis.lines[0].chance;
  return session.verdicts[node]?.chance ?? null;
}
