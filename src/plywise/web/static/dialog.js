/** Dialogs of the page, with a title and a close button. */

import { button, element } from "./element.js";

/**
 * A dialog that can be opened again and again.
 * @param {{id: string, title: string, wide?: boolean}} given
 * @param {...(Node|string)} content
 * @returns {HTMLDialogElement}
 */
export function makeDialog({ id, title, wide = false }, ...content) {
  const close = button("×", () => dialog.close(), { class: "icon close", "aria-label": "Close" });
  const head = element("div", { class: "head" }, element("h2", { id: `${id}-title` }, title), close);
  const dialog = element(
    "dialog",
    { id, class: wide ? "wide" : "", "aria-labelledby": `${id}-title` },
    head,
    ...content,
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close(); // beside it
  });
  document.body.append(dialog);
  return dialog;
}

/**
 * A question with yes and no, in a dialog of its own.
 * @param {string} question
 * @param {string} yes the label of the button that agrees
 * @returns {Promise<boolean>}
 */
export function askConfirmation(question, yes) {
  return new Promise((resolve) => {
    const answer = (value) => () => dialog.close(value);
    const choice = element(
      "div",
      { class: "bar end" },
      button("Cancel", answer("")),
      button(yes, answer("yes"), { class: "primary" }),
    );
    const dialog = makeDialog({ id: "question", title: question }, choice);
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    dialog.showModal();
    choice.lastElementChild.focus();
  });
}
