/** Autoplay: the moves of the line on show, one after the other, until its end or until somebody steps or plays. */

/**
 * @param {import("../session.js").Session} session
 * @param {() => number} pause seconds between two moves
 * @param {(running: boolean) => void} changed
 * @returns {{toggle: () => void, stop: () => void}}
 */
export function makeAutoplay(session, pause, changed) {
  let timer = 0;
  let expected = null; // where autoplay itself has gone
  const stop = () => {
    clearTimeout(timer);
    timer = 0;
    changed(false);
  };
  const next = async () => {
    const line = session.line();
    expected = line[line.indexOf(session.node) + 1];
    if (expected === undefined) return stop();
    await session.look(expected);
    if (timer) timer = setTimeout(next, 1000 * pause());
    return null;
  };
  const toggle = () => {
    if (timer) return stop();
    if (!session.state) return null;
    const line = session.line();
    expected = session.node === line.at(-1) ? 0 : session.node;
    session.look(expected); // from the end it begins anew
    timer = setTimeout(next, 1000 * pause());
    changed(true);
    return null;
  };
  session.addEventListener("change", () => timer && session.node !== expected && stop());
  session.addEventListener("opened", () => timer && stop());
  return { toggle, stop };
}
