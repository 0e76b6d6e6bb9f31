/** The words of the tab "Why": one name for one thing in legend, counters, table, panel and switches. */

/** How a node ended, in the server's order; each has a colour in why/why.css. */
export const CAUSES = ["leaf", "table", "null move", "cut", "over", "draw", "all moves", "stopped", "database", "too deep", "standing", "probcut"];

const NAMES = {
  "all moves": "all moves searched", cut: "the rest cut off", leaf: "evaluated", table: "found in the hash table", "null move": "null-move cut-off",
  standing: "already good enough (stand pat)", probcut: "decided by a shallow search (ProbCut)", over: "game over", draw: "draw by repetition", database: "solved", "too deep": "too deep", stopped: "search ended here",
};

/** What can be switched off. */
export const SWITCHES = { ordering: "move ordering", table: "hash table", "null moves": "null moves", reductions: "reductions", guesses: "all risky pruning" };

/** How a node ended, in words. */
export const causeName = (cause) => NAMES[cause] ?? cause;

/** The class of a cause's colour. */
export const causeClass = (cause) => `why-${cause.replace(" ", "-")}`;
