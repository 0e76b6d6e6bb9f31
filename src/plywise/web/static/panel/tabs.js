/** The tabs of the side panel. Any module may add one: `addTab({id, title, mount})`. */

import { byId, element } from "../element.js";

const added = [];

/**
 * Add a tab to the panel.
 * @param {{id: string, title: string, order?: number,
 *   mount: (panel: HTMLElement, page: any) => {shown?: () => void, hidden?: () => void}|void}} tab
 *   `mount` fills the panel once; the page it is given has `session`, `board` and `seatSides`;
 *   `shown` and `hidden` are called when the visitor opens the tab and leaves it
 */
export function addTab(tab) {
  added.push({ order: 50, ...tab });
  added.sort((one, other) => one.order - other.order);
}

/** A click shows a tab; the focus stays where it is, so that the arrow keys still go through the game. */
function keepFocus(event) {
  event.preventDefault();
  if (document.activeElement?.closest?.("[role=tab]")) document.activeElement.blur();
}

/** Build the tabs that were added. @returns {(id: string) => void} shows a tab */
export function mountTabs(page) {
  const list = byId("tabs");
  const panels = byId("tab-panels");
  const tabs = added.map((tab) => {
    const handle = element(
      "button",
      {
        type: "button",
        role: "tab",
        id: `tab-${tab.id}`,
        "aria-controls": `panel-${tab.id}`,
        onclick: () => {
          showTab(tab.id);
          // Below the board on a phone.
          if (list.getBoundingClientRect().top > innerHeight / 2) list.scrollIntoView({ block: "center" });
        },
        onmousedown: keepFocus,
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
  function showTab(id) {
    const next = tabs.find(({ tab }) => tab.id === id) ?? tabs[0];
    if (next === current) return;
    current?.calls.hidden?.();
    current = next;
    for (const other of tabs) {
      const on = other === next;
      other.handle.setAttribute("aria-selected", String(on));
      other.handle.tabIndex = on ? 0 : -1;
      other.panel.hidden = !on;
    }
    next.calls.shown?.();
  }
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const at = (tabs.indexOf(current) + step + tabs.length) % tabs.length;
    showTab(tabs[at].tab.id);
    tabs[at].handle.focus();
  });
  showTab(tabs[0].tab.id);
  return showTab;
}
