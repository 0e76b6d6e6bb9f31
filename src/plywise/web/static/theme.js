/** Light or dark: as the system wants it, unless the visitor has chosen. */

import { byId } from "./element.js";

const KEPT = "plywise.theme";
const NEXT = { auto: "light", light: "dark", dark: "auto" };
const SIGNS = { auto: "◐", light: "☀", dark: "☾" };

/** Apply what was chosen, and give the act of choosing the next. */
export function mountTheme() {
  const toggle = byId("theme");
  let now = "auto";
  try {
    now = localStorage.getItem(KEPT) ?? "auto";
  } catch {
    // nothing is kept in a private window
  }
  const apply = () => {
    if (!NEXT[now]) now = "auto";
    if (now === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = now;
    toggle.textContent = SIGNS[now];
    toggle.title = toggle.ariaLabel = `Colours: ${now === "auto" ? "as the system" : now} (t)`;
  };
  const next = () => {
    now = NEXT[now];
    try {
      localStorage.setItem(KEPT, now);
    } catch {
      // it lasts as long as the page
    }
    apply();
  };
  toggle.addEventListener("click", next);
  apply();
  return next;
}
