/** The rules tab: the rules of the game on the page. */

import { markdown } from "./markdown.js";
import { addTab } from "./tabs.js";

addTab({
  id: "rules",
  title: "Rules",
  order: 40,
  mount(panel, { session }) {
    let shown = null;
    panel.tabIndex = 0;
    const draw = async () => {
      const name = session.info?.name;
      if (panel.hidden || !name || name === shown) return;
      const answer = await session.request("rules", { game: name });
      if (!answer || session.info?.name !== name) return;
      shown = name;
      panel.replaceChildren(...markdown(answer.text));
      panel.scrollTop = 0;
    };
    session.addEventListener("opened", draw);
    return { shown: draw };
  },
});
