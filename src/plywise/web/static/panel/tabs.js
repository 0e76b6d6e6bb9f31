/** The tabs of the side panel. Any module may add one: `addTab({id, title, mount})`. */

import { byId, element } from "../element.js";

const added = [];

/**
 * Add a tab to the panel.
 * @param {{id: string, title: string, order?: number,
 *   mount: (panel: HTMLElement, page: any) => {shown?: () => void, hidden?: () => void}|void}} tab
 *   `mount` fills the panel once; the page it is given has `session`, `board` and `seatSides`;
 *   `shown` and `hidden` are called when the visitor turns to the tab and away from it
 */
export function addTab(tab) {
  added.push({ order: 50, ...tab });
  added.sort((one, other) => one.order - other.order);
}

/** Build the tabs that were added. @returns {(id: string) => void} turns to a tab */
export function mountTabs(page) {
  const list = byId("tabs");
  const panels = byId("tab-panels");
  const made = added.map((tab) => {
    const handle = element(
      "button",
      {
        type: "button",
        role: "tab",
        id: `tab-${tab.id}`,
        "aria-controls": `panel-${tab.id}`,
        onclick: () => turn(tab.id),
      },
      tab.title,
    );
    const panel = element(
      "div",
      { role: "tabpanel", id: `panel-${tab.id}`, "aria-labelledby": `tab-${tab.id}`, class: `tab-panel ${tab.id}` },
    );
    list.append(handle);
    panels.append(panel);
    return { tab, handle, panel, calls: tab.mount(panel, page) ?? {} };
  });
  let current = null;
  function turn(id) {
    const next = made.find((one) => one.tab.id === id) ?? made[0];
    if (next === current) return;
    current?.calls.hidden?.();
    current = next;
    for (const one of made) {
      const on = one === next;
      one.handle.setAttribute("aria-selected", String(on));
      one.handle.tabIndex = on ? 0 : -1;
      one.panel.hidden = !on;
    }
    next.calls.shown?.();
  }
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const at = (made.indexOf(current) + step + made.length) % made.length;
    turn(made[at].tab.id);
    made[at].handle.focus();
  });
  turn(made[0].tab.id);
  return turn;
}
