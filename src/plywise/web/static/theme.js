/** Light or dark: as the system wants it, unless the visitor has chosen. */

import { byId } from "./element.js";

const STORAGE_KEY = "plywise.theme";
const NEXT = { auto: "light", light: "dark", dark: "auto" };
const ICONS = { auto: "◐", light: "☀", dark: "☾" };

/** Apply the theme that was chosen; gives a function that chooses the next. */
export function mountTheme() {
  const toggle = byId("theme");
  let theme = "auto";
  try {
    theme = localStorage.getItem(STORAGE_KEY) ?? "auto";
  } catch {
    // nothing is kept in a private window
  }
  const apply = () => {
    if (!NEXT[theme]) theme = "auto";
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    toggle.textContent = ICONS[theme];
    toggle.title = toggle.ariaLabel = `Colours: ${theme === "auto" ? "as the system" : theme} (t)`;
  };
  const next = () => {
    theme = NEXT[theme];
    try {
      localStorage.setItem(STORAGE_KEY, theme);
    } catch {
      // it lasts as long as the page
    }
    apply();
  };
  toggle.addEventListener("click", next);
  apply();
  return next;
}
