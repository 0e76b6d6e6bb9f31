/** A dialog of the page: a title, a way out, and the focus where it belongs. */

import { button, element } from "./element.js";

/**
 * A dialog that can be opened again and again.
 * @param {{id: string, title: string, wide?: boolean}} given
 * @param {...(Node|string)} content
 * @returns {HTMLDialogElement}
 */
export function makeDialog({ id, title, wide = false }, ...content) {
  const close = button("×", () => made.close(), { class: "icon close", "aria-label": "Close" });
  const head = element("div", { class: "head" }, element("h2", { id: `${id}-title` }, title), close);
  const made = element("dialog", { id, class: wide ? "wide" : "", "aria-labelledby": `${id}-title` }, head, ...content);
  made.addEventListener("click", (event) => {
    if (event.target === made) made.close(); // beside it
  });
  document.body.append(made);
  return made;
}
