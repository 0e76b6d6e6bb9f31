/** The small Markdown of the rules as elements: headings, paragraphs, lists, tables, drawn boards. Text only. */

import { element } from "../element.js";

const INLINE = /(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*|\[[^\]]+\]\([^)]*\))/;

/**
 * The text as elements, to be put into a page.
 * @param {string} text
 * @returns {HTMLElement[]}
 */
export function markdown(text) {
  return blocks(text.replace(/\r/g, "").split("\n"));
}

/** Code, strong and stressed words of a line; links keep their words only. */
export function inline(text) {
  return text.split(INLINE).filter(Boolean).map((part) => {
    if (/^`.+`$/.test(part)) return element("code", {}, part.slice(1, -1));
    if (/^\*\*.+\*\*$/.test(part)) return element("strong", {}, ...inline(part.slice(2, -2)));
    if (/^\*.+\*$/.test(part)) return element("em", {}, ...inline(part.slice(1, -1)));
    const link = /^\[([^\]]+)\]\([^)]*\)$/.exec(part);
    return link ? link[1] : part;
  });
}

function blocks(lines) {
  const made = [];
  let i = 0;
  const gather = (test) => {
    const found = [];
    while (i < lines.length && test(lines[i])) found.push(lines[i++]);
    return found;
  };
  while (i < lines.length) {
    const line = lines[i];
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    const item = /^(\d+\.|[-*])\s+/.exec(line);
    if (!line.trim()) i++;
    else if (heading) {
      made.push(element(`h${Math.min(6, heading[1].length + 1)}`, {}, ...inline(heading[2])));
      i++;
    } else if (/^```/.test(line)) {
      i++;
      made.push(pre(gather((one) => !/^```/.test(one))));
      i++;
    } else if (/^ {4}/.test(line)) {
      made.push(pre(gather((one) => /^ {4}/.test(one) || !one.trim()).map((one) => one.slice(4))));
    } else if (line.startsWith("|")) made.push(table(gather((one) => one.startsWith("|"))));
    else if (item) made.push(list(gather, lines, () => i, item[1].length > 1));
    else {
      i++; // whatever it begins with, it is a paragraph
      const more = gather((one) => one.trim() && !/^(#|```|\||(\d+\.|[-*])\s)/.test(one));
      made.push(element("p", {}, ...inline([line, ...more].join(" "))));
    }
  }
  return made;
}

/** A list; whatever is indented below an item belongs to it. */
function list(gather, lines, at, numbered) {
  const items = [];
  const begins = numbered ? /^(\d+)\.\s+/ : /^[-*]\s+/;
  let first = null;
  while (at() < lines.length && begins.test(lines[at()])) {
    const found = begins.exec(lines[at()]);
    first ??= Number(found[1]);
    let begun = false;
    const own = gather((one) => {
      if (!begun) return (begun = true);
      return /^\s{2,}\S/.test(one) || (!one.trim() && /^\s{2,}\S/.test(lines[at() + 1] ?? ""));
    });
    const deep = Math.min(...own.slice(1).filter((one) => one.trim()).map((one) => /^\s*/.exec(one)[0].length), 99);
    const inner = [
      own[0].replace(begins, ""),
      ...own.slice(1).map((one) => one.slice(Math.min(deep, found[0].length))),
    ];
    items.push(element("li", {}, ...tight(blocks(inner))));
    gather((one) => !one.trim() && begins.test(lines[at() + 1] ?? ""));
  }
  return numbered ? element("ol", { start: first }, ...items) : element("ul", {}, ...items);
}

/** A lone paragraph is the item itself. */
function tight(made) {
  return made[0]?.tagName === "P" ? [...made[0].childNodes, ...made.slice(1)] : made;
}

function pre(lines) {
  while (lines.length && !lines.at(-1).trim()) lines.pop();
  return element("pre", { tabIndex: 0 }, lines.join("\n"));
}

function table(lines) {
  const split = (line) => line.replace(/^\||\|\s*$/g, "").split("|").map((cell) => cell.trim());
  const [head, , ...rows] = lines.map(split);
  const made = (tag, cells) => element("tr", {}, ...cells.map((cell) => element(cell ? tag : "td", {}, ...inline(cell))));
  return element(
    "table",
    {},
    element("thead", {}, made("th", head)),
    element("tbody", {}, ...rows.map((row) => made("td", row))),
  );
}
