/** Short notices, and a banner while the server is away. */

import { button, byId, element } from "./element.js";

const NOTICE_TIME = 6000; // ms

/** Show a notice for a while; it can be closed. */
export function notify(words) {
  const box = byId("notices");
  const same = [...box.children].find((shown) => shown.firstElementChild.textContent === words);
  same?.remove();
  const notice = element(
    "div",
    {},
    element("span", {}, words),
    button("×", () => notice.remove(), { "aria-label": "Close" }),
  );
  box.append(notice);
  while (box.children.length > 3) box.firstElementChild.remove();
  setTimeout(() => notice.remove(), NOTICE_TIME);
}

/** Show the banner while the connection is cut, with a way to try at once. */
export function mountBanner(connection) {
  const banner = byId("banner");
  const words = element("span", {}, "The server is away. Trying again…");
  banner.append(words, button("Try now", () => connection.connect()));
  connection.addEventListener("lost", () => (banner.hidden = false));
  connection.addEventListener("open", () => (banner.hidden = true));
  connection.addEventListener(
    "tell:bye",
    () => (words.textContent = "The server has stopped. Start it again with plywise; this page will find it."),
  );
}
