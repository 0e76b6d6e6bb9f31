/** The chances through the game as a curve; a press goes to that move. */

import { svgElement, element } from "../element.js";

const WIDE = 400;
const HIGH = 110;

/** Build a graph that follows the session. @returns {{element: HTMLElement, draw: () => void}} */
export function makeGraph(session) {
  const svg = svgElement(
    "svg",
    { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "graph", role: "img", preserveAspectRatio: "none" },
  );
  const holder = element("div", { class: "graph-holder" }, svg);
  let line = [];
  const draw = () => {
    if (!session.state) return;
    line = session.gameLine();
    const known = line.map((n, i) => ({ n, i, chance: session.verdicts[n]?.chance })).filter(
      (point) => point.chance !== undefined && point.chance !== null,
    );
    holder.hidden = known.length < 2;
    if (holder.hidden) return;
    const x = (i) => (WIDE * i) / Math.max(1, line.length - 1);
    const y = (chance) => HIGH - HIGH * chance;
    const points = known.map((point) => `${x(point.i).toFixed(1)},${y(point.chance).toFixed(1)}`);
    const area = `M${x(known[0].i)},${HIGH} L${points.join(" L")} L${x(known.at(-1).i)},${HIGH} Z`;
    const dots = known.filter((point) => session.verdicts[point.n].mark)
      .map(
        (point) => svgElement(
          "circle",
          {
            cx: x(point.i),
            cy: y(point.chance),
            r: 4,
            class: session.verdicts[point.n].mark,
            "vector-effect": "non-scaling-stroke",
          },
        ),
      );
    const here = line.indexOf(session.node);
    svg.replaceChildren(
      svgElement("path", { d: area, class: "area" }),
      svgElement("line", { x1: 0, x2: WIDE, y1: HIGH / 2, y2: HIGH / 2, class: "middle" }),
      svgElement("polyline", { points: points.join(" "), class: "curve" }),
      ...dots,
      ...(here < 0 ? [] : [svgElement("line", { x1: x(here), x2: x(here), y1: 0, y2: HIGH, class: "here" })]),
    );
    const last = known.at(-1);
    svg.setAttribute(
      "aria-label",
      `Chances of ${session.info.sides[0]} through the game: from ${percent(known[0].chance)} to ${percent(last.chance)}`,
    );
  };
  svg.addEventListener("pointerdown", (event) => {
    const box = svg.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
    session.look(line[Math.round(share * (line.length - 1))]);
  });
  for (const news of ["change", "review"]) session.addEventListener(news, draw);
  return { element: holder, draw };
}

function percent(chance) {
  return `${Math.round(100 * chance)} %`;
}
