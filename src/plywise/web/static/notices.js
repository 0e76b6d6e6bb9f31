/** One short notice at a time, beside what it is about, and a banner while the connection is lost. */

import { button, byId, element, sentence } from "./element.js";

const NOTICE_TIME = 8000; // ms
let timer = 0;

/**
 * Show a notice for a while; it can be closed. In an open dialog it stands there, where it can be read.
 * @param {string} words
 * @param {{label: string, act: () => void}} [answer] a button beside it, such as Undo
 */
export function notify(words, answer) {
  clearNotices();
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
  const notice = element(
    "div",
    dialog ? { class: "notice", role: "alert" } : { class: "notice" },
    element("span", {}, ...sentence(words)),
    answer ? button(answer.label, () => {
      notice.remove();
      answer.act();
    }) : null,
    button("×", () => notice.remove(), { "aria-label": "Close" }),
  );
  if (dialog) {
    dialog.querySelector(".head").after(notice);
    notice.scrollIntoView({ block: "nearest" });
  }
  else byId("notices").append(notice);
  timer = setTimeout(() => notice.remove(), NOTICE_TIME);
}

/** Take away what was said: it is settled. */
export function clearNotices() {
  clearTimeout(timer);
  for (const shown of document.querySelectorAll(".notice")) shown.remove();
}

/** Show the banner while the connection is cut, with a way to try at once. */
export function mountBanner(connection) {
  const banner = byId("banner");
  const words = element("span", {}, "Connection lost – reconnecting…");
  banner.append(words, button("Try now", () => connection.connect()));
  connection.addEventListener("lost", () => (banner.hidden = false));
  connection.addEventListener("open", () => (banner.hidden = true));
  connection.addEventListener(
    "tell:bye",
    () => (words.textContent = "The server has stopped. Start it again with plywise; this page will find it."),
  );
}
