// What a reader of the page's source would look for: names, roles, headings, tab stops.
() => {
  const seen = (made) => made.checkVisibility({ checkVisibilityCSS: true });
  const labels = (made) => (made.getAttribute("aria-labelledby") || "").split(" ")
    .map((id) => document.getElementById(id)?.textContent).join(" ").trim();
  const name = (made) => (made.getAttribute("aria-label") || labels(made)
    || (made.id && document.querySelector(`label[for="${made.id}"]`)?.textContent)
    || made.closest("label")?.textContent || made.textContent || "").trim();
  const all = (selector) => [...document.querySelectorAll(selector)].filter(seen);
  const within = (role, ...outer) => [...document.querySelectorAll(`[role=${role}]`)]
    .every((made) => outer.includes(made.parentElement.closest("[role]").getAttribute("role")));
  const controls = "button, input, select, textarea, dialog, progress, [role=tab], [role=grid], [role=gridcell]";
  const nameless = all(`${controls}, [role=img], [role=meter], [role=timer]`)
    .filter((made) => !name(made)).map((made) => made.outerHTML.slice(0, 120));
  const ids = [...document.querySelectorAll("[id]")].map((made) => made.id);
  const panel = (tab) => document.getElementById(tab.getAttribute("aria-controls"));
  return {
    nameless,
    headings: document.querySelectorAll("h1").length,
    early: [...document.querySelectorAll("[tabindex]")].filter((made) => made.tabIndex > 0).length,
    twice: ids.filter((id, i) => ids.indexOf(id) !== i),
    stops: document.querySelectorAll('.cell[tabindex="0"]').length,
    rows: within("row", "grid", "treegrid", "rowgroup"),
    cells: within("gridcell", "row"),
    tabs: all("[role=tab]").every((tab) => panel(tab)?.getAttribute("role") === "tabpanel"),
    language: document.documentElement.lang,
    inline: document.querySelectorAll("[onclick], script:not([src])").length,
  };
}
