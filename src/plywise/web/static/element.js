/** Making elements without HTML strings: text is always text, so nothing the server says can become markup. */

/**
 * An element with properties, listeners (`onclick`), attributes (`aria-…`, `role`, …) and children.
 * @param {string} tag
 * @param {Record<string, any>} [given]
 * @param {...(Node|string|null|undefined|false)} children
 * @returns {HTMLElement}
 */
export function element(tag, given = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "class") made.className = value;
    else if (name in made && !name.startsWith("aria") && name !== "list" && name !== "form") made[name] = value;
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/**
 * An SVG element with attributes and children.
 * @param {string} tag
 * @param {Record<string, any>} [given]
 * @param {...Node} children
 * @returns {SVGElement}
 */
export function svgElement(tag, given = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(given)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** The element of that id; a page without it is broken, and says so at once. */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element #${id}`);
  return found;
}

/** A button that does something, with a name for everybody. */
export function button(label, onclick, given = {}) {
  return element("button", { type: "button", onclick, ...given }, label);
}
