/** Autoplay: the moves of the line on show, one after the other, until its end or until somebody steps or plays. */

/**
 * @param {import("../session.js").Session} session
 * @param {() => number} pause seconds between two moves
 * @param {(running: boolean) => void} changed
 * @returns {{toggle: () => void, stop: () => void}}
 */
export function makeAutoplay(session, pause, changed) {
  let timer = 0;
  let run = 0; // what waits for a position when autoplay is stopped does not go on
  let expected = null; // where autoplay itself has gone
  const stop = () => {
    clearTimeout(timer);
    timer = 0;
    run++;
    changed(false);
  };
  const next = async () => {
    const line = session.line();
    expected = line[line.indexOf(session.node) + 1];
    if (expected === undefined) return stop();
    await goTo(expected);
    return null;
  };
  /** Look at a position, and at the next one after the pause. */
  const goTo = async (n) => {
    const mine = run;
    await session.look(n);
    if (mine === run) timer = setTimeout(next, 1000 * pause());
  };
  const toggle = () => {
    if (timer) return stop();
    if (!session.state) return null;
    const line = session.line();
    expected = session.node === line.at(-1) ? 0 : session.node;
    timer = -1; // it runs, and waits for the first position
    goTo(expected); // from the end it begins anew
    changed(true);
    return null;
  };
  session.addEventListener("change", () => timer && session.node !== expected && stop());
  for (const end of ["opened", "step"]) session.addEventListener(end, () => timer && stop());
  return { toggle, stop };
}
