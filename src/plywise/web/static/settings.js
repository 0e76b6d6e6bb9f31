/** What a visitor may set: sounds, the look of the board and the pieces, how moves are made. Kept in the browser. */

import { makeDialog } from "./dialog.js";
import { byId, element } from "./element.js";

const STORAGE_KEY = "plywise.settings";
const DEFAULTS = { sounds: false, board: "green", pieces: "shaded", confirm: false, first: false, pause: 1.5 };
const BOARDS = [["green", "Green"], ["brown", "Brown"], ["blue", "Blue"], ["grey", "Grey"], ["contrast", "High contrast"]];
const PAUSES = [[3, "Slow"], [1.5, "Normal"], [0.6, "Fast"]];
const PIECES = [["shaded", "Shaded"], ["flat", "Flat"], ["letters", "Letters"]];

function load() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}") };
  } catch {
    return { ...DEFAULTS };
  }
}

/** Build the dialog. @returns {typeof DEFAULTS} the settings, kept up to date */
export function mountSettings(page) {
  const settings = load();
  const apply = () => {
    const root = document.documentElement;
    root.dataset.board = settings.board;
    root.dataset.pieces = settings.pieces;
    page.board.takesFirst = settings.first;
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify(settings));
    } catch {
      // it lasts as long as the page
    }
  };
  const tick = (name, words) => {
    const input = element("input", { type: "checkbox", id: `set-${name}`, checked: settings[name] });
    input.addEventListener("change", () => {
      settings[name] = input.checked;
      apply();
    });
    return element("label", { class: "tick" }, input, words);
  };
  const choice = (name, words, options) => {
    const select = element("select", { id: `set-${name}` }, ...options.map(([value, label]) => element("option", { value, selected: settings[name] === value }, label)));
    select.addEventListener("change", () => {
      settings[name] = options[select.selectedIndex][0];
      apply();
    });
    return element("div", { class: "field" }, element("label", { htmlFor: select.id }, words), select);
  };
  const dialog = makeDialog(
    { id: "settings", title: "Settings" },
    choice("board", "Board", BOARDS),
    choice("pieces", "Pieces", PIECES),
    choice("pause", "Autoplay", PAUSES),
    tick("sounds", "Sounds"),
    tick("confirm", "Ask before each move"),
    tick("first", "Promote to a queen at once (hold Ctrl to choose)"),
  );
  byId("open-settings").addEventListener("click", () => dialog.showModal());
  apply();
  return settings;
}
