/** Ready examples: positions of the game on which one technique of the search can be seen. */

import { element } from "../element.js";

/**
 * Build the choice of examples.
 * @param {any} page
 * @param {(node: number, depth: number) => Promise<boolean>} record the search of a node
 */
export function makeExamples(page, record) {
  const { session } = page;
  const choice = element("select", { id: "why-example" });
  const about = element("span", { class: "facts" });
  const holder = element("div", { class: "bar why-examples", hidden: true }, element("label", { htmlFor: choice.id }, "Example"), choice, about);
  let examples = [];
  let shownGame = null;
  let beginning = false;
  const load = async () => {
    const game = session.info?.name;
    if (!beginning) choice.value = about.textContent = "";
    if (game === shownGame) return;
    shownGame = game;
    const found = await session.connection.ask("why-examples", { game }).catch(() => null);
    if (game !== shownGame) return;
    examples = found?.examples ?? [];
    holder.hidden = !examples.length;
    choice.replaceChildren(element("option", { value: "" }, "choose a technique…"), ...examples.map((one, i) => element("option", { value: i }, one.technique)));
  };
  choice.addEventListener("change", async () => {
    const example = examples[Number(choice.value)];
    if (choice.value === "" || !example) return;
    const person = { kind: "person" };
    const opened = new Promise((resolve) => session.addEventListener("opened", resolve, { once: true }));
    beginning = true;
    if (await session.create({ game: session.info.name, position: example.position, seats: [person, person] })) {
      await opened;
      about.textContent = `Look: ${example.about}.`;
      await record(0, example.depth);
    }
    beginning = false;
  });
  session.addEventListener("opened", load);
  return holder;
}
