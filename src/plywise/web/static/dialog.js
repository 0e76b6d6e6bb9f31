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
  const made = element(
    "dialog",
    { id, class: wide ? "wide" : "", "aria-labelledby": `${id}-title` },
    head,
    ...content,
  );
  made.addEventListener("click", (event) => {
    if (event.target === made) made.close(); // beside it
  });
  document.body.append(made);
  return made;
}

/**
 * A question with yes and no, in a dialog of its own.
 * @param {string} question
 * @param {string} yes what the button says that agrees
 * @returns {Promise<boolean>}
 */
export function askConfirmation(question, yes) {
  return new Promise((resolve) => {
    const answer = (value) => () => made.close(value);
    const choice = element(
      "div",
      { class: "bar end" },
      button("No", answer("")),
      button(yes, answer("yes"), { class: "primary" }),
    );
    const made = makeDialog({ id: "question", title: question }, choice);
    made.addEventListener("close", () => {
      made.remove();
      resolve(made.returnValue === "yes");
    });
    made.showModal();
    choice.lastElementChild.focus();
  });
}
