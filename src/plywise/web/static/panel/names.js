/** The names of a game: event, players, date; as its tags in PGN and PDN. */

import { element } from "../element.js";
import { capital, sideFirst } from "../board/seats.js";

/** Build the fields. @returns {{element: HTMLElement, refresh: () => void}} */
export function makeNames({ session }) {
  const fields = element("div", { class: "names" });
  const box = element("details", { class: "names-box" }, element("summary", {}, "Names and date"), fields);
  const refresh = () => {
    const { state, info } = session;
    if (!state || !info || fields.contains(document.activeElement)) return;
    const names = [["Event", "Name or event"], ...info.sides.map((side) => [capital(side), sideFirst(side)]), ["Date", "Date"], ["Site", "Place"], ["Round", "Round"], ["Annotator", "Annotator"]];
    fields.replaceChildren(...names.map(([tag, words]) => {
      const input = element("input", { id: `tag-${tag}`, value: (state.tags?.[tag] ?? "").replace(/^[?.]+$/, ""), maxLength: 400, autocomplete: "off" });
      input.addEventListener("change", () => session.requestForGame("tags", { tags: { [tag]: input.value } }));
      return element("div", { class: "field" }, element("label", { htmlFor: input.id }, words), input);
    }));
  };
  return { element: box, refresh };
}
