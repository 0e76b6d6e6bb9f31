/** Creates elements without HTML strings: text is always text, so nothing from the server can become markup. */

/**
 * An element with properties, listeners (`onclick`), attributes (`aria-…`, `role`, …) and children.
 * @param {string} tag
 * @param {Record<string, any>} [given]
 * @param {...(Node|string|null|undefined|false)} children
 * @returns {HTMLElement}
 */
export function element(tag, given = {}, ...children) {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) created.addEventListener(name.slice(2), value);
    else if (name === "class") created.className = value;
    else if (name in created && !name.startsWith("aria") && name !== "list" && name !== "form") created[name] = value;
    else created.setAttribute(name, value === true ? "" : String(value));
  }
  created.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return created;
}

/**
 * An SVG element with attributes and children.
 * @param {string} tag
 * @param {Record<string, any>} [given]
 * @param {...Node} children
 * @returns {SVGElement}
 */
export function svgElement(tag, given = {}, ...children) {
  const created = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(given)) created.setAttribute(name, String(value));
  created.append(...children);
  return created;
}

/** The element of that id; an error if the page has none. */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element #${id}`);
  return found;
}

/** A button with a label and what it does. */
export function button(label, onclick, given = {}) {
  return element("button", { type: "button", onclick, ...given }, label);
}

/**
 * An action that is not begun again while it is under way: a hand that clicks twice begins one game, not two.
 * @param {(...given: any[]) => Promise<any>} act
 */
export function once(act) {
  let running = false;
  return async (...given) => {
    if (running) return;
    running = true;
    try {
      await act(...given);
    } finally {
      running = false;
    }
  };
}

/**
 * A sentence as it is read: what stands between backticks is code, and a move like O-O or 11-15 is not broken.
 * @param {string} text
 * @returns {(HTMLElement|string)[]}
 */
export function sentence(text) {
  return text.split("`").flatMap((part, i) => (i % 2
    ? [element("code", {}, part)]
    : part.split(/(\S*-\S*)/).map((word, k) => (k % 2 ? element("span", { class: "whole" }, word) : word))));
}
